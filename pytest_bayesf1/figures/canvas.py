"""A matplotlib figure -> SVG for a page whose style sheet chooses the colours, light or dark."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import Any, Literal, TypeAlias
from unicodedata import east_asian_width

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.text import one_line

INK, SOFT, CURVE, OTHER, ROPE, PAPER = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
"""Stand for a variable of the style sheet each; the page's colours beside them serve where it has none."""


@dataclass(frozen=True)
class Palette:
    """The colours of a figure."""

    ink: str = INK
    soft: str = SOFT
    curve: str = CURVE
    other: str = OTHER
    rope: str = ROPE
    paper: str = PAPER


ON_PAPER = Palette("#1f2328", "#6e7781", "#0969da", "#8a5a00", "#e3b341", "#ffffff")
"""Of a file that stands alone, without a style sheet."""

_COLOURS = {
    INK: "var(--ink, currentColor)",
    SOFT: "var(--soft, #6e7781)",
    CURVE: "var(--curve, #0969da)",
    OTHER: "var(--other, #8a5a00)",
    ROPE: "var(--rope, #e3b341)",
    PAPER: "var(--card, transparent)",
}
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "path.simplify": False,
}
POINTS = 72  # an inch
_FONT = " font-family: 'DejaVu Sans', sans-serif;"
_NUMBER = re.compile(r"-?\d+\.\d{3,}")

_DOTS = 200  # an inch, of a picture made of dots

Form: TypeAlias = Literal["svg", "png"]
Margins: TypeAlias = tuple[float, float, float, float]

CURVE_MARGINS: Margins = (0.1, 0.5, 0.1, 0.05)


class Canvas:
    """One pair of axes; ``svg``, or the ``content`` of a file, is there when the block ends."""

    def __init__(self, axes: Any, palette: Palette) -> None:
        self.axes = axes
        self.palette = palette
        self.svg = ""
        self.content = b""

    def label(self, x: float, y: float, text: str, **style: Any) -> None:
        """Write a text, never as markup."""
        paper = {"facecolor": self.palette.paper, "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
        given = {"ha": "center", "va": "center", "color": self.palette.ink, "bbox": paper, "parse_math": False, **style}
        self.axes.text(x, y, printable(text), **given)

    def hill(self, points: Floats, heights: Floats, colour: str, opacity: float) -> None:
        """Fill the area below a curve, if there is any."""
        if points.size == 0:
            return
        x = np.concatenate([points[:1], points, points[-1:]])
        self.axes.fill(x, np.concatenate([[0.0], heights, [0.0]]), color=colour, alpha=opacity, linewidth=0)

    def name_x(self, text: str) -> None:
        """Name the horizontal axis."""
        self.axes.set_xlabel(printable(text), color=self.palette.soft, parse_math=False)

    def name_y(self, text: str) -> None:
        """Name the vertical axis."""
        self.axes.set_ylabel(printable(text), color=self.palette.soft, parse_math=False)

    def only_x(self) -> None:
        """Leave nothing but the horizontal axis."""
        self.axes.set_yticks([])
        for side in ("left", "right", "top"):
            self.axes.spines[side].set_visible(False)


@contextmanager
def drawing(width: float, height: float, salt: str, *, margins: Margins) -> Iterator[Canvas]:
    """Draw on a figure of so many inches; ``salt`` keeps the ids of several figures in one page apart.

    ``margins`` are those left, below, right and above the axes, in inches.
    """
    with _canvas(width, height, salt, margins, Palette()) as drawn:
        yield drawn
        drawn.svg = _svg(drawn.axes.figure)


@contextmanager
def sheet(width: float, height: float, form: Form, *, margins: Margins) -> Iterator[Canvas]:
    """Draw as `drawing` does, for a file that stands alone."""
    with _canvas(width, height, "bayesf1", margins, ON_PAPER) as drawn:
        yield drawn
        target, metadata = BytesIO(), {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
        drawn.axes.figure.savefig(target, format=form, dpi=_DOTS, facecolor=ON_PAPER.paper, metadata=metadata[form])
        drawn.content = target.getvalue()


@contextmanager
def _canvas(width: float, height: float, salt: str, margins: Margins, palette: Palette) -> Iterator[Canvas]:
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": salt}), _any_glyph():
        warnings.filterwarnings("ignore", "Attempting to set identical")  # a curve as thin as a line has no width
        figure = Figure(figsize=(width, height))
        left, below, right, above = margins
        axes = figure.add_axes((left / width, below / height, 1 - (left + right) / width, 1 - (below + above) / height))
        axes.patch.set_visible(False)
        axes.tick_params(which="both", colors=palette.soft)
        axes.spines[:].set_color(palette.soft)
        yield Canvas(axes, palette)


def text_width(text: str, size: float) -> float:
    """Measure a text in inches; ``size`` is the font's, in points."""
    known = "".join("W" if east_asian_width(character) in "WF" else character for character in printable(text))
    font = FontProperties(family=_SETTINGS["font.sans-serif"], size=size)
    with _any_glyph():
        width, _, _ = text_to_path.get_text_width_height_descent(known, font, ismath=False)
    return float(width) / POINTS


@contextmanager
def _any_glyph() -> Iterator[None]:
    """Let glyphs be missing from the font: the reader's own has them."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        yield


def printable(text: str) -> str:
    """Put a text on one line, of characters that a document can hold."""
    return one_line(text.encode("utf-8", "backslashreplace").decode())


def _svg(figure: Figure) -> str:
    target = StringIO()
    figure.savefig(target, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = target.getvalue()
    text = text[text.index("<svg") :]
    # matplotlib numbers its groups anew in every figure; nothing refers to them, and one page holds many figures
    text = re.sub(r' id="[A-Za-z0-9.]+_\d+"', "", text)
    text = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = text.replace(_FONT, "")  # the page's own font serves
    text = re.sub(r"\s*\n\s*", " ", text).replace(" L ", "L").replace("> <", "><")
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r'="[^"]*"', lambda value: _NUMBER.sub(lambda found: f"{float(found[0]):.1f}", value[0]), text)
    return _coloured(text)


def _coloured(text: str) -> str:
    for colour, variable in _COLOURS.items():
        text = text.replace(colour, variable)
    return text
