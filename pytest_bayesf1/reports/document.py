"""What report.json holds."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pytest_bayesf1.reports.entry import AnyEntry
from pytest_bayesf1.reports.together import Together
from pytest_bayesf1.results.other import Finding, RunIdentity
from pytest_bayesf1.results.schema import LONGEST, Count, Declared, Described, Flag, Limited, Text, Texts

FORMAT: Literal["pytest-bayesf1 report"] = "pytest-bayesf1 report"
VERSION: Literal[4] = 4

RunVerdict: TypeAlias = Literal["failed", "error", "none", "loosened", "warned", "undecided", "expected", "passed"]


@dataclass(frozen=True, kw_only=True)
class Verdicts(Declared):
    """How many entries came to each verdict."""

    total: Count
    failed: Count
    error: Count
    warned: Count
    undecided: Count
    expected: Count
    passed: Count

    @property
    def judged(self) -> int:
        """How many were judged."""
        return self.failed + self.error + self.warned + self.undecided + self.expected + self.passed

    @property
    def without_gate(self) -> int:
        """How many were not."""
        return self.total - self.judged


@dataclass(frozen=True, kw_only=True)
class Document(Declared):
    """The content of report.json."""

    format: Literal["pytest-bayesf1 report"]
    version: Literal[4]
    verdict: Annotated[
        RunVerdict,
        Described(
            "Of the whole run, the gravest that applies. none: no gate judged. loosened: see findings. expected: what "
            "failed was to fail (xfail)."
        ),
    ]
    run: RunIdentity
    versions: Annotated[
        dict[Text, Text],
        Limited(max_length=100),
        Described("Of Python and of the packages that computed the figures."),
    ]
    complete: Annotated[Flag, Described("Whether everything that was to run finished.")]
    missing: Annotated[Texts, Described("What did not finish.")]
    changed: Annotated[Texts, Described("Baselines and gate files that differ from those of the base commit.")]
    findings: Annotated[
        tuple[Finding, ...],
        Limited(max_length=LONGEST),
        Described("Against the manifest of gates; what loosens a gate first."),
    ]
    counts: Verdicts
    together: Annotated[
        Together | None, Described("Expected numbers of true losses in all; null in documents of older versions.")
    ]
    entries: Annotated[
        tuple[AnyEntry, ...],
        Described("The worst first. Where a number is infinite or unknown, there is null."),
    ]


def json_schema() -> dict[str, Any]:
    """Describe report.json: JSON Schema, draft 2020-12."""
    from pydantic import TypeAdapter  # noqa: PLC0415 (who only writes a report needs none)

    schema = TypeAdapter(Document).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Report of pytest-bayesf1"}
