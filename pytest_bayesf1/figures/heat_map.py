"""Where errors moved: the candidate's confusion matrix minus the baseline's."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.colors import to_rgb

from pytest_bayesf1.figures.canvas import INK, Drawing, drawing, printable
from pytest_bayesf1.figures.curves import Entry
from pytest_bayesf1.stats.arrays import Floats

_WORSE, _BETTER = to_rgb("#d1242f"), to_rgb("#0969da")
_FULL = 0.25  # share of a class at which a colour is full; by a square root, so that small changes show too
_NUMBERED = 8
_LONGEST_NAME = 24


def heat_map_svg(entry: Entry, salt: str) -> str:
    """Colour every cell by what its change means, red for worse and blue for better, and by how much.

    Up to eight classes the cells have numbers in them: points of the class's examples. Only for entries that hold a
    breakdown.
    """
    classes = entry["breakdown"]["classes"]
    names = [_short(str(each["label"])) for each in classes]
    change = _changes(entry["breakdown"])
    opacity = np.sqrt(np.abs(change) / _FULL).clip(max=1.0)
    side = max(0.2 * len(names), 1.2) + 1.6
    with drawing(side + 0.3, side, salt) as drawn:
        drawn.axes.imshow(_colours(change, opacity), interpolation="none")
        _name_classes(drawn, names)
        if len(names) <= _NUMBERED:
            for row, column in np.argwhere(change):
                colour = "white" if opacity[row, column] > 0.5 else INK
                drawn.label(column, row, f"{100 * change[row, column]:+.1f}", bbox=None, color=colour, size=7)
    return drawn.svg


def _changes(breakdown: Mapping[str, Any]) -> Floats:
    """By how much each cell's share of its true class rises, (M, M)."""
    sizes = [each["n_samples"] for each in breakdown["classes"]]
    change = np.zeros((len(sizes), len(sizes)))
    for true, predicted, *counts in breakdown["cells"]:
        ours, theirs = (count / max(size, 1) for count, size in zip(counts, sizes[true], strict=True))
        change[true, predicted] = theirs - ours
    return change


def _colours(change: Floats, opacity: Floats) -> Floats:
    gain = np.where(np.eye(len(change), dtype=bool), change, -change)
    hue = np.where((gain < 0)[..., None], _WORSE, _BETTER)
    return np.concatenate([hue, opacity[..., None]], axis=-1)


def _name_classes(drawn: Drawing, names: list[str]) -> None:
    axes, places = drawn.axes, range(len(names))
    rotation = 90 if max(map(len, names)) > 2 else 0
    axes.set_xticks(places, names, rotation=rotation, fontsize=8, parse_math=False)
    axes.set_yticks(places, names, fontsize=8, parse_math=False)
    axes.tick_params(length=0)
    axes.set_xlabel("predicted", color=INK)
    axes.set_ylabel("true class", color=INK)


def _short(name: str) -> str:
    line = printable(name)
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
