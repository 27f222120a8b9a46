"""Joint probabilities down to the predicted class, at a cost that follows the non-zero cells.

A gamma variable of shape c + w is the sum of one of shape c, the data's, and one of shape w, the prior's. The data's
part visits the non-zero cells only and does not depend on eta. The prior's part covers all cells: as the jumps of a
gamma process (`JumpPart`), or cell by cell (`CellPart`), whichever costs less.

Where the prior is about a group's share as a whole, or about the class proportions on their own, the cells of each row
and group are rescaled before the columns are added up.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pytest_bayesf1.engines.group_mass import GroupMass
from pytest_bayesf1.engines.prior_part import PriorPart
from pytest_bayesf1.engines.side_sums import SideSums
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.joint import Joint
from pytest_bayesf1.stats.measure_names import Detail
from pytest_bayesf1.stats.outcomes import OutcomeTable


class CellDraws:
    """Draws of `Detail.MARGINS` or `Detail.MATRIX`."""

    def __init__(self, table: OutcomeTable, mass: GroupMass, detail: Detail) -> None:
        self._table, self._mass = table, mass
        self._sums = SideSums(table.n_classes, table.n_sides, detail)
        self._data = _DataPart(table, self._sums)
        self._prior = PriorPart(table, mass)
        self.numbers_per_draw = 2 * (table.count.size + table.group_counts.size + self._sums.width)
        self.numbers_per_draw += self._prior.numbers_per_draw

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each side, n draws; ``class_mass`` (n, M) sets the row sums."""
        masses = self._mass.draw(n, rng)
        cells = self._data.draw(n, rng)
        prior = self._prior.draw(masses, rng)
        held = self._data.group_sums(cells) + prior.group_sums
        wanted = held if masses.split is None else rng.standard_gamma(self._table.group_counts + masses.groups)
        if class_mass is not None:
            wanted = wanted * (class_mass / wanted.sum(axis=2))[:, :, None]
        if wanted is not held:
            factor = np.divide(wanted, held, out=np.ones_like(held), where=held > 0)
            self._data.rescale(cells, factor)
            prior.rescale(factor)
        sums = self._data.side_sums(cells)
        prior.add_to(sums, self._sums)
        true = wanted.sum(axis=2)
        total = true.sum(axis=1, keepdims=True)
        yield from self._sums.joints(sums / total, true / total)


class _DataPart:
    """A gamma variable of shape c for every non-zero cell."""

    def __init__(self, table: OutcomeTable, sums: SideSums) -> None:
        order = np.argsort(table.count, kind="stable")
        self._groups_shape = table.group_counts.shape
        self._row_group = table.true[order] * self._groups_shape[1] + table.group[order]
        self._shapes, starts = np.unique(table.count[order], return_index=True)
        self._bounds = [*starts.tolist(), order.size]
        cell = np.arange(order.size)
        self._to_group = _selector(self._row_group, cell, table.group_counts.size, order.size)
        targets, sources = [], []
        true, predicted, group = table.true[order], table.predicted[:, order], table.group[order]
        for side in range(table.n_sides):
            for kind in np.unique(group):
                chosen = cell[group == kind]
                right = table.is_right(side, int(kind))
                for target in sums.targets(side, true[chosen], predicted[side, chosen], right):
                    targets.append(target)
                    sources.append(chosen)
        none = np.empty(0, dtype=np.int64)
        self._to_sums = _selector(
            np.concatenate([none, *targets]), np.concatenate([none, *sources]), sums.width, order.size
        )

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw every cell n times: (K, n), cells in the order of their counts."""
        cells = np.empty((self._row_group.size, n))
        for shape, start, end in zip(self._shapes.tolist(), self._bounds, self._bounds[1:], strict=False):
            if shape == 1:
                rng.standard_exponential(out=cells[start:end])
            else:
                rng.standard_gamma(shape, out=cells[start:end])
        return cells

    def group_sums(self, cells: Floats) -> Floats:
        """Sum by true class and group: (n, M, groups)."""
        sums = np.asarray((self._to_group @ cells).T, dtype=np.float64)
        return sums.reshape(-1, *self._groups_shape)

    def rescale(self, cells: Floats, factor: Floats) -> None:
        """Multiply the cells of each row and group by their factor, (n, M, groups), in place."""
        cells *= factor.reshape(len(factor), -1).T[self._row_group]

    def side_sums(self, cells: Floats) -> Floats:
        """Sum into the sides' sums: (n, width)."""
        return np.ascontiguousarray((self._to_sums @ cells).T, dtype=np.float64)


def _selector(
    target: npt.NDArray[np.int64], source: npt.NDArray[np.int64], n_targets: int, n_sources: int
) -> csr_array:
    return csr_array((np.ones(target.size), (target, source)), shape=(n_targets, n_sources))
