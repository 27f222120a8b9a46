"""The posterior of a prior's own parameters, eta and kappa, by quadrature: no Markov chain, no tuning.

**The model.** Row j of a table holds the counts c of the outcomes (cells) of one true class, n_j in all. The cells fall
into groups: right and wrong for one side; both right, one right, the other right and both wrong for two. Group g has
size_g cells. The cells' probabilities theta_j are Dirichlet with weights that every row shares:

    hierarchical   theta_j ~ Dirichlet(eta_g / size_g for each cell),   eta ~ Dirichlet(a)
    nested         the groups' probabilities ~ Dirichlet(kappa eta),    eta ~ Dirichlet(a),  kappa on a grid,
                   a group's share over its cells ~ Dirichlet(q), of total 1, see `attraction`
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
   simplex (`typical_points`). Call this slope the tilt, and multiply every factor by exp(-tilt eta). On the simplex
   that is a constant, so the posterior stays as it is; but independent draws from the factors now sum to about 1.
2. Tabulate each tilted factor as a distribution of its own on (0, 1) (`TiltedFactor`).
3. Propose all groups but the widest from their tables; the widest takes what remains of the total.
4. Accept in proportion to the widest group's tilted factor there: rejection sampling, exact up to the tables.

**Nested.** With theta integrated out, with rising factorials (x)_n = Gamma(x + n) / Gamma(x) and group totals n_jg:

    p(kappa, eta | c)  ∝  p(eta) prod_j  Gamma(kappa) / Gamma(kappa + n_j)  prod_g  (kappa eta_g)_(n_jg)

Given kappa, this is a product of one factor per group of the same form, in kappa eta, which sums to kappa. So the
steps above draw it, and a fifth gives the probability of each kappa (`ConcentrationPosterior`):

5. Integrate the product over the simplex: bin the tables of step 2 evenly, convolve all but the widest group's by FFT,
   and average the widest group's factor over what remains. Laplace's method first drops values of kappa that are
   negligible (`rough_log_integrals`).
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
from scipy.fft import irfft, next_fast_len, rfft
from scipy.special import betaln, gammaln, logsumexp, xlogy

from pytest_bayesf1.arrays import Codes, Counts, Floats, Weights
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
    Under the nested prior read kappa eta for eta: it reaches beyond 1.
    """

    shape: Floats
    """() or (groups,) the prior's weight of the group plus the number of its non-zero cells."""
    scale: Floats
    """() or (groups,) eta times this is the Dirichlet weight of a cell, in units of the smallest count or of 1."""
    most: Floats
    """() or (groups,) the largest eta."""
    series: Floats
    """(degree + 1,) or (degree + 1, groups) coefficients of h, from eta = 0 to the largest eta."""

    @classmethod
    def of_cells(cls, counts: Weights, scale: float, a: float, most: float = 1.0) -> "GroupFactor":
        """Build eta^(a - 1) prod Gamma(c + w) / (Gamma(c) Gamma(w) scale), with w = scale eta, of the counts c > 0."""
        values, times = np.unique(counts[counts != 1].astype(float), return_counts=True)  # a count of 1 adds nothing
        unit = min(1.0, *values) if values.size else 1.0
        width = math.log1p(scale / unit * most)

        def log_rising(position: Floats) -> Floats:
            weight = unit * np.expm1(width * (position + 1) / 2)[:, None]
            # log of Gamma(c + w) / (Gamma(c) Gamma(w)), without its log w, which is in the shape
            return np.asarray((-betaln(values, weight) - np.log(weight)) @ times, dtype=float)

        gain = math.asinh(2 * math.pi / width)  # of each term, as the log of a factor
        degree = math.ceil(-math.log(_ROUNDING) / gain)
        series = Chebyshev.interpolate(log_rising, degree).trim(_NEGLIGIBLE_TERM)
        return cls(np.asarray(a + counts.size), np.asarray(scale / unit), np.asarray(most), np.asarray(series.coef))

    @classmethod
    def stacked(cls, factors: "Sequence[GroupFactor]") -> "GroupFactor":
        """Stack the factors of several groups: eta then has a last axis more, (..., groups)."""
        terms = max(factor.series.size for factor in factors)
        series = [np.pad(factor.series, (0, terms - factor.series.size)) for factor in factors]
        return cls(
            np.array([factor.shape for factor in factors]),
            np.array([factor.scale for factor in factors]),
            np.array([factor.most for factor in factors]),
            np.stack(series, axis=1),
        )

    @cached_property
    def _per_log(self) -> Floats:
        return 2 / np.log1p(self.scale * self.most)

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
    """Step 2: a factor times exp(-tilt eta), tabulated as a distribution on (0, total), for each of n tilts and totals.

    The table is over u = eta^min(shape / 3, 1), whose density starts at 0 with a slope of 0, whatever eta's own does.
    `log_mass` (n,) is the log of its integral, `range` (n,) the width of what is not negligible.
    """

    def __init__(self, factor: GroupFactor, centres: Floats, spreads: Floats, tilts: Floats, totals: Floats) -> None:
        self._factor, self._tilts = factor, tilts[:, None]
        self._root = min(float(factor.shape) / 3, 1.0)
        self._u = np.ascontiguousarray(self._support(centres, 60 * spreads, totals))
        self._eta = self._u ** (1 / self._root)
        self._h = factor.h(self._eta)
        log_density = _log_tilted(factor.shape / self._root, self._u, self._h, self._tilts * self._eta)
        most = log_density.max(axis=1, keepdims=True)
        density = np.exp(log_density - most)
        mass, moment = _integrated(density), _integrated(density * self._eta)
        self._cdf, self._partial_mean = mass / mass[:, -1:], moment / mass[:, -1:]
        spacing = (self._u[:, 1] - self._u[:, 0]) / self._root  # eta^(s - 1) d eta = u^(s / root - 1) du / root
        self.log_mass = most[:, 0] + np.log(mass[:, -1] * spacing)
        self.range = self._eta[:, -1] - self._eta[:, 0]

    def _support(self, centres: Floats, reach: Floats, totals: Floats) -> Floats:
        """(n, points) evenly spaced values of u that cover what is not negligible."""
        ends = np.array([np.maximum(centres - reach, 0.0), np.minimum(centres + reach, totals)]) ** self._root
        rough = np.linspace(ends[0], ends[1], _ROUGH_POINTS, axis=1)
        eta = rough ** (1 / self._root)
        log_density = _log_tilted(self._factor.shape / self._root, rough, self._factor.h(eta), self._tilts * eta)
        inside = log_density > log_density.max(axis=1, keepdims=True) - _NEGLIGIBLE
        first, last = inside.argmax(axis=1), _ROUGH_POINTS - 1 - inside[:, ::-1].argmax(axis=1)
        rows = np.arange(len(rough))
        low, high = np.maximum(first - 1, 0), np.minimum(last + 1, _ROUGH_POINTS - 1)
        return np.linspace(rough[rows, low], rough[rows, high], _GRID_POINTS, axis=1)

    @cached_property
    def _stacked_cdf(self) -> Floats:
        """The rows of the table one after the other, each higher by one than that before."""
        return np.asarray(self._cdf + np.arange(len(self._cdf))[:, None]).ravel()

    def propose(self, probability: Floats, place: Codes) -> Floats:
        """Draw by inversion, each from a row of the table; between two of its points the density of u is constant."""
        wanted = probability + place
        order = np.argsort(wanted)  # far faster than to look up numbers in any order
        u = np.empty(wanted.size)
        u[order] = np.interp(wanted[order], self._stacked_cdf, self._u.ravel())
        return np.asarray(u ** (1 / self._root))

    def log_relative_density(self, eta: Floats, place: Codes) -> Floats:
        """Return the log of the density of eta relative to its peak, which a shape of at least 1 has."""
        log_factor = _log_tilted(self._factor.shape, eta, self._factor.h(eta), self._tilts[place, 0] * eta)
        return np.asarray(log_factor - self.log_peaks[place])

    @cached_property
    def log_peaks(self) -> Floats:
        """(n,) logs of the largest values of the tilted factor."""
        return np.asarray(_log_tilted(self._factor.shape, self._eta, self._h, self._tilts * self._eta).max(axis=1))

    @property
    def start(self) -> Floats:
        """(n,) the smallest values that are not negligible."""
        return self._eta[:, 0]

    def binned(self, step: Floats) -> Floats:
        """Return every distribution as masses on points a step (n,) apart from the start on, its mean unchanged."""
        points = self.start[:, None] + step[:, None] * np.arange(np.ceil(self.range / step).max() + 1)
        last = _GRID_POINTS - 1
        first, width = self._u[:, :1], self._u[:, -1:] - self._u[:, :1]
        at = np.minimum((points**self._root - first) * (last / width), last)  # the table is evenly spaced
        below = np.minimum(at.astype(np.int64), last - 1)
        beyond = at - below
        index = below + _GRID_POINTS * np.arange(len(at))[:, None]

        def increments(table: Floats) -> Floats:
            low = np.take(table, index)
            return np.diff(low + beyond * (np.take(table, index + 1) - low))

        mass = increments(self._cdf)
        upwards = (increments(self._partial_mean) - points[:, :-1] * mass) / step[:, None]
        masses = np.zeros_like(points)
        masses[:, :-1] = mass - upwards
        masses[:, 1:] += upwards
        return masses


