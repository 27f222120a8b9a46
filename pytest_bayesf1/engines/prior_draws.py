"""The prior's part of a draw: what the prior alone puts on the cells of a group of outcomes.

A cell with c examples and the prior's mass w is Gamma(c + w) = Gamma(c) + Gamma(w). `data_draws` draws the first part
for the cells that have examples; this module draws the second, for all cells. Measures need its sums by true class and
by prediction, the margins of an array of independent gamma variables, whose joint distribution has no closed form.

**Few cells** (`Cells`). Every gamma variable is drawn. Nothing is approximated. Where each cell's mass is the same in
every draw and examples are drawn one by one, it joins the examples': Gamma(c + w) (`with_fixed_cells`).

**A group's mass A spread over many cells** (`ProcessAtoms`; the hierarchical prior). The cells are the increments of a
gamma process, a sum of atoms on cells that are chosen at random. Its atoms come from breaking a stick at the points
t_1 < t_2 < ... of a Poisson process with A points per unit of length:

    size_i = V_i exp(-t_i),    V_i ~ Exponential(1)                                             (Bondesson 1982).

The stick is truncated at the depth t = d. What is left is exp(-d) times a process like the whole; its mean is spread
evenly over the cells. So means are exact, and sums of cells lack the share exp(-2 d) of the prior's variance.

**All of it on one cell** (`OneCell`; the nested prior). In every row a group holds Gamma(A), beside a fixed part of an
example, on one of its cells, which is drawn by the classes' attraction (`WrongPredictions`).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, reduce
from typing import NamedTuple, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.data_draws import ErrorSums
from pytest_bayesf1.engines.hyperparameters import GroupMass
from pytest_bayesf1.errors import InputError

DEPTH = 5.0
"""Where a gamma process is truncated whose cells are added up beside examples: 5e-5 of its variance are left."""

CELL_DEPTH = 28.0
"""The same where a sum may hold nothing else."""

_MOST_CELLS = 50_000  # of a group that is drawn cell by cell
_MOST_NUMBERS = 1_000_000
_SAFE_MASS = 0.125  # all cells of a group underflow together with probability exp(-700 mass)
_NUMBERS_PER_ATOM = 4
_NUMBERS_PER_ROW = 8


class GroupDraw(NamedTuple):
    """n draws of what the prior puts on one group's cells.

    Attributes
    ----------
    held : (n, M)
        What the group holds in each row.
    add_to
        Add the cells, multiplied by a factor per row, (n, M), if there is one, to what each side predicts wrongly.
    """

    held: Floats
    add_to: Callable[[Floats, ErrorSums, Floats | None], None]


def prior_parts(table: OutcomeTable, mass: GroupMass, *, one_by_one: bool) -> dict[int, "PriorPart"]:
    """Choose the cheapest way for every group that holds several outcomes."""
    parts = {
        group: _part(table, group, mass, one_by_one=one_by_one)
        for group in np.flatnonzero(table.group_sizes > 1).tolist()
    }
    if any(part.numbers_per_draw > _MOST_NUMBERS for part in parts.values()):
        raise InputError(
            "prior",
            f"at most {_MOST_CELLS:,} cells under a prior with a pseudo-count in each",
            f"{table.n_classes} classes, {table.n_outcomes**table.n_sides:,} outcomes per class",
            "Such a prior outweighs the data; use prior: hierarchical, whose weight is 1 per class.",
        )
    return parts


def _part(table: OutcomeTable, group: int, mass: GroupMass, *, one_by_one: bool) -> "PriorPart":
    if mass.on_one_cell:
        return OneCell(table, group, mass)
    cells = Cells(table, group, mass.attraction)
    depth = CELL_DEPTH if one_by_one or not has_examples_everywhere(table) else DEPTH
    atoms = ProcessAtoms(table, group, float(mass.expected[group]), depth)
    affordable = cells.numbers_per_draw <= min(_MOST_CELLS, atoms.expected)
    return cells if affordable and mass.least >= _SAFE_MASS else atoms


def with_fixed_cells(table: OutcomeTable, mass: GroupMass, groups: Iterable[int]) -> OutcomeTable:
    """Add to the counts what every draw of the prior puts on each cell of these groups."""
    table = replace(table, clusters=None)
    for group in groups:
        wrong = table.wrong_sides(group)
        true, *others = np.indices((table.n_classes, *[table.n_classes - 1] * len(wrong))).reshape(1 + len(wrong), -1)
        predicted = [true] * table.n_sides
        for side, other in zip(wrong, others, strict=True):
            predicted[side] = other + (other >= true)
        weight = mass.expected[group] * table.may_be_true[true]
        for side in wrong:
            weight = weight * WrongPredictions(mass.attraction[side]).chance(true, predicted[side])
        table = table.plus(OutcomeTable.tally(table.n_classes, true, *predicted, weight=weight))
    return table


def has_examples_everywhere(table: OutcomeTable) -> bool:
    """Whether every side has every class right once: no total that scores divide by is then empty."""
    right = [table.side(index).group_counts[table.may_be_true, 0].min() for index in range(table.n_sides)]
    return bool(min(right) >= table.design_effect)


class WrongPredictions:
    """What a side predicts where it is wrong: each class as likely as its weight, a whole number, but the true one."""

    def __init__(self, weights: Counts) -> None:
        self.weights = weights
        self._start, self._total = weights.cumsum() - weights, weights.sum()

    @cached_property
    def _classes(self) -> Codes:
        return np.repeat(np.arange(self.weights.size), self.weights)

    def chance(self, true: Codes | int, predicted: Codes) -> Floats:
        """Return how likely predictions are, none of which is the true class."""
        return np.asarray(self.weights[predicted] / (self._total - self.weights[true]))

    def draw(self, true: Codes, shape: tuple[int, ...], rng: np.random.Generator) -> Codes:
        """Choose predictions at random, in a shape that the true classes broadcast to."""
        place = rng.random(shape, np.float32)
        place *= (self._total - self.weights[true]).astype(np.float32)
        slot = place.astype(np.int32)
        slot += np.where(slot >= self._start[true], self.weights[true], 0)
        return np.asarray(self._classes[slot])


class Cells:
    """Every cell is a gamma variable of its own, drawn one row after the other."""

    def __init__(self, table: OutcomeTable, group: int, attraction: Counts) -> None:
        self._may_be_true = table.may_be_true
        self._wrong = {side: WrongPredictions(attraction[side]) for side in table.wrong_sides(group)}
        self.numbers_per_draw = table.n_classes * int(table.group_sizes[group])

    def draw(self, mass: Floats, rng: np.random.Generator) -> GroupDraw:
        """Draw what every row holds; its split, a Dirichlet that does not depend on it, is drawn when it is added."""
        n_classes, wrong = self._may_be_true.size, self._wrong
        held = rng.standard_gamma(mass[:, None] * self._may_be_true)
        per_draw = (-1, *[1] * len(wrong))

        def add_to(sums: Floats, layout: ErrorSums, factor: Floats | None) -> None:
            rows = held if factor is None else held * factor
            for true in np.flatnonzero(rows.any(axis=0)).tolist():
                others = np.delete(np.arange(n_classes), true)
                chances = [predictions.chance(true, others) for predictions in wrong.values()]
                cells = rng.standard_gamma(mass.reshape(per_draw) * reduce(np.multiply.outer, chances))
                cells *= (rows[:, true] / cells.sum(axis=tuple(range(1, cells.ndim)))).reshape(per_draw)
                for axis, side in enumerate(wrong):
                    other_sides = tuple(1 + other for other in range(len(wrong)) if other != axis)
                    sums[side][:, layout.targets(true, others)] += cells.sum(axis=other_sides)

        return GroupDraw(held, add_to)


def atom_sizes(n: int, depth: float, rng: np.random.Generator) -> Floats:
    """Draw the sizes of n atoms of a gamma process that is truncated at the depth: there are depth per unit of mass."""
    sizes = rng.random(n)
    sizes *= -depth
    np.exp(sizes, out=sizes)
    sizes *= rng.standard_exponential(n)
    return sizes


class ProcessAtoms:
    """Atoms of a gamma process on the cells of all rows.

    Attributes
    ----------
    expected
        Number of atoms in a draw.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, depth: float) -> None:
        self._may_be_true, self._rows = table.may_be_true, np.flatnonzero(table.may_be_true)
        even = WrongPredictions(np.ones(table.n_classes, np.int64))
        self._wrong, self._depth = dict.fromkeys(table.wrong_sides(group), even), depth
        self.expected = depth * expected * self._rows.size
        self.numbers_per_draw = int(_NUMBERS_PER_ATOM * self.expected)

    def draw(self, mass: Floats, rng: np.random.Generator) -> GroupDraw:
        """Draw the atoms, as many as the mass calls for, each on a cell at random."""
        n_classes, n_rows = self._may_be_true.size, self._rows.size
        times = rng.poisson(self._depth * n_rows * mass)
        start = np.repeat(np.arange(mass.size) * n_classes, times)
        true = self._rows[rng.integers(0, n_rows, start.size)]
        predicted = {side: wrong.draw(true, true.shape, rng) for side, wrong in self._wrong.items()}
        sizes, row = atom_sizes(start.size, self._depth, rng), start + true
        evenly = math.exp(-self._depth) * mass[:, None] * self._may_be_true
        held = evenly.copy()
        _put(held, row, sizes)

        def add_to(sums: Floats, layout: ErrorSums, factor: Floats | None) -> None:
            atoms = sizes if factor is None else sizes * np.take(factor, row)
            left = evenly if factor is None else evenly * factor
            for side, other in predicted.items():
                _put(sums[side], layout.targets(true, other, start), atoms)
                sums[side] += layout.spread(left, self._wrong[side].weights)

        return GroupDraw(held, add_to)


