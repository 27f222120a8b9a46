"""What a comparison shows of a side is what `estimate` finds of it."""

import numpy as np
import pytest

from pytest_bayesf1 import compare, estimate

RNG = np.random.default_rng(0)
TRUE = RNG.integers(0, 3, 300)
BASELINE = np.where(RNG.random(300) < 0.8, TRUE, RNG.integers(0, 3, 300))
CANDIDATE = np.where(RNG.random(300) < 0.9, BASELINE, TRUE)


def test_after_earlier_examples_it_has_seen_those_of_its_side():
    earlier = compare(TRUE[:200], BASELINE[:200], CANDIDATE[:200], rope=0.1).as_prior()
    found = compare(TRUE[200:], BASELINE[200:], CANDIDATE[200:], rope=0.1, prior=earlier)
    assert found.baseline.hdi == estimate(TRUE, BASELINE).score.hdi


def test_at_the_shares_of_one_test_set_only_the_other_side_changes():
    given = [TRUE[:150], BASELINE[:150]], [TRUE[100:] % 2, CANDIDATE[100:] % 2]
    sides = [np.zeros((3, 3), int) for _ in given]
    for matrix, (true, predicted) in zip(sides, given, strict=True):
        np.add.at(matrix, (true, predicted), 1)
    sides[1][2, 2] = 5
    kept, moved = (compare(*sides, rope=0.1, model="independent", prevalence=by) for by in ("test-set", "baseline"))
    assert moved.baseline.figures == kept.baseline.figures
    shares = dict(enumerate((sides[0].sum(axis=1) / 150).tolist()))
    assert moved.candidate.hdi == pytest.approx(estimate(sides[1], prevalence=shares).score.hdi)
