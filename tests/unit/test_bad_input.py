"""Whatever a user may hand in by mistake: an InputError that says where, what was expected, what was found, what to do.

Every case calls the public API, and every call but for its one mistake would work.
"""

from datetime import date

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import (
    BayesF1Error,
    ConfusionMatrix,
    InputError,
    PairedCounts,
    UnexpectedPredictionsWarning,
    assert_at_least,
    assert_not_worse,
    compare,
)
from tests.unit.refused import assert_refused, case

GOOD = [[8, 2], [1, 9]]
GOOD_3 = [[8, 2, 0], [1, 9, 1], [0, 3, 4]]
Y = ["ham", "ham", "spam", "spam"]
PREDICTED = ConfusionMatrix.from_predictions(Y, ["ham", "spam", "spam", "spam"])
PAIRS = PairedCounts.from_predictions(Y, Y, Y)
TOO_MANY = list(range(101))


def run(baseline=GOOD, candidate=GOOD, **arguments):
    return compare(baseline, candidate, **{"rope": 0.01, "n_draws": 1_000, **arguments})


def counts(value, where, expected, found, advice="", *, name):
    return case(name, lambda: run(value), f"baseline: {where}", expected, found, advice)


def predicted(y_true=Y, y_pred=Y, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, **options)


COUNTS = [
    counts([[8, -2], [1, 9]], "counts[0, 1]", "no negative count", "-2", name="negative"),
    counts([[8, 2], [0.25, 9]], "counts[1, 0]", "whole numbers", "0.25", "not normalised rates", name="fractional"),
    counts([[8, np.nan], [1, 9]], "counts[0, 1]", "finite", "nan", name="nan"),
    counts([[8, 2], [1, np.inf]], "counts[1, 1]", "finite", "inf", name="infinite"),
    counts([[8, None], [1, 9]], "counts[0, 1]", "finite", "nan", name="none"),
    counts([["a", "b"], ["c", "d"]], "counts", "whole numbers", "", name="text"),
    counts([[True, False], [False, True]], "counts", "whole numbers", "bool", name="booleans"),
    counts([[1j, 2], [1, 9]], "counts", "whole numbers", "complex", name="complex"),
    counts([], "counts", "at least two classes", "empty", name="empty"),
    counts([[]], "counts", "at least two classes", "empty", name="an empty row"),
    counts([[0, 0], [0, 0]], "counts", "at least one example", "zeros only", name="all zero"),
    counts([[8, 2, 1], [1, 9, 1]], "counts", "square", "(2, 3)", name="not square"),
    counts([8, 2, 1, 9], "counts", "square", "(4,)", name="flat"),
    counts([[8, 2], [1]], "counts", "a square matrix", "rows of different lengths", name="ragged"),
    counts([[8]], "counts", "at least two classes", "one class only", name="one class"),
    counts([[2**53 + 2, 2], [1, 9]], "counts[0, 0]", "2^53", "9007199254740994", name="beyond 2^53"),
    counts([[2**70, 2], [1, 9]], "counts[0, 0]", "2^53", "e+21", name="beyond 64 bits"),
    counts([[2**52, 2**52], [2**52, 9]], "counts", "2^53 examples in all", "1.35e+16", name="too many in all"),
    case(
        "the candidate's counts",
        lambda: run(candidate=[[8, -2], [1, 9]]),
        "candidate: counts[0, 1]",
        "no negative count",
        "-2",
    ),
    case("the floor's counts", lambda: assert_at_least([[8, -2], [1, 9]], 0.5), "cm: counts[0, 1]", "negative", "-2"),
    case("different sizes", lambda: run(GOOD_3, GOOD), "candidate", "3 classes, as in baseline", "2"),
]

