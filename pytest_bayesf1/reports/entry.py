"""A report and its entries: what is recorded of each comparison, and in which order it is shown."""

import platform
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeAlias

from pytest_bayesf1.errors import BayesF1Error
from pytest_bayesf1.results.comparison import (
    ComparisonFigures,
    EstimateFigures,
    LateFigures,
    Parts,
    ReportedChanges,
    ScoreGap,
)
from pytest_bayesf1.results.policy import NOT_WORSE, POLICIES, Decision, Policy
from pytest_bayesf1.results.run import UNKNOWN_RUN, Finding, ReadFrom, RunIdentity
from pytest_bayesf1.results.schema import (
    LONGEST,
    Count,
    Declared,
    Described,
    Flag,
    Limited,
    Number,
    OneOf,
    Probability,
    Tagged,
    Text,
    Texts,
    opened,
)
from pytest_bayesf1.results.timeline import Trend
from pytest_bayesf1.text import AS_THEY_ARE, Scale, counted, naturally, scale_of
from pytest_bayesf1.writing import json_text

VerdictName: TypeAlias = Literal["failed", "error", "accepted", "warned", "undecided", "expected", "passed", ""]


@dataclass(frozen=True, kw_only=True)
class Place(Declared):
    """Where a result comes from.

    Attributes
    ----------
    test
        Id of the test or the gate that made it.
    file, line
        Where that is; empty and 0 where it is not known.
    """

    test: Text
    file: Text
    line: Count


NOWHERE = Place(test="", file="", line=0)

