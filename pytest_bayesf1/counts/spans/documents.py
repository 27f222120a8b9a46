"""What callers hand in as documents of spans, checked and encoded."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import counted, first_few
from pytest_bayesf1.arrays import Codes
from pytest_bayesf1.counts.encoding import encode_arrays
from pytest_bayesf1.counts.labels import Label, label_column
from pytest_bayesf1.counts.spelling import require_one_spelling
from pytest_bayesf1.errors import InputError

CodedSpan: TypeAlias = tuple[int, int, int]
"""Start, end, and the type's position among the labels."""
Documents: TypeAlias = npt.NDArray[np.object_]
"""(D,) a frozen set of `CodedSpan` for every document."""

_FORM = "a collection of spans (start, end, type) for every document"


def encode_spans(
    columns: Mapping[str, Any], labels: Iterable[Any] | None
) -> tuple[dict[str, Documents], tuple[Label, ...], tuple[str, ...]]:
    """Check documents of spans, and bring them to types 0 .. T-1.

    Parameters
    ----------
    columns
        By the name that error messages use, the truth first, each a sequence with a collection of spans for every
        document.
    labels
        The types in their order; by default all that occur, sorted.

    Returns
    -------
    documents, labels, notes
        The notes say how many spans stand there more than once.

    Raises
    ------
    InputError
        When the columns differ in length, there is no true span at all, or something is no span or of no known type.
    """
    rows = {name: _rows(values, name) for name, values in columns.items()}
    (first, documents), *others = rows.items()
    for name, other in others:
        if len(other) != len(documents):
            raise InputError(name, f"{counted(len(documents), 'document')}, as in {first}", str(len(other)))
    flat = {name: [span for spans in documents for span in spans] for name, documents in rows.items()}
    codes, names = _types({name: [kind for _, _, kind in spans] for name, spans in flat.items()}, labels)
    coded = {name: _coded(documents, codes[name]) for name, documents in rows.items()}
    repeated = {name: len(flat[name]) - sum(map(len, documents)) for name, documents in coded.items()}
    notes = tuple(f"{name}: {counted(n, 'repetition')} of a span left out." for name, n in repeated.items() if n)
    return coded, names, notes


def document_ids(documents: Iterable[Any] | None, n_documents: int) -> npt.NDArray[Any] | None:
    """Check that every document has an id of its own, where there are ids.

    Parameters
    ----------
    documents
        Strings or integers.
    n_documents
        How many there have to be.

    Raises
    ------
    InputError
        When there are more or fewer ids, or one stands there twice.
    """
    if documents is None:
        return None
    ids = label_column(documents, "documents", noun="document id").copy()
    if ids.size != n_documents:
        raise InputError("documents", f"{n_documents} ids, one per collection of spans", str(ids.size))
    unique, times = np.unique(ids, return_counts=True)
    if unique.size < ids.size:
        twice = unique[times > 1].tolist()
        found = f"{counted(len(twice), 'duplicate id')} ({first_few(map(repr, twice))})"
        raise InputError("documents", "each document once", found, "Put all spans of a document into one collection.")
    return ids


def sentences_by_document(documents: Iterable[Any] | None, n_sentences: int) -> tuple[npt.NDArray[Any] | None, Codes]:
    """Return the documents' ids in the order of their first sentences, and which of them each sentence belongs to.

    Parameters
    ----------
    documents
        The id of each sentence's document; without them every sentence is a document of its own.
    n_sentences
        How many there have to be.

    Raises
    ------
    InputError
        When there are more or fewer.
    """
    if documents is None:
        return None, np.arange(n_sentences)
    ids = label_column(documents, "documents", noun="document id")
    if ids.size != n_sentences:
        raise InputError("documents", f"{n_sentences} ids, one per sentence", str(ids.size))
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
    """Require a document's spans; what their types are is not looked at.

    Parameters
    ----------
    spans
        A collection of (start, end, type).
    where
        What error messages call it.

    Raises
    ------
    InputError
        For the first that is no span.
    """
    if isinstance(spans, str | bytes | Mapping) or not isinstance(spans, Iterable):
        raise InputError(where, "a collection of spans (start, end, type)", type(spans).__name__)
    return [_span(span, f"{where}[{number}]") for number, span in enumerate(spans)]


def _span(span: Any, where: str) -> tuple[int, int, Any]:
    if isinstance(span, str | bytes | Mapping) or not isinstance(span, Collection) or len(span) != 3:
        raise InputError(where, "a span (start, end, type)", f"{span!r:.80}")
    start, end, kind = span
    if not (_is_position(start) and _is_position(end) and start <= end):
        advice = "Start and end are whole numbers, the end not before the start."
        raise InputError(where, "a span (start, end, type)", f"{span!r:.80}", advice)
    return int(start), int(end), kind


def _is_position(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and int(value) >= 0


def _types(
    columns: Mapping[str, Sequence[Any]], labels: Iterable[Any] | None
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    arrays = {name: label_column(kinds, name, noun="type") for name, kinds in columns.items() if kinds}
    truth = next(iter(columns))
    if truth not in arrays:
        raise InputError(truth, "at least one span", "none at all")
    codes, names = encode_arrays(arrays, labels)
    if labels is None:
        first, *others = ((name, set(array.tolist())) for name, array in arrays.items())
        require_one_spelling(*first, dict(others))
    none = np.empty(0, dtype=np.int64)
    return {name: codes.get(name, none) for name in columns}, names


def _coded(documents: list[list[tuple[int, int, Any]]], codes: Codes) -> Documents:
    kinds = iter(codes.tolist())
    coded = np.empty(len(documents), dtype=object)
    for number, spans in enumerate(documents):
        coded[number] = frozenset((start, end, next(kinds)) for start, end, _ in spans)
    return coded
