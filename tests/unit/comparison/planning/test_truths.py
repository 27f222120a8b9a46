import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.planning.pilot import Scenarios, counted_pilot, round_sizes, two_digits
from pytest_bayesf1.settings import COMPARISONS, Model
from tests.unit.comparison.planning.populations import assumed, dense

OPTIONS = CompareOptions.resolve(measure="accuracy", rope=0.01)
BINARY = assumed("accuracy", agreement=0.95, shares={"ham": 0.7, "spam": 0.3})
LABELS = ("ham", "spam")


def scenarios(pilot=BINARY, loss=0.03):
    return Scenarios.of(pilot, OPTIONS, loss)


def needed(model, power, found=None):
    (design,) = (each for each in (found or scenarios()).designs() if each.model is model)
    return next(each for each in design.needed if each.power == power)


def test_the_differences_are_those_that_were_stated():
    found = scenarios()
    assert [truth.population.delta for truth in found.all] == pytest.approx([0, -0.005, -0.01, -0.03], abs=1e-8)
    assert [truth.figures(OPTIONS.rope).tolerated for truth in found.all] == [True, True, True, False]
    assert found.all[-1] is found.found


def test_a_rope_that_tolerates_no_loss_leaves_fewer():
    options = CompareOptions.resolve(measure="accuracy", rope=(0, 0.01))
    assert [truth.name for truth in Scenarios.of(BINARY, options, 0.02).all] == ["no difference", "the loss to find"]


@pytest.mark.parametrize("power", [0.8, 0.9])
def test_paired_accuracies_need_what_mcnemars_test_with_a_margin_needs(power):
    joint = dense(scenarios().found.population)
    right = np.eye(2, dtype=bool)
    lost = joint[right[:, :, None] & ~right[:, None, :]].sum()
    gained = joint[~right[:, :, None] & right[:, None, :]].sum()
    z = norm.ppf(0.975) + norm.ppf(power)
    expected = z**2 * (lost + gained - (gained - lost) ** 2) / (0.03 - 0.01) ** 2
    assert needed(Model.PAIRED, power).n_examples == pytest.approx(expected, abs=1)


def test_independent_accuracies_need_what_two_binomials_need():
    z = norm.ppf(0.975) + norm.ppf(0.8)
    expected = z**2 * (0.85 * 0.15 + 0.82 * 0.18) / (0.03 - 0.01) ** 2
    assert needed(Model.INDEPENDENT, 0.8).n_examples == pytest.approx(expected, abs=1)


def test_the_curve_passes_through_what_is_needed():
    found = scenarios()
    for design in found.designs():
        n = design.needed[0].n_examples
        assert found.found.power(design.model, OPTIONS).rates(n).much_worse == pytest.approx(0.8, abs=0.001)
        assert design.curve[0].n_examples < n < design.curve[-1].n_examples
        assert {len(size.rates) for size in design.curve} == {len(found.all)}
    assert tuple(design.model for design in found.designs()) == COMPARISONS


@pytest.mark.parametrize("measure", ["accuracy", "f1_macro", "matthews_corrcoef"])
@pytest.mark.parametrize("agreement", [0.8, 0.95])
def test_pairing_never_costs_power(measure, agreement):
    options = CompareOptions.resolve(measure=measure, rope=0.01)
    paired, *others = Scenarios.of(assumed(measure, agreement), options, 0.04).designs()
    for other in others:
        for ours, theirs in zip(paired.curve, other.curve, strict=True):
            assert ours.rates[-1].much_worse >= theirs.rates[-1].much_worse
        assert paired.needed[0].n_examples < other.needed[0].n_examples


@pytest.mark.slow
def test_a_counted_pilot_says_how_well_it_knows():
    """Of accuracy the variance is that of the disagreements, so that N is as uncertain as their number."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 1_000)
    old = np.where(rng.random(1_000) < 0.9, truth, 1 - truth)
    new = np.where(rng.random(1_000) < 0.95, old, 1 - old)
    pilot = counted_pilot(PairedCounts.from_predictions(truth, old, new), None, None, "accuracy")
    found = needed(Model.PAIRED, 0.8, scenarios(pilot))
    low, high = found.interval
    assert low < found.n_examples < high
    disagreements = (old != new).sum()
    assert (high - low) / found.n_examples == pytest.approx(2 * 1.645 / np.sqrt(disagreements), rel=0.35)
    assert needed(Model.PAIRED, 0.8).interval is None
    assert [truth.name for truth in scenarios(pilot).all][-2:] == ["as in the pilot", "the loss to find"]


def test_classes_that_need_more_come_first():
    found = scenarios(assumed("balanced_accuracy", shares={"ham": 0.9, "spam": 0.1})).allocation(LABELS)
    assert [each.label for each in found.classes] == ["spam", "ham"]
    spam, ham = found.classes
    assert spam.optimal > spam.as_they_come
    assert abs(spam.as_they_come + ham.as_they_come - found.n_as_they_come) <= 1
    assert 0 <= spam.optimal + ham.optimal - found.n_optimal <= 2
    assert found.saved == pytest.approx(1 - found.n_optimal / found.n_as_they_come)


def test_sizes_of_test_sets():
    assert round_sizes(100, 1_000) == [100, 130, 160, 200, 250, 320, 400, 500, 630, 790, 1000]
    assert round_sizes(1, 12)[0] == 10
    assert two_digits(9_960) == 10_000
