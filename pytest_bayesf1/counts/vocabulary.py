"""Whether predictions speak of the classes that the truth speaks of, or are scores, ids or something else.

A prediction may be of a class that the truth never has: a stray answer, a new class, one that a small test set lacks.
Three things are none of these:

- **Scores.** Numbers with a fraction that the truth never has, when they are most of the different predictions, or most
  of all predictions beside a truth without fractions. A stray "3.5" among ratings of 1 to 5 passes. Where the truth has
  fractions too (ratings in half steps, versions such as 3.11), the new ones must also outnumber these, and ten. The
  truth itself is of scores when most of its labels are fractions that are never predicted, one for every other example.
- **Another vocabulary.** Not one prediction is of any of the two or more true classes.
- **More classes than can be.** Most predictions are of labels that the truth never has, more than ten of them, and
  these are more than ten for each true class, as scores of 0 to 100 are, or occur less than twice each, as ids and free
  text do: classes recur. A test set with a tenth of a classifier's classes passes, however wrong its predictions are.

Labels that the caller lists are classes, whatever they look like. Where predictions may be answers that nobody could
read, there may be any number of other labels, but some predictions have to be classes.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from pytest_bayesf1._util import counted, shown
from pytest_bayesf1.counts.spelling import in_order, is_fraction, require_one_spelling
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import COUNT_AS_WRONG

_MANY = 10
_SHOWN = 3
_RIGHT_COLUMNS = "Are these the right columns? Classes that the truth lacks can be listed with labels=[...]."
_ONE_LABEL = f"Are these scores, ids or free text? {COUNT_AS_WRONG} Classes can be listed with labels=[...]."


def require_one_vocabulary(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse predictions that are not of the truth's classes, in the sense above, or spell them in another way.

    Parameters
    ----------
    counts
        How many examples have each label, for every column by the name that error messages use; the truth first, then
        the predictions of each side. All labels are of one kind.

    Raises
    ------
    InputError
        Naming the column, and what in it is no class.
    """
    require_no_scores(counts)
    require_some_classes(counts)
    true, *predicted = _columns(counts)
    for column in predicted:
        _refuse_many_labels(true, column)


def require_no_scores(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse scores in the place of labels.

    Parameters
    ----------
    counts
        As in `require_one_vocabulary`.

    Raises
    ------
    InputError
        Naming the column that has them.
    """
    true, *predicted = _columns(counts)
    for column in predicted:
        _refuse_scores(true, column)


def require_some_classes(counts: Mapping[str, Mapping[Any, float]]) -> None:
    """Refuse predictions of which none is a class, or that spell classes in another way.

    Parameters
    ----------
    counts
        As in `require_one_vocabulary`; or first, in place of the truth, the classes that the caller lists.

    Raises
    ------
    InputError
        Naming the column, and what in it is no class.
    """
    true, *predicted = _columns(counts)
    require_one_spelling(true.name, true.labels, {column.name: column.labels for column in predicted})
    for column in predicted:
        if len(true.labels) > 1 and column.labels and not column.labels & true.labels:
            expected = f"some of the labels that {true.name} has ({_shown(true.labels)})"
            raise InputError(column.name, expected, f"others only ({_shown(column.labels)})", _RIGHT_COLUMNS)


@dataclass(frozen=True)
class _Column:
    """The different labels of a column, and how many examples have each."""

    name: str
    count: Mapping[Any, float]

    @property
    def labels(self) -> AbstractSet[Any]:
        return self.count.keys()

    @property
    def n_examples(self) -> float:
        return sum(self.count.values())

    @property
    def fractions(self) -> AbstractSet[str]:
        return {label for label in self.labels if isinstance(label, str) and is_fraction(label)}

    def share(self, labels: AbstractSet[Any]) -> float:
        """Tell what share of the examples has one of these labels."""
        return sum(self.count[label] for label in labels) / self.n_examples


def _columns(counts: Mapping[str, Mapping[Any, float]]) -> list[_Column]:
    return [_Column(name, count) for name, count in counts.items()]


def _refuse_scores(true: _Column, predicted: _Column) -> None:
    scores = predicted.fractions - true.labels
    mostly = len(scores) > len(predicted.labels) / 2 or (not true.fractions and predicted.share(scores) > 0.5)
    n_usual = max(len(true.fractions), _MANY) if true.fractions else 0
    if mostly and len(scores) > n_usual:
        raise _scores(predicted, scores, true)
    scores = true.fractions - predicted.labels
    if len(scores) > max(len(true.labels), true.n_examples) / 2:
        raise _scores(true, scores, predicted)


def _scores(column: _Column, scores: AbstractSet[str], other: _Column) -> InputError:
    found = f"{counted(len(scores), 'number')} with a fraction ({_shown(scores)}), of which {other.name} has none"
    return InputError(column.name, "class labels", found, "Pass labels, not probabilities.")


def _refuse_many_labels(true: _Column, predicted: _Column) -> None:
    strange = predicted.labels - true.labels
    n_examples = sum(predicted.count[label] for label in strange)
    too_many = len(strange) > _MANY * len(true.labels) or n_examples < 2 * len(strange)
    if too_many and len(strange) > _MANY and predicted.share(strange) > 0.5:
        found = f"{counted(len(strange), 'label')} that {true.name} never has ({_shown(strange)})"
        raise InputError(predicted.name, "classes, most of them those of the truth", found, _ONE_LABEL)


def _shown(labels: AbstractSet[Any]) -> str:
    first = ", ".join(map(shown, in_order(labels)[:_SHOWN]))
    return f"{first}, ..." if len(labels) > _SHOWN else first
