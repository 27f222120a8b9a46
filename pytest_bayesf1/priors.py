"""Priors of the cell probabilities: named ones, and evidence from earlier data.

A `Prior` has a Dirichlet pseudo-count ``beta`` for every class in the class proportions mu, and one of three forms for
the outcomes of a true class, its row: `EvenCells`, `SharedGroups` or `NestedGroups`. What was counted before may come
on top: `EarlierCounts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import AUTO, AnyModel, Model, PriorName
from pytest_bayesf1.data.labels import key, positions
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import first_few
from pytest_bayesf1.values import as_float, as_floats, require_choice

LEAST_MASS = 0.05
"""Least Dirichlet mass of a class and of a row: with less, gamma variables may underflow together."""
MOST_MASS = 1e9


@dataclass(frozen=True, eq=False)
class EarlierCounts:
    """What was counted on earlier test sets, in the manner of `Experiment.tables`.

    Attributes
    ----------
    tables
        One table for every table of the experiment.
    labels
        The classes.
    model
        The model that the counts were made for.
    n_examples
        Examples that were seen.
    """

    tables: tuple[OutcomeTable, ...]
    labels: tuple[Label, ...]
    model: Model
    n_examples: int


def model_with(earlier: EarlierCounts | None, asked: AnyModel, possible: tuple[Model, ...]) -> AnyModel:
    """Choose the model of earlier counts, which is the model of the new ones; without any, the one asked for."""
    require_model(earlier, possible if asked == AUTO else (Model(asked),))
    return asked if earlier is None else earlier.model


def require_model(earlier: EarlierCounts | None, wanted: tuple[Model, ...]) -> None:
    """Require that earlier counts, if there are any, are of one of the models."""
    if earlier is not None and earlier.model not in wanted:
        expected = f"a posterior of the model {' or '.join(map(repr, wanted))}"
        raise InputError("prior", expected, f"one of the model {earlier.model!r}")


def beside_earlier(experiment: Experiment, labels: tuple[Label, ...], earlier: EarlierCounts) -> Experiment:
    """Put earlier counts beside an experiment's, over the classes of the earlier ones."""
    wanted, found = (_kind(tables[0]) for tables in (experiment.tables, earlier.tables))
    if wanted != found:
        raise InputError("prior", f"a posterior of {wanted}", f"one of {found}")
    return replace(_relabelled(experiment, labels, earlier.labels), earlier=earlier.tables)


def _relabelled(experiment: Experiment, labels: tuple[Label, ...], wanted: tuple[Label, ...]) -> Experiment:
    position = positions(wanted)
    new = [label for label in labels if key(label) not in position]
    if new:
        advice = "Begin with the test set that holds all classes, with the same labels on both."
        raise InputError.plain("prior", f"It has no counts of {first_few(map(shown, new))}", advice)
    codes = [position[key(label)] for label in labels]

    def moved(tables: tuple[OutcomeTable, ...]) -> tuple[OutcomeTable, ...]:
        return tuple(table.relabelled(codes, len(wanted)) for table in tables)

    return replace(experiment, tables=moved(experiment.tables), trainings=tuple(map(moved, experiment.trainings)))


def _kind(table: OutcomeTable) -> str:
    return "spans" if table.spans else "labels" if table.multilabel else "classes"


@dataclass(frozen=True)
class UnseenPrior:
    """A prior without a choice, which has seen no example; ``name`` is what results call it.

    That of scores is a few pseudo-observations beside the examples, see `engines.bootstrap`.
    """

    name: str
    n_examples: ClassVar[int] = 0

    def __str__(self) -> str:
        """Write what results call it."""
        return self.name


@dataclass(frozen=True)
class EvenCells:
    """The same Dirichlet pseudo-count in every outcome of every row (Zhang et al. 2016: 1)."""

    weight: float


@dataclass(frozen=True)
class SharedGroups:
    """One unit of Dirichlet mass per row; its groups of outcomes share it in unknown proportions eta (2015, eq. 1-13).

    Attributes
    ----------
    alpha
        Of eta ~ Beta(alpha): the pseudo-counts of being right and of being wrong, for each side.
    """

    alpha: tuple[float, float] = (1.0, 1.0)


@dataclass(frozen=True)
class NestedGroups:
    """A few examples of every class, which are right or wrong as often as those of all classes are.

    The groups' probabilities in a row are Dirichlet(kappa eta), and eta is learned from all rows. What a side predicts
    wrongly is one class, by how many errors each class attracts in all rows (`engines.hyperparameters.attraction`).

    Attributes
    ----------
    alpha
        As in `SharedGroups`.
    kappa, kappa_of_pairs
        How many examples it adds to a class, of one side and of pairs.
    """

    alpha: tuple[float, float] = (1.0, 1.0)
    kappa: float = 1.0
    kappa_of_pairs: float = 2.0

    def mass(self, n_sides: int) -> float:
        """Return the kappa of so many sides."""
        return self.kappa if n_sides == 1 else self.kappa_of_pairs


RowPrior: TypeAlias = EvenCells | SharedGroups | NestedGroups


