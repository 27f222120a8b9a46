"""All that is said of two sides: what they share, how they are compared, or why not."""

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    LabelledPool,
    MultilabelCounts,
    PairedCounts,
    Scores,
    SpanCounts,
    compare,
    pymc_model,
    rank,
)
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.data.paired import digests_of
from pytest_bayesf1.words.notes import data_warnings

GOLDEN = Path(__file__).parents[2] / "golden" / "two_sides"

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")

N = 120
LABELS = ["ö|n", "b<c", "*d* e", "f"]
CODES = np.array([0, 2, 1, 0, 3, 1, 0, 2, 0, 1] * (N // 10))[::-1]  # 48, 36, 24 and 12 examples
TRUE = np.array(LABELS)[CODES]
IDS = np.array([f"n {number * 7 % N:03}" for number in range(N)])


def said(step, true=CODES):
    """Predict every so many-th example as another class."""
    return np.array(LABELS)[np.where(np.arange(N) % step == 0, (true + 1) % 4, true)]


OLD, NEW = said(9), said(7)


def other(*places):
    """Return the truth with the next label in some places."""
    return np.array(LABELS)[np.where(np.isin(np.arange(N), places), (CODES + 1) % 4, CODES)]


def side(predicted, at=slice(None), true=TRUE, make=ConfusionMatrix.from_predictions, **known):
    """Build a side of the examples in these places."""
    known = {"ids": IDS, **known}
    columns = {name: values[at] for name, values in known.items() if isinstance(values, np.ndarray)}
    return make(true[at], predicted[at], **known | columns)


def sets(values):
    return [{"f", value} for value in values]


def labelled(true, predicted, **known):
    return MultilabelCounts.from_predictions(sets(true), sets(predicted), **known)


def spans(true, predicted, ids, **known):
    starts = [int(name[2:]) for name in ids]
    rows = (
        [[(start, start + 2, value)] for start, value in zip(starts, each, strict=True)] for each in (true, predicted)
    )
    return SpanCounts.from_spans(*rows, documents=ids, **known)


def scored(true, predicted, **known):
    return Scores.from_predictions(true == "ö|n", 0.2 + 0.6 * (predicted == "ö|n"), **known)


def graded(true, predicted, **known):
    return Scores.from_values((true == predicted).astype(float), **known)


def matrix(*rows, **known):
    return ConfusionMatrix(rows, **known)


FIRST, LAST = slice(106), slice(109, 2, -1)
GROUPS = np.array([f"g{number // 4}" for number in range(N)])
MOVED = np.where(np.isin(np.arange(N), [17, 50, 51]), "g7", GROUPS)
RENAMED = dict(zip(LABELS, ["ö|n", "b", "d", "f"], strict=True))


def renamed(names, true=TRUE):
    return np.array([names[label] for label in true.tolist()])


ROWS = ([43, 3, 2], [5, 25, 1], [4, 2, 19])
OTHER_ROWS = ([40, 5, 3], [6, 24, 1], [1, 6, 18])
SPAN_COUNTS = SpanCounts.from_counts([7, 14], [2, 5], [1, 3], labels=["LOC", "PER"])
MULTI = MultilabelCounts([[[50, 2], [3, 20]], [[30, 12], [10, 23]]], labels=["art", "law"])
OTHER_MULTI = MultilabelCounts([[[48, 4], [3, 20]], [[38, 4], [5, 28]]], labels=["art", "law"])
TAGS = ["O", "B-PER", "I-PER", "O", "B-LOC", "O"] * 10


def counted(columns, **known):
    return PairedCounts.from_predictions(*columns, **known)


SHIFTED = [np.array(LABELS)[(np.where(np.arange(N) % step, CODES, 0) + 1) % 4] for step in (9, 7)]
EARLIER = matrix(*ROWS), matrix(*OTHER_ROWS)
RARE = matrix([9_870, 60, 7], [20, 50, 4], [9, 8, 80], labels=["fine", "vandal", "odd"])
LESS_RARE = matrix([9_710, 100, 3], [40, 150, 2], [9, 8, 80], labels=["fine", "vandal", "odd"])

SCENARIOS = {
    "shared": {
        "both lack some, five labels corrected": (side(OLD, FIRST), side(NEW, LAST, other(14, 27, 28, 35, 50))),
        "the candidate has more, one label corrected": (side(OLD, slice(9, 99)), side(NEW, true=other(28))),
        "the candidate lacks some": (side(OLD), side(NEW, slice(101))),
        "four fifths": (side(OLD), side(NEW, slice(96))),
        "less than four fifths": (side(OLD), side(NEW, slice(95))),
        "fewer than fifty": (side(OLD, slice(49)), side(NEW)),
        "corrections that help the candidate": (
            side(OLD),
            side(NEW, true=np.where(np.arange(N) % 14 == 7, NEW, TRUE)),
            {"rope": 0.15},
        ),
        "corrections that help the baseline": (side(OLD, true=np.where(np.arange(N) % 14 == 7, NEW, TRUE)), side(NEW)),
        "twelve corrections": (side(OLD), side(NEW, true=other(*range(40, 52)))),
        "thirteen corrections": (side(OLD), side(NEW, true=other(*range(40, 53)))),
        "hardly the same, and some are lacking": (side(OLD), side(NEW, slice(3, 104), other(*range(40)))),
        "two classes renamed": (side(OLD), side(renamed(RENAMED, NEW), true=renamed(RENAMED))),
        "labels: both lack some": (
            side(OLD, FIRST, make=labelled),
            side(NEW, LAST, other(14, 27, 28, 35, 50), labelled),
        ),
        "labels: hardly the same": (side(OLD, make=labelled), side(NEW, true=other(*range(40)), make=labelled)),
        "spans: both lack some": (side(OLD, FIRST, make=spans), side(NEW, LAST, other(14, 27, 28, 35, 50), spans)),
        "spans: hardly the same": (side(OLD, make=spans), side(NEW, true=other(*range(40)), make=spans)),
        "scores: both lack some": (side(OLD, FIRST, make=scored), side(NEW, LAST, other(14, 27, 28, 35, 50), scored)),
        "values: both lack some": (side(OLD, FIRST, make=graded), side(NEW, LAST, make=graded)),
        "clusters: both lack some": (
            side(OLD, FIRST, clusters=GROUPS),
            side(NEW, LAST, other(14, 27, 28, 35, 50), clusters=GROUPS),
        ),
    },
    "matched": {
        "another order": (side(OLD), side(NEW, slice(None, None, -1))),
        "ids of the same text": (
            side(OLD, ids=np.arange(N)),
            side(NEW, slice(None, None, -1), ids=np.arange(N).astype(str)),
        ),
        "ids of another type": (side(OLD), side(NEW, ids=np.arange(N))),
        "ids of the baseline alone": (side(OLD), side(NEW, ids=None)),
        "ids of the candidate alone": (side(OLD, ids=None), side(NEW)),
        "clusters of the baseline alone": (side(OLD, clusters=GROUPS), side(NEW)),
        "clusters of the candidate alone": (side(OLD), side(NEW, clusters=GROUPS)),
        "other clusters": (side(OLD, clusters=GROUPS), side(NEW, slice(None, None, -1), clusters=MOVED)),
        "other clusters, no ids": (side(OLD, ids=None, clusters=GROUPS), side(NEW, ids=None, clusters=MOVED)),
        "no ids, fewer": (side(OLD, ids=None), side(NEW, slice(70), ids=None)),
        "no ids, one fewer document": (
            SpanCounts.from_spans([[(0, 1, "A")]] * 2, [[(0, 1, "A")]] * 2),
            SpanCounts.from_spans([[(0, 1, "A")]], [[(0, 1, "A")]]),
        ),
        "no ids, other truths": (side(OLD, ids=None), side(NEW, true=other(33, 44, 55), ids=None)),
        "no ids, another truth": (side(OLD, ids=None), side(NEW, true=other(33), ids=None)),
        "no ids, other sets": (
            MultilabelCounts.from_predictions(sets(TRUE), sets(OLD)),
            MultilabelCounts.from_predictions(sets(other(33, 44)), sets(NEW)),
        ),
        "as two samples": (side(OLD, FIRST), side(NEW, LAST), {"on_new_test_set": "independent"}),
        "refused: other ids": (side(OLD, FIRST), side(NEW, LAST), {"on_new_test_set": "error"}),
        "refused: fewer ids": (side(OLD), side(NEW, slice(1, None)), {"on_new_test_set": "error"}),
        "refused: more ids": (side(OLD, FIRST), side(NEW), {"on_new_test_set": "error"}),
        "refused: other truths": (side(OLD), side(NEW, true=other(33, 44, 55)), {"on_new_test_set": "error"}),
    },
    "counts": {
        "counts of the same totals": (matrix(*ROWS), matrix(*OTHER_ROWS)),
        "counts of other totals": (matrix(*ROWS), matrix([40, 5, 3], [6, 25, 1], [1, 6, 16])),
        "counts of twice the size": (matrix(*ROWS), matrix(*(2 * np.array(OTHER_ROWS)))),
        "counts of half the size": (matrix(*(2 * np.array(OTHER_ROWS))), matrix(*ROWS)),
        "counts, refused": (matrix(*ROWS), matrix([40, 5, 3], [6, 25, 1], [1, 6, 16]), {"on_new_test_set": "error"}),
        "counts, as one test set": (matrix(*ROWS), matrix([40, 5, 3], [6, 25, 1], [1, 6, 16]), {"model": "same-set"}),
        "counts of labels, refused": (
            MULTI,
            MultilabelCounts(2 * OTHER_MULTI.counts, OTHER_MULTI.labels),
            {"on_new_test_set": "error"},
        ),
        "counts, paired": (matrix(*ROWS), matrix(*OTHER_ROWS), {"model": "paired"}),
        "counts of labels, paired": (MULTI, OTHER_MULTI, {"model": "paired"}),
        "counts of spans": (SPAN_COUNTS, SPAN_COUNTS),
        "counts of spans, as one test set": (SPAN_COUNTS, SPAN_COUNTS, {"model": "same-set"}),
        "counts of spans, paired": (SPAN_COUNTS, SPAN_COUNTS, {"model": "paired"}),
        "pairs": (counted((TRUE, OLD, NEW)), None),
        "pairs, as two test sets": (
            counted((TRUE, OLD, NEW)).with_notes(("As it was read.",)),
            None,
            {"model": "independent"},
        ),
        "sides, as one test set": (
            side(OLD).with_notes(("Old.", "Both.")),
            side(NEW).with_notes(("New.", "Both.")),
            {"model": "same-set"},
        ),
        "counts of another number of classes": (matrix(*ROWS), matrix([3, 1], [2, 4])),
        "pairs and a side": (counted((TRUE, OLD, NEW)), side(NEW)),
        "a side and pairs": (side(OLD), counted((TRUE, OLD, NEW))),
        "a pool as a candidate": (side(OLD), LabelledPool.from_predictions(CODES, CODES, {3: 0})),
        "no candidate": (side(OLD), None),
        "a side and counts": (side(OLD), matrix(*np.diag([48, 36, 24, 12]), labels=LABELS)),
        "scores and classes": (side(OLD, make=scored), side(NEW)),
        "classes and labels": (side(OLD), side(NEW, make=labelled)),
        "scores of other classes": (side(OLD, make=graded), side(NEW, make=scored)),
        "scores of the other class": (
            Scores.from_predictions(TRUE == "f", np.linspace(0, 1, N)),
            Scores.from_predictions(TRUE == "f", {False: np.linspace(0, 1, N)}),
        ),
    },
    "labels": {
        "labels spelt otherwise": (matrix(*ROWS, labels=["A", "b", "c"]), matrix(*ROWS, labels=["a", "b", "c"])),
        "labels of another type": (matrix(*ROWS, labels=["1", "2", "3"]), matrix(*ROWS, labels=[1, 2, 3])),
        "labels that differ": (matrix(*ROWS, labels=["a", "b", "c"]), matrix(*ROWS, labels=["c", "d", "b"])),
        "a label more": (side(OLD, labels=LABELS), side(np.where(np.arange(N) % 7, NEW, "new"), true=TRUE)),
        "a label more of the baseline": (
            side(np.where(np.arange(N) % 7, NEW, "new"), true=TRUE),
            side(OLD, labels=LABELS),
        ),
        "no answer was read": (
            ConfusionMatrix.from_predictions(TRUE, ["?"] * N, invalid="wrong"),
            ConfusionMatrix.from_predictions(TRUE, NEW, invalid="wrong"),
        ),
    },
    "mistakes": {
        "the same file": (side(OLD), side(OLD)),
        "all right": (side(OLD), side(TRUE)),
        "all spans right": (side(OLD, make=spans), side(TRUE, make=spans)),
        "other names on both sides": (side(SHIFTED[0]), side(SHIFTED[1])),
        "other names on both sides, counts": (
            ConfusionMatrix(side(SHIFTED[0]).counts),
            ConfusionMatrix(side(SHIFTED[1]).counts),
        ),
        "other names on both sides, each its own": (side(SHIFTED[0]), side(np.array(LABELS)[(CODES + 3) % 4])),
        "scores of the other class on both sides": (
            *(Scores.from_predictions(TRUE == "f", np.where(each == "f", 0.1, 0.9)) for each in (OLD, NEW)),
            {"measure": "f1@0.5"},
        ),
        "other names of the baseline": (side(SHIFTED[0]), side(NEW)),
        "below chance": (matrix([4, 22, 24], [22, 4, 24], [20, 21, 9]), matrix([5, 25, 20], [21, 7, 22], [23, 24, 3])),
        "tags": (counted((TAGS, TAGS, np.roll(TAGS, 6))), None),
        "classes that are never true": (
            counted(
                ([*"aab"] * 40, [*"pqrstuvvw", *("aab" * 40)[9:]], [*"qqxstuyyz", *("aab" * 40)[9:]]),
                labels=[*"abopqrstuvwxyz"],
            ),
            None,
        ),
        "unreadable on one side": (
            ConfusionMatrix.from_predictions([*"aab"] * 40, [*"aab"] * 40),
            ConfusionMatrix.from_predictions([*"aab"] * 40, [None, *("aab" * 40)[1:]], invalid="wrong"),
        ),
        "unreadable": (
            ConfusionMatrix.from_predictions([*"aab"] * 40, ["?", *("aab" * 40)[1:]], invalid="wrong"),
            ConfusionMatrix.from_predictions([*"aab"] * 40, ["?", None, *("aab" * 40)[2:]], invalid="wrong"),
        ),
    },
    "class-shares": {
        "other class shares": (RARE, LESS_RARE, {"measure": "f1[vandal]"}),
        "other class shares, the other way round": (LESS_RARE, RARE, {"measure": "f1[vandal]"}),
        "class shares of the baseline": (RARE, LESS_RARE, {"measure": "f1[vandal]", "prevalence": "baseline"}),
        "class shares that are stated": (
            RARE,
            LESS_RARE,
            {"measure": "f1[vandal]", "prevalence": {"vandal": 0.015, "odd": 0.3}},
        ),
        "class shares of an unknown class": (RARE, LESS_RARE, {"prevalence": "fraud=0.1"}),
        "class shares of all, too little": (RARE, LESS_RARE, {"prevalence": "vandal=0.1,fine=0.2,odd=0.3"}),
        "class shares that leave nothing": (RARE, LESS_RARE, {"prevalence": "vandal=0.4,fine=0.6"}),
        "class shares of a class twice": (matrix(*ROWS), matrix(*OTHER_ROWS), {"prevalence": {"1": 0.1, "1.0": 0.2}}),
        "class shares without examples": (
            matrix([9, 2, 1], [3, 8, 1], [0, 0, 0]),
            matrix(*ROWS),
            {"prevalence": {2: 0.1}},
        ),
        "class shares that the candidate lacks": (
            matrix(*ROWS),
            matrix([9, 2, 1], [3, 8, 1], [0, 0, 0]),
            {"prevalence": "baseline"},
        ),
        "class shares of labels": (MULTI, OTHER_MULTI, {"prevalence": "art=0.1"}),
        "class shares of spans": (SPAN_COUNTS, SPAN_COUNTS, {"prevalence": "PER=0.1"}),
        "class shares of values": (side(OLD, make=graded), side(NEW, make=graded), {"prevalence": "f=0.1"}),
    },
}
"""By what they are about: the sides, and what is asked for."""

COLUMN = pd.Series(TRUE, name="gold")
CHANCES = np.linspace(0, 1, N)
TABLE = pd.DataFrame({"id": IDS, "y_true": TRUE, "y_pred": OLD})


of_two = partial(compare, rope=0.03)


def ranked(**sides):
    return lambda: rank(sides, measure="accuracy", rope=0.03, n_draws=1_000)


REFUSED = {
    "refused-counts": {
        "nothing": lambda: run_estimate(None, 0.5),
        "an accuracy": lambda: of_two(0.91, 0.93),
        "an accuracy of the candidate": lambda: of_two(matrix(*ROWS), 0.93),
        "an accuracy and a floor": lambda: run_estimate(0.91, 0.5),
        "a path": lambda: of_two(Path("old.csv"), "new.csv"),
        "a dictionary": lambda: of_two({"f1": 0.9}, {"f1": 0.8}),
        "predictions": lambda: of_two(OLD, NEW),
        "predictions and a floor": lambda: run_estimate(OLD, 0.5),
        "predictions in two rows": lambda: of_two([["a", "b"], ["a"]], matrix(*ROWS)),
        "scores of test sets": lambda: of_two([0.91, 0.93, 0.9], [0.92, 0.93, 1.0]),
        "more rows than columns": lambda: of_two([[8, 2], [1, 9], [2, 2]], matrix(*ROWS)),
        "a table with a row for each example": lambda: of_two(TABLE, TABLE),
        "scores where counts are wanted": lambda: pymc_model(side(OLD, make=scored), side(NEW, make=scored)),
    },
    "refused-columns": {
        "columns: a number": lambda: of_two(TRUE, OLD, 0.93),
        "columns: a path": lambda: of_two(TRUE, "old.csv", NEW),
        "columns: counts": lambda: of_two(TRUE, OLD, side(NEW)),
        "columns: a dictionary": lambda: of_two(TRUE, {"a": 1}, NEW),
        "columns: the truth is not first": lambda: of_two(pd.Series(OLD, name="old"), COLUMN, NEW),
        "columns: the truth is last": lambda: of_two(pd.Series(OLD, name="y_pred"), NEW, COLUMN),
        "columns: chances of two classes": lambda: of_two(TRUE == "f", OLD == "f", CHANCES),
        "columns: chances of several classes": lambda: of_two(TRUE, OLD, np.stack([CHANCES] * 4, axis=1)),
        "columns: a table of chances": lambda: of_two(TRUE, pd.DataFrame({"f": CHANCES, "b<c": CHANCES}), NEW),
        "columns: a truth of fractions": lambda: of_two(CHANCES, OLD, NEW),
        "columns: spans without a type": lambda: of_two(*[[[(0, 2), (3, 4)]] * 3] * 3),
        "columns: sets that are unreadable": lambda: of_two(sets(TRUE), sets(OLD), sets(NEW), invalid="wrong"),
    },
    "refused-tables": {
        "a table without a column": lambda: PairedCounts.from_frame(TABLE, baseline="y_pred", candidate="new"),
        "a table without labels": lambda: PairedCounts.from_frame(
            TABLE.assign(new=[None, None, *NEW[2:]]), baseline="y_pred", candidate="new", invalid="error"
        ),
        "cells of an unknown class": lambda: PairedCounts.from_cells(*(["b"], ["a"], ["a"], [3]), labels=["a", "c"]),
        "cells of half an example": lambda: PairedCounts.from_cells(*(["a"], ["a"], ["c"], [2.5]), labels=["a", "c"]),
        "rank: no ids of one system": ranked(a=side(OLD), b=side(NEW), c=side(NEW, ids=None)),
        "rank: too few in all": ranked(a=side(OLD, slice(100)), b=side(NEW), c=side(NEW, slice(30, None))),
        "rank: other truths": ranked(a=side(OLD, slice(110)), b=side(NEW), c=side(NEW, true=other(33, 44))),
    },
}
"""Calls that are refused before two sides are compared."""

MEASURES = {SpanCounts: "f1_micro", MultilabelCounts: "f1_micro"}


def answer(baseline, candidate, asked=None):
    measure = MEASURES.get(type(baseline), "accuracy")
    if isinstance(baseline, Scores):
        measure = "average_precision" if baseline.labels else "mean"
    return run_comparison(baseline, candidate, **{"measure": measure, "rope": 0.03, "n_draws": 1_000} | (asked or {}))


def told(call):
    """Write how two sides are compared, what they share and all that is said of it; or the error."""
    try:
        found = call()
    except InputError as error:
        return f"refused: {error}\n"
    observed = found.baseline.observed, found.candidate.observed
    lines = [
        f"{found.model}: {found.model_reason}",
        f"{found.n_samples[0]} and {found.n_samples[1]} examples, {', '.join(map(str, found.labels))}",
        f"observed {observed[0]:.4f} and {observed[1]:.4f}, {found.decision} {found.decision_words}",
    ]
    lines += [f"{name} {value}" for name, value in details(found.to_dict())]
    lines += [f"note: {note}" for note in found.notes() if not note.startswith("On the edge")]  # by so few draws
    lines += [f"{type(each).__name__}: {each}" for each in data_warnings(found)]
    return "\n".join([*lines, ""])


def details(found):
    """List what is kept of what the test sets share and of their class shares."""
    for part in ("shared_examples", "class_shares"):
        for name, value in (found[part] or {}).items():
            values = value if isinstance(value, list) else [value]
            yield name, ", ".join(f"{each:.3f}" if isinstance(each, float) else str(each) for each in values)


CALLS = REFUSED | {
    about: {name: partial(answer, *given) for name, given in scenarios.items()}
    for about, scenarios in SCENARIOS.items()
}


@pytest.mark.parametrize("about", CALLS)
def test_all_that_is_told(about, generated):
    text = "\n".join(f"== {name}\n{told(call)}" for name, call in CALLS[about].items())
    generated(GOLDEN / f"{about}.txt", text)


def test_digests_tell_sides_apart():
    """By ids, clusters, truths, predictions, the number of runs and what is known of examples; not by any order."""
    runs = np.stack([NEW, NEW], axis=1)
    sides = [
        side(NEW),
        side(NEW, ids=np.roll(IDS, 1)),
        side(NEW, true=other(3)),
        side(OLD),
        side(NEW, clusters=GROUPS),
        side(NEW, clusters=MOVED),
        side(runs, runs="samples"),
        side(NEW, ids=None),
        side(NEW[::-1], true=TRUE[::-1], ids=None),
        matrix(*side(NEW).counts, labels=side(NEW).labels),
        matrix(*side(NEW).counts, labels=[*"abcd"]),
        side(NEW, make=labelled),
        side(NEW, make=spans),
        side(NEW, make=scored),
        side(NEW, make=graded),
    ]
    digests = [digests_of(each, each) for each in sides]
    assert all(old == new for old, new in digests)
    assert len({new for _, new in digests}) == len(sides)
    assert digests_of(sides[3], sides[0]) == (digests[3][1], digests[0][1])
    for make in (ConfusionMatrix.from_predictions, labelled, spans, scored, graded):
        assert len({*digests_of(side(NEW, make=make), side(NEW, slice(None, None, -1), make=make))}) == 1
    cells = counted((TRUE, OLD, NEW)).cells()
    reversed_cells = PairedCounts.from_cells(*(each[::-1] for each in cells.values()), labels=LABELS)
    assert digests_of(PairedCounts.from_cells(*cells.values(), labels=LABELS)) == digests_of(reversed_cells)
    assert len({*digests_of(reversed_cells), *digests_of(counted((TRUE, NEW, OLD)))}) == 4
