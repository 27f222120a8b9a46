"""The versions of stored baselines in git, each compared with the one before it and with its anchor."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, islice, pairwise, repeat
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Self, TypeAlias, Unpack

from pydantic import TypeAdapter

from pytest_bayesf1.baselines.store import Baseline, Origin, file_stem, is_baseline_text, read_baseline, unpacked
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.anomalies import CHECK_FOR_LEAKAGE, leakage_suspected, warnings_on_shared
from pytest_bayesf1.comparison.arguments import CompareArguments, Options, SharedArguments, resolved
from pytest_bayesf1.comparison.class_shares import moved_class
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.comparison.design import Data, Sides
from pytest_bayesf1.comparison.subject import AnyMeasure, subject_of_one
from pytest_bayesf1.data.paired import Side
from pytest_bayesf1.data.prevalence import BASELINE, Prevalence
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.protocol import available_threads
from pytest_bayesf1.errors import NOT_FOUND, BaselineError, InputError
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import AS_IT_IS, Reading
from pytest_bayesf1.gates.anchor import budget_of, rope_of_total
from pytest_bayesf1.gates.earlier import N_DRAWS
from pytest_bayesf1.gates.gate_file import Gate, has_baseline, load_gates
from pytest_bayesf1.gates.manifest import Gates, GateSettings, Listed
from pytest_bayesf1.gates.policy import Policy, gravest
from pytest_bayesf1.git import CHECKED_OUT, Blobs, FileVersion, Repository
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.project import FOLDER, baselines_below, folders_from, gate_files, is_baseline, manifest_path
from pytest_bayesf1.results.comparison import not_inferior
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.formatting import Amounts
from pytest_bayesf1.results.schema import Text, plain
from pytest_bayesf1.results.versions import (
    DELETED,
    ITSELF,
    MOST_POINTS,
    History,
    NewTestSet,
    Trend,
    TrendPoint,
    Version,
    VersionChange,
    VersionFigures,
    VersionScore,
)
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws
from pytest_bayesf1.text import POINTS, counted, flowed, one_line, percent
from pytest_bayesf1.writing import Cache

LoadGates: TypeAlias = Callable[[Path, Path], Sequence[Gate[Any]]]

_NAMES = ("measure", "rope", "budget", "hdi_prob", "prevalence", "prior")


@dataclass(frozen=True)
class Demands:
    """What versions of a baseline are compared by: arguments of `compare`, the budget, and how files are read.

    The anchor is the file from which total loss is counted; None where each version holds its own, or there is none.
    """

    measure: str
    rope: Rope
    budget: float
    hdi_prob: float
    prior: str
    anchor: Path | None = None
    reading: Reading = AS_IT_IS
    anchor_reading: Reading = AS_IT_IS
    prevalence: Prevalence | None = None

    @property
    def arguments(self) -> SharedArguments:
        """Those of a comparison of any two versions, and of an estimate."""
        shared: SharedArguments = {"measure": self.measure, "hdi_prob": self.hdi_prob, "prior": self.prior}
        return {**shared, "prevalence": self.prevalence}

    @classmethod
    def of(
        cls,
        path: Path,
        given: Mapping[str, Any],
        anchor: Path | None = None,
        load: LoadGates = load_gates,
        reading: Reading = AS_IT_IS,
    ) -> "Demands":
        """Find out what is demanded of a baseline; what is said here of reading it comes before what its gate says."""
        found = _of_gate_file(path, load) or _of_manifest(path)
        values = {name: found.get(name) if given.get(name) is None else given[name] for name in _NAMES}
        if values["rope"] is None:
            lacking = "No gate gives a ROPE for this baseline", "Pass one, such as rope: 0.01."
            raise InputError.plain(str(path), *(lacking if path.exists() else NOT_FOUND))
        measure, rope = resolved("measure", values["measure"]), resolved("rope", values["rope"])
        return cls(
            measure,
            rope,
            budget_of(-rope.low, values["budget"], bounded=parse_name(measure).bounded),
            resolved("hdi_prob", values["hdi_prob"]),
            str(resolved("prior", values["prior"])),
            anchor or found.get("anchor"),
            reading.over(found.get("reading", AS_IT_IS)),
            reading.over(found.get("anchor_reading", AS_IT_IS)),
            resolved("prevalence", values["prevalence"] or None),  # a manifest lists none as no text
        )

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What figures depend on beside the versions and the anchor, as JSON has it."""
        return asdict(replace(self, anchor=None))


