"""A candidate against the stored baseline, and what becomes of the baseline."""

import warnings

import pytest

from pytest_bayesf1 import BayesF1Warning, ConfusionMatrix, InputError, PairedCounts, Scores
from pytest_bayesf1.baselines.regression import BaselineUse
from pytest_bayesf1.baselines.store import Baseline
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.settings import Session, Update, active
from tests.unit.baselines import runs as calls
from tests.unit.baselines.runs import ARGUMENTS, BASELINE, BETTER, COMMAND, MUCH_WORSE, OTHER_SET, WORSE


def test_a_missing_baseline_fails_with_the_command_that_makes_it(runs):
    with pytest.raises(BaselineError) as caught:
        runs.run(BASELINE)
    assert str(caught.value) == (
        f"{runs.store.directory}: expected a baseline for 'test_f1', got none. "
        f"To make this candidate the baseline, run: {COMMAND} --bayesf1-update=new"
    )
    assert runs.reported == []


@pytest.mark.parametrize("update", [Update.NEW, Update.ALL, Update.FORCE])
def test_every_update_writes_a_missing_baseline(runs, update):
    assert runs.run(BASELINE, update) is None
    assert runs.kept == BASELINE
    assert runs.reported == [(BaselineUse.CREATED, runs.store.directory / "test_f1.json")]


def test_nothing_is_written_before_the_test_has_passed(stored):
    stored.start(Update.ALL).check(BETTER, **ARGUMENTS)
    stored.start(Update.ALL, "test_f2").check(BETTER, **ARGUMENTS)
    assert stored.kept == BASELINE
    assert stored.store.find("test_f2") is None


@pytest.mark.parametrize(
    ("candidate", "arguments"),
    [
        (BASELINE, {"rope": None}),
        (BASELINE, {"measure": "f1_makro"}),
        (BASELINE, {"ropes": 1}),
        (BASELINE, {"model": "paired"}),
        (ConfusionMatrix([[5, 0], [5, 0]]), {"measure": "precision_macro"}),
    ],
    ids=["no rope", "no such measure", "no such argument", "no predictions", "a class never predicted"],
)
def test_a_first_candidate_that_nothing_could_be_compared_with_is_refused(runs, candidate, arguments):
    with pytest.raises(InputError):
        runs.run(candidate, Update.NEW, **arguments)
    assert runs.kept is None


def test_a_candidate_is_compared_with_the_stored_baseline(stored):
    heard = []
    with active(Session(listener=heard.append)):
        comparison = stored.run(BETTER)
    assert comparison.decision == ">>"
    assert comparison.baseline.observed == pytest.approx(0.8)
    assert [(record.result, record.gate, record.verdict) for record in heard] == [
        (comparison, "bayes_regression", "passed")
    ]
    assert stored.reported == [(BaselineUse.USED, stored.store.directory / "test_f1.json")]
    assert stored.kept == BASELINE


def test_plain_counts_serve(stored):
    assert stored.run(BETTER.counts.tolist()).decision == ">>"


def test_a_baseline_may_have_a_name(runs):
    runs.run(BASELINE, Update.NEW, name="production")
    assert runs.store.find("production").baseline.counts == BASELINE
    assert runs.run(BETTER, name="production").decision == ">>"


@pytest.mark.parametrize("update", [Update.NONE, Update.NEW, Update.ALL])
def test_a_much_worse_candidate_fails_and_says_how_to_force_it(stored, update):
    with pytest.raises(AssertionError) as caught:
        stored.run(MUCH_WORSE, update)
    lines = str(caught.value).splitlines()
    said = " ".join(str(caught.value).split())
    assert "The baseline stays as it is. To make the candidate the baseline all the same: " in said
    assert f"      {COMMAND} --bayesf1-update=force" in lines
    assert lines[1].startswith("  Do: Find what changed")
    assert stored.kept == BASELINE


@pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
def test_force_replaces_by_a_much_worse_one_and_warns(stored):
    with pytest.warns(BayesF1Warning, match="replaced by a significantly worse candidate"):
        stored.run(MUCH_WORSE, Update.FORCE)
    assert stored.kept == MUCH_WORSE


def test_force_works_where_warnings_are_errors(stored):
    shown = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.showwarning = lambda message, *_: shown.append(message)
        stored.run(MUCH_WORSE, Update.FORCE)
    assert len(shown) == 1
    assert stored.kept == MUCH_WORSE


