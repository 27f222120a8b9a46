import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, PairedCounts, assert_at_least, assert_not_worse, compare
from pytest_bayesf1.errors import BayesF1Error, InputError, UnexpectedPredictionsWarning
from tests.unit.refused import assert_refused, case

GOOD = [[8, 2], [1, 9]]
GOOD_3 = [[8, 2, 0], [1, 9, 1], [0, 3, 4]]
Y = ["ham", "ham", "spam", "spam"]
PREDICTED = ConfusionMatrix.from_predictions(Y, ["ham", "spam", "spam", "spam"])
WITH_IDS = ConfusionMatrix.from_predictions(Y, Y, ids=[1, 2, 3, 4])
PAIRS = PairedCounts.from_predictions(Y, Y, Y)
TOO_MANY = list(range(101))


def run(baseline=GOOD, candidate=GOOD, **arguments):
    return compare(baseline, candidate, **{"rope": 0.01, "n_draws": 1_000, **arguments})


def counts(value, where, expected, found, advice="", *, name):
    return case(name, lambda: run(value), f"baseline, {where}", expected, found, advice)


def predicted(y_true=Y, y_pred=Y, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, **options)


COUNTS = [
    counts([[8, -2], [1, 9]], "counts", "1 of 4 is negative", "cell [0 1]", name="negative"),
    counts([[8, 2], [0.25, 9]], "counts", "1 of 4 is no whole number", "0.25", name="fractional"),
    counts([[8, np.nan], [1, 9]], "counts", "finite", "cell [0 1]", name="nan"),
    counts([[8, 2], [1, np.inf]], "counts", "finite", "inf", name="infinite"),
    counts([[8, None], [1, 9]], "counts", "finite", "cell [0 1]", name="none"),
    counts([["1", "2"], ["3", "4"]], "counts", "whole numbers", "text", name="text"),
    counts([[1, "2"], [3, 4]], "counts", "whole numbers", "text", name="text among numbers"),
    counts(np.array([[1, "2"], [3, 4]], dtype=object), "counts", "whole numbers", "ndarray", name="text among objects"),
    counts(np.ma.masked_array(GOOD, mask=[[0, 0], [0, 1]]), "counts", "whole numbers", "masked values", name="masked"),
    counts([[True, False], [False, True]], "counts", "whole numbers", "bool", name="booleans"),
    counts([[1j, 2], [1, 9]], "counts", "whole numbers", "complex", name="complex"),
    counts([], "counts", "at least two classes", "empty", name="empty"),
    counts([[]], "counts", "at least two classes", "empty", name="an empty row"),
    counts([[0, 0], [0, 0]], "counts", "All counts are 0", "", name="all zero"),
    counts([[8, 2], [1]], "counts", "a square matrix", "rows of different lengths", name="ragged"),
    counts([[8]], "counts", "at least two classes", "one class only", name="one class"),
    counts([[2**53 + 2, 2], [1, 9]], "counts", "2^53", "9007199254740994", name="beyond 2^53"),
    counts([[2**70, 2], [1, 9]], "counts", "2^53", "e+21", name="beyond 64 bits"),
    counts([[2**52, 2**52], [2**52, 9]], "counts", "2^53 examples in all", "1.35e+16", name="too many in all"),
    case("predictions", lambda: compare(y_true=Y, y_pred=Y), "arguments", "", "'y_pred'"),
    case("a class of F1", lambda: run(measure="f1_spam"), "measure", "", "", "f1[label]"),
    case("the candidate's", lambda: run(GOOD, [[8, -2], [1, 9]]), "candidate, counts", "negative", "-2"),
    case("the floor's counts", lambda: assert_at_least([[8, -2], [1, 9]], 0.5), "cm, counts", "negative", "-2"),
    case("no side", lambda: assert_at_least(None, 0.5), "cm", "a confusion matrix", "None"),
    case("different sizes", lambda: run(GOOD_3, GOOD), "candidate", "3 classes, as in baseline", "2"),
]


def no_counts(name, value, found):
    """Return the cases of a side that tells no counts, whichever call it is passed to."""
    calls = {
        "baseline": lambda: run(value),
        "candidate": lambda: assert_not_worse(GOOD, value, rope=0.01),
        "cm": lambda: assert_at_least(value, 0.5),
    }
    for where, call in calls.items():
        yield case(
            f"{name}: {where}", call, where, "a classifier's outcomes", found, "from_predictions(y_true, y_pred)"
        )


