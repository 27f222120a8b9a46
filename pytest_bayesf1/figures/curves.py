"""Densities of a result, scaled to the numbers that its axis shows."""

from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.figures import Density
from pytest_bayesf1.results.results import ComparisonFigures
from pytest_bayesf1.text import scale_of


@dataclass(frozen=True, eq=False)
class Curve:
    """A density at points; of the heights only ratios matter."""

    points: Floats
    heights: Floats

    @classmethod
    def of(cls, density: Density, factor: float = 1.0) -> "Curve":
        """Scale the points by a factor."""
        heights = np.asarray(density.values, dtype=np.float64)
        return cls(factor * np.linspace(density.low, density.high, heights.size), heights)

    @property
    def peak(self) -> float:
        """The largest height."""
        return float(self.heights.max())

    def over(self, height: float) -> "Curve":
        """Measure the heights by another."""
        return Curve(self.points, self.heights / height)

    def at(self, x: float) -> float:
        """Interpolate the height; 0 outside the curve."""
        return float(np.interp(x, self.points, self.heights, left=0.0, right=0.0))


def change_factor(comparison: ComparisonFigures) -> float:
    """By what a difference is multiplied to be read: 100 for points."""
    return scale_of(custom_measure=comparison.custom_measure).factor


def change_axis(comparison: ComparisonFigures) -> str:
    """Name the axis of differences."""
    unit = "" if comparison.custom_measure else ", in points"
    return f"δ of {comparison.measure_words}: candidate − baseline{unit}"
