"""The Action's steps, run for real on a pull request's repository, against a GitHub that checks every request."""

import json
import os
import subprocess
import venv

import pytest

from .faults import FORBIDDEN
from .github_markdown import as_github_shows
from .project import ARTEFACT_URL, MUCH_WORSE, SAME, UNSURE, Project


@pytest.fixture
def project(github, tmp_path):
    github.state.add_pull()
    project = Project(tmp_path / "spam", github)
    project.start()
    return project


@pytest.fixture
def run(project):
    """Commit a gate, as base and as pull request, and run the Action on it."""

    def run(candidate=SAME, settings=None, **inputs):
        project.gate(candidate, **(settings or {}))
        project.commit()
        return project.run(args="bayesf1.yaml", **inputs)

    return run


def comments(github):
    return [comment.body for comment in github.state.comments]


def test_a_passing_gate(run, project, github):
    result = run()
    assert result.conclusion == "success"
    assert result.outputs["verdict"] == "passed"
    assert result.outputs["failed-gates"] == result.outputs["comment-url"] == ""
    assert result.outputs["artefact-url"] == ARTEFACT_URL
    assert "## ✅ Equivalent: " in result.summary
    assert result.messages == []
    assert comments(github) == []
    installed = (project.folder.parent / "installed").read_text().splitlines()
    assert installed[:3] == ["-m", "pip", "install"]
    assert installed[-1].endswith("[github]")
    upload = result.step("upload")
    assert upload.with_["name"] == "bayesf1-report-model-0"
    assert upload.with_["path"].endswith("bayesf1-report")
    assert "the card as a picture: [artefact bayesf1-report-model-0](https" in result.summary


def test_a_failing_gate(run, github):
    result = run(MUCH_WORSE)
    assert result.conclusion == "failure"
    assert result.outputs["verdict"] == "failed"
    assert result.outputs["failed-gates"] == "bayesf1.yaml::spam"
    (body,) = comments(github)
    assert result.outputs["comment-url"].endswith(str(github.state.comments[0].id))
    assert "## ❌ Worse: " in body
    assert f"[report with figures]({ARTEFACT_URL})" in body
    shown = as_github_shows(body)
    assert "<table>" in shown
    assert "The candidate is worse" in shown
    error = next(each for each in result.annotations if "The candidate is worse" in each.message)
    assert (error.level, error.properties["file"], error.properties["line"]) == ("error", "bayesf1.yaml", "1")
    assert "❌" in result.summary


@pytest.mark.long
def test_an_undecided_gate_under_a_strict_policy(run):
    result = run(UNSURE, {"fail_on": "?", "rope": 0.03})
    assert (result.conclusion, result.outputs["verdict"]) == ("failure", "failed")
    assert "Most of the probability lies below −3, the lower end of what you tolerate" in result.summary


@pytest.mark.long
def test_an_undecided_gate_passes_and_is_seen(run, github):
    result = run(UNSURE, {"rope": 0.04})
    assert (result.conclusion, result.outputs["verdict"]) == ("success", "undecided")
    assert "## ❔ Undecided: " in result.summary
    assert [each.level for each in result.annotations] == ["notice"]
    (body,) = comments(github)
    assert "## ❔ Undecided: " in body


@pytest.mark.long
@pytest.mark.parametrize(("fail_on", "conclusion"), [("failed", "success"), ("warned", "failure")])
def test_a_slightly_worse_candidate(run, fail_on, conclusion):
    result = run(UNSURE, {"rope": 0.02}, **{"fail-on": fail_on})
    assert result.conclusion == conclusion
    assert "slightly worse" in result.summary


@pytest.mark.long
def test_a_failing_gate_that_may_fail(run):
    result = run(MUCH_WORSE, **{"fail-on": "never"})
    assert (result.conclusion, result.outputs["verdict"]) == ("success", "failed")


