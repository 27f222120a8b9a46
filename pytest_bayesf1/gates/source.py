"""What a gate judges: sides in memory, files of both sides or of one, or a pool that is being labelled."""

import json
import os
import shlex
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeAlias

from pytest_bayesf1.baselines.classes import ChangedClasses
from pytest_bayesf1.choices import Kind, Model, OnNewTestSet
from pytest_bayesf1.comparison.compare import ComparisonTask, EstimateTask, Task
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.columns import ALL_AS_THEY_ARE, AS_IT_IS, Columns, Schema, Schemas, value_text
from pytest_bayesf1.data.encoding import by_label
from pytest_bayesf1.data.paired import PairedCounts, as_side, counted_examples, digests_of, truths_of
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.two_sides import HOW_TO_PAIR, Sides, questions_of
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError, shown
from pytest_bayesf1.files.side import read_runs, read_side, require_same_questions, require_same_ruler, require_shown
from pytest_bayesf1.gates.anchor import SinceAnchor
from pytest_bayesf1.gates.earlier import with_history
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.labelling import Labelling
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import counted, one_line
from pytest_bayesf1.writing import seen_from, short_fingerprint

Slices: TypeAlias = Mapping[str, Callable[[], Any] | InputError]
"""By the value of a column what reads that part, which may raise `InputError`; or why there is nothing to judge."""
SliceValues: TypeAlias = Mapping[str, Sequence[str]]
"""By column, the value of every example of the candidate, as text."""


class Source(ABC):
    """What a gate judges. It reads its data once: those of a gate file are `opened` before."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a careful reader should know of how the data were found."""
        return ()

    @property
    def has_anchor(self) -> bool:
        """Whether total loss has a budget."""
        return False

    @property
    def is_log(self) -> bool:
        """Whether the candidate is a log of what a language model answered."""
        return False

    @property
    def is_judged(self) -> bool:
        """Whether a model graded the answers, as far as the data say so."""
        return False

    @abstractmethod
    def task(self, arguments: Mapping[str, Any]) -> Task:
        """Read all the data, ready to be judged by any measure."""

    def slices(self, column: str, task: Task) -> Slices:  # noqa: ARG002
        """Cut the data by the values of a column, for a task like that of all the data."""
        raise InputError.plain("slices", f"These data have no column {shown(column)}, nor any other to slice by")

    def since_anchor(self) -> SinceAnchor:
        """Read the anchor, where total loss has a budget."""
        return SinceAnchor()

    def with_history(self, result: Any, task: Any) -> Any:  # noqa: ARG002
        """Let what a task of all the data found know how the score changed before."""
        return result

    @property
    def baseline_file(self) -> Path | None:
        """The file that the baseline is from; None where it is from none."""
        return None

    @property
    def is_bound(self) -> bool:
        """Whether a baseline's file says which examples it is about."""
        return self.baseline_file is not None

    @property
    def is_first(self) -> bool:
        """Whether the candidate stands for the baseline too, as the first of its test."""
        return False

    @property
    def is_replaced(self) -> bool:
        """Whether the baseline is another one than that which is checked out."""
        return False

    @abstractmethod
    def judged(self) -> Side | LabelledPool:
        """Return what the candidate brings: a side, or a pool with the labels of both."""

    def slice_of_examples(self, column: str) -> Counter[str]:  # noqa: ARG002
        """Count the examples, with their ids or truths, by the value of a column; none where there are no columns."""
        return Counter()

    def fingerprint(self) -> dict[str, Any]:
        """Return what tells these data, and how they are read, from others, by key of the manifest."""
        return {}

    def test_set(self, slices: Sequence[str]) -> dict[str, Any]:
        """Count the examples that are judged, with a digest of their truths and clusters, and one of each slice."""
        judged = self.judged()
        if isinstance(judged, LabelledPool):  # to which labels are added
            labels = truths_of(judged)
            return {"examples": labels.total(), "digest": _digest([labels]), "grows": True}
        columns = [truths_of(judged)]
        if (known := judged.questions) is not None and known.clusters is not None:
            columns.append(counted_examples(judged, known.clusters.tolist()))
        of_slices = {f"slice {column}": _digest([self.slice_of_examples(column)]) for column in sorted(set(slices))}
        return {"examples": judged.n_samples, "digest": _digest(columns), **of_slices}

    def unlike_baseline(self, slices: Sequence[str]) -> dict[str, int]:  # noqa: ARG002
        """Count the examples that are lacking, relabelled or moved, as far as no comparison does, beside a baseline."""
        return {}

    def replaced_by(self) -> str:
        """Return what a change puts in the baseline's place, unless that is what is judged; empty where nothing is."""
        return ""

    redefined: str = ""
    """How this change redefines the classes, by an update of the baseline; empty where it does not."""

    @property
    def n_runs(self) -> int:
        """How many runs of an example are judged, at most."""
        judged = self.judged()
        return 1 if isinstance(judged, LabelledPool) or judged.questions is None else judged.questions.n_runs