def _integrated(values: Floats) -> Floats:
    """Integrate each row cumulatively by the trapezoidal rule, with a spacing of 1."""
    sums = np.zeros_like(values)
    np.cumsum((values[:, 1:] + values[:, :-1]) / 2, axis=1, out=sums[:, 1:])
    return sums


_CONVOLUTION_POINTS = 512
_ONE = np.ones(1)


class EtaPosterior:
    """Independent draws of eta given the counts, by rejection sampling: steps 1 to 5, for one or several totals of eta.

    The tilt makes the proposals sum to about the total. As the widest group takes the rest, at least one draw in three
    is accepted, and mostly more than one in two.
    """

    def __init__(self, factors: list[GroupFactor], totals: Floats = _ONE, centres: Floats | None = None) -> None:
        stacked = GroupFactor.stacked(factors)
        self._shapes, self._totals, self._is_flat = stacked.shape, totals, not stacked.series.any()
        if not self._is_flat:
            centres = typical_points(stacked, totals) if centres is None else centres
            self._tilts = (stacked.shape + centres * stacked.slope(centres)).sum(axis=1) / totals
            spreads = stacked.spread(centres)
            parts = zip(factors, centres.T, spreads.T, strict=True)
            self._proposals = [TiltedFactor(*part, self._tilts, totals) for part in parts]
            self._rests = np.where(self._shapes >= 1, spreads, 0).argmax(axis=1)

    def draw(self, n: int, rng: np.random.Generator, place: Codes | int = 0) -> Floats:
        """Draw eta n times, all of one total or each of its own: (n, groups)."""
        places = np.broadcast_to(np.asarray(place), n)
        if self._is_flat:  # h = 0: a plain Dirichlet
            return np.asarray(self._totals[places, None] * rng.dirichlet(self._shapes, size=n))
        eta, missing = np.empty((self._shapes.size, n)), np.arange(n)
        while missing.size:
            eta[:, missing], accepted = self._propose(places[missing], rng)
            missing = missing[~accepted]
        return eta.T

    @cached_property
    def log_integrals(self) -> Floats:
        """(k,) logs of the integrals of the product of the factors over the simplex of each total."""
        if self._is_flat:
            power = self._shapes.sum()
            return np.asarray(gammaln(self._shapes).sum() - gammaln(power) + (power - 1) * np.log(self._totals))
        found = np.empty(self._totals.size)
        for rest in np.unique(self._rests).tolist():
            places = self._rests == rest
            found[places] = self._log_integrals(rest)[places]
        return found

    def _log_integrals(self, rest: int) -> Floats:
        """(k,) the same, where the group that is left out is this one."""
        others = [proposal for group, proposal in enumerate(self._proposals) if group != rest]
        step = np.max([proposal.range for proposal in self._proposals], axis=0) / _CONVOLUTION_POINTS
        summed = _convolved([proposal.binned(step) for proposal in others])
        left = self._totals - sum(proposal.start for proposal in others)
        remainder = left[:, None] - step[:, None] * np.arange(summed.shape[1])
        place = np.arange(self._totals.size)[:, None]
        possible = np.exp(self._proposals[rest].log_relative_density(np.maximum(remainder, 0), place))
        total = (summed * possible).sum(axis=1, where=remainder >= 0)
        logs = [np.log(total), self._proposals[rest].log_peaks, *(proposal.log_mass for proposal in others)]
        return np.asarray(self._tilts * self._totals + sum(logs))

    def _propose(self, places: Codes, rng: np.random.Generator) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Propose eta, (groups, n), and say which to accept."""
        eta, accepted = np.zeros((self._shapes.size, places.size)), np.zeros(places.size, np.bool_)
        rests = self._rests[places]
        for rest in np.unique(self._rests).tolist():
            at = np.flatnonzero(rests == rest)
            place, left = places[at], self._totals[places[at]]
            for group, proposal in enumerate(self._proposals):
                if group != rest:
                    eta[group, at] = drawn = proposal.propose(rng.random(at.size), place)
                    left -= drawn
            eta[rest, at] = left
            log_chance = self._proposals[rest].log_relative_density(np.maximum(left, 0), place)
            accepted[at] = (left > 0) & (np.log1p(-rng.random(at.size)) < log_chance)
        return eta, accepted


def typical_points(factors: GroupFactor, totals: Floats) -> Floats:
    """Step 1: iterate to the eta that sums to the total, with the same shape_g / eta_g + h_g'(eta_g) in all groups."""
    eta = np.multiply.outer(totals, factors.shape / factors.shape.sum())
    for _ in range(1000):
        mass = factors.shape + eta * factors.slope(eta)
        eta, before = mass * (totals / mass.sum(axis=1))[:, None], eta
        if np.all(np.abs(eta - before) < 1e-3 * eta):
            break
    return np.asarray(eta)


