"""Figures of posteriors, histories, power curves and rankings. With `card`, the only importer of matplotlib."""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO, StringIO
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from unicodedata import east_asian_width

import matplotlib as mpl
import numpy as np
from matplotlib.colors import is_color_like, to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.results.comparison import ComparisonFigures, Computed, Density, EstimateFigures
from pytest_bayesf1.results.formatting import Amounts, format_score, likely, scaled
from pytest_bayesf1.results.versions import History, Version, VersionChange, VersionScore
from pytest_bayesf1.text import Interval, one_line, scale_of, whole_percent

if TYPE_CHECKING:
    from pytest_bayesf1.planning.pilot import PlannedDesign
    from pytest_bayesf1.planning.plan import Plan
    from pytest_bayesf1.ranking import RankingFigures, SystemFigures


INK, SOFT, CURVE, OTHER, ROPE, PAPER = "#010101", "#020202", "#030303", "#040404", "#050505", "#060606"
FAILED, WARNED, UNDECIDED, PASSED, LINE = "#070707", "#080808", "#090909", "#0a0a0a", "#0b0b0b"
"""Stand for a variable of the style sheet each; the page's colours beside them serve where it has none."""

_COLOURS = {
    INK: ("ink", "currentColor", "#1f2328"),
    SOFT: ("soft", "#6e7781", "#59636e"),
    CURVE: ("curve", "#0969da", "#0969da"),
    OTHER: ("other", "#8a5a00", "#8a5a00"),
    ROPE: ("rope", "#e3b341", "#bf8700"),
    PAPER: ("card", "transparent", "#ffffff"),
    FAILED: ("failed", "#b3261e", "#b3261e"),
    WARNED: ("warned", "#8a5a00", "#8a5a00"),
    UNDECIDED: ("undecided", "#6639ba", "#6639ba"),
    PASSED: ("passed", "#1a7f37", "#1a7f37"),
    LINE: ("line", "#d1d9e0", "#d1d9e0"),
}
"""The variable of a page's style sheet, the colour where it has none, and that of a file of its own."""
_ON_PAGE = {colour: f"var(--{name}, {otherwise})" for colour, (name, otherwise, _) in _COLOURS.items()}
_ON_PAPER = {colour: on_paper for colour, (_, _, on_paper) in _COLOURS.items()}

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
        return _coloured(self._svg, _ON_PAGE)

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

    def name_y(self, text: str) -> None:
        """Name the vertical axis."""
        self.axes.set_ylabel(printable(text), color=SOFT, parse_math=False)

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
        drawn._svg = _svg(figure)  # noqa: SLF001 (set here only)


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
    with _any_glyph():  # the replacement of a missing glyph may be narrower than the reader's, or wider
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
        if isinstance(artist, Text):
            artist.set_fontfamily([*_SETTINGS["font.sans-serif"], *_installed_fonts()])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = _saved(figure)
    if any("missing from" in str(each.message) for each in caught):
        figure.text(0.99, 0.01, _NO_FONT, ha="right", va="bottom", fontsize=6, color=_ON_PAPER[FAILED])
        with _any_glyph():
            return _saved(figure)
    return found


