"""Stored baselines: files of predictions beside their tests.

Every change of the content changes the checksum, and so the same line: two branches that both changed a baseline are
in conflict, and can never be merged into predictions that no classifier made.

More than `MOST_AS_TEXT` examples are compressed, as a diff of that length cannot be reviewed: ``name.json.gz``.
"""

import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from pytest_bayesf1.choices import Invalid, Kind
from pytest_bayesf1.data.confusion import ConfusionMatrix, MultilabelCounts
from pytest_bayesf1.data.paired import row_text
from pytest_bayesf1.data.questions import VALUE
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.spans import SpanCounts
from pytest_bayesf1.data.two_sides import Sides, align
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError
from pytest_bayesf1.files.opening import Bounded
from pytest_bayesf1.git import CHECKED_OUT, Checkout, FileSource
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.formulas import ROWS, Data, Needs
from pytest_bayesf1.measures.ranking import parse_score_measure
from pytest_bayesf1.results.schema import UNREADABLE
from pytest_bayesf1.text import counted, short_commit, spoken_day
from pytest_bayesf1.writing import fingerprint, locked, write_all

_OF_CLASSES, _OF_SPANS = ("accuracy", "f1_macro"), ("f1_micro", "f1_macro")
_EXAMPLE_COLUMNS = ("id", "cluster", "y_true")


def observed_scores(side: Side) -> dict[str, float]:
    """Return the observed scores that help a reviewer."""
    if not isinstance(side, Scores):
        table = side.table
        names, spans = _OF_SPANS if table.spans else _OF_CLASSES, table.spans
        measures = [parse_measure(name, side.labels, multilabel=table.multilabel, spans=spans) for name in names]
        return {each.name: float(each(Joint.observed(table, each.detail))) for each in measures}
    found, scores = {}, side.table
    for row in ROWS:
        if Data.of_scores(side.labels) in row.data and Needs.PROBABILITIES not in row.needs:
            with suppress(InputError):
                found[row.name] = parse_score_measure(row.name, side.labels, ((scores, 0),)).observed(scores, 0)
    return found