def _digest(columns: Sequence[Mapping[str, int]]) -> str:
    rows = (f"{number} {n} {row}" for number, rows in enumerate(columns) for row, n in sorted(rows.items()))
    return short_fingerprint(rows)


class TwoSided(Source):
    """What has a baseline, so that a loss of the candidate can be accepted."""

    @abstractmethod
    def digests(self) -> tuple[str, str]:
        """Return checksums of the baseline's predictions and of the candidate's."""

    @property
    def changed_classes(self) -> ChangedClasses | None:
        """How the candidate's classes differ from those of its stored baseline; None where they do not."""
        return None

    def new_baseline(self) -> Side | None:
        """Read what a change puts in the baseline's place; None where it leaves that as it is."""
        return None

    def replaced_by(self) -> str:
        """Return a checksum of the new baseline, if it is neither the old one nor the candidate."""
        try:
            new = self.new_baseline()
        except (BaselineError, InputError):
            return "nothing readable"
        if new is None:
            return ""
        digest = digests_of(new, new)[0]
        return "" if digest in self.digests() else short_fingerprint([digest])


@dataclass(frozen=True)
class InMemory(TwoSided):
    """A baseline and a candidate, as `compare` takes them; cut by values of the candidate's examples.

    With ``columns``, of `slice_values`, both are sides with predictions.
    """

    baseline: Any
    candidate: Any
    columns: SliceValues = field(default_factory=dict)

    @cached_property
    def sides(self) -> Sides:
        """Both sides with the same labels."""
        return Sides.aligned(as_side(self.baseline, "baseline"), as_side(self.candidate, "candidate"))

    def difference_on(self, on_new_test_set: OnNewTestSet) -> str:
        """Why the two cannot be compared on the same examples, where that was asked for; empty when they can."""
        return self.sides.difference_on(on_new_test_set)

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Compare both."""
        return ComparisonTask.of(self.sides, **arguments)

    def slices(self, column: str, task: Task) -> Slices:
        """Cut both sides by the values of the candidate's examples, which the baseline's have by id or by position."""
        if task.subject.model != Model.PAIRED:
            problem = f"Only predictions that pair up have slices, and the model is {task.subject.model}"
            raise InputError.plain("slices", problem)
        _require_no_earlier(task)
        values = self.columns[column]
        baseline, candidate = questions_of(self.sides.baseline, ""), questions_of(self.sides.candidate, "")
        of_baseline: Sequence[str | None] = values
        if baseline.ids is not None and candidate.ids is not None:
            by_id = dict(zip(candidate.ids.tolist(), values, strict=True))
            of_baseline = [by_id.get(each) for each in baseline.ids.tolist()]
        before = _positions(of_baseline)
        return {
            value: partial(_part_of, self.sides, before.get(value, []), now)
            for value, now in sorted(_positions(values).items())
        }

    def digests(self) -> tuple[str, str]:
        """Return checksums of both."""
        return digests_of(self.baseline, self.candidate)

    def judged(self) -> Side:
        """Return the candidate."""
        return as_side(self.candidate, "candidate")

    def slice_of_examples(self, column: str) -> Counter[str]:
        """Count the candidate's."""
        return counted_examples(self.sides.candidate, self.columns[column])


def _require_no_earlier(task: Task) -> None:
    if task.options.earlier is not None:
        raise InputError.plain("prior", "It has counts of whole test sets, and slices are parts of one")


def _positions(values: Sequence[str | None]) -> dict[Any, list[int]]:
    """Find the examples that have each value."""
    found: dict[Any, list[int]] = {value: [] for value in values}
    for position, value in enumerate(values):
        found[value].append(position)
    return found


def _part_of(sides: Sides, baseline: list[int], candidate: list[int]) -> Sides:
    if not baseline:
        raise InputError.plain("baseline", "no example of this slice")
    before, after = questions_of(sides.baseline, ""), questions_of(sides.candidate, "")
    return sides.of_examples(before.take(baseline), after.take(candidate)).sharing()


