import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.comparison.design import design_comparison, design_estimate

Y_TRUE, BASELINE, CANDIDATE = [0, 0, 1, 1, 1], [0, 1, 1, 1, 0], [0, 0, 1, 1, 0]
PREDICTED = (ConfusionMatrix.from_predictions(Y_TRUE, BASELINE), ConfusionMatrix.from_predictions(Y_TRUE, CANDIDATE))
PAIRS = PairedCounts.from_predictions(Y_TRUE, BASELINE, CANDIDATE)
COUNTS = ([[1, 1], [1, 2]], [[2, 0], [1, 2]])
OTHER_SET = [[20, 3], [4, 21]]


@pytest.mark.parametrize(
    ("sides", "model", "chosen"),
    [
        (PREDICTED, "auto", "paired"),
        (PREDICTED, "paired", "paired"),
        (PREDICTED, "same-set", "same-set"),
        (PREDICTED, "independent", "independent"),
        ((PAIRS, None), "auto", "paired"),
        ((PAIRS, None), "paired", "paired"),
        ((PAIRS, None), "same-set", "same-set"),
        ((PAIRS, None), "independent", "independent"),
        (COUNTS, "auto", "same-set"),
        (COUNTS, "same-set", "same-set"),
        (COUNTS, "independent", "independent"),
        ((COUNTS[0], OTHER_SET), "auto", "independent"),
        ((COUNTS[0], OTHER_SET), "independent", "independent"),
        ((PREDICTED[0], COUNTS[1]), "auto", "same-set"),
        ((PREDICTED[0], OTHER_SET), "auto", "independent"),
    ],
)
def test_the_strongest_model_that_the_data_allow_or_the_one_asked_for(sides, model, chosen):
    assert design_comparison(*sides, model).experiment.model == chosen


@pytest.mark.parametrize(
    ("sides", "model", "reason"),
    [
        (PREDICTED, "auto", "both sides' predictions"),
        ((PAIRS, None), "auto", "joint outcomes"),
        (COUNTS, "auto", "which predictions pair up is unknown"),
        (COUNTS, "same-set", "asked for"),
        ((COUNTS[0], OTHER_SET), "auto", "two different test sets"),
        (COUNTS, "independent", "asked for"),
    ],
)
def test_the_reason_is_given(sides, model, reason):
    assert reason in design_comparison(*sides, model).reason


def test_a_paired_experiment_is_one_table_of_both_sides():
    design = design_comparison(*PREDICTED, "auto")
    (table,) = design.experiment.tables
    assert table.n_sides == 2
    assert [side.n_samples for side in design.experiment.sides] == [5, 5]


@pytest.mark.parametrize("model", ["same-set", "independent"])
def test_pairs_that_are_not_to_be_paired_become_two_matrices(model):
    baseline, candidate = design_comparison(PAIRS, None, model).experiment.tables
    assert baseline.row_totals.tolist() == candidate.row_totals.tolist() == [2, 3]
    assert baseline.count.tolist() == [1, 1, 1, 2]
    assert candidate.count.tolist() == [2, 1, 2]


def test_the_labels_are_those_of_both_sides():
    one = ConfusionMatrix.from_predictions(["a", "b"], ["a", "b"])
    other = ConfusionMatrix.from_predictions(["a", "b"], ["c", "b"])
    assert design_comparison(one, other, "auto").labels == ("a", "b", "c")


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [
        ([[3, 0, 0], [0, 3, 0], [0, 0, 0]], [[3, 0, 0], [0, 2, 1], [0, 0, 0]]),
        ([[3, 0, 0], [0, 3, 0], [0, 0, 0]], [[3, 0, 0], [0, 3, 0], [1, 0, 0]]),
    ],
    ids=["predicted once", "true once"],
)
def test_a_class_seen_on_one_side_is_enough(baseline, candidate):
    assert len(design_comparison(baseline, candidate, "independent").labels) == 3


def test_a_class_without_examples_is_no_class_of_the_problem():
    unused, predicted = [[3, 1, 0], [0, 3, 0], [0, 0, 0]], [[3, 1, 0], [0, 2, 1], [0, 0, 0]]
    for design in (design_comparison(unused, predicted, "auto"), design_estimate(predicted)):
        assert design.experiment.unsupported == (2,)
        assert (design.labels, design.true_labels) == ((0, 1, 2), (0, 1))


def test_a_class_with_examples_in_one_of_two_test_sets_is_one():
    design = design_comparison([[3, 1, 0], [0, 3, 0], [0, 0, 0]], [[3, 0, 0], [0, 3, 0], [1, 0, 3]], "auto")
    assert design.experiment.model == "independent"
    assert design.experiment.unsupported == ()


def test_row_totals_that_differ_are_told_by_class():
    baseline = ConfusionMatrix([[5, 1], [2, 7]], labels=["ham", "spam"])
    with pytest.raises(InputError) as caught:
        design_comparison(baseline, [[5, 1], [2, 9]], "same-set")
    assert caught.value.where == "candidate"
    assert caught.value.found == "11 examples of class 'spam' instead of 9"
    assert "independent" in caught.value.advice


def test_an_estimate_is_about_one_classifier():
    design = design_estimate([[5, 1], [2, 7]])
    assert design.experiment.model == "single"
    assert design.labels == (0, 1)
    assert [side.n_samples for side in design.experiment.sides] == [15]
