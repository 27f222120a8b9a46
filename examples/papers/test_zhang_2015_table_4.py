"""Zhang et al. 2015, Table IV: the independent hierarchical model, ROPE ±0.005.

The paper's Bayes factors divide the posterior density at 0 by that of the uniform prior, which is not the prior of its
model. With that, in the last column, only three of the six still speak for a difference, and one speaks against it.
"""

import numpy as np
import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.stats.density import density_at
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.measures import parse_measure
from pytest_bayesf1.stats.priors import UNIFORM

ROPE = 0.005
N_DRAWS = 20_000
# The paper drew 50,000 times by Markov chain; its figures are allowed the error of a tenth as many independent draws.
PAPER_DRAWS = 5_000
ERROR = 4 * np.sqrt(1 / PAPER_DRAWS + 1 / N_DRAWS)


@pytest.fixture(params=["f1_micro", "f1_macro"])
def measure(request):
    return request.param


@pytest.fixture
def prior_density(measure):
    """Density of delta at 0 under the uniform prior."""
    before = Experiment.before_data("independent", n_classes=20)
    sampler = ExactEngine().sampler(before, UNIFORM, parse_measure(measure, range(20)), seed=1)
    baseline, candidate = sampler.draw(N_DRAWS)
    return density_at_zero(candidate - baseline)


def density_at_zero(draws):
    return density_at(draws, np.zeros(1))[0]


def test_posterior_of_delta(measure, prior_density, newsgroups, published, side_by_side, figures_of_delta):
    with side_by_side(f"Zhang et al. 2015, Table IV: {measure}, ours | paper") as table:
        for paper in published("zhang-2015-table-4", measure=measure):
            ours = posterior(*(newsgroups[name] for name in paper["pair"].split(" vs ")), measure)
            factor = density_at_zero(ours.delta) / prior_density
            table.row(
                paper["pair"],
                {
                    **figures_of_delta([ours.delta], paper, ROPE, ERROR),
                    "std": (ours.std, paper["std"], ERROR * ours.std),
                    "decision": (ours.decision.ascii, paper["decision"]),
                    "BF": (factor, paper["bf_sd"], kernel_error(factor, prior_density, ours.std)),
                    "BF, own prior": f"{ours.bayes_factor_sd:.3f}",
                },
            )


def posterior(candidate, baseline, measure):
    return compare(
        baseline,
        candidate,
        measure=measure,
        rope=ROPE,
        model="independent",
        prior="hierarchical",
        n_draws=N_DRAWS,
    )


def kernel_error(factor, prior_density, std):
    """Return the error of the paper's factor: a Gaussian kernel counts the draws in 2 sqrt(pi) bandwidths."""
    window = 2 * np.sqrt(np.pi) * 0.9 * std * PAPER_DRAWS**-0.2
    return ERROR * np.sqrt(factor / (prior_density * window))
