"""Priors: what is taken for likely before the data.

A prior has a Dirichlet pseudo-count ``beta`` for every class in the class proportions mu, and one of three forms for
the outcomes of a true class, its row: `EvenCells`, `SharedGroups` or `NestedGroups`. Counts that were seen before, or
that are merely imagined, may come on top: `PseudoCounts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.choices import PRIOR_NAMES, require_choice
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.labels import Label
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.scalars import as_float, shown


@dataclass(frozen=True)
class EvenCells:
    """The same Dirichlet pseudo-count in every outcome of every row (Zhang et al. 2016: 1)."""

    weight: float


@dataclass(frozen=True)
class SharedGroups:
    """One unit of Dirichlet mass a row; its groups of outcomes share it in unknown proportions eta (2015, eq. 1-13).

    Attributes
    ----------
    alpha
        Of eta ~ Beta(alpha): the pseudo-counts of being right and of being wrong, for each side.
    """

    alpha: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True)
class NestedGroups:
    """Two questions apart: how likely a row's groups of outcomes are, and how a group's share is split over its cells.

    The groups' probabilities in a row are Dirichlet(kappa eta), and a group's share is split by a symmetric Dirichlet
    of total rho. kappa and every group's rho are unknown too, each evenly likely on a grid of powers of the root of 2.

    Attributes
    ----------
    alpha
        As in `SharedGroups`.
    kappa, rho
        Smallest and largest value.
    """

    alpha: tuple[float, float] = (1.0, 1.0)
    kappa: tuple[float, float] = (0.5, 256.0)
    rho: tuple[float, float] = (0.25, 16.0)


RowPrior: TypeAlias = EvenCells | SharedGroups | NestedGroups


@dataclass(frozen=True, eq=False)
class PseudoCounts:
    """Counts that the prior holds already, in the manner of `Experiment.tables`.

    Attributes
    ----------
    tables
        One table for every table of the experiment, or one that serves for each.
    labels
        The classes; None for those of the data, in their order.
    model
        The model that the counts were made for; None for any.
    n_examples
        Examples that were really seen; 0 for imagined ones.
    """

    tables: tuple[OutcomeTable, ...]
    labels: tuple[Label, ...] | None = None
    model: str | None = None
    n_examples: int = 0


@dataclass(frozen=True, eq=False)
class Prior:
    """A prior: by name (`named`), of explicit counts (`from_counts`), or a posterior (`Comparison.as_prior`).

    Attributes
    ----------
    name
        What it started from.
    rows
        Of the outcomes of each true class.
    beta
        Dirichlet pseudo-count of every class in the class proportions: one number, or one a class. The classes of
        multi-label data are absent and present: (9, 1) expects every label in one example of ten.
    counts
        Counts on top.

    Examples
    --------
    >>> from pytest_bayesf1 import Prior, compare
    >>> mostly_right = Prior.named("hierarchical", alpha=(8, 2))
    >>> compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], measure="f1", rope=0.05, prior=mostly_right).prior
    'hierarchical, alpha (8, 2)'
    """

    name: str
    rows: RowPrior
    beta: float | tuple[float, ...] = 1.0
    counts: PseudoCounts | None = None

    @classmethod
    def named(
        cls,
        name: str,
        *,
        alpha: tuple[float, float] | None = None,
        beta: float | Sequence[float] | None = None,
    ) -> "Prior":
        """Take a prior by its name, with other hyper-parameters where they are given.

        Parameters
        ----------
        name
            ``hierarchical``, ``nested``, ``uniform`` or ``jeffreys``.
        alpha
            Of eta ~ Beta(alpha), for ``hierarchical`` and ``nested``: (right, wrong), (1, 1) by default.
        beta
            Pseudo-count of every class: one positive number, or one a class (of every label: absent, present).
        """
        require_choice("prior", name, PRIOR_NAMES)
        prior, changes = PRIORS[name], []
        if alpha is not None:
            prior = replace(prior, rows=_with_alpha(prior, alpha))
            changes.append(f"alpha ({prior.rows.alpha[0]:g}, {prior.rows.alpha[1]:g})")  # type: ignore[union-attr]
        if beta is not None:
            prior = replace(prior, beta=_checked_beta(beta))
            changes.append(f"beta {_told(prior.beta)}")
        return replace(prior, name=", ".join([name, *changes])) if changes else prior

    @classmethod
    def from_counts(
        cls, *cells: npt.ArrayLike, beta: float | Sequence[float] | None = None, multilabel: bool = False
    ) -> "Prior":
        """Make a Dirichlet prior of explicit pseudo-counts: examples that are imagined to have been seen before.

        Parameters
        ----------
        *cells
            Pseudo-counts, none negative: (M, M) for both sides, or one such array a side, or (M, M, M) for paired data
            (true class, baseline, candidate). Every class needs some. A cell without any can only be reached by data.
        beta
            Pseudo-counts of the classes; by default those of their rows.
        multilabel
            Whether the arrays are about labels: (L, 2, 2) or, for paired data, (L, 2, 2, 2), absent before present.
        """
        tables = tuple(_pseudo_table(each, f"cells[{position}]", multilabel) for position, each in enumerate(cells))
        if not tables or len(tables) > 2 or (len(tables) == 2 and any(table.n_sides == 2 for table in tables)):
            raise InputError("cells", "one array, or one (M, M) array a side", f"{len(cells)} arrays")
        # the rows' own totals count for the classes already
        totals = tables[0].row_totals
        beyond = None if beta is None else _one_a_class(_checked_beta(beta), tables[0], "beta") - totals
        return cls("pseudo-counts", EvenCells(0.0), 0.0 if beyond is None else tuple(beyond), PseudoCounts(tables))

    def after(self, experiment: Experiment, labels: tuple[Label, ...]) -> "Prior":
        """Return the posterior given an experiment's counts, a prior for the next (Goutte & Gaussier 2005, sec. 3)."""
        seen = max(table.n_samples for table in experiment.tables) + (self.counts.n_examples if self.counts else 0)
        return replace(self, counts=PseudoCounts(experiment.known, labels, experiment.model, seen))

    def __str__(self) -> str:
        """Write how results call it."""
        if self.counts is None or not self.counts.n_examples:
            return self.name
        return f"{self.name} after {self.counts.n_examples:,} earlier examples"

    def class_weights(self, table: OutcomeTable) -> Floats:
        """Pseudo-count of each class, (M,); of multi-label data that of each label's absence and presence, (2L,)."""
        return _one_a_class(self.beta, table, "prior.beta")

    def makes_joint_dirichlet(self) -> bool:
        """Whether, given eta, the whole joint probability is one Dirichlet: each row's mass equals its class weight."""
        return self.beta == self.row_mass

    @property
    def row_mass(self) -> float | None:
        """Dirichlet mass of a row before any counts where it does not depend on the number of outcomes; else None."""
        match self.rows:
            case SharedGroups():
                return 1.0
            case EvenCells(0.0):
                return 0.0
        return None


