import pytest

from tests.functional.gates import write_gate
from tests.unit.committed import Committed

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


GATE = """
    def test_gate(bayes_regression):
        bayes_regression.check(classifiers.{candidate}, rope=0.02)
"""


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
