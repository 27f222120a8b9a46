import json
import os
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from pytest_bayesf1.cli.main import main
from tests.functional.gates import write_gate
from tests.unit.baselines.versioned import predicted, store
from tests.unit.committed import Committed
from tests.unit.gates.test_history import csv

STEPS = {"first": 8_500, "second": 8_350, "third": 8_250, "fourth": 8_000, "best": 9_500}
FILE = "__bayesf1__/test_gates/test_gate.json"
ANCHOR = FILE.replace(".json", ".anchor.json")


def cells(n_right):
    half = n_right // 2
    return json.dumps([[half, 5_000 - half], [5_000 - half, half]])


class TestAnchor:
    @pytest.fixture
    def drift(self, pytester, write_tests):
        """Run a test and a gate file with the candidate of a step."""
        files = {"baseline": "baseline.json", "anchor": "v1.json", "candidate": "candidate.json"}
        write_gate(pytester.path, **files, measure="accuracy", rope=0.03, budget=0.035)
        for name, step in {"v1": "first", "baseline": "third"}.items():
            (pytester.path / f"{name}.json").write_text(cells(STEPS[step]))

        def run(step, *arguments):
            write_tests(f"""
                def test_gate(bayes_regression):
                    bayes_regression.check({cells(STEPS[step])}, measure="accuracy", rope=0.03)
            """)
            (pytester.path / "candidate.json").write_text(cells(STEPS[step]))
            return pytester.runpytest("-p", "no:randomly", "--bayesf1-budget=0.035", *arguments)

        return run

    @pytest.fixture
    def drifted(self, drift):
        drift("first", "--bayesf1-update=new", "test_gates.py").assert_outcomes(passed=1)
        for step in ("second", "third"):
            drift(step, "--bayesf1-update", "test_gates.py").assert_outcomes(passed=1)
        return drift

    def test_a_loss_in_steps_fails_by_the_anchor(self, drifted, entries, section):
        result = drifted("fourth", "--bayesf1-report=out/report.json")
        result.assert_outcomes(failed=2)
        result.stdout.fnmatch_lines(
            ["≪ since the anchor, accuracy −5.0 points*", "  Do: Find what you lost on the way: *"]
        )
        said = " ".join(line.removeprefix("E ").strip() for line in result.outlines if line.startswith("E "))
        assert f"allow, but since the anchor ({ANCHOR}) accuracy has fallen by 5.0 points" in said
        found = {(entry["test"], entry["part"]): entry["verdict"] for entry in entries()}
        tests = ("bayesf1.yaml::spam", "test_gates.py::test_gate")
        assert [found[test, "since the anchor"] for test in tests] == ["failed"] * 2
        assert sum(line.startswith("FAILED") and " since the anchor: 0." in line for line in section(result)) == 2

    def test_a_candidate_that_leaves_its_anchor_behind_may_be_the_next(self, drifted, baselines):
        assert baselines(drifted("best", "--bayesf1-update=anchor", "test_gates.py"))[0] == f"replaced  {FILE}"

    def test_a_change_moves_no_anchor_of_its_base_commit(self, drifted, pytester, section):
        Committed.new(pytester.path).commit()
        (pytester.path / "v1.json").write_text(cells(STEPS["fourth"]))
        drifted("fourth", "--bayesf1-update=anchor", "test_gates.py").assert_outcomes(passed=1, warnings=1)
        assert not (pytester.path / ANCHOR).exists()
        drifted("fourth").assert_outcomes(passed=2)
        result = drifted("fourth", "--bayesf1-baseline-ref=HEAD")
        result.assert_outcomes(failed=2)
        assert f"3 baseline or gate files changed: {ANCHOR}, {FILE}, v1.json." in " ".join(
            " ".join(section(result)).split()
        )


N = 60


