import numpy as np
import pytest

from pytest_bayesf1 import Scores
from pytest_bayesf1.data.outcomes import ScoreExperiment
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.engines.bootstrap import ScoreSampler, _influences, _scale
from pytest_bayesf1.measures.ranking import parse_score_measure
from pytest_bayesf1.stats.clusters import placements

RNG = np.random.default_rng(5)
TRUE = np.arange(120) % 2
CLUSTER = RNG.integers(0, 30, 120)
GIVEN = [(TRUE + 1.5 * RNG.normal(size=120)).round(1) for _ in range(2)]


def sides(order=slice(None), renamed=tuple(range(30))):
    cluster = np.array(renamed)[CLUSTER[order]]
    return [Scores.from_predictions(TRUE[order], given[order], clusters=cluster) for given in GIVEN]


def drawn(pair, names=("roc_auc",), n=2_000):
    baseline, candidate = pair
    experiment = ScoreExperiment("paired", (Sides(baseline, candidate).joint,))
    measures = [parse_score_measure(name, baseline.labels, experiment.sides) for name in names]
    sampler = ScoreSampler(experiment, measures, 7)
    return np.concatenate([sampler.draw(part) for part in (n // 4, 1, n - n // 4 - 1)], axis=1)


def test_the_order_of_the_examples_and_the_names_of_the_units_change_nothing():
    expected = drawn(sides())
    np.testing.assert_array_equal(drawn(sides(RNG.permutation(120))), expected)
    np.testing.assert_array_equal(drawn(sides(renamed=RNG.permutation(30))), expected)


def test_an_outcome_moves_each_of_two_sides_by_half_of_how_they_differ_about_its_class():
    table = Sides(*(Scores.from_predictions(TRUE[:75] > 0, given[:75]) for given in GIVEN)).joint
    apart = placements(table, 0) - placements(table, 1)
    for code in (0, 1):
        of_class = table.true == code
        half = (apart - np.average(apart[of_class], weights=table.count[of_class])) / 2
        for found, sign in zip(_influences(table), (1, -1), strict=True):
            assert found[of_class] == pytest.approx(sign * half[of_class] / table.count[of_class].sum())


def test_measures_that_are_asked_for_together_find_what_each_finds_alone():
    together = drawn(sides(), names=("roc_auc", "average_precision"))
    for place, name in enumerate(("roc_auc", "average_precision")):
        np.testing.assert_array_equal(together[:, :, place], drawn(sides(), names=(name,))[:, :, 0])


def test_a_perfect_ranking_of_thirty_examples_is_no_certainty():
    perfect = Scores.from_predictions([0, 1] * 15, [0.1, 0.9] * 15)
    auc = drawn((perfect, perfect))[0]
    assert 0.9 < auc.mean() < 0.99
    assert auc.std() > 0.01


@pytest.mark.parametrize(("name", "other"), [("roc_auc", "average_precision"), ("neg_log_loss", "neg_brier_score")])
def test_two_sides_that_score_every_example_alike_may_differ_on_others(name, other):
    alike = Scores.from_predictions(TRUE, RNG.random(120))
    baseline, candidate = drawn((alike, alike), (name, other))
    delta = candidate - baseline
    assert (delta.std(axis=0) > 0).all()
    assert (delta.std(axis=0) < baseline.std(axis=0)).all()
    assert (np.abs(delta.mean(axis=0)) < 4 * delta.std(axis=0) / np.sqrt(len(delta))).all()


@pytest.mark.parametrize(
    ("one", "other", "scale"),
    [
        ((0.2, 0.4), (0.5, 0.6), (0, 1)),
        ((-3, -1), (-2, -2), (-3, 0)),
        ((1, 4), (2, 5), (0, 5)),
        ((-1, 0), (0, 2), (-1, 2)),
    ],
)
def test_a_scale_goes_from_0_to_1_or_as_far_as_grades_do(one, other, scale):
    tables = [Scores.from_values(each).table for each in (one, other)]
    assert _scale(tables) == _scale(tables[::-1]) == scale


@pytest.mark.parametrize("order", [1, -1])
def test_grades_of_two_test_sets_are_on_one_scale(order):
    """Of ten equal grades each pseudo-observation falls to an end of it: 5, which the other test set has."""
    tables = tuple(Scores.from_values([grade] * 10).table for grade in (1, 5)[::order])
    experiment = ScoreExperiment("independent", tables)
    measures = [parse_score_measure("mean", (), experiment.sides)]
    drawn = ScoreSampler(experiment, measures, 7).draw(2_000)[::order, :, 0]
    assert drawn[0].max() > 1.2
    assert drawn[1].min() < 4.5
