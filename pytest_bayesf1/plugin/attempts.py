"""Of every test, what its last attempt recorded; of every shared fixture, what its last run did."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic

import pytest

from pytest_bayesf1.plugin.recorder import Recorded, T
from pytest_bayesf1.plugin.shared_fixtures import Source

if TYPE_CHECKING:
    from pytest_bayesf1.reports.entry import Place


class Attempts(Generic[T]):
    """Forgets what a test said when it is run again. Each worker that runs a test attempts it on its own.

    ``attribute`` is where tests' reports have what was recorded: comparisons, or gates.
    """

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute
        self._recorded: dict[tuple[str, str], list[tuple[Place, T]]] = {}
        self._superseded: set[tuple[str, str]] = set()

    def hear(self, report: pytest.TestReport) -> None:
        """Keep what came with a test's report, from this process or from a worker."""
        recorded: list[Recorded[T]] = getattr(report, self._attribute, [])
        self._hear_shared_fixtures(recorded)
        attempt = report.nodeid, getattr(report, "worker_id", "")
        if report.when == "setup":
            self._recorded[attempt] = []
            self._superseded.discard(attempt)
        if str(report.outcome) == "rerun":  # as pytest-rerunfailures calls a failure that does not count
            self._recorded[attempt] = []
            self._superseded.add(attempt)
        if attempt in self._superseded:
            kept = [(name, value) for name, value in report.user_properties if not str(name).startswith("bayesf1.")]
            report.user_properties = kept
            return
        own = [value for source, value in recorded if source is None]
        if own:
            place = _place(report)
            self._recorded.setdefault(attempt, []).extend((place, value) for value in own)

    def _hear_shared_fixtures(self, recorded: list[Recorded[T]]) -> None:
        """Keep what a shared fixture said when it ran last: every worker, and every use with a parameter, runs it."""
        heard: dict[Source, list[tuple[Place, T]]] = {}
        for source, value in recorded:
            if source is not None:
                heard.setdefault(source, []).append((_fixture(source), value))
        self._recorded.update(heard)

    def recorded(self) -> "Iterator[tuple[Place, T]]":
        """Yield what was recorded and where, by test or fixture, and then as it came."""
        for _, values in sorted(self._recorded.items(), key=lambda each: each[0]):
            yield from values


def _place(report: pytest.TestReport) -> "Place":
    from pytest_bayesf1.reports.entry import Place

    file, line, _ = report.location
    return Place(test=report.nodeid, file=file.replace("\\", "/"), line=0 if line is None else line + 1)


def _fixture(source: Source) -> "Place":
    from pytest_bayesf1.reports.entry import Place

    return Place(test=source[0], file="", line=0)
