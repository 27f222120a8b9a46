"""As many draws as the decision needs, and the draws from before any data."""

from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, TypeVar

import numpy as np

from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.engines import load_engine
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.measures import Measure
from pytest_bayesf1.stats.priors import Prior

FIRST_DRAWS = 20_000
MOST_DRAWS = 1_000_000
_PRIOR_WORK = 20_000_000
_MOST_PRIOR_DRAWS = 50_000


class _Settleable(Protocol):
    @property
    def settled(self) -> bool: ...


Summary = TypeVar("Summary", bound=_Settleable)


def draw_until_settled(
    experiment: Experiment, measure: Measure, options: Options, summarise: Callable[[Floats], Summary]
) -> tuple[Floats, Summary]:
    """Draw every side's score, doubling the number of draws until the summary is settled or `MOST_DRAWS` are spent.

    With ``options.n_draws`` just that many are drawn.

    Returns
    -------
    scores, summary
        ``scores`` has shape (sides, draws).
    """
    prior = options.prior_for(experiment.n_classes)
    sampler = load_engine(options.engine).sampler(experiment, prior, measure, (options.seed, _POSTERIOR))
    scores = sampler.draw(options.n_draws or FIRST_DRAWS)
    summary = summarise(scores)
    while not (summary.settled or options.n_draws or scores.shape[1] >= MOST_DRAWS):
        more = min(scores.shape[1], MOST_DRAWS - scores.shape[1])
        scores = np.concatenate([scores, sampler.draw(more)], axis=1)
        summary = summarise(scores)
    return scores, summary


_POSTERIOR, _BEFORE_DATA = 0, 1  # streams of random numbers that share a seed


def prior_delta(experiment: Experiment, measure: Measure, options: Options) -> Floats:
    """Draw delta from the model's own prior; the draws are kept for other comparisons of the same kind."""
    prior, n_classes = options.prior_for(experiment.n_classes), experiment.n_classes
    # a function of the user's own may change what it does, and earlier counts come only once: no draws are kept then
    if measure.custom is None and prior.counts is None:
        return _named_prior_delta(experiment.model, n_classes, measure, prior, options.engine, options.seed)
    before = Experiment.before_data(experiment.model, n_classes, experiment.earlier, multilabel=experiment.multilabel)
    return _delta_before(before, measure, prior, options.engine, options.seed)


@lru_cache(maxsize=32)
def _named_prior_delta(model: str, n_classes: int, measure: Measure, prior: Prior, engine: str, seed: int) -> Floats:
    return _delta_before(
        Experiment.before_data(model, n_classes, multilabel=measure.multilabel), measure, prior, engine, seed
    )


def _delta_before(before: Experiment, measure: Measure, prior: Prior, engine: str, seed: int) -> Floats:
    sampler = load_engine(engine).sampler(before, prior, measure, (seed, _BEFORE_DATA))
    baseline, candidate = sampler.draw(min(max(_PRIOR_WORK // (100 * before.n_classes), 1_000), _MOST_PRIOR_DRAWS))
    return np.asarray(candidate - baseline)
