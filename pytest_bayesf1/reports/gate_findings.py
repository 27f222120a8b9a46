"""What the reader of a report should know about the gates themselves: that none ran, and how they were loosened."""

from collections.abc import Iterator, Sequence

from pytest_bayesf1._util import counted
from pytest_bayesf1.reports.report import Report
from pytest_bayesf1.results.formatting import first_rows, name_text
from pytest_bayesf1.results.other import Finding

_MOST = 20

NO_GATE = (
    "No gate ran, so nothing can have failed, and nothing has passed. A comparison becomes a gate by assert_not_worse, "
    "bayes_regression or a gate file; where a run is to have none, tell the Action so: allow-no-gates: true."
)


def no_gate_told(report: Report) -> str:
    """Say that no gate ran; nothing where one did."""
    return NO_GATE if report.verdict == "none" else ""


def findings_told(report: Report) -> Iterator[tuple[str, bool, list[tuple[str, str]]]]:
    """Yield what loosens and what does not: a sentence, whether it loosens, and by gate what differs, few of many."""
    loosened = report.loosened
    others = [finding for finding in report.findings if not finding.loosens]
    if loosened:
        yield loosened_line(report), True, _rows(loosened)
    if others:
        yield f"{_counted(others)} not as listed in gates.json, but no looser.", False, _rows(others)


def loosened_line(report: Report) -> str:
    """Say how many gates are loosened."""
    return f"{_counted(report.loosened)} missing, looser or another than listed in gates.json."


def _counted(findings: Sequence[Finding]) -> str:
    number = len({finding.gate for finding in findings})
    return f"{counted(number, 'gate')} {'is' if number == 1 else 'are'}"


def _rows(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    return first_rows([(name_text(finding.gate), name_text(finding.told)) for finding in findings], _MOST)