class TestBaselineMerges:
    pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

    @pytest.fixture
    def git(self, pytester):
        return Committed.new(pytester.path).git

    @pytest.fixture
    def update(self, runpytest, write_tests, git):
        """Commit the baseline of a candidate that is wrong about some examples."""

        def run(*wrong):
            write_tests(f"""
                def test_gate(bayes_regression):
                    y_true = ["a", "b"] * {N // 2}
                    y_pred = ["ba"[i % 2] if i in {wrong!r} else label for i, label in enumerate(y_true)]
                    candidate = ConfusionMatrix.from_predictions(y_true, y_pred, ids=range({N}))
                    bayes_regression.check(candidate, rope=(0.3, "wide"))
            """)
            runpytest("--bayesf1-update=force", "-p", "no:cacheprovider", passed=1)
            git("add", "__bayesf1__")
            git("commit", "-q", "-m", "baseline")

        return run

    @pytest.fixture
    def merged(self, git, update):
        """Merge two branches that changed the predictions of examples far apart; return what git says."""
        update(30)
        git("branch", "other")
        update(30, 2)
        git("checkout", "-q", "-f", "other")
        update(30, 57)
        with pytest.raises(subprocess.CalledProcessError) as caught:
            git("merge", "main")
        return caught.value.stdout.decode()

    def test_branches_that_changed_different_lines_are_in_conflict(self, merged, git, runpytest):
        assert f"CONFLICT (content): Merge conflict in {FILE}" in merged
        assert git("diff", "--name-only", "--diff-filter=U").split() == [FILE]
        result = runpytest("--bayesf1-update=force", failed=1)
        advice = "Keep the side of the branch that you merge into, then update the baseline."
        result.stdout.fnmatch_lines([f"E *{FILE}: There is an unresolved merge conflict. {advice}"])

    @pytest.mark.usefixtures("merged")
    def test_the_advice_about_a_conflict_works(self, git, pytester, runpytest, baselines):
        git("checkout", "--ours", FILE)
        pytester.runpytest().assert_outcomes(passed=1)
        result = runpytest("--bayesf1-update", passed=1)
        assert baselines(result) == []

    @pytest.mark.usefixtures("merged")
    def test_a_merge_of_the_lines_is_no_baseline(self, git, runpytest):
        git("merge", "--abort")
        git("merge", "-X", "ours", "main")
        result = runpytest(failed=1)
        result.stdout.fnmatch_lines(["E *Someone edited the file, *"])

    def test_a_branch_that_alone_changed_a_baseline_merges(self, git, update, pytester):
        update(30)
        git("checkout", "-q", "-b", "other")
        update(30, 2)
        git("checkout", "-q", "main")
        git("merge", "--no-ff", "other")
        pytester.runpytest().assert_outcomes(passed=1)

    def test_the_diff_shows_the_examples_that_changed(self, git, update):
        update(30)
        update(30, 2)
        diff = git("diff", "-U0", "HEAD~1", "--", FILE).splitlines()
        changed = [line for line in diff if line[0] in "+-" and line[:3] not in ("+++", "---")]
        assert changed[:2] == ['-[2, "a", "a"],', '+[2, "a", "b"],']
        assert [line[:12] for line in changed[2:]] == ['-"checksum":', '+"checksum":']

    def test_a_checkout_with_the_line_ends_of_windows(self, git, update, pytester, runpytest, baselines):
        update(30)
        (pytester.path / ".gitattributes").write_text("*.json text eol=crlf")
        (pytester.path / FILE).unlink()
        git("checkout", FILE)
        assert b"\r\n" in (pytester.path / FILE).read_bytes()
        result = runpytest("--bayesf1-update", passed=1)
        assert baselines(result) == []
        assert git("status", "--porcelain", "--", "__bayesf1__") == ""


IDS = ["a b", "it's", 'say "no"', "$HOME `ls`", "x::y", "x.y", "a/b", "späm", "new\nline", "[", "*", ""]


def missing(result):
    """Read the commands off the messages about missing baselines."""
    lines = [
        line.partition("To make this candidate the baseline, run: ")[2]
        for line in result.outlines
        if "BaselineError: There is no baseline" in line
    ]
    return [line for line in lines if line]


def as_a_shell_splits(command):
    """Take a command apart into its words as the shell does."""
    script = f"printf '%s\\0' {command}"
    printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout  # noqa: S607
    return printed.split("\0")[:-1]


