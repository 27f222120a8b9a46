import json
from pathlib import Path

import pytest

from pytest_bayesf1.gates import gate_file
from pytest_bayesf1.reports.entry import Report, report_schema
from pytest_bayesf1.reports.writing import write_report
from tests.unit.made_up import comparison, entry, estimate

REPORT = Report.of([entry(comparison(), "failed", test="test_späm", advice="Look."), entry(estimate())], ["test_b"])


@pytest.fixture(autouse=True)
def _written(folder):
    write_report(REPORT, folder / "out")


def test_text_is_the_default(run):
    shown = run("report", "out/report.json")
    assert shown.exit_code == 0
    assert shown.stdout.splitlines() == [
        "test_späm",
        comparison().headline,
        "  Look.",
        "",
        "test_späm",
        "  failed  ?   +0.2  [−1.8, +2.2]      ├──▒▒▒▒▒│╂▒▒▒▒────┤  macro-F1, sees 3.5",
        "tests/test_spam.py::test_f1",
        "  passed     0.800  [0.780, 0.820]            │   ├──╂──┤  macro-F1, floor 0.75",
        "├──╂──┤ HDI and mean   ▒ ROPE   │ 0, or the floor   changes in points",
        "sees: it fails for a true loss of so much or more, on 80% of such test sets",
        "Incomplete: 1 test did not finish: test_b",
        "1 failed, 0 warned, 1 passed",
    ]
    assert run("report", "out/report.json", "--format", "text", "-o", "x.txt").stdout == ""
    assert Path("x.txt").read_text("utf-8") == shown.stdout


@pytest.mark.slow
@pytest.mark.parametrize("form", ["md", "html"])
def test_other_formats_are_those_that_pytest_writes(run, form):
    expected = Path(f"out/report.{form}").read_bytes()
    assert run("report", "out/report.json", "--format", form).stdout_bytes == expected
    shown = run("report", "out/report.json", "--format", form, "-o", f"new/a.{form}")
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert Path(f"new/a.{form}").read_bytes() == expected


@pytest.mark.slow
def test_the_card_is_the_one_that_pytest_writes(run):
    expected = Path("out/card.svg").read_bytes()
    assert run("report", "out/report.json", "--format", "card").stdout_bytes == expected
    for name in ("card.svg", "card.png"):
        assert run("report", "out/report.json", "--format", "card", "-o", f"new/{name}").exit_code == 0
        assert Path("new", name).read_bytes() == Path("out", name).read_bytes()


def test_a_card_that_cannot_be_drawn(run):
    shown = run("report", "out/report.json", "--format", "card", "-o", "card.pdf")
    assert shown.exit_code == 2
    assert shown.stderr == "Error: --output: expected a name that ends in .svg or .png, got 'card.pdf'\n"
    Path("empty.json").write_text(Report.of([]).to_json())
    shown = run("report", "empty.json", "--format", "card")
    assert shown.exit_code == 2
    assert shown.stderr == "Error: --format card: expected a report with a comparison, got none\n"


def test_a_report_that_is_missing(run):
    shown = run("report", "no.json")
    assert shown.exit_code == 2
    assert shown.stderr == "Error: no.json: No such file or directory\n"


def test_a_report_that_cannot_be_read(run):
    document = json.loads(REPORT.to_json())
    document["entries"][0]["p_worse"] = 2
    document["entries"][1]["score"]["hdi"] = [1, 0]
    Path("a.json").write_text(json.dumps(document))
    shown = run("report", "a.json", "--format", "html", "-o", "a.html")
    assert shown.exit_code == 2
    assert shown.stderr.splitlines() == [
        "Error: a.json: entries[0].p_worse: expected at most 1, got 2",
        "a.json: entries[1].score.hdi: expected [low, high] with low <= high, got [1, 0]",
    ]
    assert not Path("a.html").exists()


def test_a_file_that_cannot_be_written(run):
    Path("x").write_text("")
    shown = run("report", "out/report.json", "--format", "md", "-o", "x/a.md")
    assert shown.exit_code == 5
    assert shown.stderr.startswith("Error: x")
    shown = run("report", "out/report.json", "-o", "out")
    assert shown.exit_code == 5
    assert shown.stderr == "Error: out: a directory is in the way\n"


def test_a_format_that_does_not_exist(run):
    shown = run("report", "out/report.json", "--format", "pdf")
    assert shown.exit_code == 2
    assert "'pdf' is not one of 'text', 'md', 'html', 'card'." in shown.stderr


def test_schemas(run):
    assert json.loads(run("schema").stdout) == json.loads(run("schema", "gates").stdout) == gate_file.gate_file_schema()
    assert json.loads(run("schema", "report").stdout) == report_schema()
    assert run("schema", "other").exit_code == 2
