"""Losses that are wanted: made by printed commands, honoured by later runs, removed once the baseline has moved."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from tests.functional.classifiers import BASELINE, BETTER, MUCH_WORSE, UNDECIDED
from tests.functional.conftest import COMMAND
from tests.functional.gates import write_gate
from tests.unit.committed import Committed

TEST = """
    import json
    from pathlib import Path

    def test_gate(bayes_regression):
        bayes_regression.check(json.loads(Path(__file__).with_name("candidate.json").read_text()), rope=0.02)
"""
NAME = "test_spam.py::test_gate"
STORED = "__bayesf1__/test_spam/test_gate.json"
MANIFEST = "__bayesf1__/gates.json"


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    """Keep failures for the command `bayesf1 accept`, but not in the user's home."""
    monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def candidate(pytester):
    """Write the candidate's counts."""
    return lambda counts: (pytester.path / "candidate.json").write_text(json.dumps(counts))


@pytest.fixture
def gate(pytester, write_tests, candidate):
    """Run a test with a candidate; its baseline is stored."""
    write_tests(test_spam=TEST)

    def run(counts, *arguments):
        candidate(counts)
        return pytester.runpytest(*arguments)

    run(BASELINE, "--bayesf1-update=new").assert_outcomes(passed=1)
    return run


@pytest.fixture
def accepted(pytester):
    """Read the losses that gates.json accepts, by test."""
    return lambda: json.loads((pytester.path / MANIFEST).read_text()).get("exceptions", {})


@pytest.fixture
def listed(section):
    """Read the losses that the terminal lists first, on one line each."""

    def read(result):
        lines = section(result)
        if not any("accepted loss" in line for line in lines):
            return []
        start = next(n for n, line in enumerate(lines) if "accepted loss" in line) + 1
        block = list(takewhile(re.compile(r" {2,4}\S").match, lines[start:]))
        return [line.strip() for line in "\n".join(block).replace("\n    ", " ").splitlines()]

    return read


def printed(result):
    """Find the one command that a failure prints, split as a shell does."""
    lines = [line.removeprefix("E").strip() for line in result.outlines]
    at = next(n for n, line in enumerate(lines) if line.endswith("commit gates.json:"))
    return shlex.split(lines[at + 1])


def told(result):
    """Read a failure's message as one line."""
    return " ".join(" ".join(line.removeprefix("E ") for line in result.outlines).split())


def masked(lines):
    """Leave out of lines what other versions of numpy may draw otherwise."""
    return {re.sub(r"[\d▒├┤─╂│ ]+", "#", line) for line in lines}


