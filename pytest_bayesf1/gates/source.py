"""What a gate judges: sides in memory, files of both sides or of one, or a pool that is being labelled."""

import json
import os
import shlex
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

from pytest_bayesf1.baselines.store import ChangedClasses
from pytest_bayesf1.baselines.versions import with_history
from pytest_bayesf1.choices import Kind, Model, OnNewTestSet
from pytest_bayesf1.comparison.compare import ComparisonTask, EstimateTask, Task
from pytest_bayesf1.data.columns import ALL_AS_THEY_ARE, AS_IT_IS, Columns, Schema, Schemas, value_text
from pytest_bayesf1.data.encoding import by_label
from pytest_bayesf1.data.paired import as_side, counted_examples, digests_of, truths_of
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.questions import Questions
from pytest_bayesf1.data.sides import HOW_TO_PAIR, Side, Sides, questions_of
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError, shown
from pytest_bayesf1.files.side import read_runs, read_side, require_same_questions, require_same_ruler, require_shown
from pytest_bayesf1.gates.anchor import SinceAnchor
from pytest_bayesf1.git import CHECKED_OUT, FileSource
from pytest_bayesf1.labelling import Labelling
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.text import counted, one_line
from pytest_bayesf1.writing import seen_from, short_fingerprint

Slices: TypeAlias = Mapping[str, Callable[[], Any] | InputError]
"""By the value of a column what reads that part, which may raise `InputError`; or why there is nothing to judge."""
SliceValues: TypeAlias = Mapping[str, Sequence[str]]
"""By column, the value of every example of the candidate, as text."""
_Positions: TypeAlias = dict[str, list[int]]
"""Of the examples that have a value."""


@dataclass(frozen=True, kw_only=True)
class Source(ABC):
    """What a gate judges, read before it is judged: a `Pair`, a `Single` or a `Pool`."""

    files: tuple[Columns, ...] = ()
    """What was read of files: the baseline's, if there is one, and then the candidate's."""
    columns: SliceValues = field(default_factory=dict)
    """What data in memory are cut by."""
    known: Mapping[str, Any] = field(default_factory=dict)
    """What tells these data, and how they are read, from others, by key of the manifest."""
    notes: tuple[str, ...] = ()
    """What a careful reader should know of how the data were found."""
    anchor: Callable[[], SinceAnchor] | None = None
    """Reads the anchor, where total loss has a budget."""
    baseline_file: Path | None = None
    """The file that the baseline is from; None where it is from none."""
    is_first: bool = False
    """Whether the candidate stands for the baseline too, as the first of its test."""
    is_replaced: bool = False
    """Whether the baseline is another one than that which is checked out."""
    redefined: str = ""
    """How this change redefines the classes, by an update of the baseline; empty where it does not."""
    history: Callable[..., Any] | None = None
    """Lets a result know how the score changed before."""

    @abstractmethod
    def task(self, arguments: Mapping[str, Any]) -> Task:
        """Make the data ready to be judged by any measure."""

    @abstractmethod
    def judged(self) -> Side | LabelledPool:
        """Return what the candidate brings: a side, or a pool with the labels of both."""

    def values(self, column: str) -> Sequence[Sequence[str | None]]:
        """Return the value of every example of each side, the candidate's last."""
        raise InputError.plain("slices", f"These data have no column {shown(column)}, nor any other to slice by")

    def slices(self, column: str, task: Task) -> Slices:  # noqa: ARG002
        """Cut the data by the values of a column, for a task like that of all the data."""
        self.values(column)
        return {}

    @property
    def is_judged(self) -> bool:
        """Whether a model graded the candidate's answers, and grades are judged."""
        return bool(self.files) and self.files[-1].is_judged and self.files[-1].kind is Kind.VALUES

    @property
    def is_bound(self) -> bool:
        """Whether a file says which examples are judged: a first candidate's will once it is written."""
        return self.baseline_file is not None or self.is_first

    def test_set(self, slices: Sequence[str]) -> dict[str, Any]:
        """Count the examples that are judged, with a digest of their truths and clusters, and one of each slice."""
        judged = self.judged()
        if isinstance(judged, LabelledPool):  # to which labels are added
            labels = truths_of(judged)
            return {"examples": labels.total(), "digest": _digest([labels]), "grows": True}
        columns = [truths_of(judged)]
        if (known := judged.questions) is not None and known.clusters is not None:
            columns.append(counted_examples(judged, known.clusters.tolist()))
        of_slices = {
            f"slice {column}": _digest([counted_examples(judged, self.values(column)[-1])])
            for column in sorted(set(slices))
        }
        return {"examples": judged.n_samples, "digest": _digest(columns), **of_slices}

    def unlike_baseline(self, slices: Sequence[str]) -> dict[str, int]:  # noqa: ARG002
        """Count the examples that are lacking, relabelled or moved, as far as no comparison does, beside a baseline."""
        return {}

    def replaced_by(self) -> str:
        """Return what a change puts in the baseline's place, unless that is what is judged; empty where nothing is."""
        return ""

    @property
    def n_runs(self) -> int:
        """How many runs of an example are judged, at most."""
        judged = self.judged()
        return 1 if isinstance(judged, LabelledPool) or judged.questions is None else judged.questions.n_runs


