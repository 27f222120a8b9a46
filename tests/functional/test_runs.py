import sys

import pytest


def test_a_plain_assert_shows_the_comparison(pytester, write_tests):
    write_tests("""
        def test_spam_filter():
            comparison = compare(BASELINE, MUCH_WORSE, rope=0.02)
            assert comparison.decision != "<<"
    """)
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *<Comparison ≪ f1_macro −10.0 points>.decision"])


OTHER_PLUGINS_GATES = """
    def test_passes():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
"""

WORKERS = pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])


HTML = ("-pmetadata", "-phtml", "-phtml_fixtures")


class TestOtherPlugins:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        """Run two gates beside other plugins, and check that the report is the same as without."""
        write_tests(OTHER_PLUGINS_GATES)

        def beside(*arguments):
            result = pytester.runpytest_subprocess("--bayesf1-report=out/report.json", *arguments)
            result.assert_outcomes(passed=1, failed=1)
            found = document()
            assert found["complete"]
            assert [(entry["test"], entry["verdict"]) for entry in found["entries"]] == [
                ("test_gates.py::test_fails", "failed"),
                ("test_gates.py::test_passes", "passed"),
            ]
            return result

        return beside

    @WORKERS
    def test_pytest_html(self, pytester, run, workers):
        run(*HTML, "--html=tests.html", "--self-contained-html", workers)
        text = (pytester.path / "tests.html").read_text("utf-8")
        assert "test_gates.py::test_fails" in text
        assert "macro-F1 \\u221210.0 points" in text or "macro-F1 −10.0 points" in text

    @WORKERS
    def test_pytest_rerunfailures(self, run, workers):
        run("--reruns=2", workers).stdout.fnmatch_lines(["*1 failed, 1 passed, 2 rerun*"])

    @pytest.mark.long
    def test_all_at_once(self, pytester, run):
        report, others = ("--html=tests.html", "--junit-xml=junit.xml"), ("--cov=classifiers", "--reruns=1", "-n2")
        run(*HTML, *report, "-ppytest_cov", *others, "--randomly-seed=7")
        assert (pytester.path / "tests.html").exists()
        assert (pytester.path / "junit.xml").exists()


RETRIES = {
    "pytest_rerunfailures": ("--reruns=2",),
    "pytest_retry": ("-p", "pytest_retry.retry_plugin", "-p", "no:rerunfailures", "--retries=2"),
    "flaky": ("-p", "flaky.flaky_pytest_plugin", "-p", "no:rerunfailures", "--force-flaky", "--max-runs=3"),
}
_FIRST, *_OTHERS = RETRIES
RETRIED = pytest.mark.parametrize("plugin", [_FIRST, *(pytest.param(name, marks=pytest.mark.long) for name in _OTHERS)])


class TestRetries:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        def retried(plugin, source, *arguments):
            pytest.importorskip(plugin)
            write_tests(source)
            result = pytester.runpytest_subprocess("--bayesf1-report=out/report.json", *RETRIES[plugin], *arguments)
            found = document()
            assert found["complete"]
            return result, [(entry["verdict"], entry["kind"]) for entry in found["entries"]]

        return retried

    @RETRIED
    @WORKERS
    def test_the_last_attempt_counts_once(self, run, plugin, workers):
        result, found = run(
            plugin,
            """
            candidates = [EQUIVALENT, MUCH_WORSE, MUCH_WORSE]
            def test_gate():
                assert_not_worse(BASELINE, candidates.pop(), rope=0.02)
            """,
            workers,
        )
        assert (result.ret, found) == (0, [("passed", "comparison")])

    @RETRIED
    def test_an_error_of_an_earlier_attempt_is_forgotten(self, run, plugin):
        result, found = run(
            plugin,
            """
            ropes = [0.02, -1]
            def test_gate():
                assert_not_worse(BASELINE, EQUIVALENT, rope=ropes.pop())
            """,
        )
        assert (result.ret, found) == (0, [("passed", "comparison")])

    @RETRIED
    def test_an_error_of_the_last_attempt_is_told_once(self, run, plugin):
        result, found = run(
            plugin,
            """
            def test_gate():
                assert_not_worse(BASELINE, EQUIVALENT, rope=-1)
            """,
        )
        assert (result.ret, found) == (1, [("error", "error")])

    @RETRIED
    def test_a_baseline_is_kept_when_the_last_attempt_passes(self, pytester, run, plugin):
        result, _ = run(
            plugin,
            """
            attempts = []
            def test_gate(bayes_regression):
                bayes_regression.check(EQUIVALENT, rope=0.02)
                attempts.append(1)
                assert len(attempts) == 2
            """,
            "--bayesf1-update=new",
        )
        assert result.ret == 0
        assert list(pytester.path.glob("__bayesf1__/*/test_gate*"))


