"""`Report`: the results of a run as plain data, the only thing that a renderer sees."""

import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.gates.manifest.finding import Finding
from pytest_bayesf1.json_text import json_text
from pytest_bayesf1.reports.verdict import verdict_of

FORMAT = "pytest-bayesf1 report"
FORMAT_VERSION = 3

Entry = Mapping[str, Any]
_ORDER = {"failed": 0, "error": 1, "warned": 2, "undecided": 3, "": 4, "passed": 5}


@cache
def _versions() -> Mapping[str, str]:
    found = {"python": platform.python_version()}
    for package in ("pytest-bayesf1", "numpy", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return MappingProxyType(found)


@dataclass(frozen=True)
class Report:
    """The comparisons of a run, worst first.

    Attributes
    ----------
    entries
        One mapping a comparison or estimate: the ``test`` or the shared fixture that made it, and what `entry_of`
        gives; and one an error that kept a test from its answer.
    missing
        Ids of the tests that should have finished and did not, and of the files that could not be collected.
    changed
        Baselines and gate files that are others than in the commit that baselines were read from.
    findings
        How the gates that judged differ from those of the manifest; those that loosen first.
    versions
        Of Python and of the packages that computed the figures; by default those of this process.
    """

    entries: tuple[Entry, ...]
    missing: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    versions: Mapping[str, str] = field(default_factory=_versions)

    @classmethod
    def of(
        cls,
        entries: Iterable[Entry],
        missing: Iterable[str] = (),
        changed: Iterable[str] = (),
        findings: Iterable[Finding] = (),
    ) -> "Report":
        """Put entries in order: by verdict, then by test, then as the test made them."""
        ordered = sorted(entries, key=lambda entry: (_ORDER[entry["verdict"]], entry["test"]))
        loosening_first = sorted(findings, key=lambda finding: not finding.loosens)
        return cls(tuple(ordered), tuple(sorted(set(missing))), tuple(sorted(set(changed))), tuple(loosening_first))

    @property
    def complete(self) -> bool:
        """Whether everything that was to run finished."""
        return not self.missing

    @property
    def loosened(self) -> tuple[Finding, ...]:
        """What might let a regression pass that the manifest of gates would not."""
        return tuple(finding for finding in self.findings if finding.loosens)

    @property
    def verdict(self) -> str:
        """What the run as a whole comes to: see `pytest_bayesf1.reports.verdict`."""
        undecided = any(entry["verdict"] == "undecided" and not entry["part"] for entry in self.entries)
        return verdict_of(self.counts(), complete=self.complete, loosened=bool(self.loosened), undecided=undecided)

    def counts(self) -> dict[str, int]:
        """Return how many entries came to each verdict."""
        verdicts = [entry["verdict"] for entry in self.entries]
        return {
            "total": len(verdicts),
            **{name: verdicts.count(name) for name in ("failed", "error", "warned", "undecided", "passed")},
        }

    def tally(self) -> str:
        """Say how many entries came to each verdict."""
        counts = self.counts()
        without_gate = 2 * counts["total"] - sum(counts.values())
        parts = [f"{counts[name]} {name}" for name in ("failed", "warned", "passed")]
        if counts["error"]:
            parts.insert(1, f"{counts['error']} without an answer")
        if counts["undecided"]:
            parts.append(f"{counts['undecided']} could not tell")
        return ", ".join([*parts, f"{without_gate} without a gate"] if without_gate else parts)

    def to_json(self) -> str:
        """Write everything as JSON."""
        document = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "verdict": self.verdict,
            "versions": dict(self.versions),
            "complete": self.complete,
            "missing": list(self.missing),
            "changed": list(self.changed),
            "findings": [asdict(finding) for finding in self.findings],
            "counts": self.counts(),
            "entries": [dict(entry) for entry in self.entries],
        }
        return json_text(document)


def needs_attention(entry: Entry) -> bool:
    """Whether somebody should look at it: of whole gates also at what the data cannot tell, or what cannot fail."""
    verdict = entry["verdict"]
    says_little = verdict == "undecided" or (verdict == "passed" and not entry.get("can_fail", True))
    return verdict in ("failed", "error", "warned") or (says_little and not entry["part"])


def name_of(entry: Entry) -> str:
    """Name the test or gate that an entry is from, and the part of the data that it is about."""
    return f"{entry['test']} {entry['part']}" if entry["part"] else str(entry["test"])
