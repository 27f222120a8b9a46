"""Densities of a result, scaled to the numbers that its axis shows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.text import scale_of

Entry = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Curve:
    """A density at points; of the heights only ratios matter."""

    points: Floats
    heights: Floats

    @classmethod
    def of(cls, density: Mapping[str, Any], factor: float = 1.0) -> "Curve":
        """Scale the points by a factor."""
        heights = np.asarray(density["values"], dtype=np.float64)
        return cls(factor * np.linspace(density["low"], density["high"], heights.size), heights)

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


def change_factor(entry: Entry) -> float:
    """By what a difference is multiplied to be read: 100 for points."""
    return scale_of(custom_measure=entry["custom_measure"]).factor


def change_axis(entry: Entry) -> str:
    """Name the axis of differences."""
    unit = "" if entry["custom_measure"] else ", in points"
    return f"δ of {entry['measure_words']}: candidate − baseline{unit}"