NO_COUNTS = [
    *no_counts("an accuracy", 0.91, "0.91"),
    *no_counts("predictions", ["ham", "spam", "ham"], "shape (3,)"),
    *no_counts("a column of predictions", pd.Series([0, 1, 1, 0]), "shape (4,)"),
    *no_counts("counts that are not square", [[8, 2, 1], [1, 9, 1]], "shape (2, 3)"),
    *no_counts("truth and predictions", (Y, Y), "shape (2, 4)"),
    *no_counts("a table", pd.DataFrame({"gold": Y, "new": Y}), "shape (4, 2)"),
    *no_counts("a path", Path("new.csv"), "new.csv"),
    *no_counts("a report", {"f1": 0.9}, "dict"),
]

LABELS = [
    case(
        "different labels",
        lambda: run(ConfusionMatrix(GOOD, labels=["ham", "spam"]), ConfusionMatrix(GOOD, labels=["ham", "eggs"])),
        *("candidate.labels", "The classes differ"),
        *("only in candidate: 'eggs'; only in baseline: 'spam'", "Declare: labels"),
    ),
    case("a label twice", lambda: ConfusionMatrix(GOOD, labels=["a", "a"]), "labels", "each label once", "'a' 2 times"),
    case("no labels", lambda: ConfusionMatrix(GOOD, labels=[]), "labels", "at least one class label", "empty"),
    case(
        "nested labels",
        lambda: ConfusionMatrix(GOOD, labels=(["a", "b"],)),
        "labels",
        "1 of 1 is no class label",
        "position 0",
    ),
    case("too few labels", lambda: ConfusionMatrix(GOOD_3, labels=["a", "b"]), "labels", "3 labels", "2"),
    case("too many labels", lambda: ConfusionMatrix(GOOD, labels=["a", "b", "c"]), "labels", "2 labels", "3"),
    case("unknown", lambda: predicted(list("abcd"), Y, labels=Y[1:3]), "y_true", "no class of labels", "'a'"),
    case("dates", lambda: predicted([date(2024, 1, 1), date(2024, 1, 2)]), "y_true", "no class label", "2024-01-01"),
    case("none for a label", lambda: predicted(["ham", None, "spam", "ham"]), "y_true", "1 of 4", "position 1"),
    case("a scalar", lambda: predicted("ham", "ham"), "y_true", "one class label", "str"),
    case(
        "the probability of the positive class",
        lambda: predicted([0, 1, 1], [0.2, 0.9, 0.7]),
        *("y_pred", "3 of 3 are no class label", "first at position 0"),
    ),
    case(
        "the probability of every class",
        lambda: predicted([0, 1], [[0.8, 0.2], [0.1, 0.9]]),
        *("y_pred", "2 of 2 are no class label", "first at position 0"),
    ),
]

EXAMPLES = [
    case("different lengths", lambda: predicted(y_pred=["ham", "spam"]), "y_pred", "4 labels, as in y_true", "2"),
    case("third", lambda: PairedCounts.from_predictions(Y, Y, Y[1:3]), "candidate_pred", "4 labels, as in y_true", "2"),
    case("no example", lambda: predicted([], []), "y_true", "at least one", "empty"),
    case(
        "sides of different lengths",
        lambda: run(PREDICTED, predicted(["ham", "spam"], ["ham", "spam"])),
        *("candidate", "There are 2 examples, and baseline has 4", "", "on_new_test_set: independent"),
    ),
    case("id twice", lambda: predicted(ids=["b", "a", "a", "b"]), "ids", "2 of 4 are duplicate ('a', 'b'", ""),
    case("an id too few", lambda: predicted(ids=[1, 2, 3]), "ids", "4 ids", "3"),
    case("no id for an example", lambda: predicted(ids=["a", None, "b", "c"]), "ids", "1 of 4 is no id", "position 1"),
    case(
        "unmatched ids",
        lambda: run(WITH_IDS, predicted(ids=[1, 2, 3, 9])),
        *("candidate.ids", "3 of 4 examples of baseline are in both", "", "on_new_test_set: independent"),
    ),
    case(
        "ids in baseline alone",
        lambda: run(WITH_IDS, PREDICTED),
        *("candidate.ids", "There are none, but baseline has some", "", "both sides or to neither"),
    ),
    case(
        "ids in candidate alone",
        lambda: run(PREDICTED, WITH_IDS),
        *("baseline.ids", "There are none, but candidate has some", "", "both sides or to neither"),
    ),
    case(
        "another truth",
        lambda: run(PREDICTED, predicted(["ham", "spam", "spam", "ham"])),
        *("candidate.y_true", "have another y_true than in baseline"),
        *("first at position 1 ('ham' and 'spam')", "ids"),
    ),
]

