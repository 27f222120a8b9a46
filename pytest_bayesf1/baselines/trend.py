"""The last versions of a baseline, for a report: their scores alone, which cost little, each computed once."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from pytest_bayesf1._util import Cache
from pytest_bayesf1.baselines.demands import Demands
from pytest_bayesf1.baselines.versions import VersionReader
from pytest_bayesf1.comparison.compare import brief_score
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.git import FileVersion, Repository
from pytest_bayesf1.results.other import MOST_POINTS, Trend, TrendPoint, VersionScore
from pytest_bayesf1.results.schema import Text, plain

_REVISION = 1
"""Of what is kept for the next time."""

_MOST_READ = 2 * MOST_POINTS
"""Versions that are read: some may be damaged, or the same predictions again."""


@dataclass(frozen=True)
class _Known:
    """The score of a version, or of its anchor, and what its test set is known by."""

    score: VersionScore
    test_set: Text


_KNOWN: TypeAdapter[_Known] = TypeAdapter(_Known)


class Trends:
    """The trends of the baselines of a run.

    Parameters
    ----------
    root
        The folder from which the baselines' files are seen.
    ref
        The commit up to which history counts.
    kept
        The folder where results are kept for the next time; None to keep none.
    """

    def __init__(self, root: Path, ref: str, kept: Path | None) -> None:
        self._root, self._ref = root, ref
        self._cache, self._load = Cache("scores", _REVISION, kept, _KNOWN.validate_python), cache(load_gates)

    def filled(self, trend: Trend, **given: Any) -> Trend:
        """Find the points of a trend.

        Parameters
        ----------
        trend
            Without any.
        **given
            Measure, ROPE, HDI and prior of the gate.

        Returns
        -------
        Trend
            With the last versions on the last one's test set.

        Raises
        ------
        BayesF1Error
            When the file has no history, or not of what the gate asks for.
        """
        path = self._root / trend.file
        repository = Repository.around(path, self._ref)
        demands = Demands.of(path, given, load=self._load)
        newest_first = reversed(repository.versions(path))
        with VersionReader(repository, demands.reading) as reader:
            series = _Scores(reader, demands, self._cache)
            points = list(islice(series.points(newest_first), MOST_POINTS))[::-1]
            anchor = None if trend.budget is None else series.anchor()
        return replace(trend, anchor=anchor, points=tuple(points))


class _Scores:
    """The scores of versions of one baseline."""

    def __init__(self, reader: VersionReader, demands: Demands, kept: Cache[_Known]) -> None:
        self._reader, self._demands, self._cache = reader, demands, kept
        self._newest: FileVersion | None = None

    def points(self, newest_first: Iterator[FileVersion]) -> Iterator[TrendPoint]:
        """Go back as far as the test set stays the same, to the commits that brought each score."""
        known = ((version, self._known(version)) for version in islice(newest_first, _MOST_READ) if version.blob)
        last: TrendPoint | None = None
        test_set = ""
        for version, found in known:
            if found is None:
                continue
            self._newest, test_set = self._newest or version, test_set or found.test_set
            if found.test_set != test_set:
                break
            point = TrendPoint(version.date, version.commit, found.score.mean, found.score.hdi)
            if last is not None and (last.score, last.hdi) != (point.score, point.hdi):
                yield last
            last = point
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
        settings = asdict(replace(self._demands, anchor=None))
        origin = {
            "demands": {name: settings[name] for name in ("measure", "hdi_prob", "prior", "reading")},
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
        demands = self._demands
        asked = {"measure": demands.measure, "hdi_prob": demands.hdi_prob, "prior": demands.prior}
        return brief_score(side, **asked)  # type: ignore[arg-type]
