import numpy as np
import pytest

from pytest_bayesf1 import InputError, PairedCounts, compare, score_gap, shrink
from pytest_bayesf1.stats.posterior import hdi
from pytest_bayesf1.stats.shrinkage import Shrinkage
from tests.unit.made_up import comparison


def compared(accuracy, candidate, n=400, seed=0, **arguments):
    """Compare two classifiers of these accuracies, right or wrong independently."""
    rng = np.random.default_rng([seed, n])
    truth = np.arange(n) % 2
    sides = [truth ^ (rng.random(n) >= right) for right in (accuracy, candidate)]
    arguments = {"measure": "accuracy", "rope": 0.02, **arguments}
    return compare(PairedCounts.from_predictions(truth, *sides), **arguments)


SLICES = {
    name: compared(0.9, right, seed=seed) for seed, (name, right) in enumerate([("de", 0.9), ("en", 0.88), ("fi", 0.7)])
}


def test_every_part_is_told_alone_and_shrunk():
    group = shrink(SLICES, by="language")
    assert [part.part for part in group.parts] == ["de", "en", "fi"]
    assert [(part.alone.mean, part.alone.hdi) for part in group.parts] == [
        (each.mean, each.hdi) for each in SLICES.values()
    ]
    expected = Shrinkage.of(*(np.array([getattr(each, of) for each in SLICES.values()]) for of in ("mean", "std")))
    assert [part.shrunk.mean for part in group.parts] == pytest.approx(expected.mean)
    assert np.array([part.shrunk.hdi for part in group.parts]) == pytest.approx(expected.hdi(0.95))
    assert (group.by, group.gap) == ("language", None)
    assert group.common.mean == pytest.approx(expected.common)
    assert group.spread_interval[0] < group.spread < group.spread_interval[1]


def test_the_gap_is_that_between_the_best_and_the_worst_slice():
    gap = score_gap(SLICES)
    assert (gap.best, gap.worst) == ("de", "fi")
    low, high = gap.candidate.hdi
    assert low < 0.2 < high
    assert 0 < gap.baseline.mean < 0.05
    assert gap.change.mean == pytest.approx(gap.candidate.mean - gap.baseline.mean)
    assert gap.change.hdi[0] > 0
    assert (gap.limit, gap.p_within, gap.is_too_wide) == (None, None, False)


@pytest.mark.parametrize(("limit", "too_wide"), [(0.02, True), (0.2, False), (0.9, False)])
def test_a_limit_is_exceeded_where_the_whole_interval_is_above_it(limit, too_wide):
    gap = score_gap(SLICES, limit=limit)
    assert gap.is_too_wide is too_wide
    assert gap.p_within == pytest.approx(1.0 if limit == 0.9 else 0.5, abs=0.5)
    assert (gap.p_within < 0.025) is too_wide


def test_two_that_are_the_same_classifier_have_the_same_gap():
    truth = np.arange(300) % 2
    same = {}
    for name, right in (("a", 0.9), ("b", 0.7)):
        guess = truth ^ (np.random.default_rng(3).random(300) >= right)
        same[name] = compare(PairedCounts.from_predictions(truth, guess, guess), measure="accuracy", rope=0.02)
    gap = score_gap(same)
    assert gap.change.mean == pytest.approx(0, abs=0.002)
    assert gap.change.hdi[1] - gap.change.hdi[0] < 0.3 * (gap.candidate.hdi[1] - gap.candidate.hdi[0])


def test_slices_that_are_alike_have_a_smaller_gap_than_their_raw_scores():
    alike = {str(seed): compared(0.9, 0.85, n=200, seed=seed) for seed in range(10)}
    rng = np.random.default_rng(0)
    raw = np.ptp([rng.permutation(each.candidate.draws[:20_000]) for each in alike.values()], axis=0)
    gap = score_gap(alike)
    assert hdi(raw, 0.95)[0] > 0.04  # the truth is 0
    assert gap.candidate.hdi[0] < 0.02


def test_thinned_comparisons_serve_and_those_without_draws_do_not():
    thinned = {name: each.thinned(2_000) for name, each in SLICES.items()}
    assert {each.delta.size for each in thinned.values()} <= set(range(1_000, 2_001))
    whole, few = score_gap(SLICES), score_gap(thinned)
    assert few.candidate.mean == pytest.approx(whole.candidate.mean, abs=0.005)
    with pytest.raises(InputError, match="with their draws"):
        score_gap({name: each.without_draws() for name, each in SLICES.items()})


@pytest.mark.parametrize("together", [shrink, score_gap])
def test_what_cannot_be_seen_together(together):
    one = comparison()
    with pytest.raises(InputError, match="expected two at least, got 1"):
        together({"a": one})
    with pytest.raises(InputError, match=r"expected one hdi_prob, got 0\.9 and 0\.95"):
        together({"a": one, "b": comparison(hdi_prob=0.9)})


def test_a_part_without_uncertainty():
    with pytest.raises(InputError, match="leave some uncertainty, got a standard deviation of 0"):
        shrink({"a": comparison(), "b": comparison(std=0.0)})
