"""Summaries of draws: mean, HDI, decision, Bayes factors, densities, Monte Carlo error; and what follows from them.

That is how likely a loss is, going by earlier changes, and how many more examples would answer a question.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import ceil, hypot, isnan, log10, nan, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import DeltaFigures, Density, EarlierChange, ExamplesNeeded, Score
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.stats.decision import LEANING, Gap, Gaps, Rope
from pytest_bayesf1.text import Interval

N_BATCHES = 20
_LOWEST, _STEP, _N_LOGITS = -8.0, 0.025, 641  # where the HDI's lower tail may begin, as logit(t / (1 - prob))
_SHARES = 1 / (1 + np.exp(-(_LOWEST + _STEP * np.arange(_N_LOGITS))))
_WINDOW = 60  # steps on both sides of the narrowest interval: wide enough to average noise, narrow for a cubic


def hdi(draws: Floats, prob: float) -> Floats:
    """Narrowest interval that holds ``prob`` of the draws.

    The interval runs between the quantiles t and t + prob. The t with the smallest width in the raw draws is a rough
    estimate: its error shrinks with the cube root of their number. The width is therefore smoothed by a cubic in
    logit(t / (1 - prob)) around that minimum, which makes the error shrink with the square root, as it should.

    Parameters
    ----------
    draws : (..., n)
        From posteriors with one mode each.
    prob
        Between 0 and 1.

    Returns
    -------
    (..., 2)
        Lower and upper bounds.

    References
    ----------
    Kruschke, Doing Bayesian Data Analysis, 2nd ed., section 25.2.

    Examples
    --------
    >>> hdi(np.linspace(0, 1, 1001) ** 2, 0.5).round(2).tolist()
    [0.0, 0.25]
    """
    return hdi_of_ordered(np.sort(draws), prob)


def hdi_of_ordered(ordered: Floats, prob: float) -> Floats:
    """Narrowest interval that holds ``prob`` of draws that are in order, as by `hdi`.

    Parameters
    ----------
    ordered : (..., n)
        Draws, in ascending order.
    prob
        Between 0 and 1.
    """
    tail = (1 - prob) * _SHARES
    ends = quantiles(ordered, np.concatenate([tail, tail + prob]))
    widths = ends[..., _N_LOGITS:] - ends[..., :_N_LOGITS]
    narrowest = [_smooth_argmin(each) for each in widths.reshape(-1, _N_LOGITS)]
    below = (1 - prob) / (1 + np.exp(-(_LOWEST + _STEP * np.reshape(narrowest, (*widths.shape[:-1], 1)))))
    return quantiles(ordered, np.concatenate([below, below + prob], axis=-1))


def quantiles(ordered: Floats, probability: Floats) -> Floats:
    """Interpolate quantiles.

    Parameters
    ----------
    ordered : (..., n)
        Draws, in ascending order.
    probability : (k,) or (..., k)
        Of a draw to be below.

    Returns
    -------
    (..., k)
        The quantiles.
    """
    last = ordered.shape[-1] - 1
    position = np.clip(probability * (last + 1) - 0.5, 0, last)
    below, take = position.astype(np.int64), np.take if position.ndim == 1 else np.take_along_axis
    low, high = take(ordered, below, -1), take(ordered, np.minimum(below + 1, last), -1)
    return np.asarray(low + (position - below) * (high - low))


def _smooth_argmin(y: Floats) -> float:
    """Return the position at which values, smoothed, are lowest."""
    best = float(y.argmin())
    for _ in range(2):
        first, end = max(round(best) - _WINDOW, 0), min(round(best) + _WINDOW + 1, y.size)
        half = (end - 1 - first) / 2
        best = first + half + _lowest((_fit(end - first) @ y[first:end]).tolist(), half)
    return best


@cache
def _fit(n: int) -> Floats:
    """Return the (4, n) matrix that fits a cubic to n values, in steps from their middle, its constant first."""
    return np.linalg.pinv(np.vander(np.arange(n) - (n - 1) / 2, 4, increasing=True))


def _lowest(cubic: list[float], half: float) -> float:
    """Return where a cubic is lowest, within half a range on both sides of 0."""
    c0, c1, c2, c3 = cubic
    root = sqrt(max(c2**2 - 3 * c1 * c3, 0.0))
    turns = [-c1 / (c2 + root)] if c2 + root else []
    tried = [-half, half, *(turn for turn in turns if abs(turn) < half)]
    return min(tried, key=lambda x: c0 + x * (c1 + x * (c2 + x * c3)))


def mean_mcse(draws: Floats) -> float:
    """Monte Carlo standard error of the mean, as by `batch_mcse`."""
    return float(batch_mcse(draws, lambda batches: batches.mean(axis=-1)))


def batch_mcse(draws: Floats, statistic: Callable[[Floats], Floats]) -> Floats:
    """Monte Carlo standard error of a statistic of the draws, by batch means.

    The draws are cut into consecutive batches; the standard deviation of the statistic over them, divided by the root
    of their number, estimates its error on all draws. It is too small for a statistic that does not vary smoothly, such
    as the HDI of a flat posterior.

    References
    ----------
    Flegal and Jones (2010), Batch means and spectral variance estimators in Markov chain Monte Carlo.
    """
    usable = draws.size - draws.size % N_BATCHES
    values = statistic(draws[:usable].reshape(N_BATCHES, -1))
    return np.asarray(values.std(axis=0, ddof=1) / np.sqrt(N_BATCHES))


_QUARTILES = np.array([0.25, 0.75])


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of a number.

    Attributes
    ----------
    values : (n,)
        In the order in which they were drawn.
    """

    values: Floats

    @cached_property
    def ordered(self) -> Floats:
        """(n,) in ascending order."""
        return np.sort(self.values)

    @cached_property
    def mean(self) -> float:
        """The mean of all draws."""
        return float(self.values.mean())

    @cached_property
    def std(self) -> float:
        """Standard deviation of what they come from."""
        return float(self.values.std(ddof=1))

    def hdi(self, prob: float) -> tuple[float, float]:
        """Return the narrowest interval that holds ``prob`` of them; see `intervals.hdi`."""
        low, high = hdi_of_ordered(self.ordered, prob).tolist()
        return low, high

    def hdi_mcse(self, prob: float) -> tuple[float, float]:
        """Return the Monte Carlo standard errors of both ends of that interval."""
        low, high = batch_mcse(self.values, lambda batches: hdi(batches, prob)).tolist()
        return low, high

    def shares(self, low: float, high: float) -> tuple[float, float, float]:
        """Return the shares of draws below, inside and above an interval."""
        n, below = self.values.size, int(np.searchsorted(self.ordered, low, "left"))
        not_above = int(np.searchsorted(self.ordered, high, "right"))
        return below / n, (not_above - below) / n, (n - not_above) / n

    def shares_mcse(self, low: float, high: float) -> tuple[float, float, float]:
        """Return the Monte Carlo standard errors of these `shares`."""

        def shares(batches: Floats) -> Floats:
            below, above = (batches < low).mean(axis=-1), (batches > high).mean(axis=-1)
            return np.stack([below, 1 - below - above, above], axis=-1)

        below, inside, above = batch_mcse(self.values, shares).tolist()
        return below, inside, above

    @cached_property
    def bandwidth(self) -> float:
        """Of a kernel estimate of their density, by Silverman's rule: 0.9 min(std, IQR / 1.349) n^(-1/5).

        A constant, whose density does not exist, counts as a very narrow peak.

        References
        ----------
        Silverman (1986), Density Estimation for Statistics and Data Analysis, eq. 3.31.
        """
        low, high = quantiles(self.ordered, _QUARTILES)
        spread = float(min(self.std, (high - low) / 1.349) or self.std)
        return 0.9 * (spread or 1e-9 * max(abs(float(self.values[0])), 1.0)) * float(self.values.size**-0.2)

    @cached_property
    def density_at_zero(self) -> tuple[float, float]:
        """A Gaussian kernel estimate of their density at 0, and its Monte Carlo standard error."""
        kernel = np.exp(-((self.values / self.bandwidth) ** 2) / 2) / (self.bandwidth * np.sqrt(2 * np.pi))
        return float(kernel.mean()), mean_mcse(kernel)


