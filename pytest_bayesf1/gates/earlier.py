"""How the score changed before: the versions of a baseline's file in git, each compared with the one before it."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pytest_bayesf1.choices import OnNewTestSet
from pytest_bayesf1.comparison.compare import Comparison, ComparisonTask
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.comparison.sampling import draw_delta
from pytest_bayesf1.data.paired import Side, digests_of
from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.git import Blobs, FileSource, FileVersion, Repository
from pytest_bayesf1.results.comparison import MOST_EARLIER, EarlierChange
from pytest_bayesf1.stats.usual import FEWEST_CHANGES
from pytest_bayesf1.writing import Cache, cache_folder

N_DRAWS = 5_000
"""Of a version: their error is a fortieth of the interval's width."""
_MOST_BYTES = 100_000_000
"""Of all versions together: reading more takes longer than a comparison may."""
_REVISION = 1
"""Cache version. Increase it when the change between the same versions becomes another one."""


def with_history(
    result: Comparison, path: Path, files: FileSource, read: Callable[[Path], Side], reading: str, task: ComparisonTask
) -> Comparison:
    """Compare the versions of a baseline as a task compares it with a candidate, unless the result is clear without.

    Versions that cannot be read, that say the same, or that share too few examples with the one before say nothing.

    Parameters
    ----------
    read
        Reads a copy of a version.
    reading
        What it depends on.
    """
    options = task.options
    if result.is_clear or not isinstance(options.measure, str) or options.earlier is not None:
        return result
    repository = files.repository(path)
    return result if repository is None else result.with_history(_changes(repository, path, read, reading, task))


def _changes(
    repository: Repository, path: Path, read: Callable[[Path], Side], reading: str, task: ComparisonTask
) -> list[EarlierChange]:
    versions = [each for each in repository.versions(path) if each.blob]
    size = path.stat().st_size if path.exists() else inf
    versions = versions[-min(MOST_EARLIER + 1, int(_MOST_BYTES / max(size, 1))) :]
    if len(versions) <= FEWEST_CHANGES:
        return []
    cache: Cache[list[EarlierChange]] = Cache("changes", _REVISION, cache_folder(), _parsed)
    asked = {
        name: str(value) for name, value in vars(task.options).items() if name not in ("rope", "engine", "n_draws")
    }
    found: list[EarlierChange] = []
    with Blobs(repository) as blobs, TemporaryDirectory(prefix="bayesf1-") as folder:

        @lru_cache(2)
        def side(version: FileVersion) -> Side:
            copy = Path(folder) / Path(version.name).name
            copy.write_bytes(blobs.content(version.blob, copy.name))
            return read(copy)

        for before, now in pairwise(versions):
            origin = {**asked, "reading": reading, "before": before.blob, "now": now.blob}
            change = cache.find(origin)
            if change is None:
                try:
                    change = _change(side(before), side(now), task)
                except BayesF1Error:
                    change = []
                cache.keep(origin, [[each.mean, each.std] for each in change])
            found += change
    return found


def _parsed(kept: Any) -> list[EarlierChange]:
    return [EarlierChange(float(mean), float(std)) for mean, std in kept]


def _change(before: Side, now: Side, task: ComparisonTask) -> list[EarlierChange]:
    if len({*digests_of(before, now)}) == 1:
        return []
    sides = Sides.aligned(before, now)
    if sides.difference_on(OnNewTestSet.SHARED):
        return []
    options = replace(task.options, n_draws=N_DRAWS)
    (drawn,) = draw_delta(task.on(sides).subject, options, (task.measure(options.measure),))
    return [EarlierChange(drawn.summary.mean, drawn.summary.std)]
