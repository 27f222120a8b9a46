"""What is found besides a comparison: a history, a plan, a ranking, the run itself, a verdict card."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pytest_bayesf1._util import require_once, spoken_day
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.git import Checkout
from pytest_bayesf1.results.comparison import Decision, Density
from pytest_bayesf1.results.schema import (
    ByValue,
    Check,
    Count,
    Declared,
    Described,
    Flag,
    Interval,
    Label,
    Limited,
    Number,
    Positive,
    Probability,
    RopeBounds,
    Size,
    Text,
    Texts,
)
from pytest_bayesf1.settings import COMPARISONS, Model

MOST_POINTS = 10
"""Versions that a report shows."""

ITSELF = "the anchor"
"""Why there is no change since the anchor."""

DELETED = "deleted"
"""What is wrong with a version where the commit deleted the file."""

VersionVerdict: TypeAlias = Literal["failed", "warned", "undecided", "passed", ""]


@dataclass(frozen=True)
class VersionScore(Declared):
    """The posterior of a version's score, and the score at the observed counts."""

    observed: Number
    mean: Number
    hdi: Interval


@dataclass(frozen=True)
class VersionChange(Declared):
    """The posterior of the difference from an earlier version, positive when the later one is better."""

    mean: Number
    hdi: Interval
    decision: Annotated[Decision, ByValue()]


@dataclass(frozen=True)
class VersionFigures(Declared):
    """What is computed of a version, and kept for the next time.

    Attributes
    ----------
    problem
        Why nothing can be told of it; empty where something can.
    repeats
        Whether it holds the predictions of the version before it.
    score
        None where it cannot be computed.
    change, total
        Since the version before it and since its anchor; None where there is nothing to compare with, for the reason
        that ``why_no_change`` or ``why_no_total`` says.
    anchor
        Where its anchor is from.
    """

    problem: Text = ""
    repeats: Flag = False
    score: VersionScore | None = None
    change: VersionChange | None = None
    why_no_change: Text = ""
    total: VersionChange | None = None
    why_no_total: Text = ""
    anchor: Text = ""


