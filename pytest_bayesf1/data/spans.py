"""Spans such as named entities, counted by document."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.encoding import DOCUMENTS, as_numbers, whole_counts
from pytest_bayesf1.data.labels import row_labels
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.data.questions import Questions, Show
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import InputError, ends_here
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted


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
        counts = _checked_counts(dict(zip(_COLUMNS, (tp, fp, fn), strict=True)))
        if labels is None and counts.ndim == 2 and counts.shape[-1] > 1:
            problem = f"These {counts.shape[-1]} counts may be of types or of documents"
            advice = "Name the types in labels; write those of documents as columns, of shape (D, 1)."
            raise InputError.plain("tp", problem, advice)
        names = row_labels(labels, counts.shape[-1])
        return cls.from_table(_table(counts), names, "position" if labels is None else "caller")

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


def _checked_counts(columns: dict[str, npt.ArrayLike]) -> Counts:
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
