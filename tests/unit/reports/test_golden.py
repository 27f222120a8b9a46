"""The formats to the last byte, reviewed by people; `nox -s regenerate` writes them."""

from pathlib import Path

import pytest

from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.reading import read_report
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.reports.writing import encoded
from tests.unit.reports.golden_report import REPORT

GOLDEN = Path(__file__).parents[2] / "golden"


def terminal():
    return "".join(f"{line}\n" for line, _ in report_lines(REPORT))


FORMATS = {"report.md": markdown(REPORT), "report-terminal.txt": terminal(), "report.json": REPORT.to_json()}


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_as_it_was_reviewed(name, generated):
    generated(GOLDEN / name, encoded(FORMATS[name]).decode())


def test_the_document_can_be_read_back():
    report = read_report((GOLDEN / "report.json").read_text("utf-8"))
    assert report.to_json() == REPORT.to_json()
    assert markdown(report) == markdown(REPORT)
