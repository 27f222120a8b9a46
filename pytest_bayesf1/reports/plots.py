"""SVG figures for the HTML report. The only importer of matplotlib."""

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from pytest_bayesf1.reports.report import Entry
from pytest_bayesf1.stats.scalars import one_line

_INK, _CURVE, _ROPE, _HDI = "#24292f", "#0969da", "#f2cc60", "#24292f"
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.8}


@dataclass(frozen=True)
class _Region:
    """What the posterior is held against: a band, and the value of no difference or the floor."""

    band: tuple[float, float] | None
    reference: float
    label: str


def posterior_svg(entry: Entry, salt: str) -> str:
    """Draw the posterior density with its HDI and mean, and the ROPE or the floor behind it.

    ``salt`` keeps the ids of several figures in one document apart.
    """
    if entry["kind"] == "estimate":
        region = _Region(None, entry["floor"], f"{entry['p_below_floor']:.1%} below the floor")
        return _draw(entry, entry["score"], region, entry["measure"], salt)
    region = _Region(tuple(entry["rope"]), 0.0, f"{entry['p_worse']:.1%} < 0 < {entry['p_better']:.1%}")
    return _draw(entry, entry, region, f"δ of {entry['measure']}: candidate − baseline", salt)


def _draw(entry: Entry, posterior: Mapping[str, Any], region: _Region, label: str, salt: str) -> str:
    figure = Figure(figsize=(7.2, 2.9), layout="constrained")
    axes = figure.subplots()
    density = entry["density"]
    heights = np.asarray(density["values"])
    points = np.linspace(density["low"], density["high"], heights.size)
    low, high = posterior["hdi"]
    peak = heights.max()
    axes.fill_between(points, heights, color=_CURVE, alpha=0.14, linewidth=0)
    inside = (points >= low) & (points <= high)
    axes.fill_between(points, heights, where=inside.tolist(), color=_CURVE, alpha=0.22, linewidth=0)
    axes.plot(points, heights, color=_CURVE, linewidth=1.6)
    if region.band is not None:
        axes.axvspan(*region.band, color=_ROPE, alpha=0.45, linewidth=0, zorder=0)
        middle = sum(region.band) / 2
        axes.text(middle, 1.32 * peak, "ROPE", ha="center", va="top", fontsize=8, color=_INK)
    axes.axvline(region.reference, ymax=0.86, color=_INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.text(region.reference, 1.19 * peak, region.label, ha="center", va="top", fontsize=8, color=_INK, bbox=_PAPER)
    axes.plot([low, high], [-0.07 * peak] * 2, color=_HDI, linewidth=4, solid_capstyle="butt")
    axes.plot([posterior["mean"]], [-0.07 * peak], "o", color="white", markeredgecolor=_HDI, markersize=6)
    for bound, side in ((low, "right"), (high, "left")):
        axes.text(bound, -0.07 * peak, f" {bound:.4f} ", ha=side, va="center", fontsize=8, color=_INK)
    _finish(axes, label, peak)
    return _svg(figure, salt)


def _finish(axes: Any, label: str, peak: float) -> None:
    printable = label.encode("utf-8", "backslashreplace").decode()
    axes.set_xlabel(one_line(printable), fontsize=9, color=_INK, parse_math=False)
    axes.set_yticks([])
    axes.set_ylim(-0.15 * peak, 1.34 * peak)
    left, right = axes.get_xlim()
    axes.set_xlim(left - 0.06 * (right - left), right + 0.06 * (right - left))
    axes.tick_params(labelsize=8, colors=_INK)
    for side in ("left", "right", "top"):
        axes.spines[side].set_visible(False)


def _svg(figure: Figure, salt: str) -> str:
    target = StringIO()
    with (
        warnings.catch_warnings(),
        mpl.rc_context({"svg.hashsalt": salt, "svg.fonttype": "none", "font.family": "sans-serif"}),
    ):
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # the reader's own font has it
        figure.savefig(target, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    # matplotlib numbers its groups anew in every figure; nothing refers to them, and one page holds many figures
    return re.sub(r' id="[a-z0-9]+_\d+"', "", text[text.index("<svg") :])
