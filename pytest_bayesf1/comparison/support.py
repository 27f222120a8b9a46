"""Classes without support: unexpected or unreadable predictions, new classes of a model, labels that never occur."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from pytest_bayesf1._util import counted, one_line, percent
from pytest_bayesf1.errors import UNREADABLE, UnexpectedPredictionsWarning
from pytest_bayesf1.results.comparison import UnsupportedClass, owners_of
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.settings import COUNT_AS_WRONG

_MOST_NAMED = 5
_LONGEST_NAME = 80
_MANY = 0.01
"""Of a side's predictions."""


def unsupported_classes(
    predicted: Mapping[int, tuple[float, ...]], labels: Sequence[Label]
) -> tuple[UnsupportedClass, ...]:
    """Name the classes that have no examples."""
    found = [UnsupportedClass(labels[position], counts) for position, counts in predicted.items()]
    return tuple(sorted(found, key=lambda each: -sum(each.predicted)))


Sides: TypeAlias = Sequence[tuple[str, int]]
"""Whose predictions there are, and of how many examples."""


def sides_of(n_samples: Sequence[int]) -> Sides:
    """Name the sides of a comparison, or the only one of an estimate."""
    return list(zip(owners_of(len(n_samples)), n_samples, strict=True))


def notes_on(unsupported: Sequence[UnsupportedClass], sides: Sides) -> Iterator[str]:
    """Say what became of these classes.

    Examples
    --------
    >>> found = [UnsupportedClass("n/a", (0, 2)), UnsupportedClass(UNREADABLE, (5, 1))]
    >>> for note in notes_on(found, sides_of((200, 200))):
    ...     print(note)
    2.5% of the baseline's answers and 0.5% of the candidate's answers could not be read: counted as wrong.
    'n/a': predicted 2 times by the candidate, never true: counted as wrong, in no average.
    """
    owners = [owner for owner, _ in sides]
    yield from _shares_unreadable(unsupported, sides)
    unexpected = _unexpected(unsupported)
    for each in unexpected[:_MOST_NAMED]:
        yield _note(each, owners)
    if rest := unexpected[_MOST_NAMED:]:
        together = _times([sum(counts) for counts in zip(*(each.predicted for each in rest), strict=True)], owners)
        yield f"{len(rest):,} more classes that are never true: {together}."


def warnings_about(unsupported: Sequence[UnsupportedClass], sides: Sides) -> Iterator[UnexpectedPredictionsWarning]:
    """Warn of every side of whose predictions more than one in a hundred is of such a class.

    Answers that were said to be unreadable are none: who said so knows.
    """
    unexpected = _unexpected(unsupported)
    for side, (owner, n_samples) in enumerate(sides):
        n_unexpected = sum(each.predicted[side] for each in unexpected)
        if n_unexpected > _MANY * n_samples:
            classes = ", ".join(_brief(each.label) for each in unexpected[:_MOST_NAMED] if each.predicted[side])
            yield UnexpectedPredictionsWarning(
                f"{percent(n_unexpected / n_samples)} of what {owner} predicts ({round(n_unexpected):,} of "
                f"{n_samples:,}) are classes that the truth never has: {classes}. They count as wrong. If they "
                "are classes, add examples of them to the test set; if they are none, mend the reading. "
                f"{COUNT_AS_WRONG}"
            )


def _unexpected(unsupported: Sequence[UnsupportedClass]) -> list[UnsupportedClass]:
    return [each for each in unsupported if each.label is not UNREADABLE]


def _shares_unreadable(unsupported: Sequence[UnsupportedClass], sides: Sides) -> Iterator[str]:
    own = [f"{owner}'s answers" for owner, _ in sides] if len(sides) > 1 else ["the answers"]
    for found in unsupported:
        if found.label is UNREADABLE and any(found.predicted):
            shares = zip(own, found.predicted, sides, strict=True)
            parts = [f"{percent(times / n)} of {answers}" for answers, times, (_, n) in shares if times]
            yield f"{' and '.join(parts)} could not be read: counted as wrong."


def _note(found: UnsupportedClass, owners: Sequence[str]) -> str:
    consequence = "counted as wrong, in no average" if any(found.predicted) else "in no average"
    return f"{_brief(found.label)}: {_times(found.predicted, owners)}, never true: {consequence}."


def _brief(label: Label) -> str:
    """Write a label; of answers that are texts the beginning."""
    name = one_line(repr(label))
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _times(shares: Sequence[float], owners: Sequence[str]) -> str:
    predicted = [max(round(share), 1) if share else 0 for share in shares]
    if not any(predicted):
        return "never predicted"
    if len(predicted) == 1:
        return f"predicted {counted(predicted[0], 'time')}"
    if len(set(predicted)) == 1:
        return f"predicted {counted(predicted[0], 'time')} by {'either side' if len(predicted) == 2 else 'each'}"
    times = [f"{counted(n, 'time')} by {owner}" for n, owner in zip(predicted, owners, strict=True) if n]
    return f"predicted {' and '.join(times)}"
