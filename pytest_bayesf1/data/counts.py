"""Counts of one side: confusion matrices, for one label or several, and spans such as named entities, by document."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict, Unpack, overload

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.choices import INVALID_DEFAULT, Invalid, Kind
from pytest_bayesf1.data import table_engines
from pytest_bayesf1.data.encoding import DOCUMENTS, as_numbers, encode_cells, whole_counts
from pytest_bayesf1.data.labels import ClassCodes, explicit_labels, in_order, is_mere_position, row_labels
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.data.questions import Questions, Show
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import InputError, ends_here, shown
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted

Labels: TypeAlias = Iterable[Label] | None
"""The classes in their order, or all that occur."""


class FrameOptions(TypedDict, total=False):
    """What every constructor that counts data frames also takes; see `ConfusionMatrix.from_frame`."""

    y_true: str
    clusters: str | None
    labels: Labels
    invalid: Invalid


def is_crosstab(value: object) -> bool:
    """Whether the rows and columns have labels of their own."""
    if not (hasattr(value, "index") and hasattr(value, "columns")):
        return False
    return not all(is_mere_position(axis) for axis in (value.index, value.columns))


def read_crosstab(table: Any) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Read the true classes off the index, and the predicted ones off the columns."""
    axes = {
        place: explicit_labels(list(axis), place)
        for place, axis in (("index", table.index), ("columns", table.columns))
    }
    require_axes(table.index.name, table.columns.name)
    return square_crosstab(as_numbers(table, "counts", _SQUARE), axes)


_SQUARE = "a square matrix (M, M) of whole numbers"


def require_axes(rows: object, columns: object) -> None:
    """Refuse rows called predictions, and columns called the truth."""
    if rows in ("y_pred", "pred") or columns in ("y_true", "true"):
        problem = f"The rows are called {shown(rows)}, the columns {shown(columns)}"
        advice = "Rows must be the true classes, columns the predicted ones: transpose the table."
        raise InputError.plain("axes", problem, advice)


def square_crosstab(
    counts: npt.NDArray[Any], axes: Mapping[str, tuple[Label, ...]]
) -> tuple[npt.NDArray[Any], tuple[Label, ...]]:
    """Bring a table to the same classes in its rows, which are true, and columns, with zeros where one lacked."""
    true, predicted = axes.values()
    by_text = {str(label): label for label in (*predicted, *true)}
    same = {*map(str, true)} == {*map(str, predicted)}
    classes = [*true] if same else in_order(by_text.values())
    position = {str(label): code for code, label in enumerate(classes)}
    square = np.zeros((len(classes), len(classes)), dtype=counts.dtype)
    square[np.ix_([position[str(row)] for row in true], [position[str(column)] for column in predicted])] = counts
    _refuse_totals(square, classes, " and ".join(axes))
    return square, tuple(classes)


_FEWEST_SUMMED = 30


def _refuse_totals(counts: npt.NDArray[Any], labels: Sequence[Label], where: str) -> None:
    """Refuse totals, which would count every example twice: a class whose rows or columns are the sums of the others.

    Of few examples sums may be chance.
    """
    for code, label in enumerate(labels) if len(labels) > 2 else ():
        row, column = counts[code], counts[:, code]
        in_row = (counts.sum(axis=0) - row == row).all()
        in_column = (counts.sum(axis=1) - column == column).all()
        is_alone = (in_row and not column.any()) or (in_column and not row.any())
        others = np.delete(np.delete(counts, code, 0), code, 1)
        are_enough = np.count_nonzero(others) > 2 and others.sum() >= _FEWEST_SUMMED
        if are_enough and (is_alone or (in_row and in_column)):
            problem = f"{shown(label)} looks like totals, which would count every example twice"
            raise InputError.plain(where, problem, _LEAVE_OUT)


_LEAVE_OUT = "Leave out totals. If it is a class, pass the bare array of counts, and labels."


def tally_cells(
    columns: Mapping[str, Iterable[Any]], count: npt.ArrayLike, labels: Iterable[Label], invalid: Invalid
) -> tuple[OutcomeTable, ClassCodes]:
    """Count outcomes that are given with their numbers."""
    found, weight = encode_cells(columns, count, labels, invalid)
    return OutcomeTable.tally(len(found.labels), *found.codes.values(), weight=weight), found


