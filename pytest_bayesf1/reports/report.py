"""`Report`: the results of a run as plain data, the only thing that a renderer sees."""

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from typing import Any

FORMAT = "pytest-bayesf1 report"
FORMAT_VERSION = 1

Entry = Mapping[str, Any]
_ORDER = {"failed": 0, "warned": 1, "": 2, "passed": 3}


@dataclass(frozen=True)
class Report:
    """The comparisons of a run, worst first.

    Attributes
    ----------
    entries
        One mapping a comparison or estimate: the ``test`` that made it, its ``gate``, ``verdict`` and ``advice``, and
        what `Comparison.to_dict` or `Estimate.to_dict` gives.
    """

    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Report":
        """Put entries in order: by verdict, then by test, then as the test made them."""
        ordered = sorted(entries, key=lambda entry: (_ORDER[entry["verdict"]], entry["test"]))
        return cls(tuple(ordered))

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """Of Python and of the packages that computed the figures."""
        return _versions()

    def counts(self) -> dict[str, int]:
        """Return how many entries came to each verdict."""
        verdicts = [entry["verdict"] for entry in self.entries]
        return {
            "total": len(verdicts),
            **{name: verdicts.count(name) for name in ("failed", "warned", "passed")},
        }

    def to_json(self) -> str:
        """Write everything as JSON."""
        document = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "versions": dict(self.versions),
            "counts": self.counts(),
            "entries": [dict(entry) for entry in self.entries],
        }
        return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("pytest-bayesf1", "numpy", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
