"""What a gate demands of a decision, its verdict, and what a failure says."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from itertools import islice
from types import MappingProxyType
from typing import Any, Protocol, TypeAlias

from pytest_bayesf1.comparison.compare import Comparison, Estimate
from pytest_bayesf1.errors import (
    BayesF1Warning,
    LeaningWorseWarning,
    UndecidedWarning,
    UnderpoweredGateWarning,
    printable,
    warn,
)
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.formatting import gate_finds, is_underpowered
from pytest_bayesf1.session import Record, current_session
from pytest_bayesf1.stats.posterior import SETTLED
from pytest_bayesf1.text import in_ascii, indented, named


class Verdict(StrEnum):
    """What becomes of the test that asked."""

    PASSED = "passed"
    UNDECIDED = "undecided"
    """It passes, but the data do not settle the question."""
    WARNED = "warned"
    ACCEPTED = "accepted"
    """It failed, but its loss is wanted."""
    FAILED = "failed"


GRAVEST_FIRST = (Verdict.FAILED, Verdict.ACCEPTED, Verdict.WARNED, Verdict.UNDECIDED, Verdict.PASSED)


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return what several verdicts come to.

    Examples
    --------
    >>> print(gravest([Verdict.PASSED, Verdict.WARNED, Verdict.UNDECIDED]))
    warned
    """
    return min(verdicts, key=GRAVEST_FIRST.index)


class Policy(Enum):
    """What a gate demands; the value is the name of its assertion, or how a gate file says it."""

    NOT_WORSE = "assert_not_worse"
    NOT_EVEN_LEANING_WORSE = 'fail_on "<"'
    NOT_INFERIOR = "assert_not_inferior"
    BETTER = "assert_better"
    EQUIVALENT = "assert_equivalent"
    AT_LEAST = "assert_at_least"
    PROVEN_AT_LEAST = "assert_at_least, proven"

    @property
    def key(self) -> str:
        """The policy as reports and the manifest of gates write it, such as ``not_worse``."""
        return self.name.lower()

    @property
    def of_parts(self) -> "Policy":
        """What is demanded of classes, slices and the anchor: none may be significantly worse; a floor is for all."""
        return self if self.is_floor else Policy.NOT_WORSE

    @property
    def is_floor(self) -> bool:
        """Whether one score is set against a floor."""
        return self in (Policy.AT_LEAST, Policy.PROVEN_AT_LEAST)

    @property
    def demands_proof(self) -> bool:
        """Whether it fails unless the data show something, so that what was not judged fails it too."""
        return self not in (Policy.NOT_WORSE, Policy.NOT_EVEN_LEANING_WORSE, Policy.AT_LEAST)

    def judge(self, result: Comparison | Estimate) -> Verdict:
        """Return the verdict on a comparison, or on a score and its floor, under this policy."""
        decision = result.decision
        match self:
            case Policy.NOT_WORSE | Policy.NOT_EVEN_LEANING_WORSE:
                return self.unless_worse(decision, not_inferior=result.is_not_inferior)
            case Policy.AT_LEAST:
                passed = decision != Decision.MUCH_WORSE
            case Policy.NOT_INFERIOR | Policy.PROVEN_AT_LEAST:
                passed = result.is_not_inferior
            case Policy.BETTER:
                passed = decision == Decision.MUCH_BETTER
            case _:
                passed = decision == Decision.EQUIVALENT
        return Verdict.PASSED if passed else Verdict.FAILED

    def unless_worse(self, decision: Decision, *, not_inferior: bool) -> Verdict:
        """Return the verdict of a policy that demands no proof: an open question does not fail, and is UNDECIDED.

        Whether the candidate is better is no question here.
        """
        match decision:
            case Decision.MUCH_WORSE:
                return Verdict.FAILED
            case Decision.WORSE:
                return Verdict.WARNED if self is Policy.NOT_WORSE else Verdict.FAILED
            case Decision.UNDECIDED if not not_inferior:
                return Verdict.UNDECIDED
        return Verdict.PASSED


_DEMANDS = {
    Policy.NOT_WORSE: "the candidate must not be significantly worse",
    Policy.NOT_EVEN_LEANING_WORSE: "the candidate must not be worse, nor lean worse",
    Policy.NOT_INFERIOR: "the data must show that you lose no more than you allow",
    Policy.BETTER: "the candidate must be significantly better",
    Policy.EQUIVALENT: "the two must be practically equivalent",
    Policy.AT_LEAST: "the likely range of the score must reach the floor",
    Policy.PROVEN_AT_LEAST: "the whole likely range of the score must lie above the floor",
}


def demand(policy: Policy) -> str:
    """Say what a policy demands.

    Examples
    --------
    >>> demand(Policy.EQUIVALENT)
    'the two must be practically equivalent'
    """
    return _DEMANDS[policy]


