"""How a verdict reaches the person who runs pytest: failures, warnings, errors and what could not be told.

The messages themselves are in the transcript of `test_transcripts.py`.
"""

from xml.etree import ElementTree as ET

import pytest

from tests.functional.gates import write_gates, write_matrices

# the filters of the outer run hold inside an inner one, and they turn warnings into errors
pytestmark = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")


class TestFailingGate:
    SELDOM = (["--tb=short"], ["--tb=line"], ["-vv"], ["-n1"])

    @pytest.mark.parametrize(
        "style", [[], ["--tb=native"], *(pytest.param(style, marks=pytest.mark.long) for style in SELDOM)]
    )
    def test_it_points_to_the_users_line_whatever_the_style(self, runpytest, write_tests, has_no_package_frames, style):
        write_tests("""
            def test_spam_filter():
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

            def test_something_else():
                pass
        """)
        result = runpytest(*style, failed=1, passed=1)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.re_match_lines([r".*test_gates\.py(:3:|\", line 3)"])
        result.stdout.fnmatch_lines(["*≪ macro-F1 −10.0 points (you allow 2): 0.900 → 0.800"])
        assert has_no_package_frames(result)

    def test_ci_and_terminals_of_few_characters_show_it_on_one_line(self, pytester, write_tests, section, monkeypatch):
        monkeypatch.setenv("CI", "true")
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setenv("PYTHONIOENCODING", "ascii")
        name = "test_of_so_long_a_name_that_the_command_to_accept_its_loss_would_be_wrapped"
        write_tests(f"""
            def {name}():
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
        """)
        result = pytester.runpytest_subprocess("--tb=no")
        assert f'bayesf1 accept test_gates.py::{name} --reason "..."' in result.outlines
        failed = result.outlines[-2]  # one line of the summary, though the message has many
        assert failed.startswith("FAILED test_gates.py::")
        assert failed.endswith("0.800")
        lines = section(result)
        assert any("\\u2192" in line for line in lines)
        assert all(line.isascii() for line in lines)


class TestUndecided:
    @pytest.fixture(autouse=True)
    def _gates(self, pytester, write_tests):
        write_tests("""
            def test_open():
                assert_not_worse(BASELINE, UNDECIDED, rope=0.02)

            def test_equivalent():
                assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
        """)
        write_matrices(pytester.path)
        write_gates(pytester.path, spam="UNDECIDED")

    @pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
    def test_it_passes_by_its_own_name_and_count(self, pytester, runpytest, workers, section, document):
        options = ("-W", "error::pytest_bayesf1.BayesF1Warning")  # not even as an error is a warning raised unasked
        result = runpytest(workers, *options, "--bayesf1-report=out", "--junit-xml=junit.xml", passed=3, warnings=0)
        assert result.ret == pytest.ExitCode.OK
        first, open_gates, *_ = section(result)
        assert first == "2 of 3 gates could not tell · 1 passed"
        assert open_gates.startswith("2 could not tell: spam needs ")
        counts = {name: count for name, count in document()["counts"].items() if count}
        assert counts == {"total": 3, "undecided": 2, "passed": 1}
        verdicts = {
            each.get("value")
            for case in ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
            for each in case.iter("property")
            if each.get("name") == "bayesf1.1.verdict" and case.get("name") != "test_equivalent"
        }
        assert verdicts == {"undecided"}


def test_leaning_worse_passes_and_warns_at_the_users_line_unless_warnings_are_errors(
    pytester, runpytest, write_tests, has_no_package_frames
):
    write_tests("""
        def test_spam_filter():
            assert_not_worse(BASELINE, WORSE, rope=0.02)
    """)
    result = runpytest("-n1", passed=1, warnings=1)
    result.stdout.fnmatch_lines(
        [
            "*test_gates.py:3: LeaningWorseWarning: < macro-F1 −* points (you allow 2): *",
            "*assert_not_worse(BASELINE, WORSE, rope=0.02)",
        ]
    )
    assert result.ret == pytest.ExitCode.OK
    pytester.makeini("[pytest]\nfilterwarnings = error::pytest_bayesf1.BayesF1Warning")
    result = runpytest(failed=1)
    result.stdout.fnmatch_lines(["test_gates.py:3: LeaningWorseWarning"])
    assert has_no_package_frames(result)
