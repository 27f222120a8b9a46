"""Documents that older versions wrote."""

import json
from pathlib import Path

import pytest

from pytest_bayesf1.errors import ReportError
from pytest_bayesf1.reports.entry import ComparisonEntry, Verdicts
from pytest_bayesf1.reports.html import html
from pytest_bayesf1.reports.markdown import markdown
from pytest_bayesf1.reports.reading import load_report, read_report
from pytest_bayesf1.reports.terminal import report_lines

GOLDEN = Path(__file__).parents[2] / "golden"
VERSION_1, VERSION_2, VERSION_3 = (GOLDEN / f"report-{version}.json" for version in (1, 2, 3))


def changed(change):
    document = json.loads(VERSION_1.read_text("utf-8"))
    change(document)
    return json.dumps(document)


def test_version_1_is_read():
    report = load_report(VERSION_1)
    assert report.counts == Verdicts(total=4, failed=1, error=1, warned=1, undecided=0, expected=0, passed=1)
    assert json.loads(report.to_json())["version"] == 4


def comparisons(report):
    return [entry for entry in report.entries if isinstance(entry, ComparisonEntry)]


def test_version_2_is_read():
    report = load_report(VERSION_2)
    counts = report.counts
    assert (counts.total, counts.failed) == (len(report.entries), 3)
    assert any(entry.decision == "?" and entry.verdict == "passed" for entry in comparisons(report))
    assert counts.undecided == 0  # it passed by the words of that version
    assert json.loads(report.to_json())["version"] == 4


def test_version_3_is_read():
    report = load_report(VERSION_3)
    assert json.loads(report.to_json())["version"] == 4
    assert all(entry.units is entry.stated_agreement is None for entry in comparisons(report))
    parts = [entry.breakdown for entry in comparisons(report) if entry.breakdown]
    assert any(each.closest for each in parts)
    assert all(each.if_agreed is None for each in parts)


@pytest.mark.parametrize("path", [VERSION_1, VERSION_2])
def test_of_what_was_not_asked_then_nothing_is_said(path):
    found = comparisons(load_report(path))
    of = {test.name: test.of for entry in found for test in entry.companions}
    assert of == {**dict.fromkeys(of, ""), "p-test": "accuracy"}
    for entry in found:
        assert (entry.can_fail, entry.paired_outcomes, entry.never_true) == (True, None, ())


@pytest.mark.slow
@pytest.mark.parametrize("path", [VERSION_1, VERSION_2, VERSION_3])
def test_older_versions_are_rendered(path):
    report = load_report(path)
    for text in (html(report), markdown(report), str(report_lines(report))):
        assert report.entries[0].test.partition("::")[2].partition("[")[0] in text.replace("\\", "")


def test_documents_from_before_there_were_errors_and_missing_tests():
    def change(document):
        for key in ("complete", "missing", "changed"):
            del document[key]
        document["entries"] = [entry for entry in document["entries"] if entry["kind"] != "error"]
        document["counts"] = {"total": 3, "failed": 1, "warned": 1, "passed": 1}
        for entry in document["entries"]:
            for key in ("file", "line", "part"):
                del entry[key]

    assert read_report(changed(change)).complete


@pytest.mark.parametrize(
    ("key", "value", "place"),
    [
        ("entries", 3, "entries"),
        ("entries", [3], "entries[0]"),
        ("counts", 3, "counts"),
        ("entries", [{"kind": "comparison"}], "entries[0].test"),
        ("entries", [{"kind": "estimate"}], "entries[0].test"),
    ],
)
def test_damage_is_told_all_the_same(key, value, place):
    with pytest.raises(ReportError, match=r"report\.json: ") as caught:
        read_report(changed(lambda document: document.update({key: value})))
    assert f"{place}: expected" in str(caught.value)
