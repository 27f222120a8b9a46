from itertools import product

import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.stats import norm, t

from pytest_bayesf1 import compare
from pytest_bayesf1.results.comparison import EarlierChange
from pytest_bayesf1.stats.usual import FEWEST_CHANGES, UsualChanges
from pytest_bayesf1.words.results import facts

GRID = np.linspace(-0.6, 0.6, 8_001)
STEP = GRID[1] - GRID[0]
ALLOWED = 0.003
RNG = np.random.default_rng(4)
MEANS, STDS = RNG.normal(0.001, 0.009, 25), RNG.uniform(0.004, 0.012, 25)
HISTORY = [EarlierChange(*each) for each in zip(MEANS, STDS, strict=True)]
KINDS = [(0.0, 1, 0, 0.5), *((*kind, 0.5 / 18) for kind in product((0.05, 0.15, 0.3), (3, 6), (-1, 0, 1)))]


def by_quadrature(history, spoilt=1.0, gated=True):
    """Average kinds and scales of changes, each blurred by convolving on a fine grid, with scipy's densities."""
    usual = np.mean([each.std**-2.0 for each in history]) ** -0.5
    scales = usual * np.geomspace(0.05, 20, 40)
    slopes = usual / (usual + scales) ** 2  # of e / (s + e) in the scale
    wide = scales[:, None]

    def far(times, way):
        if way:
            return norm.pdf(GRID, way * times * wide, times * wide * 2 / 3)
        return t.pdf(GRID, 3, scale=times * wide)

    densities = np.concatenate(
        [(1 - share) * norm.pdf(GRID, scale=wide) + share * far(times, way) for share, times, way, _ in KINDS]
    )
    blurs = np.array([norm.pdf(each.mean, GRID, spoilt * each.std) for each in history])
    priors = np.concatenate([prior * slopes * scales for *_, prior in KINDS])
    log_weights = np.log(densities @ blurs.T * STEP).sum(axis=1) + np.log(priors)
    if gated:
        let_in = [norm.sf(-ALLOWED - norm.ppf(0.975) * each.std, GRID, spoilt * each.std) for each in history]
        log_weights -= np.log(densities @ np.transpose(let_in) * STEP).sum(axis=1)
    weights = np.exp(log_weights - log_weights.max())
    return weights @ densities / weights.sum()


def chance_by_quadrature(prior, mean, std, high):
    posterior = prior * norm.pdf(GRID, mean, std)
    return posterior[high > GRID].sum() / posterior.sum()


@pytest.fixture(scope="module")
def known():
    return by_quadrature(HISTORY)


class TestUsualChanges:
    @pytest.mark.parametrize(("mean", "std"), [(-0.012, 0.006), (-0.03, 0.015), (0.004, 0.01), (-0.06, 0.01)])
    def test_a_history_is_learned_from_as_by_quadrature(self, known, mean, std):
        n = 400_000
        draws = np.random.default_rng(1).normal(mean, std, n)
        found = UsualChanges.of(HISTORY, ALLOWED).chance(draws, high=-0.01)
        wanted = chance_by_quadrature(known, mean, std, -0.01)
        weights = np.interp(draws, GRID, known)
        error = np.sqrt(((weights * ((draws < -0.01) - wanted)) ** 2).sum()) / weights.sum()
        assert found.usual == pytest.approx(wanted, abs=4 * error + 1e-3)
        assert found.alone == pytest.approx(norm.cdf(-0.01, mean, std), abs=4 * np.sqrt(0.25 / n))
        assert found.n_earlier == 25

    def test_a_clear_loss_says_that_no_gate_kept_them_out(self, known):
        """Beside what a gate that let all in would make of it, and what one makes of the rest."""
        history = [*HISTORY[:-1], EarlierChange(-0.04, 0.006)]
        draws = np.random.default_rng(1).normal(-0.012, 0.006, 100_000)
        found = UsualChanges.of(history, ALLOWED).chance(draws, high=-0.01).usual
        free, gated = (
            chance_by_quadrature(by_quadrature(history, gated=gated), -0.012, 0.006, -0.01) for gated in (False, True)
        )
        assert found == pytest.approx(free, abs=0.01)
        assert abs(gated - free) > 0.02

    def test_a_mistaken_error_of_the_changes_would_show(self, known):
        wanted, spoilt = (
            chance_by_quadrature(each, -0.012, 0.006, -0.01) for each in (known, by_quadrature(HISTORY, 2))
        )
        assert abs(wanted - spoilt) > 0.02

    def test_without_a_history_nine_in_ten_stay_within_what_is_allowed(self):
        draws = np.linspace(-1, 1, 400_001)
        found = UsualChanges.within(0.01).chance(draws, low=-0.01, high=0.01)
        inside = t.cdf(0.01, 3, scale=0.01 / t.ppf(0.95, 3)) - t.cdf(-0.01, 3, scale=0.01 / t.ppf(0.95, 3))
        assert inside == pytest.approx(0.9)
        assert found.usual == pytest.approx(inside, abs=1e-3)
        assert found.n_earlier == 0

    def test_no_change_but_a_clear_loss_after_a_quiet_history_is_one(self):
        quiet = UsualChanges.of([EarlierChange(0.0, 0.004)] * 30, ALLOWED)
        draws = np.random.default_rng(2).normal(-0.1, 0.01, 50_000)
        assert quiet.chance(draws, high=-0.01).usual > 0.9


