"""From what the data say (a `Decision`) to what a test run does (a `Verdict`), and what its reader should do."""

from enum import Enum, StrEnum

from pytest_bayesf1.comparison.estimate import Estimate
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.stats.decision import Decision

FLOOR = "at_least"
"""What stands for a policy where one classifier's score must not fall below a floor."""


class Verdict(StrEnum):
    """What follows for the test."""

    PASSED = "passed"
    WARNED = "warned"
    FAILED = "failed"


class Policy(Enum):
    """What a gate demands; the value is the name of its assertion, or how a gate file says it."""

    NOT_WORSE = "assert_not_worse"
    NOT_EVEN_SLIGHTLY_WORSE = 'fail_on "<"'
    NOT_INFERIOR = "assert_not_inferior"
    BETTER = "assert_better"
    EQUIVALENT = "assert_equivalent"

    @property
    def key(self) -> str:
        """The policy as reports and the manifest of gates write it, such as ``not_worse``."""
        return self.name.lower()

    def judge(self, comparison: Comparison) -> Verdict:
        """Apply the policy."""
        decision = comparison.decision
        match self:
            case Policy.NOT_WORSE:
                if decision == Decision.WORSE:
                    return Verdict.WARNED
                passed = decision != Decision.MUCH_WORSE
            case Policy.NOT_EVEN_SLIGHTLY_WORSE:
                passed = decision not in (Decision.MUCH_WORSE, Decision.WORSE)
            case Policy.NOT_INFERIOR:
                passed = comparison.hdi[0] > comparison.rope[0]
            case Policy.BETTER:
                passed = decision == Decision.MUCH_BETTER
            case Policy.EQUIVALENT:
                passed = decision == Decision.EQUIVALENT
        return Verdict.PASSED if passed else Verdict.FAILED


_DEMANDS = {
    Policy.NOT_WORSE: "the candidate must not be significantly worse",
    Policy.NOT_EVEN_SLIGHTLY_WORSE: "the candidate must not be worse, significantly or slightly",
    Policy.NOT_INFERIOR: "the whole HDI must lie above the ROPE's lower end",
    Policy.BETTER: "the candidate must be significantly better",
    Policy.EQUIVALENT: "the two must be practically equivalent",
}

_REAL_DROP = (
    "This is no noise, and running again gives the same result. Find what changed (data, features, labels) before "
    "merging; if the drop is wanted, widen rope or make the candidate the new baseline, in a change that says so."
)
_OPEN_QUESTION = "The test set does not settle it. Test on more examples, or decide that a wider rope is tolerable."


def demand(policy: Policy) -> str:
    """Say what the policy demands."""
    return _DEMANDS[policy]


def advice(policy: Policy, comparison: Comparison, verdict: Verdict) -> str:
    """Say what to do about a comparison that failed or warned; nothing when it passed."""
    if verdict is Verdict.PASSED:
        return ""
    if comparison.decision == Decision.MUCH_WORSE:
        return _REAL_DROP
    if policy is Policy.BETTER and comparison.decision == Decision.EQUIVALENT:
        return "The candidate is as good as the baseline but no better: more examples will not change that."
    if policy is Policy.EQUIVALENT and comparison.decision == Decision.MUCH_BETTER:
        return "The candidate improved beyond the ROPE: gate on assert_not_worse if that is welcome."
    return _OPEN_QUESTION


def judge_floor(estimate: Estimate) -> Verdict:
    """Fail an estimate whose whole HDI lies below the floor."""
    return Verdict.FAILED if estimate.below_floor else Verdict.PASSED


def floor_advice(verdict: Verdict) -> str:
    """Say what to do about a score below the floor."""
    if verdict is Verdict.PASSED:
        return ""
    return "The score is too low whatever the noise. Find what changed, or lower the floor in a change that says so."
