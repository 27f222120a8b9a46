"""What the posterior of delta says, given the differences that do not matter (the ROPE). No verdicts here."""

from dataclasses import dataclass
from itertools import product
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.values import as_float, as_floats


@dataclass(frozen=True)
class Rope:
    """Region of practical equivalence: differences between ``low`` and ``high`` do not matter.

    ``wide`` says that a width is meant which would else be taken for a slip.
    """

    low: float
    high: float
    wide: bool = False

    @classmethod
    def of(cls, value: Any, where: str = "rope") -> "Rope":
        """Take a half-width or a pair (low, high), either with the word ``"wide"`` behind it.

        Examples
        --------
        >>> Rope.of(0.01)
        Rope(low=-0.01, high=0.01, wide=False)
        >>> Rope.of((-0.3, 0.1, "wide"))
        Rope(low=-0.3, high=0.1, wide=True)
        """
        if isinstance(value, Rope):
            return value
        numbers, wide = _without_confirmation(value)
        half_width = as_float(numbers)
        bounds = as_floats(numbers) if half_width is None else (-half_width, half_width)
        if bounds is None or len(bounds) != 2:
            raise InputError(where, "a half-width such as 0.01, or both ends", shown(value))
        if half_width is not None and not half_width > 0:
            raise InputError(where, "a half-width above 0", shown(value))
        try:
            return cls(bounds[0], bounds[1], wide)
        except InputError as error:
            raise error.at(where) from None

    def __post_init__(self) -> None:
        """Require finite bounds on both sides of 0."""
        found = f"[{self.low:zg}, {self.high:zg}]"
        if not (isfinite(self.low) and isfinite(self.high)):
            raise InputError("rope", "finite bounds", found)
        if not self.low < self.high:
            raise InputError("rope", "the lower end before the upper one", found)
        if not self.low <= 0 <= self.high:
            raise InputError("rope", "an interval that holds 0", found)

    @property
    def allowed(self) -> float:
        """What is allowed to be lost, or the gain that is demanded where no loss is."""
        return -self.low or self.high


CONFIRMED = "wide"
WIDEST = 0.1
"""The largest difference of scores that may be called none without that word: ten points."""


def _without_confirmation(value: Any) -> tuple[Any, bool]:
    """Split (0.3, "wide") and (-0.3, 0.1, "wide") into the numbers and the word."""
    if not isinstance(value, list | tuple) or len(value) < 2 or not isinstance(value[-1], str):
        return value, False
    *numbers, word = value
    return (numbers[0] if len(numbers) == 1 else numbers, True) if word == CONFIRMED else (value, False)


RopeLike: TypeAlias = float | tuple[float, float] | tuple[float, str] | tuple[float, float, str] | Rope


LEANING = 0.75
"""Probability beyond the ROPE from which on a decision leans to that side.

The papers say "mainly though not fully" and no number. With one half, 54% of the probability called a candidate worse;
with three quarters every decision of their tables still comes out.
"""


class Position(NamedTuple):
    """Where the posterior of delta lies: every comparison that a decision rests on, answered.

    The last goes beyond the decision: whether so little of the posterior is not below the ROPE as a family demands.
    """

    ends_below_rope: bool
    ends_inside_rope: bool
    starts_inside_rope: bool
    starts_above_rope: bool
    mostly_below: bool
    mostly_above: bool
    far_below_rope: bool = False

    @property
    def decision(self) -> Decision:
        """What the answers come to by the rules of `Decision`."""
        if self.ends_below_rope:
            return Decision.MUCH_WORSE
        if self.starts_above_rope:
            return Decision.MUCH_BETTER
        if self.starts_inside_rope and self.ends_inside_rope:
            return Decision.EQUIVALENT
        if self.mostly_below:
            return Decision.WORSE
        if self.mostly_above:
            return Decision.BETTER
        return Decision.UNDECIDED


class Gap(NamedTuple):
    """How far an estimate lies above the value it is compared with, and its Monte Carlo standard error."""

    distance: float
    mcse: float

    @property
    def is_clear(self) -> bool:
        """Whether the sign would survive other draws: at least 4 standard errors from 0."""
        return abs(self.distance) >= 4 * self.mcse

    def possible_signs(self) -> tuple[bool, ...]:
        """Whether the distance is positive, and, unless that is clear, whether it might not be."""
        positive = self.distance > 0
        return (positive,) if self.is_clear else (positive, not positive)


@dataclass(frozen=True)
class Gaps:
    """The gaps behind a `Position`, in the order of its fields; a positive gap answers yes."""

    gaps: tuple[Gap, ...]

    @property
    def position(self) -> Position:
        """Every comparison answered by the sign of its estimate, however small."""
        return Position(*(gap.distance > 0 for gap in self.gaps))

    @property
    def settled(self) -> bool:
        """Whether no answer that is within Monte Carlo error of flipping would change a conclusion."""
        possible = {_conclusions(Position(*signs)) for signs in product(*(gap.possible_signs() for gap in self.gaps))}
        return len(possible) == 1


def _conclusions(position: Position) -> tuple[Decision, bool, bool]:
    """All that any gate reads off a position: the decision, and on which side of the ROPE's low end it lies how far."""
    far_below = position.ends_below_rope and position.far_below_rope
    return position.decision, position.starts_inside_rope, far_below