class BayesFactor(NamedTuple):
    """A Bayes factor and its Monte Carlo standard error; not a number where the draws say nothing about it."""

    value: float
    mcse: float


UNKNOWN = BayesFactor(nan, nan)
"""Where nothing can be said."""


def interval_bayes_factor(posterior: Draws, prior: Draws, rope: Rope) -> BayesFactor:
    """Posterior odds of delta inside the ROPE over its prior odds.

    A probability below half a draw, or above all but half a draw, counts as that, so that the factor stays finite. Not
    a number where that holds before and after the data, on the same side: then the draws say nothing about it.

    Examples
    --------
    >>> import numpy as np
    >>> before, after = np.linspace(-1, 1, 1000), np.linspace(-0.1, 0.1, 1000)
    >>> round(interval_bayes_factor(Draws(after), Draws(before), Rope(-0.05, 0.05)).value, 1)
    19.0
    """
    after, before = posterior.shares(rope.low, rope.high)[1], prior.shares(rope.low, rope.high)[1]
    if before == after and before in (0, 1):
        return UNKNOWN
    return _ratio(_odds(posterior, rope, after), _odds(prior, rope, before))


def savage_dickey(posterior: Draws, prior: Draws) -> BayesFactor:
    """Posterior density of delta at 0 over its prior density there (Zhang et al. 2015, section II-B1).

    Fragile: where the prior density diverges at 0, as under the paired uniform prior, the kernel estimate measures its
    own bandwidth, and the error does not say so. Read the interval factor first. Not a number where delta does not
    vary, or where its prior density at 0 is estimated as 0.
    """
    if posterior.std == 0 or prior.std == 0:
        return UNKNOWN
    return _ratio(_density_at_zero(posterior), _density_at_zero(prior))


