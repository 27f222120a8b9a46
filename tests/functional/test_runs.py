"""Runs of pytest of any kind: beside other plugins, in workers, tried again, crashed or interrupted."""

import sys

import pytest

WORKERS = pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
TWO_GATES = """
    def test_passes():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
"""


def test_a_plain_assert_shows_the_comparison(runpytest, write_tests):
    write_tests("""
        def test_spam_filter():
            comparison = compare(BASELINE, MUCH_WORSE, rope=0.02)
            assert comparison.decision != "<<"
    """)
    result = runpytest(failed=1)
    result.stdout.fnmatch_lines(["E *<Comparison ≪ f1_macro −10.0 points>.decision"])


@pytest.mark.parametrize(
    "others",
    [
        ["-n0"],
        pytest.param(
            ["-ppytest_cov", "--cov=classifiers", "--reruns=1", "-n2", "--junit-xml=junit.xml", "--randomly-seed=7"],
            marks=pytest.mark.long,
        ),
    ],
    ids=["alone", "all at once"],
)
def test_the_report_of_pytest_html_tells_of_gates_too(pytester, write_tests, entries, others):
    write_tests(TWO_GATES)
    html = ("-pmetadata", "-phtml", "-phtml_fixtures", "--html=tests.html", "--self-contained-html")
    pytester.runpytest_subprocess("--bayesf1-report=out/report.json", *html, *others)
    assert [(entry["test"], entry["verdict"]) for entry in entries()] == [
        ("test_gates.py::test_fails", "failed"),
        ("test_gates.py::test_passes", "passed"),
    ]
    text = (pytester.path / "tests.html").read_text("utf-8")
    assert "test_gates.py::test_fails" in text
    assert "macro-F1 \\u221210.0 points" in text or "macro-F1 −10.0 points" in text


