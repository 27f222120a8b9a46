"""The prior's Dirichlet mass on a row's groups of outcomes and on their cells: fixed, or drawn anew for every draw."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.posteriors.eta_posterior import EtaPosterior
from pytest_bayesf1.engines.posteriors.group_factor import GroupFactor, group_weights
from pytest_bayesf1.engines.posteriors.nested import SplitPosterior, concentration_posterior, root_two_grid
from pytest_bayesf1.priors import EvenCells, NestedGroups, Prior, RowPrior, SharedGroups


@dataclass(frozen=True, eq=False)
class Masses:
    """n draws of the prior's mass.

    Attributes
    ----------
    groups : (n, kinds, groups)
        Of every group of outcomes in a row, by the row's kind.
    split : (n, groups) or None
        Dirichlet mass that splits a group's share over its cells, where that is a question of its own; None where the
        group's mass itself is spread over the cells.
    """

    groups: Floats
    split: Floats | None = None

    @property
    def on_cells(self) -> Floats:
        """(n, groups) mass spread evenly over a group's cells."""
        return self.groups[:, 0] if self.split is None else self.split

    def in_rows(self, table: OutcomeTable) -> Floats:
        """Return the mass of every row's groups, none where it stays empty: (groups, n, M), or broadcasting to it."""
        groups = np.moveaxis(self.groups, 2, 0)
        if groups.shape[2] > 1:
            groups = groups[:, :, table.row_kinds]
        return groups * table.may_be_true if table.never_true else groups


class GroupMass(Protocol):
    """A source of Dirichlet masses."""

    expected_on_cells: Floats
    """(groups,) mean mass that the cells of a row's groups hold."""
    least_on_cells: float
    """Least mass that the cells of any group may hold."""
    splits_apart: bool
    """Whether how a group's share is split over its cells is a question of its own."""

    def draw(self, n: int, rng: np.random.Generator) -> Masses:
        """Draw the masses of all groups.

        Parameters
        ----------
        n
            Number of draws.
        rng
            Where the randomness comes from.
        """
        ...

    def draw_split(self, n: int, rng: np.random.Generator) -> Floats | None:
        """Draw `Masses.split` alone: it does not depend on the rest.

        Parameters
        ----------
        n
            Number of draws.
        rng
            Where the randomness comes from.
        """
        ...


class _SpreadEvenly:
    """A group's mass is that of its cells."""

    splits_apart = False

    def draw_split(self, n: int, rng: np.random.Generator) -> None:  # noqa: ARG002
        """Return None: there is nothing to draw beside the group's mass."""
        return


class FixedMass(_SpreadEvenly):
    """The same pseudo-count in every cell.

    Parameters
    ----------
    table
        The counts; their shape alone matters.
    rows
        The prior of a row.
    """

    def __init__(self, table: OutcomeTable, rows: EvenCells) -> None:
        self._mass: Floats = table.group_sizes.astype(np.float64) * rows.weight
        self.expected_on_cells, self.least_on_cells = self._mass, float(self._mass.min())

    def draw(self, n: int, rng: np.random.Generator) -> Masses:  # noqa: ARG002
        """Repeat the mass n times."""
        return Masses(np.broadcast_to(self._mass, (n, 1, self._mass.size)))


class SpanMass(_SpreadEvenly):
    """The same pseudo-count for what each side finds, invents and misses of every type (Goutte & Gaussier 2005).

    Of pairs, half of it is in either of the two outcomes that add up to it; none is where nobody says anything.

    Parameters
    ----------
    table
        The counts; the number of their sides alone matters.
    rows
        The pseudo-count.
    """

    least_on_cells = 0.0

    def __init__(self, table: OutcomeTable, rows: EvenCells) -> None:
        self._mass = np.full((2, 2**table.n_sides), 2 * rows.weight / 2**table.n_sides)
        self._mass[0, 0] = 0.0
        self.expected_on_cells = self._mass[1]

    def draw(self, n: int, rng: np.random.Generator) -> Masses:  # noqa: ARG002
        """Repeat the mass n times."""
        return Masses(np.broadcast_to(self._mass, (n, *self._mass.shape)))


class SharedMass(_SpreadEvenly):
    """One unit of mass per row, in shares eta.

    Parameters
    ----------
    table
        The counts that eta learns from.
    rows
        The prior of a row.
    """

    least_on_cells = 0.0

    def __init__(self, table: OutcomeTable, rows: SharedGroups) -> None:
        weights = group_weights(rows.alpha, table.n_sides)
        self.expected_on_cells = np.full(weights.size, 1 / weights.size)
        self._posteriors = [
            EtaPosterior(
                [
                    GroupFactor.of_cells(
                        table.counts_as_of_units[of_kind & (table.group == group)], 1 / size, weights[group]
                    )
                    for group, size in enumerate(table.group_sizes.tolist())
                ]
            )
            for of_kind in _cells_by_kind(table)
        ]

    def draw(self, n: int, rng: np.random.Generator) -> Masses:
        """Draw eta for every kind of row."""
        return Masses(np.stack([posterior.draw(n, rng) for posterior in self._posteriors], axis=1))


class NestedMass:
    """kappa eta on the groups, rho on their cells.

    Parameters
    ----------
    table
        The counts that kappa, eta and rho learn from.
    rows
        The prior of a row.
    """

    splits_apart = True

    def __init__(self, table: OutcomeTable, rows: NestedGroups) -> None:
        kinds, totals = table.row_kinds, table.group_counts
        self._concentrations = [
            concentration_posterior(totals[kinds == kind], rows.alpha, rows.kappa) for kind in range(kinds.max() + 1)
        ]
        rhos = root_two_grid(rows.rho)
        self._splits = [
            SplitPosterior(table.count[table.group == group], totals[:, group], size, rhos)
            for group, size in enumerate(table.group_sizes.tolist())
        ]
        self.expected_on_cells = np.array([split.mean for split in self._splits])
        self.least_on_cells = rows.rho[0]

    def draw(self, n: int, rng: np.random.Generator) -> Masses:
        """Draw kappa eta and rho."""
        groups = np.stack([concentration.draw(n, rng) for concentration in self._concentrations], axis=1)
        return Masses(groups, self.draw_split(n, rng))

    def draw_split(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw rho, (n, groups)."""
        return np.stack([split.draw(n, rng) for split in self._splits], axis=1)


_known: WeakKeyDictionary[OutcomeTable, dict[RowPrior, GroupMass]] = WeakKeyDictionary()


def group_mass(table: OutcomeTable, prior: Prior) -> GroupMass:
    """Return the masses that a prior implies; they are built once, and kept as long as the table.

    Parameters
    ----------
    table
        The counts, earlier ones included.
    prior
        Its rows decide.
    """
    known = _known.setdefault(table, {})
    if prior.rows not in known:
        known[prior.rows] = _build(table, prior.rows)
    return known[prior.rows]


def _build(table: OutcomeTable, prior: RowPrior) -> GroupMass:
    match prior:
        case SharedGroups():
            return SharedMass(table, prior)
        case NestedGroups():
            return NestedMass(table, prior)
        case EvenCells():
            return SpanMass(table, prior) if table.spans else FixedMass(table, prior)


def _cells_by_kind(table: OutcomeTable) -> Iterator[npt.NDArray[np.bool_]]:
    kinds = table.row_kinds
    for kind in range(kinds.max() + 1):
        yield kinds[table.true] == kind