def paste(command, folder):
    """Run a command in a shell as somebody does who read it."""
    script = f"{sys.executable} -m {command} -p no:randomly"
    return subprocess.run(["sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S607


def files(pytester, module="test_gates"):
    folder = pytester.path / "__bayesf1__" / module
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


class TestBaselineNames:
    def test_the_command_can_be_pasted_whatever_the_tests_parameters(self, pytester, write_tests):
        write_tests(f"""
            @pytest.mark.parametrize("kind", {IDS!r})
            def test_gate(bayes_regression, kind):
                bayes_regression.check(BASELINE, rope=0.02)
        """)
        commands = missing(pytester.runpytest("-p", "no:randomly"))
        assert len(commands) == len(IDS)
        assert commands[0] == "pytest 'test_gates.py::test_gate[a b]' --bayesf1-update=new"
        for number, command in enumerate(commands, start=1):
            pytester.runpytest(*as_a_shell_splits(command)[1:]).assert_outcomes(passed=1)
            assert len(files(pytester)) == number
        assert "test_gate[x.y].json" in files(pytester)
        pytester.runpytest().assert_outcomes(passed=len(IDS))

    def test_the_command_can_be_pasted_where_pytest_was_called(self, pytester):
        pytester.makeini("[pytest]\nbayesf1_rope = 0.02")
        folder = pytester.mkdir("checks")
        (folder / "test_it.py").write_text(
            "def test_gate(bayes_regression): bayes_regression.check([[9, 1], [1, 9]])", "utf-8"
        )
        os.chdir(folder)
        (command,) = missing(pytester.runpytest())
        assert command == "pytest test_it.py::test_gate --bayesf1-update=new"
        assert "1 passed" in paste(command, folder).stdout
        os.chdir(pytester.path)
        pytester.runpytest().assert_outcomes(passed=1)

    def test_tests_in_classes(self, pytester, write_tests):
        write_tests("""
            class TestSpam:
                def test_gate(self, bayes_regression):
                    bayes_regression.check(BASELINE, rope=0.02)

                class TestInner:
                    def test_gate(self, bayes_regression):
                        bayes_regression.check(BASELINE, rope=0.02)
        """)
        commands = missing(pytester.runpytest("-p", "no:randomly"))
        assert commands == [
            f"pytest test_gates.py::{name} --bayesf1-update=new"
            for name in ("TestSpam::test_gate", "TestSpam::TestInner::test_gate")
        ]
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
        assert files(pytester) == ["TestSpam.TestInner.test_gate.json", "TestSpam.test_gate.json"]

    def test_a_unittest_case_gets_the_fixture_by_another(self, pytester, write_tests):
        write_tests("""
            import unittest

            class Spam(unittest.TestCase):
                @pytest.fixture(autouse=True)
                def _take(self, bayes_regression):
                    self.regression = bayes_regression

                def test_gate(self):
                    self.regression.check(BASELINE, rope=0.02)

                def test_that_fails(self):
                    self.regression.check(BASELINE, rope=0.02)
                    self.assertEqual(1, 2)
        """)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1, failed=1)
        assert files(pytester) == ["Spam.test_gate.json"]
        pytester.runpytest("-k", "not fails").assert_outcomes(passed=1)

    def test_tests_of_an_imported_class_belong_to_the_module_that_runs_them(self, pytester, write_tests):
        write_tests(
            shared="""
                class Base:
                    def test_gate(self, bayes_regression):
                        bayes_regression.check(BASELINE, rope=0.02)
            """,
            test_gates="from shared import Base\nclass TestSpam(Base): pass",
            test_ham="from shared import Base\nclass TestHam(Base): pass",
        )
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
        assert files(pytester, "test_gates") == ["TestSpam.test_gate.json"]
        assert files(pytester, "test_ham") == ["TestHam.test_gate.json"]

    def test_a_group_of_xdist_is_no_part_of_the_name(self, pytester, write_tests):
        write_tests("""
            @pytest.mark.xdist_group("slow")
            def test_gate(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
        """)
        pytester.runpytest("--bayesf1-update=new", "-n1", "--dist=loadgroup").assert_outcomes(passed=1)
        assert files(pytester) == ["test_gate.json"]
        pytester.runpytest().assert_outcomes(passed=1)

    def test_several_baselines_of_one_test(self, pytester, write_tests, baselines):
        write_tests("""
            def test_gates(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02, name="ham")
                bayes_regression.check(MUCH_WORSE, rope=0.02, name="spam, the other")
        """)
        result = pytester.runpytest("--bayesf1-update=new")
        created = ["ham.json", "spam,_the_other-"]
        assert [line.split("/")[-1][:16] for line in baselines(result)] == [name[:16] for name in created]
        pytester.runpytest().assert_outcomes(passed=1)

    @pytest.mark.parametrize("flaky", [0, 1])
    def test_a_rerun_writes_when_it_passes(self, pytester, write_tests, baselines, flaky):
        write_tests(f"""
            runs = []

            def test_gate(bayes_regression):
                runs.append(1)
                bayes_regression.check(BASELINE, rope=0.02)
                assert len(runs) > 1 + {flaky} * 99
        """)
        result = pytester.runpytest("--reruns=1", "--bayesf1-update=new")
        assert result.parseoutcomes()["rerun"] == 1
        assert files(pytester) == ([] if flaky else ["test_gate.json"])
        assert baselines(result) == ([] if flaky else ["created   __bayesf1__/test_gates/test_gate.json"])


GOOD = "[[450, 50], [50, 450]]"
BAD = "[[300, 200], [200, 300]]"


class TestBaselineRef:
    @pytest.fixture
    def loosened(self, pytester, write_tests):
        """A project whose change makes the candidate worse, and the baselines too."""

        def candidate(counts):
            write_tests(f"def test_gate(bayes_regression): bayes_regression.check({counts}, rope=0.01)")
            (pytester.path / "candidate.json").write_text(counts)

        repository = Committed.new(pytester.path)
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.01)
        candidate(GOOD)
        (pytester.path / "baseline.json").write_text(GOOD)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
        repository.commit("good")
        candidate(BAD)
        (pytester.path / "baseline.json").write_text(BAD)
        pytester.runpytest("--bayesf1-update=force").assert_outcomes(passed=2, warnings=1)
        repository.commit("bad")

    @pytest.mark.parametrize("distribution", [["-n0"], ["-n1"]], ids=["here", "xdist"])
    def test_with_it_the_change_fails_and_is_named(
        self, pytester, runpytest, loosened, section, document, distribution
    ):
        pytester.runpytest().assert_outcomes(passed=2)
        result = runpytest("--bayesf1-baseline-ref=HEAD~1", "--bayesf1-report=out", *distribution, failed=2)
        changed = [FILE, "baseline.json"]
        told = f"2 baseline or gate files changed: {', '.join(changed)}. The base commit"
        assert told in " ".join(line.strip() for line in section(result))
        assert document()["changed"] == dict.fromkeys(changed, "base")
        assert told in (pytester.path / "out" / "report.html").read_text("utf-8")

    @pytest.mark.parametrize("damage", ["", "gates: ["])
    def test_what_git_does_not_hold_is_an_error_for_a_gate_that_the_commit_may_list(self, pytester, damage):
        repository = Committed.new(pytester.path)
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.01)
        (pytester.path / "candidate.json").write_text(BAD)
        declared = (file := pytester.path / "bayesf1.yaml").read_text()
        file.write_text(damage or declared)
        base = f"--bayesf1-baseline-ref={repository.commit('a gate', **{'.gitignore': 'baseline.json'})}"
        file.write_text(declared)
        (pytester.path / "baseline.json").write_text(BAD)
        result = pytester.runpytest(base)
        assert result.ret == 1
        result.stdout.fnmatch_lines(["*baseline.json: git does not hold this file in the base commit *"])
        repository.git("add", "--force", "baseline.json")
        result = pytester.runpytest(base)
        assert result.ret == 1
        result.stdout.fnmatch_lines(["*baseline.json: git does not hold this file in the base commit *"])

    def test_a_new_gate_is_judged_by_its_own_baseline_and_reports_say_so(self, pytester, document):
        repository = Committed.new(pytester.path)
        base = f"--bayesf1-baseline-ref={repository.commit('nothing', other='')}"
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.01)
        (pytester.path / "baseline.json").write_text(GOOD)
        (pytester.path / "candidate.json").write_text(GOOD)
        pytester.runpytest(base, "--bayesf1-report=out/report.json").assert_outcomes(passed=1)
        assert document()["changed"] == {"baseline.json": "new", "bayesf1.yaml": "new"}

    def test_a_new_test_is_one_and_a_listed_test_is_not(self, pytester, runpytest, write_tests, document):
        repository = Committed.new(pytester.path)
        write_tests(f"def test_gate(bayes_regression): bayes_regression.check({GOOD}, rope=0.01)")
        base = f"--bayesf1-baseline-ref={repository.commit('a test without its baseline')}"
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        result = runpytest(base, "--bayesf1-report=out/report.json", passed=1)
        assert document()["changed"] == {FILE: "new"}
        result.stdout.fnmatch_lines(["*commit has none, so these new gates use this change's own."])
        manifest = pytester.path / "__bayesf1__" / "gates.json"
        for content in (manifest.read_text(), "<<<<<<< ours"):  # what a damaged one lists is unknown
            manifest.write_text(content)
            repository.git("add", "__bayesf1__/gates.json")
            repository.git("commit", "-qm", "a manifest without its baseline")
            result = runpytest("--bayesf1-baseline-ref=HEAD", failed=1)
            result.stdout.fnmatch_lines(["*git does not hold this file in the base commit *"])

    def test_no_update_is_offered_where_the_base_commit_would_keep_its_test_set(self, pytester, write_tests):
        check = "def test_gate(bayes_regression): bayes_regression.check([[{n}, 10], [10, 90]], rope=0.01)"
        write_tests(check.format(n=90))
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
        Committed.new(pytester.path).commit()
        write_tests(check.format(n=95))
        for base, is_offered in (((), True), (("--bayesf1-baseline-ref=HEAD",), False)):
            said = pytester.runpytest(*base).stdout.str()
            assert "The baseline is from another test set" in said
            assert ("--bayesf1-update" in said) is is_offered

    def test_the_same_commit_changes_nothing(self, runpytest, loosened):
        result = runpytest("--bayesf1-baseline-ref=HEAD", passed=2)
        result.stdout.no_fnmatch_line("*changed*")

    def test_a_gate_file_that_was_changed_is_named(self, pytester, loosened):
        text = (pytester.path / "bayesf1.yaml").read_text()
        (pytester.path / "bayesf1.yaml").write_text(text.replace("0.01", "0.5"))
        result = pytester.runpytest("--bayesf1-baseline-ref=HEAD", "bayesf1.yaml")
        result.stdout.fnmatch_lines(
            ["1 baseline or gate file changed: bayesf1.yaml. Read as this change has them, so*"]
        )

    @pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["here", "xdist"])
    def test_a_commit_that_is_none_ends_the_run(self, pytester, loosened, workers):
        result = pytester.runpytest("--bayesf1-baseline-ref=nope", *workers)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stderr.fnmatch_lines(["*git knows no commit 'nope' here. Fetch it first:*"])
        assert f"{result.stdout}{result.stderr}".count("git knows no commit") == 1


