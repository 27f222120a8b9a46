"""Which predictions differ, of classes, of runs, of labels and of spans, against loops over the examples."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, SpanCounts
from pytest_bayesf1.comparison.changes import ChangedPredictions
from pytest_bayesf1.comparison.design import Sides

TRUTH, BASELINE, CANDIDATE = ["a", "a", "b", "c", "c"], ["a", "b", "b", "a", "c"], ["a", "a", "c", "b", "c"]


def changed(*sides):
    aligned = Sides.aligned(*sides)
    return ChangedPredictions.between(*aligned.paired), aligned.baseline.labels


def rows(*sides):
    found, labels = changed(*sides)
    names = [[labels[code] for code in codes] for codes in (found.true, *found.predicted)]
    return list(zip(found.ids, *names, found.share.tolist(), strict=True))


def test_examples_by_position():
    sides = (ConfusionMatrix.from_predictions(TRUTH, side) for side in (BASELINE, CANDIDATE))
    assert rows(*sides) == [(1, "a", "b", "a", 1), (2, "b", "b", "c", 1), (3, "c", "a", "b", 1)]


def test_examples_by_id_whatever_their_order():
    ids = [f"example {number}" for number in range(5)]
    baseline = ConfusionMatrix.from_predictions(TRUTH, BASELINE, ids=ids)
    candidate = ConfusionMatrix.from_predictions(TRUTH[::-1], CANDIDATE[::-1], ids=ids[::-1])
    assert [(name, *others) for name, *others in rows(baseline, candidate)] == [
        ("example 1", "a", "b", "a", 1),
        ("example 2", "b", "b", "c", 1),
        ("example 3", "c", "a", "b", 1),
    ]


def test_runs_agree_as_far_as_they_can():
    runs = [["a", "a", "b"], ["b", "b", "b"]], [["b", "a", "a"], ["a", "b", "c"]]
    sides = (ConfusionMatrix.from_predictions(["a", "b"], side, labels=list("abc"), runs="samples") for side in runs)
    assert rows(*sides) == [(1, "b", "b", "a", pytest.approx(1 / 3)), (1, "b", "b", "c", pytest.approx(1 / 3))]


def test_labels_one_by_one():
    truth, baseline, candidate = [{"a", "b"}, {"c"}, set()], [{"a"}, {"c"}, {"b"}], [{"a", "b", "c"}, set(), {"b"}]
    found, _ = changed(
        *(MultilabelCounts.from_predictions(truth, side, labels=list("abc")) for side in (baseline, candidate))
    )
    assert found.ids == [0, 0, 1]
    assert found.true.tolist() == [3, 4, 5]  # b is there, c is not; c is there
    assert found.predicted.tolist() == [[2, 4, 5], [3, 5, 4]]


def test_spans_are_missed_found_and_invented():
    gold = [[(0, 2, "PER")], [(3, 4, "ORG")]]
    baseline, candidate = [[(0, 2, "PER")], []], [[], [(3, 4, "ORG"), (7, 9, "PER")]]
    sides = (SpanCounts.from_spans(gold, side, documents=["x", "y"]) for side in (baseline, candidate))
    found, labels = changed(*sides)
    assert labels == ("ORG", "PER")
    assert found.ids == ["x:0-2", "y:3-4", "y:7-9"]
    assert found.true.tolist() == [3, 1, 2]
    assert found.predicted.tolist() == [[3, 0, 2], [2, 1, 3]]


def test_nothing_differs():
    for side in (
        ConfusionMatrix.from_predictions(TRUTH, BASELINE),
        MultilabelCounts.from_predictions([{"a"}], [{"b"}]),
        SpanCounts.from_spans([[(0, 1, "PER")]], [[]]),
    ):
        found, _ = changed(side, side)
        assert not found.ids
        assert found.predicted.shape == (2, 0)


def test_many_examples_against_a_loop():
    rng = np.random.default_rng(0)
    truth, baseline, candidate = rng.integers(0, 4, (3, 500))
    found = rows(*(ConfusionMatrix.from_predictions(truth, side) for side in (baseline, candidate)))
    expected = [
        (n, *codes, 1) for n, codes in enumerate(zip(truth, baseline, candidate, strict=True)) if codes[1] != codes[2]
    ]
    assert found == expected
