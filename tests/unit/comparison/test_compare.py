import importlib
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, compare
from pytest_bayesf1.comparison import sampling
from pytest_bayesf1.comparison.arguments import Options
from pytest_bayesf1.comparison.compare import ComparisonTask, run_comparison
from pytest_bayesf1.comparison.pymc_model import pymc_model
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.results.comparison import Convergence, EarlierChange
from pytest_bayesf1.stats.posterior import usual_weights
from tests.unit.made_up import recording

BASELINE, CANDIDATE = [[40, 10], [5, 45]], [[35, 15], [5, 45]]
THREE = [[30, 3, 1], [2, 20, 4], [0, 5, 12]]
FEW = 2_000


def run(baseline=BASELINE, candidate=CANDIDATE, **arguments):
    return compare(baseline, candidate, **{"rope": 0.01, "n_draws": FEW, **arguments})


class TestCompare:
    def test_a_function_may_be_the_measure(self):
        def cost(p):
            return -(p[..., 0, 1] + 5 * p[..., 1, 0])

        result = run(measure=cost)
        assert result.measure == "cost"
        assert result.custom_measure
        assert result.baseline.observed == pytest.approx(-0.35)
        assert result.candidate.observed == pytest.approx(-0.40)

    def test_a_measure_that_never_changes_shows_no_difference(self):
        result = run(measure=lambda p: 0 * p[..., 0, 0] + 0.5)
        assert (result.decision, result.hdi, result.p_in_rope) == ("~", (0, 0), 1)
        assert np.isnan([result.bayes_factor, result.bayes_factor_sd]).all()
        assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()

    def test_of_several_measures_each_knows_what_two_test_sets_share(self):
        true = np.arange(240) % 2
        old, new = (np.where(np.arange(240) % each == 0, 1 - true, true) for each in (20, 7))
        sides = [
            ConfusionMatrix.from_predictions(true[at], said[at], ids=at)
            for said, at in ((old, np.arange(200)), (new, np.arange(20, 240)))
        ]
        asked = {"rope": 0.02, "n_draws": FEW}
        task = ComparisonTask.of(*sides, **asked)
        for answer in task.answers([task.measure(each) for each in ("accuracy", "f1[1]")]):
            alone = run_comparison(*sides, measure=answer.measure, **asked)
            assert (answer.shared_examples, answer.decision) == (alone.shared_examples, alone.decision)

    def test_no_loss_is_detectable_that_is_more_than_the_baseline_has(self):
        low, high = [[3, 97], [97, 3]], [[50, 50], [50, 50]]
        asked = {"measure": "accuracy", "model": "independent", "weak_baseline": True}
        assert run(low, high, **asked).detectable_losses.power_80 is None
        assert run(high, low, **asked).detectable_losses.power_80 > 0.1

    def test_by_earlier_changes_the_chances_are_of_what_lies_beyond_the_rope(self):
        history = [EarlierChange(0.01 * (-1) ** each + 0.001 * each, 0.004) for each in range(10)]
        found = run(rope=(-0.02, 0.01)).with_history(history)
        weights = usual_weights(found.delta, history)
        assert found.p_lost_more == pytest.approx(weights[found.delta < -0.02].sum())
        assert found.p_gained_more == pytest.approx(weights[found.delta > 0.01].sum())

    def test_the_session_records_every_comparison_and_no_error(self):
        with recording() as recorded:
            result = run()
            with pytest.raises(InputError):
                run(measure="f2")
        assert recorded == [result]

    @pytest.mark.parametrize("name", ["detectable_losses_of", "interval_bayes_factor", "savage_dickey"])
    def test_what_takes_longest_is_computed_when_it_is_asked_for(self, monkeypatch, name):
        computed, compute = [], getattr(importlib.import_module("pytest_bayesf1.comparison.result"), name)
        monkeypatch.setattr(
            f"pytest_bayesf1.comparison.result.{name}", lambda *given: computed.append(1) or compute(*given)
        )
        result = run()
        result.figures(at_length=False)
        assert not computed
        assert result.to_dict() == result.to_dict()
        assert computed == [1]

    @pytest.mark.parametrize("fewer", ["without_draws", "thinned"])
    def test_with_fewer_draws_it_is_what_all_of_them_say(self, fewer):
        result, again = run(), run()
        names = ("detectable_losses", "bayes_factor", "bayes_factor_sd_mcse")
        copy = result.thinned(999) if fewer == "thinned" else result.without_draws()
        assert copy.delta.size == copy.score_draws.shape[1] == (667 if fewer == "thinned" else 0)
        assert [getattr(copy, name) for name in names] == [getattr(again, name) for name in names]

    def test_draws_are_passed_on_by_chain_and_by_side(self, monkeypatch):
        monkeypatch.setattr("pytest_bayesf1.engines.chains.to_arviz", lambda drawn: drawn)
        result = replace(run(), convergence=Convergence(ess=FEW, n_chains=4))
        drawn = result.to_arviz()
        assert {name: each.shape for name, each in drawn.items()} == dict.fromkeys(drawn, (4, FEW // 4))
        np.testing.assert_array_equal(drawn["delta"].ravel(), result.delta)
        for place, name in enumerate(("baseline", "candidate")):
            np.testing.assert_array_equal(drawn[name].ravel(), result.score_draws[place])

    def test_a_model_to_look_at_is_that_of_the_comparison(self, monkeypatch):
        monkeypatch.setattr("pytest_bayesf1.comparison.pymc_model.build_model", lambda *given: given)
        functions = {"mu": lambda *_: "mu", "eta": lambda *_: "eta"}
        experiment, prior, *others = pymc_model(BASELINE, CANDIDATE, model="independent", prior="uniform", **functions)
        assert (experiment.model, str(prior), others) == ("independent", "uniform", [*functions.values()])
        assert experiment.tables[1].n_samples == 100
        assert pymc_model(THREE)[0].model == "single"
        assert pymc_model(COUNTS)[0].model == "paired"
        earlier = run(model="same-set").as_prior()
        assert pymc_model(BASELINE, CANDIDATE, prior=earlier)[0].earlier[0].n_samples == 100

    def test_a_result_can_be_pickled(self):
        result = run()
        assert pickle.loads(pickle.dumps(result)).to_dict() == result.to_dict()  # noqa: S301


TRUE = np.arange(240) % 3
COUNTS = PairedCounts.from_predictions(
    TRUE, (TRUE + (np.arange(240) % 7 == 0)) % 3, (TRUE + 2 * (np.arange(240) % 5 == 0)) % 3
)


def diagonal(p):
    return np.trace(p, axis1=-2, axis2=-1)


def figures(comparison):
    return {**comparison.to_dict(), "bayes_factor": repr(comparison.bayes_factor)}


def assert_each_is_what_it_is_alone(measures, **arguments):
    question = ComparisonTask.of(COUNTS, **arguments)
    answers = list(question.answers([question.measure(measure) for measure in measures]))
    for measure, answer in zip(measures, answers, strict=True):
        alone = run_comparison(COUNTS, measure=measure, **arguments)
        np.testing.assert_array_equal(answer.delta, alone.delta)
        assert figures(answer) == figures(alone)
    return answers


class TestSeveralMeasures:
    @pytest.fixture
    def hard_to_settle(self, monkeypatch):
        """Return a ROPE that ends where the HDI of one of the measures does: that one needs many draws, others
        do not.
        """
        monkeypatch.setattr(ExactEngine, "first_draws", 2_000)
        monkeypatch.setattr(ExactEngine, "most_draws", 14_000)
        reference = run_comparison(COUNTS, rope=0.05, measure="f1[1]", n_draws=20_000)
        return (reference.hdi[0], 0.5, "wide")

    @pytest.mark.slow
    def test_a_measure_takes_no_more_draws_than_it_needs(self, hard_to_settle):
        answers = assert_each_is_what_it_is_alone(["f1_macro", "f1[1]", "f1[2]"], rope=hard_to_settle)
        assert answers[1].n_draws == 14_000
        assert min(answer.n_draws for answer in answers) < 14_000

    @pytest.mark.slow
    def test_too_many_scores_to_keep_are_drawn_one_measure_after_the_other(self, hard_to_settle, monkeypatch):
        monkeypatch.setattr(sampling, "_MOST_SCORES", 16_000)
        answers = assert_each_is_what_it_is_alone(["f1[1]", "f1_macro", "jaccard[1]", "f1[1]"], rope=hard_to_settle)
        assert [answer.n_draws for answer in answers].count(14_000) >= 2

    def test_measures_share_draws_as_far_as_their_detail_and_memory_allow(self, monkeypatch):
        question = ComparisonTask.of(COUNTS, rope=0.1)
        measures = [question.measure(each) for each in ("f1_macro", "f1[0]", "f1[1]", "g_mean", "recall[0]", diagonal)]
        options = Options.resolve()

        def sizes():
            return [len(each) for each in sampling.batches(measures, 2, options)]

        assert sizes() == [3, 2, 1]
        monkeypatch.setattr(sampling, "_MOST_SCORES", 2 * 2 * 10_000)
        assert sizes() == [2, 1, 2, 1]
