"""A posterior as a Mermaid chart, in words that its older versions know and numbers that its parser takes."""

from math import ceil, floor, inf, isinf, log10

from pytest_bayesf1._util import AS_THEY_ARE, Interval, Scale, scale_of
from pytest_bayesf1.reports.entry import ComparisonEntry, EstimateEntry
from pytest_bayesf1.results.comparison import Density

_N_POINTS = 81
_MOST_TIMES = 10
"""How many times as wide as the density the axis may be, which would else be a stroke of a few points."""

_MOST_DECIMALS = 12
_CHART = """\
---
config:
  xyChart:
    width: 640
    height: 260
  themeVariables:
    xyChart:
      plotColorPalette: "#bf8700, #0969da"
---
xychart-beta
  title "{title}"
  x-axis "{axis}" {low} --> {high}
  y-axis "density, % of its peak" 0 --> 105
  line [{region}]
  line [{density}]
"""


def posterior_chart(entry: ComparisonEntry | EstimateEntry) -> str:
    """Draw the posterior density; and as a plateau (there are no other marks) the ROPE or the scores above the floor.

    Parameters
    ----------
    entry
        Of a report.

    Returns
    -------
    str
        Empty where an axis with 0 and the whole ROPE, or the floor, would leave the density no room, or need too many
        digits.
    """
    density, scale = entry.density, _scale(entry)
    if density.low == density.high:
        return ""
    points, region = _points(entry)
    wide = points[-1] - points[0]
    decimals = 2 - floor(log10(scale.factor * wide))
    if decimals > _MOST_DECIMALS or wide > _MOST_TIMES * (density.high - density.low):
        return ""
    low, high = (f"{scale.factor * point:z.{max(decimals, 0)}f}" for point in (points[0], points[-1]))
    title, axis = _words(entry)
    return _CHART.format(
        title=title,
        axis=axis,
        low=low,
        high=high,
        region=_line([100.0 if region[0] < point < region[1] else 0.0 for point in points]),
        density=_line(_of_peak([_height(density, point) for point in points])),
    )


def _region(entry: ComparisonEntry | EstimateEntry) -> Interval:
    """Return what is tolerated or demanded."""
    return (entry.floor, inf) if isinstance(entry, EstimateEntry) else entry.rope


def _scale(entry: ComparisonEntry | EstimateEntry) -> Scale:
    return AS_THEY_ARE if isinstance(entry, EstimateEntry) else scale_of(custom_measure=entry.custom_measure)


def _words(entry: ComparisonEntry | EstimateEntry) -> tuple[str, str]:
    if isinstance(entry, EstimateEntry):
        return "Posterior (blue) and scores above the floor (yellow)", "score"
    unit = _scale(entry).unit
    return "Posterior (blue) and the ROPE (yellow)", f"change in {unit}s" if unit else "change"


def _points(entry: ComparisonEntry | EstimateEntry) -> tuple[list[float], Interval]:
    """Spread points over the density and what else is to be seen; the region's ends lie halfway between two of them."""
    low, high = _region(entry)
    marks = [low] if isinf(high) else [low, high, 0.0]
    margin = 0.1 * (entry.density.high - entry.density.low)
    start, end = min(entry.density.low, min(marks) - margin), max(entry.density.high, max(marks) + margin)
    step = (end - start) / _N_POINTS
    if not isinf(high):
        n_inside = round((high - low) / step)
        step = (high - low) / n_inside if n_inside else step
        low = (low + high - step * max(n_inside, 1)) / 2
        high = low + step * max(n_inside, 1)
    places = range(floor((start - low) / step), ceil((end - low) / step))
    return [low + (place + 1 / 2) * step for place in places], (low, high)


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


def _line(values: list[float]) -> str:
    return ", ".join(f"{value:.3g}" for value in values)
