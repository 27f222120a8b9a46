import functools

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.measures.classification import Joint, f1_by_class, parse_measure
from pytest_bayesf1.measures.names import OVERALL, Detail

BINARY, THREE = ("ham", "spam"), ("a", "b", "c")
HAM_SPAM = np.array([[50, 2], [5, 43]])  # of spam: tp 43, fp 2, fn 5, tn 50
ABC = np.array([[4, 1, 0], [2, 3, 0], [0, 1, 4]])  # F1: 8/11, 6/10, 8/9


def joint(counts):
    p = np.asarray(counts) / np.sum(counts, axis=(-2, -1), keepdims=True)
    return Joint(p.sum(axis=-1), np.diagonal(p, axis1=-2, axis2=-1), p.sum(axis=-2), p)


def evaluate(measure, counts, labels=THREE):
    return parse_measure(measure, labels)(joint(counts))


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("f1", 86 / 93),
        ("precision", 43 / 45),
        ("recall", 43 / 48),
        ("jaccard", 43 / 50),
        ("specificity", 50 / 52),
        ("fbeta(2)", 215 / 237),
        ("f1[ham]", 100 / 107),
        ("recall[ham]", 50 / 52),
        ("fbeta(0.5)[ham]", 1.25 * 50 / (1.25 * 50 + 0.25 * 2 + 5)),
        ("accuracy", 0.93),
        ("balanced_accuracy", (50 / 52 + 43 / 48) / 2),
        ("g_mean", np.sqrt(50 / 52 * 43 / 48)),
        ("matthews_corrcoef", (43 * 50 - 2 * 5) / np.sqrt(45 * 48 * 52 * 55)),
        ("cohen_kappa", (0.93 - (0.52 * 0.55 + 0.48 * 0.45)) / (1 - (0.52 * 0.55 + 0.48 * 0.45))),
    ],
)
def test_two_classes(measure, expected):
    written = measure if "ham" in measure or measure in OVERALL else f"{measure}[spam]"
    assert evaluate(written, HAM_SPAM, BINARY) == pytest.approx(expected)
    if "ham" not in measure:
        assert evaluate(measure, HAM_SPAM, (0, 1)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("f1_macro", (8 / 11 + 6 / 10 + 8 / 9) / 3),
        ("f1_weighted", (8 / 11 + 6 / 10 + 8 / 9) / 3),
        ("f1_micro", 11 / 15),
        ("f1[b]", 0.6),
        ("precision_macro", (4 / 6 + 3 / 5 + 1) / 3),
        ("recall_weighted", 11 / 15),
        ("jaccard_micro", 11 / 19),
        ("specificity_micro", 26 / 30),
        ("fbeta_macro(2)", (20 / 26 + 15 / 25 + 20 / 24) / 3),
        ("g_mean", (0.8 * 0.6 * 0.8) ** (1 / 3)),
    ],
)
def test_three_classes(measure, expected):
    assert evaluate(measure, ABC) == pytest.approx(expected)


def test_weighted_averages_weigh_by_the_true_class():
    counts = [[8, 0], [1, 1]]
    assert evaluate("f1_weighted", counts, BINARY) == pytest.approx(0.8 * 16 / 17 + 0.2 * 2 / 3)


def test_f1_of_every_class():
    assert f1_by_class(ConfusionMatrix(ABC).table).tolist() == [8 / 11, 6 / 10, 8 / 9]


def test_equal_f1_scores_are_equal_to_the_last_bit_wherever_the_errors_lie():
    here, there = ConfusionMatrix([[8, 0, 5], [0, 9, 0], [0, 0, 9]]), ConfusionMatrix([[8, 2, 3], [0, 9, 0], [0, 0, 9]])
    assert f1_by_class(here.table)[0] == f1_by_class(there.table)[0] == 16 / 21


def test_the_f1_of_a_class_that_is_never_true_and_never_predicted_is_0():
    assert f1_by_class(ConfusionMatrix([[3, 1, 0], [0, 2, 0], [0, 0, 0]]).table)[2] == 0


