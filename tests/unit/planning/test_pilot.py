import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts
from pytest_bayesf1.choices import COMPARISONS, Model
from pytest_bayesf1.comparison.arguments import CompareOptions, Prevalence
from pytest_bayesf1.planning.plan import (
    Scenarios,
    assumed_pilot,
    counted_pilot,
    round_sizes,
    two_digits,
    with_second_side,
)

CLASSES = {"ham": 0.6, "spam": 0.3, "eggs": 0.1}
RNG = np.random.default_rng(0)
TRUTH = RNG.integers(0, 3, 400)
OLD, NEW = (np.where(RNG.random(400) < right, TRUTH, RNG.integers(0, 3, 400)) for right in (0.8, 0.75))
MATRIX = [[40, 5, 5], [3, 20, 2], [1, 1, 23]]
PAIRS = PairedCounts.from_predictions(TRUTH, OLD, NEW)
LABELLED = MultilabelCounts([[[5, 1], [1, 3]], [[2, 2], [1, 5]]])
CLUSTERED = ConfusionMatrix.from_predictions(TRUTH, OLD, clusters=np.arange(400) // 4)
TRAININGS = ConfusionMatrix.from_predictions(TRUTH, np.stack([OLD, NEW, TRUTH], axis=1), runs="seeds")


def assumed(measure="f1_macro", agreement=0.9, accuracy=0.85, shares=CLASSES, prevalence=None):
    return assumed_pilot(shares, accuracy, agreement, measure, prevalence)


def dense(found):
    """Return the joint probabilities of a population."""
    table = found.table
    joint = np.zeros((table.n_classes,) * 3)
    joint[table.true, *table.predicted] = table.count
    return joint


class TestPilot:
    def test_both_sides_are_as_they_were_counted(self):
        """An pseudo-observation of each class among 400 hardly tells."""
        pilot = counted_pilot(PAIRS, None, None, "accuracy")
        assert pilot.population.delta == pytest.approx((NEW == TRUTH).mean() - (OLD == TRUTH).mean(), abs=0.002)
        assert pilot.population.agreement == pytest.approx((OLD == NEW).mean(), abs=0.002)
        assert pilot.in_words == "the predictions of both on 400 examples"

    @pytest.mark.parametrize("agreement", [0.75, 0.9, 0.999])
    def test_the_other_side_is_a_mixture(self, agreement):
        """In a plain loop: it repeats the prediction, or makes one afresh."""
        matrix = np.divide(MATRIX, 100)
        found = dense(counted_pilot(MATRIX, None, agreement, "accuracy").population)
        rows = matrix / matrix.sum(axis=1, keepdims=True)
        by_chance = (matrix * rows).sum()
        afresh = (1 - agreement) / (1 - by_chance)
        for j, k, l in np.ndindex(3, 3, 3):  # noqa: E741
            expected = matrix[j, k] * (afresh * rows[j, l] + (1 - afresh) * (k == l))
            assert found[j, k, l] == pytest.approx(expected)

    def test_shares_and_accuracies(self):
        """Those that were rounded are made to add up to 1."""
        shares = {name: 0.996 * share for name, share in CLASSES.items()}
        accuracy = {"ham": 1, "spam": 0.8, "eggs": 0.5}
        pilot, exact = (assumed(accuracy=accuracy, shares=each) for each in (shares, CLASSES))
        np.testing.assert_allclose(dense(pilot.population), dense(exact.population))
        found = dense(pilot.population).sum(axis=2)
        np.testing.assert_allclose(found.sum(axis=1), [0.6, 0.3, 0.1])
        np.testing.assert_allclose(found.diagonal(), [0.6, 0.24, 0.05])
        assert found[2, 0] == pytest.approx(2 * found[2, 1])  # ham is twice as frequent as spam
        assert (pilot.n_examples, pilot.labels) == (0, ("ham", "spam", "eggs"))

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ((MATRIX, None, None), "agreement: expected how often both predict the same"),
            ((MATRIX, None, 1), "got 1. Two that never differ need no test"),
            ((MATRIX, None, "0.9"), "got '0.9'"),
            ((MATRIX, None, 0.4), "expected 70.8% or more, on which two such classifiers"),
            ((MATRIX, MATRIX, 0.9), "candidate: The two sides do not pair up"),
            ((PAIRS, None, 0.9), "agreement: The predictions show it"),
            ((MATRIX, None, 0.9, "f2_macro"), "measure"),
            ((LABELLED, None, 0.9), "baseline: A plan covers one label, or one type of span"),
            ((CLUSTERED, None, 0.9), "baseline: A plan is for independent examples only"),
            ((TRAININGS, None, 0.9), "baseline: A plan is for independent examples only"),
        ],
    )
    def test_what_cannot_be_planned_from(self, given, told):
        with pytest.raises(InputError, match=told):
            counted_pilot(*given, *["accuracy"][: 4 - len(given)]).population  # noqa: B018

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({"shares": [0.5, 0.5]}, "shares: expected the share of every class by its label"),
            ({"shares": {"ham": 0.5, "spam": 0.4}}, "they add up to 1, got 0.9 in all"),
            ({"shares": {"ham": 1.5, "spam": -0.5}}, r"shares\['ham'\]: expected a number between 0 and 1"),
            ({"shares": {"ham": 0.5, "spam": "half"}}, r"shares\['spam'\]: .*, got 'half'"),
            ({"accuracy": None}, "accuracy: expected the share of right predictions.*, got nothing"),
            ({"accuracy": 90}, "accuracy: .*, got 90"),
            ({"accuracy": {"ham": 0.9}}, r"accuracy\['spam'\]: .*, got nothing"),
            ({"accuracy": {**dict.fromkeys(CLASSES, 0.9), "egg": 0.9}}, "Did you mean 'eggs'"),
        ],
    )
    def test_what_cannot_be_assumed(self, given, told):
        with pytest.raises(InputError, match=told):
            assumed(**given)

    def test_a_measure_without_a_class_is_of_one_that_has_examples(self):
        side = ConfusionMatrix([[30, 5, 1], [4, 20, 2], [0, 0, 0]], labels=["0", "1", "N/A"])
        assert counted_pilot(side, None, 0.9, "f1").measure.class_index == 1

    def test_too_many_outcomes(self):
        side = assumed_pilot(dict.fromkeys(range(110), 1 / 110), 0.9, 0.95, "accuracy").table
        with pytest.raises(InputError, match="more than 1,000,000 possible outcomes"):
            with_second_side(side, 0.95)
        fewer = assumed_pilot(dict.fromkeys(range(40), 1 / 40), 0.9, 0.95, "accuracy").table  # 40 classes: 64,000
        assert with_second_side(fewer, 0.95).count.size == 40**3


