"""What workers do to a run: the report holds what reached the main process, and names the rest."""

import pytest

GATES = """
    import os
    import time
    import pytest
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE, EQUIVALENT

    @pytest.fixture
    def prepared():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure="accuracy")

    @pytest.mark.parametrize("number", range(6))
    def test_gate(number, prepared):
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
        if number == 3:
            {stop}
"""


@pytest.fixture
def run(pytester, document):
    """Run the tests in workers and return what finished and what is missing, after checking that nothing else is."""

    def report(*arguments, stop="os._exit(1)"):
        pytester.makepyfile(test_gates=GATES.format(stop=stop))
        pytester.runpytest("-p", "no:randomly", "--bayesf1-report=out/report.json", *arguments)
        found = document()
        assert found["complete"] == (found["missing"] == [])
        assert sorted({entry["test"] for entry in found["entries"]} | set(found["missing"])) == TESTS
        return found

    return report


TESTS = [f"test_gates.py::test_gate[{number}]" for number in range(6)]
CRASHED = TESTS[3]


def finished(document):
    return {entry["test"] for entry in document["entries"] if entry["measure"] == "f1_macro"}


@pytest.mark.parametrize("workers", [pytest.param("-n1", marks=pytest.mark.long), "-n2"])
def test_a_worker_that_is_replaced_misses_only_the_test_that_crashed_it(run, workers):
    found = run(workers)
    assert found["missing"] == [CRASHED]
    assert finished(found) == {*TESTS} - {CRASHED}
    # what was reported before the crash stays
    assert [entry["measure"] for entry in found["entries"] if entry["test"] == CRASHED] == ["accuracy"]


@pytest.mark.long
def test_a_worker_that_is_not_replaced_misses_all_that_nobody_ran(run):
    found = run("-n2", "--max-worker-restart=0")
    assert CRASHED in found["missing"]
    assert finished(found) | {*found["missing"]} == {*TESTS}
    assert not finished(found) & {*found["missing"]}


@pytest.mark.long
def test_with_one_worker_those_after_the_crash_are_missing(run):
    assert run("-n1", "--max-worker-restart=0")["missing"] == TESTS[3:]


@pytest.mark.parametrize(
    "stop", ["raise KeyboardInterrupt", pytest.param("pytest.exit('enough')", marks=pytest.mark.long)]
)
@pytest.mark.long
def test_an_interrupted_worker(run, stop):
    found = run("-n2", stop=stop)
    assert CRASHED in found["missing"]
    assert finished(found) | {*found["missing"]} == {*TESTS}


def test_stopping_at_a_failure(run):
    found = run("-n1", "--maxfail=1", stop="assert False")
    assert found["missing"] == TESTS[4:]


@pytest.mark.long
def test_files_that_cannot_be_collected(pytester, document):
    pytester.makepyfile(test_gates=GATES.format(stop="pass"), test_broken="import no_such_module")
    pytester.runpytest("--bayesf1-report=out/report.json", "-n2", "--continue-on-collection-errors")
    assert document()["missing"] == ["test_broken.py"]


@pytest.mark.long
def test_workers_that_crash_while_they_collect(pytester, document):
    pytester.makepyfile(test_gates=GATES.format(stop="pass"), test_crash="import os\nos._exit(1)")
    pytester.runpytest(
        "--bayesf1-report=out/report.json", "-n2", "--max-worker-restart=0", "test_gates.py", "test_crash.py"
    )
    assert document()["missing"] == ["test_crash.py", "test_gates.py"]


@pytest.mark.long
def test_workers_that_are_interrupted_while_they_collect(pytester, document):
    pytester.makepyfile(test_later=GATES.format(stop="pass"), test_crash="raise KeyboardInterrupt")
    pytester.runpytest("--bayesf1-report=out/report.json", "-n1", "test_crash.py", "test_later.py")
    assert document()["missing"] == ["test_crash.py", "test_later.py"]


def test_an_internal_error_in_a_worker(pytester, document):
    pytester.makepyfile(test_gates=GATES.format(stop="pass"))
    pytester.makeconftest("""
        def pytest_runtest_logfinish(nodeid):
            if "[3]" in nodeid:
                raise RuntimeError("a plugin's bug")
    """)
    pytester.runpytest("-p", "no:randomly", "--bayesf1-report=out/report.json", "-n1")
    assert document()["missing"] == TESTS[4:]


def test_workers_that_find_nothing_to_run_are_complete(pytester, document):
    pytester.makepyfile(test_gates="")
    pytester.runpytest("--bayesf1-report=out/report.json", "-n2")
    assert document()["complete"]


@pytest.mark.long
def test_workers_that_cannot_find_what_they_are_asked_for(pytester, document):
    pytester.makepyfile(test_gates=GATES.format(stop="pass"))
    pytester.runpytest("--bayesf1-report=out/report.json", "-n2", "test_gates.py::test_9")
    assert document()["missing"] == ["test_gates.py::test_9"]


@pytest.mark.long
def test_workers_with_an_internal_error_while_they_collect(pytester, document):
    pytester.makepyfile(test_gates=GATES.format(stop="pass"))
    pytester.makeconftest("def pytest_collection_modifyitems(items):\n    items.clear()\n    raise RuntimeError")
    pytester.runpytest("--bayesf1-report=out/report.json", "-n2", "test_gates.py")
    assert document()["missing"] == ["test_gates.py"]
