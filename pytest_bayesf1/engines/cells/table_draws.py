"""Draws of joint probabilities from one table of outcomes, in as little detail as the measure needs."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.cell_draws import CellDraws
from pytest_bayesf1.engines.cells.group_draws import GroupDraws, TotalDraws
from pytest_bayesf1.engines.posteriors.group_mass import GroupMass
from pytest_bayesf1.measures.joint import Joint
from pytest_bayesf1.measures.names import Detail


class TableDraws(Protocol):
    """A source of draws."""

    numbers_per_draw: int

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws; ``class_mass`` (n, M) sets the row sums."""
        ...


def table_draws(table: OutcomeTable, mass: GroupMass, detail: Detail, *, one_dirichlet: bool = False) -> TableDraws:
    """Choose what is enough; ``one_dirichlet`` says that the class proportions need no draw of their own."""
    if detail is Detail.TOTAL and one_dirichlet:
        return TotalDraws(table, mass)
    if detail <= Detail.CORRECT:
        return GroupDraws(table, mass)
    return CellDraws(table, mass, detail, rescaled=not one_dirichlet)
