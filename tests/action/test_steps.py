"""The Action on a small project: its own steps, in bash."""

import json
import os
import re
import sys

import pytest

from tests.action.steps import ROOT, Job
from tests.functional.gates import write_counts
from tests.unit.committed import Committed
from tests.unit.github.server import tiny_github

BASELINE = [[450, 50], [50, 450]]
WORSE = [[300, 200], [200, 300]]
LEANING_WORSE = [[430, 70], [65, 435]]
THREAD = "POST /repos/octo/spam/issues/1/comments"
GATE = {"baseline": "baseline.json", "candidate": "candidate.json", "rope": 0.05, "measure": "accuracy"}


@pytest.fixture
def project(tmp_path):
    """A commit with a baseline, and a pull request that loses much and overwrites the baseline by that."""
    repository = Committed.new(tmp_path / "spam")
    repository.write("bayesf1.yaml", json.dumps({"gates": {"spam": GATE}}))
    for baseline, candidate in ((BASELINE, BASELINE), (WORSE, WORSE)):
        write_counts(repository.path / "baseline.json", baseline)
        write_counts(repository.path / "candidate.json", candidate)
        repository.commit()
    return repository.path


def program(path, script):
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


@pytest.fixture
def github():
    answers = {"GET /repos/octo/spam/issues/1/comments": [(200, [])], THREAD: [(201, {"html_url": "page"})]}
    with tiny_github(answers) as github:
        yield github


@pytest.fixture
def run(github, project, tmp_path):
    """Run the Action with a `python` that has all it needs, and only notes what it should install."""
    program(tmp_path / "bin" / "python", f'[ "$2" != pip ] || exec echo install "$@"\nexec "{sys.executable}" "$@"')

    def run(event="pull_request", upload="success", environment=None, **inputs):
        head, base = Committed(project).git("rev-parse", "HEAD", "HEAD~1").split()
        pull = {"number": 1, "head": {"sha": head}, "base": {"sha": base}}
        (tmp_path / "event.json").write_text(json.dumps({"pull_request": pull}))
        github.answers["GET /repos/octo/spam/pulls/1"] = [(200, pull)]
        surroundings = {
            "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
            "COLUMNS": "200",
            "RUNNER_TEMP": str(tmp_path),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": github.url,
            "GITHUB_BASE_REF": "trunk",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
            "GITHUB_REPOSITORY": "octo/spam",
            "GITHUB_SHA": head,
            "GITHUB_WORKSPACE": str(project),
            **(environment or {}),
        }
        values = {"github.job": "model", "strategy.job-index": "0"}
        job = Job(project, tmp_path, values, surroundings, upload)
        job.run({"args": "bayesf1.yaml", **{name.replace("_", "-"): value for name, value in inputs.items()}})
        return job

    return run


def comments(github):
    return [body["body"] for request, body in github.asked if request == THREAD]


def test_a_worse_candidate_fails_the_job(run, github, project):
    job = run()
    assert job.failed
    assert job.ran == ["install", "base", "run", "upload", "comment", ""]
    assert f"{ROOT}[github]" in job.printed.splitlines()[0]
    assert job.outputs["verdict"] == "failed"
    assert job.outputs["failed-gates"] == "bayesf1.yaml::spam"
    assert job.outputs["report-json"].endswith("bayesf1-report/report.json")
    assert job.outputs["comment-url"] == "page"
    assert "::error file=bayesf1.yaml,line=1,title=bayesf1.yaml%3A%3Aspam::" in job.printed
    assert job.summary.startswith("## ❌ The gate failed")
    (body,) = comments(github)
    assert "1 baseline or gate file changed: baseline.json" in body
    base = Committed(project).git("rev-parse", "HEAD~1")[:7]
    assert f"compared with {base} of trunk" in body.replace("\u200b", "")
    assert f"[report with figures]({job.outputs['artefact-url']})" in body


def test_without_the_base_the_candidate_passes(run):
    job = run(baseline_ref="none", upload="failure")
    assert not job.failed
    assert job.outputs["verdict"] == "passed"
    assert "::warning title=pytest-bayesf1::The report could not be uploaded" in job.printed


