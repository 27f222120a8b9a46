"""Input that numpy or pandas would bend into shape: it must be understood as meant, or refused."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

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


@pytest.mark.parametrize(
    "rope", [np.float32(2**-4), Fraction(1, 16), [-(2**-4), 2**-4], np.array([-(2**-4), 2**-4])], ids=repr
)
def test_what_is_a_rope(rope):
    assert compare(A, A, rope=rope, n_draws=1_000).rope == (-0.0625, 0.0625)


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
    assert np.isnan(comparison.bayes_factor)
    assert comparison.to_dict()["bayes_factor_sd"] is None


def test_names_with_line_breaks_stay_on_their_line():
    matrix = ConfusionMatrix(A, ["two\nlines", "b"])
    comparison = compare(matrix, [[30, 20], [5, 45]], measure="f1[two\nlines]", rope=0.01, n_draws=1_000)
    assert "two lines 0." in str(comparison)
    assert all(line.startswith("  ") for line in str(comparison).splitlines()[1:])
    assert "\n" not in repr(comparison)
    assert "\n" not in comparison.headline


@pytest.mark.parametrize("rope", [1, 5, (-0.01, 1.0)])
def test_a_rope_in_per_cent_would_switch_the_gate_off(rope):
    with pytest.raises(InputError, match=r"rope: expected a difference of scores, such as 0.01 for one point"):
        compare(A, A, rope=rope)


def test_a_measure_of_ones_own_has_its_own_scale():
    assert compare(A, A, measure=lambda p: 1000 * p[..., 0, 0], rope=500, n_draws=1_000).decision == "~"


def test_the_error_in_place_of_the_probability():
    with pytest.raises(InputError, match=r"hdi_prob: .*got 0.05. Did you mean 0.95\?"):
        compare(A, A, rope=0.1, hdi_prob=0.05)


def test_numbers_of_numpy_become_plain():
    comparison = compare(A, A, rope=0.1, seed=np.int64(1), hdi_prob=np.float32(0.9), n_draws=np.int32(1_000))
    assert json.loads(json.dumps(comparison.to_dict()))["seed"] == 1


def test_a_table_that_names_its_rows_is_read_by_its_names():
    table = pd.DataFrame([[5, 1], [0, 7]], index=list("ab"), columns=list("ba"))
    assert ConfusionMatrix(table).counts.tolist() == [[1, 5], [7, 0]]
    all_wrong = ConfusionMatrix(pd.crosstab(pd.Series(list("aabbcc")), pd.Series(list("bbccdd"))))
    assert all_wrong.labels == ("a", "b", "c", "d")
    assert np.trace(all_wrong.counts) == 0
    with pytest.raises(InputError, match="labels: expected nothing beside a table"):
        ConfusionMatrix(table, labels=["a", "b"])


def test_integer_names_of_a_crosstab_are_names():
    truth, guess = pd.Series([0, 1, 2, 2], name="truth"), pd.Series([0, 1, 2, 1], name="guess")
    other = ConfusionMatrix.from_predictions(truth, guess, labels=[2, 1, 0])
    comparison = compare(pd.crosstab(truth, guess), other, measure="f1[2]", rope=0.1, n_draws=1_000)
    assert comparison.model == "same-set"
    assert comparison.baseline.observed == comparison.candidate.observed


def test_columns_that_only_look_aligned():
    truth = pd.Series([0, 1, 1], index=[0, 1, 2])
    with pytest.raises(InputError, match="y_pred: expected the index of y_true, got another index"):
        predictions(truth, pd.Series([1, 1, 0], index=[2, 1, 0]))
    with pytest.raises(InputError, match="1-D"):
        predictions({0, 1}, [0, 1])
    with pytest.raises(InputError, match="missing value at position"):
        predictions(np.ma.array([0, 1, 1], mask=[0, 1, 0]), [0, 1, 1])


def test_results_and_checked_counts_cannot_be_changed():
    comparison = compare(A, A, rope=0.1, n_draws=1_000)
    with pytest.raises(ValueError, match="read-only"):
        comparison.delta[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        ConfusionMatrix(A).table.count[0] = 10**6
    ids = np.arange(2)
    matrix = predictions([0, 1], [0, 1], ids=ids)
    ids[:] = 0
    assert matrix.predictions.ids.tolist() == [0, 1]


def test_averaged_recalls_are_of_the_classes_that_have_examples():
    matrix = [[500, 0, 1], [0, 500, 1], [0, 0, 0]]
    for measure in ("balanced_accuracy", "g_mean", "recall_macro"):
        result = compare(matrix, matrix, measure=measure, rope=0.1, n_draws=1_000)
        assert result.baseline.observed == pytest.approx(500 / 501)
        assert result.baseline.mean > 0.9


def test_a_measure_that_changes_its_mind_is_asked_again():
    class Weighted:
        weight = 1.0

        def __call__(self, p):
            return self.weight * p[..., 0, 0]

    measure = Weighted()
    before = compare(A, A, measure=measure, rope=0.1, n_draws=1_000).bayes_factor
    measure.weight = 10.0
    assert compare(A, A, measure=measure, rope=0.1, n_draws=1_000).bayes_factor != before
    assert compare(A, A, measure=measure, rope=1.0, n_draws=1_000).bayes_factor == pytest.approx(before)


@pytest.mark.parametrize("scale", [1e9, 1e12, 1e15])
def test_very_large_counts(scale):
    rng = np.random.default_rng(int(scale) % 97)
    matrix = (rng.dirichlet([0.3] * 4, size=4) * scale).astype(int) + np.eye(4, dtype=int)
    comparison = compare(matrix, matrix, measure="accuracy", prior="hierarchical", rope=0.01, n_draws=1_000)
    assert comparison.decision == "~"
    assert comparison.baseline.mean == pytest.approx(comparison.baseline.observed, abs=1e-3)


def test_a_row_without_examples_beside_very_full_ones():
    matrix = [[10**8, 5, 7], [5, 10**8, 3], [0, 0, 0]]
    assert compare(matrix, matrix, rope=(0.5, "wide"), prior="hierarchical", n_draws=20_000).decision == "~"


def test_threads_share_one_process():
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda _: compare(A, A, rope=0.1, n_draws=1_000).mean, range(4)))
    assert len(set(results)) == 1