def rough_log_integrals(factors: GroupFactor, centres: Floats) -> Floats:
    """Approximate `EtaPosterior.log_integrals` by Laplace's method, on the logarithm of every eta."""
    spreads = factors.spread(centres)
    heights = xlogy(factors.shape - 1, centres) + factors.h(centres)
    return np.asarray((heights + np.log(spreads)).sum(axis=1) - np.log(np.square(spreads).sum(axis=1)) / 2)


def _convolved(masses: Sequence[Floats]) -> Floats:
    """Convolve row by row by Fourier transforms: the distribution of the sum."""
    size = sum(mass.shape[1] - 1 for mass in masses) + 1
    padded = next_fast_len(size, real=True)
    return np.asarray(irfft(math.prod(rfft(mass, padded) for mass in masses), padded)[:, :size])


_NEGLIGIBLE_PROBABILITY = 1e-12
_FAR = 30.0  # a rough log probability this far below the largest is negligible


class ConcentrationPosterior:
    """Draws of kappa eta, the Dirichlet weight of each group in a row, given the rows' group totals."""

    def __init__(self, group_counts: Weights, prior: NestedGroups) -> None:
        n_sides = group_counts.shape[1].bit_length() - 1
        kappas, weights = possible_kappas(prior, n_sides), group_weights(prior.alpha, n_sides)
        factors = [
            GroupFactor.of_cells(counts[counts > 0], 1.0, float(weight), kappas[-1])
            for counts, weight in zip(group_counts.T, weights, strict=True)
        ]
        log_prior = (1 - weights.sum()) * np.log(kappas)  # the density of kappa eta leaves out this power of kappa
        others = log_prior - _log_rising(kappas[:, None], group_counts.sum(axis=1)).sum(axis=1)
        stacked = GroupFactor.stacked(factors)
        centres = typical_points(stacked, kappas)
        rough = others + rough_log_integrals(stacked, centres)
        likely = rough > rough.max() - _FAR
        self._posterior = EtaPosterior(factors, kappas[likely], centres[likely])
        self._probability = _normalised(others[likely] + self._posterior.log_integrals)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw kappa from its grid, and eta given kappa: (n, groups)."""
        place = np.repeat(np.arange(self._probability.size), rng.multinomial(n, self._probability))
        return rng.permutation(self._posterior.draw(n, rng, place))  # else they would come in the order of kappa


def draw_kappa(group_counts: Weights, eta: Floats, kappas: Floats, rng: np.random.Generator) -> Floats:
    """Draw kappa given eta from its conditional posterior on the grid."""
    log_posterior = np.zeros((kappas.size, len(eta)))
    totals = group_counts.sum(axis=1)
    for index, kappa in enumerate(kappas):
        for group, counts in enumerate(group_counts.T):
            values, times = np.unique(counts, return_counts=True)
            log_posterior[index] += _log_rising(kappa * eta[:, group, None], values) @ times
        log_posterior[index] -= _log_rising(kappa, totals).sum()
    noise = rng.gumbel(size=log_posterior.shape)  # the largest of log p + Gumbel noise is a draw from p
    return np.asarray(kappas[(log_posterior + noise).argmax(axis=0)])


def possible_kappas(prior: NestedGroups, n_sides: int) -> Floats:
    """Return the grid of kappa: powers of the root of 2.

    Examples
    --------
    >>> possible_kappas(NestedGroups(kappa=(1, 4)), n_sides=1).round(2).tolist()
    [1.0, 1.41, 2.0, 2.83, 4.0]
    """
    low, high = 2 * np.log2(prior.kappa if n_sides == 1 else prior.kappa_of_pairs)
    return np.asarray(2.0 ** (np.arange(np.ceil(low), np.floor(high) + 1) / 2))


def _log_rising(x: Floats | float, n: Weights) -> Floats:
    return np.asarray(gammaln(x + n) - gammaln(x))


def _normalised(log_probability: Floats) -> Floats:
    probability = np.exp(log_probability - logsumexp(log_probability))
    probability[probability < _NEGLIGIBLE_PROBABILITY] = 0
    return np.asarray(probability / probability.sum())


def pseudo_counts(table: OutcomeTable, rows: RowPrior) -> Weights:
    """(M, groups) examples that a prior holds beside those of the table.

    The nested prior holds three fifths of an example that only the baseline gets right, and as much that only the
    candidate gets right, spread over the classes as the test set is; before there is one, none. ``jeffreys`` has one
    each for two classes. Without them kappa eta says too much of sides that always agree: of 200 examples of five
    classes the 95% HDI reached 0.6 points to either side, although the sides may differ in up to 1.8% of all examples
    (`benchmarks/studies/proofs.md`). With half an example it reached 0.78 of that limit for three classes.
    """
    totals = table.row_totals.reshape(table.class_shape)
    if not isinstance(rows, NestedGroups) or table.n_sides == 1 or not totals.any():
        return np.zeros_like(table.group_counts, dtype=float)
    shares = (totals / np.maximum(totals.sum(axis=-1, keepdims=True), 1)).ravel()
    return np.asarray(np.multiply.outer(shares, _OF_ONE_SIDE))


_OF_ONE_SIDE = np.array([0.0, 0.6, 0.6, 0.0])


def informed_counts(table: OutcomeTable, rows: RowPrior) -> Weights:
    """(M, groups) examples of every row's groups, with those that the prior holds."""
    return np.asarray(table.group_counts + pseudo_counts(table, rows))


