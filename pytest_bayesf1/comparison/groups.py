"""Comparisons of several parts of the data, seen together: shrunk toward each other, and how far apart they are."""

from collections.abc import Mapping

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.results.comparison import Group, GroupPart, MeanAndHdi, ScoreGap
from pytest_bayesf1.stats.posterior import Draws, tail_probability
from pytest_bayesf1.stats.shrinkage import Shrinkage

N_DRAWS = 20_000
"""Of the gap: as many as an engine draws at first."""

_STREAM = 4  # of random numbers, beside those of the comparisons


def shrink(comparisons: Mapping[str, Comparison], *, by: str = "") -> Group:
    """Shrink the differences of several parts of the data toward each other.

    Of many parts the worst look worse than they are, for the worst luck made them the worst. Each is therefore pulled
    toward their common mean, the more the less its own data tell and the more all are alike: a hierarchical normal
    model of their means and standard deviations. It takes the parts for independent, which slices of different examples
    are and classes of one test set are not quite.

    Parameters
    ----------
    comparisons
        By the name of the part; two at least, of one measure or of one for each class.
    by
        What tells the parts apart.

    Returns
    -------
    Group
        Every part on its own and shrunk, their common mean, and how much they differ.

    Raises
    ------
    InputError
        When they are fewer than two, their intervals hold different probabilities, or one has no uncertainty.

    Examples
    --------
    >>> from pytest_bayesf1 import compare, shrink
    >>> sides = {
    ...     "de": ([[40, 10], [9, 41]], [[30, 20], [12, 38]]),
    ...     "en": ([[450, 50], [40, 460]], [[440, 60], [50, 450]]),
    ... }
    >>> group = shrink({name: compare(*each, measure="accuracy", rope=0.02) for name, each in sides.items()})
    >>> german = group.parts[0]
    >>> german.alone.mean < german.shrunk.mean < 0
    True
    """
    prob = _common_hdi_prob(comparisons)
    found = _shrinkage([each.mean for each in comparisons.values()], [each.std for each in comparisons.values()])
    shrunk = [MeanAndHdi(mean, _pair(ends)) for mean, ends in zip(found.mean.tolist(), found.hdi(prob), strict=True)]
    alone = [MeanAndHdi(each.mean, each.hdi) for each in comparisons.values()]
    low, spread, high = found.tau_at(np.array([(1 - prob) / 2, 0.5, (1 + prob) / 2])).tolist()
    return Group(
        by,
        tuple(map(GroupPart, comparisons, alone, shrunk)),
        MeanAndHdi(found.common, _pair(found.common_hdi(prob))),
        spread,
        (low, high),
    )


def score_gap(comparisons: Mapping[str, Comparison], *, limit: float | None = None) -> ScoreGap:
    """Find how far the scores of the best and of the worst part of the data are apart, on either side.

    The highest of many noisy scores is too high and the lowest too low, so the difference of raw scores is too wide
    even where all parts are alike. The scores of each side are therefore shrunk toward each other first, as in
    `shrink`; draws of all parts together, which are independent from part to part, then give the gap.

    Parameters
    ----------
    comparisons
        By the name of the part, with their draws; two at least, of one measure, and of different examples.
    limit
        What the candidate's gap may be.

    Returns
    -------
    ScoreGap
        The gap of either side, and its change.

    Raises
    ------
    InputError
        When they are fewer than two, their intervals hold different probabilities, one has no uncertainty, or no draws.
    """
    prob = _common_hdi_prob(comparisons)
    rng = np.random.default_rng([next(iter(comparisons.values())).seed, _STREAM])
    scores = np.stack([_thinned(each, rng) for each in comparisons.values()], axis=1)
    uniform, normal = rng.random(N_DRAWS), rng.normal(size=N_DRAWS)
    gaps, means = [], []
    for side, draws in zip(("baseline", "candidate"), scores, strict=True):
        posteriors = [getattr(each, side) for each in comparisons.values()]
        found = _shrinkage([each.mean for each in posteriors], [each.std for each in posteriors])
        gaps.append(np.ptp(found.shrunk(draws, uniform, normal), axis=0))
        means.append(found.mean)
    names = list(comparisons)
    return ScoreGap(
        best=names[int(means[1].argmax())],
        worst=names[int(means[1].argmin())],
        baseline=_in_short(gaps[0], prob),
        candidate=_in_short(gaps[1], prob),
        change=_in_short(gaps[1] - gaps[0], prob),
        limit=limit,
        p_within=None if limit is None else tail_probability(float(np.mean(gaps[1] > limit)), gaps[1].size),
    )


def _common_hdi_prob(comparisons: Mapping[str, Comparison]) -> float:
    if len(comparisons) < 2:
        raise InputError("comparisons", "two at least", str(len(comparisons)))
    found = sorted({each.hdi_prob for each in comparisons.values()})
    if len(found) > 1:
        raise InputError("comparisons", "one hdi_prob", " and ".join(f"{each:g}" for each in found))
    return found[0]


def _shrinkage(means: list[float], stds: list[float]) -> Shrinkage:
    if min(stds) <= 0:
        raise InputError("comparisons", "posteriors that leave some uncertainty", "a standard deviation of 0")
    return Shrinkage.of(np.array(means), np.array(stds))


def _thinned(comparison: Comparison, rng: np.random.Generator) -> Floats:
    """Return joint draws of both scores, (2, n), in an order that has nothing to do with that of other parts."""
    draws = np.stack([comparison.baseline.draws, comparison.candidate.draws])
    if not draws.size:
        raise InputError("comparisons", "comparisons with their draws", "one without")
    return np.asarray(draws[:, rng.choice(draws.shape[1], N_DRAWS, replace=draws.shape[1] < N_DRAWS)])


def _in_short(values: Floats, prob: float) -> MeanAndHdi:
    draws = Draws(values)
    return MeanAndHdi(draws.mean, draws.hdi(prob))


def _pair(ends: Floats) -> tuple[float, float]:
    return float(ends[0]), float(ends[1])
