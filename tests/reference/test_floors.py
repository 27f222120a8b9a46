"""How often a floor fails a model of two classes that is as good as the floor; docs/studies/binary.md has more."""

import numpy as np
import pytest

from docs.studies.binary import floor_rates, good_model
from pytest_bayesf1.priors import prior_by_name

REPETITIONS = 400
TOLERATED = 0.035


@pytest.mark.parametrize(("positives", "n_examples"), [(5, 10), (5, 50), (20, 200)])
@pytest.mark.one_of_many
def test_a_floor_at_the_true_score_fails_few_good_models_under_the_default_prior(positives, n_examples):
    rates = floor_rates(positives, n_examples, REPETITIONS, n_draws=1_000)
    default = prior_by_name("auto", good_model(5, 45, np.random.default_rng(0))).name
    error = np.sqrt(TOLERATED * (1 - TOLERATED) / REPETITIONS)
    assert rates[default] < TOLERATED + 3 * error
    assert rates[default] < rates["uniform"]
