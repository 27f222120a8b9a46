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
from pytest_bayesf1.stats.priors import prior_by_name

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
    prior = prior_by_name(options.prior, experiment.n_classes)
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
    name = prior_by_name(options.prior, experiment.n_classes).name
    # a function of the user's own may change what it does, so its draws are not kept
    draw = _prior_delta if measure.custom is None else _prior_delta.__wrapped__
    return draw(experiment.model, experiment.n_classes, measure, name, options.engine, options.seed)


@lru_cache(maxsize=32)
def _prior_delta(model: str, n_classes: int, measure: Measure, prior: str, engine: str, seed: int) -> Floats:
    before = Experiment.before_data(model, n_classes)
    sampler = load_engine(engine).sampler(before, prior_by_name(prior, n_classes), measure, (seed, _BEFORE_DATA))
    baseline, candidate = sampler.draw(min(max(_PRIOR_WORK // (100 * n_classes), 1_000), _MOST_PRIOR_DRAWS))
    return np.asarray(candidate - baseline)