@pytest.mark.parametrize("measure", ["f1_macro", "precision_macro", "recall_macro", "jaccard_macro"])
def test_a_class_that_is_never_true_is_in_no_average(measure):
    assert evaluate(measure, [[1, 0, 0], [0, 1, 0], [0, 0, 0]]) == 1
    mostly_right = [[9, 0, 0], [0, 8, 1], [0, 0, 0]]
    precise = measure == "precision_macro"
    assert (evaluate(measure, mostly_right) == 1) == precise  # that predicting it is wrong shows in the other measures


def test_balanced_accuracy_is_about_the_classes_that_occur():
    assert evaluate("balanced_accuracy", [[3, 1, 0], [0, 2, 2], [0, 0, 0]]) == pytest.approx((0.75 + 0.5) / 2)


def test_g_mean_is_0_when_a_class_is_never_found():
    assert evaluate("g_mean", [[3, 0], [2, 0]], BINARY) == 0


@pytest.mark.parametrize("measure", ["matthews_corrcoef", "cohen_kappa"])
def test_constant_predictions_agree_no_more_than_chance(measure):
    assert evaluate(measure, [[3, 0], [2, 0]], BINARY) == pytest.approx(0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fbeta(1)[b]", "f1[b]"),
        ("fbeta(0)[b]", "precision[b]"),
        ("fbeta_macro(1.0)", "f1_macro"),
        ("f1_micro", "accuracy"),
        ("recall_macro", "balanced_accuracy"),
    ],
)
def test_two_names_for_one_measure(one, other):
    assert evaluate(one, ABC) == pytest.approx(float(evaluate(other, ABC)))


def test_many_distributions_are_scored_at_once():
    scores = parse_measure("f1_macro", THREE)(joint(np.stack([ABC, np.eye(3)])))
    np.testing.assert_allclose(scores, [(8 / 11 + 6 / 10 + 8 / 9) / 3, 1.0])


@pytest.mark.parametrize(
    ("labels", "index"),
    [
        ((0, 1), 1),
        ((1, 0), 0),
        ((-1, 1), 1),
        ((False, True), 1),
        (("0", "1"), 1),
        (("-1", "1"), 1),
        (("False", "True"), 1),
        (("true", "false"), 0),
    ],
    ids=str,
)
@pytest.mark.parametrize("measure", ["f1", "precision", "recall", "jaccard", "specificity", "fbeta(2)"])
def test_a_measure_without_a_class_is_of_the_larger_of_two_numbers(measure, labels, index):
    parsed = parse_measure(measure, labels)
    assert parsed.class_index == index
    assert parsed.name == measure
    assert parsed.words.endswith(f" of {labels[index]}")


@pytest.mark.parametrize(
    ("labels", "true_labels", "index"),
    [
        (("0", "1", "N/A"), ("0", "1"), 1),
        ((-1, 0, 1), (0, 1), 2),
        ((0, 1, 2), (0,), 1),
    ],
    ids=["an answer that is none", "a class that is never true", "one class alone"],
)
def test_labels_that_no_example_has_leave_the_positive_class_as_it_is(labels, true_labels, index):
    assert parse_measure("f1", labels, true_labels=true_labels).class_index == index


@pytest.mark.parametrize(
    ("labels", "true_labels"),
    [
        (("fraud", "legit"), ("fraud", "legit")),
        (("N/A", "fraud", "legit"), ("fraud", "legit")),
    ],
    ids=["two", "two and an answer that is none"],
)
@pytest.mark.parametrize("measure", ["f1", "precision", "fbeta(2)"])
def test_which_of_two_names_is_positive_nobody_can_know(measure, labels, true_labels):
    with pytest.raises(InputError) as caught:
        parse_measure(measure, labels, true_labels=true_labels)
    assert caught.value.expected == "a class, since either of the two may be meant"
    assert caught.value.advice == f"Use '{measure}[fraud]' or '{measure}[legit]'."


@pytest.mark.parametrize("labels", [(1, 2), ("0", "N/A"), ("no", "yes"), (0, 2)], ids=str)
def test_other_pairs_have_no_positive_class(labels):
    with pytest.raises(InputError, match=rf"Use 'f1\[{labels[0]}\]' or 'f1\[{labels[1]}\]'"):
        parse_measure("f1", labels)


