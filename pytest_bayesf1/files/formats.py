"""One reader per file format: CSV, CoNLL, JSON, NPZ, Parquet; and the YAML of gate files.

Each makes a table of predictions or a matrix of counts of a file, or raises `InputError` with the place in it.
"""

import csv
import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from math import inf, prod
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, TypeAlias
from zipfile import ZipFile

import numpy as np
import yaml
from numpy.lib import format as npy

from pytest_bayesf1.data.labels import tidy
from pytest_bayesf1.data.spans import checked_spans, is_tag, read_tag, spans_of_documents
from pytest_bayesf1.errors import NOT_FOUND, InputError, within
from pytest_bayesf1.files.eval_logs import KNOWN_LOGS, read_eval, read_log
from pytest_bayesf1.files.matrices import HEADER, Rows, bare_matrix, is_matrix, matrix_in, read_matrix
from pytest_bayesf1.files.opening import PACKED, open_text, require_room, unpacked_name, whole
from pytest_bayesf1.files.records import at, columns_of, known_fields, read_json, records_on, table_of
from pytest_bayesf1.files.tables import (
    AS_IT_IS,
    AS_NAMED,
    FOUND,
    GOLD,
    ID,
    PREDICTED,
    SCORE,
    TRUE,
    VALUE,
    Content,
    Reading,
    Table,
    holds_predictions,
    joined,
    lacks,
    renamed,
    require_two,
    selected,
    wrong_columns,
)
from pytest_bayesf1.git import is_lfs_pointer
from pytest_bayesf1.text import counted, flowed
from pytest_bayesf1.values import require_once

# a line "-DOCSTART- ..." or "# newdoc id = ..." begins a document
_NEW_DOCUMENT = re.compile(r"-DOCSTART-(\s|$)|#\s*newdoc(\s+id\s*=\s*(?P<id>.*\S))?\s*$")
_NAMES = re.compile(r"#\s*global\.columns\s*=\s*(?P<names>.*\S)")

NO_DOCUMENT_LINES = "no line begins a document: every sentence counts as one."
ONE_DOCUMENT_LINE = "one line begins a document, so that all would be one: every sentence counts as one."

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
            advice = f"{self.expected}; or name them, as in columns: {{{self.known}: 2}}."
            if self.known == TRUE and self.name is None and len(cells) == -self.default == 2:  # a token and one tag
                advice = "The file has one tag for a token. Name the file of the true tags, as in gold: gold.conll."
            raise InputError(where, expected, repr(cells[position]), advice) from None
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


def read_conll(lines: Iterable[str], names: Mapping[str, str] = AS_NAMED, gold: Iterable[str] | None = None) -> Table:
    """Read the lines of a file, ends of lines included; the true tags are in it, or in a file of their own.

    Without lines that begin documents every sentence is a document of its own.
    """
    if gold is None and len(names) == 1:  # else a column of another system could be taken for the truth
        problem = f"Only the column of {next(iter(names))} is named"
        raise InputError.plain("", problem, f"Name those of both {TRUE} and {PREDICTED}, or of neither.")
    one, two = "The last column must be the tag", "The last two columns must be the true and the predicted tag"
    predicted = _TagColumn(PREDICTED, names.get(PREDICTED), -1, two if gold is None else one)
    if gold is None:
        sentences = _sentences(lines, [_TagColumn(TRUE, names.get(TRUE), -2, two), predicted])
    else:
        of_gold = _sentences(gold, [_TagColumn(TRUE, names.get(TRUE), -1, one)])
        sentences = _side_by_side(of_gold, _sentences(lines, [predicted]))
    documents: list[str] = []
    of_sentence: list[int] = []
    note = NO_DOCUMENT_LINES
    tags: dict[str, list[Sequence[str]]] = {TRUE: [], PREDICTED: []}
    begun = False
    for sentence in sentences:
        if isinstance(sentence, str):
            documents.append(sentence)
            begun = True
            continue
        if not begun:
            documents.append("")
        of_sentence.append(len(documents) - 1)
        _, *columns = zip(*sentence, strict=True)
        for known, column in zip(tags.values(), columns, strict=True):
            known.append(column)
    if not documents:
        raise InputError.plain("", "The file has no tokens")
    if begun and len(documents) == 1 and not documents[0] and len(of_sentence) > 1:  # no documents, but a habit
        documents, of_sentence, begun = [""] * len(of_sentence), [*range(len(of_sentence))], False
        note = ONE_DOCUMENT_LINE
    spans = {name: spans_of_documents(each, of_sentence, len(documents), name) for name, each in tags.items()}
    ids = {ID: documents} if all(documents) else {}
    return Table(spans | ids, spans=True, notes=() if begun else (note,))


