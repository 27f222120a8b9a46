"""Counts that a prior holds already: seen on earlier test sets, or imagined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.cells import number_array, require_cells
from pytest_bayesf1.stats.crosstab import is_crosstab
from pytest_bayesf1.stats.labels import Label, explicit_labels
from pytest_bayesf1.stats.outcomes import OutcomeTable

LEAST_MASS = 0.05
"""Least Dirichlet mass of a class and of a row: with less, gamma variables may underflow together."""
MOST_MASS = 1e9


@dataclass(frozen=True, eq=False)
class PseudoCounts:
    """Counts in the manner of `Experiment.tables`.

    Attributes
    ----------
    tables
        One table for every table of the experiment, or one that serves for each.
    labels
        The classes; None for those of the data, in their order.
    model
        The model that the counts were made for; None for any.
    n_examples
        Examples that were really seen; 0 for imagined ones.
    """

    tables: tuple[OutcomeTable, ...]
    labels: tuple[Label, ...] | None = None
    model: str | None = None
    n_examples: int = 0

    @classmethod
    def of_cells(cls, cells: Sequence[npt.ArrayLike], labels: Iterable[Label] | None) -> "PseudoCounts":
        """Check what `Prior.from_counts` was given."""
        arrays = [_checked(each, f"cells[{position}]") for position, each in enumerate(cells)]
        shapes = {array.shape for array in arrays}
        if not arrays or len(arrays) > 2 or len(shapes) > 1 or (len(arrays) == 2 and arrays[0].ndim == 3):
            found = " and ".join(str(array.shape) for array in arrays) or "none"
            raise InputError("cells", "one array, or one (M, M) array a side", found)
        names = None if labels is None else explicit_labels(labels)
        if names is not None and len(names) != len(arrays[0]):
            raise InputError("labels", f"{len(arrays[0])} labels, one a class", f"{len(names)}")
        return cls(tuple(map(_table, arrays)), names)

    def missing(self, class_weights: float | tuple[float, ...]) -> tuple[float, ...]:
        """Return what, added to the rows' own totals, makes the classes' pseudo-counts these."""
        totals = self.tables[0].row_totals
        if isinstance(class_weights, tuple) and len(class_weights) != totals.size:
            raise InputError("beta", f"{totals.size} numbers, one a class", f"{len(class_weights)}")
        if not self.sides_share_totals:
            raise InputError("beta", "cells whose row totals agree, for one beta to serve both sides", self.told_totals)
        return tuple((np.asarray(class_weights) - totals).tolist())

    @property
    def told_totals(self) -> str:
        """Write the row totals of every table."""
        return " and ".join(str(table.row_totals.tolist()) for table in self.tables)

    @property
    def sides_share_totals(self) -> bool:
        """Whether either side holds as much in every row."""
        first, *others = (table.row_totals for table in self.tables)
        return all(np.allclose(totals, first) for totals in others)


def _checked(cells: npt.ArrayLike, where: str) -> Floats:
    """Return pseudo-counts as an array of floats, or say what is wrong with them."""
    expected = "pseudo-counts of shape (M, M), or (M, M, M) for pairs"
    if is_crosstab(cells) or hasattr(cells, "labels"):
        raise InputError(where, expected, type(cells).__name__, "Pass plain numbers, and labels=[...] beside them.")
    array = number_array(cells, where, expected)
    if array.ndim not in (2, 3) or len(set(array.shape)) > 1 or len(array) < 2:
        raise InputError(where, expected, f"shape {array.shape}")
    limit = f"a pseudo-count from 0 to {MOST_MASS:g}"
    require_cells(array, where, [(~((array >= 0) & (array <= MOST_MASS)), limit, "")])
    rows = array.sum(axis=tuple(range(1, array.ndim)))
    least = f"pseudo-counts of at least {LEAST_MASS:g} in all for every true class"
    require_cells(rows, where, [(rows < LEAST_MASS, least, "")])
    return array.astype(float)


def _table(array: Floats) -> OutcomeTable:
    nonzero = np.nonzero(array)
    return OutcomeTable.tally(len(array), *nonzero, weight=array[nonzero])
