"""The comparisons made while one test runs."""

import json
from typing import Any

import pytest

from pytest_bayesf1.session import Record
from pytest_bayesf1.stats.decision import Decision

_LINES = 5  # of a result, few enough for pytest to show them without -vv


class Recorder:
    """Hears of every comparison of one test and keeps it as plain data, fit to cross process boundaries."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._told: list[tuple[str, list[str]]] = []
        self._unreported: list[dict[str, Any]] = []

    def listen(self, record: Record) -> None:
        """Keep a record and note its main figures in the JUnit report."""
        figures = {"gate": record.gate, "verdict": record.verdict, "advice": record.advice, **record.result.to_dict()}
        entry = json.loads(json.dumps(figures, allow_nan=False))  # plain types only: xdist can send no others
        self._unreported.append(entry)
        self._told.append((entry.get("decision", ""), str(record.result).splitlines()[:_LINES]))
        self._item.user_properties.extend(_junit_properties(len(self._told), entry))

    def take(self) -> list[dict[str, Any]]:
        """Hand over what was recorded since the last call."""
        taken, self._unreported = self._unreported, []
        return taken

    def explain(self, decision: Decision) -> list[str]:
        """Return the main lines about this test's comparisons that came to this decision."""
        lines = [line for symbol, lines in self._told if decision.value == symbol for line in lines]
        return lines or [f"{decision} means {decision.words}; the comparison was made before this test."]


def _junit_properties(number: int, entry: dict[str, Any]) -> list[tuple[str, object]]:
    posterior = entry if entry["kind"] == "comparison" else entry["score"]
    figures = {
        "gate": entry["gate"],
        "verdict": entry["verdict"],
        "measure": entry["measure"],
        "decision": entry.get("decision", ""),
        "delta" if entry["kind"] == "comparison" else "score": f"{posterior['mean']:.6f}",
        "hdi_low": f"{posterior['hdi'][0]:.6f}",
        "hdi_high": f"{posterior['hdi'][1]:.6f}",
    }
    return [(f"bayesf1.{number}.{name}", value) for name, value in figures.items() if value]
