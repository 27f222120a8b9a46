"""A picture as plain data, and its drawing as SVG or by matplotlib, of which this is the only importer.

A `Plot` has shapes and texts. Across, a place is a share of the picture's width; down, it is in pixels from the top. So
a page stretches a picture without stretching its texts. An `Axis` turns numbers into shares and finds round numbers; a
`Panel` is the part of a picture where two axes cross, and makes shapes from numbers.

The functions of `pytest_bayesf1.figures.pictures` make plots from results. `svg` draws any plot for a page that has the
rules of `css`; `in_notebook` draws it for a notebook, `drawn` by matplotlib.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, unique
from html import escape
from itertools import groupby
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.text import MINUS, one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


Colour: TypeAlias = Literal["ink", "soft", "curve", "other", "rope", "card", "line", "failed"]
Point: TypeAlias = tuple[float, float]

PAPER: Mapping[Colour, str] = {
    "ink": "#1f2328",
    "soft": "#59636e",
    "curve": "#0969da",
    "other": "#8a5a00",
    "rope": "#bf8700",
    "card": "#ffffff",
    "line": "#d1d9e0",
    "failed": "#b3261e",
}
"""The colours of a file of its own; a page has a variable of the same name for each."""
_ON_ANY: Mapping[Colour, str] = {"ink": "currentColor", "soft": "#6e7781", "curve": "#2f81f7", "other": "#b7791f"}
NOTEBOOK: Mapping[Colour, str] = {**PAPER, **_ON_ANY, "card": "transparent"}
"""Colours that can be seen on light and on dark."""

SIZE = 14
"""Pixels of a text, unless it says otherwise; on a page, one em."""
_ACROSS = 1_000
"""Units of a page's drawing from left to right."""


class Paint(NamedTuple):
    """The line and the fill of a shape."""

    line: Colour | None = None
    width: float = 1.0
    dash: tuple[float, ...] = ()
    fill: Colour | None = None
    opacity: float = 1.0
    round: bool = False

    def css(self, colour: Callable[[Colour], str]) -> str:
        """Write the declarations of a style sheet."""
        parts = [f"fill:{colour(self.fill)};fill-opacity:{self.opacity:g}" if self.fill else "fill:none"]
        if self.line:
            parts.append(f"stroke:{colour(self.line)};stroke-width:{self.width:g}px")
        if self.dash:
            parts.append(f"stroke-dasharray:{' '.join(f'{each:g}' for each in self.dash)}")
        if self.round:
            parts.append("stroke-linecap:round")
        return ";".join(parts)


