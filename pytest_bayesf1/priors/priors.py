"""Priors: what is taken for likely before the data.

A prior has a Dirichlet pseudo-count ``beta`` for every class in the class proportions mu, and one of three forms for
the outcomes of a true class, its row: `EvenCells`, `SharedGroups` or `NestedGroups`. Counts that were seen before, or
that are merely imagined, may come on top: `PseudoCounts`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy.typing as npt

from pytest_bayesf1._util import as_float, as_floats, require_choice, shown
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.priors.pseudo_counts import LEAST_MASS, MOST_MASS, PseudoCounts, per_class
from pytest_bayesf1.priors.rows import EvenCells, NestedGroups, RowPrior, SharedGroups
from pytest_bayesf1.settings import AUTO, PriorName


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
        Dirichlet pseudo-count of every class in the class proportions: one number, or one per class. The classes of
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
            Pseudo-count of every class: one number, or one per class in the order of the data's (of every label:
            absent, present).

        Raises
        ------
        InputError
            For another name, or numbers that cannot be pseudo-counts.
        """
        require_choice("prior", name, PriorName)
        prior, changes = PRIORS[name], []
        if alpha is not None:
            rows = _with_alpha(prior.rows, alpha)
            prior = replace(prior, rows=rows)
            changes.append(f"alpha {_written(rows.alpha)}")
        if beta is not None:
            prior = replace(prior, beta=_checked_beta(beta))
            changes.append(f"beta {_written(prior.beta)}")
        return replace(prior, name=", ".join([name, *changes])) if changes else prior

    @classmethod
    def from_counts(
        cls,
        *cells: npt.ArrayLike,
        labels: Iterable[Label] | None = None,
        beta: float | Sequence[float] | None = None,
        multilabel: bool = False,
    ) -> "Prior":
        """Make a Dirichlet prior of explicit pseudo-counts: examples that are imagined to have been seen before.

        Parameters
        ----------
        *cells
            Pseudo-counts, none negative: (M, M) for both sides, or one such array per side, or (M, M, M) for paired
            data (true class, baseline, candidate). Every true class needs some. A cell without any can only be reached
            by data.
        labels
            The classes in the order of the cells; by default those of the data, in the order of the data.
        beta
            Pseudo-counts of the classes; by default those of their rows.
        multilabel
            Whether the arrays are about labels: (L, 2, 2) or, for paired data, (L, 2, 2, 2), absent before present.

        Raises
        ------
        InputError
            When the arrays have no such shapes, or a class has no pseudo-count.
        """
        counts = PseudoCounts.of_cells(cells, labels, multilabel)
        # the rows' own totals count for the classes already
        beyond = 0.0 if beta is None else counts.missing(_checked_beta(beta))
        return cls("pseudo-counts", EvenCells(0.0), beyond, counts)

    def after(self, experiment: Experiment, labels: tuple[Label, ...]) -> "Prior":
        """Return the posterior given an experiment, a prior for the next (Goutte & Gaussier 2005, section 3, Note).

        Parameters
        ----------
        experiment
            What was observed, beside what this prior had seen.
        labels
            The names of its classes.
        """
        seen = self.n_examples + max(table.n_samples for table in experiment.tables)
        return replace(self, counts=PseudoCounts(experiment.known, labels, experiment.model, seen))

    @property
    def n_examples(self) -> int:
        """Examples that it has really seen."""
        return self.counts.n_examples if self.counts else 0

    def __str__(self) -> str:
        """Write what results call it."""
        return f"{self.name} after {self.n_examples:,} earlier examples" if self.n_examples else self.name

    def class_weights(self, table: OutcomeTable) -> Floats:
        """Pseudo-count of each class, (M,); of multi-label data that of each label's absence and presence, (2L,).

        Parameters
        ----------
        table
            The counts that it is for; classes that the truth never has get none.
        """
        return per_class(self.beta, table, "prior.beta") * table.may_be_true

    def makes_joint_dirichlet(self, table: OutcomeTable) -> bool:
        """Whether, given eta, the whole joint probability is one Dirichlet: each row's mass equals its class weight.

        Parameters
        ----------
        table
            Its shape alone matters.
        """
        return table.spans or self.beta == self._row_mass(table)

    def over_units(self, table: OutcomeTable) -> "Prior":
        """Return the prior for examples that belong to units: then the whole joint probability is one Dirichlet.

        The base measure of the Dirichlet process is the prior on units of one example, so that the class proportions
        follow from the outcomes: with a fixed pseudo-count in every cell a class has as many as its row.

        Parameters
        ----------
        table
            The counts with units.

        Raises
        ------
        InputError
            When it rescales rows, as ``nested`` does, or has pseudo-counts of the classes of its own.
        """
        mass = self._row_mass(table)
        if mass is None:
            advice = "Leave the prior out, or use prior='hierarchical'."
            raise InputError("prior", "one that serves units (clusters, runs)", repr(str(self)), advice)
        if self.beta != mass and self.name not in PRIORS:
            advice = "Leave beta out: the classes' proportions follow from the outcomes of the units."
            raise InputError("prior", "no beta of its own beside clusters or runs", repr(str(self)), advice)
        return replace(self, beta=mass)

    def over_spans(self) -> "Prior":
        """Return the prior for spans: its pseudo-count is that of what each side finds, invents and misses of a type.

        Raises
        ------
        InputError
            When it is about classes or their rows.
        """
        if self not in (UNIFORM, JEFFREYS) and self.counts is None:
            advice = "Leave the prior out, or use prior='jeffreys' or 'uniform'."
            raise InputError("prior", "one that serves spans", repr(str(self)), advice)
        return self

    def _row_mass(self, table: OutcomeTable) -> float | None:
        """Return the Dirichlet mass of a row before any counts, where it is fixed."""
        match self.rows:
            case SharedGroups():
                return 1.0
            case EvenCells(weight):
                return float(weight * table.n_outcomes**table.n_sides)
        return None


