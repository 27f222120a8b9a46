"""Scores that the data leave undefined: refused, for a posterior of them would be the prior's."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from pytest_bayesf1.arrays import Codes, Weights
from pytest_bayesf1.data.labels import Label
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.measures import Measure
from pytest_bayesf1.measures.names import MeasureName
from pytest_bayesf1.results.comparison import owners_of


@dataclass(frozen=True)
class _Need:
    """Of what a class's score is a share, so that there has to be some.

    Attributes
    ----------
    amounts
        How many there are for every class or label of one side, (K,).
    what, by
        What they are, in front of the class, and whose, in front of the side.
    advice
        What to do when there are none.
    """

    amounts: Callable[[OutcomeTable], Weights]
    what: str
    by: str
    advice: str


def _examples(side: OutcomeTable) -> Weights:
    return side.row_totals[side.named]


def _other_examples(side: OutcomeTable) -> Weights:
    return np.asarray(side.row_totals.sum() / side.n_problems - _examples(side))


def _predictions(side: OutcomeTable) -> Weights:
    return side.times_predicted[side.named]


_EXAMPLES = _Need(
    _examples, "an example of", "in the test set of", "Leave the class out of both sides, or use accuracy."
)
_OTHERS = _Need(_other_examples, "an example outside", "in the test set of", "Use recall, or accuracy.")
_PREDICTIONS = _Need(
    _predictions, "a prediction of", "by", "Use f1, to which a class that is never predicted counts as 0."
)

_NEEDS: Mapping[str, tuple[_Need, ...]] = MappingProxyType(
    {"precision": (_EXAMPLES, _PREDICTIONS), "specificity": (_EXAMPLES, _OTHERS)}
)
_CORRELATIONS = ("matthews_corrcoef", "cohen_kappa")
_ALWAYS_DEFINED = ("accuracy", "answered")


def require_defined(
    experiment: Experiment, labels: tuple[Label, ...], measure: Measure, names: tuple[str, ...] = ()
) -> None:
    """Refuse data that leave a score undefined: some side's is 0 / 0, or an average holds a class's that is.

    F1, its relatives and recall need an example of the class; precision also a prediction of it, specificity an example
    of another class; Matthews' correlation and Cohen's kappa two true and two predicted classes. Classes that the truth
    never has are in no average and need nothing. What earlier test sets showed counts.

    Parameters
    ----------
    experiment
        What was observed.
    labels
        The names of the classes, for the message.
    measure
        The score that is asked for; of a user's function nothing is known.
    names
        What the sides are called, where they are no baseline and candidate.

    Raises
    ------
    InputError
        Naming the class and the side.
    """
    if measure.named is None:
        return
    for owner, side in _sides(experiment, names):
        if measure.named.base in _CORRELATIONS:
            _require_two(measure.named, owner, side, labels)
        elif measure.named.base not in _ALWAYS_DEFINED:
            for need in _NEEDS.get(measure.named.base, (_EXAMPLES,)):
                _require(need, measure, owner, side, labels)


def _sides(experiment: Experiment, names: tuple[str, ...]) -> Iterator[tuple[str, OutcomeTable]]:
    sides = [table.side(index) for table in experiment.known for index in range(table.n_sides)]
    yield from zip(owners_of(len(sides), names), sides, strict=True)


def _require(need: _Need, measure: Measure, owner: str, side: OutcomeTable, labels: tuple[Label, ...]) -> None:
    name, amounts = measure.named, need.amounts(side)
    assert name is not None
    classes = _scored(measure, side)
    if name.average == "micro":
        amounts = np.full_like(amounts, amounts[classes].sum())  # decisions are pooled: those about any class will do
    lacking = classes[amounts[classes] == 0]
    if lacking.size == 0 and classes.size:
        return
    if measure.class_index is None:
        wanted = f"{need.what} every class, whose {name.class_base} it averages"
    else:
        wanted = f"{need.what} the class, whose {name.base} it is"
    found = f"none of class {labels[lacking[0]]!r} {need.by} {owner}" if lacking.size else "none of any class"
    raise InputError(f"measure {name.text}", wanted, found, need.advice)


def _scored(measure: Measure, side: OutcomeTable) -> Codes:
    """Return the classes or labels whose scores are asked for, or averaged."""
    assert measure.named is not None
    if measure.class_index is not None:
        return np.array([measure.class_index])
    return np.flatnonzero(side.occurring if measure.named.average != "weighted" else _examples(side))


def _require_two(name: MeasureName, owner: str, side: OutcomeTable, labels: tuple[Label, ...]) -> None:
    """Refuse a correlation with what never varies."""
    for what, codes in (("examples", side.true), ("predictions", side.predicted[0])):
        different = np.unique(codes)
        if different.size < 2:
            raise InputError(
                f"measure {name.text}",
                f"{what} of two classes at least",
                f"{what} of class {labels[different[0]]!r} only, by {owner}",
                "Without variation there is no correlation: use accuracy, balanced_accuracy or f1_macro.",
            )