class _Estimate(NamedTuple):
    value: float
    relative_error: float


def _ratio(after: _Estimate, before: _Estimate) -> BayesFactor:
    value = after.value / before.value if before.value > 0 else nan
    error = value * hypot(after.relative_error, before.relative_error) if value > 0 else nan
    return BayesFactor(value, 0.0 if value == 0 and isnan(error) else error)


def _odds(delta: Draws, rope: Rope, inside: float) -> _Estimate:
    n = delta.values.size
    share = min(max(inside, 0.5 / n), 1 - 0.5 / n)
    error = max(delta.shares_mcse(rope.low, rope.high)[1], (share * (1 - share) / n) ** 0.5)
    return _Estimate(share / (1 - share), error / (share * (1 - share)))


def _density_at_zero(delta: Draws) -> _Estimate:
    density, error = delta.density_at_zero
    return _Estimate(density, error / density if density > 0 else 0.0)


_DIGITS = 4  # of the highest point: as fine as all points are given
_ENDS = np.array([0.001, 0.999])
_BIN = 0.1  # of the bandwidth
_REACH = 60  # bins on both sides of a draw that its kernel is spread over
_KERNEL = np.exp(-((_BIN * np.arange(-_REACH, _REACH + 1)) ** 2) / 2) / np.sqrt(2 * np.pi)


def density_at(draws: Draws, points: Floats, least_bandwidth: float = 0.0) -> Floats:
    """Gaussian kernel estimate of the density of the draws.

    They are binned first; the work grows with the range of the points over the bandwidth.
    """
    bandwidth = max(draws.bandwidth, least_bandwidth)
    width = _BIN * bandwidth
    n_bins = ceil((points[-1] - points[0]) / width) + 2
    edges = points[0] + width * (np.arange(-_REACH - 1, n_bins + _REACH) - 0.5)  # only draws there matter
    counts = np.diff(np.searchsorted(draws.ordered, edges))
    heights = np.convolve(counts, _KERNEL, mode="valid") / (bandwidth * draws.values.size)
    return np.interp(points, points[0] + width * np.arange(-1, n_bins - 1), heights)


