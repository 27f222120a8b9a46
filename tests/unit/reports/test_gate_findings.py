"""At the top of every format: that no gate judged, and which gates are not as listed."""

import json
from html import unescape

import pytest

from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.reports.entry import Report, Verdicts, verdict_of
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.reading import read_report
from pytest_bayesf1.reports.terminal import report_lines
from pytest_bayesf1.reports.wording import headline
from pytest_bayesf1.results.findings import Finding, FindingKind
from tests.unit.made_up import comparison, entry

HOSTILE = "test_a.py::test[<script>|@me\n# x*]"
LOOSER = Finding(HOSTILE, FindingKind.LOOSER, "rope", "you tolerated 1 point, this pull request tolerates 5 points")
GONE = Finding("b", FindingKind.MISSING, "", "its test was skipped")
NEW = Finding("c", FindingKind.UNLISTED, "", "gates.json does not list it")
STRICTER = Finding("d", FindingKind.STRICTER, "rope", "you tolerated 5 points, this run tolerates 1 point")
LOOSENED_LINE = "2 gates are missing, looser or another than listed in gates.json."
OTHERS_LINE = "2 gates are not as listed in gates.json, but no looser."


def report(*findings, verdict="passed"):
    return Report.of([entry(comparison(), verdict)], findings=findings)


@pytest.mark.parametrize(
    ("counts", "more", "expected"),
    [
        ({"failed": 1, "error": 1}, {"loosened": True}, "failed"),
        ({"error": 1, "passed": 1}, {"loosened": True}, "error"),
        ({"passed": 1}, {"complete": False}, "error"),
        ({}, {}, "none"),
        ({"total": 3}, {"loosened": True}, "none"),
        ({"warned": 1}, {"loosened": True}, "loosened"),
        ({"warned": 1, "passed": 1}, {"undecided": True}, "warned"),
        ({"undecided": 2, "passed": 1}, {"undecided": True}, "undecided"),
        ({"undecided": 2, "passed": 1}, {}, "passed"),
        ({"expected": 1, "passed": 1}, {}, "expected"),
        ({"passed": 1}, {}, "passed"),
    ],
)
def test_the_gravest_verdict_counts(counts, more, expected):
    judged = {"failed": 0, "error": 0, "warned": 0, "undecided": 0, "expected": 0, "passed": 0, **counts}
    total = judged.pop("total", sum(judged.values()))
    assert (
        verdict_of(Verdicts(total=total, **judged), **{"complete": True, "loosened": False, "undecided": False, **more})
        == expected
    )


def test_what_loosens_comes_first():
    assert report(NEW, LOOSER, STRICTER, GONE).findings == (LOOSER, GONE, NEW, STRICTER)
    assert report(NEW, LOOSER, GONE).loosened == (LOOSER, GONE)


def test_a_report_is_read_back_with_its_findings():
    text = report(NEW, LOOSER).to_json()
    assert json.loads(text)["verdict"] == "loosened"
    assert read_report(text) == report(NEW, LOOSER)


def test_a_verdict_that_the_rest_does_not_bear_out_is_refused():
    document = json.loads(report(LOOSER).to_json())
    with pytest.raises(ReportError, match="verdict: expected loosened, as the rest says, got passed"):
        read_report(json.dumps({**document, "verdict": "passed"}))


def test_the_headline_begins_with_it():
    assert headline(report(GONE)).startswith(
        "1 gate is missing, looser or another than listed in gates.json; undecided: "
    )
    assert headline(report(NEW)) == headline(report())


def test_markdown_shows_it_above_the_rows_and_no_success():
    lines = markdown(report(NEW, LOOSER, STRICTER, GONE)).splitlines()
    assert lines[0].startswith("## ⚠️ ")
    first = lines.index(f"<summary><b>⚠️ {LOOSENED_LINE}</b></summary>")
    others = lines.index(f"<summary><b>{OTHERS_LINE}</b></summary>")
    assert lines[first + 4].startswith(
        "| test\\_a.py::test\\[&lt;script&gt;\\|@\u200bme # x\\*\\] | you tolerated 1 point"
    )
    assert first < others < lines.index("| c | gates.json does not list it |")
    assert lines[first - 1] == "<details open>"
    assert markdown(report(NEW)).startswith("## ✅ ")


def test_html_shows_it_below_the_headline():
    text = html(report(NEW, LOOSER, GONE))
    assert text.count("<script") == 1  # the page's own
    shown = unescape(text.split('<section class="findings loosened" role="alert">')[1].split("</section>")[0])
    assert f"⚠️ {LOOSENED_LINE}" in shown
    assert "<li><b>b</b>: its test was skipped</li>" in shown
    assert '<section class="findings">' in text


def test_the_terminal_shows_it_below_the_rows():
    lines = report_lines(report(NEW, GONE))
    assert [text for text, _ in lines[-4:]] == [
        "1 gate is missing, looser or another than listed in gates.json.",
        "  b: its test was skipped",
        "1 gate is not as listed in gates.json, but no looser.",
        "  c: gates.json does not list it",
    ]
    assert lines[-4][1] == {"yellow": True, "bold": True}


def test_many_are_counted():
    many = [Finding(f"test_{number:02}", FindingKind.MISSING, "", "gone") for number in range(25)]
    assert report_lines(report(*many))[-1][0] == "  and 5 more: see report.json"


@pytest.mark.parametrize("verdicts", [[], [""], ["", ""]])
def test_a_run_in_which_no_gate_judged_is_no_success(verdicts):
    made = Report.of([entry(comparison(), verdict, test=f"t{number}") for number, verdict in enumerate(verdicts)])
    assert made.verdict == "none"
    for text in (markdown(made), html(made)):
        assert "⚠️" in text
        assert "No gate ran" in text
        assert "so nothing can have failed, and nothing has passed" in text
    assert markdown(made).startswith("## ⚠️ ")
