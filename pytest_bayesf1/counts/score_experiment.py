"""Which scores were observed, and whether the two sides share their examples."""

from dataclasses import dataclass, replace

from pytest_bayesf1.counts.score_table import ScoreTable
from pytest_bayesf1.counts.units import UnitContents
from pytest_bayesf1.settings import Model


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
    def units(self) -> tuple[UnitContents, ...]:
        """The units that examples belong to, table by table; none where every example is drawn on its own."""
        return tuple(table.units for table in self.tables if table.units is not None)

    def without_units(self) -> "ScoreExperiment":
        """Return the same scores as if every example were drawn on its own."""
        return replace(self, tables=tuple(replace(table, units=None) for table in self.tables))

    @property
    def sides(self) -> tuple[tuple[ScoreTable, int], ...]:
        """Each side's table, and its number there."""
        return tuple((table, side) for table in self.tables for side in range(table.n_sides))
