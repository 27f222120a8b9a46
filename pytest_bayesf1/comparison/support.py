"""Classes that the truth never has: unreadable or stray answers, new classes of a model, labels named for nothing."""

from collections.abc import Iterator, Mapping, Sequence

from pytest_bayesf1._util import counted, one_line, percent
from pytest_bayesf1.errors import UNREADABLE, StrayPredictionsWarning
from pytest_bayesf1.results.comparison import NeverTrue, owners_of
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.settings import COUNT_AS_WRONG

_MOST_NAMED = 5
_LONGEST_NAME = 80
_MANY = 0.01
"""Of a side's predictions."""


def classes_never_true(predicted: Mapping[int, tuple[float, ...]], labels: Sequence[Label]) -> tuple[NeverTrue, ...]:
    """Name the classes that have no examples."""
    found = [NeverTrue(labels[position], counts) for position, counts in predicted.items()]
    return tuple(sorted(found, key=lambda each: -sum(each.predicted)))


def notes_on(never_true: Sequence[NeverTrue], n_samples: Sequence[int], names: tuple[str, ...] = ()) -> Iterator[str]:
    """Say what became of these classes.

    Examples
    --------
    >>> for note in notes_on([NeverTrue("n/a", (0, 2)), NeverTrue(UNREADABLE, (5, 1))], (200, 200)):
    ...     print(note)
    2.5% of the baseline's answers and 0.5% of the candidate's answers could not be read: counted as wrong.
    'n/a': predicted 2 times by the candidate, never true: counted as wrong, in no average.
    """
    owners = owners_of(len(n_samples), names)
    yield from _shares_unreadable(never_true, n_samples, owners)
    strays = _strays(never_true)
    for each in strays[:_MOST_NAMED]:
        yield _note(each, owners)
    if rest := strays[_MOST_NAMED:]:
        together = _times([sum(counts) for counts in zip(*(each.predicted for each in rest), strict=True)], owners)
        yield f"{len(rest):,} more classes that are never true: {together}."


def warnings_about(
    never_true: Sequence[NeverTrue], n_samples: Sequence[int], names: tuple[str, ...] = ()
) -> Iterator[StrayPredictionsWarning]:
    """Warn of every side of whose predictions more than one in a hundred is of such a class.

    Answers that were said to be unreadable are none: who said so knows.
    """
    strays = _strays(never_true)
    for side, owner in enumerate(owners_of(len(n_samples), names)):
        stray = sum(each.predicted[side] for each in strays)
        if stray > _MANY * n_samples[side]:
            classes = ", ".join(_brief(each.label) for each in strays[:_MOST_NAMED] if each.predicted[side])
            yield StrayPredictionsWarning(
                f"{percent(stray / n_samples[side])} of what {owner} predicts ({round(stray):,} of "
                f"{n_samples[side]:,}) are classes that the truth never has: {classes}. They count as wrong. If they "
                "are classes, add examples of them to the test set; if they are none, mend the reading. "
                f"{COUNT_AS_WRONG}"
            )


def _strays(never_true: Sequence[NeverTrue]) -> list[NeverTrue]:
    return [each for each in never_true if each.label is not UNREADABLE]


def _shares_unreadable(
    never_true: Sequence[NeverTrue], n_samples: Sequence[int], owners: Sequence[str]
) -> Iterator[str]:
    own = [f"{owner}'s answers" for owner in owners] if len(owners) > 1 else ["the answers"]
    for found in never_true:
        if found.label is UNREADABLE and any(found.predicted):
            shares = zip(own, found.predicted, n_samples, strict=True)
            told = [f"{percent(times / n)} of {owner}" for owner, times, n in shares if times]
            yield f"{' and '.join(told)} could not be read: counted as wrong."


def _note(found: NeverTrue, owners: Sequence[str]) -> str:
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