def _with_alpha(rows: RowPrior, alpha: tuple[float, float]) -> SharedGroups | NestedGroups:
    if isinstance(rows, EvenCells):
        raise InputError("alpha", "nothing: only hierarchical and nested have it", shown(alpha))
    values = as_floats(alpha) or ()
    if len(values) != 2 or not _serve(values):
        raise InputError("alpha", f"two numbers {_RANGE}, (right, wrong)", shown(alpha))
    return replace(rows, alpha=(values[0], values[1]))


def _checked_beta(beta: Any) -> float | tuple[float, ...]:
    number = as_float(beta)
    values = as_floats(beta) if number is None else (number,)
    if not values or not _serve(values):
        raise InputError("beta", f"a number {_RANGE}, or one per class", shown(beta))
    return values if number is None else number


_RANGE = f"from {LEAST_MASS:g} to {MOST_MASS:g}"


def _serve(masses: tuple[float, ...]) -> bool:
    return all(LEAST_MASS <= mass <= MOST_MASS for mass in masses)


def _written(beta: float | tuple[float, ...]) -> str:
    return f"{beta:g}" if isinstance(beta, float) else f"({', '.join(f'{value:g}' for value in beta)})"


HIERARCHICAL = Prior(PriorName.HIERARCHICAL, SharedGroups())
NESTED = Prior(PriorName.NESTED, NestedGroups())
UNIFORM = Prior(PriorName.UNIFORM, EvenCells(1.0))
JEFFREYS = Prior(PriorName.JEFFREYS, EvenCells(0.5), beta=0.5)

PRIORS = {prior.name: prior for prior in (HIERARCHICAL, NESTED, UNIFORM, JEFFREYS)}


def prior_by_name(name: str, experiment: Experiment) -> Prior:
    """Look a prior up; ``auto`` depends on the kind of data, never on what they say or how many they are.

    Two classes, one label, or spans: jeffreys. More classes: nested. Labels, or units: hierarchical.

    Parameters
    ----------
    name
        ``auto`` or one of `PRIORS`.
    experiment
        The data.

    Raises
    ------
    InputError
        For another name.
    """
    if name == AUTO:
        return _by_kind(experiment)
    require_choice("prior", name, (AUTO, *PriorName))
    return PRIORS[name]


def _by_kind(experiment: Experiment) -> Prior:
    if experiment.spans:
        return JEFFREYS
    if experiment.units:
        return HIERARCHICAL
    if experiment.n_classes == 2:
        return JEFFREYS
    return HIERARCHICAL if experiment.multilabel else NESTED