_FIND = "Find what changed (data, features, labels)"
_REAL_DROP = (
    f"{_FIND} before merging. The loss is clearly larger than you allow; the same predictions always give this verdict."
)
_CANNOT_TELL = (
    "{more}. These data cannot tell whether you lose more than you allow. The gate passes nevertheless; "
    "assert_not_inferior (fail_on: unproven) would fail it."
)
_NOT_SHOWN = "{more}. These data do not rule out that the score {fell}."
_MOSTLY_LOST = "{more}. These data suggest that the score {fell}, but do not prove it."
_NOT_BEYOND = "{more}{narrower}. These data do not show that the score {rose}."
_NOT_WITHIN = "{more}. The likely range reaches {ends}, beyond what you call equivalent."
_STATE_SHARES = (
    "Say which class shares count: prevalence can be baseline or candidate (the shares of its test set), or test-set "
    "(each side at its own). It can also be shares such as fraud=0.01, those of production."
)
_BELOW_FLOOR = f"{_FIND}, or lower the floor in a commit that says why: the score is clearly below it."
_UNLESS_WORSE = {Decision.MUCH_WORSE: _REAL_DROP, Decision.WORSE: _MOSTLY_LOST, Decision.UNDECIDED: _CANNOT_TELL}

_ADVICE: Mapping[Policy, Mapping[Decision, str]] = MappingProxyType(
    {
        Policy.NOT_WORSE: _UNLESS_WORSE,
        Policy.NOT_EVEN_LEANING_WORSE: _UNLESS_WORSE,
        Policy.NOT_INFERIOR: {
            Decision.MUCH_WORSE: _REAL_DROP,
            Decision.WORSE: _MOSTLY_LOST,
            Decision.UNDECIDED: _NOT_SHOWN,
            Decision.BETTER: _NOT_SHOWN,
        },
        Policy.BETTER: {
            Decision.MUCH_WORSE: (f"{_FIND}: the candidate is clearly worse, and more examples will not change that."),
            Decision.WORSE: "Improve the candidate: it is more likely worse than better.",
            Decision.UNDECIDED: _NOT_BEYOND,
            Decision.EQUIVALENT: (
                "Keep the baseline{narrower}: the candidate is as good, but not better by more than you call no "
                "difference, and more examples will not change that."
            ),
            Decision.BETTER: _NOT_BEYOND,
        },
        Policy.EQUIVALENT: {
            Decision.MUCH_WORSE: _REAL_DROP,
            Decision.WORSE: _NOT_WITHIN,
            Decision.UNDECIDED: _NOT_WITHIN,
            Decision.BETTER: f"{_NOT_WITHIN} Use assert_not_worse if an improvement is welcome.",
            Decision.MUCH_BETTER: (
                "Use assert_not_worse if an improvement is welcome: the candidate is better by more than you call "
                "equivalent."
            ),
        },
        Policy.AT_LEAST: {Decision.MUCH_WORSE: _BELOW_FLOOR},
        Policy.PROVEN_AT_LEAST: {
            Decision.MUCH_WORSE: _BELOW_FLOOR,
            Decision.UNDECIDED: (
                "Test on more examples, or lower the floor in a commit that says why: the score may lie below it."
            ),
        },
    }
)


def advice(policy: Policy, result: Comparison | Estimate, verdict: Verdict) -> str:
    """Say what to do about a result that did not plainly pass."""
    if verdict is Verdict.PASSED:
        return ""
    phrases = result.phrases(policy.key)
    found = _STATE_SHARES if result.shares_decide else _ADVICE[policy].get(result.decision, "").format_map(phrases)
    return f"{found} {phrases['shares']}" if result.class_shares else found


def way_out_lines(way_out: str, command: str) -> list[str]:
    """Write what else could be done; the command is a line of its own, to be pasted."""
    return [indented(f"{way_out}:"), command] if command else []


_MOST_FACTS = 5
"""Beside where to find the others."""


class Judged(Protocol):
    """A judgement, or those of all the data and of their parts."""

    @property
    def verdict(self) -> Verdict: ...  # noqa: D102

    @property
    def message(self) -> str: ...  # noqa: D102

    def text(self, *, in_full: bool) -> str: ...  # noqa: D102


def as_session_shows(judged: Judged) -> str:
    """Write what was judged: with where to find the rest, in the characters that the session can print."""
    session = current_session()
    text, leaves_out = judged.text(in_full=session.in_full), judged.verdict is Verdict.FAILED and not session.in_full
    whole = f"{text}\n{named('more', session.more)}" if leaves_out and session.more else text
    return in_ascii(printable(whole)) if session.ascii_only else printable(whole)


