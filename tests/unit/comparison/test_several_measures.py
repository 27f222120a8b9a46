"""Several measures on the same draws: each comparison is exactly what it would be alone."""

import numpy as np
import pytest

from pytest_bayesf1.comparison import sampling
from pytest_bayesf1.comparison.arguments import Options
from pytest_bayesf1.comparison.compare import ComparisonTask, run_comparison
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.errors import InputError

TRUE = np.arange(240) % 3
COUNTS = PairedCounts.from_predictions(
    TRUE, (TRUE + (np.arange(240) % 7 == 0)) % 3, (TRUE + 2 * (np.arange(240) % 5 == 0)) % 3
)


def diagonal(p):
    return np.trace(p, axis1=-2, axis2=-1)


MEASURES = ["accuracy", "f1_macro", "f1[0]", "f1[2]", "precision[1]", "fbeta(2)[1]", "recall[0]", diagonal]


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


@pytest.mark.slow
@pytest.mark.parametrize("n_draws", [None, 1_500])
@pytest.mark.one_of_many
def test_each_is_what_it_is_alone(n_draws):
    assert_each_is_what_it_is_alone(MEASURES, rope=0.02, n_draws=n_draws)


@pytest.fixture
def hard_to_settle(monkeypatch):
    """Return a ROPE that ends where the HDI of one of the measures does: that one needs many draws, others do not."""
    monkeypatch.setattr(ExactEngine, "first_draws", 2_000)
    monkeypatch.setattr(ExactEngine, "most_draws", 14_000)
    reference = run_comparison(COUNTS, rope=0.05, measure="f1[1]", n_draws=20_000)
    return (reference.hdi[0], 0.5, "wide")


@pytest.mark.slow
def test_a_measure_takes_no_more_draws_than_it_needs(hard_to_settle):
    answers = assert_each_is_what_it_is_alone(["f1_macro", "f1[1]", "f1[2]"], rope=hard_to_settle)
    assert answers[1].n_draws == 14_000
    assert min(answer.n_draws for answer in answers) < 14_000


@pytest.mark.slow
def test_too_many_scores_to_keep_are_drawn_one_measure_after_the_other(hard_to_settle, monkeypatch):
    monkeypatch.setattr(sampling, "_MOST_SCORES", 16_000)
    answers = assert_each_is_what_it_is_alone(["f1[1]", "f1_macro", "jaccard[1]", "f1[1]"], rope=hard_to_settle)
    assert [answer.n_draws for answer in answers].count(14_000) >= 2


def test_measures_share_draws_as_far_as_their_detail_and_memory_allow(monkeypatch):
    question = ComparisonTask.of(COUNTS, rope=0.1)
    measures = [question.measure(each) for each in ("f1_macro", "f1[0]", "f1[1]", "g_mean", "recall[0]", diagonal)]
    options = Options.resolve()

    def sizes():
        return [len(each) for each in sampling.batches(measures, 2, options)]

    assert sizes() == [3, 2, 1]
    monkeypatch.setattr(sampling, "_MOST_SCORES", 2 * 2 * 20_000)
    assert sizes() == [2, 1, 2, 1]


def test_a_measure_that_the_data_do_not_allow_is_refused_before_any_draw():
    with pytest.raises(InputError, match="a class among"):
        ComparisonTask.of(COUNTS, rope=0.1).measure("f1[3]")


def test_without_its_draws_a_comparison_tells_the_same():
    comparison = run_comparison(COUNTS, rope=0.1)
    light = comparison.without_draws()
    assert light.to_dict() == comparison.to_dict()
    assert str(light) == str(comparison)
    assert light.decision == comparison.decision
    assert [each.size for each in (light.delta, light.baseline.draws, light.candidate.draws)] == [0, 0, 0]
    assert comparison.delta.size == comparison.baseline.draws.size == comparison.n_draws