def _digest(columns: Sequence[Mapping[str, int]]) -> str:
    rows = (f"{number} {n} {row}" for number, rows in enumerate(columns) for row, n in sorted(rows.items()))
    return short_fingerprint(rows)


@dataclass(frozen=True)
class Pair(Source):
    """A baseline and a candidate, as `compare` takes them."""

    baseline: Any
    candidate: Any = None
    """None where the baseline holds both."""
    other_ruler: bool = field(default=False, kw_only=True)
    """Whether something else may have graded each side."""
    new_baseline: Callable[[], Side] | None = field(default=None, kw_only=True)
    """Reads what a change puts in the baseline's place; None where it leaves that as it is."""
    changed_classes: ChangedClasses | None = field(default=None, kw_only=True)
    """How the candidate's classes differ from those of its stored baseline; None where they do not."""
    update: str = field(default="", kw_only=True)
    """The command that makes the candidate the baseline."""

    @cached_property
    def sides(self) -> Any:
        """Both sides with the same labels; raises `BaselineError` where classes changed."""
        if self.changed_classes is not None:
            where = self.files[0].where if self.files else str(self.baseline_file)
            raise self.changed_classes.refused(where, self.update)
        if self.candidate is None:
            return self.baseline
        return Sides.aligned(as_side(self.baseline, "baseline"), as_side(self.candidate, "candidate"))

    def difference_on(self, on_new_test_set: OnNewTestSet) -> str:
        """Why the two cannot be compared on the same examples, where that was asked for; empty when they can."""
        try:
            if self.files:
                require_same_questions(*self.files)
        except InputError as error:
            return error.without_advice
        return str(self.sides.difference_on(on_new_test_set))

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Compare both; people's grades are checked, but are not of a first candidate and itself."""
        sides = self.sides
        if self.files and not self.other_ruler:
            require_same_ruler(*self.files)
        if self.files and arguments.get("on_new_test_set") != OnNewTestSet.INDEPENDENT:
            require_same_questions(*self.files)
        task = ComparisonTask.of(sides, **arguments)
        if self.is_first and task.options.human:
            return ComparisonTask.of(sides, **{**arguments, "human": None})
        return task

    def values(self, column: str) -> Sequence[Sequence[str | None]]:
        """Return the values of both sides: an example that both know by id has that of the baseline's file, if any."""
        sides = self.sides.baseline, self.sides.candidate
        if column in self.columns:
            now = before = self.columns[column]
        else:
            before, now = (file.slice_values(column, side) for file, side in zip(self.files, sides, strict=True))
        baseline, candidate = (questions_of(side, "") for side in sides)
        if baseline.ids is None or candidate.ids is None:
            return before, now
        if column in self.columns:
            return _by_id(candidate, now, baseline), now
        of_both = _by_id(baseline, before, candidate)
        return before, [own if value is None else value for value, own in zip(of_both, now, strict=True)]

    def slices(self, column: str, task: Task) -> Slices:
        """Cut both sides by the values of a column."""
        if not self.files and task.subject.model != Model.PAIRED:
            problem = f"Only predictions that pair up have slices, and the model is {task.subject.model}"
            raise InputError.plain("slices", problem)
        _require_no_earlier(task)
        before, now = map(_positions, self.values(column))
        if not before.keys() & now.keys():
            raise InputError.plain(f"slices: {column}", "The two sides have no value in common")
        given: Any = task.options
        shares = given.model != Model.INDEPENDENT and given.on_new_test_set is OnNewTestSet.SHARED
        return {value: self._part(value, before, now, shares=shares) for value in sorted(before.keys() | now.keys())}

    def _part(
        self, value: str, before: _Positions, now: _Positions, *, shares: bool
    ) -> Callable[[], Sides] | InputError:
        if value not in before or value not in now:
            return InputError.plain("candidate" if value in before else "baseline", "no example of this slice")
        return partial(_part_of, self.sides, before[value], now[value], shares=shares)

    def digests(self) -> tuple[str, str]:
        """Return checksums of the baseline's predictions and of the candidate's."""
        return digests_of(self.baseline, self.candidate)

    def judged(self) -> Side:
        """Return the candidate."""
        return as_side(self.sides.candidate, "candidate")

    def unlike_baseline(self, slices: Sequence[str]) -> dict[str, int]:
        """Count the examples of the same test set that have another value of a column than in the baseline's file."""
        if not slices or dict(truths_of(self.sides.baseline)) != dict(truths_of(self.sides.candidate)):
            return {}
        moved = []
        for column in slices:
            values = zip((self.sides.baseline, self.sides.candidate), self.values(column), strict=True)
            before, now = (counted_examples(side, of_side) for side, of_side in values)
            moved.append(max((before - now).total(), int(dict(before) != dict(now))))
        return {"moved": max(moved)}

    def replaced_by(self) -> str:
        """Return a checksum of the new baseline, if it is neither the old one nor the candidate."""
        if self.new_baseline is None:
            return ""
        try:
            new = self.new_baseline()
        except (BaselineError, InputError):
            return "nothing readable"
        digest = digests_of(new, new)[0]
        return "" if digest in self.digests() else short_fingerprint([digest])


