"""A whole report in one sentence."""

from pytest_bayesf1._util import counted, one_line
from pytest_bayesf1.reports.document import Verdicts
from pytest_bayesf1.reports.entry import AnyEntry, ErrorEntry
from pytest_bayesf1.reports.gate_findings import loosened_line
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.formatting import name_text


def headline(report: Report) -> str:
    """Say how the comparisons came out, and whether some are missing."""
    told = _outcome(report)
    if report.verdict == "none":
        told = f"No gate ran: {_continued(told)}"
    elif report.loosened:
        told = f"{loosened_line(report).removesuffix('.')}; {_continued(told)}"
    if report.complete:
        return f"{told}."
    return f"Incomplete, {counted(len(report.missing), 'test')} did not finish: {_continued(told)}."


def _outcome(report: Report) -> str:
    match report.entries:
        case ():
            return "No comparison was made in this run"
        case (only,):
            return _own(only)
    trouble = _trouble(report.counts)
    if not trouble:
        return _all_well(report.counts)
    assert report.worst is not None
    return f"{trouble}; the worst, {name_text(report.worst.name)}: {_continued(_own(report.worst))}"


def _own(entry: AnyEntry) -> str:
    told = one_line(entry.headline).removesuffix(".")
    told = f"No answer: {told}" if isinstance(entry, ErrorEntry) else told
    return f"Failed as expected (xfail): {_continued(told)}" if entry.verdict == "expected" else told


def _trouble(counts: Verdicts) -> str:
    """Count what did not pass, the worst first; nothing when all did."""
    if not (counts.failed or counts.error or counts.warned):
        return ""
    told = (
        (counts.failed, "failed"),
        (counts.error, "has no answer" if counts.error == 1 else "have no answer"),
        (counts.warned, "warned"),
        (counts.undecided, "could not tell"),
    )
    (number, did), *others = [each for each in told if each[0]]
    rest = [f"{each:,} {did_too}" for each, did_too in others]
    return ", ".join([f"{number:,} of {counts.total:,} comparisons {did}", *rest])


def _all_well(counts: Verdicts) -> str:
    if counts.expected == counts.total:
        return f"{counts.total:,} comparisons failed as expected (xfail)"
    if counts.passed == counts.total:
        return f"All {counts.total:,} comparisons passed"
    if counts.without_gate == counts.total:
        return f"{counts.total:,} comparisons were made, none with a gate"
    told = (
        (counts.passed, "passed"),
        (counts.undecided, "could not tell"),
        (counts.expected, "failed as expected"),
        (counts.without_gate, "more had no gate"),
    )
    (number, did), *others = [each for each in told if each[0]]
    return ", ".join([f"{counted(number, 'comparison')} {did}", *(f"{each:,} {did_too}" for each, did_too in others)])


def _continued(sentence: str) -> str:
    """Let one of our own sentences follow a colon."""
    first, _, rest = sentence.partition(" ")
    return f"{first.lower()} {rest}" if first in _OPENINGS else sentence


_OPENINGS = ("The", "Undecided:", "Below", "Above", "Not", "No", "All")
