"""What the reader of a report should know before the figures."""

from collections.abc import Callable, Iterable

from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.stats.scalars import counted, one_line

_NAMED = 10

Escape = Callable[[str], str]


def incomplete_line(report: Report, escape: Escape = one_line) -> str:
    """Name the first of the tests that did not finish, each made safe for where the line stands."""
    return f"Incomplete: {counted(len(report.missing), 'test')} did not finish: {_named(report.missing, escape)}"


def changed_line(report: Report, escape: Escape = one_line) -> str:
    """Name the first of the baselines and gate files that were changed."""
    return (
        f"{counted(len(report.changed), 'baseline or gate file')} changed: {_named(report.changed, escape)}. "
        "Baselines were read as they are in the base commit."
    )


def _named(names: Iterable[str], escape: Escape) -> str:
    all_names = [escape(name) for name in names]
    left_out = [f"and {len(all_names) - _NAMED:,} more"] if len(all_names) > _NAMED else []
    return ", ".join(all_names[:_NAMED] + left_out)
