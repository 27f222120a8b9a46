import numpy as np
import pytest
from scipy import integrate

from pytest_bayesf1.engines.hyperparameters import GroupFactor, TiltedFactor


@pytest.mark.parametrize(("counts", "tilt"), [((5, 3), 1.0), ((40, 1, 1), 20.0), ((2,), 0.0)])
def test_proposals_have_the_mean_of_the_density(counts, tilt):
    factor = GroupFactor.of_cells(np.array(counts), scale=0.5, a=1.0)

    def density(eta):
        return float(eta ** (factor.shape - 1) * np.exp(factor.h(eta) - tilt * eta))

    total, moment = (integrate.quad(f, 0, 1)[0] for f in (density, lambda eta: eta * density(eta)))
    mean = np.array([moment / total])
    tilted = TiltedFactor(factor, mean, factor.spread(mean), np.array([tilt]), np.ones(1))
    drawn = tilted.propose(np.random.default_rng(1).random(40_000))
    assert drawn.mean() == pytest.approx(moment / total, abs=5 * drawn.std() / drawn.size**0.5)