class ConfusionMatrix(Side):
    """Counts of a classifier's outcomes on a test set: ``counts[j, k]`` examples of class j were predicted as k.

    Parameters
    ----------
    counts : array-like, shape (M, M)
        Whole numbers, none negative; rows are the true class. M is at least 2. A table that names its rows and columns,
        such as pandas' crosstab, gives the labels too.
    labels : sequence of M labels, optional
        Names of the classes, in the order of the rows; by default 0 .. M-1.

    Raises
    ------
    InputError
        When the counts or the labels cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import ConfusionMatrix
    >>> cm = ConfusionMatrix([[50, 2], [5, 43]], labels=["ham", "spam"])
    >>> cm.n_samples
    100
    >>> ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "b", "a"]).counts.tolist()
    [[1, 0], [1, 1]]
    """

    kind = Kind.CLASSES
    _noun = "classes"

    def __init__(self, counts: npt.ArrayLike, labels: Iterable[Label] | None = None) -> None:
        rows = None
        if is_crosstab(counts):
            if labels is not None:
                raise InputError.plain("labels", "The table names its rows already", "Leave labels out.")
            rows = {str(label) for label in counts.index}  # type: ignore[union-attr]
            counts, labels = read_crosstab(counts)
        dense = _checked_counts(counts)
        if labels is None:
            _refuse_totals(dense, range(len(dense)), "counts")
        shares = (f"{problem}: if so, the interval is wrong. Pass counts." for problem in on_shares(dense))
        notes = tuple(shares)
        names = row_labels(labels, len(dense))
        true, predicted = np.nonzero(dense)
        table = OutcomeTable.tally(len(dense), true, predicted, weight=dense[true, predicted])
        vars(self).update(
            table=table,
            labels=names,
            labels_from="caller",
            notes=notes,
            vocabulary=names if rows is None else tuple(label for label in names if str(label) in rows),
        )

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        y_pred: Iterable[Any],
        *,
        labels: Iterable[Label] | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        runs: str | None = None,
        run_ids: Iterable[Any] | None = None,
        invalid: Invalid = INVALID_DEFAULT,
        show: Show = None,
    ) -> "ConfusionMatrix":
        """Count predictions, and keep them: two matrices of the same examples can then be compared as pairs.

        Parameters
        ----------
        y_true, y_pred : sequences of N labels
            Strings, integers or booleans. With ``runs`` ``y_pred`` has several per example, (N, R); or both have a row
            for every prediction, and ``ids`` name the example of each.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur, sorted.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, such as those of a document or a user: these are the clusters that were
            drawn independently. Without them every example is.
        runs : str, optional
            What several predictions of an example are: ``"samples"``, answers of one system that you asked again, or
            ``"seeds"``, at least three trainings of one recipe.
        run_ids : sequence of identifiers, optional
            Which run each row is of, where an example has several rows.
        invalid : "error" or "wrong"
            What becomes of a prediction that is missing, or none of the classes: of ``labels`` or, without these, of
            those that the truth has. ``"wrong"`` counts it as wrong, and as no class of any average; it is then
            predicted as the last of the labels, ``(unreadable)``.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed, next to its id: its text, its address. The first 200
            characters are shown, wherever the report goes; by default nothing is.

        Raises
        ------
        InputError
            When the columns do not fit together, or hold something else than labels.

        Examples
        --------
        >>> from pytest_bayesf1 import ConfusionMatrix
        >>> ConfusionMatrix.from_predictions(["ham", "spam", "spam"], ["ham", "spam", "ham"]).counts.tolist()
        [[1, 0], [1, 1]]
        """
        columns = {"y_true": y_true, "y_pred": y_pred}
        known = {"ids": ids, "clusters": clusters, "runs": runs, "run_ids": run_ids, "invalid": invalid, "show": show}
        return cls.of_columns(columns, labels, **known)[0]

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, y_pred: str = "y_pred", by: None = None, **options: Unpack[FrameOptions]
    ) -> "ConfusionMatrix": ...

    @overload
    @classmethod
    def from_frame(
        cls, frame: Any, *, y_pred: str = "y_pred", by: str, **options: Unpack[FrameOptions]
    ) -> "dict[Any, ConfusionMatrix]": ...

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        y_true: str = "y_true",
        y_pred: str = "y_pred",
        by: str | None = None,
        clusters: str | None = None,
        labels: Labels = None,
        invalid: Invalid = INVALID_DEFAULT,
    ) -> Any:
        """Count the rows of a table where it is; only the counts come back.

        Parameters
        ----------
        frame : data frame or relation
            Of pandas, Polars, PyArrow, DuckDB, Ibis, PySpark, or anything else that Narwhals knows.
        y_true, y_pred : str
            Names of the columns of labels.
        by : str, optional
            Name of a column of slices: the result is then a dictionary with a matrix for each of its values, in their
            order, and for None where rows have none.
        clusters : str, optional
            Name of the column of clusters: examples that belong together, such as those of a document or a user.
            Slices divide them. Lazy tables have none: collect the columns first.
        labels : sequence of M labels, optional
            The classes in their order; by default all that occur (in the slice), sorted.
        invalid : "error" or "wrong"
            As in `from_predictions`.

        Raises
        ------
        InputError
            When a column is missing or not one of labels, or rows lack a label: it counts them.

        Examples
        --------
        >>> import pandas as pd
        >>> ConfusionMatrix.from_frame(pd.DataFrame({"y_true": [0, 1, 1], "y_pred": [0, 1, 0]})).counts.tolist()
        [[1, 0], [1, 1]]
        """
        labels_from = "data" if labels is None else "caller"

        def make(table: OutcomeTable, found: ClassCodes) -> ConfusionMatrix:
            return cls.from_table(table, found.labels, labels_from, found.vocabulary)

        columns, options = {"y_true": y_true, "y_pred": y_pred}, {"labels": labels, "invalid": invalid}
        return table_engines().count_frame(frame, columns, make, by=by, clusters=clusters, **options)

    @property
    def counts(self) -> Counts:
        """The matrix, shape (M, M), as a new array of 64-bit integers; of shares where runs share an example."""
        dense = np.zeros((self.table.n_classes,) * 2, dtype=self.table.count.dtype)
        dense[self.table.true, self.table.predicted[0]] = self.table.count
        return dense

    @classmethod
    def from_cells(
        cls,
        y_true: Iterable[Any],
        y_pred: Iterable[Any],
        count: npt.ArrayLike,
        *,
        labels: Iterable[Label],
        invalid: Invalid = INVALID_DEFAULT,
    ) -> "ConfusionMatrix":
        """Take counts cell by cell: ``count`` examples of class ``y_true`` that were predicted as ``y_pred``.

        Parameters
        ----------
        y_true, y_pred : sequences of K labels
            The cells; those that are left out are 0.
        count : sequence of K whole numbers
            Examples in each cell.
        labels : sequence of M labels
            The classes in their order.
        invalid : "error" or "wrong"
            As in `from_predictions`.

        Raises
        ------
        InputError
            When a label is not among ``labels``, or a count is no whole number.

        Examples
        --------
        >>> ConfusionMatrix.from_cells(["a", "b"], ["a", "a"], [7, 2], labels=["a", "b"]).counts.tolist()
        [[7, 0], [2, 0]]
        """
        table, found = tally_cells({"y_true": y_true, "y_pred": y_pred}, count, labels, invalid)
        return cls.from_table(table, found.labels, vocabulary=found.vocabulary)

    def cells(self) -> dict[str, list[Any]]:
        """Write the cells that are not 0 out, as `from_cells` takes them."""
        return named_cells(self.table, self.labels, "y_true", "y_pred")