@dataclass(frozen=True, kw_only=True)
class Version(VersionFigures):
    """A version of a baseline.

    Attributes
    ----------
    commit, date, subject
        Of the commit that made it: full hash, day, first line of the message.
    file
        Its path then, below the repository's root folder.
    verdict
        What a gate would have said, which fails what is significantly worse than the version before it, or than the
        budget allows since the anchor; empty where nothing was compared.
    """

    commit: Text
    date: Text
    subject: Text
    file: Text
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
        What is tolerated from one version to the next, and in all since the anchor.
    bounded
        Whether scores of the measure go up to 1, so that a difference of 0.01 is a point.
    shallow
        Whether the clone leaves out older commits, so that there may be older versions.
    """

    file: Text
    measure: Text
    measure_words: Text
    bounded: Flag
    rope: Interval
    budget: Size
    hdi_prob: Size
    shallow: Flag
    versions: tuple[Version, ...]


@dataclass(frozen=True)
class TrendPoint(Declared):
    """A version of a baseline: the day and the full hash of its commit, and the posterior of its score."""

    date: Text
    commit: Text
    score: Number
    hdi: Interval


@dataclass(frozen=True)
class Trend(Declared):
    """The last versions of a baseline on its test set.

    Attributes
    ----------
    file
        The baseline, below the folder of the run.
    budget
        The loss since the anchor that is tolerated in all; None where there is no anchor.
    anchor
        The anchor's score; None where it is not known.
    points
        The oldest first.
    """

    file: Text
    budget: Size | None
    anchor: Number | None = None
    points: Annotated[
        tuple[TrendPoint, ...], Limited(max_length=MOST_POINTS), Described("The last ten, the oldest first.")
    ] = ()

    @property
    def least(self) -> float | None:
        """The score below which more than the budget is lost; None where that is not known."""
        return None if self.anchor is None or self.budget is None else self.anchor - self.budget


@dataclass(frozen=True, kw_only=True)
class DecisionRates(Declared):
    """How probable each decision is; they add up to 1.

    Attributes
    ----------
    much_worse
        ≪: the gate fails.
    worse, equivalent, better, much_better
        <, ≈, > and ≫.
    undecided
        ?: more examples are needed.
    """

    much_worse: Probability
    worse: Probability
    equivalent: Probability
    better: Probability
    much_better: Probability
    undecided: Probability

    def of(self, decision: Decision) -> float:
        """Return the probability of one of them."""
        found: float = getattr(self, decision.name.lower())
        return found


@dataclass(frozen=True, kw_only=True)
class PlannedScenario(Declared):
    """A difference that may be the true one.

    Attributes
    ----------
    name
        What it is called.
    delta
        The candidate's true score minus the baseline's.
    agreement
        How often both predict the same.
    tolerated
        Whether the loss, if it is one, lies within the ROPE: a gate that fails fails falsely.
    """

    name: Text
    delta: Number
    agreement: Probability
    tolerated: Flag


@dataclass(frozen=True, kw_only=True)
class PlannedSize(Declared):
    """What is to be expected of a test set.

    Attributes
    ----------
    n_examples
        Its size; of two test sets that of each.
    rates
        By the first-order approximation, of each scenario.
    """

    n_examples: Positive
    rates: tuple[DecisionRates, ...]


@dataclass(frozen=True, kw_only=True)
class Needed(Declared):
    """How many examples find the loss.

    Attributes
    ----------
    power
        The probability that the gate fails.
    n_examples
        The smallest test set with that power; of two test sets the size of each.
    interval
        Where 90% of such pilots would put it; None where no examples were counted.
    """

    power: Probability
    n_examples: Positive
    interval: tuple[Positive, Positive] | None


@dataclass(frozen=True, kw_only=True)
class PlannedDesign(Declared):
    """A way to test.

    Attributes
    ----------
    model
        What the two sides share.
    needed
        Examples that find the loss.
    curve
        Test sets of growing size.
    """

    model: Annotated[Model, ByValue(*COMPARISONS)]
    needed: tuple[Needed, ...]
    curve: tuple[PlannedSize, ...]


@dataclass(frozen=True, kw_only=True)
class SimulatedRates(Declared):
    """What the gate itself decided on simulated test sets.

    Attributes
    ----------
    model
        What the two sides share.
    scenario
        The name of the true difference.
    n_examples
        Of each test set.
    rates
        Shares of the test sets.
    mcse
        Monte Carlo standard error of the share that failed.
    approximation
        What the first-order approximation says.
    agrees
        Whether it is right about failures, by no more than 5 points beyond what chance explains.
    """

    model: Annotated[Model, ByValue(*COMPARISONS)]
    scenario: Text
    n_examples: Positive
    rates: DecisionRates
    mcse: Size
    approximation: DecisionRates
    agrees: Flag


@dataclass(frozen=True, kw_only=True)
class ClassNeed(Declared):
    """How many examples of a class to test.

    Attributes
    ----------
    label
        The class.
    as_they_come
        As many as its share of the test set.
    optimal
        As many as make delta known best, with the same power in all.
    """

    label: Label
    as_they_come: Count
    optimal: Count


@dataclass(frozen=True, kw_only=True)
class Allocation(Declared):
    """A test set whose examples are drawn class by class.

    Attributes
    ----------
    n_as_they_come
        Examples that find the loss where they are drawn whatever their class.
    n_optimal
        Examples that do where each class has as many as are best.
    classes
        All of them, those first that need most beyond their share.
    """

    n_as_they_come: Positive
    n_optimal: Positive
    classes: tuple[ClassNeed, ...]

    @property
    def saved(self) -> float:
        """The share of the examples that need not be labelled."""
        return 1 - self.n_optimal / self.n_as_they_come


@dataclass(frozen=True, kw_only=True)
class LookRates(Declared):
    """What repeated looks do to a gate, for one true difference.

    Attributes
    ----------
    scenario
        Its name.
    failed_once
        Share of the test sets that fail where all examples are labelled before anyone looks.
    failed_looking
        Share that fail at the look that settles them.
    undecided
        Share that no look settles.
    n_labelled
        Mean number of examples that were labelled.
    stopped
        Share that each look settles.
    """

    scenario: Text
    failed_once: Probability
    failed_looking: Probability
    undecided: Probability
    n_labelled: Size
    stopped: tuple[Probability, ...]


@dataclass(frozen=True, kw_only=True)
class Looks(Declared):
    """Test sets that are looked at whenever another equal part is labelled, until ≪, ≈ or ≫ settles them.

    Attributes
    ----------
    n_examples
        At each look.
    rates
        Of each scenario.
    """

    n_examples: tuple[Positive, ...]
    rates: tuple[LookRates, ...]


@dataclass(frozen=True, kw_only=True)
class PlanFigures(Declared):
    """How many examples a gate needs.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prior, seed
        Of the gate.
    pilot, n_pilot
        What the plan starts from, in words; and how many examples were counted.
    loss
        The loss that is to be found.
    scenarios
        Differences that may be the true one: the first is none, the last the loss that is to be found.
    designs
        Ways to test, the strongest first.
    n_examples
        The test set that was looked at closely.
    simulated
        What the gate itself decides on it; empty where nothing was simulated.
    repetitions
        Test sets that were simulated of each kind.
    allocation
        Which classes need more examples.
    looks
        What repeated looks do; None where one was asked for.
    """

    measure: Text
    measure_words: Text
    custom_measure: Flag
    rope: RopeBounds
    hdi_prob: Probability
    prior: Text
    seed: Count
    pilot: Text
    n_pilot: Count
    loss: Size
    scenarios: tuple[PlannedScenario, ...]
    designs: tuple[PlannedDesign, ...]
    n_examples: Positive
    simulated: tuple[SimulatedRates, ...]
    repetitions: Count
    allocation: Allocation
    looks: Looks | None


@dataclass(frozen=True, kw_only=True)
class SystemFigures(Declared):
    """One of several systems.

    Attributes
    ----------
    name
        What it is called.
    observed
        Its score at the observed counts, as scikit-learn computes it.
    mean, std, hdi
        Of the posterior of its score; ``hdi`` is (low, high).
    p_best
        Probability that no other system has a higher score.
    rank_hdi
        The shortest run of ranks, first and last, that is at least as likely as the HDI; 1 is the best.
    expected_rank
        The mean of its rank.
    rank_probabilities
        Of the ranks 1 to K.
    expected_loss
        How far its score lies behind the best one, on average: what it costs to choose this system.
    ties
        The systems whose difference from it lies within the ROPE (decision ≈).
    """

    name: Text
    observed: Number
    mean: Number
    std: Size
    hdi: Interval
    p_best: Probability
    rank_hdi: tuple[Positive, Positive]
    expected_rank: Size
    rank_probabilities: tuple[Probability, ...]
    expected_loss: Size
    ties: Texts


@dataclass(frozen=True, kw_only=True)
class PairFigures(Declared):
    """A comparison of two systems, of which the one with the higher mean score is the baseline.

    Attributes
    ----------
    baseline, candidate
        Their names.
    mean, hdi
        Of the posterior of delta, the candidate's score minus the baseline's.
    p_worse
        P(delta < 0).
    decision
        What the data say of the candidate.
    settled
        Whether the decision is clear of Monte Carlo error.
    """

    baseline: Text
    candidate: Text
    mean: Number
    hdi: Interval
    p_worse: Probability
    decision: Annotated[Decision, ByValue()]
    settled: Flag


@dataclass(frozen=True, kw_only=True, eq=False)
class RankingFigures(Declared):
    """The figures of a ranking.

    Attributes
    ----------
    measure, measure_words, custom_measure, rope, hdi_prob, prior, seed, n_draws
        How it was computed, so that it can be redone; see `compare`.
    n_samples, n_classes
        Examples, and classes that have any.
    settled
        Whether the decisions between the first system and every other are clear of Monte Carlo error.
    systems
        In the order of their mean scores, the best first.
    pairs
        Every two systems, in the same order.
    groups
        Tie groups: the longest runs of systems, in this order, of which any two differ by less than the ROPE (≈). A
        system may be in two of them, for ties are no equivalence: A may be tied with B, B with C, and A not with C.
    """

    measure: Text
    measure_words: Text
    custom_measure: Flag
    rope: RopeBounds
    hdi_prob: Probability
    prior: Text
    seed: Count
    n_draws: Positive
    n_samples: Count
    n_classes: Count
    settled: Flag
    systems: tuple[SystemFigures, ...]
    pairs: tuple[PairFigures, ...]
    groups: tuple[Texts, ...]


_SHORT = 7
_KEY = r"[A-Za-z][A-Za-z0-9_.-]{0,49}"
_LONGEST_VALUE, _MOST = 500, 50

NOTE_HELP = "note of this run for its reports, such as model=v3 or mlflow_run=8f2a; may be repeated"


def _is_day(text: str) -> bool:
    try:
        return not text or bool(date.fromisoformat(text))
    except ValueError:
        return False


@dataclass(frozen=True, kw_only=True)
class RunIdentity(Declared):
    """Which run a report is of; what nobody knows is empty."""

    commit: Annotated[Text, Described("Full hash; of a pull request its last commit.")]
    branch: Annotated[Text, Described("Or the tag.")]
    date: Annotated[
        Text,
        Check(_is_day, "a day, such as 2026-05-02, or nothing"),
        Described("Day of the commit, as 2026-05-02, or of SOURCE_DATE_EPOCH where that is set."),
    ]
    notes: Annotated[dict[Text, Text], Limited(max_length=_MOST), Described("What was noted, by name.")]

    @classmethod
    def of(cls, folder: Path, notes: Mapping[str, str]) -> "RunIdentity":
        """Put down what is checked out in a folder, and what was noted."""
        checkout = Checkout.of(folder)
        return cls(commit=checkout.commit, branch=checkout.branch, date=checkout.date, notes=dict(notes))

    @property
    def text(self) -> tuple[str, ...]:
        """All that is known, in the words of reports."""
        commit = f"commit {self.commit[:_SHORT]}" if self.commit else ""
        return (*filter(None, (commit,)), *self.lines_without_commit)

    @property
    def lines_without_commit(self) -> tuple[str, ...]:
        """The same, where the commit is told already."""
        branch = f"branch {self.branch}" if self.branch else ""
        return (*filter(None, (branch, spoken_day(self.date))), *self.note_lines)

    @property
    def note_lines(self) -> tuple[str, ...]:
        """What was noted."""
        return tuple(f"{name}={value}" for name, value in self.notes.items())


UNKNOWN_RUN = RunIdentity(commit="", branch="", date="", notes={})


def read_notes(texts: Iterable[str]) -> dict[str, str]:
    """Take notes apart.

    Examples
    --------
    >>> read_notes(["model=v3", "mlflow_run=8f2a"])
    {'model': 'v3', 'mlflow_run': '8f2a'}
    """
    notes = []
    for text in texts:
        name, _, value = text.partition("=")
        if not re.fullmatch(_KEY, name) or not value.strip():
            expected = "name=value, the name being a letter and up to 49 letters, digits, '_', '.' and '-'"
            raise InputError("", expected, f"{text!r:.80}")
        if len(value) > _LONGEST_VALUE:
            raise InputError(name, f"at most {_LONGEST_VALUE} characters", f"{len(value):,}")
        notes.append((name, value.strip()))
    require_once((name for name, _ in notes), noun="note")
    if len(notes) > _MOST:
        raise InputError("", f"at most {_MOST} notes", f"{len(notes):,}")
    return dict(notes)


@dataclass(frozen=True)
class Landmark:
    """A place on a card's axis and what it is called there, on one line or two."""

    at: float
    words: str