def test_without_a_terminal_gates_judge_and_other_tests_run(pytester, write_tests, entries):
    write_tests(OTHER_PLUGINS_GATES + "\n    def test_plain():\n        pass")
    result = pytester.runpytest_subprocess(
        "-p", "no:terminal", "-p", "no:rerunfailures", "--bayesf1-report=out/report.json"
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert sorted(entry["verdict"] for entry in entries()) == ["failed", "passed"]


def test_a_file_that_is_asked_for_twice_runs_twice_and_each_run_counts(pytester, runpytest, write_tests, entries):
    write_tests("""
        candidates = [EQUIVALENT, MUCH_WORSE]
        def test_gate():
            assert_not_worse(BASELINE, candidates.pop(), rope=0.02)
    """)
    arguments = "--bayesf1-report=out/report.json", "--bayesf1-update"
    runpytest("--keep-duplicates", "test_gates.py", "test_gates.py", *arguments, passed=1, failed=1)
    assert sorted(entry["verdict"] for entry in entries()) == ["failed", "passed"]
    assert not (pytester.path / "__bayesf1__").exists()  # the manifest lists tests that passed


def test_ci_explains_a_failure_once_and_wraps_no_command(pytester, write_tests, monkeypatch, section):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("COLUMNS", "80")
    write_tests("""
        def test_whose_name_is_so_long_that_the_command_to_accept_its_loss_would_be_wrapped():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
    """)
    result = pytester.runpytest()
    text = result.stdout.str()
    assert text.count("Do: Find what changed") == 1
    assert text.count("If you want the loss") == 1
    assert not any("If you want the loss" in line for line in section(result))
    name = "test_whose_name_is_so_long_that_the_command_to_accept_its_loss_would_be_wrapped"
    command = f'pytest test_gates.py::{name} --bayesf1-accept "..."'
    assert [line for line in result.outlines if command in line]
    summary = [line for line in result.outlines if line.startswith(f"FAILED test_gates.py::{name} - ")]
    assert summary == [
        f"FAILED test_gates.py::{name} - AssertionError: ≪ macro-F1 −10.0 points (you allow 2): 0.900 → 0.800"
    ]
    assert command in pytester.runpytest("--tb=no").outlines


GATES = """
    import os

    @pytest.fixture
    def prepared():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure="accuracy")

    @pytest.mark.parametrize("number", range(6))
    def test_gate(number, prepared):
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
        if number == 3:
            {stop}
"""

BROKEN = "import no_such_module"
CLEARS = "def pytest_collection_modifyitems(items): items.clear()"
TESTS = [f"test_gates.py::test_gate[{number}]" for number in range(6)]
CRASHED = TESTS[3]


def finished(document):
    return {entry["test"] for entry in document["entries"] if entry["measure"] == "f1_macro"}


class TestCrash:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        """Run the tests in workers; return the report, which tells of every test or misses it."""

        def report(*arguments, stop="os._exit(1)"):
            write_tests(GATES.format(stop=stop))
            pytester.runpytest("-p", "no:randomly", "--bayesf1-report=out/report.json", *arguments)
            found = document()
            assert found["complete"] == (found["missing"] == [])
            assert sorted({entry["test"] for entry in found["entries"]} | set(found["missing"])) == TESTS
            return found

        return report

    @pytest.mark.parametrize("workers", [pytest.param("-n1", marks=pytest.mark.long), "-n2"])
    def test_a_worker_that_is_replaced_misses_only_the_test_that_crashed_it(self, run, workers):
        found = run(workers)
        assert found["missing"] == [CRASHED]
        assert finished(found) == {*TESTS} - {CRASHED}
        # what was reported before the crash stays
        assert [entry["measure"] for entry in found["entries"] if entry["test"] == CRASHED] == ["accuracy"]

    @pytest.mark.long
    def test_a_worker_that_is_not_replaced_misses_all_that_nobody_ran(self, run):
        found = run("-n2", "--max-worker-restart=0")
        assert CRASHED in found["missing"]
        assert finished(found) | {*found["missing"]} == {*TESTS}
        assert not finished(found) & {*found["missing"]}

    @pytest.mark.long
    def test_with_one_worker_those_after_the_crash_are_missing(self, run):
        assert run("-n1", "--max-worker-restart=0")["missing"] == TESTS[3:]

    @pytest.mark.parametrize(
        "stop", ["raise KeyboardInterrupt", pytest.param("pytest.exit('enough')", marks=pytest.mark.long)]
    )
    @pytest.mark.long
    def test_an_interrupted_worker(self, run, stop):
        found = run("-n2", stop=stop)
        assert CRASHED in found["missing"]
        assert finished(found) | {*found["missing"]} == {*TESTS}

    def test_stopping_at_a_failure(self, run):
        found = run("-n1", "--maxfail=1", stop="assert False")
        assert found["missing"] == TESTS[4:]

    @pytest.mark.parametrize(
        ("modules", "arguments", "missing"),
        [
            ({"test_broken": BROKEN}, ["--continue-on-collection-errors"], ["test_broken.py"]),
            ({"test_crash": "import os\nos._exit(1)"}, ["--max-worker-restart=0", "test_gates.py", "test_crash.py"],
             ["test_crash.py", "test_gates.py"]),
            ({"test_crash": "raise KeyboardInterrupt"}, ["test_crash.py", "test_gates.py"],
             ["test_crash.py", "test_gates.py"]),
            ({"conftest": CLEARS + "; raise RuntimeError"}, ["test_gates.py"], ["test_gates.py"]),
            ({}, ["test_gates.py::test_9"], ["test_gates.py::test_9"]),
        ],
        ids=["a broken file", "a crash", "an interruption", "an internal error", "nothing found"],
    )  # fmt: skip
    @pytest.mark.long
    def test_when_workers_cannot_collect_what_was_asked_for_is_missing(
        self, pytester, write_tests, document, modules, arguments, missing
    ):
        write_tests(GATES.format(stop="pass"), **modules)
        pytester.runpytest("--bayesf1-report=out/report.json", "-n2", *arguments)
        assert document()["missing"] == missing

    def test_an_internal_error_in_a_worker(self, pytester, write_tests, document):
        write_tests(GATES.format(stop="pass"))
        pytester.makeconftest("""
        def pytest_runtest_logfinish(nodeid):
            if "[3]" in nodeid:
                raise RuntimeError("a plugin's bug")
    """)
        pytester.runpytest("-p", "no:randomly", "--bayesf1-report=out/report.json", "-n1")
        assert document()["missing"] == TESTS[4:]

    def test_workers_that_find_nothing_to_run_are_complete(self, pytester, write_tests, document):
        write_tests("")
        pytester.runpytest("--bayesf1-report=out/report.json", "-n2")
        assert document()["complete"]


NAMED = "InputError: arguments: expected one of *hdi_prob,*'hdi_probe'*mean 'hdi_prob'?"


class TestFixture:
    def test_takes_paired_counts_alone(self, pytester, write_tests, entries):
        write_tests("""
            def test_spam_filter(bayes_compare):
                pairs = PairedCounts.from_predictions([0, 0, 1, 1], [0, 1, 1, 1], [0, 0, 1, 0])
                assert bayes_compare(pairs, rope=0.02).model == "paired"
        """)
        pytester.runpytest("--bayesf1-report=out/report.json").assert_outcomes(passed=1)
        (entry,) = entries()
        assert entry["model"] == "paired"

    def test_is_recorded_without_a_verdict(self, pytester, write_tests, entries):
        write_tests("""
            def test_spam_filter(bayes_compare):
                bayes_compare(BASELINE, MUCH_WORSE, rope=0.02)
        """)
        pytester.runpytest("--bayesf1-report=out/report.json")
        (entry,) = entries()
        assert (entry["test"], entry["verdict"], entry["decision"]) == ("test_gates.py::test_spam_filter", "", "≪")

    @pytest.mark.parametrize("workers", [[], pytest.param(["-n1"], marks=pytest.mark.long)], ids=["here", "xdist"])
    def test_knows_its_test_and_the_projects_settings_in_another_thread(self, runpytest, write_tests, entries, workers):
        write_tests("""
            from concurrent.futures import ThreadPoolExecutor

            @pytest.mark.parametrize("number", [1, 2])
            def test_spam_filter(bayes_compare, number):
                with ThreadPoolExecutor(2) as pool:
                    better, worse = pool.map(lambda candidate: bayes_compare(BASELINE, candidate), [BETTER, MUCH_WORSE])
                assert (better.decision, worse.decision) == (">", "<<")
        """)
        runpytest("--bayesf1-rope=0.02", "--bayesf1-report=out/report.json", *workers, passed=2)
        owners = [f"test_gates.py::test_spam_filter[{number}]" for number in (1, 1, 2, 2)]
        assert sorted(entry["test"] for entry in entries()) == owners

    def test_is_listed_among_the_fixtures(self, pytester):
        result = pytester.runpytest("--fixtures")
        result.stdout.fnmatch_lines(["bayes_compare*", "*Compare two classifiers*"])
        result.stdout.fnmatch_lines(["bayes_regression*", "*Compare with the stored baseline*"])

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ("bayes_compare(BASELINE, BETTER, rope=0.02,", NAMED),
            ("compare(BASELINE, BETTER, rope=0.02,", NAMED),
            ("assert_not_worse(BASELINE, BETTER, rope=0.02,", NAMED),
            ("assert_at_least(BASELINE, 0.5,", NAMED),
        ],
    )
    def test_an_unknown_argument_is_named(self, runpytest, write_tests, has_no_package_frames, call, message):
        write_tests(f"""
            def test_spam_filter(bayes_compare):
                {call} hdi_probe=1)
        """)
        result = runpytest(failed=1)
        result.stdout.fnmatch_lines([f"E *{message}"])
        if call.startswith("assert_"):
            assert has_no_package_frames(result)


