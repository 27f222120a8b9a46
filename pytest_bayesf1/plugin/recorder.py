"""The comparisons made while one test runs."""

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.plugin.shared_fixtures import SharedFixtures, Source
from pytest_bayesf1.settings import Record

if TYPE_CHECKING:
    from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, EstimateEntry
    from pytest_bayesf1.results.comparison import Decision

T = TypeVar("T")
Recorded = tuple[Source | None, T]
"""What was recorded, and the shared fixture that it is from, if any."""

_N_ENTRIES, _N_PASSED = pytest.StashKey[int](), pytest.StashKey[int]()
_LINES = 5  # of a result, few enough for pytest to show them without -vv


class Recorder:
    """Hears of every comparison of one test and keeps it for the test's report."""

    def __init__(
        self, item: pytest.Item, shared_fixtures: SharedFixtures, *, in_full: bool, changes: Path | None
    ) -> None:
        self._item, self._in_full, self._changes = item, in_full, changes
        self._shared_fixtures = shared_fixtures
        self._summaries: list[tuple[str, list[str]]] = []
        self._unreported: list[Recorded[AnyEntry]] = []
        self._gates: list[Recorded[dict[str, Any]]] = []
        self._properties: list[tuple[str, object]] = []
        self._n_written = 0

    def start_over(self) -> None:
        """Forget an earlier attempt at the test."""
        self._summaries, self._unreported, self._gates, self._n_written = [], [], [], 0
        others = [known for known in self._item.user_properties if known not in self._properties]
        self._item.user_properties[:], self._properties = others, []

    def listen(self, record: Record) -> None:
        """Keep a record and note its main figures in the JUnit report."""
        from pytest_bayesf1.reports.entry import MOST_PASSED, entry_of

        config, passed = self._item.config, record.verdict == "passed"
        config.stash[_N_ENTRIES] = n_entries = config.stash.get(_N_ENTRIES, 0) + 1
        config.stash[_N_PASSED] = n_passed = config.stash.get(_N_PASSED, 0) + passed
        listed = not passed or n_passed <= MOST_PASSED
        entry = entry_of(record, in_full=self._in_full, root=config.rootpath, n_entries=n_entries, at_length=listed)
        self._unreported.append((self._shared_fixtures.running(), entry))
        parts = islice(record.result.parts(), _LINES)
        self._summaries.append((_decision(entry), "\n".join(parts).splitlines()[:_LINES]))
        properties = _junit_properties(len(self._summaries), entry)
        self._properties += properties
        self._item.user_properties += properties
        self._write_changes(record)

    def _write_changes(self, record: Record) -> None:
        """Write the examples behind a gate's verdict on all the data."""
        if self._changes is None or not record.policy or record.part:
            return
        from pytest_bayesf1.reports.writing import changes_path, write_changes

        self._n_written += 1
        write_changes(record.result, changes_path(self._changes, self._item.nodeid, self._n_written))

    def listen_to_gate(self, settings: dict[str, Any]) -> None:
        """Keep what a gate that judges demands."""
        self._gates.append((self._shared_fixtures.running(), settings))

    def listen_to_error(self, error: BayesF1Error) -> None:
        """Keep what kept the test from an answer."""
        from pytest_bayesf1.reports.entry import error_entry

        self._unreported.append((self._shared_fixtures.running(), error_entry(error)))

    def take(self) -> "list[Recorded[AnyEntry]]":
        """Hand over what was recorded since the last call, each with the shared fixture that it is from, if any."""
        taken, self._unreported = self._unreported, []
        return taken

    def take_gates(self) -> list[Recorded[dict[str, Any]]]:
        """Hand over the settings of the gates that judged since the last call, in the same way."""
        taken, self._gates = self._gates, []
        return taken

    def explain(self, decision: "Decision") -> list[str]:
        """Return the main lines about this test's comparisons that came to this decision."""
        lines = [line for symbol, lines in self._summaries if decision.value == symbol for line in lines]
        return lines or [f"{decision} means {decision.words}; the comparison was made before this test."]


def _decision(entry: "ComparisonEntry | EstimateEntry") -> str:
    return entry.decision.value if entry.kind == "comparison" else ""


def _junit_properties(number: int, entry: "ComparisonEntry | EstimateEntry") -> list[tuple[str, object]]:
    mean, posterior = ("delta", entry) if entry.kind == "comparison" else ("score", entry.score)
    figures = {
        "gate": entry.gate,
        "part": entry.part,
        "verdict": entry.verdict,
        "measure": entry.measure,
        "decision": _decision(entry),
        mean: f"{posterior.mean:.6f}",
        "hdi_low": f"{posterior.hdi[0]:.6f}",
        "hdi_high": f"{posterior.hdi[1]:.6f}",
    }
    return [(f"bayesf1.{number}.{name}", value) for name, value in figures.items() if value]