def _with_alpha(prior: Prior, alpha: tuple[float, float]) -> RowPrior:
    if isinstance(prior.rows, EvenCells):
        raise InputError("alpha", "nothing: only hierarchical and nested have it", shown(alpha))
    values = _positive(alpha, "alpha", "two positive numbers, (right, wrong)")
    if len(values) != 2:
        raise InputError("alpha", "two positive numbers, (right, wrong)", shown(alpha))
    return replace(prior.rows, alpha=values)


def _checked_beta(beta: Any) -> float | tuple[float, ...]:
    expected = "a positive number, or one a class"
    if as_float(beta) is not None:
        return _positive((beta,), "beta", expected)[0]
    return _positive(beta, "beta", expected)


def _positive(values: Any, where: str, expected: str) -> tuple[float, ...]:
    numbers = [as_float(value) for value in values] if hasattr(values, "__iter__") else []
    if not numbers or not all(number is not None and isfinite(number) and number > 0 for number in numbers):
        raise InputError(where, expected, shown(values))
    return tuple(number for number in numbers if number is not None)


def _one_a_class(beta: float | tuple[float, ...], table: OutcomeTable, where: str) -> Floats:
    values = np.asarray(beta, dtype=float)
    if values.size not in {1, table.n_outcomes, table.n_classes}:
        raise InputError(where, f"{table.n_outcomes} numbers, one a class", f"{values.size}")
    return np.resize(values, table.n_classes)


