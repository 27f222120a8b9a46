"""What changed, in words."""

from dataclasses import dataclass

from pytest_bayesf1._util import Scale, scale_of
from pytest_bayesf1.reports.entry import ComparisonEntry
from pytest_bayesf1.results.comparison import ErrorChange, NamedExample, ReportedChanges
from pytest_bayesf1.results.formatting import name_text, visible

_MINUS = str.maketrans("-", "\N{MINUS SIGN}")


@dataclass(frozen=True)
class ToldError:
    """An error as a row of a table: how many examples before and after, what it adds, and some of the examples."""

    name: str
    counts: str
    adds: str
    examples: tuple[str, ...]
    with_excerpts: bool

    @classmethod
    def of(cls, error: ErrorChange, scale: Scale) -> "ToldError":
        """Put an error into words."""
        adds = f"{scale.factor * error.contribution:+.2f}".translate(_MINUS)
        examples = tuple(map(_example, error.examples))
        with_excerpts = any(example.shown for example in error.examples)
        return cls(error_name(error), error_counts(error), adds, examples, with_excerpts)


@dataclass(frozen=True)
class ToldChanges:
    """A sentence, the unit of what errors add, the errors that explain most, and what all of them add up to."""

    headline: str
    unit: str
    errors: tuple[ToldError, ...]
    note: str

    @classmethod
    def of(cls, changes: ReportedChanges, measure: str, scale: Scale) -> "ToldChanges":
        """Put changes into words.

        Parameters
        ----------
        changes
            Of a comparison.
        measure
            As people say it.
        scale
            Of its changes.
        """
        errors = tuple(ToldError.of(each, scale) for each in changes.errors if each.contribution)
        note = "What an error adds is its part of the observed change; the parts of all errors add up to it"
        rest = f"{scale.factor * changes.rest:+.2f}"
        if float(rest):
            note += f", but for {scale.amount(rest.translate(_MINUS))} because the classes have other proportions"
        return cls(
            f"{_headline(changes, measure, scale)}.", f"{scale.unit}s" if scale.unit else "score", errors, f"{note}."
        )


def told_changes(entry: ComparisonEntry) -> ToldChanges | None:
    """Return what a report says of the changes; None where it knows of none."""
    if entry.changes is None:
        return None
    told = ToldChanges.of(entry.changes, entry.measure_words, scale_of(custom_measure=entry.custom_measure))
    return told if told.errors else None


def error_name(error: ErrorChange) -> str:
    """Name an error on one line."""
    return f"{name_text(str(error.true))} taken for {name_text(str(error.predicted))}"


def error_counts(error: ErrorChange) -> str:
    """Write how many examples had it and have it; where runs share examples these are no whole numbers."""
    return " → ".join(
        f"{count:,}" if isinstance(count, int) else f"{count:,.1f}" for count in (error.baseline, error.candidate)
    )


def _example(example: NamedExample) -> str:
    """Write an example's id, and what is to be shown of it."""
    return ": ".join([name_text(str(example.id)), *(visible(text) for text in example.shown if text)])


def _headline(changes: ReportedChanges, measure: str, scale: Scale) -> str:
    """Say how far the observed score moved and what explains most of it, without a full stop."""
    size = f"{abs(scale.factor * changes.change):.2f}"
    if float(size) == 0:
        return f"The observed {name_text(measure)} is the same on both sides"
    moved = f"The observed {name_text(measure)} {'falls' if changes.change < 0 else 'rises'} by {scale.amount(size)}"
    error = changes.most_telling
    if error is None:
        return moved
    return (
        f"{moved}, {_share(error.contribution / changes.change)} of it by {error_name(error)} ({error_counts(error)})"
    )


def _share(share: float) -> str:
    """Write a share of the change, which others may take back in part."""
    told = f"{share:.0%}"
    if told == "100%":
        return "all"
    return told if share < 1 else "more than all"
