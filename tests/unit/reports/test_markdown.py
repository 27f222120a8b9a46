"""How much of a report fits into a comment."""

import re

import pytest

from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.report import Report
from tests.unit.results import comparison, entry

ENTRIES = [
    entry(comparison(), verdict, test=f"tests/test_{number:03}.py::test_é{verdict}")
    for number in range(20)
    for verdict in ("passed", "failed")
]
REPORT = Report.of(ENTRIES)


def size(text):
    return len(text.encode())


def test_everything_is_there_when_there_is_room():
    whole = markdown(REPORT)
    assert whole == markdown(REPORT, most_bytes=size(whole) + 1_000)
    assert whole.count("<details") == whole.count("</details>") == 40
    assert "left out" not in whole


@pytest.mark.parametrize("most_bytes", [60_000, 30_000, 8_000, 3_000])
def test_it_fits_and_says_what_was_left_out(most_bytes):
    text = markdown(REPORT, most_bytes=most_bytes)
    assert size(text) <= most_bytes
    rows = len(re.findall(r"^\| (?:failed|passed) ", text, flags=re.MULTILINE))
    details = text.count("<details")
    assert text.count("</details>") == details
    missing_rows = re.search(r"(\d+) more comparisons? left out", text)
    assert rows + (int(missing_rows[1]) if missing_rows else 0) == 40
    missing_details = re.search(r"Details of (\d+) comparisons? left out", text)
    assert details + (int(missing_details[1]) if missing_details else 0) == rows
    assert text.rstrip().endswith("</sub>")


def test_details_go_first_and_those_of_the_worst_last():
    text = markdown(REPORT, most_bytes=20_000)
    assert "more comparisons left out" not in text
    assert 0 < text.count("<details open>") <= 20
    assert "<details>" not in text
