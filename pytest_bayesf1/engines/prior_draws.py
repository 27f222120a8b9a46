"""The prior's part of a draw: cells without examples, as atoms of a stick-breaking process.

Gamma variables of tiny shape are nearly all nearly zero. They are the increments of a gamma process, a sum of jumps on
random cells. Bondesson (1982) draws them by depth: a process of mass A has A of them for every cluster of depth, and
one at the depth t has the size V exp(-t), where V is exponential. From the depth d on they are exp(-d) times a process
like the whole. In its place there is something simpler with the very same mean, variance and third central moment on
any set of cells: half of its mean is spread evenly, and for every four clusters of mass there is one jump of size two.

A row holds either one large atom, beside which there may be small ones, or small ones alone; what is left is spread
evenly. With shares s of the atoms, the moments of a set's mass follow from the means of sum s^2, sum s^3, sum s^4 and
(sum s^2)^2. Of a process of total rho, 1 + rho times the mean of sum s^(2 + k) is the mean of V^k, V ~ Beta(2, rho). A
variable that is either of two numbers has V's mean and variance where one lies z standard deviations above the mean,
the other 1 / z below, and the first has the probability 1 / (1 + z^2): so do the sizes of the atoms. How often there is
a large one follows, and from the last mean how many small ones there are beside it and alone.

A symmetric Dirichlet of total rho is a Dirichlet process over the cells: a sum of atoms on random cells, each of which
takes a share Beta(1, rho) of what the ones before it have left (Sethuraman 1994). What the first ones leave is split
like the whole. In its place there are few atoms with the very same first four moments on any set of cells
(`late_atoms`); where cells are only added up, they stand for all.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.data_draws import ErrorSums, gamma_rows
from pytest_bayesf1.engines.hyperparameters import GroupMass, Masses
from pytest_bayesf1.errors import InputError

_FAINT_PER_MASS = 1 / 4
_FAINT_SIZE = 2.0
_EVEN_PER_MASS = 1 - _FAINT_PER_MASS * _FAINT_SIZE


def jumps_per_mass(depth: float) -> float:
    """Return the expected number of jumps for every cluster of mass."""
    return depth + _FAINT_PER_MASS


def spread_per_mass(depth: float) -> float:
    """Return what is spread evenly for every cluster of mass."""
    return _EVEN_PER_MASS * math.exp(-depth)


def jump_sizes(n: int, depth: float, rng: np.random.Generator) -> Floats:
    """Draw sizes of jumps."""
    height = rng.random(n)
    height *= -jumps_per_mass(depth)
    faint = np.flatnonzero(height < -depth)
    size = np.exp(height, out=height)
    size *= rng.standard_exponential(n)
    size[faint] = _FAINT_SIZE * math.exp(-depth)
    return size


_DISTANCE = 2.0
"""The most that z is: the larger it is, the fewer atoms, but the less is right about the fifth moment."""
_CLOSE = 1e-9  # how well z is found where it is less


class Sizes(NamedTuple):
    """What is the same in all rows and draws of one rho.

    Attributes
    ----------
    large, small
        Shares of the atoms.
    chance
        Probability that there is a large one.
    beside, alone
        How many small ones there are on average, beside a large one and alone.
    """

    large: float
    small: float
    chance: float
    beside: float
    alone: float


@cache
def sizes(rho: float) -> Sizes:
    """Choose the atoms, the large one as far from the mean as it may be without fewer than no small ones beside it."""
    high = math.sqrt(rho * (3 + rho) / 2)  # where the large atom is all there is
    low, farthest = high / 2, max(_DISTANCE, math.sqrt(rho) / 4)
    if farthest < high and _sizes(rho, farthest).beside >= 0:
        return _sizes(rho, farthest)
    while high - low > _CLOSE:
        z = (low + high) / 2
        low, high = (z, high) if _sizes(rho, z).beside > 0 else (low, z)
    return _sizes(rho, low)


def _sizes(rho: float, z: float) -> Sizes:
    mean = 2 / (2 + rho)
    sd = mean * math.sqrt(rho / (6 + 2 * rho))
    large, small = mean + z * sd, mean - sd / z
    chance = 1 / ((1 + rho) * (1 + z**2) * large**2)
    n_small = z**2 / ((1 + rho) * (1 + z**2) * small**2)
    sd_of_squares = math.sqrt(2 * rho / ((2 + rho) * (3 + rho))) / (1 + rho)
    fewer = (large**2 - sd_of_squares / math.sqrt(chance * (1 - chance))) / small**2
    return Sizes(large, small, chance, n_small - (1 - chance) * fewer, n_small + chance * fewer)


@dataclass(frozen=True, eq=False)
class LateAtoms:
    """The atoms of some rows in each of n draws.

    How many small ones are alone is the same in all rows of a draw. So their sizes are such that sum s^2 does not
    depend on it: else rows would vary together.

    Attributes
    ----------
    draws, rows : (J,)
        Where there is a large one.
    large, beside : (J,)
        Its share, and that of each of the small ones beside it.
    n_beside : (J,)
        How many these are.
    small, n_small : (n,)
        Share of each of the small ones that are alone, and how many they are.
    """

    draws: Codes
    rows: Codes
    large: Floats
    beside: Floats
    n_beside: Counts
    small: Floats
    n_small: Counts

    @classmethod
    def draw(cls, rho: Floats, n_rows: int, rng: np.random.Generator) -> "LateAtoms":
        """Draw them."""
        values, which = np.unique(rho, return_inverse=True)
        large, small, chance, beside, alone = np.array([sizes(value) for value in values.tolist()])[which].T
        has_large = rng.random((rho.size, n_rows), np.float32) < chance[:, None].astype(np.float32)
        draws, rows = np.divmod(np.flatnonzero(has_large), n_rows)
        n_beside = np.floor(beside[draws] + rng.random(draws.size)).astype(np.int64)
        n_small = _rounded(alone, small, rng)
        return cls(draws, rows, large[draws], small[draws], n_beside, small * np.sqrt(alone / n_small), n_small)

    @property
    def rest(self) -> Floats:
        """(n,) share that small ones which are alone leave, to be spread evenly."""
        return np.asarray(1 - self.n_small * self.small)

    @property
    def rest_beside(self) -> Floats:
        """(J,) share that the large ones leave, and those beside them."""
        return np.asarray(1 - self.large - self.n_beside * self.beside)


def _rounded(number: Floats, share: Floats, rng: np.random.Generator) -> Counts:
    """Round a number of atoms down or up such that 1 / sqrt of it is right on average; down where more find no room."""
    fewer = np.floor(number)
    more_fit = share * np.sqrt(number * (fewer + 1)) <= 1
    chance = (fewer**-0.5 - number**-0.5) / (fewer**-0.5 - (fewer + 1) ** -0.5)
    rounded: Counts = (fewer + ((rng.random(number.size) < chance) & more_fit)).astype(np.int64)
    return rounded


CELL_ERROR = 1e-12
"""Where cells are looked at one by one, as many come first as leave so little of the fourth moment of what is held."""

_NUMBERS_PER_ROW = 8
_TIME_PER_ROW = 3  # of what the row holds and of its atoms, in gamma variables


def cell_atoms(rho: float) -> int:
    """Return how many atoms come first where cells are looked at one by one."""
    return math.ceil(math.log(CELL_ERROR) / math.log(rho / (rho + 4)))  # the mean of (1 - Beta(1, rho))^4


class AtomPart:
    """A group's mass, spread evenly over its cells, with few atoms in each row.

    Attributes
    ----------
    expected
        Time of a draw, in gamma variables.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, *, one_by_one: bool) -> None:
        self._wrong = table.wrong_sides(group)
        self._has_examples = table.group_counts[:, group] > 0
        self._one_by_one = one_by_one
        self.expected = float(table.n_classes * (1 + cell_atoms(expected) if one_by_one else _TIME_PER_ROW))
        self.numbers_per_draw = _NUMBERS_PER_ROW * table.n_classes

    def draw(self, mass: Floats, rng: np.random.Generator) -> "AtomDraw":
        """Draw what every row holds, to be rescaled; its split is drawn when it is added."""
        held = gamma_rows(mass, self._has_examples.size, rng)
        held[:, ~self._has_examples] = 1  # beside nothing else, whatever it is
        first = cell_atoms(float(mass.max())) if self._one_by_one else 0
        return AtomDraw(held, mass, self._wrong, first, rng)


class AtomDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, rho: Floats, wrong: list[int], first: int, rng: np.random.Generator) -> None:
        self.sums = sums
        self._rho, self._wrong, self._first, self._rng = rho, wrong, first, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply what each row holds by its factor, (n, M), before it is split."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Split each row's sum and add it to the sides' sums: the first atoms, and something simpler for all others."""
        assert sums.flags.c_contiguous  # whose flat views are no copies
        left, power, n_rows = self.sums, (1 / self._rho[:, None]).astype(np.float32), self.sums.shape[1]
        split = _Split([sums[side] for side in self._wrong], n_rows, layout, self._rng)
        draws, rows = np.arange(len(left))[:, None], np.arange(n_rows)
        for _ in range(self._first):
            rest = left * self._rng.random(left.shape, np.float32) ** power  # 1 - Beta(1, rho)
            split.put(left - rest, draws, rows)
            left = rest
        late = LateAtoms.draw(self._rho, n_rows, self._rng)
        of_large = left[late.draws, late.rows]
        left = left.copy()
        left[late.draws, late.rows] = 0
        small = left * late.small[:, None]
        for number in range(int(late.n_small.max())):
            here = late.n_small > number
            split.put(small[here], draws[here], rows)
        split.put(of_large * late.large, late.draws, late.rows)
        beside = of_large * late.beside
        for number in range(int(late.n_beside.max(initial=0))):
            here = late.n_beside > number
            split.put(beside[here], late.draws[here], late.rows[here])
        left *= late.rest[:, None]
        left[late.draws, late.rows] = of_large * late.rest_beside
        split.put_evenly(left)