def _sentences(lines: Iterable[str], tags: Sequence[_TagColumn]) -> Iterator[str | list[_Row]]:
    """Yield the id where a document begins, and of each sentence every token with its tags."""
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
            continue
        if cells and not begins:
            where = f"line {number}"
            width = width or max(len(cells), len(tags))
            if len(cells) != width:
                last = "the true and the predicted tag last" if len(tags) > 1 else "the tag last"
                advice = "Leave a blank line between sentences."
                raise InputError(where, f"{counted(width, 'column')}, {last}", str(len(cells)), advice)
            sentence.append((cells[0], *(each.tag(cells, header, where) for each in tags)))
            continue
        if sentence:
            yield sentence
            sentence = []
        if begins:
            yield begins["id"] or ""
    if sentence:
        yield sentence


def _cells(line: str) -> list[str]:
    """Split a line at its tabs, or else at its spaces: tokens may have spaces of other kinds, or before tabs any."""
    line = line.rstrip()
    if TAB in line:
        return [cell.strip() for cell in line.split(TAB)]
    return re.split(" +", line.strip(" ")) if line else []


def _is_comment(cells: list[str], line: str, width: int, tags: Sequence[_TagColumn]) -> bool:
    """Whether a line is no token that begins with "#", for want of its columns or its tags."""
    if not line.startswith("#"):
        return False
    if len(cells) != (width or max(len(cells), len(tags) + 1)):
        return True
    return not width and not all(is_tag(cells[each.default]) for each in tags if each.name is None)


def _side_by_side(
    gold: Iterator[str | list[_Row]], predicted: Iterator[str | list[_Row]]
) -> Iterator[str | list[_Row]]:
    """Put the predicted tags of each sentence beside the true ones; documents begin where the true tags say so."""
    others = (each for each in predicted if not isinstance(each, str))
    n_sentences = 0
    for sentence in gold:
        if isinstance(sentence, str):
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


TAB = "\t"
SEPARATORS = f",;{TAB}"
_SEPARATOR = re.compile(r'"?sep=(.)"?\s*')
_CHUNK = 300  # rows, too few for the garbage collector to begin
_MOST_KNOWN = 10_000


def _read_csv(path: Path, names: Mapping[str, str], separators: str = SEPARATORS) -> Content:
    with open_text(path) as lines:
        rows = _rows(lines, separators)
        line, header = next(rows, (1, []))
        if not header:
            raise InputError.plain("", "The file is empty")
        columns = [name.strip() for name in header]
        first = list(islice(rows, 2 * len(header)))  # more than a matrix has
        if is_matrix(columns, first) and not names:
            return read_matrix(columns, first, line)
        if holds_predictions(renamed(dict.fromkeys(columns), names)):
            return _csv_table(chain(first, rows), columns, names)
        return read_matrix(columns, chain(first, rows), line)


def _rows(lines: Iterator[str], separators: str) -> Iterator[tuple[int, list[str]]]:
    """Split rows, all of as many cells as the first, at the separator that its first line has most of outside quotes.

    Blank lines may only stand at the end.
    """
    first, skipped = next(lines, ""), 0
    if named := _SEPARATOR.fullmatch(first):  # as spreadsheets have it
        separators, first, skipped = named[1], next(lines, ""), 1
    unquoted = re.sub(r'"[^"]*("|$)', "", first)
    reader = csv.reader(chain([first], lines), delimiter=max(separators, key=unquoted.count), strict=True)
    offset = 1 + skipped
    start, width, blank = offset, 0, 0
    try:
        for row in reader:
            if not any(row) and len(row) != 1:  # spreadsheets write "" for each cell of a blank row
                blank = blank or start
            elif blank:
                raise InputError.plain(
                    f"line {blank}", "A blank line between rows", _IF_TAGS if separators == TAB else "Delete it."
                )
            elif len(row) != (width or len(row)):
                advice = "If the first line is a title, delete it." if width == 1 else ""
                raise InputError(f"line {start}", f"{width} cells, as in the first row", str(len(row)), advice)
            else:
                width = len(row)
                yield start, row
            start = reader.line_num + offset
    except csv.Error as error:
        raise InputError.plain(f"line {start}", f"Not CSV: {error}") from None


