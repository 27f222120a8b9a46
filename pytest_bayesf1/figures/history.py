"""A baseline over time: the score of every version, below it the total change since the anchor, with the budget."""

from collections.abc import Sequence
from typing import Any

from pytest_bayesf1._util import Interval, scale_of
from pytest_bayesf1.figures.canvas import CURVE, INK, OTHER, ROPE, SOFT, Canvas, drawing, printable
from pytest_bayesf1.figures.ticks import round_numbers
from pytest_bayesf1.results.other import History, Version

_WIDTH, _HEIGHT = 7.2, 4.1
_SCORES, _TOTALS = (0.85, 2.25, 0.35, 0.1), (0.85, 0.3, 0.35, 2.2)  # margins in inches: left, below, right, above
_MOST_DATES = 7
_MOST_TICKS = 4
_NAMES = -0.1  # of the axes, in widths of theirs
_MARK = 4


def history_figure(history: History, salt: str) -> Canvas:
    """Draw every version that has a score, the oldest first; what a gate would have failed in another colour.

    ``salt`` keeps the ids of several figures in one document apart.
    """
    versions = [version for version in history.versions if version.score is not None]
    scale = scale_of(custom_measure=not history.bounded)
    with drawing(_WIDTH, _HEIGHT, salt, margins=_SCORES) as drawn:
        scores = [(place, each.score.mean, each.score.hdi) for place, each in enumerate(versions) if each.score]
        _intervals(drawn, scores, [_colour(version) for version in versions])
        _plain(drawn, history.measure_words, len(versions))
        drawn.axes.set_xticks([])
        below = drawn.another(_TOTALS)
        _draw_totals(below, versions, history.budget, scale.factor)
        _plain(below, f"since the anchor{f', {scale.unit}s' if scale.unit else ''}", len(versions))
        _name_dates(below, [version.date for version in versions])
    return drawn


def _draw_totals(drawn: Canvas, versions: Sequence[Version], budget: float, factor: float) -> None:
    drawn.axes.axhline(0, color=SOFT, linewidth=0.8)
    drawn.axes.axhline(-factor * budget, color=ROPE, linewidth=1.4, linestyle="--")
    totals = [
        (place, factor * each.total.mean, (factor * each.total.hdi[0], factor * each.total.hdi[1]))
        for place, each in enumerate(versions)
        if each.total
    ]
    _intervals(drawn, totals, [_colour(version) for version in versions if version.total])
    anchors = [place for place, each in enumerate(versions) if each.is_anchor]
    drawn.axes.plot(anchors, [0] * len(anchors), "D", color=INK, markersize=_MARK)


def _intervals(drawn: Canvas, points: Sequence[tuple[int, float, Interval]], colours: Sequence[str]) -> None:
    for (place, mean, (low, high)), colour in zip(points, colours, strict=True):
        drawn.axes.plot([place, place], [low, high], color=colour, linewidth=1.2)
        drawn.axes.plot([place], [mean], "o", color=colour, markersize=_MARK)


def _colour(version: Version) -> str:
    return OTHER if version.verdict == "failed" else CURVE


def _plain(drawn: Canvas, name: str, n: int) -> None:
    axes: Any = drawn.axes
    axes.set_ylabel(printable(name), color=SOFT, parse_math=False)
    axes.set_xlim(-0.5, max(n, 1) - 0.5)
    axes.yaxis.set_label_coords(_NAMES, 0.5)
    low, high = axes.get_ylim()
    axes.set_yticks(round_numbers(low, high, _MOST_TICKS))
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)


def _name_dates(drawn: Canvas, dates: Sequence[str]) -> None:
    step = -(-len(dates) // _MOST_DATES)
    places = list(range(0, len(dates), max(step, 1)))
    drawn.axes.set_xticks(places, [dates[place] for place in places], size=8)
