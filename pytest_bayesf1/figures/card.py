"""The plot of a verdict card."""

from collections.abc import Iterator, Sequence
from math import copysign, cos, pi, sin
from typing import TYPE_CHECKING, Any

from pytest_bayesf1.figures.pictures import posterior
from pytest_bayesf1.figures.plot import Axis, Look, Panel, Plot, Shape, Text, fitting, text_width

if TYPE_CHECKING:
    from pytest_bayesf1.reports.verdict_card import CardClass, CardRow, VerdictCard

_WIDTH, _HEIGHT = 600.0, 315.0
_STRIPE, _LEFT, _RIGHT = 10.0, 33.0, 569.0
_TILE, _TILE_TOP = 64.0, 25.0
_TEXT = _LEFT + _TILE + 16
_CLASSES_LEFT, _AXIS_RIGHT = 330.0, 303.0
_LEAST_FALL = 0.1  # as long as the classes' whole line

_LOOKS = {
    "failed": Look.FAILED,
    "error": Look.FAILED,
    "accepted": Look.ACCEPTED,
    "warned": Look.WARNED,
    "undecided": Look.UNDECIDED,
    "expected": Look.EXPECTED,
    "passed": Look.PASSED,
    "": Look.NO_GATE,
}
"""Darker and fuller the graver a verdict is, for those who do not see its colour."""


def card_plot(card: "VerdictCard") -> Plot:
    """Draw a card."""
    shapes, texts = [*_frame(_LOOKS[card.verdict])], [*_head(card), *_foot(card)]
    if card.rows:
        texts += _rows(card.rows)
    elif card.posterior is None:
        texts += (_text(_LEFT, 128 + 21 * place, line) for place, line in enumerate(_wrapped(card.message, most=6)))
    else:
        right = _AXIS_RIGHT if card.classes else _RIGHT
        curve = posterior(card.posterior, graph=86, scale=Plot(height=0))
        lines, words = curve.within(_LEFT / _WIDTH, right / _WIDTH, top=143, scale=0.8)
        shapes += [*lines, *_class_lines(card.classes)]
        texts += [*words, *_body(card, right), *_class_texts(card)]
    return Plot(width=_WIDTH, height=_HEIGHT, shapes=tuple(shapes), texts=tuple(each for each in texts if each.text))


def _shape(look: Look, points: Sequence[tuple[float, float]]) -> Shape:
    return Shape(look, tuple((x / _WIDTH, y) for x, y in points))


def _frame(look: Look) -> Iterator[Shape]:
    yield _shape(Look.EDGE, [(0, 0), (_WIDTH, 0), (_WIDTH, _HEIGHT), (0, _HEIGHT), (0, 0)])
    yield _shape(look, [(0, 0), (_STRIPE, 0), (_STRIPE, _HEIGHT), (0, _HEIGHT)])
    yield _shape(Look.EDGE, [(_LEFT, 268), (_RIGHT, 268)])
    turns = [pi * step / 50 for step in range(101)]
    yield _shape(look, [(_LEFT + _rounded(cos(each)), _TILE_TOP + _rounded(sin(each))) for each in turns])


def _rounded(share: float) -> float:
    """Turn a coordinate of a circle into that of a square with round corners."""
    return _TILE / 2 * (1 + copysign(abs(share) ** 0.25, share))


def _head(card: "VerdictCard") -> Iterator[Text]:
    look = _LOOKS[card.verdict].value
    glyph = "card" if look.fill and look.opacity == 1 else look.line or "soft"
    yield _text(_LEFT + _TILE / 2, _TILE_TOP + _TILE / 2, card.glyph, size=36, bold=True, anchor=0.5, colour=glyph)
    yield _fit(_TEXT, 43, card.title, _RIGHT, size=29, least=14, bold=True)
    yield _text(_TEXT, 75, card.verdict_words, size=14, bold=True, colour=look.line or "soft")
    left = _TEXT + text_width(card.verdict_words, 14, bold=True) + 11
    yield _fit(left, 75, card.gate, _RIGHT, size=14, least=11)


