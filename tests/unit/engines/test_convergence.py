"""What follows when Markov chains cannot be trusted; the chains are made up."""

from dataclasses import dataclass

import numpy as np
import pytest

from pytest_bayesf1 import InputError, compare
from pytest_bayesf1.engines.nuts import NutsEngine, NutsSampler, Trace
from pytest_bayesf1.errors import ConvergenceError
from pytest_bayesf1.results.comparison import Convergence

MATRIX = [[48, 2], [3, 47]]
NOISE = np.random.default_rng(0).normal(size=(4, 1_000))


@dataclass(frozen=True)
class MadeUpChains:
    """An engine whose delta is normal around ``mean``, in chains that have converged."""

    mean: float
    name = "pymc"
    first_draws = most_draws = 4_000
    class_scores = None

    def sampler(self, *_):
        return self

    def draw(self, n):
        delta = self.mean + 0.01 * np.random.default_rng(1).normal(size=n)
        return np.stack([np.full(n, 0.5), 0.5 + delta])[:, :, None]

    def convergence(self, values):
        return Convergence(float(values.size), n_chains=4, r_hat=1.0)


def converge(delta, **variables):
    sampler = NutsSampler(NutsEngine(), None, None, None, 0)
    sampler._trace = Trace({"eta": NOISE, **variables}, divergences=3)
    return sampler.convergence(delta.ravel())


def test_chains_that_agree_are_trusted():
    found = converge(NOISE)
    assert found.n_chains == 4
    assert found.divergences == 3
    assert found.r_hat <= 1.01
    assert found.ess == pytest.approx(4_000, rel=0.15)


def test_chains_that_disagree_are_an_error():
    with pytest.raises(ConvergenceError, match=r"R-hat up to 1.01 .*got 4 chains, R-hat 1\.\d+, ESS .*3 divergences"):
        converge(NOISE + np.arange(4)[:, None])


def test_a_parameter_that_has_not_converged_is_an_error_too():
    with pytest.raises(ConvergenceError, match="use engine='exact'"):
        converge(NOISE, mu=NOISE + np.arange(4)[:, None])


def test_too_few_effective_draws_are_an_error():
    slow = NOISE.copy()
    for step in range(1, 1_000):
        slow[:, step] = 0.95 * slow[:, step - 1] + NOISE[:, step]
    with pytest.raises(ConvergenceError, match="at least 400 effective draws"):
        converge(slow)


def test_a_decision_within_the_error_of_chains_is_an_error():
    result = compare(MATRIX, MATRIX, rope=0.01, engine=MadeUpChains(-0.06))
    assert result.decision == "<<"
    assert result.convergence.r_hat == 1.0
    edge = result.hdi[1] - result.mean  # moves the upper end of the HDI onto the ROPE's lower end
    with pytest.raises(ConvergenceError, match="enough to settle the decision"):
        compare(MATRIX, MATRIX, rope=0.01, engine=MadeUpChains(-0.01 - edge))


def test_results_tell_the_chains():
    result = compare(MATRIX, MATRIX, rope=0.01, engine=MadeUpChains(-0.06))
    assert "4,000 draws (4 chains, R-hat 1.000, ESS 4,000), pymc engine" in " ".join(str(result).split())
    assert result.to_dict()["convergence"] == {"ess": 4_000, "n_chains": 4, "r_hat": 1.0, "divergences": 0}
    assert result.to_arviz()["posterior"]["delta"].shape == (4, 1_000)


@pytest.mark.parametrize(("name", "value"), [("chains", 1), ("draws", 10), ("tune", 0), ("cores", 0)])
def test_settings_that_cannot_work(name, value):
    with pytest.raises(InputError, match=rf"NutsEngine\.{name}: expected at least"):
        NutsEngine(**{name: value})
