"""Tables as CSV, for people and for spreadsheets."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Any

_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Write a table; no cell of it is one that a spreadsheet would run as a formula."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_harmless, row) for row in rows)
    return text.getvalue()


def _harmless(value: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; numbers are none."""
    if value is None or isinstance(value, int | float):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