def _csv_table(rows: Rows, header: list[str], names: Mapping[str, str]) -> Table:
    columns: list[list[str]] = [[] for _ in header]
    lines = array("q")
    known: dict[str, str] = {}  # the same text once only
    while chunk := list(islice(rows, _CHUNK)):
        lines.extend([line for line, _ in chunk])
        for column, cells in zip(columns, zip(*[row for _, row in chunk], strict=True), strict=True):
            column.extend(map(known.setdefault, cells, cells))
        if len(known) > _MOST_KNOWN:
            known.clear()
    kept = [(name, cells) for name, cells in zip(header, columns, strict=True) if name or any(cells)]
    require_once([name for name, _ in kept], HEADER)
    return Table(renamed(dict(kept), names), lines=lines, is_text=True)


def _read_json(path: Path, names: Mapping[str, str]) -> Content:
    """Tell records, columns, counts and the logs of evaluations apart."""
    document, lines = read_json(path)
    log = read_log(document, names, lines, path)
    if log is not None:
        return log
    wanted = [*names.values()] or [TRUE, PREDICTED, SCORE, VALUE]
    if isinstance(document, Mapping) and (table := table_of(document, wanted)) is not None:
        return columns_content(table, names)
    if found := records_on(document, names.values()):
        return _records_content(*found, names, lines)
    if isinstance(document, Mapping):
        return _columns_by_path(document, names)
    if not isinstance(document, list) or not document:
        found_type = type(document).__name__ if document else "nothing"
        raise InputError("", "a list of records, a mapping of columns or a matrix of counts", found_type)
    return bare_matrix(document)


def _columns_by_path(document: Mapping[str, Any], names: Mapping[str, str]) -> Content:
    """Read columns or counts of a document, wherever in it the columns that are named are."""
    deep = {path: at(document, path) for path in names.values() if path not in document}
    columns = {**document, **{path: value for path, value in deep.items() if isinstance(value, list)}}
    for known, path in names.items():
        if path not in columns:
            raise lacks(path, f"to take for {known}", known_fields(document))
    if not names and matrix_in(columns) is None and not holds_predictions(renamed(columns, names)):
        raise _no_log(known_fields(document))
    return columns_content(columns, names)


_SUMMED = re.compile(r"results\..+_stderr,.+")


def _no_log(found: Iterable[str]) -> InputError:
    """Say that a document is neither a table nor a log of a tool that is known."""
    names = [*found]
    if any(map(_SUMMED.fullmatch, names)):
        problem = "These are the results of lm-evaluation-harness for whole tasks, without those of examples"
        return InputError.plain("", problem, "Run it with --log_samples, and name the files samples_*.jsonl.")
    error = wrong_columns(names)
    return InputError.plain(error.where, f"No log of {KNOWN_LOGS}, and {error.found}", error.advice)


def columns_content(columns: Mapping[str, Any], names: Mapping[str, str]) -> Content:
    """Read predictions off columns, or counts; both may have ``labels`` beside them."""
    labels = columns.get("labels")
    columns = renamed(columns, names)
    if holds_predictions(columns):
        return Table({name: values for name, values in columns.items() if name != "labels"}, labels)
    matrix = matrix_in(columns)
    if matrix is None:
        raise wrong_columns(columns)
    return matrix


def _records_content(
    records: Sequence[object], above: str, names: Mapping[str, str], lines: Sequence[int] | None
) -> Content:
    """Turn records into columns; what a record lacks is missing."""
    mappings = [record for record in records if isinstance(record, Mapping)]
    if len(mappings) < len(records):
        row, other = next((row, each) for row, each in enumerate(records) if not isinstance(each, Mapping))
        raise InputError(Table({}, lines=lines).place(row), "a record, as the others are", type(other).__name__)
    found = columns_of(mappings, names.values(), above)
    for known, path in names.items():
        if path not in found:
            raise lacks(path, f"to take for {known}", dict.fromkeys([*found, *known_fields(mappings, above)]))
    columns = renamed(found, names)
    table = Table(columns, lines=lines)
    if GOLD in columns and FOUND in columns and TRUE not in names:  # the spans of a document in every row
        kept = {name: values for name, values in columns.items() if name not in (GOLD, FOUND)}
        for name, known in ((GOLD, TRUE), (FOUND, PREDICTED)):
            kept[known] = [_spans(value, f"{table.place(row)}, {name}") for row, value in enumerate(columns[name])]
        return replace(table, columns=kept, spans=True)
    if not holds_predictions(columns):
        raise _no_log(found)
    return table


