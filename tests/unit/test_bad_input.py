from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import (
    ConfusionMatrix,
    PairedCounts,
    Scores,
    SpanCounts,
    assert_at_least,
    assert_not_worse,
    compare,
    pymc_model,
)
from pytest_bayesf1.errors import InputError
from tests.unit.refused import assert_refused, case

GOOD = [[8, 2], [1, 9]]
GOOD_3 = [[8, 2, 0], [1, 9, 1], [0, 3, 4]]
Y = ["ham", "ham", "spam", "spam"]
PAIRS = PairedCounts.from_predictions(Y, Y, Y)
TABLE = pd.DataFrame([[5, 1], [0, 7]], index=list("ab"), columns=list("ba"))
VALUES = Scores.from_values([1, 2])
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
    counts([[8, 2], [1, np.inf]], "counts", "finite", "inf", name="infinite"),
    counts([[8, None], [1, 9]], "counts", "finite", "cell [0 1]", name="none"),
    counts(np.array([[1, "2"], [3, 4]], dtype=object), "counts", "whole numbers", "ndarray", name="text among objects"),
    counts(np.ma.masked_array(GOOD, mask=[[0, 0], [0, 1]]), "counts", "whole numbers", "masked values", name="masked"),
    counts([[True, False], [False, True]], "counts", "whole numbers", "bool", name="booleans"),
    counts([[1j, 2], [1, 9]], "counts", "whole numbers", "complex", name="complex"),
    counts([[]], "counts", "at least two classes", "empty", name="an empty row"),
    counts([[0, 0], [0, 0]], "counts", "All counts are 0", "", name="all zero"),
    counts([[8, 2], [1]], "counts", "a square matrix", "rows of different lengths", name="ragged"),
    counts([[8]], "counts", "at least two classes", "one class only", name="one class"),
    counts([[2**53 + 2, 2], [1, 9]], "counts", "2^53", "9007199254740994", name="beyond 2^53"),
    counts([[2**70, 2], [1, 9]], "counts", "2^53", "e+21", name="beyond 64 bits"),
    counts([[2**52, 2**52], [2**52, 9]], "counts", "2^53 examples in all", "1.35e+16", name="too many in all"),
    case("the candidate's", lambda: run(GOOD, [[8, -2], [1, 9]]), "candidate, counts", "negative", "-2"),
    case("the floor's counts", lambda: assert_at_least([[8, -2], [1, 9]], 0.5), "cm, counts", "negative", "-2"),
    case("no side", lambda: assert_at_least(None, 0.5), "cm", "a confusion matrix", "None"),
    case(
        "scores", lambda: pymc_model(VALUES, VALUES), "baseline", "counts of predicted classes", "Scores", "threshold"
    ),
]


NO_SIDES = {
    "an accuracy": (0.91, "0.91"),
    "predictions": (["ham", "spam", "ham"], "shape (3,)"),
    "counts that are not square": ([[8, 2, 1], [1, 9, 1]], "shape (2, 3)"),
    "a table": (pd.DataFrame({"gold": Y, "new": Y}), "shape (4, 2)"),
    "a path": (Path("new.csv"), "new.csv"),
    "a report": ({"f1": 0.9}, "dict"),
}


@pytest.mark.parametrize(("value", "found"), NO_SIDES.values(), ids=NO_SIDES)
def test_what_tells_no_counts_is_refused_at_every_door(value, found):
    calls = {
        "baseline": lambda: run(value),
        "candidate": lambda: assert_not_worse(GOOD, value, rope=0.01),
        "cm": lambda: assert_at_least(value, 0.5),
    }
    for where, call in calls.items():
        assert_refused(call, where, "a classifier's outcomes", found, "from_predictions(y_true, y_pred)")


LABELS = [
    case("a label twice", lambda: ConfusionMatrix(GOOD, labels=["a", "a"]), "labels", "each label once", "'a' 2 times"),
    case("no labels", lambda: ConfusionMatrix(GOOD, labels=[]), "labels", "at least one class label", "empty"),
    case("nested labels", lambda: ConfusionMatrix(GOOD, labels=(["a"],)), "labels", "no class label", "position 0"),
    case("too few labels", lambda: ConfusionMatrix(GOOD_3, labels=["a", "b"]), "labels", "3 labels", "2"),
    case("a table's labels", lambda: ConfusionMatrix(TABLE, labels=["a", "b"]), "labels", "names its rows already", ""),
    case("dates", lambda: predicted([date(2024, 1, 1), date(2024, 1, 2)]), "y_true", "no class label", "2024-01-01"),
    case("a scalar", lambda: predicted("ham", "ham"), "y_true", "one class label", "str"),
]