STOPS = """
    def test_1():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_2():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
        {stop}

    def test_3():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


BUG = """
    def pytest_runtest_logfinish(nodeid):
        if nodeid.endswith("test_2"):
            raise RuntimeError
"""
DROPS_TEST_3 = """
    def pytest_collection_modifyitems(items):
        items[:] = [item for item in items if item.name != "test_3"]
"""


def missing(document):
    assert document["complete"] == (document["missing"] == [])
    return [test.removeprefix("test_gates.py::") for test in document["missing"]]


class TestIncomplete:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        """Run three tests in their order, of which the second stops; return pytest's result and the report."""

        def report(*arguments, stop="", **modules):
            write_tests(STOPS.format(stop=stop), **modules)
            options = ["-p", "no:randomly", "--bayesf1-report=out/report.json"]
            result = pytester.runpytest(*options, *arguments, no_reraise_ctrlc=True)
            return result, document()

        return report

    def test_a_run_that_ends_is_complete(self, run, section):
        result, document = run()
        assert (document["complete"], document["missing"]) == (True, [])
        assert not any("Incomplete" in line for line in section(result))

    @pytest.mark.parametrize(
        ("stop", "status"),
        [
            ("raise KeyboardInterrupt", pytest.ExitCode.INTERRUPTED),
            ("pytest.exit('enough')", pytest.ExitCode.INTERRUPTED),
            ("pytest.exit('enough', returncode=0)", pytest.ExitCode.OK),
        ],
    )
    def test_an_interrupted_test_and_those_after_it_are_missing(self, run, section, stop, status):
        result, document = run(stop=stop)
        assert result.ret == status
        assert [entry["test"] for entry in document["entries"]] == ["test_gates.py::test_1"]
        assert missing(document) == ["test_2", "test_3"]
        assert "Incomplete: 2 tests did not finish: test_gates.py::test_2, test_gates.py::test_3" in section(result)

    @pytest.mark.parametrize(
        ("arguments", "changes", "finished", "lacking"),
        [
            (["-x"], {"stop": "assert False"}, 2, ["test_3"]),
            (["--maxfail=1"], {"stop": "assert False"}, 2, ["test_3"]),
            (["-x"], {"test_last": "def test_fails(): assert False"}, 3, []),
            ([], {"conftest": BUG}, 2, ["test_3"]),
            (["test_gates.py", "test_x.py"], {"test_x": "raise KeyboardInterrupt"}, 0, ["test_gates.py", "test_x.py"]),
            (["test_gates.py::test_9"], {}, 0, ["test_9"]),
            ([], {"test_broken": BROKEN}, 0, ["test_broken.py", "test_1", "test_2", "test_3"]),
            (["--continue-on-collection-errors"], {"test_broken": BROKEN}, 3, ["test_broken.py"]),
            (["-x", "test_broken.py", "."], {"test_broken": BROKEN}, 0, [".", "test_broken.py"]),
            (["--deselect=test_gates.py::test_1"], {"stop": "pytest.skip()", "conftest": DROPS_TEST_3}, 1, []),
        ],
        ids=["-x", "--maxfail", "a failure at the end", "a plugin's bug", "interrupted in collecting", "not found",
             "cannot be collected", "others ran", "-x in collecting", "deselected, skipped or dropped"],
    )  # fmt: skip
    def test_what_was_asked_for_and_did_not_run_is_missing(self, run, arguments, changes, finished, lacking):
        _, document = run(*arguments, **changes)
        assert len(document["entries"]) == finished
        assert missing(document) == lacking

    def test_an_incomplete_run_without_comparisons_says_so_where_a_report_was_asked_for(
        self, pytester, write_tests, document, section
    ):
        write_tests("def test_1(): raise KeyboardInterrupt")
        assert section(pytester.runpytest(no_reraise_ctrlc=True)) == []
        result = pytester.runpytest("--bayesf1-report=out", no_reraise_ctrlc=True)
        assert missing(document()) == ["test_1"]
        line = "Incomplete: 1 test did not finish: test_gates.py::test_1"
        assert section(result)[1] == line
        assert f">{line}<" in (pytester.path / "out" / "report.html").read_text("utf-8")
        assert line.replace("_", "\\_") in (pytester.path / "out" / "report.md").read_text("utf-8")

    @pytest.mark.parametrize(
        "option", ["--collect-only", "--setup-only", "--fixtures", "--fixtures-per-test", "--cache-show"]
    )
    @pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["here", "xdist"])
    @pytest.mark.one_of_many
    def test_what_runs_no_tests_writes_no_report(self, pytester, write_tests, section, option, workers):
        write_tests(STOPS.format(stop=""))
        result = pytester.runpytest("--bayesf1-report=out/report.json", option, *workers)
        assert section(result) == []
        assert not (pytester.path / "out").exists()