def _spans(value: object, where: str) -> list[tuple[int, int, Any]]:
    spans = checked_spans(value, where)
    return [(start, end, tidy(kind) if isinstance(kind, str) else kind) for start, end, kind in spans]


_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_npz(path: Path, names: Mapping[str, str]) -> Content:
    """Read columns of predictions, or counts, by the names of the arrays."""
    with whole("a file of numpy.savez", SyntaxError, TokenError, TypeError):
        _require_room_for_arrays(path)
        with np.load(path, allow_pickle=False) as archive:
            require_once(archive.files)
            return columns_content({name: _array(archive, name) for name in archive.files}, names)


def _require_room_for_arrays(path: Path) -> None:
    """Raise `InputError` for arrays that are too large, before numpy makes room for what they say that they hold."""
    total = 0
    with ZipFile(path) as archive:
        for member in archive.infolist():
            require_room(total + member.file_size, member.filename)
            with archive.open(member) as file:
                total += max(_declared_size(file), member.file_size)
            require_room(total, member.filename)


def _declared_size(file: IO[bytes]) -> int:
    """Return as many bytes as an array says that it has; 0 for something else."""
    start = file.read(npy.MAGIC_LEN)
    if not start.startswith(npy.MAGIC_PREFIX):
        return 0
    shape, _, dtype = _HEADERS[tuple(start[-2:])](file)  # type: ignore[index]
    return prod(max(abs(length), 1) for length in (*shape, dtype.itemsize))


def _array(archive: Mapping[str, Any], name: str) -> Any:
    try:
        array = np.asarray(archive[name])
    except ValueError as error:
        if "Object arrays" not in str(error):
            raise
        advice = "Save it with .astype(str), or as numbers."
        raise InputError.plain(name, "The array holds Python objects", advice) from None
    if array.dtype.kind == "U" and array.size and array.itemsize:
        codes = np.ascontiguousarray(array).view(array.dtype.str[0] + "u4")
        if codes.max() > sys.maxunicode:  # of which Python makes a SystemError
            raise InputError.plain(name, "The text has characters that Unicode does not have")
    return array.astype(str) if array.dtype.kind == "M" else array  # Python has no nanoseconds


_POINTER = 8
"""Bytes of a value in a list, however few it has in a file."""


def read_parquet(path: Path, names: Mapping[str, str]) -> Content:
    """Read the columns of a file."""
    try:
        from pyarrow import ArrowException, parquet, types  # noqa: PLC0415 (only where it is needed: it is an extra)
    except ImportError:
        advice = "Install it: pip install pytest-bayesf1[parquet]"
        raise InputError.plain("", "Parquet needs pyarrow, which is missing here", advice) from None
    try:
        with path.open("rb") as file:
            content = parquet.ParquetFile(file)
            require_room(content.metadata.num_rows * content.metadata.num_columns * _POINTER)
            found = content.schema_arrow.names
            require_once(found)
            known = renamed(dict.fromkeys(found), names)
            if not holds_predictions(known):
                raise wrong_columns(known)
            columns: list[list[Any]] = [[] for _ in found]
            for batch in content.iter_batches():  # of all at once, compiled code takes more memory than Python does
                batch.validate(full=True)  # before compiled code believes what offsets and indices say
                for values, each in zip(columns, batch.columns, strict=True):
                    values.extend(_shared((each.cast("string") if types.is_temporal(each.type) else each).to_pylist()))
        return Table(renamed(dict(zip(found, columns, strict=True)), names))
    except (ArrowException, UnicodeDecodeError) as error:
        raise InputError.plain("", f"Not Parquet: {flowed(error)}") from None


def _shared(values: list[Any]) -> list[Any]:
    """Keep the same text once only, where few are different."""
    if set(map(type, values)) != {str} or len(known := {each: each for each in values}) > len(values) / 2:
        return values
    return list(map(known.__getitem__, values))


KeyPath: TypeAlias = tuple[str, ...]
"""Keys and positions that lead to a value, as text."""

_MERGE = "tag:yaml.org,2002:merge"
_MOST_REPEATED = 1_000_000
_DEEPEST = 100
_NO_SUCH_VALUE = (AttributeError, LookupError, OverflowError, TypeError, ValueError)
"""What PyYAML raises for a date, a number or a boolean that is none."""


