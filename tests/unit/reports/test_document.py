import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, assert_at_least, compare
from pytest_bayesf1.errors import InputError, ReportError
from pytest_bayesf1.reports.entry import Report, report_schema
from pytest_bayesf1.reports.reading import read_report
from pytest_bayesf1.results.comparison import ClassChange
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.settings import Session, active
from tests.unit.made_up import comparison, entry, error, estimate

ROOT = Path(__file__).parents[3]
REPORT = Report.of(
    [
        entry(comparison(largest_drops=(ClassChange("spam", 0.9, 0.8),)), "failed", advice="Look.", part="class ham"),
        entry(estimate(), "passed", test="tests/test_c.py::test_c"),
        error(InputError("rope", "a number", "None"), test="tests/test_a.py::test_a", file="tests/test_a.py", line=1),
    ],
    ["tests/test_b.py::test_b"],
)


def changed(place, value):
    """Return the report as text with one value replaced, named by its place as in entries[0].hdi[1]."""
    document = json.loads(REPORT.to_json())
    *above, last = (int(step) if step.isdigit() else step for step in re.findall(r"[^.\[\]]+", place))
    target = document
    for step in above:
        target = target[step]
    target[last] = value
    return json.dumps(document)


def problem_of(text):
    with pytest.raises(ReportError) as caught:
        read_report(text)
    (problem,) = caught.value.problems
    return problem


def assert_comes_back(report):
    assert read_report(report.to_json()).to_json() == report.to_json()


def test_a_report_comes_back_as_it_was():
    again = read_report(REPORT.to_json())
    assert again == REPORT
    assert again.to_json() == REPORT.to_json()


def test_versions_are_those_of_the_document():
    again = read_report(changed("versions", {"python": "2.7", "numpy": "1.0"}))
    assert again.versions == {"python": "2.7", "numpy": "1.0"}
    assert json.loads(again.to_json())["versions"] == again.versions


def test_an_empty_report_comes_back():
    assert_comes_back(Report.of([]))


