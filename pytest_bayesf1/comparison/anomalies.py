"""What looks like a mistake in the data of two sides: identical sides, swapped labels, leakage, tags for entities."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from pytest_bayesf1.comparison.design import renamed_classes
from pytest_bayesf1.comparison.subject import Subject
from pytest_bayesf1.data.labels import are_tags
from pytest_bayesf1.results.comparison import SPANS
from pytest_bayesf1.results.schema import Label

_FEWEST = 50
_STANDARD_ERRORS, _FAR_BELOW = 4, 0.8


@dataclass(frozen=True)
class Suspicions:
    """What looks like a mistake; `pytest_bayesf1.words.notes` says it.

    Attributes
    ----------
    are_identical
        Whether both sides predict the same for every example.
    all_right
        How many examples or spans there are, and which of the two, where the candidate alone is right on all of them.
    renamed
        What each class of the baseline means, where another reading makes more of it right.
    below_chance
        How much of each side is right, and how much would be by chance, where both are clearly worse than that.
    are_token_tags
        Whether the classes are tags of single tokens, most of which are O, so that lost entities hardly count.
    """

    are_identical: bool
    all_right: tuple[int, str] | None
    renamed: Mapping[Label, Label]
    below_chance: tuple[tuple[float, float], ...]
    are_token_tags: bool

    @classmethod
    def about(cls, subject: Subject[Any]) -> "Suspicions":
        """Look at the data of two sides."""
        counts = subject.counts
        has_classes = counts is not None and not counts.experiment.multilabel
        reads_classes = has_classes and not subject.experiment.spans
        renamed = renamed_classes(subject.experiment.sides[0], subject.labels) if reads_classes else {}
        return cls(
            are_identical=subject.is_identical,
            all_right=all_right(subject),
            renamed=renamed,
            below_chance=_below_chance(subject) if reads_classes and not renamed else (),
            are_token_tags=has_classes and are_tags([[[*subject.labels]]]),
        )


def all_right(subject: Subject[Any]) -> tuple[int, str] | None:
    """Count the examples, if these are not few, where the candidate is right on all of them and the baseline is not."""
    if subject.counts is None:
        return None
    baseline, candidate = subject.experiment.sides
    if candidate.n_samples < _FEWEST or not candidate.is_all_right or baseline.is_all_right:
        return None
    return candidate.n_samples, SPANS if candidate.spans else "examples"


def _below_chance(subject: Subject[Any]) -> tuple[tuple[float, float], ...]:
    found: list[tuple[float, float]] = []
    for table in subject.experiment.sides:
        n = table.n_samples
        if n < _FEWEST:
            return ()
        right = float(table.count[table.true == table.predicted[0]].sum() / n)
        said = np.bincount(table.predicted[0], table.count, table.n_classes) / n
        by_chance = float(table.row_totals @ said) / n
        if max(right + _STANDARD_ERRORS * sqrt(right * (1 - right) / n), right / _FAR_BELOW) >= by_chance:
            return ()
        found.append((right, by_chance))
    return tuple(found)
