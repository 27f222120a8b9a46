"""The six decisions, a table of the policies that a gate can demand, and what follows; light enough for the plugin."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Protocol

from pytest_bayesf1.errors import InputError

_SPELLINGS = ("<<", "<", "~", ">", ">>", "?", "≪", "≈", "≫")
_WORDS = {
    "≪": "significantly worse",
    "<": "leaning worse",
    "≈": "practically equivalent",
    ">": "leaning better",
    "≫": "significantly better",
    "?": "undecided",
}

NO_WORSE = "no worse than you allow"
"""Of a candidate of which only that is known: whether it is better, too, is open."""


class Decision(StrEnum):
    """How the candidate compares with the baseline; equal to its symbol and to its ascii form.

    In a set, or as the key of a dictionary, spell it in ascii: there can be but one hash, the ascii form's.

    ====== ======= ==================================== =============================================
    symbol ascii   words                                rule (Zhang et al. 2015 and 2016)
    ====== ======= ==================================== =============================================
    ``≪``  ``<<``  significantly worse                  HDI wholly below the ROPE
    ``<``  ``<``   leaning worse                        not wholly, but P(delta < ROPE low) > 3/4
    ``≈``  ``~``   practically equivalent               HDI wholly inside the ROPE
    ``>``  ``>``   leaning better                       not wholly, but P(delta > ROPE high) > 3/4
    ``≫``  ``>>``  significantly better                 HDI wholly above the ROPE
    ``?``  ``?``   undecided                            none of these: more data are needed
    ====== ======= ==================================== =============================================

    Examples
    --------
    >>> Decision.MUCH_WORSE == "<<", Decision.MUCH_WORSE == "≪", Decision.MUCH_WORSE == "<"
    (True, True, False)
    >>> print(Decision.EQUIVALENT, Decision.EQUIVALENT.ascii, Decision.EQUIVALENT.words)
    ≈ ~ practically equivalent
    """

    MUCH_WORSE = "≪"
    WORSE = "<"
    EQUIVALENT = "≈"
    BETTER = ">"
    MUCH_BETTER = "≫"
    UNDECIDED = "?"

    @property
    def ascii(self) -> str:
        """The symbol for where only ascii serves."""
        return {"≪": "<<", "≈": "~", "≫": ">>"}.get(self.value, self.value)

    @property
    def words(self) -> str:
        """The decision in plain words."""
        return _WORDS[self.value]

    @property
    def side(self) -> int:
        """-1 where the candidate is worse, 1 where it is better, else 0."""
        return {"≪": -1, "<": -1, ">": 1, "≫": 1}.get(self.value, 0)

    def __eq__(self, other: object) -> bool:
        """Equal to the same decision, to its symbol and to its ascii form; text that spells no decision is an error."""
        if not isinstance(other, str):
            return False
        if str(other) not in _SPELLINGS:
            raise InputError("decision", f"a comparison with one of {', '.join(_SPELLINGS)}", repr(str(other)))
        return str(other) in (self.value, self.ascii)

    def __ne__(self, other: object) -> bool:
        """Not equal; str has its own, so both are needed."""
        return not self == other

    def __hash__(self) -> int:
        """Hash like the ascii form: sets and dictionaries that are spelt in ascii find the decision."""
        return hash(self.ascii)


class Outcome(StrEnum):
    """What becomes of the test that asked."""

    PASSED = "passed"
    UNDECIDED = "undecided"
    """It passes, but the data do not settle the question."""
    WARNED = "warned"
    ACCEPTED = "accepted"
    """It failed, but its loss is wanted."""
    FAILED = "failed"


GRAVEST_FIRST = (Outcome.FAILED, Outcome.ACCEPTED, Outcome.WARNED, Outcome.UNDECIDED, Outcome.PASSED)


def gravest(outcomes: Iterable[Outcome]) -> Outcome:
    """Return what several outcomes come to.

    Examples
    --------
    >>> print(gravest([Outcome.PASSED, Outcome.WARNED, Outcome.UNDECIDED]))
    warned
    """
    return min(outcomes, key=GRAVEST_FIRST.index)


class Ends(Enum):
    """Which end of the ROPE a policy asks about, or the floor of a score."""

    LOW = "low"
    HIGH = "high"
    BOTH = "both"
    FLOOR = "floor"


class _Result(Protocol):
    """A comparison, a score beside its floor, or a change between two versions."""

    @property
    def decision(self) -> Decision: ...

    @property
    def is_not_inferior(self) -> bool: ...


@dataclass(frozen=True, eq=False)
class Policy:
    """What a gate demands.

    Attributes
    ----------
    key
        Its name in reports and in the manifest of gates.
    assertion
        How a gate asks for it: the name of the assertion, or the words of a gate file.
    demand
        What it demands, in words.
    ends
        Which end of the ROPE it asks about.
    follows
        Of each decision that does not pass: its outcome, and what to do, with the phrases of the result in braces.
    claim
        What the data must show beyond that no more is lost than is allowed; empty where that is all.
    """

    key: str
    assertion: str
    demand: str
    ends: Ends
    follows: Mapping[Decision, tuple[Outcome, str]]
    claim: str

    @property
    def is_floor(self) -> bool:
        """Whether one score is set against a floor."""
        return self.ends is Ends.FLOOR

    @property
    def of_parts(self) -> "Policy":
        """What is demanded of classes, slices and the anchor: none may be significantly worse; a floor is for all."""
        return self if self.is_floor else NOT_WORSE

    @property
    def fails(self) -> list[Decision]:
        """The decisions that fail it."""
        return [decision for decision, (outcome, _) in self.follows.items() if outcome is Outcome.FAILED]

    def is_weaker_than(self, other: "Policy") -> bool:
        """Whether it fails some of what the other fails, and nothing else."""
        return {*self.fails} < {*other.fails} and self.is_floor == other.is_floor

    @property
    def demands_proof(self) -> bool:
        """Whether it fails unless the data show something, so that what was not judged fails it too."""
        return Decision.UNDECIDED in self.fails

    @property
    def fails_clear_losses_alone(self) -> bool:
        """Whether a failure says by itself what was demanded."""
        return self.fails == [Decision.MUCH_WORSE]

    def judge(self, result: _Result) -> Outcome:
        """Return the outcome; a policy that asks about losses alone leaves open whether the candidate is better."""
        is_open = result.decision is Decision.UNDECIDED or self.demands_proof
        if self.ends is Ends.LOW and is_open and result.is_not_inferior:
            return Outcome.PASSED
        outcome, _ = self.follows.get(result.decision, _PASSES)
        return outcome

    def advice(self, decision: Decision) -> str:
        """Return what to do, with the phrases of the result in braces."""
        _, advice = self.follows.get(decision, _PASSES)
        return advice


_PASSES = Outcome.PASSED, ""


_FIND = "Find what changed (data, model, prompt)"
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
_BELOW_FLOOR = f"{_FIND}, or lower the floor in a commit that says why: the score is clearly below it."
_MAY_LIE_BELOW = "Test on more examples, or lower the floor in a commit that says why: the score may lie below it."
_CLEARLY_WORSE = f"{_FIND}: the candidate is clearly worse, and more examples will not change that."
_AS_GOOD = (
    "Keep the baseline{narrower}: the candidate is as good, but not better by more than you call no difference, and "
    "more examples will not change that."
)
_IF_WELCOME = "Use assert_not_worse if an improvement is welcome"

_TABLE = (
    Policy(
        key="not_worse",
        assertion="assert_not_worse",
        demand="the candidate must not be significantly worse",
        ends=Ends.LOW,
        follows={
            Decision.MUCH_WORSE: (Outcome.FAILED, _REAL_DROP),
            Decision.WORSE: (Outcome.WARNED, _MOSTLY_LOST),
            Decision.UNDECIDED: (Outcome.UNDECIDED, _CANNOT_TELL),
        },
        claim="",
    ),
    Policy(
        key="not_inferior",
        assertion="assert_not_inferior",
        demand="the data must show that you lose no more than you allow",
        ends=Ends.LOW,
        follows={
            Decision.MUCH_WORSE: (Outcome.FAILED, _REAL_DROP),
            Decision.WORSE: (Outcome.FAILED, _MOSTLY_LOST),
            Decision.UNDECIDED: (Outcome.FAILED, _NOT_SHOWN),
            Decision.BETTER: (Outcome.FAILED, _NOT_SHOWN),
        },
        claim="",
    ),
    Policy(
        key="better",
        assertion="assert_better",
        demand="the candidate must be significantly better",
        ends=Ends.HIGH,
        follows={
            Decision.MUCH_WORSE: (Outcome.FAILED, _CLEARLY_WORSE),
            Decision.WORSE: (Outcome.FAILED, "Improve the candidate: it is more likely worse than better."),
            Decision.UNDECIDED: (Outcome.FAILED, _NOT_BEYOND),
            Decision.EQUIVALENT: (Outcome.FAILED, _AS_GOOD),
            Decision.BETTER: (Outcome.FAILED, _NOT_BEYOND),
        },
        claim="the candidate is better",
    ),
    Policy(
        key="equivalent",
        assertion="assert_equivalent",
        demand="the two must be practically equivalent",
        ends=Ends.BOTH,
        follows={
            Decision.MUCH_WORSE: (Outcome.FAILED, _REAL_DROP),
            Decision.WORSE: (Outcome.FAILED, _NOT_WITHIN),
            Decision.UNDECIDED: (Outcome.FAILED, _NOT_WITHIN),
            Decision.BETTER: (Outcome.FAILED, f"{_NOT_WITHIN} {_IF_WELCOME}."),
            Decision.MUCH_BETTER: (
                Outcome.FAILED,
                f"{_IF_WELCOME}: the candidate is better by more than you call equivalent.",
            ),
        },
        claim="the two are equivalent",
    ),
    Policy(
        key="at_least",
        assertion="assert_at_least",
        demand="the likely range of the score must reach the floor",
        ends=Ends.FLOOR,
        follows={Decision.MUCH_WORSE: (Outcome.FAILED, _BELOW_FLOOR)},
        claim="",
    ),
    Policy(
        key="proven_at_least",
        assertion="assert_at_least, proven",
        demand="the whole likely range of the score must lie above the floor",
        ends=Ends.FLOOR,
        follows={
            Decision.MUCH_WORSE: (Outcome.FAILED, _BELOW_FLOOR),
            Decision.UNDECIDED: (Outcome.FAILED, _MAY_LIE_BELOW),
        },
        claim="",
    ),
)

POLICIES: Mapping[str, Policy] = MappingProxyType({policy.key: policy for policy in _TABLE})
"""Every policy by its key."""

NOT_WORSE = POLICIES["not_worse"]
NOT_INFERIOR = POLICIES["not_inferior"]
BETTER = POLICIES["better"]
EQUIVALENT = POLICIES["equivalent"]
AT_LEAST = POLICIES["at_least"]
PROVEN_AT_LEAST = POLICIES["proven_at_least"]