def baselines_at(paths: Sequence[Path], load: LoadGates = load_gates) -> list[Path]:
    """List the baselines at files and folders: what is stored there, else what the folder's gate files name."""
    return [file for path in paths for file in (_baselines_in(path, load) if path.is_dir() else [path])]


def _baselines_in(folder: Path, load: LoadGates) -> list[Path]:
    gates = (gate for file in gate_files(folder) for gate in load(file, folder))
    return list(baselines_below(folder)) or list(
        dict.fromkeys(gate.source.baseline for gate in gates if has_baseline(gate))
    )


def _of_gate_file(path: Path, load: LoadGates) -> Mapping[str, Any]:
    """Return what the first gate demands that names this file as its baseline, in a gate file above it."""
    if FOLDER in path.absolute().parts:
        return {}
    for folder in folders_from(path.parent):
        for file in gate_files(folder):
            for gate in filter(has_baseline, load(file, folder)):
                source = gate.source
                if source.baseline.resolve() == path.resolve():
                    known = {"budget": gate.demand.budget, "anchor": source.anchor}
                    readings = {"reading": source.reading("baseline"), "anchor_reading": source.reading("anchor")}
                    return {**gate.demand.arguments, **known, **readings}
    return {}


def _of_manifest(path: Path) -> Mapping[str, Any]:
    """Return what the manifest lists for the test that this baseline is stored for."""
    stored = path.absolute()
    if stored.parent.parent.name != FOLDER:  # no test's
        return {}
    for root in folders_from(path.parent):
        manifest = manifest_path(root)
        content = CHECKED_OUT.read(manifest)
        if content is not None:
            gates = _gates_of(stored, root, Listed.of(content, manifest).gates)
            return gates[0] if gates else {}
    return {}


def _gates_of(path: Path, root: Path, listed: Gates) -> list[dict[str, Any]]:
    """Find the gates of the test that a baseline is named after; else those of its module, if all demand the same."""
    directory = path.parent
    module = (directory.parent.parent / f"{directory.name}.py").relative_to(root).as_posix()
    of_module = {test: gates for test, gates in listed.items() if test.partition("::")[0] == module}
    name = path.name.removesuffix(".gz").removesuffix(".json")
    named = [gates for test, gates in of_module.items() if file_stem(_baseline_name(test)) == name]
    found = [_values(gate) for gates in named or of_module.values() for gate in gates if gate.rope is not None]
    is_clear = bool(named) or all(each == found[0] for each in found)
    return sorted(found, key=lambda each: each["budget"] is None) if is_clear else []


def _baseline_name(test: str) -> str:
    """Return what a test's baseline is called unless the test says otherwise: the id within the module, with dots."""
    names, bracket, parameters = test.partition("::")[2].partition("[")
    return f"{names.replace('::', '.')}{bracket}{parameters}"


def _values(settings: GateSettings) -> dict[str, Any]:
    assert settings.rope is not None
    known = {name: getattr(settings, name) for name in _NAMES}
    return known | {"rope": Rope(settings.rope[0], settings.rope[1], wide=True)}


_AT_ONCE = 2


