"""What a user hands in of a system that finds spans: `SpanCounts`."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import counted
from pytest_bayesf1.arrays import Counts
from pytest_bayesf1.counts.examples import Examples
from pytest_bayesf1.counts.labels import Label, row_labels
from pytest_bayesf1.counts.number_arrays import as_numbers, whole_counts
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.counts.shown import Show, read_shown
from pytest_bayesf1.counts.side_counts import SideCounts
from pytest_bayesf1.counts.spans.documents import document_ids, encode_spans, sentences_by_document
from pytest_bayesf1.counts.spans.predictions import SpanPredictions
from pytest_bayesf1.counts.spans.tags import Span, spans_in
from pytest_bayesf1.counts.units import UnitContents
from pytest_bayesf1.errors import InputError, within

DOCUMENTS = "documents"
NO_DOCUMENTS = "Nothing says which sentences make up a document: every sentence counts as one."
_COLUMNS = ("tp", "fp", "fn")
Spans = Collection[tuple[int, int, Label]]


class SpanCounts(SideCounts):
    """Counts of a system that finds spans: named entities, detections, extracted facts.

    A predicted span is right if a true one has the same start, end and type; else it is invented, and the true one
    missed. Nobody counts the spans that are rightly not predicted: measures that need them (accuracy, specificity)
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

    _noun = "types"
    _example_noun = "spans"
    paired_by = "from_spans or from_bio"

    @classmethod
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
            Of every document its true spans, and those that the system found, each ``(start, end, type)``. Start and
            end are whole numbers, of characters or of tokens, the end included or not: what counts is that they are
            equal. A span that stands there twice counts once, as seqeval's sets have it, and a note says so.
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
        """
        coded, names, notes = encode_spans({"gold": gold, "predicted": predicted}, labels)
        ids = document_ids(documents, coded["gold"].size)
        drawn = Examples.read(coded["gold"].size, None, clusters)
        noun = drawn.unit_noun if clusters is not None else DOCUMENTS
        kept = SpanPredictions(
            coded["gold"], coded["predicted"], ids, drawn.clusters, unit_noun=noun, shown=read_shown(show, drawn.n)
        )
        counts = cls.from_table(kept.tally(len(names)), names, "data" if labels is None else "caller", kept)
        return counts.with_notes(notes)

    @classmethod
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
        """
        sentences = {
            "gold_tags": _tags(gold_tags, "gold_tags"),
            "predicted_tags": _tags(predicted_tags, "predicted_tags"),
        }
        _require_equal_lengths(sentences)
        ids, codes = sentences_by_document(documents, len(sentences["gold_tags"]))
        n_documents = len(sentences["gold_tags"]) if ids is None else ids.size
        spans = {name: _spans(tags, codes.tolist(), n_documents, name) for name, tags in sentences.items()}
        counts = cls.from_spans(*spans.values(), documents=ids, labels=labels)
        return counts if ids is not None else counts.with_notes((*counts.notes, NO_DOCUMENTS))

    @classmethod
    def from_counts(
        cls, tp: npt.ArrayLike, fp: npt.ArrayLike, fn: npt.ArrayLike, *, labels: Iterable[Label] | None = None
    ) -> "SpanCounts":
        """Take counts as they are. They do not tell which spans two systems share, so they cannot be paired.

        Parameters
        ----------
        tp, fp, fn : array-like, shape (D, T) or (T,)
            True spans that were found, spans that were invented, and true spans that were missed: of every document
            and type; or of every type, if each span is as independent of the others as are those of other documents.
        labels : sequence of T types, optional
            Their names; by default 0 .. T-1.

        Raises
        ------
        InputError
            When the counts or the labels cannot be used.
        """
        counts = _checked_counts(dict(zip(_COLUMNS, (tp, fp, fn), strict=True)))
        names = row_labels(labels, counts.shape[-1])
        return cls.from_table(_table(counts), names, "position" if labels is None else "caller")

    @property
    def counts(self) -> Counts:
        """The counts, shape (T, 3), as a new array of 64-bit integers: tp, fp and fn of each type."""
        return _in_columns(self._table.label_counts)

    def cells(self) -> dict[str, list[Any]]:
        """Write every type's counts out, ``type``, ``tp``, ``fp``, ``fn``; by ``document`` where these are known."""
        table, n_types = self._table, len(self._labels)
        units = table.units or UnitContents.of_rows(np.zeros(table.true.size, dtype=np.int64), table.count)
        document = np.repeat(np.arange(units.n_units.size), units.n_units.astype(np.int64))
        counts = np.zeros((document.size, n_types, 2, 2), dtype=np.int64)
        counts[:, table.true // 2, table.true % 2, table.predicted[0] % 2] = units.cells[:, document].toarray().T
        known = {} if table.units is None else {"document": np.repeat(np.arange(document.size), n_types).tolist()}
        columns = _in_columns(counts.reshape(-1, 2, 2)).T.tolist()
        return known | {"type": list(self._labels) * document.size} | dict(zip(_COLUMNS, columns, strict=True))

    @classmethod
    def from_cells(cls, cells: dict[str, list[Any]], labels: Sequence[Label]) -> "SpanCounts":
        """Take what `cells` wrote.

        Parameters
        ----------
        cells
            Columns of equal length.
        labels
            The types in their order.
        """
        shape = (-1, len(labels)) if "document" in cells else (len(labels),)
        return cls.from_counts(*(np.reshape(cells[name], shape) for name in _COLUMNS), labels=labels)


def _tags(sentences: Any, where: str) -> list[Sequence[str]]:
    """Require a sequence of tags for every sentence."""
    if isinstance(sentences, str | bytes) or not isinstance(sentences, Iterable):
        raise InputError(where, "a sequence of tags for every sentence", type(sentences).__name__)
    listed = list(sentences)
    for number, tags in enumerate(listed):
        if isinstance(tags, str | bytes) or not isinstance(tags, Sequence | np.ndarray):
            raise InputError(f"{where}[{number}]", "a sequence of tags", f"{tags!r:.80}")
    if not listed:
        raise InputError(where, "at least one sentence", "none")
    return listed


def _require_equal_lengths(sentences: dict[str, list[Sequence[str]]]) -> None:
    (first, gold), (other, predicted) = sentences.items()
    if len(predicted) != len(gold):
        raise InputError(other, f"{counted(len(gold), 'sentence')}, as in {first}", str(len(predicted)))
    for number, (true, said) in enumerate(zip(gold, predicted, strict=True)):
        if len(said) != len(true):
            raise InputError(f"{other}[{number}]", f"{counted(len(true), 'tag')}, as in {first}", str(len(said)))


def _spans(tags: list[Sequence[str]], documents: list[int], n_documents: int, where: str) -> list[list[Span]]:
    """Return the spans of every document, whose tokens are numbered through all its sentences."""
    spans: list[list[Span]] = [[] for _ in range(n_documents)]
    n_tokens = [0] * n_documents
    for number, (sentence, document) in enumerate(zip(tags, documents, strict=True)):
        with within(f"{where}[{number}]"):
            spans[document] += spans_in(sentence, first=n_tokens[document])
        n_tokens[document] += len(sentence)
    return spans


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
        raise InputError("tp and fn", "at least one true span", "zeros only")
    return counts


def _table(counts: Counts) -> OutcomeTable:
    *_, kind = cells = np.nonzero(counts)
    hit_or_missed, found = cells[0] != 1, cells[0] != 2
    weight = counts[cells]
    units = UnitContents.of_rows(cells[1], weight, noun=DOCUMENTS) if counts.ndim > 2 else None
    codes = (2 * kind + hit_or_missed, 2 * kind + found)
    return OutcomeTable.tally(2 * counts.shape[-1], *codes, weight=weight, multilabel=True, units=units, spans=True)
