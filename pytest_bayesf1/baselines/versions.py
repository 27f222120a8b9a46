"""The versions of a baseline in git: how each is read, scored, and compared with an earlier one."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, TypeVar, Unpack

from pydantic import TypeAdapter

from pytest_bayesf1.baselines.classes import ChangedClasses
from pytest_bayesf1.baselines.store import Baseline, is_baseline_text, read_baseline, unpacked
from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.arguments import CompareArguments, Options, SharedArguments
from pytest_bayesf1.comparison.class_shares import moved_class
from pytest_bayesf1.comparison.compare import ComparisonTask
from pytest_bayesf1.comparison.design import subject_of_one
from pytest_bayesf1.comparison.subject import AnyMeasure, Subject
from pytest_bayesf1.comparison.suspicions import all_right
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.data.prevalence import BASELINE
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.two_sides import Sides
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.git import CHECKED_OUT, FileVersion, Repository
from pytest_bayesf1.project import is_baseline
from pytest_bayesf1.results.decisions import Decision
from pytest_bayesf1.results.schema import Text, plain
from pytest_bayesf1.results.timeline import ITSELF, NewTestSet, VersionChange, VersionScore
from pytest_bayesf1.stats.posterior import Draws
from pytest_bayesf1.text import POINTS, counted, flowed, one_line, percent
from pytest_bayesf1.words.amounts import Amounts
from pytest_bayesf1.words.notes import CHECK_FOR_LEAKAGE, leakage, warnings_on_shared
from pytest_bayesf1.writing import Cache, fingerprint

N_DRAWS = 5_000
"""Of a score or a change: their error is a fortieth of the interval's width."""

SAME, NO_ANCHOR = "the same predictions", "no anchor"
"""Why there is no change."""

_REVISION = 3
"""Cache version. Increase it when the figures of the same versions change."""


@dataclass(frozen=True)
class Scored:
    """The score of a version, what its test set is known by, and where its anchor is from."""

    score: VersionScore
    test_set: Text
    anchor: Text


@dataclass(frozen=True)
class AnchorFile:
    """A file from which the total loss of all versions is counted."""

    content: bytes
    reading: Schema
    side: Side

    @classmethod
    def read(cls, path: Path, reading: Schema) -> Self:
        """Read a file that is checked out."""
        try:
            content = path.read_bytes()
        except OSError:
            raise BaselineError.plain(str(path), "Cannot read the anchor") from None
        return cls(content, reading, read_content(path.name, content, reading).counts)


_SCORED = TypeAdapter(Scored)
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

    def score(self, version: FileVersion, *, of_anchor: bool = False) -> Scored:
        """Estimate the score of a version, or of the anchor that it holds."""

        def compute() -> Scored:
            now = self._read(version)
            side = now.anchor if of_anchor and now.anchor is not None else now.counts
            return Scored(brief_score(side, **self.arguments), now.test_set, now.origin.words)

        return self._found(_SCORED, compute, version, of_anchor=of_anchor)

    def change(
        self, before: FileVersion, version: FileVersion, **given: Unpack[CompareArguments]
    ) -> VersionChange | str:
        """Compare a version with an earlier one; or say why there is no change."""

        def compute() -> VersionChange | str:
            earlier, now = self._read(before), self._read(version)
            return SAME if earlier.says_the_same(now.counts) else self._compared(earlier.counts, now.counts, given)

        return self._found(_CHANGE, compute, version, before=before.blob, given=_as_text(given))

    def total(
        self, version: FileVersion, anchor: AnchorFile | None, **given: Unpack[CompareArguments]
    ) -> VersionChange | str:
        """Compare a version with an anchor, by default with the one that it holds; or say why there is no change."""

        def compute() -> VersionChange | str:
            now = self._read(version)
            earlier = now.anchor if anchor is None else anchor.side
            if earlier is None:
                return ITSELF if now.name else NO_ANCHOR
            return self._compared(earlier, now.counts, given)

        file = anchor and [fingerprint([anchor.content.hex()]), asdict(anchor.reading)]
        return self._found(_CHANGE, compute, version, anchor=file, given=_as_text(given))

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


def _as_text(arguments: Any) -> dict[str, str]:
    return {name: str(value) for name, value in arguments.items()}


def read_content(name: str, content: bytes, reading: Schema) -> Baseline:
    """Read the content of a stored baseline, or of any file of one side."""
    place = Path(name)
    if is_baseline(name) and is_baseline_text(unpacked(place, content)):
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