GATE = """
    def test_gate(bayes_regression):
        bayes_regression.check(classifiers.{candidate}, rope=0.02)
"""

SUBTESTS = {
    "unittest": """
        import unittest
        import pytest

        class Spam(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def _take(self, bayes_regression):
                self.regression = bayes_regression

            def test_gate(self):
                with self.subTest("first"):
                    self.regression.check([[90, 10], [10, 90]], rope=0.1, name="gate")
                with self.subTest("second"):
                    {rest}
    """,
    "pytest": """
        import pytest

        def test_gate(bayes_regression, subtests):
            with subtests.test("first"):
                bayes_regression.check([[90, 10], [10, 90]], rope=0.1, name="gate")
            with subtests.test("second"):
                {rest}
    """,
}


class TestBaselines:
    @pytest.fixture
    def gate(self, pytester, write_tests):
        """Run the test with a candidate."""

        def run(candidate, *arguments):
            write_tests(GATE.format(candidate=candidate))
            return pytester.runpytest("-p", "no:randomly", *arguments)

        return run

    @pytest.fixture
    def stored(self, pytester):
        """Read the file of the baseline; None without one."""

        def read(path=FILE):
            file = pytester.path / path
            return file.read_text("utf-8") if file.exists() else None

        return read

    def test_a_missing_baseline_fails_with_the_command_that_makes_it(
        self, gate, pytester, stored, has_no_package_frames, baselines
    ):
        result = gate("BASELINE")
        result.assert_outcomes(failed=1)
        command = "pytest test_gates.py::test_gate --bayesf1-update=new"
        found = f"There is no baseline 'test_gate' yet in {pytester.path}/__bayesf1__/test_gates"
        result.stdout.fnmatch_lines([f"E *BaselineError: {found}. To make this candidate the baseline, run: {command}"])
        assert has_no_package_frames(result)
        assert stored() is None
        assert baselines(result) == []

    def test_the_life_of_a_baseline(self, gate, stored, baselines):
        result = gate("BASELINE", "--bayesf1-update=new")
        result.assert_outcomes(passed=1)
        assert baselines(result) == [f"created   {FILE}"]
        first = stored()
        assert "[1, 1, 4500]" in first

        result = gate("EQUIVALENT")
        result.assert_outcomes(passed=1)
        assert baselines(result) == []

        gate("MUCH_WORSE").assert_outcomes(failed=1)
        gate("BETTER", "--bayesf1-update=new").assert_outcomes(passed=1)
        assert stored() == first

        result = gate("BETTER", "--bayesf1-update")
        result.assert_outcomes(passed=1)
        assert baselines(result) == [f"replaced  {FILE}"]
        assert "[1, 1, 4620]" in stored()

        result = gate("BETTER", "--bayesf1-update")
        assert baselines(result) == []

    @pytest.mark.parametrize(
        "rest",
        ["raise ValueError", "assert False", "pytest.skip('later')", "pytest.xfail('known')", "pytest.exit('enough')"],
    )
    @pytest.mark.parametrize("update", ["", "=new", "=force"])
    def test_a_test_that_does_not_pass_writes_nothing(self, pytester, write_tests, stored, rest, update, baselines):
        write_tests(f"""
            def test_gate(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
                {rest}
        """)
        result = pytester.runpytest(f"--bayesf1-update{update}")
        assert baselines(result) == []
        assert stored() is None

    def test_a_run_that_ends_while_a_test_is_set_up_writes_nothing(self, pytester, write_tests, stored):
        write_tests("""
            @pytest.fixture
            def last(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
                pytest.exit("enough")

            def test_gate(last):
                pass
        """)
        result = pytester.runpytest("--bayesf1-update=new")
        assert result.ret == pytest.ExitCode.INTERRUPTED
        assert "Error" not in result.stdout.str() + result.stderr.str()
        assert stored() is None

    @pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
    @pytest.mark.parametrize("kind", SUBTESTS)
    def test_a_test_of_which_a_subtest_fails_writes_nothing(self, pytester, write_tests, stored, baselines, kind):
        file = "__bayesf1__/test_gates/gate.json"
        write_tests(SUBTESTS[kind].format(rest="assert False"))
        assert pytester.runpytest("--bayesf1-update=new").ret == pytest.ExitCode.TESTS_FAILED
        assert stored(file) is None
        write_tests(SUBTESTS[kind].format(rest="pytest.skip('later')"))
        assert baselines(pytester.runpytest("--bayesf1-update=new")) == [f"created   {file}"]
        write_tests(SUBTESTS[kind].format(rest="pass"))
        assert baselines(pytester.runpytest()) == []

    def test_a_strict_xfail_that_passes_has_failed_and_writes_nothing(self, pytester, write_tests, stored):
        write_tests("""
            @pytest.mark.xfail(strict=True)
            def test_gate(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
        """)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(failed=1)
        assert stored() is None

    def test_a_place_that_cannot_be_written_is_an_error_of_the_test(self, gate, pytester, has_no_package_frames):
        (pytester.path / "__bayesf1__").write_text("in the way")
        result = gate("BASELINE", "--bayesf1-update=new")
        result.assert_outcomes(passed=1, errors=1)
        start = next(n for n, line in enumerate(result.outlines) if "ERROR at teardown of test_gate" in line)
        told = f"BaselineError: {pytester.path}/{FILE}: Cannot write the file: "
        assert result.outlines[start + 1].startswith(told)
        assert result.outlines[start + 2].startswith("===")

    @pytest.mark.parametrize("folder", ["baselines", "a/b", "."])
    def test_the_project_may_keep_them_in_one_folder(self, pytester, runpytest, folder, baselines):
        pytester.makeini(f"[pytest]\nbayesf1_baselines = {folder}\nbayesf1_rope = 0.02")
        gate = "from classifiers import BASELINE\ndef test_gate(bayes_regression): bayes_regression.check(BASELINE)"
        for place in ("checks", "checks/spam"):
            pytester.mkpydir(place)
            (pytester.path / place / "test_it.py").write_text(gate)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
        listed = (pytester.path / "__bayesf1__" / "gates.json").read_text()
        for place in ("checks/test_it", "checks/spam/test_it"):
            kept = pytester.path / folder / place
            assert f'"{os.path.relpath(kept, (pytester.path / place).parent)}"' in listed
            assert (kept / "test_gate.json").exists()
        runpytest(passed=2)


