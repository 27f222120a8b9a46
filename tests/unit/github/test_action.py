import json
import re
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import BaselineError, InputError
from pytest_bayesf1.github import action
from pytest_bayesf1.github.action import (
    MOST_ANNOTATIONS,
    Annotation,
    JobDemands,
    Outcome,
    add_summary,
    annotations_of,
    baseline_ref,
    find_base,
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
from pytest_bayesf1.reports.output import write_report
from pytest_bayesf1.results.run import Finding, FindingKind
from tests.unit.made_up import comparison, entry, error


def made(verdict, number=1, **more):
    return replace(entry(comparison(), verdict, test=f"ci/bayesf1.yaml::gate{number}", **more), line=number)


class TestAnnotations:
    def test_what_failed_is_an_error_and_what_warned_a_warning(self):
        report = Report.of([made("passed", 1), made("warned", 2), made("failed", 3, advice="Find what changed.")])
        failure, warning = annotations_of(report, "model")
        assert (failure.level, failure.file, failure.line) == ("error", "model/ci/bayesf1.yaml", 3)
        assert failure.title == "ci/bayesf1.yaml::gate3"
        assert failure.message == f"{comparison().headline}.\nFind what changed."
        assert (warning.level, warning.line) == ("warning", 2)

    def test_what_the_data_cannot_tell_is_a_notice_about_whole_gates(self):
        report = Report.of([made("undecided", 1), made("undecided", 2, part="class ham"), made("passed", 3)])
        (notice,) = annotations_of(report)
        assert (notice.level, notice.line) == ("notice", 1)

    def test_a_gate_that_cannot_fail_is_a_notice(self):
        (notice,) = annotations_of(Report.of([replace(made("passed"), can_fail=False), made("passed", 2)]))
        assert (notice.level, notice.line) == ("notice", 1)

    def test_a_gate_is_annotated_once(self):
        report = Report.of([made("failed"), made("failed", part="class ham"), made("failed", part="class spam")])
        (annotation,) = annotations_of(report)
        assert annotation.title == "ci/bayesf1.yaml::gate1"

    def test_more_than_are_shown_are_counted(self):
        report = Report.of([made("failed", number) for number in range(1, 21)])
        annotations = annotations_of(report)
        assert len(annotations) == MOST_ANNOTATIONS
        assert annotations[-1].message == "12 more annotations: see the job summary."

    def test_what_has_no_file_is_annotated_without(self):
        (annotation,) = annotations_of(Report.of([error("no answer")]), "model")
        assert (annotation.file, annotation.line) == ("", 0)

    def test_what_was_loosened_is_a_warning_after_what_failed(self):
        looser = Finding("a.py::test\nx", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
        new = Finding("a.py::new", FindingKind.OUTDATED, "", "gates.json does not list it")
        wanted = replace(looser, accepted="fewer labels now")
        failed, first, second = annotations_of(Report.of([made("failed")], findings=[new, looser, wanted]))
        assert (failed.level, first.level, second.level) == ("error", "warning", "warning")
        assert second.title == "a.py::test↵x"
        assert second.message == "This gate is looser: you allowed 1 point, this run 5."
        assert first.message == f"{second.message} Accepted: fewer labels now"

    def test_an_accepted_loss_is_the_first_warning_and_comes_before_what_failed(self):
        looser = Finding("a.py::test", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
        entries = [made("failed"), made("warned", 2), made("accepted", 3, advice="Accepted: a smaller model")]
        found = annotations_of(Report.of(entries, findings=[looser]))
        assert [(each.level, each.line) for each in found] == [
            ("warning", 3),
            ("warning", 0),
            ("warning", 2),
            ("error", 1),
        ]
        assert found[0].message == f"{comparison().headline}.\nAccepted: a smaller model"


TOKEN = Token("secret")


def git(folder, *arguments):
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", "-C", folder, *names, *arguments], capture_output=True, text=True, check=True)  # noqa: S607
    return done.stdout.strip()


class TestBase:
    @pytest.fixture
    def origin(self, tmp_path):
        folder = tmp_path / "origin"
        folder.mkdir()
        git(folder, "init", "-q", "-b", "main")
        git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
        for text in ("old", "new"):
            (folder / "baseline.csv").write_text(text)
            git(folder, "add", ".")
            git(folder, "commit", "-qm", text)
        return folder

    @pytest.fixture
    def checkout(self, origin, tmp_path, monkeypatch):
        """A checkout of the last commit alone, as jobs have it."""
        folder = tmp_path / "checkout"
        git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", str(folder))
        monkeypatch.chdir(folder)
        return folder

    @pytest.fixture
    def context(self, origin):
        return Context(
            event="pull_request",
            repository="origin",
            sha="",
            api_url="",
            server_url=f"file://{origin.parent}",
            run_url="",
            folder=".",
            pull_request=PullRequest(1, "", git(origin, "rev-parse", "HEAD~1")),
            finished_run=None,
            base=git(origin, "rev-parse", "HEAD~1"),
        )

    def test_the_pull_requests_base_is_fetched(self, checkout, context):
        base = context.pull_request.base_sha
        assert baseline_ref("auto", context, TOKEN) == base
        assert git(checkout, "show", f"{base}:baseline.csv") == "old"

    def test_it_is_fetched_from_the_repository_where_no_remote_works(self, checkout, context):
        git(checkout, "remote", "remove", "origin")
        base = context.pull_request.base_sha
        assert baseline_ref("auto", context, TOKEN) == base
        assert git(checkout, "show", f"{base}:baseline.csv") == "old"

    def test_a_branch_is_fetched_by_its_name(self, checkout, context, origin):
        git(origin, "branch", "release", "HEAD~1")
        base = baseline_ref("release", context, TOKEN)
        assert base == context.pull_request.base_sha
        assert git(checkout, "show", f"{base}:baseline.csv") == "old"

    def test_a_commit_that_is_there_is_not_fetched(self, checkout, context, origin):
        origin.rename(origin.with_name("gone"))
        head = git(checkout, "rev-parse", "HEAD")
        assert baseline_ref(head, context, TOKEN) == head

    def test_without_a_pull_request_files_are_read_as_checked_out(self, checkout, context):
        assert baseline_ref("auto", replace(context, base=""), TOKEN) == ""
        assert baseline_ref("none", context, TOKEN) == ""

    def test_what_cannot_be_fetched_is_an_error_that_does_not_tell_the_token(self, checkout, context):
        with pytest.raises(BaselineError, match=r"baseline-ref: Cannot fetch the commit '\w+'") as caught:
            baseline_ref("f" * 40, context, TOKEN)
        assert "permission contents: read" in str(caught.value)
        assert "secret" not in str(caught.value)
        assert "secret" not in repr(TOKEN)

    def test_a_ref_is_never_taken_for_an_option(self, checkout, context):
        with pytest.raises(BaselineError):
            baseline_ref("--upload-pack=touch pwned", context, TOKEN)
        assert not (checkout / "pwned").exists()


class TestCommit:
    """A run is about one commit, and tests it."""

    @pytest.fixture
    def project(self, tmp_path, monkeypatch):
        """Branches of one base: the pull request's and another."""
        git(tmp_path, "init", "-q", "-b", "base")
        git(tmp_path, "commit", "-q", "--allow-empty", "-m", "base")
        for name in ("head", "other"):
            git(tmp_path, "checkout", "-q", "-b", name, "base")
            git(tmp_path, "commit", "-q", "--allow-empty", "-m", name)
        monkeypatch.chdir(tmp_path)
        return tmp_path

    @pytest.fixture
    def context(self, project):
        head, merge = git(project, "rev-parse", "head"), "f" * 40
        pull = PullRequest(1, head, git(project, "rev-parse", "base"))
        return Context("pull_request", "t/s", head, "", "", "", ".", pull, None, tested=(head, merge))

    @pytest.mark.parametrize("branch", ["base", "other"])
    def test_another_commit_is_not_tested_in_its_place(self, project, context, branch):
        git(project, "checkout", "-q", branch)
        about = f"this run (pull_request) is about {context.sha[:10]} or its merge ffffffffff"
        told = f"In '.' git has the commit {git(project, 'rev-parse', 'HEAD')[:10]}, but {about}"
        with pytest.raises(InputError, match=re.escape(told)):
            require_tested(context)

    def test_the_last_commit_of_the_pull_request_is_tested(self, project, context):
        git(project, "checkout", "-q", "head")
        require_tested(context)

    def test_the_commit_that_was_pushed_is_tested(self, project, context):
        pushed = git(project, "rev-parse", "HEAD")
        require_tested(replace(context, pull_request=None, tested=(pushed,)))

    @pytest.mark.parametrize("merged", ["head", "earlier"])
    def test_a_merge_that_the_job_makes_is_tested_if_it_is_of_the_pull_request(self, project, context, merged):
        git(project, "branch", "earlier", "other")
        git(project, "commit", "-q", "--allow-empty", "-m", "more")
        git(project, "checkout", "-q", "-b", "queue", "base")
        git(project, "merge", "-q", "--no-edit", "--no-ff", merged)
        with nullcontext() if merged == "head" else pytest.raises(InputError, match="is about"):
            require_tested(context)

    def test_it_is_compared_with_the_commit_that_it_was_merged_into(self, project, context):
        """The event may name an older one."""
        context = replace(context, base=git(project, "rev-parse", "base"))
        git(project, "checkout", "-q", "head")
        assert baseline_ref("auto", context, TOKEN) == context.base
        git(project, "checkout", "-q", "--detach", "other")
        git(project, "merge", "-q", "--no-edit", "--no-ff", "head")
        assert baseline_ref("auto", context, TOKEN) == git(project, "rev-parse", "other")
        git(project, "checkout", "-q", "head")
        git(project, "merge", "-q", "--no-edit", "--no-ff", "other")  # by the author, into the pull request's branch
        context = replace(
            context, pull_request=replace(context.pull_request, head_sha=git(project, "rev-parse", "HEAD"))
        )
        assert baseline_ref("auto", context, TOKEN) == context.base


def runner_made(verdict, **more):
    return replace(entry(comparison(), verdict, **more), file="test_a.py")


LOOSER = Finding("test_a.py::test_f1", FindingKind.LOOSENED, "rope", "you allowed 1 point, this run 5")
WANTED = replace(LOOSER, accepted="fewer labels now")
PULL = {"number": 1, "head": {"sha": "a" * 40}, "base": {"sha": "b" * 40}}
NEW = Finding("test_a.py::test_f1", FindingKind.OUTDATED, "", "gates.json does not list it")


class TestRunner:
    def test_arguments_are_split_but_no_shell_sees_them(self, tmp_path):
        command = pytest_command("tests 'my gates.yaml' -k \"a and b\" $(rm) `x`", tmp_path, "")
        assert command[:4] == [sys.executable, "-P", "-m", "pytest"]  # a pytest.py of the folder is not run
        assert command[4:] == [
            "tests", "my gates.yaml", "-k", "a and b", "$(rm)", "`x`", f"--bayesf1-report={tmp_path}",
        ]  # fmt: skip

    def test_baselines_come_from_the_commit(self, tmp_path):
        command = pytest_command("", tmp_path, "abc")
        assert command[4:-1] == ["--bayesf1-baseline-ref=abc"]

    def test_a_quotation_mark_that_is_never_closed(self, tmp_path):
        with pytest.raises(InputError, match="args: A shell could not read"):
            pytest_command("tests 'x", tmp_path, "")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("verdicts", "code", "expected"),
        [
            (["passed"], 0, "passed"),
            (["passed", "warned"], 0, "warned"),
            (["warned", "failed"], 1, "failed"),
            (["passed", "undecided"], 0, "undecided"),
            (["warned", "undecided"], 0, "warned"),
            (["warned", "accepted"], 0, "accepted"),
            ([], 0, "none"),
            ([""], 0, "none"),
            ([], 5, "none"),
        ],
    )
    def test_a_run_with_a_report(self, tmp_path, verdicts, code, expected):
        write_report(Report.of([runner_made(verdict) for verdict in verdicts]), tmp_path)
        outcome = outcome_of(code, tmp_path)
        assert (outcome.report.verdict, outcome.exit_code, len(outcome.report.entries)) == (
            expected,
            code,
            len(verdicts),
        )

    def test_a_class_that_cannot_tell_leaves_a_run_passed(self, tmp_path):
        write_report(Report.of([runner_made("passed"), runner_made("undecided", part="class ham")]), tmp_path)
        assert outcome_of(0, tmp_path).report.verdict == "passed"

    @pytest.mark.parametrize(
        ("fail_on", "verdicts", "findings", "code", "expected"),
        [
            ("unaccepted", ["passed"], [], 0, 0),
            ("unaccepted", ["failed"], [], 1, 1),
            ("unaccepted", ["failed", "passed"], [], 0, 1),
            ("unaccepted", ["error"], [], 0, 1),
            ("never", ["failed"], [], 0, 0),
            ("unaccepted", ["passed"], [LOOSER], 0, 0),
            ("unaccepted", ["accepted", "passed"], [], 0, 0),
            ("accepted", ["accepted", "passed"], [], 0, 1),
            ("accepted", ["passed"], [LOOSER], 0, 0),
            ("accepted", ["passed"], [WANTED], 0, 1),
            ("loosened", ["passed"], [WANTED], 0, 0),
            ("accepted, loosened", ["passed"], [LOOSER], 0, 1),
            ("loosened", ["accepted"], [], 0, 0),
            ("loosened", ["passed"], [LOOSER], 0, 1),
            ("loosened", ["passed"], [NEW], 0, 0),
            ("loosened", ["failed"], [], 1, 1),
            ("unaccepted", ["warned", "passed"], [], 0, 0),
            ("warned", ["warned", "passed"], [], 0, 1),
            ("warned", ["undecided", "passed"], [], 0, 0),
            ("warned, loosened", ["passed"], [LOOSER], 0, 1),
            ("unaccepted", [], [], 0, 1),
            ("unaccepted", [""], [], 0, 1),
            ("unaccepted", [], [], 5, 1),
            ("never", [], [LOOSER], 1, 0),
        ],
    )
    def test_what_makes_the_job_fail(self, fail_on, verdicts, findings, code, expected):
        report = Report.of([runner_made(verdict) for verdict in verdicts], findings=findings)
        assert JobDemands.of(fail_on).exit_code(Outcome(code, report)) == expected

    @pytest.mark.parametrize(("gate", "code"), [("anchor", 1), ("per_class", 0)])
    def test_a_total_loss_that_leans_worse_is_a_warning(self, gate, code):
        entries = [runner_made("passed"), runner_made("warned", gate=gate, part="a part")]
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
        ("code", "told"),
        [
            (0, "There is no report, so the candidate has no answer."),
            (3, "pytest ended with an internal error. There is no report"),
            (5, "pytest collected no test."),
            (-11, "pytest ended with exit code -11."),
        ],
    )
    def test_a_run_without_a_report_never_passes(self, tmp_path, code, told):
        outcome = outcome_of(code, tmp_path)
        assert outcome.exit_code != 0
        assert outcome.report.verdict == "error"
        (error,) = outcome.report.entries
        assert error.headline.startswith(told)

    @pytest.mark.slow
    def test_a_report_of_an_interrupted_run_tells_both(self, tmp_path):
        write_report(Report.of([runner_made("passed")], missing=["test_b.py"]), tmp_path)
        outcome = outcome_of(2, tmp_path)
        assert [each.kind for each in outcome.report.entries] == ["error", "comparison"]
        assert outcome.report.missing == ("test_b.py",)

    def test_a_report_that_cannot_be_read(self, tmp_path):
        (tmp_path / "report.json").write_text("{")
        outcome = outcome_of(0, tmp_path)
        assert outcome.exit_code == 1
        assert "Cannot read the report" in outcome.report.entries[0].headline

    def test_an_older_report_does_not_pass_for_this_runs(self, tmp_path, capfd):
        write_report(Report.of([runner_made("passed")]), tmp_path)
        outcome = run([sys.executable, "-c", "print('::error::forged')"], tmp_path)
        assert outcome.report.verdict == "error"
        assert capfd.readouterr().out.splitlines()[0].startswith("::stop-commands::")

    def test_secrets_stay_with_the_step(self, tmp_path, monkeypatch):
        monkeypatch.setenv("BAYESF1_TOKEN", "secret")
        code = "import os, sys; sys.exit(7 if 'BAYESF1_TOKEN' in os.environ else 1)"
        assert run([sys.executable, "-c", code], tmp_path).exit_code == 1


class TestRunGates:
    """The step that runs pytest, with a report that is there already."""

    @pytest.fixture
    def step(self, tmp_path, monkeypatch):
        """Run the step, and return the command, the outputs and what is printed."""
        commands = []

        def run(command, report_dir):
            commands.append(command)
            report = Report.of([runner_made("failed"), runner_made("passed")], findings=[LOOSER])
            write_report(report, report_dir)
            return Outcome(1, report)

        monkeypatch.setattr(action, "run", run)

        def step(**inputs):
            (tmp_path / "event.json").write_text(json.dumps({"pull_request": PULL}))
            given = {"ARGS": "", "FAIL_ON": "unaccepted", "REF": "abc"}
            report = {"ARTEFACT": "bayesf1-report-x", "KEY": "x", "REPORT": str(tmp_path / "report")}
            environment = {f"BAYESF1_{name}": value for name, value in (given | report | inputs).items()}
            files = {"GITHUB_EVENT_PATH": "event.json", "GITHUB_OUTPUT": "output", "GITHUB_STEP_SUMMARY": "summary.md"}
            run_gates(environment | {name: str(tmp_path / file) for name, file in files.items()})
            return commands[0], outputs_of((tmp_path / "output").read_text())

        return step

    def test_it_reports_and_leaves_the_result_to_the_last_step(self, step, tmp_path, capsys):
        _, outputs = step()
        folder = tmp_path / "report"
        assert outputs == {
            "verdict": "failed",
            "failed-gates": "tests/test_spam.py::test_f1",
            "loosened-gates": "test_a.py::test_f1",
            "test-exit-code": "1",
            "exit-code": "1",
            "report-directory": str(folder),
            "report-json": str(folder / "report.json"),
            "report-markdown": str(folder / "report.md"),
            "report-html": str(folder / "report.html"),
        }
        assert (folder / "comment-id.txt").read_text() == "x\n"
        assert (folder / "pull-request.txt").read_text() == "1\n"
        assert "::error file=test_a.py" in capsys.readouterr().out
        summary = (tmp_path / "summary.md").read_text()
        assert summary.startswith("## ❌ ")
        assert "The page with all figures: [artefact bayesf1-report-x](https" in summary

    def test_an_input_that_is_none_of_the_choices(self, step):
        with pytest.raises(InputError, match=r"fail-on: expected one of .*, got 'elsewhere'"):
            step(FAIL_ON="elsewhere")


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
        annotation = Annotation("error", "bayesf1.yaml::spam", "It falls.\nLook: 50%", "ci/bayesf1.yaml", 7)
        assert annotation.command() == (
            "::error file=ci/bayesf1.yaml,line=7,title=bayesf1.yaml%3A%3Aspam::It falls.%0ALook: 50%25"
        )

    def test_an_annotation_about_no_file(self):
        assert Annotation("notice", "title", "text").command() == "::notice title=title::text"

    @given(st.text(), st.text(), st.text())
    def test_an_annotation_is_one_line_with_three_properties(self, title, message, file):
        command = Annotation("warning", title, message, file, 1).command()
        assert "\n" not in command
        assert "\r" not in command
        properties, _, _ = command.removeprefix("::warning ").partition("::")
        assert len(properties.split(",")) == 1 + bool(title) + bool(file)

    @given(
        st.dictionaries(st.sampled_from(["verdict", "failed-gates"]), st.text(alphabet="ab<=\nbayesf1-", max_size=40))
    )
    def test_no_output_can_pass_for_another(self, tmp_path_factory, outputs):
        file = tmp_path_factory.mktemp("outputs") / "output"
        file.touch()
        set_outputs(file, outputs)
        assert outputs_of(file.read_text()) == outputs

    def test_nobody_can_tell_where_an_output_will_end(self, tmp_path):
        file = tmp_path / "output"
        for _ in range(20):
            earlier = re.findall("<<(.*)", file.read_text()) if file.exists() else []
            value = "\n".join(["a", *earlier, "verdict=passed"])
            set_outputs(file, {"failed-gates": value, "verdict": "failed"})
        delimiters = re.findall("<<(.*)", file.read_text())
        assert len(set(delimiters)) == len(delimiters) == 40
        assert outputs_of(file.read_text()) == {"failed-gates": value, "verdict": "failed"}

    def test_an_output_that_utf_8_cannot_write(self, tmp_path):
        set_outputs(tmp_path / "output", {"failed-gates": "\ud800"})
        assert outputs_of((tmp_path / "output").read_text("utf-8")) == {"failed-gates": "\\ud800"}

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
        add_summary(tmp_path / "summary.md", "# One")
        add_summary(tmp_path / "summary.md", "# Two \udc80")
        assert (tmp_path / "summary.md").read_text("utf-8") == "# One\n# Two \\udc80\n"

    def test_what_is_printed_meanwhile_is_no_command(self, capsys):
        with no_commands():
            sys.stdout.write("::error::forged")
        lines = capsys.readouterr().out.splitlines()
        token = re.fullmatch(r"::stop-commands::([0-9a-f]{32})", lines[0])[1]
        assert lines[1:] == ["::error::forged", f"::{token}::"]