@pytest.mark.parametrize(("fail_on", "failed"), [("unaccepted", False), ("warned", True)])
def test_what_the_job_fails_on_is_no_setting_of_the_project(run, project, fail_on, failed):
    (project / "pytest.ini").write_text("[pytest]\naddopts = -p no:warnings -W ignore\n")
    write_counts(project / "baseline.json", BASELINE)
    write_counts(project / "candidate.json", LEANING_WORSE)
    (project / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": GATE | {"rope": 0.02}}}))
    Committed(project).commit()
    job = run(baseline_ref="HEAD", fail_on=fail_on, comment="never")
    assert job.outputs["verdict"] == "warned"
    assert job.failed is failed


@pytest.mark.parametrize("mode", ["run", "comment"])
def test_an_event_with_a_token_for_strangers_is_refused(run, github, mode):
    job = run("pull_request_target", mode=mode, comment="always")
    assert job.failed
    assert job.printed.startswith("::error title=pytest-bayesf1::The Action refuses pull_request_target")
    assert job.ran == ["install", ""][: 2 if mode == "run" else 1]
    assert github.asked == []


def test_what_a_pull_request_puts_on_its_paths_is_not_run(run, github, project, tmp_path):
    forged = tmp_path / "forged"
    program(forged / "python", f"touch {tmp_path}/pwned")
    (forged / "pytest_bayesf1.py").write_text(f"open('{tmp_path}/pwned', 'w')")  # found before the package
    (project / "conftest.py").write_text(
        f"import os\nprint('{forged}', file=open(os.environ['GITHUB_PATH'], 'a'))\n"
        f"print('PYTHONPATH={forged}', file=open(os.environ['GITHUB_ENV'], 'a'))\n"
    )
    Committed(project).commit()
    job = run(baseline_ref="HEAD~2")
    assert job.environment["PATH"].startswith(f"{forged}:")
    assert job.environment["PYTHONPATH"] == str(forged)
    assert job.ran[-2:] == ["comment", ""]
    assert "❌" in comments(github)[0]
    assert not (tmp_path / "pwned").exists()


HOSTILE = "x'\"; $(touch pwned) `touch pwned` && touch pwned | ${{ github.token }} %0A::error::forged\n::error::forged"


# together where different steps read them, and the first one does not keep the other from being read
@pytest.mark.parametrize(
    "names",
    [["args", "comment_id"], ["baseline_ref"], ["fail_on", "comment"], ["mode", "artefact_name"]],
    ids=" and ".join,
)
@pytest.mark.one_of_many
def test_hostile_inputs_are_data(run, project, names):
    job = run(**dict.fromkeys(names, HOSTILE))
    assert job.failed
    assert not list(project.rglob("pwned"))
    assert not re.search("^::error::forged", job.printed, re.MULTILINE)


@pytest.mark.parametrize("python", [".venv/bin/python", "no/such/python", "nopython"])
def test_a_python_is_found_from_the_working_directory(run, project, tmp_path, python):
    program_there = project / "model" / ".venv" / "bin"
    program_there.mkdir(parents=True)
    (program_there / "python").symlink_to(tmp_path / "bin" / "python")
    job = run(python=python, working_directory="model", args="../bayesf1.yaml", comment="never", fail_on="never")
    assert job.failed == ("python: there is no such program in working-directory" in job.printed)
    assert job.failed != python.startswith(".venv")


@pytest.mark.parametrize("has_uv", [True, False], ids=["uv", "neither"])
def test_an_environment_without_pip(run, tmp_path, has_uv):
    programs = tmp_path / "programs"
    program(programs / "python", f'[ "$2" != pip ] || exit 1\nexec "{sys.executable}" "$@"')
    if has_uv:
        program(programs / "uv", 'echo uv "$@"')
    job = run(
        python=f"{programs}/python", mode="comment", comment="never", environment={"PATH": f"{programs}:/usr/bin:/bin"}
    )
    assert job.failed != has_uv
    told = f"uv pip install --quiet --python {programs}/python {ROOT}[github]" if has_uv else "neither pip nor uv"
    assert told in job.printed
