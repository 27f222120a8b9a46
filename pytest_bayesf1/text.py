"""Numbers, names and lines as people read them."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from math import floor, isnan, log10
from textwrap import TextWrapper
from typing import Any, TypeAlias
from unicodedata import combining, east_asian_width

from pytest_bayesf1.errors import printable

Interval: TypeAlias = tuple[float, float]

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """How differences of a measure are written: in points, hundredths of a score, or as they are."""

    factor: float
    unit: str

    @property
    def units(self) -> str:
        """What several are called: ``points``, or the score itself."""
        return f"{self.unit}s" if self.unit else "score"

    def amount(self, number: str) -> str:
        """Write a number with its unit."""
        return f"{number} {self.unit}{'' if number == '1' else 's'}" if self.unit else number


def short_commit(commit: str) -> str:
    """Write the beginning of a commit's hash, enough to find it by."""
    return commit[:7]


MINUS = "\N{MINUS SIGN}"

POINTS = Scale(100, "point")

AS_THEY_ARE = Scale(1, "")


def scale_of(*, custom_measure: bool) -> Scale:
    """Return how differences of a measure are written: a user's own function has no known unit."""
    return AS_THEY_ARE if custom_measure else POINTS


def rope_width(rope: Interval, scale: Scale, *, ends: bool = False) -> str:
    """Write a ROPE: its half-width when it is symmetric, or as what it reaches from and to.

    Examples
    --------
    >>> [rope_width((-0.01, 0.01), POINTS, ends=ends) for ends in (False, True)]
    ['1 point', '±1 point']
    >>> [rope_width((-0.01, 0.02), POINTS, ends=ends) for ends in (False, True)]
    ['a range of −1 to +2 points', '−1 to +2 points']
    """
    low, high = (scale.factor * bound for bound in rope)
    if -low == high:
        return f"{'±' * ends}{scale.amount(f'{high:g}')}"
    return f"{'' if ends else 'a range of '}{scale.amount(f'{low:+g} to {high:+g}'.replace('-', MINUS))}"


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


def percent(probability: float) -> str:
    """Write a probability to a tenth of a percent, never rounding it to certainty.

    Examples
    --------
    >>> percent(0.00667), percent(0.1), percent(0.9634), percent(0.9999)
    ('0.7%', '10%', '96.3%', '>99.9%')
    """
    if 0 < probability < 0.001:
        return "<0.1%"
    if 0.999 < probability < 1:
        return ">99.9%"
    return f"{round(100 * probability, 1):g}%"


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


def p_value(value: float, name: str = "") -> str:
    """Write a P-value, never rounding it to impossibility, behind its name if it has one.

    Examples
    --------
    >>> p_value(0.0345), p_value(0.0345, "p"), p_value(1e-9, "p")
    ('0.035', 'p=0.035', 'p<0.001')
    """
    return f"{name}<0.001" if value < 0.001 else f"{name}{'=' * bool(name)}{value:.2g}"


def factor(value: float | None, mcse: float | None) -> str:
    """Write a Bayes factor and its Monte Carlo standard error; beyond 1/1000 and 10^6 only that it is."""
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


def grouped(number: float) -> str:
    """Write a number of examples with its thousands apart; where runs share examples, to a tenth.

    Examples
    --------
    >>> grouped(1200), grouped(18.333333333333332), grouped(10.000000000000002)
    ('1,200', '18.3', '10')
    """
    return f"{round(number, 1):,}".removesuffix(".0")


def rounded(number: int) -> str:
    """Round a whole number to two significant digits."""
    return f"{int(float(f'{number:.1e}')):,}"


def counted(number: int, noun: str) -> str:
    """Write a number and what it counts: ``1 id``, ``2 classes``."""
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Write a noun for several: ``classes``, ``labels``."""
    return f"{noun}{'es' if noun.endswith('s') else 's'}"


def naturally(name: str) -> list[tuple[int, str]]:
    """Order names as people do: numbers within them by size.

    Examples
    --------
    >>> sorted(["gate-10", "gate-2", "gate"], key=naturally)
    ['gate', 'gate-2', 'gate-10']
    """
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"(\d+)", name)]


def first_few(names: Iterable[str], most: int = 5, noun: str = "") -> str:
    """Write the first of several names, and how many are left out; of what, where a noun says so.

    Examples
    --------
    >>> first_few(["a", "b", "c"], most=2), first_few(["a needs 2 examples", "b", "c"], 1, "gate")
    ('a, b and 1 more', 'a needs 2 examples and 2 more gates')
    """
    listed = list(names)
    left = len(listed) - most
    more = counted(left, f"more {noun}") if noun else f"{left:,} more"
    return ", ".join(listed[:most]) + (f" and {more}" if left > 0 else "")


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Write the cells of a column below one another; those of the last, which may be long, are left as they are.

    Examples
    --------
    >>> aligned([("class", "examples"), ("ham", "90")])
    ['class  examples', 'ham    90']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)), last]).rstrip()
        for *cells, last in rows
    ]


def begun(clause: str) -> str:
    """Begin a sentence with a clause, whose first word is one of ours."""
    return f"{clause[0].upper()}{clause[1:]}"


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


def encodable(text: str, encoding: str) -> str:
    r"""Write characters that an encoding lacks by their numbers, but for minus signs.

    Examples
    --------
    >>> print(encodable("≪ −1.7 points", "ascii"))
    \u226a -1.7 points
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.replace(MINUS, "-").encode(encoding, "backslashreplace").decode(encoding)
    return text