MEASURES = [
    case("a measure by half its name", lambda: run(measure="auc"), "measure", "name", "'auc'", ""),
    case("a measure of scores", lambda: run(measure="roc_auc"), "measure", "classes", "'roc_auc'", "y_score"),
    case("a number for a measure", lambda: run(measure=1), "measure", "name", "1"),
]

ROPES = [
    case("no rope", lambda: compare(GOOD, GOOD), "rope", "does not matter", "nothing", "bayesf1_rope"),
    case("a reversed rope", lambda: run(rope=(0.02, -0.02)), "rope", "the lower end before the upper", "[0.02, -0.02]"),
    case("a rope beside 0", lambda: run(rope=(0.01, 0.02)), "rope", "holds 0", "[0.01, 0.02]"),
    case("an infinite rope", lambda: run(rope=float("inf")), "rope", "finite", "inf"),
    case("a rope of nan", lambda: run(rope=(-0.01, float("nan"))), "rope", "finite", "nan"),
    case("a rope of width 0", lambda: run(rope=0), "rope", "a half-width above 0", "0"),
    case("a negative half-width", lambda: run(rope=-0.01), "rope", "a half-width above 0", "-0.01"),
    case("a rope in text", lambda: run(rope="0.01"), "rope", "half-width such as 0.01", "'0.01'"),
    case("three bounds", lambda: run(rope=(-0.01, 0, 0.01)), "rope", "both ends", "(-0.01, 0, 0.01)"),
    case("a boolean rope", lambda: run(rope=True), "rope", "half-width", "True"),
]

OPTIONS = [
    case("a prior misspelt", lambda: run(prior="unifrom"), "prior", "one of auto", "'unifrom'", "'uniform'"),
    case("a model misspelt", lambda: run(model="pairs"), "model", "one of auto", "'pairs'", "'paired'"),
    case("an engine misspelt", lambda: run(engine="exakt"), "engine", "one of", "'exakt'", "'exact'"),
    case("a prior of another kind", lambda: run(prior=1), "prior", "one of auto, hierarchical, nested, uniform", "1"),
    case("a model of another kind", lambda: run(model=1), "model", "one of auto", "1"),
]

DESIGNS = [
    case(
        "bare counts do not pair up",
        lambda: run(model="paired"),
        *("baseline", "Bare counts do not pair up", "", "predictions"),
    ),
    case(
        "one side's predictions cannot be paired",
        lambda: run(PREDICTED, [[1, 1], [0, 2]], model="paired"),
        *("candidate", "Bare counts do not pair up", "", "predictions"),
    ),
    case(
        "same-set of two test sets",
        lambda: run(GOOD, [[8, 3], [1, 9]], model="same-set"),
        *("model", "same-set does not fit", "11 examples of class 0 instead of 10", "independent"),
    ),
    case("no candidate", lambda: run(GOOD, None), "candidate", "There is none", "", "y_true, baseline, candidate"),
    case("a candidate beside pairs", lambda: run(PAIRS, GOOD), "candidate", "hold both sides", "", "alone"),
    case(
        "a prior on too many cells",
        lambda: run(*[predicted(TOO_MANY, TOO_MANY)] * 2, prior="uniform"),
        *("prior", "at most 50,000 cells", "101 classes", "prior: hierarchical"),
    ),
]


class TestBadInput:
    @pytest.mark.parametrize(
        ("call", "where", "expected", "found", "advice"),
        [*COUNTS, *NO_COUNTS, *LABELS, *EXAMPLES, *MEASURES, *ROPES, *OPTIONS, *DESIGNS],
    )
    def test_bad_input(self, call, where, expected, found, advice):
        assert_refused(call, where, expected, found, advice)

    def test_a_class_seen_on_one_side_alone_is_no_mistake(self):
        with pytest.warns(UnexpectedPredictionsWarning, match="1 of 4 answers of the candidate"):
            result = run(predicted(), predicted(y_pred=["ham", "eggs", "spam", "spam"]))
        assert result.labels == ("ham", "spam")

    @pytest.mark.parametrize("call", [assert_not_worse, compare])
    def test_every_entry_point_checks_alike(self, call):
        with pytest.raises(InputError, match=r"candidate, counts.*negative"):
            call(GOOD, [[8, -2], [1, 9]], rope=0.01)

    def test_an_error_can_be_caught_as_a_value_error_and_by_the_base(self):
        for kind in (ValueError, BayesF1Error):
            with pytest.raises(kind):
                run(rope=0)


A = [[40, 10], [5, 45]]


