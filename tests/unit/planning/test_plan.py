import json
from dataclasses import replace
from itertools import pairwise, product
from math import factorial

import numpy as np
import pytest
from scipy.stats import norm

from pytest_bayesf1 import Decision, InputError, PairedCounts, Prior, compare, plan
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.planning.plan import Simulation, Trial, look_rates, unwatched
from pytest_bayesf1.stats.looks import hdi_prob_at_look
from tests.unit.planning.populations import CLASSES, assumed, population

FAILS, WORSE, SAME, OPEN, BETTER = map(Decision, ("≪", "<", "≈", "?", "≫"))


def test_each_test_set_stops_at_the_first_look_that_settles_it():
    looks = [[FAILS, OPEN, OPEN], [OPEN, SAME, FAILS], [WORSE, OPEN, BETTER], [OPEN, WORSE, WORSE]]
    at_once = [FAILS, FAILS, BETTER, WORSE]
    decisions = [[*each, once] for each, once in zip(looks, at_once, strict=True)]
    rates = look_rates("none", (10, 20, 30), decisions)
    assert (rates.failed_looking, rates.failed_once) == (0.25, 0.5)
    assert rates.stopped == (0.25, 0.25, 0.25)
    assert rates.undecided == 0.25
    assert rates.n_labelled == pytest.approx((10 + 20 + 30 + 30) / 4)


ASSUMED = {"shares": CLASSES, "accuracy": 0.85, "agreement": 0.95, "rope": 0.01}
BINARY = {**ASSUMED, "shares": {"ham": 0.7, "spam": 0.3}, "measure": "f1[spam]", "loss": 0.05}


@pytest.fixture(scope="module")
def quick():
    return plan(**ASSUMED, repetitions=0)


@pytest.fixture(scope="module")
def simulated():
    return plan(**BINARY, repetitions=10, looks=3, n_examples=300)


