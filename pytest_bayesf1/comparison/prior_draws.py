"""Draws of delta from before any data."""

from functools import lru_cache
from typing import TypeAlias

import numpy as np

from pytest_bayesf1.comparison.options import Options
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.protocol import Engine
from pytest_bayesf1.measures.classification import Measure, Several
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.posterior import Draws

_WORK = 10_000_000
_MOST_DRAWS = 50_000
_BEFORE_DATA = 1  # stream of random numbers beside those of the posterior

Measures: TypeAlias = tuple[Measure, ...]


def prior_deltas(experiment: Experiment, measures: Measures, options: Options) -> tuple[Draws, ...]:
    """Draw delta by every measure from the model's own prior; kept for other comparisons of the same kind.

    Parameters
    ----------
    experiment
        Its data are left out, the earlier counts of the prior are not.
    measures
        Which look at the same detail.
    options
        The prior, the engine and the seed.

    Returns
    -------
    tuple of Draws
        Of each measure; the fewer, the more classes there are.
    """
    prior, shape = options.prior_for(experiment), (experiment.model, experiment.n_classes, experiment.never_true)
    # a function of the user's own may change what it does, and earlier counts come only once: no draws are kept then
    if all(measure.custom is None for measure in measures) and prior.counts is None:
        return _named_prior_deltas(*shape, measures, prior, options.engine, options.seed)
    before = Experiment.before_data(
        experiment.model,
        experiment.n_classes,
        experiment.earlier if prior.counts is not None else (),
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
) -> tuple[Draws, ...]:
    multilabel, spans = measures[0].multilabel, measures[0].spans
    before = Experiment.before_data(model, n_classes, multilabel=multilabel, spans=spans, never_true=never_true)
    return _deltas_before(before, measures, prior, engine, seed)


def _deltas_before(
    before: Experiment, measures: Measures, prior: Prior, engine: Engine, seed: int
) -> tuple[Draws, ...]:
    sampler = engine.sampler(before, prior, Several(measures), (seed, _BEFORE_DATA))
    baseline, candidate = sampler.draw(min(max(_WORK // (100 * before.n_classes), 1_000), _MOST_DRAWS))
    return tuple(Draws(delta) for delta in np.ascontiguousarray((candidate - baseline).T))
