import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.metrics import f1_score

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, compare
from pytest_bayesf1.data.labels import (
    encode,
    in_order,
    is_fraction,
    label_column,
    spelling_key,
    tidied,
    tidy,
    whole_number,
)
from pytest_bayesf1.data.two_sides import align
from pytest_bayesf1.results.schema import UNREADABLE


@pytest.mark.parametrize(
    "column",
    [
        ["b", "a", "b"],
        ("b", "a", "b"),
        np.array(["b", "a", "b"]),
        np.array(["b", "a", "b"], dtype=object),
        pd.Series(["b", "a", "b"], index=[7, 5, 3]),
        pd.Series(["b", "a", "b"], dtype="category"),
        (letter for letter in "bab"),
    ],
    ids=["list", "tuple", "strings", "objects", "series", "category", "generator"],
)
def test_any_column_of_strings_serves(column):
    assert label_column(column, "y").tolist() == ["b", "a", "b"]


@pytest.mark.parametrize(
    ("column", "expected", "kind"),
    [
        ([2, 0, 1], [2, 0, 1], int),
        ([2.0, 0.0], [2, 0], int),
        (np.array([2, 0], dtype=np.uint8), [2, 0], int),
        (range(3), [0, 1, 2], int),
        ([True, False], [True, False], bool),
        (np.array([True, False]), [True, False], bool),
        (np.array([True, False], dtype=object), [True, False], bool),
    ],
    ids=["integers", "whole floats", "unsigned", "range", "booleans", "boolean array", "boolean objects"],
)
def test_numbers_and_booleans_keep_their_kind(column, expected, kind):
    labels = label_column(column, "y").tolist()
    assert labels == expected
    assert {type(label) for label in labels} == {kind}


COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
NO_WHOLE_NUMBERS = [
    "07",
    "00",
    "7.5",
    "1e-1",
    "7a",
    "",
    ".",
    "+",
    "e5",
    "inf",
    "nan",
    "1_0",
    "٢",
    "1e+999",
    "7e2",
    "1E5",
    "0x10",
]


