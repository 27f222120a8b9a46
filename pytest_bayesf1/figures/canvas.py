"""A matplotlib figure -> SVG for a page whose style sheet chooses the colours, light or dark."""

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO, StringIO
from typing import Any, TypeAlias
from unicodedata import east_asian_width

import matplotlib as mpl
import numpy as np
from matplotlib.colors import is_color_like, to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from pytest_bayesf1._util import one_line
from pytest_bayesf1.arrays import Floats

INK, SOFT, CURVE, OTHER, ROPE, PAPER = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
FAILED, WARNED, UNDECIDED, PASSED, LINE = "#070707", "#080808", "#090909", "#0a0a0a", "#0b0b0b"
"""Stand for a variable of the style sheet each; the page's colours beside them serve where it has none."""

_COLOURS = {
    INK: "var(--ink, currentColor)",
    SOFT: "var(--soft, #6e7781)",
    CURVE: "var(--curve, #0969da)",
    OTHER: "var(--other, #8a5a00)",
    ROPE: "var(--rope, #e3b341)",
    PAPER: "var(--card, transparent)",
    FAILED: "var(--failed, #b3261e)",
    WARNED: "var(--warned, #8a5a00)",
    UNDECIDED: "var(--undecided, #6639ba)",
    PASSED: "var(--passed, #1a7f37)",
    LINE: "var(--line, #d1d9e0)",
}
_ON_PAPER = {
    INK: "#1f2328",
    SOFT: "#59636e",
    CURVE: "#0969da",
    OTHER: "#8a5a00",
    ROPE: "#bf8700",
    PAPER: "#ffffff",
    FAILED: "#b3261e",
    WARNED: "#8a5a00",
    UNDECIDED: "#6639ba",
    PASSED: "#1a7f37",
    LINE: "#d1d9e0",
}
"""Of a file of its own, which has no style sheet."""

_PROPERTIES = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
_DOTS_PER_INCH = 200
_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "path.simplify": False,
}
POINTS = 72  # an inch
_FONT = " font-family: 'DejaVu Sans', sans-serif;"
_FONTS = "'DejaVu Sans', Verdana, sans-serif"
"""Of a file of its own; no other is wider than the first, with which texts are measured."""

_NUMBER = re.compile(r"-?\d+\.\d{3,}")

Margins: TypeAlias = tuple[float, float, float, float]


class Canvas:
    """One pair of axes; ``svg`` and ``file`` are there when the block ends."""

    def __init__(self, axes: Any) -> None:
        self.axes = axes
        self._svg = ""

    @property
    def svg(self) -> str:
        """The figure for a page."""
        return _coloured(self._svg, _COLOURS)

    def file(self, suffix: str) -> bytes:
        """Return the figure as a file of its own, ``.svg`` or ``.png``."""
        if suffix != ".svg":
            return _png(self.axes.figure)
        return _coloured(self._svg.replace("<svg", f'<svg font-family="{_FONTS}"', 1), _ON_PAPER).encode()

    def another(self, margins: Margins) -> "Canvas":
        """Add a pair of axes to the same figure."""
        return Canvas(_axes(self.axes.figure, margins))

    def label(self, x: float, y: float, text: str, **style: Any) -> None:
        """Write a text, never as markup."""
        paper = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.0, "alpha": 0.85}
        given = {"ha": "center", "va": "center", "color": INK, "bbox": paper, "parse_math": False, **style}
        self.axes.text(x, y, printable(text), **given)

    def hill(self, points: Floats, heights: Floats, colour: str, opacity: float) -> None:
        """Fill the area below a curve, if there is any."""
        if points.size == 0:
            return
        x = np.concatenate([points[:1], points, points[-1:]])
        self.axes.fill(x, np.concatenate([[0.0], heights, [0.0]]), color=colour, alpha=opacity, linewidth=0)

    def name_x(self, text: str) -> None:
        """Name the horizontal axis."""
        self.axes.set_xlabel(printable(text), color=SOFT, parse_math=False)

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
    with mpl.rc_context({**_SETTINGS, "svg.hashsalt": salt}), _any_glyph():
        warnings.filterwarnings("ignore", "Attempting to set identical")  # a curve as thin as a line has no width
        figure = Figure(figsize=(width, height))
        drawn = Canvas(_axes(figure, margins))
        yield drawn
        drawn._svg = _svg(figure)  # noqa: SLF001 (nobody else may set it)


def _axes(figure: Figure, margins: Margins) -> Any:
    (width, height), (left, below, right, above) = figure.get_size_inches(), margins
    axes = figure.add_axes((left / width, below / height, 1 - (left + right) / width, 1 - (below + above) / height))
    axes.patch.set_visible(False)
    axes.tick_params(colors=SOFT)
    axes.spines[:].set_color(SOFT)
    return axes


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Measure a text in inches; ``size`` is the font's, in points, and ``weight`` may be ``bold``."""
    shown = printable(text)
    wide = "".join("W" if east_asian_width(character) in "WF" else character for character in shown)
    font = FontProperties(family=_SETTINGS["font.sans-serif"], size=size, weight=weight)
    with _any_glyph():  # what stands for a glyph that is missing may be narrower than the reader's, or wider
        widths = [text_to_path.get_text_width_height_descent(each, font, ismath=False)[0] for each in {shown, wide}]
    return float(max(widths)) / POINTS


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
    return re.sub(r'="[^"]*"', lambda value: _NUMBER.sub(lambda found: f"{float(found[0]):.1f}", value[0]), text)


def _coloured(text: str, colours: Mapping[str, str]) -> str:
    for colour, shown in colours.items():
        text = text.replace(colour, shown)
    return text


def _png(figure: Figure) -> bytes:
    artists: list[Any] = figure.findobj()
    boxes = (artist.get_bbox_patch() for artist in artists if isinstance(artist, Text))  # which it does not find
    for artist in (*artists, *filter(None, boxes)):
        for name in _PROPERTIES:
            colour: Any = getattr(artist, f"get_{name}", lambda: None)()
            if is_color_like(colour) and to_hex(colour) in _ON_PAPER:
                getattr(artist, f"set_{name}")(_ON_PAPER[to_hex(colour)])
    target = BytesIO()
    with _any_glyph():
        figure.savefig(target, format="png", dpi=_DOTS_PER_INCH, facecolor=_ON_PAPER[PAPER])
    return target.getvalue()
