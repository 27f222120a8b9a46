"""Truncated processes, as both hierarchies are sampled, against sticks that are broken to the end."""

import numpy as np
import pytest
from scipy import stats

from docs.studies.populations import retrained
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines import prior_draws
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.prior_draws import CELL_DEPTH, SplitRows
from pytest_bayesf1.measures.classification import Several, parse_measure
from pytest_bayesf1.priors import HIERARCHICAL, NESTED
from pytest_bayesf1.stats.posterior import batch_mcse, hdi

N_CLASSES, N_DRAWS = 20, 100_000
MEASURES = Several(tuple(parse_measure(name, range(N_CLASSES)) for name in ("f1_macro", "f1[3]", "matthews_corrcoef")))


def errors_all_over():
    """1,500 examples, errors on any class: the largest rho, for which there are the most atoms."""
    rng = np.random.default_rng(0)
    true = np.arange(1_500) % N_CLASSES
    baseline = np.where(rng.random(1_500) < 0.8, true, rng.integers(0, N_CLASSES, 1_500))
    candidate = np.where(rng.random(1_500) < 0.9, baseline, rng.integers(0, N_CLASSES, 1_500))
    return OutcomeTable.tally(N_CLASSES, true, baseline, candidate)


def few_examples():
    """200 examples, most groups of a row without any, errors mostly on one class."""
    population = retrained(MEASURES.measures[0], -0.01, N_CLASSES, imbalance=20, spread=0.12)
    return population.sample(200, np.random.default_rng(0)).table


def atom_by_atom(table, group, expected, one_by_one):
    return SplitRows(table, group, expected, one_by_one=True)


def spread(delta):
    """Mean, standard deviation and the HDI's bounds."""
    return np.stack([delta.mean(axis=-1), delta.std(axis=-1), *np.moveaxis(hdi(delta, 0.95), -1, 0)], axis=-1)


@pytest.mark.long
@pytest.mark.parametrize("prior", [HIERARCHICAL, NESTED], ids=str)
@pytest.mark.parametrize("data", [errors_all_over, few_examples])
def test_truncation_leaves_the_posterior_as_it_is(monkeypatch, data, prior):
    experiment, drawn = Experiment("paired", (data(),)), []
    for seed in range(2):
        baseline, candidate = ExactEngine().sampler(experiment, prior, MEASURES, seed).draw(N_DRAWS)
        drawn.append(candidate - baseline)
        monkeypatch.setattr(prior_draws, "DEPTH", CELL_DEPTH)
        monkeypatch.setattr(prior_draws, "SplitRows", atom_by_atom)
    for few, many in zip(*(each.T for each in drawn), strict=True):
        mcse = np.hypot(batch_mcse(few, spread), batch_mcse(many, spread))
        # 48 figures: at 4.5 standard errors each, one false alarm in 3,000 seeds
        assert (abs(spread(few) - spread(many)) < 1e-3 * many.std() + 4.5 * mcse).all()
        assert abs(stats.skew(few) - stats.skew(many)) < 1e-3 + 4.5 * np.sqrt(2 * 6 / N_DRAWS) * (
            1 + stats.kurtosis(many)
        )
        assert stats.ks_2samp(few, many).pvalue > 1e-5