class TestSpelling:
    @pytest.mark.parametrize(
        ("text", "number"),
        [
            ("7", 7),
            ("-7", -7),
            ("+7", 7),
            ("7.0", 7),
            ("7.", 7),
            ("7.000000000000000000e+00", 7),
            ("7e+2", 700),
            ("7.0E2", 700),
            ("-0", 0),
            ("0.0", 0),
            (str(2**63 - 1), 2**63 - 1),
            (str(-(2**63)), -(2**63)),
        ],
    )
    def test_spellings_of_whole_numbers(self, text, number):
        assert whole_number(text) == number
        assert tidy(text) == str(number)

    @pytest.mark.parametrize("text", [*NO_WHOLE_NUMBERS, str(2**63), "1" * 5_000])
    def test_what_is_no_whole_number_stays_as_it_is(self, text):
        assert whole_number(text) is None
        assert tidy(text) == text

    @pytest.mark.parametrize("text", ["0.372", ".5", "-1.5", "1e-5", "0,372", " 0.5", "3.10"])
    def test_fractions(self, text):
        assert is_fraction(text)

    @pytest.mark.parametrize("text", ["1.0", "1", "a0.5", "0.5%", "1.2.3", "1,000.5", "", "00.5"])
    def test_what_is_no_fraction(self, text):
        assert not is_fraction(text)

    def test_spaces_at_the_ends_go_and_characters_are_composed(self):
        assert tidy(f" \t{DECOMPOSED}\u00a0\n") == COMPOSED
        assert tidy("two  words") == "two  words"
        assert tidy(" ") == " "

    def test_columns_are_tidied_together_and_left_as_they_are_where_they_are_tidy(self):
        column = np.array(["a", "b"])
        assert tidied(column)[0] is column
        assert [each.tolist() for each in tidied(column, np.array([" a", "1.0"]))] == [["a", "b"], ["a", "1"]]

    def test_numbers_come_by_their_value_before_other_text(self):
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
    def test_labels_that_differ_in_spelling_alone(self, one, other):
        assert spelling_key(one) == spelling_key(other)
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_predictions([other, "eggs"], [one, "eggs"])
        assert caught.value.where == "y_pred"
        show = ascii if DECOMPOSED in (one, other) else repr
        assert caught.value.found == f"Labels that are spelt otherwise in y_true: {show(one)} and {show(other)}"
        assert "Write each class in one way" in caught.value.advice

    @pytest.mark.parametrize(
        ("one", "other"), [("ham", "hams"), ("1", "-1"), ("1.5", "15"), ("3.1", "3.11"), ("no", "0")]
    )
    def test_labels_that_differ_by_more(self, one, other):
        assert spelling_key(one) != spelling_key(other)

    @pytest.mark.parametrize(
        "said",
        [
            ["Spam.", "ham"] * 10,
            ["**Spam**", "It is ham"] * 10,
            ["It is spam.", "I think ham"] * 10,
            ["It is spam", "ham", "It's ham", "It is ham"] * 5,
        ],
    )
    def test_answers_that_hold_a_class_are_an_error_that_names_the_pattern(self, said):
        with pytest.raises(InputError, match=r"y_pred: .*answer: \(\?i\)\{classes\} reads the class off each answer"):
            ConfusionMatrix.from_predictions(["spam", "ham"] * 10, said)

    @pytest.mark.parametrize("said", [["C++", "C"], ["not spam", "C"], ["spam_other", "C"]])
    def test_classes_that_only_look_like_answers_are_classes(self, said):
        truth = ["C", "spam"] * 10
        assert ConfusionMatrix.from_predictions([*truth, "C", "C"], [*truth, *said]).counts.sum() == 22

    @pytest.mark.parametrize("make", [ConfusionMatrix, PairedCounts], ids=lambda make: make.__name__)
    def test_two_spellings_that_are_both_true_are_two_classes(self, make):
        letters = ["a", "A", "b"]
        columns = [letters] * (3 if make is PairedCounts else 2)
        assert make.from_predictions(*columns).labels == ("A", "a", "b")

    @pytest.mark.parametrize("twin", ["ham ", "\tham"])
    def test_two_true_labels_that_nobody_can_tell_apart(self, twin):
        with pytest.raises(InputError, match="y_true: Labels that differ in spelling only"):
            ConfusionMatrix.from_predictions(["ham", twin, "spam"], ["ham", "ham", "spam"])

    def test_labels_that_the_caller_lists_are_classes_however_they_are_spelt(self):
        matrix = ConfusionMatrix.from_predictions(["a", "b"], ["A", "b"], labels=["a", "A", "b"])
        assert matrix.counts.tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 1]]
        with pytest.raises(InputError, match="y_pred: Labels that are spelt otherwise in labels: 'B' and 'b'"):
            ConfusionMatrix.from_predictions(["a", "b"], ["a", "B"], labels=["a", "b"])

    def test_sets_of_labels(self):
        with pytest.raises(InputError, match=r"y_pred: Labels .* in y_true: 'Art' and 'art'"):
            MultilabelCounts.from_predictions([{"art", "law"}, set()], [{"Art"}, {"law"}])

    def test_the_other_side_spells_otherwise(self):
        baseline, candidate = (ConfusionMatrix.from_predictions(y, y) for y in (["ham", "spam"], ["Ham", "SPAM"]))
        for model in ("auto", "independent"):
            with pytest.raises(InputError, match=r"candidate.labels: .* baseline: 'Ham' and 'ham', 'SPAM' and 'spam'"):
                compare(baseline, candidate, rope=0.1, model=model)
        named = [ConfusionMatrix([[8, 2], [1, 9]], labels=labels) for labels in (["no", "yes"], ["No", "Yes"])]
        with pytest.raises(InputError, match=r"candidate.labels: .*'No' and 'no', 'Yes' and 'yes'"):
            compare(*named, rope=0.1)

    def test_of_many_pairs_the_first_are_shown(self):
        names = [f"class {letter}" for letter in "abcdefg"]
        with pytest.raises(InputError, match="'CLASS E' and 'class e' and 2 more"):
            ConfusionMatrix.from_predictions(names, [name.upper() for name in names])

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "found"),
        [
            ([1, 0], ["1.0", "0.0"], "strings ('0.0' and 0, '1.0' and 1)"),
            ([1, 0], [True, False], "booleans (False and 0, True and 1)"),
            (["yes", "no"], [1, 0], "integers"),
        ],
    )
    def test_labels_of_two_kinds_are_shown_beside_one_another(self, y_true, y_pred, found):
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_predictions(y_true, y_pred)
        assert caught.value.found == found