@pytest.mark.parametrize(("measure", "words"), [("f1[1]", "F1 of 1"), ("f1", "F1 of 1"), ("f1_macro", "macro-F1")])
def test_the_class_is_always_named(measure, words):
    assert parse_measure(measure, (0, 1)).words == words


@pytest.mark.parametrize(
    ("measure", "labels", "index"),
    [
        ("f1[a]", THREE, 0),
        ("f1[10]", (9, 10, 11), 1),
        ("f1[10.0]", (9, 10, 11), 1),
        ("f1[True]", (False, True), 1),
        ("f1[a]b]", ("[", "a]b"), 1),
        ("f1[two words]", ("one", "two words"), 1),
        ("f1[two\nlines]", ("two\nlines", "b"), 0),
        ("f1[]", ("", "b"), 0),
    ],
)
def test_a_class_is_found_by_its_label_as_text(measure, labels, index):
    assert parse_measure(measure, labels).class_index == index


@pytest.mark.parametrize(
    ("measure", "detail"), [("accuracy", Detail.TOTAL), ("f1_macro", Detail.MARGINS)], ids=["accuracy", "f1_macro"]
)
def test_a_measure_keeps_its_name_and_asks_for_the_detail_that_it_needs(measure, detail):
    parsed = parse_measure(measure, THREE)
    assert parsed.name == measure
    assert parsed.detail is detail


@pytest.mark.parametrize(
    ("measure", "expected", "found", "advice"),
    [
        ("f1_macr", "the name of a measure", "'f1_macr'", "'f1_macro'"),
        (5, "the name of a measure", "5", ""),
        ("f1", "an average or a class, since there are 3 classes", "'f1'", "'f1_macro' or 'f1[a]'"),
        ("fbeta(2)", "an average or a class", "'fbeta(2)'", "'fbeta_macro(2)'"),
        ("f1[d]", "a class among a, b, c", "'d'", ""),
        ("accuracy[a]", "plain 'accuracy'", "'accuracy[a]'", ""),
    ],
)
def test_what_is_not_a_measure_of_these_classes_is_an_error_that_helps(measure, expected, found, advice):
    with pytest.raises(InputError) as caught:
        parse_measure(measure, THREE)
    assert caught.value.where == "measure"
    assert expected in caught.value.expected
    assert found in caught.value.found
    assert advice in caught.value.advice


def error_rate(p):
    return 1 - np.trace(p, axis1=-2, axis2=-1)


def test_a_function_is_a_measure():
    measure = parse_measure(error_rate, THREE)
    assert measure.name == "error_rate"
    assert measure.detail is Detail.MATRIX
    assert measure(joint(ABC)) == pytest.approx(4 / 15)
    np.testing.assert_allclose(measure(joint(np.stack([ABC, np.eye(3)]))), [4 / 15, 0], atol=1e-12)


def test_a_function_without_a_name_is_called_custom():
    assert parse_measure(functools.partial(error_rate), THREE).name == "custom"


@pytest.mark.parametrize(
    ("function", "expected", "found"),
    [
        (lambda p: p.sum(axis=-1), "(2,)", "(2, 3)"),
        (lambda p: p.sum(), "(2,)", "()"),
        (lambda _: 0.5, "(2,)", "()"),
    ],
    ids=["too many axes", "too few axes", "a constant"],
)
def test_a_function_must_reduce_the_last_two_axes(function, expected, found):
    with pytest.raises(InputError) as caught:
        evaluate(function, np.stack([ABC, ABC]))
    assert caught.value.where == "measure <lambda>"
    assert f"shape {expected}" in caught.value.expected
    assert caught.value.found == f"shape {found}"
    assert "last two axes" in caught.value.advice


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_function_must_give_finite_scores(value):
    with pytest.raises(InputError, match="measure <lambda>: expected finite scores"):
        evaluate(lambda p: p[..., 0, 0] * value, ABC)