def _told(beta: float | tuple[float, ...]) -> str:
    return f"{beta:g}" if isinstance(beta, float) else f"({', '.join(f'{value:g}' for value in beta)})"


def _pseudo_table(cells: npt.ArrayLike, where: str, multilabel: bool) -> OutcomeTable:
    array = np.asarray(cells)
    if array.dtype.kind not in "iuf" or not (_is_of_labels if multilabel else _is_of_classes)(array.shape):
        expected = "(L, 2, 2), or (L, 2, 2, 2) for pairs" if multilabel else "(M, M), or (M, M, M) for pairs"
        raise InputError(where, f"pseudo-counts of shape {expected}", f"shape {array.shape}")
    if not (np.isfinite(array).all() and (array >= 0).all()):
        raise InputError(where, "finite pseudo-counts, none negative", str(array[~(array >= 0)].ravel()[:1]))
    table = _counted(array.astype(float), multilabel)
    if not table.row_totals.all():
        raise InputError(where, "some pseudo-count for every true class", f"none in row {table.row_totals.argmin()}")
    return table


def _counted(cells: Floats, multilabel: bool) -> OutcomeTable:
    if multilabel:
        return OutcomeTable.of_labels(cells)
    nonzero = np.nonzero(cells)
    return OutcomeTable.tally(len(cells), *nonzero, weight=cells[nonzero])


def _is_of_classes(shape: tuple[int, ...]) -> bool:
    return len(shape) in (2, 3) and len(set(shape)) == 1 and shape[0] >= 2


def _is_of_labels(shape: tuple[int, ...]) -> bool:
    return len(shape) in (3, 4) and set(shape[1:]) == {2} and shape[0] >= 1


HIERARCHICAL = Prior("hierarchical", SharedGroups())
NESTED = Prior("nested", NestedGroups())
UNIFORM = Prior("uniform", EvenCells(1.0))
JEFFREYS = Prior("jeffreys", EvenCells(0.5), beta=0.5)

PRIORS = {prior.name: prior for prior in (HIERARCHICAL, NESTED, UNIFORM, JEFFREYS)}


_FEW_EXAMPLES = 100  # a class, on average: with more, nested and hierarchical agree
_MANY_CLASSES = 50  # from here on a nested draw of pairs costs too much for a default


def prior_by_name(name: str, experiment: Experiment) -> Prior:
    """Look a prior up; ``auto`` depends on the size of the data, never on what they say.

    Two classes, or one label: uniform. Several labels: hierarchical. One classifier's score: nested. A difference of
    scores: nested where examples are few, hierarchical, which costs less, where there are at least 100 a class or more
    than 50 classes.
    """
    if name == "auto":
        return UNIFORM if experiment.n_classes == 2 else _for_several_classes(experiment)
    require_choice("prior", name, ("auto", *PRIOR_NAMES))
    return PRIORS[name]


def _for_several_classes(experiment: Experiment) -> Prior:
    if experiment.multilabel:
        return HIERARCHICAL
    if experiment.model == "single":
        return NESTED
    n_classes, n_samples = experiment.n_classes, min(table.n_samples for table in experiment.tables)
    return NESTED if n_samples < _FEW_EXAMPLES * n_classes and n_classes <= _MANY_CLASSES else HIERARCHICAL
