"""The versions of a baseline in git: how each is read, scored, and compared with an earlier one."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, TypeVar, Unpack

from pydantic import TypeAdapter

from pytest_bayesf1.baselines.store import Baseline, ChangedClasses, decoded, is_baseline_text, read_baseline
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import BASELINE, CompareArguments, CompareOptions, Options, SharedArguments
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.comparison.design import moved_class, subject_of_one
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.comparison.subject import AnyMeasure, Subject
from pytest_bayesf1.comparison.suspicions import all_right
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.data.sides import Side, Sides
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.git import CHECKED_OUT, FileSource, FileVersion, Repository
from pytest_bayesf1.results.comparison import MOST_EARLIER, EarlierChange
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.results.schema import Text, plain
from pytest_bayesf1.results.timeline import DELETED, ITSELF, NewTestSet, VersionChange, VersionResult, VersionScore
from pytest_bayesf1.stats.posterior import FEWEST_CHANGES, Draws
from pytest_bayesf1.text import POINTS, counted, flowed, one_line, percent, short_commit, spoken_day
from pytest_bayesf1.words.amounts import Amounts
from pytest_bayesf1.words.notes import CHECK_FOR_LEAKAGE, leakage, warnings_on_shared
from pytest_bayesf1.writing import Cache, cache_folder, fingerprint

N_DRAWS = 5_000
"""Of a score or a change: their error is a fortieth of the interval's width."""

_SAME, _FIRST = "the same predictions", "the first"
_EARLIER, _NO_ANCHOR = "before the anchor", "no anchor"
"""Why there is no change."""

_REVISION = 4
"""Cache version. Increase it when the figures of the same versions change."""


@dataclass(frozen=True)
class Anchor:
    """The file from which the total loss of all versions is counted."""

    path: Path
    content: bytes
    reading: Schema
    words: str
    """Where it is from: of a version of a baseline its day and its commit, else the file."""
    blob: str = ""
    """Of the same file in git."""
    position: int = -1
    """Of the first version that is the same file; -1 where none is."""

    @classmethod
    def read(cls, path: Path, reading: Schema) -> Self:
        """Read a file that is checked out."""
        try:
            content = path.read_bytes()
        except OSError:
            raise BaselineError.plain(str(path), "Cannot read the anchor") from None
        return cls(path, content, reading, one_line(os.path.relpath(path)))

    def among(self, listed: Sequence[FileVersion], repository: Repository) -> Self:
        """Find it among the versions of a baseline."""
        hashes = [repository.hash_of(each) for each in (self.content, self.content.replace(b"\r\n", b"\n"))]
        for position, version in enumerate(listed):
            if version.blob in hashes:
                words = ", ".join(filter(None, (spoken_day(version.date), short_commit(version.commit))))
                return replace(self, words=words, blob=version.blob, position=position)
        return self

    @cached_property
    def side(self) -> Side:
        """What it holds."""
        return read_content(self.path.name, self.content, self.reading).counts


_SCORE = TypeAdapter(VersionScore)
_CHANGE: TypeAdapter[VersionChange | str] = TypeAdapter(VersionChange | Text)
T = TypeVar("T")


