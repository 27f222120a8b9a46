import numpy as np
import pytest

from pytest_bayesf1 import InputError, Scores
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.measures.ranking import Weighting, parse_score_measure, scorer

TWO = Scores.from_predictions([0, 1, 1], [0.2, 0.7, 0.4])
THREE = Scores.from_predictions([0, 1, 2], np.eye(3))
VALUES = Scores.from_values([3, 4])


def parsed(name, scores):
    return parse_score_measure(name, scores.labels, ((scores.table, 0),))


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("roc_auc_ovr", TWO, "a measure of scores of 2 classes: roc_auc, .* got 'roc_auc_ovr'"),
        ("f1", TWO, r"Predicted classes take a threshold, as in 'f1@0.5'"),
        ("f1_macro", THREE, r"scores of 3 classes: roc_auc_ovr.* got 'f1_macro'"),
        (np.mean, VALUES, "a number per example: mean"),
    ],
)
def test_what_is_no_measure_of_these_scores(name, scores, expected):
    with pytest.raises(InputError, match=expected):
        parsed(name, scores)


RNG = np.random.default_rng(3)
TRUE = np.repeat([0, 1, 2], 10)
MANY = RNG.dirichlet([1.0, 1.0, 1.0], 30).round(2)
KINDS = {
    "roc_auc": (TRUE.clip(max=1), MANY[:, :1]),
    "average_precision": (TRUE.clip(max=1), MANY[:, :1]),
    "roc_auc_ovr": (TRUE, MANY),
    "average_precision_macro": (TRUE, MANY),
}


@pytest.mark.parametrize("name", KINDS)
def test_imagined_examples_of_one_place_add_up(name):
    true, scores = KINDS[name]
    table = ScoreTable.tally(true.max() + 1, true, scores)
    weights, weight, alike = RNG.random((table.count.size, 4)), RNG.random((2, 4)), np.full((2, 4), 5)
    two = Weighting(weights, alike, np.array([1, 1]), weight)
    one = Weighting(weights, alike[:1], np.array([1]), weight.sum(axis=0, keepdims=True))
    score = scorer(name, table, 0, np.arange(table.count.size))
    np.testing.assert_allclose(score(two), score(one), rtol=1e-5)


@pytest.mark.parametrize("name", KINDS)
def test_an_imagined_example_ranks_where_the_real_one_does_whose_scores_it_has(name):
    true, scores = KINDS[name]
    table = ScoreTable.tally(true.max() + 1, true, scores)
    n = table.count.size
    weights, weight, alike = RNG.random((n, n)), RNG.random((1, n)), np.arange(n)
    for code in range(table.n_classes):
        of_class = np.array([code])
        found = scorer(name, table, 0, alike)(Weighting(weights, alike[None], of_class, weight))
        for draw in range(n):
            real = ScoreTable(
                table.n_classes,
                np.append(table.true, of_class),
                np.concatenate([table.scores, table.scores[:, [draw]]], axis=1),
                np.append(table.count, 1),
            )
            all_weights = np.append(weights[:, draw], weight[:, draw])[:, None]
            np.testing.assert_allclose(found[draw], scorer(name, real, 0)(Weighting.of_outcomes(all_weights))[0])


def test_an_imagined_example_has_the_number_of_the_real_one():
    table = ScoreTable.tally(1, np.zeros(3, dtype=int), np.array([[1.0], [2.0], [4.0]]))
    weighting = Weighting(np.array([[1.0], [1.0], [2.0]]), np.array([[2]]), np.array([0]), np.array([[3.0]]))
    assert scorer("mean", table, 0)(weighting).tolist() == [(1 + 2 + 2 * 4 + 3 * 4) / 7]


@pytest.mark.parametrize(("lacking", "owner"), [(0, "baseline"), (1, "candidate")])
def test_either_test_set_has_to_have_every_class(lacking, owner):
    scores, some = np.full((3, 3), 1 / 3), [np.arange(3), np.arange(3)]
    some[lacking] = np.zeros(3, dtype=int)
    sides = tuple((ScoreTable.tally(3, true, scores), 0) for true in some)
    with pytest.raises(InputError, match=f"none of class 'b' in the test set of the {owner}"):
        parse_score_measure("roc_auc_ovr", ("a", "b", "c"), sides)
    loss = parse_score_measure("neg_log_loss", ("a", "b", "c"), sides)
    assert (loss.is_mean, loss.detail) == (True, Detail.TOTAL)
