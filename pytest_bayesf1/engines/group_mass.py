"""The prior mass of a row's groups of outcomes: fixed, or drawn anew for every draw."""

from typing import Protocol

import numpy as np

from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.hierarchy import EtaPosterior
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.priors import Prior


class GroupMass(Protocol):
    """Dirichlet mass that each group of outcomes holds in every row."""

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Return n draws of the mass: shape (n, groups)."""
        ...


class FixedMass:
    """The same pseudo-count in every cell."""

    def __init__(self, table: OutcomeTable, cell_weight: float) -> None:
        self._mass: Floats = table.group_sizes.astype(np.float64) * cell_weight

    def draw(self, n: int, rng: np.random.Generator) -> Floats:  # noqa: ARG002
        """Repeat the mass n times."""
        return np.broadcast_to(self._mass, (n, self._mass.size))


def group_mass(table: OutcomeTable, prior: Prior) -> GroupMass:
    """Choose what the prior implies: eta for the hierarchical one."""
    return EtaPosterior(table) if prior.cell_weight is None else FixedMass(table, prior.cell_weight)