LABELS = [
    case(
        "different labels",
        lambda: run(ConfusionMatrix(GOOD, labels=["ham", "spam"]), ConfusionMatrix(GOOD, labels=["ham", "eggs"])),
        "candidate.labels",
        "the labels of baseline, in any order",
        "only in candidate: 'eggs'; only in baseline: 'spam'",
        "same labels",
    ),
    case("a label too many", lambda: ConfusionMatrix(GOOD, labels=["a", "b", "c"]), "labels", "2 labels", "3"),
    case("a label twice", lambda: ConfusionMatrix(GOOD, labels=["a", "a"]), "labels", "each label once", "'a' 2 times"),
    case(
        "not among the labels",
        lambda: predicted(y_pred=["ham", "eggs", "spam", "spam"], labels=["ham", "spam"]),
        "y_pred",
        "only values listed in labels",
        "'eggs'",
        "Add them to labels",
    ),
    case(
        "one class in the predictions",
        lambda: predicted(["ham", "ham"], ["ham", "ham"]),
        "y_true and y_pred",
        "at least two classes",
        "one class only ('ham')",
        "labels=[...]",
    ),
    case("mixed within a column", lambda: predicted(["ham", 1, "spam", 2]), "y_true", "one type", "int, str"),
    case(
        "mixed between columns",
        lambda: predicted(["0", "1"], [0, 1]),
        "y_pred",
        "strings, as in y_true",
        "integers",
        "convert one",
    ),
    case("dates", lambda: predicted([date(2024, 1, 1), date(2024, 1, 2)]), "y_true", "one type", "(date)", "Convert"),
    case("mixed with booleans", lambda: predicted([True, False], [1, 0]), "y_pred", "booleans", "integers", "convert"),
    case(
        "mixed between sides",
        lambda: run(predicted(["0", "1"], ["0", "1"]), predicted([0, 1], [0, 1])),
        "candidate.labels",
        "labels like baseline's",
        "0",
        "convert one",
    ),
    case(
        "labels unlike the predictions",
        lambda: predicted([0, 1], [0, 1], labels=["0", "1"]),
        "y_true",
        "strings, as in labels",
        "integers",
        "convert one",
    ),
    case("none for a label", lambda: predicted(["ham", None, "spam", "ham"]), "y_true", "every example", "position 1"),
    case("nan for a text", lambda: predicted(y_pred=["ham", "ham", np.nan, "ham"]), "y_pred", "every", "position 2"),
    case("nan for a number", lambda: predicted([0, 1, np.nan], [0, 1, 1]), "y_true", "label", "position 2"),
    case(
        "a gap in a data frame",
        lambda: predicted(pd.Series(["ham", None, "spam", "ham"])),
        "y_true",
        "every example",
        "position 1",
    ),
    case(
        "a gap in a nullable column",
        lambda: predicted(pd.Series(["ham", "spam", None, "ham"], dtype="string")),
        "y_true",
        "every example",
        "position 2",
    ),
    case("a scalar", lambda: predicted("ham", "ham"), "y_true", "1-D sequence", "str"),
    case(
        "the probability of the positive class",
        lambda: predicted([0, 1, 1], [0.2, 0.9, 0.7]),
        "y_pred",
        "class labels",
        "0.2 at position 0",
        "not probabilities",
    ),
    case(
        "the probability of every class",
        lambda: predicted([0, 1], [[0.8, 0.2], [0.1, 0.9]]),
        "y_pred",
        "1-D",
        "nested sequences",
        "not scores",
    ),
]

EXAMPLES = [
    case("different lengths", lambda: predicted(y_pred=["ham", "spam"]), "y_pred", "4 labels, as in y_true", "2"),
    case(
        "a third column of another length",
        lambda: PairedCounts.from_predictions(Y, Y, ["ham", "spam"]),
        "candidate_pred",
        "4 labels, as in y_true",
        "2",
    ),
    case("no example", lambda: predicted([], []), "y_true", "at least one", "empty"),
    case(
        "sides of different lengths",
        lambda: run(PREDICTED, predicted(["ham", "spam"], ["ham", "spam"])),
        "candidate",
        "4 examples, as in baseline",
        "2",
        "model='independent'",
    ),
    case("an id twice", lambda: predicted(ids=[1, 2, 2, 3]), "ids", "each id once", "(2)"),
    case("an id too few", lambda: predicted(ids=[1, 2, 3]), "ids", "4 ids", "3"),
    case("no id for an example", lambda: predicted(ids=["a", None, "b", "c"]), "ids", "every example", "position 1"),
    case(
        "unmatched ids",
        lambda: run(predicted(ids=[1, 2, 3, 4]), predicted(ids=[1, 2, 3, 9])),
        "candidate.ids",
        "the ids of baseline",
        "only in baseline (4) and 1 only in candidate (9)",
        "model='independent'",
    ),
    case(
        "ids of another type",
        lambda: run(predicted(ids=[1, 2, 3, 4]), predicted(ids=list("1234"))),
        "candidate.ids",
        "ids like baseline's",
        "'1'",
    ),
    case(
        "ids in baseline alone",
        lambda: run(predicted(ids=[1, 2, 3, 4]), PREDICTED),
        "candidate.ids",
        "ids, as baseline has them",
        "none",
        "both sides or to neither",
    ),
    case(
        "ids in candidate alone",
        lambda: run(PREDICTED, predicted(ids=[1, 2, 3, 4])),
        "baseline.ids",
        "ids, as candidate has them",
        "none",
        "both sides or to neither",
    ),
    case(
        "another truth",
        lambda: run(PREDICTED, predicted(["ham", "spam", "spam", "ham"])),
        "candidate.y_true",
        "the y_true of baseline",
        "2 examples that differ, first at position 1 ('ham' and 'spam')",
        "ids=",
    ),
]