class _Split:
    """What every wrong side predicts, (n, width) each, to which it is added."""

    def __init__(self, sides: list[Floats], n_classes: int, layout: ErrorSums, rng: np.random.Generator) -> None:
        self._sides, self._n_classes, self._layout, self._rng = sides, n_classes, layout, rng

    def put(self, atoms: Floats, draws: Codes, true: Codes) -> None:
        """Put atoms on cells at random; each is of the draw and of the true class that are broadcast to it."""
        few: type[np.integer[Any]] = np.uint16 if self._n_classes < 1 << 16 else np.int64
        start, true_few = draws * self._n_classes, true.astype(few)
        for side in self._sides:
            other = self._rng.integers(0, self._n_classes - 1, atoms.shape, few)
            other += other >= true_few
            np.add.at(side.reshape(-1), self._layout.targets(true_few, other, start).ravel(), atoms.ravel())

    def put_evenly(self, mass: Floats) -> None:
        """Spread what is left of every row, (n, M)."""
        evenly = self._layout.evenly(mass)
        for side in self._sides:
            np.add(side, evenly, out=side)


class CellPart:
    """A group's mass, cell by cell, one row after the other.

    The sums that a measure needs are margins of an array of independent gamma variables. No closed form gives their
    joint distribution, so every cell is visited; that bounds the number of classes.
    """

    def __init__(self, table: OutcomeTable, group: int) -> None:
        self._may_be_true, self._size = table.may_be_true, int(table.group_sizes[group])
        self._wrong = table.wrong_sides(group)
        self.numbers_per_draw = table.n_classes * self._size

    def draw(self, mass: Floats, rng: np.random.Generator) -> "CellDraw":
        """Draw what every row holds; its split is drawn when it is added."""
        held = rng.standard_gamma(mass[:, None] * self._may_be_true)
        return CellDraw(held, mass / self._size, self._wrong, rng)


