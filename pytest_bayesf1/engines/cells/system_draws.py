"""Joint probabilities of each of several systems on the same examples.

The mass of a system's cell is the sum of the weights of the examples there. All systems share the weights, those of the
examples of the test set and those of a few imagined ones. So there is a gamma variable for every different outcome, or
for every unit, however many systems there are, and any two systems have the joint Dirichlet process of a pair.
"""

from collections.abc import Iterator
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.gammas import GammaRows
from pytest_bayesf1.engines.cells.group_draws import joint_of_rows
from pytest_bayesf1.engines.cells.imagined import Imagined, ImaginedDraws
from pytest_bayesf1.engines.cells.selectors import selector
from pytest_bayesf1.engines.cells.unit_part import unit_weights
from pytest_bayesf1.measures.classification import Joint, ratio, total
from pytest_bayesf1.measures.names import Detail
from pytest_bayesf1.priors import ImaginedExamples


class _Weights(Protocol):
    def draw(self, n: int, rng: np.random.Generator) -> Floats: ...


class SystemDraws:
    """Draws of every system's joint probabilities, in as little detail as the measure needs.

    Parameters
    ----------
    table
        The joint outcomes of all systems.
    prior
        What is imagined of every class.
    detail
        What the measure looks at.

    Attributes
    ----------
    numbers_per_draw
        How many numbers a draw needs at once.
    """

    def __init__(self, table: OutcomeTable, prior: ImaginedExamples, detail: Detail) -> None:
        self._table, self._imagined = table, ImaginedDraws(table, prior)
        self._layout = layout = ErrorSums(table.n_classes, table.n_sides, detail) if detail >= Detail.MARGINS else None
        self._weights, contents, self._true = _weights(table)
        cells = np.arange(table.count.size)

        def sums(target: Codes, at: Codes, size: int) -> csr_array:
            return csr_array(selector(target, at, size, cells.size) @ contents)

        self._by_class = sums(table.true, cells, table.n_classes)
        wrong = [np.flatnonzero(side != table.true) for side in table.predicted]
        self._wrong_by_class = [sums(table.true[at], at, table.n_classes) for at in wrong]
        self._errors = [
            sums(layout.targets(table.true[at], side[at]), at, layout.width)
            for at, side in zip(wrong, table.predicted, strict=True)
            if layout is not None
        ]
        width = table.n_classes if layout is None else layout.width
        self.numbers_per_draw = contents.shape[1] + 4 * width + self._imagined.numbers_per_draw

    def draw(self, n: int, rng: np.random.Generator, class_mass: Floats | None) -> Iterator[Joint]:
        """Yield the joint probabilities of each system, n draws; ``class_mass`` (n, M) sets the row sums.

        Parameters
        ----------
        n
            Number of draws.
        rng
            Where the randomness comes from.
        class_mass : (n, M) or None
            None where the class proportions follow from the outcomes; beside units it has to be.
        """
        weights, imagined = self._weights.draw(n, rng), self._imagined.draw(n, rng)
        shape = n, self._table.n_classes
        true = _by_draw(self._by_class, weights) + imagined.summed(imagined.row, shape)
        if class_mass is not None:
            assert self._table.shared_weights is None
            factor = ratio(class_mass, true)
            weights *= factor.T[self._true]
            true, imagined = class_mass, imagined.rescaled(factor)
        for side, wrong_by_class in enumerate(self._wrong_by_class):
            errors = imagined.of_side(side)
            wrong = _by_draw(wrong_by_class, weights) + errors.summed(errors.row, shape)
            correct = np.maximum(true - wrong, 0)  # rounding may leave less than nothing
            yield self._joint(side, weights, errors, true, correct)

    def _joint(self, side: int, weights: Floats, errors: Imagined, true: Floats, correct: Floats) -> Joint:
        layout = self._layout
        if layout is None:
            return joint_of_rows(self._table, true, correct)
        targets = layout.targets(errors.true, errors.predicted[0], errors.start)
        sums = _by_draw(self._errors[side], weights) + errors.summed(targets, (len(true), layout.width))
        all_rows = total(true)[:, None]
        (joint,) = layout.joints((sums / all_rows)[None], true / all_rows, [correct / all_rows])
        return joint


def _weights(table: OutcomeTable) -> tuple[_Weights, csr_array, Codes]:
    """Return the source of weights, the examples of every cell (K, D) that each weighs, and the true class of each."""
    if table.shared_weights is None:
        order = GammaRows.order(table.count)
        return (
            GammaRows(table.count[order]),
            selector(order, np.arange(order.size), *[order.size] * 2),
            table.true[order],
        )
    assert table.units is not None
    weights = unit_weights(table)
    return weights, csr_array(table.units.cells[:, weights.order] / table.design_effect), table.true[:0]


def _by_draw(sums: csr_array, weights: Floats) -> Floats:
    return np.ascontiguousarray((sums @ weights).T, dtype=np.float64)
