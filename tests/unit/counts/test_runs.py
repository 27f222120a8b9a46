from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.data.predictions import NO_RUN, combined, moved

RUNS = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=4), min_size=1, max_size=6)


def padded(runs):
    width = max(map(len, runs))
    return np.array([row + [NO_RUN] * (width - len(row)) for row in runs])


@given(RUNS, RUNS)
def test_the_runs_of_two_sides_meet_in_every_combination(first, second):
    n = min(len(first), len(second))
    example, predicted, weight = combined([padded(first[:n]), padded(second[:n])])
    found = dict(zip(zip(example.tolist(), *(each.tolist() for each in predicted), strict=True), weight, strict=True))
    expected = {}
    for position in range(n):
        for pair in product(first[position], second[position]):
            key = (position, *pair)
            expected[key] = expected.get(key, 0) + 1 / len(first[position]) / len(second[position])
    assert found.keys() == expected.keys()
    for key, share in expected.items():
        np.testing.assert_allclose(found[key], share)


@given(st.tuples(*[RUNS] * 4))
def test_of_more_sides_each_keeps_its_own_shares(sides):
    n = min(map(len, sides))
    example, predicted, weight = combined([padded(runs[:n]) for runs in sides])
    assert example.size <= sum(len(row) for runs in sides for row in runs[:n])
    for runs, codes in zip(sides, predicted, strict=True):
        found = np.zeros((n, 3))
        np.add.at(found, (example, codes), weight)
        expected = [[row.count(code) / len(row) for code in range(3)] for row in runs[:n]]
        np.testing.assert_allclose(found, expected, atol=2e-6)
        np.testing.assert_allclose(found.sum(axis=1), 1)


def test_one_side_alone_has_a_vote_per_example():
    example, (predicted,), weight = combined([np.array([[0, 0, 1], [2, NO_RUN, NO_RUN]])])
    assert (example.tolist(), predicted.tolist()) == ([0, 0, 1], [0, 1, 2])
    np.testing.assert_allclose(weight, [2 / 3, 1 / 3, 1])


@given(RUNS, RUNS)
def test_the_runs_of_two_sides_agree_as_far_as_they_can(first, second):
    n = min(len(first), len(second))
    example, before, after, share = moved(padded(first[:n]), padded(second[:n]))
    for position in range(n):
        here = example == position
        assert not (before[here] == after[here]).any()
        for code in range(3):
            leaves, comes = (share[here & (side == code)].sum() for side in (before, after))
            had, has = (runs[position].count(code) / len(runs[position]) for runs in (first, second))
            np.testing.assert_allclose([leaves, comes], [max(had - has, 0), max(has - had, 0)], atol=1e-9)
