"""The data's part of a draw: a gamma variable per outcome, or a weight per cluster.

Every cluster has a weight of its own, Gamma(1), which all its examples share: the posterior under a Dirichlet process
on the population of clusters (Ferguson 1973), or, but for the prior's part, Rubin's Bayesian bootstrap (1981) over
clusters. The prior is about examples that are drawn one by one: beside it, those of a cluster count by the design
effect less.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint
from pytest_bayesf1.measures.formulas import Detail, total
from pytest_bayesf1.stats.clusters import SizeTilt, SmallSample, influence_on_mean

_Classes: TypeAlias = npt.NDArray[np.integer[Any]]


class ErrorSums:
    """The layout of a draw's sums of errors: ``width`` numbers for each side. What is right is added at the end."""

    def __init__(self, n_classes: int, n_sides: int, detail: Detail) -> None:
        self._n_classes, self.n_sides = n_classes, n_sides
        self._whole_matrix = detail is Detail.MATRIX
        self.width = n_classes**2 if self._whole_matrix else n_classes

    def targets(self, true: _Classes | int, predicted: _Classes, start: Codes | int = 0) -> Codes:
        """Return the positions that cells count towards, among the sums of one draw or of many one after the other."""
        first = (start + true) * self._n_classes if self._whole_matrix else start
        return np.asarray(first + predicted, np.int64)

    def spread(self, mass: Floats, weights: Weights) -> Floats:
        """Spread the mass of each row, (n, M), over what is wrong there by the weights of predictions, (M,).

        Returns the sums of one side, (n, width).
        """
        each = mass / (weights.sum() - weights)
        if self._whole_matrix:
            wrong = weights * (1 - np.eye(self._n_classes))
            return np.asarray(each[:, :, None] * wrong).reshape(len(mass), -1)
        return np.asarray((total(each)[:, None] - each) * weights)

    def joints(self, sums: Floats, true: Floats, correct: Sequence[Floats]) -> Iterator[Joint]:
        """Read each side's joint probabilities off the sums."""
        for wrong, right in zip(sums, correct, strict=True):
            if self._whole_matrix:
                matrix = wrong.reshape(-1, self._n_classes, self._n_classes)
                np.einsum("nii->ni", matrix)[:] += right
                yield Joint(true, right, matrix.sum(axis=1), matrix)
            else:
                yield Joint(true, right, wrong + right)


# so many exponential variables, whose sum is the log of a product of uniform ones, take less time than a gamma variable
_FEW_EXPONENTIALS = range(1, 6)
_HALF = 0.5
_AT_ONCE = 20_000  # numbers that stay in a processor's cache

Precision: TypeAlias = type[np.float32] | type[np.float64]


