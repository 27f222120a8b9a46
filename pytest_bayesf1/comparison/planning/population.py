"""A population that test sets are drawn from: how probable each outcome of both sides is, with a loss that is known."""

from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Measure
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.power import Alternative, Side


@dataclass(frozen=True, eq=False)
class Population:
    """Joint probabilities of truth, baseline and candidate.

    Attributes
    ----------
    table
        The outcomes of both sides, counted by their probabilities, which add up to 1.
    measure
        What the sides are compared by.
    """

    table: OutcomeTable
    measure: Measure

    @classmethod
    def seen(cls, table: OutcomeTable, measure: Measure) -> "Population":
        """Take what was seen of both sides for the population; see `Truth.seen`.

        Parameters
        ----------
        table
            Counts of examples.
        measure
            What the sides are compared by.
        """
        (expected,) = Alternative.seen(Experiment(Model.PAIRED, (table,)), measure).experiment.tables
        return cls(replace(expected, count=expected.count / expected.count.sum()), measure)

    @cached_property
    def truth(self) -> Alternative:
        """The population as the statistics know it, of a single example."""
        return Alternative(
            Experiment(Model.PAIRED, (self.table,)),
            Side.of(self.table, 0, self.measure),
            Side.of(self.table, 1, self.measure),
        )

    @property
    def delta(self) -> float:
        """The candidate's true score minus the baseline's."""
        return self.truth.delta

    @property
    def agreement(self) -> float:
        """How often both predict the same."""
        same = self.table.predicted[0] == self.table.predicted[1]
        return float(self.table.count[same].sum())

    def spread(self, model: Model) -> tuple[float, float]:
        """Tell to first order how far delta's estimate and its posterior spread, times the root of the examples.

        Parameters
        ----------
        model
            What the sides share.

        Returns
        -------
        scatter : float
            Standard deviation of the estimate over test sets.
        width : float
            That of the posterior. The same, but of bare matrices of one test set: these scatter as the pairs do, and do
            not tell so.
        """
        paired = sqrt(self.truth.variance)
        if model is Model.PAIRED:
            return paired, paired
        tables = self.table.side(0), self.table.side(1)
        apart = Alternative(Experiment(model, tables), *(Side.of(table, 0, self.measure) for table in tables))
        width = sqrt(apart.variance)
        return (paired if model is Model.SAME_SET else width), width

    def spread_within_classes(self) -> Floats:
        """(M,) standard deviation of an example's influence on delta, among the examples of each class."""
        of_baseline, of_candidate = self.truth.influences
        values = of_candidate - of_baseline
        true, share = self.table.true, self.table.count
        totals = self.table.row_totals
        known = np.where(totals > 0, totals, 1.0)
        means = np.bincount(true, share * values, totals.size) / known
        return np.sqrt(np.bincount(true, share * (values - means[true]) ** 2, totals.size) / known)

    def with_delta(self, delta: float) -> "Population":
        """Return the population with another difference, where the candidate errs more or less often; see `Truth`.

        Parameters
        ----------
        delta
            The true difference that is wanted.

        Raises
        ------
        InputError
            When no candidate errs so often, or so rarely.
        """
        truth = self.truth.with_delta(delta)
        if truth is None:
            expected = "one that some candidate has beside this baseline"
            raise InputError("loss", expected, f"{-delta:g}")
        return Population(truth.experiment.tables[0], self.measure)

    def experiment(self, model: Model, n_examples: int, rng: np.random.Generator) -> Experiment:
        """Draw a test set, or two, and read it by a model.

        Parameters
        ----------
        model
            What the sides share; `Model.INDEPENDENT` draws a test set for each.
        n_examples
            Of each test set.
        rng
            The random numbers.
        """
        sample = self.sample(n_examples, rng)
        if model is Model.PAIRED:
            return Experiment(model, (sample,))
        other = self.sample(n_examples, rng) if model is Model.INDEPENDENT else sample
        return Experiment(model, (sample.side(0), other.side(1)))

    def sample(self, n_examples: int, rng: np.random.Generator) -> OutcomeTable:
        """Draw a test set.

        Parameters
        ----------
        n_examples
            Its size.
        rng
            The random numbers.
        """
        count = rng.multinomial(n_examples, self.table.count)
        drawn, table = count > 0, self.table
        return replace(table, true=table.true[drawn], predicted=table.predicted[:, drawn], count=count[drawn])
