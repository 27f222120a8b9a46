from contextlib import suppress
from itertools import product
from math import sqrt

import numpy as np
import pytest
from scipy.stats import ks_2samp

from benchmarks.studies.binary import floor_rates, good_model
from benchmarks.studies.cluster_populations import Drawing, Sized
from benchmarks.studies.clusters import REPETITIONS, SIZES_REPETITIONS, STUDIES, where
from benchmarks.studies.creep import BUDGET, NEVER, Creep, simulate
from benchmarks.studies.grown import ALIKE, FAILING
from benchmarks.studies.grown import simulate as grow
from benchmarks.studies.looks import drawn
from benchmarks.studies.power import Setting, losses
from benchmarks.studies.rates import REGRESSIONS, TOLERABLE, Scenario, estimate_rates, standard_error
from benchmarks.studies.rules import ROPE
from benchmarks.studies.settling import QUESTIONS, settled
from pytest_bayesf1 import ConfusionMatrix, Decision, PairedCounts, Regression, compare
from pytest_bayesf1.baselines.store import BaselineStore
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.gates.anchor import PART
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.planning.plan import Scenarios, assumed_pilot
from pytest_bayesf1.priors import UNIFORM, prior_by_name
from pytest_bayesf1.project import Update
from tests.unit.made_up import recording

N = 4_000
TRUTH = np.arange(N) % 2


def predicted(right):
    return ConfusionMatrix.from_predictions(TRUTH, TRUTH ^ ~right, ids=np.arange(N))


def upper_end(anchor, candidate):
    """The upper end of the usual 95% interval of a paired difference of two shares."""
    difference = candidate.astype(float) - anchor
    return difference.mean() + 1.96 * difference.std() / np.sqrt(N)


def first_failure(tmp_path, generations):
    """Let one test run after the other, each with the next candidate, and each update its baseline."""
    store = BaselineStore(tmp_path)
    for step, right in enumerate(generations):
        regression = Regression(store, "test_f1", Update.ALL, "pytest")
        with recording() as recorded, suppress(AssertionError):
            regression.check(predicted(right), measure="accuracy", rope=ROPE)
        if failed := [each.part for each in recorded.verdicts if each.outcome == "failed"]:
            assert failed == [PART]
            assert (store.anchor_of(store.find("test_f1")) is None) == (step == 1)
            return step
        regression.keep()
    return NEVER


class TestCreep:
    """The anchor finds a loss that comes in steps if the data show it; benchmarks/studies/creep.md has a larger run."""

    @pytest.mark.one_of_many
    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.LeaningWorseWarning")
    @pytest.mark.parametrize("seed", [0, 1, 2, 4])
    def test_ten_steps_of_four_tenths_of_a_point_fail_where_the_anchor_shows_the_loss(self, tmp_path, seed):
        creep = Creep(N, 10, -0.004, agreement=0.98)
        generations = list(creep.generations(np.random.default_rng(seed)))
        ends = [upper_end(generations[0], right) for right in generations]
        oracle = next((step for step, end in enumerate(ends) if end < -BUDGET), NEVER)
        closest = min(abs(end + BUDGET) for end in ends)
        assert closest > 1e-4, "another seed: this one leaves it open which step it is"
        assert first_failure(tmp_path, generations) == oracle
        assert creep.oracle_step <= oracle < NEVER

    def test_the_last_baseline_alone_sees_nothing_and_the_anchor_everything(self):
        failed = np.isfinite(simulate(Creep(N, 12, -ROPE / 2), 10, seed=1)).mean(axis=0)
        assert failed[0] <= 0.1
        assert failed[1] == 1

    @pytest.mark.long
    def test_two_hundred_steps_without_a_loss_hardly_ever_fail(self):
        failed = np.isfinite(simulate(Creep(N, 200, 0.0), 200, seed=1)).mean(axis=0)
        assert (failed <= 0.025).all()


# How often a floor fails a model of two classes that is as good as the floor; benchmarks/studies/binary.md has more.
FLOORS_REPETITIONS = 400
TOLERATED = 0.035