def kept_in(path: Path, commit: FileSource, reading: Schema, read: Callable[[Path], Side]) -> dict[str, Any]:
    """Say of the file of a baseline what a `Pair` knows of it: it is from a commit, which a change may replace."""
    is_replaced = commit.changed(path)
    is_in_both = is_replaced and commit.committed(path) is not None
    return {
        "baseline_file": path,
        "is_replaced": is_replaced,
        "new_baseline": partial(read, path) if is_in_both else None,
        "history": partial(with_history, path=path, files=commit, reading=reading),
    }


PairT = TypeVar("PairT", bound=Pair)


def as_redefined(of_commit: PairT, of_change: Callable[[], PairT | None]) -> PairT:
    """Take the baseline that is checked out where a change has redefined the classes of the commit's."""
    if of_commit.changed_classes is None or of_commit.new_baseline is None:
        return of_commit
    found = None
    with suppress(BaselineError, InputError):
        found = of_change()
    if found is None or found.changed_classes is not None or found.baseline_file is None:
        return of_commit
    return replace(found, redefined=of_commit.changed_classes.redefined_by(found.baseline_file))


def _require_no_earlier(task: Task) -> None:
    if task.options.earlier is not None:
        raise InputError.plain("prior", "It has counts of whole test sets, and slices are parts of one")


def _positions(values: Iterable[str | None]) -> _Positions:
    """Find the examples that have each value."""
    found: _Positions = {}
    for position, value in enumerate(values):
        if value is not None:
            found.setdefault(value, []).append(position)
    return found