class YamlError(ValueError):
    """Text that is no YAML, with its line and column, counted from 1."""

    def __init__(self, problem: str, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {problem}")
        self.problem, self.line, self.column = problem, line, column


@dataclass(frozen=True)
class YamlDocument:
    """A document of plain values.

    Attributes
    ----------
    value
        What it says.
    lines
        Where each value stands, counted from 1; of a mapping's value the line of its key.
    repeated
        Keys that a mapping has twice, of which YAML itself would keep the last in silence.
    """

    value: Any
    lines: dict[KeyPath, int]
    repeated: tuple[tuple[KeyPath, int], ...]

    def line_of(self, steps: Iterable[str | int]) -> int:
        """Return the line of the value that keys and positions lead to, or of what it should have been part of."""
        path = tuple(map(str, steps))
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


class _Loader(yaml.SafeLoader):
    """Takes ``<<`` and ``=`` for text where they are values; as a key ``<<`` merges mappings, as everywhere."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Build what stands inside of a node; tell where it stands deeper than anybody nests."""
        if self._depth > _DEEPEST:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise yaml.composer.ComposerError(None, None, "nested too deeply", mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Build a value; tell where one stands that is not what its tag or its look promises."""
        try:
            return super().construct_object(node, deep)
        except _NO_SUCH_VALUE:
            kind = node.tag.rpartition(":")[2]
            raise yaml.constructor.ConstructorError(None, None, f"an invalid {kind}", node.start_mark) from None


def _as_text(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    return loader.construct_scalar(node)


def _int_or_code(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> Any:
    """Read a number as people write it, and take 010 and 12:30 for text, which YAML has for 8 and 750."""
    return node.value if _CODE.fullmatch(node.value) else loader.construct_yaml_int(node)


_CODE = re.compile(r"[+-]?0[0-9].*|.*:.*")

_Loader.add_constructor("tag:yaml.org,2002:int", _int_or_code)
_Loader.add_constructor(_MERGE, _as_text)
_Loader.add_constructor("tag:yaml.org,2002:value", _as_text)


def load_document(text: str) -> YamlDocument:
    """Read a document, and where everything in it stands; raise `YamlError` for anything else."""
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return YamlDocument(None, {}, ())
        _require_finite(node)
        found = list(_walk(node, (), set()))
        value = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
        raise YamlError(str(error.problem or error.context), line, column) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise YamlError(f"{error.reason}: #x{error.character:04x}", line, 1) from None
    except (ValueError, OverflowError):  # of escapes such as "\UFFFFFFFF"
        raise YamlError("a character that does not exist", loader.line + 1, loader.column + 1) from None
    repeated = tuple((path, line) for path, line, is_repeated in found if is_repeated)
    return YamlDocument(value, {path: line for path, line, _ in found}, repeated)


def _require_finite(root: yaml.Node) -> None:
    """Refuse aliases that make a short text a huge value, or an endless one."""
    sizes: dict[int, float] = {}
    if _size(root, sizes) - len(sizes) > _MOST_REPEATED:
        problem = f"aliases repeat more than {_MOST_REPEATED:,} values, or themselves"
        raise yaml.composer.ComposerError(None, None, problem, root.start_mark)


def _size(node: yaml.Node, sizes: dict[int, float]) -> float:
    """Count the values in a node, in full wherever an alias repeats them."""
    if id(node) not in sizes:
        sizes[id(node)] = inf  # until all are counted: what holds itself is endless
        children: Iterable[yaml.Node] = node.value if isinstance(node, yaml.SequenceNode) else ()
        if isinstance(node, yaml.MappingNode):
            children = chain.from_iterable(node.value)
        sizes[id(node)] = 1 + sum([_size(child, sizes) for child in children])
    return sizes[id(node)]


def _walk(node: yaml.Node, path: KeyPath, seen: set[int]) -> Iterator[tuple[KeyPath, int, bool]]:
    """Find every value's line, and whether its key repeats another one of the same mapping.

    What an alias repeats is found at its first place only.
    """
    if id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for position, child in enumerate(node.value):
            yield (*path, str(position)), child.start_mark.line + 1, False
            yield from _walk(child, (*path, str(position)), seen)
    if isinstance(node, yaml.MappingNode):
        entries = [entry for entry in node.value if isinstance(entry[0], yaml.ScalarNode) and entry[0].tag != _MERGE]
        kept = {(key.tag, key.value): child for key, child in entries}
        known = set()
        for key, child in entries:
            name = key.tag, key.value
            yield (*path, key.value), key.start_mark.line + 1, name in known
            known.add(name)
            if child is kept[name]:
                yield from _walk(child, (*path, key.value), seen)


def _require_fetched(path: Path) -> None:
    if not path.is_file():
        return
    with path.open("rb") as file:
        if is_lfs_pointer(file.read(64)):
            advice = "Run git lfs pull; in GitHub Actions pass lfs: true to actions/checkout."
            raise InputError.plain("", "Git LFS keeps this file, and has not fetched its content", advice)


def read_content(path: Path, reading: Reading = AS_IT_IS) -> Content:
    """Read a file of any of the formats; its suffix tells which."""
    try:
        _require_fetched(path)
        content = _whole_content(path, reading)
    except FileNotFoundError:
        raise InputError.plain("", *NOT_FOUND) from None
    except IsADirectoryError:
        raise InputError.plain("", *_A_DIRECTORY) from None
    except OSError as error:
        raise InputError.plain("", f"Cannot read the file: {flowed(error.strerror or error)}") from None
    if isinstance(content, Table):
        return selected(content, dict(reading.rows))
    if reading.columns or reading.rows:
        raise InputError.plain("", "A matrix of counts has no columns to name, and no rows to choose")
    return content


def _whole_content(path: Path, reading: Reading) -> Content:
    """Read all rows, and the truth from a file of its own if one is named."""
    reader = _reader(path)
    if reading.gold is None:
        require_two(dict(reading.columns))
    elif reader is _read_conll:
        reader = partial(_read_conll, gold=Path(reading.gold))
    else:
        return _with_gold(path, reading, reading.gold)
    return reader(path, dict(reading.columns))


def _with_gold(path: Path, reading: Reading, gold: str) -> Table:
    """Read predictions, and the truth of each from another file, by id."""
    names = {known: dict(reading.columns).get(known, known) for known in (TRUE, PREDICTED, ID)}
    said, true = (
        replace(reading, gold=None, rows=(), columns=((VALUE, names[known]), (ID, names[ID])))
        for known in (PREDICTED, TRUE)
    )
    predictions = read_content(path, said)
    with within(f"gold ({gold})"):
        truth = read_content(Path(gold), true)
    assert isinstance(predictions, Table)
    assert isinstance(truth, Table)
    return joined(predictions, truth, invalid=reading.invalid)


_IF_TAGS = "If it ends a sentence of tags, let the name of the file end in .conll. Or else delete the line."
_A_DIRECTORY = "This is a directory", "Name a file in it."


def _reader(path: Path) -> Callable[..., Content]:
    suffix = Path(unpacked_name(path)).suffix.lower()
    is_packed = path.suffix.lower() == PACKED
    if suffix in FORMATS and not (is_packed and suffix in _BINARY):
        return FORMATS[suffix]
    if not path.exists():
        raise InputError.plain("", *NOT_FOUND)
    if path.is_dir():
        raise InputError.plain("", *_A_DIRECTORY)
    raise InputError("", f"a file that ends in {', '.join(FORMATS)}, text also with {PACKED} after it", repr(path.name))


def _read_conll(path: Path, names: Mapping[str, str], gold: Path | None = None) -> Content:
    if others := names.keys() - {TRUE, PREDICTED}:
        named = " and ".join(sorted(others))
        raise InputError.plain("", f"CoNLL files have columns {TRUE} and {PREDICTED} alone, no {named}")
    with open_text(path) as text:
        if gold is None:
            return read_conll(text, names)
        if not gold.is_file():
            raise InputError.plain(f"gold ({gold})", *NOT_FOUND)
        with open_text(gold) as true:
            return read_conll(text, names, true)


FORMATS: dict[str, Callable[..., Content]] = {
    ".csv": _read_csv,
    ".tsv": partial(_read_csv, separators=TAB),
    **dict.fromkeys((".json", ".jsonl", ".ndjson"), _read_json),
    ".npz": read_npz,
    ".parquet": read_parquet,
    **dict.fromkeys((".conll", ".bio", ".iob", ".iob2"), _read_conll),
    ".eval": read_eval,
}
"""By suffix what reads a file: it takes the path, and what the columns are called."""

_BINARY = (".npz", ".parquet", ".eval")