class TestTraps:
    @pytest.mark.parametrize("rope", ["05", b"\x00\x01", {0: 1, 1: 2}, {-1, 1}, (False, True), (0.1,)], ids=str)
    def test_what_is_no_rope(self, rope):
        with pytest.raises(InputError, match="rope: expected a half-width"):
            compare(A, A, rope=rope)

    @pytest.mark.parametrize(
        "rope", [np.float32(2**-4), Fraction(1, 16), [-(2**-4), 2**-4], np.array([-(2**-4), 2**-4])], ids=repr
    )
    def test_what_is_a_rope(self, rope):
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
    def test_numbers_beyond_floats(self, call):
        with pytest.raises(InputError):
            call()

    def test_a_generator_is_checked_like_a_list(self):
        assert predicted((x for x in "abb"), (x for x in "aba")).counts.tolist() == [[1, 0], [1, 1]]
        with pytest.raises(InputError, match="a missing value; first at position 1"):
            predicted((x for x in [1, None]), [1, 2])

    def test_nested_labels_are_refused(self):
        with pytest.raises(InputError, match="y_true: 2 of 2 are no class label"):
            predicted([[1], [1, 2]], [0, 1])

    def test_unsigned_integers_are_integers(self):
        unsigned = predicted(np.array([0, 1, 1], dtype=np.uint64), np.array([0, 1, 0]), ids=np.arange(3, dtype="u1"))
        signed = predicted(np.array([0, 1, 1]), np.array([0, 1, 1]), ids=np.arange(3))
        assert unsigned.labels == (0, 1)
        assert compare(unsigned, signed, rope=0.1, n_draws=1_000).model == "paired"

    def test_a_gap_is_a_missing_value_whatever_its_type(self):
        for gap in ([0, 1, np.nan], pd.Series([0, 1, None], dtype="Int64"), pd.Series(["a", "b", None])):
            with pytest.raises(InputError, match="y_true: 1 of 3 is no class label"):
                predicted(gap, gap)

    def test_boolean_crosstab_keeps_its_labels(self):
        truth = pd.Series([True, True, False, False], name="truth")
        guess = pd.Series([True, False, False, False], name="guess")
        comparison = compare(
            pd.crosstab(truth, guess), pd.crosstab(truth, truth.rename("guess")), measure="f1[True]", rope=0.1
        )
        assert comparison.labels == (False, True)

    def test_paired_counts_stand_alone(self):
        pairs = PairedCounts.from_predictions([0, 1], [0, 1], [1, 1])
        with pytest.raises(InputError, match="candidate: PairedCounts hold both sides"):
            compare(A, pairs, rope=0.1)
        with pytest.raises(InputError, match="cm: PairedCounts hold both sides"):
            assert_at_least(pairs, 0.5)

    def test_a_measure_without_a_hash_serves(self):
        @dataclass
        class Accuracy:
            __name__ = "mine"

            def __call__(self, p):
                return np.trace(p, axis1=-2, axis2=-1)

        comparison = compare(A, A, measure=Accuracy(), rope=0.1, n_draws=1_000)
        assert comparison.baseline.observed == pytest.approx(0.85)

    @pytest.mark.parametrize("score", ["x", [[1], [1, 2]]])
    def test_a_measure_that_returns_nonsense(self, score):
        with pytest.raises(InputError, match=r"measure <lambda>: It returned no array of scores"):
            compare(A, A, measure=lambda _: score, rope=0.1)

    def test_an_error_inside_a_measure_is_the_users_own(self):
        def broken(p):
            raise ValueError("mine")

        with pytest.raises(ValueError, match="mine") as caught:
            compare(A, A, measure=broken, rope=0.1)
        assert not isinstance(caught.value, InputError)

    def test_probabilities_are_none_below_0(self):
        same = [[500, 500], [400, 600]]
        comparison = compare(same, same, rope=1e-12, n_draws=1_000, seed=64)
        assert 0 <= comparison.p_in_rope <= 1

    def test_a_score_that_never_varies_has_no_savage_dickey_factor(self):
        comparison = compare(A, A, measure=lambda p: np.ones(p.shape[:-2]), rope=0.1)
        assert np.isnan(comparison.bayes_factor_sd)
        assert np.isnan(comparison.bayes_factor)
        assert comparison.to_dict()["bayes_factor_sd"] is None

    def test_names_with_line_breaks_stay_on_their_line(self):
        matrix = ConfusionMatrix(A, ["two\nlines", "b"])
        comparison = compare(matrix, [[30, 20], [5, 45]], measure="f1[two\nlines]", rope=0.01, n_draws=1_000)
        assert "two↵lines: 0." in str(comparison)
        assert all(line.startswith("  ") for line in str(comparison).splitlines()[1:])
        assert "\n" not in repr(comparison)
        assert "\n" not in comparison.headline

    def test_the_error_in_place_of_the_probability(self):
        with pytest.raises(InputError, match=r"hdi_prob: .*got 0.05. Did you mean 0.95\?"):
            compare(A, A, rope=0.1, hdi_prob=0.05)

    def test_numbers_of_numpy_become_plain(self):
        comparison = compare(A, A, rope=0.1, seed=np.int64(1), hdi_prob=np.float32(0.9), n_draws=np.int32(1_000))
        assert json.loads(json.dumps(comparison.to_dict()))["seed"] == 1

    def test_a_table_that_names_its_rows_is_read_by_its_names(self):
        table = pd.DataFrame([[5, 1], [0, 7]], index=list("ab"), columns=list("ba"))
        assert ConfusionMatrix(table).counts.tolist() == [[1, 5], [7, 0]]
        all_wrong = ConfusionMatrix(pd.crosstab(pd.Series(list("aabbcc")), pd.Series(list("bbccdd"))))
        assert all_wrong.labels == ("a", "b", "c", "d")
        assert np.trace(all_wrong.counts) == 0
        with pytest.raises(InputError, match="labels: The table names its rows already"):
            ConfusionMatrix(table, labels=["a", "b"])

    def test_integer_names_of_a_crosstab_are_names(self):
        truth, guess = pd.Series([0, 1, 2, 2], name="truth"), pd.Series([0, 1, 2, 1], name="guess")
        other = ConfusionMatrix.from_predictions(truth, guess, labels=[2, 1, 0])
        comparison = compare(pd.crosstab(truth, guess), other, measure="f1[2]", rope=0.1, n_draws=1_000)
        assert comparison.model == "same-set"
        assert comparison.baseline.observed == comparison.candidate.observed

    def test_columns_that_only_look_aligned(self):
        truth = pd.Series([0, 1, 1], index=[0, 1, 2])
        with pytest.raises(InputError, match="y_pred: The index is not that of y_true"):
            predicted(truth, pd.Series([1, 1, 0], index=[2, 1, 0]))
        with pytest.raises(InputError, match="y_true: expected one class label for every example"):
            predicted({0, 1}, [0, 1])
        with pytest.raises(InputError, match="a missing value; first at position"):
            predicted(np.ma.array([0, 1, 1], mask=[0, 1, 0]), [0, 1, 1])

    def test_results_and_checked_counts_cannot_be_changed(self):
        comparison = compare(A, A, rope=0.1, n_draws=1_000)
        with pytest.raises(ValueError, match="read-only"):
            comparison.delta[:] = 0
        with pytest.raises(ValueError, match="read-only"):
            ConfusionMatrix(A).table.count[0] = 10**6
        ids = np.arange(2)
        matrix = predicted([0, 1], [0, 1], ids=ids)
        ids[:] = 0
        assert matrix.questions.ids.tolist() == [0, 1]

    def test_averaged_recalls_are_of_the_classes_that_have_examples(self):
        matrix = [[500, 0, 1], [0, 500, 1], [0, 0, 0]]
        for measure in ("balanced_accuracy", "g_mean", "recall_macro"):
            result = compare(matrix, matrix, measure=measure, rope=0.1, n_draws=1_000)
            assert result.baseline.observed == pytest.approx(500 / 501)
            assert result.baseline.mean > 0.9

    def test_a_measure_that_changes_its_mind_is_asked_again(self):
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
    def test_very_large_counts(self, scale):
        rng = np.random.default_rng(int(scale) % 97)
        matrix = (rng.dirichlet([0.3] * 4, size=4) * scale).astype(int) + np.eye(4, dtype=int)
        asked = {"measure": "accuracy", "prior": "hierarchical", "rope": 0.01, "n_draws": 1_000}
        comparison = compare(matrix, matrix, weak_baseline=True, **asked)
        assert comparison.decision == "~"
        assert comparison.baseline.mean == pytest.approx(comparison.baseline.observed, abs=1e-3)

    def test_a_row_without_examples_beside_very_full_ones(self):
        matrix = [[10**8, 5, 7], [5, 10**8, 3], [0, 0, 0]]
        assert compare(matrix, matrix, rope=(0.5, "wide"), prior="hierarchical", n_draws=20_000).decision == "~"

    def test_threads_share_one_process(self):
        with ThreadPoolExecutor() as pool:
            results = list(pool.map(lambda _: compare(A, A, rope=0.1, n_draws=1_000).mean, range(4)))
        assert len(set(results)) == 1
