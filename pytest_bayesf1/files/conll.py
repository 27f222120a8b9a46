"""CoNLL columns: a token per line, its true and its predicted tag last; a blank line between sentences.

A line that begins with ``-DOCSTART-``, or reads ``# newdoc id = ...``, begins a document.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pytest_bayesf1.data.spans import Span, read_tag, spans_in
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.columns import ID, PREDICTED, TRUE
from pytest_bayesf1.files.content import Table

_NEW_DOCUMENT = re.compile(r"-DOCSTART-(\s|$)|#\s*newdoc(\s+id\s*=\s*(?P<id>.*\S))?\s*$")
_TAGS = 2

NO_DOCUMENTS = "no line begins a document: every sentence counts as one."


@dataclass
class _Document:
    """What was read of a document.

    Attributes
    ----------
    name
        Its id; empty where it has none.
    spans
        The true ones and the predicted ones.
    n_tokens
        How many tokens its sentences have.
    """

    name: str = ""
    spans: tuple[list[Span], list[Span]] = field(default_factory=lambda: ([], []))
    n_tokens: int = 0


def read_conll(lines: Iterable[str]) -> Table:
    """Read the lines of a file, ends of lines included.

    Without lines that begin documents every sentence is a document of its own.

    Parameters
    ----------
    lines
        Of a text file.

    Returns
    -------
    Table
        A row per document.

    Raises
    ------
    InputError
        For the first line that cannot be read.
    """
    documents: list[_Document] = []
    begun = False
    for sentence in _sentences(lines):
        if isinstance(sentence, str):
            documents.append(_Document(sentence))
            begun = True
            continue
        if not begun:
            documents.append(_Document())
        document = documents[-1]
        for spans, tags in zip(document.spans, zip(*sentence, strict=True), strict=True):
            spans.extend(spans_in(tags, first=document.n_tokens))
        document.n_tokens += len(sentence)
    return _table(documents, () if begun else (NO_DOCUMENTS,))


def _sentences(lines: Iterable[str]) -> Iterator[str | list[list[str]]]:
    """Yield the id where a document begins, and the tags of each sentence, token by token."""
    sentence: list[list[str]] = []
    width = 0
    for number, line in enumerate(lines, 1):
        begins, cells = _NEW_DOCUMENT.match(line), line.split()
        if cells and not begins:
            width = width or max(len(cells), _TAGS)
            sentence.append(_tags(cells, width, f"line {number}"))
            continue
        if sentence:
            yield sentence
            sentence = []
        if begins:
            yield begins["id"] or ""
    if sentence:
        yield sentence


def _tags(cells: list[str], width: int, where: str) -> list[str]:
    if len(cells) != width:
        expected = f"{width} columns, the true and the predicted tag last"
        raise InputError(where, expected, str(len(cells)), "Leave a blank line between sentences.")
    for tag in cells[-_TAGS:]:
        read_tag(tag, where)
    return cells[-_TAGS:]


def _table(documents: list[_Document], notes: tuple[str, ...]) -> Table:
    if not documents:
        raise InputError("", "tokens with a true and a predicted tag", "an empty file")
    columns = {TRUE: [each.spans[0] for each in documents], PREDICTED: [each.spans[1] for each in documents]}
    names = [each.name for each in documents]
    return Table(columns | ({ID: names} if all(names) else {}), spans=True, notes=notes)