class TestBaselinesInCi:
    @pytest.fixture
    def run(self, pytester, write_tests, monkeypatch):
        def start(ci, *arguments):
            monkeypatch.setenv("CI", ci)
            write_tests(GATE.format(candidate="BASELINE"))
            return pytester.runpytest(*arguments)

        return start

    @pytest.fixture
    def is_stored(self, pytester):
        return (pytester.path / FILE).exists

    @pytest.mark.parametrize("update", ["--bayesf1-update", "--bayesf1-update=new"])
    @pytest.mark.parametrize("workers", [[], pytest.param(["-n1"], marks=pytest.mark.long)], ids=["here", "xdist"])
    def test_an_update_is_refused(self, run, is_stored, update, workers):
        result = run("1", update, *workers)
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        message = result.errlines[0]
        assert message.startswith("ERROR: --bayesf1-update: No one reviews or commits what a run writes in CI (CI=1)")
        assert message.endswith(" --bayesf1-update=force.")
        assert not is_stored()

    def test_comparing_is_not_refused(self, run, is_stored):
        run("true").assert_outcomes(failed=1)
        assert not is_stored()

    @pytest.mark.parametrize("arguments", [["--bayesf1-update=force"], ["--bayesf1-update", "--bayesf1-update=force"]])
    def test_force_is_not_refused_as_the_last_option(self, run, is_stored, arguments):
        run("true", *arguments).assert_outcomes(passed=1)
        assert is_stored()


