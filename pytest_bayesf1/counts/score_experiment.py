"""Which scores were observed, and whether the two sides share their examples."""

from dataclasses import dataclass

from pytest_bayesf1.choices import Model
from pytest_bayesf1.counts.score_table import ScoreTable


@dataclass(frozen=True, eq=False)
class ScoreExperiment:
    """Scores under one of the models.

    `Model.PAIRED`
        One table of both sides' scores: their examples share their weights.
    `Model.INDEPENDENT`
        Two tables that share nothing.
    `Model.SINGLE`
        One side alone.

    Attributes
    ----------
    model
        One of these.
    tables
        The baseline's and the candidate's, or the joint one.
    """

    model: Model
    tables: tuple[ScoreTable, ...]

    @property
    def sides(self) -> tuple[tuple[ScoreTable, int], ...]:
        """Each side's table, and its number there."""
        return tuple((table, side) for table in self.tables for side in range(table.n_sides))
