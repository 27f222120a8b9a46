"""The history of a baseline, from git itself: every version compared with the one before it and with its anchor."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from itertools import chain, pairwise, repeat
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic import TypeAdapter

from pytest_bayesf1._util import Cache
from pytest_bayesf1.baselines.demands import Demands
from pytest_bayesf1.baselines.steps import Anchor, Step, Steps
from pytest_bayesf1.baselines.versions import VersionReader
from pytest_bayesf1.engines.protocol import available_threads
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.gates.policy import Policy, Verdict
from pytest_bayesf1.git import FileVersion, Repository
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.other import DELETED, History, Version, VersionFigures
from pytest_bayesf1.results.schema import plain

_REVISION = 1
"""Of what is kept for the next time: it counts up when the same versions would be told otherwise."""

_TRIED, _LONG = 4, 10.0
"""After so many versions it is clear whether the others take long, in seconds."""

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
    anchor = None if demands.anchor is None else Anchor.of(demands.anchor, repository, found)
    cache = Cache("history", _REVISION, kept, _FIGURES.validate_python)
    versions = tuple(_Series(repository, demands, anchor, cache).told(found))
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
class _Series:
    """Versions of one baseline, each compared with those before it, unless what came of it is kept.

    Attributes
    ----------
    ahead
        Figures of versions that other processes have computed already.
    """

    repository: Repository
    demands: Demands
    anchor: Anchor | None
    cache: Cache[VersionFigures]
    ahead: dict[Step, VersionFigures] = field(default_factory=dict)

    def told(self, versions: Sequence[FileVersion]) -> Iterator[Version]:
        """Tell of each version; of those that say what the one before them says nothing."""
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
            "demands": self._settings,
            "suffixes": Path(step.version.name).suffixes,
            "before": step.before and step.before.blob,
            "version": step.version.blob,
            "anchor": self.anchor and [self.anchor.blob, step.place < self.anchor.position],
        }

    @cached_property
    def _settings(self) -> dict[str, Any]:
        """The demands, as JSON has them."""
        return asdict(replace(self.demands, anchor=None))

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
