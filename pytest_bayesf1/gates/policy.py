"""What a gate says of a result by its policy, and what a failure says."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeAlias

from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.errors import (
    BayesF1Warning,
    LeaningWorseWarning,
    UndecidedWarning,
    UnderpoweredGateWarning,
    printable,
    warn,
)
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.policy import Policy, Verdict
from pytest_bayesf1.session import Record, current_session
from pytest_bayesf1.stats.posterior import SETTLED
from pytest_bayesf1.text import in_ascii, indented, named
from pytest_bayesf1.words.advice import advice
from pytest_bayesf1.words.amounts import gate_finds
from pytest_bayesf1.words.notes import notes, surprises
from pytest_bayesf1.words.results import brief_facts, facts, statistics, verdict_line


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
        return cls(result, policy, gate or policy.assertion, verdict, advice(policy, result, verdict), part)

    @property
    def comparison(self) -> Comparison:
        """What is judged, where that has a baseline."""
        assert isinstance(self.result, Comparison)
        return self.result

    @property
    def beyond(self) -> float:
        """How far it is beyond what is demanded, in points."""
        return self.result.beyond(self.policy)

    def text(self, *, in_full: bool) -> str:
        """Write what happened and what to do, for the reader of the test's failure or warning: first what matters."""
        result, failed = self.result, self.verdict is Verdict.FAILED
        said: list[tuple[str, str]] = []
        if failed and not self.policy.fails_clear_losses_alone:
            said.append(("demanded", f"{self.policy.demand} ({self.gate})"))
        if in_full:
            said += [*facts(result, self.policy), *(statistics(result) if current_session().in_full else ())]
        else:
            said += islice(brief_facts(result, self.policy, is_warning=not failed), _MOST_FACTS - len(said))
        says_what_to_do = self.advice and not (self.lifted or self.verdict is Verdict.ACCEPTED)
        next_step = f"Do: {self.advice}" if says_what_to_do else self.advice
        more = notes(result) if in_full else surprises(result)
        return "\n".join(
            [
                self.line,
                *([indented(next_step)] if next_step else []),
                *way_out_lines(self.way_out, self.command),
                *(named(*fact) for fact in said),
                *map(indented, more),
            ]
        )

    @property
    def message(self) -> str:
        """The same as the session shows it."""
        return as_session_shows(self)

    @property
    def line(self) -> str:
        """What happened, without figures and advice."""
        return verdict_line(self.result, self.part, self.policy)

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
    if UnderpoweredGateWarning in warned or not unproven or not comparison.is_underpowered:
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