@unique
class Look(Enum):
    """What a shape shows, and how it is painted."""

    ROPE = Paint(fill="rope", opacity=0.35)
    ZERO = Paint("soft", dash=(4, 3))
    MARK = Paint("ink")
    EARLIER = Paint("other", 1.5)
    HILL = Paint("curve", 1.5, fill="curve", opacity=0.2)
    INSIDE = Paint(fill="curve", opacity=0.3)
    HDI = Paint("ink", 4)
    MEAN = Paint("ink", 10, round=True)
    BASELINE_OBSERVED = Paint("other", 3)
    BAND = Paint(fill="curve", opacity=0.15)
    BUDGET = Paint("rope", 1.5, (6, 3))
    EDGE = Paint("line")
    CURVE = Paint("curve", 1.6)
    OTHER_DOT = Paint("other", 9, round=True)

    @property
    def kind(self) -> str:
        """Its class on a page."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True)
class Shape:
    """A line through points, and the area within them; a single point is a dot."""

    look: Look
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Text:
    """A text on one line.

    Attributes
    ----------
    x, y
        The middle of its line, and of its width if ``anchor`` is a half.
    anchor
        The share of its width that is left of ``x``. A text whose anchor is its place never sticks out of the picture.
    size
        Of its font, in pixels.
    """

    x: float
    y: float
    text: str
    anchor: float = 0.5
    colour: Colour = "ink"
    size: float = SIZE
    bold: bool = False


@dataclass(frozen=True, kw_only=True)
class Axis:
    """The numbers that a picture shows in one direction."""

    low: float
    high: float

    @classmethod
    def over(cls, numbers: Iterable[float]) -> "Axis":
        """Show all of some numbers, with a little room around them."""
        shown = list(numbers)
        low, high = min(shown), max(shown)
        room = 0.03 * (high - low) or 1.0
        return cls(low=low - room, high=high + room)

    def share(self, number: float) -> float:
        """Return where a number is, from 0 to 1; what lies beyond an end is placed at that end."""
        return min(max((number - self.low) / (self.high - self.low), 0.0), 1.0)

    def ticks(self, most: int = 5) -> dict[float, str]:
        """Return round numbers as they are written; differences, which have two sides, with their signs."""
        numbers, sign = round_numbers(self.low, self.high, most), "+" if self.low < 0 < self.high else ""
        decimals = max((len(f"{each:g}".partition(".")[2]) for each in numbers), default=0)
        form = "g" if any("e" in f"{each:g}" for each in numbers) else f",.{decimals}f"
        return {each: f"{each:{sign}{form}}".replace("-", MINUS) if each or not sign else "0" for each in numbers}


def round_numbers(low: float, high: float, most: int = 5) -> list[float]:
    """Return the multiples of 1, 2 or 5 times a power of ten between two numbers.

    Examples
    --------
    >>> round_numbers(-3.2, 1.1, 4)
    [-2.0, 0.0]
    """
    if not low < high:
        return []
    least = (high - low) / most
    power = 10.0 ** floor(log10(least))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= least)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(number * step, 12) for number in range(first, last + 1)]


@dataclass(frozen=True, kw_only=True)
class Panel:
    """Where two axes cross: all across the picture, and from ``top`` to ``bottom``."""

    x: Axis
    y: Axis
    top: float
    bottom: float

    def at(self, x: float, y: float) -> Point:
        """Place a point."""
        return self.x.share(x), self.bottom - self.y.share(y) * (self.bottom - self.top)

    def line(self, look: Look, points: Iterable[Point]) -> Shape:
        """Join points; one alone is a dot."""
        return Shape(look, tuple(self.at(*point) for point in points))

    def upright(self, look: Look, x: float) -> Shape:
        """Draw a line at a number of the horizontal axis."""
        return self.line(look, [(x, self.y.low), (x, self.y.high)])

    def level(self, look: Look, y: float) -> Shape:
        """Draw a line at a number of the vertical axis."""
        return self.line(look, [(self.x.low, y), (self.x.high, y)])

    def columns(self, look: Look, low: float, high: float) -> Shape:
        """Fill an interval of the horizontal axis, as wide as can be seen at least."""
        left, right = self.x.share(low), self.x.share(high)
        right = max(right, left + 1 / _ACROSS)
        return Shape(look, ((left, self.bottom), (left, self.top), (right, self.top), (right, self.bottom)))


@dataclass(frozen=True, kw_only=True)
class Plot:
    """A picture.

    Attributes
    ----------
    width, height
        In pixels; a page has a width of its own.
    shapes
        The first ones lie below the others.
    axis
        The horizontal axis, if the whole width shows one.
    unit
        Of the axis, if a page is to tell how much of a density is below the pointer; None if it is not.
    """

    height: float
    width: float = 720
    shapes: tuple[Shape, ...] = ()
    texts: tuple[Text, ...] = ()
    axis: Axis | None = None
    unit: str | None = None

    def drawn(self, look: Look) -> list[Shape]:
        """Return the shapes of one kind."""
        return [shape for shape in self.shapes if shape.look is look]

    def below(self, top: float) -> tuple[list[Shape], list[Text]]:
        """Return what is in it, moved down."""
        shapes = [replace(each, points=tuple((x, top + y) for x, y in each.points)) for each in self.shapes]
        return shapes, [replace(each, y=top + each.y) for each in self.texts]


def css() -> str:
    """Write the rules that the plots of a page need, once."""
    looks = "\n".join(f".plot .{look.kind} {{ {look.value.css(lambda name: f'var(--{name})')} }}" for look in Look)
    return f""".plot {{ display: block; width: 100%; overflow: visible; font-size: {SIZE / 16:g}rem; }}
