"""Classes and slices of a comparison, and what it would be if both sides agreed more or less."""

from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil, floor, sqrt

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.compare import Comparison
from pytest_bayesf1.comparison.subject import CLASS_DRAWS, is_of_one_class
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Measure, Scoring
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import Breakdown, GapEstimate, OtherDecision, ScoreGap
from pytest_bayesf1.stats.agreement import Pairings
from pytest_bayesf1.stats.attribution import CellChanges
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from pytest_bayesf1.stats.score_range import ScoreRange
from pytest_bayesf1.text import Interval

_STEPS = 3
"""How many hundredths of agreement are tried, from the one on that is likely to change the decision."""


MOST_CELLS = 4_000

_PAIRED = 3  # stream of random numbers beside those of the comparison


def breakdown(comparison: Comparison) -> Breakdown | None:
    """Draw the parts of a comparison by the exact engine."""
    counts = comparison.provenance.counts
    if comparison.engine != ExactEngine.name or counts is None:
        return None
    subject, measure = counts
    if is_of_one_class(subject.experiment, measure):
        return None
    classes, labels = comparison.classes, comparison.provenance.labels
    order = np.array([labels.index(each.label) for each in classes])
    return Breakdown(
        classes, _cells(subject.experiment, order), *_agreement_sensitivity(comparison, subject.experiment, measure)
    )


def _cells(experiment: Experiment, order: Codes) -> tuple[tuple[int, int, int, int], ...]:
    if experiment.multilabel:
        return ()
    place = np.full(experiment.n_classes, -1)
    place[order] = np.arange(order.size)
    changes = CellChanges.between(*experiment.sides)
    largest = changes.largest(MOST_CELLS, (place[changes.true] >= 0) & (place[changes.predicted] >= 0))
    rows, columns = place[largest.true].tolist(), place[largest.predicted].tolist()
    baseline, candidate = np.rint(largest.counts).astype(int).tolist()
    return tuple(zip(rows, columns, baseline, candidate, strict=True))


def _agreement_sensitivity(
    comparison: Comparison, experiment: Experiment, measure: Measure
) -> tuple[Interval | None, OtherDecision | None]:
    """Return the HDI if the two agreed as often as they can, and from which agreement on the decision is another."""
    has_more = experiment.clusters or experiment.earlier or _prior(comparison).counts is not None
    if comparison.model != Model.SAME_SET or has_more:
        return None, None
    pairings, rope, hdi_prob = Pairings(*experiment.tables), Rope(*comparison.rope), comparison.hdi_prob

    def drawn(n_agreed: int, n_draws: int = ExactEngine.first_draws) -> Floats:
        joint = replace(pairings.agreeing_on(n_agreed), unsupported=experiment.unsupported)
        paired = Experiment(Model.PAIRED, (joint,), population=experiment.population)
        return _delta(comparison, paired, measure, _PAIRED, n_draws)

    try:
        closest = summarise_delta(Draws(drawn(pairings.most, CLASS_DRAWS)), rope, hdi_prob)
    except InputError:  # some priors take too long on pairs of many classes
        return None, None
    return closest.hdi, None if closest.decision == comparison.decision else _other_decision(
        comparison, pairings, drawn
    )


def _other_decision(comparison: Comparison, pairings: Pairings, drawn: Callable[[int], Floats]) -> OtherDecision | None:
    """Find from which whole percent on another decision is settled; None where none is.

    It is sought where the variance of delta makes it likely, which falls about evenly from that of independent sides
    on, and drawn there.
    """
    rope, hdi_prob, delta = Rope(*comparison.rope), comparison.hdi_prob, drawn(pairings.most)
    closest = summarise_delta(Draws(delta), rope, hdi_prob)
    if closest.decision == comparison.decision:
        return None

    def is_decided(delta: Floats) -> bool:
        found = summarise_delta(Draws(delta), rope, hdi_prob)
        return found.decision == closest.decision and found.settled

    def is_likely(percent: int) -> bool:
        share = (percent / 100 * pairings.n - pairings.by_chance) / (pairings.most - pairings.by_chance)
        std = sqrt(comparison.std**2 + share * (closest.std**2 - comparison.std**2))
        return is_decided(closest.mean + (delta - closest.mean) * std / closest.std)

    most = pairings.most / pairings.n
    percents = range(ceil(100 * pairings.by_chance / pairings.n), floor(100 * most) + 1)
    place = bisect_left(percents, 1, key=is_likely)
    for percent in percents[place : place + _STEPS]:
        if is_decided(drawn(round(percent / 100 * pairings.n))):
            return OtherDecision(closest.decision, percent / 100, most)
    return None


