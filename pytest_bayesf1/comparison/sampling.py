"""Draws until the decision is settled."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Generic, Protocol, TypeVar

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.comparison.arguments import CompareOptions, Options
from pytest_bayesf1.comparison.subject import MeasureT, Subject
from pytest_bayesf1.engines.protocol import Sampler
from pytest_bayesf1.errors import ConvergenceError
from pytest_bayesf1.results.comparison import Convergence, DeltaFigures
from pytest_bayesf1.stats.posterior import Draws, draws_to_tell

_MOST_SCORES = 1 << 24  # kept at once, 8 bytes each


class _Settleable(Protocol):
    @property
    def settled(self) -> bool: ...


Summary = TypeVar("Summary", bound=_Settleable)


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
    class_scores : (m, K)
        The same quantity of the sampler's other scores, of the first draws; None where it has none.
    """

    scores: Floats
    quantity: Draws
    summary: Summary
    convergence: Convergence
    class_scores: Floats | None


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


@dataclass(frozen=True)
class AdaptiveSampling(Generic[MeasureT, Summary]):
    """Draws of every side's score, as many as it takes to settle what is asked of them.

    Attributes
    ----------
    quantity
        Makes the quantity, (n,), of the scores, (sides, n).
    summarise
        Makes of the quantity what has to be settled.
    least_draws
        At how many to give up at the earliest, if the engine can go on: where a small probability has to be told.
    """

    subject: Subject[MeasureT]
    options: Options
    quantity: Callable[[Floats], Floats]
    summarise: Callable[[Draws], Summary]
    least_draws: int = 0

    def until_settled(self, measures: tuple[MeasureT, ...]) -> list[Drawn[Summary]]:
        """Draw for measures that look at the same detail, doubling the number of draws until all are settled."""
        options = self.options
        sampler = self.subject.sampler(measures, options)
        found: dict[int, Drawn[Summary]] = {}
        columns = np.arange(len(measures))
        scores = sampler.draw(options.n_draws or options.engine.first_draws)
        class_scores = None if sampler.class_scores is None else self.quantity(sampler.class_scores)
        while columns.size:
            for place, column in enumerate(columns.tolist()):
                drawn = self._enough(sampler, np.ascontiguousarray(scores[:, :, place]), class_scores)
                if drawn is not None:
                    found[column] = drawn
            left = [column not in found for column in columns.tolist()]
            columns, scores = columns[left], scores[:, :, left]
            if columns.size > 1 and 2 * scores.size > _MOST_SCORES:  # too many to keep: each on its own
                found |= {column: self.until_settled((measures[column],))[0] for column in columns.tolist()}
                break
            scores = np.concatenate([scores, *self._more(sampler, scores.shape[1], columns)], axis=1)
        return [found[column] for column in range(len(measures))]

    def _enough(self, sampler: Sampler, scores: Floats, class_scores: Floats | None) -> Drawn[Summary] | None:
        """Return the scores, (sides, n), and what they say where more are not needed or not to be had."""
        quantity, engine = Draws(self.quantity(scores)), self.options.engine
        summary = self.summarise(quantity)
        if not (summary.settled or self.options.n_draws or scores.shape[1] >= self._most_draws):
            return None
        convergence = sampler.convergence(quantity.values)
        if convergence.r_hat is not None and not summary.settled:
            expected = "effective draws enough to settle the decision"
            raise ConvergenceError(f"engine {engine.name}", expected, str(convergence), _SETTLE)
        return Drawn(scores, quantity, summary, convergence, class_scores)

    @property
    def _most_draws(self) -> int:
        engine = self.options.engine
        can_go_on = engine.most_draws > engine.first_draws
        return max(engine.most_draws, self.least_draws) if can_go_on else engine.most_draws

    def _more(self, sampler: Sampler, have: int, columns: Codes) -> Iterator[Floats]:
        """Draw as many again, in steps, for most columns may be settled by now and need not be kept."""
        engine = self.options.engine
        missing = min(have, self._most_draws - have) if columns.size else 0
        while missing > 0:
            step = min(missing, engine.first_draws)
            yield sampler.draw(step)[:, :, columns]
            missing -= step


def sampling_of_delta(
    subject: Subject[MeasureT], options: CompareOptions, tail: float = 1.0
) -> AdaptiveSampling[MeasureT, DeltaFigures]:
    """Draw the difference of two sides' scores, as many as it takes to settle the decision."""
    return AdaptiveSampling(
        subject,
        options,
        lambda scores: np.asarray(scores[1] - scores[0]),
        lambda delta: options.summarise(delta, tail),
        draws_to_tell(tail),
    )


_SETTLE = "Sample more: engine=NutsEngine(draws=...); or use engine='exact', which adds draws by itself."