class TestPlan:
    def test_the_figures_of_the_gate_are_kept(self, quick):
        assert (quick.measure, quick.rope, quick.hdi_prob, quick.loss) == ("f1_macro", (-0.01, 0.01), 0.95, 0.02)
        assert quick.prior == "nested"
        assert (quick.n_pilot, quick.repetitions, quick.simulated, quick.looks) == (0, 0, (), None)
        assert repr(quick) == f"<Plan f1_macro loss=0.02 n={quick.designs[0].needed[0].n_examples}>"

    def test_at_worst_a_quarter_of_the_errors_is_won(self):
        """McNemar's variance, where 2.5% are won and 5.5% lost; two test sets need no more for that."""
        found = plan(
            shares={"a": 0.5, "b": 0.5},
            accuracy=0.9,
            agreement=0.97,
            measure="accuracy",
            rope=0.01,
            loss=0.03,
            repetitions=0,
        )
        paired, _, independent = (design.needed[0] for design in found.designs)
        z = norm.ppf(0.975) + norm.ppf(0.8)
        assert paired.n_at_worst == pytest.approx(z**2 * (0.025 + 0.055 - 0.03**2) / 0.02**2, rel=0.01)
        assert paired.n_at_worst > 1.3 * paired.n_examples
        assert independent.n_at_worst == pytest.approx(independent.n_examples, rel=0.02)

    def test_a_loss_that_the_rarest_class_cannot_have_is_left_out(self):
        assumed = {"shares": {"a": 0.97, "b": 0.03}, "accuracy": 0.7, "agreement": 0.6, "measure": "accuracy"}
        needed = plan(**assumed, rope=0.01, loss=0.1, repetitions=0).designs[0].needed[0]
        assert needed.n_at_worst == needed.n_examples

    def test_the_answer_in_words(self, quick):
        paired, _, independent = (design.needed[0].n_examples for design in quick.designs)
        worst = quick.designs[0].needed[0].n_at_worst
        assert quick.headline.endswith(
            f"you need {paired:,} examples that both classifiers predict, or {worst:,} at worst. "
            "Two separate test sets need "
            f"{2 * independent:,} labels in all, {2 * independent / paired:.1f} times as many"
        )
        shown = str(quick)
        assert f"the same examples, both predictions kept (paired)  {paired:,}, at worst {worst:,}  " in shown
        assert "rest on your assumptions" in shown
        assert "simulated" not in shown

    @pytest.mark.slow
    def test_every_row_is_as_long_as_its_columns(self, simulated):
        for table in simulated.tables():
            assert table.rows
            assert {len(row) for row in table.rows} == {len(table.columns)}

    @pytest.mark.slow
    def test_the_gate_itself_is_tried_on_each_difference(self, simulated):
        assert [(each.model, each.scenario) for each in simulated.simulated] == [
            (model, truth.name) for model in (Model.PAIRED, Model.INDEPENDENT) for truth in simulated.scenarios
        ]
        assert {each.n_examples for each in simulated.simulated} == {300}
        assert simulated.looks.n_examples == (100, 200, 300)
        once = {each.scenario: each.rates.much_worse for each in simulated.simulated if each.model is Model.PAIRED}
        assert {each.scenario: each.failed_once for each in simulated.looks.rates} == once

    @pytest.mark.slow
    def test_everything_is_written_as_json(self, simulated):
        found = json.loads(simulated.to_json())
        assert found["headline"] == simulated.headline
        assert found["designs"][0]["model"] == "paired"
        assert found["looks"]["n_examples"] == [100, 200, 300]
        assert len(found["notes"]) == len(simulated.notes())

    @pytest.mark.slow
    def test_an_approximation_that_is_off_is_told(self):
        """Three examples of spam in a test set: nothing there is normal."""
        rare = plan(**{**BINARY, "shares": {"ham": 0.97, "spam": 0.03}}, n_examples=100, repetitions=10)
        off = [each for each in rare.simulated if not each.agrees]
        told = [note for note in rare.notes() if "Believe the simulation" in note]
        assert len(told) == len(off)

    def test_a_loss_is_new_errors_on_top(self):
        found = plan(**{**BINARY, "agreement": 0.995}, repetitions=0)
        assert found.scenarios[-1].agreement < 0.99

    def test_a_measure_of_ones_own_has_no_points(self):
        def negative_errors(p):
            return np.trace(p, axis1=-2, axis2=-1) - 1

        found = plan(**ASSUMED, measure=negative_errors, repetitions=0)
        assert found.headline.startswith("To catch a loss of 0.02 of negative_errors in 80% of test sets")

    @pytest.mark.slow
    def test_a_pilot_of_predictions(self):
        rng = np.random.default_rng(2)
        truth = rng.choice(["ham", "spam"], 300)
        sides = [np.where(rng.random(300) < 0.9, truth, "ham") for _ in range(2)]
        found = plan(PairedCounts.from_predictions(truth, *sides), measure="accuracy", rope=0.01, repetitions=0)
        assert found.n_pilot == 300
        assert found.notes()[1].startswith("The pilot is small: nine in ten pilots of its size would ask")

    @pytest.mark.parametrize(
        ("given", "told"),
        [
            ({}, "baseline: There is neither a pilot nor shares"),
            ({**ASSUMED, "baseline": np.eye(3)}, "baseline: There are a pilot and shares"),
            ({**ASSUMED, "loss": 0.01}, "loss: expected a positive number beyond the 0.01 that the ROPE allows"),
            ({**ASSUMED, "loss": "big"}, "loss: .*, got 'big'"),
            ({**ASSUMED, "rope": (0, 0.01)}, "loss: .*, got nothing"),
            ({**ASSUMED, "loss": 0.98}, "loss: With this baseline no candidate can lose"),
            ({**ASSUMED, "looks": 0}, "looks: expected a whole number from 1 to 100, got 0"),
            ({**ASSUMED, "looks": 50, "n_examples": 20}, "looks: expected at most 20, as there are examples, got 50"),
            ({**ASSUMED, "looks": 2.5}, "looks: .*, got 2.5"),
            ({**ASSUMED, "looks": 2, "repetitions": 0}, "repetitions: expected at least 1, to simulate looks"),
            ({**ASSUMED, "workers": True}, "workers: .*, got True"),
            ({**ASSUMED, "workers": 2, "measure": lambda p: p[..., 0, 0]}, "measure: Other processes cannot load this"),
            ({**ASSUMED, "n_examples": 5}, "n_examples: expected a whole number from 10"),
            ({**ASSUMED, "measure": "roc_auc"}, "measure"),
        ],
    )
    def test_what_cannot_be_planned(self, given, told):
        with pytest.raises(InputError, match=told):
            plan(**{"rope": 0.01, **given})

    def test_a_prior_that_saw_a_test_set(self):
        seen = compare([[40, 2], [3, 30]], [[40, 2], [3, 30]], rope=0.05, n_draws=1_000).as_prior()
        with pytest.raises(InputError, match="prior: The prior has seen data already"):
            plan(**BINARY, prior=seen)
        assert plan(**BINARY, prior=Prior.named("uniform"), repetitions=0).prior == "uniform"


FEW_OUTCOMES = [[[0.1, 0.6], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.3]]]
"""Right both, only the baseline, right both of the other class."""


def trial(joint=FEW_OUTCOMES, n=8, looks=1, model=Model.PAIRED, measure="accuracy"):
    options = CompareOptions.resolve(measure=measure, rope=(-0.1, 0.1, "wide"), n_draws=1_000)
    return Trial(population(joint, measure), (0, 1), options, model, n, looks)