class GammaRows:
    """A row of independent gamma variables for each shape, (K,) in ascending order."""

    def __init__(self, shapes: Weights) -> None:
        self._shapes, starts = np.unique(shapes, return_index=True)
        self._bounds = [*starts.tolist(), shapes.size]

    @staticmethod
    def order(shapes: Weights) -> Codes:
        """Return the positions that bring shapes into ascending order."""
        return np.argsort(shapes, kind="stable")

    def draw(self, n: int, rng: np.random.Generator, dtype: Precision = np.float64) -> Floats:
        """Draw every row."""
        rows = np.empty((self._bounds[-1], n), dtype)
        for shape, start, end in zip(self._shapes.tolist(), self._bounds, self._bounds[1:], strict=False):
            if shape in _FEW_EXPONENTIALS:
                step = max(_AT_ONCE // n, 1)
                for first in range(start, end, step):
                    _add_exponentials(rows[first : min(first + step, end)], int(shape), rng)
            elif shape == _HALF:  # half the square of a normal variable
                rng.standard_normal(out=rows[start:end], dtype=dtype)
                np.square(rows[start:end], out=rows[start:end])
                rows[start:end] *= _HALF
            else:
                rng.standard_gamma(shape, out=rows[start:end], dtype=dtype)
        return rows


def gamma_rows(shapes: Weights, n: int, rng: np.random.Generator) -> Floats:
    """Draw a row for each shape, (K,) in any order."""
    order, rows = GammaRows.order(shapes), np.empty((shapes.size, n))
    rows[order] = GammaRows(shapes[order]).draw(n, rng)
    return rows


def _add_exponentials(rows: Floats, times: int, rng: np.random.Generator) -> None:
    """Fill rows with sums of so many exponential variables."""
    rng.random(out=rows, dtype=rows.dtype)
    np.subtract(1, rows, out=rows)  # never 0
    for _ in range(1, times):
        rows *= 1 - rng.random(rows.shape, rows.dtype)
    np.log(rows, out=rows)
    np.negative(rows, out=rows)


Positions: TypeAlias = npt.NDArray[np.int64]


def selector(target: Positions, source: Positions, n_targets: int, n_sources: int) -> csr_array:
    """Return the (n_targets, n_sources) matrix that adds each source to its target."""
    return csr_array((np.ones(target.size, np.float32), (target, source)), shape=(n_targets, n_sources))


class ExamplePart:
    """A gamma variable of shape c for every non-zero cell of the groups that hold several.

    Attributes
    ----------
    undrawn : (groups, M)
        Examples of the groups that hold one outcome: shapes that are left to be drawn together with the prior's.
    """

    def __init__(self, table: OutcomeTable, sums: ErrorSums) -> None:
        spread = np.flatnonzero(table.group_sizes[table.group] > 1)
        order = spread[GammaRows.order(table.count[spread])]
        true, predicted, group = table.true[order], table.predicted[:, order], table.group[order]
        self.undrawn = np.ascontiguousarray(table.group_counts.T)
        self.numbers_per_draw = order.size
        self._true = true
        self._gammas = GammaRows(table.count[order])
        self._to_group = selector(group * table.n_classes + true, np.arange(order.size), self.undrawn.size, order.size)
        self._to_sums = []
        for side in predicted:
            wrong = np.flatnonzero(side != true)
            self._to_sums.append(selector(sums.targets(true[wrong], side[wrong]), wrong, sums.width, order.size))

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw every cell n times: (K, n), cells in the order of their counts, in single precision."""
        return self._gammas.draw(n, rng, np.float32)

    def group_sums(self, drawn: Floats) -> Floats:
        """Sum by group and true class: (groups, n, M)."""
        sums = (self._to_group @ drawn).reshape(*self.undrawn.shape, -1)
        return np.ascontiguousarray(sums.swapaxes(1, 2), dtype=np.float64)

    def rescaled(self, drawn: Floats, factor: Floats) -> Floats:
        """Multiply the cells of each row by its factor, (n, M), in place."""
        drawn *= np.ascontiguousarray(factor.T, np.float32)[self._true]
        return drawn

    def side_sums(self, drawn: Floats) -> Floats:
        """Sum into the sides' sums: (sides, n, width)."""
        return np.stack([(to_sums @ drawn).T for to_sums in self._to_sums]).astype(np.float64, order="C")


class ClusterWeights:
    """Draws of the weight of all clusters of each content.

    Few clusters are less informative than weights Gamma(1) suppose. A draw's weights are then Gamma(a) / a, with one a
    for all of them:

        a = (chi2_d / d) / v.

    That turns a normal posterior into Student's t with d degrees of freedom and v times the variance (see
    `SmallSample`), and every score stays within its bounds. Where sizes are skewed, each weight is multiplied by an
    uncertain power of the cluster's size (see `SizeTilt`).

    Attributes
    ----------
    order : (D,)
        The contents in the order in which the weights come.
    """

    def __init__(self, n_clusters: Weights, chance: SmallSample, tilt: SizeTilt) -> None:
        self.order = GammaRows.order(n_clusters)
        self._n_clusters, self._chance = n_clusters[self.order], chance
        self._plain = GammaRows(self._n_clusters)
        self._tilt = replace(tilt, size=tilt.size[self.order])

    @classmethod
    def of_influences(cls, influences: Floats, sizes: Floats, n_clusters: Weights) -> Self:
        """Learn from how far each cluster moves the result of every side, (sides, D), what few of them tell."""
        tilt = SizeTilt.of(sizes, n_clusters)
        usual = sizes * tilt.usual
        influences = np.stack([influence_on_mean(each * tilt.usual, usual, n_clusters) for each in influences])
        return cls(n_clusters, SmallSample.of_sides(influences, usual, n_clusters), tilt)

    def draw(self, n: int, rng: np.random.Generator, dtype: Precision = np.float64) -> Floats:
        """Draw every weight n times: (D, n)."""
        weights = self._drawn(n, rng, dtype)
        if self._tilt.exponent:
            weights *= self._tilt.factors(n, rng)
        return weights

    def _drawn(self, n: int, rng: np.random.Generator, dtype: Precision) -> Floats:
        if self._chance.is_plain:
            return self._plain.draw(n, rng, dtype)
        dof, variance = self._chance.dof, self._chance.variance
        shares = rng.chisquare(dof, n) / (dof * variance)
        return np.asarray(rng.standard_gamma(self._n_clusters[:, None] * shares) / shares)


class ClusterGroups:
    """What the clusters hold of every true class and group of outcomes.

    Attributes
    ----------
    undrawn : (groups, M)
        Nothing: no shape is left to be drawn together with the prior's.
    """

    def __init__(self, table: OutcomeTable) -> None:
        assert table.clusters is not None
        self._weights = cluster_weights(table)
        self._contents = table.clusters.cells[:, self._weights.order] / table.design_effect
        self.undrawn = np.zeros(table.group_counts.T.shape)
        self.numbers_per_draw = self._weights.order.size
        n_cells = table.count.size
        to_group = selector(table.group * table.n_classes + table.true, np.arange(n_cells), self.undrawn.size, n_cells)
        self._group_contents = (to_group @ self._contents).tocsr()

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the weights of all clusters of each content n times: (D, n)."""
        return self._weights.draw(n, rng)

    def group_sums(self, drawn: Floats) -> Floats:
        """Sum by group and true class: (groups, n, M)."""
        sums = (self._group_contents @ drawn).reshape(*self.undrawn.shape, -1)
        return np.ascontiguousarray(sums.swapaxes(1, 2), dtype=np.float64)


class ClusterPart(ClusterGroups):
    """What the clusters hold of every cell; rescaled, cells are multiplied before they are added up."""

    def __init__(self, table: OutcomeTable, sums: ErrorSums, *, rescaled: bool) -> None:
        super().__init__(table)
        self._true = table.true
        self.numbers_per_draw += 2 * table.count.size if rescaled else 0
        spread = table.group_sizes[table.group] > 1
        self._side_contents = []
        for predicted in table.predicted:
            wrong = np.flatnonzero(spread & (predicted != table.true))
            targets = sums.targets(table.true[wrong], predicted[wrong])
            to_sums = selector(targets, wrong, sums.width, table.count.size)
            self._side_contents.append(to_sums if rescaled else (to_sums @ self._contents).tocsr())

    def rescaled(self, drawn: Floats, factor: Floats) -> Floats:
        """Return what the clusters hold of every cell, (K, n), multiplied by the factor of each row, (n, M)."""
        return np.asarray((self._contents @ drawn) * factor.T[self._true])

    def side_sums(self, drawn: Floats) -> Floats:
        """Sum what each side predicts wrongly, of the groups that hold several outcomes: (sides, n, width)."""
        return np.ascontiguousarray(np.stack([(contents @ drawn).T for contents in self._side_contents]))


def cluster_weights(table: OutcomeTable) -> ClusterWeights:
    """Make the source of the weights that the clusters of a table have.

    How much few clusters vary is learned from the examples that one of two sides has right and the other has not,
    or that the only side has; of more sides, on average over them, from those that a side has right and others have
    not. One spread for all measures keeps their draws together; benchmarks/studies/clusters.md has tables for it.
    """
    assert table.clusters is not None
    clusters, right = table.clusters, (table.predicted == table.true).astype(np.float64)
    gained = right if table.n_sides == 1 else right - right.mean(axis=0)
    sizes = clusters.sizes / table.cells_per_example
    influences = np.stack([influence_on_mean(added, sizes, clusters.n_clusters) for added in gained @ clusters.cells])
    return ClusterWeights.of_influences(influences, sizes, clusters.n_clusters)


def data_part(table: OutcomeTable, sums: ErrorSums, *, rescaled: bool) -> ExamplePart | ClusterPart:
    """Choose the way by whether the examples belong to clusters, and whether rows are rescaled once they are drawn."""
    return ExamplePart(table, sums) if table.shared_weights is None else ClusterPart(table, sums, rescaled=rescaled)