class VersionReader:
    """Reads versions of a file, of which it remembers the last two; to be used in a with block."""

    def __init__(self, repository: Repository, reading: Reading) -> None:
        self._blobs, self._reading = Blobs(repository), reading
        self._folder = TemporaryDirectory(prefix="bayesf1-")
        self._of_blob = lru_cache(_AT_ONCE)(self._read)

    def __enter__(self) -> Self:
        """Let git begin when it is first asked."""
        self._blobs.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Let git end, and leave no copy."""
        self._blobs.__exit__()
        self._folder.cleanup()

    def read(self, version: FileVersion) -> Baseline:
        """Read a version."""
        return self._of_blob(version.blob, Path(version.name).name)

    def read_file(self, path: Path, reading: Reading) -> Baseline:
        """Read a file that is checked out."""
        try:
            return self._parsed(path.name, path.read_bytes(), reading)
        except OSError as error:
            raise BaselineError.plain(str(path), f"Cannot read the file: {error.strerror or error}") from None

    def _read(self, blob: str, name: str) -> Baseline:
        return self._parsed(name, self._blobs.content(blob, name), self._reading)

    def _parsed(self, name: str, content: bytes, reading: Reading) -> Baseline:
        place = Path(name)
        if is_baseline(name) and is_baseline_text(unpacked(place, content)):
            return read_baseline(place, content).baseline
        copy = Path(self._folder.name) / name
        copy.write_bytes(content)  # which errors do not name
        return Baseline("", read_side(copy, "version", reading, name=name).counts())


_FIRST, _NO_ANCHOR, _EARLIER = "the first", "no anchor", "before the anchor"


@dataclass(frozen=True)
class Step:
    """A version that is not deleted, the one before it that could be read, and its position among all versions."""

    before: FileVersion | None
    version: FileVersion
    place: int


@dataclass(frozen=True)
class Anchor:
    """A file from which the total loss of all versions is counted."""

    path: Path
    blob: str
    """Hash of its content."""
    position: int
    """Of the first version that is the same file; -1 where none is."""
    words: str
    """Where it is from."""

    @classmethod
    def of(cls, path: Path, repository: Repository, versions: Sequence[FileVersion]) -> "Anchor":
        """Find a file among the versions of a baseline."""
        try:
            content = path.read_bytes()
        except OSError:
            raise BaselineError.plain(str(path), "Cannot read the anchor") from None
        hashes = [repository.hash_of(each) for each in (content, content.replace(b"\r\n", b"\n"))]
        position = next((place for place, each in enumerate(versions) if each.blob in hashes), -1)
        blob = versions[position].blob if position >= 0 else hashes[0]
        origin = Origin(versions[position].date, versions[position].commit) if position >= 0 else Origin()
        return cls(path, blob, position, origin.words or one_line(os.path.relpath(path)))


def _known_or_why(name: str, found: VersionChange | str) -> dict[str, Any]:
    return {f"why_no_{name}": found} if isinstance(found, str) else {name: found}


@dataclass(frozen=True)
class Steps:
    """Compares the versions of one baseline, all with one anchor or each with its own."""

    reader: VersionReader
    demands: Demands
    anchor: Anchor | None

    def figures(self, step: Step) -> VersionFigures:
        """Compare a version with the one before it and with its anchor."""
        try:
            earlier = None if step.before is None else self.reader.read(step.before)
            now = self.reader.read(step.version)
            if earlier is not None and earlier.says_the_same(now.counts):
                return VersionFigures(repeats=True)
            score = brief_score(now.counts, **self.demands.arguments)
        except (BaselineError, InputError) as error:
            return VersionFigures(problem=flowed(error.without_advice))
        rope = self.demands.rope
        change = _FIRST if earlier is None else self._change(earlier.counts, now.counts, rope)
        anchor, of_total = self._anchor_of(now, step), rope_of_total(rope, self.demands.budget)
        total = anchor if isinstance(anchor, str) else self._change(anchor, now.counts, of_total)
        return VersionFigures(
            score=score,
            **_known_or_why("change", change),
            **_known_or_why("total", total),
            anchor=now.origin.words if self.anchor is None else self.anchor.words,
        )

    def _anchor_of(self, now: Baseline, step: Step) -> Side | str:
        """Return what total loss is counted from; or why it is not."""
        anchor = self.anchor
        if anchor is None:
            return now.anchor or (ITSELF if now.name else _NO_ANCHOR)
        if step.version.blob == anchor.blob:
            return ITSELF
        return _EARLIER if step.place < anchor.position else self._anchor_file.counts

    @cached_property
    def _anchor_file(self) -> Baseline:
        assert self.anchor is not None
        return self.reader.read_file(self.anchor.path, self.demands.anchor_reading)

    def _change(self, earlier: Side, later: Side, rope: Rope) -> VersionChange | str:
        """Compare two versions; or say why they cannot be compared."""
        arguments: CompareArguments = {**self.demands.arguments, "rope": rope}  # type: ignore[typeddict-item]
        try:
            return brief_change(Sides.aligned(earlier, later), **arguments)
        except InputError as error:
            return flowed(error.without_advice)


_REVISION = 6
"""Cache version. Increase it when the figures of the same versions change."""

_TRIED, _LONG = 4, 10.0
"""After so many versions it is clear whether the others take long, in seconds."""

_FIGURES: TypeAdapter[VersionFigures] = TypeAdapter(VersionFigures)


def _read_figures(document: Any) -> VersionFigures:
    """Check figures that were kept; `ValueError` where they say nothing."""
    found = _FIGURES.validate_python(document)
    if found.score is None and not found.repeats:
        raise ValueError("no figures")
    return found


def history_of(path: Path, demands: Demands, kept: Path | None = None) -> History:
    """Compare all versions of a baseline that git knows."""
    repository = Repository.around(path)
    found = repository.versions(path)
    if not found:
        raise BaselineError.plain(str(path), "git has no version of it", "Commit it, then ask again.")
    name = parse_name(demands.measure)
    anchor = None if demands.anchor is None else Anchor.of(demands.anchor, repository, found)
    cache = Cache("history", _REVISION, kept, _read_figures)
    versions = tuple(_Series(repository, demands, anchor, cache).versions(found))
    return History(
        file=os.path.relpath(path),
        measure=name.text,
        measure_words=f"{name.words} {demands.prevalence.phrase if demands.prevalence else ''}".rstrip(),
        bounded=name.bounded,
        rope=(demands.rope.low, demands.rope.high),
        budget=demands.budget,
        hdi_prob=demands.hdi_prob,
        shallow=repository.is_shallow,
        versions=versions,
    )


@dataclass(frozen=True)
class _Series:
    """Versions of one baseline, each compared with those before it, unless its figures are in the cache."""

    repository: Repository
    demands: Demands
    anchor: Anchor | None
    cache: Cache[VersionFigures]
    ahead: dict[Step, VersionFigures] = field(default_factory=dict)
    """Figures of versions that other processes have computed already."""

    def versions(self, versions: Sequence[FileVersion]) -> Iterator[Version]:
        """Yield each version but those that hold the same as the one before them."""
        before, computed, begin = None, 0, perf_counter()
        with VersionReader(self.repository, self.demands.reading) as reader:
            steps = Steps(reader, self.demands, self.anchor)
            for place, version in enumerate(versions):
                step = Step(before, version, place)
                figures = self._known(step)
                if figures is None:
                    figures = steps.figures(step)
                    self._keep(step, figures)
                    computed += 1
                    if computed == _TRIED:
                        self._look_ahead(step, versions, (perf_counter() - begin) / _TRIED)
                if not figures.problem:
                    before = version
                if not figures.repeats:
                    yield _version(version, figures)

    def _known(self, step: Step) -> VersionFigures | None:
        if not step.version.blob:
            return VersionFigures(problem=DELETED)
        if step in self.ahead:
            return self.ahead[step]
        return self.cache.find(self._origin(step))

    def _keep(self, step: Step, figures: VersionFigures) -> None:
        """Keep figures for the next time; not of what could not be read, for it may be there then."""
        if not figures.problem:
            self.cache.keep(self._origin(step), plain(figures))

    def _origin(self, step: Step) -> dict[str, Any]:
        return {
            "demands": self.demands.settings,
            "suffixes": Path(step.version.name).suffixes,
            "before": step.before and step.before.blob,
            "version": step.version.blob,
            "anchor": self.anchor and [self.anchor.blob, step.place < self.anchor.position],
        }

    def _look_ahead(self, now: Step, versions: Sequence[FileVersion], seconds: float) -> None:
        """Let all processors compute what is left, where it takes long: as if no version were damaged."""
        known = [each for each in enumerate(versions) if each[0] >= now.place and each[1].blob]
        steps = [Step(before, version, place) for (_, before), (place, version) in pairwise(known)]
        left = [step for step in steps if self._known(step) is None]
        n_processes = min(available_threads(), len(left))
        if n_processes < 2 or seconds * len(left) < _LONG:
            return
        size = -(-len(left) // n_processes)
        chunks = [left[start : start + size] for start in range(0, len(left), size)]
        with (
            suppress(OSError, ImportError, BrokenExecutor),  # where there can be no other process, this one does it
            ProcessPoolExecutor(n_processes, get_context("spawn")) as pool,
        ):
            parts = pool.map(_computed, chunks, repeat(self.repository), repeat(self.demands), repeat(self.anchor))
            for step, figures in chain.from_iterable(map(zip, chunks, parts)):
                self.ahead[step] = figures
                self._keep(step, figures)


def _computed(
    left: Sequence[Step], repository: Repository, demands: Demands, anchor: Anchor | None
) -> list[VersionFigures]:
    with VersionReader(repository, demands.reading) as reader:
        return list(map(Steps(reader, demands, anchor).figures, left))


def _version(version: FileVersion, figures: VersionFigures) -> Version:
    """Add the commit, and the graver of the verdicts that a gate would have reached; none where it compared nothing."""
    changes = [each for each in (figures.change, figures.total) if each is not None]
    of_gate = Policy.NOT_WORSE.unless_worse
    verdicts = [of_gate(each.decision, not_inferior=each.is_not_inferior) for each in changes]
    verdict: Any = gravest(verdicts).value if verdicts else ""
    return Version(
        **vars(figures),
        commit=version.commit,
        date=version.date,
        subject=version.subject,
        file=version.name,
        verdict=verdict,
    )


_TREND_REVISION = 2
"""Cache version of the scores in trends."""

_MOST_READ = 2 * MOST_POINTS
"""Versions that are read: some may be damaged, or the same predictions again."""


@dataclass(frozen=True)
class _Known:
    """The score of a version, or of its anchor, and what its test set is known by."""

    score: VersionScore
    test_set: Text


_KNOWN: TypeAdapter[_Known] = TypeAdapter(_Known)


class Trends:
    """The trends of the baselines of a run."""

    def __init__(self, root: Path, ref: str, kept: Path | None) -> None:
        self._root, self._ref = root, ref
        self._cache, self._load = Cache("scores", _TREND_REVISION, kept, _KNOWN.validate_python), cache(load_gates)

    def filled(self, trend: Trend, **given: Any) -> Trend:
        """Find the points of a trend; none where git has no versions of the file."""
        path = self._root / trend.file
        try:
            repository = Repository.around(path, self._ref)
            newest_first = reversed(repository.versions(path))
        except BaselineError:  # no file of a repository
            return trend
        demands = Demands.of(path, given, load=self._load)
        with VersionReader(repository, demands.reading) as reader:
            series = _Scores(reader, demands, self._cache)
            points = list(islice(series.points(newest_first), MOST_POINTS))[::-1]
            points[:1] = [replace(each, new_test_set=False) for each in points[:1]]  # nothing is shown before it
            anchor = None if trend.budget is None else series.anchor()
        return replace(trend, anchor=anchor, points=tuple(points))


class _Scores:
    """The scores of versions of one baseline."""

    def __init__(self, reader: VersionReader, demands: Demands, kept: Cache[_Known]) -> None:
        self._reader, self._demands, self._cache = reader, demands, kept
        self._newest: FileVersion | None = None

    def points(self, newest_first: Iterator[FileVersion]) -> Iterator[TrendPoint]:
        """Go back to the commits that brought each score."""
        known = ((version, self._known(version)) for version in islice(newest_first, _MOST_READ) if version.blob)
        last: TrendPoint | None = None
        test_set = ""
        for version, found in known:
            if found is None:
                continue
            self._newest = self._newest or version
            point = TrendPoint(version.date, version.commit, found.score.mean, found.score.hdi)
            is_other = found.test_set != test_set
            if last is not None and (is_other or (last.score, last.hdi) != (point.score, point.hdi)):
                yield replace(last, new_test_set=is_other)
            last, test_set = point, found.test_set
        if last is not None:
            yield last

    def anchor(self) -> float | None:
        """Return the score of the newest version's anchor."""
        if self._demands.anchor is not None:
            return self._score(self._reader.read_file(self._demands.anchor, self._demands.anchor_reading).counts).mean
        found = None if self._newest is None else self._known(self._newest, of_anchor=True)
        return None if found is None else found.score.mean

    def _known(self, version: FileVersion, *, of_anchor: bool = False) -> _Known | None:
        """Return what a version says, or its anchor; None where it cannot be read, or not be scored."""
        origin = {
            "demands": {**self._demands.arguments, "reading": asdict(self._demands.reading)},
            "suffixes": Path(version.name).suffixes,
            "version": version.blob,
            "of": "anchor" if of_anchor else "version",
        }
        found = self._cache.find(origin)
        if found is not None:
            return found
        try:
            baseline = self._reader.read(version)
            side = baseline.anchor if of_anchor and baseline.anchor is not None else baseline.counts
            found = _Known(self._score(side), baseline.test_set)
        except (BaselineError, InputError):
            return None
        self._cache.keep(origin, plain(found))
        return found

    def _score(self, side: Side) -> VersionScore:
        return brief_score(side, **self._demands.arguments)


