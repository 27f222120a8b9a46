"""`rank`: which of several systems is the best."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from pytest_bayesf1._util import rope_bounds
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.options import CompareOptions
from pytest_bayesf1.comparison.ranking import Ranking
from pytest_bayesf1.comparison.readable import warn_about
from pytest_bayesf1.comparison.subject import AnyMeasure
from pytest_bayesf1.comparison.systems import Systems
from pytest_bayesf1.comparison.wide_rope import check_width
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import MeasureLike
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.other import PairFigures, SystemFigures
from pytest_bayesf1.settings import AUTO, EngineName, Model
from pytest_bayesf1.stats.decision import RopeLike
from pytest_bayesf1.stats.posterior import (
    Draws,
    expected_losses,
    rank_interval,
    rank_probabilities,
    runs_of_ties,
    summarise_delta,
)

_MOST_SCORES = 2_000_000
"""Draws of all systems together: as many as a comparison draws of two."""


def rank(
    systems: Mapping[str, Any],
    *,
    measure: MeasureLike | None = None,
    rope: RopeLike | None = None,
    hdi_prob: float | None = None,
    seed: int | None = None,
    n_draws: int | None = None,
) -> Ranking:
    """Rank several systems by the joint posterior of their scores on the same examples.

    Arguments that are left out take the project's setting, when a test run has one, or the default. Two systems are
    drawn as `compare` draws them, with its default prior. More share a prior of their own, see
    docs/how-to/rank-several-systems.md.

    Parameters
    ----------
    systems
        By name what each predicts for the same examples: `ConfusionMatrix`, `MultilabelCounts` or `SpanCounts` made of
        predictions, or `Scores`.
    measure
        As in `compare`; larger is better.
    rope
        Differences that do not matter, a half-width, for none of the systems is the baseline. Required.
    hdi_prob
        Probability inside the highest-density intervals, of ranks too; 0.95 by default.
    seed
        Of the random numbers, 0 by default: the same input gives the same output.
    n_draws
        Number of posterior draws; by default 20,000, doubled until the decisions between the first system and every
        other are settled, or two million scores are drawn.

    Returns
    -------
    Ranking
        The systems in the order of their mean scores.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import ConfusionMatrix, rank
    >>> truth = ["ham", "spam"] * 200
    >>> predictions = {"always right": truth, "never spam": ["ham"] * 400, "mostly": truth[:390] + ["ham"] * 10}
    >>> systems = {name: ConfusionMatrix.from_predictions(truth, given) for name, given in predictions.items()}
    >>> ranking = rank(systems, measure="accuracy", rope=0.03)
    >>> ranking.rank_hdi
    {'always right': (1, 1), 'mostly': (2, 2), 'never spam': (3, 3)}
    """
    ranking = run_rank(systems, measure=measure, rope=rope, hdi_prob=hdi_prob, seed=seed, n_draws=n_draws)
    warn_about(ranking)
    return ranking


def run_rank(systems: Mapping[str, Any], **given: Any) -> Ranking:
    """Do what `rank` does, without warnings about the data.

    Parameters
    ----------
    systems, **given
        As in `rank`.

    Returns
    -------
    Ranking
        As of `rank`.

    Raises
    ------
    InputError
        When the data or an argument cannot be used.
    """
    options = CompareOptions.resolve(**given, model=Model.PAIRED, prior=AUTO, engine=EngineName.EXACT)
    rope = options.rope
    if rope.low != -rope.high:
        raise InputError(
            "rope", "a half-width: none of the systems is the baseline", rope_bounds((rope.low, rope.high))
        )
    field = Systems.of(systems, options)
    subject: Any = field.subject
    measure = subject.measure(options.measure)
    check_width(rope, measure)
    found = subject.particulars(measure)
    scores = _draws(field, measure, options)
    order = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    names, scores = tuple(field.names[place] for place in order), scores[order]
    scores.flags.writeable = False
    pairs = tuple(_pairs(names, scores, options))
    told = tuple(_systems(names, [found.observed[place] for place in order], scores, pairs, options.hdi_prob))
    return Ranking(
        measure=measure.name,
        measure_words=measure.words,
        custom_measure=not measure.bounded,
        rope=(rope.low, rope.high),
        hdi_prob=options.hdi_prob,
        prior=str(field.prior(options)),
        seed=options.seed,
        n_draws=scores.shape[1],
        n_samples=subject.n_samples[0],
        n_classes=len(subject.true_labels),
        settled=all(pair.settled for pair in pairs if pair.baseline == names[0]),
        systems=told,
        pairs=pairs,
        groups=_groups(told),
        draws=dict(zip(names, scores, strict=True)),
        units=subject.units,
        never_true=found.never_true,
        given=field.names,
        data_notes=subject.notes,
    )


def _draws(field: Systems, measure: AnyMeasure, options: CompareOptions) -> Floats:
    """Draw the scores, (systems, n), doubling n until the first system is settled against every other."""
    sampler, most = field.sampler(measure, options), _MOST_SCORES // len(field.names)
    scores = sampler.draw(options.n_draws or min(options.engine.first_draws, most))[:, :, 0]
    while not (options.n_draws or scores.shape[1] >= most or _first_is_settled(scores, options)):
        more = sampler.draw(min(scores.shape[1], most - scores.shape[1]))[:, :, 0]
        scores = np.concatenate([scores, more], axis=1)
    return scores


def _first_is_settled(scores: Floats, options: CompareOptions) -> bool:
    first, *others = scores[np.argsort(-scores.mean(axis=1), kind="stable")]
    return all(summarise_delta(Draws(other - first), options.rope, options.hdi_prob).settled for other in others)


def _pairs(names: Sequence[str], scores: Floats, options: CompareOptions) -> Iterator[PairFigures]:
    for (baseline, one), (candidate, other) in combinations(zip(names, scores, strict=True), 2):
        found = summarise_delta(Draws(other - one), options.rope, options.hdi_prob)
        yield PairFigures(
            baseline=baseline,
            candidate=candidate,
            mean=found.mean,
            hdi=found.hdi,
            p_worse=found.p_worse,
            decision=found.decision,
            settled=found.settled,
        )


def _systems(
    names: Sequence[str], observed: Sequence[float], scores: Floats, pairs: Sequence[PairFigures], hdi_prob: float
) -> Iterator[SystemFigures]:
    likely, losses = rank_probabilities(scores), expected_losses(scores)
    tied = [{pair.baseline, pair.candidate} for pair in pairs if pair.decision is Decision.EQUIVALENT]
    for place, name in enumerate(names):
        draws = Draws(scores[place])
        yield SystemFigures(
            name=name,
            observed=observed[place],
            mean=draws.mean,
            std=draws.std,
            hdi=draws.hdi(hdi_prob),
            p_best=float(likely[place, 0]),
            rank_hdi=rank_interval(likely[place], hdi_prob),
            expected_rank=float(likely[place] @ np.arange(1, len(names) + 1)),
            rank_probabilities=tuple(likely[place].tolist()),
            expected_loss=float(losses[place]),
            ties=tuple(other for other in names if other != name and {name, other} in tied),
        )


def _groups(systems: Sequence[SystemFigures]) -> tuple[tuple[str, ...], ...]:
    names = [each.name for each in systems]
    runs = runs_of_ties([[other in each.ties for other in names] for each in systems])
    return tuple(tuple(names[start : end + 1]) for start, end in runs)
