"""A result as one strip, ready to be drawn or written: the same in a picture, a page and a comment."""

from dataclasses import dataclass

from pytest_bayesf1._util import Interval
from pytest_bayesf1.results.figures import Density


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
    told: str


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
