"""A run that is cut short reports what finished, says that it is incomplete, and names what is missing."""

import pytest

STOPS = """
    import os
    import pytest
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE, EQUIVALENT, MUCH_WORSE

    def test_1():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_2():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
        {stop}

    def test_3():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""

BROKEN = "import no_such_module"


@pytest.fixture
def run(pytester, document):
    """Run the tests in their order and return pytest's result and the report."""

    def report(*arguments):
        options = ["-p", "no:randomly", "--bayesf1-report=out/report.json"]
        result = pytester.runpytest(*options, *arguments, no_reraise_ctrlc=True)
        return result, document()

    return report


def finished(document):
    return [entry["test"].removeprefix("test_gates.py::") for entry in document["entries"]]


def missing(document):
    assert document["complete"] == (document["missing"] == [])
    return [test.removeprefix("test_gates.py::") for test in document["missing"]]


def test_a_run_that_ends_is_complete(pytester, run, section):
    pytester.makepyfile(test_gates=STOPS.format(stop=""))
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
def test_an_interrupted_test_and_those_after_it_are_missing(pytester, run, section, stop, status):
    pytester.makepyfile(test_gates=STOPS.format(stop=stop))
    result, document = run()
    assert result.ret == status
    assert finished(document) == ["test_1"]
    assert missing(document) == ["test_2", "test_3"]
    assert section(result)[4] == "Incomplete: 2 tests did not finish: test_gates.py::test_2, test_gates.py::test_3"


@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_tests_after_the_last_tolerated_failure_are_missing(pytester, run, option):
    pytester.makepyfile(test_gates=STOPS.format(stop="assert False"))
    _, document = run(option)
    assert finished(document) == ["test_1", "test_2"]
    assert missing(document) == ["test_3"]


def test_a_failure_that_stops_the_run_after_its_last_test_leaves_nothing_out(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop=""), test_last="def test_fails(): assert False")
    _, document = run("-x")
    assert missing(document) == []


def test_an_internal_error(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop=""))
    pytester.makeconftest("""
        def pytest_runtest_logfinish(nodeid):
            if nodeid.endswith("test_2"):
                raise RuntimeError("a plugin's bug")
    """)
    result, document = run()
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert finished(document) == ["test_1", "test_2"]
    assert missing(document) == ["test_3"]


def test_when_collecting_is_interrupted_what_was_asked_for_is_missing(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop=""), test_later="raise KeyboardInterrupt")
    _, document = run("test_gates.py", "test_later.py")
    assert missing(document) == ["test_gates.py", "test_later.py"]


def test_what_cannot_be_found_is_missing(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop=""))
    result, document = run("test_gates.py::test_9")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert missing(document) == ["test_9"]


def test_a_file_that_cannot_be_collected_is_missing_and_so_are_the_tests_it_kept_from_running(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop=""), test_broken=BROKEN)
    result, document = run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert missing(document) == ["test_broken.py", "test_1", "test_2", "test_3"]


def test_a_file_that_cannot_be_collected_is_missing_although_others_ran(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop=""), test_broken=BROKEN)
    _, document = run("--continue-on-collection-errors")
    assert finished(document) == ["test_1", "test_2", "test_3"]
    assert missing(document) == ["test_broken.py"]


def test_an_error_in_collecting_that_stops_the_run_at_once(pytester, run):
    pytester.makepyfile(test_broken=BROKEN, test_gates=STOPS.format(stop=""))
    _, document = run("-x", "test_broken.py", "test_gates.py")
    assert missing(document) == ["test_broken.py", "test_gates.py"]


def test_deselected_and_skipped_tests_are_not_missing(pytester, run):
    pytester.makepyfile(test_gates=STOPS.format(stop="pytest.skip('not today')"))
    pytester.makeconftest("""
        def pytest_collection_modifyitems(items):
            items[:] = [item for item in items if item.name != "test_3"]
    """)
    _, document = run("--deselect=test_gates.py::test_1")
    assert missing(document) == []


def test_an_incomplete_run_without_comparisons_says_so_where_a_report_was_asked_for(pytester, run, section):
    pytester.makepyfile(test_gates="def test_1(): raise KeyboardInterrupt")
    result, document = run("--bayesf1-report=out")  # all of it, not the JSON alone
    assert missing(document) == ["test_1"]
    line = "Incomplete: 1 test did not finish: test_gates.py::test_1"
    assert section(result)[0] == line
    assert f">{line}<" in (pytester.path / "out" / "report.html").read_text("utf-8")
    text = (pytester.path / "out" / "report.md").read_text("utf-8")
    assert "**Incomplete: 1 test did not finish: test\\_gates.py::test\\_1**" in text


def test_an_incomplete_run_without_comparisons_is_silent_otherwise(pytester, section):
    pytester.makepyfile("def test_1(): raise KeyboardInterrupt")
    assert section(pytester.runpytest(no_reraise_ctrlc=True)) == []


@pytest.mark.parametrize("option", ["--collect-only", "--fixtures", "--fixtures-per-test", "--cache-show"])
@pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["here", "xdist"])
@pytest.mark.one_of_many
def test_what_runs_no_tests_writes_no_report(pytester, section, option, workers):
    pytester.makepyfile(test_gates=STOPS.format(stop=""))
    result = pytester.runpytest("--bayesf1-report=out", option, *workers)
    assert section(result) == []
    assert not (pytester.path / "out").exists()
