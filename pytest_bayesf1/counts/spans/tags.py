"""Tags of tokens -> the spans that they mark, read as the CoNLL shared tasks' script *conlleval* reads them.

One reading serves all of IOB1, IOB2 and BIOES (with E and S, or L and U, for the last and for the only token of a
span). Sequences that are improper in some scheme have a meaning, too: a span also begins with an I or E that follows no
span of its type, and ends where another begins.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from pytest_bayesf1.errors import InputError

Tag: TypeAlias = tuple[str, str | None]
"""One of B, I, E, S and O; and the type, None of O."""
Span: TypeAlias = tuple[int, int, str]
"""First token, token after the last one, type."""

OUTSIDE = "O"
UNTYPED = "_"
_TAG = re.compile(r"([BIESLU])(?:-(.*))?", re.DOTALL)
_SAME_AS = {"L": "E", "U": "S"}


def spans_in(tags: Iterable[str], first: int = 0) -> list[Span]:
    """Return the spans that tags mark, in their order.

    Parameters
    ----------
    tags
        One for each token: ``O``, or ``B-PER`` and the like. A tag without a type is of the type ``_``.
    first
        Number of the first token.

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

    Parameters
    ----------
    tag
        ``O``, or ``B-PER`` and the like.
    where
        What error messages call it.

    Raises
    ------
    InputError
        When it is no tag.

    Examples
    --------
    >>> read_tag("U-PER", ""), read_tag("O", "")
    (('S', 'PER'), ('O', None))
    """
    read = _parsed(tag) if isinstance(tag, str) else None
    if read is None:
        raise InputError(where, "O, or a tag such as B-PER", f"{tag!r:.80}")
    return read


@lru_cache(maxsize=1024)
def _parsed(tag: str) -> Tag | None:
    if tag == OUTSIDE:
        return OUTSIDE, None
    found = _TAG.fullmatch(tag)
    return found and (_SAME_AS.get(found[1], found[1]), found[2] or UNTYPED)