def _body(card: "VerdictCard", right: float) -> Iterator[Text]:
    yield _fit(_LEFT, 114, card.change, right, size=16, least=10, bold=True)
    yield _text(_LEFT, 132, card.interval, size=11, colour="soft")
    yield _fit(_LEFT + text_width(card.interval, 11) + 11, 132, card.measure, right, size=11, least=10, colour="soft")


def _rows(rows: "Sequence[CardRow]") -> Iterator[Text]:
    """Write the gates below one another: name, scores, and the change at the right."""
    words = max(text_width(each.verdict, 11, bold=True) for each in rows) + 11
    scores = max(text_width(each.scores, 12.5) for each in rows) + 14
    change = min(max(text_width(each.change, 12.5) for each in rows), (_RIGHT - _LEFT) / 2)
    for place, row in enumerate(rows):
        y = 122 + 26 * place
        yield _text(_LEFT, y, row.verdict, size=11, bold=True, colour="soft")
        yield _fit(_RIGHT - change, y, row.change, _RIGHT, size=12.5, least=10)
        yield _text(_RIGHT - change - scores, y, row.scores, size=12.5)
        yield _fit(_LEFT + words, y, row.name, _RIGHT - change - scores - 11, size=12.5, least=10)


def _class_texts(card: "VerdictCard") -> Iterator[Text]:
    if card.classes:
        yield _fit(_CLASSES_LEFT, 114, card.classes_title, _RIGHT, size=12.5, least=8, bold=True)
    for place, each in enumerate(card.classes):
        y = 136 + 31 * place
        yield _text(_RIGHT, y, each.text, size=11, anchor=1)
        yield _fit(_CLASSES_LEFT, y, each.label, _RIGHT - text_width(each.text, 11) - 11, size=11, least=10)


def _class_lines(classes: "Sequence[CardClass]") -> Iterator[Shape]:
    if not classes:
        return
    low, high = min(each.candidate for each in classes), max(each.baseline for each in classes)
    left, right = _CLASSES_LEFT / _WIDTH, _RIGHT / _WIDTH
    axis = Axis(low=min(low, high - _LEAST_FALL), high=high)
    for place, each in enumerate(classes):
        y = 149.0 + 31 * place
        line = Panel(x=axis, y=Axis(low=0, high=1), top=y, bottom=y, left=left + 0.01, right=right - 0.01)
        yield Shape(Look.EDGE, ((left, y), (right, y)))
        yield line.line(Look.FALL, [(each.baseline, 0), (each.candidate, 0)])
        yield line.line(Look.OTHER_DOT, [(each.baseline, 0)])
        yield line.line(Look.HOLE, [(each.baseline, 0)])
        yield line.line(Look.DOT, [(each.candidate, 0)])


def _foot(card: "VerdictCard") -> Iterator[Text]:
    yield _fit(_LEFT, 282, card.sees, _RIGHT, size=11, least=9)
    name = _text(_RIGHT, 300, "pytest-bayesf1", size=11, colour="soft", bold=True, anchor=1)
    yield name
    yield _fit(
        _LEFT, 300, card.run, _RIGHT - text_width(name.text, 11, bold=True) - 16, size=11, least=10, colour="soft"
    )


def _text(x: float, y: float, text: str, **style: Any) -> Text:
    return Text(x / _WIDTH, y, text, **{"anchor": 0.0, **style})


def _fit(x: float, y: float, text: str, right: float, *, size: float, least: float, **style: Any) -> Text:
    """Write a text as large as its place allows; leave out the middle of one that is still too long."""
    bold, width = style.get("bold", False), right - x
    size = min(size, max(least, 0.99 * size * width / (text_width(text, size, bold=bold) or 1)))
    return _text(x, y, fitting(text, width, size, bold=bold), size=size, **style)


def _wrapped(text: str, most: int) -> list[str]:
    lines, width = [""], _RIGHT - _LEFT
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    lines[most - 1 :] = [" ".join(lines[most - 1 :])]
    return [fitting(line, width) for line in lines]