@pytest.mark.parametrize(("positives", "n_examples"), [(5, 10), (5, 50), (20, 200)])
@pytest.mark.one_of_many
def test_a_floor_at_the_true_score_fails_few_good_models_under_the_default_prior(positives, n_examples):
    rates = floor_rates(positives, n_examples, FLOORS_REPETITIONS, n_draws=1_000)
    default = prior_by_name("auto", good_model(5, 45, np.random.default_rng(0))).name
    error = np.sqrt(TOLERATED * (1 - TOLERATED) / FLOORS_REPETITIONS)
    assert rates[default] < TOLERATED + 3 * error
    assert rates[default] < rates["uniform"]


# Plans against the gate itself: on simulated test sets, and on one that is drawn class by class.
TEST_SETS = 40


def plan_classes(n_classes):
    shares = np.geomspace(3, 1, n_classes)
    return dict(enumerate(shares / shares.sum()))


def decided(population, n, repetition, **asked):
    """Draw the test sets of a gate and let it decide; two of them where it compares independent samples."""
    rng = np.random.default_rng(repetition)
    table = drawn(population, n, rng)
    if asked["model"] == "paired":
        return compare(PairedCounts.from_table(table, tuple(range(table.n_classes))), **asked).decision
    sides = []
    for side in (table.side(0), drawn(population, n, rng).side(1)):
        matrix = np.zeros((table.n_classes, table.n_classes), dtype=np.int64)
        np.add.at(matrix, (side.true, side.predicted[0]), side.count)
        sides.append(matrix)
    return compare(*sides, **asked).decision


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.errors.ClassSharesWarning")  # they differ by chance
@pytest.mark.one_of_many
@pytest.mark.parametrize(("n_classes", "n"), [(2, 800), (2, 4_000), (5, 1_500), (20, 3_000)])
def test_the_approximation_is_what_the_gate_does(n_classes, n):
    """By both models and at each true difference, every decision."""
    asked = {"measure": "f1" if n_classes == 2 else "f1_macro", "rope": 0.02}
    options = CompareOptions.resolve(**asked)
    pilot = assumed_pilot(plan_classes(n_classes), 0.85, 0.93, asked["measure"])
    tried = list(product((Model.PAIRED, Model.INDEPENDENT), Scenarios.of(pilot, options, 0.06).all))
    assert len(tried) == 2 * 4
    for number, (model, scenario) in enumerate(tried):
        decisions = [
            decided(scenario.population, n, [0, number, repetition], model=str(model), n_draws=2_500, **asked)
            for repetition in range(TEST_SETS)
        ]
        approximation = scenario.power(model, options).rates(n)
        for decision in Decision:
            expected = getattr(approximation, decision.name.lower())
            error = np.sqrt(max(expected * (1 - expected), 1 / TEST_SETS) / TEST_SETS)
            rate = decisions.count(decision) / TEST_SETS
            assert rate == pytest.approx(expected, abs=0.03 + 4 * error), (model, scenario.name, decision)


MODELS = ("paired", "same-set", "independent")


class TestRates:
    """How often the gate fails a good candidate and passes a bad one; benchmarks/studies/rates.md has a larger run."""

    @pytest.mark.long
    @pytest.mark.parametrize(("n_classes", "n_examples", "repetitions"), [(2, 2000, 40), (5, 1000, 20)])
    def test_rates_keep_what_the_interval_promises(self, n_classes, n_examples, repetitions):
        rates = {
            delta: estimate_rates(Scenario(n_classes, n_examples, delta), repetitions, seed=5)
            for delta in TOLERABLE + REGRESSIONS
        }
        # at the ROPE's very edge failures are one tail of the HDI; further inside, the paired model's are rarer still
        for model, delta in product(MODELS, TOLERABLE):
            assert rates[delta][model].failed <= 0.025 + 4 * standard_error(0.025, repetitions)
        assert rates[0]["paired"].failed <= 0.005 + 4 * standard_error(0.005, repetitions)
        # a threshold on the observed difference is a coin where the true difference lies at it
        for delta, threshold in ((0, "observed < 0"), (-ROPE, "observed < −ROPE")):
            assert rates[delta][threshold].failed == pytest.approx(0.5, abs=4 * standard_error(0.5, repetitions))
        # intervals cover as often as they say; more often where the model does not know that the sides agree
        noise = 4 * standard_error(0.95, repetitions * len(rates))
        covered = {model: np.mean([each[model].covered for each in rates.values()]) for model in MODELS}
        assert (covered["paired"], covered["independent"]) == pytest.approx((0.95, 0.95), abs=noise)
        assert covered["same-set"] >= 0.95 - noise
        # pairing costs no power
        for delta in REGRESSIONS:
            paired, *others = (rates[delta][model].failed for model in MODELS)
            for other in others:
                error = np.hypot(standard_error(paired, repetitions), standard_error(other, repetitions))
                assert paired >= other - 4 * error


