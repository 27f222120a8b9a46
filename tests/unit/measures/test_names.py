import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.measures.names import MeasureName, parse_name, recorded_measure


@pytest.mark.parametrize(
    ("text", "base", "average", "beta", "label"),
    [
        ("accuracy", "accuracy", "", 1, None),
        ("f1_macro", "f1", "macro", 1, None),
        ("fbeta(2)", "fbeta", "", 2, None),
        ("fbeta_micro(0)", "fbeta", "micro", 0, None),
        ("f1_micro[without O]", "f1", "micro", 1, "O"),
        ("f1[without O]", "f1", "", 1, "without O"),
        ("fbeta(0.5)[spam]", "fbeta", "", 0.5, "spam"),
        ("recall[a_macro(2)]", "recall", "", 1, "a_macro(2)"),
        ("f1[two\nlines]", "f1", "", 1, "two\nlines"),
    ],
)
def test_a_name_is_taken_apart(text, base, average, beta, label):
    assert parse_name(text) == MeasureName(text, base, average, beta, label)


@pytest.mark.parametrize(
    ("text", "label", "threshold", "words"),
    [
        ("f1@0.5", None, 0.5, "F1 at 0.5"),
        ("fbeta_macro(2)@-1e-3", None, -0.001, "macro-F2 at -0.001"),
        ("recall[spam]@1", "spam", 1, "recall of spam at 1"),
        ("recall[a@b]", "a@b", None, "recall of a@b"),
    ],
)
def test_a_threshold_stands_behind_a_name(text, label, threshold, words):
    name = parse_name(text)
    assert (name.label, name.threshold, name.words) == (label, threshold, words)


@pytest.mark.parametrize(
    ("text", "expected", "advice"),
    [
        ("F1_Macro", "the name of a measure", "f1_macro"),
        ("kaleidoscope", "the name of a measure", "balanced_accuracy"),
        ("", "the name of a measure", "f1_macro"),
        ("f1_macro[a]", "the name of a measure", "f1_macro"),
        ("roc_auc@0.5", "plain 'roc_auc'", ""),
        *((text, "fbeta(2)", "") for text in ("fbeta", "fbeta_macro")),
        ("f1(2)", "f1 has no beta, unlike", ""),
        *((text, "a finite beta", "") for text in ("fbeta(two)", "fbeta()", "fbeta(inf)", "fbeta(nan)")),
        ("fbeta(-1)", "not negative", ""),
        *((text, "plain 'accuracy'", "") for text in ("accuracy[a]", "accuracy_macro")),
        *((text, "a number behind @", "") for text in ("f1@", "f1@nan", "f1@half")),
    ],
)
def test_what_is_not_a_name_is_an_error_that_helps(text, expected, advice):
    with pytest.raises(InputError) as caught:
        parse_name(text)
    assert caught.value.where == "measure"
    assert expected in caught.value.problem
    assert repr(text) in caught.value.problem
    assert advice in caught.value.advice


@pytest.mark.parametrize(
    ("measure", "of_one_class"),
    [
        ("f1[b]", "f1[a]"),
        ("fbeta_macro(0.1234567)", "fbeta(0.1234567)[a]"),
        ("f1_micro[without O]", "f1[a]"),
        ("f1@0.5", "f1[a]@0.5"),
        ("accuracy", "f1[a]"),
        ("g_mean", "recall[a]"),
    ],
)
def test_a_class_is_measured_by_what_corresponds_to_the_measure(measure, of_one_class):
    assert parse_name(measure).of_class("a") == of_one_class


@pytest.mark.parametrize(
    ("text", "bounded", "base"),
    [
        ("f1[a]", True, "f1"),
        ("accuracy", False, None),
        ("mean", False, "mean"),
        ("mean", True, None),
        ("own", True, None),
    ],
)
def test_a_function_may_have_the_name_of_a_measure(text, bounded, base):
    found = recorded_measure(text, bounded=bounded)
    assert (found and found.base) == base
