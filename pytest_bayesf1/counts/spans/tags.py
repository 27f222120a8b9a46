"""Tags of tokens -> the spans that they mark, read as the CoNLL shared tasks' script *conlleval* reads them.

One reading serves all of IOB1, IOB2 and BIOES (with E and S, or L and U, for the last and for the only token of a
span). Sequences that are improper in some scheme have a meaning, too: a span also begins with an I or E that follows no
span of its type, and ends where another begins.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from pytest_bayesf1.errors import InputError

Tag: TypeAlias = tuple[str, str | None]
"""One of B, I, E, S and O; and the type, None for O."""
Span: TypeAlias = tuple[int, int, str]
"""First token, token after the last one, type."""

OUTSIDE = "O"
UNTYPED = "_"
_TAG = re.compile(r"([BIESLU])(?:-(.*))?", re.DOTALL)
_SAME_AS = {"L": "E", "U": "S"}


def spans_in(tags: Iterable[str]) -> list[Span]:
    """Return the spans that tags mark, in their order.

    Parameters
    ----------
    tags
        One for each token: ``O``, or ``B-PER`` and the like. A tag without a type is of the type ``_``.

    Raises
    ------
    InputError
        For the first tag that is none, by its position.

    Examples
    --------
    >>> spans_in(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
    [(0, 2, 'PER'), (3, 4, 'LOC'), (4, 5, 'LOC')]
    """
    spans: list[Span] = []
    start, inside, ended = 0, None, False
    for position, tag in enumerate([*tags, OUTSIDE]):
        prefix, kind = _read(tag, position)
        if inside is not None and (kind != inside or ended or prefix in "BS"):
            spans.append((start, position, inside))
            inside = None
        if inside is None and kind is not None:
            start, inside = position, kind
        ended = prefix in "ES"
    return spans


def _read(tag: str, position: int) -> Tag:
    read = _parsed(tag) if isinstance(tag, str) else None
    if read is None:
        raise InputError(f"[{position}]", "O, or a tag such as B-PER", f"{tag!r:.80}")
    return read


@lru_cache(maxsize=1024)
def _parsed(tag: str) -> Tag | None:
    if tag == OUTSIDE:
        return OUTSIDE, None
    found = _TAG.fullmatch(tag)
    return found and (_SAME_AS.get(found[1], found[1]), found[2] or UNTYPED)


def spans_in_documents(
    sentences: Sequence[Sequence[str]], documents: Sequence[int], n_documents: int
) -> list[list[Span]]:
    """Return the spans of every document, whose tokens are numbered through all its sentences.

    Parameters
    ----------
    sentences
        Tags, one for each token.
    documents
        Which document each sentence belongs to, 0 to ``n_documents`` - 1.
    n_documents
        How many documents there are.

    Raises
    ------
    InputError
        For the first tag that is none, by the positions of its sentence and its own.
    """
    spans: list[list[Span]] = [[] for _ in range(n_documents)]
    n_tokens = [0] * n_documents
    for number, (tags, document) in enumerate(zip(sentences, documents, strict=True)):
        try:
            found = spans_in(tags)
        except InputError as error:
            raise InputError(f"[{number}]{error.where}", error.expected, error.found) from None
        before = n_tokens[document]
        spans[document].extend((before + start, before + end, kind) for start, end, kind in found)
        n_tokens[document] += len(tags)
    return spans
