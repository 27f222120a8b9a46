"""A version of a baseline beside the one before it and beside its anchor."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pytest_bayesf1._util import one_line
from pytest_bayesf1.baselines.baseline import Baseline
from pytest_bayesf1.baselines.demands import Demands
from pytest_bayesf1.baselines.origin import Origin
from pytest_bayesf1.baselines.versions import VersionReader
from pytest_bayesf1.comparison.compare import brief_change, brief_score
from pytest_bayesf1.comparison.design import without_advice
from pytest_bayesf1.comparison.options import CompareArguments, SharedArguments
from pytest_bayesf1.comparison.subject import aligned
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.gates.evaluate import rope_of_total
from pytest_bayesf1.git import FileVersion, Repository, git
from pytest_bayesf1.results.other import ITSELF, VersionChange, VersionFigures
from pytest_bayesf1.stats.decision import Rope

_FIRST, _NO_ANCHOR, _EARLIER = "the first", "no anchor", "before the anchor"
_ANOTHER_TEST_SET = "another test set"


@dataclass(frozen=True)
class Step:
    """A version that is not deleted, and the one before it that could be read.

    Attributes
    ----------
    place
        Position among all versions.
    """

    before: FileVersion | None
    version: FileVersion
    place: int


@dataclass(frozen=True)
class Anchor:
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
    def of(cls, path: Path, repository: Repository, versions: Sequence[FileVersion]) -> "Anchor":
        """Find a file among the versions of a baseline.

        Parameters
        ----------
        path
            The file.
        repository, versions
            Of the baseline.

        Raises
        ------
        BaselineError
            When the file cannot be read.
        """
        hashed = git(repository.top, "hash-object", "--", str(path.absolute()))
        if hashed is None:
            raise BaselineError(str(path), "an anchor", "no file that can be read")
        blob = hashed.decode().strip()
        position = next((place for place, each in enumerate(versions) if each.blob == blob), -1)
        origin = Origin(versions[position].date, versions[position].commit) if position >= 0 else Origin()
        return cls(path, blob, position, origin.words or one_line(os.path.relpath(path)))


@dataclass(frozen=True)
class Steps:
    """Compares the versions of one baseline.

    Attributes
    ----------
    reader
        Which reads them.
    demands
        What they are compared by.
    anchor
        From which the total loss of all is counted; None where each has its own, or there is none.
    """

    reader: VersionReader
    demands: Demands
    anchor: Anchor | None

    def figures(self, step: Step) -> VersionFigures:
        """Compare a version with the one before it and with its anchor.

        Parameters
        ----------
        step
            Both versions.

        Raises
        ------
        BaselineError, InputError
            When the file that is the anchor of all versions cannot be used.
        """
        try:
            earlier = None if step.before is None else self.reader.read(step.before)
            now = self.reader.read(step.version)
            if earlier is not None and earlier.says_the_same(now.counts):
                return VersionFigures(repeats=True)
            score = brief_score(now.counts, **self._arguments)
        except (BaselineError, InputError) as error:
            return VersionFigures(problem=one_line(without_advice(error)))
        rope = self.demands.rope
        change = _FIRST if earlier is None else self._change(earlier.counts, now.counts, rope)
        anchor = self._anchor_of(now, step)
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
