"""The posterior of a prior's own parameter, eta: no Markov chain, no tuning.

**The model.** Row j of a table holds the counts c of the outcomes (cells) of one true class, n_j in all. The cells fall
into groups: right and wrong for one side; both right, one right, the other right and both wrong for two. Group g has
size_g cells. Every row has the same Dirichlet weights:

    hierarchical   eta_g / size_g for each cell of group g,    eta ~ Dirichlet(a)
    nested         kappa eta_g for group g, on one of its cells, which is chosen by the classes' attraction
    fixed          the same pseudo-count in each cell: nothing is unknown

The first is Zhang et al. (2015), eq. 1-13, for one side, and for two sides its paired form; `group_weights` gives a.
The last is Zhang et al. (2016) where the pseudo-count is 1. Rows of different kinds (labels: absent or present; 2015,
section V) have an eta each.

**Hierarchical.** A row's weights sum to 1 whatever eta is, so theta integrates out to a product over the groups, on the
simplex of eta, of the non-zero cells c of each group in all rows:

    p(eta | c)  ∝  prod_g  eta_g^(a_g - 1)  prod_cells  Gamma(c + eta_g / size_g) / Gamma(eta_g / size_g)

Each group's factor has the form eta^(shape - 1) exp(h(eta)), where shape is a_g plus the number of its non-zero cells,
and h is smooth, increasing and concave (`GroupFactor`). Draws of eta are independent (`EtaPosterior`):

1. Find the typical eta, at which shape_g / eta_g + h_g'(eta_g) is the same in every group: the mode of log eta on the
   simplex (`typical_point`). Call this slope the tilt, and multiply every factor by exp(-tilt eta). On the simplex
   that is a constant, so the posterior stays as it is; but independent draws from the factors now sum to about 1.
2. Tabulate each tilted factor as a distribution of its own on (0, 1) (`TiltedFactor`).
3. Propose all groups but the widest from their tables; the widest takes what remains of 1.
4. Accept in proportion to the widest group's tilted factor there: rejection sampling, exact up to the tables.

**Nested.** eta is Dirichlet, with weights in closed form (`eta_weights`).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt
from numpy.polynomial import Chebyshev, chebyshev
from scipy.special import betaln, digamma, xlogy

from pytest_bayesf1.arrays import Counts, Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.priors import EvenCells, NestedGroups, Prior, RowPrior, SharedGroups

_ROUNDING = 1e-16
_NEGLIGIBLE_TERM = 1e-7  # of the log of a factor


@dataclass(frozen=True)
class GroupFactor:
    """One group's factor of the posterior, eta^(shape - 1) exp(h(eta)), or those of several groups.

    h comes from rising factorials of scale * eta, and is stored as a Chebyshev series in log(1 + scale eta). In this
    variable its nearest singularities lie pi away from the real axis, whatever the scale, so the series converges fast.
    Below 1, the smallest count divides the scale: h turns where a cell's weight is as small as its count.
    """

    shape: Floats
    """() or (groups,) the prior's weight of the group plus the number of its non-zero cells."""
    scale: Floats
    """() or (groups,) eta times this is the Dirichlet weight of a cell, in units of the smallest count or of 1."""
    series: Floats
    """(degree + 1,) or (degree + 1, groups) coefficients of h, from eta = 0 to 1."""

    @classmethod
    def of_cells(cls, counts: Weights, scale: float, a: float) -> "GroupFactor":
        """Build eta^(a - 1) prod Gamma(c + w) / (Gamma(c) Gamma(w) scale), with w = scale eta, of the counts c > 0."""
        values, times = np.unique(counts[counts != 1].astype(float), return_counts=True)  # a count of 1 adds nothing
        unit = min(1.0, *values) if values.size else 1.0
        width = math.log1p(scale / unit)

        def log_rising(position: Floats) -> Floats:
            weight = unit * np.expm1(width * (position + 1) / 2)[:, None]
            # log of Gamma(c + w) / (Gamma(c) Gamma(w)), without its log w, which is in the shape
            return np.asarray((-betaln(values, weight) - np.log(weight)) @ times, dtype=float)

        gain = math.asinh(2 * math.pi / width)  # of each term, as the log of a factor
        degree = math.ceil(-math.log(_ROUNDING) / gain)
        series = Chebyshev.interpolate(log_rising, degree).trim(_NEGLIGIBLE_TERM)
        return cls(np.asarray(a + counts.size), np.asarray(scale / unit), np.asarray(series.coef))

    @classmethod
    def stacked(cls, factors: "Sequence[GroupFactor]") -> "GroupFactor":
        """Stack the factors of several groups: eta then has a last axis more, (..., groups)."""
        terms = max(factor.series.size for factor in factors)
        series = [np.pad(factor.series, (0, terms - factor.series.size)) for factor in factors]
        return cls(
            np.array([factor.shape for factor in factors]),
            np.array([factor.scale for factor in factors]),
            np.stack(series, axis=1),
        )

    @cached_property
    def _per_log(self) -> Floats:
        return 2 / np.log1p(self.scale)

    @cached_property
    def _slopes(self) -> Floats:
        return np.asarray(chebyshev.chebder(self.series) * self._per_log)

    @cached_property
    def _curvatures(self) -> Floats:
        return np.asarray(chebyshev.chebder(self._slopes) * self._per_log)

    def _evaluated(self, series: Floats, eta: Floats) -> Floats:
        position = np.log1p(self.scale * eta) * self._per_log - 1
        return np.asarray(chebyshev.chebval(position, series, tensor=False))

    def h(self, eta: Floats) -> Floats:
        """Log of the factor, but for eta^(shape - 1)."""
        return self._evaluated(self.series, eta)

    def slope(self, eta: Floats) -> Floats:
        """h', which falls from its value at 0."""
        return np.asarray(self._evaluated(self._slopes, eta) * self.scale / (1 + self.scale * eta))

    def curvature(self, eta: Floats) -> Floats:
        """h'', which is negative."""
        by_log = self._evaluated(self._curvatures, eta) - self._evaluated(self._slopes, eta)
        return np.asarray(by_log * (self.scale / (1 + self.scale * eta)) ** 2)

    def spread(self, eta: Floats) -> Floats:
        """About the standard deviation of the tilted factor whose typical value is eta."""
        return np.asarray((self.shape / eta**2 - self.curvature(eta)) ** -0.5)


