"""Multi-label counts become experiments as confusion matrices do."""

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, PairedCounts, Prior, assert_at_least, compare
from pytest_bayesf1.comparison.design import design_comparison, design_estimate
from tests.unit.refused import assert_refused, case

LABELS = ("art", "law", "war")
Y_TRUE = [{"art", "war"}, {"art"}, set(), {"law"}, {"law", "art"}, {"war"}]
BASELINE = [{"war"}, {"art"}, {"war"}, {"law"}, {"law"}, {"war"}]
CANDIDATE = [{"war", "art"}, {"art"}, set(), {"art"}, {"law"}, {"war"}]
JOINT = [  # (true, baseline, candidate) of every label
    [[[2, 1], [0, 0]], [[1, 1], [0, 1]]],
    [[[4, 0], [0, 0]], [[0, 0], [1, 1]]],
    [[[3, 0], [1, 0]], [[0, 0], [0, 2]]],
]


def predicted(y_pred, y_true=Y_TRUE, **options):
    return MultilabelCounts.from_predictions(y_true, y_pred, **options)


PREDICTED = (predicted(BASELINE), predicted(CANDIDATE))
BARE = tuple(MultilabelCounts(side.counts, side.labels) for side in PREDICTED)
OTHER_SET = MultilabelCounts(BARE[1].counts * 2, LABELS)


@pytest.mark.parametrize(
    ("sides", "model", "chosen", "reason"),
    [
        (PREDICTED, "auto", "paired", "both sides' predictions"),
        (PREDICTED, "same-set", "same-set", "asked for"),
        (PREDICTED, "independent", "independent", "asked for"),
        (BARE, "auto", "same-set", "which predictions pair up is unknown"),
        (BARE, "independent", "independent", "asked for"),
        ((PREDICTED[0], BARE[1]), "auto", "same-set", "which predictions pair up is unknown"),
        ((BARE[0], OTHER_SET), "auto", "independent", "two different test sets"),
    ],
)
def test_the_strongest_model_that_the_data_allow_or_the_one_asked_for(sides, model, chosen, reason):
    design = design_comparison(*sides, model)
    assert design.experiment.model == chosen
    assert reason in design.reason
    assert design.labels == LABELS
    assert design.experiment.multilabel


def test_pairs_are_joint_outcomes_of_every_label():
    (table,) = design_comparison(*PREDICTED, "auto").experiment.tables
    assert table.label_counts.tolist() == JOINT
    assert table.n_samples == 6


def test_examples_pair_up_by_id():
    order = [4, 2, 0, 5, 1, 3]
    shuffled = [[column[position] for position in order] for column in (CANDIDATE, Y_TRUE)]
    sides = (
        predicted(BASELINE, ids=list("uvwxyz")),
        predicted(*shuffled, ids=["uvwxyz"[position] for position in order]),
    )
    (table,) = design_comparison(*sides, "auto").experiment.tables
    assert table.label_counts.tolist() == JOINT


def test_a_label_that_one_side_alone_predicts_is_a_label_of_both():
    design = design_comparison(predicted(BASELINE), predicted([*CANDIDATE[:5], {"tax"}]), "auto")
    assert design.labels == ("art", "law", "tax", "war")
    (table,) = design.experiment.tables
    assert table.label_counts[2].ravel().tolist() == [5, 1, 0, 0, 0, 0, 0, 0]


def test_labels_in_another_order_pair_up():
    sides = predicted(BASELINE, labels=["war", "law", "art"]), predicted(CANDIDATE, labels=LABELS)
    (table,) = design_comparison(*sides, "auto").experiment.tables
    assert table.label_counts.tolist() == JOINT[::-1]


@pytest.mark.parametrize("named_first", [True, False])
def test_an_array_takes_the_names_of_a_frame_and_is_still_paired(named_first):
    tables = [
        np.array([[label in each for label in LABELS] for each in sets]) for sets in (Y_TRUE, BASELINE, CANDIDATE)
    ]
    y_true, baseline, candidate = tables
    sides = [predicted(pd.DataFrame(baseline, columns=LABELS), y_true), predicted(candidate, y_true)]
    design = design_comparison(*(sides if named_first else sides[::-1]), "auto")
    assert design.labels == LABELS
    assert design.experiment.model == "paired"


def test_an_estimate_is_about_one_classifier():
    design = design_estimate(PREDICTED[0])
    assert design.labels == LABELS
    assert design.experiment.tables[0].n_samples == 6


def run(baseline, candidate, **arguments):
    return compare(baseline, candidate, **{"rope": 0.05, "n_draws": 1_000, **arguments})


def shifted(**cells):
    """Return bare counts of the candidate with other counts of "war"."""
    counts = BARE[1].counts
    counts[2] = [[cells["tn"], cells["fp"]], [cells["fn"], cells["tp"]]]
    return MultilabelCounts(counts, LABELS)


