"""Which baseline a test has, and the command that makes it: whatever the test is called."""

import os
import subprocess
import sys

import pytest

IDS = ["a b", "it's", 'say "no"', "$HOME `ls`", "x::y", "x.y", "a/b", "späm", "new\nline", "[", "*", ""]


def missing(result):
    """Read the commands off the messages about missing baselines."""
    lines = [line.partition("run: ")[2] for line in result.outlines if "BaselineError: /" in line]
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


def files(pytester, module="test_spam"):
    folder = pytester.path / "__bayesf1__" / module
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.fixture
def parametrized(pytester):
    pytester.makepyfile(
        test_spam=f"""
        import pytest
        from classifiers import BASELINE

        @pytest.mark.parametrize("kind", {IDS!r})
        def test_gate(bayes_regression, kind):
            bayes_regression.check(BASELINE, rope=0.02)
        """
    )


@pytest.mark.usefixtures("parametrized")
def test_the_command_can_be_pasted_whatever_the_tests_parameters(pytester):
    result = pytester.runpytest("-p", "no:randomly")
    commands = missing(result)
    assert len(commands) == len(IDS)
    assert commands[0] == "pytest 'test_spam.py::test_gate[a b]' --bayesf1-update=new"
    for number, command in enumerate(commands, start=1):
        pytester.runpytest(*as_a_shell_splits(command)[1:]).assert_outcomes(passed=1)
        assert len(files(pytester)) == number
    pytester.runpytest().assert_outcomes(passed=len(IDS))


@pytest.mark.usefixtures("parametrized")
def test_every_parameter_has_a_baseline_of_its_own(pytester):
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=len(IDS))
    assert len(files(pytester)) == len(IDS)
    assert "test_gate[x.y].json" in files(pytester)


def test_the_command_can_be_pasted_where_pytest_was_called(pytester):
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


def test_tests_in_classes(pytester):
    pytester.makepyfile(
        test_spam="""
        from classifiers import BASELINE

        class TestSpam:
            def test_gate(self, bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)

            class TestInner:
                def test_gate(self, bayes_regression):
                    bayes_regression.check(BASELINE, rope=0.02)
        """
    )
    commands = missing(pytester.runpytest("-p", "no:randomly"))
    assert commands == [
        f"pytest test_spam.py::{name} --bayesf1-update=new"
        for name in ("TestSpam::test_gate", "TestSpam::TestInner::test_gate")
    ]
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
    assert files(pytester) == ["TestSpam.TestInner.test_gate.json", "TestSpam.test_gate.json"]


def test_a_unittest_case_gets_the_fixture_by_another(pytester):
    pytester.makepyfile(
        test_spam="""
        import unittest
        import pytest
        from classifiers import BASELINE, MUCH_WORSE

        class Spam(unittest.TestCase):
            @pytest.fixture(autouse=True)
            def _take(self, bayes_regression):
                self.regression = bayes_regression

            def test_gate(self):
                self.regression.check(BASELINE, rope=0.02)

            def test_that_fails(self):
                self.regression.check(BASELINE, rope=0.02)
                self.assertEqual(1, 2)
        """
    )
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1, failed=1)
    assert files(pytester) == ["Spam.test_gate.json"]
    pytester.runpytest("-k", "test_gate").assert_outcomes(passed=1)


def test_tests_of_an_imported_class_belong_to_the_module_that_runs_them(pytester):
    pytester.makepyfile(
        shared="""
        from classifiers import BASELINE
        class Base:
            def test_gate(self, bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
        """,
        test_spam="from shared import Base\nclass TestSpam(Base): pass",
        test_ham="from shared import Base\nclass TestHam(Base): pass",
    )
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
    assert files(pytester, "test_spam") == ["TestSpam.test_gate.json"]
    assert files(pytester, "test_ham") == ["TestHam.test_gate.json"]


def test_a_group_of_xdist_is_no_part_of_the_name(pytester):
    pytester.makepyfile(
        test_spam="""
        import pytest
        from classifiers import BASELINE

        @pytest.mark.xdist_group("slow")
        def test_gate(bayes_regression):
            bayes_regression.check(BASELINE, rope=0.02)
        """
    )
    pytester.runpytest("--bayesf1-update=new", "-n1", "--dist=loadgroup").assert_outcomes(passed=1)
    assert files(pytester) == ["test_gate.json"]
    pytester.runpytest().assert_outcomes(passed=1)


def test_several_baselines_of_one_test(pytester, baselines):
    pytester.makepyfile(
        test_spam="""
        from classifiers import BASELINE, MUCH_BETTER, MUCH_WORSE

        def test_gates(bayes_regression):
            bayes_regression.check(BASELINE, rope=0.02, name="ham")
            bayes_regression.check(MUCH_WORSE, rope=0.02, name="spam, the other")
        """
    )
    result = pytester.runpytest("--bayesf1-update=new")
    created = ["ham.json", "spam,_the_other-"]
    assert [line.split("/")[-1][:16] for line in baselines(result)] == [name[:16] for name in created]
    pytester.runpytest().assert_outcomes(passed=1)


def test_a_second_candidate_without_a_name_is_an_error(pytester):
    pytester.makepyfile(
        test_spam="""
        from classifiers import BASELINE, MUCH_BETTER

        def test_gates(bayes_regression):
            bayes_regression.check(BASELINE, rope=0.02)
            bayes_regression.check(MUCH_BETTER, rope=0.02)
        """
    )
    result = pytester.runpytest("--bayesf1-update=new")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *InputError: candidate: expected one candidate for the baseline 'test_gates', *"])
    assert files(pytester) == []


@pytest.mark.parametrize("flaky", [0, 1])
def test_a_rerun_writes_when_it_passes(pytester, baselines, flaky):
    pytester.makepyfile(
        test_spam=f"""
        from classifiers import BASELINE
        runs = []

        def test_gate(bayes_regression):
            runs.append(1)
            bayes_regression.check(BASELINE, rope=0.02)
            assert len(runs) > 1 + {flaky} * 99
        """
    )
    result = pytester.runpytest("--reruns=1", "--bayesf1-update=new")
    assert result.parseoutcomes()["rerun"] == 1
    assert files(pytester) == ([] if flaky else ["test_gate.json"])
    assert baselines(result) == ([] if flaky else ["created   __bayesf1__/test_spam/test_gate.json"])
