"""The tags that mark spans in sentences."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from pytest_bayesf1.arrays import Codes, LabelArray
from pytest_bayesf1.data.labels import Rows, identifiers
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.text import counted

Tag: TypeAlias = tuple[str, str | None]
"""One of B, I, E, S and O; and the type, None of O."""
Span: TypeAlias = tuple[int, int, str]
"""First token, token after the last one, type."""
Documents: TypeAlias = list[list[Any]]
"""The spans of every document, or the tags of every sentence."""

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


NO_DOCUMENTS = "Nothing says which sentences make up a document: every sentence counts as one."


def hold_tags(columns: Mapping[str, Documents]) -> bool:
    """Whether these are sentences of tags, which are text, and not documents of spans."""
    every = chain.from_iterable(chain.from_iterable(columns.values()))
    return isinstance(next(every, None), str)


def spans_of_tags(
    columns: Mapping[str, Documents], documents: Iterable[Any] | None, rows: Rows
) -> tuple[LabelArray | None, dict[str, Documents], Rows]:
    """Return the documents' ids, the spans that each column of tags marks in every document, and where each begins."""
    for name, sentences in columns.items():
        _require_tags(sentences, name, rows)
    _require_equal_lengths(columns, rows)
    n_sentences = len(next(iter(columns.values())))
    first, codes, ids = np.arange(n_sentences), np.arange(n_sentences), None
    if documents is not None:
        where = rows.named("documents")
        of_sentences = identifiers(documents, n_sentences, where, "document id", "sentence", rows)
        first, codes = sentences_by_document(of_sentences)
        ids = of_sentences[first]
    found = {name: spans_of_documents(tags, codes.tolist(), first.size) for name, tags in columns.items()}
    return ids, found, rows.take(first)


def sentences_by_document(ids: LabelArray) -> tuple[Codes, Codes]:
    """Return the first sentence of every document, in their order, and which document each sentence belongs to."""
    _, first, codes = np.unique(ids, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[codes]


def _require_tags(sentences: Documents, where: str, rows: Rows) -> None:
    flat = [*chain.from_iterable(sentences)]
    wrong = [row for row, tag in enumerate(flat) if not (isinstance(tag, str) and is_tag(tag))]
    if wrong:
        raise rows.of_items(sentences).refused(where, "no tag", flat, wrong, "a tag is O, or such as B-PER")


def _require_equal_lengths(sentences: Mapping[str, Documents], rows: Rows) -> None:
    (first, gold), *others = sentences.items()
    for other, predicted in others:
        if len(predicted) != len(gold):
            raise InputError(other, f"{counted(len(gold), 'sentence')}, as in {first}", str(len(predicted)))
        lengths = [len(tags) for tags in predicted]
        wrong = [row for row, tags in enumerate(gold) if len(tags) != lengths[row]]
        if wrong:
            found = [counted(length, "tag") for length in lengths]
            raise rows.refused(other, f"not as many tags as in {first}", found, wrong)


def spans_of_documents(tags: Iterable[Sequence[str]], documents: Iterable[int], n_documents: int) -> list[list[Span]]:
    """Return the spans of every document, whose tokens are numbered through all its sentences."""
    spans: list[list[Span]] = [[] for _ in range(n_documents)]
    n_tokens = [0] * n_documents
    for sentence, document in zip(tags, documents, strict=True):
        spans[document] += spans_in(sentence, first=n_tokens[document])
        n_tokens[document] += len(sentence)
    return spans
