import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import Scores
from pytest_bayesf1.data.outcomes import CommonShares, ScoreExperiment
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


def drawn(pair):
    baseline, candidate = pair
    experiment = ScoreExperiment("paired", (Sides(baseline, candidate).joint,))
    sampler = ScoreSampler(experiment, [parse_score_measure("roc_auc", baseline.labels, experiment.sides)], 7)
    return np.concatenate([sampler.draw(n) for n in (500, 1, 1_499)], axis=1)


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


N_DRAWS = 20_000


def assert_alike(found, expected):
    for one, other in zip((*found, found[1] - found[0]), (*expected, expected[1] - expected[0]), strict=True):
        assert one.mean() == pytest.approx(other.mean(), abs=5 * other.std() / np.sqrt(N_DRAWS / 2))
        assert one.std() == pytest.approx(other.std(), rel=0.04)


def of_pair(name, share=None, given=None):
    sides = [Scores.from_predictions(FEW_TRUE[: each.size].astype(int), each) for each in given or FEW]
    population = None if share is None else CommonShares(shares=((1, share),))
    experiment = ScoreExperiment("paired", (Sides(*sides).joint,), population=population)
    measure = parse_score_measure(name, sides[0].labels, experiment.sides)
    return ScoreSampler(experiment, [measure], 7).draw(N_DRAWS)[:, :, 0]


FEW_TRUE = np.arange(30) % 3 == 0
FEW = [(FEW_TRUE + scale * RNG.normal(size=30)).round(2) for scale in (0.8, 1.5)]


def ranked_above(scores, own):
    """Return the share of the other class's examples that each score is ranked above, ties half."""
    others, sign = scores[own != FEW_TRUE], 1 if own else -1
    above = sign * np.sign(scores[:, None] - others)
    return ((above + 1) / 2).mean(axis=1)


def test_an_area_has_four_parts_of_an_example_more_at_the_ends_of_each_class():
    """They are ranked as well as the best of the class by either side, or as badly as the worst."""
    rng, areas = np.random.default_rng(6), []
    weight, pseudo = rng.standard_exponential((N_DRAWS, 30)), rng.standard_gamma(1 / 4, (2, N_DRAWS, 4))
    for scores, is_high in zip(FEW, ([1, 0, 1, 0], [1, 1, 0, 0]), strict=True):
        of, weights = [], []
        for own in (0, 1):
            known = np.array([ranked_above(each, own)[own == FEW_TRUE] for each in FEW])
            ends = [np.abs(ranked_above(scores, own) - end).argmin() for end in (known.min(), known.max())]
            of.append(np.append(scores[own == FEW_TRUE], scores[np.take(ends, is_high)]))
            weights.append(np.concatenate([weight[:, own == FEW_TRUE], pseudo[own]], axis=1))
        above = (np.sign(of[1][:, None] - of[0]) + 1) / 2
        ranked = np.einsum("np,pq,nq->n", weights[1], above, weights[0])
        areas.append(ranked / weights[0].sum(axis=1) / weights[1].sum(axis=1))
    assert_alike(of_pair("roc_auc"), areas)


@pytest.mark.parametrize("share", [None, 0.7])
def test_a_loss_has_four_parts_of_an_example_more_of_each_class_half_of_them_shared(share):
    """Each is a real one, of whatever class; with stated shares every class weighs what is stated."""
    rng, true = np.random.default_rng(6), FEW_TRUE[:9]
    probabilities = [rng.choice([0.1, 0.7, 0.9], 9), rng.choice([0.2, 0.9], 9)]
    losses = [np.square(true - each) for each in probabilities]
    weight, pseudo = rng.standard_exponential((N_DRAWS, 9)), rng.standard_gamma(1 / 4, (N_DRAWS, 8))
    of = [np.flatnonzero(own == np.append(true, np.repeat([0, 1], 4))) for own in (0, 1)]
    weight = np.concatenate([weight, pseudo], axis=1)
    if share is not None:
        for own, stated in zip(of, (1 - share, share), strict=True):
            weight[:, own] *= stated / weight[:, own].sum(axis=1, keepdims=True)
    given = rng.integers(9, size=(2, N_DRAWS, 8))
    given[1] = np.where(rng.random((N_DRAWS, 8)) < 0.5, given[0], given[1])
    scores = [
        -np.average(np.column_stack([np.tile(loss, (N_DRAWS, 1)), loss[at]]), axis=1, weights=weight)
        for loss, at in zip(losses, given, strict=True)
    ]
    assert_alike(of_pair("neg_brier_score", share, probabilities), scores)


@pytest.mark.parametrize("order", [1, -1])
def test_grades_of_two_test_sets_are_on_one_scale(order):
    """Of ten equal grades each pseudo-observation falls to an end of it: 5, which the other test set has."""
    tables = tuple(Scores.from_values([grade] * 10).table for grade in (1, 5)[::order])
    experiment = ScoreExperiment("independent", tables)
    measures = [parse_score_measure("mean", (), experiment.sides)]
    drawn = ScoreSampler(experiment, measures, 7).draw(2_000)[::order, :, 0]
    assert drawn[0].max() > 1.2
    assert drawn[1].min() < 4.5


def of_grades(*grades, **known):
    sides = [Scores.from_values(each, **known) for each in grades]
    tables = (Sides(*sides).joint if len(sides) == 2 else sides[0].table,)
    experiment = ScoreExperiment("paired" if len(sides) == 2 else "single", tables)
    return ScoreSampler(experiment, [parse_score_measure("mean", (), experiment.sides)], 3).draw(N_DRAWS)[:, :, 0]


def test_grades_of_one_side_have_two_more_at_one_end_and_of_two_one_for_each_pair_of_ends():
    (alone,) = of_grades([1.0] * 7 + [0.0] * 3)
    halves = stats.beta(9, 3), stats.beta(7, 5)
    assert stats.kstest(alone, lambda x: sum(each.cdf(x) for each in halves) / 2).pvalue > 1e-5
    baseline, candidate = of_grades([1, 1, 1, 1, 1, 0], [1, 1, 0, 0, 0, 0])
    both, only_baseline, only_candidate, _ = np.random.default_rng(0).dirichlet([3, 4, 1, 2], N_DRAWS).T
    assert stats.ks_2samp(baseline, both + only_baseline).pvalue > 1e-5
    assert stats.ks_2samp(candidate - baseline, only_candidate - only_baseline).pvalue > 1e-5


def test_equal_grades_of_a_cluster_tell_no_more_than_one_of_them():
    alone = of_grades(*[[0.6] * 20] * 2)
    together = of_grades(*[[0.6] * 200] * 2, clusters=np.repeat(np.arange(20), 10))
    assert np.subtract(*together).std() == pytest.approx(np.subtract(*alone).std(), rel=0.12)
