"""What a gate demands, of all the data and of their parts, and the verdict that follows.

Every gate of a family has an equal share of the level, and within a gate every comparison that can fail it. A
comparison fails only where the probability that all is well lies below its share too. The shares add up to the level:
Bonferroni's bound. A gate needs only the number of the others, so that each is judged on its own, in any order and
process.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.choices import FAIL_ON_DEFAULT, UNPROVEN, FailOn
from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.errors import InputError, printable, shown
from pytest_bayesf1.results.comparison import ScoreGap
from pytest_bayesf1.results.policy import AT_LEAST, NOT_INFERIOR, NOT_WORSE, PROVEN_AT_LEAST, Decision, Outcome, Policy
from pytest_bayesf1.session import current_session
from pytest_bayesf1.stats.looks import LookSchedule
from pytest_bayesf1.stats.posterior import tail_probability
from pytest_bayesf1.text import counted, indented, level, named, one_line, percent
from pytest_bayesf1.words.notes import notes, surprises
from pytest_bayesf1.words.results import advice, brief_facts, facts, statistics, verdict_line

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
    def of(cls, result: Comparison | Estimate, policy: Policy, gate: str = "", part: str = "") -> "Verdict":
        """Judge by the policy."""
        outcome = policy.judge(result)
        said = advice(policy, result, outcome)
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


FAMILY_LEVEL = 0.05

LEAST_TAIL = 5e-6
"""The smallest share of a level that a million draws can resolve."""


@dataclass(frozen=True)
class Family:
    """The family of a gate: gates among which the chance of any false failure stays below a level."""

    name: str
    level: float
    n_gates: int
    n_comparisons: int = 1
    """Comparisons of the gate that share its part of the level."""

    @property
    def share(self) -> float:
        """The part of the level that each gate has."""
        return self.level / self.n_gates

    @property
    def tail(self) -> float:
        """The part of the level that each comparison of the gate has.

        Examples
        --------
        >>> Family("all", level=0.05, n_gates=20, n_comparisons=5).tail
        0.0005
        """
        return self.share / self.n_comparisons

    def over(self, n_comparisons: int) -> "Family":
        """Share the gate's part among so many comparisons; raise `InputError` where draws cannot tell it from 0."""
        found = replace(self, n_comparisons=n_comparisons)
        if found.tail < LEAST_TAIL:
            share = f"{found.tail:.2g}, among {counted(n_comparisons, 'comparison')} of this gate in {self}"
            advice = "Make the family smaller, or its level higher."
            raise InputError("families", f"at least {LEAST_TAIL:g} of the level for each comparison", share, advice)
        return found

    def judged(self, verdict: Verdict) -> Verdict:
        """Downgrade a failure that is within the family's chance to a warning."""
        found = verdict.comparison
        p_not_worse = tail_probability(found.p_below_rope, found.n_draws)
        if verdict.outcome is not Outcome.FAILED or p_not_worse < self.tail:
            return verdict
        return replace(verdict, outcome=Outcome.WARNED, advice=self.why_lifted(p_not_worse))

    def why_lifted(self, p_not_worse: float) -> str:
        """Say why a failure is a warning."""
        return (
            f"Worse on its own, but within the chance of {self}: the probability that all is within what you "
            f"allow, {percent(p_not_worse)}, is {self._above_its_share}"
        )

    def within_chance(self, p_value: float) -> str:
        """Say why a gap that is too wide is a warning."""
        return (
            f"That is within the chance of {self}: at a true gap of just what you allow, one as wide has a "
            f"probability of {percent(p_value)}, {self._above_its_share}"
        )

    @property
    def _above_its_share(self) -> str:
        return (
            f"not below {100 * self.tail:.2g}%, this comparison's share of the {level(self.level)}. Look at it before "
            "you merge; more examples would tell."
        )

    def __str__(self) -> str:
        """Name it, with how many gates it has."""
        return f"the {counted(self.n_gates, 'gate')} of the family {one_line(self.name)}"


FAILS_ON: Mapping[FailOn, tuple[Policy, Policy]] = MappingProxyType(
    {FAIL_ON_DEFAULT: (NOT_WORSE, AT_LEAST), UNPROVEN: (NOT_INFERIOR, PROVEN_AT_LEAST)}
)
"""What is asked of a change, and of a score with a floor, by the word that gate files and the command line have."""


@dataclass(frozen=True, kw_only=True)
class Demand:
    """What a gate demands of all the data, and of their classes and slices."""

    policy: Policy
    arguments: Mapping[str, Any]
    """Of `compare`, or of `assert_at_least`: the measure, the ROPE or the floor, and so on."""
    words: str = ""
    """The demand in the words of where it is made; empty for the name of the assertion."""
    per_class: bool = False
    slices: tuple[str, ...] = ()
    budget: float | None = None
    """How much may be lost since the anchor, where there is one; None for the default."""
    max_gap: float | None = None
    """How far the candidate's scores of the best and the worst slice of a column may be apart."""
    looks: LookSchedule | None = None
    """How often a growing test set is judged; None where it is complete."""
    family: Family | None = None
    """The gates with which it shares the chance of a false failure."""

    @classmethod
    def unless(cls, fail_on: FailOn, arguments: Mapping[str, Any], **others: Any) -> "Demand":
        """Demand that no such decision, or a worse one, follows."""
        return cls(policy=FAILS_ON[fail_on][0], arguments=arguments, words=f'fail_on "{fail_on}"', **others)

    @classmethod
    def at_least(
        cls, floor: float, run_sd: float | None, fail_on: FailOn, arguments: Mapping[str, Any], **others: Any
    ) -> "Demand":
        """Demand a score, and where an open question fails, proof of it."""
        of_floor = {**arguments, "floor": floor, "run_sd": run_sd}
        _, policy = FAILS_ON[fail_on]
        words = f"floor {floor:g}{', proven' * policy.demands_proof}"
        return cls(policy=policy, arguments=of_floor, words=words, **others)

    def __post_init__(self) -> None:
        """Refuse what only looks like a choice, such as a list of classes, and what does not go together."""
        if not isinstance(self.per_class, bool):
            raise InputError("per_class", "True or False", shown(self.per_class))
        if self.arguments.get("run_sd") is not None and (self.per_class or self.slices):
            advice = "Leave per_class and slices out."
            raise InputError.plain("run_sd", "It is about all the data", advice)

    def judged(self, result: Comparison | Estimate, part: str = "", asked_by: str = "") -> Verdict:
        """Judge all the data by the demand's own policy; a part of them fails where it is significantly worse."""
        policy = self.policy.of_parts if part else self.policy
        verdict = Verdict.of(result, policy, asked_by if part else self.words, part)
        return verdict if self.family is None else self.family.judged(verdict)

    @property
    def tail(self) -> float:
        """What the probability that all is well must be below so that a comparison fails, whatever its HDI."""
        return 1.0 if self.family is None else self.family.tail
