"""What a gate demands, and of which parts; families of gates.

Every gate of a family has an equal share of the level, and within a gate every comparison that can fail it. A
comparison fails only where the probability that all is well lies below its share too. The shares add up to the level:
Bonferroni's bound. A gate needs only the number of the others, so that each is judged on its own, in any order and
process.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.choices import FAIL_ON_DEFAULT, UNPROVEN, FailOn
from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.gates.verdict import Verdict
from pytest_bayesf1.results.policy import AT_LEAST, NOT_INFERIOR, NOT_WORSE, PROVEN_AT_LEAST, Outcome, Policy
from pytest_bayesf1.stats.looks import LookSchedule
from pytest_bayesf1.stats.posterior import tail_probability
from pytest_bayesf1.text import counted, level, one_line, percent

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


FAILS_ON: Mapping[FailOn, Policy] = MappingProxyType({FAIL_ON_DEFAULT: NOT_WORSE, UNPROVEN: NOT_INFERIOR})
"""By the mildest decision that fails, as gate files and the command line say it."""

FLOOR_FAILS_ON: Mapping[FailOn, Policy] = MappingProxyType({FAIL_ON_DEFAULT: AT_LEAST, UNPROVEN: PROVEN_AT_LEAST})
"""The same of a floor."""


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
    of_prompts: bool = False
    """Whether it is asked of answers to prompts, as logs and grades are."""

    @classmethod
    def unless(cls, fail_on: FailOn, arguments: Mapping[str, Any], **others: Any) -> "Demand":
        """Demand that no such decision, or a worse one, follows."""
        return cls(policy=FAILS_ON[fail_on], arguments=arguments, words=f'fail_on "{fail_on}"', **others)

    @classmethod
    def at_least(
        cls, floor: float, run_sd: float | None, fail_on: FailOn, arguments: Mapping[str, Any], **others: Any
    ) -> "Demand":
        """Demand a score, and where an open question fails, proof of it."""
        of_floor = {**arguments, "floor": floor, "run_sd": run_sd}
        policy = FLOOR_FAILS_ON[fail_on]
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
        verdict = Verdict.of(result, policy, asked_by if part else self.words, part, of_prompts=self.of_prompts)
        return verdict if self.family is None else self.family.judged(verdict)

    @property
    def tail(self) -> float:
        """What the probability that all is well must be below so that a comparison fails, whatever its HDI."""
        return 1.0 if self.family is None else self.family.tail
