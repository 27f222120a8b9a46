"""Spans such as named entities, counted by document; and the tags that mark them."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.data.confusion import SideCounts, as_numbers, whole_counts
from pytest_bayesf1.data.labels import encode_any_number, identifiers, require_unique, row_labels
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.data.predictions import Changes, Examples, Predictions, Show, read_shown
from pytest_bayesf1.errors import InputError, ends_here, shown, within
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted

CodedSpan: TypeAlias = tuple[int, int, int]
"""Start, end, and the type's position among the labels."""
Documents: TypeAlias = npt.NDArray[np.object_]
"""(D,) a frozen set of `CodedSpan` for every document."""

_FORM = "a collection of spans (start, end, type) for every document"


def encode_spans(
    columns: Mapping[str, Any], labels: Iterable[Any] | None
) -> tuple[dict[str, Documents], tuple[Label, ...], dict[str, str]]:
    """Check documents of spans, and bring them to types 0 .. T-1."""
    rows = {name: _rows(values, name) for name, values in columns.items()}
    (first, documents), *others = rows.items()
    for name, other in others:
        if len(other) != len(documents):
            raise InputError(name, f"{counted(len(documents), 'document')}, as in {first}", str(len(other)))
    flat = {name: [span for spans in documents for span in spans] for name, documents in rows.items()}
    if not flat[first]:
        raise InputError.plain(first, "No document has a span")
    kinds = {name: [[kind for _, _, kind in spans] for spans in documents] for name, documents in rows.items()}
    codes, names = encode_any_number(kinds, labels, "type")
    coded = {name: _coded(documents, codes[name]) for name, documents in rows.items()}
    repeated = {name: len(flat[name]) - sum(map(len, documents)) for name, documents in coded.items()}
    notes = {name: f"{name}: {counted(n, 'repetition')} of a span left out." for name, n in repeated.items() if n}
    return coded, names, notes