@dataclass(frozen=True)
class Versions:
    """The versions of one baseline, which are read, scored and compared when that is asked for.

    Attributes
    ----------
    arguments
        Of every estimate and comparison.
    reading
        How a file that is no stored baseline is read.
    kept
        The folder where figures are kept; None where they are not.
    """

    repository: Repository
    arguments: SharedArguments
    reading: Schema = AS_IT_IS
    kept: Path | None = None

    def walk(
        self,
        listed: Sequence[FileVersion],
        *,
        score: bool = False,
        change: CompareArguments | None = None,
        total: CompareArguments | None = None,
        anchor: Anchor | None = None,
    ) -> Iterator[VersionResult]:
        """Yield versions with as much as is asked for: the score, and changes since the one before and the anchor.

        Where changes are asked for, those that hold the same as the one before them are left out.
        """
        before: FileVersion | None = None
        for position, version in enumerate(listed):
            found = VersionResult(version.commit, version.date, version.subject, version.name)
            if not version.blob:
                yield replace(found, problem=DELETED)
                continue
            try:
                scored = self._score(version) if score else None
                changed = "" if change is None else self._change(before, version, change)
                lost = "" if total is None else self._total(version, position, anchor, total)
            except (BaselineError, InputError) as error:
                yield replace(found, problem=flowed(error.without_advice))
                continue
            before = version
            if changed != _SAME:
                of_change, of_total = _known_or_why("change", changed), _known_or_why("total", lost)
                words = anchor.words if anchor else ""
                yield replace(found, score=scored, **of_change, **of_total, anchor=words)

    def _score(self, version: FileVersion) -> VersionScore:
        """Estimate the score of a version."""

        def compute() -> VersionScore:
            now = self._read(version)
            return replace(brief_score(now.counts, **self.arguments), test_set=now.test_set)

        return self._found(_SCORE, compute, version)

    def _change(self, before: FileVersion | None, version: FileVersion, given: CompareArguments) -> VersionChange | str:
        """Compare a version with an earlier one; or say why there is no change."""
        if before is None:
            return _FIRST

        def compute() -> VersionChange | str:
            earlier, now = self._read(before), self._read(version)
            return _SAME if earlier.says_the_same(now.counts) else self._compared(earlier.counts, now.counts, given)

        return self._found(_CHANGE, compute, version, before=before.blob, given=_as_text(given))

    def _total(
        self, version: FileVersion, position: int, anchor: Anchor | None, given: CompareArguments
    ) -> VersionChange | str:
        """Compare a version with the anchor; or say why there is no change."""
        if anchor is None:
            return _NO_ANCHOR
        if version.blob == anchor.blob:
            return ITSELF
        if position < anchor.position:
            return _EARLIER
        file = [fingerprint([anchor.content.hex()]), asdict(anchor.reading)]
        return self._found(
            _CHANGE,
            lambda: self._compared(anchor.side, self._read(version).counts, given),
            version,
            anchor=file,
            given=_as_text(given),
        )

    def _compared(self, earlier: Side, later: Side, given: CompareArguments) -> VersionChange | str:
        changed = ChangedClasses.between(earlier, later)
        if changed is not None:
            return f"other classes ({changed.words})"
        asked: CompareArguments = {**self.arguments, **given}
        try:
            return brief_change(Sides.aligned(earlier, later), **asked)
        except InputError as error:
            return flowed(error.without_advice)

    @cached_property
    def _read(self) -> Callable[[FileVersion], Baseline]:
        """Read a version once: it is compared with the one before it and with the one after it."""

        def read(version: FileVersion) -> Baseline:
            return read_content(Path(version.name).name, self.repository.content(version), self.reading)

        return lru_cache(2)(read)

    def _found(self, kind: TypeAdapter[T], compute: Callable[[], T], version: FileVersion, **others: Any) -> T:
        """Find figures that are kept, or compute and keep them; an error says nothing that would be kept."""
        cache = Cache("versions", _REVISION, self.kept, kind.validate_python)
        origin = {**self._origin, "suffixes": Path(version.name).suffixes, "version": version.blob, **others}
        figures = cache.find(origin)
        if figures is None:
            figures = compute()
            cache.keep(origin, plain(figures))
        return figures

    @cached_property
    def _origin(self) -> dict[str, Any]:
        """What all figures depend on, as JSON has it."""
        gold = CHECKED_OUT.read(Path(self.reading.gold)) if self.reading.gold else None
        known = {"reading": asdict(self.reading), "gold": gold and fingerprint([gold.hex()])}
        return {"arguments": _as_text(self.arguments), **known}


def _known_or_why(name: str, found: VersionChange | str) -> dict[str, Any]:
    return {f"why_no_{name}": found} if isinstance(found, str) else {name: found}


def _as_text(arguments: Any) -> dict[str, str]:
    return {name: str(value) for name, value in arguments.items()}


def read_content(name: str, content: bytes, reading: Schema) -> Baseline:
    """Read the content of a stored baseline, or of any file of one side."""
    place = Path(name)
    if name.endswith(".json") and is_baseline_text(decoded(place, content)):
        return read_baseline(place, content).baseline
    with TemporaryDirectory(prefix="bayesf1-") as folder:
        copy = Path(folder) / name
        copy.write_bytes(content)  # which errors do not name
        return Baseline("", read_side(copy, "version", reading, name=name).counts())


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
    no_worse = found.hdi[0] > task.options.rope.low and not decided.is_open
    change = VersionChange(found.mean, found.std, found.hdi, found.decision, no_worse, new_test_set)
    right = all_right(task.subject)
    warnings = [] if right is None else [leakage(*right)]
    if decided.shared is not None:
        warnings += map(str, warnings_on_shared(decided.shared, found.decision))
    if measure.bounded:  # else what is large is unknown
        warnings += _large_change(change, task.subject)
    return replace(change, warnings=tuple(warnings))


def _task(sides: Sides, given: CompareArguments) -> tuple[ComparisonTask, NewTestSet | None]:
    """Choose how two versions are compared, and say so where their test sets differ."""
    given["weak_baseline"] = True  # what was judged then is not judged again
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


def _large_change(change: VersionChange, data: Subject[Any]) -> Iterator[str]:
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


_MOST_BYTES = 100_000_000
"""Of all versions together: reading more takes longer than a comparison may."""


def with_history(
    result: Comparison, path: Path, files: FileSource, reading: Schema, options: CompareOptions
) -> Comparison:
    """Compare the versions of a baseline as it is compared with the candidate, unless the result is clear without.

    Versions that cannot be read, that say the same, or that share too few examples with the one before say nothing; nor
    do those of a judge's grades, if people's correct the newest.
    """
    if result.is_clear or not isinstance(options.measure, str) or options.earlier is not None or result.judge:
        return result
    repository = files.repository(path)
    return result if repository is None else result.with_history([*_changes(repository, path, reading, options)])


def _changes(repository: Repository, path: Path, reading: Schema, options: CompareOptions) -> Iterator[EarlierChange]:
    versions = [each for each in repository.versions(path) if each.blob]
    size = path.stat().st_size if path.exists() else inf
    most = min(MOST_EARLIER + 1, int(_MOST_BYTES / max(size, 1)))
    versions = versions[max(len(versions) - most, 0) :]
    if len(versions) <= FEWEST_CHANGES:
        return
    given: Any = {name: value for name, value in vars(options).items() if name != "engine"} | {"n_draws": N_DRAWS}
    for version in Versions(repository, {}, reading, cache_folder()).walk(versions, change=given):
        if version.change is not None and version.change.is_of_shared_examples:
            yield EarlierChange(version.change.mean, version.change.std)
