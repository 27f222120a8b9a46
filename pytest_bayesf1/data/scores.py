"""Real-valued outputs of one side: probabilities, or a number per example."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Runs
from pytest_bayesf1.data.confusion import ConfusionMatrix, as_numbers, require_cells
from pytest_bayesf1.data.labels import (
    encode,
    is_mere_position,
    kind_of,
    label_column,
    positive_class,
    require_same_index,
    whole_number,
)
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.data.predictions import ClassPredictions, Examples, Predictions, ScoredExamples, Show, read_shown
from pytest_bayesf1.errors import InputError, ends_here, shown
from pytest_bayesf1.results.schema import Label, plain
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import as_float

SUM_TOLERANCE = 0.01
"""How far the probabilities of an example may be from 1 in all: they may be rounded."""


def score_array(values: Any, where: str, expected: str) -> Floats:
    """Return numbers as an array with a row for every example."""
    array: Floats = as_numbers(values, where, expected).astype(np.float64)
    if array.ndim not in (1, 2) or array.size == 0:
        raise InputError(where, expected, f"shape {array.shape}")
    rules = [(np.isnan(array), "a number for every example", ""), (~np.isfinite(array), "a finite number", "")]
    require_cells(array, where, rules)
    return array.reshape(len(array), -1)


def by_label(y_score: Any) -> Mapping[Any, Any] | None:
    """Return the columns by the names that they have; None where they have none."""
    if isinstance(y_score, Mapping):
        return {plain(name): values for name, values in y_score.items()}
    if hasattr(y_score, "columns") and not is_mere_position(y_score.columns):
        return {plain(name): y_score[name] for name in y_score.columns}
    return None


def labels_of(columns: Iterable[Any], y_true: Iterable[Any]) -> list[Any]:
    """Return the classes that columns are about, as the truth writes them.

    Examples
    --------
    >>> labels_of(["0", "1", "2"], [1, 0, 1])
    [0, 1, 2]
    """
    if kind_of(label_column(y_true, "y_true")) != "integers":
        return list(columns)
    numbers = {name: whole_number(str(name)) for name in columns}
    return [name if number is None else number for name, number in numbers.items()]


def in_label_order(columns: Mapping[Any, Any], labels: tuple[Label, ...]) -> Floats:
    """Put named columns side by side."""
    by_text = {str(name): values for name, values in columns.items()}
    if set(by_text) != {str(label) for label in labels}:
        found, names = (first_few(map(shown, each), 20) for each in (columns, labels))
        raise InputError("y_score", f"a column of scores for each of {names}", found)
    arrays = [
        score_array(by_text[str(label)], f"y_score of {shown(label)}", "a number for every example") for label in labels
    ]
    if len({array.shape for array in arrays}) > 1 or arrays[0].shape[1] > 1:
        raise InputError("y_score", "columns of one length", first_few((str(array.shape) for array in arrays), 20))
    return np.concatenate(arrays, axis=1)


def of_positive_class(scores: Floats, labels: tuple[Label, ...]) -> Floats:
    """Keep the positive class's column of two."""
    if scores.shape[1] == 1:
        return scores
    row = first_without_sum(scores)
    if row is not None:
        advice = f"Pass the scores of {shown(labels[1])} alone."
        found = ", ".join(f"{value:g}" for value in scores[row])
        raise InputError(f"y_score[{row}]", "two probabilities that sum to 1", found, advice)
    return scores[:, 1:]


def first_without_sum(probabilities: Floats) -> int | None:
    """Return the first row whose probabilities do not sum to 1; None where all do."""
    wrong = np.abs(probabilities.sum(axis=1) - 1) > SUM_TOLERANCE
    return int(wrong.argmax()) if wrong.any() else None