def group_weights(alpha: tuple[float, float], n_sides: int) -> Floats:
    """Weights a of eta's Dirichlet prior: those with which every side alone has Beta(alpha), right against wrong.

    With two sides that holds for one choice among those that make the sides a priori neither more nor less likely to
    agree than independent ones; for alpha = (1, 1) it is four halves.

    Examples
    --------
    >>> group_weights((1, 1), 2).tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    right, wrong = alpha
    if n_sides == 1:
        return np.array([right, wrong])
    return np.array([right * right, right * wrong, wrong * right, wrong * wrong]) / (right + wrong)


_GRID_POINTS = 512
_ROUGH_POINTS = 64
_NEGLIGIBLE = 40.0  # a log density this far below the maximum is left out


def _log_tilted(shape: Floats | float, x: Floats, h: Floats, tilted: Floats) -> Floats:
    """Return the log of x^(shape - 1) exp(h - tilted)."""
    return np.asarray(xlogy(shape - 1, x) + h - tilted)


class TiltedFactor:
    """Step 2: a factor times exp(-tilt eta), tabulated as a distribution on (0, 1).

    The table is over u = eta^min(shape / 3, 1), whose density starts at 0 with a slope of 0, whatever eta's own does.
    """

    def __init__(self, factor: GroupFactor, centre: float, spread: float, tilt: float) -> None:
        self._factor, self._tilt = factor, tilt
        self._root = min(float(factor.shape) / 3, 1.0)
        self._u = self._support(centre, 60 * spread)
        eta = self._u ** (1 / self._root)
        h = factor.h(eta)
        log_density = _log_tilted(factor.shape / self._root, self._u, h, tilt * eta)
        mass = _integrated(np.exp(log_density - log_density.max()))
        self._cdf = mass / mass[-1]
        self._log_peak = _log_tilted(factor.shape, eta, h, tilt * eta).max()

    def _support(self, centre: float, reach: float) -> Floats:
        """Return evenly spaced values of u that cover what is not negligible."""
        ends = np.array([max(centre - reach, 0.0), min(centre + reach, 1.0)]) ** self._root
        rough = np.linspace(ends[0], ends[1], _ROUGH_POINTS)
        eta = rough ** (1 / self._root)
        log_density = _log_tilted(self._factor.shape / self._root, rough, self._factor.h(eta), self._tilt * eta)
        inside = np.flatnonzero(log_density > log_density.max() - _NEGLIGIBLE)
        low, high = max(inside[0] - 1, 0), min(inside[-1] + 1, _ROUGH_POINTS - 1)
        return np.linspace(rough[low], rough[high], _GRID_POINTS)

    def propose(self, probability: Floats) -> Floats:
        """Draw by inversion; between two points of the table the density of u is constant."""
        order = np.argsort(probability)  # far faster than to look up numbers in any order
        u = np.empty(probability.size)
        u[order] = np.interp(probability[order], self._cdf, self._u)
        return np.asarray(u ** (1 / self._root))

    def log_relative_density(self, eta: Floats) -> Floats:
        """Return the log of the density of eta relative to its peak, which a shape of at least 1 has."""
        log_factor = _log_tilted(self._factor.shape, eta, self._factor.h(eta), self._tilt * eta)
        return np.asarray(log_factor - self._log_peak)


def _integrated(values: Floats) -> Floats:
    """Integrate cumulatively by the trapezoidal rule, with a spacing of 1."""
    sums = np.zeros_like(values)
    np.cumsum((values[1:] + values[:-1]) / 2, out=sums[1:])
    return sums


class EtaPosterior:
    """Independent draws of eta given the counts, by rejection sampling: steps 1 to 4.

    The tilt makes the proposals sum to about 1. As the widest group takes the rest, at least one draw in three is
    accepted, and mostly more than one in two.
    """

    def __init__(self, factors: list[GroupFactor]) -> None:
        stacked = GroupFactor.stacked(factors)
        self._shapes, self._is_flat = stacked.shape, not stacked.series.any()
        if not self._is_flat:
            centres = typical_point(stacked)
            tilt = float((stacked.shape + centres * stacked.slope(centres)).sum())
            spreads = stacked.spread(centres)
            parts = zip(factors, centres.tolist(), spreads.tolist(), strict=True)
            self._proposals = [TiltedFactor(*part, tilt) for part in parts]
            self._rest = int(np.where(self._shapes >= 1, spreads, 0).argmax())

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw eta n times: (n, groups)."""
        if self._is_flat:  # h = 0: a plain Dirichlet
            return rng.dirichlet(self._shapes, size=n)
        eta, missing = np.empty((self._shapes.size, n)), np.arange(n)
        while missing.size:
            eta[:, missing], accepted = self._propose(missing.size, rng)
            missing = missing[~accepted]
        return eta.T

    def _propose(self, n: int, rng: np.random.Generator) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Propose eta, (groups, n), and say which to accept."""
        eta, left = np.zeros((self._shapes.size, n)), np.ones(n)
        for group, proposal in enumerate(self._proposals):
            if group != self._rest:
                eta[group] = proposal.propose(rng.random(n))
                left -= eta[group]
        eta[self._rest] = left
        log_chance = self._proposals[self._rest].log_relative_density(np.maximum(left, 0))
        return eta, (left > 0) & (np.log1p(-rng.random(n)) < log_chance)


def typical_point(factors: GroupFactor) -> Floats:
    """Step 1: iterate to the eta that sums to 1, with the same shape_g / eta_g + h_g'(eta_g) in all groups."""
    eta = factors.shape / factors.shape.sum()
    for _ in range(1000):
        mass = factors.shape + eta * factors.slope(eta)
        eta, before = mass * (1 / mass.sum()), eta
        if np.all(np.abs(eta - before) < 1e-3 * eta):
            break
    return np.asarray(eta)


