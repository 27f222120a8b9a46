"""The anchor in a stored baseline: one file holds both, and a baseline that follows keeps it."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Scores, SpanCounts
from pytest_bayesf1.baselines.store import Baseline, Origin, from_text, to_text
from tests.unit.gates.runs import Y_TRUE, predicted

ORIGIN = Origin("2026-05-02", "1a2b3c4d5e6f7", 0)
LATER = Origin("2026-06-02", "ffffffffff", 0)
COUNTS = ConfusionMatrix([[4_000, 1_000], [1_000, 4_000]])


def several(*y_pred, **known):
    return ConfusionMatrix.from_predictions(["a", "b", "b"], list(y_pred), **known)


KINDS = {
    "predictions": (predicted(), predicted(Y_TRUE)),
    "no ids": (predicted(ids=None), predicted(Y_TRUE, ids=None)),
    "counts": (COUNTS, ConfusionMatrix([[5_000, 0], [4_000, 1_000]])),
    "a class more": (several("a", "b", "b"), several("a", "c", "b")),
    "a class less": (several("a", "c", "b"), several("a", "b", "b")),
    "unreadable": (
        several("a", "b", "b", labels=["a", "b"], invalid="wrong"),
        several("a", None, "b", labels=["a", "b"], invalid="wrong"),
    ),
    "runs": (several("a", "b", "a"), several(["a", "b"], ["b"], ["b", "b"], runs="samples")),
    "clusters": (several("a", "b", "a", clusters=[1, 1, 2]), several("a", "b", "b", clusters=[1, 1, 2])),
    "labels": tuple(
        MultilabelCounts.from_predictions([{"x"}, {"x", "y"}, set()], each, ids=["p", "q", "r"])
        for each in ([{"x"}, {"x"}, set()], [{"x"}, {"x", "y"}, {"y"}])
    ),
    "counts of labels": (
        MultilabelCounts([[[4, 1], [1, 4]], [[5, 0], [1, 4]]], ["x", "y"]),
        MultilabelCounts([[[5, 0], [1, 4]], [[5, 0], [1, 4]]], ["x", "y"]),
    ),
    "spans": tuple(
        SpanCounts.from_spans([[(0, 2, "A")], [(1, 3, "B")]], each, documents=["p", "q"])
        for each in ([[(0, 2, "A")], []], [[(0, 2, "A")], [(1, 3, "B"), (4, 5, "A")]])
    ),
    "scores": tuple(Scores.from_predictions([0, 1, 1], each) for each in ([0.1, 0.5, 0.9], [0.1, 0.6, 0.9])),
    "values": tuple(Scores.from_values(each, ids=[1, 2, 3]) for each in ([0.1, 0.5, 0.9], [0.1, 0.6, 0.9])),
}


@pytest.mark.parametrize("kind", KINDS)
def test_both_are_read_as_they_were_written(kind):
    anchor, counts = KINDS[kind]
    first = from_text(to_text(Baseline("spam", anchor, ORIGIN)), "file")
    assert (first.anchor, first.origin) == (None, ORIGIN)
    moved = first.followed_by(counts, LATER)
    text = to_text(moved)
    found = from_text(text, "file")
    assert to_text(found) == text
    assert found.origin == Origin("2026-05-02", "1a2b3c4d5e6f7", 1)
    assert to_text(Baseline("spam", found.counts)) == to_text(Baseline("spam", counts))
    assert to_text(Baseline("spam", found.anchor)) == to_text(Baseline("spam", anchor))


def test_a_file_with_one_set_is_its_own_anchor():
    text = to_text(Baseline("spam", predicted()))
    assert '"anchor"' not in text
    found = from_text(text, "file")
    assert (found.anchor, found.origin.words) == (None, "")


def test_rows_are_longer_where_the_anchor_differs_and_nowhere_else():
    truth = np.arange(2_000) % 2
    sides = [ConfusionMatrix.from_predictions(truth, truth ^ (np.arange(2_000) < n)) for n in (100, 200)]
    one = to_text(Baseline("spam", sides[1]))
    both = to_text(Baseline("spam", sides[0]).followed_by(sides[1], LATER))
    document = json.loads(both)
    assert [len(row) for row in document["rows"]] == [2] * 100 + [3] * 100 + [2] * 1_800
    assert document["anchor"] == {"baselines_ago": 1, "scores": {"accuracy": 0.95, "f1_macro": 0.95}}
    assert len(both) < 1.1 * len(one)


def test_the_same_baseline_again_is_no_step_and_a_way_back_leads_to_one_set():
    first = Baseline("spam", predicted(), ORIGIN)
    assert first.followed_by(predicted(), LATER) == first
    moved = first.followed_by(predicted(Y_TRUE), LATER)
    assert moved.followed_by(predicted(Y_TRUE), LATER).origin.baselines_ago == 1
    back = moved.followed_by(predicted(), LATER)
    assert (back.anchor, back.origin.baselines_ago) == (None, 2)


@pytest.mark.parametrize("other", [predicted(ids=[*range(39), 77]), COUNTS], ids=["ids", "counts"])
def test_another_test_set_has_another_anchor(other):
    assert Baseline("spam", predicted(), ORIGIN).followed_by(other, LATER) == Baseline("spam", other, LATER)


def test_a_test_set_that_grows_keeps_the_anchor_on_what_both_have():
    names = [f"e{number:03}" for number in range(120)]
    true = ["a", "b"] * 60

    def of(positions, wrong, corrected=()):
        said = ["b" if (true[at] == "a") != (at in wrong) else "a" for at in positions]
        said = [("a" if each == "b" else "b") for each in said]
        now = [true[at] if at not in corrected else "ab"[true[at] == "a"] for at in positions]
        return ConfusionMatrix.from_predictions(now, said, ids=[names[at] for at in positions])

    first = Baseline("spam", of(range(100), {1, 2}), ORIGIN)
    text = to_text(first.followed_by(of(range(5, 120), {3, 7}, corrected={8, 9}), LATER))
    found = from_text(text, "file")
    assert to_text(found) == text
    shared = range(5, 100)
    assert to_text(Baseline("spam", found.anchor)) == to_text(Baseline("spam", of(shared, set(), corrected={8, 9})))
    assert text.count("{}]") == 20
    assert found.origin.baselines_ago == 1
