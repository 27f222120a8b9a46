"""A comparison, judged: what a gate says of it, and what happens then."""

from dataclasses import dataclass
from pathlib import Path

from pytest_bayesf1.comparison.result import Comparison, warn_about
from pytest_bayesf1.errors import BayesF1Warning, SlightlyWorseWarning, UndecidedWarning, warn
from pytest_bayesf1.gates.advice import advice
from pytest_bayesf1.gates.failure import shown, told
from pytest_bayesf1.gates.policy import Policy, Verdict, demand
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.formatting import verdict_line
from pytest_bayesf1.settings import Record, current_session


@dataclass(frozen=True)
class Judgement:
    """What a gate says of a comparison.

    Attributes
    ----------
    gate
        Who asked: the name of an assertion or a fixture, or what a gate file demands.
    part
        Which class or which slice of the data the comparison is about; empty when about all of them.
    baseline, budget
        As in `Record`.
    """

    comparison: Comparison
    policy: Policy
    gate: str
    verdict: Verdict
    advice: str
    part: str = ""
    baseline: Path | None = None
    budget: float | None = None

    @classmethod
    def of(cls, comparison: Comparison, policy: Policy, gate: str = "", part: str = "") -> "Judgement":
        """Judge by the policy.

        Parameters
        ----------
        comparison
            By the gate's own arguments.
        policy
            What is demanded.
        gate
            Who asked; by default the assertion that has the policy's name.
        part
            Which class or slice it is about.
        """
        verdict = policy.judge(comparison)
        return cls(comparison, policy, gate or policy.value, verdict, advice(policy, comparison, verdict), part)

    def told(self, *, in_full: bool) -> str:
        """Tell the person whose test failed or warned what to know and to do.

        Parameters
        ----------
        in_full
            Whether all figures and notes are told.
        """
        failed = self.verdict is Verdict.FAILED
        demanded = f"{demand(self.policy)} ({self.gate})" if failed and self.policy is not Policy.NOT_WORSE else ""
        next_step = f"Do: {self.advice}" if self.advice and not self.lifted else self.advice
        about = {"part": self.part, "policy": self.policy.key, "demanded": demanded}
        return told(self.comparison, next_step, **about, in_full=in_full, is_warning=not failed)

    @property
    def message(self) -> str:
        """The same as the session shows it."""
        in_full = current_session().in_full
        return shown(self.told(in_full=in_full), leaves_out=self.verdict is Verdict.FAILED and not in_full)

    @property
    def line(self) -> str:
        """What happened, without figures and advice."""
        return verdict_line(self.comparison, self.part, self.policy.key)

    @property
    def undecided(self) -> bool:
        """Whether the data do not tell that the candidate is worse, but do not tell either that it is not."""
        return self.comparison.decision in (Decision.UNDECIDED, Decision.BETTER)

    @property
    def lifted(self) -> bool:
        """Whether it would have failed on its own, and its family, or who forces a baseline, made that a warning."""
        return self.verdict is Verdict.WARNED and self.comparison.decision is Decision.MUCH_WORSE

    def record(self, notes: tuple[str, ...] = ()) -> Record:
        """Put it down for the session or a report."""
        judged = (self.comparison, self.gate, self.verdict, self.advice, self.part, notes, self.policy.key)
        return Record(*judged, self.baseline, self.budget)


def enforce(judgement: Judgement) -> None:
    """Tell the session, then raise or warn.

    Parameters
    ----------
    judgement
        Of a gate in a test; the warning is about the caller's line.

    Raises
    ------
    AssertionError
        When the gate failed.
    """
    current_session().listener(judgement.record())
    warn_about(judgement.comparison)
    if judgement.verdict is Verdict.FAILED:
        raise AssertionError(judgement.message)
    category = warning_about(judgement.verdict)
    if category is not None:
        warn(judgement.message, category)


def warning_about(verdict: Verdict) -> type[BayesF1Warning] | None:
    """Return the warning that a verdict calls for, if any.

    Parameters
    ----------
    verdict
        Of what the data cannot tell the project's settings decide.
    """
    if verdict is Verdict.UNDECIDED:
        return UndecidedWarning if current_session().warn_undecided else None
    return SlightlyWorseWarning if verdict is Verdict.WARNED else None
