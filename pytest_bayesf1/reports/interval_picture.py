"""An interval as a row of characters: the same width everywhere, and 0 always in the middle."""

from collections.abc import Iterable
from dataclasses import dataclass

from pytest_bayesf1._util import Interval

WIDTH = 21
_MIDDLE = WIDTH // 2


@dataclass(frozen=True)
class Strokes:
    """The characters that a picture is made of."""

    start: str
    line: str
    end: str
    mean: str
    rope: str
    zero: str

    @property
    def interval(self) -> str:
        """An interval with its mean, for a legend."""
        return f"{self.start}{2 * self.line}{self.mean}{2 * self.line}{self.end}"


UNICODE = Strokes("├", "─", "┤", "╂", "▒", "│")
ASCII = Strokes("[", "-", "]", "+", "#", "|")


def interval_picture(mean: float, hdi: Interval, rope: Interval | None = None, strokes: Strokes = UNICODE) -> str:
    """Draw an HDI, its mean, the ROPE and 0; the scale is the picture's own.

    Examples
    --------
    >>> interval_picture(0.002, (-0.018, 0.022), (-0.01, 0.01))
    '  ├──▒▒▒▒▒│╂▒▒▒▒────┤'
    >>> interval_picture(-0.03, (-0.04, -0.02), (-0.01, 0.01), ASCII)
    '[-+--]  ##|##        '
    """
    reach = max(map(abs, (*hdi, *(rope or ())))) or 1.0
    start, middle, end = (_column(value, reach) for value in (hdi[0], mean, hdi[1]))
    cells = [" "] * WIDTH
    _paint(cells, range(start, end + 1), strokes.line)
    if rope is not None:
        _paint(cells, range(_column(rope[0], reach), _column(rope[1], reach) + 1), strokes.rope)
    _paint(cells, [_MIDDLE], strokes.zero)
    _paint(cells, [start], strokes.start)
    _paint(cells, [end], strokes.end)
    _paint(cells, [middle], strokes.mean)
    return "".join(cells)


def _column(value: float, reach: float) -> int:
    return _MIDDLE + round(_MIDDLE * min(max(value / reach, -1), 1))


def _paint(cells: list[str], columns: Iterable[int], stroke: str) -> None:
    for column in columns:
        cells[column] = stroke
