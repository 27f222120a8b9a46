"""Draws of joint probabilities from one table of outcomes, in as little detail as the measure needs."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.cell_draws import CellDraws
from pytest_bayesf1.engines.cells.group_draws import GroupDraws, TotalDraws
from pytest_bayesf1.engines.posteriors.group_mass import GroupMass
from pytest_bayesf1.measures.classification import Joint
from pytest_bayesf1.measures.names import Detail


class TableDraws(Protocol):
    """A source of draws of joint probabilities."""

    numbers_per_draw: int

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side.

        Parameters
        ----------
        n
            Number of draws.
        rng
            Where the randomness comes from.
        class_mass : (n, M) or None
            Sets the row sums; None where the table's own do.
        """
        ...


def table_draws(table: OutcomeTable, mass: GroupMass, detail: Detail, *, one_dirichlet: bool = False) -> TableDraws:
    """Choose the cheapest draws that are detailed enough.

    Parameters
    ----------
    table
        The counts.
    mass
        Where the prior's masses come from.
    detail
        What the measure looks at.
    one_dirichlet
        Whether the joint probability is one Dirichlet, so that the class proportions need no draw of their own.
    """
    if table.spans and detail is Detail.TOTAL:
        return GroupDraws(table.pooled(), mass, detail)
    if detail is Detail.TOTAL and one_dirichlet and table.shared_weights is None:
        return TotalDraws(table, mass)
    if detail <= Detail.CORRECT or table.n_outcomes == 2:
        return GroupDraws(table, mass, detail)
    return CellDraws(table, mass, detail, rescaled=not one_dirichlet)