WIDTH = 72
"""Of a terminal of 80 columns, in which pytest puts eight before every line of a failure."""

_WHOLE_WORDS: dict[str, Any] = {"width": WIDTH, "break_long_words": False, "break_on_hyphens": False}


def one_line(name: object) -> str:
    r"""Put a name on one line, so that none of another spelling looks like it: spaces that would be lost are marked.

    Examples
    --------
    >>> one_line("new line"), one_line("new\nline"), one_line("new  line "), one_line("new\xa0line")
    ('new line', 'new↵line', 'new ␣line␣', 'new\\xa0line')
    """
    return printable(_LOST.sub(lambda found: _MARKS.get(found[0], ascii(found[0])[1:-1]), str(name)))


_LOST = re.compile(r"^ | $|(?<= ) |[^\S \u3000]")
_MARKS = {" ": "␣", "\n": "↵", "\r": "␍", "\t": "⇥"}


def flowed(text: object) -> str:
    """Put sentences on one line, with nothing in them that does not show."""
    return printable(" ".join(str(text).split()))


def display_width(text: str) -> int:
    """Count the columns that a terminal needs: two for a wide character, none for one that combines.

    Examples
    --------
    >>> display_width("spam"), display_width("配送")
    (4, 4)
    """
    return sum(2 if east_asian_width(each) in "WF" else not combining(each) for each in text)


def cut(text: str, most: int) -> str:
    """Keep as much of the start of a text as has room in so many columns."""
    return text[: bisect_right(list(accumulate(map(display_width, text))), most)]


def brief(name: object, most: int = 32) -> str:
    """Keep a name on one line and leave out the middle of one of more columns.

    Examples
    --------
    >>> brief("comp.os.ms-windows.misc", most=12)
    'comp.o….misc'
    """
    line, half = one_line(name), (most - 1) // 2
    if display_width(line) <= most:
        return line
    return f"{cut(line, most - 1 - half)}…{cut(line[::-1], half)[::-1]}"


def fitted(names: Iterable[str], most: int) -> list[str]:
    """Cut names to so many columns of a terminal; those that would then look the same get a number each.

    Examples
    --------
    >>> fitted(["spam", "model-of-2025-large", "model-of-2026-large"], 12)
    ['spam', 'model-of-…#1', 'model-of-…#2']
    """
    listed = list(names)
    short = [brief(name, most) for name in listed]
    number = Counter(short)
    again = Counter[str]()
    for place, (name, known_as) in enumerate(zip(listed, short, strict=True)):
        if known_as != name and number[known_as] > 1:
            again[known_as] += 1
            end = f"…#{again[known_as]}"
            short[place] = f"{cut(name, most - len(end))}{end}"
    return short


def class_named(label: object) -> str:
    """Name a class in a sentence, where a number would look like another one.

    Examples
    --------
    >>> class_named("fraud"), class_named(1)
    ('fraud', 'class 1')
    """
    name = brief(label)
    return name if name[:1].isalpha() else f"class {name}"


def named(name: str, value: str) -> str:
    r"""Write a figure behind its name, wrapped for a terminal.

    Examples
    --------
    >>> print(named("F1 falls in", "ham: 0.912 → 0.871   spam: 0.900 → 0.800   a class of a long name: 0.800 → 0.650"))
      F1 falls in ham: 0.912 → 0.871   spam: 0.900 → 0.800   a class of a
                  long name: 0.800 → 0.650
    """
    return TextWrapper(**_WHOLE_WORDS, initial_indent=f"  {name:<11} ", subsequent_indent=14 * " ").fill(value)


def indented(text: str) -> str:
    r"""Indent a text like the figures above it, wrapped for a terminal.

    Examples
    --------
    >>> print(indented("To write it all the same:\n    pytest --bayesf1-update=force"))
      To write it all the same:
          pytest --bayesf1-update=force
    """
    wrap = TextWrapper(**_WHOLE_WORDS, initial_indent="  ", subsequent_indent="  ")
    return "\n".join(f"  {line}" if line.startswith(" ") else wrap.fill(line) for line in text.splitlines())
