"""The parts of a comparison: its classes, its errors, and what would be decided if the two sides agreed more."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.fields import (
    ByValue,
    Check,
    Count,
    Counts,
    Declared,
    Described,
    Interval,
    Label,
    Limited,
    Number,
    Probability,
)


@dataclass(frozen=True)
class ClassDifference(Declared):
    """A class's F1 on either side, and the posterior of the difference.

    Attributes
    ----------
    label
        The class.
    n_samples
        Its examples, the baseline's and the candidate's.
    baseline, candidate
        Observed F1.
    mean, hdi
        Of delta, candidate - baseline.
    """

    label: Label
    n_samples: Counts
    baseline: Number
    candidate: Number
    mean: Number
    hdi: Interval


@dataclass(frozen=True)
class OtherDecision(Declared):
    """What would be decided if the two sides predicted the same on more of the examples.

    Attributes
    ----------
    decision
        See `Decision`.
    agreement
        From which share of the examples on, to a hundredth.
    most
        The largest share that the counts allow.
    """

    decision: Annotated[Decision, ByValue()]
    agreement: Probability
    most: Probability


@dataclass(frozen=True)
class Breakdown(Declared):
    """The parts of a comparison.

    Attributes
    ----------
    classes
        By the mean of delta, the worst first; of more than 200 classes those whose observed F1 changed most.
    cells
        (true, predicted, baseline's examples, candidate's): the cells of the confusion matrix that changed, at most
        4,000, as positions among ``classes``; none of labels that do not exclude one another.
    closest
        The HDI of delta if the two sides agreed on as many examples as their counts allow; None where it is known how
        many those are, or where they are not the same examples.
    if_agreed
        What would be decided if they agreed on more than independent sides would; None where that changes nothing, or
        where ``closest`` is None.
    """

    classes: Annotated[tuple[ClassDifference, ...], Limited(max_length=200), Described("The worst first.")]
    cells: Annotated[
        tuple[tuple[Count, Count, Count, Count], ...],
        Limited(max_length=4_000),
        Described("Cells that changed: true and predicted class, as positions among the classes; counts."),
    ]
    closest: Annotated[Interval | None, Described("HDI of delta if the two sides agreed as often as they could.")]
    if_agreed: Annotated[OtherDecision | None, Described("The decision if the two sides agreed more often.")]


def _has_cells_of_its_classes(breakdown: Breakdown) -> bool:
    return all(max(cell[:2]) < len(breakdown.classes) for cell in breakdown.cells)


Parts: TypeAlias = Annotated[Breakdown, Check(_has_cells_of_its_classes, "cells of the classes that are listed")]
