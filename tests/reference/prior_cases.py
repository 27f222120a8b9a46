"""Every kind of prior, for the package and for the naive models."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.priors import PRIORS, Prior

from . import naive

# some outcomes likelier than others, rows of unequal weight, a cell that only data reach; all fractions exact
MATRIX = np.array([[4.0, 0.5, 1.0], [0.25, 2.0, 0.75], [0.5, 0.0, 1.5]])
CUBE = np.stack([np.outer(row, row) / 8 + 0.25 for row in MATRIX])
BETA = (3.0, 1.0, 0.5)


@dataclass(frozen=True)
class Case:
    """A prior and the naive model of the same: its rows, and the pseudo-counts of the classes."""

    prior: Prior
    rows: Any
    beta: Any = 1.0

    def experiment(self, model, tables):
        """Put the counts that the prior holds beside the data's."""
        return Experiment(model, tables, self.prior.counts.tables * len(tables) if self.prior.counts else ())


def pseudo_counts(n_sides, beta=None):
    cells = MATRIX if n_sides == 1 else CUBE
    rows = cells.reshape(3, -1)
    return Case(Prior.from_counts(cells, beta=beta), naive.Cells(rows), rows.sum(axis=1) if beta is None else beta)


def named(name, rows, **changes):
    return lambda _: Case(Prior.named(name, **changes), rows, changes.get("beta", naive.PRIOR_WEIGHTS.get(name, 1.0)))


CASES = {
    "hierarchical": named("hierarchical", naive.Shared()),
    "hierarchical, alpha, beta": named("hierarchical", naive.Shared((6, 2)), alpha=(6, 2), beta=BETA),
    "nested": named("nested", naive.Nested()),
    "nested, alpha": named("nested", naive.Nested((6, 2)), alpha=(6, 2)),
    "uniform": named("uniform", naive.Cells(1.0)),
    "jeffreys, beta": named("jeffreys", naive.Cells(0.5), beta=BETA),
    "pseudo-counts": pseudo_counts,
    "pseudo-counts, beta": lambda n_sides: pseudo_counts(n_sides, BETA),
}
assert {name.partition(",")[0] for name in CASES} >= set(PRIORS)
