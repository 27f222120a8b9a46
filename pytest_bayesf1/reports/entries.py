"""From what a gate found to an entry of the report."""

import json
from typing import Any

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.session import Record


def entry_of(record: Record) -> dict[str, Any]:
    """Put a record into plain types, which alone cross process boundaries."""
    told = {"gate": record.gate, "part": record.part, "verdict": record.verdict, "advice": record.advice}
    figures = {**told, **record.result.to_dict()}
    figures["notes"] = [*figures["notes"], *record.notes]
    entry: dict[str, Any] = json.loads(json.dumps(figures, allow_nan=False))
    return entry


def error_entry(problem: BayesF1Error | str) -> dict[str, Any]:
    """Tell that a test or a gate could not be answered."""
    return {"kind": "error", "gate": "", "part": "", "verdict": "error", "advice": "", "headline": str(problem)}