def simulation(repetitions, workers=1):
    return Simulation(repetitions, workers, unwatched)


def decided(counts):
    """Compare what the cells of `FEW_OUTCOMES` hold, as a user does."""
    kept = np.flatnonzero(counts)
    codes = (np.array(each)[kept] for each in ([0, 0, 1], [0, 0, 1], [0, 1, 1]))
    pairs = PairedCounts(OutcomeTable.tally(2, *codes, weight=np.array(counts)[kept]), (0, 1))
    return run_comparison(pairs, measure="accuracy", rope=(0.1, "wide"), n_draws=1_000).decision


class TestSimulation:
    """The gate on simulated test sets, against all the test sets that there can be."""

    @pytest.mark.slow
    def test_failures_are_as_frequent_as_all_possible_test_sets_say(self):
        n, probabilities, fails = 6, np.array([0.1, 0.6, 0.3]), 0.0
        for counts in product(range(n + 1), repeat=3):
            if sum(counts) == n:
                share = factorial(n) * float(np.prod(probabilities**counts / [factorial(each) for each in counts]))
                fails += share * (decided(counts) is Decision.MUCH_WORSE)
        (decisions,) = simulation(400).run([trial(n=n)])
        found = np.mean([each[0] is Decision.MUCH_WORSE for each in decisions])
        assert 0.2 < fails < 0.8
        assert found == pytest.approx(fails, abs=4 * np.sqrt(fails * (1 - fails) / 400))

    @pytest.mark.slow
    def test_what_is_decided_does_not_depend_on_who_computes(self):
        trials = [trial(model=Model.PAIRED, looks=2), trial(model=Model.INDEPENDENT)]
        alone = simulation(11).run(trials)
        assert [len(each) for each in alone] == [11, 11]
        assert [{len(each) for each in found} for found in alone] == [{3}, {1}]
        assert simulation(11, workers=2).run(trials) == alone
        assert simulation(3).run(trials[:1])[0] == alone[0][:3]

    def test_trials_of_one_seed_draw_examples_of_their_own(self):
        found = []
        for key in ((), (1,), (2,)):
            watched = replace(trial(n=100), key=key)
            object.__setattr__(watched, "_decision", lambda *asked: found.append(asked[0]) or Decision.UNDECIDED)
            watched.decisions(0)
        drawn = [str([table.count.tolist() for table in experiment.tables]) for experiment in found]
        assert len(set(drawn)) == len(drawn) == 3

    def test_looks_see_the_same_examples_and_more(self):
        """The last look is at a test set of the full size: its batches add up."""
        assert trial(n=100, looks=3).sizes == (33, 66, 100)
        seen = []
        watched = trial(n=100, looks=3)
        object.__setattr__(watched, "_decision", lambda *asked: seen.append(asked) or Decision.UNDECIDED)
        watched.decisions(0)
        experiments, levels = zip(*seen, strict=True)
        assert [each.tables[0].count.sum() for each in experiments] == [33, 66, 100, 100]
        assert levels == (*(hdi_prob_at_look(3, size / 100) for size in (33, 66, 100)), 0.95)
        dense = [np.bincount(each.tables[0].true, each.tables[0].count, 2) for each in experiments]
        assert all((later >= earlier).all() for earlier, later in pairwise(dense))

    @pytest.mark.slow
    def test_batches_that_add_up_say_what_priors_say_that_saw_the_earlier_ones(self):
        """Looks add counts up, which costs one comparison; `Comparison.as_prior` gives the very same draws."""
        rng, found = np.random.default_rng(1), assumed("f1_macro").population
        batches = [PairedCounts(found.sample(60, rng), ("ham", "spam", "eggs")) for _ in range(2)]
        first = run_comparison(batches[0], rope=0.05, prior="uniform", n_draws=1_000)
        second = run_comparison(batches[1], rope=0.05, prior=first.as_prior(), n_draws=1_000)
        both = PairedCounts(batches[0].table.plus(batches[1].table), batches[0].labels)
        at_once = run_comparison(both, rope=0.05, prior="uniform", n_draws=1_000)
        np.testing.assert_array_equal(second.delta, at_once.delta)

    def test_a_test_set_that_leaves_the_score_undefined_decides_nothing(self):
        rare = [[[0.999, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.001]]]
        assert trial(rare, n=3, measure="f1[1]").decisions(0) == [Decision.UNDECIDED]

    def test_every_part_of_the_work_is_watched(self):
        parts = []

        def watch(answers, n_parts):
            for answer in answers:
                parts.append((len(answer), n_parts))
                yield answer

        Simulation(23, 1, watch).run([trial(n=4)])
        assert parts == [(10, 3), (10, 3), (3, 3)]