def slice_values(side: Side, slices: Any, whose: str = " of the candidate") -> dict[str, list[str]]:
    """Check columns with a value per example (document) of a side, or one such column; write the values as text."""
    if slices is None:
        return {}
    if side.questions is None:
        raise InputError.plain("slices", "Bare counts have no slices", HOW_TO_PAIR)
    if side.questions.runs is not None and side.questions.ids is not None:
        raise InputError.plain("slices", "Several runs have no slices here", "Slice them by a gate file.")
    columns = by_label(slices)
    if columns is None:
        columns = {getattr(slices, "name", None) or "slice": slices}
    one, n = f"one per {side.questions.noun}{whose}", side.questions.n_samples
    return {str(name): _values(values, f"slices: {name}", n, one) for name, values in columns.items()}


def _values(values: Any, where: str, n: int, one: str) -> list[str]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        advice = "Name each column of values, as in slices: {language: ...}."
        raise InputError(where, f"an array of values, {one}", type(values).__name__, advice)
    listed = list(values)
    for position, value in enumerate(listed):
        if isinstance(value, Iterable) and not isinstance(value, str):
            raise InputError(f"{where}, position {position}", f"a value, {one}", type(value).__name__)
    if len(listed) != n:
        raise InputError(where, f"{counted(n, 'value')}, {one}", f"{len(listed):,}")
    return [value_text(value) for value in listed]


@dataclass(frozen=True)
class BothInMemory(TwoSided):
    """What holds both sides: paired counts, or a pool with its labels."""

    both: Any
    columns: ClassVar[SliceValues] = MappingProxyType({})

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Compare both."""
        return ComparisonTask.of(self.both, **arguments)

    def digests(self) -> tuple[str, str]:
        """Return checksums of both."""
        return digests_of(self.both)

    def judged(self) -> Side | LabelledPool:
        """Return the candidate, or the pool."""
        both: LabelledPool | PairedCounts = self.both
        return both if isinstance(both, LabelledPool) else as_side(both.candidate, "candidate")


def in_memory(baseline: Any, candidate: Any, slices: Any) -> InMemory | BothInMemory:
    """Take what `compare` takes, and check the columns that it is to be cut by, if any."""
    if candidate is not None:
        source = InMemory(baseline, candidate)
        return source if slices is None else replace(source, columns=slice_values(source.sides.candidate, slices))
    if slices is not None:
        advice = "Build each side with ConfusionMatrix.from_predictions(y_true, y_pred)."
        raise InputError("slices", "a baseline and a candidate with predictions", type(baseline).__name__, advice)
    return BothInMemory(baseline)


@dataclass(frozen=True)
class OneInMemory(Source):
    """One side, whose score must reach a floor."""

    side: Side
    columns: SliceValues

    def task(self, arguments: Mapping[str, Any]) -> EstimateTask:
        """Set it against the floor."""
        return EstimateTask.of(self.side, **arguments)

    def slices(self, column: str, task: Task) -> Slices:
        """Cut the side by the values of its examples."""
        _require_no_earlier(task)
        found = sorted(_positions(self.columns[column]).items())
        return {value: partial(_rows_of, self.side, rows) for value, rows in found}

    def judged(self) -> Side:
        """Return the side."""
        return self.side

    def slice_of_examples(self, column: str) -> Counter[str]:
        """Count its examples."""
        return counted_examples(self.side, self.columns[column])


def _rows_of(side: Any, rows: list[int]) -> Any:
    return side.of_examples(side.questions.take(rows))


def one_in_memory(side: Any, slices: Any) -> OneInMemory:
    """Take what `estimate` takes, and check the columns that it is to be cut by, if any."""
    counts = as_side(side, "cm")
    return OneInMemory(counts, slice_values(counts, slices, whose=""))


@dataclass(frozen=True, kw_only=True)
class Declared:
    """Where a gate is declared."""

    name: str
    file: Path
    line: int

    def key(self, setting: str) -> str:
        """Say where a setting of it is."""
        return f"{os.path.relpath(self.file)}:{self.line}: gates.{self.name}.{setting}"

    def update_command(self, mode: str = "") -> str:
        """Return the command that makes its candidate the baseline, or the anchor."""
        file, name = shlex.quote(os.path.relpath(self.file)), shlex.quote(self.name)
        return f"bayesf1 baseline update {file} --gate {name}{mode and f' --{mode}'}"

    def warn(self, message: str, category: type[Warning]) -> None:
        """Warn at its line."""
        warnings.warn_explicit(message, category, str(self.file), self.line)


@dataclass(frozen=True, kw_only=True)
class Files(Source):
    """Files that a gate file names, or a command line."""

    declared: Declared = field(compare=False)
    readings: Schemas = field(default_factory=lambda: ALL_AS_THEY_ARE)
    """How the file of each side is to be read."""
    commit: FileSource = CHECKED_OUT
    """What baseline and anchor are read from."""
    why_no_baseline: ClassVar[str] = ""
    """Why no file of it is a baseline; empty where one is."""

    def opened(self, commit: FileSource) -> Self:
        """Return the same, to be read once."""
        return replace(self, commit=commit)

    def reading(self, side: str) -> Schema:
        """Return how the file of a side is to be read."""
        return self.readings.get(side, AS_IT_IS)

    @property
    def of_baseline(self) -> list[Path]:
        """The files that are read as the commit has them."""
        return []

    @property
    def reviewed(self) -> list[Path]:
        """The files that a candidate is judged by: none of them is the candidate's own."""
        return list({Path(each.gold): None for each in self.readings.values() if each.gold is not None})

    def fingerprint(self) -> dict[str, Any]:
        """Return how the files are read, of each side where they differ."""
        words = {reading: self._words_of(reading) for reading in set(self.readings.values())}
        if len(different := set(words.values())) <= 1:
            return {"reading": "".join(different)}
        said = (f"{side} {words[reading]}" for side, reading in self.readings.items() if words[reading])
        return {"reading": "; ".join(said)}

    def _words_of(self, reading: Schema) -> str:
        said = dict(reading.declared)
        said |= {name: dict(said[name]) for name in _OF_PAIRS if name in said}
        if reading.gold:  # both sides are scored by it, so that it is read as the change has it
            said["gold"] = (
                f"{self.seen(reading.gold)} of checksum {short_fingerprint([Path(reading.gold).read_bytes().hex()])}"
            )
        return ", ".join(f"{name}: {json.dumps(plain(said[name]))}" for name in said if name != "show")

    def seen(self, path: Path | str) -> str:
        """Name a file as seen from that of the gate."""
        return seen_from(self.declared.file.parent, path)


