"""What the reader of a report should know before the figures."""

from collections.abc import Callable, Iterable, Iterator

from pytest_bayesf1._util import counted, first_few, one_line
from pytest_bayesf1.comparison.support import notes_on
from pytest_bayesf1.reports.entry import ErrorEntry
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.formatting import LONGEST_TEXT, first_rows, name_text, shortened, visible

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


def never_true_told(report: Report) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield a sentence, if any class is never true, and by test or gate which ones and how often they are predicted."""
    told = {}
    for entry in report.entries:
        if not isinstance(entry, ErrorEntry) and not entry.part:
            n_samples = (entry.n_samples,) if isinstance(entry.n_samples, int) else entry.n_samples
            told[entry.test] = " ".join(notes_on(entry.never_true, n_samples))
    rows = [(name_text(test), shortened(visible(notes), LONGEST_TEXT)) for test, notes in told.items() if notes]
    if rows:
        yield "Classes that the truth never has are in no average:", first_rows(rows, _NAMED)


def _named(names: Iterable[str], escape: Escape) -> str:
    return first_few(map(escape, names), _NAMED)