CONCURRENT_BASELINES_MODULE = """
    @pytest.mark.parametrize("number", range(8))
    def test_gate(bayes_regression, number):
        bayes_regression.check(ConfusionMatrix([[90, 10], [10, 90 + number + {more}]]), rope=0.1, n_draws=2000)
"""


def names(pytester):
    return sorted(path.name for path in (pytester.path / "__bayesf1__" / "test_gates").iterdir())


SHARED = """
    import time
    from pathlib import Path

    @pytest.fixture
    def all_at_once(bayes_regression):
        yield
        deadline = time.monotonic() + 60
        while len(list(Path(".").glob("done-*"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)  # both have compared before either writes

    @pytest.mark.parametrize("number", [1, 2])
    def test_gate(bayes_regression, all_at_once, number):
        candidate = ConfusionMatrix([[90, 10], [10, 90 + {same}number]])
        bayes_regression.check(candidate, rope=0.1, name="shared")
        Path(f"done-{{number}}").touch()
"""


class TestConcurrentBaselines:
    @pytest.mark.long
    def test_workers_write_the_baselines_of_one_module(self, pytester, runpytest, write_tests, baselines):
        write_tests(CONCURRENT_BASELINES_MODULE.format(more=0))
        result = runpytest("-n2", "--bayesf1-update=new", passed=8)
        expected = sorted(f"test_gate[{number}].json" for number in range(8))
        assert names(pytester) == expected
        assert baselines(result) == [f"created   __bayesf1__/test_gates/{name}" for name in expected]
        write_tests(CONCURRENT_BASELINES_MODULE.format(more=1))
        result = pytester.runpytest("-n2", "--bayesf1-update")
        assert baselines(result) == [f"replaced  __bayesf1__/test_gates/{name}" for name in expected]
        pytester.runpytest("-n2").assert_outcomes(passed=8)

    def test_processes_write_the_baselines_of_one_module(self, pytester, write_tests):
        write_tests(CONCURRENT_BASELINES_MODULE.format(more=0))
        command = [sys.executable, "-m", "pytest", "-q", "--bayesf1-update=new", "-p", "no:cacheprovider"]
        chosen = [[f"test_gates.py::test_gate[{number}]" for number in range(first, 8, 2)] for first in (0, 1)]
        processes = [subprocess.Popen([*command, *each], cwd=pytester.path, stdout=subprocess.PIPE) for each in chosen]
        outputs = [process.communicate(timeout=120)[0] for process in processes]
        assert [process.returncode for process in processes] == [0, 0], outputs
        assert len(names(pytester)) == 8
        pytester.runpytest().assert_outcomes(passed=8)

    def test_one_baseline_for_two_workers_is_written_once_and_the_other_told(self, runpytest, write_tests, baselines):
        write_tests(SHARED.format(same=""))
        result = runpytest("-n2", "--bayesf1-update=new", passed=2, errors=1)
        result.stdout.fnmatch_lines(
            ["BaselineError: *shared.json: Another process has written the baseline meanwhile.*"]
        )
        assert baselines(result) == ["created   __bayesf1__/test_gates/shared.json"]

    @pytest.mark.long
    def test_one_baseline_for_two_workers_that_agree_is_no_error(self, runpytest, write_tests, baselines):
        write_tests(SHARED.format(same="0*"))
        result = runpytest("-n2", "--bayesf1-update=new", passed=2)
        assert baselines(result) == ["created   __bayesf1__/test_gates/shared.json"]