_STEPS = 12


def eta_weights(counts: Weights, kappa: float, weights: Floats) -> Floats:
    """Return the weights of eta's Dirichlet under the nested prior, given the examples of rows and groups.

    A row counts by the tables that its examples are expected to take in a Chinese restaurant process of mass kappa:
    about kappa log(n), so that frequent classes do not decide alone. Of one side, a row divides them as its examples
    are divided. Of pairs, a group that has one example in a row has a table there: what one side alone gets right is
    rare, and a class that has seen none of it may have some (`benchmarks/studies/proofs.md`).

    Parameters
    ----------
    counts : (rows, groups)
        Examples.
    kappa
        Mass of a row.
    weights : (groups,)
        Of the prior.
    """
    if weights.size == 2:
        n = np.maximum(counts.sum(axis=1, keepdims=True), np.finfo(float).tiny)
        return np.asarray(weights + (_tables(kappa, n) * counts / n).sum(axis=0))
    found = weights + counts.sum(axis=0)
    for _ in range(_STEPS):  # a fixed point: eta decides how many there are
        found = weights + _tables(kappa * found / found.sum(), counts).sum(axis=0)
    return np.asarray(found)


def _tables(mass: Floats | float, n: Weights) -> Floats:
    return np.asarray(mass * (digamma(mass + n) - digamma(mass)))


