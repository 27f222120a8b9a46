"""How files of predictions are to be read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from pytest_bayesf1.files.columns import ID, RUN
from pytest_bayesf1.settings import INVALID_DEFAULT, Invalid, Runs

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A mapping that cannot change."""


@dataclass(frozen=True)
class Reading:
    """What the columns of a file mean, as gate files and the command line say it.

    Attributes
    ----------
    invalid
        What becomes of predictions that are missing or none of the classes.
    clusters
        The column that tells which unit each example belongs to; empty where every example is its own.
    runs
        What several rows of an example are, which its id tells; None where an example has one.
    show
        The columns that reports show of an example that changed.
    columns
        What the file calls a column, by the name by which it is known.
    rows
        The values that certain columns have in the rows that are read, as text; empty where all rows are.
    """

    invalid: Invalid = INVALID_DEFAULT
    clusters: str = ""
    runs: Runs | None = None
    show: tuple[str, ...] = ()
    columns: Pairs = ()
    rows: Pairs = ()

    def of_side(self, columns: Mapping[str, str], rows: Mapping[str, str]) -> "Reading":
        """Add what is said of one side's file alone, which comes before what is said of both."""
        return replace(self, columns=_added(self.columns, columns), rows=_added(self.rows, rows))

    @property
    def identifiers(self) -> dict[str, str]:
        """The columns that tell rows apart, where a file has them, and what one of their values is called."""
        units = {self.clusters: "unit"} if self.clusters else {}
        return {ID: "id", **units, **({RUN: "run"} if self.runs else {})}


def _added(pairs: Pairs, more: Mapping[str, str]) -> Pairs:
    return tuple((dict(pairs) | dict(more)).items())


AS_IT_IS = Reading()
"""Nothing was said of the file."""

Readings: TypeAlias = Mapping[str, Reading]
"""By the side that a file is of: ``baseline``, ``anchor``, ``candidate``; `AS_IT_IS` where there is none."""

ALL_AS_THEY_ARE: Readings = MappingProxyType({})