.plot path {{ vector-effect: non-scaling-stroke; }}
.plot text {{ transform-box: fill-box; }}
{looks}"""


def svg(plot: Plot, label: str = "") -> str:
    """Draw a plot for a page that has `css`, as wide as its place; without a label, readers of screens skip it."""
    said = f'role="img" aria-label="{escape(printable(label))}"' if label else 'aria-hidden="true"'
    if plot.axis and plot.unit is not None:
        said += f' data-low="{plot.axis.low:.6g}" data-high="{plot.axis.high:.6g}" data-unit="{escape(plot.unit)}"'
    opened = f'<svg class="plot" height="{_number(plot.height / SIZE, 2)}em" {said}'
    drawing = f'viewBox="0 0 {_ACROSS} {plot.height:g}" preserveAspectRatio="none"'
    paths = "".join(f'<path class="{each.look.kind}" d="{_path(each, _ACROSS)}"/>' for each in plot.shapes)
    if not plot.texts:
        return f"{opened} {drawing}>{paths}</svg>"
    return f"{opened}><svg {drawing}>{paths}</svg>{''.join(map(_stretched, plot.texts))}</svg>"


def _stretched(text: Text) -> str:
    style = f"fill:var(--{text.colour});transform:translateX(-{_number(100 * text.anchor)}%)"
    style += f"{';font-weight:700' if text.bold else ''}{f';font-size:{text.size / SIZE:.2f}em' * (text.size != SIZE)}"
    place = f'x="{_number(100 * text.x)}%" y="{_number(_baseline(text) / text.size, 2)}em"'
    return f'<text {place} style="{style}">{escape(printable(text.text))}</text>'


def in_notebook(plot: Plot, label: str) -> str:
    """Draw a plot for a notebook, with the rules and colours that it needs."""
    colours = ";".join(f"--{name}:{colour}" for name, colour in NOTEBOOK.items())
    opened = f'<div class="bayesf1" style="max-width:{plot.width:g}px;{colours}">'
    return f"{opened}<style>.bayesf1 {{ {css()} }}</style>{svg(plot, label)}</div>"


def _baseline(text: Text) -> float:
    return text.y + 0.36 * text.size


def _path(shape: Shape, width: float) -> str:
    points = [point for point, _ in groupby(f"{_number(width * x)} {_number(y)}" for x, y in shape.points)]
    return f"M{' '.join(points)}{'h0' if len(points) == 1 else ''}"


def _number(value: float, decimals: int = 1) -> str:
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".") or "0"


def printable(text: str) -> str:
    """Put a text on one line, of characters that a document can hold."""
    return one_line(text.encode("utf-8", "backslashreplace").decode())


_PIXELS = 96
"""Of an inch."""
_POINTS = 72 / _PIXELS


def drawn(plot: Plot, ax: Any = None) -> "Figure":
    """Place everything where the plot says, in the axes or on a figure of its own."""
    from matplotlib.axes import Axes  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415
    from matplotlib.offsetbox import AnnotationBbox, TextArea  # noqa: PLC0415

    axes, points = ax, _POINTS
    if ax is None:
        figure = Figure(figsize=(plot.width / _PIXELS, plot.height / _PIXELS), facecolor=PAPER["card"])
        axes = figure.add_axes((0, 0, 1, 1))
    elif isinstance(ax, Axes):
        figure = axes.get_figure()
        points = min(72 * axes.get_window_extent().width / figure.dpi / plot.width, _POINTS)
    else:
        raise InputError("ax", "matplotlib axes, such as plt.gca()", type(ax).__name__)
    axes.set_axis_off()
    axes.set(xlim=(0, plot.width), ylim=(plot.height, 0), autoscale_on=False)
    for shape in plot.shapes:
        paint = shape.look.value
        xs, ys = [plot.width * x for x, _ in shape.points], [y for _, y in shape.points]
        if paint.fill:
            axes.fill(xs, ys, color=PAPER[paint.fill], alpha=paint.opacity, linewidth=0)
        if paint.line and len(xs) == 1:
            axes.plot(xs, ys, "o", color=PAPER[paint.line], markersize=points * paint.width, markeredgewidth=0)
        elif paint.line:
            dashes = (0, tuple(each / paint.width for each in paint.dash)) if paint.dash else "-"
            width = points * paint.width
            axes.plot(xs, ys, color=PAPER[paint.line], linewidth=width, linestyle=dashes, solid_capstyle="butt")
    for text in plot.texts:
        style = {"color": PAPER[text.colour], "size": points * text.size, "weight": "bold" if text.bold else "normal"}
        area = TextArea(printable(text.text), textprops={**style, "parse_math": False})
        place, anchor = (text.x * plot.width, text.y), (text.anchor, 0.5)
        axes.add_artist(AnnotationBbox(area, place, box_alignment=anchor, frameon=False, pad=0, annotation_clip=False))
    return figure


class Pictured(ABC):
    """What has a picture."""

    @property
    @abstractmethod
    def plot(self) -> Plot:
        """The picture that notebooks and reports show."""

    def figure(self, ax: "Axes | None" = None) -> "Figure":
        """Draw the picture of notebooks and reports by matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; by default on a figure of its own.

        Returns
        -------
        matplotlib.figure.Figure
            That of the axes.

        Examples
        --------
        >>> import io
        >>> from pytest_bayesf1 import compare
        >>> figure = compare([[90, 10], [10, 90]], [[80, 20], [10, 90]], measure="f1", rope=0.05).figure()
        >>> figure.savefig(io.BytesIO())  # or a file, such as "f1.png"
        """
        return drawn(self.plot, ax)