_OF_PAIRS = ("columns", "rows", "gold_columns", "gold_rows")


@dataclass(frozen=True, kw_only=True)
class FilePair(Files, TwoSided):
    """A baseline's file and a candidate's, and that of an anchor."""

    baseline: Path
    candidate: Path
    anchor: Path | None = None
    other_ruler: bool = False
    """Whether something else may have graded each side."""
    notes: tuple[str, ...] = ()
    is_stored: bool = False
    """Whether the baseline is kept from run to run, and replaced by an update alone."""
    redefined: str = ""
    """How this change redefines the classes, by an update of the baseline; empty where it does not."""

    @property
    def has_anchor(self) -> bool:
        """Whether a file is the anchor."""
        return self.anchor is not None

    @property
    def is_log(self) -> bool:
        """Whether the candidate's file is one."""
        return self._both[1].is_log

    @property
    def is_judged(self) -> bool:
        """Whether a model graded the candidate's answers, and grades are compared."""
        return self._both[1].is_judged and self._both[1].kind is Kind.VALUES

    def opened(self, commit: FileSource) -> Self:
        """Return the same, to be read once: as it is checked out where a change has redefined the classes."""
        of_commit, of_change = replace(self, commit=commit), replace(self, commit=CHECKED_OUT)
        if not commit.changed(self.baseline) or commit.committed(self.baseline) is None:
            return of_commit
        with suppress(BaselineError, InputError):
            if (changed := of_commit.changed_classes) is not None and of_change.changed_classes is None:
                return replace(of_change, redefined=changed.redefined_by(self.baseline))
        return of_commit

    @cached_property
    def _both(self) -> tuple[Columns, Columns]:
        before, now = self._read(self.baseline, "baseline")
        if self._is_one_file and before.is_same(now):
            with _baseline_errors():
                before.counts()  # which may say that they are of several systems, and how to choose
            problem = "Both sides are the same predictions of one file"
            advice = "Name another file, or choose rows or columns of it for each side."
            raise InputError.plain(str(self.candidate), problem, advice)
        return before, now

    @property
    def _is_one_file(self) -> bool:
        named_alike = self.reading("baseline").columns == self.reading("candidate").columns
        checked_out = self.commit.copy(self.baseline) == self.baseline
        return named_alike and checked_out and self.baseline.resolve() == self.candidate.resolve()

    def _read(self, path: Path, where: str) -> tuple[Columns, Columns]:
        """Read a file that the candidate must not fall behind, and the candidate's in the same way."""
        copy = self.commit.copy(path)
        if _is_missing(copy):
            named = f"{self.declared.key(where)} ({os.path.relpath(path)})"
            raise BaselineError.plain(named, NOT_FOUND[0], self._first(where, path))
        with _baseline_errors():
            name = "" if copy == path else f"{os.path.relpath(path)} of the base commit"
            side = read_side(copy, where, self.reading(where), name=name)
        candidate = read_side(self.candidate, "candidate", self.reading("candidate"))
        require_shown(side, candidate)
        return side, candidate

    def _first(self, where: str, path: Path) -> str:
        """Say how to write a file that is missing."""
        if _is_missing(self.candidate):
            return f"Nor is the candidate there, {one_line(os.path.relpath(self.candidate))}: check both paths."
        if (suffixes := format_of(self.candidate)) != format_of(path):
            return f"To make it of the candidate, give it a name that ends with {suffixes!r}, as the candidate's."
        made = "make the candidate the baseline" if where == "baseline" else "begin with the baseline as anchor"
        return f"To {made}, run: {self.declared.update_command('new')}"

    @cached_property
    def _counts(self) -> tuple[Side, Side]:
        return _counted(*self._both)

    @cached_property
    def _sides(self) -> Sides:
        return Sides.aligned(*self._counts)

    @cached_property
    def changed_classes(self) -> ChangedClasses | None:
        """How the candidate's classes differ from the baseline's, also from those that are declared no longer."""
        if not self.is_stored:
            return None
        before, now = self._both
        try:
            return ChangedClasses.between(*self._counts)
        except BaselineError:
            if before.schema.labels is None:
                raise
            candidate = now.counts()
            changed = ChangedClasses.between(before.with_own_classes().counts(), candidate)
            if changed is None or not changed.gone:
                raise
            return changed

    def _require_same_classes(self) -> None:
        if self.changed_classes is not None:
            raise self.changed_classes.refused(self._both[0].where, self.declared.update_command())

    def require_readable(self, anchors: Iterable[Path]) -> None:
        """Raise where a file cannot be read, or not in the same way as the candidate's."""
        if self.changed_classes is None:
            self._counts  # noqa: B018 (kept for the comparison)
        for anchor in anchors:
            for side in self._read(anchor, "anchor"):
                side.with_own_classes().counts()

    def difference_on(self, on_new_test_set: OnNewTestSet) -> str:
        """Why the two cannot be compared on the same examples, where that was asked for; empty when they can."""
        try:
            require_same_questions(*self._both)
        except InputError as error:
            return error.without_advice
        return self._sides.difference_on(on_new_test_set)

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Pair both files."""
        self._require_same_classes()
        self._require_same_ruler(*self._both)
        if arguments.get("on_new_test_set") != OnNewTestSet.INDEPENDENT:
            require_same_questions(*self._both)
        return ComparisonTask.of(self._sides, **arguments)

    def slices(self, column: str, task: Task) -> Slices:
        """Cut both files by the values of a column; an example has the value that the baseline's file says."""
        baseline, candidate = self._both
        of_baseline, of_candidate = baseline.slices(column), candidate.with_values_of(baseline, column).slices(column)
        if not of_baseline.keys() & of_candidate.keys():
            raise InputError.plain(f"slices: {column}", "The two files have no value in common")

        def part(value: str) -> Callable[[], Sides] | InputError:
            if value not in of_baseline or value not in of_candidate:
                lacking = "candidate" if value in of_baseline else "baseline"
                return InputError.plain(lacking, "no example of this slice")
            return partial(_slice_of, of_baseline[value], of_candidate[value], task.options)

        return {value: part(value) for value in sorted(of_baseline.keys() | of_candidate.keys())}

    def since_anchor(self) -> SinceAnchor:
        """Read the anchor, unless it is the baseline itself."""
        assert self.anchor is not None
        read_alike = self.reading("anchor") == self.reading("baseline")
        if read_alike and self.commit.read(self.anchor) == self.commit.read(self.baseline):
            return SinceAnchor()
        origin, count_anew = one_line(os.path.relpath(self.anchor)), self.declared.update_command("anchor")
        both = self._read(self.anchor, "anchor")
        self._require_same_ruler(*both)
        anchor, candidate = _counted(*both)
        changed = ChangedClasses.between(anchor, candidate) if self.is_stored else None
        if changed is not None:
            raise changed.refused(both[0].where, count_anew)
        return SinceAnchor(Sides.aligned(anchor, candidate), origin, count_anew)

    def _require_same_ruler(self, before: Columns, now: Columns) -> None:
        if not self.other_ruler:
            require_same_ruler(before, now)

    def with_history(self, result: Comparison, task: ComparisonTask) -> Comparison:
        """Compare the versions of the baseline's file."""
        return with_history(result, self.baseline, self.commit, self.reading("baseline"), task.options)

    def digests(self) -> tuple[str, str]:
        """Return checksums of both files' predictions."""
        return digests_of(*self._counts)

    @property
    def baseline_file(self) -> Path:
        """The baseline's file."""
        return self.baseline

    @property
    def is_replaced(self) -> bool:
        """Whether the baseline is another one than that which is checked out."""
        return self.commit.changed(self.baseline)

    @property
    def of_baseline(self) -> list[Path]:
        """The baseline and the anchor, unless a change redefines their classes."""
        return [] if self.redefined else self._kept

    @property
    def _kept(self) -> list[Path]:
        return [self.baseline, *filter(None, [self.anchor])]

    @property
    def reviewed(self) -> list[Path]:
        """The baseline, the anchor, and files of true labels."""
        return [*self._kept, *super().reviewed]

    def judged(self) -> Side:
        """Return the candidate."""
        candidate: Side = self._sides.candidate
        return candidate

    def slice_of_examples(self, column: str) -> Counter[str]:
        """Count the candidate's."""
        baseline, candidate = self._both
        return candidate.with_values_of(baseline, column).slice_of_examples(column)

    def fingerprint(self) -> dict[str, Any]:
        """Return the names of the files, how they are read, what graded the answers, and runs that are missing."""
        files = {name: self.seen(getattr(self, name)) for name in ("baseline", "anchor") if getattr(self, name)}
        candidate = self._both[1]
        ruler = {"other_ruler": True} if self.other_ruler else {"ruler": candidate.ruler}
        return {**super().fingerprint(), **files, **ruler, "missing_runs": candidate.n_missing_runs or None}

    def unlike_baseline(self, slices: Sequence[str]) -> dict[str, int]:
        """Count the examples of the same test set that have another value of a column than in the baseline's file."""
        if dict(truths_of(self._sides.baseline)) != dict(truths_of(self._sides.candidate)):
            return {}
        columns = [(self._both[0].slice_of_examples(column), self.slice_of_examples(column)) for column in slices]
        moved = [max((before - now).total(), int(dict(before) != dict(now))) for before, now in columns]
        return {"moved": max(moved, default=0)}

    def new_baseline(self) -> Side | None:
        """Read the file that is checked out, if it is another one than the commit's."""
        if not self.is_replaced or self.commit.committed(self.baseline) is None:
            return None
        return read_side(self.baseline, "baseline", self.reading("baseline")).counts()


