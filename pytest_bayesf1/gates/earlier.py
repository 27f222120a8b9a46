"""How the score changed before: the versions of a baseline's file in git, each compared with the one before it."""

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

from pytest_bayesf1.baselines.versions import N_DRAWS, Versions
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.git import FileSource, Repository
from pytest_bayesf1.results.comparison import MOST_EARLIER, EarlierChange
from pytest_bayesf1.stats.usual import FEWEST_CHANGES
from pytest_bayesf1.writing import cache_folder

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
    versions = versions[-min(MOST_EARLIER + 1, int(_MOST_BYTES / max(size, 1))) :]
    if len(versions) <= FEWEST_CHANGES:
        return
    given: Any = {name: value for name, value in vars(options).items() if name != "engine"} | {"n_draws": N_DRAWS}
    for version in Versions(repository, {}, reading, cache_folder()).walk(versions, change=given):
        if version.change is not None and version.change.is_of_shared_examples:
            yield EarlierChange(version.change.mean, version.change.std)