MEASURES = [
    case("a measure misspelt", lambda: run(measure="f1_marco"), "measure", "name", "'f1_marco'", "'f1_macro'"),
    case("a measure unheard of", lambda: run(measure="goodness"), "measure", "name", "'goodness'", "accuracy"),
    case("a measure by half its name", lambda: run(measure="auc"), "measure", "name", "'auc'", "'roc_auc'"),
    case("a measure of scores", lambda: run(measure="roc_auc"), "measure", "classes", "'roc_auc'", "Scores"),
    case("a number for a measure", lambda: run(measure=1), "measure", "name", "1"),
    case("fbeta without beta", lambda: run(measure="fbeta"), "measure", "fbeta(2)", "'fbeta'"),
    case("a beta for f1", lambda: run(measure="f1(2)"), "measure", "a beta for fbeta", "'f1(2)'"),
    case("a negative beta", lambda: run(measure="fbeta(-1)"), "measure", "not negative", "'fbeta(-1)'"),
    case(
        "f1 of three classes",
        lambda: run(GOOD_3, GOOD_3, measure="f1"),
        "measure",
        "an average or a class",
        "'f1'",
        "'f1_macro' or 'f1[0]'",
    ),
    case("f1 of an unknown class", lambda: run(measure="f1[spam]"), "measure", "a class among 0, 1", "'spam'"),
    case(
        "a function that reduces too little",
        lambda: run(measure=lambda p: p.sum(axis=-1)),
        "measure <lambda>",
        "scores of shape",
        "shape",
        "last two axes",
    ),
    case(
        "a function that reduces too much",
        lambda: run(measure=lambda p: p.mean()),
        "measure <lambda>",
        "scores of shape",
        "shape ()",
        "last two axes",
    ),
    case(
        "a function that gives nan",
        lambda: run(measure=lambda p: p[..., 0, 0] * np.nan),
        "measure <lambda>",
        "finite scores",
        "NaN",
        "empty classes",
    ),
]

ROPES = [
    case("no rope", lambda: compare(GOOD, GOOD), "rope", "does not matter", "nothing", "bayesf1_rope"),
    case("a reversed rope", lambda: run(rope=(0.02, -0.02)), "rope", "low < high", "[0.02, -0.02]"),
    case("a rope beside 0", lambda: run(rope=(0.01, 0.02)), "rope", "holds 0", "[0.01, 0.02]"),
    case("an infinite rope", lambda: run(rope=float("inf")), "rope", "finite", "inf"),
    case("a rope of nan", lambda: run(rope=(-0.01, float("nan"))), "rope", "finite", "nan"),
    case("a rope of width 0", lambda: run(rope=0), "rope", "low < high", "0", "positive"),
    case("a negative half-width", lambda: run(rope=-0.01), "rope", "low < high", "-0.01", "positive"),
    case("a rope in text", lambda: run(rope="0.01"), "rope", "half-width such as 0.01", "'0.01'"),
    case("three bounds", lambda: run(rope=(-0.01, 0, 0.01)), "rope", "(low, high)", "(-0.01, 0, 0.01)"),
    case("a boolean rope", lambda: run(rope=True), "rope", "half-width", "True"),
]