def _delta(
    comparison: Comparison, experiment: Experiment, scoring: Scoring, stream: int, n_draws: int = CLASS_DRAWS
) -> Floats:
    sampler = ExactEngine().sampler(experiment, _prior(comparison), scoring, (comparison.seed, stream))
    baseline, candidate = sampler.draw(n_draws)
    return np.asarray(candidate - baseline)


def _prior(comparison: Comparison) -> Prior:
    prior = comparison.provenance.prior
    assert isinstance(prior, Prior)
    return prior


GROUP_DRAWS = ExactEngine.first_draws
"""Of the gap: as many as an engine draws at first."""

_STREAM = 4  # of random numbers, beside those of the comparisons


def score_gap(comparisons: Mapping[str, Comparison], *, by: str = "", limit: float | None = None) -> ScoreGap:
    """Find how far the scores of the best and of the worst part of the data are apart, on either side.

    The highest of many noisy scores is too high and the lowest too low, so the observed gap is too wide even where all
    parts are alike. The intervals allow for that choice of the two, and assume nothing of how the true scores vary: a
    small slice that lags behind is not pulled toward the large ones. The interval is about the gap of the true scores,
    whichever slices truly have the highest and the lowest. In simulations 95% intervals hold it in 94 to 99% of test
    sets, and lie above it in 1 to 5%.

    Parameters
    ----------
    comparisons
        By the name of the part, with their draws; two at least, of one measure, and of different examples.
    by
        What the parts are, such as the name of a column.
    limit
        What the candidate's gap may be.

    Returns
    -------
    ScoreGap
        The gap of either side.

    Raises
    ------
    InputError
        When they are fewer than two, their intervals hold different probabilities, one has no uncertainty, or no draws.

    Examples
    --------
    >>> from pytest_bayesf1 import compare, score_gap
    >>> slices = {"de": ([[90, 10], [9, 91]], [[88, 12], [9, 91]]), "fr": ([[90, 10], [9, 91]], [[60, 40], [30, 70]])}
    >>> gap = score_gap({name: compare(*sides, rope=0.02) for name, sides in slices.items()})
    >>> gap.worst
    'fr'
    """
    if len(comparisons) < 2:
        raise InputError("comparisons", "at least two", str(len(comparisons)))
    probs = sorted({each.hdi_prob for each in comparisons.values()})
    if len(probs) > 1:
        raise InputError("comparisons", "one hdi_prob", " and ".join(f"{each:g}" for each in probs))
    rng = np.random.default_rng([next(iter(comparisons.values())).seed, _STREAM])
    scores = np.stack([_thinned(each, rng) for each in comparisons.values()], axis=1)
    if not scores.std(axis=2).all():
        raise InputError.plain("comparisons", "A posterior has a standard deviation of 0")
    baseline, candidate = (ScoreRange(draws) for draws in scores)
    gaps = [GapEstimate(side.estimate, side.interval(probs[0])) for side in (baseline, candidate)]
    names = list(comparisons)
    best, worst = candidate.clearest(gaps[1].interval[0])
    return ScoreGap(
        by=by,
        best=names[best],
        worst=names[worst],
        baseline=gaps[0],
        candidate=gaps[1],
        limit=limit,
        p_value=None if limit is None else candidate.p_value(limit),
    )


def _thinned(comparison: Comparison, rng: np.random.Generator) -> Floats:
    """Return joint draws of both scores, (2, n), in an order that has nothing to do with that of other parts."""
    draws = np.stack([comparison.baseline.draws, comparison.candidate.draws])
    if not draws.size:
        raise InputError.plain("comparisons", "A comparison has no draws")
    return np.asarray(draws[:, rng.choice(draws.shape[1], GROUP_DRAWS, replace=draws.shape[1] < GROUP_DRAWS)])
