import numpy as np
import pytest

from pytest_bayesf1 import MultilabelCounts, compare

LABELS = ["art", "law", "war", "tax"]


@pytest.fixture(scope="module")
def sides():
    """Four labels of 200 examples; the candidate misses every second "law" that the baseline finds."""
    rng = np.random.default_rng(3)
    y_true = rng.random((200, 4)) < [0.5, 0.4, 0.2, 0.1]
    baseline = np.where(rng.random((200, 4)) < 0.1, ~y_true, y_true)
    candidate = baseline.copy()
    candidate[::2, 1] = False
    return [MultilabelCounts.from_predictions(y_true, side, labels=LABELS) for side in (baseline, candidate)]


def run(sides, **arguments):
    return compare(*sides, **{"rope": 0.02, "n_draws": 2_000, **arguments})


@pytest.mark.parametrize(("n_labels", "prior"), [(1, "jeffreys"), (2, "nested"), (4, "nested")])
def test_auto_is_nested_unless_there_is_one_label_alone(sides, n_labels, prior):
    some = [MultilabelCounts(side.counts[:n_labels]) for side in sides]
    assert run(some).prior == prior


def test_two_sets_in_sequence_are_their_union(sides):
    halves = [[side.of_examples(side.questions.take(rows)) for side in sides] for rows in (range(80), range(80, 200))]
    result = run(halves[1], prior=run(halves[0]).as_prior())
    np.testing.assert_array_equal(result.delta, run(sides).delta)