HEAVY = (
    *("numpy", "scipy", "pymc", "matplotlib", "pandas"),
    *("pydantic", "yaml", "click", "rich", "filelock", "pyarrow", "narwhals", "duckdb"),
)


def test_importing_the_plugin_imports_nothing_heavy(pytester):
    script = f"""
import sys
import pytest_bayesf1, pytest_bayesf1.plugin.hooks
print("loaded:", sorted(sys.modules.keys() & set({HEAVY!r})))
"""
    result = pytester.run(sys.executable, "-c", script)
    assert result.ret == 0
    assert result.outlines == ["loaded: []"]


def test_the_exact_engine_needs_no_markov_chains(pytester):
    script = """
import sys
from pytest_bayesf1 import compare
compare([[48, 2], [3, 47]], [[47, 3], [2, 48]], measure="f1", rope=0.05)
print("loaded:", sorted(sys.modules.keys() & {"pymc", "pytensor", "arviz"}))
"""
    result = pytester.run(sys.executable, "-c", script)
    assert result.outlines == ["loaded: []"]


@pytest.mark.parametrize("arguments", [["--collect-only"], []], ids=["collect", "run"])
def test_a_run_without_comparisons_imports_nothing_heavy(pytester, monkeypatch, arguments):
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
    result = pytester.runpytest_subprocess(*options, *arguments)
    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["loaded: [[][]]"])


