"""The examples behind one classifier's counts, kept so that two classifiers can be paired."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.labels import Label
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.runs import NO_RUN, combined
from pytest_bayesf1.counts.shown import Shown
from pytest_bayesf1.counts.units import UnitContents
from pytest_bayesf1.settings import Runs

Table = TypeVar("Table")


@dataclass(frozen=True, eq=False)
class Predictions(ABC, Generic[Table]):
    """What each example is and what it was predicted as; they are counted in a table of their kind.

    Attributes
    ----------
    noun, truth_name, ids_name
        What error messages call an example, and the arguments that hold the truth and the identifiers.
    y_true, y_pred
        N rows each.
    ids : (N,) or None
        One identifier per example, each once.
    clusters : (N,) or None
        The unit that each example belongs to; None where every example is its own.
    runs
        What several predictions of an example are; None where there is one.
    unit_noun
        What the units are called, in the plural.
    shown
        What reports show of an example beside its id.
    """

    noun: ClassVar[str] = "example"
    truth_name: ClassVar[str] = "y_true"
    ids_name: ClassVar[str] = "ids"

    y_true: Any
    y_pred: Any
    ids: npt.NDArray[Any] | None = None
    clusters: npt.NDArray[Any] | None = None
    runs: Runs | None = None
    unit_noun: str = "examples"
    shown: Shown = ()

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return int(self.y_true.shape[0])

    def in_order(self, positions: Codes) -> Self:
        """Return the examples at these positions."""
        ids, clusters = (None if each is None else each[positions] for each in (self.ids, self.clusters))
        shown = tuple((name, column[positions]) for name, column in self.shown)
        y_true, y_pred = self.y_true[positions], self.y_pred[positions]
        return replace(self, y_true=y_true, y_pred=y_pred, ids=ids, clusters=clusters, shown=shown)

    @property
    def units(self) -> Codes | None:
        """(N,) the position of each example's unit; None where every example is its own."""
        return None if self.clusters is None else np.unique(self.clusters, return_inverse=True)[1]

    @property
    def n_runs(self) -> int:
        """The most predictions that an example has."""
        return 1

    def trainings(self, n_labels: int) -> list[OutcomeTable]:  # noqa: ARG002
        """Count the outcomes of every training of a recipe on its own; none where the side is one classifier.

        Parameters
        ----------
        n_labels
            Number of labels, M or L.
        """
        return []

    @abstractmethod
    def tally(self, n_labels: int, *others: Self) -> Table:
        """Count the outcomes, joint with those of others on the same examples.

        Parameters
        ----------
        n_labels
            Number of labels, M or L.
        *others
            Of the same examples in the same order.
        """

    @abstractmethod
    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Return the same predictions over other labels.

        Parameters
        ----------
        codes
            Label i gets the code ``codes[i]``.
        n_labels
            How many labels there are then.
        """

    @abstractmethod
    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(N,) whether the truth of each example differs from another classifier's."""

    @abstractmethod
    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Write for an error message how an example's truth differs from another classifier's.

        Parameters
        ----------
        other
            On the same examples in the same order.
        position
            Which example.
        labels
            Names by code.
        """

    def columns(self, labels: tuple[Label, ...]) -> dict[str, list[Any]]:
        """Write what is known of every example out by names: ``id``, ``cluster``, ``y_true``, ``y_pred``.

        Examples with ids come in the order of these; several predictions are a list.
        """
        ordered = self if self.ids is None else self.in_order(np.argsort(self.ids, kind="stable"))
        known = {"id": ordered.ids, "cluster": ordered.clusters}
        return {name: values.tolist() for name, values in known.items() if values is not None} | {
            "y_true": ordered._named(ordered.y_true, labels),  # noqa: SLF001 (its own)
            "y_pred": ordered._named(ordered.y_pred, labels),  # noqa: SLF001
        }

    @abstractmethod
    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        """Turn codes into names, example by example."""


class ClassPredictions(Predictions[OutcomeTable]):
    """One class per example: ``y_true`` holds (N,) codes; ``y_pred`` too, or (N, R) of as many runs as there are.

    Where an example has fewer runs than others, `NO_RUN` fills its row up.
    """

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count how often each combination of true class and predictions occurs.

        The runs of an example share its one vote, and those of two sides meet in every combination.
        """
        sides = (self, *others)
        if all(side.runs is None for side in sides) and self.clusters is None:
            return OutcomeTable.tally(n_labels, self.y_true, *(side.y_pred for side in sides))
        example, predicted, weight = combined([side.y_pred for side in sides])
        unit = np.arange(self.n_samples) if self.units is None else self.units
        units = UnitContents.of_rows(unit[example], weight, noun=self.unit_noun)
        return OutcomeTable.tally(n_labels, self.y_true[example], *predicted, units=units)

    @property
    def n_runs(self) -> int:
        """The most predictions that an example has."""
        return 1 if self.runs is None else int(self.y_pred.shape[1])

    def trainings(self, n_labels: int) -> list[OutcomeTable]:
        """Count the outcomes of every training on its own."""
        if self.runs is not Runs.SEEDS:
            return []
        return [OutcomeTable.tally(n_labels, self.y_true, training) for training in self.y_pred.T]

    def relabelled(self, codes: Codes, n_labels: int) -> Self:  # noqa: ARG002
        """Look every code up in ``codes``; their number does not matter to arrays of codes."""
        return replace(self, y_true=codes[self.y_true], y_pred=np.append(codes, NO_RUN)[self.y_pred])

    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(N,) whether the true class differs from another classifier's."""
        return np.asarray(self.y_true != other.y_true)

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Write the names of the true classes."""
        return f"{labels[self.y_true[position]]!r} and {labels[other.y_true[position]]!r}"

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        if values.ndim == 1:
            return [labels[code] for code in values.tolist()]
        return [[labels[code] for code in row if code != NO_RUN] for row in values.tolist()]


class LabelPredictions(Predictions[OutcomeTable]):
    """Any number of labels per example: ``y_true`` and ``y_pred`` are sparse (N, L) indicators, 1 for present."""

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count the cells where anybody says present; all other examples agree that the label is absent."""
        indicators = [self.y_true, self.y_pred, *(other.y_pred for other in others)]
        says = sum(indicator * 2**bit for bit, indicator in enumerate(reversed(indicators))).tocoo()
        n_outcomes = 2 ** len(indicators)
        units = np.zeros(self.n_samples, dtype=np.int64) if self.units is None else self.units
        sizes = np.bincount(units)
        keys, count = np.unique((units[says.row] * n_labels + says.col) * n_outcomes + says.data, return_counts=True)
        said = np.bincount(keys // n_outcomes, count, minlength=sizes.size * n_labels)
        keys = np.concatenate([keys, n_outcomes * np.arange(sizes.size * n_labels)])
        count = np.concatenate([count, np.repeat(sizes, n_labels) - said.astype(np.int64)])
        problem, outcome = np.divmod(keys, n_outcomes)
        unit, label = np.divmod(problem, n_labels)
        codes = [2 * label + (outcome >> bit & 1) for bit in reversed(range(len(indicators)))]
        contents = None if self.units is None else UnitContents.of_rows(unit, count, noun=self.unit_noun)
        return OutcomeTable.tally(2 * n_labels, *codes, weight=count, multilabel=True, units=contents)

    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Move the columns; new ones are empty."""
        shape = (self.n_samples, n_labels)
        moved = [csr_array((each.data, codes[each.indices], each.indptr), shape) for each in (self.y_true, self.y_pred)]
        return replace(self, y_true=moved[0], y_pred=moved[1])

    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(N,) whether an example has other true labels than another classifier's."""
        return np.asarray((self.y_true != other.y_true).sum(axis=1) > 0)

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Write the true labels as sets."""
        rows = [self._named(each.y_true[[position]], labels)[0] for each in (self, other)]
        return " and ".join(f"{{{', '.join(map(repr, present))}}}" for present in rows)

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        rows = np.split(values.indices, values.indptr[1:-1])
        return [[labels[code] for code in np.sort(row).tolist()] for row in rows]
