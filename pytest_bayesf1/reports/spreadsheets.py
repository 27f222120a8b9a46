"""Columns as CSV, for spreadsheets and for scripts."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

_RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(columns: Mapping[str, Sequence[Any]]) -> str:
    """Write columns of equal length; no text is left that a spreadsheet would run as a formula."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(_harmless, row) for row in zip(*columns.values(), strict=True))
    return text.getvalue()


def _harmless(value: Any) -> Any:
    """Put an apostrophe before a text that a spreadsheet would run as a formula; numbers are none."""
    if isinstance(value, int | float):
        return value
    text = str(value)
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
