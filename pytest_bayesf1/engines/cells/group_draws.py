"""Joint probabilities where only right and wrong matter: one gamma variable for each true class and group of outcomes.

Of two classes that says all, for what is wrong is predicted as the other class.

A Dirichlet's cells may be added up first, so this costs M 2^S variables per draw however many outcomes there are; and
2^S where the whole joint probability is one Dirichlet and the classes do not matter either. Where examples belong to
units, it costs a variable per unit, whatever the measure looks at.
"""

from collections.abc import Iterable, Iterator

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.unit_part import UnitGroups
from pytest_bayesf1.engines.posteriors.group_mass import GroupMass
from pytest_bayesf1.measures.classification import Joint, ratio, total
from pytest_bayesf1.measures.names import Detail


class GroupDraws:
    """Draws of what each side gets right of every class, and of two classes in any detail.

    Parameters
    ----------
    table
        The counts.
    mass
        Where the prior's masses come from.
    detail
        What the measure looks at; more than `Detail.CORRECT` of two classes only.
    """

    def __init__(self, table: OutcomeTable, mass: GroupMass, detail: Detail) -> None:
        self._table, self._mass, self._detail = table, mass, detail
        self._counts = np.ascontiguousarray(table.group_counts.T)
        self._units = None if table.shared_weights is None else UnitGroups(table)
        self.numbers_per_draw = 2 * table.group_counts.size
        if self._units is not None:
            self.numbers_per_draw += self._units.numbers_per_draw

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws; ``class_mass`` (n, M) sets the row sums."""
        masses = self._mass.draw(n, rng).in_rows(self._table)
        parts = self._parts(n, masses, rng)
        true = sum_of_groups(parts, range(len(parts)))
        if class_mass is not None:
            parts *= ratio(class_mass, true)
            true = class_mass
        for side in range(self._table.n_sides):
            joint = joint_of_rows(self._table, true, sum_of_groups(parts, self._table.right_groups(side)))
            yield joint if self._detail <= Detail.CORRECT else joint.of_two_classes(self._detail)

    def _parts(self, n: int, masses: Floats, rng: np.random.Generator) -> Floats:
        """Draw the data's part and the prior's, together where every example is drawn on its own: (groups, n, M)."""
        if self._units is None:
            return rng.standard_gamma(self._counts[:, None] + masses)
        of_units = self._units.group_sums(self._units.draw(n, rng))
        return of_units + rng.standard_gamma(self._units.undrawn[:, None] + masses)


class TotalDraws:
    """Draws of `Detail.TOTAL` where the joint probability is one Dirichlet given the masses: classes add up too.

    Parameters
    ----------
    table
        The counts.
    mass
        Where the prior's masses come from.
    """

    def __init__(self, table: OutcomeTable, mass: GroupMass) -> None:
        self._table, self._mass = table, mass
        self._counts = table.group_counts.sum(axis=0)
        self.numbers_per_draw = 2 * self._counts.size

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws, as if there were one class; it has a mass of one."""
        assert class_mass is None
        n_rows = int(self._table.may_be_true.sum())
        parts = rng.standard_gamma(self._counts + n_rows * self._mass.draw(n, rng).groups[:, 0])
        parts /= total(parts)[:, None]
        for side in range(self._table.n_sides):
            right = self._table.right_groups(side)
            yield Joint(np.ones((n, 1)), total(parts[:, right])[:, None])


def sum_of_groups(held: Floats, groups: Iterable[int]) -> Floats:
    """Add up what some groups of every row hold.

    Parameters
    ----------
    held : (groups, n, M)
        What all of them hold.
    groups
        Which.
    """
    return np.asarray(sum(held[group] for group in groups))


def joint_of_rows(table: OutcomeTable, true: Floats, correct: Floats) -> Joint:
    """Make every problem's masses, the only one's or each label's, add up to one; those of spans all together.

    The spans that another side alone invents are none of this one's.

    Parameters
    ----------
    table
        The counts; their shape alone matters.
    true, correct : (n, M)
        What every true class holds, and what the side gets right of it.
    """
    shape = (len(true), *table.class_shape)
    true, correct = true.reshape(shape), correct.reshape(shape)
    if not table.spans:
        of_problem = total(true)[..., None]
        return Joint(true / of_problem, correct / of_problem)
    found = correct * [0, 1]
    true = true - (correct - found)
    in_all = true.sum(axis=(-2, -1), keepdims=True)
    return Joint(true / in_all, found / in_all)
