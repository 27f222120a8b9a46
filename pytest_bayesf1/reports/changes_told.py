"""What changed, in words."""

from pytest_bayesf1.results.changes import ErrorChange, ReportedChanges
from pytest_bayesf1.text import Scale, one_line


def changes_headline(changes: ReportedChanges, measure: str, scale: Scale) -> str:
    """Say how far the observed score moved and what explains most of it, without a full stop.

    Parameters
    ----------
    changes
        Of a comparison.
    measure
        As people say it.
    scale
        Of its changes.
    """
    size = f"{abs(scale.factor * changes.change):.2f}"
    if float(size) == 0:
        return f"The observed {one_line(measure)} is the same on both sides"
    moved = f"The observed {one_line(measure)} {'falls' if changes.change < 0 else 'rises'} by {scale.amount(size)}"
    error = changes.most_telling
    if error is None:
        return moved
    share = f"{error.contribution / changes.change:.0%}"
    return f"{moved}, {share} of it by {error_name(error)} ({error.baseline:,} → {error.candidate:,})"


def error_name(error: ErrorChange) -> str:
    """Name an error on one line."""
    return f"{one_line(error.true)} taken for {one_line(error.predicted)}"