def named_cells(table: OutcomeTable, labels: Sequence[Label], *names: str) -> dict[str, list[Any]]:
    """Write the cells that are not 0 out, as `from_cells` takes them."""
    columns = zip(names, (table.true, *table.predicted), strict=True)
    named = {name: [labels[code] for code in codes.tolist()] for name, codes in columns}
    return named | {"count": table.count.tolist()}


_WHOLES = {100: "percentages", 1000: "per mille"}


def on_shares(counts: npt.NDArray[Any]) -> Iterator[str]:
    """Say so where counts may be percentages: their rows, or their columns, sum to about 100, or to about 1000."""
    for axis, what in ((1, "row"), (0, "column")):
        with np.errstate(over="ignore"):  # no share is so large, and counts are checked elsewhere
            sums = counts.sum(axis=axis)
        for whole, called in _WHOLES.items() if np.count_nonzero(sums) > 1 else ():
            if (abs(sums[sums != 0] - whole) <= 1).all():
                yield f"Every {what} sums to about {whole}, as {called} do"


def _checked_counts(counts: npt.ArrayLike) -> Counts:
    """Return the counts as a square array of whole numbers, or say which cell is wrong."""
    array = as_numbers(counts, "counts", _SQUARE)
    if array.size == 0:
        raise InputError("counts", "at least two classes", "an empty matrix")
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise InputError("counts", "a square matrix (M, M)", f"shape {array.shape}")
    if len(array) == 1:
        raise InputError("counts", "at least two classes", "one class only")
    return whole_counts(array)


