"""Curves and intervals as SVG paths in a drawing that the page stretches to its width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_bayesf1._util import Interval
from pytest_bayesf1.reports.html.axis import WIDTH, Axis
from pytest_bayesf1.results.comparison import Density

Points = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Path:
    """A line or an area; the style sheet knows how to paint its kind."""

    kind: str
    d: str


def line(kind: str, points: Iterable[tuple[int, int]]) -> Path:
    """Join points."""
    return Path(kind, "M" + " ".join(f"{x} {y}" for x, y in points))


def hill(kind: str, points: Points, floor: int) -> Path:
    """Fill what lies between a curve and a floor."""
    return line(kind, [(points[0][0], floor), *points, (points[-1][0], floor)])


def band(kind: str, axis: Axis, interval: Interval, height: int) -> Path:
    """Fill an interval from top to bottom; at least a thousandth of the width, so that it is seen."""
    left, right = map(axis.across, interval)
    return Path(kind, f"M{left} 0h{max(right - left, 1)}v{height}H{left}z")


def upright(kind: str, axis: Axis, value: float, height: int, start: int = 0) -> Path:
    """Draw a line at a number."""
    return Path(kind, f"M{axis.across(value)} {start}V{height}")


def bar(axis: Axis, mean: float, hdi: Interval, y: int) -> tuple[Path, Path]:
    """Draw an interval, and its mean as a dot: a line without length, whose ends the style sheet makes round."""
    left, right = map(axis.across, hdi)
    return Path("hdi", f"M{left} {y}H{right}"), Path("mean", f"M{axis.across(mean)} {y}h0")


def curve(density: Density, axis: Axis, top: int, floor: int, *, most: int, factor: float = 1.0) -> Points:
    """Place a density, whose peak is at the top.

    Parameters
    ----------
    density, factor
        What is drawn; its points are multiplied by the factor first.
    axis
        To which the points belong.
    top, floor
        Where the peak and where nothing is.
    most
        Points; of more some are left out, but never the highest.
    """
    steps = len(density.values) - 1
    peak = max(density.values) or 1.0
    every = -(-steps // most)
    kept = sorted({*range(0, steps + 1, every), density.values.index(max(density.values)), steps})
    wide = density.high - density.low
    placed = (
        (axis.across(factor * (density.low + place / steps * wide)), _height(density.values[place] / peak, top, floor))
        for place in kept
    )
    return list(dict.fromkeys(placed))


def _height(share: float, top: int, floor: int) -> int:
    return round(floor - share * (floor - top))


def across_all(n: int) -> list[int]:
    """Return where each of n points is that fill the width."""
    return [round(WIDTH * place / max(n - 1, 1)) for place in range(n)]