@dataclass(frozen=True, kw_only=True)
class CardAxis:
    """The posterior of a change or of a score, in the numbers that people read: points, or the measure's own.

    Attributes
    ----------
    density, mean, hdi
        Of the posterior.
    rope
        What is tolerated; None beside a floor.
    reference
        No change, or the floor.
    here
        What the mean is called.
    landmarks
        One or two, from left to right: those that the policy asks about.
    """

    density: Density
    mean: float
    hdi: Interval
    rope: Interval | None
    reference: float
    here: str
    landmarks: tuple[Landmark, ...]


@dataclass(frozen=True)
class CardClass:
    """A class and its observed F1 on either side, as numbers and as they are written."""

    label: str
    baseline: float
    candidate: float
    text: str


@dataclass(frozen=True, kw_only=True)
class VerdictCard:
    """What a gate says of a result, at a glance; whatever is not known or does not apply is empty.

    Attributes
    ----------
    verdict, verdict_words
        Of the entry, and how people say it.
    glyph
        The decision's symbol; ``!`` where there is no answer.
    title
        Such as ``Worse: 0.982 → 0.912``.
    gate
        The test or gate and the part of the data.
    measure
        In words.
    change
        How much the score changes and what is tolerated, or how much is demanded.
    interval
        The HDI in words.
    run
        Commit and day.
    classes_title, classes
        Those whose F1 falls most.
    sees
        What the gate can see with such a test set, in a sentence.
    message
        Why there is no answer.
    axis
        None where there is none.
    """

    verdict: str
    verdict_words: str
    glyph: str
    title: str
    gate: str
    measure: str = ""
    change: str = ""
    interval: str = ""
    run: str = ""
    classes_title: str = ""
    classes: tuple[CardClass, ...] = ()
    sees: str = ""
    message: str = ""
    axis: CardAxis | None = None


