"""Numbers, names and notes as people read them: no more digits than the data carry, and no name broken in two."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from math import floor, isnan, log10
from textwrap import TextWrapper
from typing import Any, TypeAlias

Interval: TypeAlias = tuple[float, float]

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """How differences of a measure are told: in points, hundredths of a score, or as they are."""

    factor: float
    unit: str

    def amount(self, number: str) -> str:
        """Write a number with its unit."""
        return f"{number} {self.unit}{'' if number == '1' else 's'}" if self.unit else number


MINUS = "\N{MINUS SIGN}"
POINTS = Scale(100, "point")
AS_THEY_ARE = Scale(1, "")


def scale_of(*, custom_measure: bool) -> Scale:
    """Return how differences of a measure are told: nobody knows the unit of a function of the user's own."""
    return AS_THEY_ARE if custom_measure else POINTS


def rope_width(rope: Interval, scale: Scale) -> str:
    """Write a ROPE: its half-width when it is symmetric."""
    low, high = (scale.factor * bound for bound in rope)
    if -low == high:
        return scale.amount(f"{high:g}")
    return f"range of {scale.amount(f'{low:+g} to {high:+g}'.replace('-', MINUS))}"


def scores(interval: Interval) -> str:
    """Write an interval of scores."""
    return f"{interval[0]:.3f} to {interval[1]:.3f}"


def rope_bounds(rope: Interval) -> str:
    """Write both ends of a ROPE, with all the digits that somebody gave it."""
    return f"[{rope[0]:+g}, {rope[1]:+g}]"


def rope_end(end: float) -> str:
    """Write an end of a ROPE, in points or the measure's unit, with all the digits that somebody gave it."""
    return f"{end:+zg}".replace("-", MINUS)


def level(probability: float) -> str:
    """Write a probability that somebody chose."""
    return f"{100 * probability:g}%"


def levels(bounds: Interval) -> str:
    """Write both ends of a range of probabilities that somebody chose; one where they are the same."""
    return " to ".join(dict.fromkeys(map(level, bounds)))


def percent(probability: float) -> str:
    """Write a probability, never rounding it to certainty."""
    if 0 < probability < 0.001:
        return "<0.1%"
    if 0.999 < probability < 1:
        return ">99.9%"
    return f"{100 * probability:.3g}%"


def whole_percent(probability: float) -> str:
    """Write a probability that is known from draws, to the percent; one of 20,000 may be missing by chance.

    Examples
    --------
    >>> whole_percent(0.0), whole_percent(0.6249), whole_percent(1.0)
    ('<1%', '62%', '>99%')
    """
    if not 0.005 <= probability <= 0.995:
        return "<1%" if probability < 0.5 else ">99%"
    return f"{100 * probability:.0f}%"


def p_value(value: float) -> str:
    """Write a P-value, never rounding it to impossibility."""
    return "<0.001" if value < 0.001 else f"{value:.2g}"


def factor(value: float | None, mcse: float | None) -> str:
    """Write a Bayes factor and its Monte Carlo standard error; nobody asks how far below 1/1000 or above 10^6."""
    if value is None or mcse is None or isnan(value):
        return "undefined"
    if not 0.001 <= value <= 1e6:
        return "<0.001" if value < 0.001 else ">1,000,000"
    return " ± ".join(_digits(number, digits) for number, digits in ((value, 3), (mcse, 1)))


def _digits(number: float, digits: int) -> str:
    return f"{float(f'{number:.{digits}g}'):g}" if number < 1000 else f"{number:,.0f}"


def error(value: float) -> str:
    """Write a standard error: one digit that counts, and no exponent."""
    return f"{value:.{max(-floor(log10(value)), 0)}f}" if value > 0 else "0"


def grouped(number: int) -> str:
    """Write a whole number with its thousands apart."""
    return f"{number:,}"


def rounded(number: int) -> str:
    """Round a whole number to two significant digits."""
    return f"{int(float(f'{number:.1e}')):,}"


def shown(value: object) -> str:
    """Write a value for an error message: text in quotes, numpy's numbers without their type."""
    return repr(value) if isinstance(value, str) else str(value)


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts: ``1 id``, ``2 ids``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def first_few(names: Iterable[str], most: int = 5) -> str:
    """Write the first of several names, and how many are left out.

    Examples
    --------
    >>> first_few(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    listed = list(names)
    left = len(listed) - most
    return ", ".join(listed[:most]) + (f" and {left:,} more" if left > 0 else "")


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write the cells of a column below one another; those of the last, which may be long, are left as they are.

    Parameters
    ----------
    rows
        Of equal length.

    Examples
    --------
    >>> aligned([("class", "examples"), ("ham", "90")])
    ['class  examples', 'ham    90']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), last])
        for *cells, last in rows
    ]


def spoken_day(day: str) -> str:
    """Write a day of ISO 8601 as people say it, and no day as nothing.

    Examples
    --------
    >>> spoken_day("2026-05-02")
    '2 May 2026'
    """
    if not day:
        return ""
    found = date.fromisoformat(day)
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}"


_IN_ASCII = str.maketrans(
    {MINUS: "-", "→": "->", "≪": "<<", "≫": ">>", "≈": "~", "±": "+/-", "×": "x", "·": "-", "…": "...", "δ": "delta"}
)


def prints_symbols(encoding: str, others: str = "") -> bool:
    """Tell whether an encoding has the symbols of our texts, and some others."""
    try:
        "".join([*map(chr, _IN_ASCII), others]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def in_ascii(text: str) -> str:
    """Write the symbols of our texts for where only ASCII serves."""
    return text.translate(_IN_ASCII)


WIDTH = 72
"""Of a terminal of 80 columns, in which pytest puts eight before every line of a failure."""

_WHOLE_WORDS: dict[str, Any] = {"width": WIDTH, "break_long_words": False, "break_on_hyphens": False}


def one_line(text: object) -> str:
    """Keep a name from breaking a line in two."""
    return " ".join(str(text).split())


def brief(name: object, most: int = 32) -> str:
    """Keep a name on one line and leave out the middle of a long one.

    Examples
    --------
    >>> brief("comp.os.ms-windows.misc", most=12)
    'comp.o….misc'
    """
    line, half = one_line(name), (most - 1) // 2
    return line if len(line) <= most else f"{line[: most - 1 - half]}…{line[len(line) - half :]}"


def named(name: str, value: str) -> str:
    r"""Write a figure behind its name, wrapped for a terminal.

    Examples
    --------
    >>> print(named("F1 falls in", "ham 0.912 → 0.871   spam 0.900 → 0.800   a class of a long name 0.800 → 0.650"))
      F1 falls in ham 0.912 → 0.871   spam 0.900 → 0.800   a class of a long
                  name 0.800 → 0.650
    """
    return TextWrapper(**_WHOLE_WORDS, initial_indent=f"  {name:<11} ", subsequent_indent=14 * " ").fill(value)


def indented(text: str) -> str:
    r"""Indent a text like the figures above it, wrapped for a terminal.

    Parameters
    ----------
    text
        Its lines that are indented already, such as commands, stay whole.

    Examples
    --------
    >>> print(indented("To write it all the same:\n    pytest --bayesf1-update=force"))
      To write it all the same:
          pytest --bayesf1-update=force
    """
    wrap = TextWrapper(**_WHOLE_WORDS, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(f"  {line}" if line.startswith(" ") else wrap.fill(line) for line in text.splitlines())
