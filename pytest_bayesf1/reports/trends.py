"""The trends of baselines in a report."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_bayesf1.choices import AUTO, PriorName
from pytest_bayesf1.errors import BaselineError, attempted, reason
from pytest_bayesf1.git import Repository
from pytest_bayesf1.measures.names import recorded_measure
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, Report
from pytest_bayesf1.results.versions import MOST_POINTS, Trend
from pytest_bayesf1.writing import cache_folder

if TYPE_CHECKING:
    from pytest_bayesf1.gates.history import Trends


_MOST_TRENDS = 40
_MOST_EXAMPLES = 2_000_000
"""Bounds of what is read where nothing is kept from an earlier run: some ten seconds."""


def with_trends(report: Report, root: Path, ref: str | None = None) -> Report:
    """Let the first entries, which are the worst, show their baselines' history up to a commit, if they have one."""
    return replace(report, entries=tuple(_filled(report, root, ref or "HEAD")))


def without_trends(report: Report) -> Report:
    """Let no entry show its baseline's history."""
    return replace(report, entries=tuple(entry.with_trend(None) for entry in report.entries))


def _filled(report: Report, root: Path, ref: str) -> Iterator[AnyEntry]:
    trends = attempted(lambda: _trends(root, ref))
    left, examples = _MOST_TRENDS, _MOST_EXAMPLES
    for entry in report.entries:
        trend = None
        if trends is not None and entry.trend is not None:
            cost = MOST_POINTS * entry.n_samples[0]
            if left > 0 and cost <= examples:
                left, examples = left - 1, examples - cost
                trend = _trend(trends, entry, entry.trend)
        yield entry.with_trend(trend)


def _trends(root: Path, ref: str) -> "Trends | None":
    """Return what finds trends; None where there is no commit before the last one."""
    with suppress(BaselineError):
        if Repository.around(root / "a file", ref).has_parents:
            from pytest_bayesf1.gates.history import Trends  # noqa: PLC0415 (numpy is needed for nothing else)

            return Trends(root, ref, cache_folder())
    return None


def _trend(trends: "Trends | Exception", entry: ComparisonEntry, asked: Trend) -> Trend | None:
    """Return the trend of an entry, or why it is not known; None where there is none."""
    if not recorded_measure(entry.measure, bounded=not entry.custom_measure):
        return None
    prior = entry.prior if entry.prior in tuple(PriorName) else AUTO
    given = {"measure": entry.measure, "rope": (*entry.rope, "wide"), "hdi_prob": entry.hdi_prob, "prior": prior}
    found = trends if isinstance(trends, Exception) else attempted(lambda: trends.filled(asked, **given))
    if isinstance(found, Exception):
        return replace(asked, problem=reason(found))
    return found if len(found.points) > 1 else None