class FindingKind(StrEnum):
    """How a gate differs from the one that is listed."""

    MISSING = "missing"
    """It did not judge: its test is gone, was skipped, or ran without it."""
    LOOSER = "looser"
    """What it failed before may pass now."""
    OTHER = "other"
    """It asks something else, which is neither stricter nor looser."""
    STRICTER = "stricter"
    UNLISTED = "unlisted"


_LOOSENS = (FindingKind.MISSING, FindingKind.LOOSER, FindingKind.OTHER)


@dataclass(frozen=True)
class Finding(Declared):
    """How a gate differs from the one that the manifest of gates lists, in words.

    Attributes
    ----------
    gate
        The test that makes the gate, and which of its gates where it makes several.
    about
        The setting that differs, such as ``rope``; empty when the gate as a whole does.
    told
        What was, and what is.
    """

    gate: Annotated[Text, Described("The test that makes it, and which of its gates where it makes several.")]
    kind: Annotated[
        FindingKind,
        ByValue(),
        Described("The first three loosen: other asks something else, which is neither stricter nor looser."),
    ]
    about: Annotated[Text, Described("The setting that differs; empty when the gate as a whole does.")]
    text: Text

    @property
    def loosens(self) -> bool:
        """Whether a regression might pass now that was listed to fail."""
        return self.kind in _LOOSENS
