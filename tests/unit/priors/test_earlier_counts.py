import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, Prior
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from pytest_bayesf1.priors import HIERARCHICAL

TRUE = ["a", "a", "b", "b", "c"]
PAIRS = PairedCounts.from_predictions(TRUE, ["a", "b", "b", "b", "c"], ["a", "a", "c", "b", "c"])
MATRIX = ConfusionMatrix([[5, 1, 0], [2, 3, 1], [0, 1, 4]], labels=["a", "b", "c"])
BINARY = [[5, 1], [2, 3]]


def posterior(design):
    return HIERARCHICAL.after(design.experiment, design.labels).counts


ALONE = posterior(design_estimate(MATRIX))
PAIRED = posterior(design_comparison(PAIRS, None, "auto"))
SAME_SET = posterior(design_comparison(MATRIX, MATRIX, "auto"))
INDEPENDENT = posterior(design_comparison(MATRIX, MATRIX, "independent"))


def test_the_model_of_the_earlier_counts_is_that_of_the_new_ones():
    design = design_comparison(MATRIX, MATRIX, "auto", INDEPENDENT)
    assert design.experiment.model == "independent"
    assert design.reason == "the prior is a posterior of this model"
    assert design_comparison(PAIRS, None, "auto", SAME_SET).experiment.model == "same-set"
    assert design_estimate(MATRIX, ALONE).experiment.model == "single"


def test_earlier_counts_lie_beside_the_new_ones():
    experiment = design_estimate(MATRIX, ALONE).experiment
    assert experiment.tables[0].n_samples == 17
    assert experiment.known[0].n_samples == 34


def test_one_array_serves_for_each_side_and_for_any_model():
    one = Prior.from_counts(np.eye(3)).counts
    for model in ("same-set", "independent"):
        design = design_comparison(MATRIX, MATRIX, model, one)
        assert design.reason == "it was asked for"
        assert [table.n_samples for table in design.experiment.known] == [20, 20]
    assert design_estimate(MATRIX, one).experiment.known[0].n_samples == 20


def test_classes_come_in_the_order_of_the_earlier_ones_and_may_be_missing():
    turned = ConfusionMatrix([[4, 1], [2, 3]], labels=["c", "a"])
    design = design_estimate(turned, ALONE)
    assert design.labels == ("a", "b", "c")
    assert design.experiment.tables[0].true.tolist() == [0, 0, 2, 2]
    assert design.experiment.tables[0].count.tolist() == [3, 2, 1, 4]


def test_a_class_that_only_pseudo_counts_hold_is_no_mistake():
    assert design_estimate([[3, 1, 0], [0, 3, 0], [0, 0, 0]], Prior.from_counts(np.eye(3)).counts).labels == (0, 1, 2)


@pytest.mark.parametrize(
    ("call", "expected", "found", "advice"),
    [
        (
            lambda: design_comparison(MATRIX, MATRIX, "auto", ALONE),
            "a posterior of the model 'paired' or 'same-set' or 'independent'",
            "one of the model 'single'",
            "",
        ),
        (
            lambda: design_comparison(PAIRS, None, "auto", ALONE),
            "a posterior of the model 'paired' or 'same-set' or 'independent'",
            "one of the model 'single'",
            "",
        ),
        (lambda: design_estimate(MATRIX, PAIRED), "a posterior of the model 'single'", "'paired'", ""),
        (
            lambda: design_comparison(MATRIX, MATRIX, "independent", SAME_SET),
            "a posterior of the model 'independent'",
            "one of the model 'same-set'",
            "",
        ),
        (
            lambda: design_estimate(ConfusionMatrix(BINARY, labels=["a", "d"]), ALONE),
            "counts of every class of the data",
            "none of 'd'",
            "Begin with the test set that holds all classes",
        ),
        (lambda: design_estimate(BINARY, ALONE), "counts of every class of the data", "none of 0, 1", "labels=[...]"),
        (
            lambda: design_estimate(
                ConfusionMatrix(BINARY, labels=[False, True]), Prior.from_counts(BINARY, labels=[0, 1]).counts
            ),
            "counts of every class of the data",
            "none of False, True",
            "labels=[...]",
        ),
        (
            lambda: design_estimate(MATRIX, Prior.from_counts(np.eye(2)).counts),
            "pseudo-counts for the model 'single': one array of shape (3, 3)",
            "1 array of shape (2, 2)",
            "",
        ),
        (
            lambda: design_estimate(MATRIX, Prior.from_counts(np.eye(3), np.eye(3)).counts),
            "pseudo-counts for the model 'single': one array of shape (3, 3)",
            "2 arrays of shape (3, 3)",
            "",
        ),
        (
            lambda: design_comparison(PAIRS, None, "auto", Prior.from_counts(np.eye(3)).counts),
            "pseudo-counts for the model 'paired': one array of shape (3, 3, 3)",
            "1 array of shape (3, 3)",
            "",
        ),
        (
            lambda: design_comparison(MATRIX, MATRIX, "auto", Prior.from_counts(np.ones((3, 3, 3))).counts),
            "pseudo-counts for the model 'same-set': one array of shape (3, 3), or one per side",
            "1 array of shape (3, 3, 3)",
            "",
        ),
        (
            lambda: design_comparison(BINARY, BINARY, "auto", Prior.from_counts(np.eye(2), 2 * np.eye(2)).counts),
            "pseudo-counts whose row totals agree",
            "[1.0, 1.0] and [2.0, 2.0]",
            "model='independent'",
        ),
    ],
)
def test_earlier_counts_that_do_not_fit(call, expected, found, advice):
    with pytest.raises(InputError) as caught:
        call()
    assert caught.value.where == "prior"
    assert expected in caught.value.expected
    assert found in caught.value.found
    assert advice in caught.value.advice


def test_a_posterior_of_pairs_asks_for_predictions():
    with pytest.raises(InputError, match="expected predictions to pair, got bare counts"):
        design_comparison(MATRIX, MATRIX, "auto", PAIRED)


def test_a_posterior_of_one_test_set_asks_for_one_test_set():
    with pytest.raises(InputError, match="expected the row totals of baseline"):
        design_comparison(
            [[5, 1], [2, 3]], [[5, 2], [2, 3]], "auto", posterior(design_comparison(BINARY, BINARY, "auto"))
        )