class _FewDraws(ExactEngine):
    first_draws = N_DRAWS


LARGE_CHANGE = 0.2
"""Of a score: a model seldom changes so much from one version to the next, a test set or its labels may."""


def brief_change(sides: Sides, **given: Unpack[CompareArguments]) -> VersionChange:
    """Compare two sides as `pytest_bayesf1.compare` does, on fewer draws as long as they settle the decision.

    Two test sets are compared on the examples that both have; as independent where these are too few or unknown, and
    then at the class shares of the earlier one, if there are classes and nothing else was asked for.
    """
    given["engine"] = _FewDraws()
    task, new_test_set = _task(sides, given)
    measure = task.measure(task.options.measure)
    (decided,) = task.decided((measure,))
    found = decided.drawn.summary
    no_worse = not_inferior(found.hdi, task.options.rope.low, decided.shares, decided.shared)
    change = VersionChange(found.mean, found.hdi, found.decision, no_worse, new_test_set)
    warnings = leakage_suspected(task.subject)
    if decided.shared is not None:
        warnings += map(str, warnings_on_shared(decided.shared, found.decision))
    if measure.bounded:  # else what is large is unknown
        warnings += _large_change(change, task.subject)
    return replace(change, warnings=tuple(warnings))


def _task(sides: Sides, given: CompareArguments) -> tuple[ComparisonTask, NewTestSet | None]:
    """Choose how two versions are compared, and say so where their test sets differ."""
    if not sides.difference_on(OnNewTestSet.SHARED):
        overlap = sides.shared.overlap
        new = None if overlap is None else NewTestSet(overlap.n_baseline, overlap.n_candidate, overlap.n_shared)
        return ComparisonTask.of(sides, **given), new
    given["on_new_test_set"] = OnNewTestSet.INDEPENDENT
    task = None
    if given.get("prevalence") is None:
        at_equal_shares: CompareArguments = {**given, "prevalence": BASELINE}
        with suppress(InputError):  # of data without classes, or of a class that one test set lacks
            task = ComparisonTask.of(sides, **at_equal_shares)
    task = task or ComparisonTask.of(sides, **given)
    equal_shares = task.subject.experiment.population is not None
    return task, NewTestSet(sides.baseline.n_samples, sides.candidate.n_samples, equal_shares=equal_shares)


