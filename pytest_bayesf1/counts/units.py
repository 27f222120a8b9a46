"""Units: what was drawn independently from the population, such as documents or users, each with its examples.

The posterior gives every unit a weight, which all its examples share. Units of equal content are alike, so that only
the different contents are kept, and how many units have each.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import block_diag, csc_array, csr_array, vstack

from pytest_bayesf1.arrays import Codes, Floats, Weights


@dataclass(frozen=True, eq=False)
class UnitContents:
    """What units hold: D different contents, in an order that depends on the contents alone.

    Attributes
    ----------
    cells : (K, D) sparse
        Examples of each of K outcomes in a unit of each content.
    n_units : (D,)
        How many units have each content; of pseudo-counts not necessarily whole numbers.
    noun
        What the units are called, in the plural.
    """

    cells: csc_array
    n_units: Weights
    noun: str = "units"

    @classmethod
    def of_rows(
        cls, unit: Codes, weight: Weights | None = None, n_units: Weights | None = None, noun: str = "units"
    ) -> "UnitContents":
        """Put rows, such as examples, into the units that they belong to.

        Parameters
        ----------
        unit : (K,)
            Position of each row's unit.
        weight : (K,), optional
            Examples that each row stands for, by default one.
        n_units : (G,), optional
            How many units each position stands for, by default one.
        noun
            What the units are called, in the plural.
        """
        size = int(unit.max(initial=-1)) + 1 if n_units is None else n_units.size
        data = np.ones(unit.size) if weight is None else weight.astype(np.float64)
        cells = csc_array((data, (np.arange(unit.size), unit)), shape=(unit.size, size))
        return cls(cells, np.ones(size) if n_units is None else n_units, noun)

    @classmethod
    def of_one_example(cls, count: Weights) -> "UnitContents":
        """Take every example for a unit of its own.

        Parameters
        ----------
        count : (K,)
            Examples with each outcome.
        """
        return cls.of_rows(np.arange(count.size), n_units=count)

    @property
    def n(self) -> float:
        """Number of units, G."""
        return float(self.n_units.sum())

    @property
    def n_equal(self) -> float:
        """How many units of one size would tell as much, if the examples of a unit were all alike (Kish 1965)."""
        return float((self.n_units @ self.sizes) ** 2 / (self.n_units @ self.sizes**2))

    @property
    def sizes(self) -> Floats:
        """(D,) examples of a unit of each content; of labels, decisions."""
        return np.asarray(self.cells.sum(axis=0), dtype=np.float64)

    @cached_property
    def hold_one_example(self) -> bool:
        """Whether every unit holds a single example."""
        return bool((np.diff(self.cells.indptr) == 1).all() and (self.cells.data == 1).all())

    @cached_property
    def counts(self) -> Weights:
        """(K,) examples of each row in all units; integers where they are whole."""
        counts = np.asarray(self.cells @ self.n_units)
        whole = np.rint(counts).astype(np.int64)
        return whole if (whole == counts).all() else counts

    def design_effect(self, cells_per_example: int = 1) -> float:
        """Return how many examples of a unit tell as much as one that is drawn on its own, at least 1.

        The scatter of what units hold of every row about what their sizes let expect, over that of as many examples
        drawn one by one: 1 where every unit holds one example, m where it holds the same example m times.

        Parameters
        ----------
        cells_per_example
            How many rows every example is counted in.
        """
        sizes = self.sizes / cells_per_example
        n = self.n_units @ sizes
        shares = self.counts / n
        concentration = shares @ shares
        squares = sizes**2
        if concentration == cells_per_example:  # one outcome alone does not tell
            return float(self.n_units @ squares / n)
        scatter = self.cells.power(2).sum(axis=0) - 2 * sizes * (shares @ self.cells) + concentration * squares
        return max(1.0, float(self.n_units @ scatter / (n * (cells_per_example - concentration))))

    def merged(self, into: Codes, n_rows: int) -> "UnitContents":
        """Add rows up, and find the units that have become alike.

        Parameters
        ----------
        into : (K,)
            The new row of each row; below 0 for those that are left out.
        n_rows
            How many new rows there are.
        """
        kept = np.flatnonzero(into >= 0)
        to = csr_array((np.ones(kept.size), (into[kept], kept)), shape=(n_rows, into.size))
        return _pooled(replace(self, cells=csc_array(to @ self.cells)))

    def with_rows(self, n_rows: int, content: Floats) -> "UnitContents":
        """Return the same units with more rows, of which every unit holds as much.

        Parameters
        ----------
        n_rows
            How many rows come behind those that there are.
        content : (D,)
            What a unit of each content holds in each of the new rows.
        """
        new = csc_array(np.broadcast_to(content, (n_rows, content.size)))
        return replace(self, cells=csc_array(vstack([self.cells, new])))

    def beside(self, other: "UnitContents") -> "UnitContents":
        """Return the units of both, whose rows come one after the other."""
        cells = csc_array(block_diag([self.cells, other.cells]))
        return replace(self, cells=cells, n_units=np.concatenate([self.n_units, other.n_units]))


def _pooled(units: UnitContents) -> UnitContents:
    """Keep one of the units of equal content, and drop those without any."""
    units.cells.eliminate_zeros()
    units.cells.sort_indices()
    alike = list(_alike(units.cells, units.n_units))
    if not alike:
        return units
    columns, n_units = (np.concatenate(each) for each in zip(*alike, strict=True))
    return replace(units, cells=units.cells[:, columns], n_units=n_units)


def _alike(cells: csc_array, n_units: Weights) -> Iterator[tuple[Codes, Weights]]:
    """Yield a column of every content, and how many units have it; smaller units first."""
    lengths = np.diff(cells.indptr)
    for length in np.unique(lengths[lengths > 0]).tolist():
        columns = np.flatnonzero(lengths == length)
        at = cells.indptr[columns][:, None] + np.arange(length)
        content = np.concatenate([cells.indices[at].astype(np.float64), cells.data[at]], axis=1)
        _, first, inverse = np.unique(content, axis=0, return_index=True, return_inverse=True)
        yield columns[first], np.bincount(inverse.ravel(), n_units[columns])
