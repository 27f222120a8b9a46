"""As many draws as the decision needs, and the draws from before any data."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

import numpy as np

from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.engines.protocol import Convergence, Engine
from pytest_bayesf1.errors import ConvergenceError
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.measures import Measure
from pytest_bayesf1.stats.priors import Prior

_PRIOR_WORK = 20_000_000
_MOST_PRIOR_DRAWS = 50_000
_POSTERIOR, _BEFORE_DATA = 0, 1  # streams of random numbers that share a seed


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


def draw_until_settled(
    experiment: Experiment,
    measure: Measure,
    options: Options,
    quantity: Callable[[Floats], Floats],
    summarise: Callable[[Floats], Summary],
) -> Drawn[Summary]:
    """Draw every side's score, doubling the number of draws until the quantity's summary is settled, if it can be.

    With ``options.n_draws`` just that many are drawn.

    Raises
    ------
    ConvergenceError
        When Markov chains cannot be trusted, or leave a decision within their error.
    """
    prior, engine = options.prior_for(experiment), options.engine
    sampler = engine.sampler(experiment, prior, measure, (options.seed, _POSTERIOR))
    scores = sampler.draw(options.n_draws or engine.first_draws)
    summary = summarise(values := quantity(scores))
    while not (summary.settled or options.n_draws or values.size >= engine.most_draws):
        more = min(values.size, engine.most_draws - values.size)
        scores = np.concatenate([scores, sampler.draw(more)], axis=1)
        summary = summarise(values := quantity(scores))
    convergence = sampler.convergence(values)
    if convergence.r_hat is not None and not summary.settled:
        expected = "effective draws enough to settle the decision"
        raise ConvergenceError(f"engine {engine.name}", expected, str(convergence), _SETTLE)
    return Drawn(scores, values, summary, convergence)


_SETTLE = "Sample more: engine=NutsEngine(draws=...); or use engine='exact', which adds draws by itself."


def prior_delta(experiment: Experiment, measure: Measure, options: Options) -> Floats:
    """Draw delta from the model's own prior; the draws are kept for other comparisons of the same kind."""
    prior, n_classes = options.prior_for(experiment), experiment.n_classes
    # a function of the user's own may change what it does, and earlier counts come only once: no draws are kept then
    if measure.custom is None and prior.counts is None:
        return _named_prior_delta(experiment.model, n_classes, measure, prior, options.engine, options.seed)
    before = Experiment.before_data(experiment.model, n_classes, experiment.earlier, multilabel=experiment.multilabel)
    return _delta_before(before, measure, prior, options.engine, options.seed)


@lru_cache(maxsize=32)
def _named_prior_delta(model: str, n_classes: int, measure: Measure, prior: Prior, engine: Engine, seed: int) -> Floats:
    before = Experiment.before_data(model, n_classes, multilabel=measure.multilabel)
    return _delta_before(before, measure, prior, engine, seed)


def _delta_before(before: Experiment, measure: Measure, prior: Prior, engine: Engine, seed: int) -> Floats:
    sampler = engine.sampler(before, prior, measure, (seed, _BEFORE_DATA))
    baseline, candidate = sampler.draw(min(max(_PRIOR_WORK // (100 * before.n_classes), 1_000), _MOST_PRIOR_DRAWS))
    return np.asarray(candidate - baseline)
