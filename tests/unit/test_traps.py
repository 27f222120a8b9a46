"""Input that numpy or pandas would bend into shape: it must be understood as meant, or refused."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, assert_at_least, compare

A = [[40, 10], [5, 45]]


def predictions(y_true, y_pred, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, **options)


@pytest.mark.parametrize("rope", ["05", b"\x00\x01", {0: 1, 1: 2}, {-1, 1}, (False, True), (0.1,), (-1, 0, 1)], ids=str)
def test_what_is_no_rope(rope):
    with pytest.raises(InputError, match="rope: expected a half-width"):
        compare(A, A, rope=rope)


@pytest.mark.parametrize("rope", [np.float32(0.5), np.int64(1), [-0.5, 0.5], np.array([-0.5, 0.5])], ids=repr)
def test_what_is_a_rope(rope):
    assert compare(A, A, rope=rope, n_draws=1_000).rope in ((-0.5, 0.5), (-1, 1))


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare(A, A, rope=10**400),
        lambda: compare(A, A, rope=0.1, hdi_prob=10**400),
        lambda: assert_at_least(A, 10**400),
        lambda: compare(A, A, rope=0.1, measure="fbeta(1e200)"),
    ],
)
def test_numbers_beyond_floats(call):
    with pytest.raises(InputError):
        call()


def test_a_generator_is_checked_like_a_list():
    assert predictions((x for x in "abb"), (x for x in "aba")).counts.tolist() == [[1, 0], [1, 1]]
    with pytest.raises(InputError, match="mixed"):
        predictions((x for x in [1, "a"]), ["a", "1"])
    with pytest.raises(InputError, match="missing value at position 1"):
        predictions((x for x in [1, None]), [1, 2])


def test_booleans_and_integers_do_not_mix():
    with pytest.raises(InputError, match=r"mixed .*bool, int"):
        predictions([True, 2], [1, 2])
    with pytest.raises(InputError, match="expected booleans, as in y_true, got integers"):
        predictions([True, False], [1, 0])


def test_nested_labels_are_refused():
    with pytest.raises(InputError, match="1-D"):
        predictions([[1], [1, 2]], [0, 1])
    with pytest.raises(InputError, match="1-D"):
        predictions([[1], [2]], [0, 1])


def test_unsigned_integers_are_integers():
    unsigned = predictions(np.array([0, 1, 1], dtype=np.uint64), np.array([0, 1, 0]), ids=np.arange(3, dtype=np.uint8))
    signed = predictions(np.array([0, 1, 1]), np.array([0, 1, 1]), ids=np.arange(3))
    assert unsigned.labels == (0, 1)
    assert compare(unsigned, signed, rope=0.1, n_draws=1_000).model == "paired"
    with pytest.raises(InputError, match=r"below 2\^63"):
        predictions(np.array([2**63, 0], dtype=np.uint64), np.array([0, 1]))


def test_a_gap_is_a_missing_value_whatever_its_type():
    for gap in ([0, 1, np.nan], pd.Series([0, 1, None], dtype="Int64"), pd.Series(["a", "b", None])):
        with pytest.raises(InputError, match="missing value at position 2"):
            predictions(gap, gap)


def test_boolean_crosstab_keeps_its_labels():
    truth = pd.Series([True, True, False, False], name="truth")
    guess = pd.Series([True, False, False, False], name="guess")
    comparison = compare(pd.crosstab(truth, guess), pd.crosstab(truth, truth), measure="f1[True]", rope=0.1)
    assert comparison.labels == (False, True)


def test_crosstab_with_totals_is_refused():
    truth, guess = pd.Series(["a", "a", "b", "b"], name="truth"), pd.Series(["a", "b", "b", "b"], name="guess")
    table = pd.crosstab(truth, guess, margins=True)
    with pytest.raises(InputError, match=r"baseline: last row and column: .*margins=False"):
        compare(table, table, rope=0.1)


def test_text_is_no_count():
    with pytest.raises(InputError, match="got text"):
        ConfusionMatrix([["1", "2"], ["3", "4"]])
    with pytest.raises(InputError, match="whole numbers"):
        ConfusionMatrix(np.array([["1", 2], [3, 4]], dtype=object))


def test_paired_counts_stand_alone():
    pairs = PairedCounts.from_predictions([0, 1], [0, 1], [1, 1])
    with pytest.raises(InputError, match="candidate: expected one side's counts, got PairedCounts"):
        compare(A, pairs, rope=0.1)
    with pytest.raises(InputError, match="cm: expected one side's counts, got PairedCounts"):
        assert_at_least(pairs, 0.5)


def test_a_measure_without_a_hash_serves():
    @dataclass
    class Accuracy:
        __name__ = "mine"

        def __call__(self, p):
            return np.trace(p, axis1=-2, axis2=-1)

    comparison = compare(A, A, measure=Accuracy(), rope=0.1, n_draws=1_000)
    assert comparison.baseline.observed == pytest.approx(0.85)


@pytest.mark.parametrize("score", ["x", [[1], [1, 2]]])
def test_a_measure_that_returns_nonsense(score):
    with pytest.raises(InputError, match=r"measure <lambda>: expected an array of scores"):
        compare(A, A, measure=lambda _: score, rope=0.1)


def test_an_error_inside_a_measure_is_the_users_own():
    def broken(p):
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine") as caught:
        compare(A, A, measure=broken, rope=0.1)
    assert not isinstance(caught.value, InputError)


def test_an_average_takes_no_class():
    with pytest.raises(InputError, match="f1_macro"):
        compare(A, A, measure="f1_macro[]", rope=0.1)


@pytest.mark.parametrize(("written", "meant"), [("F1_Macro", "f1_macro"), ("fbeta_macr", r"fbeta_macro\(2\)")])
def test_a_near_miss_is_told(written, meant):
    with pytest.raises(InputError, match=f"Did you mean '{meant}'"):
        compare(A, A, measure=written, rope=0.1)


def test_probabilities_are_none_below_0():
    same = [[500, 500], [400, 600]]
    comparison = compare(same, same, rope=1e-12, n_draws=1_000, seed=64)
    assert 0 <= comparison.p_in_rope <= 1


def test_a_score_that_never_varies_has_no_savage_dickey_factor():
    comparison = compare(A, A, measure=lambda p: np.ones(p.shape[:-2]), rope=0.1)
    assert np.isnan(comparison.bayes_factor_sd)
    assert comparison.bayes_factor == 1
    assert comparison.to_dict()["bayes_factor_sd"] is None


def test_names_with_line_breaks_stay_on_their_line():
    matrix = ConfusionMatrix(A, ["two\nlines", "b"])
    comparison = compare(matrix, [[30, 20], [5, 45]], measure="f1[two\nlines]", rope=0.01, n_draws=1_000)
    assert "two lines 0." in str(comparison)
    assert all(line.startswith("  ") for line in str(comparison).splitlines()[1:])
    assert "\n" not in repr(comparison)
    assert "\n" not in comparison.headline
