"""Where errors moved: the candidate's confusion matrix minus the baseline's."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

from pytest_bayesf1.figures.canvas import INK, Drawing, drawing, printable
from pytest_bayesf1.figures.curves import Entry
from pytest_bayesf1.stats.arrays import Floats

_WORSE, _BETTER = to_rgb("#d1242f"), to_rgb("#0969da")
_NUMBERED = 8
_LONGEST_NAME = 24


def heat_map_svg(entry: Entry, salt: str) -> str:
    """Colour every cell by what its change means, red for worse and blue for better, and by how much.

    Up to eight classes the cells have their numbers in them. Only for entries that hold a breakdown.
    """
    breakdown = entry["breakdown"]
    names = [_short(str(each["label"])) for each in breakdown["classes"]]
    change = _changes(breakdown)
    side = max(0.2 * len(names), 1.8) + 1.6
    with drawing(side + 0.3, side, salt) as drawn:
        drawn.axes.imshow(_colours(change), interpolation="none")
        _name_classes(drawn, names)
        if len(names) <= _NUMBERED:
            for row, column in np.argwhere(change):
                drawn.label(column, row, f"{change[row, column]:+g}", bbox=None)
    return drawn.svg


def _changes(breakdown: Mapping[str, Any]) -> Floats:
    n = len(breakdown["classes"])
    change = np.zeros((n, n))
    for true, predicted, ours, theirs in breakdown["cells"]:
        change[true, predicted] = theirs - ours
    return change


def _colours(change: Floats) -> Floats:
    """Give each cell a hue, and an opacity by the size of its change among all (square root: small ones show too)."""
    gain = np.where(np.eye(len(change), dtype=bool), change, -change)
    opacity = np.sqrt(np.abs(change) / max(float(np.abs(change).max()), 1.0))
    hue = np.where((gain < 0)[..., None], _WORSE, _BETTER)
    return np.concatenate([hue, opacity[..., None]], axis=-1)


def _name_classes(drawn: Drawing, names: list[str]) -> None:
    axes, places = drawn.axes, range(len(names))
    size = 8
    axes.set_xticks(places, names, rotation=90, fontsize=size, parse_math=False)
    axes.set_yticks(places, names, fontsize=size, parse_math=False)
    axes.tick_params(length=0)
    axes.set_xlabel("predicted", color=INK)
    axes.set_ylabel("true class", color=INK)


def _short(name: str) -> str:
    line = printable(name)
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
