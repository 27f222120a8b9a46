"""Which outcomes there can be: classes or labels, sides, and the groups that outcomes fall into."""

from functools import cached_property

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Codes, Counts


class OutcomeShape:
    """What is known of a table of outcomes without its counts; `OutcomeTable` says what the attributes are."""

    n_classes: int
    predicted: Codes
    multilabel: bool
    spans: bool
    never_true: tuple[int, ...]

    @property
    def n_sides(self) -> int:
        """Number of sides, S."""
        return int(self.predicted.shape[0])

    @property
    def n_outcomes(self) -> int:
        """Predictions that are possible for an example of a given true class, for each side."""
        return 2 if self.multilabel else self.n_classes

    @property
    def n_problems(self) -> int:
        """Classification problems side by side: L, or 1."""
        return self.n_classes // self.n_outcomes

    @property
    def class_shape(self) -> tuple[int, ...]:
        """Shape of an array with a number for every class: (M,), or (L, 2)."""
        return (self.n_problems, 2) if self.multilabel else (self.n_classes,)

    @property
    def cell_shape(self) -> tuple[int, ...]:
        """Shape of an array with all outcomes of every class: (M, M, ...), or (L, 2, 2, ...)."""
        return (*self.class_shape, *[self.n_outcomes] * self.n_sides)

    @property
    def named(self) -> slice:
        """The classes that labels name: all, or the one of each pair that says "present"."""
        return slice(1, None, 2) if self.multilabel else slice(None)

    @cached_property
    def may_be_true(self) -> npt.NDArray[np.bool_]:
        """(M,) whether the truth can be of the class."""
        possible = np.ones(self.n_classes, dtype=bool)
        possible[list(self.never_true)] = False
        return possible

    @property
    def occurring(self) -> npt.NDArray[np.bool_]:
        """Whether the truth can be of each class or label that has a name, (M,) or (L,)."""
        return self.may_be_true[self.named]

    @property
    def row_kinds(self) -> Codes:
        """(M,) true classes that learn from one another have the same kind: presences, absences; else all of them."""
        return np.arange(self.n_classes) % 2 if self.multilabel else np.zeros(self.n_classes, dtype=np.int64)

    @property
    def group_sizes(self) -> Counts:
        """(2^S,) outcomes that each group holds in every row: M - 1 for each side that is wrong."""
        return np.array([(self.n_outcomes - 1) ** group.bit_count() for group in range(2**self.n_sides)])

    def is_right(self, side: int, group: int) -> bool:
        """Whether a side is right in a group of outcomes.

        Parameters
        ----------
        side, group
            Their numbers.
        """
        return not group >> (self.n_sides - 1 - side) & 1

    def right_groups(self, side: int) -> list[int]:
        """List the groups of outcomes in which this side is right."""
        return [group for group in range(2**self.n_sides) if self.is_right(side, group)]

    def wrong_sides(self, group: int) -> list[int]:
        """List the sides that are wrong in this group."""
        return [side for side in range(self.n_sides) if not self.is_right(side, group)]
