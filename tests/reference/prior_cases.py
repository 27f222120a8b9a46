"""Every kind of prior, for the package and for the naive models."""

from dataclasses import dataclass
from typing import Any

from pytest_bayesf1.priors import PRIORS, Prior

from . import naive

BETA = (3.0, 1.0, 0.5)


@dataclass(frozen=True)
class Case:
    """A prior and the naive model of the same: its rows, and the pseudo-counts of the classes."""

    prior: Prior
    rows: Any
    beta: Any = 1.0


def named(name, rows, **changes):
    return Case(Prior.named(name, **changes), rows, changes.get("beta", naive.PRIOR_WEIGHTS.get(name, 1.0)))


CASES = {
    "hierarchical": named("hierarchical", naive.Shared()),
    "hierarchical, alpha, beta": named("hierarchical", naive.Shared((6, 2)), alpha=(6, 2), beta=BETA),
    "nested": Case(Prior.named("nested"), naive.Nested(), None),
    "nested, alpha": Case(Prior.named("nested", alpha=(6, 2)), naive.Nested((6, 2)), None),
    "uniform": named("uniform", naive.Cells(1.0)),
    "jeffreys, beta": named("jeffreys", naive.Cells(0.5), beta=BETA),
}
assert {name.partition(",")[0] for name in CASES} >= set(PRIORS)