@pytest.mark.parametrize(
    ("call", "where", "expected", "found", "advice"),
    [
        case(
            "classes against labels",
            lambda: run(PREDICTED[0], [[1, 2], [3, 4]]),
            "candidate",
            "MultilabelCounts, as baseline",
            "ConfusionMatrix",
        ),
        case(
            "labels against classes",
            lambda: run(ConfusionMatrix([[1, 2], [3, 4]]), PREDICTED[0]),
            "candidate",
            "ConfusionMatrix, as baseline",
            "MultilabelCounts",
        ),
        case(
            "labels beside pairs",
            lambda: run(PairedCounts.from_predictions([0, 1], [0, 1], [0, 1]), PREDICTED[0]),
            "candidate",
            "nothing beside PairedCounts",
            "MultilabelCounts",
        ),
        case(
            "bare counts as pairs",
            lambda: run(*BARE, model="paired"),
            "baseline",
            "predictions to pair",
            "bare counts",
            "MultilabelCounts.from_predictions",
        ),
        case(
            "another truth",
            lambda: run(PREDICTED[0], predicted(CANDIDATE, [*Y_TRUE[:4], {"art"}, set()])),
            "candidate.y_true",
            "the y_true of baseline",
            "2 examples that differ, first at position 4 ({'art', 'law'} and {'art'})",
            "ids=",
        ),
        case(
            "fewer examples",
            lambda: run(PREDICTED[0], predicted(CANDIDATE[:5], Y_TRUE[:5])),
            "candidate",
            "6 examples, as in baseline",
            "5",
            "model='independent'",
        ),
        case(
            "fewer labels",
            lambda: run(MultilabelCounts(BARE[0].counts), MultilabelCounts(BARE[0].counts[:2])),
            "candidate",
            "3 classes, as in baseline",
            "2",
        ),
        case(
            "same-set of two sets, by a label",
            lambda: run(BARE[0], shifted(tn=3, fp=0, fn=1, tp=2), model="same-set"),
            "candidate",
            "row totals of baseline",
            "3 examples of class 'war' instead of 2",
            "model='independent'",
        ),
        case(
            "same-set of two sets, by size",
            lambda: run(MultilabelCounts([[[3, 1], [1, 1]]]), MultilabelCounts([[[4, 1], [1, 1]]]), model="same-set"),
            "candidate",
            "row totals of baseline",
            "7 examples instead of 6",
            "model='independent'",
        ),
        case(
            "nothing but absences",
            lambda: assert_at_least(MultilabelCounts([[[9, 0], [0, 0]]]), 0.5),
            "measure f1_macro",
            "an example of every class, whose f1 it averages",
            "none of any class",
            "use accuracy",
        ),
        case(
            "a precision that nobody knows",
            lambda: run(*[MultilabelCounts([[[5, 1], [2, 2]], [[8, 0], [2, 0]]])] * 2, measure="precision_macro"),
            "measure precision_macro",
            "a prediction of every class, whose precision it averages",
            "none of class 1 by the baseline",
            "Use f1",
        ),
        case(
            "a pooled precision that nobody knows",
            lambda: run(*[MultilabelCounts([[[6, 0], [4, 0]], [[8, 0], [2, 0]]])] * 2, measure="precision_micro"),
            "measure precision_micro",
            "a prediction of every class",
            "none of class 0 by the baseline",
            "Use f1",
        ),
        case(
            "a specificity that nobody knows",
            lambda: run(*[MultilabelCounts([[[5, 1], [2, 2]], [[0, 0], [2, 8]]])] * 2, measure="specificity_macro"),
            "measure specificity_macro",
            "an example outside every class, whose specificity it averages",
            "none of class 1 in the test set of the baseline",
            "Use recall",
        ),
        case(
            "a measure of classes",
            lambda: run(*PREDICTED, measure="matthews_corrcoef"),
            "measure",
            "labels that do not exclude one another",
            "'matthews_corrcoef'",
            "accuracy",
        ),
        case(
            "a new label after a posterior",
            lambda: run(*[predicted([{"tax"}], [{"art"}])] * 2, prior=run(*PREDICTED).as_prior()),
            "prior",
            "counts of every class of the data",
            "none of 'tax'",
        ),
        case(
            "pseudo-counts of classes",
            lambda: run(*BARE, prior=Prior.from_counts(np.ones((6, 6)))),
            "prior",
            "(multilabel=True) for the model 'same-set': one array of shape (3, 2, 2), or one per side",
            "1 array of shape (6, 6)",
        ),
        case(
            "pseudo-counts of labels for classes",
            lambda: run(np.eye(4), np.eye(4), prior=Prior.from_counts(np.ones((2, 2, 2)), multilabel=True)),
            "prior",
            "pseudo-counts for the model 'same-set': one array of shape (4, 4), or one per side",
            "1 array of shape (2, 2, 2)",
        ),
    ],
)
def test_bad_input(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnexpectedPredictionsWarning")
def test_a_label_that_no_example_has_is_in_no_average():
    rare = MultilabelCounts([[[5, 1], [2, 2]], [[8, 2], [0, 0]]])
    never = MultilabelCounts([[[5, 1], [2, 2]], [[10, 0], [0, 0]]])
    result = run(never, rare, measure="f1_macro")
    assert result.baseline.observed == result.candidate.observed == pytest.approx(4 / 7)
    assert result.notes()[0] == "1: predicted 2 times by the candidate, never true: counted as wrong, in no average."
    assert run(never, rare, measure="f1_micro").candidate.observed == pytest.approx(4 / 9)
    assert run(never, rare, measure="accuracy").candidate.observed == pytest.approx((0.7 + 0.8) / 2)
    assert run(never, rare, measure="recall_macro").labels == (0,)


def test_a_label_that_every_example_has_is_no_mistake():
    always = MultilabelCounts([[[5, 1], [2, 2]], [[0, 0], [2, 8]]])
    assert run(always, always).decision in "?~"


def test_earlier_counts_may_know_a_label_that_the_new_ones_lack():
    prior = run(*PREDICTED).as_prior()
    later = predicted([{"art"}, {"law"}, set()], [{"art"}, set(), {"law"}])
    result = run(later, later, prior=prior)
    assert result.labels == LABELS
    assert str(result.provenance.prior) == "hierarchical after 6 earlier examples"