def test_without_a_terminal_gates_judge_and_other_tests_run(pytester, write_tests, entries):
    write_tests(TWO_GATES + "\n    def test_plain():\n        pass")
    result = pytester.runpytest_subprocess(
        "-p", "no:terminal", "-p", "no:rerunfailures", "--bayesf1-report=out/report.json"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert sorted(entry["verdict"] for entry in entries()) == ["failed", "passed"]


RETRIES = {
    "pytest_rerunfailures": ("--reruns=2",),
    "pytest_retry": ("-p", "pytest_retry.retry_plugin", "-p", "no:rerunfailures", "--retries=2"),
    "flaky": ("-p", "flaky.flaky_pytest_plugin", "-p", "no:rerunfailures", "--force-flaky", "--max-runs=3"),
}
_FIRST, *_OTHERS = RETRIES


@WORKERS
@pytest.mark.parametrize("plugin", [_FIRST, *(pytest.param(name, marks=pytest.mark.long) for name in _OTHERS)])
def test_the_last_attempt_counts(pytester, write_tests, document, plugin, workers):
    """Once for each test, also if it is an error; a baseline is written, and no error of an earlier attempt is left."""
    pytest.importorskip(plugin)
    write_tests("""
        candidates, ropes, attempts = [EQUIVALENT, MUCH_WORSE, MUCH_WORSE], [0.02, -1], []

        def test_gate():
            assert_not_worse(BASELINE, candidates.pop(), rope=0.02)

        def test_error():
            assert_not_worse(BASELINE, EQUIVALENT, rope=ropes.pop())

        def test_wrong():
            assert_not_worse(BASELINE, EQUIVALENT, rope=-1)

        def test_stored(bayes_regression):
            bayes_regression.check(EQUIVALENT, rope=0.02)
            attempts.append(1)
            assert len(attempts) == 2
    """)
    asked = "--bayesf1-report=out/report.json", "--bayesf1-update=new", workers
    pytester.runpytest_subprocess(*RETRIES[plugin], *asked)
    assert document()["complete"]
    assert {entry["test"].partition("::")[2]: entry["verdict"] for entry in document()["entries"]} == {
        "test_wrong": "error",
        "test_error": "passed",
        "test_gate": "passed",
    }
    assert len(document()["entries"]) == 3
    assert list(pytester.path.glob("__bayesf1__/*/test_stored*"))


@pytest.mark.parametrize(("setup", "call"), [("attempt()", ""), ("pass", "attempt(); ")], ids=["setup", "call"])
def test_a_rerun_that_is_interrupted_is_missing_and_its_earlier_attempt_forgotten(
    pytester, write_tests, document, setup, call
):
    write_tests(f"""
        attempts = []
        def attempt():
            if attempts:
                raise KeyboardInterrupt
            attempts.append(1)
            compare(BASELINE, MUCH_WORSE, rope=0.02)
        @pytest.fixture
        def prepared():
            {setup}
        def test_gate(prepared):
            {call}assert False
    """)
    pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json", no_reraise_ctrlc=True)
    assert (document()["missing"], document()["entries"]) == (["test_gates.py::test_gate"], [])


BROKEN = "import no_such_module"
TESTS = [f"test_gates.py::test_gate[{number}]" for number in range(6)]


class TestWorkers:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        """Run six tests in workers, of which the fourth stops; the report tells of every test or misses it."""

        def report(*arguments, stop="os._exit(1)"):
            write_tests(f"""
                import os

                @pytest.fixture
                def prepared():
                    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure="accuracy")

                @pytest.mark.parametrize("number", range(6))
                def test_gate(number, prepared):
                    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
                    if number == 3:
                        {stop}
            """)
            pytester.runpytest("-p", "no:randomly", "--bayesf1-report=out/report.json", *arguments)
            found = document()
            assert found["complete"] == (found["missing"] == [])
            assert sorted({entry["test"] for entry in found["entries"]} | set(found["missing"])) == TESTS
            return found

        return report

    def test_one_that_is_replaced_misses_only_the_test_that_crashed_it(self, run):
        found = run("-n2")
        assert found["missing"] == [TESTS[3]]
        # what was reported before the crash stays
        assert [entry["measure"] for entry in found["entries"] if entry["test"] == TESTS[3]] == ["accuracy"]

    @pytest.mark.parametrize(
        ("arguments", "stop", "missing"),
        [
            (["--max-worker-restart=0"], "os._exit(1)", TESTS[3:]),
            (["--maxfail=1"], "assert False", TESTS[4:]),
            ([], "raise KeyboardInterrupt", TESTS[3:]),
            ([], "pytest.exit('enough')", TESTS[3:]),
        ],
        ids=["not replaced", "stopped", "interrupted", "left"],
    )
    @pytest.mark.long
    def test_what_one_did_not_run_is_missing(self, run, arguments, stop, missing):
        assert run("-n1", *arguments, stop=stop)["missing"] == missing


BUG = """
    def pytest_runtest_logfinish(nodeid):
        if nodeid.endswith("test_2"):
            raise RuntimeError
"""
DROPS_TEST_3 = """
    def pytest_collection_modifyitems(items):
        items[:] = [item for item in items if item.name != "test_3"]
"""


class TestIncomplete:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        """Run three tests in their order, of which the second stops; return pytest's result and the report."""

        def report(*arguments, stop="", **modules):
            source = f"""
                def test_1():
                    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

                def test_2():
                    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
                    {stop}

                def test_3():
                    assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
            """
            write_tests(source, **modules)
            options = ["-p", "no:randomly", "--bayesf1-report=out/report.json"]
            result = pytester.runpytest(*options, *arguments, no_reraise_ctrlc=True)
            found = document()
            assert found["complete"] == (found["missing"] == [])
            return result, len(found["entries"]), [test.removeprefix("test_gates.py::") for test in found["missing"]]

        return report

    @pytest.mark.parametrize(
        ("stop", "status"),
        [
            ("raise KeyboardInterrupt", pytest.ExitCode.INTERRUPTED),
            ("pytest.exit('enough', returncode=0)", pytest.ExitCode.OK),
        ],
    )
    def test_an_interrupted_test_and_those_after_it_are_missing(self, run, section, stop, status):
        result, *found = run(stop=stop)
        assert (result.ret, *found) == (status, 1, ["test_2", "test_3"])
        assert "Incomplete: 2 tests did not finish: test_gates.py::test_2, test_gates.py::test_3" in section(result)

    @pytest.mark.parametrize(
        ("arguments", "changes", "finished", "lacking"),
        [
            ([], {}, 3, []),
            (["-x"], {"stop": "assert False"}, 2, ["test_3"]),
            (["-x"], {"test_last": "def test_fails(): assert False"}, 3, []),
            ([], {"conftest": BUG}, 2, ["test_3"]),
            (["test_gates.py", "test_x.py"], {"test_x": "raise KeyboardInterrupt"}, 0, ["test_gates.py", "test_x.py"]),
            (["test_gates.py::test_9"], {}, 0, ["test_9"]),
            ([], {"test_broken": BROKEN}, 0, ["test_broken.py", "test_1", "test_2", "test_3"]),
            (["--continue-on-collection-errors"], {"test_broken": BROKEN}, 3, ["test_broken.py"]),
            (["-x", "test_broken.py", "."], {"test_broken": BROKEN}, 0, [".", "test_broken.py"]),
            (["--deselect=test_gates.py::test_1"], {"stop": "pytest.skip()", "conftest": DROPS_TEST_3}, 1, []),
        ],
        ids=["all ran", "-x", "a failure at the end", "a plugin's bug", "interrupted in collecting", "not found",
             "cannot be collected", "others ran", "-x in collecting", "deselected, skipped or dropped"],
    )  # fmt: skip
    def test_what_was_asked_for_and_did_not_run_is_missing(self, run, arguments, changes, finished, lacking):
        _, *found = run(*arguments, **changes)
        assert found == [finished, lacking]


HEAVY = (
    *("numpy", "scipy", "pymc", "matplotlib", "pandas"),
    *("pydantic", "yaml", "click", "filelock", "pyarrow", "narwhals", "duckdb"),
)


def test_the_exact_engine_needs_no_markov_chains(pytester):
    script = """
import sys
from pytest_bayesf1 import compare
compare([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05)
print("loaded:", sorted(sys.modules.keys() & {"pymc", "pytensor", "arviz"}))
"""
    result = pytester.run(sys.executable, "-c", script)
    assert result.outlines == ["loaded: []"]


def test_a_run_without_comparisons_imports_nothing_heavy(pytester, monkeypatch):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins import what they like
    pytester.makepyfile("from pytest_bayesf1 import BayesF1Warning\n\ndef test_nothing(): pass")
    pytester.makeconftest(
        f"""
        import sys

        def pytest_unconfigure(config):
            assert config.pluginmanager.hasplugin("bayesf1")
            print("loaded:", sorted(sys.modules.keys() & set({HEAVY!r})))
        """
    )
    options = ["-p", "bayesf1", "--bayesf1-rope=0.02", "--bayesf1-prior=auto", "--bayesf1-measure=accuracy"]
    result = pytester.runpytest_subprocess(*options)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["loaded: [[][]]"])