class MultilabelCounts(Side):
    """Counts of a multi-label classifier's decisions: for every label ``[[tn, fp], [fn, tp]]``.

    Parameters
    ----------
    counts : array-like, shape (L, 2, 2)
        Whole numbers, none negative, that add up to the same number of examples for every label; as scikit-learn's
        `multilabel_confusion_matrix` gives them.
    labels : sequence of L labels, optional
        Their names; by default 0 .. L-1.

    Raises
    ------
    InputError
        When the counts or the labels cannot be used.

    Examples
    --------
    >>> from pytest_bayesf1 import MultilabelCounts
    >>> counts = MultilabelCounts.from_predictions([{"art", "war"}, {"art"}, set()], [{"war"}, {"art"}, {"war"}])
    >>> counts.labels
    ('art', 'war')
    >>> counts.counts.tolist()
    [[[1, 0], [1, 1]], [[1, 1], [0, 1]]]
    """

    kind = Kind.LABELS
    _noun = "labels"

    def __init__(self, counts: npt.ArrayLike, labels: Iterable[Label] | None = None) -> None:
        dense = _checked_label_counts(counts)
        names = row_labels(labels, len(dense))
        vars(self).update(table=OutcomeTable.of_labels(dense), labels=names, labels_from="caller", vocabulary=names)

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Iterable[Label] | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "MultilabelCounts":
        """Count decisions, and keep them: two classifiers on the same examples can then be compared as pairs.

        Parameters
        ----------
        y_true, y_pred : (N, L) indicators, or N sets of labels
            Indicators are 0 or 1 in a numpy array, nested lists, a data frame (its columns are the labels) or a sparse
            array. A set may also be a list, if its labels are strings.
        labels : sequence of L labels, optional
            The labels in their order; by default the columns' names, else their positions; of sets all that occur,
            sorted.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed, as there.

        Raises
        ------
        InputError
            When the two do not fit together, or hold something else than labels.

        Examples
        --------
        >>> from pytest_bayesf1 import MultilabelCounts
        >>> counts = MultilabelCounts.from_predictions([{"sport"}, {"sport", "news"}], [{"sport"}, {"news"}])
        >>> counts.labels
        ('news', 'sport')
        """
        columns = {"y_true": y_true, "y_pred": y_pred}
        return cls.of_columns(columns, labels, ids=ids, clusters=clusters, show=show)[0]

    @property
    def counts(self) -> Counts:
        """The counts, shape (L, 2, 2), as a new array of 64-bit integers."""
        return np.asarray(self.table.label_counts)

    def cells(self) -> dict[str, list[Any]]:
        """Write every label's counts out: ``label``, ``tn``, ``fp``, ``fn``, ``tp``."""
        counts = self.counts.reshape(-1, 4).T.tolist()
        return {"label": list(self.labels), **dict(zip(("tn", "fp", "fn", "tp"), counts, strict=True))}


def _checked_label_counts(counts: npt.ArrayLike) -> Counts:
    array = as_numbers(counts, "counts", "an array (L, 2, 2) of whole numbers")
    if array.ndim != 3 or array.shape[1:] != (2, 2) or not len(array):
        raise InputError("counts", "[[tn, fp], [fn, tp]] for every label, (L, 2, 2)", f"shape {array.shape}")
    whole = whole_counts(array)
    totals = whole.sum(axis=(1, 2))
    if (totals != totals[0]).any():
        odd = int((totals != totals[0]).argmax())
        expected = f"{counted(totals[0], 'example')}, as of the first label"
        raise InputError(f"counts[{odd}]", expected, f"{totals[odd]}", "Every label is about every example.")
    return whole


def without_spans(both: Questions) -> Iterator[str]:
    """Say how many documents have no span at all, for a result does not count them."""
    if both.kind is Kind.SPANS and (n_empty := both.n_samples - np.unique(both.example).size):
        yield (
            f"{n_empty:,} of {counted(both.n_samples, 'document')} have no span, true or predicted: "
            "they change no score and do not count."
        )


_COLUMNS = ("tp", "fp", "fn")
Spans = Collection[tuple[int, int, Label] | Mapping[str, Any]]