def _by_id(known: Questions, values: Sequence[str], others: Questions) -> list[str | None]:
    """Return the values of the examples of another side; None of those that the one does not know."""
    assert known.ids is not None
    assert others.ids is not None
    by_id = dict(zip(map(value_text, known.ids.tolist()), values, strict=True))
    return [by_id.get(value_text(each)) for each in others.ids.tolist()]


def _part_of(sides: Sides, baseline: list[int], candidate: list[int], *, shares: bool) -> Sides:
    before, after = questions_of(sides.baseline, ""), questions_of(sides.candidate, "")
    part = sides.of_examples(before.take(baseline), after.take(candidate))
    return part.sharing() if shares else part


@dataclass(frozen=True)
class Single(Source):
    """One side, whose score must reach a floor."""

    side: Side

    def task(self, arguments: Mapping[str, Any]) -> EstimateTask:
        """Set its score against the floor."""
        return EstimateTask.of(self.side, **arguments)

    def values(self, column: str) -> Sequence[Sequence[str]]:
        """Return the value of every example."""
        return [self.columns[column] if column in self.columns else self.files[0].slice_values(column, self.side)]

    def slices(self, column: str, task: Task) -> Slices:
        """Cut the side by the values of its examples."""
        _require_no_earlier(task)
        found = sorted(_positions(self.values(column)[0]).items())
        return {value: partial(_rows_of, self.side, rows) for value, rows in found}

    def judged(self) -> Side:
        """Return the side."""
        return self.side


def _rows_of(side: Any, rows: list[int]) -> Any:
    return side.of_examples(side.questions.take(rows))


@dataclass(frozen=True)
class Pool(Source):
    """A pool of which few examples are labelled, with its labels."""

    pool: LabelledPool
    lost: Callable[[], dict[str, int]] | None = field(default=None, kw_only=True)
    """Counts what became of the labels that a commit has."""

    def task(self, arguments: Mapping[str, Any]) -> ComparisonTask:
        """Compare on what is labelled so far."""
        return ComparisonTask.of(self.pool, **arguments)

    def digests(self) -> tuple[str, str]:
        """Return checksums of what each side predicts."""
        return self.pool.digests

    def judged(self) -> LabelledPool:
        """Return the pool."""
        return self.pool

    @property
    def is_bound(self) -> bool:
        """Whether a commit has labels."""
        return self.lost is not None

    def unlike_baseline(self, slices: Sequence[str]) -> dict[str, int]:  # noqa: ARG002
        """Count what became of the labels that the commit has."""
        return {} if self.lost is None else self.lost()


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


def in_memory(baseline: Any, candidate: Any, slices: Any) -> Pair | Pool:
    """Take what `compare` takes, and check the columns that it is to be cut by, if any."""
    if candidate is not None:
        pair = Pair(baseline, candidate)
        return pair if slices is None else replace(pair, columns=slice_values(pair.sides.candidate, slices))
    if slices is not None:
        advice = "Build each side with ConfusionMatrix.from_predictions(y_true, y_pred)."
        raise InputError("slices", "a baseline and a candidate with predictions", type(baseline).__name__, advice)
    return Pool(baseline) if isinstance(baseline, LabelledPool) else Pair(baseline)


