"""Which classes are scored along with a comparison."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, compare
from pytest_bayesf1.comparison.breakdown import breakdown
from pytest_bayesf1.comparison.subject import CLASS_DRAWS, MOST_CLASSES, class_scoring_of, f1_of_classes
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure

TRUE = np.arange(300) % 3
SIDES = (TRUE + (np.arange(300) % 5 == 0)) % 3, np.where(np.arange(300) % 30 == 0, 0, TRUE)
PAIRS = Experiment("paired", (OutcomeTable.tally(3, TRUE, *SIDES),))
BASELINE = ConfusionMatrix([[80, 10, 10], [5, 90, 5], [4, 6, 90]])
CANDIDATE = ConfusionMatrix([[60, 25, 15], [5, 90, 5], [2, 6, 92]])


def class_scoring(experiment, *measures):
    labels = range(experiment.n_classes)
    return class_scoring_of(experiment, [parse_measure(measure, labels) for measure in measures])


@pytest.mark.parametrize("measure", ["f1_macro", "precision_macro", "matthews_corrcoef", lambda p: p[..., 0, 0]])
def test_measures_that_look_at_predictions_bring_all_classes(measure):
    found = class_scoring(PAIRS, measure)
    assert found.scoring.indices.tolist() == [0, 1, 2]
    assert found.n_draws == CLASS_DRAWS


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy"])
def test_measures_that_look_less_closely_bring_none(measure):
    assert class_scoring(PAIRS, measure) is None


def test_nobody_asks_for_the_others_of_one_class():
    assert class_scoring(PAIRS, "f1[1]") is None
    assert class_scoring(PAIRS, "f1[1]", "f1_macro") is not None


def test_of_two_classes_each_is_the_other_s():
    two = Experiment("paired", (OutcomeTable.tally(2, TRUE % 2, TRUE % 2, SIDES[1] % 2),))
    assert class_scoring(two, "f1") is not None


def test_one_classifier_has_no_differences():
    assert class_scoring(Experiment("single", (OutcomeTable.tally(3, TRUE, SIDES[0]),)), "f1_macro") is None


def test_of_many_classes_those_that_changed_most():
    true = np.repeat(np.arange(MOST_CLASSES + 50), 4)
    worse = np.where((true >= 50) & (np.arange(true.size) % 4 == 0), (true + 1) % true.max(), true)
    many = Experiment("paired", (OutcomeTable.tally(MOST_CLASSES + 50, true, true, worse),))
    chosen = f1_of_classes(many).indices
    assert chosen.size == MOST_CLASSES
    assert np.isin(np.arange(52, MOST_CLASSES + 50), chosen).all()


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.errors.UnexpectedPredictionsWarning")
def test_what_the_truth_never_has_is_no_class():
    rows = [[80, 10, 10], [5, 90, 5], [0, 0, 0]]
    found = compare(*(ConfusionMatrix(rows, list("abc")) for _ in range(2)), rope=0.01)
    assert found.provenance.classes.hdis.shape == (2, 2)


@pytest.mark.parametrize("n_draws", [CLASS_DRAWS, 7_000, None])
def test_the_draws_are_the_first_of_the_comparison(n_draws):
    found = compare(BASELINE, CANDIDATE, rope=0.01, n_draws=n_draws)
    assert found.provenance.classes.means.mean() == pytest.approx(found.delta[:CLASS_DRAWS].mean(), abs=1e-12)


def test_what_is_kept_of_the_classes_does_not_grow_with_the_draws():
    kept = compare(BASELINE, CANDIDATE, rope=0.01).without_draws().provenance.classes
    assert kept.means.shape == (3,)
    assert kept.means.base is None


def test_classes_are_the_same_where_they_have_to_be_drawn_on_their_own():
    """Up to Monte Carlo error: the mean of 2,500 draws is off by a fiftieth of their standard deviation."""
    beside, alone = (compare(BASELINE, CANDIDATE, rope=0.01, measure=name) for name in ("f1_macro", "accuracy"))
    assert alone.provenance.classes is None
    by_label = {each.label: each for each in breakdown(alone).classes}
    for each in breakdown(beside).classes:
        spread = (each.hdi[1] - each.hdi[0]) / 4
        assert each.mean == pytest.approx(by_label[each.label].mean, abs=5 * 2**0.5 * spread / 50)
