import json
from dataclasses import replace

import pytest

from pytest_bayesf1.reports.entry import Report, Verdicts
from pytest_bayesf1.results.schema import plain
from tests.unit.made_up import comparison, entry, error, estimate


def made(verdict, test="tests/test_a.py::test_a", **more):
    if verdict == "error":
        return error("no answer", test)
    return replace(entry(comparison(), verdict, test=test), **more)


def test_the_worst_come_first():
    verdicts = ["failed", "error", "warned", "undecided", "", "passed", "passed"]
    report = Report.of(made(verdict) for verdict in sorted(verdicts))
    assert [each.verdict for each in report.entries] == verdicts


def test_within_a_verdict_entries_are_in_the_order_of_the_tests_and_then_as_made():
    report = Report.of(
        [made("passed", "b", line=1), made("passed", "a", line=2), made("passed", "b", line=3)],
    )
    assert [each.line for each in report.entries] == [2, 1, 3]


def test_verdicts_are_counted():
    report = Report.of(made(verdict) for verdict in ("passed", "", "failed", "warned", "passed"))
    assert report.counts == Verdicts(total=5, failed=1, error=0, warned=1, undecided=0, expected=0, passed=2)
    assert report.tally() == "1 failed, 1 warned, 2 passed, 1 without a gate"


def test_what_the_data_cannot_tell_has_its_own_count():
    report = Report.of(made(verdict) for verdict in ("passed", "undecided", "", "passed", "undecided", "passed"))
    assert report.counts == Verdicts(total=6, failed=0, error=0, warned=0, undecided=2, expected=0, passed=3)
    assert report.tally() == "0 failed, 0 warned, 3 passed, 2 could not tell, 1 without a gate"


@pytest.mark.parametrize(
    ("verdict", "part", "needs"),
    [
        ("failed", "class ham", True),
        ("error", "", True),
        ("warned", "class ham", True),
        ("undecided", "", True),
        ("undecided", "class ham", False),
        ("passed", "", False),
        ("", "", False),
    ],
)
def test_of_what_the_data_cannot_tell_whole_gates_need_attention(verdict, part, needs):
    assert made(verdict, part=part).needs_attention is needs


@pytest.mark.parametrize(
    ("verdict", "part", "needs"), [("passed", "", True), ("passed", "class ham", False), ("", "", False)]
)
def test_so_do_whole_gates_that_cannot_fail(verdict, part, needs):
    assert made(verdict, part=part, can_fail=False).needs_attention is needs


def test_what_has_no_answer_is_neither_failed_nor_passed():
    report = Report.of([made("passed"), made("error", "b"), made("failed")])
    assert [each.verdict for each in report.entries] == ["failed", "error", "passed"]
    assert report.tally() == "1 failed, 1 without an answer, 0 warned, 1 passed"


def test_an_empty_run_counts_nothing():
    assert Report.of([]).counts == Verdicts(total=0, failed=0, error=0, warned=0, undecided=0, expected=0, passed=0)


def test_the_versions_that_made_the_figures_are_told():
    versions = Report.of([]).versions
    assert set(versions) >= {"python", "pytest-bayesf1", "numpy", "scipy"}
    assert all(version[0].isdigit() for version in versions.values())


def test_json_holds_everything_and_says_what_it_is():
    report = Report.of([entry(comparison(labels=("ham", "späm")), "failed"), entry(estimate())])
    document = json.loads(report.to_json())
    assert document["format"] == "pytest-bayesf1 report"
    assert document["version"] == 1
    assert document["counts"] == plain(report.counts)
    assert document["versions"] == dict(report.versions)
    assert document["entries"] == plain(report.entries)


def test_json_keeps_letters_as_they_are():
    text = Report.of([entry(comparison(measure="f1[späm]"))]).to_json()
    assert "f1[späm]" in text
    assert text.endswith("}\n")


def test_json_is_never_invalid():
    with pytest.raises(ValueError, match="not JSON compliant"):
        Report.of([made("passed", mean=float("nan"))]).to_json()
