"""What a gate says, and how it tells it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pytest_bayesf1._util import counted, indented, level
from pytest_bayesf1.gates.failure import others_told, shown
from pytest_bayesf1.gates.gate import Gate
from pytest_bayesf1.gates.groups import GapJudgement, tell_group
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Verdict, gravest
from pytest_bayesf1.results.comparison import Group
from pytest_bayesf1.results.formatting import beyond
from pytest_bayesf1.settings import Record, current_session

_MOST_OTHERS = 5
"""Failed classes and slices that are told beside the first."""


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
    groups
        The classes, and the slices by each column, shrunk toward each other.
    gaps
        What is said of the gap between the best and the worst slice of each column.
    """

    gate: Gate
    judgements: tuple[Judgement, ...]
    left_out: tuple[str, ...]
    budget: float | None = None
    since_anchor: tuple[Judgement, ...] = ()
    groups: tuple[Group, ...] = ()
    gaps: tuple[GapJudgement, ...] = ()

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
        """The anchor, a class, a slice or a gap can make a gate fail; where its family lifts that, the gate warns.

        A part that is slightly worse does not: among many some are by chance.
        """
        parts = (each.verdict for each in self._all if each.verdict is Verdict.FAILED or each.lifted)
        return gravest([self.overall.verdict, *parts, *(each.verdict for each in self.gaps)])

    @property
    def only_undecided(self) -> bool:
        """Whether it failed because the data cannot tell, not because they tell that the candidate is worse."""
        if any(each.verdict is Verdict.FAILED for each in self.gaps):
            return False
        return bool(self.failed) and all(each.undecided for each in self.failed)

    @property
    def _all(self) -> tuple[Judgement, ...]:
        return (self.overall, *self.since_anchor, *self.judgements[1:])

    @property
    def false_alarms(self) -> float:
        """How many classes and slices would be expected to fail if no true difference went beyond the ROPE."""
        return len(self.judgements[1:]) * (1 - self.overall.comparison.hdi_prob) / 2

    def notes(self) -> tuple[str, ...]:
        """Say what a careful reader should know about the number of comparisons, and about how far apart parts are."""
        told = (
            *(tell_group(each, self.overall.comparison) for each in self.groups),
            *(each.told for each in self.gaps),
        )
        return (*self._on_chance(), *told, *self.left_out)

    def _on_chance(self) -> Iterator[str]:
        parts, family = self.judgements[1:], self.gate.family
        n_failed = sum(each.verdict is Verdict.FAILED for each in parts)
        failed = f"{n_failed} of {counted(len(parts), 'comparison')} of single classes or slices failed"
        if family is not None:
            kept = f"the chance of any false failure in {family} is kept below {level(family.level)}"
            yield f"{failed}; {kept}." if parts else f"{kept[0].upper()}{kept[1:]}."
        elif parts:
            yield (
                f"{failed}; if no true difference went beyond the ROPE, up to {self.false_alarms:.2g} would be "
                "expected to fail by chance."
            )

    def records(self) -> list[Record]:
        """Put every comparison down; the notes, the groups and what is said of gaps go with that of all the data."""
        overall, *others = self._all
        first = replace(
            overall.record(self.notes()),
            verdict=gravest([overall.verdict, *(each.verdict for each in self.gaps)]),
            advice=" ".join(filter(None, [overall.advice, *self._on_gaps])),
            groups=self.groups,
            baseline=self.gate.baseline,
            budget=self.budget,
        )
        return [first, *(judgement.record() for judgement in others)]

    @property
    def _on_gaps(self) -> list[str]:
        return [each.advice for each in self.gaps if each.advice]

    @property
    def message(self) -> str:
        """What the person needs to know whose gate did not plainly pass, as the session shows it."""
        in_full = current_session().in_full
        return shown(self.told(in_full=in_full), leaves_out=self.verdict is Verdict.FAILED and not in_full)

    def told(self, *, in_full: bool) -> str:
        """Tell the worst failure with its figures, and the others in a line each.

        Parameters
        ----------
        in_full
            Whether all failures, figures and notes are told.
        """
        grave = self.failed or tuple(each for each in self._all if each.lifted) or (self.overall,)
        first, *others = sorted(grave, key=lambda each: (bool(each.part), -beyond(each.comparison, each.policy.key)))
        lines = [each.line for each in others]
        notes = self.notes() if in_full else [each.told for each in self.gaps if each.advice]
        also = others_told(lines, len(lines) if in_full else _MOST_OTHERS)
        return "\n".join([first.told(in_full=in_full), *also, *map(indented, (*self._on_gaps, *notes))])
