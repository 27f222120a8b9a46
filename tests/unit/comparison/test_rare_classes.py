from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import MultilabelCounts, PairedCounts, compare
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.comparison.suspicions import doubted_class
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.measures.classification import parse_measure

SIZES = {"a": 300, "b": 200, "c": 7}
TRUE = np.repeat(list(SIZES), list(SIZES.values()))
BASELINE = np.where(np.arange(TRUE.size) % 50 == 0, "a", TRUE)
CANDIDATE = np.where(np.arange(TRUE.size) % 60 == 1, "b", BASELINE)
MAY_BE_LOST = stats.beta(0.5, 7.5).ppf(0.975)


def paired(true=TRUE, baseline=BASELINE, candidate=CANDIDATE):
    return Experiment("paired", (PairedCounts.from_predictions(true, baseline, candidate).table,))


def doubted(experiment, measure, low):
    return doubted_class(experiment, parse_measure(measure, tuple(SIZES)), low, 0.95)


def recall(predicted):
    return np.mean([(predicted == TRUE)[label == TRUE].mean() for label in SIZES])


@pytest.mark.parametrize("measure", ["recall_macro", "balanced_accuracy"])
def test_seven_of_seven_may_be_as_few_as_the_upper_end_of_what_is_lost_says(measure):
    change = recall(CANDIDATE) - recall(BASELINE) - MAY_BE_LOST / 3
    assert doubted(paired(), measure, change + 1e-9) == 2
    assert doubted(paired(), measure, change - 1e-9) is None


def test_what_is_lost_is_predicted_as_something_else():
    """By macro-F1 the class that gets the examples loses, too."""
    lost = 7 * MAY_BE_LOST
    counts = np.array([[(row == TRUE) & (column == CANDIDATE) for column in SIZES] for row in SIZES]).sum(axis=2)
    attracted = 1 + (counts - np.diag(counts.diagonal())).sum(axis=0)[:2]
    moved = counts + lost * np.array([[0, 0, 0], [0, 0, 0], [*attracted / attracted.sum(), -1]])

    def macro_f1(matrix):
        return np.mean(2 * matrix.diagonal() / (matrix.sum(axis=0) + matrix.sum(axis=1)))

    before = np.array([[(row == TRUE) & (column == BASELINE) for column in SIZES] for row in SIZES]).sum(axis=2)
    change = macro_f1(moved) - macro_f1(before)
    assert doubted(paired(), "f1_macro", change + 1e-6) == 2
    assert doubted(paired(), "f1_macro", change - 1e-6) is None


@pytest.mark.parametrize("times", [1, 9])
def test_without_pairs_it_is_what_the_candidate_gets_wrong(times):
    """Of its own test set, where the two are not of one."""
    (table,) = paired().tables
    baseline, candidate = table.side(0), table.side(1)
    baseline = replace(baseline, count=times * baseline.count)
    sides = Experiment("same-set" if times == 1 else "independent", (baseline, candidate))
    wrong = sum((CANDIDATE != TRUE) & (TRUE == "c"))
    more = stats.beta(wrong + 0.5, 7 - wrong + 0.5).ppf(0.975) - wrong / 7
    change = recall(CANDIDATE) - recall(BASELINE) - more / 3
    assert doubted(sides, "recall_macro", change + 1e-9) == 2
    assert doubted(sides, "recall_macro", change - 1e-9) is None


@pytest.mark.parametrize("measure", ["f1[c]", lambda p: p[..., 2, 2]], ids=["one class", "own function"])
def test_what_is_no_average_over_classes_is_left_alone(measure):
    assert doubted(paired(), measure, 0.0) is None


def test_presences_of_a_label_are_a_class():
    truth = np.zeros((400, 2), int)
    truth[:200, 0], truth[:6, 1] = 1, 1
    side = MultilabelCounts.from_predictions(truth, truth)
    experiment = design_comparison(side, side, "paired").experiment
    measure = parse_measure("recall_macro", range(2), multilabel=True)
    lost = stats.beta(0.5, 6.5).ppf(0.975) / 2
    assert doubted_class(experiment, measure, -lost + 1e-9, 0.95) == 3
    assert doubted_class(experiment, measure, -lost - 1e-9, 0.95) is None


def test_such_a_class_leaves_open_whether_the_candidate_is_no_worse():
    larger, known = (np.append(each, ["c"] * 93) for each in (TRUE, BASELINE))
    sure = compare(larger, known, known, rope=0.05, measure="balanced_accuracy")
    assert (sure.decision, sure.is_not_inferior, sure.doubted_class) == ("~", True, None)
    found = compare(TRUE, BASELINE, BASELINE, rope=0.05, measure="balanced_accuracy")
    assert found.hdi[0] > -0.05
    assert (found.decision, found.is_not_inferior, found.doubted_class) == ("?", False, "c")
    assert "too few examples of c" in found.headline
    wider = compare(TRUE, BASELINE, BASELINE, rope=(-0.05, 1e-3), measure="balanced_accuracy")  # than the ROPE
    assert wider.hdi[1] > 1e-3
    assert (wider.decision, wider.is_not_inferior, wider.doubted_class) == ("?", False, "c")
