"""Comparisons on pools of which few examples are labelled."""

import numpy as np
import pytest

from benchmarks.studies.populations import retrained
from pytest_bayesf1 import InputError, LabelledPool, assert_not_worse, compare
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.results.comparison import PoolFigures
from tests.unit.refused import assert_refused

DRAWS = 20_000


def drawn(n, n_labels, *, n_classes=5, agreement=0.85, seed=1):
    """Draw a pool from a population, and label some of it at random."""
    measure = parse_measure("f1_macro", tuple(range(n_classes)))
    population = retrained(measure, -0.03, n_classes, agreement=agreement, imbalance=8.0)
    rng = np.random.default_rng(seed)
    cells = rng.choice(population.joint.size, size=n, p=population.joint.ravel())
    true, baseline, candidate = np.unravel_index(cells, population.joint.shape)
    chosen = rng.choice(n, n_labels, replace=False).tolist()
    return true, baseline, candidate, {at: int(true[at]) for at in chosen}


def test_two_classes_have_the_moments_of_their_closed_form():
    baseline = [0] * 700 + [1] * 200 + [0] * 60 + [1] * 40
    candidate = [0] * 700 + [1] * 200 + [1] * 60 + [0] * 40
    labels = {0: 0, 1: 1, 700: 1} | {900 + i: int(i < 7) for i in range(9)} | {960 + i: int(i < 3) for i in range(4)}
    pool = LabelledPool.from_predictions(baseline, candidate, labels)
    result = compare(pool, measure="accuracy", rope=0.01, n_draws=DRAWS)
    assert result.pool == PoolFigures(
        n_pool=1_000,
        n_labelled=16,
        n_differ=100,
        n_labelled_differ=13,
        n_strata=4,
        n_unlabelled_strata=0,
        unlabelled_share=0,
    )
    # the candidate says 1 in the first part and is right 7 times of 9, says 0 in the second and is right once of 4
    sizes, right, wrong = np.array([60.0, 40.0]), np.array([7.5, 1.5]), np.array([2.5, 3.5])
    share = sizes / 1_000
    gain = (right - wrong) / (right + wrong)
    square = gain**2 + 4 * right * wrong / ((right + wrong) ** 2 * (right + wrong + 1))
    both = np.outer(sizes, sizes) / (1_000 * 1_001) * np.outer(gain, gain)
    np.fill_diagonal(both, sizes * (sizes + 1) / (1_000 * 1_001) * square)
    mean, sd = share @ gain, np.sqrt(both.sum() - (share @ gain) ** 2)
    assert result.mean == pytest.approx(mean, abs=4 * sd / np.sqrt(DRAWS))
    assert result.std == pytest.approx(sd, rel=4 / np.sqrt(2 * DRAWS))


def test_what_is_not_labelled_leans_to_neither_side_and_shows_its_uncertainty():
    """Labels of agreements alone say nothing of which side is right where they differ."""
    true, baseline, candidate, _ = drawn(5_000, 1)
    agreements = np.flatnonzero(baseline == candidate)[:300]
    labels = {int(at): int(true[at]) for at in agreements}
    result = compare(LabelledPool.from_predictions(baseline, candidate, labels), measure="accuracy", rope=0.01)
    assert result.mean == pytest.approx(0, abs=0.1 * result.std)
    assert result.std > 0.02
    assert str(result.decision) == "?"
    differ = baseline != candidate
    assert (result.pool.n_labelled_differ, result.pool.n_differ) == (0, differ.sum())
    assert result.pool.unlabelled_share == pytest.approx(differ.mean(), abs=1e-9)
    assert "the result leans on the others there" in " ".join(result.notes())


def test_a_baseline_is_suspected_by_what_the_pool_is_like_and_not_its_labels():
    """Wrong in the tenth on which the two differ, where most labels are."""
    truth = [0] * 450 + [1] * 450 + [0] * 50 + [1] * 50
    labelled = [*range(5), *range(450, 455), *range(900, 930), *range(950, 980)]
    baseline = [*truth[:900], *[1] * 50, *[0] * 50]
    pool = LabelledPool.from_predictions(baseline, truth, {place: truth[place] for place in labelled})
    assert not compare(pool, measure="accuracy", rope=0.05, n_draws=1_000).suspicions.weakness


@pytest.mark.parametrize(
    ("given", "where"),
    [
        ({"model": "independent"}, "model"),
        ({"prior": "jeffreys"}, "prior"),
        ({"prevalence": {0: 0.1}}, "prevalence"),
        ({"engine": "pymc"}, "engine"),
        ({"measure": "roc_auc"}, "measure"),
    ],
)
def test_refuses_what_cannot_be_asked_of_a_pool(given, where):
    pool = LabelledPool.from_predictions([0, 1, 1, 0], [0, 1, 0, 1], {0: 0})
    assert_refused(lambda: compare(pool, rope=0.01, **given), where)


def test_refuses_a_pool_without_labels_and_a_second_side():
    pool = LabelledPool.from_predictions([0, 1, 1, 0], [0, 1, 0, 1], {})
    with pytest.raises(InputError, match="labels: The pool has no label yet"):
        compare(pool, rope=0.01)
    for call in (compare, assert_not_worse):
        with pytest.raises(InputError, match="baseline: A LabelledPool holds both sides"):
            call(pool, [[1, 0], [0, 1]], rope=0.01)
        with pytest.raises(InputError, match="candidate: A LabelledPool holds both sides"):
            call([[1, 0], [0, 1]], pool, rope=0.01)
