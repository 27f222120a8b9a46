"""The examples behind one classifier's counts, kept so that two classifiers can be paired."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.labels import Label, label_column
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.text import counted, first_few


@dataclass(frozen=True, eq=False)
class Predictions(ABC):
    """What each example is and what it was predicted as.

    Attributes
    ----------
    y_true, y_pred
        N rows each.
    ids : (N,) or None
        One identifier per example, each once.
    """

    y_true: Any
    y_pred: Any
    ids: npt.NDArray[Any] | None

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return int(self.y_true.shape[0])

    def in_order(self, positions: Codes) -> Self:
        """Return the examples at these positions."""
        ids = None if self.ids is None else self.ids[positions]
        return replace(self, y_true=self.y_true[positions], y_pred=self.y_pred[positions], ids=ids)

    @abstractmethod
    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
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
    def truth(self, position: int, labels: tuple[Label, ...]) -> str:
        """Write an example's truth for an error message.

        Parameters
        ----------
        position
            Which example.
        labels
            Names by code.
        """

    def columns(self, labels: tuple[Label, ...]) -> dict[str, list[Any]]:
        """Write every example out by names, as `from_predictions` takes them: ``id`` if known, ``y_true``, ``y_pred``.

        Examples with ids come in the order of these.
        """
        ids: dict[str, list[Any]] = {}
        ordered = self
        if self.ids is not None:
            ordered = self.in_order(np.argsort(self.ids, kind="stable"))
            assert ordered.ids is not None
            ids["id"] = ordered.ids.tolist()
        return ids | {
            "y_true": ordered._named(ordered.y_true, labels),  # noqa: SLF001 (its own)
            "y_pred": ordered._named(ordered.y_pred, labels),  # noqa: SLF001
        }

    @abstractmethod
    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        """Turn codes into names, example by example."""


class ClassPredictions(Predictions):
    """One class per example: ``y_true`` and ``y_pred`` are (N,) codes."""

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count how often each combination of true class and predictions occurs."""
        return OutcomeTable.tally(n_labels, self.y_true, self.y_pred, *(other.y_pred for other in others))

    def relabelled(self, codes: Codes, n_labels: int) -> Self:  # noqa: ARG002
        """Look every code up in ``codes``; their number does not matter to arrays of codes."""
        return replace(self, y_true=codes[self.y_true], y_pred=codes[self.y_pred])

    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(N,) whether the true class differs from another classifier's."""
        return np.asarray(self.y_true != other.y_true)

    def truth(self, position: int, labels: tuple[Label, ...]) -> str:
        """Write the name of the true class."""
        return repr(labels[self.y_true[position]])

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        return [labels[code] for code in values.tolist()]


class LabelPredictions(Predictions):
    """Any number of labels per example: ``y_true`` and ``y_pred`` are sparse (N, L) indicators, 1 for present."""

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count the cells where anybody says present; all other examples agree that the label is absent."""
        indicators = [self.y_true, self.y_pred, *(other.y_pred for other in others)]
        says = sum(indicator * 2**bit for bit, indicator in enumerate(reversed(indicators))).tocoo()
        n_outcomes = 2 ** len(indicators)
        counts = np.bincount(says.col * n_outcomes + says.data, minlength=n_labels * n_outcomes)
        counts = counts.reshape(n_labels, n_outcomes)
        counts[:, 0] = self.n_samples - counts.sum(axis=1)
        return OutcomeTable.of_labels(counts.reshape(n_labels, *[2] * len(indicators)))

    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Move the columns; new ones are empty."""
        shape = (self.n_samples, n_labels)
        moved = [csr_array((each.data, codes[each.indices], each.indptr), shape) for each in (self.y_true, self.y_pred)]
        return replace(self, y_true=moved[0], y_pred=moved[1])

    def differs(self, other: Self) -> npt.NDArray[np.bool_]:
        """(N,) whether an example has other true labels than another classifier's."""
        return np.asarray((self.y_true != other.y_true).sum(axis=1) > 0)

    def truth(self, position: int, labels: tuple[Label, ...]) -> str:
        """Write the true labels as a set."""
        (present,) = self._named(self.y_true[[position]], labels)
        return f"{{{', '.join(map(repr, present))}}}"

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        rows = np.split(values.indices, values.indptr[1:-1])
        return [[labels[code] for code in np.sort(row).tolist()] for row in rows]


def checked_ids(ids: Iterable[Any] | None, n_samples: int) -> npt.NDArray[Any] | None:
    """Check that every example has an id of its own, where there are ids.

    Parameters
    ----------
    ids : (N,), optional
        Strings, integers or booleans.
    n_samples
        N.

    Raises
    ------
    InputError
        When there are more or fewer ids than examples, or one stands there twice.
    """
    if ids is None:
        return None
    array = label_column(ids, "ids", noun="id").copy()
    if array.size != n_samples:
        raise InputError("ids", f"{n_samples} ids, one per example", f"{array.size}")
    unique, counts = np.unique(array, return_counts=True)
    if unique.size < array.size:
        twice = unique[counts > 1].tolist()
        shown = first_few(map(repr, twice))
        raise InputError("ids", "each id once", f"{counted(len(twice), 'duplicate id')} ({shown})")
    return array