class CellDraw:
    """n draws of what a group holds in every row, still to be split over its cells."""

    def __init__(self, sums: Floats, cell_mass: Floats, wrong: list[int], rng: np.random.Generator) -> None:
        self.sums = sums
        self._cell_mass, self._wrong, self._rng = cell_mass, wrong, rng

    def rescale(self, factor: Floats) -> None:
        """Multiply what each row holds by its factor, (n, M), before it is split."""
        self.sums = self.sums * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Split each row's sum, by a Dirichlet that does not depend on it, and add it to the sides' sums."""
        n_classes = self.sums.shape[1]
        for true in np.flatnonzero(self.sums.any(axis=0)).tolist():
            cells = self._split(self.sums[:, true], n_classes - 1)
            others = np.delete(np.arange(n_classes), true)
            for axis, side in enumerate(self._wrong):
                rest = tuple(1 + other for other in range(len(self._wrong)) if other != axis)
                sums[side][:, layout.targets(true, others)] += cells.sum(axis=rest)

    def _split(self, held: Floats, n_others: int) -> Floats:
        """Split over the predictions of the sides that are wrong: (n, M - 1), or (n, M - 1, M - 1)."""
        per_draw = (-1, *[1] * len(self._wrong))
        shape = (held.size, *[n_others] * len(self._wrong))
        cells = self._rng.standard_gamma(self._cell_mass.reshape(per_draw), size=shape)
        together = cells.sum(axis=tuple(range(1, cells.ndim)))
        return np.asarray(cells * (held / together).reshape(per_draw))


DEPTH = 4.0
"""Of `gamma_process`, where cells are added up beside an example: no quantile moves by 1e-3 standard deviations."""

CELL_DEPTH = 28.0
"""The same where a sum may hold nothing else."""

_NUMBERS_PER_JUMP = 4


def has_examples_everywhere(table: OutcomeTable) -> bool:
    """Whether every side has every class right once: no total that scores divide by is then empty."""
    right = [table.side(index).group_counts[table.may_be_true, 0].min() for index in range(table.n_sides)]
    return bool(min(right) >= table.design_effect)


class JumpPart:
    """A group's mass, spread evenly over its cells.

    Attributes
    ----------
    expected
        Number of jumps in a draw.
    """

    def __init__(self, table: OutcomeTable, group: int, expected: float, depth: float) -> None:
        self._may_be_true, self._rows = table.may_be_true, np.flatnonzero(table.may_be_true)
        self._wrong, self._depth = table.wrong_sides(group), depth
        self.expected = jumps_per_mass(depth) * expected * self._rows.size
        self.numbers_per_draw = int(_NUMBERS_PER_JUMP * self.expected)

    def draw(self, mass: Floats, rng: np.random.Generator) -> "JumpDraw":
        """Draw the jumps of every row, as many as the mass calls for, each on a cell at random."""
        n_classes, n_rows = self._may_be_true.size, self._rows.size
        times = rng.poisson(jumps_per_mass(self._depth) * n_rows * mass)
        start = np.repeat(np.arange(mass.size) * n_classes, times)
        true = rng.integers(0, n_rows, start.size)
        if n_rows < n_classes:
            true = self._rows[true]
        predicted = {}
        for side in self._wrong:
            predicted[side] = rng.integers(0, n_classes - 1, start.size)
            predicted[side] += predicted[side] >= true
        spread = spread_per_mass(self._depth) * mass[:, None] * self._may_be_true
        return JumpDraw(start, true, predicted, jump_sizes(start.size, self._depth, rng), spread)


class JumpDraw:
    """n draws of jumps, and of what is spread evenly over every row, (n, M).

    Of each jump there are its draw, its true class and wrong predictions, as in `ErrorSums.targets`, and its size.
    """

    def __init__(self, start: Codes, true: Codes, predicted: dict[int, Codes], size: Floats, spread: Floats) -> None:
        self._start, self._true, self._predicted, self._size, self._spread = start, true, predicted, size, spread
        self.sums = spread + _scatter(start + true, size, spread.shape)

    def rescale(self, factor: Floats) -> None:
        """Multiply what is in each row by its factor, (n, M)."""
        self._size *= np.take(factor, self._start + self._true)
        self._spread = self._spread * factor

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        spread = layout.evenly(self._spread)
        for side, predicted in self._predicted.items():
            targets = layout.targets(self._true, predicted, self._start)
            sums[side] += _scatter(targets, self._size, spread.shape)
            sums[side] += spread


def _scatter(position: Codes, size: Floats, shape: tuple[int, ...]) -> Floats:
    # what bincount makes of no jumps at all is whole numbers
    return np.bincount(position, size, math.prod(shape)).astype(np.float64, copy=False).reshape(shape)


_MOST_CELLS = 50_000  # of a group; beyond, there are jumps
_MOST_NUMBERS = 1_000_000
_SAFE_MASS = 0.125  # all cells of a group underflow together with probability exp(-700 mass)


class PriorPart:
    """The prior's part of all groups that hold several outcomes, each drawn in the cheaper way."""

    def __init__(self, table: OutcomeTable, mass: GroupMass, *, rescaled: bool, one_by_one: bool) -> None:
        together = not rescaled and not one_by_one and has_examples_everywhere(table)
        depth = DEPTH if together else CELL_DEPTH
        self._parts = {
            group: _part(table, group, mass, depth, one_by_one=one_by_one)
            for group in np.flatnonzero(table.group_sizes > 1).tolist()
        }
        self.numbers_per_draw = sum(part.numbers_per_draw for part in self._parts.values())
        if any(part.numbers_per_draw > _MOST_NUMBERS for part in self._parts.values()):
            raise InputError(
                "prior",
                f"at most {_MOST_CELLS:,} cells under a prior with a pseudo-count in each",
                f"{table.n_classes} classes, {table.n_outcomes**table.n_sides:,} outcomes per class",
                "Such a prior outweighs the data; use prior='hierarchical', whose weight is 1 per class.",
            )

    def draw(self, masses: Masses, rng: np.random.Generator) -> "PriorDraw":
        """Draw the prior's part of every group once for each of the masses."""
        on_cells = masses.on_cells
        return PriorDraw({group: part.draw(on_cells[:, group], rng) for group, part in self._parts.items()})


