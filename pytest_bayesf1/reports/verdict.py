"""What entries and whole runs come to, in one word: its order, its sign and how people say it."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pytest_bayesf1.reports.document import RunVerdict, Verdicts
from pytest_bayesf1.reports.entry import VerdictName


@dataclass(frozen=True)
class Shown:
    """How a verdict is shown: a sign that nobody needs colours for, words, and words behind a number."""

    sign: str
    words: str
    counted: str


VERDICTS: Mapping[VerdictName, Shown] = MappingProxyType(
    {
        "failed": Shown("❌", "failed", "failed"),
        "error": Shown("❌", "no answer", "without an answer"),
        "warned": Shown("⚠️", "warned", "warned"),
        "undecided": Shown("❔", "undecided", "could not tell"),
        "expected": Shown("🔕", "expected failure", "failed as expected"),
        "": Shown("➖", "no gate", "without a gate"),
        "passed": Shown("✅", "passed", "passed"),
    }
)
"""Those of entries, the gravest first."""


def verdict_of(counts: Verdicts, *, complete: bool, loosened: bool, undecided: bool) -> RunVerdict:
    """Return the gravest verdict that applies.

    Parameters
    ----------
    counts
        How many entries came to each verdict.
    complete
        Whether everything that was to run finished.
    loosened
        Whether the gates are looser than those of the manifest.
    undecided
        Whether of a whole gate, not merely of a class or a slice, the data cannot tell.
    """
    gravest_first: tuple[tuple[RunVerdict, bool], ...] = (
        ("failed", counts.failed > 0),
        ("error", counts.error > 0 or not complete),
        ("none", counts.judged == 0),
        ("loosened", loosened),
        ("warned", counts.warned > 0),
        ("undecided", undecided),
        ("expected", counts.expected > 0),
    )
    return next((verdict for verdict, applies in gravest_first if applies), "passed")
