"""Draws until the decision is settled."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import Any, Generic, TypeVar

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.arguments import CompareOptions, Options
from pytest_bayesf1.comparison.subject import MeasureT, Subject
from pytest_bayesf1.results.comparison import Convergence, DeltaFigures, FloorFigures
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.stats.decision import Gap, Rope
from pytest_bayesf1.stats.posterior import Draws, draws_to_tell

_MOST_SCORES = 1 << 24  # kept at once, 8 bytes each


Summary = TypeVar("Summary", bound=DeltaFigures | FloorFigures)


@dataclass(frozen=True, eq=False)
class Drawn(Generic[Summary]):
    """Posterior draws.

    Attributes
    ----------
    scores : (sides, n)
        Of every side.
    quantity
        What was asked for, n draws.
    summary
        What was made of it.
    convergence
        How far the draws can be trusted.
    """

    scores: Floats
    quantity: Draws
    summary: Summary
    convergence: Convergence


def batches(measures: Sequence[MeasureT], n_sides: int, options: Options) -> Iterator[tuple[MeasureT, ...]]:
    """Cut measures into batches, each to be scored on the same draws in bounded memory.

    Those of a batch look at the same detail, so that each finds the very draws that it would find alone.
    """
    n_draws = options.n_draws or options.engine.first_draws
    most = max(_MOST_SCORES // (n_sides * n_draws), 1)
    for _, alike in groupby(measures, key=lambda measure: measure.detail):
        rest = tuple(alike)
        while rest:
            yield rest[:most]
            rest = rest[most:]


def draw_until_settled(
    subject: Subject[MeasureT],
    options: Options,
    measures: tuple[MeasureT, ...],
    summarise: Callable[[Draws], Summary],
    least_draws: int = 0,
    is_enough: Callable[[Summary], bool] = attrgetter("settled"),
) -> list[Drawn[Summary]]:
    """Draw delta, or the only score, by measures that look at the same detail, until there are enough for each.

    The number of draws is doubled until then; at the engine's most, or at ``least_draws`` if these are more, what is
    not settled is on the edge. Chains that have not converged raise `ConvergenceError` at once.
    """
    engine = options.engine
    most = max(engine.most_draws, least_draws)
    sampler = subject.sampler(measures, options)
    found: dict[int, Drawn[Summary]] = {}
    columns = np.arange(len(measures))
    scores = sampler.draw(options.n_draws or engine.first_draws)
    while columns.size:
        is_last = options.n_draws or scores.shape[1] >= most
        for place, column in enumerate(columns.tolist()):
            own = np.ascontiguousarray(scores[:, :, place])
            quantity = Draws(_quantity(own))
            summary, convergence = summarise(quantity), sampler.convergence(quantity.values)
            if is_enough(summary) or is_last:
                found[column] = Drawn(own, quantity, summary, convergence)
        left = [column not in found for column in columns.tolist()]
        columns, scores = columns[left], scores[:, :, left]
        if columns.size > 1 and 2 * scores.size > _MOST_SCORES:  # too many to keep: each on its own
            for column in columns.tolist():
                one = (measures[column],)
                found[column] = draw_until_settled(subject, options, one, summarise, least_draws, is_enough)[0]
            break
        missing = min(scores.shape[1], most - scores.shape[1]) if columns.size else 0
        # in steps, for most columns may be settled by now and need not be kept
        steps = [min(missing - have, engine.first_draws) for have in range(0, missing, engine.first_draws)]
        scores = np.concatenate([scores, *(sampler.draw(step)[:, :, columns] for step in steps)], axis=1)
    return [found[column] for column in range(len(measures))]


def _quantity(scores: Floats) -> Floats:
    """Return delta, or the score of a classifier that is alone."""
    return scores[0] if len(scores) == 1 else np.asarray(scores[1] - scores[0])


def draw_delta(
    subject: Subject[MeasureT], options: CompareOptions, measures: tuple[MeasureT, ...], tail: float = 1.0
) -> list[Drawn[DeltaFigures]]:
    """Draw the difference of two sides' scores, as many as it takes to settle the decision."""
    found = draw_until_settled(
        subject,
        options,
        measures,
        lambda delta: options.summarise(delta, tail),
        draws_to_tell(tail),
        lambda summary: summary.settled or _hides_no_loss(summary, options.rope),
    )
    return [
        replace(each, summary=replace(each.summary, decision=Decision.UNDECIDED))
        if _is_from_prior(each.summary.decision, subject, measure, options)
        else each
        for measure, each in zip(measures, found, strict=True)
    ]


_CLEAR_ENOUGH = 0.1
"""Of an HDI's width; its ends are that clear with few draws already."""


def _hides_no_loss(found: DeltaFigures, rope: Rope) -> bool:
    """Whether more draws could make an undecided comparison better at most, and its HDI is clear enough."""
    low, high = found.hdi
    error_low, error_high = (inf if error is None else error for error in found.mcse_hdi)
    return (
        found.decision is Decision.UNDECIDED
        and found.p_below_rope < 1 / 2
        and Gap(low - rope.low, error_low).is_clear
        and Gap(_CLEAR_ENOUGH * (high - low), error_high).is_clear
    )


def _is_from_prior(decision: Decision, subject: Subject[Any], measure: Any, options: CompareOptions) -> bool:
    """Whether scores lean to a side to which the observed ones do not: a prior's asymmetry is no evidence.

    A prior that counted earlier examples is.
    """
    if decision not in (Decision.WORSE, Decision.BETTER) or options.earlier is not None:
        return False
    return bool(subject.observed(measure).change * decision.side <= 0)