@pytest.mark.parametrize(("update", "kept"), [(Update.NEW, BASELINE), (Update.ALL, WORSE), (Update.FORCE, WORSE)])
def test_a_slightly_worse_one_warns_and_is_taken(stored, update, kept):
    with pytest.warns(BayesF1Warning, match="slightly worse") as caught:
        stored.run(WORSE, update)
    assert caught[0].filename == calls.__file__  # where check is called
    assert stored.kept == kept


@pytest.mark.parametrize(
    ("update", "kept"), [(Update.NONE, BASELINE), (Update.NEW, BASELINE), (Update.ALL, BETTER), (Update.FORCE, BETTER)]
)
def test_a_better_one_is_taken_when_all_are_updated(stored, update, kept):
    stored.run(BETTER, update)
    assert stored.kept == kept
    actions = [action for action, _ in stored.reported]
    assert actions == ([BaselineUse.USED] if kept is BASELINE else [BaselineUse.USED, BaselineUse.REPLACED])


def test_an_equal_one_changes_nothing(stored):
    stored.run(BASELINE, Update.ALL)
    assert [action for action, _ in stored.reported] == [BaselineUse.USED]


@pytest.mark.parametrize("update", Update)
def test_a_damaged_baseline_is_never_replaced(stored, update):
    path = stored.store.directory / "test_f1.json"
    path.write_text("damaged")
    with pytest.raises(BaselineError, match=r"test_f1\.json: expected a baseline, got text that is damaged"):
        stored.run(BASELINE, update)
    assert path.read_text() == "damaged"


def test_a_baseline_that_another_process_changed_is_not_replaced(stored):
    regression = stored.start(Update.ALL)
    regression.check(BETTER, **ARGUMENTS)
    stored.store.write(Baseline("test_f1", OTHER_SET), stored.store.find("test_f1"))
    with pytest.raises(BaselineError, match="another process has written meanwhile"):
        regression.keep()
    assert stored.kept == OTHER_SET


def test_one_candidate_may_be_checked_in_several_ways(stored):
    regression = stored.start(Update.ALL)
    for measure in ("accuracy", "f1_macro"):
        regression.check(BETTER, measure=measure, rope=0.0125)
    regression.keep()
    assert stored.kept == BETTER


def test_two_candidates_of_one_test_need_names(runs):
    regression = runs.start(Update.NEW)
    regression.check(BASELINE, **ARGUMENTS)
    with pytest.raises(InputError) as caught:
        regression.check(BETTER, **ARGUMENTS)
    assert str(caught.value) == (
        "candidate: expected one candidate for the baseline 'test_f1', got another one, checked before. "
        "Pass check(..., name=...)."
    )
    regression.check(BETTER, name="better", **ARGUMENTS)


@pytest.mark.parametrize(
    "candidate", [None, PairedCounts.from_predictions([0, 1], [0, 1], [1, 0]), [[1, 2]]], ids=["none", "pairs", "shape"]
)
def test_a_candidate_that_is_none_is_an_input_error(stored, candidate):
    with pytest.raises(InputError, match="candidate"):
        stored.run(candidate)


@pytest.mark.parametrize(("name", "found"), [("", "''"), (3, "3"), (["a"], "['a']")])
def test_a_name_is_text(runs, name, found):
    with pytest.raises(InputError) as caught:
        runs.run(BASELINE, Update.NEW, name=name)
    assert str(caught.value) == f"name: expected the name of a baseline, got {found}"


def test_it_shows_itself_short(runs):
    assert repr(runs.start()) == "<Regression test_f1>"


def test_scores_are_compared_with_stored_scores(runs):
    truth, given = [0, 1] * 100, [0.2, 0.8, 0.4, 0.5] * 50
    first = Scores.from_predictions(truth, given)
    auc = {"measure": "roc_auc", "rope": 0.05}
    assert runs.run(first, Update.NEW, **auc) is None
    assert runs.run(first, **auc).model == "paired"
    with pytest.raises(AssertionError, match="≪ AUC −"):
        runs.run(Scores.from_predictions(truth, [1 - score for score in given]), **auc)
    with pytest.raises(BaselineError, match="expected Scores, as baseline, got ConfusionMatrix"):
        runs.run(first.at(0.5), **auc)
