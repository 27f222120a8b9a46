import itertools

import numpy as np
import pytest

from pytest_bayesf1 import SpanCounts

RNG = np.random.default_rng(5)
TYPES = ["A", "B", "C"]


def spans(n=12):
    return {(int(start), int(start) + 1, TYPES[kind]) for start, kind in RNG.integers([0, 0], [8, 3], size=(n, 2))}


GOLD, BASELINE, CANDIDATE = ([spans() for _ in range(20)] for _ in range(3))


def naive(kind, true, *said):
    """Count, span by span, the outcomes of a type."""
    sides = [GOLD, BASELINE, CANDIDATE][: 1 + len(said)]
    every = itertools.product(range(20), itertools.product(range(8), TYPES))
    return sum(
        tuple((start, start + 1, name) in side[document] for side in sides) == (true, *said)
        for document, (start, name) in every
        if name == kind
    )


@pytest.mark.parametrize("n_sides", [1, 2])
def test_joint_outcomes_are_counted_span_by_span(n_sides):
    sides = [SpanCounts.from_spans(GOLD, side, labels=TYPES).predictions for side in (BASELINE, CANDIDATE)[:n_sides]]
    found = sides[0].tally(3, *sides[1:]).label_counts
    for code, kind in enumerate(TYPES):
        for outcome in itertools.product((False, True), repeat=1 + n_sides):
            expected = naive(kind, *outcome) if any(outcome) else 0
            assert found[(code, *map(int, outcome))] == expected


def test_truths_are_told_apart():
    counts = SpanCounts.from_spans(GOLD, BASELINE, labels=TYPES)
    other = SpanCounts.from_spans([GOLD[0], set(), *GOLD[2:]], BASELINE, labels=TYPES).predictions
    assert np.flatnonzero(counts.predictions.differs(other)).tolist() == [1]
    first = min(GOLD[1])
    assert counts.predictions.difference(other, 1, counts.labels) == f"{first} in baseline only"
    assert other.difference(counts.predictions, 1, counts.labels) == f"{first} in candidate only"
