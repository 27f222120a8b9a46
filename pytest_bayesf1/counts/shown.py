"""What reports are to show of an example beside its id, such as its text or its address."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import counted, one_line
from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.labels import is_missing
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.results.comparison import LONGEST_EXCERPT

Show: TypeAlias = Iterable[Any] | Mapping[str, Iterable[Any]] | None
"""A value for every row, or several columns of them by name."""

Shown: TypeAlias = tuple[tuple[str, npt.NDArray[Any]], ...]
"""Columns by name, with a value for every example."""


def read_shown(show: Show, n_rows: int, first: Codes | None = None) -> Shown:
    """Check what is to be shown.

    Parameters
    ----------
    show
        As the caller gives it; None for nothing.
    n_rows
        How many values each column has to have.
    first : (N,), optional
        Position of each example's first row, where an example may have several.

    Raises
    ------
    InputError
        When they are more or fewer.
    """
    if show is None:
        return ()
    columns = show if isinstance(show, Mapping) else {str(getattr(show, "name", None) or "shown"): show}
    found = []
    for name, values in columns.items():
        listed = [values] if isinstance(values, str) else list(values)
        if len(listed) != n_rows:
            raise InputError("show", f"{counted(n_rows, 'value')}, one per example", f"{len(listed):,} of {name!r}")
        column = np.empty(n_rows, dtype=object)
        column[:] = listed
        found.append((str(name), column if first is None else column[first]))
    return tuple(found)


def excerpts(shown: Shown, position: int) -> tuple[str, ...]:
    """Write the beginning of every column's value on one line; nothing where it is missing.

    Parameters
    ----------
    shown
        What is to be shown of the examples.
    position
        Of one of them.

    Examples
    --------
    >>> excerpts(read_shown({"text": ["two  words"], "url": [None]}, 1), 0)
    ('two words', '')
    """
    return tuple(_excerpt(column[position]) for _, column in shown)


def _excerpt(value: object) -> str:
    """Write the beginning of what is to be shown, on one line; nothing where it is missing."""
    text = "" if is_missing(value) else one_line(value)
    return text if len(text) <= LONGEST_EXCERPT else f"{text[: LONGEST_EXCERPT - 1]}…"
