"""Losses that are wanted: made by printed commands, honoured by later runs, removed once the baseline has moved."""

import json
import re
import shlex
from itertools import takewhile
from pathlib import Path

import pytest

from tests.functional.classifiers import BASELINE, MUCH_WORSE, UNDECIDED
from tests.functional.gates import write_counts, write_gate
from tests.unit.committed import Committed

TEST = """
    import json
    from pathlib import Path

    def test_gate(bayes_regression):
        found = json.loads(Path(__file__).with_name("candidate.json").read_text())
        bayes_regression.check(found["counts"], rope=0.02)
"""
NAME = "test_spam.py::test_gate"
MANIFEST = "__bayesf1__/gates.json"


@pytest.fixture(autouse=True)
def _cache(monkeypatch, tmp_path):
    """Keep failures for the command `bayesf1 accept`, but not in the user's home."""
    monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def candidate(pytester):
    """Write the candidate's counts."""
    return lambda counts: write_counts(pytester.path / "candidate.json", counts)


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


def printed(result, n=1):
    """Find the commands that a failure prints."""
    lines = [line.removeprefix("E").strip() for line in result.outlines]
    at = next(n for n, line in enumerate(lines) if line.endswith("commit gates.json:"))
    return lines[at + 1] if n == 1 else lines[at + 1 : at + 1 + n]


def told(result):
    """Read a failure's message as one line."""
    return " ".join(" ".join(line.removeprefix("E ") for line in result.outlines).split())


def masked(lines):
    """Leave out of lines what other versions of numpy may draw otherwise."""
    return {re.sub(r"[\d▒├┤─╂│ ]+", "#", line) for line in lines}


class TestLife:
    def test_the_output_in_the_guide_is_what_people_get(
        self, pytester, write_tests, bayesf1, candidate, section, monkeypatch
    ):
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
        monkeypatch.setenv("CI", "true")
        assert masked(replaced) <= masked(pytester.runpytest("--bayesf1-baseline-ref=main").outlines)

    def test_whatever_fails_is_accepted_but_a_floor(self, runpytest, bayesf1, write_tests, accepted):
        write_tests(
            test_spam=f"""
                def test_not_inferior():
                    assert_not_inferior({BASELINE}, {UNDECIDED}, rope=0.02)

                @pytest.mark.parametrize("number", range(2))
                def test_equivalent(number):
                    assert_equivalent({BASELINE}, {MUCH_WORSE}, rope=0.02)

                def test_floor():
                    assert_at_least({MUCH_WORSE}, 0.9)
            """
        )
        assert "lower the floor in a commit that says why" in told(runpytest("-n2", failed=4))
        tests = [f"test_spam.py::test_{name}" for name in ("equivalent[0]", "equivalent[1]", "not_inferior")]
        assert bayesf1("accept", *tests, "--reason", "half the size").ret == 0
        assert list(accepted()) == tests
        runpytest(passed=3, failed=1)


class TestGateFile:
    @pytest.fixture(autouse=True)
    def _gates(self, pytester, candidate):
        write_counts(pytester.path / "baseline.json", BASELINE)
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.02, per_class=True)
        candidate(MUCH_WORSE)

    def test_pytest_and_the_command_know_the_same_acceptances(self, runpytest, bayesf1, follow, accepted):
        result = runpytest(failed=1)
        assert printed(result) == 'bayesf1 accept bayesf1.yaml::spam --reason "..."'
        judged = bayesf1("gate")
        assert (judged.ret, follow(printed(judged)).ret) == (1, 0)
        assert list(accepted()) == ["bayesf1.yaml::spam"]
        runpytest(passed=1)
        result = bayesf1("gate", "--report", "out")
        assert result.ret == 0
        result.stdout.fnmatch_lines(["*lost what you accepted", "3 accepted losses"])


class TestPullRequest:
    @pytest.fixture
    def repository(self, gate, pytester):
        """Commit a test and its stored baseline on main."""
        repository = Committed.new(pytester.path)
        (pytester.path / ".gitignore").write_text("__pycache__\n.pytest_cache\n")
        repository.commit("baseline")
        return repository

    @pytest.mark.parametrize("forced", [False, True], ids=["the baseline stays", "the baseline was forced first"])
    def test_a_loss_that_is_wanted_can_be_merged(
        self, repository, pytester, runpytest, candidate, follow, accepted, listed, monkeypatch, forced
    ):
        base = repository.git("rev-parse", "main")
        repository.git("checkout", "-q", "-b", "smaller")
        candidate(MUCH_WORSE)
        if forced:
            pytester.runpytest("--bayesf1-update=force").assert_outcomes(passed=1, warnings=1)
        repository.commit("a smaller model")
        in_ci = f"--bayesf1-baseline-ref={base}"
        monkeypatch.setenv("CI", "true")
        result = runpytest(in_ci, failed=1)
        monkeypatch.delenv("CI")
        again, accept = printed(result, 2)
        replaced = f"This change replaced the baseline of {base}."
        assert (replaced in told(result)) is forced
        assert again == " ".join(["pytest", NAME, *([in_ci] if forced else [])])
        follow(again).assert_outcomes(failed=1)
        assert follow(accept).ret == 0
        repository.commit("accept the loss")

        result = runpytest(in_ci, "--bayesf1-report=out", passed=1)
        assert len(listed(result)) == 1
        assert json.loads((pytester.path / "out" / "report.json").read_text())["verdict"] == "accepted"
        repository.git("checkout", "-q", "main")
        repository.git("merge", "-q", "smaller")
        assert list(accepted()) == [NAME]
        pytester.runpytest("--bayesf1-update").assert_outcomes(passed=1)
        assert accepted() == {}
        # compared with the baseline from which the loss was accepted, though the acceptance is gone
        runpytest("--bayesf1-baseline-ref=HEAD", passed=1)
        repository.commit("the baseline has moved")
        assert listed(runpytest("--bayesf1-baseline-ref=HEAD", passed=1)) == []