class OneCell:
    """One cell of every row's group, which holds all that the prior puts there."""

    def __init__(self, table: OutcomeTable, group: int, mass: GroupMass) -> None:
        self._wrong = {side: WrongPredictions(mass.attraction[side]) for side in table.wrong_sides(group)}
        self._may_be_true, self._pseudo = table.may_be_true, mass.pseudo[:, group]
        self.numbers_per_draw = _NUMBERS_PER_ROW * table.n_classes

    def draw(self, mass: Floats, rng: np.random.Generator) -> GroupDraw:
        """Draw what every row holds; where it is, is drawn when it is added."""
        n_classes = self._may_be_true.size
        held = rng.standard_gamma(mass[:, None] * self._may_be_true + self._pseudo)

        def add_to(sums: Floats, layout: ErrorSums, factor: Floats | None) -> None:
            true, start = np.arange(n_classes), n_classes * np.arange(mass.size)[:, None]
            weight = held if factor is None else held * factor
            for side, wrong in self._wrong.items():
                other = wrong.draw(true, held.shape, rng)
                _put(sums[side], layout.targets(true, other, start), weight)

        return GroupDraw(held, add_to)


PriorPart: TypeAlias = Cells | ProcessAtoms | OneCell
"""A way to draw what the prior puts on one group's cells."""


def _put(sums: Floats, targets: Codes, atoms: Floats) -> None:
    """Add atoms to the positions of an array in C order."""
    assert sums.flags.c_contiguous  # its flat view is no copy
    np.add.at(sums.reshape(-1), targets.reshape(-1), atoms.reshape(-1))
