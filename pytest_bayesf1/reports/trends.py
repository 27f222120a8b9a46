"""The trends of baselines in a report.

PYTEST_DONT_REWRITE
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_bayesf1._util import cache_folder
from pytest_bayesf1.errors import BaselineError, BayesF1Error
from pytest_bayesf1.git import Repository
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, Report
from pytest_bayesf1.results.versions import MOST_POINTS, Trend
from pytest_bayesf1.settings import AUTO, PriorName

if TYPE_CHECKING:
    from pytest_bayesf1.baselines.history import Trends


_MOST_TRENDS = 40
_MOST_EXAMPLES = 2_000_000
"""Bounds of what is read where nothing is kept from an earlier run: some ten seconds."""


def with_trends(report: Report, root: Path, ref: str | None = None) -> Report:
    """Let the first entries, which are the worst, show their baselines' history up to a commit, if they have one."""
    return replace(report, entries=tuple(_filled(report, root, ref or "HEAD")))


def without_trends(report: Report) -> Report:
    """Let no entry show its baseline's history."""
    return replace(report, entries=tuple(_with(entry, None) for entry in report.entries))


def _filled(report: Report, root: Path, ref: str) -> Iterator[AnyEntry]:
    find = _finder(root, ref)
    left, examples = _MOST_TRENDS, _MOST_EXAMPLES
    for entry in report.entries:
        trend = None
        if find is not None and isinstance(entry, ComparisonEntry) and entry.trend is not None:
            cost = MOST_POINTS * entry.n_samples[0]
            if left > 0 and cost <= examples:
                left, examples = left - 1, examples - cost
                trend = find(entry, entry.trend)
        yield _with(entry, trend)


def _finder(root: Path, ref: str) -> Callable[[ComparisonEntry, Trend], Trend | None] | None:
    """Return what finds the trend of an entry; None where there is no commit before the last one."""
    with suppress(BaselineError):
        if Repository.around(root / "a file", ref).has_parents:
            from pytest_bayesf1.baselines.history import Trends  # noqa: PLC0415 (numpy is needed for nothing else)

            return partial(_trend, Trends(root, ref, cache_folder()))
    return None


def _trend(trends: "Trends", entry: ComparisonEntry, asked: Trend) -> Trend | None:
    prior = entry.prior if entry.prior in tuple(PriorName) else AUTO
    with suppress(BayesF1Error):
        if parse_name(entry.measure).bounded is not entry.custom_measure:  # else it is a function of the user's own
            found = trends.filled(
                asked, measure=entry.measure, rope=(*entry.rope, "wide"), hdi_prob=entry.hdi_prob, prior=prior
            )
            return found if len(found.points) > 1 else None
    return None


def _with(entry: AnyEntry, trend: Trend | None) -> AnyEntry:
    return replace(entry, trend=trend) if isinstance(entry, ComparisonEntry) and entry.trend is not trend else entry