N = 627
RNG = np.random.default_rng(5)
TRUTH = RNG.integers(0, 2, N)
SCORES = RNG.random(N).round(3)
NO_PROBABILITIES = "Pass labels, not probabilities."


def text(values):
    return [f"{value}" for value in values]


def refused(y_true, y_pred, **options):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_predictions(y_true, y_pred, **options)
    return caught.value


def passes(y_true, y_pred):
    return ConfusionMatrix.from_predictions(y_true, y_pred).labels


HALVES = ["1", "1.5", "2", "2.5", "3", "3.5", "4"]


class TestVocabulary:
    @pytest.mark.parametrize(
        "scores",
        [
            text(SCORES),
            text(SCORES.round(1)),
            [f"{score:.1e}" for score in SCORES],
            [f"{score}".replace(".", ",") for score in SCORES],
            text(np.where(SCORES < 0.3, 0, np.where(SCORES > 0.9, 1, 0.5))),
            text(np.where(SCORES < 0.9, TRUTH, SCORES)),
        ],
        ids=["three digits", "one digit", "exponents", "decimal commas", "halves", "most are certain"],
    )
    def test_probabilities_are_no_labels(self, scores):
        error = refused(text(TRUTH), scores)
        assert error.where == "y_pred"
        assert error.expected == "class labels"
        assert "with a fraction (" in error.found
        assert error.advice == NO_PROBABILITIES

    def test_every_side_is_checked(self):
        with pytest.raises(InputError, match=f"candidate_pred: .*{NO_PROBABILITIES}"):
            PairedCounts.from_predictions(text(TRUTH), text(TRUTH), text(SCORES))

    def test_the_columns_may_be_swapped(self):
        assert refused(text(SCORES), text(TRUTH)).where == "y_true"

    def test_probabilities_are_not_among_labels_that_the_caller_lists(self):
        assert refused(text(TRUTH), text(SCORES), labels=["0", "1"]).advice == NO_PROBABILITIES

    def test_a_crosstab_of_probabilities(self):
        table = pd.crosstab(pd.Series(text(TRUTH)), pd.Series(text(SCORES.round(1))))
        with pytest.raises(InputError, match=f"columns: .*{NO_PROBABILITIES}"):
            ConfusionMatrix(table)

    @pytest.mark.parametrize(
        ("y_true", "y_pred"),
        [
            (HALVES * 9, HALVES[1:] * 9 + ["4.5"] * 9),
            (["3.10", "3.11"] * 50, ["3.10", "3.12"] * 50),
            (["3.11", "3.12"] * 50, ["3.11", "3.13"] * 49 + ["3.14", "3.9"]),
            (["1", "2", "3", "4", "5"] * 60, ["1", "2", "3", "4", "5"] * 59 + ["1", "2", "3.5", "4", "4.5"]),
            (["spam", "ham"] * 50, ["spam", "ham"] * 49 + ["spam", "0.5"]),
            (["1.5", "2.5"], ["1.5", "1.5"]),
        ],
        ids=["ratings in half steps", "versions", "new versions", "stray fractions", "a stray score", "two"],
    )
    def test_classes_that_are_written_with_a_fraction(self, y_true, y_pred):
        assert set(passes(y_true, y_pred)) == {*y_true, *y_pred}

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "found"),
        [
            (["ham", "spam"], ["0", "1"], "('0', '1')"),
            ([0, 1, 2], [3, 3, 4], "(3, 4)"),
            (list("abcd"), list("wxyz"), "('w', 'x', 'y', ...)"),
        ],
    )
    def test_predictions_that_share_nothing_with_the_truth(self, y_true, y_pred, found):
        error = refused(y_true, y_pred)
        assert error.without_advice.startswith(f"y_pred: None of these labels {found} is one of y_true ")
        assert "Are these the right columns?" in error.advice
        every = sorted({*y_true, *y_pred})
        assert ConfusionMatrix.from_predictions(y_true, y_pred, labels=every).n_samples == len(y_true)

    @pytest.mark.parametrize("separator", ["|", ", ", ";"])
    def test_several_labels_in_one_text_are_no_class(self, separator):
        sets = [["a"], ["a", "b"], ["b", "c"], ["c"], ["a", "c"]]
        texts = [separator.join(each) for each in sets] * 4
        with pytest.raises(InputError, match=r"Several labels in one text, as it seems.*Multil"):
            ConfusionMatrix.from_predictions(texts, texts[1:] + texts[:1])
        assert ConfusionMatrix.from_predictions(texts, texts, labels=sorted({*texts})).n_samples == 20

    @pytest.mark.parametrize("labels", [["Doe, J.", "Roe, A."], ["a|b", "c"], ["Berlin, DE", "Paris, FR", "Bonn, DE"]])
    def test_a_name_with_a_comma_is_one(self, labels):
        assert passes(labels * 3, labels * 3) == tuple(sorted(labels))

    def test_one_true_class_that_is_never_found_is_no_mistake(self):
        assert passes(["ham", "ham"], ["spam", "spam"]) == ("ham", "spam")

    @pytest.mark.parametrize(
        ("y_true", "y_pred", "n_labels"),
        [
            (TRUTH, RNG.integers(0, 101, N), 99),
            (np.arange(N) % 7, np.arange(N), 620),
            (text(TRUTH), [f"It is {number}." if number > 200 else "1" for number in range(N)], 426),
        ],
        ids=["per cent", "row numbers", "free text"],
    )
    def test_more_labels_than_can_be_classes(self, y_true, y_pred, n_labels):
        error = refused(y_true, y_pred)
        assert error.where == "y_pred"
        assert f"{n_labels} labels that y_true never has: " in error.found
        assert "Are these scores, ids or free text?" in error.advice

    @pytest.mark.parametrize(
        ("y_true", "y_pred"),
        [
            (np.arange(2_000) % 3, np.r_[np.arange(1_999) % 3, 7]),
            (text(np.arange(1_000) % 3), [f"I cannot answer {n}" if n < 450 else f"{n % 3}" for n in range(1_000)]),
            (np.arange(1_000) % 20, (np.arange(1_000) * 7 + 13) % 200),
            (np.arange(101), np.arange(101)),
            (np.arange(30), np.r_[np.arange(20), np.arange(20) + 100][:30]),
            (list("ab"), list("ac")),
        ],
        ids=["one stray", "many unexpected", "a tenth of the classes", "one example each", "few shots", "two examples"],
    )
    def test_new_classes_and_stray_answers_are_labels(self, y_true, y_pred):
        assert len(passes(y_true, y_pred)) == len({*y_true, *y_pred})


