"""A baseline that was made on another test set, or of other labels."""

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, UnexpectedPredictionsWarning
from pytest_bayesf1.baselines.store import Baseline
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.settings import Update
from tests.unit.baselines.runs import BASELINE, BETTER, COMMAND, IDS, Y_PRED, Y_TRUE, predicted


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
def test_predictions_with_ids_are_compared_as_pairs_in_any_order(stored_predictions):
    order = IDS[::-1]
    candidate = predicted(*([column[i] for i in order] for column in (Y_PRED, Y_TRUE, IDS)))
    comparison = stored_predictions.run(candidate)
    assert comparison.model == "paired"
    assert abs(comparison.mean) < 0.002  # in another order it would be 10 points


NOT_COMPARABLE = [
    (predicted(ids=[*IDS[1:], 77]), "candidate.ids: expected the ids of baseline, one to one, got 1 id only in bas"),
    (predicted(y_true=["b", *Y_TRUE[1:]]), "candidate.y_true: expected the y_true of baseline, got 1 example that"),
    (predicted(ids=None), "candidate.ids: expected ids, as baseline has them, got none"),
    (predicted(ids=list(map(str, IDS))), "candidate.ids: expected ids like baseline's (0), got '0'"),
    (ConfusionMatrix([[18, 2], [2, 19]], labels=["a", "b"]), "21 examples of class 'b' instead of 20"),
]


@pytest.mark.parametrize("update", [Update.NONE, Update.NEW])
@pytest.mark.parametrize(("candidate", "difference"), NOT_COMPARABLE, ids=["ids", "truth", "no ids", "kind", "totals"])
def test_another_test_set_is_not_comparable(stored_predictions, candidate, difference, update):
    with pytest.raises(BaselineError) as caught:
        stored_predictions.run(candidate, update)
    assert caught.value.where == str(stored_predictions.store.directory / "test_f1.json")
    assert caught.value.found.startswith(f"one that is not comparable: {difference}")
    assert caught.value.advice == (
        'Pass check(..., on_new_test_set="independent") to compare across the two test sets, or make this candidate '
        f"the baseline: {COMMAND} --bayesf1-update"
    )


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")  # few examples
@pytest.mark.parametrize("candidate", [case[0] for case in NOT_COMPARABLE], ids=["ids", "truth", "no ids", "kind", "n"])
def test_another_test_set_can_be_compared_as_such(stored_predictions, candidate):
    assert stored_predictions.run(candidate, on_new_test_set="independent").model == "independent"
    assert stored_predictions.run(candidate, Update.ALL).model == "independent"
    assert stored_predictions.kept == candidate
    assert stored_predictions.run(candidate).model != "independent"


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
def test_the_same_test_set_stays_paired_whatever_may_happen_on_a_new_one(stored_predictions):
    assert stored_predictions.run(predicted(), on_new_test_set="independent").model == "paired"


def test_an_update_on_another_test_set_is_judged_too(stored):
    much_worse = ConfusionMatrix([[3_000, 2_000], [1_000, 3_500]])
    with pytest.raises(AssertionError, match="significantly worse"):
        stored.run(much_worse, Update.ALL)
    assert stored.kept == BASELINE


@pytest.mark.parametrize("value", ["ignore", None, True])
def test_there_are_two_ways_to_treat_a_new_test_set(stored, value):
    with pytest.raises(InputError, match="on_new_test_set: expected one of fail, independent"):
        stored.run(BETTER, on_new_test_set=value)


OTHER_LABELS = [
    (ConfusionMatrix([[20, 0], [0, 20]], labels=["a", "c"]), "candidate.labels: expected the labels of baseline"),
    (
        ConfusionMatrix([[20, 0], [0, 20]], labels=[1, 2]),
        "candidate.labels: expected labels like baseline's ('a', ...)",
    ),
    (MultilabelCounts([[[2, 0], [2, 1]], [[3, 0], [0, 2]]]), "candidate: expected ConfusionMatrix, as baseline"),
]


@pytest.mark.parametrize(("candidate", "difference"), OTHER_LABELS, ids=["names", "kind", "multilabel"])
@pytest.mark.parametrize("update", [Update.NONE, Update.NEW, Update.ALL])
def test_other_labels_are_replaced_by_force_only(runs, candidate, difference, update):
    runs.store.write(Baseline("test_f1", ConfusionMatrix([[20, 0], [0, 20]], labels=["a", "b"])), None)
    with pytest.raises(BaselineError) as caught:
        runs.run(candidate, update)
    assert caught.value.found.startswith(f"one that is not comparable: {difference}")
    assert caught.value.advice == (
        f"If they changed on purpose, make this candidate the baseline: {COMMAND} --bayesf1-update=force"
    )
    assert runs.run(candidate, Update.FORCE) is None
    assert runs.kept == candidate


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
def test_a_class_that_occurs_for_the_first_time_is_no_other_labels(stored_predictions):
    candidate = predicted([*Y_PRED[:-1], "c"])
    with pytest.warns(UnexpectedPredictionsWarning, match=r"2\.5% of what the candidate predicts \(1 of 40\)"):
        assert stored_predictions.run(candidate).labels == ("a", "b")
