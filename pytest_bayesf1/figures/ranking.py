"""Several systems below one another: their scores, how likely each is the best, its ranks, and which are tied."""

from collections.abc import Sequence
from typing import Any

from pytest_bayesf1._util import level, whole_percent
from pytest_bayesf1.figures.canvas import CURVE, INK, OTHER, PAPER, SOFT, Canvas, drawing, printable, text_width
from pytest_bayesf1.results.other import RankingFigures, SystemFigures

_ROW, _ABOVE, _BELOW, _EDGE = 0.3, 0.3, 0.5, 0.1  # inches: a system, and what is around all of them
_SCORES, _GAP, _BARS, _NUMBER, _RANKS = 3.4, 0.2, 0.9, 0.5, 0.6  # inches, from left to right
_BRACKET = 0.11  # inches for every tie group
_LONGEST_NAME = 32
_SIZE = 9


def ranking_figure(ranking: RankingFigures, salt: str) -> Canvas:
    """Draw every score with its HDI, the best first; beside it how likely it is the best, and its ranks.

    Brackets join the systems of a tie group. ``salt`` keeps the ids of several figures in one document apart.
    """
    systems, names = ranking.systems, [_short(each.name) for each in ranking.systems]
    brackets = _BRACKET * len(ranking.groups) + 0.05
    left = _EDGE + max(text_width(name, _SIZE) for name in names) + 0.1 + brackets
    right = _GAP + _BARS + _NUMBER + _RANKS + _EDGE
    height = _ABOVE + _ROW * len(systems) + _BELOW
    with drawing(left + _SCORES + right, height, salt, margins=(left, _BELOW, right, _ABOVE)) as drawn:
        drawn.axes.set_ylim(len(systems) - 0.5, -0.5)
        for row, (system, name) in enumerate(zip(systems, names, strict=True)):
            _beside(drawn, -brackets, row, name, ha="right")
            _draw_score(drawn, row, system)
            _draw_chance(drawn, row, system)
        _draw_ties(drawn, [[_place(systems, name) for name in group] for group in ranking.groups])
        for place, name in ((_GAP, "P(best)"), (_GAP + _BARS + _NUMBER, "ranks")):
            _beside(drawn, _SCORES + place, -0.85, name, ha="left", color=SOFT)
        if ranking.groups:
            _beside(drawn, -brackets / 2, -0.85, "≈", ha="center", color=OTHER)
        drawn.name_x(f"{ranking.measure_words}, {level(ranking.hdi_prob)} HDI; below it, the observed score")
        drawn.axes.locator_params(axis="x", nbins=6)
        drawn.only_x()
    return drawn


def _place(systems: Sequence[SystemFigures], name: str) -> int:
    return [each.name for each in systems].index(name)


def _draw_score(drawn: Canvas, row: int, system: SystemFigures) -> None:
    drawn.axes.plot(system.hdi, [row, row], color=INK, linewidth=3.5, solid_capstyle="butt")
    drawn.axes.plot([system.mean], [row], "o", color=PAPER, markeredgecolor=INK, markersize=6)
    drawn.axes.plot([system.observed] * 2, [row + 0.2, row + 0.36], color=OTHER, linewidth=1.6)


def _draw_chance(drawn: Canvas, row: int, system: SystemFigures) -> None:
    low, high = system.rank_hdi
    start = _SCORES + _GAP
    _line(drawn, [start, start + _BARS], [row, row], color=SOFT, linewidth=8, alpha=0.15)
    _line(drawn, [start, start + _BARS * system.p_best], [row, row], color=CURVE, linewidth=8)
    _beside(drawn, start + _BARS + 0.08, row, whole_percent(system.p_best), ha="left")
    _beside(drawn, start + _BARS + _NUMBER, row, f"{low}" if low == high else f"{low}–{high}", ha="left")


def _draw_ties(drawn: Canvas, groups: list[list[int]]) -> None:
    for number, group in enumerate(groups):
        place, first, last = -0.05 - _BRACKET * number, group[0] - 0.25, group[-1] + 0.25
        _line(drawn, [place + 0.05, place, place, place + 0.05], [first, first, last, last], color=OTHER, linewidth=1.4)


def _line(drawn: Canvas, inches: list[float], rows: list[float], **style: Any) -> None:
    """Draw at a distance from where the scores begin."""
    places = [each / _SCORES for each in inches]
    across = drawn.axes.get_yaxis_transform()
    drawn.axes.plot(places, rows, transform=across, clip_on=False, solid_capstyle="butt", **style)


def _beside(drawn: Canvas, inches: float, row: float, text: str, **style: Any) -> None:
    """Write at a distance from where the scores begin."""
    style = {"bbox": None, "size": _SIZE, "transform": drawn.axes.get_yaxis_transform(), **style}
    drawn.label(inches / _SCORES, row, text, **style)


def _short(name: str) -> str:
    line = printable(name)
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
