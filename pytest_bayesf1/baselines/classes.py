"""The classes of a baseline beside those of a candidate: they are the same until an update says otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.labels import key
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import BaselineError, shown
from pytest_bayesf1.git import CHECKED_OUT
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import first_few
from pytest_bayesf1.writing import short_fingerprint


def declared_classes(side: Side) -> tuple[Label, ...]:
    """Return the classes that a caller listed, or those of the truth."""
    if side.kind not in (Kind.LABELS, Kind.SPANS) or side.labels_from == "caller":
        return side.classes
    is_true = side.table.row_totals[side.table.named] > 0
    return tuple(label for label, known in zip(side.labels, is_true, strict=True) if known)


@dataclass(frozen=True)
class ChangedClasses:
    """Classes that a candidate has no longer, and those that it has and the baseline has not.

    Attributes
    ----------
    before, now
        All classes of the baseline, and of the candidate.
    """

    before: tuple[Label, ...]
    now: tuple[Label, ...]

    @classmethod
    def between(cls, baseline: Side, candidate: Side) -> "ChangedClasses | None":
        """Compare the classes of two sides; None where no class of the baseline is gone, or two kinds are compared.

        A new class is compared as new examples are. Mere positions must be as many.
        """
        if baseline.kind is not candidate.kind:
            return None
        found = cls(declared_classes(baseline), declared_classes(candidate))
        if "position" in (baseline.labels_from, candidate.labels_from):
            return None if len(found.before) == len(found.now) else found
        return found if found.gone else None

    @property
    def gone(self) -> tuple[Label, ...]:
        """The classes that only the baseline has."""
        return _without(self.before, self.now)

    @property
    def new(self) -> tuple[Label, ...]:
        """The classes that only the candidate has."""
        return _without(self.now, self.before)

    @property
    def words(self) -> str:
        """What is gone and what is new, three of each."""
        return "; ".join(
            f"{what} {first_few(map(shown, labels), 3)}"
            for what, labels in (("gone:", self.gone), ("new:", self.new))
            if labels
        )

    @property
    def was_and_is(self) -> str:
        """All classes of both, three of each."""
        was, now = (first_few(map(shown, labels), 3) for labels in (self.before, self.now))
        return f"was {was}, is {now}"

    def redefined_by(self, baseline: Path) -> str:
        """Say which classes a change redefines, and by which baseline it is judged."""
        content = CHECKED_OUT.read(baseline) or b""
        return f"{self.was_and_is} ({self.words}), by the baseline of checksum {short_fingerprint([content.hex()])}"

    def refused(self, where: str, command: str) -> BaselineError:
        """Return the error of a gate whose classes no update has changed."""
        problem = f"The candidate has other classes ({self.words})"
        return BaselineError.plain(where, problem, f"If you changed the classes on purpose, run: {command}")


def _without(labels: Sequence[Label], others: Sequence[Label]) -> tuple[Label, ...]:
    known = {key(label) for label in others}
    return tuple(label for label in labels if key(label) not in known)