# Gates find what they are said to find, and more examples settle what they are said to, by the real decision.
DETECTABLE_LOSSES_N = 100


@pytest.mark.one_of_many
@pytest.mark.parametrize(
    "setting",
    [
        Setting(2, 400, Model.PAIRED),
        Setting(2, 2_000, Model.SAME_SET, 0.8, 20),
        Setting(5, 1_000, Model.INDEPENDENT, 0.8),
    ],
    ids=lambda setting: f"{setting.n_classes} classes, {setting.model}",
)
def test_a_loss_is_found_as_surely_as_is_said(setting):
    """A rate of so many test sets is off by 4 to 5 points: a loss that is always found is too large."""
    (row,) = losses([setting], DETECTABLE_LOSSES_N)
    rates = [float(each.rstrip("%")) / 100 for each in (row[7], row[8] or row[7], row[10])]
    errors = 4 * np.sqrt(np.array([0.16, 0.16, 0.25]) / DETECTABLE_LOSSES_N)
    assert rates[2] == pytest.approx(0.5, abs=errors[2] + 0.05)
    assert all(0.8 - errors[0] - 0.05 < rate < 0.8 + errors[0] for rate in rates[:2])


@pytest.mark.long
@pytest.mark.parametrize("question", QUESTIONS)
def test_more_examples_settle_as_often_as_is_said(question):
    """Four standard errors of a rate, and the ten points that it may be off."""
    found = list(settled(Setting(2, 2_000, Model.PAIRED), question, DETECTABLE_LOSSES_N))
    assert np.mean(found) == pytest.approx(0.5, abs=0.1 + 4 * sqrt(0.25 / len(found)))


DRAWS = 20_000
FEW = 60
"""Test sets."""


def draws(true, predicted, cluster, measure):
    table = ConfusionMatrix.from_predictions(true, predicted, clusters=cluster).table
    experiment = Experiment(Model.SINGLE, (table,))
    return ExactEngine().sampler(experiment, UNIFORM.over_clusters(table), measure, 1).draw(DRAWS)[0]


