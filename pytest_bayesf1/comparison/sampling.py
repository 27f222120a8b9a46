"""As many draws as the decision needs, and the draws from before any data."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Generic, Protocol, TypeVar

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.engines.protocol import Engine, Sampler
from pytest_bayesf1.errors import ConvergenceError
from pytest_bayesf1.measures.measures import Measure, Several
from pytest_bayesf1.priors.priors import Prior
from pytest_bayesf1.results.figures import Convergence

_PRIOR_WORK = 10_000_000
_MOST_PRIOR_DRAWS = 50_000
_POSTERIOR, _BEFORE_DATA = 0, 1  # streams of random numbers that share a seed
_MOST_SCORES = 1 << 24  # kept at once, 8 bytes each

Measures = tuple[Measure, ...]


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
    values : (n,)
        The quantity that was asked for.
    summary
        What was made of it.
    convergence
        How far the draws can be trusted.
    """

    scores: Floats
    values: Floats
    summary: Summary
    convergence: Convergence


def batches(measures: Sequence[Measure], experiment: Experiment, options: Options) -> Iterator[Measures]:
    """Cut measures into batches, each to be scored on the same draws in bounded memory.

    Those of a batch look at the same detail, so that each finds the very draws that it would find alone.

    Parameters
    ----------
    measures
        What is asked for.
    experiment
        Whose sides are scored.
    options
        How many draws there are at first.

    Yields
    ------
    tuple of Measure
        In their order.
    """
    n_draws = options.n_draws or options.engine.first_draws
    most = max(_MOST_SCORES // (len(experiment.sides) * n_draws), 1)
    for _, alike in groupby(measures, key=lambda measure: measure.detail):
        rest = tuple(alike)
        while rest:
            yield rest[:most]
            rest = rest[most:]


@dataclass(frozen=True)
class AdaptiveSampling(Generic[Summary]):
    """Draws of every side's score, as many as it takes to settle what is asked of them.

    Attributes
    ----------
    quantity
        Makes the quantity, (n,), of the scores, (sides, n).
    summarise
        Makes of the quantity what has to be settled.
    """

    experiment: Experiment
    options: Options
    quantity: Callable[[Floats], Floats]
    summarise: Callable[[Floats], Summary]

    def until_settled(self, measures: Measures) -> list[Drawn[Summary]]:
        """Draw for measures that look at the same detail, doubling the number of draws until all are settled.

        Parameters
        ----------
        measures
            One of `batches`.

        Returns
        -------
        list of Drawn
            Per measure the draws up to where it was settled itself, or could not be; with ``options.n_draws`` just
            that many.

        Raises
        ------
        ConvergenceError
            When Markov chains cannot be trusted, or leave a decision within their error.
        """
        options = self.options
        prior, seed = options.prior_for(self.experiment), (options.seed, _POSTERIOR)
        sampler = options.engine.sampler(self.experiment, prior, Several(measures), seed)
        found: dict[int, Drawn[Summary]] = {}
        columns = np.arange(len(measures))
        scores = sampler.draw(options.n_draws or options.engine.first_draws)
        while columns.size:
            for place, column in enumerate(columns.tolist()):
                drawn = self._enough(sampler, np.ascontiguousarray(scores[:, :, place]))
                if drawn is not None:
                    found[column] = drawn
            left = [column not in found for column in columns.tolist()]
            columns, scores = columns[left], scores[:, :, left]
            if columns.size > 1 and 2 * scores.size > _MOST_SCORES:  # too many to keep: each on its own
                found |= {column: self.until_settled((measures[column],))[0] for column in columns.tolist()}
                break
            scores = np.concatenate([scores, *self._more(sampler, scores.shape[1], columns)], axis=1)
        return [found[column] for column in range(len(measures))]

    def _enough(self, sampler: Sampler, scores: Floats) -> Drawn[Summary] | None:
        """Return the scores, (sides, n), and what they say where more are not needed or not to be had."""
        values, engine = self.quantity(scores), self.options.engine
        summary = self.summarise(values)
        if not (summary.settled or self.options.n_draws or values.size >= engine.most_draws):
            return None
        convergence = sampler.convergence(values)
        if convergence.r_hat is not None and not summary.settled:
            expected = "effective draws enough to settle the decision"
            raise ConvergenceError(f"engine {engine.name}", expected, str(convergence), _SETTLE)
        return Drawn(scores, values, summary, convergence)

    def _more(self, sampler: Sampler, have: int, columns: Codes) -> Iterator[Floats]:
        """Draw as many again, in steps, for most columns may be settled by now and need not be kept."""
        engine = self.options.engine
        missing = min(have, engine.most_draws - have) if columns.size else 0
        while missing > 0:
            step = min(missing, engine.first_draws)
            yield sampler.draw(step)[:, :, columns]
            missing -= step


_SETTLE = "Sample more: engine=NutsEngine(draws=...); or use engine='exact', which adds draws by itself."


def prior_delta(experiment: Experiment, measure: Measure, options: Options) -> Floats:
    """Draw delta from the model's own prior.

    Parameters
    ----------
    experiment
        Its data are left out, its earlier counts are not.
    measure
        Of which delta is the difference.
    options
        The prior, the engine and the seed.

    Returns
    -------
    (n,)
        The fewer, the more classes there are.
    """
    return prior_deltas(experiment, (measure,), options)[:, 0]


def prior_deltas(experiment: Experiment, measures: Measures, options: Options) -> Floats:
    """Draw delta by every measure from the model's own prior; kept for other comparisons of the same kind.

    Parameters
    ----------
    experiment, options
        As in `prior_delta`.
    measures
        K of them, which look at the same detail.

    Returns
    -------
    (n, K)
        One column per measure.
    """
    prior, shape = options.prior_for(experiment), (experiment.model, experiment.n_classes, experiment.never_true)
    # a function of the user's own may change what it does, and earlier counts come only once: no draws are kept then
    if all(measure.custom is None for measure in measures) and prior.counts is None:
        return _named_prior_deltas(*shape, measures, prior, options.engine, options.seed)
    before = Experiment.before_data(
        experiment.model,
        experiment.n_classes,
        experiment.earlier,
        multilabel=experiment.multilabel,
        spans=experiment.spans,
        never_true=experiment.never_true,
    )
    return _deltas_before(before, measures, prior, options.engine, options.seed)


@lru_cache(maxsize=32)
def _named_prior_deltas(
    model: Model,
    n_classes: int,
    never_true: tuple[int, ...],
    measures: Measures,
    prior: Prior,
    engine: Engine,
    seed: int,
) -> Floats:
    before = Experiment.before_data(
        model, n_classes, multilabel=measures[0].multilabel, spans=measures[0].spans, never_true=never_true
    )
    return _deltas_before(before, measures, prior, engine, seed)


def _deltas_before(before: Experiment, measures: Measures, prior: Prior, engine: Engine, seed: int) -> Floats:
    sampler = engine.sampler(before, prior, Several(measures), (seed, _BEFORE_DATA))
    baseline, candidate = sampler.draw(min(max(_PRIOR_WORK // (100 * before.n_classes), 1_000), _MOST_PRIOR_DRAWS))
    return np.asfortranarray(candidate - baseline)