def _counted(side: Columns, candidate: Columns) -> tuple[Side, Side]:
    """Count what the candidate must not fall behind, and the candidate."""
    with _baseline_errors():
        counts = side.counts()
    return counts, candidate.counts()


@contextmanager
def _baseline_errors() -> Iterator[None]:
    """Raise `BaselineError` for a baseline that cannot be used."""
    try:
        yield
    except InputError as error:
        raise BaselineError(error.where, error.expected, error.found, error.advice) from None


def format_of(path: Path) -> str:
    """Return the suffixes of a file's format: model-1.2.csv.gz is a .csv.gz."""
    name = Path(path.name.lower())
    unpacked = name.with_suffix("") if name.suffix == ".gz" else name
    return str(name).removeprefix(unpacked.stem)


def _is_missing(path: Path) -> bool:
    try:
        return not path.exists()
    except OSError:
        return False  # reading it will say why


def _slice_of(baseline: Columns, candidate: Columns, options: Any) -> Sides:
    """Count a slice, over the classes of both sides; of examples that few slices share, the whole shares enough."""
    counts = baseline.with_classes_of(candidate).counts(), candidate.with_classes_of(baseline).counts()
    sides = Sides.aligned(*counts)
    shares = options.model != Model.INDEPENDENT and options.on_new_test_set is OnNewTestSet.SHARED
    return sides.sharing() if shares else sides