_MOST_EXAMPLES = 20_000  # of all entries
MOST_IN_FULL = 1_000
"""So many entries have what a reader unfolds; of more, `_in_brief` leaves most of it out."""
QUIET = ("passed", "undecided")
EXPECTED = (
    "Its test is expected to fail (xfail), so it does not fail the run. Remove the mark to have this candidate judged."
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
    by, value
        What that part was chosen by, ``class`` or a column, and its class or value there.
    verdict
        ``error`` where there is no answer; ``accepted`` where it failed, but gates.json accepts that; ``expected``
        where a failure or an error cannot fail the run, for the test is expected to fail (xfail); empty when there was
        nothing to judge.
    policy
        What was demanded.
    advice
        What to do next.
    way_out, command
        What else could be done, without its full stop, and the command that does it; empty where there is none.
    kind
        ``comparison``, ``estimate`` or ``error``.
    headline
        The outcome in one sentence, without its full stop.
    """

    gate: Text
    part: Text
    by: Text = ""
    value: Text = ""
    verdict: VerdictName
    policy: Annotated[str, OneOf(*POLICIES, ""), Described("The demand; empty without a judgement.")]
    advice: Text
    way_out: Text = ""
    command: Text = ""
    kind: str
    headline: Text

    @property
    def name(self) -> str:
        """The test or gate that an entry is from, and the part of the data that it is about."""
        return f"{self.test} {self.part}" if self.part else self.test

    @property
    def demanded(self) -> Policy:
        """What was demanded; where nothing was, what most gates demand."""
        return POLICIES.get(self.policy, NOT_WORSE)

    if TYPE_CHECKING:

        @property
        def measure_words(self) -> str:
            """Every subclass has it, empty where nothing was measured."""

    @property
    def answered(self) -> "Answered | None":
        """The entry itself, if it has figures."""
        return self if isinstance(self, ComparisonEntry | EstimateEntry) else None

    @property
    def title(self) -> str:
        """The class or slice that it is about, or the measure; of an error without either the test."""
        return self.part or self.measure_words or self.test

    @property
    def cannot_fail(self) -> bool:
        """Whether it passed because the data could not have made it fail."""
        return False

    def with_trend(self, trend: Trend | None) -> Self:  # noqa: ARG002
        """Return the same with the history of its baseline, where it has one."""
        return self

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at it: of whole gates also at what the data cannot tell, or what cannot fail."""
        says_little = not self.part and (self.verdict == "undecided" or self.cannot_fail)
        return says_little or self.verdict in ("failed", "error", "accepted", "warned")

    def of_expected_failure(self) -> Self:
        """Return the same of a test that is expected to fail, which keeps the run green."""
        if self.verdict not in ("failed", "error"):
            return self
        return replace(self, verdict="expected", advice=EXPECTED, way_out="", command="")

    def at(self, place: Place) -> Self:
        """Return the same from another place."""
        return replace(self, **vars(place))


@dataclass(frozen=True, kw_only=True)
class ComparisonEntry(LateFigures, ComparisonFigures, Entry):
    """A comparison, what was demanded of it, what a careful reader should know beside it, and what is behind it."""

    problem: ClassVar[Text] = ""
    quantity: ClassVar = "change"

    kind: Literal["comparison"] = "comparison"
    caveats: Texts
    notes: Texts
    breakdown: Parts | None
    changes: Annotated[
        ReportedChanges | None,
        Described("What the candidate predicts otherwise: of all the data, and of slices that did not pass."),
    ]
    gaps: Annotated[
        tuple[ScoreGap, ...],
        Limited(max_length=LONGEST),
        Described("How far apart the best and the worst slice are, by each column; in the entry of all the data."),
    ]
    trend: Annotated[
        Trend | None,
        Described("The last versions of the baseline's file in git, where it has a history; of all the data."),
    ]

    @property
    def glyph(self) -> str:
        """The symbol of the decision."""
        return self.decision.value

    @property
    def scale(self) -> Scale:
        """In points, or in the measure's own unit."""
        return scale_of(custom_measure=self.custom_measure)

    @property
    def beyond_allowed(self) -> float:
        """How far the HDI lies beyond what the policy allows, in points or the measure's own unit."""
        return self.scale.factor * self.beyond(self.demanded)

    @property
    def cannot_fail(self) -> bool:
        """Whether it passed because the data could not have made it fail."""
        return self.verdict == "passed" and not self.can_fail

    def with_trend(self, trend: Trend | None) -> Self:
        """Return the same with the history of its baseline."""
        return replace(self, trend=trend) if self.trend is not trend else self


@dataclass(frozen=True, kw_only=True)
class EstimateEntry(EstimateFigures, Entry):
    """An estimate, what was demanded of it, and what a careful reader should know beside it."""

    problem: ClassVar[Text] = ""
    changes: ClassVar[None] = None
    trend: ClassVar[None] = None
    custom_measure: ClassVar = False
    scale: ClassVar = AS_THEY_ARE
    quantity: ClassVar = "score"

    kind: Literal["estimate"] = "estimate"
    floor: Number
    p_below_floor: Probability
    caveats: Texts
    notes: Texts

    @property
    def glyph(self) -> str:
        """The symbol of a loss for a score below its floor, of a gain above."""
        return "≪" if self.below_floor else "≫" if self.above_floor else "?"

    @property
    def beyond_allowed(self) -> float:
        """How far the HDI lies beyond what the policy allows, in points."""
        return 100 * self.beyond(self.demanded)


@dataclass(frozen=True, kw_only=True)
class ErrorEntry(Entry):
    """What kept a test or a gate from an answer.

    Attributes
    ----------
    problem
        What it has in common with the same problem of other gates; empty where that is unknown.
    """

    kind: Literal["error"] = "error"
    verdict: Literal["error", "expected"]
    problem: Text = ""

    caveats: ClassVar[Texts] = ()
    changes: ClassVar[None] = None
    trend: ClassVar[None] = None
    measure_words: ClassVar[str] = ""
    glyph: ClassVar[str] = "!"
    beyond_allowed: ClassVar[float] = 0.0


Answered: TypeAlias = ComparisonEntry | EstimateEntry

AnyEntry: TypeAlias = Annotated[ComparisonEntry | EstimateEntry | ErrorEntry, Tagged("kind")]


def room_for_examples(n_entries: int) -> int:
    """Return how many examples that changed an entry may hold in a report of so many entries."""
    return _MOST_EXAMPLES // max(1, n_entries)


def error_entry(problem: BayesF1Error | str, place: Place = NOWHERE) -> ErrorEntry:
    """Return that a test or a gate could not be answered."""
    known = {**vars(place), "gate": "", "part": "", "verdict": "error", "policy": "", "advice": ""}
    return ErrorEntry(**known, headline=str(problem), problem=getattr(problem, "kind", ""))


FORMAT: Literal["pytest-bayesf1 report"] = "pytest-bayesf1 report"
VERSION: Literal[1] = 1

RunVerdict: TypeAlias = Literal[
    "failed", "error", "none", "loosened", "accepted", "warned", "undecided", "expected", "passed"
]


@dataclass(frozen=True, kw_only=True)
class Verdicts(Declared):
    """How many gates came to each verdict."""

    total: Count
    failed: Count
    error: Count
    accepted: Count
    warned: Count
    undecided: Count
    expected: Count
    passed: Count

    @classmethod
    def of(cls, judged: Collection["AnyEntry | Judged"]) -> "Verdicts":
        """Count the verdicts of gates, or of entries."""
        number = Counter(each.verdict for each in judged)
        return cls(total=len(judged), **{name: number[name] for name in VERDICTS if name})

    @property
    def judged(self) -> int:
        """How many were judged."""
        return self.total - self.without_gate

    @property
    def without_gate(self) -> int:
        """How many were not."""
        judged = (self.failed, self.error, self.accepted, self.warned, self.undecided, self.expected, self.passed)
        return self.total - sum(judged)


@dataclass(frozen=True)
class Shown:
    """How a verdict is shown: a sign that needs no colour, words, words after a number, and what gates did."""

    sign: str
    words: str
    after_number: str
    of_gates: str

    def counted(self, number: int) -> str:
        """Write how many came to it."""
        return f"{number:,} {self.after_number}" if self.after_number != "error" else counted(number, "error")


VERDICTS: Mapping[VerdictName, Shown] = MappingProxyType(
    {
        "failed": Shown("❌", "failed", "failed", "failed"),
        "error": Shown("❌", "error", "error", "had an error"),
        "accepted": Shown("🤝", "accepted loss", "with an accepted loss", "lost what you accepted"),
        "warned": Shown("⚠️", "warned", "warned", "warned"),
        "undecided": Shown("❔", "could not tell", "could not tell", "could not tell"),
        "expected": Shown("🔕", "expected failure", "failed as expected", "failed as expected (xfail)"),
        "": Shown("➖", "no gate", "without a gate", ""),
        "passed": Shown("✅", "passed", "passed", "passed"),
    }
)
"""Those of entries, the gravest first."""


def verdict_of(counts: Verdicts, *, complete: bool, loosened: bool, accepted: bool = False) -> RunVerdict:
    """Return the gravest verdict that applies."""
    gravest_first: tuple[tuple[RunVerdict, bool], ...] = (
        ("failed", counts.failed > 0),
        ("error", counts.error > 0 or not complete),
        ("none", counts.judged == 0),
        ("loosened", loosened),
        ("accepted", accepted or counts.accepted > 0),
        ("warned", counts.warned > 0),
        ("undecided", counts.undecided > 0),
        ("expected", counts.expected > 0),
    )
    return next((verdict for verdict, applies in gravest_first if applies), "passed")


_GRAVITY = {verdict: place for place, verdict in enumerate(VERDICTS)}


@dataclass(frozen=True)
class Judged:
    """What a test compared, or an entry of a gate file: what pytest counts as one.

    Attributes
    ----------
    entries
        Of all the data first, and then of its parts (classes, slices, the anchor), the worst first.
    """

    entries: tuple[AnyEntry, ...]

    @property
    def whole(self) -> AnyEntry:
        """What is about all the data, the worst where a test compared several things."""
        return self.entries[0]

    @property
    def parts(self) -> tuple[AnyEntry, ...]:
        """Everything else."""
        return self.entries[1:]

    @property
    def compared(self) -> list[ComparisonEntry]:
        """The parts that compare two sides."""
        return [part for part in self.parts if isinstance(part, ComparisonEntry)]

    @property
    def test(self) -> str:
        """The id of the test or the gate."""
        return self.whole.test

    @cached_property
    def worst(self) -> AnyEntry:
        """The entry that decided: a part does so where it failed, or failed clearly (≪), and all the data did not."""
        deciding = (self.whole, *(part for part in self.parts if not part.part or _decides(part)))
        return min(
            deciding,
            key=lambda each: (_GRAVITY[each.verdict], not _is_clear(each), bool(each.part), -each.beyond_allowed),
        )

    @property
    def shown_parts(self) -> list[AnyEntry]:
        """What else its test compared, and where a part decided all parts that did not pass."""
        return [part for part in self.parts if not part.part or (self.worst.part and part.needs_attention)]

    @property
    def verdict(self) -> VerdictName:
        """The gravest of its parts."""
        return self.worst.verdict or next((each.verdict for each in self.entries if each.verdict), "")

    @property
    def is_better(self) -> bool:
        """Whether it passed, and all the data show a clear gain."""
        return self.verdict == "passed" and self.whole.glyph == Decision.MUCH_BETTER and self.whole.kind == "comparison"

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at it."""
        return any(entry.needs_attention for entry in self.entries)


def _is_clear(entry: AnyEntry) -> bool:
    return isinstance(entry, ComparisonEntry) and entry.decision == Decision.MUCH_WORSE


def _decides(part: AnyEntry) -> bool:
    return (part.verdict == "warned" and _is_clear(part)) or part.verdict in ("failed", "error", "accepted", "expected")


def by_gate(entries: Iterable[AnyEntry]) -> list[Judged]:
    """Put the entries of each test together, the worst gate first."""
    tests: dict[str, list[AnyEntry]] = {}
    for entry in entries:
        tests.setdefault(entry.test, []).append(entry)
    gates = (
        Judged(tuple(sorted(of_test, key=lambda each: (bool(each.part), badness(each))))) for of_test in tests.values()
    )
    return sorted(gates, key=lambda gate: (_GRAVITY[gate.verdict], badness(gate.worst), naturally(gate.test)))


def badness(entry: AnyEntry) -> tuple[int, float]:
    """Compare entries: the gravest verdict is the least, and what lies farthest beyond what is allowed."""
    return _GRAVITY[entry.verdict], -entry.beyond_allowed


@cache
def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("pytest-bayesf1", "numpy", "scipy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


_MOST_INDENTED, _LEVEL_OF_ENTRIES = 100, 2


@dataclass(frozen=True, kw_only=True)
class Report(Declared):
    """The comparisons of a run, gate by gate, the worst first: the content of report.json.

    Attributes
    ----------
    verdict, complete, counts
        They follow from the others.
    missing
        Ids of the tests that should have finished and did not, and of the files that could not be collected.
    changed
        Files that are others than in the commit that baselines were read from, and which of the two counted.
    findings
        How the gates that judged differ from those of the manifest; those that loosen first.
    entries
        One for each comparison or estimate, and for each error that kept a test from its answer.
    """

    format: Literal["pytest-bayesf1 report"]
    version: Literal[1]
    verdict: Annotated[
        RunVerdict,
        Described(
            "Of the whole run, the gravest that applies. none: no gate judged. loosened: see findings. expected: what "
            "failed has the mark xfail. accepted: gates.json accepts each failure and loosened gate."
        ),
    ]
    run: RunIdentity
    versions: Annotated[
        dict[Text, Text], Limited(max_length=100), Described("Of Python and of the packages that computed the figures.")
    ]
    complete: Annotated[Flag, Described("Whether everything that was to run finished.")]
    missing: Annotated[Texts, Described("What did not finish.")]
    changed: Annotated[
        dict[Text, ReadFrom],
        Limited(max_length=LONGEST),
        Described(
            "Baselines, pools, labels and gate files that differ from those of the base commit. base: read as the base "
            "commit has them. checked out: as the change has them. new: the same, for the base commit has none."
        ),
    ]
    attempts: Annotated[
        dict[Text, Count],
        Limited(max_length=LONGEST),
        Described("How often tests were tried, of those that plugins tried again."),
    ]
    findings: Annotated[
        tuple[Finding, ...],
        Limited(max_length=LONGEST),
        Described("Against the manifest of gates; what loosens a gate first."),
    ]
    counts: Annotated[Verdicts, Described("Gates by their verdicts: a test, or an entry of a gate file, is one.")]
    entries: Annotated[
        tuple[AnyEntry, ...], Described("The worst first. Where a number is infinite or unknown, there is null.")
    ]

    @classmethod
    def of(
        cls,
        entries: Iterable[AnyEntry],
        missing: Iterable[str] = (),
        changed: Mapping[str, ReadFrom] = MappingProxyType({}),
        findings: Iterable[Finding] = (),
        run: RunIdentity = UNKNOWN_RUN,
        attempts: Mapping[str, int] = MappingProxyType({}),
    ) -> "Report":
        """Put entries in order, see `by_gate`, and find what they come to."""
        gates = by_gate(entries)
        ordered = tuple(_fitting([entry for gate in gates for entry in gate.entries]))
        missing, counts = tuple(sorted(set(missing))), Verdicts.of(gates)
        found = tuple(sorted(findings, key=lambda finding: not finding.loosens))
        loosened, accepted = (any(getattr(each, name) for each in found) for name in ("loosens", "accepted"))
        verdict = verdict_of(counts, complete=not missing, loosened=loosened, accepted=accepted)
        return cls(
            format=FORMAT,
            version=VERSION,
            verdict=verdict,
            run=run,
            versions=_versions(),
            complete=not missing,
            missing=missing,
            changed=dict(sorted(changed.items())),
            attempts=dict(sorted(attempts.items())),
            findings=found,
            counts=counts,
            entries=ordered,
        )

    @property
    def loosened(self) -> tuple[Finding, ...]:
        """What might let a regression pass that the manifest of gates would not."""
        return tuple(finding for finding in self.findings if finding.loosens)

    @property
    def loosened_as_wanted(self) -> tuple[Finding, ...]:
        """What might let a regression pass, and is accepted."""
        return tuple(finding for finding in self.findings if finding.accepted)

    def without_advice_for(self, tests: Collection[str]) -> "Report":
        """Return the report for readers who have seen what to do about these tests."""
        entries = (
            replace(each, advice="") if each.test in tests and each.verdict != "accepted" else each  # else a reason
            for each in self.entries
        )
        return Report.of(entries, self.missing, self.changed, self.findings, self.run, self.attempts)

    @property
    def accepted(self) -> tuple[ComparisonEntry, ...]:
        """What failed, and is accepted."""
        return tuple(each for each in self.entries if isinstance(each, ComparisonEntry) and each.verdict == "accepted")

    @cached_property
    def gates(self) -> list[Judged]:
        """The entries by gate, the worst first."""
        return by_gate(self.entries)

    def to_json(self) -> str:
        """Write everything as JSON; of many entries, each on a line."""
        levels = inf if len(self.entries) <= _MOST_INDENTED else _LEVEL_OF_ENTRIES
        return json_text(self, opened, levels=levels)


def report_schema() -> dict[str, Any]:
    """Describe report.json: JSON Schema, draft 2020-12."""
    from pydantic import TypeAdapter  # noqa: PLC0415 (who only writes a report needs none)

    schema = TypeAdapter(Report).json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Report of pytest-bayesf1"}


def _fitting(entries: list[AnyEntry]) -> Iterator[AnyEntry]:
    """Let the entries of a large run share the room that there is."""
    room = room_for_examples(len(entries))
    for entry in entries:
        found = entry
        if isinstance(found, ComparisonEntry):
            if found.changes is not None and len(found.changes.examples) > room:
                found = replace(found, changes=replace(found.changes, examples=found.changes.examples[:room]))
            if len(entries) > MOST_IN_FULL:
                found = _in_brief(found)
        yield found


def _in_brief(entry: ComparisonEntry) -> ComparisonEntry:
    """Leave out classical tests; of a quiet entry also what changed."""
    brief = replace(entry, classical_tests=())
    if entry.verdict not in QUIET:
        return brief
    return replace(brief, breakdown=None, changes=None, paired_outcomes=None)
