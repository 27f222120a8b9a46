"""Counts that a prior holds already: seen on earlier test sets, or imagined."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.encoding import as_numbers, is_crosstab, require_cells
from pytest_bayesf1.data.labels import Label, row_labels
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import Model

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
    model: Model | None = None
    n_examples: int = 0

    @classmethod
    def of_cells(
        cls, cells: Sequence[npt.ArrayLike], labels: Iterable[Label] | None, multilabel: bool
    ) -> "PseudoCounts":
        """Check what `Prior.from_counts` was given.

        Parameters
        ----------
        cells
            One array, or one per side.
        labels
            The classes in the order of the cells, if they are named.
        multilabel
            Whether the arrays are about labels.

        Raises
        ------
        InputError
            For another number of arrays, other shapes, negative numbers, or a class without any.
        """
        arrays = [_checked(each, f"cells[{position}]", multilabel) for position, each in enumerate(cells)]
        tables = tuple(_table(array, multilabel) for array in arrays)
        if not tables or len(tables) > 2 or len({array.shape for array in arrays}) > 1 or _is_two_pairs(tables):
            found = " and ".join(str(array.shape) for array in arrays) or "none"
            raise InputError("cells", f"one array, or one {_SHAPES[multilabel][0]} array per side", found)
        return cls(tables, None if labels is None else row_labels(labels, len(arrays[0])))

    def missing(self, class_weights: float | tuple[float, ...]) -> tuple[float, ...]:
        """Return what, added to the rows' own totals, makes the classes' pseudo-counts these.

        Parameters
        ----------
        class_weights
            One number for all classes, or one per class.

        Raises
        ------
        InputError
            When the two sides' row totals differ, so that no one number would do.
        """
        wanted = per_class(class_weights, self.tables[0], "beta")
        if not self.sides_share_totals:
            raise InputError("beta", "cells whose row totals agree, for one beta to serve both sides", self.totals_text)
        return tuple((wanted - self.tables[0].row_totals).tolist())

    @property
    def totals_text(self) -> str:
        """Write the row totals of every table."""
        return " and ".join(str(table.row_totals.tolist()) for table in self.tables)

    @property
    def sides_share_totals(self) -> bool:
        """Whether either side holds as much in every row."""
        first, *others = (table.row_totals for table in self.tables)
        return all(np.allclose(totals, first) for totals in others)


def per_class(values: float | tuple[float, ...], table: OutcomeTable, where: str) -> Floats:
    """Return a number for every class, (M,), from one for all or one each; of labels also from (absent, present).

    Parameters
    ----------
    values
        One number, or several.
    table
        The counts that they are for.
    where
        What error messages call the numbers.

    Raises
    ------
    InputError
        When there are more or fewer.
    """
    numbers = np.asarray(values, dtype=float)
    if numbers.size not in {1, table.n_outcomes, table.n_classes}:
        raise InputError(where, f"{table.n_outcomes} numbers, one per class", f"{numbers.size}")
    return np.resize(numbers, table.n_classes)


_SHAPES = {False: ("(M, M)", "(M, M, M)"), True: ("(L, 2, 2)", "(L, 2, 2, 2)")}


def _checked(cells: npt.ArrayLike, where: str, multilabel: bool) -> Floats:
    """Return pseudo-counts as an array of floats, or say what is wrong with them."""
    expected = "pseudo-counts of shape {}, or {} for pairs".format(*_SHAPES[multilabel])
    if is_crosstab(cells) or hasattr(cells, "labels"):
        raise InputError(where, expected, type(cells).__name__, "Pass plain numbers, and labels=[...] beside them.")
    array = as_numbers(cells, where, expected)
    if not (_is_of_labels if multilabel else _is_of_classes)(array.shape):
        raise InputError(where, expected, f"shape {array.shape}")
    limit = f"a pseudo-count from 0 to {MOST_MASS:g}"
    require_cells(array, where, [(~((array >= 0) & (array <= MOST_MASS)), limit, "")])
    rows = array.sum(axis=tuple(range(1 + multilabel, array.ndim)))
    least = f"pseudo-counts of at least {LEAST_MASS:g} in all for every true class"
    require_cells(rows, where, [(rows < LEAST_MASS, least, "")])
    return array.astype(float)


def _is_of_classes(shape: tuple[int, ...]) -> bool:
    return len(shape) in (2, 3) and len(set(shape)) == 1 and shape[0] >= 2


def _is_of_labels(shape: tuple[int, ...]) -> bool:
    return len(shape) in (3, 4) and set(shape[1:]) == {2} and shape[0] >= 1


def _table(array: Floats, multilabel: bool) -> OutcomeTable:
    if multilabel:
        return OutcomeTable.of_labels(array)
    nonzero = np.nonzero(array)
    return OutcomeTable.tally(len(array), *nonzero, weight=array[nonzero])


def _is_two_pairs(tables: tuple[OutcomeTable, ...]) -> bool:
    return len(tables) == 2 and tables[0].n_sides == 2
