"""What a gate says, and how it tells it."""

from dataclasses import dataclass, replace

from pytest_bayesf1.gates.gate import Gate
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Verdict
from pytest_bayesf1.session import Record
from pytest_bayesf1.text import counted, indented


@dataclass(frozen=True)
class GateResult:
    """What a gate says.

    Attributes
    ----------
    judgements
        Of all the data, then of every class and slice.
    left_out
        Classes and slices that could not be compared, and why.
    budget
        The loss since the anchor that is tolerated in all; None where the gate has no anchor.
    since_anchor
        The judgement of it; none where there is no anchor, or it is the baseline itself.
    """

    gate: Gate
    judgements: tuple[Judgement, ...]
    left_out: tuple[str, ...]
    budget: float | None = None
    since_anchor: tuple[Judgement, ...] = ()

    @property
    def overall(self) -> Judgement:
        """The judgement of all the data, by the gate's own policy."""
        return self.judgements[0]

    @property
    def failed(self) -> tuple[Judgement, ...]:
        """Judgements that fail the gate."""
        return tuple(each for each in self._all if each.verdict is Verdict.FAILED)

    @property
    def verdict(self) -> Verdict:
        """The anchor, a class or a slice can make a gate fail, but not warn: among many some are worse by chance."""
        return Verdict.FAILED if self.failed else self.overall.verdict

    @property
    def only_undecided(self) -> bool:
        """Whether it failed because the data cannot tell, not because they tell that the candidate is worse."""
        return bool(self.failed) and all(each.undecided for each in self.failed)

    @property
    def _all(self) -> tuple[Judgement, ...]:
        return (self.overall, *self.since_anchor, *self.judgements[1:])

    @property
    def false_alarms(self) -> float:
        """How many classes and slices would be expected to fail if no true difference went beyond the ROPE."""
        return len(self.judgements[1:]) * (1 - self.overall.comparison.hdi_prob) / 2

    def notes(self) -> tuple[str, ...]:
        """Say what a careful reader should know about the number of comparisons."""
        parts = self.judgements[1:]
        if not parts:
            return self.left_out
        n_failed = sum(each.verdict is Verdict.FAILED for each in parts)
        chance = (
            f"{n_failed} of {counted(len(parts), 'comparison')} of single classes or slices failed; if no true "
            f"difference went beyond the ROPE, up to {self.false_alarms:.2g} would be expected to fail by chance."
        )
        return (chance, *self.left_out)

    def records(self) -> list[Record]:
        """Put every comparison down; the notes go with that of all the data."""
        overall, *others = self._all
        whole = replace(overall.record(self.notes()), baseline=self.gate.baseline, budget=self.budget)
        return [whole, *(judgement.record() for judgement in others)]

    @property
    def message(self) -> str:
        """What the person needs to know whose gate did not plainly pass: the first failure in full, then the others."""
        first, *others = self.failed or (self.overall,)
        more = "".join(f"\n{each.part}: {each.comparison.title}" for each in others)
        return f"{first.message}{more}" + "".join(f"\n{indented(note)}" for note in self.notes())