def _large_change(change: VersionChange, data: Data) -> Iterator[str]:
    """Say what became of the test set while a score changed so much that it may be the reason."""
    new = change.new_test_set
    settled = change.decision in (Decision.MUCH_WORSE, Decision.MUCH_BETTER)
    if new is None or not settled or abs(change.mean) <= LARGE_CHANGE:
        return
    more, noun = new.n_now - new.n_before, "span" if getattr(data.experiment, "spans", False) else "example"
    grew = f"{'grew' if more > 0 else 'shrank'} by {counted(abs(more), noun)}" if more else "changed"
    moved, share = moved_class(data), ""
    if moved is not None:
        way = "rose" if moved.candidate > moved.baseline else "fell"
        share = f" and {one_line(moved.label)} {way} from {percent(moved.baseline)} to {percent(moved.candidate)}"
    amount = Amounts(POINTS, change.hdi).with_unit(change.mean)
    advice = CHECK_FOR_LEAKAGE if change.mean > 0 else "check both test sets before you trust it"
    yield f"{amount} while the test set {grew}{share}: {advice}."


def brief_score(side: Side, **given: Unpack[SharedArguments]) -> VersionScore:
    """Estimate one classifier's score."""
    given["engine"] = _FewDraws()
    options = Options.resolve(**given)
    subject = subject_of_one(side, options)
    measure: AnyMeasure = subject.measure(options.measure)
    draws = Draws(subject.sampler((measure,), options).draw(N_DRAWS)[0, :, 0])
    return VersionScore(subject.observed(measure).scores[0], draws.mean, draws.hdi(options.hdi_prob))
