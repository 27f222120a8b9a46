import numpy as np
import pytest

from pytest_bayesf1.figures.plots import Curve
from pytest_bayesf1.results.comparison import Density

CURVE = Curve.of(Density(-1.0, 1.0, (0, 2, 4, 2, 0)), factor=100)


def test_points_are_scaled_and_heights_are_not():
    np.testing.assert_allclose(CURVE.points, [-100, -50, 0, 50, 100])
    assert CURVE.peak == 4


def test_measured_by_another_height():
    halved = CURVE.over(8)
    assert halved.peak == pytest.approx(0.5)
    np.testing.assert_array_equal(halved.points, CURVE.points)
