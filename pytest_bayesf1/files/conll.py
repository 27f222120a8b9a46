"""The CoNLL format: a token and its tags on each line, with documents and what is said of them in comments."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import ID, PREDICTED, TRUE, Columns, Schema
from pytest_bayesf1.data.tags import NO_DOCUMENTS, is_tag, read_tag, spans_of_documents
from pytest_bayesf1.errors import NOT_FOUND, InputError
from pytest_bayesf1.files.opening import open_text
from pytest_bayesf1.text import counted

# a line "-DOCSTART- ..." or "# newdoc id = ..." begins a document
_NEW_DOCUMENT = re.compile(r"-DOCSTART-(\s|$)|#\s*newdoc(\s+id\s*=\s*(?P<id>.*\S))?\s*$")
_NAMES = re.compile(r"#\s*global\.columns\s*=\s*(?P<names>.*\S)")
_SAID = re.compile(r"#\s*(?P<name>[^\s=]+)\s*=\s*(?P<value>.*\S)")

_TAB = "\t"

_Row: TypeAlias = tuple[str, ...]
"""A token and its tags."""


@dataclass(frozen=True)
class _TagColumn:
    """The column of a file that holds tags: a number or a name, by default its position from the end."""

    known: str
    name: str | None
    default: int
    expected: str

    def tag(self, cells: list[str], header: list[str], where: str) -> str:
        """Return the tag of a token."""
        position = self._position(header, len(cells), where)
        try:
            read_tag(cells[position], where)
        except InputError:
            expected = f"O, or a tag such as B-PER, as {self.known} in column {position % len(cells) + 1}"
            raise InputError(where, expected, repr(cells[position]), f"{self.expected}, or declare columns.") from None
        return cells[position]

    def _position(self, header: list[str], width: int, where: str) -> int:
        if self.name is None:
            return self.default
        if self.name in header:
            return header.index(self.name)
        try:
            number = int(self.name)
        except ValueError:
            number = 0
        if not 1 <= abs(number) <= width:
            found = f"columns {', '.join(header)}" if header else f"{counted(width, 'column')} without names"
            expected = f"a column {self.name!r}, which is {self.known}: a name, or a number from 1 to {width}"
            raise InputError(where, expected, found, "A first line '# global.columns = WORD NER' names columns.")
        return number - 1 if number > 0 else number


@dataclass
class _Document:
    """A document: its id, and what comment lines say of it."""

    id: str = ""
    said: dict[str, set[str]] = field(default_factory=dict)

    def saying(self, said: Mapping[str, str]) -> "_Document":
        """Add what comments say of a sentence of it."""
        for name, value in said.items():
            self.said.setdefault(name, set()).add(value)
        return self


_Part: TypeAlias = _Document | tuple[str, str] | list[_Row]
"""The beginning of a document, what a comment says, or a sentence."""


def read_conll(path: Path, schema: Schema) -> Columns:
    """Read the tags of a file; the true ones may be in a file of their own."""
    names = dict(schema.columns)
    if others := names.keys() - {TRUE, PREDICTED}:
        named = " and ".join(sorted(others))
        raise InputError.plain("columns", f"CoNLL files have {TRUE} and {PREDICTED}, no {named}")
    with open_text(path) as text:
        if schema.gold is None:
            return spans_of_lines(text, names)
        gold = Path(schema.gold)
        if not gold.is_file():
            raise InputError.plain(f"gold ({gold})", *NOT_FOUND)
        with open_text(gold) as true:
            return spans_of_lines(text, names | dict(schema.gold_columns), true)


def spans_of_lines(
    lines: Iterable[str], names: Mapping[str, str] | None = None, gold: Iterable[str] | None = None
) -> Columns:
    """Read the spans that lines mark, ends of lines included; the true tags are in them, or in lines of their own.

    Without lines that begin documents every sentence is a document of its own.
    """
    documents, sentences, begun = _documents(_parts(lines, names or {}, gold))
    if not documents:
        raise InputError.plain("", "The file has no tokens")
    of_sentence = [number for number, _, _ in sentences]
    notes = () if begun else (NO_DOCUMENTS,)
    if begun and len(documents) == 1 and not documents[0].id and len(sentences) > 1:  # no documents, but a habit
        documents, of_sentence = [_Document().saying(said) for _, said, _ in sentences], [*range(len(sentences))]
        notes = (NO_DOCUMENTS,)
    columns: dict[str, list[object]] = {}
    for position, name in enumerate((TRUE, PREDICTED), start=1):
        tags = ([row[position] for row in rows] for _, _, rows in sentences)
        columns[name] = [*spans_of_documents(tags, of_sentence, len(documents))]
    if all(document.id for document in documents):
        columns[ID] = [document.id for document in documents]
    return Columns({**_said_of(documents), **columns}, kind=Kind.SPANS, notes=notes)


_Sentence: TypeAlias = tuple[int, dict[str, str], list[_Row]]
"""The position of its document, what comments say before it, and its tokens."""


def _documents(parts: Iterable[_Part]) -> tuple[list[_Document], list[_Sentence], bool]:
    """Sort sentences into documents, and say whether any line begins one: without one each sentence is its own."""
    documents: list[_Document] = []
    sentences: list[_Sentence] = []
    said: dict[str, str] = {}
    begun = False
    for part in parts:
        if isinstance(part, _Document):
            documents.append(part)
            begun = True
        elif isinstance(part, tuple):
            name, said[name] = part
        else:
            if not begun:
                documents.append(_Document())
            documents[-1].saying(said)
            sentences.append((len(documents) - 1, said, part))
            said = {}
    return documents, sentences, begun


def _said_of(documents: Sequence[_Document]) -> dict[str, list[object]]:
    """Make columns of what comments say of documents: a value, or a list of several, which are no slice."""
    names = dict.fromkeys(name for document in documents for name in document.said)
    return {name: [_one_or_all(document.said.get(name, {None})) for document in documents] for name in names}


def _one_or_all(values: AbstractSet[str | None]) -> object:
    return next(iter(values)) if len(values) == 1 else sorted(map(str, values))


def _parts(lines: Iterable[str], names: Mapping[str, str], gold: Iterable[str] | None) -> Iterator[_Part]:
    if gold is None:
        if len({*names} & {TRUE, PREDICTED}) == 1:  # else a column of another system could be taken for the truth
            (named,) = names
            problem = f"Only the column of {named} is named"
            raise InputError.plain("columns", problem, f"Name those of both {TRUE} and {PREDICTED}, or of neither.")
        two = "By default the last two columns are the true and the predicted tag"
        true, said = _TagColumn(TRUE, names.get(TRUE), -2, two), _TagColumn(PREDICTED, names.get(PREDICTED), -1, two)
        return _read(lines, [true, said])
    one = "By default the last column is the tag"
    of_gold = _read(gold, [_TagColumn(TRUE, names.get(TRUE), -1, one)])
    return _side_by_side(of_gold, _read(lines, [_TagColumn(PREDICTED, names.get(PREDICTED), -1, one)]))


def _read(lines: Iterable[str], tags: Sequence[_TagColumn]) -> Iterator[_Part]:
    """Yield the document that begins, what comments say, and of each sentence every token with its tags."""
    sentence: list[_Row] = []
    header: list[str] = []
    width = 0
    for number, line in enumerate(lines, 1):
        names = _NAMES.match(line) if number == 1 else None
        if names:
            header = names["names"].split()
            width = len(header)
            continue
        begins, cells = _NEW_DOCUMENT.match(line), _cells(line)
        if cells and not begins and _is_comment(cells, line, width, tags):
            if said := _SAID.match(line):
                yield said["name"], said["value"]
            continue
        if cells and not begins:
            where = f"line {number}"
            width = width or max(len(cells), len(tags))
            if len(cells) != width:
                advice = "Leave a blank line between sentences."
                raise InputError(where, f"{counted(width, 'column')}, as above", str(len(cells)), advice)
            sentence.append((cells[0], *(each.tag(cells, header, where) for each in tags)))
            continue
        if sentence:
            yield sentence
            sentence = []
        if begins:
            yield _Document(begins["id"] or "")
    if sentence:
        yield sentence


def _cells(line: str) -> list[str]:
    """Split a line at its tabs, or else at its spaces: tokens may have spaces of other kinds, or before tabs any."""
    line = line.rstrip()
    if _TAB in line:
        return [cell.strip() for cell in line.split(_TAB)]
    return re.split(" +", line.strip(" ")) if line else []


def _is_comment(cells: list[str], line: str, width: int, tags: Sequence[_TagColumn]) -> bool:
    """Whether a line is no token that begins with "#", for want of its columns or its tags."""
    if not line.startswith("#"):
        return False
    if len(cells) != (width or max(len(cells), len(tags) + 1)):
        return True
    return not width and not all(is_tag(cells[each.default]) for each in tags if each.name is None)


def _side_by_side(gold: Iterator[_Part], predicted: Iterator[_Part]) -> Iterator[_Part]:
    """Put the predicted tags of each sentence beside the true ones; documents are those of the true tags."""
    others = (each for each in predicted if isinstance(each, list))
    n_sentences = 0
    for sentence in gold:
        if not isinstance(sentence, list):
            yield sentence
            continue
        n_sentences += 1
        where, other = f"sentence {n_sentences}", next(others, [])
        if len(sentence) != len(other):
            raise InputError(where, f"{counted(len(sentence), 'token')}, as in the file of true tags", str(len(other)))
        for (token, _), (own, _) in zip(sentence, other, strict=True):
            if token != own:
                raise InputError(where, f"the token {token!r}, as in the file of true tags", repr(own))
        yield [(token, true, found) for (token, true), (_, found) in zip(sentence, other, strict=True)]
    if next(others, None) is not None:
        raise InputError("", f"{counted(n_sentences, 'sentence')}, as in the file of true tags", "more")