class TestOwnership:
    @pytest.fixture
    def owners(self, pytester, rows, entries):
        """Run pytest and return the test of every entry, after checking that terminal and report agree."""

        def run(*arguments, tests="all passed"):
            result = pytester.runpytest(
                "-v", "-p", "no:randomly", "--bayesf1-report=out/report.json", "--bayesf1-rope=0.02", *arguments
            )
            assert result.ret == (pytest.ExitCode.OK if tests == "all passed" else pytest.ExitCode.TESTS_FAILED)
            listed = [entry["test"] for entry in entries()]
            assert sum(name != "-" for name, _ in rows(result)) == len(
                set(listed)
            )  # - is another score of the same test
            return listed

        return run

    def test_every_way_of_comparing(self, write_tests, owners, entries):
        write_tests("""
            def test_1(bayes_compare): bayes_compare(BASELINE, EQUIVALENT)
            def test_2(): compare(BASELINE, EQUIVALENT)
            def test_3(): assert_not_worse(BASELINE, EQUIVALENT)
            def test_4(): assert_not_inferior(BASELINE, EQUIVALENT)
            def test_5(): assert_better(BASELINE, MUCH_BETTER)
            def test_6(): assert_equivalent(BASELINE, EQUIVALENT)
            def test_7(): assert_at_least(BASELINE, 0.8)
            def test_8(): pass
        """)
        owners()
        policies = ("not_worse", "not_inferior", "better", "equivalent", "at_least")
        gates = [("compare", ""), ("compare", ""), *((f"assert_{policy}", "passed") for policy in policies)]
        assert sorted((entry["test"], entry["gate"], entry["verdict"]) for entry in entries()) == [
            (f"test_gates.py::test_{number}", *gate) for number, gate in enumerate(gates, 1)
        ]

    def test_setup_and_teardown_belong_to_their_test(self, write_tests, owners, entries):
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
        assert owners() == ["test_gates.py::test_inside"] * 3
        assert [entry["decision"] for entry in entries()] == ["≪", "≈", ">"]

    def test_parametrised_tests_and_classes(self, write_tests, owners):
        write_tests("""
            import unittest

            class TestGates:
                @pytest.mark.parametrize("measure", ["accuracy", "f1[1]"])
                def test_measure(self, measure):
                    assert_not_worse(BASELINE, EQUIVALENT, measure=measure)

            class Gates(unittest.TestCase):
                def setUp(self):
                    assert_not_worse(BASELINE, EQUIVALENT)

                def test_measure(self):
                    assert_not_worse(BASELINE, EQUIVALENT)
        """)
        assert sorted(owners()) == [
            "test_gates.py::Gates::test_measure",
            "test_gates.py::Gates::test_measure",
            "test_gates.py::TestGates::test_measure[accuracy]",
            "test_gates.py::TestGates::test_measure[f1[1]]",
        ]

    def test_asynchronous_tests(self, pytester, write_tests, entries):
        write_tests("""
            import unittest

            class Async(unittest.IsolatedAsyncioTestCase):
                async def test_measure(self):
                    assert_not_worse(BASELINE, EQUIVALENT)
        """)
        # apart, for the tests in Chromium leave their event loop running in the process
        pytester.runpytest_subprocess("--bayesf1-report=out/report.json", "--bayesf1-rope=0.02").assert_outcomes(
            passed=1
        )
        assert [entry["test"] for entry in entries()] == ["test_gates.py::Async::test_measure"]

    def test_ids_of_any_kind(self, write_tests, owners):
        write_tests("""
            @pytest.mark.parametrize("name", ["two\\nlines", "x" * 300, "A", "a", "é/b", "", "\\u202egnp"])
            def test_name(name):
                assert_not_worse(BASELINE, EQUIVALENT)
        """)
        assert len(set(owners())) == 7

    @pytest.mark.skipif(not hasattr(pytest, "Subtests"), reason="this pytest has no subtests")
    def test_subtests_belong_to_their_test(self, write_tests, owners):
        write_tests("""
            def test_all(subtests):
                for name in ("MUCH_WORSE", "EQUIVALENT"):
                    with subtests.test(name):
                        assert_not_worse(classifiers.BASELINE, getattr(classifiers, name))
        """)
        assert owners(tests="one failed") == ["test_gates.py::test_all"] * 2

    @pytest.mark.parametrize("workers", [[], ["-n2"]], ids=["here", "xdist"])
    def test_comparisons_at_import_use_the_projects_settings_and_belong_to_no_test(
        self, pytester, runpytest, write_tests, section, workers
    ):
        write_tests("""
            COMPARISON = compare(BASELINE, BETTER)

            def test_settings():
                assert COMPARISON.rope == (-0.03, 0.03)
                assert COMPARISON.seed == 5
        """)
        pytester.makeini("[pytest]\nbayesf1_rope = 0.03")
        result = runpytest("--bayesf1-seed=5", *workers, passed=1)
        assert section(result) == []

    def test_outside_pytest_everything_works(self, pytester):
        script = """
from pytest_bayesf1 import assert_not_worse, compare
from classifiers import BASELINE, BETTER, MUCH_WORSE
print(compare(BASELINE, BETTER, rope=0.02).decision.words)
try:
    assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
except AssertionError as error:
    print(str(error).splitlines()[0])
"""
        result = pytester.run(sys.executable, "-c", script)
        assert result.ret == 0
        result.stdout.fnmatch_lines(
            ["leaning better", "≪ macro-F1 −10.0 points (you allow 2): 0.900 → 0.800"], consecutive=True
        )

    def test_gates_in_threads_belong_to_their_test(self, runpytest, write_tests, rows):
        write_tests("""
            from concurrent.futures import ThreadPoolExecutor
            def test_spam_filter():
                with ThreadPoolExecutor() as pool:
                    pool.submit(assert_not_worse, BASELINE, BASELINE).result()
        """)
        result = runpytest("--bayesf1-rope=0.02", passed=1)
        assert [test for test, _ in rows(result)] == ["test_spam_filter"]


