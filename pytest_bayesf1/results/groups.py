"""Classes of a test set, or slices by a column, seen together: what each borrows from the others, and how far apart."""

from dataclasses import dataclass
from typing import Annotated

from pytest_bayesf1.results.fields import (
    LONGEST,
    Declared,
    Described,
    Interval,
    Limited,
    Number,
    Probability,
    Size,
    Text,
)


@dataclass(frozen=True)
class MeanAndHdi(Declared):
    """A posterior in short."""

    mean: Number
    hdi: Interval


@dataclass(frozen=True)
class GroupPart(Declared):
    """A class or a slice: its delta by its own data alone, and shrunk toward the others."""

    part: Text
    alone: MeanAndHdi
    shrunk: MeanAndHdi


@dataclass(frozen=True)
class ScoreGap(Declared):
    """How far the scores of the best and of the worst slice are apart.

    Attributes
    ----------
    best, worst
        The candidate's, by the shrunk scores.
    baseline, candidate
        Each side's gap: of joint draws of all slices, shrunk toward each other, the highest score minus the lowest.
    change
        The candidate's gap minus the baseline's.
    limit
        What the candidate's gap may be; None where nothing is demanded.
    p_within
        Probability that it is no more, never estimated too low; None where nothing is demanded.
    """

    best: Text
    worst: Text
    baseline: MeanAndHdi
    candidate: MeanAndHdi
    change: MeanAndHdi
    limit: Size | None = None
    p_within: Probability | None = None

    @property
    def is_too_wide(self) -> bool:
        """Whether the whole HDI of the candidate's gap lies above the limit."""
        return self.limit is not None and self.candidate.hdi[0] > self.limit


@dataclass(frozen=True)
class Group(Declared):
    """Classes, or the slices by a column, each on its own and shrunk toward each other.

    Attributes
    ----------
    by
        What tells the parts apart: ``class``, ``type``, or the column; empty where nobody said.
    parts
        In the order of the comparisons.
    common
        The mean about which the parts' true deltas vary.
    spread, spread_interval
        Their standard deviation: posterior median, and central interval.
    gap
        Between the best and the worst slice; None of classes.
    """

    by: Text
    parts: Annotated[tuple[GroupPart, ...], Limited(min_length=2, max_length=LONGEST)]
    common: MeanAndHdi
    spread: Size
    spread_interval: Annotated[Interval, Described("Central interval of the spread.")]
    gap: ScoreGap | None = None