@dataclass(frozen=True, eq=False)
class Prior:
    """A prior: by name (`named`), or a posterior (`Comparison.as_prior`).

    Attributes
    ----------
    name
        What it started from.
    rows
        Of the outcomes of each true class.
    beta
        Dirichlet pseudo-count of every class in the class proportions: one number, or one per class. The classes of
        multi-label data are absent and present: (9, 1) expects every label in one example of ten. None where the
        proportions follow from the outcomes.
    counts
        What was counted before.

    Examples
    --------
    >>> from pytest_bayesf1 import Prior, compare
    >>> mostly_right = Prior.named("hierarchical", alpha=(8, 2))
    >>> compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], measure="f1", rope=0.05, prior=mostly_right).prior
    'hierarchical, alpha (8, 2)'
    """

    name: str
    rows: RowPrior
    beta: float | tuple[float, ...] | None = 1.0
    counts: EarlierCounts | None = None

    @classmethod
    def named(
        cls, name: str, *, alpha: tuple[float, float] | None = None, beta: float | Sequence[float] | None = None
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

        Examples
        --------
        >>> from pytest_bayesf1 import Prior
        >>> Prior.named("jeffreys").name
        'jeffreys'
        """
        require_choice("prior", name, PriorName)
        prior, changes = PRIORS[name], []
        if alpha is not None:
            rows = _with_alpha(prior.rows, alpha)
            prior = replace(prior, rows=rows)
            changes.append(f"alpha {_written(rows.alpha)}")
        if beta is not None:
            checked = _checked_beta(beta)
            prior = replace(prior, beta=checked)
            changes.append(f"beta {_written(checked)}")
        return replace(prior, name=", ".join([name, *changes])) if changes else prior

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
        return replace(self, counts=EarlierCounts(experiment.known, labels, experiment.model, seen))

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
        numbers = np.asarray(self._row_mass(table) if self.beta is None else self.beta, dtype=float)
        if numbers.size not in {1, table.n_outcomes, table.n_classes}:
            raise InputError("prior.beta", f"{table.n_outcomes} numbers, one per class", f"{numbers.size}")
        return np.resize(numbers, table.n_classes) * table.may_be_true

    def makes_joint_dirichlet(self, table: OutcomeTable) -> bool:
        """Whether, given eta, the whole joint probability is one Dirichlet: each row's mass equals its class weight.

        Parameters
        ----------
        table
            Its shape alone matters.
        """
        return table.spans or self.beta is None or self.beta == self._row_mass(table)

    def over_clusters(self, table: OutcomeTable) -> "Prior":
        """Return the prior for examples that belong to clusters: then the whole joint probability is one Dirichlet.

        The base measure of the Dirichlet process is the prior on clusters of one example, so that the class proportions
        follow from the outcomes: with a fixed pseudo-count in every cell a class has as many as its row.

        Parameters
        ----------
        table
            The counts with clusters.

        Raises
        ------
        InputError
            When it has pseudo-counts of the classes of its own.
        """
        if self.beta not in (None, self._row_mass(table)) and self.name not in PRIORS:
            advice = "Leave beta out: the classes' proportions follow from the outcomes of the clusters."
            raise InputError.plain("prior", f"{str(self)!r} has a beta, which does not go with clusters", advice)
        return replace(self, beta=None)

    def over_spans(self) -> "Prior":
        """Return the prior for spans: its pseudo-count is that of what each side finds, invents and misses of a type.

        Raises
        ------
        InputError
            When it is about classes or their rows.
        """
        if self not in (UNIFORM, JEFFREYS) and self.counts is None:
            advice = "Leave the prior out, or use prior: jeffreys or prior: uniform."
            raise InputError.plain("prior", f"{str(self)!r} does not serve spans", advice)
        return self

    def _row_mass(self, table: OutcomeTable) -> float:
        """Return the Dirichlet mass of a row before any counts."""
        match self.rows:
            case SharedGroups():
                return 1.0
            case NestedGroups() as rows:
                return rows.mass(table.n_sides)
            case EvenCells(weight):
                return float(weight * table.n_outcomes**table.n_sides)


def _with_alpha(rows: RowPrior, alpha: tuple[float, float]) -> SharedGroups | NestedGroups:
    if isinstance(rows, EvenCells):
        raise InputError.plain("alpha", "Only hierarchical and nested priors have alpha", "Leave it out.")
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
NESTED = Prior(PriorName.NESTED, NestedGroups(), beta=None)
UNIFORM = Prior(PriorName.UNIFORM, EvenCells(1.0))
JEFFREYS = Prior(PriorName.JEFFREYS, EvenCells(0.5), beta=0.5)

PRIORS = {prior.name: prior for prior in (HIERARCHICAL, NESTED, UNIFORM, JEFFREYS)}


def prior_by_name(name: str, experiment: Experiment) -> Prior:
    """Look a prior up; ``auto`` depends on the kind of data, never on what they say or how many they are.

    Two classes, one label, or spans: jeffreys, unless the examples of classes belong to clusters. Else: nested.
    """
    if name != AUTO:
        require_choice("prior", name, (AUTO, *PriorName))
        return PRIORS[name]
    if experiment.spans or (experiment.n_classes == 2 and not experiment.clusters):
        return JEFFREYS
    return NESTED