def density_curve(draws: Draws, n_points: int = 101) -> Density:
    """Density over the central 99.8% of the draws, for a figure."""
    low, high = quantiles(draws.ordered, _ENDS)
    margin = 0.05 * (high - low) or 6 * draws.bandwidth
    low, high = float(low - margin), float(high + margin)
    points, distance = np.linspace(low, high, n_points, retstep=True)
    # a peak narrower than the distance of the points would fall between them
    heights = density_at(draws, points, least_bandwidth=float(distance))
    decimals = _DIGITS - ceil(log10(float(heights.max()) or 1.0))
    return Density(low, high, tuple(np.round(heights, decimals).tolist()))


SETTLED = (Decision.MUCH_WORSE, Decision.EQUIVALENT, Decision.MUCH_BETTER)
"""Decisions that ask for no more examples."""


class ScorePosterior(Score):
    """A `Score` that is drawn when it is first read.

    Parameters
    ----------
    observed
        The score at the observed counts.
    hdi_prob
        Probability inside the HDI.
    draw
        Draws the posterior, the same every time.
    """

    _hdi_prob: float
    _draw: Callable[[], Draws]

    def __init__(self, observed: float, hdi_prob: float, draw: Callable[[], Draws]) -> None:
        vars(self).update(observed=observed, _hdi_prob=hdi_prob, _draw=draw)

    @cached_property
    def figures(self) -> Score:
        """The posterior without its draws."""
        draws = self._draw()
        return Score(self.observed, draws.mean, draws.std, draws.hdi(self._hdi_prob))

    @property
    def mean(self) -> float:
        """Of the posterior."""
        return self.figures.mean

    @property
    def std(self) -> float:
        """Its standard deviation."""
        return self.figures.std

    @property
    def hdi(self) -> tuple[float, float]:
        """The narrowest interval that holds so much of it."""
        return self.figures.hdi

    @property
    def draws(self) -> Floats:
        """(n,) the draws."""
        return self._draw().values


def tail_probability(p_below: float, n_draws: int) -> float:
    """Estimate the probability of not lying below a bound, by draws and never too low.

    Of n draws of which k are not below, (k + 1) / (n + 1): where the probability itself is uniform over what repeated
    data make of it, as at the bound it is, the estimate is at most t in no more than a share t of the repetitions,
    however few the draws are.

    References
    ----------
    Phipson and Smyth (2010), Permutation P-values should never be zero.

    Examples
    --------
    >>> tail_probability(1.0, 19_999)
    5e-05
    """
    return (round((1 - p_below) * n_draws) + 1) / (n_draws + 1)


def draws_to_tell(tail: float) -> int:
    """Say how many draws tell that a probability is below a bound, if none of them is in the tail.

    Examples
    --------
    >>> draws_to_tell(0.0005)
    10000
    """
    return ceil(5 / tail)


def summarise_delta(delta: Draws, rope: Rope, prob: float, tail: float = 1.0) -> DeltaFigures:
    """Summarise draws of delta = candidate - baseline, and decide.

    Examples
    --------
    >>> import numpy as np
    >>> draws = Draws(np.random.default_rng(0).normal(-0.03, 0.005, 4_000))
    >>> print(summarise_delta(draws, Rope(-0.01, 0.01), prob=0.95).decision)
    ≪
    """
    (low, high), (mcse_low, mcse_high) = delta.hdi(prob), delta.hdi_mcse(prob)
    (p_worse, _, p_better), (p_below, p_inside, p_above) = delta.shares(0.0, 0.0), delta.shares(rope.low, rope.high)
    mcse_below, _, mcse_above = delta.shares_mcse(rope.low, rope.high)
    p_not_below = tail_probability(p_below, delta.values.size)
    gaps = Gaps(
        (
            Gap(rope.low - high, mcse_high),
            Gap(rope.high - high, mcse_high),
            Gap(low - rope.low, mcse_low),
            Gap(low - rope.high, mcse_low),
            Gap(p_below - LEANING, mcse_below),
            Gap(p_above - LEANING, mcse_above),
            Gap(tail - p_not_below, max(mcse_below, sqrt(p_not_below / delta.values.size))),
        )
    )
    return DeltaFigures(
        mean=delta.mean,
        std=delta.std,
        hdi=(low, high),
        mcse_hdi=(mcse_low, mcse_high),
        p_worse=p_worse,
        p_better=p_better,
        p_below_rope=p_below,
        p_in_rope=p_inside,
        p_above_rope=p_above,
        decision=gaps.position.decision,
        settled=gaps.settled,
    )