@dataclass(frozen=True)
class Judgement:
    """What a gate says of a comparison, or of a score and its floor.

    Attributes
    ----------
    result
        What is judged.
    gate
        Who asked: the name of an assertion or a fixture, or what a gate file demands.
    part
        Which class or which slice of the data it is about; empty when about all of them.
    way_out, command, by, value
        As in `Record`.
    """

    result: Comparison | Estimate
    policy: Policy
    gate: str
    verdict: Verdict
    advice: str
    part: str = ""
    way_out: str = ""
    command: str = ""
    by: str = ""
    value: str = ""

    @classmethod
    def of(cls, result: Comparison | Estimate, policy: Policy, gate: str = "", part: str = "") -> "Judgement":
        """Judge by the policy."""
        verdict = policy.judge(result)
        return cls(result, policy, gate or policy.value, verdict, advice(policy, result, verdict), part)

    @property
    def comparison(self) -> Comparison:
        """What is judged, where that has a baseline."""
        assert isinstance(self.result, Comparison)
        return self.result

    @property
    def beyond(self) -> float:
        """How far it is beyond what is demanded, in points."""
        return self.result.beyond(self.policy.key)

    def text(self, *, in_full: bool) -> str:
        """Write what happened and what to do, for the reader of the test's failure or warning: first what matters."""
        result, failed = self.result, self.verdict is Verdict.FAILED
        facts: list[tuple[str, str]] = []
        if failed and self.policy not in (Policy.NOT_WORSE, Policy.AT_LEAST):
            facts.append(("demanded", f"{demand(self.policy)} ({self.gate})"))
        if in_full:
            facts += [*result.facts(self.policy.key), *(result.statistics() if current_session().in_full else ())]
        else:
            facts += islice(result.brief_facts(self.policy.key, is_warning=not failed), _MOST_FACTS - len(facts))
        says_what_to_do = self.advice and not (self.lifted or self.verdict is Verdict.ACCEPTED)
        next_step = f"Do: {self.advice}" if says_what_to_do else self.advice
        notes = result.notes() if in_full else result.surprises()
        return "\n".join(
            [
                self.line,
                *([indented(next_step)] if next_step else []),
                *way_out_lines(self.way_out, self.command),
                *(named(*fact) for fact in facts),
                *map(indented, notes),
            ]
        )

    @property
    def message(self) -> str:
        """The same as the session shows it."""
        return as_session_shows(self)

    @property
    def line(self) -> str:
        """What happened, without figures and advice."""
        return self.result.verdict_line(self.part, self.policy.key)

    @property
    def undecided(self) -> bool:
        """Whether the data show neither that the candidate is worse nor that it is not."""
        return self.result.decision in (Decision.UNDECIDED, Decision.BETTER)

    @property
    def lifted(self) -> bool:
        """Whether a failure was downgraded to a warning, by its family or by a forced update."""
        return self.verdict is Verdict.WARNED and self.result.decision is Decision.MUCH_WORSE

    def record(self, **more: Any) -> Record:
        """Return its record for the session or a report."""
        said = {name: getattr(self, name) for name in _OF_RECORD} | more
        return Record(self.result, self.gate, policy=self.policy.key, **said)


_OF_RECORD = ("verdict", "advice", "way_out", "command", "part", "by", "value")


def warning_about(verdict: Verdict) -> type[BayesF1Warning] | None:
    """Return the warning that a verdict calls for, if any."""
    if verdict is Verdict.UNDECIDED:
        return UndecidedWarning if current_session().warn_undecided else None
    return LeaningWorseWarning if verdict is Verdict.WARNED else None


Emit: TypeAlias = Callable[[str, type[BayesF1Warning]], None]
"""Issues a warning at the line that it is about."""


def warn_if_underpowered(judgement: Judgement, emit: Emit = warn) -> None:
    """Warn of a gate whose green means little, unless another gate of this run was warned of.

    A gate whose warning is ignored does not count, and where warnings are errors every such gate fails.
    """
    if judgement.policy.is_floor:
        return
    comparison, warned = judgement.comparison, current_session().warned
    unproven = judgement.verdict is not Verdict.FAILED and comparison.decision not in SETTLED
    if UnderpoweredGateWarning in warned or not unproven or not is_underpowered(comparison):
        return
    message = f"{gate_finds(comparison)} {_WHAT_NOW}"
    with warnings.catch_warnings(record=True) as shown:
        emit(message, UnderpoweredGateWarning)
    if shown:
        warned.add(UnderpoweredGateWarning)
        emit(message, UnderpoweredGateWarning)


_WHAT_NOW = (
    "A pass says little, because smaller losses may slip through: test on more examples. This warning appears once per "
    "run; the report shows which losses each gate catches."
)
