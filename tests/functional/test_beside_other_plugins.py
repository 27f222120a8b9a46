"""Other plugins do their work, and so does this one."""

import pytest

GATES = """
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE, EQUIVALENT, MUCH_WORSE

    def test_passes():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
"""

WORKERS = pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])


@pytest.fixture
def run(pytester, document):
    """Run two gates beside other plugins, and check that the report is the same as without."""
    pytester.makepyfile(test_gates=GATES)

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
def test_pytest_html(pytester, run, workers):
    run("--html=tests.html", "--self-contained-html", workers)
    text = (pytester.path / "tests.html").read_text("utf-8")
    assert "test_gates.py::test_fails" in text
    assert "macro-F1 \\u221210.0 points" in text or "macro-F1 −10.0 points" in text


@WORKERS
@pytest.mark.long
def test_pytest_cov(run, workers):
    result = run("--cov=classifiers", workers)
    result.stdout.fnmatch_lines(["classifiers.py * 0 *100%"])


@WORKERS
def test_pytest_randomly(run, workers):
    run("--randomly-seed=7", workers).stdout.fnmatch_lines(["Using --randomly-seed=7"])


@WORKERS
def test_pytest_rerunfailures(run, workers):
    run("--reruns=2", workers).stdout.fnmatch_lines(["*1 failed, 1 passed, 2 rerun*"])


@pytest.mark.long
def test_all_at_once(pytester, run):
    run("--html=tests.html", "--cov=classifiers", "--reruns=1", "--randomly-seed=7", "-n2", "--junit-xml=junit.xml")
    assert (pytester.path / "tests.html").exists()
    assert (pytester.path / "junit.xml").exists()
