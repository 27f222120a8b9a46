"""Under the paired priors each side alone follows the prior for one classifier."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import Prior

N_DRAWS = 20_000
ALPHAS = [(1, 1), (8, 2), (0.5, 3)]


def prior_draws(prior, n_sides, measure, n_classes, seed):
    experiment = Experiment("paired" if n_sides == 2 else "single", (OutcomeTable.empty(n_classes, n_sides),))
    parsed = parse_measure(measure, tuple(range(n_classes)))
    return ExactEngine().sampler(experiment, prior, parsed, seed).draw(N_DRAWS)


def assert_margins(prior, measure, n_classes):
    pair = prior_draws(prior, 2, measure, n_classes, seed=1)
    (alone,) = prior_draws(prior, 1, measure, n_classes, seed=2)
    for side in pair:
        # 72 tests in all: at 1e-5 each, one false alarm in 1,400 seeds; scores of almost 0 may lack the smallest atoms
        assert stats.ks_2samp(side.round(9), alone.round(9)).pvalue > 1e-5


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize("n_classes", [3, 6])
@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "precision[0]", "cohen_kappa", "balanced_accuracy"])
def test_margin_of_the_paired_hierarchical_prior(measure, n_classes, alpha):
    assert_margins(Prior.named("hierarchical", alpha=alpha), measure, n_classes)


@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
@pytest.mark.parametrize("measure", ["accuracy", "recall[0]"])
def test_margin_of_being_right_under_the_paired_nested_prior(measure, alpha):
    """How a side's errors are split is another matter: in pairs two groups hold them, each split on its own."""
    assert_margins(Prior.named("nested", alpha=alpha), measure, 4)


@pytest.mark.parametrize("name", ["hierarchical", "nested"])
@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_a_side_s_mean_accuracy_is_that_of_alpha(name, alpha):
    for side in prior_draws(Prior.named(name, alpha=alpha), 2, "accuracy", 4, seed=3):
        assert abs(side.mean() - alpha[0] / sum(alpha)) < 4 * side.std() / np.sqrt(N_DRAWS)


@pytest.mark.parametrize("name", ["hierarchical", "nested"])
@pytest.mark.parametrize("alpha", ALPHAS, ids=str)
def test_the_paired_prior_favours_neither_agreement_nor_disagreement(name, alpha):
    """Cov(eta_1 + eta_2, eta_1 + eta_3) is proportional to a_1 a_4 - a_2 a_3 = 0."""
    baseline, candidate = prior_draws(Prior.named(name, alpha=alpha), 2, "accuracy", 4, seed=3)
    moment = (baseline - baseline.mean()) * (candidate - candidate.mean())
    assert abs(moment.mean()) < 4 * moment.std() / np.sqrt(N_DRAWS)
