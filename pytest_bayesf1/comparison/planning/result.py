"""`Plan`, what `plan` returns."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_bayesf1._util import aligned, json_text, write_all
from pytest_bayesf1.comparison.planning.told import Table, headline, notes, tables
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.results.other import PlanFigures
from pytest_bayesf1.results.schema import figures_of, plain
from pytest_bayesf1.settings import PICTURES


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Plan(PlanFigures):
    """What is to be expected of a gate on test sets that are not labelled yet.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prior, seed
        Of the gate.
    pilot, n_pilot
        What the plan starts from, in words; and how many examples were counted.
    loss
        The loss that is to be found.
    truths : tuple of PlannedTruth
        Differences that may be the true one.
    designs : tuple of PlannedDesign
        Ways to test, the strongest first: the predictions of both on the same examples (paired), the confusion matrices
        of both on the same examples (same-set), two test sets (independent). Each with the examples that it needs and
        a curve of the decisions, by the first-order approximation.
    n_examples
        The test set that was looked at closely.
    simulated : tuple of SimulatedRates
        What the gate itself decides on it.
    repetitions
        Simulated test sets of each kind.
    allocation : Allocation
        Which classes need more examples.
    looks : Looks or None
        What repeated looks do.
    """

    @property
    def headline(self) -> str:
        """The answer in one sentence, without its full stop."""
        return headline(self)

    def notes(self) -> list[str]:
        """List what a careful reader should know beside the figures."""
        return list(notes(self))

    def tables(self) -> list[Table]:
        """Write the figures as tables."""
        return list(tables(self))

    def __str__(self) -> str:
        """Write the answer, its tables and its notes."""
        parts = ["\n".join([table.title, *aligned([table.columns, *table.rows])]) for table in self.tables()]
        return "\n\n".join([f"{self.headline}.", *parts, "\n".join(self.notes())])

    def __repr__(self) -> str:
        """Write the measure, the loss and what finds it on one line."""
        return f"<Plan {self.measure} loss={self.loss:g} n={self.designs[0].needed[0].n_examples}>"

    def to_dict(self) -> dict[str, Any]:
        """Return every figure as plain data."""
        return {**plain(figures_of(self, PlanFigures)), "headline": self.headline, "notes": self.notes()}

    def to_json(self) -> str:
        """Write every figure as JSON."""
        return json_text(self.to_dict())

    def save_figure(self, path: str | Path) -> None:
        """Draw the probability of failing against the number of examples.

        Parameters
        ----------
        path
            A file that ends in .svg or .png.

        Raises
        ------
        InputError
            When it ends otherwise.
        OSError
            When it cannot be written.
        """
        from pytest_bayesf1.figures.power import power_figure  # noqa: PLC0415 (loads matplotlib)

        file = Path(path)
        if file.suffix not in PICTURES:
            raise InputError("figure", f"a file that ends in {' or '.join(PICTURES)}", str(path))
        write_all({file: power_figure(self, "power").file(file.suffix)})