class SpanCounts(Side):
    """Counts of a system that finds spans: named entities, detections, extracted facts.

    A predicted span is right if a true one has the same start, end and type; else it is invented, and the true one
    missed. Spans that are rightly not predicted are not counted: measures that need them (accuracy, specificity)
    are refused. Documents are what was drawn independently: their spans count together.

    Make them with `from_spans`, `from_bio` or `from_counts`.

    Examples
    --------
    >>> from pytest_bayesf1 import SpanCounts
    >>> gold = [[(0, 2, "PER"), (5, 6, "LOC")], [(3, 4, "PER")]]
    >>> counts = SpanCounts.from_spans(gold, [[(0, 2, "PER"), (5, 6, "PER")], [(3, 4, "PER")]])
    >>> counts.labels
    ('LOC', 'PER')
    >>> counts.counts.tolist()  # tp, fp, fn of each type
    [[0, 0, 1], [2, 1, 0]]
    """

    kind = Kind.SPANS
    _noun = "types"
    _example_noun = "spans"

    @classmethod
    @ends_here
    def from_spans(
        cls,
        gold: Iterable[Spans],
        predicted: Iterable[Spans],
        *,
        documents: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        labels: Iterable[Label] | None = None,
        show: Show = None,
    ) -> "SpanCounts":
        """Count spans, and keep them: two systems on the same documents can then be compared span by span.

        Parameters
        ----------
        gold, predicted : sequences of D collections of spans
            Of every document its true spans, and those that the system found, each ``(start, end, type)``, or a
            mapping with ``start``, ``end`` and ``label``. Start and end are whole numbers, of characters or of tokens,
            the end included or not: what counts is that they are equal. A duplicate span counts once, as in seqeval,
            and a note says so.
        documents : sequence of D identifiers, optional
            Which document is which. Without them documents pair up by position.
        clusters : sequence of D identifiers, optional
            Which documents were drawn together, such as those of a user. Without them each is drawn on its own.
        labels : sequence of T types, optional
            The types in their order; by default all that occur, sorted.
        show : sequence of D values, or a dictionary of several, optional
            What reports show of a document with spans that changed, as in `ConfusionMatrix.from_predictions`.

        Raises
        ------
        InputError
            When the two do not fit together, or hold something else than spans.

        Examples
        --------
        >>> from pytest_bayesf1 import SpanCounts
        >>> gold, found = [[(0, 2, "PER")], [(3, 4, "LOC")]], [[(0, 2, "PER")], []]
        >>> SpanCounts.from_spans(gold, found).labels
        ('LOC', 'PER')
        """
        columns = {"gold": gold, "predicted": predicted}
        return cls.of_columns(columns, labels, ids=documents, clusters=clusters, show=show)[0]

    @classmethod
    @ends_here
    def from_bio(
        cls,
        gold_tags: Iterable[Sequence[str]],
        predicted_tags: Iterable[Sequence[str]],
        *,
        documents: Iterable[Any] | None = None,
        labels: Iterable[Label] | None = None,
    ) -> "SpanCounts":
        """Do as `from_spans` does, with the tags of tokens: IOB1, IOB2 or BIOES.

        Sequences that are improper, such as an I that follows no B, are read as *conlleval* reads them, and seqeval
        unless it is strict: a span begins with the I.

        Parameters
        ----------
        gold_tags, predicted_tags : sequences of S sequences of tags
            Of every sentence a tag for each token: ``O``, ``B-PER``, ``I-PER``, ...
        documents : sequence of S identifiers, optional
            Which document each sentence belongs to. Without them every sentence counts as a document of its own, which
            makes intervals too narrow where the sentences of a document have much in common.
        labels : sequence of T types, optional
            As in `from_spans`.

        Raises
        ------
        InputError
            When the two do not fit together, or hold something else than tags.

        Examples
        --------
        >>> from pytest_bayesf1 import SpanCounts
        >>> SpanCounts.from_bio([["B-PER", "O"]], [["B-PER", "O"]]).labels
        ('PER',)
        """
        columns = {"gold_tags": gold_tags, "predicted_tags": predicted_tags}
        return cls.of_columns(columns, labels, ids=documents)[0]

    @classmethod
    def from_counts(
        cls, tp: npt.ArrayLike, fp: npt.ArrayLike, fn: npt.ArrayLike, *, labels: Iterable[Label] | None = None
    ) -> "SpanCounts":
        """Take counts as they are. They do not show which spans two systems share, so they cannot be paired.

        Parameters
        ----------
        tp, fp, fn : array-like, shape (D, T) or (T,)
            True spans that were found, spans that were invented, and true spans that were missed: of every document
            and type; or of every type, if each span is as independent of the others as are those of other documents.
            Counts (D,) of documents with one type are written as (D, 1).
        labels : sequence of T types, optional
            Their names; by default 0 .. T-1. Counts (T,) of several types need them.

        Raises
        ------
        InputError
            When the counts or the labels cannot be used.

        Examples
        --------
        >>> SpanCounts.from_counts(tp=[90, 40], fp=[10, 5], fn=[8, 12], labels=["PER", "LOC"]).counts.tolist()
        [[90, 10, 8], [40, 5, 12]]
        """
        counts = _checked_span_counts(dict(zip(_COLUMNS, (tp, fp, fn), strict=True)))
        if labels is None and counts.ndim == 2 and counts.shape[-1] > 1:
            problem = f"These {counts.shape[-1]} counts may be of types or of documents"
            advice = "Name the types in labels; write those of documents as columns, of shape (D, 1)."
            raise InputError.plain("tp", problem, advice)
        names = row_labels(labels, counts.shape[-1])
        return cls.from_table(_table(counts), names)

    @property
    def counts(self) -> Counts:
        """The counts, shape (T, 3), as a new array of 64-bit integers: tp, fp and fn of each type."""
        return _in_columns(self.table.label_counts)

    def cells(self) -> dict[str, list[Any]]:
        """Write every type's counts out, ``type``, ``tp``, ``fp``, ``fn``; by ``document`` where these are known."""
        table, n_types = self.table, len(self.labels)
        clusters = table.clusters or ClusterContents.of_rows(np.zeros(table.true.size, dtype=np.int64), table.count)
        document = np.repeat(np.arange(clusters.n_clusters.size), clusters.n_clusters.astype(np.int64))
        counts = np.zeros((document.size, n_types, 2, 2), dtype=np.int64)
        counts[:, table.true // 2, table.true % 2, table.predicted[0] % 2] = clusters.cells[:, document].toarray().T
        known = {} if table.clusters is None else {"document": np.repeat(np.arange(document.size), n_types).tolist()}
        columns = _in_columns(counts.reshape(-1, 2, 2)).T.tolist()
        return known | {"type": list(self.labels) * document.size} | dict(zip(_COLUMNS, columns, strict=True))

    @classmethod
    def of_cells(cls, cells: dict[str, list[Any]], labels: Sequence[Label]) -> "SpanCounts":
        """Take what `cells` wrote."""
        shape = (-1, len(labels)) if "document" in cells else (len(labels),)
        return cls.from_counts(*(np.reshape(cells[name], shape) for name in _COLUMNS), labels=labels)


def _in_columns(counts: Counts) -> Counts:
    """Return tp, fp and fn, (n, 3), of counts (n, 2, 2): absent or present in the truth, then in the prediction."""
    return np.stack([counts[:, 1, 1], counts[:, 0, 1], counts[:, 1, 0]], axis=1)


def _checked_span_counts(columns: dict[str, npt.ArrayLike]) -> Counts:
    """Stack the counts, (3, T) or (3, D, T)."""
    arrays = {name: as_numbers(values, name, "whole numbers, (D, T) or (T,)") for name, values in columns.items()}
    shape = arrays["tp"].shape
    for name, array in arrays.items():
        if array.ndim not in (1, 2) or not array.size:
            raise InputError(name, "whole numbers, (D, T) or (T,)", f"shape {array.shape}")
        if array.shape != shape:
            raise InputError(name, f"shape {shape}, as of tp", f"shape {array.shape}")
    counts = whole_counts(np.stack(list(arrays.values())))
    if not (counts[0].any() or counts[2].any()):
        raise InputError.plain("tp and fn", "There is no true span: all are 0")
    return counts


def _table(counts: Counts) -> OutcomeTable:
    *_, kind = cells = np.nonzero(counts)
    hit_or_missed, found = cells[0] != 1, cells[0] != 2
    weight = counts[cells]
    clusters = ClusterContents.of_rows(cells[1], weight, noun=DOCUMENTS) if counts.ndim > 2 else None
    codes = (2 * kind + hit_or_missed, 2 * kind + found)
    return OutcomeTable.tally(
        2 * counts.shape[-1], *codes, weight=weight, multilabel=True, clusters=clusters, spans=True
    )
