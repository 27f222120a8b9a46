"""What changes in a result when the prior has seen examples before."""

import numpy as np
import pytest

from pytest_bayesf1 import InputError, Prior, compare
from pytest_bayesf1.comparison.result import run_estimate

LARGE, WORSE = np.array([[4_000, 1_000], [500, 4_500]]), np.array([[3_950, 1_050], [500, 4_500]])
SMALL = np.array([[40, 10], [5, 45]])
FEW = 2_000


def run(baseline, candidate, **arguments):
    return compare(baseline, candidate, **{"rope": 0.01, "measure": "accuracy", "n_draws": FEW, **arguments})


def accuracy(p):
    return np.trace(p, axis1=-2, axis2=-1)


@pytest.fixture(scope="module")
def earlier():
    return run(LARGE, WORSE).as_prior()


def test_the_result_names_what_its_prior_has_seen(earlier):
    result = run(SMALL, SMALL, prior=earlier)
    assert result.prior == result.to_dict()["prior"] == "jeffreys after 10,000 earlier examples"
    assert result.n_samples == (100, 100)
    assert result.baseline.observed == pytest.approx(0.85)
    assert result.model_reason == "the prior is a posterior of this model"
    assert run(SMALL, SMALL, prior=result.as_prior()).prior == "jeffreys after 10,100 earlier examples"


def test_it_does_not_ask_for_pairs_that_the_prior_rules_out(earlier):
    assert any("becomes paired" in note for note in run(SMALL, SMALL).notes())
    assert not any("becomes paired" in note for note in run(SMALL, SMALL, prior=earlier).notes())


def test_the_examples_that_are_needed_come_on_top_of_all_that_were_seen(earlier):
    result = run(SMALL, SMALL, prior=earlier)
    alone = run(LARGE + SMALL, WORSE + SMALL)
    assert result.decision == alone.decision == "?"
    assert result.examples_needed == alone.examples_needed > 10_100


def test_an_estimate_is_not_pulled_by_what_was_seen():
    before = run_estimate(LARGE, 0.5, n_draws=FEW).as_prior()
    result = run_estimate([[4, 4], [4, 4]], 0.5, prior=before, n_draws=FEW)
    assert result.pull > 10
    assert not any("moves the posterior mean" in note for note in result.notes())
    pseudo = run_estimate([[4, 4], [4, 4]], 0.5, prior=Prior.from_counts(LARGE), n_draws=FEW)
    assert any("The pseudo-counts prior moves the posterior mean" in note for note in pseudo.notes())


def test_the_prior_of_the_bayes_factor_is_the_posterior_of_the_earlier_set(earlier):
    """The second set hardly changes the odds, whatever the first one did to them."""
    assert run(LARGE, WORSE).bayes_factor > 4
    assert run(SMALL, SMALL, prior=earlier, n_draws=20_000).bayes_factor == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("measure", ["accuracy", accuracy], ids=["by name", "a function"])
def test_another_prior_s_density_has_not_seen_the_earlier_set(earlier, measure):
    result = run(SMALL, SMALL, prior=earlier, measure=measure)
    factor = result.savage_dickey("uniform")
    # under the uniform prior delta is spread over most of (-1, 1), after 10,000 examples over a few hundredths
    assert factor.value > 20 * result.bayes_factor_sd
    assert factor.value == pytest.approx(
        run(SMALL, SMALL, prior=earlier, measure="accuracy").savage_dickey("uniform").value, rel=0.1
    )


def test_a_prior_of_other_hyper_parameters_serves_below_the_line():
    result = run(SMALL, SMALL, prior="hierarchical", n_draws=20_000)
    own, same, wider = (
        result.savage_dickey(prior)
        for prior in ("hierarchical", Prior.named("hierarchical"), Prior.named("hierarchical", alpha=(0.1, 0.1)))
    )
    assert own.value == same.value == pytest.approx(result.bayes_factor_sd, rel=1e-12)
    assert wider.value != own.value


def test_a_prior_with_counts_does_not(earlier):
    for prior in (Prior.from_counts(np.eye(2)), earlier):
        with pytest.raises(InputError) as caught:
            run(SMALL, SMALL).savage_dickey(prior)
        assert (caught.value.where, caught.value.found) == ("prior", str(prior))
        assert caught.value.expected == "a prior without counts of its own"
        assert "Prior.named" in caught.value.advice
