"""The report of a finished run, which may be a fork's: nothing of it is trusted."""

import json
import zipfile
from dataclasses import replace
from io import BytesIO

import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.github import action
from pytest_bayesf1.github.action import comment, finished_reports
from pytest_bayesf1.github.api import ApiError, Comment, Context, FinishedRun, Stamp, Token, key_of
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from pytest_bayesf1.reports.output import write_report
from tests.unit.github.memory import BOT, MemoryGitHub
from tests.unit.made_up import comparison, entry

HEAD = "a" * 40
RUN = FinishedRun(99, HEAD, "better", "stranger", "https://github.com/t/s/actions/runs/99")
CONTEXT = Context("workflow_run", "t/s", "", "", "https://github.com", "", ".", None, RUN)
REPORT = Report.of([replace(entry(comparison(), "failed"), file="test_a.py")])
TEXT = REPORT.to_json()


def zipped(method=zipfile.ZIP_DEFLATED, **members):
    target = BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return target.getvalue()


def artefact(text=TEXT, key="gates two", method=zipfile.ZIP_DEFLATED, **more):
    return zipped(method, **{"report.json": text, "comment-id.txt": f"{key}\n", **more})


def found(content=None, artefact_name="", heads=(7,), names=("bayesf1-report-test-0",)):
    github = MemoryGitHub(heads if isinstance(heads, dict) else dict.fromkeys(heads, HEAD))
    for name in names:
        github.upload(name, b"" if isinstance(content, ApiError) else content or artefact())
    if isinstance(content, ApiError):
        github.refusals["download"] = content
    result = finished_reports(github, CONTEXT, artefact_name)
    return result[0] if len(result) == 1 else result


def broken(method):
    """Damage the middle of what is compressed."""
    content = artefact(method=method)
    place = content.index(b"report.json") + 60
    return content[:place] + bytes(byte ^ 255 for byte in content[place : place + 40]) + content[place + 40 :]


WHOLE = artefact()
HOSTILE = {
    "cut in its middle": WHOLE[: len(WHOLE) // 2],
    "a broken deflate stream": broken(zipfile.ZIP_DEFLATED),
    "a broken LZMA stream": broken(zipfile.ZIP_LZMA),
    "no zip": b"<html>",
    "no report": zipped(**{"../report.json": TEXT, "comment-id.txt": "gates"}),
    "no comment-id": zipped(**{"report.json": TEXT}),
    "another schema": artefact(TEXT.replace('"line": 1', '"line": "<script>"')),
    "not json": artefact("# Markdown"),
    "not text": artefact(b"\xff\xfe"),
    "a bomb": artefact(" " * 60_000_000),
    "too large to download": ApiError(0, "bayesf1-report is larger than 50,000,000 bytes"),
    "gone": ApiError(410, "Gone"),
}


class TestReports:
    def test_a_report_and_its_pull_request(self):
        result = found()
        assert result.report.to_json() == TEXT
        assert (result.number, found(heads={6: "b" * 40, 7: HEAD}).number) == (7, 7)
        assert (result.source, result.run_url) == (SourceCommit("https://github.com/t/s", RUN.head_sha), RUN.url)
        assert (result.key, result.run) == (key_of("gates two"), "99.1")

    @pytest.mark.parametrize(
        "heads", [{}, {7: "b" * 40}], ids=["a closed one, or another repository's", "one that has newer commits"]
    )
    def test_the_pull_request_must_end_with_the_commit(self, heads):
        assert found(heads=heads).startswith("No open pull request ends with the commit aaaaaaaaaa")

    @pytest.mark.parametrize("number", [2, 3])
    def test_of_two_pull_requests_with_one_head_the_report_says_which(self, number):
        assert found(artefact(**{"pull-request.txt": f"{number}\n"}), heads=[3, 2]).number == number

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ({"pull-request.txt": "1\n"}, "ends several pull requests (#3, #2)"),
            ({"pull-request.txt": "x"}, "ends several pull requests (#3, #2)"),
            ({}, "no readable pull-request.txt"),
        ],
    )
    def test_a_pull_request_with_another_head_is_not_taken(self, said, told):
        assert told in found(artefact(**said), heads=[3, 2])

    @pytest.mark.parametrize(
        ("names", "asked", "told"),
        [
            ([], "", "no artefact that begins with 'bayesf1-report'. Did it end before it could report?"),
            ([f"bayesf1-report-{n}" for n in range(21)], "", "21 reports, more than 20. Name one with artefact-name."),
            (["other"], "mine", "The finished run has no artefact 'mine'."),
        ],
    )
    def test_which_artefact_is_meant_must_be_clear(self, names, asked, told):
        assert told in found(names=names, artefact_name=asked)
        assert len(found(names=[f"bayesf1-report-{n}" for n in range(20)])) == 20
        assert found(names=["bayesf1-report-a", "b"], artefact_name="b").number == 7
        assert "workflow_run" in str(finished_reports(MemoryGitHub(), replace(CONTEXT, finished_run=None), ""))

    @pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
    def test_what_is_no_report_is_told(self, content):
        result = found(content)
        assert isinstance(result, str)
        assert result.startswith("Cannot use the report of the finished run: ")
        assert len(result) < 2_000

    @pytest.mark.parametrize("more", [0, 1])
    def test_a_report_may_be_as_large_as_is_allowed_and_no_larger(self, monkeypatch, more):
        monkeypatch.setattr(action, "_LARGEST", len(TEXT.encode()) - more)
        assert ("larger than" in str(found(artefact()))) is bool(more)