class TestOwnership:
    OPTIONS = ("-p", "no:randomly", "--bayesf1-report=out/report.json", "--bayesf1-rope=0.02")

    def test_setup_and_teardown_belong_to_their_test(self, runpytest, write_tests, entries):
        write_tests("""
            @pytest.fixture
            def surrounded(bayes_compare):
                compare(BASELINE, MUCH_WORSE)
                yield
                bayes_compare(BASELINE, BETTER)

            def test_before():
                pass

            def test_inside(surrounded):
                compare(BASELINE, EQUIVALENT)

            def test_after():
                pass
        """)
        runpytest(*self.OPTIONS, passed=3)
        assert [(entry["test"], entry["decision"]) for entry in entries()] == [
            ("test_gates.py::test_inside", decision) for decision in "≪≈>"
        ]

    @pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
    def test_every_kind_of_test(self, pytester, write_tests, entries, workers):
        write_tests("""
            import unittest
            from concurrent.futures import ThreadPoolExecutor

            @pytest.fixture(scope="module")
            def shared():
                assert_not_worse(BASELINE, EQUIVALENT)

            def test_first(shared):
                pass

            def test_second(shared):
                pass

            class TestGates:
                @pytest.mark.parametrize("measure", ["accuracy", "f1[1]"])
                def test_measure(self, measure):
                    assert_not_worse(BASELINE, EQUIVALENT, measure=measure)

            class Gates(unittest.TestCase):
                def setUp(self):
                    assert_not_worse(BASELINE, EQUIVALENT)

                def test_measure(self):
                    assert_not_worse(BASELINE, EQUIVALENT)

            class Async(unittest.IsolatedAsyncioTestCase):
                async def test_measure(self):
                    assert_not_worse(BASELINE, EQUIVALENT)

            @pytest.mark.parametrize("name", ["two\\nlines", "x" * 300, "A", "a", "é/b", "", "\\u202egnp"])
            def test_name(name):
                assert_not_worse(BASELINE, EQUIVALENT)

            @pytest.mark.parametrize("number", [1, 2])
            def test_threads(bayes_compare, number):
                with ThreadPoolExecutor(2) as pool:
                    better, worse = pool.map(lambda candidate: bayes_compare(BASELINE, candidate), [BETTER, MUCH_WORSE])
                assert (better.decision, worse.decision) == (">", "<<")
        """)
        # apart, for the tests in Chromium leave their event loop running in the process
        pytester.runpytest_subprocess(*self.OPTIONS, workers).assert_outcomes(passed=15)
        tests = [entry["test"].removeprefix("test_gates.py::") for entry in entries()]
        assert len({test for test in tests if test.startswith("test_name[")}) == 7
        assert sorted(test for test in tests if not test.startswith("test_name[")) == [
            "Async::test_measure",
            *["Gates::test_measure"] * 2,
            "TestGates::test_measure[accuracy]",
            "TestGates::test_measure[f1[1]]",
            "test_first",
            *["test_threads[1]"] * 2,
            *["test_threads[2]"] * 2,
        ]

    @pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
    def test_subtests_belong_to_their_test(self, pytester, write_tests, entries):
        write_tests("""
            def test_all(subtests):
                for name in ("MUCH_WORSE", "EQUIVALENT"):
                    with subtests.test(name):
                        assert_not_worse(classifiers.BASELINE, getattr(classifiers, name))
        """)
        assert pytester.runpytest(*self.OPTIONS).ret == pytest.ExitCode.TESTS_FAILED
        assert [entry["test"] for entry in entries()] == ["test_gates.py::test_all"] * 2
