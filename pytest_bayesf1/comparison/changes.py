"""What changed from one side to the other: the score of a class, and the number of errors of a kind."""

from dataclasses import asdict, dataclass
from typing import Any

from pytest_bayesf1.counts.labels import Label


@dataclass(frozen=True)
class ClassChange:
    """A class's observed F1 on either side."""

    label: Label
    baseline: float
    candidate: float

    @property
    def change(self) -> float:
        """Positive when the candidate is better."""
        return self.candidate - self.baseline

    def to_dict(self) -> dict[str, Any]:
        """Every figure."""
        return asdict(self)


@dataclass(frozen=True)
class Move:
    """A kind of error and how many examples each side makes it on."""

    true: Label
    predicted: Label
    baseline: int
    candidate: int

    def to_dict(self) -> dict[str, Any]:
        """Every figure."""
        return asdict(self)
