"""The verdict card as SVG and PNG."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from matplotlib.patches import FancyBboxPatch, Rectangle

from pytest_bayesf1.figures.plots import (
    CURVE,
    FAILED,
    INK,
    LINE,
    OTHER,
    PAPER,
    PASSED,
    POINTS,
    ROPE,
    SOFT,
    UNDECIDED,
    WARNED,
    Canvas,
    Curve,
    drawing,
    text_width,
)

if TYPE_CHECKING:
    from pytest_bayesf1.reports.verdict_card import CardAxis, CardClass, CardRow, VerdictCard


_WIDTH, _HEIGHT = 432.0, 226.8  # points, as is all that follows; from the top
_STRIPE, _LEFT, _RIGHT = 7.0, 24.0, 410.0
_TILE, _TILE_TOP = 46.0, 18.0
_TEXT = _LEFT + _TILE + 12
_CLASSES_LEFT, _AXIS_RIGHT = 238.0, 218.0
_PEAK, _BASE = 132.0, 168.0
_CLASS_TOP, _CLASS_STEP = 98.0, 22.0
_ROW_TOP, _ROW_STEP = 88.0, 19.0
_LEAST_FALL = 0.1  # as long as the classes' whole line


class _Look(NamedTuple):
    """How a verdict looks: darker and fuller the graver it is, for those who do not see its colour."""

    colour: str
    fill: float
    outline: Any = "-"

    @property
    def glyph(self) -> str:
        return PAPER if self.fill == 1 else self.colour


_LOOKS = {
    "failed": _Look(FAILED, 1),
    "error": _Look(FAILED, 1),
    "accepted": _Look(WARNED, 1),
    "warned": _Look(WARNED, 0.25),
    "undecided": _Look(UNDECIDED, 0.1, (0, (3, 2))),
    "expected": _Look(WARNED, 0.0),
    "passed": _Look(PASSED, 0.1),
    "": _Look(SOFT, 0.0),
}


class _Line(NamedTuple):
    """A stretch of the card that shows a range of numbers."""

    low: float
    high: float
    left: float
    right: float

    def __call__(self, number: float) -> float:
        """Return the place of a number."""
        return self.left + (number - self.low) / (self.high - self.low) * (self.right - self.left)


def verdict_card_figure(card: "VerdictCard", salt: str) -> Canvas:
    """Draw a card."""
    with drawing(_WIDTH / POINTS, _HEIGHT / POINTS, salt, margins=(0, 0, 0, 0)) as drawn:
        drawn.axes.set_axis_off()
        drawn.axes.set(xlim=(0, _WIDTH), ylim=(_HEIGHT, 0), autoscale_on=False)
        look = _LOOKS[card.verdict]
        drawn.axes.add_patch(Rectangle((0, 0), _WIDTH, _HEIGHT, facecolor=PAPER, edgecolor=LINE, linewidth=1))
        drawn.axes.add_patch(Rectangle((0, 0), _STRIPE, _HEIGHT, facecolor=look.colour, linewidth=0))
        _head(drawn, card, look)
        if card.rows:
            _rows(drawn, card.rows)
        elif card.axis is None:
            for place, line in enumerate(_wrapped(card.message, 10, _RIGHT - _LEFT, most=6)):
                _write(drawn, _LEFT, 92 + 15 * place, line, size=10)
        else:
            _body(drawn, card, card.axis)
        _foot(drawn, card)
    return drawn


def _tile(**style: Any) -> FancyBboxPatch:
    return FancyBboxPatch((_LEFT, _TILE_TOP), _TILE, _TILE, boxstyle="round,pad=0,rounding_size=8", **style)


def _head(drawn: Canvas, card: "VerdictCard", look: _Look) -> None:
    middle = _TILE_TOP + _TILE / 2
    drawn.axes.add_patch(_tile(facecolor=look.colour, alpha=look.fill, linewidth=0))
    drawn.axes.add_patch(_tile(facecolor="none", edgecolor=look.colour, linestyle=look.outline, linewidth=2))
    _write(drawn, _LEFT + _TILE / 2, middle, card.glyph, size=26, weight="bold", color=look.glyph, ha="center")
    _fit(drawn, _TEXT, _TILE_TOP + 13, card.title, _RIGHT - _TEXT, size=21, least=10, weight="bold")
    words = text_width(card.verdict_words, 10, "bold") * POINTS
    _write(drawn, _TEXT, _TILE_TOP + 36, card.verdict_words, size=10, weight="bold", color=look.colour)
    _fit(drawn, _TEXT + words + 8, _TILE_TOP + 36, card.gate, _RIGHT - _TEXT - words - 8, size=10, least=8)


def _body(drawn: Canvas, card: "VerdictCard", axis: "CardAxis") -> None:
    right = _AXIS_RIGHT if card.classes else _RIGHT
    _fit(drawn, _LEFT, 82, card.change, right - _LEFT, size=11.5, least=7, weight="bold")
    text = text_width(card.interval, 8) * POINTS + 8
    _write(drawn, _LEFT, 95, card.interval, size=8, color=SOFT)
    _fit(drawn, _LEFT + text, 95, card.measure, right - _LEFT - text, size=8, least=7, color=SOFT)
    _posterior(drawn, axis, right)
    if card.classes:
        _fit(drawn, _CLASSES_LEFT, 82, card.classes_title, _RIGHT - _CLASSES_LEFT, size=9, least=6, weight="bold")
        _classes(drawn, card.classes)


def _rows(drawn: Canvas, rows: "Sequence[CardRow]") -> None:
    """Write the gates below one another: name, scores, and the change at the right."""
    words = max(text_width(each.verdict, 8, "bold") for each in rows) * POINTS + 8
    scores = max(text_width(each.scores, 9) for each in rows) * POINTS + 10
    change = min(max(text_width(each.change, 9) for each in rows) * POINTS, (_RIGHT - _LEFT) / 2)
    for place, row in enumerate(rows):
        y = _ROW_TOP + _ROW_STEP * place
        _write(drawn, _LEFT, y, row.verdict, size=8, weight="bold", color=SOFT)
        _fit(drawn, _RIGHT - change, y, row.change, change, size=9, least=7)
        _write(drawn, _RIGHT - change - scores, y, row.scores, size=9)
        _fit(drawn, _LEFT + words, y, row.name, _RIGHT - change - scores - _LEFT - words - 8, size=9, least=7)


def _posterior(drawn: Canvas, axis: "CardAxis", right: float) -> None:
    line = _line_of(axis, right)
    curve = Curve.of(axis.density)
    points = line.left + (curve.points - line.low) / (line.high - line.low) * (line.right - line.left)
    heights = _BASE - curve.heights * (_BASE - _PEAK)
    axes = drawn.axes
    if axis.rope is not None:
        low, high = (line(end) for end in axis.rope)
        width = max(high - low, 1.5)
        left = (low + high - width) / 2
        axes.add_patch(Rectangle((left, _PEAK - 4), width, _BASE - _PEAK + 4, facecolor=ROPE, alpha=0.35))
    axes.fill_between(points, heights, _BASE, color=CURVE, alpha=0.2, linewidth=0)
    axes.plot(points, heights, color=CURVE, linewidth=1.8)
    axes.plot([line.left, line.right], [_BASE, _BASE], color=SOFT, linewidth=0.8)
    axes.plot([line(axis.reference)] * 2, [_PEAK - 4, _BASE], color=INK, linewidth=1, linestyle=(0, (4, 2)))
    axes.plot([line(end) for end in axis.hdi], [_BASE + 4, _BASE + 4], color=INK, linewidth=3, solid_capstyle="butt")
    axes.plot(
        [line(axis.observed)], [_BASE + 4], "o", color=PAPER, markeredgecolor=INK, markersize=6.5, markeredgewidth=1.5
    )
    half = text_width(axis.here, 9, "bold") * POINTS / 2
    place = min(max(line(axis.observed), line.left + half), line.right - half)
    _write(drawn, place, _BASE + 16, axis.here, size=9, weight="bold", ha="center")
    for landmark, align in zip(axis.landmarks, _aligns(axis), strict=True):
        at = line(landmark.at)
        axes.plot([at, at], [_PEAK - 22, _PEAK - 4], color=SOFT, linewidth=0.8)
        for row, words in enumerate(reversed(landmark.words.split("\n"))):
            away = -3 if align == "right" else 3
            _write(drawn, at + away, _PEAK - 9 - 9.5 * row, words, size=8, color=INK, ha=align)


def _line_of(axis: "CardAxis", right: float) -> _Line:
    """Return a range that holds all there is to see, with room for the landmarks' words on their outer sides."""
    ends = (axis.density.low, axis.density.high, axis.observed, axis.reference, *axis.hdi, *(axis.rope or ()))
    low, high = min(ends), max(ends)
    margin = 0.03 * (high - low)
    low, high = low - margin, high + margin
    width = right - _LEFT
    room = {"right": (low, 0.0), "left": (high, 0.0)}  # words that end at a landmark stand on its left
    first, last = low, high
    for landmark, align in zip(axis.landmarks, _aligns(axis), strict=True):
        room[align] = (landmark.at, 3 + max(text_width(words, 8) for words in landmark.words.split("\n")) * POINTS)
    for _ in range(50):  # either side's room takes some from the other's
        unit = (last - first) / width
        (left_at, left_room), (right_at, right_room) = room["right"], room["left"]
        first, last = min(low, left_at - left_room * unit), max(high, right_at + right_room * unit)
    return _Line(first, last, _LEFT, right)