class TestClusteredIntervals:
    """Coverage of clustered intervals: benchmarks/studies/clusters.md against closed forms and a run of its own."""

    def test_two_kinds_of_units_make_the_accuracy_a_beta_variable(self):
        """Every cluster is an example four times: 30 clusters are right, 10 wrong, and the prior adds two of either."""
        true, is_wrong = np.tile([0, 1], 20), np.arange(40) >= 30
        four_times = [np.repeat(each, 4) for each in (true, np.where(is_wrong, 1 - true, true), np.arange(40))]
        found = draws(*four_times, parse_measure("accuracy", (0, 1)))
        # of the squares 1 (30 clusters) and 9 (10): 2 * 120^2 / (30 * 2^2 + 10 * 6^2) is 60, and more than
        # the others' 39
        rng, together = np.random.default_rng(2), 3 / 4
        dof, variance = 39 / together, 1 + together * ((40 / 39) ** 2 - 1)
        shape = rng.chisquare(dof, DRAWS) / (dof * variance)
        right, wrong = (rng.standard_gamma(n * shape) / shape + rng.standard_gamma(2, DRAWS) for n in (30, 10))
        assert ks_2samp(found, right / (right + wrong)).pvalue > 1e-4

    def test_units_of_equal_content_leave_the_prior_alone_uncertain(self):
        """Of clusters that are all alike none moves the score: what they hold has one weight."""
        cluster = np.repeat(np.arange(25), 4)
        true, predicted = np.tile([0, 0, 1, 1], 25), np.tile([0, 0, 1, 0], 25)
        found = draws(true, predicted, cluster, parse_measure("accuracy", (0, 1)))
        rng, together = np.random.default_rng(2), 3 / 4
        dof, variance = 24 / together, 1 + together * ((25 / 24) ** 2 - 1)
        shape = rng.chisquare(dof, DRAWS) / (dof * variance)
        weight = 4 * rng.standard_gamma(25 * shape) / shape
        right, wrong = (share * weight + rng.standard_gamma(2, DRAWS) for share in (0.75, 0.25))
        assert ks_2samp(found, right / (right + wrong)).pvalue > 1e-4

    def test_intervals_of_units_hold_the_difference(self, documented):
        error = 100 * np.sqrt(0.95 * 0.05 / REPETITIONS)
        held = [float(row[6].removesuffix("%")) for row in documented("clusters.md", STUDIES["clusters"].head)]
        assert min(held) > 95 - 4 * error
        assert np.mean(held) == pytest.approx(95, abs=1.5)

    def test_few_gates_fail_where_the_difference_goes_with_the_size(self, documented):
        error = 100 * np.sqrt(0.04 * 0.96 / SIZES_REPETITIONS)
        rows = documented("clusters.md", STUDIES["sizes"].head)
        failed = [float(row[5].removesuffix("%")) for row in rows if int(row[1]) >= 50]
        assert max(failed) < 4 + 3 * error
        assert np.mean(failed) < 3

    @pytest.mark.long
    def test_sizes_do_the_same_again(self, documented):
        documents = Sized("accuracy", 50, 0.1)
        rows = documented("clusters.md", STUDIES["sizes"].head)
        (told,) = [row for row in rows if row[:3] == ["accuracy", "50", "10"]]
        *_, failed, held, _ = STUDIES["sizes"].row(documents, 200)
        for cells in ((told[5], failed), (told[6], held)):
            first, second = (float(cell.removesuffix("%")) / 100 for cell in cells)
            assert abs(first - second) < 4 * np.sqrt(max(first * (1 - first), 0.02) / 200)

    @pytest.mark.long
    @pytest.mark.parametrize(
        "drawing", [Drawing(0.3, 12, 20), Drawing(0.6, 50, 10, skewed=True), Drawing(0.0, 20, 10)], ids=repr
    )
    def test_rates_come_out_again(self, documented, drawing):
        again = STUDIES["clusters"].row(drawing, FEW)
        rows = documented("clusters.md", STUDIES["clusters"].head)
        (told,) = [row for row in rows if tuple(row[:3]) == where(drawing)]
        for column in (3, 4, 6, 7, 9, 10):
            first, second = (float(row[column].removesuffix("%")) / 100 for row in (told, again))
            share = np.clip((first * REPETITIONS + second * FEW) / (REPETITIONS + FEW), 0.02, 0.98)
            assert abs(first - second) < 4 * np.sqrt(share * (1 - share) * (1 / REPETITIONS + 1 / FEW))


# with corrected labels the independent comparison is by another truth, and may decide otherwise
@pytest.mark.parametrize("name", [name for name, each in FAILING.items() if not each.corrected])
@pytest.mark.one_of_many
def test_failing_on_new_examples_is_noted_and_never_equivalent(name):
    found = [each for each in grow(name, FAILING[name], 12) if each.independent is Decision.MUCH_WORSE]
    passes = (Decision.EQUIVALENT, Decision.BETTER, Decision.MUCH_BETTER)
    assert found
    assert sum(each.warned or each.found is Decision.MUCH_WORSE for each in found) >= 0.95 * len(found)
    assert sum(each.found in passes for each in found) == 0


@pytest.mark.parametrize("name", ALIKE)
@pytest.mark.one_of_many
def test_new_examples_as_hard_as_the_others_hardly_warn(name):
    assert sum(each.warned for each in grow(name, ALIKE[name], 12)) <= 1
