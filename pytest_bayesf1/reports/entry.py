"""The entries of a report: where each result comes from, what was demanded of it, and its figures."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.results.comparison import (
    MOST_EXAMPLES,
    Group,
    Parts,
    ReportedChanges,
    ReportedComparison,
    ReportedEstimate,
)
from pytest_bayesf1.results.other import Trend
from pytest_bayesf1.results.schema import LONGEST, Count, Declared, Described, Limited, Tagged, Text, figures_of
from pytest_bayesf1.settings import Record

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.changes import Changes

VerdictName: TypeAlias = Literal["failed", "error", "warned", "undecided", "expected", "passed", ""]
PolicyName: TypeAlias = Literal[
    "not_worse", "not_even_slightly_worse", "not_inferior", "better", "equivalent", "at_least", ""
]


@dataclass(frozen=True, kw_only=True)
class Place(Declared):
    """Where a result comes from.

    Attributes
    ----------
    test
        Id of the test, the gate or the shared fixture that made it.
    file, line
        Where that stands; empty and 0 where it is not known.
    """

    test: Text
    file: Text
    line: Count


NOWHERE = Place(test="", file="", line=0)

MOST_PASSED = 50
"""Where more entries than this passed, a terminal lists none of them."""

_MOST_EXAMPLES = 20_000  # of all entries
EXPECTED = (
    "Its test is expected to fail (xfail), so the run is green. Remove the mark when this candidate is to be judged."
)


@dataclass(frozen=True, kw_only=True)
class Entry(Place):
    """What every entry says.

    Attributes
    ----------
    gate
        Name of the function that was called, or what the gate demands.
    part
        Which class or slice of the data it is about; empty when about all of them.
    verdict
        ``error`` where there is no answer; ``expected`` where either of the two cannot fail the run, for the test is
        expected to fail (xfail); empty when there was nothing to judge.
    policy
        What was demanded.
    advice
        What to do next.
    """

    gate: Text
    part: Text
    verdict: VerdictName
    policy: Annotated[
        PolicyName,
        Described("What was demanded; empty when nothing was judged, or an older version did not write it."),
    ]
    advice: Text

    @property
    def name(self) -> str:
        """The test or gate that an entry is from, and the part of the data that it is about."""
        return f"{self.test} {self.part}" if self.part else self.test

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at it: of whole gates also at what the data cannot tell, or what cannot fail."""
        return self.verdict in ("failed", "error", "warned") or (self._says_little and not self.part)

    @property
    def _says_little(self) -> bool:
        return self.verdict == "undecided"

    def of_expected_failure(self) -> Self:
        """Return the same of a test that is expected to fail, which keeps the run green."""
        if self.verdict not in ("failed", "error"):
            return self
        return replace(self, verdict="expected", advice=EXPECTED)

    def at(self, place: Place) -> Self:
        """Return the same from another place."""
        return replace(self, **figures_of(place, Place))


@dataclass(frozen=True, kw_only=True)
class ComparisonEntry(ReportedComparison, Entry):
    """A comparison, what was demanded of it, and what is behind it."""

    breakdown: Parts | None
    changes: Annotated[
        ReportedChanges | None,
        Described("What is predicted otherwise, of all the data; null of parts, of scores, and in older documents."),
    ]
    groups: Annotated[
        tuple[Group, ...],
        Limited(max_length=LONGEST),
        Described("Of all the data of a gate: its classes, and its slices by each column, shrunk toward each other."),
    ]
    trend: Annotated[
        Trend | None,
        Described("The last versions of the baseline's file in git, where it has a history; of all the data."),
    ]

    @property
    def _says_little(self) -> bool:
        return self.verdict == "undecided" or (self.verdict == "passed" and not self.can_fail)


@dataclass(frozen=True, kw_only=True)
class EstimateEntry(ReportedEstimate, Entry):
    """An estimate, and what was demanded of it."""


@dataclass(frozen=True, kw_only=True)
class ErrorEntry(Entry):
    """What kept a test or a gate from an answer."""

    kind: Literal["error"] = "error"
    verdict: Literal["error", "expected"]
    headline: Text


AnyEntry: TypeAlias = Annotated[ComparisonEntry | EstimateEntry | ErrorEntry, Tagged("kind")]


def room_for_examples(n_entries: int) -> int:
    """Return how many examples that changed an entry may hold in a report of so many entries."""
    return _MOST_EXAMPLES // max(1, n_entries)


def entry_of(
    record: Record, *, in_full: bool = False, root: Path | None = None, n_entries: int = 1, at_length: bool = True
) -> ComparisonEntry | EstimateEntry:
    """Put a record down for a report of so many entries, or more.

    In full it has what costs more draws, and the changes; files are as seen from the root. Told neither in full nor at
    length it lacks what takes longest to compute.
    """
    reported = record.result.reported(at_length=in_full or at_length)
    told: dict[str, Any] = {
        **figures_of(reported, type(reported)),
        **figures_of(NOWHERE, Place),
        **{name: str(getattr(record, name)) for name in ("gate", "part", "verdict", "policy", "advice")},
        "notes": (*reported.notes, *record.notes),
    }
    if isinstance(reported, ReportedEstimate):
        return EstimateEntry(**told)
    changes = _changes(record.result, room_for_examples(n_entries)) if in_full and not record.part else None
    trend = None if record.baseline is None or not in_full else Trend(_seen_from(root, record.baseline), record.budget)
    breakdown = _breakdown(record.result) if in_full else None
    return ComparisonEntry(**told, breakdown=breakdown, changes=changes, groups=record.groups, trend=trend)


def _seen_from(root: Path | None, file: Path) -> str:
    return Path(os.path.relpath(file, root or Path())).as_posix()


def _breakdown(result: Any) -> Parts | None:
    from pytest_bayesf1.comparison.breakdown import breakdown  # noqa: PLC0415 (reports that are read back need none)

    return breakdown(result)


def _changes(result: Any, room: int) -> ReportedChanges | None:
    changes: Changes | None = result.known_changes
    return None if changes is None else changes.reported(most_examples=min(room, MOST_EXAMPLES))


def error_entry(problem: BayesF1Error | str, place: Place = NOWHERE) -> ErrorEntry:
    """Tell that a test or a gate could not be answered."""
    told = figures_of(place, Place)
    return ErrorEntry(**told, gate="", part="", verdict="error", policy="", advice="", headline=str(problem))