@dataclass(frozen=True, kw_only=True)
class RunFiles(Files):
    """The file of one system, or one for each run on the same examples: its score must reach a floor.

    Each may be a pattern of names.
    """

    runs: tuple[Path, ...]
    why_no_baseline = "a floor has no baseline"

    @cached_property
    def _files(self) -> list[Path]:
        return [file for run in self.runs for file in files_of(run)]

    @cached_property
    def _file(self) -> Columns:
        return read_runs(self._files, "candidate", self.reading("candidate"))

    @cached_property
    def _counts(self) -> Side:
        return self._file.counts()

    def task(self, arguments: Mapping[str, Any]) -> EstimateTask:
        """Set the score against the floor."""
        return EstimateTask.of(self._counts, **arguments)

    def slices(self, column: str, task: Task) -> Slices:  # noqa: ARG002
        """Cut the file by the values of a column."""
        parts = self._file.slices(column)
        return {value: part.with_classes_of(self._file).counts for value, part in parts.items()}

    @property
    def is_log(self) -> bool:
        """Whether the file is one."""
        return self._file.is_log

    @property
    def is_judged(self) -> bool:
        """Whether a model graded the answers, and their grades are judged."""
        return self._file.is_judged and self._file.kind is Kind.VALUES

    def judged(self) -> Side:
        """Return what the files hold."""
        return self._counts

    def slice_of_examples(self, column: str) -> Counter[str]:
        """Count those of the files."""
        return self._file.slice_of_examples(column)

    def fingerprint(self) -> dict[str, Any]:
        """Return how the files are read, what graded the answers, and how many runs are missing."""
        known = {"ruler": self._file.ruler, "missing_runs": self._file.n_missing_runs or None}
        return {**super().fingerprint(), **known}


