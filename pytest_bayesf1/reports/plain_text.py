"""Names that strangers chose -> text that neither orders a terminal about nor turns a line's direction."""

import re

from pytest_bayesf1._util import one_line

_ORDERS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
LONGEST_TEXT = 2_000
"""Of what is told of one result: only names that nobody would read make it longer."""

_LONGEST_NAME = 200


def visible(text: object) -> str:
    """Put a text on one line, with nothing in it that does not show."""
    return spelt_out(one_line(text))


def spelt_out(line: str) -> str:
    """Write out control characters, marks of direction and halves of surrogate pairs."""
    return _ORDERS.sub(lambda found: ascii(found[0])[1:-1], line)


def name_text(text: object) -> str:
    """Make a name visible, and leave out the middle of one that nobody would read to its end."""
    return shortened(visible(text), _LONGEST_NAME)


def first_rows(rows: list[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Keep the first rows of a list for people, and say how many are left out."""
    left = len(rows) - most
    return [*rows[:most], (f"and {left:,} more", "see report.json")] if left > 0 else rows


def shortened(text: str, longest: int) -> str:
    """Leave out the middle of a text that is too long, and say how much, where that is shorter."""
    half = longest // 2
    short = f"{text[:half]}[{len(text) - 2 * half:,} characters left out]{text[-half:]}"
    return text if len(text) <= max(longest, len(short)) else short
