"""Densities of a result, scaled to the numbers that its axis shows."""

from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Density


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