FLAKY = """
    from pathlib import Path

    def attempt():
        file = Path(__file__).with_name("attempts")
        number = len(file.read_text()) if file.exists() else 0
        file.write_text("x" * (number + 1))
        return number

    @pytest.fixture
    def prepared(request):
        request.node.user_properties.append(("mine", "kept"))
        compare(BASELINE, BETTER, rope=0.02, measure="accuracy")

    def test_gate(prepared):
        candidate = [MUCH_WORSE, {then}][attempt()]
        compare(BASELINE, BETTER, rope=0.02)
        assert_not_worse(BASELINE, candidate, rope=0.02)
"""


def outcomes(document):
    return [(entry["verdict"], entry["measure"], entry["decision"]) for entry in document["entries"]]


class TestReruns:
    @pytest.fixture
    def run(self, pytester, write_tests, document):
        def report(*arguments, then="EQUIVALENT"):
            write_tests(FLAKY.format(then=then))
            result = pytester.runpytest(
                "--reruns=1", "--bayesf1-report=out/report.json", "--junit-xml=junit.xml", *arguments
            )
            assert document()["complete"]
            return result

        return report

    @WORKERS
    @pytest.mark.one_of_many
    def test_a_rerun_that_passes_leaves_no_failure(self, run, document, rows, workers):
        result = run(workers)
        assert result.ret == pytest.ExitCode.OK
        assert outcomes(document()) == [("", "f1_macro", ">"), ("", "accuracy", ">"), ("passed", "f1_macro", "≈")]
        assert [row.split()[0] for _, row in rows(result)] == ["passed"]

    def test_a_setup_that_fails_first(self, pytester, write_tests, document):
        write_tests("""
            candidates = [EQUIVALENT, MUCH_WORSE]
            @pytest.fixture
            def gate():
                assert_not_worse(BASELINE, candidates.pop(), rope=0.02)
            def test_gate(gate):
                pass
        """)
        assert pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json").ret == pytest.ExitCode.OK
        assert outcomes(document()) == [("passed", "f1_macro", "≈")]

    @pytest.mark.parametrize(("setup", "call"), [("attempt()", ""), ("pass", "attempt(); ")], ids=["setup", "call"])
    def test_a_rerun_that_is_interrupted_is_missing_and_its_earlier_attempt_forgotten(
        self, pytester, write_tests, document, setup, call
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
        assert document()["missing"] == ["test_gates.py::test_gate"]
        assert outcomes(document()) == []

    @pytest.mark.long
    def test_a_crash_that_a_rerun_makes_good_leaves_nothing_missing(self, pytester, write_tests, document):
        write_tests("""
            import os
            from pathlib import Path

            def test_gate():
                assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
                marker = Path(__file__).with_name("crashed")
                if not marker.exists():
                    marker.touch()
                    os._exit(1)
        """)
        pytester.runpytest("--reruns=1", "--bayesf1-report=out/report.json", "-n1")
        assert document()["complete"]
        assert outcomes(document()) == [("passed", "f1_macro", "≈")]


def test_what_a_shared_fixture_compares_belongs_to_the_first_test(pytester, write_tests, entries):
    write_tests("""
        @pytest.fixture(scope="module")
        def shared():
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

        def test_first(shared):
            pass

        def test_second(shared):
            pass
    """)
    pytester.runpytest("--bayesf1-report=out/report.json", "-p", "no:randomly").assert_outcomes(passed=2)
    assert [(entry["test"], entry["verdict"]) for entry in entries()] == [("test_gates.py::test_first", "passed")]