def test_set_columns(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Keep the columns that identify the examples, without the predictions."""
    return {name: values for name, values in table.items() if name in _EXAMPLE_COLUMNS}


@dataclass(frozen=True)
class Origin:
    """Where an anchor is from; what is unknown is empty."""

    date: str = ""
    """The day of the commit as ISO 8601 writes it, or of ``SOURCE_DATE_EPOCH`` where that is set."""
    commit: str = ""
    """Full hash of the commit that was checked out when it was made the anchor."""
    baselines_ago: int = 0
    """How often the baseline has moved since."""

    @classmethod
    def here(cls, folder: Path) -> "Origin":
        """Look at what is checked out now."""
        checkout = Checkout.of(folder)
        return cls(checkout.date, checkout.commit)

    @property
    def words(self) -> str:
        """All that is known, such as ``2 May 2026, 1a2b3c4, 6 baselines ago``; empty where nothing is."""
        moved = f"{counted(self.baselines_ago, 'baseline')} ago" if self.baselines_ago else ""
        return ", ".join(filter(None, (spoken_day(self.date), short_commit(self.commit), moved)))


Columns: TypeAlias = Mapping[str, Sequence[Any]]
ExampleRow: TypeAlias = Sequence[Any]

_COUNT = "count"
_ROW_COLUMNS = ("id", "cluster", "y_true", "label", "document", "type")
"""Columns that identify a row, the same for each side; all others hold what a side predicts, or how often."""


def rows_of(table: Columns) -> Iterator[ExampleRow]:
    """Return a side row by row."""
    return zip(*table.values(), strict=True)


_LACKING: ExampleRow = ({},)
"""Follows a row that the anchor lacks: no prediction is written like that."""


def fit_together(table: Columns, other: Columns) -> bool:
    """Whether two sides fit into one table: the same columns, and the second's rows among the first's.

    Counted cells always fit, and rows without ids only where they are the same.
    """
    if list(table) != list(other):
        return False
    if _COUNT in table:
        return True
    identified = [name for name in table if name in _ROW_COLUMNS]
    of_table, of_other = (
        dict(zip(_keys(each), zip(*(each[name] for name in identified), strict=True), strict=True))
        for each in (table, other)
    )
    return of_other.items() <= of_table.items() if "id" in table else of_other == of_table


def rows_of_both(table: Columns, anchor: Columns) -> Iterator[ExampleRow]:
    """Return the baseline row by row, each followed by what the anchor predicts there, where that differs."""
    if _COUNT in table:
        table, anchor = _over_the_same_cells(table, anchor)
    said = dict(zip(_keys(anchor), rows_of(_said(anchor)), strict=True))
    for key, row, ours in zip(_keys(table), rows_of(table), rows_of(_said(table)), strict=True):
        theirs = said.get(key, _LACKING)
        yield row if ours == theirs else (*row, *theirs)


def _keys(table: Columns) -> Sequence[Any]:
    """Say which row is which: by its id, else by its place."""
    return table["id"] if "id" in table else range(len(next(iter(table.values()))))


def parted(
    columns: Sequence[str], rows: Sequence[ExampleRow]
) -> tuple[dict[str, ExampleRow], dict[str, ExampleRow] | None]:
    """Split the rows of two sides again."""
    width = len(columns)
    ours = _columns(columns, [row[:width] for row in rows])
    if all(len(row) <= width for row in rows):
        return _without_empty_cells(ours), None
    n_said, lacking = len(_said(ours)), list(_LACKING)
    of_both = [row for row in rows if row[width:] != lacking]
    theirs = [row if len(row) == width else [*row[: width - n_said], *row[width:]] for row in of_both]
    return _without_empty_cells(ours), _without_empty_cells(_columns(columns, theirs))


def _columns(names: Sequence[str], rows: Sequence[ExampleRow]) -> dict[str, ExampleRow]:
    return dict(zip(names, zip(*rows, strict=True), strict=True))


def _said(table: Columns) -> dict[str, Sequence[Any]]:
    """Keep the columns of what a side predicts, which come last."""
    if _COUNT in table:
        return {_COUNT: table[_COUNT]}
    return {name: values for name, values in table.items() if name not in _ROW_COLUMNS}


def _over_the_same_cells(table: Columns, other: Columns) -> tuple[Columns, Columns]:
    """Add counted cells that one side lacks, with a count of 0."""
    sides = [{tuple(cell): count for *cell, count in rows_of(each)} for each in (table, other)]
    cells = list(dict.fromkeys(cell for side in sides for cell in side))
    filled = [_columns(list(table), [(*cell, side.get(cell, 0)) for cell in cells]) for side in sides]
    return filled[0], filled[1]


def _without_empty_cells(table: dict[str, ExampleRow]) -> dict[str, ExampleRow]:
    if _COUNT not in table or all(table[_COUNT]):
        return table
    return _columns(list(table), [row for row in rows_of(table) if row[-1]])


FORMAT = "pytest-bayesf1 baseline"
VERSION = 1
_KINDS = {
    Kind.CLASSES: "one class per example",
    Kind.LABELS: "any number of labels per example",
    Kind.SPANS: "any number of spans per document",
    Kind.SCORES: "scores per example",
}
_RESTORE = "Restore the file from version control, or delete it and write a new one with --bayesf1-update=new."


@dataclass(frozen=True)
class Baseline:
    """The classifier that a candidate must not fall behind, and the anchor, from which total loss is counted."""

    name: str
    """Of the baseline among those of its test module."""
    counts: Side
    """Its counts, and its predictions where they are known; or its scores."""
    origin: Origin = Origin()
    """Where the anchor is from."""
    anchor: Side | None = None
    """The anchor's counts or scores; None where they are the baseline's own."""

    def followed_by(self, counts: Side, origin: Origin) -> "Baseline":
        """Return the baseline after this one, which keeps its anchor if the test set has not changed too much."""
        anchor, table = self.counts if self.anchor is None else self.anchor, counts.columns()
        try:
            shared = Sides(*align(anchor, counts)).shared
        except InputError:
            return Baseline(self.name, counts, origin)
        anchor = anchor if shared.overlap is None else shared.baseline
        if not fit_together(table, anchor.columns()) or _kind(counts) != _kind(anchor):
            return Baseline(self.name, counts, origin)
        is_new = not self.says_the_same(counts)
        moved = replace(self.origin, baselines_ago=self.origin.baselines_ago + is_new)
        anchor_apart = None if table == anchor.columns() else anchor
        return Baseline(self.name, counts, moved, anchor_apart)

    def says_the_same(self, counts: Side) -> bool:
        """Whether another side holds the same labels and predictions, or the same counts where there are none."""
        return counts.labels == self.counts.labels and counts.columns() == self.counts.columns()

    @property
    def scores(self) -> dict[str, float]:
        """The observed scores that help a reviewer."""
        return observed_scores(self.counts)

    @property
    def test_set(self) -> str:
        """What identifies the test set, and its fingerprint: the same for every classifier that was tested on it."""
        if self.counts.questions is None:
            return f"class totals, {fingerprint(map(row_text, _totals(self.counts)))}"
        table = test_set_columns(self.counts.columns())
        if not table:
            return counted(self.counts.n_samples, "example")
        return f"{' and '.join(table)}, {fingerprint(map(row_text, rows_of(table)))}"


def to_text(baseline: Baseline) -> str:
    """Write a baseline down."""
    counts, table = baseline.counts, baseline.counts.columns()
    if counts.questions is None and counts.kind is not Kind.SPANS and counts.table.clusters:
        advice = "Build it with from_predictions(..., clusters=...)."
        raise InputError.plain("candidate", "Counts of a table do not say which examples a cluster holds", advice)
    head = {
        "format": FORMAT,
        "version": VERSION,
        "name": baseline.name,
        "scores": _rounded(baseline.scores),
        "examples": counts.n_samples,
        "kind": _kind(counts),
        **_reading(counts),
        "test_set": baseline.test_set,
        "columns": list(table),
    }
    if known := _anchor_head(baseline):
        head["anchor"] = known
    lines = [f"{row_text(key)}: {row_text(value)}," for key, value in head.items()]
    written = rows_of(table) if baseline.anchor is None else rows_of_both(table, baseline.anchor.columns())
    rows = ",\n".join(map(row_text, written))
    body = "\n".join(["{", *lines, f'"rows": [\n{rows}\n],\n'])
    return f'{body}"checksum": {row_text(fingerprint([body]))}\n}}\n'


def _reading(side: Side) -> dict[str, Any]:
    """Return what has to be known beside the rows to read them."""
    runs = None if side.questions is None else side.questions.runs
    known: dict[str, Any] = {"labels": list(side.labels), "labels_from": side.labels_from}
    if side.vocabulary != side.labels:
        known["vocabulary"] = list(side.vocabulary)
    return known if runs is None else known | {"runs": runs.value}


def _anchor_head(baseline: Baseline) -> dict[str, Any]:
    """Return where the anchor is from, its scores, and what has to be known of it to read its rows."""
    known = {key: value for key, value in asdict(baseline.origin).items() if value}
    if baseline.anchor is None:
        return known
    known["scores"] = _rounded(observed_scores(baseline.anchor))
    ours, theirs = _reading(baseline.counts), _reading(baseline.anchor)
    return known | {key: theirs.get(key) for key in {**ours, **theirs} if ours.get(key) != theirs.get(key)}


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {name: round(score, 6) for name, score in scores.items()}


def _kind(side: Side) -> str:
    return _KINDS[side.kind]


def is_baseline_text(text: str) -> bool:
    """Whether a text means to be a baseline, damaged or not."""
    return text[:200].find(f'"format": {row_text(FORMAT)}') > 0


def from_text(text: str, where: str) -> Baseline:
    """Read a baseline."""
    document = _parsed(text, where)
    body, found, _ = text.rpartition('"checksum": ')
    if not found or document.get("checksum") != fingerprint([body]):
        raise BaselineError.plain(where, "Someone edited the file, or merged two", _RESTORE)
    try:
        return _restored_baseline(document)
    except (AttributeError, InputError, KeyError, TypeError, ValueError) as error:
        raise BaselineError.plain(where, f"Not a baseline: {_cause(error)}", _RESTORE) from error


def _parsed(text: str, where: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        conflict = "\n<<<<<<<" in f"\n{text}"
        problem = "There is an unresolved merge conflict" if conflict else f"The file is damaged or cut off ({error})"
        advice = "Keep the side of the branch that you merge into, then update the baseline." if conflict else _RESTORE
        raise BaselineError.plain(where, problem, advice) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BaselineError.plain(where, f"Not a file of the format {FORMAT!r}", _RESTORE)
    version = document.get("version")
    if isinstance(version, int) and version > VERSION:
        advice = "Install the newer pytest-bayesf1 that wrote it."
        raise BaselineError(where, f"format version {VERSION}", str(version), advice)
    return document


def _restored_baseline(document: dict[str, Any]) -> Baseline:
    table, of_anchor = parted(document["columns"], document["rows"])
    known = document.get("anchor", {})
    origin = Origin(**{field.name: known[field.name] for field in fields(Origin) if field.name in known})
    anchor = None if of_anchor is None else _restored({**document, **known}, of_anchor)
    return Baseline(document["name"], _restored(document, table), origin, anchor)


def _restored(document: dict[str, Any], table: dict[str, Any]) -> Side:
    labels = [label for label in document["labels"] if label is not None]
    invalid: Invalid = None if None not in document["labels"] else "wrong"
    vocabulary = (UNREADABLE if label is None else label for label in document.get("vocabulary") or document["labels"])
    known = {"labels": labels, "ids": table.pop("id", None), "clusters": table.pop("cluster", None)}
    began = {kind: document["kind"].startswith(words.partition(" per ")[0]) for kind, words in _KINDS.items()}
    kind = next((kind for kind, is_so in began.items() if is_so), Kind.CLASSES)
    if kind is Kind.SCORES:
        return _restored_scores(table, **known).with_labels_from(document["labels_from"])
    if kind is Kind.SPANS:
        counts: Side = _restored_spans(table, **known)
    elif "count" in table:
        counts = ConfusionMatrix.from_cells(**table, labels=labels, invalid=invalid)
    elif "tn" in table:
        tn, fp, fn, tp = (table[name] for name in ("tn", "fp", "fn", "tp"))
        counts = MultilabelCounts([[[a, b], [c, d]] for a, b, c, d in zip(tn, fp, fn, tp, strict=True)], labels)
    elif kind is Kind.LABELS:
        y_true, y_pred = (list(map(set, table[name])) for name in ("y_true", "y_pred"))
        counts = MultilabelCounts.from_predictions(y_true, y_pred, **known)
    else:
        counts = ConfusionMatrix.from_predictions(**table, **known, runs=document.get("runs"), invalid=invalid)
    return counts.with_labels_from(document["labels_from"]).with_vocabulary(tuple(vocabulary))


def _restored_scores(table: dict[str, Any], labels: list[Any], **known: Any) -> Scores:
    if not labels:
        return Scores.from_values(table[VALUE], **known)
    y_true = table.pop("y_true")
    names = labels[1:] if len(labels) == 2 else labels
    scores = {name: np.array(column, dtype=np.float64) for name, column in zip(names, table.values(), strict=True)}
    return Scores.from_predictions(y_true, scores, labels=labels, **known)


def _restored_spans(table: dict[str, Any], labels: list[Any], ids: Any, clusters: Any) -> SpanCounts:
    if "type" in table:
        return SpanCounts.of_cells(table, labels)
    return SpanCounts.from_spans(table["y_true"], table["y_pred"], documents=ids, clusters=clusters, labels=labels)


def _totals(counts: Side) -> list[tuple[Any, int]]:
    totals = counts.table.row_totals[counts.table.named].tolist()
    return sorted(zip(counts.classes, totals, strict=False), key=repr)  # unreadable answers come last


MOST_AS_TEXT = 100_000
_SUFFIXES = (".json", ".json.gz")
_LONGEST_NAME = 100
_TAKEN = re.compile(r"\.|(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""How the names of hidden files begin, and those of Windows' devices, whatever their suffix."""
_COMPRESSION = 6  # an eighth larger than at 9, in a fifth of the time


@dataclass(frozen=True)
class Stored:
    """A baseline and the bytes that it was read from."""

    path: Path
    baseline: Baseline
    content: bytes
    text: str
    """The same content uncompressed, with the same line ends in every checkout."""


@dataclass(frozen=True)
class BaselineStore:
    """The baselines of one test module, all in ``directory``; written there, but read from any ``files``."""

    directory: Path
    files: FileSource = CHECKED_OUT

    def find(self, name: str) -> Stored | None:
        """Return the baseline of this name, if there is one."""
        found = self._found(name, self.files)
        if not found:
            return None
        (path, content), *others = found.items()
        for other, _ in others:
            raise BaselineError.plain(str(path), f"{other.name} has the same baseline", "Delete the older one.")
        stored = read_baseline(path, content)
        if stored.baseline.name != name:
            problem = f"It has the baseline of {stored.baseline.name!r}, not of {name!r}"
            raise BaselineError.plain(str(path), problem, "Pass check(..., name=...).")
        return stored

    def write(self, baseline: Baseline, replaces: Stored | None) -> Path | None:
        """Write a baseline over the one that its candidate was compared with."""
        path, text = self.directory / _file_name(baseline), to_text(baseline)
        if replaces is not None and replaces.text == text:
            return None
        content = text.encode("utf-8", "surrogatepass")
        if path.suffix == ".gz":
            content = gzip.compress(content, _COMPRESSION, mtime=0)
        try:
            with locked(self.directory):
                now = self._found(baseline.name, CHECKED_OUT)
                if now == {path: content}:
                    return None
                _require_unchanged(path, now, replaces)
                write_all({path: content})
                for other in set(now) - {path}:
                    other.unlink()
        except OSError as error:
            raise BaselineError.plain(str(path), f"Cannot write the file: {error}") from error
        return path

    def _found(self, name: str, files: FileSource) -> dict[Path, bytes]:
        paths = [self.directory / f"{file_stem(name)}{suffix}" for suffix in _SUFFIXES]
        for read in (files.committed, files.read):  # what a commit has is not doubled by what only the checkout has
            contents = {path: content for path in paths if (content := read(path)) is not None}
            if contents:
                break
        return contents


def read_baseline(path: Path, content: bytes | None = None) -> Stored:
    """Read a baseline."""
    content = _content(path) if content is None else content
    text = unpacked(path, content)
    return Stored(path, from_text(text, str(path)), content, text)


def unpacked(path: Path, content: bytes) -> str:
    """Read a file's text."""
    try:
        text = (_unpacked(content) if path.suffix == ".gz" else content).decode("utf-8", "surrogatepass")
    except (OSError, EOFError, zlib.error, UnicodeDecodeError, InputError) as error:
        raise _unreadable(path, error) from error
    return text.replace("\r\n", "\n")


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


def _unpacked(content: bytes) -> bytes:
    with gzip.open(io.BytesIO(content)) as file:
        return io.BufferedReader(Bounded(file)).read()


def _unreadable(path: Path, error: Exception) -> BaselineError:
    if isinstance(error, FileNotFoundError):
        return BaselineError.plain(str(path), *NOT_FOUND)
    advice = "Restore the file from version control, or delete it and write a new one."
    return BaselineError.plain(str(path), f"Cannot read the baseline: {_cause(error)}", advice)


def _cause(error: Exception) -> str:
    """Say what is wrong inside a file, without advice that is about arguments."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return error.without_advice if isinstance(error, InputError) else str(error)


def _require_unchanged(path: Path, now: dict[Path, bytes], replaces: Stored | None) -> None:
    before = {} if replaces is None else {replaces.path: replaces.content}
    if now != before:
        advice = "Run again, and give each test a baseline of its own: check(..., name=...)."
        raise BaselineError.plain(str(path), "Another process has written the baseline meanwhile", advice)


def _file_name(baseline: Baseline) -> str:
    counts = baseline.counts
    is_large = counts.questions is not None and counts.n_samples > MOST_AS_TEXT
    return file_stem(baseline.name) + _SUFFIXES[is_large]


def file_stem(name: str) -> str:
    """Return a file name that every platform accepts, another one for every name.

    Parameters of a test may differ in nothing but case, which macOS and Windows ignore.
    """
    safe = re.sub(r"[^\w.,=+\[\]-]", "_", name, flags=re.ASCII)[:_LONGEST_NAME]
    taken = "_" if _TAKEN.match(safe) else ""
    if safe == name and not taken and name and not re.search(r"\[.*[A-Z]", safe):
        return safe
    return f"{taken}{safe}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
