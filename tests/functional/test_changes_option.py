"""`--bayesf1-changes=DIR` writes the examples behind every gate as CSV."""

import csv

import pytest

GATES = """
    from pytest_bayesf1 import ConfusionMatrix, assert_not_worse, compare

    TRUTH = ["a", "b"] * 50
    def side(n_wrong):
        return ConfusionMatrix.from_predictions(TRUTH, ["b"] * n_wrong + TRUTH[n_wrong:])

    def test_two_gates():
        assert_not_worse(side(4), side(2), rope=0.02)
        assert_not_worse(side(0), side(6), rope=0.02, measure="accuracy")

    def test_a_look():
        compare(side(4), side(2), rope=0.02)

    def test_counts():
        assert_not_worse([[50, 0], [0, 50]], [[50, 0], [0, 50]], rope=0.02)
"""


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["alone", "workers"])
def test_every_gate_of_known_predictions_has_a_file(pytester, workers):
    pytester.makepyfile(GATES)
    result = pytester.runpytest("--bayesf1-changes=out", "-p", "no:randomly", *workers)
    result.stdout.fnmatch_lines(["examples that changed: *out"])
    first, second = sorted((pytester.path / "out").iterdir(), key=lambda path: len(path.name))
    assert first.name.startswith("test_every_gate_of_known_predictions_has_a_file.py-test_two_gates-")
    assert second.name == first.name.removesuffix(".csv") + "-2.csv"
    assert [(row["id"], row["change"]) for row in rows(first)] == [("2", "wrong to right")]
    assert [row["id"] for row in rows(second)] == ["0", "2", "4"]


def test_gates_of_gate_files_have_theirs(pytester):
    header = "id,y_true,y_pred\n"
    rows_before = "".join(f"e{number},{'ab'[number % 2]},{'ab'[number % 2]}\n" for number in range(60))
    (pytester.path / "old.csv").write_text(header + rows_before)
    (pytester.path / "new.csv").write_text(header + rows_before.replace("e0,a,a", "e0,a,b"))
    (pytester.path / "bayesf1.yaml").write_text(
        "gates:\n  spam: {baseline: old.csv, candidate: new.csv, rope: 0.05, per_class: true}\n"
    )
    pytester.runpytest("--bayesf1-changes=out")
    (path,) = (pytester.path / "out").iterdir()
    assert [row["id"] for row in rows(path)] == ["e0"]


def test_nothing_is_no_directory(pytester):
    result = pytester.runpytest("--bayesf1-changes=")
    result.stderr.fnmatch_lines(["*--bayesf1-changes: expected a directory, got nothing"])


def test_a_gate_file_says_what_is_shown(pytester):
    lines = [f"e{number},{'ab'[number % 2]},{'ab'[number % 2]},<b>text</b> of {number}" for number in range(60)]
    for name, first in (("old", "e0,a,a"), ("new", "e0,a,b")):
        table = "\n".join(["id,y_true,y_pred,text", *lines]).replace("e0,a,a", first)
        (pytester.path / f"{name}.csv").write_text(table)
    gate = "{baseline: old.csv, candidate: new.csv, rope: 0.05, show: [text]}"
    (pytester.path / "bayesf1.yaml").write_text(f"gates:\n  spam: {gate}\n")
    pytester.runpytest("--bayesf1-report=out")
    page = (pytester.path / "out" / "report.html").read_text("utf-8")
    assert "e0: &lt;b&gt;text&lt;/b&gt; of 0" in page
    assert "text of 1" not in page