class TestChance:
    @pytest.mark.parametrize(
        ("mean", "std", "allowed"),
        [(-0.015, 0.005, 0.01), (-0.03, 0.01, 0.01), (-0.04, 0.02, 0.005), (0.01, 0.01, 0.02)],
    )
    def test_both_are_those_of_the_posterior_times_a_density_of_usual_changes(self, mean, std, allowed):
        """The t density that puts nine tenths within what is allowed, by quadrature; the error is that of the draws."""
        draws = np.random.default_rng(1).normal(mean, std, 100_000)
        delta = np.linspace(mean - 7 * std, mean + 7 * std, 200_001)
        usual = t(3, scale=allowed / t.ppf(0.95, 3)).pdf(delta) * norm.pdf(delta, mean, std)
        lost = delta < -allowed
        found = UsualChanges.within(allowed).chance(draws, high=-allowed)
        assert found.alone == pytest.approx(norm.cdf(-allowed, mean, std), abs=0.005)
        assert found.usual == pytest.approx(trapezoid(usual * lost, delta) / trapezoid(usual, delta), abs=0.015)

    def test_a_clear_loss_is_one_whatever_is_usual(self):
        found = UsualChanges.within(0.01).chance(np.random.default_rng(1).normal(-0.1, 0.01, 20_000), high=-0.01)
        assert found.alone == 1
        assert found.usual > 0.99

    def test_gains_mirror_losses(self):
        draws = np.random.default_rng(1).normal(-0.02, 0.01, 20_000)
        usual = UsualChanges.within(0.01)
        assert usual.chance(-draws, low=0.01) == usual.chance(draws, high=-0.01)


@pytest.fixture(scope="module")
def result():
    return compare([[90, 10], [10, 90]], [[82, 18], [10, 90]], rope=0.02)


class TestWithHistory:
    def test_fewer_changes_than_ten_say_nothing(self, result):
        assert result.with_history(HISTORY[: FEWEST_CHANGES - 1]) is result
        assert result.with_history(HISTORY[:FEWEST_CHANGES]).p_lost_more.n_earlier == FEWEST_CHANGES

    def test_the_newest_thirty_count(self, result):
        old = [EarlierChange(0.2, 0.01)] * 40
        found = result.with_history([*old, *HISTORY, *HISTORY[:5]])
        assert found.earlier_changes == (*HISTORY, *HISTORY[:5])

    def test_changes_that_are_certain_are_left_out(self, result):
        found = result.with_history([EarlierChange(0.0, 0.0), *HISTORY])
        assert found.earlier_changes == tuple(HISTORY)

    def test_the_decision_and_all_else_stay(self, result):
        found = result.with_history(HISTORY)
        assert (found.decision, found.hdi, found.p_below_rope) == (result.decision, result.hdi, result.p_below_rope)
        assert found.p_lost_more.alone == result.p_lost_more.alone == result.p_below_rope
        assert found.p_lost_more.usual != result.p_lost_more.usual
        assert found.p_gained_more.n_earlier == 25

    def test_sentences_go_by_the_changes_before(self, result):
        found = result.with_history(HISTORY)
        (said,) = [words for name, words in facts(found) if name == "chance"]
        assert f"{100 * found.p_lost_more.usual:.0f}%, going by the 25 changes before" in said
        assert said.endswith(f"{100 * found.p_lost_more.alone:.0f}% by this test set alone")