EVENT_OF_RUN = {
    "id": 99,
    "head_sha": HEAD,
    "head_branch": "better",
    "html_url": RUN.url,
    "head_repository": {"owner": {"login": "stranger"}},
}
EVENT_OF_PULL = {"number": 1, "head": {"sha": HEAD}, "base": {"sha": "b" * 40}}


class TestComment:
    """The step that comments, of the run itself or of one that has finished."""

    @pytest.fixture
    def github(self, monkeypatch):
        github = MemoryGitHub({1: HEAD})
        known = Token("secret"), "https://api.example", "t/s"
        monkeypatch.setattr(action, "GitHubApi", lambda *given: github if given == known else None)
        return github

    @pytest.fixture
    def step(self, tmp_path):
        """Run the step on an event, and return the address of each comment."""

        def step(event, **inputs):
            (tmp_path / "event.json").write_text(json.dumps(event))
            (tmp_path / "output").write_text("")
            given = {"COMMENT": "auto", "TOKEN": "secret", "MODE": "run", "ARTEFACT": "", "KEY": "gates", "PROBLEM": ""}
            report = {"REPORT": str(tmp_path / "report"), "TEST_EXIT_CODE": "", "ARTEFACT_URL": ""}
            environment = {f"BAYESF1_{name}": value for name, value in (given | report | inputs).items()}
            files = {"GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "GITHUB_OUTPUT": str(tmp_path / "output")}
            run = {"GITHUB_RUN_ID": "100", "GITHUB_API_URL": "https://api.example", "GITHUB_REPOSITORY": "t/s"}
            assert comment(environment | files | run) == 0
            return (tmp_path / "output").read_text().splitlines()[1:-1]

        return step

    def finished(self, step, attempt=1):
        return step({"workflow_run": EVENT_OF_RUN | {"run_attempt": attempt}}, MODE="comment")

    def test_the_report_of_this_run(self, github, step, tmp_path):
        write_report(REPORT, tmp_path / "report")
        url = "https://github.com/t/s/artifacts/2"
        assert step({"pull_request": EVENT_OF_PULL}, TEST_EXIT_CODE="1", ARTEFACT_URL=url) == ["pull/1#101"]
        (body,) = github.bodies()
        assert "## ❌ The gate failed" in body
        run = "[workflow run](https://github.com/t/s/actions/runs/100)"
        assert body.splitlines()[-1] == f"<sub>gates · {run} · [report with figures]({url})</sub>"

    def test_a_run_without_a_report(self, github, step):
        step({"pull_request": EVENT_OF_PULL}, PROBLEM="git finds no commit.")
        assert "git finds no commit. There is no report, so the candidate has no answer." in github.bodies()[0]

    @pytest.mark.parametrize(
        ("event", "key"), [({}, "gates"), ({"before": "b" * 40}, "gates"), ({"pull_request": EVENT_OF_PULL}, "")]
    )
    def test_other_events_have_no_comment_nor_jobs_that_did_not_begin(self, github, step, event, key):
        step(event, TEST_EXIT_CODE="1", KEY=key)
        assert github.called == []

    def test_when_to_comment_is_one_of_the_choices(self, step):
        with pytest.raises(InputError, match="comment: expected one of auto, always, never, got 'sometimes'"):
            step({}, COMMENT="sometimes")

    def test_the_report_of_a_finished_run(self, github, step):
        github.upload("bayesf1-report-model-0", artefact(**{"report.md": "# Forged"}))
        assert self.finished(step) == ["pull/1#101"]
        (body,) = github.bodies()
        assert "## ❌ " in body
        assert "Forged" not in body
        assert f"/commit/{HEAD})" in body

    def test_a_run_that_is_repeated_shows_its_newest_report(self, github, step):
        for attempt, report in ((1, REPORT), (2, Report.of([]))):
            github.upload("bayesf1-report-model-0", artefact(report.to_json()))
            github.uploads.reverse()
            self.finished(step, attempt)
        (body,) = github.bodies()
        assert "No gate ran" in body

    def test_several_reports_of_a_run_are_comments_of_their_own(self, github, step):
        for key in ("a", "b c"):
            github.upload(f"bayesf1-report-{key}", artefact(key=key))
        for attempt in (1, 2):
            assert self.finished(step, attempt) == ["pull/1#101", "pull/1#102"]
        first, second = github.bodies()
        assert first.startswith("<!-- pytest-bayesf1 a run 99.2 ")
        assert second.startswith("<!-- pytest-bayesf1 b-c-")

    def test_a_comment_that_the_job_wrote_itself_stays(self, github, step):
        own = Comment(1, BOT, f"{Stamp('gates', '99.1').line}\nwhat the job wrote")
        github.threads[1] = [own]
        github.upload("bayesf1-report-a", artefact(key="gates"))
        assert self.finished(step) == [""]
        assert github.threads[1] == [own]

    @pytest.mark.parametrize("method", ["heads", "download", "head", "comments", "create"])
    def test_a_refusal_is_a_notice_and_fails_nothing(self, github, step, capsys, method):
        github.refusals[method] = ApiError(403, "Resource not accessible by integration")
        github.upload("bayesf1-report-a", artefact())
        github.upload("bayesf1-report-b", artefact())
        assert self.finished(step) == [""]
        (line,) = capsys.readouterr().out.splitlines()
        assert line.startswith("::notice title=pytest-bayesf1::")
        assert github.bodies() == []
