"""All that is said of two sides: what they share, how they are compared, or why not."""

from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, Scores, SpanCounts
from pytest_bayesf1.comparison.compare import run_comparison
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


def counted(columns, **known):
    return PairedCounts.from_predictions(*columns, **known)


SHIFTED = [np.array(LABELS)[(np.where(np.arange(N) % step, CODES, 0) + 1) % 4] for step in (9, 7)]
RARE = matrix([9_870, 60, 7], [20, 50, 4], [9, 8, 80], labels=["fine", "vandal", "odd"])
LESS_RARE = matrix([9_710, 100, 3], [40, 150, 2], [9, 8, 80], labels=["fine", "vandal", "odd"])

SCENARIOS = {
    "shared": {
        "both lack some, five labels corrected": (side(OLD, FIRST), side(NEW, LAST, other(14, 27, 28, 35, 50))),
        "the candidate has more, one label corrected": (side(OLD, slice(9, 99)), side(NEW, true=other(28))),
        "the candidate lacks some": (side(OLD), side(NEW, slice(101))),
        "less than four fifths": (side(OLD), side(NEW, slice(95))),
        "corrections that help the candidate": (
            side(OLD),
            side(NEW, true=np.where(np.arange(N) % 14 == 7, NEW, TRUE)),
            {"rope": 0.15},
        ),
        "corrections that help the baseline": (side(OLD, true=np.where(np.arange(N) % 14 == 7, NEW, TRUE)), side(NEW)),
        "twelve corrections": (side(OLD), side(NEW, true=other(*range(40, 52)))),
        "thirteen corrections": (side(OLD), side(NEW, true=other(*range(40, 53)))),
        "two classes renamed": (side(OLD), side(renamed(RENAMED, NEW), true=renamed(RENAMED))),
        "spans: both lack some": (side(OLD, FIRST, make=spans), side(NEW, LAST, other(14, 27, 28, 35, 50), spans)),
    },
    "matched": {
        "ids of the baseline alone": (side(OLD), side(NEW, ids=None)),
        "ids of the candidate alone": (side(OLD, ids=None), side(NEW)),
        "clusters of the baseline alone": (side(OLD, clusters=GROUPS), side(NEW)),
        "other clusters": (side(OLD, clusters=GROUPS), side(NEW, slice(None, None, -1), clusters=MOVED)),
        "other clusters, no ids": (side(OLD, ids=None, clusters=GROUPS), side(NEW, ids=None, clusters=MOVED)),
        "no ids, one fewer document": (
            SpanCounts.from_spans([[(0, 1, "A")]] * 2, [[(0, 1, "A")]] * 2),
            SpanCounts.from_spans([[(0, 1, "A")]], [[(0, 1, "A")]]),
        ),
    },
    "counts": {
        "counts of the same totals": (matrix(*ROWS), matrix(*OTHER_ROWS)),
        "counts of other totals": (matrix(*ROWS), matrix([40, 5, 3], [6, 25, 1], [1, 6, 16])),
        "counts of twice the size": (matrix(*ROWS), matrix(*(2 * np.array(OTHER_ROWS)))),
        "counts, as one test set": (matrix(*ROWS), matrix([40, 5, 3], [6, 25, 1], [1, 6, 16]), {"model": "same-set"}),
        "counts of labels, refused": (
            MULTI,
            MultilabelCounts(2 * OTHER_MULTI.counts, OTHER_MULTI.labels),
            {"on_new_test_set": "error"},
        ),
        "counts, paired": (matrix(*ROWS), matrix(*OTHER_ROWS), {"model": "paired"}),
        "counts of spans": (SPAN_COUNTS, SPAN_COUNTS),
        "counts of spans, as one test set": (SPAN_COUNTS, SPAN_COUNTS, {"model": "same-set"}),
    },
    "mistakes": {
        "the same file": (side(OLD), side(OLD)),
        "other names on both sides": (side(SHIFTED[0]), side(SHIFTED[1])),
        "below chance": (matrix([4, 22, 24], [22, 4, 24], [20, 21, 9]), matrix([5, 25, 20], [21, 7, 22], [23, 24, 3])),
        "classes that are never true": (
            counted(
                ([*"aab"] * 40, [*"pqrstuvvw", *("aab" * 40)[9:]], [*"qqxstuyyz", *("aab" * 40)[9:]]),
                labels=[*"abopqrstuvwxyz"],
            ),
            None,
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
    },
}
"""By what they are about: the sides, and what is asked for."""


def told(baseline, candidate, asked=None):
    """Write how two sides are compared, what they share and all that is said of it; or the error."""
    measure = "accuracy" if isinstance(baseline, ConfusionMatrix | PairedCounts) else "f1_micro"
    try:
        found = run_comparison(
            baseline, candidate, **{"measure": measure, "rope": 0.03, "n_draws": 1_000} | (asked or {})
        )
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


@pytest.mark.parametrize("about", SCENARIOS)
def test_all_that_is_told(about, generated):
    text = "\n".join(f"== {name}\n{told(*given)}" for name, given in SCENARIOS[about].items())
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
