"""Stored baselines: files of predictions beside their tests.

Every change of the content changes the checksum, and so the same line: two branches that both changed a baseline are
in conflict, and can never be merged into predictions that no classifier made. The classes of a baseline and of a
candidate are the same until an update says otherwise.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1.choices import Invalid, Kind
from pytest_bayesf1.data.counts import ConfusionMatrix, MultilabelCounts, SpanCounts
from pytest_bayesf1.data.labels import key
from pytest_bayesf1.data.paired import Scores, row_text
from pytest_bayesf1.data.questions import VALUE
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError, shown
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.project import ANCHOR
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.writing import fingerprint, locked, short_fingerprint, write_all


def declared_classes(side: Side) -> tuple[Label, ...]:
    """Return the classes that a caller listed, or those of the truth."""
    if side.kind not in (Kind.LABELS, Kind.SPANS) or side.labels_from == "caller":
        return side.classes
    is_true = side.table.row_totals[side.table.named] > 0
    return tuple(label for label, known in zip(side.labels, is_true, strict=True) if known)


@dataclass(frozen=True)
class ChangedClasses:
    """Classes that a candidate has no longer, and those that it has and the baseline has not.

    Attributes
    ----------
    before, now
        All classes of the baseline, and of the candidate.
    """

    before: tuple[Label, ...]
    now: tuple[Label, ...]

    @classmethod
    def between(cls, baseline: Side, candidate: Side) -> "ChangedClasses | None":
        """Compare the classes of two sides; None where no class of the baseline is gone, or two kinds are compared.

        A new class is compared as new examples are.
        """
        if baseline.kind is not candidate.kind:
            return None
        found = cls(declared_classes(baseline), declared_classes(candidate))
        return found if found.gone else None

    @property
    def gone(self) -> tuple[Label, ...]:
        """The classes that only the baseline has."""
        return _without(self.before, self.now)

    @property
    def new(self) -> tuple[Label, ...]:
        """The classes that only the candidate has."""
        return _without(self.now, self.before)

    @property
    def words(self) -> str:
        """What is gone and what is new, three of each."""
        return "; ".join(
            f"{what} {first_few(map(shown, labels), 3)}"
            for what, labels in (("gone:", self.gone), ("new:", self.new))
            if labels
        )

    @property
    def was_and_is(self) -> str:
        """All classes of both, three of each."""
        was, now = (first_few(map(shown, labels), 3) for labels in (self.before, self.now))
        return f"was {was}, is {now}"

    def redefined_by(self, baseline: Path) -> str:
        """Say which classes a change redefines, and by which baseline it is judged."""
        content = CHECKED_OUT.read(baseline) or b""
        return f"{self.was_and_is} ({self.words}), by the baseline of checksum {short_fingerprint([content.hex()])}"

    def refused(self, where: str, command: str) -> BaselineError:
        """Return the error of a gate whose classes no update has changed."""
        problem = f"The candidate has other classes ({self.words})"
        return BaselineError.plain(where, problem, f"If you changed the classes on purpose, run: {command}")


def _without(labels: Sequence[Label], others: Sequence[Label]) -> tuple[Label, ...]:
    known = {key(label) for label in others}
    return tuple(label for label in labels if key(label) not in known)


_EXAMPLE_COLUMNS = ("id", "cluster", "y_true")


def test_set_columns(table: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Keep the columns that identify the examples, without the predictions."""
    return {name: values for name, values in table.items() if name in _EXAMPLE_COLUMNS}


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
    """The classifier that a candidate must not fall behind, or the anchor, from which total loss is counted."""

    name: str
    """Of the baseline among those of its test module."""
    counts: Side
    """Its counts, and its predictions where they are known; or its scores."""

    def says_the_same(self, counts: Side) -> bool:
        """Whether another side holds the same labels and predictions, or the same counts where there are none."""
        return counts.labels == self.counts.labels and counts.columns() == self.counts.columns()

    @property
    def test_set(self) -> str:
        """What identifies the test set, and its fingerprint: the same for every classifier that was tested on it."""
        if self.counts.questions is None:
            return f"class totals, {fingerprint(map(row_text, _totals(self.counts)))}"
        table = test_set_columns(self.counts.columns())
        if not table:
            return counted(self.counts.n_samples, "example")
        return f"{' and '.join(table)}, {fingerprint(map(row_text, _rows_of(table)))}"


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
        "examples": counts.n_samples,
        "kind": _kind(counts),
        **_reading(counts),
        "test_set": baseline.test_set,
        "columns": list(table),
    }
    lines = [f"{row_text(key)}: {row_text(value)}," for key, value in head.items()]
    rows = ",\n".join(map(row_text, _rows_of(table)))
    body = "\n".join(["{", *lines, f'"rows": [\n{rows}\n],\n'])
    return f'{body}"checksum": {row_text(fingerprint([body]))}\n}}\n'


def _reading(side: Side) -> dict[str, Any]:
    """Return what has to be known beside the rows to read them."""
    runs = None if side.questions is None else side.questions.runs
    known: dict[str, Any] = {"labels": list(side.labels), "labels_from": side.labels_from}
    if side.vocabulary != side.labels:
        known["vocabulary"] = list(side.vocabulary)
    return known if runs is None else known | {"runs": runs.value}


