"""What is behind a comparison, against comparisons of each part."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, Prior, compare
from pytest_bayesf1.comparison.breakdown import breakdown
from pytest_bayesf1.comparison.subject import CLASS_DRAWS, MOST_CLASSES
from pytest_bayesf1.results.schema import plain

LABELS = ["ham", "spam", "eggs"]
BASELINE = ConfusionMatrix([[80, 10, 10], [5, 90, 5], [4, 6, 90]], LABELS)
CANDIDATE = ConfusionMatrix([[60, 25, 15], [5, 90, 5], [2, 6, 92]], LABELS)


def parts(*sides, **given):
    return breakdown(compare(*sides, rope=0.01, **given))


@pytest.fixture(scope="module")
def found():
    return parts(BASELINE, CANDIDATE)


@pytest.mark.slow
def test_classes_agree_with_a_comparison_of_each(found):
    for each in found.classes:
        alone = compare(BASELINE, CANDIDATE, rope=0.01, measure=f"f1[{each.label}]")
        error = 5 * alone.std / CLASS_DRAWS**0.5
        assert each.mean == pytest.approx(alone.mean, abs=error)
        assert each.hdi == pytest.approx(alone.hdi, abs=6 * max(alone.mcse_hdi) * (alone.n_draws / CLASS_DRAWS) ** 0.5)
        assert (each.baseline, each.candidate) == pytest.approx((alone.baseline.observed, alone.candidate.observed))
        assert each.n_samples == (100, 100)


def test_the_worst_class_comes_first(found):
    assert [each.mean for each in found.classes] == sorted(each.mean for each in found.classes)
    assert found.classes[0].label == "ham"


def test_cells_are_those_that_changed(found):
    names = [each.label for each in found.classes]
    cells = {
        (names[true], names[predicted]): (baseline, candidate) for true, predicted, baseline, candidate in found.cells
    }
    assert cells == {
        ("ham", "ham"): (80, 60),
        ("ham", "spam"): (10, 25),
        ("ham", "eggs"): (10, 15),
        ("eggs", "ham"): (4, 2),
        ("eggs", "eggs"): (90, 92),
    }


def test_the_closest_pairing_narrows_the_interval_of_bare_counts(found):
    low, high = compare(BASELINE, CANDIDATE, rope=0.01).hdi
    assert found.closest[1] - found.closest[0] < 0.75 * (high - low)


def test_the_closest_pairing_is_what_a_paired_comparison_of_it_says():
    """The candidate makes the baseline's errors and more, so this is the closest pairing there is."""
    true = np.repeat([0, 1], 200)
    baseline = np.where(np.arange(400) % 10 == 0, 1 - true, true)
    candidate = np.where(np.arange(400) % 5 == 0, 1 - true, true)
    sides = [ConfusionMatrix.from_predictions(true, side) for side in (baseline, candidate)]
    paired = compare(*sides, rope=0.01, measure="accuracy")
    bare = parts(*(side.counts for side in sides), measure="accuracy")
    assert parts(*sides, measure="accuracy").closest is None
    assert bare.closest == pytest.approx(
        paired.hdi, abs=6 * max(paired.mcse_hdi) * (paired.n_draws / CLASS_DRAWS) ** 0.5
    )


def test_two_test_sets_cannot_be_paired():
    assert parts(BASELINE, 2 * CANDIDATE.counts).closest is None


def test_a_prior_with_counts_of_its_own_is_not_paired_anew():
    assert parts(BASELINE, CANDIDATE, prior=Prior.from_counts(np.ones((3, 3)))).closest is None


def test_a_measure_of_one_class_has_no_classes():
    assert parts(BASELINE, CANDIDATE, measure="f1[ham]") is None


@pytest.mark.slow
def test_of_many_classes_those_that_changed_most():
    rng = np.random.default_rng(5)
    true = rng.integers(0, 300, 3_000)
    right = rng.random((2, true.size)) < 0.8
    sides = np.where(right, true, rng.integers(0, 300, true.size))
    pair = [ConfusionMatrix.from_predictions(true, side, labels=range(300)) for side in sides]
    found = parts(*pair, n_draws=1_000)
    assert len(found.classes) == MOST_CLASSES
    assert all(max(cell[:2]) < MOST_CLASSES for cell in found.cells)


def test_labels_that_do_not_exclude_one_another():
    counts = np.array([[[50, 2], [3, 20]], [[30, 12], [10, 23]]])
    other = np.array([[[48, 4], [3, 20]], [[38, 4], [5, 28]]])
    found = parts(*(MultilabelCounts(each, labels=["art", "law"]) for each in (counts, other)))
    assert [each.label for each in found.classes] == ["art", "law"]
    assert found.cells == ()
    assert found.closest is not None


def test_plain_data(found):
    data = plain(found)
    assert json.loads(json.dumps(data)) == json.loads(json.dumps(data, allow_nan=False))
    assert data["classes"][0]["label"] == "ham"