def _aligns(axis: "CardAxis") -> Sequence[str]:
    """Let the words at two landmarks run away from each other, and those at one away from the mean."""
    if len(axis.landmarks) == 2:
        return "right", "left"
    return ("left",) if axis.observed < axis.landmarks[0].at else ("right",)


def _classes(drawn: Canvas, classes: "Sequence[CardClass]") -> None:
    low, high = min(each.candidate for each in classes), max(each.baseline for each in classes)
    line = _Line(min(low, high - _LEAST_FALL), high, _CLASSES_LEFT + 4, _RIGHT - 4)
    for place, each in enumerate(classes):
        y = _CLASS_TOP + _CLASS_STEP * place
        text = text_width(each.text, 7.5) * POINTS
        _write(drawn, _RIGHT, y, each.text, size=7.5, ha="right")
        _fit(drawn, _CLASSES_LEFT, y, each.label, _RIGHT - _CLASSES_LEFT - text - 8, size=8, least=7)
        before, after = line(each.baseline), line(each.candidate)
        axes, below = drawn.axes, y + 9
        axes.plot([_CLASSES_LEFT, _RIGHT], [below, below], color=LINE, linewidth=0.8)
        axes.plot([before, after], [below, below], color=CURVE, linewidth=2)
        axes.plot([before], [below], "o", color=PAPER, markeredgecolor=OTHER, markersize=5.5, markeredgewidth=1.5)
        axes.plot([after], [below], "o", color=CURVE, markersize=6)


