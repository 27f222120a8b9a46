import numpy as np
import pytest

from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.errors import InputError

TRUTH = ["ham", "spam", "spam", "ham"]
SCORE = [0.1, 0.8, 0.4, 0.6]


@pytest.mark.parametrize(
    ("truth", "arguments", "labels"),
    [
        ([0, 1, 1, 0], {}, (0, 1)),
        ([-1, 1, 1, -1], {}, (-1, 1)),
        ([False, True, True, False], {}, (False, True)),
        (TRUTH, {"positive": "spam"}, ("ham", "spam")),
        (TRUTH, {"positive": "ham"}, ("spam", "ham")),
        ([1, 1, 1, 1], {"labels": [0, 1]}, (0, 1)),
    ],
)
def test_the_positive_class_is_the_second(truth, arguments, labels):
    scores = Scores.from_predictions(truth, SCORE, **arguments)
    assert scores.labels == labels
    assert scores.predictions.y_true.tolist() == [labels.index(label) for label in truth]
    assert scores.scores[:, 0].tolist() == SCORE


@pytest.mark.parametrize("positive", ["ham", "spam"])
@pytest.mark.parametrize("kind", [np.array, dict])
def test_of_two_columns_the_positive_class_s_is_kept(positive, kind):
    of_spam = np.array(SCORE)
    by_name = {"spam": of_spam, "ham": 1 - of_spam}
    given = by_name if kind is dict else np.stack([1 - of_spam, of_spam], axis=1)
    scores = Scores.from_predictions(TRUTH, given, positive=positive)
    np.testing.assert_array_equal(scores.scores[:, 0], by_name[positive])


def test_columns_that_are_whole_numbers_as_text_are_of_the_classes_that_are_numbers():
    scores = Scores.from_predictions([0, 1, 2], {"0": [1, 0, 0], "2": [0, 0, 1], "1": [0, 1, 0]})
    assert scores.labels == (0, 2, 1)
    np.testing.assert_array_equal(scores.scores, [[1, 0, 0], [0, 0, 1], [0, 1, 0]])


@pytest.mark.parametrize(
    ("truth", "score", "arguments", "expected"),
    [
        (TRUTH, SCORE, {}, "positive: expected which of 'ham' and 'spam' y_score is about"),
        (TRUTH, SCORE, {"positive": "egg"}, "positive: expected 'ham' or 'spam', got 'egg'"),
        (TRUTH, SCORE[:3], {"positive": "spam"}, "y_score: expected 4 rows, as in y_true, got 3"),
        ([0, 1, 2, 0], SCORE, {}, "y_score: expected 3 columns of scores, one for each of 0, 1, 2, got 1"),
        ([0, 1, 2, 0], np.eye(4), {}, r"expected 3 columns.*got 4. Name the classes .* labels="),
        ([0, 1, 2, 0], np.ones((4, 3)), {"positive": 1}, "positive: expected nothing for 3 classes"),
        ([1, 1, 1, 1], SCORE, {}, "at least two classes"),
        ([0, 1, 1, 0], SCORE, {"ids": [1, 1, 2, 3]}, "ids: expected each id once"),
        ([0, 1, 1, 0], SCORE, {"clusters": [1, 1, 2]}, "clusters: expected 4"),
    ],
)
def test_what_does_not_fit_together(truth, score, arguments, expected):
    with pytest.raises(InputError, match=expected):
        Scores.from_predictions(truth, score, **arguments)


def test_columns_with_another_index_are_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(InputError, match="y_score: expected the index of y_true"):
        Scores.from_predictions(pandas.Series([0, 1], [0, 1]), pandas.Series([0.1, 0.9], [1, 0]))


@pytest.mark.parametrize("values", [[[1, 2], [3, 4]], [1, None], "good", []])
def test_what_are_no_values(values):
    with pytest.raises(InputError, match="values"):
        Scores.from_values(values)


def test_from_a_threshold_on_the_positive_class_is_predicted():
    scores = Scores.from_predictions(TRUTH, SCORE, positive="spam", ids=[3, 1, 2, 0], clusters=["x", "x", "y", "y"])
    matrix = scores.with_notes(("read with care",)).at(0.4)
    assert matrix.labels == ("ham", "spam")
    assert matrix.counts.tolist() == [[1, 1], [0, 2]]
    assert matrix.predictions.ids.tolist() == [3, 1, 2, 0]
    assert matrix.predictions.clusters.tolist() == ["x", "x", "y", "y"]
    assert matrix.notes == ("read with care",)


@pytest.mark.parametrize("threshold", [float("nan"), "0.5", None])
def test_a_threshold_is_a_number(threshold):
    with pytest.raises(InputError, match="threshold: expected a number"):
        Scores.from_predictions([0, 1], [0.2, 0.8]).at(threshold)


@pytest.mark.parametrize("scores", [Scores.from_values([1, 2]), Scores.from_predictions([0, 1, 2], np.eye(3))])
def test_a_threshold_is_for_two_classes(scores):
    with pytest.raises(InputError, match="threshold: expected scores of two classes"):
        scores.at(0.5)


def test_repr_tells_sizes():
    assert repr(Scores.from_predictions([0, 1], [0.2, 0.8])) == "<Scores 2 classes, 2 examples>"
    assert repr(Scores.from_values([1, 2])) == "<Scores 2 values>"


def test_the_value_of_an_example_is_the_mean_of_its_runs():
    values = Scores.from_values([1, 0, 0.5, 1], ids=["b", "a", "b", "b"], clusters=["x", "y", "x", "x"], runs="samples")
    assert values.predictions.ids.tolist() == ["a", "b"]
    np.testing.assert_allclose(values.scores[:, 0], [0, 2.5 / 3])
    assert values.predictions.runs is None
    assert values == Scores.from_values([2.5 / 3, 0], ids=["b", "a"], clusters=["x", "y"])


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"runs": "seeds"}, "runs: expected 'samples' beside values, or nothing, got 'seeds'"),
        ({"runs": "samples", "ids": None}, "ids: expected"),
        ({"runs": "samples", "clusters": ["x", "y"]}, "clusters: expected the same value in every row of an example"),
        ({}, "ids: expected each id once"),
    ],
)
def test_runs_of_values_that_cannot_be_used(said, message):
    with pytest.raises(InputError, match=message):
        Scores.from_values([1, 0], **{"ids": ["a", "a"], **said})
