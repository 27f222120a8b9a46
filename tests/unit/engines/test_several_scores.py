"""Several scores of the same draws."""

import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.protocol import ClassScoring
from pytest_bayesf1.measures.classification import ClassF1, parse_measure
from pytest_bayesf1.priors import Prior

LABELS = ("a", "b", "c")


@pytest.fixture
def experiment():
    rng = np.random.default_rng(3)
    true = rng.integers(0, 3, 200)
    sides = [np.where(rng.random(200) < 0.7, true, rng.integers(0, 3, 200)) for _ in range(2)]
    return Experiment("paired", (OutcomeTable.tally(3, true, *sides),))


def draws(experiment, scoring, *sizes):
    sampler = ExactEngine().sampler(experiment, Prior.named("hierarchical"), scoring, 0)
    return np.concatenate([sampler.draw(n) for n in sizes], axis=1)


def test_each_is_what_it_would_be_alone(experiment):
    together = draws(experiment, ClassF1(np.array([2, 0])), 500)
    alone = [draws(experiment, parse_measure(f"f1[{label}]", LABELS), 500) for label in ("c", "a")]
    np.testing.assert_allclose(together, np.stack(alone, axis=-1))


def test_their_mean_is_the_macro_average(experiment):
    together = draws(experiment, ClassF1(np.arange(3)), 500)
    np.testing.assert_allclose(together.mean(axis=-1), draws(experiment, parse_measure("f1_macro", LABELS), 500))


def test_more_draws_come_from_the_same_stream_in_whatever_pieces(experiment):
    np.testing.assert_array_equal(
        draws(experiment, ClassF1(np.arange(3)), 300, 3, 5_000, 7), draws(experiment, ClassF1(np.arange(3)), 300, 5_010)
    )


@pytest.mark.parametrize("n_draws", [200, 500, 3_000])
def test_the_first_draws_by_another_scoring(experiment, n_draws):
    prior, measure, classes = Prior.named("hierarchical"), parse_measure("f1_macro", LABELS), ClassF1(np.arange(3))
    glimpsing = ExactEngine().sampler(experiment, prior, measure, 0, ClassScoring(classes, n_draws))
    assert glimpsing.class_scores is None
    scores = np.concatenate([glimpsing.draw(n) for n in (800, 1_000)], axis=1)
    np.testing.assert_array_equal(scores, draws(experiment, measure, 800, 1_000))
    n_glimpsed = np.shape(glimpsing.class_scores)[1]
    assert n_glimpsed == n_draws or 1_800 <= n_glimpsed < n_draws
    np.testing.assert_array_equal(glimpsing.class_scores, draws(experiment, classes, 800, 3_000)[:, :n_glimpsed])


def test_labels_that_do_not_exclude_one_another():
    counts = np.array([[[50, 2], [3, 20]], [[30, 12], [10, 23]]])
    experiment = Experiment("single", (OutcomeTable.of_labels(counts),))
    together = draws(experiment, ClassF1(np.arange(2), multilabel=True), 300)
    alone = [draws(experiment, parse_measure(f"f1[{label}]", "ab", multilabel=True), 300) for label in "ab"]
    np.testing.assert_allclose(together, np.stack(alone, axis=-1))