TEST = """
import numpy as np
from pytest_bayesf1 import ConfusionMatrix

def test_f1(bayes_regression):
    truth = np.arange(1_000) % 2
    said = np.where(np.arange(1_000) < 115, 1 - truth, truth)
    candidate = ConfusionMatrix.from_predictions(truth, said, ids=np.arange(1_000))
    bayes_regression.check(candidate, measure="accuracy", rope=0.05)
"""
GATES = "gates: {spam: {baseline: spam.csv, candidate: new.csv, measure: accuracy, rope: 0.05}}"


class TestTrend:
    @pytest.fixture
    def repository(self, pytester):
        repository = Committed.new(pytester.path)
        for n_wrong in (100, 110):
            repository.write("spam.csv", csv(n_wrong))
            store(repository, predicted(n_wrong))
        for name, text in {"new.csv": csv(115), "bayesf1.yaml": GATES, "tests/test_spam.py": TEST}.items():
            repository.write(name, text)
        return repository

    @pytest.fixture
    def trends(self, pytester, entries):
        """Run, and return the trends of the report by test or gate and part."""

        def trends(*arguments):
            pytester.runpytest("-p", "no:randomly", "--bayesf1-report=out", *arguments).assert_outcomes(passed=2)
            return {(entry["test"], entry["part"]): entry["trend"] for entry in entries()}

        return trends

    def test_of_stored_baselines_and_of_gate_files(self, repository, trends, pytester):
        found = trends()
        of_test, of_gate = found["tests/test_spam.py::test_f1", ""], found["bayesf1.yaml::spam", ""]
        assert found["tests/test_spam.py::test_f1", "since the anchor"] is None
        assert (of_test["file"], of_test["budget"]) == ("tests/__bayesf1__/test_spam/test_f1.json", 0.1)
        assert (of_gate["file"], of_gate["budget"], of_gate["anchor"]) == ("spam.csv", None, None)
        for trend in (of_test, of_gate):
            assert [point["date"] for point in trend["points"]] == ["2026-05-01", "2026-05-02"]
            assert [point["score"] for point in trend["points"]] == pytest.approx([0.9, 0.89], abs=2e-3)
        assert of_test["anchor"] == of_test["points"][0]["score"]
        page = (pytester.path / "out" / "report.html").read_text("utf-8")
        assert page.count("The last 2 baselines: 0.89") == 4  # each with a figure that says the same

    @pytest.mark.long
    def test_workers_find_the_same(self, repository, trends):
        assert trends("-n", "2") == trends()

    def test_a_change_tells_nothing_of_its_own(self, repository, trends):
        base = repository.commit()
        store(repository, predicted(112))
        assert len(trends()["tests/test_spam.py::test_f1", ""]["points"]) == 3
        of_base = trends(f"--bayesf1-baseline-ref={base}")
        assert [len(trend["points"]) for (_, part), trend in of_base.items() if not part] == [2, 2]

    @pytest.mark.long
    def test_not_without_git(self, repository, trends, pytester):
        (pytester.path / ".git").rename(pytester.path / ".no-git")
        assert set(trends().values()) == {None}

    def test_the_command_line_has_them_too(self, repository):
        result = CliRunner().invoke(main, ["gate", "--json"], catch_exceptions=False)
        (entry,) = json.loads(result.stdout)["entries"]
        assert len(entry["trend"]["points"]) == 2


def test_a_run_without_baselines_says_nothing(pytester, write_tests, baselines):
    write_tests("def test_nothing(): pass")
    assert baselines(pytester.runpytest()) == []
