"""From what a gate found to an entry of the report."""

import json
from typing import Any

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.session import Record


def entry_of(record: Record, *, in_full: bool = False) -> dict[str, Any]:
    """Put a record into plain types, which alone cross process boundaries; in full with what costs more draws."""
    told = {name: getattr(record, name) for name in ("gate", "part", "verdict", "policy", "advice")}
    figures = {**told, **record.result.to_dict()}
    if figures["kind"] == "comparison":
        figures["breakdown"] = _breakdown(record.result) if in_full else None
    figures["notes"] = [*figures["notes"], *record.notes]
    entry: dict[str, Any] = json.loads(json.dumps(figures, allow_nan=False))
    return entry


def _breakdown(result: Any) -> dict[str, Any] | None:
    from pytest_bayesf1.comparison.breakdown import Breakdown  # noqa: PLC0415 (reports that are read back need none)

    found = Breakdown.of(result)
    return None if found is None else found.to_dict()


def error_entry(problem: BayesF1Error | str) -> dict[str, Any]:
    """Tell that a test or a gate could not be answered."""
    return {"kind": "error", "gate": "", "part": "", "verdict": "error", "advice": "", "headline": str(problem)}