SAID = ["a", "b", "b", "a", "b", "a"]
ANSWERS = ["a", None, "b", "b", "As a language model", "a"]
ANSWERED = [[2, 1, 0], [0, 1, 2], [0, 0, 0]]


def wrong(y_pred, y_true=SAID, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, invalid="wrong", **options)


class TestAnswers:
    def test_they_are_predicted_as_one_class_that_is_never_true(self):
        matrix = wrong(ANSWERS)
        assert matrix.labels == ("a", "b", UNREADABLE)
        assert matrix.classes == ("a", "b")
        assert matrix.counts.tolist() == ANSWERED
        assert repr(UNREADABLE) == str(UNREADABLE) == "(unreadable)"

    @pytest.mark.parametrize(
        "answers",
        [
            pd.Series(ANSWERS),
            pd.Series(ANSWERS, dtype="string"),
            pl.Series(ANSWERS),
            np.array(ANSWERS, dtype=object),
            np.ma.array(["a", "b", "b", "b", "?", "a"], mask=[0, 1, 0, 0, 0, 0]),
            ["a", float("nan"), "b", "b", 7, "a"],
        ],
        ids=["pandas", "nullable", "polars", "objects", "masked", "of several kinds"],
    )
    def test_whatever_holds_them(self, answers):
        assert wrong(answers).counts.tolist() == ANSWERED

    @pytest.mark.parametrize(
        ("truth", "answers"),
        [
            ([0, 1, 1, 0, 1, 0], [0, None, 1, 1, 2, 0]),
            ([0, 1, 1, 0, 1, 0], np.array([0, np.nan, 1, 1, 2, 0])),
            ([0, 1, 1, 0, 1, 0], pd.Series([0, None, 1, 1, 2, 0], dtype="Int64")),
            ([0, 1, 1, 0, 1, 0], [0, "?", 1, 1, "one", 0]),
            ([False, True, True, False, True, False], [False, None, True, True, "yes", False]),
        ],
        ids=["integers", "floats", "nullable integers", "text among integers", "booleans"],
    )
    def test_labels_of_any_kind(self, truth, answers):
        matrix = wrong(answers, truth)
        assert matrix.counts.tolist() == ANSWERED
        assert matrix.labels == (min(truth), max(truth), UNREADABLE)

    def test_the_caller_s_labels_are_the_classes(self):
        matrix = wrong(ANSWERS, labels=["b", "c", "a"])
        assert matrix.labels == ("b", "c", "a", UNREADABLE)
        assert wrong(ANSWERS, labels=matrix.labels) == matrix
        assert refused(SAID, ANSWERS, invalid="wrong", labels=["b", "c"]).where == "y_true"

    @pytest.mark.parametrize(
        ("answers", "counts"),
        [
            (SAID, [[3, 0, 0], [0, 3, 0], [0, 0, 0]]),
            ([None] * 6, [[0, 0, 3], [0, 0, 3], [0, 0, 0]]),
            (["I am sorry, I cannot help with that."] * 6, [[0, 0, 3], [0, 0, 3], [0, 0, 0]]),
        ],
        ids=["all could be read", "none is there", "none could be read"],
    )
    def test_it_is_a_class_whatever_was_answered(self, answers, counts):
        assert wrong(answers).labels == ("a", "b", UNREADABLE)
        assert wrong(answers).counts.tolist() == counts

    def test_a_candidate_without_an_answer_is_worse_and_a_baseline_no_baseline(self):
        silent, good = wrong(["What?"] * 6), wrong(SAID)
        assert compare(good, silent, rope=0.05).decision == "<<"
        with pytest.raises(InputError, match=r"baseline: All of 6 answers are unreadable"):
            compare(silent, good, rope=0.05)

    @pytest.mark.parametrize(
        ("answers", "truth", "expected"),
        [
            (["0", "1", None, "?"], [0, 1, 1, 0], "integers, as in y_true"),
            ([0.3, 0.7, None, 0.5], [0, 1, 1, 0], "class labels"),
            (["1", *(f"0.{digits}" for digits in range(11, 30))], ["1", "0"] * 10, "class labels"),
            (["A", "b", None, "?"], ["a", "b", "b", "a"], "Labels that are spelt otherwise in y_true"),
            ([["a"], ["b"], [], []], ["a", "b", "b", "a"], "a 1-D sequence of class labels"),
            (["a", "b", None], ["a", "b", "b", "a"], "4 labels, as in y_true"),
            (["a", "b", None, "b"], ["a", "a", "a", "a"], "y_true has only one class, 'a'"),
            (["a", "b", "b", "b"], ["a", "b", None, "b"], "one class label for every example"),
        ],
        ids=["kinds", "numbers", "scores", "spelling", "nested", "lengths", "one class", "truth"],
    )
    def test_what_looks_like_a_mistake_stays_one(self, answers, truth, expected):
        assert expected in refused(truth, answers, invalid="wrong").without_advice
        assert (
            "spelt otherwise in labels"
            in refused(["a", "b", "b", "a"], ["A", "b", "?", "a"], invalid="wrong", labels=["a", "b"]).problem
        )

    @pytest.mark.parametrize(
        ("answers", "options"), [(ANSWERS, {}), (["a", "b", "?", "b", "b", "a"], {"labels": ["a", "b"]})]
    )
    def test_without_it_they_are_errors_that_name_it(self, answers, options):
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_predictions(SAID, answers, **options)
        assert "invalid: wrong" in caught.value.advice
        with pytest.raises(InputError) as caught:
            ConfusionMatrix.from_predictions(answers, SAID, **options)
        assert "invalid" not in caught.value.advice

    def test_another_word_is_refused(self):
        with pytest.raises(InputError, match="invalid: expected one of error, wrong, got 'worng'"):
            ConfusionMatrix.from_predictions(SAID, ANSWERS, invalid="worng")

    def test_a_class_of_that_name_is_another(self):
        matrix = wrong(["(unreadable)", None], ["(unreadable)", "a"])
        assert matrix.labels == ("(unreadable)", "a", UNREADABLE)
        assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]

    def test_it_survives_copies(self):
        copied = pickle.loads(pickle.dumps(UNREADABLE))  # noqa: S301 (written here)
        assert copied is copy.deepcopy(UNREADABLE) is UNREADABLE

    def test_pairs(self):
        pairs = PairedCounts.from_predictions(SAID, SAID, ANSWERS, invalid="wrong")
        assert pairs.candidate.counts.tolist() == ANSWERED
        cells = wrong(ANSWERS).cells()
        assert ConfusionMatrix.from_cells(**cells, labels=["a", "b"], invalid="wrong") == wrong(ANSWERS)
        both = PairedCounts.from_cells(["a", "b"], ["a", None], ["a", "b"], [3, 4], labels=["a", "b"], invalid="wrong")
        assert both.baseline.counts.tolist() == [[3, 0, 0], [0, 0, 4], [0, 0, 0]]

    @pytest.mark.parametrize("one", [SAID, [0, 1, 1, 0, 1, 0]], ids=["strings", "integers"])
    def test_a_side_without_it_gets_it_and_has_none(self, one):
        answers = ANSWERS if one is SAID else [0, None, 1, 1, 2, 0]
        plain, read = ConfusionMatrix.from_predictions(one, one), wrong(answers, one)
        for baseline, candidate in ((plain, read), (read, plain)):
            aligned = align(baseline, candidate)
            assert [side.labels for side in aligned] == [(*plain.labels, UNREADABLE)] * 2
            assert sorted(side.counts[:, 2].sum() for side in aligned) == [0, 2]

    def test_a_side_of_mere_counts_gets_it_too(self):
        aligned, _ = align(ConfusionMatrix([[3, 0], [1, 2]]), wrong(ANSWERS))
        assert aligned.labels == ("a", "b", UNREADABLE)
        assert aligned.counts.tolist() == [[3, 0, 0], [1, 2, 0], [0, 0, 0]]

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.LeakageWarning")
    def test_scores_are_those_of_a_class_that_is_in_no_average(self):
        """scikit-learn averages over the labels that it is given, and counts other predictions as wrong."""
        rng = np.random.default_rng(1)
        truth = rng.integers(3, size=600)
        answers = np.where(rng.random(600) < 0.7, truth, rng.integers(4, size=600))
        sides = (wrong(said, truth, labels=[0, 1, 2]) for said in (answers, truth))
        result = compare(*sides, rope=0.05, n_draws=1_000)
        assert result.baseline.observed == pytest.approx(f1_score(truth, answers, labels=[0, 1, 2], average="macro"))
        assert result.labels == (0, 1, 2)