class PriorDraw:
    """n draws of the prior's part, by group."""

    def __init__(self, groups: "dict[int, GroupDraw]") -> None:
        self._groups = groups

    def add_to_groups(self, held: Floats) -> None:
        """Add what each group holds in each row to (groups, n, M)."""
        for index, group in self._groups.items():
            held[index] += group.sums

    def rescale(self, factor: Floats) -> None:
        """Multiply the cells of each row and group by their factor, (groups, n, M)."""
        for index, group in self._groups.items():
            group.rescale(factor[index])

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        for group in self._groups.values():
            group.add_to(sums, layout)


class GroupDraw(Protocol):
    """n draws of what the prior puts on one group's cells."""

    sums: Floats
    """(n, M), what the group holds in each row."""

    def rescale(self, factor: Floats) -> None:
        """Multiply each row by its factor, (n, M)."""
        ...

    def add_to(self, sums: Floats, layout: ErrorSums) -> None:
        """Add to the sums of what each side predicts wrongly."""
        ...


class GroupPart(Protocol):
    """A way to draw what the prior puts on one group's cells."""

    numbers_per_draw: int

    def draw(self, mass: Floats, rng: np.random.Generator) -> GroupDraw:
        """Draw it once for each mass."""
        ...


def _part(table: OutcomeTable, group: int, mass: GroupMass, depth: float, *, one_by_one: bool) -> GroupPart:
    """Choose the cheaper way; not that by cells where the gamma variables of all of them may underflow."""
    expected, cells = float(mass.expected_on_cells[group]), CellPart(table, group)
    few = (
        AtomPart(table, group, expected, one_by_one=one_by_one)
        if mass.splits_apart
        else JumpPart(table, group, expected, depth)
    )
    affordable = cells.numbers_per_draw <= min(_MOST_CELLS, few.expected)
    return cells if affordable and mass.least_on_cells >= _SAFE_MASS else few
