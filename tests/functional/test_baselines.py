"""A stored baseline: what a run does without one, with one, and how it is updated."""

import pytest

GATE = """
    import classifiers

    def test_gate(bayes_regression):
        bayes_regression.check(classifiers.{candidate}, rope=0.02)
"""
FILE = "__bayesf1__/test_spam/test_gate.json"


@pytest.fixture
def gate(pytester):
    """Run the test with a candidate."""

    def run(candidate, *arguments):
        pytester.makepyfile(test_spam=GATE.format(candidate=candidate))
        return pytester.runpytest("-p", "no:randomly", *arguments)

    return run


@pytest.fixture
def stored(pytester):
    """Read the file of the baseline; None without one."""

    def read(path=FILE):
        file = pytester.path / path
        return file.read_text("utf-8") if file.exists() else None

    return read


def test_a_missing_baseline_fails_with_the_command_that_makes_it(
    gate, pytester, stored, has_no_package_frames, baselines
):
    result = gate("BASELINE")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            (
                f"E *BaselineError: {pytester.path}/__bayesf1__/test_spam: expected a baseline for 'test_gate', got "
                "none. To make this candidate the baseline, run: pytest test_spam.py::test_gate --bayesf1-update=new"
            )
        ]
    )
    assert has_no_package_frames(result)
    assert stored() is None
    assert baselines(result) == []


def test_the_life_of_a_baseline(gate, stored, baselines):
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
    assert "[1, 1, 4620, 4500]" in stored()

    result = gate("BETTER", "--bayesf1-update")
    assert baselines(result) == []


def test_the_comparison_is_recorded_like_any_other(gate, rows, entries):
    gate("BASELINE", "--bayesf1-update=new")
    result = gate("BETTER", "--bayesf1-report=out/report.json")
    (entry,) = entries()
    assert (entry["gate"], entry["verdict"], entry["decision"]) == ("bayes_regression", "passed", ">")
    assert [test for test, _ in rows(result)] == ["test_spam.py::test_gate"]


def test_a_much_worse_candidate_is_no_baseline_unless_forced(gate, stored, has_no_package_frames, baselines):
    gate("BASELINE", "--bayesf1-update=new")
    before = stored()
    result = gate("MUCH_WORSE", "--bayesf1-update")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *≪ macro-F1 −*",
            "E *Do: Find what changed *",
            "E *The baseline stays as it is. To make the candidate the baseline all",
            "E             pytest test_spam.py::test_gate --bayesf1-update=force",
        ]
    )
    assert has_no_package_frames(result)
    assert stored() == before
    assert baselines(result) == []

    result = gate("MUCH_WORSE", "--bayesf1-update=force")
    result.assert_outcomes(passed=1, warnings=1)
    result.stdout.fnmatch_lines(["*The baseline is replaced by a significantly worse candidate, as*"])
    assert baselines(result) == [f"replaced  {FILE}"]
    assert "[1, 1, 4000]" in stored()


def test_force_works_where_warnings_are_errors(gate, stored):
    gate("BASELINE", "--bayesf1-update=new")
    gate("MUCH_WORSE", "--bayesf1-update=force", "-Werror").assert_outcomes(passed=1, warnings=1)
    assert "[1, 1, 4000]" in stored()


@pytest.mark.parametrize(
    "rest",
    ["raise ValueError", "assert False", "pytest.skip('later')", "pytest.xfail('known')", "pytest.exit('enough')"],
)
@pytest.mark.parametrize("update", ["", "=new", "=force"])
def test_a_test_that_does_not_pass_writes_nothing(pytester, stored, rest, update, baselines):
    pytester.makepyfile(
        test_spam=f"""
        import pytest
        from classifiers import BASELINE

        def test_gate(bayes_regression):
            bayes_regression.check(BASELINE, rope=0.02)
            {rest}
    """
    )
    result = pytester.runpytest(f"--bayesf1-update{update}")
    assert baselines(result) == []
    assert stored() is None


def test_a_run_that_ends_while_a_test_is_set_up_writes_nothing(pytester, stored):
    pytester.makepyfile(
        test_spam="""
        import pytest
        from classifiers import BASELINE

        @pytest.fixture
        def last(bayes_regression):
            bayes_regression.check(BASELINE, rope=0.02)
            pytest.exit("enough")

        def test_gate(last):
            pass
    """
    )
    result = pytester.runpytest("--bayesf1-update=new")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert "Error" not in result.stdout.str() + result.stderr.str()
    assert stored() is None


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


@pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
@pytest.mark.parametrize("kind", SUBTESTS)
def test_a_test_of_which_a_subtest_fails_writes_nothing(pytester, stored, baselines, kind):
    file = "__bayesf1__/test_spam/gate.json"
    pytester.makepyfile(test_spam=SUBTESTS[kind].format(rest="assert False"))
    assert pytester.runpytest("--bayesf1-update=new").ret == pytest.ExitCode.TESTS_FAILED
    assert stored(file) is None
    pytester.makepyfile(test_spam=SUBTESTS[kind].format(rest="pytest.skip('later')"))
    assert baselines(pytester.runpytest("--bayesf1-update=new")) == [f"created   {file}"]
    pytester.makepyfile(test_spam=SUBTESTS[kind].format(rest="pass"))
    assert baselines(pytester.runpytest()) == []


def test_a_strict_xfail_that_passes_has_failed_and_writes_nothing(pytester, stored):
    pytester.makepyfile(
        test_spam="""
        import pytest
        from classifiers import BASELINE

        @pytest.mark.xfail(strict=True)
        def test_gate(bayes_regression):
            bayes_regression.check(BASELINE, rope=0.02)
    """
    )
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(failed=1)
    assert stored() is None


@pytest.mark.parametrize("damage", ["<<<<<<< HEAD\n", "", '{"format": "another"}'], ids=["conflict", "empty", "other"])
@pytest.mark.parametrize("update", [[], ["--bayesf1-update"], ["--bayesf1-update=new"], ["--bayesf1-update=force"]])
def test_a_damaged_baseline_is_an_error_and_stays(gate, pytester, stored, damage, update):
    gate("BASELINE", "--bayesf1-update=new")
    (pytester.path / FILE).write_text(damage)
    result = gate("BASELINE", *update)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *BaselineError: {pytester.path}/{FILE}: expected a *"])
    assert stored() == damage


def test_a_place_that_cannot_be_written_is_an_error_of_the_test(gate, pytester, has_no_package_frames):
    (pytester.path / "__bayesf1__").write_text("in the way")
    result = gate("BASELINE", "--bayesf1-update=new")
    result.assert_outcomes(passed=1, errors=1)
    start = result.outlines.index(next(line for line in result.outlines if "ERROR at teardown of test_gate" in line))
    assert result.outlines[start + 1].startswith(
        f"BaselineError: {pytester.path}/{FILE}: expected a file that can be written, got [Errno 20] Not a directory: "
    )
    assert result.outlines[start + 2].startswith("===")


@pytest.mark.parametrize("folder", ["baselines", "a/b", "."])
def test_the_project_may_keep_them_in_one_folder(pytester, folder, baselines):
    pytester.makeini(f"[pytest]\nbayesf1_baselines = {folder}\nbayesf1_rope = 0.02")
    gate = "from classifiers import BASELINE\ndef test_gate(bayes_regression): bayes_regression.check(BASELINE)"
    for place in ("checks", "checks/spam"):
        pytester.mkpydir(place)
        (pytester.path / place / "test_it.py").write_text(gate)
    result = pytester.runpytest("--bayesf1-update=new")
    result.assert_outcomes(passed=2)
    for place in ("checks/test_it", "checks/spam/test_it"):
        assert (pytester.path / folder / place / "test_gate.json").exists()
    result = pytester.runpytest()
    result.assert_outcomes(passed=2)
    assert baselines(result) == []


def test_an_update_of_an_unknown_kind_is_refused(gate):
    result = gate("BASELINE", "--bayesf1-update=all")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--bayesf1-update*'all'*"])


def test_a_test_set_that_changed(pytester):
    module = """
        from pytest_bayesf1 import ConfusionMatrix
        def test_gate(bayes_regression):
            y_true, y_pred = {y_true}, ["a", "b"] * 30
            candidate = ConfusionMatrix.from_predictions(y_true, y_pred, ids=range(60))
            bayes_regression.check(candidate, rope=(0.3, "wide"){more})
    """
    pytester.makepyfile(test_spam=module.format(y_true="['a', 'b'] * 30", more=""))
    pytester.runpytest("--bayesf1-update=new").assert_outcomes(passed=1)
    changed = "['a', 'b'] * 29 + ['b', 'b']"
    pytester.makepyfile(test_spam=module.format(y_true=changed, more=""))
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            (
                f"E *{FILE}: expected a baseline from the candidate's test set, got one that is not comparable: "
                "candidate.y_true: expected the y_true of baseline, got 1 example that differs, first at id 58 "
                "('a' and 'b'). Pass check(..., on_new_test_set=*independent*) to compare across the two test sets, or "
                "make this candidate the baseline: pytest test_spam.py::test_gate --bayesf1-update"
            )
        ]
    )
    pytester.makepyfile(test_spam=module.format(y_true=changed, more=", on_new_test_set='independent'"))
    pytester.runpytest().assert_outcomes(passed=1)


def test_the_fixture_is_listed(pytester):
    pytester.runpytest("--fixtures").stdout.fnmatch_lines(["bayes_regression*", "*Compare with the stored baseline*"])
