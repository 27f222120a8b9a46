"""A posterior as a Mermaid chart, in words that its older versions know and numbers that its parser takes."""

from math import floor, log10

from pytest_bayesf1.reports.entry import ComparisonEntry, EstimateEntry
from pytest_bayesf1.results.figures import Density
from pytest_bayesf1.text import AS_THEY_ARE, Interval, Scale, scale_of

_N_POINTS = 41
_MOST_DECIMALS = 12
_CHART = """\
---
config:
  xyChart:
    width: 640
    height: 260
  themeVariables:
    xyChart:
      plotColorPalette: "#0969da, #bf8700"
---
xychart-beta
  title "{title}"
  x-axis "{axis}" {low} --> {high}
  y-axis "density, % of its peak" 0 --> 105
  line [{density}]
  line [{reference}]
"""


def posterior_chart(entry: ComparisonEntry | EstimateEntry) -> str:
    """Draw the posterior density, and the ROPE or the floor; nothing where the axis would need too many digits."""
    reference = _reference(entry)
    points = _points(entry.density, reference)
    scale = _scale(entry)
    decimals = 2 - floor(log10(scale.factor * (points[-1] - points[0])))
    if decimals > _MOST_DECIMALS:
        return ""
    low, high = (f"{scale.factor * point:z.{max(decimals, 0)}f}" for point in (points[0], points[-1]))
    title, axis = _words(entry)
    return _CHART.format(
        title=title,
        axis=axis,
        low=low,
        high=high,
        density=_line(_of_peak([_height(entry.density, point) for point in points])),
        reference=_line(_plateau(points, reference)),
    )


def _reference(entry: ComparisonEntry | EstimateEntry) -> Interval:
    return (entry.floor, entry.floor) if isinstance(entry, EstimateEntry) else entry.rope


def _scale(entry: ComparisonEntry | EstimateEntry) -> Scale:
    return AS_THEY_ARE if isinstance(entry, EstimateEntry) else scale_of(custom_measure=entry.custom_measure)


def _words(entry: ComparisonEntry | EstimateEntry) -> tuple[str, str]:
    if isinstance(entry, EstimateEntry):
        return "Posterior (blue) and the floor (yellow)", "score"
    unit = _scale(entry).unit
    return "Posterior (blue) and what is tolerated (yellow)", f"change in {unit}s" if unit else "change"


def _points(density: Density, reference: Interval) -> list[float]:
    """Spread points over the density and the ROPE or floor, or as much of it as leaves the density room enough."""
    low, high = density.low, density.high
    margin, most = 0.1 * (high - low), 1.5 * (high - low)
    start = max(min(low, reference[0] - margin), low - most)
    end = min(max(high, reference[1] + margin), high + most)
    return [start + (end - start) * step / (_N_POINTS - 1) for step in range(_N_POINTS)]


def _height(density: Density, point: float) -> float:
    values = density.values
    place = (point - density.low) / (density.high - density.low) * (len(values) - 1)
    if not 0 <= place <= len(values) - 1:
        return 0.0
    left = min(int(place), len(values) - 2)
    return float(values[left] + (place - left) * (values[left + 1] - values[left]))


def _of_peak(heights: list[float]) -> list[float]:
    peak = max(heights) or 1.0
    return [100 * height / peak for height in heights]


def _plateau(points: list[float], reference: Interval) -> list[float]:
    """Be 100 inside the ROPE, or at the floor, at one point at least, and 0 outside."""
    margin = (points[1] - points[0]) / 2
    return [100.0 if reference[0] - margin <= point <= reference[1] + margin else 0.0 for point in points]


def _line(values: list[float]) -> str:
    return ", ".join(f"{value:.1f}" for value in values)