def require_columns(scores: Floats, labels: tuple[Label, ...]) -> None:
    """Require a column for every class, or of two classes the positive one's alone."""
    n_columns, n_classes = scores.shape[1], len(labels)
    if n_columns == n_classes or (n_columns == 1 and n_classes == 2):
        return
    expected = f"{n_classes} columns of scores, one for each of {first_few(map(shown, labels), 20)}"
    name_them = "Name the classes in labels, in the order of the columns."
    raise InputError("y_score", expected, str(n_columns), name_them if n_columns > n_classes else "")


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """What a system gave every example of a test set: a score or probability of its classes, or a number.

    Attributes
    ----------
    predictions : ScoredExamples
        Their true classes and scores, ids and clusters.
    labels : tuple of M labels
        The classes; of two the positive one is the second. None where examples have a number each and no class.
    labels_from : str
        Whether the ``caller`` named them, or the ``data`` do.
    notes : tuple of str
        What a careful reader of a result should know of how the data were read.

    Examples
    --------
    >>> scores = Scores.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> scores.at(0.5).counts.tolist()
    [[2, 0], [1, 1]]
    """

    predictions: ScoredExamples
    labels: tuple[Label, ...] = ()
    labels_from: str = "data"
    notes: tuple[str, ...] = ()

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        y_score: Any,
        *,
        labels: Iterable[Label] | None = None,
        positive: Label | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "Scores":
        """Take the scores of N examples whose classes are known.

        Parameters
        ----------
        y_true : sequence of N labels
            Strings, integers or booleans.
        y_score : (N,) or (N, M) numbers
            Of two classes the score or probability of the positive one, the higher the more likely; or a column for
            every class, in the order of ``labels``. A mapping or a data frame has its columns by label; where that is
            one of two classes' alone, this is the positive one.
        labels : sequence of M labels, optional
            The classes in the order of the columns; by default all that occur, sorted.
        positive : label, optional
            Which of two classes ``y_score`` is about; by default 1 of 0 and 1 or of -1 and 1, True of False and True.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed from a threshold on, as there.

        Raises
        ------
        InputError
            When the columns do not fit together, a score is missing, or it is not known which class is positive.

        Examples
        --------
        >>> from pytest_bayesf1 import Scores
        >>> Scores.from_predictions([0, 1, 1], [0.2, 0.9, 0.4]).n_samples
        3
        """
        require_same_index({"y_true": y_true, "y_score": y_score})
        columns = by_label(y_score)
        names = [] if columns is None else labels_of(columns, y_true)
        if columns is not None and len(names) == 1:
            (positive,), (y_score,), columns = names, columns.values(), None
        codes, classes = encode({"y_true": y_true}, names if labels is None and columns is not None else labels)
        true = codes["y_true"]
        if columns is None:
            scores = score_array(y_score, "y_score", f"{counted(true.size, 'number')}, one or a row for every example")
        else:
            scores = in_label_order(columns, classes)
        if len(scores) != true.size:
            raise InputError("y_score", f"{counted(true.size, 'row')}, as in y_true", f"{len(scores)}")
        require_columns(scores, classes)
        if len(classes) == 2:
            second = _second(positive, classes, [classes[code] for code in np.unique(true).tolist()])
            if second == 0:
                true, classes, scores = 1 - true, classes[::-1], scores[:, ::-1]
            scores = of_positive_class(scores, classes)
        elif positive is not None:
            raise InputError.plain("positive", f"Only one of two classes can be positive, and there are {len(classes)}")
        examples = Examples.read(true.size, ids, clusters)
        kept = ScoredExamples(true, scores, *examples.belonging, read_shown(show, true.size))
        return cls(kept, classes, "data" if labels is None else "caller")

    @classmethod
    @ends_here
    def from_values(
        cls,
        values: Any,
        *,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        runs: str | None = None,
        show: Show = None,
    ) -> "Scores":
        """Take a number for each of N examples, such as a judge's grade; the measure ``mean`` compares them.

        Parameters
        ----------
        values : (N,) numbers
            The larger, the better.
        ids, clusters : sequences of N identifiers, optional
            As in `from_predictions`.
        runs : str, optional
            ``samples`` if an id may occur several times, because you asked the same system again: the value of
            an example is the mean of its rows then.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example whose number changed; of several rows the first counts.

        Raises
        ------
        InputError
            When the columns do not fit together, or a number is missing.

        Examples
        --------
        >>> Scores.from_values([4, 5, 3], ids=["a", "b", "c"])
        <Scores 3 values>
        """
        numbers = score_array(values, "values", "a number for every example")
        if numbers.shape[1] > 1:
            raise InputError("values", "a number for every example", counted(numbers.shape[1], "column"))
        if runs not in (None, Runs.SAMPLES):
            raise InputError("runs", "'samples' or nothing, for values", shown(runs))
        examples = Examples.read(len(numbers), ids, clusters, runs)
        times = np.bincount(examples.example)
        means, true = np.bincount(examples.example, numbers[:, 0]) / times, np.zeros(examples.n, dtype=np.int64)
        belonging, n_averaged = examples._replace(runs=None).belonging, int(times.min()) if times.size else 1
        shown_of = read_shown(show, len(numbers), examples.first)
        return cls(ScoredExamples(true, means[:, None], *belonging, shown_of, n_averaged=n_averaged))

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return self.predictions.n_samples

    @property
    def scores(self) -> Floats:
        """The scores, (N, C): of the positive class, of every class, or the number."""
        return np.array(self.predictions.y_pred)

    @property
    def table(self) -> ScoreTable:
        """The different outcomes and how often each occurred, in the form that the statistics work with."""
        return self.predictions.tally(len(self.labels))

    def of_examples(self, predictions: ScoredExamples) -> "Scores":
        """Return the scores of other examples of the same classes."""
        return replace(self, predictions=predictions)

    def relabelled(self, labels: tuple[Label, ...]) -> "Scores":
        """Return the same scores with their classes in another order."""
        if labels == self.labels:
            return self
        codes = np.array([labels.index(label) for label in self.labels])
        return replace(self, predictions=self.predictions.relabelled(codes, len(labels)), labels=labels)

    def at(self, threshold: float) -> ConfusionMatrix:
        """Predict the positive class from a score on, and count.

        A threshold that was chosen on the same examples flatters: choose it on others.

        Parameters
        ----------
        threshold
            The lowest score that is predicted as the positive class.

        Raises
        ------
        InputError
            When there are not two classes, or the threshold is no number.

        Examples
        --------
        >>> Scores.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(0.4).counts.tolist()
        [[1, 1], [1, 1]]
        """
        limit = as_float(threshold)
        if limit is None or not np.isfinite(limit):
            raise InputError("threshold", "a number", shown(threshold))
        if len(self.labels) != 2:
            found = f"{len(self.labels)} classes" if self.labels else "values without classes"
            raise InputError("threshold", "scores of two classes", found)
        predicted = (self.predictions.y_pred[:, 0] >= limit).astype(np.int64)
        known = {field.name: getattr(self.predictions, field.name) for field in fields(Predictions)}
        kept = ClassPredictions(**known | {"y_pred": predicted})
        return ConfusionMatrix.from_table(kept.tally(2), self.labels, self.labels_from, kept).with_notes(self.notes)

    def with_notes(self, notes: tuple[str, ...]) -> "Scores":
        """Return the same scores with these notes."""
        return replace(self, notes=notes)

    def __eq__(self, other: object) -> bool:
        """Whether labels and scores are equal; which example is which does not matter."""
        if not isinstance(other, Scores):
            return NotImplemented
        tables = self.table, other.table
        return self.labels == other.labels and all(
            np.array_equal(getattr(tables[0], name), getattr(tables[1], name)) for name in ("true", "scores", "count")
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Sizes, not scores."""
        if not self.labels:
            return f"<Scores {counted(self.n_samples, 'value')}>"
        return f"<Scores {len(self.labels)} classes, {counted(self.n_samples, 'example')}>"


def _second(positive: Label | None, labels: tuple[Label, ...], true_labels: list[Label]) -> int:
    """Return the position of the positive class of two."""
    found = positive_class(labels, true_labels) if positive is None else plain(positive)
    if found is None:
        problem = f"y_score may be about {shown(labels[0])} or {shown(labels[1])}"
        raise InputError.plain("positive", problem, f"Pass positive: {shown(labels[1])} if it is about the second.")
    if found not in labels:
        raise InputError("positive", f"{shown(labels[0])} or {shown(labels[1])}", shown(found))
    return labels.index(found)
