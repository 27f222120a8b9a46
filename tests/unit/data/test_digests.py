import numpy as np

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, PairedCounts, Scores, SpanCounts
from pytest_bayesf1.data.paired import digests_of

N = 120
LABELS = ["ham", "b<c", "*d* e", "f"]
CODES = np.array([0, 2, 1, 0, 3, 1, 0, 2, 0, 1] * (N // 10))[::-1]
TRUE = np.array(LABELS)[CODES]
IDS = np.array([f"n {number * 7 % N:03}" for number in range(N)])
OLD, NEW = (np.array(LABELS)[np.where(np.arange(N) % step, CODES, (CODES + 1) % 4)] for step in (9, 7))
OTHER_TRUE = np.array(LABELS)[np.where(np.arange(N) == 3, (CODES + 1) % 4, CODES)]
GROUPS = np.array([f"g{number // 4}" for number in range(N)])
MOVED = np.where(np.arange(N) == 17, "g7", GROUPS)


def side(predicted, at=slice(None), true=TRUE, make=ConfusionMatrix.from_predictions, **known):
    """Build a side of the examples in these places."""
    columns = {name: values[at] if isinstance(values, np.ndarray) else values for name, values in known.items()}
    return make(true[at], predicted[at], **{"ids": IDS[at], **columns})


def labelled(true, predicted, **known):
    return MultilabelCounts.from_predictions(*([{"f", value} for value in each] for each in (true, predicted)), **known)


def spans(true, predicted, ids):
    return SpanCounts.from_spans(*([[(0, 2, value)] for value in each] for each in (true, predicted)), documents=ids)


def scored(true, predicted, **known):
    return Scores.from_predictions(true == "ham", 0.2 + 0.6 * (predicted == "ham"), **known)


def graded(true, predicted, **known):
    return Scores.from_values((true == predicted).astype(float), **known)


def test_digests_tell_sides_apart():
    """By ids, clusters, truths, predictions, the number of runs and what is known of examples; not by any order."""
    runs = np.stack([NEW, NEW], axis=1)
    sides = [
        side(NEW),
        side(NEW, ids=np.roll(IDS, 1)),
        side(NEW, true=OTHER_TRUE),
        side(OLD),
        side(NEW, clusters=GROUPS),
        side(NEW, clusters=MOVED),
        side(runs, runs="samples"),
        side(NEW, ids=None),
        side(NEW[::-1], true=TRUE[::-1], ids=None),
        ConfusionMatrix(side(NEW).counts, side(NEW).labels),
        ConfusionMatrix(side(NEW).counts, [*"abcd"]),
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
    cells = PairedCounts.from_predictions(TRUE, OLD, NEW).cells()
    reversed_cells = PairedCounts.from_cells(*(each[::-1] for each in cells.values()), labels=LABELS)
    assert digests_of(PairedCounts.from_cells(*cells.values(), labels=LABELS)) == digests_of(reversed_cells)
    assert len({*digests_of(reversed_cells), *digests_of(PairedCounts.from_predictions(TRUE, NEW, OLD))}) == 4
