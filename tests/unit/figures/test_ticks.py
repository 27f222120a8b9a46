import numpy as np
import pytest

from pytest_bayesf1.figures.plots import round_numbers


def test_round_numbers():
    assert round_numbers(-3.2, 1.1, 4) == [-2.0, 0.0]
    assert round_numbers(0.0, 1.0) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert round_numbers(1.0, 1.0) == []


@pytest.mark.parametrize("most", [2, 4, 7])
def test_no_more_than_asked_for_and_all_on_the_axis(most):
    rng = np.random.default_rng(1)
    for low, size in zip(rng.normal(0, 100, 200), 10 ** rng.uniform(-6, 6, 200), strict=True):
        numbers = round_numbers(low, low + size, most)
        assert len(numbers) <= most + 1
        assert all(low <= number <= low + size for number in numbers)
        steps = np.diff(numbers)
        assert steps == pytest.approx(steps[:1].repeat(steps.size), rel=1e-3)
