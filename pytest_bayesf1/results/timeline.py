"""Figures of a baseline's versions: a history, and the trend that a report shows."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal, TypeAlias

from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.results.schema import (
    ByValue,
    Count,
    Declared,
    Described,
    Flag,
    Interval,
    Limited,
    Number,
    Size,
    Text,
)

MOST_POINTS = 10
"""Versions that a report shows."""

ITSELF = "the anchor"
"""Why there is no change since the anchor."""

DELETED = "deleted"
"""What is wrong with a version where the commit deleted the file."""

VersionVerdict: TypeAlias = Literal["failed", "warned", "undecided", "passed", ""]


@dataclass(frozen=True)
class VersionScore(Declared):
    """The posterior of a version's score, the score at the observed counts, and what its test set is known by."""

    observed: Number
    mean: Number
    hdi: Interval
    test_set: Text = ""


@dataclass(frozen=True)
class NewTestSet(Declared):
    """How a version was compared with an earlier one whose test set is another.

    Attributes
    ----------
    n_before, n_now
        Examples of either.
    n_shared
        The examples that both have, by which they were compared; None where they were compared as independent samples.
    equal_shares
        Whether both were scored at the same class shares, where they were independent.
    """

    n_before: Count
    n_now: Count
    n_shared: Count | None = None
    equal_shares: Flag = False


@dataclass(frozen=True)
class VersionChange(Declared):
    """The posterior of the difference from an earlier version, positive when the later one is better.

    Attributes
    ----------
    is_not_inferior
        Whether the whole HDI lies above the ROPE's lower end, and nothing leaves that open.
    new_test_set
        How the test sets differ; None where they do not, as far as anything tells.
    warnings
        What its reader must not overlook.
    """

    mean: Number
    std: Size
    hdi: Interval
    decision: Annotated[Decision, ByValue()]
    is_not_inferior: Flag
    new_test_set: NewTestSet | None = None
    warnings: tuple[Text, ...] = ()

    @property
    def is_of_shared_examples(self) -> bool:
        """Whether both were compared on the same examples, as far as anything tells."""
        return self.new_test_set is None or self.new_test_set.n_shared is not None


@dataclass(frozen=True)
class VersionResult(Declared):
    """A version of a baseline.

    Attributes
    ----------
    commit, date, subject
        Of the commit that made it: full hash, day, first line of the message.
    file
        Its path then, below the repository's root folder.
    problem
        Why nothing is known of it; empty where something is.
    score
        None where it cannot be computed.
    change, total
        Since the version before it and since its anchor; None where there is nothing to compare with, for the reason
        that ``why_no_change`` or ``why_no_total`` says.
    anchor
        Where its anchor is from.
    verdict
        What a gate would have said, which fails what is significantly worse than the version before it, or than the
        budget allows since the anchor; empty where nothing was compared.
    """

    commit: Text
    date: Text
    subject: Text
    file: Text
    problem: Text = ""
    score: VersionScore | None = None
    change: VersionChange | None = None
    why_no_change: Text = ""
    total: VersionChange | None = None
    why_no_total: Text = ""
    anchor: Text = ""
    verdict: VersionVerdict = ""

    @property
    def is_deleted(self) -> bool:
        """Whether the commit deleted the file."""
        return self.problem == DELETED

    @property
    def is_anchor(self) -> bool:
        """Whether total loss is counted from it."""
        return self.why_no_total == ITSELF


@dataclass(frozen=True, kw_only=True)
class History(Declared):
    """The versions of a baseline that differ, the oldest first, and how they were compared.

    Attributes
    ----------
    file
        The baseline.
    rope, budget
        What is allowed from one version to the next, and in all since the anchor.
    bounded
        Whether scores of the measure go up to 1, so that a difference of 0.01 is a point.
    shallow
        Whether the clone leaves out older commits, so that there may be older versions.
    by_judge
        Whether its gate corrects a judge by people's grades, which versions do not have.
    """

    file: Text
    measure: Text
    measure_words: Text
    bounded: Flag
    rope: Interval
    budget: Size
    hdi_prob: Size
    shallow: Flag
    by_judge: Flag = False
    versions: tuple[VersionResult, ...]

    @property
    def problem_now(self) -> str:
        """Why the newest version could not be read; empty where it could, or was deleted."""
        newest = self.versions[-1:]
        return "".join(each.problem for each in newest if not each.is_deleted)


@dataclass(frozen=True)
class TrendPoint(Declared):
    """A version of a baseline: the day and the full hash of its commit, and the posterior of its score.

    ``new_test_set`` says whether its test set is another one than that of the point before it.
    """

    date: Text
    commit: Text
    score: Number
    hdi: Interval
    new_test_set: Flag = False


@dataclass(frozen=True)
class Trend(Declared):
    """The last versions of a baseline, each on its own test set.

    Attributes
    ----------
    file
        The baseline, below the folder of the run.
    budget
        The loss since the anchor that is allowed in all; None where there is no anchor.
    anchor
        The anchor's score; None where it is not known.
    points
        The oldest first.
    problem
        Why they could not be found; empty where they were, or where there is no history.
    day
        That of the run's commit, as ISO 8601 writes it; empty where it is not known.
    """

    file: Text
    budget: Size | None
    anchor: Number | None = None
    points: Annotated[
        tuple[TrendPoint, ...], Limited(max_length=MOST_POINTS), Described("The last ten, the oldest first.")
    ] = ()
    problem: Text = ""
    day: Text = ""

    @property
    def age(self) -> int | None:
        """Days from the commit of the last version to the run's; None where either is not known."""
        with suppress(ValueError, IndexError):
            return (date.fromisoformat(self.day) - date.fromisoformat(self.points[-1].date)).days
        return None

    @property
    def least(self) -> float | None:
        """The score below which more than the budget is lost; None where that is not known."""
        return None if self.anchor is None or self.budget is None else self.anchor - self.budget