def _foot(drawn: Canvas, card: "VerdictCard") -> None:
    drawn.axes.plot([_LEFT, _RIGHT], [193, 193], color=LINE, linewidth=0.8)
    _fit(drawn, _LEFT, 203, card.sees, _RIGHT - _LEFT, size=8, least=6.5)
    name = "pytest-bayesf1"
    _write(drawn, _RIGHT, 216, name, size=8, color=SOFT, weight="bold", ha="right")
    width = _RIGHT - _LEFT - text_width(name, 8, "bold") * POINTS - 12
    _fit(drawn, _LEFT, 216, card.run, width, size=8, least=7, color=SOFT)


def _fit(
    drawn: Canvas, x: float, y: float, text: str, width: float, *, size: float, least: float, **style: Any
) -> None:
    """Write a text as large as its place allows; leave out the middle of one that is still too long."""
    weight = style.get("weight", "normal")
    natural = text_width(text, size, weight) * POINTS
    if natural > width:
        size = max(least, 0.98 * size * width / natural)  # widths do not shrink quite as sizes do
    _write(drawn, x, y, _shortened(text, size, width, weight), size=size, **style)


def _shortened(text: str, size: float, width: float, weight: str = "normal") -> str:
    """Leave out as much of the middle as does not fit."""
    if text_width(text, size, weight) * POINTS <= width:
        return text
    too_many = bisect_left(
        range(len(text)), x=True, key=lambda kept: text_width(_ends(text, kept), size, weight) * POINTS > width
    )
    return _ends(text, max(too_many - 1, 0))


def _ends(text: str, kept: int) -> str:
    return f"{text[: (kept + 1) // 2]}…{text[len(text) - kept // 2 :]}"


def _wrapped(text: str, size: float, width: float, most: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) * POINTS <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [_shortened(line, size, width) for line in lines]


def _write(drawn: Canvas, x: float, y: float, text: str, **style: Any) -> None:
    drawn.label(x, y, text, **{"ha": "left", "va": "center_baseline", "bbox": None, **style})