def test_real_results_come_back():
    records = []
    y_true, ours, theirs = [0, 1, 2] * 20, [0, 1, 1] * 20, [0, 1, 2] * 19 + [2, 1, 0]
    with active(Session({}, records.append)):
        assert_at_least([[48, 2], [3, 47]], 0.5)
    results = [
        compare([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05),
        compare(
            ConfusionMatrix.from_predictions(y_true, ours), ConfusionMatrix.from_predictions(y_true, theirs), rope=0.05
        ),
        compare([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure=lambda joint: -100 * joint[..., 0, 1], rope=5),
        compare(
            MultilabelCounts([[[40, 3], [2, 30]], [[60, 1], [4, 10]]], ["a", "b"]),
            MultilabelCounts([[[39, 4], [2, 30]], [[61, 0], [5, 9]]], ["a", "b"]),
            rope=0.05,
        ),
        records[0].result,
    ]
    assert_comes_back(Report.of([entry(result) for result in results]))


def test_numbers_that_are_none_come_back_as_null():
    result = comparison(bayes_factor=float("inf"), bayes_factor_mcse=float("nan"), examples_needed=None)
    report = Report.of([entry(result)])
    assert report.entries[0].bayes_factor is report.entries[0].bayes_factor_mcse is None
    assert_comes_back(report)


def test_half_of_a_surrogate_pair_comes_back():
    drops = (
        ClassChange("half \ud800 pair", 0.9, 0.8),
        ClassChange(3, 0.9, 0.8),
        ClassChange(label=True, baseline=0.9, candidate=0.8),
    )
    assert_comes_back(Report.of([entry(comparison(largest_drops=drops), test="half \ud800 pair")]))


@pytest.mark.parametrize("verdict", ["failed", "warned", "passed", ""])
def test_every_verdict_comes_back(verdict):
    assert_comes_back(Report.of([entry(comparison(), verdict)]))


@pytest.mark.parametrize(
    ("place", "value", "expected", "found"),
    [
        ("entries", {}, "a list", "{}"),
        ("entries[0]", 3, "an object", "3"),
        ("entries[0].hdi", [0.2, 0.1], "[low, high] with low <= high", "[0.2, 0.1]"),
        ("entries[0].hdi", [0.2, 0.3, 0.4], "a length of at most 2", "[0.2, 0.3, 0.4]"),
        ("entries[0].hdi[1]", 1e200, "at most 1e+15", "1e+200"),
        ("entries[0].hdi[1]", True, "a number", "True"),
        ("entries[0].rope", [0.01, 0.02], "[low, high] with 0 between them", "[0.01, 0.02]"),
        ("entries[0].rope", [0, 0], "[low, high] with 0 between them", "[0, 0]"),
        ("entries[0].p_worse", 1.01, "at most 1", "1.01"),
        ("entries[0].p_worse", -0.01, "at least 0", "-0.01"),
        ("entries[0].mean", "0.1", "a number", "'0.1'"),
        ("entries[0].mean", None, "a number", "None"),
        ("entries[0].n_draws", 20_000.5, "a whole number", "20000.5"),
        ("entries[0].settled", 1, "true or false", "1"),
        ("entries[0].test", 7, "text", "7"),
        ("entries[0].headline", "x" * 100_001, "a length of at most 100,000", f"'{'x' * 12}...{'x' * 13}'"),
        ("entries[0].decision", "<<", "'≪', '<', '≈', '>', '≫' or '?'", "'<<'"),
        ("entries[0].density.values", [0, 0], "a density that is not 0 everywhere", "[0, 0]"),
        ("entries[0].density.values", [1] * 1_002, "a length of at most 1,001", "[1, 1, 1, 1, 1, 1, ...]"),
        ("entries[0].density.values[0]", -1, "at least 0", "-1"),
        ("entries[0].paired_outcomes.p_first_better", 1.5, "at most 1", "1.5"),
        (
            "entries[0].classical_tests[0].of",
            "luck",
            "'', 'accuracy', 'recall', 'precision', 'micro-recall' or 'micro-precision'",
            "'luck'",
        ),
        ("entries[0].classical_tests[0].symbol", "!", "'<<', '<', '~', '>' or '>>'", "'!'"),
        ("entries[0].convergence", [], "an object", "[]"),
        ("entries[0].extra", 1, "no such key", "1"),
        ("entries[1].verdict", "failed", "'error' or 'expected'", "'failed'"),
        ("versions", [], "an object", "[]"),
        ("version", "4", "1", "'4'"),
        ("complete", True, "False, as the rest says", "True"),
    ],
)
def test_a_problem_names_its_place(place, value, expected, found):
    assert problem_of(changed(place, value)) == f"report.json: {place}: expected {expected}, got {found}"


def test_a_strange_key_is_not_written_to_the_terminal():
    told = problem_of(changed("entries[0].\x1b", 1))
    assert told.startswith("report.json: entries[0].'\\x1b': expected no such key, got 1")


def test_counts_are_those_of_the_entries():
    told = problem_of(changed("counts.failed", 0))
    assert told.startswith("report.json: counts: expected {'total': 3, 'failed': 1, 'error': 1, ")


def test_a_kind_is_one_of_three():
    told = problem_of(changed("entries[0].kind", "guess"))
    assert told.startswith("report.json: entries[0]: expected one of 'comparison', 'estimate', 'error', got {")


def test_low_and_high_of_a_density_are_in_order():
    low = REPORT.entries[0].density.low
    told = problem_of(changed("entries[0].density.high", low))
    assert told.startswith("report.json: entries[0].density: expected low < high, got {'high': ")


def test_a_missing_figure_is_named():
    document = json.loads(REPORT.to_json())
    del document["entries"][2]["score"]["std"]
    assert problem_of(json.dumps(document)) == "report.json: entries[2].score.std: expected a value, got nothing"


def test_an_entry_needs_a_kind():
    document = json.loads(REPORT.to_json())
    del document["entries"][0]["kind"]
    assert problem_of(json.dumps(document)).startswith(
        "report.json: entries[0]: expected an entry with its kind, got {"
    )


def test_order_is_made_whatever_the_document_says():
    document = json.loads(REPORT.to_json())
    document["entries"].reverse()
    assert read_report(json.dumps(document)) == REPORT


def test_what_is_read_is_what_was_written_down():
    document = json.loads(REPORT.to_json())
    assert plain(read_report(REPORT.to_json()).entries) == document["entries"]


def test_the_schema_names_its_draft():
    assert report_schema()["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_printing_a_report_needs_no_models():
    code = "import sys, pytest_bayesf1.reports.terminal; print({'pydantic', 'numpy'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
