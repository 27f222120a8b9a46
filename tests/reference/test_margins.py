"""Under the paired hierarchical prior each side alone follows the model for one classifier."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.measures import parse_measure
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.priors import PRIORS

N_DRAWS = 20_000


def prior_draws(model, n_sides, measure, n_classes, seed):
    experiment = Experiment(model, (OutcomeTable.empty(n_classes, n_sides),))
    parsed = parse_measure(measure, tuple(range(n_classes)))
    return ExactEngine().sampler(experiment, PRIORS["hierarchical"], parsed, seed).draw(N_DRAWS)


@pytest.mark.parametrize("n_classes", [3, 6])
@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "precision[0]", "cohen_kappa", "balanced_accuracy"])
def test_margin_of_the_paired_prior_is_the_2015_prior(measure, n_classes):
    pair = prior_draws("paired", 2, measure, n_classes, seed=1)
    (alone,) = prior_draws("single", 1, measure, n_classes, seed=2)
    for side in pair:
        assert stats.ks_2samp(side, alone).pvalue > 1e-5


def test_the_paired_prior_favours_neither_agreement_nor_disagreement():
    """Cov(eta_1 + eta_2, eta_1 + eta_3) = 0 for Dirichlet(1/2, 1/2, 1/2, 1/2)."""
    baseline, candidate = prior_draws("paired", 2, "accuracy", 4, seed=3)
    assert abs(np.corrcoef(baseline, candidate)[0, 1]) < 4 / np.sqrt(N_DRAWS)
