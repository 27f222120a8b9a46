"""Which outcomes were observed, and what the two sides share: the input of every engine."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.units import UnitContents
from pytest_bayesf1.settings import Model


@dataclass(frozen=True, eq=False)
class Experiment:
    """Counts under one of the models.

    `Model.PAIRED`
        One table of both sides' joint outcomes: shared class proportions mu and joint outcomes theta.
    `Model.SAME_SET`
        Two tables with equal row totals: mu is shared, the thetas are independent.
    `Model.INDEPENDENT`
        Two tables that share nothing (Zhang et al. 2015).
    `Model.SINGLE`
        One classifier alone.

    Attributes
    ----------
    model
        One of these.
    tables
        The baseline's and the candidate's, or the joint one.
    earlier
        What the prior counted already, table by table; empty when it counted nothing.
    trainings
        The counts of every training of a recipe, side by side; none of a side that is one classifier.
    """

    model: Model
    tables: tuple[OutcomeTable, ...]
    earlier: tuple[OutcomeTable, ...] = ()
    trainings: tuple[tuple[OutcomeTable, ...], ...] = ()

    @cached_property
    def known(self) -> tuple[OutcomeTable, ...]:
        """All counts together, table by table: evidence adds up (Goutte & Gaussier 2005, section 3, Note)."""
        if not self.earlier:
            return self.tables
        return tuple(now.plus(before) for before, now in zip(self.earlier, self.tables, strict=True))

    @property
    def units(self) -> tuple[UnitContents, ...]:
        """The units that examples belong to, table by table; none where every example is drawn on its own."""
        return tuple(table.units for table in self.tables if table.units is not None)

    def without_units(self) -> "Experiment":
        """Return the same counts as if every example were drawn on its own, and by one classifier on each side."""
        tables, earlier = (tuple(each.without_units() for each in some) for some in (self.tables, self.earlier))
        return replace(self, tables=tables, earlier=earlier, trainings=())

    @property
    def never_true(self) -> tuple[int, ...]:
        """Classes that no example is of, and that are no classes of the problem therefore."""
        return self.tables[0].never_true

    def never_true_predicted(self) -> dict[int, tuple[float, ...]]:
        """Count how often each side predicts such a class, by its position; where runs share an example, its share."""
        predicted = [side.times_predicted[side.named] for side in self.sides]
        positions = np.flatnonzero(~self.tables[0].occurring).tolist()
        return {position: tuple(times[position].item() for times in predicted) for position in positions}

    def without_classes_never_true(self) -> "Experiment":
        """Set the classes apart that no example of any table is of, earlier ones included; of labels, their presence.

        Known from the prior alone, such a class would weigh as much in an average as one of a thousand examples.
        """
        codes = np.arange(self.n_classes)[self.tables[0].named]
        examples = np.sum([table.row_totals[codes] for table in self.known], axis=0)
        never_true = tuple(codes[examples == 0].tolist())
        return self if never_true == self.never_true else self._with_never_true(never_true)

    def _with_never_true(self, never_true: tuple[int, ...]) -> "Experiment":
        def without(tables: tuple[OutcomeTable, ...]) -> tuple[OutcomeTable, ...]:
            return tuple(replace(table, never_true=never_true) for table in tables)

        return replace(self, tables=without(self.tables), trainings=tuple(map(without, self.trainings)))

    @cached_property
    def sides(self) -> tuple[OutcomeTable, ...]:
        """Each classifier's own confusion matrix."""
        return tuple(table.side(index) for table in self.tables for index in range(table.n_sides))

    @property
    def n_classes(self) -> int:
        """Number of classes, M; of multi-label data 2L."""
        return self.tables[0].n_classes

    @property
    def multilabel(self) -> bool:
        """Whether the classes are pairs, one per label."""
        return self.tables[0].multilabel

    @property
    def spans(self) -> bool:
        """Whether the labels are types of spans."""
        return self.tables[0].spans

    @classmethod
    def before_data(
        cls,
        model: Model,
        n_classes: int,
        earlier: tuple[OutcomeTable, ...] = (),
        *,
        multilabel: bool = False,
        spans: bool = False,
        never_true: tuple[int, ...] = (),
    ) -> "Experiment":
        """Return the model for two sides before any data: what its prior is about.

        Parameters
        ----------
        model
            As in `Experiment`, but for ``single``.
        n_classes
            M; of multi-label data 2L.
        earlier
            What the prior counted already.
        multilabel
            Whether the classes are pairs, one per label.
        spans
            Whether the labels are types of spans.
        never_true
            Classes that are no classes of the problem.
        """
        paired = OutcomeTable.empty(n_classes, n_sides=2, multilabel=multilabel, spans=spans)
        alone = OutcomeTable.empty(n_classes, n_sides=1, multilabel=multilabel, spans=spans)
        before = cls(model, (paired,) if model == Model.PAIRED else (alone, alone), earlier)
        return before._with_never_true(never_true)
