"""How often the gate fails a good candidate and passes a bad one; docs/studies/rates.md holds a larger run."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import f1_score

from docs.studies.bootstrap import resampled_deltas
from docs.studies.populations import retrained
from docs.studies.rates import REGRESSIONS, TOLERABLE, Scenario, estimate_rates, standard_error
from docs.studies.rules import ROPE

MODELS = ("paired", "same-set", "independent")
AVERAGE = {2: "binary", 5: "macro", 20: "macro"}


@pytest.mark.parametrize("delta", TOLERABLE + REGRESSIONS)
@pytest.mark.parametrize("n_classes", [2, 5, 20])
def test_the_true_difference_is_the_one_that_was_ordered(n_classes, delta):
    population = retrained(Scenario(n_classes, 0, delta).measure, delta, n_classes)
    true, *predictions = np.indices(population.joint.shape).reshape(3, -1)
    weight = population.joint.ravel()
    baseline, candidate = (
        f1_score(true, side, sample_weight=weight, average=AVERAGE[n_classes]) for side in predictions
    )
    assert candidate - baseline == pytest.approx(delta, abs=1e-12)
    assert weight.sum() == pytest.approx(1)
    assert weight[true == predictions[0]].sum() == pytest.approx(0.8)
    assert weight[predictions[0] == predictions[1]].sum() == pytest.approx(0.9)


@pytest.mark.long
def test_the_bootstrap_resamples_examples():
    measure, rng = Scenario(3, 0, 0).measure, np.random.default_rng(7)
    pairs = retrained(measure, -0.02, 3).sample(60, rng)
    true, baseline, candidate = np.repeat([pairs.table.true, *pairs.table.predicted], pairs.table.count, axis=1)
    expected = []
    for chosen in rng.integers(60, size=(500, 60)):
        before, after = (f1_score(true[chosen], side[chosen], average="macro") for side in (baseline, candidate))
        expected.append(after - before)
    assert stats.ks_2samp(resampled_deltas(pairs, measure, 5_000, rng), expected).pvalue > 1e-4


def test_the_same_seed_gives_the_same_rates():
    first, again, other = (estimate_rates(Scenario(2, 100, -ROPE), 5, seed) for seed in (1, 1, 2))
    assert repr(first) == repr(again) != repr(other)


@pytest.mark.long
@pytest.mark.parametrize(("n_classes", "n_examples", "repetitions"), [(2, 2000, 40), (5, 1000, 20)])
def test_rates_keep_what_the_interval_promises(n_classes, n_examples, repetitions):
    rates = {
        delta: estimate_rates(Scenario(n_classes, n_examples, delta), repetitions, seed=5)
        for delta in TOLERABLE + REGRESSIONS
    }
    assert_false_failures_are_rare(rates, repetitions)
    assert_a_threshold_on_the_observed_difference_is_a_coin(rates, repetitions)
    assert_intervals_cover(rates, repetitions)
    assert_pairing_costs_no_power(rates, repetitions)


def assert_false_failures_are_rare(rates, repetitions):
    """At the ROPE's very edge they are one tail of the HDI; further inside, the paired model's are rarer still."""
    for model in MODELS:
        for delta in TOLERABLE:
            assert rates[delta][model].failed <= 0.025 + 4 * standard_error(0.025, repetitions)
    assert rates[0]["paired"].failed <= 0.005 + 4 * standard_error(0.005, repetitions)


def assert_a_threshold_on_the_observed_difference_is_a_coin(rates, repetitions):
    """When the true difference lies at the threshold."""
    noise = 4 * standard_error(0.5, repetitions)
    assert rates[0]["observed < 0"].failed == pytest.approx(0.5, abs=noise)
    assert rates[-ROPE]["observed < −ROPE"].failed == pytest.approx(0.5, abs=noise)


def assert_intervals_cover(rates, repetitions):
    """As often as they say; more often where the model does not know that the sides agree."""
    noise = 4 * standard_error(0.95, repetitions * len(rates))
    covered = {model: np.mean([each[model].covered for each in rates.values()]) for model in MODELS}
    assert covered["paired"] == pytest.approx(0.95, abs=noise)
    assert covered["independent"] == pytest.approx(0.95, abs=noise)
    assert covered["same-set"] >= 0.95 - noise


def assert_pairing_costs_no_power(rates, repetitions):
    for delta in REGRESSIONS:
        paired, *others = (rates[delta][model].failed for model in MODELS)
        for other in others:
            noise = np.hypot(standard_error(paired, repetitions), standard_error(other, repetitions))
            assert paired >= other - 4 * noise
