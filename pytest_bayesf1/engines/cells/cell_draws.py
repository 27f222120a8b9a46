"""Joint probabilities down to the predicted class, at a cost that follows the non-zero cells.

That all sides are right is one outcome of every row, and one gamma variable. In the other groups a gamma variable of
shape c + w is the sum of one of shape c, the data's, and one of shape w, the prior's. The data's part visits the
non-zero cells only and does not depend on eta; where examples belong to units, it is what these hold times their
weights. The prior's part covers all cells: as the jumps of a gamma process (`prior_jumps`), or cell by cell
(`prior_cells`), whichever costs less. Where cells are only added up, the faint jumps are replaced by something simpler
with the same three moments.

Where the prior is about a group's share as a whole, or about the class proportions on their own, the cells of each row
and group are rescaled before the columns are added up; in the first case a few atoms (`prior_atoms`) take the place of
the jumps.
"""

from collections.abc import Iterator

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.data_part import data_part
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.example_part import ExamplePart
from pytest_bayesf1.engines.cells.group_draws import sum_of_groups
from pytest_bayesf1.engines.cells.prior_part import PriorDraw, PriorPart
from pytest_bayesf1.engines.posteriors.group_mass import GroupMass, Masses
from pytest_bayesf1.measures.classification import Joint, ratio, total
from pytest_bayesf1.measures.names import Detail

_ALL_RIGHT = 0  # the group in which every side is


class CellDraws:
    """Draws of `Detail.MARGINS` or `Detail.MATRIX`, of three classes or more.

    Parameters
    ----------
    table
        The counts.
    mass
        Where the prior's masses come from.
    detail
        What the measure looks at.
    rescaled
        Whether a row's cells have to be rescaled to what the row or its groups hold.
    """

    def __init__(self, table: OutcomeTable, mass: GroupMass, detail: Detail, *, rescaled: bool) -> None:
        self._table, self._mass, self._rescaled = table, mass, rescaled
        self._sums = ErrorSums(table.n_classes, table.n_sides, detail)
        self._data = data_part(table, self._sums)
        self._prior = PriorPart(table, mass, rescaled=rescaled, one_by_one=detail is Detail.MATRIX)
        self._counts = np.ascontiguousarray(table.group_counts.T)
        self._right = [table.right_groups(side) for side in range(table.n_sides)]
        self.numbers_per_draw = self._data.numbers_per_draw + 2 * (
            table.group_counts.size + table.n_sides * self._sums.width
        )
        self.numbers_per_draw += self._prior.numbers_per_draw

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws; ``class_mass`` (n, M) sets the row sums."""
        masses = self._mass.draw(n, rng)
        data = self._data.draw(n, rng)
        prior = self._prior.draw(masses, rng)
        held = self._data.group_sums(data)
        prior.add_to_groups(held)
        wanted = self._groups(held, masses, rng)
        true = sum_of_groups(wanted, range(len(wanted)))
        if class_mass is not None:
            wanted *= ratio(class_mass, true)
            true = class_mass
        if self._rescaled:
            assert isinstance(self._data, ExamplePart)  # beside units no prior rescales
            factor = np.divide(wanted, held, out=np.ones_like(held), where=held > 0)
            self._data.rescale(data, factor)
            prior.rescale(factor)
        all_rows = total(true)[:, None]
        correct = [sum_of_groups(wanted, right) / all_rows for right in self._right]
        yield from self._sums.joints(self._wrong(data, prior) / all_rows, true / all_rows, correct)

    def _groups(self, held: Floats, masses: Masses, rng: np.random.Generator) -> Floats:
        """Draw what the groups of every row hold, (groups, n, M), but for what their cells hold already."""
        mass = masses.in_rows(self._table)
        if masses.split is not None:
            return rng.standard_gamma(self._counts[:, None] + mass)
        wanted = held.copy()
        wanted[_ALL_RIGHT] += rng.standard_gamma(self._data.undrawn[_ALL_RIGHT] + mass[_ALL_RIGHT])
        return wanted

    def _wrong(self, data: Floats, prior: PriorDraw) -> Floats:
        """Add up what each side predicts wrongly: (sides, n, width)."""
        sums = self._data.side_sums(data)
        prior.add_to(sums, self._sums)
        return sums