def files_of(path: Path) -> list[Path]:
    """Find the files that a pattern names, or return the path itself where it is none, or names none."""
    if "*" not in path.name or not path.parent.is_dir():
        return [path]
    return sorted(each for each in path.parent.iterdir() if fnmatchcase(each.name, path.name)) or [path]


@dataclass(frozen=True, kw_only=True)
class PoolFiles(Files, TwoSided):
    """A pool of which few examples are labelled; both sides are in its file."""

    pool: Path
    labels: Path | None = None
    """Its labels; None for those beside it."""
    why_no_baseline = "a pool has both sides"

    @cached_property
    def _labelling(self) -> Labelling:
        return Labelling.read(self.pool, self.labels)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Say which examples were skipped."""
        return tuple(filter(None, [self._labelling.note_on_skipped()]))

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Compare on what is labelled so far."""
        return ComparisonTask.of(self._labelling.pool, **arguments)

    def digests(self) -> tuple[str, str]:
        """Return checksums of what each side predicts."""
        return self._labelling.pool.digests

    def judged(self) -> LabelledPool:
        """Return the pool with its labels."""
        return self._labelling.pool

    @property
    def reviewed(self) -> list[Path]:
        """The pool's state, its labels, and files of true labels."""
        return [self.pool, Labelling.labels_of(self.pool, self.labels), *super().reviewed]

    def fingerprint(self) -> dict[str, Any]:
        """Return the pool's file with a checksum of what is in it, and the file of the labels."""
        started, first = self._labelling.started, truths_of(self._labelling.unlabelled)
        checksum = short_fingerprint([started.digest, *map(repr, started.classes), *sorted(first)])
        labels = {} if self.labels is None else {"labels": self.seen(self.labels)}
        return {"baseline": f"{self.seen(self.pool)} of classes, predictions and test set {checksum}", **labels}

    is_bound = True  # by the labels that the commit has

    def unlike_baseline(self, slices: Sequence[str]) -> dict[str, int]:  # noqa: ARG002
        """Count what became of the labels that the commit has; in the files that are checked out nothing."""
        path = self._labelling.labels_path
        before, now = (Labelling.read(self.pool, each).label_of for each in (self.commit.copy(path), path))
        changed = sum(now[key] != label for key, label in before.items() if key in now)
        return {"lacking": len(before.keys() - now.keys()), "relabelled": changed}
