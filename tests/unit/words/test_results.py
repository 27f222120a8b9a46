import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import Convergence
from pytest_bayesf1.words.results import computed, verdict_line
from tests.unit.made_up import comparison, estimate


def test_the_line_above_a_failure():
    worse = comparison(decision=Decision.MUCH_WORSE, mean=-0.07, hdi=(-0.081, -0.055), measure="f1[spam]")
    assert verdict_line(worse) == "≪ F1 of spam −7.0 points (you allow 1): 0.800 → 0.730"
    assert verdict_line(worse, "language=de").startswith("≪ language=de, F1 of spam −7.0 points ")
    assert len(verdict_line(worse, 1_000 * "long")) < 100


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"below_floor": True, "above_floor": False, "floor": 0.9}, "macro-F1 0.800 is below the floor of 0.9"),
        ({}, "macro-F1 0.800 is above the floor of 0.75"),
        ({"above_floor": False, "floor": 0.79}, "macro-F1 0.800 is not clearly below the floor of 0.79"),
    ],
)
def test_the_line_above_an_estimate(changes, told):
    assert verdict_line(estimate(**changes)) == told


def test_how_draws_were_made():
    chains = comparison(convergence=Convergence(1_800.0, n_chains=4, r_hat=1.002))
    assert "draws (4 chains, R-hat 1.002, ESS 1,800), " in computed(chains)
    assert "draws, " in computed(comparison())