@pytest.mark.long
def test_no_gates(project, github):
    project.commit()
    result = project.run(args="")
    assert (result.conclusion, result.outputs["verdict"]) == ("failure", "none")
    assert "⚠️" in result.summary
    assert "No gate ran, so nothing can have failed" in result.summary
    assert "No gate ran, so nothing can have failed" in comments(github)[0]
    allowed = project.run(args="", **{"allow-no-gates": "true"})
    assert (allowed.conclusion, allowed.outputs["verdict"]) == ("success", "none")


def test_a_crash(project, github):
    project.write(test_crash_dot_py="import os\n\ndef test_crash():\n    os._exit(0)\n")
    project.commit()
    result = project.run()
    assert (result.conclusion, result.outputs["verdict"]) == ("failure", "error")
    assert "There is no report, so nothing is known of the candidate." in result.summary
    assert "nothing is known of the candidate" in comments(github)[0]
    assert result.outputs["report-json"] == ""


@pytest.mark.long
def test_the_next_run_updates_the_comment(run, project, github):
    run(MUCH_WORSE)
    project.gate(SAME)
    assert project.run(args="bayesf1.yaml").conclusion == "success"
    (body,) = comments(github)
    assert "✅" in body


@pytest.mark.long
def test_a_pull_request_cannot_loosen_its_own_gate(project, github):
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


def test_a_base_that_cannot_be_fetched_fails(run, github):
    result = run(**{"baseline-ref": "f" * 40})
    assert result.conclusion == "failure"
    assert any("baseline-ref: expected a commit that can be fetched" in message for _, message in result.messages)
    assert "nothing is known of the candidate" in comments(github)[0]


def test_a_read_only_token_changes_nothing_but_the_comment(run, github):
    github.fails(FORBIDDEN, "POST", "/comments")
    result = run(MUCH_WORSE)
    assert result.conclusion == "failure"
    assert result.outputs["artefact-url"] == ARTEFACT_URL
    assert "❌" in result.summary
    assert any(level == "notice" and "can only read" in message for level, message in result.messages)


def test_an_unknown_choice_is_told(run):
    result = run(**{"fail-on": "always"})
    assert result.conclusion == "failure"
    told = "fail-on: expected one of failed, warned, loosened, never, got 'always'"
    assert any(told in message for _, message in result.messages)


HOSTILE = "x'\"; $(touch pwned) `touch pwned` && touch pwned | ${{ github.token }} %0A::error::forged\n::error::forged"


# together where different steps read them, and the first one does not keep the other from being read
@pytest.mark.parametrize(
    "names",
    [["args", "comment-id"], ["baseline-ref"], ["fail-on", "comment"], ["mode", "artefact-name"]],
    ids=" and ".join,
)
@pytest.mark.one_of_many
def test_hostile_inputs_are_data(project, names):
    project.gate(MUCH_WORSE)
    project.commit()
    result = project.run(**{"args": "bayesf1.yaml", **dict.fromkeys(names, HOSTILE)})
    assert result.conclusion == "failure"
    assert not list(project.folder.rglob("pwned"))
    assert not any(step.expression_in_run for step in result.steps)
    assert "forged" not in [message for _, message in result.messages]


def test_hostile_names_are_data(project, github):
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


def test_what_tests_print_is_no_command(project):
    project.write(test_forger_dot_py='def test_forger():\n    print("::error::forged")\n    assert False\n')
    project.commit()
    result = project.run()
    assert "forged" not in [message for _, message in result.messages]


@pytest.mark.long
def test_a_baseline_that_is_new_is_read_as_it_is_there(project, github):
    project.commit()
    project.gate(MUCH_WORSE)
    project.commit()
    assert project.run(args="bayesf1.yaml").conclusion == "failure"
    assert "2 baseline or gate files changed: baseline.json, bayesf1.yaml" in comments(github)[0]


@pytest.mark.long
def test_it_installs_itself(project):
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
def test_a_comment_that_cannot_be_written_changes_no_verdict(run, github):
    result = run(comment="always", **{"comment-id": "two words"})
    assert (result.conclusion, result.outputs["verdict"]) == ("success", "passed")
    assert any("comment-id: expected up to 64 letters" in message for _, message in result.messages)
    assert comments(github) == []
