"""Which spellings are one label, and which labels differ in spelling alone."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, compare
from pytest_bayesf1.data.labels import in_order, is_fraction, spelling_key, tidied, tidy, typed, whole_number

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("-7", -7),
        ("+7", 7),
        ("7.0", 7),
        ("7.", 7),
        ("7.000000000000000000e+00", 7),
        ("7e2", 700),
        ("-0", 0),
        ("0.0", 0),
        (str(2**63 - 1), 2**63 - 1),
        (str(-(2**63)), -(2**63)),
    ],
)
def test_spellings_of_whole_numbers(text, number):
    assert whole_number(text) == number
    assert tidy(text) == str(number)


@pytest.mark.parametrize(
    "text",
    ["07", "00", "7.5", "1e-1", "7a", "", ".", "+", "e5", "inf", "nan", "1_0", "٢", str(2**63), "1" * 5_000, "1e999"],
)
def test_what_is_no_whole_number_stays_as_it_is(text):
    assert whole_number(text) is None
    assert tidy(text) == text


@pytest.mark.parametrize("text", ["0.372", ".5", "-1.5", "1e-5", "0,372", " 0.5", "3.10"])
def test_fractions(text):
    assert is_fraction(text)


@pytest.mark.parametrize("text", ["1.0", "1", "a0.5", "0.5%", "1.2.3", "1,000.5", "", "00.5"])
def test_what_is_no_fraction(text):
    assert not is_fraction(text)


def test_spaces_at_the_ends_go_and_characters_are_composed():
    assert tidy(f" \t{DECOMPOSED}\u00a0\n") == COMPOSED
    assert tidy("two  words") == "two  words"
    assert tidy(" ") == " "


def test_columns_are_tidied_together_and_left_as_they_are_where_they_are_tidy():
    column = np.array(["a", "b"])
    assert tidied(column)[0] is column
    assert [each.tolist() for each in tidied(column, np.array([" a", "1.0"]))] == [["a", "b"], ["a", "1"]]


def test_columns_are_integers_if_all_columns_are():
    assert [each.tolist() for each in typed(["1.0", " 0"], ["1", "2"])] == [[1, 0], [1, 2]]
    assert [each.tolist() for each in typed(["1.0", " 0"], ["N/A"])] == [["1", "0"], ["N/A"]]


def test_numbers_come_by_their_value_before_other_text():
    assert in_order(["b", "10", "-1", "9.5", "9", "B", "07"]) == ["-1", "9", "9.5", "10", "07", "B", "b"]
    assert in_order([10, 9, -1]) == [-1, 9, 10]
    assert ConfusionMatrix.from_predictions(["9", "10", "x"], ["9", "10", "x"]).labels == ("9", "10", "x")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ham", "ham"),
        (" ham", "ham"),
        ("two  words", "two words"),
        ("1.0", "1"),
        ("01", "1"),
        ("True", "1"),
        ("FALSE", "0"),
        (COMPOSED, DECOMPOSED),
        ("1.50", "1.5"),
        ("-0.0", "0"),
        ("straße", "STRASSE"),
    ],
)
def test_labels_that_differ_in_spelling_alone(one, other):
    assert spelling_key(one) == spelling_key(other)
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions([other, "eggs"], [one, "eggs"])
    assert caught.value.where == "y_pred"
    assert caught.value.expected == "labels that are spelt as in y_true"
    show = ascii if DECOMPOSED in (one, other) else repr
    assert caught.value.found == f"{show(one)} beside {show(other)}"
    assert "They differ in spelling only" in caught.value.advice


@pytest.mark.parametrize(("one", "other"), [("ham", "hams"), ("1", "-1"), ("1.5", "15"), ("3.1", "3.11"), ("no", "0")])
def test_labels_that_differ_by_more(one, other):
    assert spelling_key(one) != spelling_key(other)


@pytest.mark.parametrize("make", [ConfusionMatrix, PairedCounts], ids=lambda make: make.__name__)
def test_two_spellings_that_are_both_true_are_two_classes(make):
    letters = ["a", "A", "b"]
    columns = [letters] * (3 if make is PairedCounts else 2)
    assert make.from_predictions(*columns).labels == ("A", "a", "b")


@pytest.mark.parametrize("twin", ["ham ", "\tham"])
def test_two_true_labels_that_nobody_can_tell_apart(twin):
    with pytest.raises(InputError, match="y_true: expected one spelling of each label"):
        ConfusionMatrix.from_predictions(["ham", twin, "spam"], ["ham", "ham", "spam"])


def test_labels_that_the_caller_lists_are_classes_however_they_are_spelt():
    matrix = ConfusionMatrix.from_predictions(["a", "b"], ["A", "b"], labels=["a", "A", "b"])
    assert matrix.counts.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]
    with pytest.raises(InputError, match="y_pred: expected labels that are spelt as in labels, got 'B' beside 'b'"):
        ConfusionMatrix.from_predictions(["a", "b"], ["a", "B"], labels=["a", "b"])


def test_sets_of_labels():
    with pytest.raises(InputError, match="y_pred: expected labels that are spelt as in y_true, got 'Art' beside 'art'"):
        MultilabelCounts.from_predictions([{"art", "law"}, set()], [{"Art"}, {"law"}])


def test_the_other_side_spells_otherwise():
    baseline, candidate = (ConfusionMatrix.from_predictions(y, y) for y in (["ham", "spam"], ["Ham", "SPAM"]))
    for model in ("auto", "independent"):
        with pytest.raises(InputError, match=r"candidate.labels: .*got 'Ham' beside 'ham', 'SPAM' beside 'spam'"):
            compare(baseline, candidate, rope=0.1, model=model)
    named = [ConfusionMatrix([[8, 2], [1, 9]], labels=labels) for labels in (["no", "yes"], ["No", "Yes"])]
    with pytest.raises(InputError, match=r"candidate.labels: .*got 'No' beside 'no', 'Yes' beside 'yes'"):
        compare(*named, rope=0.1)


def test_of_many_pairs_the_first_are_shown():
    names = [f"class {letter}" for letter in "abcdefg"]
    with pytest.raises(InputError, match="'CLASS E' beside 'class e' and 2 more"):
        ConfusionMatrix.from_predictions(names, [name.upper() for name in names])


@pytest.mark.parametrize(
    ("y_true", "y_pred", "found"),
    [
        ([1, 0], ["1.0", "0.0"], "strings ('0.0' beside 0, '1.0' beside 1)"),
        ([1, 0], [True, False], "booleans (False beside 0, True beside 1)"),
        (["yes", "no"], [1, 0], "integers"),
    ],
)
def test_labels_of_two_kinds_are_shown_beside_one_another(y_true, y_pred, found):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions(y_true, y_pred)
    assert caught.value.found == found
