"""The data's part of the gamma variables: of examples that are drawn on their own, or of units that hold several."""

from typing import Protocol

import numpy as np

from pytest_bayesf1.arrays import Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.example_part import ExamplePart
from pytest_bayesf1.engines.cells.unit_part import UnitPart


class DataPart(Protocol):
    """A way to draw what the data put on the cells."""

    numbers_per_draw: int
    undrawn: Weights
    """(groups, M) shapes of groups of one outcome that are left to be drawn together with the prior's."""

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw as many independent gamma variables as there have to be.

        Parameters
        ----------
        n
            Number of draws.
        rng
            Where the randomness comes from.

        Returns
        -------
        (K, n)
            For the other methods.
        """
        ...

    def group_sums(self, drawn: Floats) -> Floats:
        """Sum by group and true class: (groups, n, M)."""
        ...

    def side_sums(self, drawn: Floats) -> Floats:
        """Sum what each side predicts wrongly, of groups that hold several outcomes: (sides, n, width) in C order."""
        ...


def data_part(table: OutcomeTable, sums: ErrorSums) -> DataPart:
    """Choose the way by whether the examples belong to units.

    Parameters
    ----------
    table
        The counts.
    sums
        The layout of what is added up.
    """
    return ExamplePart(table, sums) if table.shared_weights is None else UnitPart(table, sums)
