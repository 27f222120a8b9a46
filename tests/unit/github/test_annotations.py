"""Annotations at the tests that failed, within GitHub's limits."""

from dataclasses import replace

from pytest_bayesf1.github.action import MOST_ANNOTATIONS, annotations_of
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.results.findings import Finding, FindingKind
from tests.unit.made_up import comparison, entry, error


def made(verdict, number=1, **more):
    return replace(entry(comparison(), verdict, test=f"ci/bayesf1.yaml::gate{number}", **more), line=number)


def test_what_failed_is_an_error_and_what_warned_a_warning():
    report = Report.of([made("passed", 1), made("warned", 2), made("failed", 3, advice="Find what changed.")])
    failure, warning = annotations_of(report, "model")
    assert (failure.level, failure.file, failure.line) == ("error", "model/ci/bayesf1.yaml", 3)
    assert failure.title == "ci/bayesf1.yaml::gate3"
    assert failure.message == f"{comparison().headline}.\nFind what changed."
    assert (warning.level, warning.line) == ("warning", 2)


def test_what_the_data_cannot_tell_is_a_notice_about_whole_gates():
    report = Report.of([made("undecided", 1), made("undecided", 2, part="class ham"), made("passed", 3)])
    (notice,) = annotations_of(report)
    assert (notice.level, notice.line) == ("notice", 1)


def test_a_gate_that_cannot_fail_is_a_notice():
    (notice,) = annotations_of(Report.of([replace(made("passed"), can_fail=False), made("passed", 2)]))
    assert (notice.level, notice.line) == ("notice", 1)


def test_a_gate_is_annotated_once():
    report = Report.of([made("failed"), made("failed", part="class ham"), made("failed", part="class spam")])
    (annotation,) = annotations_of(report)
    assert annotation.title == "ci/bayesf1.yaml::gate1"


def test_more_than_are_shown_are_counted():
    report = Report.of([made("failed", number) for number in range(1, 21)])
    annotations = annotations_of(report)
    assert len(annotations) == MOST_ANNOTATIONS
    assert annotations[-1].message == "12 more: see the job summary."


def test_what_has_no_file_is_annotated_without():
    (annotation,) = annotations_of(Report.of([error("no answer")]), "model")
    assert (annotation.file, annotation.line) == ("", 0)


def test_what_was_loosened_is_a_warning_after_what_failed():
    looser = Finding("a.py::test\nx", FindingKind.LOOSER, "rope", "you tolerated 1 point, this run 5")
    new = Finding("a.py::new", FindingKind.UNLISTED, "", "gates.json does not list it")
    failed, warning = annotations_of(Report.of([made("failed")], findings=[new, looser]))
    assert (failed.level, warning.level) == ("error", "warning")
    assert warning.title == "a.py::test x"
    assert warning.message == "This gate was loosened: you tolerated 1 point, this run 5."
