import numpy as np
import pytest

from pytest_bayesf1 import InputError, MultilabelCounts
from pytest_bayesf1.measures.classification import Joint, f1_by_class, parse_measure
from pytest_bayesf1.measures.names import Detail

LABELS = ("art", "law", "war")
COUNTS = np.array([[[5, 1], [2, 2]], [[3, 2], [0, 5]], [[8, 0], [1, 1]]])  # [[tn, fp], [fn, tp]]
F1 = (4 / 7, 10 / 12, 2 / 3)


def parsed(measure, labels=LABELS):
    return parse_measure(measure, labels, multilabel=True)


def evaluate(measure, counts=COUNTS, labels=LABELS):
    return parsed(measure, labels)(Joint.observed(MultilabelCounts(counts).table, Detail.MARGINS))


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("f1[art]", 4 / 7),
        ("precision[law]", 5 / 7),
        ("recall[art]", 2 / 4),
        ("jaccard[art]", 2 / 5),
        ("specificity[law]", 3 / 5),
        ("fbeta(2)[war]", 5 / 9),
        ("f1_macro", sum(F1) / 3),
        ("f1_weighted", (4 * F1[0] + 5 * F1[1] + 2 * F1[2]) / 11),
        ("f1_micro", 16 / 22),
        ("precision_micro", 8 / 11),
        ("recall_micro", 8 / 11),
        ("specificity_micro", 16 / 19),
        ("specificity_macro", (5 / 6 + 3 / 5 + 1) / 3),
        ("recall_macro", (2 / 4 + 1 + 1 / 2) / 3),
        ("accuracy", 24 / 30),
    ],
)
def test_three_labels(measure, expected):
    assert evaluate(measure) == pytest.approx(expected)


def test_one_label_needs_no_name():
    assert evaluate("f1", COUNTS[:1], ("art",)) == pytest.approx(4 / 7)


@pytest.mark.parametrize("measure", ["f1_macro", "f1_weighted", "f1_micro"])
def test_labels_that_are_never_there_and_never_predicted_score_0(measure):
    assert evaluate(measure, [[[9, 0], [0, 0]]] * 3) == 0


def test_f1_of_every_label():
    assert f1_by_class(MultilabelCounts(COUNTS).table).tolist() == list(F1)


def test_a_function_sees_a_matrix_for_every_label():
    seen = []

    def f1_of_the_worst(p):
        seen.append(p)
        return (2 * p[..., 1, 1] / (2 * p[..., 1, 1] + p[..., 0, 1] + p[..., 1, 0])).min(axis=-1)

    assert evaluate(f1_of_the_worst) == pytest.approx(4 / 7)
    np.testing.assert_allclose(seen[0], COUNTS / 10)


def test_many_distributions_are_scored_at_once():
    joint = Joint(np.full((5, 3, 2), 0.5), np.full((5, 3, 2), 0.25))
    assert parsed("f1_macro")(joint).shape == (5,)
    assert parsed(lambda p: p[..., 1, 1].mean(axis=-1))(joint) == pytest.approx(np.full(5, 0.25))


@pytest.mark.parametrize(
    ("function", "found"), [(lambda p: p.sum(axis=(-2, -1)), "shape (3,)"), (lambda p: p, "shape (3, 2, 2)")]
)
def test_a_function_must_reduce_the_last_three_axes(function, found):
    with pytest.raises(InputError) as caught:
        evaluate(function)
    assert "scores of shape () for joint probabilities of shape (3, 2, 2)" in caught.value.expected
    assert caught.value.found == found
    assert "last three axes" in caught.value.advice


@pytest.mark.parametrize("measure", ["balanced_accuracy", "matthews_corrcoef", "cohen_kappa", "g_mean"])
def test_measures_of_classes_that_exclude_one_another_are_refused(measure):
    with pytest.raises(InputError) as caught:
        parsed(measure)
    assert caught.value.where == "measure"
    assert "labels that do not exclude one another" in caught.value.expected
    assert caught.value.found == repr(measure)
    assert "accuracy" in caught.value.advice
    assert "f1[label]" in caught.value.advice


@pytest.mark.parametrize(
    ("measure", "labels", "expected"),
    [
        ("f1", LABELS, "an average or a class, since there are 3 labels"),
        ("f1", LABELS[:2], "an average or a class, since there are 2 labels"),
        ("f1[tax]", LABELS, "a class among art, law, war"),
        ("f1_macr", LABELS, "the name of a measure"),
        ("accuracy[art]", LABELS, "plain 'accuracy'"),
    ],
)
def test_what_is_not_a_measure_of_these_labels_is_an_error(measure, labels, expected):
    with pytest.raises(InputError) as caught:
        parsed(measure, labels)
    assert expected in caught.value.expected


@pytest.mark.parametrize("measure", ["f1_macro", "f1_micro", lambda p: p[..., 1, 1].mean(axis=-1)])
def test_right_and_wrong_by_true_class_is_all_that_a_measure_needs(measure):
    assert parsed(measure).detail is Detail.CORRECT
