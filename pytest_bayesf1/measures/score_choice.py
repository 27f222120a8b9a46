"""Which measure of scores is asked for, and whether the data define it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pytest_bayesf1._util import shown
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.data.scores import first_without_sum
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import (
    OF_MANY_CLASSES,
    OF_PROBABILITIES,
    OF_TWO_CLASSES,
    OF_VALUES,
    Detail,
    MeasureName,
    parse_name,
)
from pytest_bayesf1.measures.score_measures import Scorer, scorer
from pytest_bayesf1.measures.weighting import Weighting
from pytest_bayesf1.results.comparison import owners_of


@dataclass(frozen=True)
class ScoreMeasure:
    """A measure of scores, ready to be applied to either side.

    Attributes
    ----------
    named
        The name taken apart.
    """

    named: MeasureName

    class_index: ClassVar[None] = None
    detail: ClassVar[Detail] = Detail.MATRIX

    @property
    def name(self) -> str:
        """As the user wrote it."""
        return self.named.text

    @property
    def words(self) -> str:
        """The measure as people say it."""
        return self.named.words

    @property
    def bounded(self) -> bool:
        """Whether its scores have bounds, so that a difference of 0.01 is a point."""
        return self.named.bounded

    @property
    def lowest(self) -> float:
        """The bound that no score is below."""
        return self.named.lowest

    def scorer(self, table: ScoreTable, side: int) -> Scorer:
        """Prepare one side's scores.

        Parameters
        ----------
        table
            The scores.
        side
            Which side's.
        """
        return scorer(self.named.base, table, side)

    def observed(self, table: ScoreTable, side: int) -> float:
        """Score what was observed, as scikit-learn does.

        Parameters
        ----------
        table
            The scores.
        side
            Which side's.
        """
        return float(self.scorer(table, side)(Weighting.observed(table))[0])


def parse_score_measure(
    measure: object,
    labels: tuple[Label, ...],
    sides: Sequence[tuple[ScoreTable, int]],
    names: tuple[str, ...] = (),
) -> ScoreMeasure:
    """Understand the name of a measure of scores, and require that every side defines it.

    Parameters
    ----------
    measure
        The name.
    labels
        The classes; none of a number per example.
    sides
        Each side's table, and its number there.
    names
        What the sides are called, where they are no baseline and candidate.

    Raises
    ------
    InputError
        For another name, a measure of other scores, a class without examples, or scores that are no probabilities.
    """
    serving = _serving(len(labels))
    name = parse_name(measure) if isinstance(measure, str) else None
    if name is None or name.base not in serving:
        raise _not_serving(measure, name, labels, serving)
    for owner, (table, side) in zip(owners_of(len(sides), names), sides, strict=True):
        if name.base in OF_PROBABILITIES:
            _require_probabilities(name, owner, table, side)
        elif name.base not in OF_VALUES:
            _require_examples(name, owner, table, labels)
    return ScoreMeasure(name)


def _serving(n_classes: int) -> tuple[str, ...]:
    if n_classes == 0:
        return OF_VALUES
    return (*(OF_TWO_CLASSES if n_classes == 2 else OF_MANY_CLASSES), *OF_PROBABILITIES)


def _not_serving(
    measure: object, name: MeasureName | None, labels: tuple[Label, ...], serving: tuple[str, ...]
) -> InputError:
    what = f"scores of {len(labels)} classes" if labels else "a number per example"
    advice = ""
    if name is not None and not labels:
        advice = "Of 1 for right and 0 for wrong, mean is the accuracy."
    elif name is not None and not name.of_scores and len(labels) == 2:
        advice = f"Predicted classes take a threshold, as in {name.text + '@0.5'!r}."
    return InputError("measure", f"a measure of {what}: {', '.join(serving)}", shown(measure), advice)


def _require_examples(name: MeasureName, owner: str, table: ScoreTable, labels: tuple[Label, ...]) -> None:
    lacking = np.flatnonzero(table.class_totals == 0)
    if lacking.size:
        expected = "an example of every class, to rank it above others"
        found = f"none of class {labels[lacking[0]]!r} in the test set of {owner}"
        raise InputError(f"measure {name.text}", expected, found)


def _require_probabilities(name: MeasureName, owner: str, table: ScoreTable, side: int) -> None:
    scores = table.scores[side]
    outside = scores[(scores < 0) | (scores > 1)]
    if outside.size:
        raise InputError(f"measure {name.text}", "probabilities from 0 to 1", f"{outside[0]:g} by {owner}")
    row = first_without_sum(scores) if scores.shape[1] > 1 else None
    if row is not None:
        found = f"{scores[row].sum():g} in all for an example, by {owner}"
        raise InputError(f"measure {name.text}", "probabilities that sum to 1", found)