def nested_weights(table: OutcomeTable, rows: NestedGroups) -> Floats:
    """Return the weights of eta's Dirichlet under the nested prior, for every kind of row: (kinds, groups)."""
    alpha, kappa = group_weights(rows.alpha, table.n_sides), rows.mass(table.n_sides)
    counts = table.group_counts / table.design_effect + pseudo_counts(table, rows)
    kinds = range(table.row_kinds.max() + 1)
    return np.stack([eta_weights(counts[table.row_kinds == kind], kappa, alpha) for kind in kinds])


def pseudo_counts(table: OutcomeTable, rows: RowPrior) -> Weights:
    """(M, groups) examples that a prior holds beside those of the table.

    The nested prior holds three fifths of an example that only the baseline gets right, and as much that only the
    candidate gets right, spread over the classes as the test set is; before there is one, none. ``jeffreys`` has one
    each for two classes. Without them kappa eta says too much of sides that always agree: of 200 examples of five
    classes the 95% HDI reached 0.6 points to either side, although the sides may differ in up to 1.8% of all examples
    (`benchmarks/studies/proofs.md`).
    """
    totals = table.row_totals
    if not isinstance(rows, NestedGroups) or table.n_sides == 1 or not totals.any():
        return np.zeros_like(table.group_counts, dtype=float)
    return np.asarray(np.multiply.outer(totals / totals.sum(), _OF_ONE_SIDE))


_OF_ONE_SIDE = np.array([0.0, 0.6, 0.6, 0.0])


def _even(table: OutcomeTable) -> Counts:
    return np.ones((table.n_sides, table.n_classes), np.int64)


def attraction(table: OutcomeTable) -> Counts:
    """(S, M) whole weights of the predictions, by which the nested prior chooses what a side predicts wrongly.

    A class has one, and one more for each error of the side that was predicted as it. An even split pulls the errors of
    every row toward all classes alike. Where one of 20 classes attracts most errors, and a row has five, these pulls
    add up in its column to more than a standard deviation (`benchmarks/studies/attracting.md`).
    """
    errors = np.stack(
        [np.bincount(side, table.count * (side != table.true), table.n_classes) for side in table.predicted]
    )
    scale = np.minimum(1, _MOST_WEIGHT / np.maximum(errors.sum(axis=1, keepdims=True), 1))
    return np.asarray(_even(table) + np.ceil(errors * scale).astype(np.int64))


_MOST_WEIGHT = 1 << 16  # of all classes together: the table to choose from stays in a processor's cache


