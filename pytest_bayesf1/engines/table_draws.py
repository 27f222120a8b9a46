"""Draws of joint probabilities from one table of outcomes, in as little detail as the measure needs."""

from collections.abc import Iterator
from typing import Protocol

import numpy as np

from pytest_bayesf1.engines.cell_draws import CellDraws
from pytest_bayesf1.engines.group_draws import GroupDraws, TotalDraws
from pytest_bayesf1.engines.group_mass import GroupMass
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.measure_names import Detail
from pytest_bayesf1.stats.outcomes import OutcomeTable


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
