"""Which examples a candidate predicts otherwise than the baseline, and what that does to the score."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, TypeAlias

from pytest_bayesf1.results.fields import Amount, Count, Declared, Described, Label, Limited, Number, Probability, Text

MOST_IDS = 5
"""Examples that are named beside an error."""

LONGEST_EXCERPT = 200
"""Characters of what is shown of an example."""

MOST_ERRORS = 10
"""Errors that a report tells of."""

MOST_EXAMPLES = 1_000
"""Examples that report.json keeps."""


class Turn(StrEnum):
    """What became of an example."""

    BROKEN = "right to wrong"
    FIXED = "wrong to right"
    STILL_WRONG = "wrong to another wrong"


Excerpts: TypeAlias = Annotated[tuple[Text, ...], Limited(max_length=100)]


@dataclass(frozen=True)
class NamedExample(Declared):
    """An example by its id, or its position, and excerpts of what a report was to show of it."""

    id: Label
    shown: Excerpts = ()


@dataclass(frozen=True)
class ErrorChange(Declared):
    """A kind of error: examples of one class that are taken for another one.

    Attributes
    ----------
    true, predicted
        The two classes.
    baseline, candidate
        How many examples either side makes it on; where runs share one, its share.
    contribution
        What its change adds to the observed change of the score.
    examples
        Some that changed: those that have it now where it became more frequent, else those that had it.
    """

    true: Label
    predicted: Label
    baseline: Amount
    candidate: Amount
    contribution: Number
    examples: Annotated[tuple[NamedExample, ...], Limited(max_length=MOST_IDS)] = ()


@dataclass(frozen=True)
class ClassContribution(Declared):
    """What the errors on the examples of a class add to the observed change of the score."""

    label: Label
    contribution: Number


@dataclass(frozen=True)
class ExampleChange(Declared):
    """An example that the two sides predict otherwise.

    Attributes
    ----------
    id
        The example's, or its position; of a span the document's and where the span is.
    true, baseline, candidate
        Its true class, and what either side predicts.
    share
        How much of the example this is about: less than 1 where several runs share it.
    contribution
        What it adds to the observed change of the score.
    shown
        Excerpts of what a report was to show of it.
    """

    id: Label
    true: Label
    baseline: Label
    candidate: Label
    share: Probability
    contribution: Number
    shown: Excerpts = ()

    @property
    def turn(self) -> Turn:
        """What became of it."""
        if self.true == self.baseline:
            return Turn.BROKEN
        return Turn.FIXED if self.true == self.candidate else Turn.STILL_WRONG


@dataclass(frozen=True)
class ReportedChanges(Declared):
    """What a candidate predicts otherwise, as it is told.

    Attributes
    ----------
    change
        The candidate's observed score minus the baseline's.
    rest
        What of it no error explains: that the classes have other proportions on different test sets.
    errors, classes
        With their contributions, which add up to ``change`` less ``rest``; first what explains most.
    n_examples
        How many examples are predicted otherwise; None where nobody knows them.
    examples
        Those of the errors that explain most.
    """

    change: Number
    rest: Number
    errors: Annotated[tuple[ErrorChange, ...], Limited(max_length=MOST_ERRORS), Described("The ten that explain most.")]
    classes: Annotated[
        tuple[ClassContribution, ...], Limited(max_length=MOST_ERRORS), Described("The ten that explain most.")
    ]
    n_examples: Count | None
    examples: Annotated[
        tuple[ExampleChange, ...], Limited(max_length=MOST_EXAMPLES), Described("The first thousand of them.")
    ]

    @property
    def most_telling(self) -> ErrorChange | None:
        """The error that explains most of the change; None where there is no change, or nothing explains it."""
        return next((each for each in self.errors if each.contribution * self.change > 0), None)
