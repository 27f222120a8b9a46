"""Populations that break what priors and strata expect: that classes err alike, and that errors spread evenly."""

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from benchmarks.studies.attracting import attractors, majority
from benchmarks.studies.populations import Population, losing
from benchmarks.studies.trained import Trained
from pytest_bayesf1.measures.classification import Measure

_train = cache(Trained.of)


def _attracted(measure: Measure, loss: float) -> Population:
    population = attractors(10)
    return losing(population, measure, loss + population.delta(measure))


def _rarest(measure: Measure, loss: float) -> Population:
    """Let the two rarest of six classes lose, most of whose errors go to the most frequent one."""
    joint = majority().joint
    return losing(Population((joint + joint.swapaxes(1, 2)) / 2), measure, loss, rarest=0.2)


def _trained(measure: Measure, loss: float) -> Population:
    """Train a reader of handwritten digits on fewer images."""
    weaker = _train("digits", "logistic").losing(measure, loss)
    assert weaker is not None
    return weaker


UNEVEN: Mapping[str, tuple[int, Callable[[Measure, float], Population]]] = MappingProxyType(
    {
        "each side has its attractor": (10, _attracted),
        "the rarest classes lose": (6, _rarest),
        "trained on less": (10, _trained),
    }
)
"""How many classes there are, and the population in which the candidate loses so much."""