OPTIONS = [
    case("hdi_prob of 1", lambda: run(hdi_prob=1), "hdi_prob", "between 0 and 1", "1", "0.95"),
    case("hdi_prob of 0", lambda: run(hdi_prob=0), "hdi_prob", "between 0 and 1", "0", "0.95"),
    case("hdi_prob in per cent", lambda: run(hdi_prob=95), "hdi_prob", "between 0 and 1", "95", "0.95"),
    case("hdi_prob in text", lambda: run(hdi_prob="0.9"), "hdi_prob", "between 0 and 1", "'0.9'", "0.95"),
    case("hdi_prob of nan", lambda: run(hdi_prob=float("nan")), "hdi_prob", "between 0 and 1", "nan", "0.95"),
    case("a negative seed", lambda: run(seed=-1), "seed", "not negative", "-1"),
    case("a fractional seed", lambda: run(seed=1.5), "seed", "whole number", "1.5"),
    case("too few draws", lambda: run(n_draws=999), "n_draws", "at least 1,000", "999", "Leave it out"),
    case("fractional draws", lambda: run(n_draws=2_000.0), "n_draws", "whole number", "2000.0", "Leave it out"),
    case("a prior misspelt", lambda: run(prior="unifrom"), "prior", "one of auto", "'unifrom'", "'uniform'"),
    case("a model misspelt", lambda: run(model="pairs"), "model", "one of auto", "'pairs'", "'paired'"),
    case("an engine misspelt", lambda: run(engine="exakt"), "engine", "one of", "'exakt'", "'exact'"),
    case(
        "an argument misspelt",
        lambda: assert_not_worse(GOOD, GOOD, rope=0.01, hdi_probs=0.9),
        "arguments",
        "one of",
        "'hdi_probs'",
        "'hdi_prob'",
    ),
    case("a model of another kind", lambda: run(model=1), "model", "one of auto", "1"),
    case("a floor in text", lambda: assert_at_least(GOOD, "0.8"), "floor", "a finite number", "'0.8'"),
    case("a floor of nan", lambda: assert_at_least(GOOD, float("nan")), "floor", "a finite number", "nan"),
]

DESIGNS = [
    case(
        "bare counts cannot be paired",
        lambda: run(model="paired"),
        "baseline",
        "predictions to pair",
        "bare counts",
        "from_predictions",
    ),
    case(
        "one side's predictions cannot be paired",
        lambda: run(PREDICTED, [[1, 1], [0, 2]], model="paired"),
        "candidate",
        "predictions to pair",
        "bare counts",
        "ConfusionMatrix.from_predictions",
    ),
    case(
        "same-set of two test sets",
        lambda: run(GOOD, [[8, 3], [1, 9]], model="same-set"),
        "candidate",
        "row totals of baseline",
        "11 examples of class 0 instead of 10",
        "model='independent'",
    ),
    case("no candidate", lambda: run(GOOD, None), "candidate", "candidate's counts", "none", "PairedCounts"),
    case("a candidate beside pairs", lambda: run(PAIRS, GOOD), "candidate", "nothing beside PairedCounts", "list"),
    case(
        "a prior on too many cells",
        lambda: run(*[predicted(TOO_MANY, TOO_MANY)] * 2, prior="uniform"),
        "prior",
        "at most 50,000 cells",
        "101 classes",
        "prior='hierarchical'",
    ),
]


@pytest.mark.parametrize(
    ("call", "where", "expected", "found", "advice"),
    [*COUNTS, *LABELS, *EXAMPLES, *MEASURES, *ROPES, *OPTIONS, *DESIGNS],
)
def test_bad_input(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)


def test_labels_in_another_order_are_aligned_not_refused():
    named = ConfusionMatrix(GOOD, labels=["ham", "spam"])
    reversed_order = ConfusionMatrix([[9, 1], [2, 8]], labels=["spam", "ham"])
    result = run(named, reversed_order)
    assert result.labels == ("ham", "spam")
    assert result.baseline.observed == result.candidate.observed


def test_a_class_seen_on_one_side_alone_is_no_mistake():
    with pytest.warns(UnexpectedPredictionsWarning, match=r"25% of what the candidate predicts \(1 of 4\)"):
        result = run(predicted(), predicted(y_pred=["ham", "eggs", "spam", "spam"]))
    assert result.labels == ("ham", "spam")


@pytest.mark.parametrize("call", [assert_not_worse, compare])
def test_every_entry_point_checks_alike(call):
    with pytest.raises(InputError, match=r"candidate: counts.*no negative count"):
        call(GOOD, [[8, -2], [1, 9]], rope=0.01)


def test_an_error_can_be_caught_as_a_value_error_and_by_the_base():
    for kind in (ValueError, BayesF1Error):
        with pytest.raises(kind):
            run(rope=0)