_OTHER_FONTS = (
    *("Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans", "WenQuanYi Zen Hei", "Droid Sans Fallback"),
    *("Hiragino Sans", "PingFang SC", "Apple SD Gothic Neo", "Arial Unicode MS", "Yu Gothic", "Microsoft YaHei"),
    *("Malgun Gothic", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai"),
    *("Noto Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Symbola"),
)
"""Of Linux, macOS and Windows, for characters that the first font lacks; a browser chooses them by itself."""

_NO_FONT = "No font on this machine has some of these characters; the SVG shows them."


@cache
def _installed_fonts() -> list[str]:
    installed = {font.name for font in fontManager.ttflist}
    return [name for name in _OTHER_FONTS if name in installed]


def _saved(figure: Figure) -> bytes:
    target = BytesIO()
    figure.savefig(target, format="png", dpi=_DOTS_PER_INCH, facecolor=_ON_PAPER[PAPER])
    return target.getvalue()


class Curve(NamedTuple):
    """A density at points, measured by its largest height."""

    points: Floats
    heights: Floats

    @classmethod
    def of(cls, density: Density, factor: float = 1.0) -> "Curve":
        """Scale the points by a factor."""
        heights = np.asarray(density.values, dtype=np.float64)
        return cls(factor * np.linspace(density.low, density.high, heights.size), heights / heights.max())


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
    return [round(number * step, 12) for number in range(ceil(low / step), floor(high / step) + 1)]


_HISTORY_WIDTH, _HISTORY_HEIGHT = 7.2, 4.1
_HISTORY_SCORES, _TOTALS = (
    (0.85, 2.25, 0.35, 0.1),
    (0.85, 0.3, 0.35, 2.2),
)  # margins in inches: left, below, right, above
_MOST_DATES = 7
_MOST_TICKS = 4
_NAMES = -0.1  # of the axes, in widths of theirs
_MARK = 4
_LEGEND = 0.25  # inches below the dates


def history_figure(history: History, salt: str) -> Canvas:
    """Draw every version that has a score, the oldest first; what a gate would have failed in another colour.

    A hollow point is about another test set than the one that it is compared with. ``salt`` keeps the ids of several
    figures in one document apart.
    """
    versions = [version for version in history.versions if version.score is not None]
    scale = scale_of(custom_measure=not history.bounded)
    legend = _LEGEND if any(_is_across(each.change) or _is_across(each.total) for each in versions) else 0.0
    margins = _raised(_HISTORY_SCORES, legend)
    with drawing(_HISTORY_WIDTH, _HISTORY_HEIGHT + legend, salt, margins=margins) as drawn:
        for place, each in enumerate(versions):
            if each.score:
                _interval(drawn, place, each, each.score, hollow=_is_across(each.change))
        _plain(drawn, history.measure_words, len(versions))
        drawn.axes.set_xticks([])
        below = drawn.another(_raised(_TOTALS, legend))
        _draw_totals(below, versions, history.budget, scale.factor)
        _plain(below, f"since the anchor{f', {scale.unit}s' if scale.unit else ''}", len(versions))
        places = list(range(0, len(versions), max(-(-len(versions) // _MOST_DATES), 1)))
        below.axes.set_xticks(places, [versions[place].date for place in places], size=8)
        if legend:
            below.name_x("hollow: on another test set than what it is compared with")
    return drawn


_LABELLING: Margins = (0.75, 0.6, 0.2, 0.25)


def labelling_figure(course: Sequence[tuple[int, ComparisonFigures]], needed: int | None) -> Canvas:
    """Draw the interval after every batch of labels, and how narrow it is expected to be once it decides.

    ``course`` has the number of labels and the comparison of every batch, the last one last.
    """
    n_labels, latest = course[-1]
    scale = scale_of(custom_measure=latest.custom_measure)
    with drawing(_HISTORY_WIDTH, _HISTORY_HEIGHT, "labels", margins=_LABELLING) as drawn:
        axes = drawn.axes
        axes.axhspan(*scaled(latest.rope, scale.factor), color=ROPE, alpha=0.35, linewidth=0, zorder=0)
        axes.axhline(0, color=SOFT, linewidth=0.8)
        for n, each in course:
            low, high = scaled(each.hdi, scale.factor)
            axes.plot([n, n], [low, high], color=CURVE, linewidth=1.4)
            axes.plot([n], [scale.factor * each.mean], "o", color=CURVE, markersize=_MARK)
        if needed:
            mean, half = scale.factor * latest.mean, scale.factor * (latest.hdi[1] - latest.hdi[0]) / 2
            points = np.linspace(n_labels, n_labels + needed, 50)
            halves = half * np.sqrt(n_labels / points)
            for side in (-1, 1):
                axes.plot(points, mean + side * halves, color=CURVE, linewidth=1.0, linestyle=(0, (4, 3)))
        axes.set_xlim(left=0)
        drawn.name_y(f"δ of {latest.measure_words}{scale.unit and f', {scale.unit}s'}")
        drawn.name_x("labels; dashed: what is expected until the labels decide" if needed else "labels")
    return drawn


def _raised(margins: Margins, by: float) -> Margins:
    left, below, right, above = margins
    return left, below + by, right, above


def _is_across(change: VersionChange | None) -> bool:
    """Whether two versions have different test sets."""
    return change is not None and change.new_test_set is not None


def _draw_totals(drawn: Canvas, versions: Sequence[Version], budget: float, factor: float) -> None:
    drawn.axes.axhline(0, color=SOFT, linewidth=0.8)
    drawn.axes.axhline(-factor * budget, color=ROPE, linewidth=1.4, linestyle="--")
    for place, each in enumerate(versions):
        if each.total:
            _interval(drawn, place, each, each.total, factor, hollow=_is_across(each.total))
    anchors = [place for place, each in enumerate(versions) if each.is_anchor]
    drawn.axes.plot(anchors, [0] * len(anchors), "D", color=INK, markersize=_MARK)


def _interval(
    drawn: Canvas, place: int, version: Version, of: VersionScore | VersionChange, factor: float = 1.0, *, hollow: bool
) -> None:
    colour = OTHER if version.verdict == "failed" else CURVE
    drawn.axes.plot([place, place], scaled(of.hdi, factor), color=colour, linewidth=1.2)
    inside = PAPER if hollow else colour
    drawn.axes.plot([place], [factor * of.mean], "o", color=colour, markerfacecolor=inside, markersize=_MARK)


def _plain(drawn: Canvas, name: str, n: int) -> None:
    axes: Any = drawn.axes
    drawn.name_y(name)
    axes.set_xlim(-0.5, max(n, 1) - 0.5)
    axes.yaxis.set_label_coords(_NAMES, 0.5)
    low, high = axes.get_ylim()
    axes.set_yticks(round_numbers(low, high, _MOST_TICKS))
    for side in ("right", "top"):
        axes.spines[side].set_visible(False)


_POSTERIOR_WIDTH, _POSTERIOR_HEIGHT = 5.6, 2.5
_POSTERIOR_MARGINS: Margins = (0.1, 0.5, 0.1, 0.05)
_POSTERIOR_SIZE = 9


def posterior_svg(result: Computed, salt: str) -> str:
    """Draw the density with its HDI and mean; the ROPE with its share, and the shares on either side of 0.

    ``salt`` keeps the ids of several figures in one document apart.
    """
    assert isinstance(result, ComparisonFigures | EstimateFigures)
    draw = _posterior_of_score if isinstance(result, EstimateFigures) else _posterior_of_change
    with drawing(_POSTERIOR_WIDTH, _POSTERIOR_HEIGHT, salt, margins=_POSTERIOR_MARGINS) as drawn:
        draw(drawn, result)  # type: ignore[arg-type]
    return drawn.svg


_SHARES, _ROPE_SHARE, _FIGURES = 1.24, 1.42, -0.27
"""How high the lines of text stand, in heights of the curve."""


def _posterior_of_change(drawn: Canvas, comparison: ComparisonFigures) -> None:
    amounts = Amounts.of(comparison)
    rope, mean = scaled(comparison.rope, amounts.factor), amounts.factor * comparison.mean
    curve = Curve.of(comparison.density, amounts.factor)
    labels = [
        (0.0, _SHARES, f"{whole_percent(comparison.p_worse)} < 0 < {whole_percent(comparison.p_better)}"),
        (mean, _FIGURES, amounts.text(comparison.mean, comparison.hdi)),
        (sum(rope) / 2, _ROPE_SHARE, f"{whole_percent(comparison.p_in_rope)} in ROPE"),
    ]
    _draw(drawn, curve, mean, scaled(comparison.hdi, amounts.factor), 0.0, labels, rope)
    drawn.name_x(f"δ of {comparison.measure_words}: candidate − baseline{amounts.unit and f', in {amounts.unit}'}")


def _posterior_of_score(drawn: Canvas, estimate: EstimateFigures) -> None:
    score = estimate.score
    low, high = map(format_score, score.hdi)
    labels = [
        (estimate.floor, _SHARES, f"{whole_percent(estimate.p_below_floor)} below the floor"),
        (score.mean, _FIGURES, f"{format_score(score.mean)} ({low} to {high})"),
    ]
    _draw(drawn, Curve.of(estimate.density), score.mean, score.hdi, estimate.floor, labels)
    drawn.name_x(estimate.measure_words)


def _draw(
    drawn: Canvas,
    curve: Curve,
    mean: float,
    hdi: Interval,
    reference: float,
    labels: Sequence[tuple[float, float, str]],
    rope: Interval | None = None,
) -> None:
    axes, (low, high) = drawn.axes, hdi
    inside = (curve.points >= low) & (curve.points <= high)
    drawn.hill(curve.points, curve.heights, CURVE, 0.12)
    drawn.hill(curve.points[inside], curve.heights[inside], CURVE, 0.25)
    axes.plot(curve.points, curve.heights, color=CURVE, linewidth=1.6)
    if rope is not None:
        axes.axvspan(*rope, color=ROPE, alpha=0.35, linewidth=0, zorder=0)
    axes.axvline(reference, ymax=0.80, color=INK, linewidth=1, linestyle=(0, (4, 3)))
    axes.plot([low, high], [-0.09, -0.09], color=INK, linewidth=3.5, solid_capstyle="butt")
    axes.plot([mean], [-0.09], "o", color=PAPER, markeredgecolor=INK, markersize=6)
    _label(drawn, labels)
    drawn.only_x()
    axes.set_ylim(-0.38, 1.52)


def _label(drawn: Canvas, labels: Sequence[tuple[float, float, str]]) -> None:
    """Write on lines of their own, and show as much to the left and to the right as the texts need."""
    left, right = drawn.axes.get_xlim()
    width = _POSTERIOR_WIDTH - _POSTERIOR_MARGINS[0] - _POSTERIOR_MARGINS[2]
    for x, y, text in labels:
        drawn.label(x, y, text)
        half = (text_width(text, _POSTERIOR_SIZE) + 4 / POINTS) / 2 / width
        left = min(left, (x - half * right) / (1 - half))
        right = max(right, (x - half * left) / (1 - half))
    drawn.axes.set_xlim(left, right)


_POWER_MARGINS: Margins = (0.65, 0.55, 2.15, 0.35)
_STYLES = {Model.PAIRED: "-", Model.SAME_SET: (0, (4, 2)), Model.INDEPENDENT: (0, (1, 1.5))}
_NAMED = ("1", "2", "5")
"""With these begin the sizes that the axis names."""
_DRAWN = {-1: CURVE, 0: OTHER}
"""The loss that is to be found, and no difference."""


def power_figure(plan: "Plan", salt: str) -> Canvas:
    """Draw how often the loss is found, and how often a candidate that lost nothing fails.

    Points are what the gate itself did on simulated test sets, with two standard errors on either side. ``salt`` keeps
    the ids of several figures in one document apart.
    """
    with drawing(7.2, 3.6, salt, margins=_POWER_MARGINS) as drawn:
        for design in plan.designs:
            _lines(drawn, plan, design)
        for place, colour in _DRAWN.items():
            _points(drawn, plan, plan.scenarios[place].name, colour)
        _frame(drawn, plan)
    return drawn


def _lines(drawn: Canvas, plan: "Plan", design: "PlannedDesign") -> None:
    sizes = [size.n_examples for size in design.curve]
    for place, colour in _DRAWN.items():
        delta = plan.scenarios[place].delta * scale_of(custom_measure=plan.custom_measure).factor
        words = f"δ = {delta:+.3g}".replace("-", "−") if place else "no difference"
        drawn.axes.plot(
            sizes,
            [size.rates[place].much_worse for size in design.curve],
            label=f"{words}, {design.model.value}",
            linestyle=_STYLES[design.model],
            linewidth=1.6,
            color=colour,
        )


def _points(drawn: Canvas, plan: "Plan", scenario: str, colour: str) -> None:
    for each in plan.simulated:
        if each.scenario == scenario:
            rate, error = each.rates.much_worse, 2 * each.mcse
            drawn.axes.plot([each.n_examples] * 2, [rate - error, rate + error], color=colour, linewidth=1.6)
            drawn.axes.plot([each.n_examples], [rate], "o", color=colour, markersize=4)


def _frame(drawn: Canvas, plan: "Plan") -> None:
    axes = drawn.axes
    sizes = [size.n_examples for size in plan.designs[0].curve]
    axes.set_xscale("log")
    axes.set_xticks([size for size in sizes if str(size).rstrip("0") in _NAMED], minor=False)
    axes.set_xticks([], minor=True)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylim(-0.02, 1.02)
    axes.axhline(plan.designs[0].needed[0].power, color=SOFT, linewidth=0.6, linestyle="--", zorder=0)
    axes.axvline(plan.n_examples, color=SOFT, linewidth=0.6, zorder=0)
    drawn.label(plan.n_examples, 1.07, f"N = {plan.n_examples:,}", color=SOFT, fontsize=8)
    axes.spines[["right", "top"]].set_visible(False)
    unit = "" if plan.custom_measure else ", δ in points"
    drawn.name_x(f"examples; {one_line(plan.measure_words)}{unit}")
    drawn.name_y("probability that the gate fails")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=8, labelcolor=INK)


_ROW, _ABOVE, _BELOW, _EDGE = 0.3, 0.3, 0.5, 0.1  # inches: a system, and what is around all of them
_RANKING_SCORES, _GAP, _BARS, _RANKING_NUMBER, _RANKS = 3.4, 0.2, 0.9, 0.5, 0.6  # inches, from left to right
_BRACKET = 0.11  # inches for every tie group
_LONGEST_NAME = 32
_RANKING_SIZE = 9


def ranking_figure(ranking: "RankingFigures", salt: str) -> Canvas:
    """Draw every score with its HDI, the best first; beside it how likely it is the best, and its ranks.

    Brackets join the systems of a tie group. ``salt`` keeps the ids of several figures in one document apart.
    """
    systems, names = ranking.systems, [_short(each.name) for each in ranking.systems]
    brackets = _BRACKET * len(ranking.groups) + 0.05
    left = _EDGE + max(text_width(name, _RANKING_SIZE) for name in names) + 0.1 + brackets
    right = _GAP + _BARS + _RANKING_NUMBER + _RANKS + _EDGE
    height = _ABOVE + _ROW * len(systems) + _BELOW
    with drawing(left + _RANKING_SCORES + right, height, salt, margins=(left, _BELOW, right, _ABOVE)) as drawn:
        drawn.axes.set_ylim(len(systems) - 0.5, -0.5)
        for row, (system, name) in enumerate(zip(systems, names, strict=True)):
            _beside(drawn, -brackets, row, name, ha="right")
            _draw_score(drawn, row, system)
            _draw_chance(drawn, row, system)
        place_of = {each.name: row for row, each in enumerate(systems)}
        _draw_ties(drawn, [[place_of[name] for name in group] for group in ranking.groups])
        for place, name in ((_GAP, "P(best)"), (_GAP + _BARS + _RANKING_NUMBER, "ranks")):
            _beside(drawn, _RANKING_SCORES + place, -0.85, name, ha="left", color=SOFT)
        if ranking.groups:
            _beside(drawn, -brackets / 2, -0.85, "≈", ha="center", color=OTHER)
        drawn.name_x(f"{ranking.measure_words}; bars {likely(ranking)}, below them the observed score")
        drawn.axes.locator_params(axis="x", nbins=6)
        drawn.only_x()
    return drawn


def _draw_score(drawn: Canvas, row: int, system: "SystemFigures") -> None:
    drawn.axes.plot(system.hdi, [row, row], color=INK, linewidth=3.5, solid_capstyle="butt")
    drawn.axes.plot([system.mean], [row], "o", color=PAPER, markeredgecolor=INK, markersize=6)
    drawn.axes.plot([system.observed] * 2, [row + 0.2, row + 0.36], color=OTHER, linewidth=1.6)


def _draw_chance(drawn: Canvas, row: int, system: "SystemFigures") -> None:
    low, high = system.rank_hdi
    start = _RANKING_SCORES + _GAP
    _line(drawn, [start, start + _BARS], [row, row], color=SOFT, linewidth=8, alpha=0.15)
    _line(drawn, [start, start + _BARS * system.p_best], [row, row], color=CURVE, linewidth=8)
    _beside(drawn, start + _BARS + 0.08, row, whole_percent(system.p_best), ha="left")
    _beside(drawn, start + _BARS + _RANKING_NUMBER, row, f"{low}" if low == high else f"{low}–{high}", ha="left")


def _draw_ties(drawn: Canvas, groups: list[list[int]]) -> None:
    for number, group in enumerate(groups):
        place, first, last = -0.05 - _BRACKET * number, group[0] - 0.25, group[-1] + 0.25
        _line(drawn, [place + 0.05, place, place, place + 0.05], [first, first, last, last], color=OTHER, linewidth=1.4)


def _line(drawn: Canvas, inches: list[float], rows: list[float], **style: Any) -> None:
    """Draw at a distance from where the scores begin."""
    places = [each / _RANKING_SCORES for each in inches]
    across = drawn.axes.get_yaxis_transform()
    drawn.axes.plot(places, rows, transform=across, clip_on=False, solid_capstyle="butt", **style)


def _beside(drawn: Canvas, inches: float, row: float, text: str, **style: Any) -> None:
    """Write at a distance from where the scores begin."""
    style = {"bbox": None, "size": _RANKING_SIZE, "transform": drawn.axes.get_yaxis_transform(), **style}
    drawn.label(inches / _RANKING_SCORES, row, text, **style)


def _short(name: str) -> str:
    line = printable(name)
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