OPTIONS = CompareOptions.resolve(measure="accuracy", rope=0.01)
BINARY = assumed("accuracy", agreement=0.95, shares={"ham": 0.7, "spam": 0.3})


def scenarios(pilot=BINARY, loss=0.03):
    return Scenarios.of(pilot, OPTIONS, loss)


def needed(model, power, found=None):
    (design,) = (each for each in (found or scenarios()).designs() if each.model is model)
    return next(each for each in design.needed if each.power == power)


class TestScenarios:
    def test_the_differences_are_those_that_were_stated(self):
        found = scenarios()
        assert [truth.population.delta for truth in found.all] == pytest.approx([0, -0.005, -0.01, -0.03], abs=1e-8)
        assert [truth.figures(OPTIONS.rope).allowed for truth in found.all] == [True, True, True, False]
        assert found.all[-1] is found.found

    def test_a_rope_that_allows_no_loss_leaves_fewer(self):
        options = CompareOptions.resolve(measure="accuracy", rope=(0, 0.01))
        names = [truth.name for truth in Scenarios.of(BINARY, options, 0.02).all]
        assert names == ["no difference", "the loss to find"]

    @pytest.mark.parametrize(
        "start",
        [
            lambda given: assumed("accuracy", prevalence=given),
            lambda given: counted_pilot(MATRIX, None, 0.9, "accuracy", given),
            lambda given: counted_pilot(PAIRS, None, None, "accuracy", given),
        ],
        ids=["assumed", "one side", "both sides"],
    )
    def test_accuracies_at_stated_shares_need_what_each_class_tells(self, start):
        """Test sets have the shares of the pilot."""
        of_pilot, stated = start(None).population.table.row_totals, np.array([0.2, 0.5, 0.3])
        pilot = start(Prevalence.of(dict(zip(start(None).labels, stated.tolist(), strict=True))))
        options = CompareOptions.resolve(measure="accuracy", rope=(-0.01, 0.02), hdi_prob=0.8)
        found = Scenarios.of(pilot, options, 0.03)
        joint = dense(found.found.population)
        np.testing.assert_allclose(joint.sum(axis=(1, 2)), of_pilot)
        joint /= joint.sum(axis=(1, 2), keepdims=True)
        gain = np.eye(3)[:, None, :] - np.eye(3)[:, :, None]
        mean, square = (joint * gain).sum(axis=(1, 2)), (joint * gain**2).sum(axis=(1, 2))
        assert stated @ mean == pytest.approx(-0.03)
        recalls = np.stack([joint.sum(axis=2).diagonal(), joint.sum(axis=1).diagonal()])
        weights = stated**2 / of_pilot
        paired = np.sqrt(weights @ (square - mean**2))
        apart = np.sqrt(weights @ (recalls * (1 - recalls)).sum(axis=0))
        spreads = {Model.PAIRED: (paired, paired), Model.SAME_SET: (paired, apart), Model.INDEPENDENT: (apart, apart)}
        for model, (scatter, width) in spreads.items():
            for power in (0.8, 0.9):
                expected = ((norm.ppf(0.9) * width + norm.ppf(power) * scatter) / (0.03 - 0.01)) ** 2
                assert needed(model, power, found).n_examples == pytest.approx(expected, abs=1)

    def test_the_rarest_class_alone_has_all_of_the_loss(self):
        found = scenarios(assumed("accuracy", accuracy={"ham": 0.7, "spam": 0.8, "eggs": 0.9}))
        joint, start = dense(found.of_one_class.population), dense(found.all[0].population)
        np.testing.assert_allclose(joint[:2].sum(axis=1), start[:2].sum(axis=1))
        assert joint[2].sum(axis=0)[2] == pytest.approx(start[2].sum(axis=0)[2] - 0.03)
        (first, *_) = found.designs()
        power = found.of_one_class.power(Model.PAIRED, OPTIONS)
        assert [each.n_of_one_class for each in first.needed] == [power.examples_to_fail(each) for each in (0.8, 0.9)]

    def test_the_curve_passes_through_what_is_needed(self):
        found = scenarios()
        numbers = [need.n_examples for design in found.designs() for need in design.needed]
        for design in found.designs():
            powers = [truth.power(design.model, OPTIONS) for truth in found.all]
            assert powers[-1].rates(design.needed[0].n_examples).much_worse == pytest.approx(0.8, abs=0.001)
            assert design.curve[0].n_examples < min(numbers) / 6
            assert design.curve[-1].n_examples > 1.4 * max(numbers)
            for size in design.curve:
                assert size.rates == tuple(power.rates(size.n_examples) for power in powers)
        assert tuple(design.model for design in found.designs()) == COMPARISONS

    def test_sizes_of_test_sets(self):
        assert round_sizes(100, 1_000) == [100, 130, 160, 200, 250, 320, 400, 500, 630, 790, 1000]
        assert round_sizes(1, 12)[0] == 10
        assert two_digits(9_960) == 10_000
