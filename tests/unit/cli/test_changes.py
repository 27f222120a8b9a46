import csv
import json
from io import StringIO

import pytest

TRUTH = ["gold"] * 20 + ["silver"] * 20
PREDICTED = {"before": TRUTH, "after": ["gold"] * 20 + ["silver"] * 14 + ["gold"] * 6}


@pytest.fixture(autouse=True)
def files(folder):
    for name, predicted in PREDICTED.items():
        rows = [
            f"=e{number},{true},{said},@text {number}"
            for number, (true, said) in enumerate(zip(TRUTH, predicted, strict=True))
        ]
        (folder / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred,text", *rows]))


def test_what_explains_most_is_shown(run):
    shown = run("changes", "before.csv", "after.csv", "--measure", "accuracy").stdout.splitlines()
    assert shown[0] == "The observed accuracy falls by 15.00 points, all of it by silver taken for gold (0 → 6)."
    assert shown[1].split() == ["points", "examples", "error", "such", "as"]
    assert shown[2].split("  ")[0] == "\N{MINUS SIGN}15.00"
    assert shown[2].endswith("=e34, =e35, =e36, =e37, =e38")


def test_every_example_as_csv_that_no_spreadsheet_runs(run):
    rows = list(csv.DictReader(StringIO(run("changes", "before.csv", "after.csv", "--format", "csv").stdout)))
    assert [row["id"] for row in rows] == [f"'=e{number}" for number in range(34, 40)]
    assert {(row["y_true"], row["baseline"], row["candidate"], row["change"]) for row in rows} == {
        ("silver", "silver", "gold", "right to wrong")
    }


def test_every_example_as_json(run):
    found = json.loads(run("changes", "before.csv", "after.csv", "--format", "json").stdout)
    assert [each["id"] for each in found["examples"]] == [f"=e{number}" for number in range(34, 40)]
    assert sum(each["contribution"] for each in found["errors"]) == pytest.approx(found["change"])


def test_counts_show_errors_alone(run):
    assert run("changes", "old.csv", "better.csv").stdout.startswith("The observed macro-F1 rises by")
    refused = run("changes", "old.csv", "better.csv", "--format", "csv")
    assert refused.exit_code == 2
    assert "expected both sides' predictions of the same examples" in refused.stderr


def test_nothing_changed(run):
    assert run("changes", "before.csv", "before.csv").stdout == "The observed macro-F1 is the same on both sides.\n"


def test_a_baseline_that_is_missing(run):
    assert run("changes", "none.csv", "after.csv").exit_code == 4


def test_excerpts_where_they_are_asked_for(run):
    shown = run("changes", "before.csv", "after.csv", "--show", "text").stdout
    assert "=e34: @text 34, =e35: @text 35" in shown
    written = run("changes", "before.csv", "after.csv", "--show", "text", "--format", "csv").stdout
    assert [row["text"] for row in csv.DictReader(StringIO(written))] == [
        f"'@text {number}" for number in range(34, 40)
    ]
    refused = run("changes", "before.csv", "after.csv", "--show", "url")
    assert refused.exit_code == 2
    assert "expected a column 'url' to show" in refused.stderr
