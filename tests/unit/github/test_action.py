import json
import os
import re
import shutil
import sys
from base64 import b64encode
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_bayesf1 import BaselineError, InputError
from pytest_bayesf1.github import action
from pytest_bayesf1.github.action import (
    MOST_SUMMARY_BYTES,
    Annotation,
    JobDemands,
    Outcome,
    add_summary,
    annotations_of,
    baseline_ref,
    find_base,
    main,
    no_commands,
    outcome_of,
    pytest_command,
    require_tested,
    run,
    run_gates,
    set_outputs,
)
from pytest_bayesf1.github.api import Context, PullRequest, Token
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.markdown import SourceCommit
from pytest_bayesf1.reports.output import write_report
from pytest_bayesf1.reports.record import load_report
from pytest_bayesf1.results.run import Finding, FindingKind, RunIdentity
from tests.unit.committed import Committed
from tests.unit.made_up import comparison, entry, error

LOOSER = Finding("a.py::test\nx", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
WANTED = replace(LOOSER, accepted="fewer labels now")
NEW = Finding("a.py::new", FindingKind.OUTDATED, "", "gates.json does not list it")
PULL = {"number": 1, "head": {"sha": "a" * 40}, "base": {"sha": "b" * 40}}


def made(verdict, number=1, **more):
    return replace(entry(comparison(), verdict, test=f"ci/bayesf1.yaml::gate{number}", **more), line=number)


class TestAnnotations:
    def test_what_failed_is_an_error_and_what_warned_a_warning(self):
        said = {"advice": "Find what changed.", "way_out": "Or accept it", "command": "bayesf1 accept x"}
        report = Report.of([made("passed", 1), made("warned", 2), made("failed", 3, **said)])
        headline, file = f"{comparison().headline}.", "ci/bayesf1.yaml"
        told = f"{headline}\nFind what changed.\nOr accept it:\nbayesf1 accept x"
        assert annotations_of(report, "model") == [
            Annotation("error", f"{file}::gate3", told, f"model/{file}", 3),
            Annotation("warning", f"{file}::gate2", headline, f"model/{file}", 2),
        ]

    def test_a_gate_is_annotated_once_and_what_it_cannot_tell_or_fail_is_a_notice(self):
        report = Report.of(
            [
                *(made("failed", part=part) for part in ("", "class ham", "class spam")),
                *(made("undecided", 2, part=part) for part in ("", "class ham")),
                replace(made("passed", 3), can_fail=False),
                made("undecided", 4, part="class ham"),
                error("no answer"),
            ]
        )
        assert [(each.level, each.file, each.line) for each in annotations_of(report, "model")] == [
            ("error", "model/ci/bayesf1.yaml", 1),
            ("error", "", 0),
            ("notice", "model/ci/bayesf1.yaml", 2),
            ("notice", "model/ci/bayesf1.yaml", 3),
        ]

    @pytest.mark.parametrize(("n", "n_shown"), [(9, 9), (10, 8), (20, 8)])
    def test_more_than_are_shown_are_counted(self, n, n_shown):
        found = annotations_of(Report.of([made("warned", number) for number in range(n)]))
        assert [each.line for each in found[:n_shown]] == [*range(n_shown)]
        more = f"{n - n_shown} more annotations: see the job summary."
        assert found[n_shown:] == [Annotation("warning", "pytest-bayesf1", more)] * (n > n_shown)

    @pytest.mark.parametrize(
        ("kind", "begins"),
        [
            (FindingKind.LOOSENED, "This gate is looser"),
            (FindingKind.CHANGED, "This gate changed"),
            (FindingKind.FILE, "Check this file"),
        ],
    )
    def test_what_was_loosened_is_a_warning_after_what_failed(self, kind, begins):
        findings = [NEW, replace(LOOSER, kind=kind), replace(WANTED, kind=kind)]
        text = f"{begins}: you allowed 1 point, this run 5."
        failed, *warnings = annotations_of(Report.of([made("failed")], findings=findings))
        assert failed.level == "error"
        assert warnings == [
            Annotation("warning", "a.py::test↵x", f"{text} Accepted: fewer labels now"),
            Annotation("warning", "a.py::test↵x", text),
        ]

    def test_an_accepted_loss_is_the_first_warning_and_comes_before_what_failed(self):
        accepted = [made("accepted", 3, advice="Accepted: a smaller model", part=part) for part in ("", "class ham")]
        entries = [made("failed"), made("warned", 2), made("warned", 4), *accepted]
        found = annotations_of(Report.of(entries, findings=[LOOSER]))
        levels = [(each.level, each.line) for each in found]
        assert levels == [("warning", 3), ("warning", 0), ("warning", 2), ("warning", 4), ("error", 1)]
        assert found[0].message == f"{comparison().headline}.\nAccepted: a smaller model"


TOKEN = Token("secret")


class TestBase:
    @pytest.fixture
    def origin(self, tmp_path):
        origin = Committed.new(tmp_path / "origin")
        origin.git("config", "uploadpack.allowAnySHA1InWant", "true")
        for text in ("old", "new"):
            origin.commit(**{"baseline.csv": text})
        return origin

    @pytest.fixture
    def checkout(self, origin, tmp_path, monkeypatch):
        """A checkout of the last commit alone, as jobs have it."""
        checkout = Committed(origin.shallow_clone(tmp_path / "checkout"))
        monkeypatch.chdir(checkout.path)
        return checkout

    @pytest.fixture
    def context(self, origin):
        base, server = origin.git("rev-parse", "HEAD~1"), origin.path.parent.as_uri()
        return Context("pull_request", "origin", "", "", server, "", ".", PullRequest(1, "", base), None, base=base)

    @pytest.mark.parametrize("has_remote", [True, False])
    @pytest.mark.parametrize("ref", ["auto", "release"])
    def test_the_base_or_a_branch_is_fetched(self, origin, checkout, context, ref, has_remote):
        origin.git("branch", "release", "HEAD~1")
        if not has_remote:
            checkout.git("remote", "remove", "origin")
        assert baseline_ref(ref, context, TOKEN) == context.base
        assert checkout.git("show", f"{context.base}:baseline.csv") == "old"

    def test_a_commit_that_is_there_is_not_fetched(self, checkout, context, origin):
        origin.path.rename(origin.path.with_name("gone"))
        head = checkout.git("rev-parse", "HEAD")
        assert baseline_ref(head, context, TOKEN) == head
        assert baseline_ref("none", context, TOKEN) == baseline_ref("auto", replace(context, base=""), TOKEN) == ""

    def test_what_cannot_be_fetched_is_an_error_that_does_not_tell_the_token(self, checkout, context):
        with pytest.raises(BaselineError, match=r"baseline-ref: Cannot fetch the commit '\w+'") as caught:
            baseline_ref("f" * 40, context, TOKEN)
        assert "permission contents: read" in str(caught.value)
        assert "secret" not in f"{caught.value} {TOKEN!r}"

    def test_the_token_goes_to_the_server_of_the_job_alone(self, context, monkeypatch):
        asked = []
        monkeypatch.setattr(action, "git", lambda _, *words, environment: asked.append((words, environment)))
        context = replace(context, api_url="https://api.example", server_url="https://git.example", repository="t/s")
        assert not action._fetched("main", context, TOKEN)
        (first, job), (second, with_token) = asked
        fetch = ("fetch", "--quiet", "--no-tags", "--depth=1", "--")
        assert (first, second) == ((*fetch, "origin", "main"), (*fetch, "https://git.example/t/s", "main"))
        assert job == os.environ
        assert dict(with_token.items() - job.items()) == {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "http.https://git.example/.extraheader",
            "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {b64encode(b'x-access-token:secret').decode()}",
        }


class TestCommit:
    """A run is about one commit, and tests it."""

    @pytest.fixture
    def project(self, tmp_path, monkeypatch):
        """Branches of main: the pull request's and another, which is checked out."""
        project = Committed.new(tmp_path)
        project.commit()
        for name in ("head", "other"):
            project.git("checkout", "-q", "-b", name, "main")
            project.commit(name)
        monkeypatch.chdir(tmp_path)
        return project

    @pytest.fixture
    def context(self, project):
        head, base = (project.git("rev-parse", name) for name in ("head", "main"))
        tested = head, "f" * 40
        return Context(
            "pull_request", "t/s", head, "", "", "", ".", PullRequest(1, head, base), None, tested=tested, base=base
        )

    @pytest.mark.parametrize("branch", ["main", "other"])
    def test_another_commit_is_not_tested_in_its_place(self, project, context, branch):
        project.git("checkout", "-q", branch)
        about = f"this run (pull_request) is about {context.sha[:10]} or its merge ffffffffff"
        told = f"In '.' git has the commit {project.git('rev-parse', 'HEAD')[:10]}, but {about}"
        with pytest.raises(InputError, match=re.escape(told)):
            require_tested(context)

    def test_the_last_commit_of_the_pull_request_is_tested_and_that_which_was_pushed(self, project, context):
        pushed = project.git("rev-parse", "HEAD")
        require_tested(replace(context, pull_request=None, tested=(pushed,)))
        project.git("checkout", "-q", "head")
        require_tested(context)

    @pytest.mark.parametrize("merged", ["head", "earlier"])
    def test_a_merge_that_the_job_makes_is_tested_if_it_is_of_the_pull_request(self, project, context, merged):
        project.git("branch", "earlier", "other")
        project.commit("more")
        project.git("checkout", "-q", "-b", "queue", "main")
        project.git("merge", "-q", "--no-edit", "--no-ff", merged)
        with nullcontext() if merged == "head" else pytest.raises(InputError, match="is about"):
            require_tested(context)

    @pytest.mark.parametrize("message", ["more", "more\n\nparent {base}\nparent {head}"])
    def test_what_is_committed_on_top_of_it_is_no_merge_whatever_it_says(self, project, context, message):
        project.git("checkout", "-q", "head")
        message = message.format(base=context.base, head=context.sha)
        project.git("commit", "-q", "--allow-empty", "-m", message)
        with pytest.raises(InputError, match="is about"):
            require_tested(context)

    @pytest.mark.parametrize(
        ("ref", "told"),
        [("auto", ""), ("none", ""), ("f" * 40, "Cannot fetch the commit"), ("HEAD~1", "A symbolic link leads here")],
    )
    def test_the_first_step_says_what_baselines_are_read_from_or_why_not(
        self, project, context, tmp_path, monkeypatch, capsys, ref, told
    ):
        if ref == "HEAD~1":  # where the working directory is a link that this change puts in a folder's place
            project.git("checkout", "-q", "main")
            project.commit(**{"model/note": ""})
            shutil.rmtree("model")
            Path("model").symlink_to(".")
            project.commit()
            monkeypatch.chdir("model")
        else:
            project.git("checkout", "-q", "head")
        head, base = project.git("rev-parse", "HEAD"), context.base
        pull = {"number": 1, "head": {"sha": head}, "base": {"sha": base}}
        (tmp_path / "event.json").write_text(json.dumps({"pull_request": pull}))
        given = {"BASELINE_REF": ref, "ARTEFACT": "mine", "FOLDER": "."}
        inputs = dict.fromkeys(("JOB", "ARGS", "COMMENT_ID", "TOKEN"), "") | given
        github = {"EVENT_PATH": tmp_path / "event.json", "OUTPUT": tmp_path / "output", "SERVER_URL": tmp_path.as_uri()}
        github |= {"REPOSITORY": "no/where", "EVENT_NAME": "pull_request", "SHA": head}
        for prefix, names in (("BAYESF1", inputs), ("GITHUB", github), ("RUNNER", {"TEMP": tmp_path})):
            for name, value in names.items():
                monkeypatch.setenv(f"{prefix}_{name}", str(value))
        monkeypatch.setattr(sys, "argv", ["action", "base"])
        assert main() == int(bool(told))
        outputs = outputs_of((tmp_path / "output").read_text())
        assert outputs["artefact-name"] == "mine"
        assert outputs["report-directory"] == str(tmp_path / f"bayesf1-{outputs['key']}" / "bayesf1-report")
        assert outputs.get("ref") == {"auto": base, "none": ""}.get(ref)
        assert told in outputs.get("problem", "")
        assert ("::error title=pytest-bayesf1::" in capsys.readouterr().out) is bool(told)

    def test_it_is_compared_with_the_commit_that_it_was_merged_into(self, project, context):
        """The event may name an older one."""
        project.git("checkout", "-q", "head")
        assert baseline_ref("auto", context, TOKEN) == context.base
        project.git("checkout", "-q", "--detach", "other")
        project.git("merge", "-q", "--no-edit", "--no-ff", "head")
        assert baseline_ref("auto", context, TOKEN) == project.git("rev-parse", "other")
        project.git("checkout", "-q", "head")
        project.git("merge", "-q", "--no-edit", "--no-ff", "other")  # by the author, into the pull request's branch
        assert baseline_ref("auto", context, TOKEN) == context.base
        merge = project.git("rev-parse", "HEAD")
        context = replace(context, pull_request=replace(context.pull_request, head_sha=merge))
        assert baseline_ref("auto", context, TOKEN) == context.base


def test_each_use_in_a_workflow_has_its_key_and_a_place_of_its_own(tmp_path):
    usual = {
        "RUNNER_TEMP": str(tmp_path), "GITHUB_WORKFLOW": "ci", "BAYESF1_JOB": "test",
        "BAYESF1_ARGS": "", "BAYESF1_FOLDER": ".", "BAYESF1_COMMENT_ID": "",
    }  # fmt: skip
    others = {"GITHUB_WORKFLOW": "night", "BAYESF1_JOB": "lint", "BAYESF1_ARGS": "-k a", "BAYESF1_FOLDER": "model"}
    named = {"BAYESF1_COMMENT_ID": "mine"}
    uses = [usual, *(usual | {name: value} for name, value in others.items()), usual | named, usual | others | named]
    keys, folders = zip(*(action._place_of_report(each) for each in (*uses, usual)), strict=True)
    assert len({*keys[:-2]}) == len(uses) - 1
    assert (keys[-2], keys[-1]) == (f"{keys[-3]}-2", f"{keys[0]}-2")
    assert len({*folders}) == len(folders)


class TestRunner:
    def test_arguments_are_split_but_no_shell_sees_them(self, tmp_path):
        command = pytest_command("'my gates.yaml' -k \"a and b\" $(rm) `x`", tmp_path, "abc")
        assert command[:4] == [sys.executable, "-P", "-m", "pytest"]  # a pytest.py of the folder is not run
        assert command[4:-2] == ["my gates.yaml", "-k", "a and b", "$(rm)", "`x`"]
        assert command[-2:] == ["--bayesf1-baseline-ref=abc", f"--bayesf1-report={tmp_path}"]
        assert not any("ref" in word for word in pytest_command("", tmp_path, ""))
        with pytest.raises(InputError, match="args: A shell could not read"):
            pytest_command("tests 'x", tmp_path, "")

    @pytest.mark.slow
    @pytest.mark.parametrize(("verdict", "code"), [("passed", 0), ("failed", 1), ("passed", 5)])
    def test_a_run_with_a_report(self, tmp_path, verdict, code):
        write_report(Report.of([made(verdict)]), tmp_path)
        outcome = outcome_of(code, tmp_path)
        assert ([each.verdict for each in outcome.report.entries], outcome.exit_code) == ([verdict], code)

    @pytest.mark.parametrize(
        ("fail_on", "verdicts", "findings", "code", "expected"),
        [
            ("unaccepted", ["passed"], [], 0, 0),
            ("unaccepted", ["failed"], [], 1, 1),
            ("unaccepted", ["error"], [], 0, 1),
            ("never", ["failed"], [], 0, 0),
            ("unaccepted", ["passed"], [LOOSER], 0, 0),
            ("accepted", ["accepted", "passed"], [], 0, 1),
            ("accepted", ["passed"], [WANTED], 0, 1),
            ("loosened", ["passed"], [WANTED], 0, 0),
            ("accepted, loosened", ["passed"], [LOOSER], 0, 1),
            ("loosened", ["accepted"], [], 0, 0),
            ("loosened", ["passed"], [LOOSER], 0, 1),
            ("loosened", ["passed"], [NEW], 0, 0),
            ("warned", ["warned", "passed"], [], 0, 1),
            ("warned", ["undecided", "passed"], [], 0, 0),
            ("unaccepted", [], [], 0, 1),
            ("never", [], [LOOSER], 1, 0),
        ],
    )
    def test_what_makes_the_job_fail(self, fail_on, verdicts, findings, code, expected):
        report = Report.of([made(verdict) for verdict in verdicts], findings=findings)
        assert JobDemands.of(fail_on).exit_code(Outcome(code, report)) == expected

    @pytest.mark.parametrize(("gate", "code"), [("anchor", 1), ("per_class", 0)])
    def test_a_total_loss_that_leans_worse_is_a_warning(self, gate, code):
        entries = [made("passed"), made("warned", gate=gate, part="a part")]
        assert JobDemands.of("warned").exit_code(Outcome(0, Report.of(entries))) == code

    @pytest.mark.parametrize(
        ("fail_on", "told"),
        [
            ("unaccepted,looser", "fail-on: expected one of unaccepted, accepted, warned, loosened, never, got 'l"),
            ("", "fail-on: expected one of"),
            ("never, loosened", "fail-on: never goes with no other value"),
        ],
    )
    def test_inputs_that_are_none_of_the_choices(self, fail_on, told):
        with pytest.raises(InputError, match=told):
            JobDemands.of(fail_on)

    @pytest.mark.parametrize(
        ("code", "now", "told"),
        [
            (0, 1, "There is no report, so the candidate has no answer."),
            (3, 3, "pytest ended with an internal error. There is no report"),
            (5, 1, "pytest collected no test."),
            (-11, -11, "pytest ended with exit code -11."),
            ("damaged", 1, "Cannot read the report"),
        ],
    )
    def test_a_run_without_a_report_never_passes(self, tmp_path, code, now, told):
        if code == "damaged":
            (tmp_path / "report.json").write_text("{")
            code = 0
        outcome = outcome_of(code, tmp_path)
        assert (outcome.exit_code, outcome.report.verdict) == (now, "error")
        (error,) = outcome.report.entries
        assert error.headline.startswith(told)

    @pytest.mark.slow
    def test_a_report_of_an_interrupted_run_tells_both(self, tmp_path):
        run = RunIdentity(commit="a" * 40, branch="main", date="2026-05-02")
        whole = Report.of([made("passed")], ["test_b.py"], {"a.csv": "base"}, [LOOSER], run, {made("passed").test: 2})
        write_report(whole, tmp_path)
        outcome = outcome_of(2, tmp_path)
        (error,) = (each for each in outcome.report.entries if each.kind == "error")
        assert error.headline == "pytest was interrupted, or could not collect the tests."
        others = [each for each in outcome.report.entries if each is not error]
        found = outcome.report
        told = Report.of(others, found.missing, found.changed, found.findings, found.run, found.attempts)
        assert (outcome.exit_code, told) == (2, load_report(tmp_path / "report.json"))

    def test_an_older_report_does_not_pass_for_this_runs_and_secrets_stay_with_the_step(
        self, tmp_path, capfd, monkeypatch
    ):
        monkeypatch.setenv("BAYESF1_TOKEN", "secret")
        write_report(Report.of([made("passed")]), tmp_path)
        code = "import os, sys; print('::error::forged'); sys.exit(7 if 'BAYESF1_TOKEN' in os.environ else 1)"
        outcome = run([sys.executable, "-c", code], tmp_path)
        assert (outcome.report.verdict, outcome.exit_code) == ("error", 1)
        assert capfd.readouterr().out.splitlines()[0].startswith("::stop-commands::")


def test_the_step_reports_and_leaves_the_result_to_the_last(tmp_path, monkeypatch, capsys):
    commands, pages, folder = [], [], tmp_path / "report"
    entries = [made("failed"), made("failed", part="class ham"), made("passed"), error("no answer", "lo\nst")]
    report = Report.of(entries, findings=[LOOSER, replace(LOOSER, about="measure")])

    def run(command, report_dir):
        commands.append(command)
        report_dir.mkdir()
        return Outcome(1, report)

    monkeypatch.setattr(action, "run", run)
    monkeypatch.setattr(action, "markdown", lambda *given: pages.append(given) or "# A page")
    (tmp_path / "event.json").write_text(json.dumps({"pull_request": PULL}))
    given = {"ARGS": "a.yaml", "FAIL_ON": "unaccepted", "REF": "abc", "FOLDER": "model"}
    given |= {"ARTEFACT": "bayesf1-report-x", "KEY": "x", "REPORT": str(folder)}
    environment = {f"BAYESF1_{name}": value for name, value in given.items()} | {"GITHUB_REPOSITORY": "t/s"}
    files = {"GITHUB_EVENT_PATH": "event.json", "GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary.md"}
    run_gates(environment | {name: str(tmp_path / file) for name, file in files.items()})
    assert commands == [pytest_command("a.yaml", folder, "abc")]
    assert outputs_of((tmp_path / "output").read_text()) == {
        "verdict": "failed",
        "failed-gates": "ci/bayesf1.yaml::gate1\nlo↵st",
        "loosened-gates": "a.py::test\nx",
        "test-exit-code": "1",
        "exit-code": "1",
        "report-directory": str(folder),
        "report-json": str(folder / "report.json"),
        "report-markdown": str(folder / "report.md"),
        "report-html": str(folder / "report.html"),
    }
    assert (folder / "comment-id.txt").read_text() == "x\n"
    assert (folder / "pull-request.txt").read_text() == "1\n"
    assert "::error file=model/ci/bayesf1.yaml" in capsys.readouterr().out
    assert pages == [(report, MOST_SUMMARY_BYTES, SourceCommit("https://github.com/t/s", "a" * 40, "model"))]
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("# A page\n\n<sub>The page with all figures: [artefact bayesf1-report-x](https")


def outputs_of(text):
    """Read outputs as the runner does."""
    found, lines = {}, iter(text.split("\n"))
    for line in lines:
        if line:
            name, delimiter = line.split("<<")
            value = []
            for more in lines:
                if more == delimiter:
                    break
                value.append(more)
            found[name] = "\n".join(value)
    return found


class TestWorkflow:
    def test_an_annotation_at_a_line(self):
        annotation = Annotation("error", "a.yaml::spam,\r%", "It falls.\nLook: 50%", "ci/a.yaml", 7)
        assert annotation.command() == (
            "::error file=ci/a.yaml,line=7,title=a.yaml%3A%3Aspam%2C%0D%25::It falls.%0ALook: 50%25"
        )
        assert Annotation("notice", "title", "text").command() == "::notice title=title::text"

    def test_nobody_can_tell_where_an_output_will_end(self, tmp_path):
        file = tmp_path / "output"
        for _ in range(20):
            earlier = re.findall("<<(.*)", file.read_text()) if file.exists() else []
            value = "\n".join(["a\ud800", *earlier, "verdict=passed"])
            set_outputs(file, {"failed-gates": value, "verdict": "failed"})
        delimiters = re.findall("<<(.*)", file.read_text())
        assert len(set(delimiters)) == len(delimiters) == 40
        expected = value.replace("\ud800", "\\ud800")
        assert outputs_of(file.read_text("utf-8")) == {"failed-gates": expected, "verdict": "failed"}

    def test_every_job_and_step_has_a_name_of_its_own(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)

        def name_of(**more):
            file = tmp_path / "output"
            file.write_text("")
            given = {"JOB": "model-0", "ARGS": "a.yaml", "FOLDER": ".", "COMMENT_ID": "", "ARTEFACT": "", "TOKEN": ""}
            inputs = {f"BAYESF1_{name}": value for name, value in (given | more).items()}
            with pytest.raises(InputError):  # there is no commit to test
                find_base({"GITHUB_OUTPUT": str(file), "RUNNER_TEMP": str(tmp_path), "GITHUB_WORKFLOW": "CI"} | inputs)
            outputs = outputs_of(file.read_text())
            assert outputs["artefact-name"] == f"bayesf1-report-{outputs['key']}"
            assert outputs["problem"].startswith("working-directory: git finds no commit in ")
            return outputs["key"]

        first, second = name_of(), name_of()
        assert re.fullmatch("CI-model-0-[0-9a-f]{6}", first)
        assert second == f"{first}-2"
        others = name_of(JOB="model-1"), name_of(ARGS="b.yaml"), name_of(FOLDER="b")
        assert len({first, second, *others}) == 5
        assert (name_of(COMMENT_ID="mine"), name_of(COMMENT_ID="mine")) == ("mine", "mine-2")

    def test_summaries_add_up(self, tmp_path):
        for text in ("# One", "# Two \udc80"):
            add_summary(tmp_path / "summary.md", text)
        assert (tmp_path / "summary.md").read_text("utf-8") == "# One\n# Two \\udc80\n"

    @pytest.mark.parametrize("error", [None, KeyboardInterrupt])
    def test_what_is_printed_meanwhile_is_no_command(self, capsys, error):
        with nullcontext() if error is None else pytest.raises(error), no_commands():
            sys.stdout.write("::error::forged")
            if error is not None:
                raise error
        lines = capsys.readouterr().out.splitlines()
        token = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[0])[1]
        assert lines[1:] == ["::error::forged", f"::{token}::"]
