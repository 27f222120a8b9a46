"""The trends of baselines in a report."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from pytest_bayesf1.choices import AUTO, PriorName
from pytest_bayesf1.errors import BaselineError, attempted, reason
from pytest_bayesf1.git import Repository
from pytest_bayesf1.measures.names import recorded_measure
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, Report
from pytest_bayesf1.results.timeline import MOST_POINTS, Trend
from pytest_bayesf1.writing import cache_folder

_MOST_TRENDS = 40
_MOST_EXAMPLES = 2_000_000
"""Bounds of what is read where nothing is kept from an earlier run: some ten seconds."""


def with_trends(report: Report, root: Path, ref: str | None = None) -> Report:
    """Let the first entries, which are the worst, show their baselines' history up to a commit, if they have one."""
    return replace(report, entries=tuple(_filled(report, root, ref or "HEAD")))


def _filled(report: Report, root: Path, ref: str) -> Iterator[AnyEntry]:
    trend_of = attempted(lambda: _reader(root, ref))
    left, examples = _MOST_TRENDS, _MOST_EXAMPLES
    for entry in report.entries:
        trend = None
        if trend_of is not None and entry.trend is not None and entry.judge is None:  # a judge's trend is its own
            cost = MOST_POINTS * entry.n_samples[0]
            if left > 0 and cost <= examples:
                left, examples = left - 1, examples - cost
                trend = _trend(trend_of, entry, entry.trend)
        yield entry.with_trend(None if trend is None else replace(trend, day=report.run.date))


def _reader(root: Path, ref: str) -> Callable[..., Trend] | None:
    """Return what finds trends; None where there is no commit before the last one."""
    with suppress(BaselineError):
        if Repository.around(root / "a file", ref).has_parents:
            # numpy is needed for nothing else
            from pytest_bayesf1.gates.gate_file import load_gates  # noqa: PLC0415
            from pytest_bayesf1.gates.history import trend_of  # noqa: PLC0415

            return partial(trend_of, root=root, ref=ref, load=cache(load_gates), kept=cache_folder())
    return None


def _trend(trend_of: Callable[..., Trend] | Exception, entry: ComparisonEntry, asked: Trend) -> Trend | None:
    """Return the trend of an entry, or why it is not known; None where there is none."""
    if not recorded_measure(entry.measure, bounded=not entry.custom_measure):
        return None
    prior = entry.prior if entry.prior in tuple(PriorName) else AUTO
    given = {"measure": entry.measure, "rope": (*entry.rope, "wide"), "hdi_prob": entry.hdi_prob, "prior": prior}
    found = trend_of if isinstance(trend_of, Exception) else attempted(lambda: trend_of(asked, **given))
    if isinstance(found, Exception):
        return replace(asked, problem=reason(found))
    return found if len(found.points) > 1 else None
