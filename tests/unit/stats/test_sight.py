"""The smallest loss that a gate finds, in closed form."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from pytest_bayesf1.stats.power import Alternative, detectable_losses, spread_of

ROPE = Rope(-0.01, 0.02)
POSTERIOR = summarise_delta(Draws(norm.ppf(np.linspace(0.00005, 0.99995, 10_000), 0, 0.01)), ROPE, 0.95)


Z, Z_OF_POWER = norm.ppf([0.975, 0.8])


def test_a_posterior_that_is_as_wide_whatever_the_loss():
    likely, even = detectable_losses(POSTERIOR, ROPE, spread_of(POSTERIOR, None))
    assert even == pytest.approx(0.01 + Z * 0.01, rel=0.01)
    assert likely == pytest.approx(even + Z_OF_POWER * 0.01, rel=0.01)


def test_nothing_is_tolerated():
    likely, even = detectable_losses(POSTERIOR, Rope(0.0, 0.02), spread_of(POSTERIOR, None))
    assert (likely, even) == pytest.approx(((Z + Z_OF_POWER) * 0.01, Z * 0.01), rel=0.01)


def test_a_posterior_that_widens_with_the_loss():
    def spread(loss):
        return 0.01 * sqrt(1 + 10 * loss)

    likely, even = detectable_losses(POSTERIOR, ROPE, spread)
    assert even == pytest.approx(0.01 + Z * spread(even), rel=0.01)
    assert likely == pytest.approx(even + Z_OF_POWER * spread(likely), rel=0.01)


def test_certainty_sees_all_that_the_rope_does_not_tolerate():
    certain = replace(POSTERIOR, std=0.0, hdi=(0.0, 0.0))
    assert detectable_losses(certain, ROPE, spread_of(certain, None)) == (0.01, 0.01)


def accuracy_of(n_discordant, n):
    table = OutcomeTable.tally(
        2,
        np.array([0, 1, 0, 1]),
        np.array([0, 1, 0, 0]),
        np.array([0, 1, 1, 1]),
        weight=np.array([n - n_discordant, n - n_discordant, n_discordant, n_discordant]) / 2,
    )
    return Alternative.seen(Experiment(Model.PAIRED, (table,)), parse_measure("accuracy", (0, 1)))


def test_the_spread_is_that_of_sides_which_agree_as_often():
    spread = spread_of(POSTERIOR, accuracy_of(n_discordant=400, n=4_000))
    assert spread(0.0) == pytest.approx(0.01, rel=0.01)
    assert spread(0.05) == pytest.approx(sqrt(0.01**2 - 0.05**2 / 4_000), rel=0.01)
    assert spread(0.2) == pytest.approx(sqrt(0.01**2 + (0.2 - 0.2**2 - 0.1) / 4_000), rel=0.01)


@pytest.mark.parametrize("n", [100, 1_000, 10_000])
@pytest.mark.parametrize("share_discordant", [0.02, 0.1, 0.4])
def test_few_evaluations_are_enough(n, share_discordant):
    width = sqrt(share_discordant / n)
    posterior = replace(POSTERIOR, std=width, hdi=(POSTERIOR.mean - Z * width, POSTERIOR.mean + Z * width))
    spread, tried = spread_of(posterior, accuracy_of(share_discordant * n, n)), []

    def counted(loss):
        tried.append(loss)
        return spread(loss)

    likely, even = detectable_losses(posterior, ROPE, counted)
    assert even == pytest.approx(0.01 + Z * spread(even), rel=0.03)
    assert likely == pytest.approx(even + Z_OF_POWER * spread(likely), rel=0.01)
    assert len(tried) <= 3


def test_the_design_effect_multiplies_what_the_loss_adds():
    seen = accuracy_of(n_discordant=400, n=4_000)
    more = spread_of(POSTERIOR, seen)(0.2) ** 2 - POSTERIOR.std**2
    assert spread_of(POSTERIOR, seen, 3.0)(0.2) ** 2 - POSTERIOR.std**2 == pytest.approx(3 * more)


def test_sides_that_agree_on_everything_are_not_told_that_nothing_is_seen():
    sure = replace(POSTERIOR, std=1e-4, hdi=(-2e-4, 2e-4))
    likely, even = detectable_losses(sure, ROPE, spread_of(sure, accuracy_of(n_discordant=0, n=4_000)))
    assert even == pytest.approx(0.01 + 2 * sqrt(even / 4_000), rel=0.02)
    assert 0.01 < even < likely < 0.02


def test_where_no_candidate_loses_as_much_the_posterior_stays_as_wide():
    assert spread_of(POSTERIOR, accuracy_of(2_000, 100_000))(2.0) == POSTERIOR.std
