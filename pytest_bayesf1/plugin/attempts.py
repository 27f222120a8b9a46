"""Of every test, what its last attempt recorded; of every shared fixture, what its last run did."""

from collections.abc import Iterator
from typing import Any

import pytest

from pytest_bayesf1.plugin.recorder import Recorded
from pytest_bayesf1.plugin.shared_fixtures import Source


class Attempts:
    """Forgets what a test said when it is run again. Each worker that runs a test attempts it on its own.

    ``attribute`` is where tests' reports have what was recorded: comparisons, or gates.
    """

    def __init__(self, attribute: str = "bayesf1") -> None:
        self._attribute = attribute
        self._entries: dict[tuple[str, str], list[dict[str, Any]]] = {}
        self._superseded: set[tuple[str, str]] = set()

    def hear(self, report: pytest.TestReport) -> None:
        """Keep what came with a test's report, from this process or from a worker."""
        recorded: list[Recorded] = getattr(report, self._attribute, [])
        self._hear_shared_fixtures(recorded)
        attempt = report.nodeid, getattr(report, "worker_id", "")
        if report.when == "setup":
            self._entries[attempt] = []
            self._superseded.discard(attempt)
        if str(report.outcome) == "rerun":  # as pytest-rerunfailures calls a failure that does not count
            self._entries[attempt] = []
            self._superseded.add(attempt)
        if attempt in self._superseded:
            kept = [(name, value) for name, value in report.user_properties if not str(name).startswith("bayesf1.")]
            report.user_properties = kept
            return
        file, line, _ = report.location
        place = {"test": report.nodeid, "file": file.replace("\\", "/"), "line": 0 if line is None else line + 1}
        own = [{**place, **entry} for source, entry in recorded if source is None]
        self._entries.setdefault(attempt, []).extend(own)

    def _hear_shared_fixtures(self, recorded: list[Recorded]) -> None:
        """Keep what a shared fixture said when it ran last: every worker, and every use with a parameter, runs it."""
        heard: dict[Source, list[dict[str, Any]]] = {}
        for source, entry in recorded:
            if source is not None:
                heard.setdefault(source, []).append({"test": source[0], "file": "", "line": 0, **entry})
        self._entries.update(heard)

    def entries(self) -> Iterator[dict[str, Any]]:
        """Yield what was recorded by test or fixture, and then as it came."""
        for _, entries in sorted(self._entries.items()):
            yield from entries
