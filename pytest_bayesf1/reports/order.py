"""In which order a report tells its entries: gate by gate, the worst first, each gate's classes and slices below it."""

from collections.abc import Iterable
from itertools import groupby

from pytest_bayesf1._util import scale_of
from pytest_bayesf1.reports.entry import AnyEntry, ComparisonEntry, EstimateEntry
from pytest_bayesf1.reports.verdict import VERDICTS
from pytest_bayesf1.results.formatting import beyond as beyond_policy

_GRAVITY = {verdict: place for place, verdict in enumerate(VERDICTS)}


def by_gate(entries: Iterable[AnyEntry]) -> list[list[AnyEntry]]:
    """Put the entries of a gate together, all the data first and then its parts; the worst gate and part first."""
    gates: list[list[AnyEntry]] = []
    for _, same_test in groupby(sorted(entries, key=lambda entry: entry.test), key=lambda entry: entry.test):
        of_test: list[list[AnyEntry]] = []
        for entry in same_test:
            if entry.part and of_test:
                of_test[-1].append(entry)
            else:
                of_test.append([entry])
        gates += of_test
    ordered = [[whole, *sorted(parts, key=badness)] for whole, *parts in gates]
    return sorted(ordered, key=lambda gate: min(map(badness, gate)))


def badness(entry: AnyEntry) -> tuple[int, float]:
    """Compare entries: the gravest verdict is the least, and what lies farthest beyond what is allowed."""
    return _GRAVITY[entry.verdict], -beyond(entry)


def beyond(entry: AnyEntry) -> float:
    """How far the HDI lies beyond what the policy allows, in points or the measure's own unit; less than 0: within."""
    match entry:
        case ComparisonEntry():
            return scale_of(custom_measure=entry.custom_measure).factor * beyond_policy(entry, entry.policy)
        case EstimateEntry():
            return 100 * (entry.floor - entry.score.hdi[1])
    return 0.0