def _even(table: OutcomeTable) -> Counts:
    return np.ones((table.n_sides, table.n_classes), np.int64)


def attraction(table: OutcomeTable) -> Counts:
    """(S, M) whole weights of the predictions, by which the nested prior expects each side's errors to be split.

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
    expected_on_cells: Floats
    """(groups,) mean mass that the cells of a row's groups hold."""
    least_on_cells: float
    """Least mass that the cells of any group may hold."""
    splits_apart: bool = False
    """Whether a group's cells split its share as a mass of 1 would, however large the group's own is."""
    pseudo: Weights = np.zeros((1, 1))
    """(M, groups) examples that the prior holds, or none: they are fixed, and no part of what is drawn."""

    def on_cells(self, groups: Floats) -> Floats:
        """(n, groups) mass that is spread over a group's cells."""
        return np.ones_like(groups[:, 0]) if self.splits_apart else groups[:, 0]


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
    return GroupMass(_side_by_side(posteriors), _even(table), np.full(weights.size, 1 / weights.size), 0.0)


def _nested_mass(table: OutcomeTable, rows: NestedGroups) -> GroupMass:
    """Return kappa eta on the groups, and 1 on the cells of each, by how much each class attracts errors."""
    kinds, pseudo = table.row_kinds, pseudo_counts(table, rows)
    counts = table.group_counts + pseudo
    posteriors = [ConcentrationPosterior(counts[kinds == kind], rows) for kind in range(kinds.max() + 1)]
    draw, mass = _side_by_side(posteriors), np.ones(counts.shape[1])
    return GroupMass(draw, attraction(table), mass, 1.0, splits_apart=True, pseudo=pseudo)


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
    return GroupMass(lambda n, _: np.broadcast_to(mass, (n, *mass.shape)), _even(table), mass[-1], least)


def _side_by_side(
    posteriors: Sequence[EtaPosterior | ConcentrationPosterior],
) -> Callable[[int, np.random.Generator], Floats]:
    """Draw from the posterior of each kind of row: (n, kinds, groups)."""
    return lambda n, rng: np.stack([posterior.draw(n, rng) for posterior in posteriors], axis=1)