def _rows_of(table: Mapping[str, Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Return a side row by row."""
    return zip(*table.values(), strict=True)


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
        table = dict(zip(document["columns"], zip(*document["rows"], strict=True), strict=True))
        return Baseline(document["name"], _restored(document, table))
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


def _restored(document: dict[str, Any], table: dict[str, Any]) -> Side:
    labels = [label for label in document["labels"] if label is not None]
    invalid: Invalid = None if None not in document["labels"] else "wrong"
    vocabulary = (UNREADABLE if label is None else label for label in document.get("vocabulary") or document["labels"])
    known = {"labels": labels, "ids": table.pop("id", None), "clusters": table.pop("cluster", None)}
    kind = {words: kind for kind, words in _KINDS.items()}[document["kind"]]
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


_LONGEST_NAME = 100
_TAKEN = re.compile(r"\.|(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)
"""How the names of hidden files begin, and those of Windows' devices, whatever their suffix."""


@dataclass(frozen=True)
class Stored:
    """A file that holds a baseline or an anchor, and the bytes that it was read from."""

    path: Path
    baseline: Baseline
    content: bytes
    text: str
    """The same content, with the same line ends in every checkout."""


@dataclass(frozen=True)
class BaselineStore:
    """The baselines of one test module, all in ``directory``; written there, but read from any ``files``."""

    directory: Path
    files: FileSource = CHECKED_OUT

    def find(self, name: str) -> Stored | None:
        """Return the baseline of this name, if there is one."""
        path = self._path(name)
        content = self.files.read(path)
        return None if content is None else _named(path, content, name)

    def anchor_of(self, stored: Stored) -> Stored | None:
        """Return the anchor of a baseline, from where that was read; None where the baseline is the anchor."""
        path = anchor_path(stored.path)
        is_new = self.files is not CHECKED_OUT and self.files.committed(stored.path) is None
        content = CHECKED_OUT.read(path) if is_new else self.files.committed(path)
        anchor = None if content is None else _named(path, content, stored.baseline.name)
        return None if anchor is None or anchor.text == stored.text else anchor

    def write(self, baseline: Baseline, replaces: Stored | None, anchor: Stored | None = None) -> Path | None:
        """Write a baseline over the one that its candidate was compared with, beside its anchor if that is another."""
        path, text = self._path(baseline.name), to_text(baseline)
        is_same = replaces is not None and replaces.text == text  # but for line ends
        contents = {path: replaces.content if replaces and is_same else text.encode("utf-8", "surrogatepass")}
        beside = anchor_path(path)
        if anchor is not None and anchor.text != text:
            contents[beside] = anchor.content
        try:
            with locked(self.directory):
                now = {each: content for each in (path, beside) if (content := CHECKED_OUT.read(each)) is not None}
                if now == contents:
                    return None
                if now.get(path) != contents[path]:
                    _require_unchanged(path, now.get(path), replaces)
                write_all(contents)
                if beside not in contents:
                    beside.unlink(missing_ok=True)
        except OSError as error:
            raise BaselineError.plain(str(path), f"Cannot write the file: {error}") from error
        return path

    def _path(self, name: str) -> Path:
        return self.directory / f"{file_stem(name)}.json"


def anchor_path(path: Path) -> Path:
    """Return where the anchor of a stored baseline is; there is no file where the baseline is the anchor."""
    return path.with_name(path.name.removesuffix(".json") + ANCHOR)


def _named(path: Path, content: bytes, name: str) -> Stored:
    """Read the baseline of a name."""
    stored = read_baseline(path, content)
    if stored.baseline.name != name:
        problem = f"It has the baseline of {stored.baseline.name!r}, not of {name!r}"
        raise BaselineError.plain(str(path), problem, "Pass check(..., name=...).")
    return stored


def read_baseline(path: Path, content: bytes | None = None) -> Stored:
    """Read a baseline."""
    content = _content(path) if content is None else content
    text = decoded(path, content)
    return Stored(path, from_text(text, str(path)), content, text)


def decoded(path: Path, content: bytes) -> str:
    """Return a file's text."""
    try:
        return content.decode("utf-8", "surrogatepass").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise _unreadable(path, error) from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error


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


def _require_unchanged(path: Path, now: bytes | None, replaces: Stored | None) -> None:
    if now != (None if replaces is None else replaces.content):
        advice = "Run again, and give each test a baseline of its own: check(..., name=...)."
        raise BaselineError.plain(str(path), "Another process has written the baseline meanwhile", advice)


def file_stem(name: str) -> str:
    """Return a file name that every platform accepts, another one for every name.

    Parameters of a test may differ in nothing but case, which macOS and Windows ignore.
    """
    safe = re.sub(r"[^\w.,=+\[\]-]", "_", name, flags=re.ASCII)[:_LONGEST_NAME]
    taken = "_" if _TAKEN.match(safe) else ""
    if f"{safe}.json".lower().endswith(ANCHOR):
        safe = f"{safe}_"
    if safe == name and not taken and name and not re.search(r"\[.*[A-Z]", safe):
        return safe
    return f"{taken}{safe}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