def follow(command, folder):
    """Run a printed command as a shell in a folder would."""
    program = {"pytest": [sys.executable, "-m", "pytest"], "bayesf1": [sys.executable, "-c", COMMAND]}[command[0]]
    words = ["half the size" if word == "..." else word for word in command[1:]]
    done = subprocess.run([*program, *words], cwd=folder, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class TestLife:
    def test_by_the_command_that_a_failure_prints(self, gate, pytester, accepted, listed, entries):
        result = gate(MUCH_WORSE)
        result.assert_outcomes(failed=1)
        command = printed(result)
        assert command == ["bayesf1", "accept", NAME, "--reason", "..."]
        lost = "macro-F1 −10.0 points (95% likely −11.0 to −9.1)"
        assert f"accepted: {NAME}: {lost}" in follow(command, pytester.path)
        (loss,) = accepted()[NAME]
        assert (loss["measure"], loss["reason"]) == ("f1_macro", "half the size")
        assert loss["loss"] == pytest.approx(0.1, abs=0.001)
        assert loss["failed"] == [lost]

        result = gate(MUCH_WORSE, "--bayesf1-report=out")
        result.assert_outcomes(passed=1)
        assert listed(result) == [f"{NAME}: {lost}. Accepted: half the size"]
        (entry,) = entries()
        assert (entry["verdict"], entry["decision"], entry["advice"]) == ("accepted", "≪", "Accepted: half the size")
        for name in ("report.md", "report.html"):
            text = (pytester.path / "out" / name).read_text("utf-8")
            assert text.index("1 accepted loss") < text.index("Accepted: half the size")
            assert "What to do:" not in text

    def test_the_output_in_the_guide_is_what_people_get(self, pytester, write_tests, bayesf1, candidate, section):
        guide = (Path(__file__).parents[2] / "docs" / "how-to" / "accept-a-loss.md").read_text("utf-8")
        blocks = [block.splitlines() for block in re.findall(r"```(?:text|console)\n(.*?)```", guide, flags=re.DOTALL)]
        failure, typed, summary, replaced = blocks[:4]
        write_tests(test_spam=TEST.replace("test_gate", "test_spam"))
        repository = Committed.new(pytester.path)
        candidate(BASELINE)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        repository.commit("baseline")
        candidate([[4200, 800], [700, 4300]])
        assert masked(failure) <= masked(pytester.runpytest().outlines)
        result = bayesf1(*shlex.split(typed[0])[2:])
        assert masked(typed[1:3]) <= masked(result.outlines)
        assert masked(summary) <= masked(section(pytester.runpytest()))
        (pytester.path / MANIFEST).unlink()
        pytester.runpytest("--bayesf1-update=force").assert_outcomes(passed=1, warnings=1)
        assert masked(replaced) <= masked(pytester.runpytest("--bayesf1-baseline-ref=main").outlines)

    def test_once_the_baseline_has_moved_it_goes(self, gate, pytester, accepted, baselines):
        gate(MUCH_WORSE, "--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        result = gate(MUCH_WORSE, "--bayesf1-update")
        result.assert_outcomes(passed=1)
        assert baselines(result) == [f"replaced  {STORED}"]
        assert accepted() == {}
        assert '"anchor"' not in (pytester.path / STORED).read_text()  # total loss is counted from here on
        result = gate(MUCH_WORSE)
        result.assert_outcomes(passed=1)
        result.stdout.no_fnmatch_line("*accepted*")

    def test_an_update_keeps_what_any_candidate_may_need(self, gate, accepted):
        gate(MUCH_WORSE, "--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        known = accepted()
        gate(MUCH_WORSE, "--bayesf1-update=new").assert_outcomes(passed=1)
        assert accepted() == known
        gate(BASELINE, "--bayesf1-update").assert_outcomes(passed=1)
        assert accepted() == known

    def test_from_another_baseline_it_is_ignored_with_a_line(self, gate, pytester, accepted, section):
        gate(MUCH_WORSE, "--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        kept = (pytester.path / MANIFEST).read_text()
        gate(BETTER, "--bayesf1-update").assert_outcomes(passed=1)
        (pytester.path / MANIFEST).write_text(kept)
        line = f"{NAME}: gates.json accepts a loss of another candidate, or from another baseline (half the size)."
        assert line in " ".join(" ".join(section(gate(BETTER))).split())
        result = gate(MUCH_WORSE)
        result.assert_outcomes(failed=1)
        assert "gates.json accepts another loss of this gate." in told(result)
        gate(BETTER, "--bayesf1-update").assert_outcomes(passed=1)
        assert accepted() == {}

    def test_a_test_that_is_gone_takes_it_along(self, gate, pytester, write_tests, accepted):
        gate(MUCH_WORSE, "--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        write_tests(test_spam="def test_other(): pass")
        pytester.runpytest("--bayesf1-update").assert_outcomes(passed=1)
        assert accepted() == {}


class TestCoverage:
    def test_every_policy_can_be_accepted_and_a_floor_cannot(self, pytester, runpytest, write_tests, accepted):
        write_tests(f"""
            def test_not_inferior():
                assert_not_inferior({BASELINE}, {UNDECIDED}, rope=0.02)

            def test_better():
                assert_better({BASELINE}, {BASELINE}, rope=0.02)

            def test_equivalent():
                assert_equivalent({BASELINE}, {MUCH_WORSE}, rope=0.02)

            def test_floor():
                assert_at_least({MUCH_WORSE}, 0.9)
        """)
        pytester.runpytest().assert_outcomes(failed=4)
        result = runpytest("--bayesf1-accept", "half the size", passed=3, failed=1)
        assert "lower the floor in a commit that says why" in told(result)
        assert [name.partition("::test_")[2] for name in accepted()] == ["better", "equivalent", "not_inferior"]
        pytester.runpytest().assert_outcomes(passed=3, failed=1)

    def test_a_loss_since_the_anchor(self, gate, pytester, accepted):
        steps = [[[4450, 550], [550, 4450]], [[4400, 600], [600, 4400]], [[4300, 700], [700, 4300]]]
        for step in steps[:2]:
            gate(step, "--bayesf1-update").assert_outcomes(passed=1)
        result = gate(steps[2], "--bayesf1-budget=0.02")
        result.assert_outcomes(failed=1)
        follow(printed(result), pytester.path)
        (loss,) = accepted()[NAME]
        assert [failed.partition(":")[0] for failed in loss["failed"]] == ["since the anchor"]
        gate(steps[2], "--bayesf1-budget=0.02").assert_outcomes(passed=1)


class TestGateFile:
    @pytest.fixture(autouse=True)
    def _gates(self, pytester, candidate):
        (pytester.path / "baseline.json").write_text(json.dumps(BASELINE))
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.02, per_class=True)
        candidate(MUCH_WORSE)

    def test_pytest_and_the_command_know_the_same_acceptances(self, pytester, runpytest, bayesf1, accepted):
        result = runpytest(failed=1)
        assert printed(result) == ["bayesf1", "accept", "bayesf1.yaml::spam", "--reason", "..."]
        assert bayesf1("gate").ret == 1
        follow(printed(bayesf1("gate")), pytester.path)
        assert list(accepted()) == ["bayesf1.yaml::spam"]
        pytester.runpytest().assert_outcomes(passed=1)
        result = bayesf1("gate", "--report", "out")
        assert result.ret == 0
        result.stdout.fnmatch_lines(["*lost what you accepted", "3 accepted losses"])

    def test_a_manifest_that_is_brought_up_to_date_loses_those_of_other_baselines(self, pytester, bayesf1, accepted):
        pytester.runpytest("--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        assert bayesf1("gate", "--update-manifest").ret == 0
        assert list(accepted()) == ["bayesf1.yaml::spam"]
        result = bayesf1("baseline", "update")
        result.stdout.fnmatch_lines(["replaced  spam: baseline.json"])
        told = "bayesf1.yaml::spam: gates.json accepts a loss of another candidate, or from another baseline"
        bayesf1("gate").stdout.fnmatch_lines([f"*{told} (half the size)*"])
        assert bayesf1("gate", "--update-manifest").ret == 0
        assert accepted() == {}

    def test_files_of_the_base_commit_are_told_by_their_own_names(self, pytester, runpytest):
        (pytester.path / "baseline.json").rename(pytester.path / "v1.json")
        (pytester.path / "baseline.json").write_text(json.dumps(MUCH_WORSE))
        write_gate(pytester.path, baseline="baseline.json", anchor="v1.json", candidate="candidate.json", rope=0.02)
        Committed.new(pytester.path).commit()
        result = runpytest("--bayesf1-baseline-ref=HEAD", failed=1)
        assert "since the anchor (v1.json)" in result.stdout.str()

    def test_a_damaged_file_of_the_base_commit_is_told_as_that(self, pytester):
        (pytester.path / "baseline.json").write_text("[[1, 2], [3]]")
        Committed.new(pytester.path).commit()
        (pytester.path / "baseline.json").write_text(json.dumps(BASELINE))
        text = pytester.runpytest("--bayesf1-baseline-ref=HEAD").stdout.str()
        assert "\nbaseline (baseline.json of the base commit), counts: expected" in text

    @pytest.fixture
    def gapped(self, pytester):
        """Write a gate whose candidate fails by the gap between two slices alone."""

        def write(n_wrong):
            rows = ["id,y_true,y_pred,site"]
            for n in range(4_000):
                wrong = n % 2 == 0 and n < 2 * n_wrong
                rows.append(f"{n},{n // 2 % 2},{(n // 2 % 2) ^ wrong},{'ab'[n % 2]}")
            (pytester.path / "candidate.csv").write_text("\n".join(rows))

        write(200)
        shutil.copy(pytester.path / "candidate.csv", pytester.path / "baseline.csv")
        files = {"baseline": "baseline.csv", "candidate": "candidate.csv"}
        write_gate(pytester.path, **files, rope=0.02, slices=["site"], max_gap=0.02)
        return write

    def test_a_gap_is_covered_of_that_candidate_alone(self, pytester, runpytest, gapped, entries):
        pytester.runpytest().assert_outcomes(failed=1)
        accept = ("--bayesf1-accept", "half the size", "--bayesf1-accept-up-to=0.5")
        pytester.runpytest(*accept).assert_outcomes(passed=1)
        pytester.runpytest("--bayesf1-report=out").assert_outcomes(passed=1)
        assert [entry["verdict"] for entry in entries()] == ["accepted", "passed", "passed"]
        gapped(201)
        result = runpytest(failed=1)
        assert "gates.json accepts another loss of this gate." in told(result)


class TestOptions:
    def test_nothing_is_accepted_in_ci(self, gate, monkeypatch, bayesf1):
        monkeypatch.setenv("CI", "true")
        result = gate(MUCH_WORSE, "--bayesf1-accept=half the size")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        expected = "No one reviews or commits what a run writes in CI (CI=true)"
        result.stderr.fnmatch_lines([f"ERROR: --bayesf1-accept: {expected}*"])
        bayesf1("accept", NAME, "--reason", "half the size").stderr.fnmatch_lines(
            [f"Error: bayesf1 accept: {expected}*"]
        )

    def test_in_ci_a_failure_prints_what_works_elsewhere(self, gate, monkeypatch, pytester, accepted):
        monkeypatch.setenv("CI", "true")
        command = printed(gate(MUCH_WORSE))
        assert command == ["pytest", NAME, "--bayesf1-accept", "..."]
        monkeypatch.delenv("CI")
        follow(command, pytester.path)
        assert list(accepted()) == [NAME]

    @pytest.mark.parametrize("workers", [(), ("-n2",)], ids=["here", "workers"])
    def test_all_that_fail_are_accepted_but_of_tests_that_fail_all_the_same(
        self, runpytest, write_tests, accepted, section, workers
    ):
        write_tests(f"""
            @pytest.mark.parametrize("number", range(3))
            def test_gate(number):
                assert_not_worse({BASELINE}, {MUCH_WORSE}, rope=0.02)

            def test_error():
                assert_not_worse({BASELINE}, {MUCH_WORSE}, rope=0.02)
                raise OSError("no disk")
        """)
        result = runpytest("--bayesf1-accept", "half the size", *workers, passed=3, failed=1)
        assert [test.rpartition("::")[2] for test in accepted()] == [f"test_gate[{n}]" for n in range(3)]
        lines = section(result)
        assert f"gates: {MANIFEST} accepts 3 losses: commit it with the change" in lines
        assert any(line.startswith("NOT accepted, for the test failed all the same: ") for line in lines)

    def test_from_a_folder_below_the_root(self, gate, pytester, monkeypatch, accepted):
        pytester.makeini("[pytest]")
        pytester.mkdir("below")
        monkeypatch.chdir(pytester.path / "below")
        result = pytester.runpytest("..", "-c", "../tox.ini")
        command = printed(gate(MUCH_WORSE, "..", "-c", "../tox.ini"))
        assert result.ret == 0
        assert command == ["bayesf1", "accept", NAME, "--root", "..", "--reason", "..."]
        follow(command, pytester.path / "below")
        assert list(accepted()) == [NAME]

    def test_a_damaged_manifest_accepts_nothing(self, gate, pytester, document):
        gate(MUCH_WORSE, "--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        text = (pytester.path / MANIFEST).read_text()
        (pytester.path / MANIFEST).write_text(text.replace('"reason": "half the size"', '"reason": " "'))
        gate(MUCH_WORSE, "--bayesf1-report=out").assert_outcomes(failed=1)
        (finding,) = document()["findings"]
        assert "exceptions.test_spam.py::test_gate.0.reason is not a reason" in finding["text"]
        result = gate(BASELINE)
        assert result.ret == pytest.ExitCode.OK
        result.stdout.fnmatch_lines(["Check __bayesf1__/gates.json."])


class TestCommand:
    @pytest.fixture(autouse=True)
    def _failed(self, gate):
        gate(MUCH_WORSE).assert_outcomes(failed=1)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([NAME, "--reason", "..."], "--reason: expected a reason of at least 3 words, *"),
            (
                [NAME, "--reason", "half the size", "--up-to", "0.01"],
                "--up-to: expected at least the loss of this *, 0.0999*",
            ),
            (
                ["test_ham.py::test_gate", "--reason", "half the size"],
                "GATE: 'test_ham.py::test_gate' did not fail in *. These did: test_spam.py::test_gate.",
            ),
        ],
    )
    def test_what_cannot_be_accepted(self, bayesf1, arguments, message):
        result = bayesf1("accept", *arguments)
        assert result.ret == 2
        result.stderr.fnmatch_lines([f"Error: {message}"])

    def test_what_passes_now_has_no_failure_any_more(self, gate, bayesf1):
        gate(BASELINE).assert_outcomes(passed=1)
        result = bayesf1("accept", NAME, "--reason", "half the size")
        assert result.ret == 2
        result.stderr.fnmatch_lines(["*did not fail in the last run in *. Nothing did: run it there first."])

    def test_several_at_once_or_none(self, pytester, write_tests, bayesf1):
        write_tests(test_other=f"def test_other(): assert_not_worse({BASELINE}, {MUCH_WORSE}, rope=0.02)")
        pytester.runpytest("test_other.py").assert_outcomes(failed=1)
        assert bayesf1("accept", NAME, "test_third", "--reason", "half the size").ret == 2
        pytester.runpytest().assert_outcomes(failed=2)
        result = bayesf1("accept", NAME, "test_other.py::test_other", "--reason", "half the size")
        result.stdout.fnmatch_lines(["accepted: test_spam.py::test_gate*", "accepted: test_other.py::test_other*"])
        pytester.runpytest().assert_outcomes(passed=2)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
class TestPullRequest:
    @pytest.fixture
    def repository(self, pytester, write_tests):
        """Commit a test and its stored baseline on main."""
        repository = Committed.new(pytester.path)
        write_tests(test_spam=TEST)
        (pytester.path / "candidate.json").write_text(json.dumps(BASELINE))
        (pytester.path / ".gitignore").write_text("__pycache__\n.pytest_cache\n")
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        repository.commit("baseline")
        return repository

    @staticmethod
    def worse(repository, *update):
        """Commit a worse candidate on a branch; with its own baseline, if the user forces that."""
        repository.git("checkout", "-q", "-b", "smaller")
        (repository.path / "candidate.json").write_text(json.dumps(MUCH_WORSE))
        for option in update:
            done = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", option], cwd=repository.path, capture_output=True, check=False
            )
            assert done.returncode == 0
        repository.commit("a smaller model")

    @pytest.mark.parametrize("forced", [False, True], ids=["the baseline stays", "the baseline was forced first"])
    def test_a_loss_that_is_wanted_can_be_merged(self, repository, pytester, runpytest, accepted, listed, forced):
        base = repository.git("rev-parse", "main")
        self.worse(repository, *(["--bayesf1-update=force"] if forced else []))
        in_ci = f"--bayesf1-baseline-ref={base}"
        result = runpytest(in_ci, failed=1)
        command = printed(result)
        replaced = f"This change replaced the baseline of {base}."
        assert (replaced in told(result)) is forced
        assert command == ["pytest", NAME, *([in_ci] if forced else []), "--bayesf1-accept", "..."]
        follow(command, pytester.path)
        repository.commit("accept the loss")

        result = runpytest(in_ci, "--bayesf1-report=out", passed=1)
        assert len(listed(result)) == 1
        assert json.loads((pytester.path / "out" / "report.json").read_text())["verdict"] == "accepted"
        repository.git("checkout", "-q", "main")
        repository.git("merge", "-q", "smaller")
        assert list(accepted()) == [NAME]
        pytester.runpytest("--bayesf1-update").assert_outcomes(passed=1)
        assert accepted() == {}
        repository.commit("the baseline has moved")
        result = runpytest("--bayesf1-baseline-ref=HEAD", passed=1)
        assert listed(result) == []

    @pytest.mark.long
    def test_in_the_clone_of_a_fork(self, repository, tmp_path):
        base = repository.git("rev-parse", "main")
        repository.git("clone", "-q", "--bare", repository.path, tmp_path / "fork.git")
        repository.git("clone", "-q", tmp_path / "fork.git", tmp_path / "clone")
        fork = Committed(tmp_path / "clone", n_commits=1)
        self.worse(fork, "--bayesf1-update=force")
        run = [sys.executable, "-m", "pytest", f"--bayesf1-baseline-ref={base}"]
        done = subprocess.run(run, cwd=fork.path, capture_output=True, check=False, encoding="utf-8")
        assert done.returncode == 1
        lines = [line.removeprefix("E").strip() for line in done.stdout.splitlines()]
        (command,) = (line for line in lines if line.startswith("pytest ") and "--bayesf1-accept" in line)
        follow(shlex.split(command), fork.path)
        fork.commit("accept the loss")
        done = subprocess.run(run, cwd=fork.path, capture_output=True, check=False, encoding="utf-8")
        assert done.returncode == 0
        assert "1 accepted loss" in done.stdout

    def test_a_gate_file_whose_baseline_was_replaced(self, repository, pytester, runpytest, candidate):
        (pytester.path / "baseline.json").write_text(json.dumps(BASELINE))
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.02)
        base = f"--bayesf1-baseline-ref={repository.commit('a gate')}"
        candidate(MUCH_WORSE)
        shutil.copy(pytester.path / "candidate.json", pytester.path / "baseline.json")
        result = runpytest("bayesf1.yaml", base, failed=1)
        command = printed(result)
        assert command == ["pytest", "bayesf1.yaml::spam", base, "--bayesf1-accept", "..."]
        follow(command, pytester.path)
        pytester.runpytest("bayesf1.yaml", base).assert_outcomes(passed=1)

    def test_a_limit_for_other_candidates_is_reported_with_its_reason(self, repository, pytester):
        base = f"--bayesf1-baseline-ref={repository.git('rev-parse', 'HEAD')}"
        self.worse(repository)
        accept = ("--bayesf1-accept", "half the size", "--bayesf1-accept-up-to=0.12")
        pytester.runpytest(*accept).assert_outcomes(passed=1)
        pytester.runpytest(base, "--bayesf1-report=out").assert_outcomes(passed=1)
        report = json.loads((pytester.path / "out" / "report.json").read_text())
        text = "accepted: was not set, is any loss of up to 12 points"
        assert [(each["gate"], each["kind"], each["text"]) for each in report["findings"]] == [(NAME, "loosened", text)]
        assert (report["verdict"], report["findings"][0]["accepted"]) == ("accepted", "half the size")
        base = f"--bayesf1-baseline-ref={repository.commit('accept')}"
        pytester.runpytest(base).stdout.no_fnmatch_line("*loosens*")

    def test_the_update_that_ends_an_accepted_loss_passes(self, repository, pytester):
        """It drops the acceptance, and is compared with the baseline from which the loss was accepted."""
        self.worse(repository)
        pytester.runpytest("--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        accepted = repository.commit("accept")
        pytester.runpytest("--bayesf1-update").assert_outcomes(passed=1)
        assert "exceptions" not in json.loads((pytester.path / MANIFEST).read_text())
        pytester.runpytest(f"--bayesf1-baseline-ref={accepted}").assert_outcomes(passed=1)

    def test_an_acceptance_of_the_base_commit_is_none_of_the_change(self, repository, pytester):
        """What counts is the file that is checked out: a change may take an acceptance back."""
        base = f"--bayesf1-baseline-ref={repository.git('rev-parse', 'HEAD')}"
        self.worse(repository)
        pytester.runpytest("--bayesf1-accept", "half the size").assert_outcomes(passed=1)
        accepted = repository.commit("accept")
        pytester.runpytest(base).assert_outcomes(passed=1)
        repository.git("checkout", "-q", "HEAD~1", "--", MANIFEST)
        pytester.runpytest(base).assert_outcomes(failed=1)
        pytester.runpytest(f"--bayesf1-baseline-ref={accepted}").assert_outcomes(failed=1)