EXAMPLES = [
    case("different lengths", lambda: predicted(y_pred=["ham", "spam"]), "y_pred", "4 labels, as in y_true", "2"),
    case("third", lambda: PairedCounts.from_predictions(Y, Y, Y[1:3]), "candidate_pred", "4 labels, as in y_true", "2"),
    case("no example", lambda: predicted([], []), "y_true", "at least one", "empty"),
    case("a set", lambda: predicted({0, 1}, [0, 1]), "y_true", "one class label for every example", ""),
    case("masked", lambda: predicted(np.ma.array([0, 1], mask=[0, 1]), [0, 1]), "y_true", "", "position 1"),
]

THERE_ARE_NONE = "There are none, but {} has some"
SOME_IDS = predicted(ids=[1, 2, 3, 4])
DOCUMENTS = [SpanCounts.from_spans([[(0, 1, "A")]] * n, [[(0, 1, "A")]] * n) for n in (2, 1)]
PAIRING = [
    case("new ids", lambda: run(predicted(), SOME_IDS), "baseline.ids", THERE_ARE_NONE.format("candidate"), "", "ids"),
    case("old ids", lambda: run(SOME_IDS, predicted()), "candidate.ids", THERE_ARE_NONE.format("baseline"), "", "ids"),
    case(
        "a document fewer",
        lambda: run(*DOCUMENTS, measure="f1_micro"),
        *("candidate", "There is 1 document, and baseline has 2", "", "Pass documents to both sides"),
    ),
]

OPTIONS = [
    case("a class of F1", lambda: run(measure="f1_spam"), "measure", "", "", "f1[label]"),
    case("a measure of scores", lambda: run(measure="roc_auc"), "measure", "classes", "'roc_auc'", "y_score"),
    case("a prior of another kind", lambda: run(prior=1), "prior", "one of auto, hierarchical, nested, uniform", "1"),
    case("a candidate beside pairs", lambda: run(PAIRS, GOOD), "candidate", "hold both sides", "", "alone"),
    case("pairs for a candidate", lambda: run(GOOD, PAIRS), "candidate", "hold both sides", ""),
    case("pairs for a floor", lambda: assert_at_least(PAIRS, 0.5), "cm", "hold both sides", ""),
    case(
        "a prior on too many cells",
        lambda: run(*[predicted(TOO_MANY, TOO_MANY)] * 2, prior="uniform"),
        *("prior", "at most 50,000 cells", "101 classes", "prior: hierarchical"),
    ),
]


CASES = [*COUNTS, *LABELS, *EXAMPLES, *PAIRING, *OPTIONS]


@pytest.mark.parametrize(("call", "where", "expected", "found", "advice"), CASES)
def test_bad_input(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)


A = [[40, 10], [5, 45]]


class TestTraps:
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

    def test_names_with_line_breaks_stay_on_their_line(self):
        matrix = ConfusionMatrix(A, ["two\nlines", "b"])
        candidate = ConfusionMatrix([[30, 20], [5, 45]], matrix.labels)
        comparison = compare(matrix, candidate, measure="f1[two\nlines]", rope=0.01, n_draws=1_000)
        assert "two↵lines: 0." in str(comparison)
        assert all(line.startswith("  ") for line in str(comparison).splitlines()[1:])
        assert "\n" not in repr(comparison)
        assert "\n" not in comparison.headline

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

    def test_very_large_counts(self):
        matrix = (np.random.default_rng(0).dirichlet([0.3] * 4, size=4) * 1e15).astype(int) + np.eye(4, dtype=int)
        asked = {"measure": "accuracy", "prior": "hierarchical", "rope": 0.01, "n_draws": 1_000}
        comparison = compare(matrix, matrix, weak_baseline=True, **asked)
        assert comparison.decision == "~"
        assert comparison.baseline.mean == pytest.approx(comparison.baseline.observed, abs=1e-3)

    def test_threads_share_one_process(self):
        with ThreadPoolExecutor() as pool:
            results = list(pool.map(lambda _: compare(A, A, rope=0.1, n_draws=1_000).mean, range(4)))
        assert len(set(results)) == 1