class GroupMass(NamedTuple):
    """A source of the prior's Dirichlet masses."""

    draw: Callable[[int, np.random.Generator], Floats]
    """Draws that of every group of outcomes in a row, by the row's kind: (n, kinds, groups)."""
    attraction: Counts
    """(S, M) weights of the wrong predictions of each side, by which a group's mass is spread over its cells."""
    expected: Floats
    """(groups,) mean mass of a row's groups."""
    least: float
    """Least mass that any group may have."""
    on_one_cell: bool
    """Whether all that a group holds in a row is on one of its cells, drawn by attraction; else it is spread."""
    pseudo: Weights
    """(M, groups) examples that the prior holds, or none: they are fixed, and no part of what is drawn."""


def in_rows(groups: Floats, table: OutcomeTable) -> Floats:
    """Return the mass of every row's groups, none where it stays empty: (groups, n, M), or broadcasting to it."""
    groups = np.moveaxis(groups, 2, 0)
    if groups.shape[2] > 1:
        groups = groups[:, :, table.row_kinds]
    return groups * table.may_be_true if table.unsupported else groups


_known: WeakKeyDictionary[OutcomeTable, dict[RowPrior, GroupMass]] = WeakKeyDictionary()


def group_mass(table: OutcomeTable, prior: Prior) -> GroupMass:
    """Return the masses that a prior implies; they are built once, and kept as long as the table."""
    known = _known.setdefault(table, {})
    if prior.rows not in known:
        match prior.rows:
            case SharedGroups() as rows:
                known[rows] = shared_mass(table, rows)
            case NestedGroups() as rows:
                known[rows] = _nested_mass(table, rows)
            case EvenCells() as rows:
                known[rows] = _fixed_mass(table, rows)
    return known[prior.rows]


def shared_mass(table: OutcomeTable, rows: SharedGroups) -> GroupMass:
    """Return a mass of 1 per row, in shares eta."""
    weights, posteriors = group_weights(rows.alpha, table.n_sides), []
    for kind in range(table.row_kinds.max() + 1):
        of_kind, factors = table.row_kinds[table.true] == kind, []
        for group, weight in enumerate(weights):
            counts = table.effective_counts[of_kind & (table.group == group)]
            factors.append(GroupFactor.of_cells(counts, 1 / table.group_sizes[group], weight))
        posteriors.append(EtaPosterior(factors))
    even = np.full(weights.size, 1 / weights.size)
    return _mass(
        table, lambda n, rng: np.stack([posterior.draw(n, rng) for posterior in posteriors], axis=1), even, 0.0
    )


def _nested_mass(table: OutcomeTable, rows: NestedGroups) -> GroupMass:
    """Return kappa eta, each on one cell of its group, by how much each class attracts errors."""
    kappa, weights = rows.mass(table.n_sides), nested_weights(table, rows)
    alpha = group_weights(rows.alpha, table.n_sides)
    return GroupMass(
        lambda n, rng: np.stack([kappa * rng.dirichlet(each, n) for each in weights], axis=1),
        attraction(table),
        kappa * alpha / alpha.sum(),
        0.0,
        on_one_cell=True,
        pseudo=pseudo_counts(table, rows),
    )


def _fixed_mass(table: OutcomeTable, rows: EvenCells) -> GroupMass:
    """Return the same pseudo-count for every cell.

    Of spans it is for what each side finds, invents and misses of every type (Goutte & Gaussier 2005). Of pairs, half
    of it is in either of the two outcomes that add up to it; none is where neither side has a span.
    """
    if table.spans:
        mass = np.full((2, 2**table.n_sides), 2 * rows.weight / 2**table.n_sides)
        mass[0, 0], least = 0.0, 0.0
    else:
        mass = table.group_sizes[None].astype(np.float64) * rows.weight
        least = float(mass.min())
    return _mass(table, lambda n, _: np.broadcast_to(mass, (n, *mass.shape)), mass[-1], least)


def _mass(
    table: OutcomeTable, draw: Callable[[int, np.random.Generator], Floats], expected: Floats, least: float
) -> GroupMass:
    """Spread the mass of a group evenly over its cells."""
    return GroupMass(draw, _even(table), expected, least, on_one_cell=False, pseudo=np.zeros((1, 1)))
