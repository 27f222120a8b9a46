"""The report of a run that has finished, as a stranger may have written it."""

import zipfile
from dataclasses import replace
from io import BytesIO

import pytest

from pytest_bayesf1.github.action import finished_report
from pytest_bayesf1.github.api import ApiError, Artefact, Context, FinishedRun, Head
from pytest_bayesf1.github.comment import Origin
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import Source
from tests.unit.made_up import comparison, entry

RUN = FinishedRun(99, "a" * 40, "better", "stranger", "https://github.com/t/s/actions/runs/99")
CONTEXT = Context("workflow_run", "t/s", "", "", "https://github.com", "", ".", None, RUN)
ENTRY = replace(entry(comparison(), "failed"), file="test_a.py")
HEADS = [Head(7, "a" * 40)]
TEXT = Report.of([ENTRY]).to_json()


def zipped(method=zipfile.ZIP_DEFLATED, **members):
    target = BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return target.getvalue()


class Api:
    def __init__(self, content, heads=HEADS, names=("bayesf1-report-test-0",)):
        self.content, self.found, self.names = content, heads, names

    def heads(self, owner, branch):
        assert (owner, branch) == ("stranger", "better")
        return self.found

    def artefacts(self, run_id):
        assert run_id == 99
        return [Artefact(name, 1, "") for name in self.names]

    def download(self, artefact, most_bytes):
        if isinstance(self.content, Exception):
            raise self.content
        return self.content


def found(content=None, artefact_name="", **more):
    api = Api(zipped(**{"report.json": TEXT}) if content is None else content, **more)
    return finished_report(api, CONTEXT, artefact_name)


def test_a_report_and_its_pull_request():
    result = found()
    assert result.report.to_json() == TEXT
    assert result.number == 7
    assert result.origin == Origin(Source("https://github.com/t/s", RUN.head_sha), RUN.url)


@pytest.mark.parametrize(
    "heads", [[], [Head(7, "b" * 40)]], ids=["a closed one, or another repository's", "one that has newer commits"]
)
def test_the_pull_request_must_end_with_the_commit(heads):
    assert found(heads=heads).startswith("No open pull request ends with the commit aaaaaaaaaa")


def test_other_pull_requests_of_the_branch_are_passed_by():
    assert found(heads=[Head(6, "b" * 40), Head(7, "a" * 40)]).number == 7


@pytest.mark.parametrize(
    ("names", "asked", "told"),
    [
        ([], "", "found 0. Did the run end before it could report?"),
        (["bayesf1-report-a", "bayesf1-report-b"], "", "found 2. Name one with artefact-name."),
        (["other"], "mine", "Expected one artefact 'mine' of the finished run, found 0."),
    ],
)
def test_which_artefact_is_meant_must_be_clear(names, asked, told):
    assert told in found(names=names, artefact_name=asked)


def test_an_artefact_by_its_name():
    assert found(names=["bayesf1-report-a", "bayesf1-report-b"], artefact_name="bayesf1-report-b").number == 7


def broken(method):
    """Damage the middle of what is compressed."""
    content = zipped(method, **{"report.json": TEXT})
    place = content.index(b"report.json") + 60
    return content[:place] + bytes(byte ^ 255 for byte in content[place : place + 40]) + content[place + 40 :]


WHOLE = zipped(**{"report.json": TEXT})
HOSTILE = {
    "cut in its middle": WHOLE[: len(WHOLE) // 2],
    "cut at its end": WHOLE[:-1],
    "without its beginning": WHOLE[100:],
    "a broken deflate stream": broken(zipfile.ZIP_DEFLATED),
    "a broken BZIP2 stream": broken(zipfile.ZIP_BZIP2),
    "a broken LZMA stream": broken(zipfile.ZIP_LZMA),
    "no zip": b"<html>",
    "no report": zipped(**{"other.json": TEXT}),
    "a path": zipped(**{"../report.json": TEXT, "/report.json": TEXT}),
    "another schema": zipped(**{"report.json": TEXT.replace('"line": 1', '"line": "<script>"')}),
    "not json": zipped(**{"report.json": "# Markdown"}),
    "not text": zipped(**{"report.json": b"\xff\xfe"}),
    "a bomb": zipped(**{"report.json": " " * 60_000_000}),
    "too large to download": ApiError(0, "bayesf1-report is larger than 50,000,000 bytes"),
    "gone": ApiError(410, "Gone"),
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_report_is_told_and_nothing_is_posted(content):
    result = found(content)
    assert isinstance(result, str)
    assert result.startswith("The report of the finished run cannot be used: ")
    assert len(result) < 2_000


def test_other_events_have_no_finished_run():
    assert "workflow_run" in str(finished_report(Api(b""), replace(CONTEXT, finished_run=None), ""))
