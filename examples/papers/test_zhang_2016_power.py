"""Zhang et al. 2016, section 3.3: power against the size of the test set, for the paired and the unpaired model.

The published table is lost from the text that we have, and the probabilities of scenario (a) are garbled; those below
follow from the two F1 scores that it states. With them A and B are independent given the true class, though the paper
calls them correlated: all that pairing gains in (a) is that both sides share the class proportions.
"""

from functools import partial

import numpy as np
import pytest

from pytest_bayesf1 import compare, plan
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import UNIFORM
from pytest_bayesf1.stats.posterior import hdi

ROPE = 0.05
# Where the whole HDI should lie, the probabilities [true, A, B], with as many negatives as positives, and how many test
# sets show what pairing gains.
SCENARIOS = {
    "(a) A is better": ((ROPE, 1.0), [[[0.3, 0.3], [0.2, 0.2]], [[0.2, 0.2], [0.3, 0.3]]], 600),
    "(b) A and B are equivalent": ((-ROPE, ROPE), [[[0.3, 0.2], [0.2, 0.3]], [[0.3, 0.2], [0.2, 0.3]]], 200),
}
PLANNED = list(zip(SCENARIOS, ("much_better", "equivalent"), (1_000, 2_000), strict=True))
SIZES = (500, 1_000, 2_000, 4_000)
N_DRAWS = 2_000
F1 = parse_measure("f1", (0, 1))


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_pairing_never_costs_power(paired_counts, side_by_side, scenario):
    goal, probabilities, n_sets = SCENARIOS[scenario]
    rng = np.random.default_rng(0)
    reached = []
    with side_by_side(f"Zhang et al. 2016, section 3.3: power in scenario {scenario}") as table:
        for size in SIZES:
            counts = rng.multinomial(size, np.ravel(probabilities) / 2, size=n_sets)
            reached.append(np.array([outcomes(paired_counts(each).table, goal) for each in counts]))
            paired, unpaired = (f"{power:.0%}" for power in reached[-1].mean(axis=0))
            gain = f"{standardised_gain(reached[-1]):.1f}"
            table.row(f"N = {size:,}", {"paired": paired, "unpaired": unpaired, "gain, in standard errors": gain})
    assert min(map(standardised_gain, reached)) > -4
    assert standardised_gain(np.concatenate(reached)) > 4


@pytest.mark.parametrize(("scenario", "decision", "size"), PLANNED)
def test_a_plan_tells_the_power_beforehand(paired_counts, side_by_side, scenario, decision, size):
    """Figure 5: power against N. Here the unpaired model has a test set for each classifier."""
    _, probabilities, _ = SCENARIOS[scenario]
    population = paired_counts(np.round(1_000_000 * np.array(probabilities) / 2).astype(int))
    found = plan(population, measure="f1", rope=ROPE)
    place = [scenario.name for scenario in found.scenarios].index("as in the pilot")
    paired, unpaired = (
        {point.n_examples: getattr(point.rates[place], decision) for point in design.curve}
        for design in found.designs
        if design.model is not Model.SAME_SET
    )
    with side_by_side(f"Zhang et al. 2016, section 3.3: planned power in scenario {scenario}") as table:
        for n, power in paired.items():
            table.row(f"N = {n:,}", {"paired": f"{power:.0%}", "unpaired": f"{unpaired[n]:.0%}"})
            assert power >= unpaired[n] - 1e-9
    compared = partial(
        compare, measure="f1", rope=ROPE, prior="uniform", n_draws=N_DRAWS, weak_baseline=True
    )  # the published baseline is right in half of all cases
    counts = np.random.default_rng(0).multinomial(size, np.ravel(probabilities) / 2, size=(2, 100))
    first, second = ([paired_counts(each) for each in test_sets] for test_sets in counts)
    together = [compared(each) for each in first]
    apart = [
        compared(one.baseline, other.candidate, model="independent") for one, other in zip(first, second, strict=True)
    ]
    for results, expected in ((together, paired[size]), (apart, unpaired[size])):
        share = np.mean([result.decision.name.lower() == decision for result in results])
        assert share == pytest.approx(expected, abs=0.03 + 4 * 0.5 / np.sqrt(100))


def outcomes(pairs, goal):
    """Tell whether the paired, and whether the unpaired, model reaches the goal on one test set."""
    experiments = Experiment(Model.PAIRED, (pairs,)), Experiment(Model.INDEPENDENT, (pairs.side(0), pairs.side(1)))
    return [reaches(goal, experiment) for experiment in experiments]


def reaches(goal, experiment):
    baseline, candidate = ExactEngine().sampler(experiment, UNIFORM, F1, seed=0).draw(N_DRAWS)
    low, high = hdi(candidate - baseline, 0.95)
    return goal[0] < low and high < goal[1]


def standardised_gain(reached):
    """Return what pairing gains over its standard error, to which only test sets that part the models contribute."""
    paired, unpaired = reached.T
    return (paired.sum() - unpaired.sum()) / np.sqrt(max((paired != unpaired).sum(), 1))
