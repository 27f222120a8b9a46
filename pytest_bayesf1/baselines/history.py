"""The history of a baseline, from git itself: every version compared with the one before it and with its anchor."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from pytest_bayesf1 import __version__
from pytest_bayesf1.baselines.baseline import Baseline
from pytest_bayesf1.baselines.demands import Demands
from pytest_bayesf1.baselines.origin import Origin
from pytest_bayesf1.baselines.versions import VersionReader
from pytest_bayesf1.cache import Cache
from pytest_bayesf1.comparison.brief import brief_change, brief_score
from pytest_bayesf1.comparison.options import CompareArguments, SharedArguments
from pytest_bayesf1.comparison.sides import without_advice
from pytest_bayesf1.comparison.subjects import aligned
from pytest_bayesf1.counts.conversion import Side
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.gates.policy import Policy, Verdict
from pytest_bayesf1.gates.since_anchor import rope_of_total
from pytest_bayesf1.git import git
from pytest_bayesf1.git_versions import FileVersion, Repository
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.history import DELETED, ITSELF, History, Version, VersionChange, VersionFigures
from pytest_bayesf1.results.plain import plain
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.text import one_line

_REVISION = 1
"""Of what is kept for the next time: it counts up when the same versions would be told otherwise."""

_FIRST, _NO_ANCHOR, _EARLIER = "the first", "no anchor", "before the anchor"
_ANOTHER_TEST_SET = "another test set"
_GRAVEST_FIRST = (Verdict.FAILED, Verdict.WARNED, Verdict.UNDECIDED, Verdict.PASSED)
_FIGURES: TypeAdapter[VersionFigures] = TypeAdapter(VersionFigures)


def history_of(path: Path, demands: Demands, kept: Path | None = None) -> History:
    """Compare all versions of a baseline that git knows.

    Parameters
    ----------
    path
        A stored baseline, or a file of predictions or counts.
    demands
        What versions are compared by.
    kept
        The folder where results are kept for the next time; None to compute all of them.

    Returns
    -------
    History
        Versions that hold the predictions of the one before them are left out.

    Raises
    ------
    BaselineError
        When git knows no version of it, or the anchor cannot be read.
    InputError
        When a demand cannot be used.
    """
    repository = Repository.around(path)
    found = repository.versions(path)
    if not found:
        raise BaselineError(str(path), "a file that git has versions of", "none", "Commit it, then ask again.")
    name = parse_name(demands.measure)
    with VersionReader(repository, demands.reading) as reader:
        anchor = None if demands.anchor is None else _Anchor.of(demands.anchor, repository, found)
        series = _Series(reader, demands, anchor, Cache("history", kept))
        versions = tuple(series.told(found))
    return History(
        file=os.path.relpath(path),
        measure=name.text,
        measure_words=name.words,
        bounded=name.bounded,
        rope=(demands.rope.low, demands.rope.high),
        budget=demands.budget,
        hdi_prob=demands.hdi_prob,
        shallow=repository.is_shallow,
        versions=versions,
    )


@dataclass(frozen=True)
class _Anchor:
    """A file from which the total loss of all versions is counted.

    Attributes
    ----------
    blob
        Hash of its content.
    position
        Of the first version that is the same file; -1 where none is.
    words
        Where it is from.
    """

    path: Path
    blob: str
    position: int
    words: str

    @classmethod
    def of(cls, path: Path, repository: Repository, versions: Sequence[FileVersion]) -> "_Anchor":
        hashed = git(repository.top, "hash-object", "--", str(path.absolute()))
        if hashed is None:
            raise BaselineError(str(path), "an anchor", "no file that can be read")
        blob = hashed.decode().strip()
        position = next((place for place, each in enumerate(versions) if each.blob == blob), -1)
        origin = Origin(versions[position].date, versions[position].commit) if position >= 0 else Origin()
        return cls(path, blob, position, origin.words or one_line(os.path.relpath(path)))


@dataclass(frozen=True)
class _Series:
    """Versions of one baseline, each compared with those before it."""

    reader: VersionReader
    demands: Demands
    anchor: _Anchor | None
    cache: Cache

    def told(self, versions: Sequence[FileVersion]) -> Iterator[Version]:
        """Tell of each version; of those that say what the one before them says nothing."""
        before: FileVersion | None = None
        for place, version in enumerate(versions):
            figures = self._figures(before, version, place)
            if not figures.problem:
                before = version
            if not figures.repeats:
                yield _version(version, figures)

    def _figures(self, before: FileVersion | None, version: FileVersion, place: int) -> VersionFigures:
        if not version.blob:
            return VersionFigures(problem=DELETED)
        origin = {
            "package": [__version__, _REVISION],
            "demands": self._settings,
            "suffixes": Path(version.name).suffixes,
            "before": before and before.blob,
            "version": version.blob,
            "anchor": self.anchor and [self.anchor.blob, place < self.anchor.position],
        }
        try:
            return _FIGURES.validate_python(self.cache.find(origin))
        except ValidationError:
            figures = self._computed(before, version, place)
        self.cache.keep(origin, plain(figures))
        return figures

    @cached_property
    def _settings(self) -> dict[str, Any]:
        """The demands, as JSON has them."""
        return asdict(replace(self.demands, anchor=None))

    def _computed(self, before: FileVersion | None, version: FileVersion, place: int) -> VersionFigures:
        try:
            earlier = None if before is None else self.reader.read(before)
            now = self.reader.read(version)
            if earlier is not None and earlier.says_the_same(now.counts):
                return VersionFigures(repeats=True)
            score = brief_score(now.counts, **self._arguments)
        except (BaselineError, InputError) as error:
            return VersionFigures(problem=one_line(without_advice(error)))
        rope = self.demands.rope
        change = _FIRST if earlier is None else self._change(earlier.counts, now.counts, rope)
        anchor = self._anchor_of(now, version, place)
        total = anchor if isinstance(anchor, str) else self._change(anchor, now.counts, self._rope_of_total)
        return VersionFigures(
            score=score,
            change=change if isinstance(change, VersionChange) else None,
            why_no_change=change if isinstance(change, str) else "",
            total=total if isinstance(total, VersionChange) else None,
            why_no_total=total if isinstance(total, str) else "",
            anchor=self._words(now),
        )

    @property
    def _arguments(self) -> SharedArguments:
        demands = self.demands
        return {"measure": demands.measure, "hdi_prob": demands.hdi_prob, "prior": demands.prior}

    @property
    def _rope_of_total(self) -> Rope:
        return rope_of_total(self.demands.rope, self.demands.budget)

    def _anchor_of(self, now: Baseline, version: FileVersion, place: int) -> Side | str:
        """Return what total loss is counted from; or why it is not."""
        anchor = self.anchor
        if anchor is None:
            return now.anchor or (ITSELF if now.name else _NO_ANCHOR)
        if version.blob == anchor.blob:
            return ITSELF
        return _EARLIER if place < anchor.position else self._anchor_file.counts

    @cached_property
    def _anchor_file(self) -> Baseline:
        assert self.anchor is not None
        return self.reader.read_file(self.anchor.path)

    def _words(self, now: Baseline) -> str:
        return now.origin.words if self.anchor is None else self.anchor.words

    def _change(self, earlier: Side, later: Side, rope: Rope) -> VersionChange | str:
        """Compare two versions; or say why they cannot be compared."""
        arguments: CompareArguments = {**self._arguments, "rope": rope}  # type: ignore[typeddict-item]
        try:
            sides = aligned(earlier, later)
            return _ANOTHER_TEST_SET if sides.difference_of_test_sets else brief_change(sides, **arguments)
        except InputError as error:
            return one_line(without_advice(error))


def _version(version: FileVersion, figures: VersionFigures) -> Version:
    known = {field.name: getattr(figures, field.name) for field in fields(VersionFigures)}
    return Version(
        **known,
        commit=version.commit,
        date=version.date,
        subject=version.subject,
        file=version.name,
        verdict=_verdict(figures),
    )


def _verdict(figures: VersionFigures) -> Any:
    """Return the graver of the two verdicts that a gate would have come to; empty where nothing was compared."""
    changes = (each for each in (figures.change, figures.total) if each is not None)
    verdicts = [Policy.NOT_WORSE.unless_worse(change.decision) for change in changes]
    return min(verdicts, key=_GRAVEST_FIRST.index).value if verdicts else ""
