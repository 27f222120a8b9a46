"""A stored baseline and its anchor: one file, two comparisons, and what moves which."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Scores, SlightlyWorseWarning, SpanCounts
from pytest_bayesf1.baselines.store import Baseline, Origin, from_text, to_text
from pytest_bayesf1.gates.evaluate import PART
from pytest_bayesf1.settings import Session, Update, active
from tests.unit.baselines.runs import COMMAND, OTHER_SET, Y_PRED, Y_TRUE, predicted

ORIGIN = Origin("2026-05-02", "1a2b3c4d5e6f7", 0)
LATER = Origin("2026-06-02", "ffffffffff", 0)
N = 10_000


def right(n_right):
    half = n_right // 2
    return ConfusionMatrix([[half, N // 2 - half], [N // 2 - half, half]])


def several(*y_pred, **known):
    return ConfusionMatrix.from_predictions(["a", "b", "b"], list(y_pred), **known)


KINDS = {
    "predictions": (predicted(), predicted(Y_TRUE)),
    "no ids": (predicted(ids=None), predicted(Y_TRUE, ids=None)),
    "counts": (right(8_000), ConfusionMatrix([[5_000, 0], [4_000, 1_000]])),
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


@pytest.mark.parametrize("other", [predicted(ids=[*range(39), 77]), right(8_000)], ids=["ids", "counts"])
def test_another_test_set_has_another_anchor(other):
    assert Baseline("spam", predicted(), ORIGIN).followed_by(other, LATER) == Baseline("spam", other, LATER)


@pytest.fixture
def drifted(runs):
    """A baseline that lost two points in two steps, none of which was too much."""
    settings = {"rope": 0.03, "n_draws": 2_000}
    for n_right, update in ((9_000, Update.NEW), (8_900, Update.ALL), (8_800, Update.ALL)):
        runs.run(right(n_right), update, **settings)
    return lambda n_right, update=Update.NONE, **others: runs.run(right(n_right), update, **{**settings, **others})


def stored(runs):
    baseline = runs.store.find("test_f1").baseline
    return baseline.counts, baseline.anchor, baseline.origin.baselines_ago


@pytest.mark.usefixtures("drifted")
def test_an_update_moves_the_baseline_and_leaves_the_anchor(runs):
    assert stored(runs) == (right(8_800), right(9_000), 2)


@pytest.mark.parametrize("update", [Update.NONE, Update.ALL])
def test_the_budget_is_judged_against_the_anchor(runs, drifted, update):
    heard, told = [], []
    with active(Session(listener=heard.append, on_gate=told.append)), pytest.raises(AssertionError) as caught:
        drifted(8_750, update, budget=0.01)
    first, second = heard
    assert (first.verdict, first.part, second.verdict, second.part) == ("passed", "", "failed", PART)
    assert second.result.baseline.observed == 0.9
    assert second.result.rope == (-0.01, 0.03)
    message = " ".join(str(caught.value).split())
    begin = "each step was within what you tolerate, but since the anchor (2 baselines ago) accuracy has fallen by 2."
    assert begin in message
    assert "more than the budget of 1 point. If the loss is wanted" in message
    assert f"{COMMAND} --bayesf1-update=anchor" in message
    assert [settings["budget"] for settings in told] == [0.01]
    assert stored(runs) == (right(8_800), right(9_000), 2)


def test_the_budget_is_twice_what_a_step_may_lose(drifted):
    heard = []
    with active(Session(listener=heard.append)):
        drifted(8_750)
    assert [record.result.rope for record in heard] == [(-0.03, 0.03), (-0.06, 0.06)]
    with active(Session({"budget": 0.01})), pytest.raises(AssertionError, match="budget of 1 point"):
        drifted(8_750)


def test_both_judgements_are_told_when_the_first_fails(drifted):
    heard = []
    with active(Session(listener=heard.append)), pytest.raises(AssertionError, match="make the candidate the baseline"):
        drifted(7_000)
    assert {record.part: record.verdict for record in heard} == {"": "failed", PART: "failed"}
    told = "Find what was lost on the way: since the anchor (2 baselines ago) accuracy has fallen"
    assert any(record.advice.startswith(told) for record in heard)


def test_nothing_is_compared_twice_where_the_anchor_is_the_baseline(stored, runs):
    heard = []
    with active(Session(listener=heard.append)):
        stored.run(right(8_100))
    assert [record.part for record in heard] == [""]


def test_the_anchor_moves_when_it_is_told_to(runs, drifted):
    with pytest.warns(SlightlyWorseWarning, match=r"--bayesf1-update=anchor\s+demands"):
        drifted(8_750, Update.ANCHOR, budget=0.01)
    assert stored(runs) == (right(8_750), None, 0)
    drifted(8_750, budget=0.01)


def test_the_anchor_does_not_excuse_a_step_that_is_too_long(runs, drifted):
    with pytest.raises(AssertionError):
        drifted(7_000, Update.ANCHOR)
    assert stored(runs)[0] == right(8_800)


def test_force_moves_the_baseline_and_where_it_overrules_a_judgement_the_anchor(runs, drifted):
    drifted(8_790, Update.FORCE)
    assert stored(runs) == (right(8_790), right(9_000), 3)
    with pytest.warns(SlightlyWorseWarning):
        drifted(8_750, Update.FORCE, budget=0.01)
    assert stored(runs) == (right(8_750), None, 0)
    with pytest.warns(SlightlyWorseWarning):
        drifted(7_000, Update.FORCE)
    assert stored(runs) == (right(7_000), None, 0)
    drifted(7_000)


def test_a_candidate_that_is_better_than_the_anchor_is_told_so(drifted):
    heard = []
    with active(Session(listener=heard.append)):
        drifted(9_800)
    assert heard[1].verdict == "passed"
    assert heard[1].advice.startswith("The candidate is better than the anchor (2 baselines ago). To count total loss")


def test_another_test_set_begins_anew_but_not_with_a_loss(runs, drifted):
    worse = ConfusionMatrix([[4_000, 1_000], [900, 3_500]])
    with pytest.raises(AssertionError, match="since the anchor"):
        runs.run(worse, Update.ALL, rope=(0.15, "wide"), budget=0.05)
    runs.run(OTHER_SET, Update.ALL, rope=(0.2, "wide"))
    assert stored(runs) == (OTHER_SET, None, 0)


def test_right_and_wrong_of_the_store_are_those_of_the_file(runs):
    runs.run(predicted(Y_PRED), Update.NEW, rope=(0.2, "wide"))
    runs.run(predicted(Y_TRUE), Update.ALL, rope=(0.2, "wide"))
    path = runs.store.find("test_f1").path
    assert runs.run(predicted(Y_TRUE), Update.ALL, rope=(0.2, "wide")) is not None
    assert runs.store.find("test_f1").path == path
    assert [len(row) for row in json.loads(path.read_text())["rows"]].count(4) == 4