def one_in_memory(side: Any, slices: Any) -> Single:
    """Take what `estimate` takes, and check the columns that it is to be cut by, if any."""
    counts = as_side(side, "cm")
    return Single(counts, columns=slice_values(counts, slices, whose=""))


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
class Files(ABC):
    """Files that a gate file names, or a command line."""

    declared: Declared = field(compare=False)
    readings: Schemas = field(default_factory=lambda: ALL_AS_THEY_ARE)
    """How the file of each side is to be read."""
    why_no_baseline: ClassVar[str] = ""
    """Why no file of it is a baseline; empty where one is."""

    @abstractmethod
    def opened(self, commit: FileSource = CHECKED_OUT) -> Source:
        """Read the files: baseline and anchor from a commit."""

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
class FilePair(Files):
    """A baseline's file and a candidate's, and that of an anchor."""

    baseline: Path
    candidate: Path
    anchor: Path | None = None
    other_ruler: bool = False
    """Whether something else may have graded each side."""
    notes: tuple[str, ...] = ()
    is_stored: bool = False
    """Whether the baseline is kept from run to run, and replaced by an update alone."""

    def opened(self, commit: FileSource = CHECKED_OUT) -> Pair:
        """Read both, as they are checked out where a change has redefined the classes."""
        return as_redefined(self._pair(commit), partial(self._pair, CHECKED_OUT))

    def _pair(self, commit: FileSource) -> Pair:
        before = self.read(self.baseline, "baseline", commit)
        now = read_side(self.candidate, "candidate", self.reading("candidate"))
        require_shown(before, now)
        if self._is_one_file(commit) and before.is_same(now):
            with _baseline_errors():
                before.counts()  # which may say that they are of several systems, and how to choose
            problem = "Both sides are the same predictions of one file"
            advice = "Name another file, or choose rows or columns of it for each side."
            raise InputError.plain(str(self.candidate), problem, advice)
        baseline, candidate, changed = self._counted(before, now)
        return Pair(
            baseline,
            candidate,
            files=(before, now),
            known=self._fingerprint_of(now),
            notes=self.notes,
            anchor=None if self.anchor is None else partial(self._since_anchor, self.anchor, commit, now, candidate),
            other_ruler=self.other_ruler,
            changed_classes=changed,
            update=self.declared.update_command(),
            **kept_in(self.baseline, commit, self.reading("baseline"), self._read_new),
        )

    def _is_one_file(self, commit: FileSource) -> bool:
        named_alike = self.reading("baseline").columns == self.reading("candidate").columns
        checked_out = commit.copy(self.baseline) == self.baseline
        return named_alike and checked_out and self.baseline.resolve() == self.candidate.resolve()

    def read(self, path: Path, where: str, commit: FileSource = CHECKED_OUT) -> Columns:
        """Read a file that the candidate must not fall behind."""
        copy = commit.copy(path)
        if _is_missing(copy):
            named = f"{self.declared.key(where)} ({os.path.relpath(path)})"
            raise BaselineError.plain(named, NOT_FOUND[0], self._first(where, path))
        with _baseline_errors():
            name = "" if copy == path else f"{os.path.relpath(path)} of the base commit"
            return read_side(copy, where, self.reading(where), name=name)

    def _read_new(self, path: Path) -> Side:
        return read_side(path, "baseline", self.reading("baseline")).counts()

    def _first(self, where: str, path: Path) -> str:
        """Say how to write a file that is missing."""
        if _is_missing(self.candidate):
            return f"Nor is the candidate there, {one_line(os.path.relpath(self.candidate))}: check both paths."
        if (suffixes := format_of(self.candidate)) != format_of(path):
            return f"To make it of the candidate, give it a name that ends with {suffixes!r}, as the candidate's."
        made = "make the candidate the baseline" if where == "baseline" else "begin with the baseline as anchor"
        return f"To {made}, run: {self.declared.update_command('new')}"

    def _counted(self, before: Columns, now: Columns) -> tuple[Side, Side, ChangedClasses | None]:
        """Count both, and say how their classes differ, also from those that are declared no longer."""
        try:
            baseline = _counts(before)
        except BaselineError:
            if not self.is_stored or before.schema.labels is None:
                raise
            baseline, candidate = before.with_own_classes().counts(), now.counts()
            changed = ChangedClasses.between(baseline, candidate)
            if changed is None or not changed.gone:
                raise
            return baseline, candidate, changed
        candidate = now.counts()
        return baseline, candidate, ChangedClasses.between(baseline, candidate) if self.is_stored else None

    def _since_anchor(self, path: Path, commit: FileSource, now: Columns, candidate: Side) -> SinceAnchor:
        """Read the anchor, unless it is the baseline itself."""
        read_alike = self.reading("anchor") == self.reading("baseline")
        if read_alike and commit.read(path) == commit.read(self.baseline):
            return SinceAnchor()
        origin, count_anew = one_line(os.path.relpath(path)), self.declared.update_command("anchor")
        before = self.read(path, "anchor", commit)
        require_shown(before, now)
        if not self.other_ruler:
            require_same_ruler(before, now)
        anchor = _counts(before)
        changed = ChangedClasses.between(anchor, candidate) if self.is_stored else None
        if changed is not None:
            raise changed.refused(before.where, count_anew)
        return SinceAnchor(Sides.aligned(anchor, candidate), origin, count_anew)

    @property
    def of_baseline(self) -> list[Path]:
        """The baseline and the anchor."""
        return [self.baseline, *filter(None, [self.anchor])]

    @property
    def reviewed(self) -> list[Path]:
        """The baseline, the anchor, and files of true labels."""
        return [*self.of_baseline, *super().reviewed]

    def _fingerprint_of(self, candidate: Columns) -> dict[str, Any]:
        """Return the names of the files, how they are read, what graded the answers, and runs that are missing."""
        files = {name: self.seen(getattr(self, name)) for name in ("baseline", "anchor") if getattr(self, name)}
        ruler = {"other_ruler": True} if self.other_ruler else {"ruler": candidate.ruler}
        return {**self.fingerprint(), **files, **ruler, "missing_runs": candidate.n_missing_runs or None}