def sentences_by_document(documents: Iterable[Any] | None, n_sentences: int) -> tuple[npt.NDArray[Any] | None, Codes]:
    """Return the documents' ids in the order of their first sentences, and which of them each sentence belongs to."""
    if documents is None:
        return None, np.arange(n_sentences)
    ids = identifiers(documents, n_sentences, "documents", "document id", "sentence")
    unique, first, codes = np.unique(ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return unique[order], np.argsort(order)[codes]


def _rows(values: Any, where: str) -> list[list[tuple[int, int, Any]]]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(where, _FORM, type(values).__name__)
    rows = [checked_spans(spans, f"{where}[{number}]") for number, spans in enumerate(values)]
    if not rows:
        raise InputError(where, "at least one document", "none")
    return rows


def checked_spans(spans: Any, where: str) -> list[tuple[int, int, Any]]:
    """Require a document's spans; what their types are is not looked at."""
    if isinstance(spans, str | bytes | Mapping) or not isinstance(spans, Iterable):
        raise InputError(where, "a collection of spans (start, end, type)", type(spans).__name__)
    return [_span(span, f"{where}[{number}]") for number, span in enumerate(spans)]


_START = ("start", "begin", "start_offset", "start_char", "startOffset", "start_idx")
_END = ("end", "stop", "end_offset", "end_char", "endOffset", "end_idx")
_KIND = ("label", "type", "entity", "entity_group", "entity_type", "tag", "category", "labels")


def _of_object(span: Mapping[Any, Any]) -> tuple[Any, ...]:
    """Take start, end and type out of an object, by their usual names."""
    found = [next((span[name] for name in names if name in span), None) for names in (_START, _END, _KIND)]
    *ends, kind = found
    return (*ends, kind[0] if isinstance(kind, list) and len(kind) == 1 else kind) if None not in found else ()


def _span(span: Any, where: str) -> tuple[int, int, Any]:
    if isinstance(span, Mapping) and _of_object(span):
        span = _of_object(span)
    if isinstance(span, str | bytes | Mapping) or not isinstance(span, Collection) or len(span) != 3:
        advice = f"As objects spans have the fields {_START[0]}, {_END[0]} and {_KIND[0]}."
        raise InputError(where, "a span (start, end, type)", shown(span), advice)
    start, end, kind = span
    if not (_is_position(start) and _is_position(end) and start <= end):
        advice = "Start and end are whole numbers, the end not before the start."
        raise InputError(where, "a span (start, end, type)", shown(span), advice)
    return int(start), int(end), kind


def _is_position(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) >= 0


def _coded(documents: list[list[tuple[int, int, Any]]], codes: Codes) -> Documents:
    kinds = iter(codes.tolist())
    coded = np.empty(len(documents), dtype=object)
    for number, spans in enumerate(documents):
        coded[number] = frozenset((start, end, next(kinds)) for start, end, _ in spans)
    return coded


class SpanPredictions(Predictions[OutcomeTable]):
    """Any number of spans per document: ``y_true`` and ``y_pred`` are `Documents`, ``ids`` the documents' ids."""

    noun = "document"
    truth_name = "gold"
    ids_name = "documents"

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count the spans that are true or that anybody predicts, by who predicts them."""
        sides = [self.y_pred, *(other.y_pred for other in others)]
        outcomes = Counter(
            (document, 2 * kind + (span in true), *(2 * kind + (span in said) for said in predicted))
            for document, (true, *predicted) in enumerate(zip(self.y_true, *sides, strict=True))
            for span in true.union(*predicted)
            for _, _, kind in [span]
        )
        rows = np.array(list(outcomes), dtype=np.int64).reshape(len(outcomes), 2 + len(sides))
        count = np.fromiter(outcomes.values(), dtype=np.int64, count=len(outcomes))
        clusters = self.contents(self.cluster_codes(np.arange(self.n_samples))[rows[:, 0]], count)
        return OutcomeTable.tally(2 * n_labels, *rows.T[1:], multilabel=True, clusters=clusters, spans=True)

    def errors(self) -> Floats:
        """(N,) how many spans are missed or invented."""
        found = (len(true ^ said) for true, said in zip(self.y_true, self.y_pred, strict=True))
        return np.fromiter(found, dtype=np.float64, count=self.n_samples)

    def wrong_about(self, other: Self, n_labels: int) -> Self:  # noqa: ARG002
        """Find no span."""
        none = np.empty_like(other.y_true)
        none[:] = [frozenset()] * none.size
        return replace(other, y_pred=none)

    def relabelled(self, codes: Codes, n_labels: int) -> Self:  # noqa: ARG002
        """Look every type up in ``codes``; their number does not matter to spans."""
        return replace(self, y_true=_relabelled(self.y_true, codes), y_pred=_relabelled(self.y_pred, codes))

    def changes(self, other: Self) -> Changes:
        """Look at every span on its own: at its place there may be one of another type."""
        pairs: Counter[tuple[int, int]] = Counter()
        n_changed = 0
        for own, others in zip(self.y_true, other.y_true, strict=True):
            come = {(start, end): kind for start, end, kind in others - own}
            pairs.update((kind, come[start, end]) for start, end, kind in own - others if (start, end) in come)
            n_changed += len(own ^ others)
        totals = Counter(kind for spans in self.y_true for _, _, kind in spans)
        n = sum(map(len, self.y_true)) + sum(map(len, other.y_true))
        return Changes(pairs, totals, n_changed / max(n, 1))

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Name the first span that only one of both has."""
        own, others = self.y_true[position], other.y_true[position]
        first = min(own ^ others)
        return f"{tuple(_named(first, labels))} in {'baseline' if first in own else 'candidate'} only"

    def _named(self, values: Documents, labels: tuple[Label, ...]) -> list[Any]:
        return [[_named(span, labels) for span in sorted(spans)] for spans in values]


def without_spans(baseline: Predictions[Any], candidate: Predictions[Any]) -> Iterator[str]:
    """Say how many documents have no span at all, for a result does not count them."""
    if isinstance(baseline, SpanPredictions):
        sides = zip(baseline.y_true, baseline.y_pred, candidate.y_pred, strict=True)
        if n_empty := sum(not any(spans) for spans in sides):
            yield (
                f"{n_empty:,} of {counted(baseline.n_samples, 'document')} have no span, true or predicted: "
                "they change no score and do not count."
            )


def _named(span: CodedSpan, labels: tuple[Label, ...]) -> list[Any]:
    start, end, kind = span
    return [start, end, labels[kind]]


def _relabelled(documents: Documents, codes: Codes) -> Documents:
    relabelled = np.empty_like(documents)
    for number, spans in enumerate(documents):
        relabelled[number] = frozenset((start, end, int(codes[kind])) for start, end, kind in spans)
    return relabelled


Tag: TypeAlias = tuple[str, str | None]
"""One of B, I, E, S and O; and the type, None of O."""
Span: TypeAlias = tuple[int, int, str]
"""First token, token after the last one, type."""

OUTSIDE = "O"
UNTYPED = "_"
_TAG = re.compile(r"([BIMESLU])(?:-(.*))?", re.DOTALL)
_TAG_BEHIND = re.compile(r"(.+)-([BIMESLU])", re.DOTALL)
_SAME_AS = {"L": "E", "U": "S", "M": "I"}


def spans_in(tags: Iterable[str], first: int = 0) -> list[Span]:
    """Return the spans that tags mark, in their order.

    One reading serves IOB1, IOB2, BIOES and BMES (E and S, or L and U, for the last and for the only token of a span;
    M is I), before the type or behind it.
    Sequences that are improper in a scheme have a meaning too: a span also begins with an I or E that follows no span
    of its type, and ends where another begins.

    Examples
    --------
    >>> spans_in(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    """
    spans: list[Span] = []
    start, inside, ended = 0, None, False
    for position, tag in enumerate([*tags, OUTSIDE]):
        prefix, kind = read_tag(tag, f"token {position}")
        if inside is not None and (kind != inside or ended or prefix in "BS"):
            spans.append((first + start, first + position, inside))
            inside = None
        if inside is None and kind is not None:
            start, inside = position, kind
        ended = prefix in "ES"
    return spans


def read_tag(tag: str, where: str) -> Tag:
    """Take a tag apart.

    Examples
    --------
    >>> read_tag("U-PER", ""), read_tag("O", "")
    (('S', 'PER'), ('O', None))
    """
    read = _parsed(tag) if isinstance(tag, str) else None
    if read is None:
        raise InputError(where, "O, or a tag such as B-PER", shown(tag))
    return read


@lru_cache(maxsize=1024)
def _parsed(tag: str) -> Tag | None:
    if tag == OUTSIDE:
        return OUTSIDE, None
    if found := _TAG.fullmatch(tag):
        prefix, kind = found[1], found[2] or UNTYPED
    elif found := _TAG_BEHIND.fullmatch(tag):
        kind, prefix = found.groups()
    else:
        return None
    return _SAME_AS.get(prefix, prefix), kind


def is_tag(tag: str) -> bool:
    """Whether this is a tag."""
    return _parsed(tag) is not None


DOCUMENTS = "documents"
NO_DOCUMENTS = "Nothing says which sentences make up a document: every sentence counts as one."
_COLUMNS = ("tp", "fp", "fn")
Spans = Collection[tuple[int, int, Label] | Mapping[str, Any]]


class SpanCounts(SideCounts):
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
        return cls.of_columns(columns, labels, documents=documents, clusters=clusters, show=show)[0]

    @classmethod
    def of_columns(
        cls,
        columns: Mapping[str, Any],
        labels: Iterable[Label] | None = None,
        *,
        documents: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "list[SpanCounts]":
        """Count the spans of every column after the truth, over the same types."""
        coded, names, notes = encode_spans(columns, labels)
        (first, true), *sides = coded.items()
        n, ids = true.size, None
        if documents is not None:
            ids = identifiers(documents, n, "documents", "document id", "collection of spans")
            advice = "Put all spans of a document into one collection."
            require_unique(ids, "documents", advice)
        drawn = Examples.read(n, None, clusters)
        noun, shown = DOCUMENTS if clusters is None else drawn.cluster_noun, read_shown(show, drawn.n)
        found = []
        for name, side in sides:
            kept = SpanPredictions(true, side, ids, drawn.clusters, cluster_noun=noun, shown=shown)
            counts = cls.from_table(kept.tally(len(names)), names, "data" if labels is None else "caller", kept)
            found.append(counts.with_notes(tuple(notes[each] for each in (first, name) if each in notes)))
        return found

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
        ids, spans = spans_of_tags({"gold_tags": gold_tags, "predicted_tags": predicted_tags}, documents)
        counts = cls.from_spans(*spans, documents=ids, labels=labels)
        return counts if ids is not None else counts.with_notes((*counts.notes, NO_DOCUMENTS))

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


def spans_of_tags(
    columns: Mapping[str, Any], documents: Iterable[Any] | None = None
) -> tuple[npt.NDArray[Any] | None, list[list[list[Span]]]]:
    """Return the documents' ids, and the spans that each column of tags marks in every document."""
    sentences = {name: _tags(tags, name) for name, tags in columns.items()}
    _require_equal_lengths(sentences)
    n_sentences = len(next(iter(sentences.values())))
    ids, codes = sentences_by_document(documents, n_sentences)
    n_documents = n_sentences if ids is None else ids.size
    return ids, [spans_of_documents(tags, codes.tolist(), n_documents, name) for name, tags in sentences.items()]


def _tags(sentences: Any, where: str) -> list[Sequence[str]]:
    """Require a sequence of tags for every sentence."""
    if isinstance(sentences, str | bytes) or not isinstance(sentences, Iterable):
        raise InputError(where, "a sequence of tags for every sentence", type(sentences).__name__)
    listed = list(sentences)
    for number, tags in enumerate(listed):
        if isinstance(tags, str | bytes) or not isinstance(tags, Sequence | np.ndarray):
            raise InputError(f"{where}[{number}]", "a sequence of tags", shown(tags))
    if not listed:
        raise InputError(where, "at least one sentence", "none")
    return listed


def _require_equal_lengths(sentences: dict[str, list[Sequence[str]]]) -> None:
    (first, gold), *others = sentences.items()
    for other, predicted in others:
        if len(predicted) != len(gold):
            raise InputError(other, f"{counted(len(gold), 'sentence')}, as in {first}", str(len(predicted)))
        for number, (true, said) in enumerate(zip(gold, predicted, strict=True)):
            if len(said) != len(true):
                raise InputError(f"{other}[{number}]", f"{counted(len(true), 'tag')}, as in {first}", str(len(said)))


def spans_of_documents(
    tags: Iterable[Sequence[str]], documents: Iterable[int], n_documents: int, where: str
) -> list[list[Span]]:
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
