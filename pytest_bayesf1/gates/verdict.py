"""A verdict: what a gate says of all the data, of a part of them, of the total loss or of a gap, and in which words."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.errors import printable
from pytest_bayesf1.results.comparison import ScoreGap
from pytest_bayesf1.results.decisions import Decision
from pytest_bayesf1.results.policy import Outcome, Policy
from pytest_bayesf1.session import current_session
from pytest_bayesf1.text import indented, named
from pytest_bayesf1.words.advice import advice
from pytest_bayesf1.words.notes import notes, surprises
from pytest_bayesf1.words.results import brief_facts, facts, statistics, verdict_line

_MOST_FACTS = 5
"""Beside where to find the others."""


def way_out_lines(way_out: str, command: str) -> list[str]:
    """Write what else could be done; the command is a line of its own, to be pasted."""
    return [indented(f"{way_out}:"), command] if command else []


def as_session_shows(shown: Any) -> str:
    """Write a verdict, or a gate's run: with where to find the rest."""
    session = current_session()
    text, leaves_out = shown.text(in_full=session.in_full), shown.outcome is Outcome.FAILED and not session.in_full
    whole = f"{text}\n{named('more', session.more)}" if leaves_out and session.more else text
    return printable(whole)


@dataclass(frozen=True)
class Verdict:
    """What a gate says of all the data, of a class, of a slice, of the loss since the anchor, or of a gap.

    Attributes
    ----------
    result
        What is judged; a `ScoreGap` is between the slices of a column.
    gate
        Who asked: the name of an assertion or a fixture, or what a gate file demands.
    advice
        What to do next.
    part
        Which class or which slice of the data it is about; empty when about all of them.
    by, value
        What the part was chosen by, ``class`` or a column, and its class or value there; of a gap the column.
    way_out, command
        What else could be done, without its full stop, and the command that does it; empty where there is none.
    """

    result: Comparison | Estimate | ScoreGap
    policy: Policy
    gate: str
    outcome: Outcome
    advice: str
    part: str = ""
    way_out: str = ""
    command: str = ""
    by: str = ""
    value: str = ""

    @classmethod
    def of(
        cls, result: Comparison | Estimate, policy: Policy, gate: str = "", part: str = "", *, of_prompts: bool = False
    ) -> "Verdict":
        """Judge by the policy."""
        outcome = policy.judge(result)
        said = advice(policy, result, outcome, of_prompts=of_prompts)
        return cls(result, policy, gate or policy.assertion, outcome, said, part)

    @property
    def is_gap(self) -> bool:
        """Whether it is about a gap between slices."""
        return isinstance(self.result, ScoreGap)

    @property
    def gap(self) -> ScoreGap:
        """What is judged, where that is a gap."""
        assert isinstance(self.result, ScoreGap)
        return self.result

    @property
    def decided(self) -> Comparison | Estimate:
        """What is judged, where that came to a decision."""
        assert not isinstance(self.result, ScoreGap)
        return self.result

    @property
    def comparison(self) -> Comparison:
        """What is judged, where that has a baseline."""
        assert isinstance(self.result, Comparison)
        return self.result

    @property
    def beyond(self) -> float:
        """How far it is beyond what is demanded, in points."""
        return self.decided.beyond(self.policy)

    @property
    def said(self) -> Mapping[str, str]:
        """What an entry of a report says beside the figures."""
        texts = {name: getattr(self, name) for name in ("gate", "part", "by", "value", "advice", "way_out", "command")}
        return {**texts, "verdict": self.outcome.value, "policy": self.policy.key}

    def text(self, *, in_full: bool) -> str:
        """Write what happened and what to do, for the reader of the test's failure or warning: first what matters."""
        result, failed = self.decided, self.outcome is Outcome.FAILED
        said: list[tuple[str, str]] = []
        if failed and not self.policy.fails_clear_losses_alone:
            said.append(("demanded", f"{self.policy.demand} ({self.gate})"))
        if in_full:
            said += [*facts(result, self.policy), *(statistics(result) if current_session().in_full else ())]
        else:
            said += islice(brief_facts(result, self.policy, is_warning=not failed), _MOST_FACTS - len(said))
        says_what_to_do = self.advice and not (self.lifted or self.outcome is Outcome.ACCEPTED)
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
        return verdict_line(self.decided, self.part, self.policy)

    @property
    def undecided(self) -> bool:
        """Whether the data show neither that the candidate is worse nor that it is not."""
        return self.decided.decision in (Decision.UNDECIDED, Decision.BETTER)

    @property
    def lifted(self) -> bool:
        """Whether a failure was downgraded to a warning, by its family or by a forced update."""
        return self.outcome is Outcome.WARNED and (self.is_gap or self.decided.decision is Decision.MUCH_WORSE)