def _counts(side: Columns) -> Side:
    """Count what the candidate must not fall behind."""
    with _baseline_errors():
        return side.counts()


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


@dataclass(frozen=True, kw_only=True)
class RunFiles(Files):
    """The file of one system, or one for each run on the same examples: its score must reach a floor.

    Each may be a pattern of names.
    """

    runs: tuple[Path, ...]
    why_no_baseline = "a floor has no baseline"

    def opened(self, commit: FileSource = CHECKED_OUT) -> Single:  # noqa: ARG002 (there is no baseline)
        """Read them."""
        files = [file for run in self.runs for file in files_of(run)]
        columns = read_runs(files, "candidate", self.reading("candidate"))
        known = {"ruler": columns.ruler, "missing_runs": columns.n_missing_runs or None}
        return Single(columns.counts(), files=(columns,), known={**self.fingerprint(), **known})


def files_of(path: Path) -> list[Path]:
    """Find the files that a pattern names, or return the path itself where it is none, or names none."""
    if "*" not in path.name or not path.parent.is_dir():
        return [path]
    return sorted(each for each in path.parent.iterdir() if fnmatchcase(each.name, path.name)) or [path]


@dataclass(frozen=True, kw_only=True)
class PoolFiles(Files):
    """A pool of which few examples are labelled; both sides are in its file."""

    pool: Path
    labels: Path | None = None
    """Its labels; None for those beside it."""
    why_no_baseline = "a pool has both sides"

    def opened(self, commit: FileSource = CHECKED_OUT) -> Pool:
        """Read the pool with its labels; a note says which examples were skipped."""
        read = Labelling.read(self.pool, self.labels)
        started, first = read.started, truths_of(read.unlabelled)
        checksum = short_fingerprint([started.digest, *map(repr, started.classes), *sorted(first)])
        seen = f"{self.seen(self.pool)} of classes, predictions and test set {checksum}"
        labels = {} if self.labels is None else {"labels": self.seen(self.labels)}
        return Pool(
            read.pool,
            known={**self.fingerprint(), "baseline": seen, **labels},
            notes=tuple(filter(None, [read.note_on_skipped()])),
            lost=partial(self._lost, commit, read),
        )

    @property
    def reviewed(self) -> list[Path]:
        """The pool's state, its labels, and files of true labels."""
        return [self.pool, Labelling.labels_of(self.pool, self.labels), *super().reviewed]

    def _lost(self, commit: FileSource, read: Labelling) -> dict[str, int]:
        """Count what became of the labels that the commit has; in the files that are checked out nothing."""
        before, now = Labelling.read(self.pool, commit.copy(read.labels_path)).label_of, read.label_of
        changed = sum(now[key] != label for key, label in before.items() if key in now)
        return {"lacking": len(before.keys() - now.keys()), "relabelled": changed}