FEWEST_CHANGES = 10
"""Fewer earlier changes say too little of what is usual."""


def usual_variance(history: Sequence[EarlierChange]) -> float:
    """Return how much true changes vary about 0, given earlier ones with their standard errors.

    That is their mean square, less what their standard errors put there. It is uncertain itself, so it is at least its
    standard error where nothing ever changed.

    Examples
    --------
    >>> round(usual_variance([EarlierChange(0.03, 0.004), EarlierChange(-0.03, 0.004)] * 10) ** 0.5, 3)
    0.03
    """
    means, errors = np.array([(each.mean, each.std) for each in history]).T
    noise = np.mean(errors**2)
    return float(max(np.mean(means**2) - noise, noise * np.sqrt(2 / len(history))))


def usual_weights(delta: Floats, history: Sequence[EarlierChange]) -> Floats:
    """Weigh draws of a change by how usual each is: they add up to 1.

    A decision rests on the test set alone: as if a change of ten points were as likely beforehand as none. Where
    earlier changes are known, the draws of delta are weighed by a normal about 0 with their own spread.
    """
    weights = np.exp((np.square(delta).min() - np.square(delta)) / (2 * usual_variance(history)))
    return np.asarray(weights / weights.sum())


TIMES = np.geomspace(1e-4, 1e4, 200)
"""Numbers of examples to try, as multiples of those that there are."""


def chance_of_settling(posterior: DeltaFigures, ends: Interval, times: Floats) -> Floats:
    """Return how likely more examples, as multiples of those that there are, are to settle where a change lies.

    It lies below both ends, above both, or, if they differ, between them. With k more examples beside the N that there
    are, and a true change as large as the posterior's mean m, the later mean is normal about m with variance
    t s^2 / (1 + t)^2, where t = k / N and s is the standard deviation today; the halves of the HDI shrink by the root
    of 1 + t. No belief about usual changes is in it.
    """
    low, high = ends
    spread = posterior.std * np.sqrt(times) / (1 + times)
    lower, upper = (abs(posterior.mean - end) / np.sqrt(1 + times) for end in posterior.hdi)

    def below(bound: Floats) -> Floats:
        """Return how likely the mean will be below."""
        found: Floats = ndtr((bound - posterior.mean) / spread)
        return found

    between = (below(high - upper) - below(low + lower)).clip(min=0)
    return np.asarray(below(low - upper) + between + 1 - below(high + lower))


def examples_needed(posterior: DeltaFigures, rope: Rope, n_more: Floats, times: Floats) -> ExamplesNeeded:
    """Estimate how many more examples would settle each question in half of the cases.

    Parameters
    ----------
    n_more : (n,)
        Numbers of more examples to try, in ascending order.
    times : (n,)
        What each of them tells, as a multiple of what is known.
    """

    def needed(start: float, end: float) -> int | None:
        low, high = posterior.hdi
        if high < start or low > end or (start <= low and high <= end):
            return 0
        if posterior.std == 0 or not times.size:
            return None
        enough = np.flatnonzero(chance_of_settling(posterior, (start, end), times) >= 1 / 2)
        return ceil(n_more[enough[0]]) if enough.size else None

    return ExamplesNeeded(needed(rope.low, rope.low), needed(rope.high, rope.high), needed(rope.low, rope.high))
