"""A whole report in one sentence."""

from pytest_bayesf1.reports.gate_findings import loosened_line
from pytest_bayesf1.reports.report import Entry, Report
from pytest_bayesf1.text import counted, one_line


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
    trouble = _trouble(report.counts())
    return f"{trouble}; the first: {_continued(_own(report.entries[0]))}" if trouble else _all_well(report.counts())


def _own(entry: Entry) -> str:
    told = one_line(entry["headline"]).removesuffix(".")
    return f"No answer: {told}" if entry["kind"] == "error" else told


def _trouble(counts: dict[str, int]) -> str:
    """Count what did not pass, the worst first; nothing when all did."""
    told = (
        ("failed", "failed", "failed"),
        ("error", "has no answer", "have no answer"),
        ("warned", "warned", "warned"),
        ("undecided", "could not tell", "could not tell"),
    )
    phrases = [(counts[name], one if counts[name] == 1 else many) for name, one, many in told if counts[name]]
    if not any(counts[name] for name in ("failed", "error", "warned")):
        return ""
    (number, did), *others = phrases
    rest = [f"{each:,} {did_too}" for each, did_too in others]
    return ", ".join([f"{number:,} of {counts['total']:,} comparisons {did}", *rest])


def _all_well(counts: dict[str, int]) -> str:
    passed, undecided, total = counts["passed"], counts["undecided"], counts["total"]
    if passed == total:
        return f"All {total:,} comparisons passed"
    without_gate = total - passed - undecided
    if without_gate == total:
        return f"{total:,} comparisons were made, none with a gate"
    told = ((passed, "passed"), (undecided, "could not tell"), (without_gate, "more had no gate"))
    (number, did), *others = [each for each in told if each[0]]
    return ", ".join([f"{counted(number, 'comparison')} {did}", *(f"{each:,} {did_too}" for each, did_too in others)])


def _continued(sentence: str) -> str:
    """Let one of our own sentences follow a colon."""
    first, _, rest = sentence.partition(" ")
    return f"{first.lower()} {rest}" if first in _OPENINGS else sentence


_OPENINGS = ("The", "Undecided:", "Below", "Above", "Not", "No", "All")
