from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import InputError, Scores
from pytest_bayesf1.data.encoding import without_sum
from pytest_bayesf1.data.sides import align

BASELINE = Scores.from_predictions([0, 1, 1], [0.1, 0.8, 0.4])


class TestScorePairs:
    @pytest.mark.parametrize(
        ("candidate", "expected"),
        [
            (Scores.from_predictions([0, 1, 1], {0: [0.1, 0.8, 0.4]}), "candidate: expected scores of 1, .* got 0"),
            (Scores.from_predictions([0, 1, 2], np.eye(3)), "candidate.labels: expected scores of classes 0, 1"),
            (Scores.from_values([0, 1, 2]), "got values without classes"),
        ],
    )
    def test_both_sides_score_the_same_classes(self, candidate, expected):
        with pytest.raises(InputError, match=expected):
            align(BASELINE, candidate)


TRUTH = ["ham", "spam", "spam", "ham"]
SCORE = [0.1, 0.8, 0.4, 0.6]
BY_NAME = {"spam": np.array(SCORE), "ham": 1 - np.array(SCORE)}
IN_ORDER = np.stack([BY_NAME["ham"], BY_NAME["spam"]], axis=1)


class TestScores:
    @pytest.mark.parametrize(
        ("truth", "arguments", "labels"),
        [
            ([-1, 1, 1, -1], {}, (-1, 1)),
            (TRUTH, {"labels": ["spam", "ham"]}, ("spam", "ham")),
            ([0, 1, 1, 0], {"labels": [1, 0]}, (0, 1)),
            ([1, 1, 1, 1], {"labels": [1, 0]}, (0, 1)),
        ],
    )
    def test_the_positive_class_is_the_second(self, truth, arguments, labels):
        scores = Scores.from_predictions(truth, SCORE, **arguments)
        assert scores.labels == labels
        assert scores.questions.truth.tolist() == [labels.index(label) for label in truth]
        assert scores.scores[:, 0].tolist() == SCORE

    @pytest.mark.parametrize("labels", [["ham", "spam"], ["spam", "ham"]])
    @pytest.mark.parametrize(
        "given", [BY_NAME, pd.DataFrame(BY_NAME), pa.table(BY_NAME), IN_ORDER, pd.DataFrame(IN_ORDER)], ids=type
    )
    def test_of_two_columns_the_last_label_s_is_kept(self, labels, given):
        """By their names, which come in another order; without any in the order of the labels."""
        scores = Scores.from_predictions(TRUTH, given, labels=labels)
        names = getattr(given, "column_names", getattr(given, "columns", ()))
        has_names = len(np.shape(given)) < 2 or "spam" in names
        expected = BY_NAME[labels[1]] if has_names else np.asarray(given)[:, 1]
        np.testing.assert_array_equal(scores.scores[:, 0], expected)

    def test_of_columns_in_the_order_of_the_labels_the_positive_class_s_is_kept(self):
        scores = Scores.from_predictions([0, 1, 1, 0], IN_ORDER, labels=[1, 0])
        assert (scores.labels, scores.questions.truth.tolist()) == ((0, 1), [0, 1, 1, 0])
        assert scores.scores[:, 0].tolist() == IN_ORDER[:, 0].tolist()

    def test_columns_that_are_whole_numbers_as_text_are_of_the_classes_that_are_numbers(self):
        scores = Scores.from_predictions([0, 1, 2], {"0": [1, 0, 0], "2": [0, 0, 1], "1": [0, 1, 0]})
        assert scores.labels == (0, 2, 1)
        np.testing.assert_array_equal(scores.scores, [[1, 0, 0], [0, 0, 1], [0, 1, 0]])

    @pytest.mark.parametrize(
        ("truth", "score", "arguments", "expected"),
        [
            (TRUTH, SCORE, {}, "labels: y_score may be about 'ham' or 'spam'"),
            (TRUTH, {"egg": SCORE}, {}, "y_score: expected scores of 'ham' or 'spam', got 'egg'"),
            (TRUTH, {"ham": SCORE, "spam": SCORE[:3]}, {}, "y_score: expected columns of one length"),
            (
                TRUTH,
                {"ham": SCORE, "egg": SCORE},
                {"labels": ["ham", "spam"]},
                "expected a column .* 'spam', got 'ham', 'egg'",
            ),
            ([0, 1], [[0.5, 0.5], [2, 1]], {}, r"1 of 2 is no two probabilities .*'2, 1'; .* for 1 .*position 1"),
            (TRUTH, SCORE[:3], {"labels": ["ham", "spam"]}, "y_score: expected 4 rows, as in y_true, got 3"),
            ([0, 1, 2, 0], SCORE, {}, "y_score: expected 3 columns of scores, one for each of 0, 1, 2, got 1"),
            ([0, 1, 2, 0], np.eye(4), {}, r"expected 3 columns.*got 4. Name the classes .* labels"),
            ([1, 1, 1, 1], SCORE, {}, "y_true has only one class, 1"),
            ([0, 1], [0.5, float("nan")], {}, r"y_score: 1 of 2 is no .*number .*position 1"),
            ([0, 1], [0.5, float("inf")], {}, r"y_score: 1 of 2 is no finite number .inf; first at position 1"),
            ([0, 1], [[0.2], [0.7]], {}, "y_score: 2 of 2 are no single number"),
            ([0, 1], [True, False], {}, "y_score: 2 of 2 are no number"),
            ([0, 1], [], {}, "y_score: expected .*, got shape"),
            ([0, 1], np.zeros((2, 2, 2)), {}, r"y_score: expected .*, got shape \(2, 2, 2\)"),
        ],
    )
    def test_what_does_not_fit_together(self, truth, score, arguments, expected):
        with pytest.raises(InputError, match=expected):
            Scores.from_predictions(truth, score, **arguments)

    def test_rounded_probabilities_need_not_sum_to_1_exactly(self):
        assert without_sum(np.array([[0.333, 0.333, 0.333], [0.3, 0.3, 0.3]])).tolist() == [1]

    def test_columns_with_another_index_are_refused(self):
        with pytest.raises(InputError, match="y_score: The index is not that of y_true"):
            Scores.from_predictions(pd.Series([0, 1], [0, 1]), pd.Series([0.1, 0.9], [1, 0]))

    @pytest.mark.parametrize("values", [[[1, 2], [3, 4]], [1, None], "good", []])
    def test_what_are_no_values(self, values):
        with pytest.raises(InputError, match="values"):
            Scores.from_values(values)

    def test_a_missing_value_counts_as_0_when_declared(self):
        found = Scores.from_values([1, None, " ", float("nan")], invalid="wrong")
        assert found.scores[:, 0].tolist() == [1, 0, 0, 0]
        assert found.notes == ("3 values of 4 missing: counted as wrong, as 0.",)
        with pytest.raises(InputError, match="2 of 4 are no number"):
            Scores.from_values([1, "nan", "x", None], invalid="wrong")
        assert (found.questions.missing, Scores.from_values([0, 1]).questions.missing) == (0.75, 0)

    @pytest.mark.parametrize(("values", "given"), [([-1, None, 2], {}), ([1, None], {"better": "lower"})])
    def test_a_missing_value_is_refused_where_0_is_not_the_worst(self, values, given):
        with pytest.raises(InputError, match="counts a missing value as 0, and that is not the worst of these"):
            Scores.from_values(values, invalid="wrong", **given)
        with pytest.raises(
            InputError, match=r"1 of \d is no value .a missing value; first at position 1.* Declare: invalid"
        ):
            Scores.from_values(values, **given)

    def test_from_a_threshold_on_the_positive_class_is_predicted(self):
        scores = Scores.from_predictions(
            TRUTH, SCORE, labels=["ham", "spam"], ids=[3, 1, 2, 0], clusters=["x", "x", "y", "y"]
        )
        matrix = scores.with_notes(("read with care",)).at(0.4)
        assert matrix.labels == ("ham", "spam")
        assert matrix.counts.tolist() == [[1, 1], [0, 2]]
        assert matrix.questions.ids.tolist() == [3, 1, 2, 0]
        assert matrix.questions.clusters.tolist() == ["x", "x", "y", "y"]
        assert (matrix.notes, matrix.labels_from) == (("read with care",), "caller")
        assert Scores.from_predictions([0, 1], [0.2, 0.8]).at(0.5).labels_from == "data"

    @pytest.mark.parametrize(
        ("threshold", "counts"), [(0, [[1, 2], [0, 1]]), (1, [[2, 1], [0, 1]]), (20, [[2, 1], [1, 0]]), (0.5, None)]
    )
    def test_a_share_divides_probabilities_alone(self, threshold, counts):
        scores = Scores.from_predictions([0, 1, 0, 0], [-3, 4, 20, 0])
        if counts is not None:
            assert scores.at(threshold).counts.tolist() == counts
            return
        with pytest.raises(InputError, match=r"y_score: 3 of 4 are not from 0 to 1 .* first at position 0"):
            scores.at(threshold)
        assert Scores.from_predictions([0, 1], [-0.01, 1.01]).at(threshold).counts.tolist() == [[1, 0], [0, 1]]

    @pytest.mark.parametrize("threshold", [float("nan"), "0.5", None])
    def test_a_threshold_is_a_number(self, threshold):
        with pytest.raises(InputError, match="threshold: expected a number"):
            Scores.from_predictions([0, 1], [0.2, 0.8]).at(threshold)
        for scores in (Scores.from_values([1, 2]), Scores.from_predictions([0, 1, 2], np.eye(3))):
            with pytest.raises(InputError, match="threshold: expected scores of two classes"):
                scores.at(0.5)

    @pytest.mark.parametrize(
        "values",
        [
            [True, False, np.True_],
            pd.Series([1, 0, 1], dtype="boolean"),
            [Decimal(1), Decimal(0), Decimal(1)],
            pl.Series([True, False, True]),
            ["TRUE", "false", "1e0"],
        ],
    )
    def test_values_that_are_no_floats(self, values):
        assert Scores.from_values(values).scores.tolist() == [[1], [0], [1]]

    def test_a_series_counts_row_by_row_whatever_its_index(self):
        values = pd.Series([4, 2, 3], index=[2, 0, 1])
        ids = pd.Series(["x", "z", "y"], index=[1, 2, 0])
        assert Scores.from_values(values, ids=ids).columns() == {"id": ["x", "y", "z"], "value": [4, 3, 2]}

    @pytest.mark.parametrize("values", [{1: 0, 2: 1}, {0, 1}, "01", b"01"])
    def test_what_holds_no_value_for_every_example_is_refused(self, values):
        with pytest.raises(InputError, match=r"^values: expected an array with a value for every example"):
            Scores.from_values(values)

    def test_a_column_of_values_says_which_is_better(self):
        loss = pd.Series([0.5, 2], name="loss")
        with pytest.raises(InputError, match=r"^values: 'loss' .*Declare: better"):
            Scores.from_values(loss)
        assert Scores.from_values(loss, better="lower").scores.tolist() == [[-0.5], [-2]]
        for name in ("score", "value", ""):
            assert Scores.from_values(loss, better="higher") == Scores.from_values(loss.rename(name))
        with pytest.raises(InputError, match=r"^better: "):
            Scores.from_values(loss, better="less")

    def test_the_value_of_an_example_is_the_mean_of_its_runs(self):
        values = Scores.from_values([1, 0, 0.5, 1], ids=list("babb"), clusters=list("xyxx"), runs="samples")
        assert values.questions.ids.tolist() == ["a", "b"]
        np.testing.assert_allclose(values.scores[:, 0], [0, 2.5 / 3])
        assert (values.questions.runs, values.questions.n_runs) == (None, 1)  # as every example has
        assert values == Scores.from_values([2.5 / 3, 0], ids=["b", "a"], clusters=["x", "y"])
        with pytest.raises(InputError, match="runs: expected one of samples, got 'seeds'"):
            Scores.from_values([1, 0], ids=["a", "a"], runs="seeds")
