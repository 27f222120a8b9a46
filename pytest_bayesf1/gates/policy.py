"""From what the data say (a `Decision`) to what a test run does (a `Verdict`)."""

from collections.abc import Iterable
from enum import Enum, StrEnum

from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.results.comparison import Decision

FLOOR = "at_least"
"""What stands for a policy where one classifier's score must not fall below a floor."""


class Verdict(StrEnum):
    """What becomes of the test that asked."""

    PASSED = "passed"
    UNDECIDED = "undecided"
    """It passes, though the data cannot tell."""
    WARNED = "warned"
    FAILED = "failed"


_GRAVEST_FIRST = (Verdict.FAILED, Verdict.WARNED, Verdict.UNDECIDED, Verdict.PASSED)


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """Return what several verdicts come to.

    Parameters
    ----------
    verdicts
        One at least.

    Examples
    --------
    >>> print(gravest([Verdict.PASSED, Verdict.WARNED, Verdict.UNDECIDED]))
    warned
    """
    return min(verdicts, key=_GRAVEST_FIRST.index)


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
        """Say what follows of a comparison under this policy."""
        decision = comparison.decision
        match self:
            case Policy.NOT_WORSE | Policy.NOT_EVEN_SLIGHTLY_WORSE:
                return self.unless_worse(decision)
            case Policy.NOT_INFERIOR:
                passed = comparison.hdi[0] > comparison.rope[0]
            case Policy.BETTER:
                passed = decision == Decision.MUCH_BETTER
            case Policy.EQUIVALENT:
                passed = decision == Decision.EQUIVALENT
        return Verdict.PASSED if passed else Verdict.FAILED

    def unless_worse(self, decision: Decision) -> Verdict:
        """Demand no proof: what the data cannot tell does not fail, and is called by its name.

        Parameters
        ----------
        decision
            What the data say, of a policy that asks for nothing else.
        """
        match decision:
            case Decision.MUCH_WORSE:
                return Verdict.FAILED
            case Decision.WORSE:
                return Verdict.WARNED if self is Policy.NOT_WORSE else Verdict.FAILED
            case Decision.UNDECIDED:
                return Verdict.UNDECIDED
        return Verdict.PASSED


_DEMANDS = {
    Policy.NOT_WORSE: "the candidate must not be significantly worse",
    Policy.NOT_EVEN_SLIGHTLY_WORSE: "the candidate must not be worse, significantly or slightly",
    Policy.NOT_INFERIOR: "the whole HDI must lie above the ROPE's lower end",
    Policy.BETTER: "the candidate must be significantly better",
    Policy.EQUIVALENT: "the two must be practically equivalent",
}


def demand(policy: Policy) -> str:
    """Say what a policy demands.

    Parameters
    ----------
    policy
        That of a gate on a comparison.

    Examples
    --------
    >>> demand(Policy.EQUIVALENT)
    'the two must be practically equivalent'
    """
    return _DEMANDS[policy]


def judge_floor(estimate: Estimate) -> Verdict:
    """Fail an estimate whose whole HDI lies below the floor.

    Parameters
    ----------
    estimate
        Which knows its floor.
    """
    return Verdict.FAILED if estimate.below_floor else Verdict.PASSED
