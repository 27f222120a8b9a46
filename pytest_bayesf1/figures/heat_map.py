"""Where errors moved: the candidate's confusion matrix minus the baseline's."""

import numpy as np
from matplotlib.colors import to_rgb

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.figures.canvas import INK, POINTS, SOFT, Canvas, drawing, printable, text_width
from pytest_bayesf1.results.breakdown import Breakdown

_WORSE, _BETTER = to_rgb("#d1242f"), to_rgb("#0969da")
_FULL = 0.25  # share of a class at which a colour is full; by a square root, so that small changes show too
_NUMBERED = 8
_LONGEST_NAME = 24
_NAME_SIZE = 8
_CELL, _SMALLEST, _GAP, _AXIS_NAME, _EDGE = 0.23, 1.4, 0.05, 0.25, 0.1  # inches: a cell, all of them, what is around


def heat_map_svg(breakdown: Breakdown, salt: str) -> str:
    """Colour every cell by what its change means, red for worse and blue for better, and by how much.

    Up to eight classes the cells have numbers in them: points of the class's examples.
    """
    names = [_short(str(each.label)) for each in breakdown.classes]
    change = _changes(breakdown)
    opacity = np.sqrt(np.abs(change) / _FULL).clip(max=1.0)
    cell, longest = max(_CELL, _SMALLEST / len(names)), max(text_width(name, _NAME_SIZE) for name in names)
    is_upright = longest > cell
    beside, below = longest + 2 * _GAP, (longest if is_upright else _CELL) + 2 * _GAP
    left, bottom, side = beside + _AXIS_NAME, below + _AXIS_NAME, cell * len(names)
    with drawing(left + side + _EDGE, bottom + side + _EDGE, salt, margins=(left, bottom, _EDGE, _EDGE)) as drawn:
        drawn.axes.imshow(_colours(change, opacity), interpolation="none")
        drawn.axes.set(xticks=[], yticks=[])
        drawn.axes.set_xlabel("predicted", color=INK, labelpad=POINTS * below)
        drawn.axes.set_ylabel("true class", color=INK, labelpad=POINTS * beside)
        _name_classes(drawn, names, _GAP / cell, 90 if is_upright else 0)
        if len(names) <= _NUMBERED:
            for row, column in np.argwhere(change):
                colour = "white" if opacity[row, column] > 0.5 else INK
                drawn.label(column, row, f"{100 * change[row, column]:+.1f}", bbox=None, color=colour, size=7)
    return drawn.svg


def _changes(breakdown: Breakdown) -> Floats:
    """By how much each cell's share of its true class rises, (M, M)."""
    sizes = [each.n_samples for each in breakdown.classes]
    change = np.zeros((len(sizes), len(sizes)))
    for true, predicted, *counts in breakdown.cells:
        baseline, candidate = (count / max(size, 1) for count, size in zip(counts, sizes[true], strict=True))
        change[true, predicted] = candidate - baseline
    return change


def _colours(change: Floats, opacity: Floats) -> Floats:
    gain = np.where(np.eye(len(change), dtype=bool), change, -change)
    hue = np.where((gain < 0)[..., None], _WORSE, _BETTER)
    return np.concatenate([hue, opacity[..., None]], axis=-1)


def _name_classes(drawn: Canvas, names: list[str], gap: float, rotation: float) -> None:
    """Write each class's name ``gap`` cells beside it: plain texts, for ticks take several times as long to draw."""
    plain = {"bbox": None, "size": _NAME_SIZE, "color": SOFT}
    for place, name in enumerate(names):
        drawn.label(-0.5 - gap, place, name, ha="right", **plain)
        drawn.label(place, len(names) - 0.5 + gap, name, va="top", rotation=rotation, **plain)


def _short(name: str) -> str:
    line = printable(name)
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