class TestEncoding:
    @pytest.mark.parametrize(
        ("columns", "labels", "names", "codes"),
        [
            ((["x", "z"], ["y", "x"]), None, ("x", "y", "z"), [[0, 2], [1, 0]]),
            ((["x", "z"], ["y", "x"]), ["z", "x", "y"], ("z", "x", "y"), [[1, 0], [2, 1]]),
            (([1, 3, 1], [1, 1, 1]), [3, 2, 1], (3, 2, 1), [[2, 0, 2], [2, 2, 2]]),
            ((["b", "b"], ["b", "b"]), ["a", "b"], ("a", "b"), [[1, 1], [1, 1]]),
        ],
        ids=["sorted", "in the caller's order", "one that does not occur", "one that occurs alone"],
    )
    def test_classes_have_numbers(self, columns, labels, names, codes):
        found, labels = encode(dict(zip(("y_true", "y_pred"), columns, strict=True)), labels)
        assert labels == names
        assert [column.tolist() for column in found.values()] == codes

    @pytest.mark.parametrize(("column", "kind"), [(["a", "b"], str), (np.array([1, 2]), int), ([True, False], bool)])
    def test_names_are_plain_python_objects(self, column, kind):
        assert {type(name) for name in encode({"y": column}, None)[1]} == {kind}

    @pytest.mark.parametrize(("labels", "where"), [(None, "y_true and y_pred have"), (["a"], "labels has")])
    def test_one_class_alone_is_an_error(self, labels, where):
        with pytest.raises(InputError, match=rf"^{where} only one class, 'a'\. Name"):
            encode({"y_true": ["a", "a"], "y_pred": ["a", "a"]}, labels)

    def test_only_a_few_unknown_labels_are_listed(self):
        with pytest.raises(InputError, match="Not listed: 2, 3, 4, 5, 6 and 13 more"):
            encode({"y": list(range(20))}, [0, 1])
