import pytest

from tests.functional.gates import write_gate
from tests.unit.baselines.versioned import predicted, store
from tests.unit.committed import Committed
from tests.unit.gates.test_history import csv

FILE = "__bayesf1__/test_gates/test_gate.json"


def test_a_group_of_xdist_is_no_part_of_a_name(runpytest, write_tests, baselines):
    write_tests("""
        class TestSpam:
            @pytest.mark.xdist_group("slow")
            def test_gate(self, bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
    """)
    created = baselines(runpytest("--bayesf1-update=new", "-n1", "--dist=loadgroup", passed=1))
    assert created == ["created   __bayesf1__/test_gates/TestSpam.test_gate.json"]
    runpytest(passed=1)


GOOD = '{"counts": [[450, 50], [50, 450]]}'
BAD = '{"counts": [[300, 200], [200, 300]]}'


class TestBaselineRef:
    @pytest.fixture
    def loosened(self, pytester, write_tests):
        """A project whose change makes the candidate worse, and the baselines too."""

        def candidate(counts):
            write_tests(f"def test_gate(bayes_regression): bayes_regression.check({counts}['counts'], rope=0.01)")
            (pytester.path / "candidate.json").write_text(counts)

        repository = Committed.new(pytester.path)
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.01)
        candidate(GOOD)
        (pytester.path / "baseline.json").write_text(GOOD)
        pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=2)
        base = repository.commit("good")
        candidate(BAD)
        (pytester.path / "baseline.json").write_text(BAD)
        pytester.runpytest("--bayesf1-update=force").assert_outcomes(passed=2, warnings=1)
        repository.commit("bad")
        return base

    def test_with_it_the_change_fails_and_is_named(self, pytester, runpytest, loosened, section, document):
        pytester.runpytest().assert_outcomes(passed=2)
        result = runpytest("--bayesf1-baseline-ref=HEAD~1", "--bayesf1-report=out", "-n1", failed=2)
        changed = [FILE, "baseline.json"]
        told = f"2 baseline or gate files changed: {', '.join(changed)}. The base commit"
        assert told in " ".join(line.strip() for line in section(result))
        assert document()["changed"] == dict.fromkeys(changed, "base")
        assert document()["run"]["base_commit"] == loosened
        assert told in (pytester.path / "out" / "report.html").read_text("utf-8")
        result = runpytest("--bayesf1-baseline-ref=HEAD", passed=2)
        result.stdout.no_fnmatch_line("*changed*")

    def test_a_new_gate_is_judged_by_its_own_baseline_and_one_that_is_listed_is_not(
        self, pytester, runpytest, write_tests, document
    ):
        repository = Committed.new(pytester.path)
        write_tests(f"def test_gate(bayes_regression): bayes_regression.check({GOOD}['counts'], rope=0.01)")
        base = f"--bayesf1-baseline-ref={repository.commit('a test without its baseline')}"
        write_gate(pytester.path, baseline="baseline.json", candidate="candidate.json", rope=0.01)
        for name in ("baseline", "candidate"):
            (pytester.path / f"{name}.json").write_text(GOOD)
        runpytest("--bayesf1-update=new", passed=2)
        result = runpytest(base, "--bayesf1-report=out/report.json", passed=2)
        assert document()["changed"] == dict.fromkeys([FILE, "baseline.json", "bayesf1.yaml"], "new")
        result.stdout.fnmatch_lines(["*The base commit has none, so these new gates use"])
        manifest = pytester.path / "__bayesf1__" / "gates.json"
        for content in (manifest.read_text(), "<<<<<<< ours"):  # what a damaged one lists is unknown
            manifest.write_text(content)
            repository.git("add", "__bayesf1__/gates.json")
            repository.git("commit", "-qm", "a manifest without its baseline")
            result = runpytest("--bayesf1-baseline-ref=HEAD", failed=2)
            for file in (FILE, "baseline.json"):
                result.stdout.fnmatch_lines([f"*{file}: git does not hold this file in the base commit *"])

    def test_a_commit_that_is_none_ends_the_run(self, pytester):
        Committed.new(pytester.path).commit()
        result = pytester.runpytest("--bayesf1-baseline-ref=nope", "-n1")
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

    def test_the_life_of_a_baseline(self, gate, stored, baselines, has_no_package_frames):
        result = gate("BASELINE")
        result.assert_outcomes(failed=1)
        result.stdout.fnmatch_lines(["E *There is no baseline 'test_gate' yet in *: pytest * --bayesf1-update=new"])
        assert has_no_package_frames(result)
        assert (stored(), baselines(result)) == (None, [])

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

    def test_a_test_that_does_not_pass_writes_nothing(self, runpytest, write_tests, baselines, pytester):
        rests = ["raise ValueError", "assert False", "pytest.skip('later')", "pytest.xfail('known')"]
        write_tests(f"""
            @pytest.mark.parametrize("rest", {rests})
            def test_gate(bayes_regression, rest):
                bayes_regression.check(BASELINE, rope=0.02)
                exec(rest)

            @pytest.mark.xfail(strict=True)
            def test_strict(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
        """)
        result = runpytest("--bayesf1-update=force", failed=3, skipped=1, xfailed=1)
        assert baselines(result) == []
        assert not (pytester.path / FILE).parent.exists()

    @pytest.mark.parametrize("place", ["setup", "call"])
    def test_a_run_that_ends_early_writes_nothing(self, pytester, write_tests, stored, place):
        write_tests(f"""
            @pytest.fixture
            def last(bayes_regression):
                bayes_regression.check(BASELINE, rope=0.02)
                if {place == "setup"}:
                    pytest.exit("enough")

            def test_gate(last):
                pytest.exit("enough")
        """)
        result = pytester.runpytest("--bayesf1-update=new")
        assert result.ret == pytest.ExitCode.INTERRUPTED
        assert "Error" not in result.stdout.str() + result.stderr.str()
        assert stored() is None

    @pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
    def test_a_test_of_which_a_subtest_fails_writes_nothing(self, pytester, write_tests, baselines):
        modules = [f"test_{kind}" for kind in SUBTESTS]
        for rest, written in (("assert False", []), ("pytest.skip('later')", modules), ("pass", [])):
            write_tests(**{f"test_{kind}": text.format(rest=rest) for kind, text in SUBTESTS.items()})
            created = [f"created   __bayesf1__/{module}/gate.json" for module in sorted(written)]
            assert baselines(pytester.runpytest("--bayesf1-update=new")) == created


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


@pytest.mark.parametrize("same", ["", pytest.param("0*", marks=pytest.mark.long)], ids=["two", "alike"])
def test_one_baseline_for_two_workers_is_written_once_and_one_that_differs_told(
    runpytest, write_tests, baselines, same
):
    write_tests(SHARED.format(same=same))
    result = runpytest("-n2", "--bayesf1-update=new", passed=2, errors=int(not same))
    assert ("Another process has written the baseline meanwhile." in result.stdout.str()) is (not same)
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

    def test_a_change_tells_nothing_of_its_own(self, repository, trends):
        base = repository.commit()
        store(repository, predicted(112))
        assert len(trends()["tests/test_spam.py::test_f1", ""]["points"]) == 3
        of_base = trends(f"--bayesf1-baseline-ref={base}")
        assert [len(trend["points"]) for (_, part), trend in of_base.items() if not part] == [2, 2]
