from xml.etree import ElementTree as ET

import pytest

from pytest_bayesf1 import compare
from pytest_bayesf1.words.results import facts, statistics
from tests.functional.classifiers import BASELINE, MUCH_WORSE, ROPE
from tests.functional.gates import write_gates, write_matrices

# the filters of the outer run hold inside an inner one, and they turn warnings into errors
WARNINGS = pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
TESTS = """
    FEW = [[30, 10], [8, 32]]

    def test_first():
        assert_not_worse(FEW, FEW, rope=0.01)

    def test_second():
        assert_not_worse(FEW, FEW, rope=0.01)
"""


class TestUnderpoweredGates:
    pytestmark = WARNINGS

    def test_one_warning_a_run(self, runpytest, write_tests):
        write_tests(TESTS)
        result = runpytest("-p", "no:randomly", "-n0", passed=2, warnings=1)
        result.stdout.fnmatch_lines(["test_gates.py::test_first", "*With 80 examples this gate catches losses of *"])

    def test_a_gate_of_a_file_is_named_and_can_be_silenced_by_its_name(self, pytester):
        few = "30,10\n8,32\n"
        pytester.makefile(".csv", few=few, same=few)
        pytester.makefile(".yaml", bayesf1="gates:\n  mail: {baseline: few.csv, candidate: same.csv, rope: 0.01}")
        result = pytester.runpytest("-n0")
        result.stdout.fnmatch_lines(
            ["*bayesf1.yaml:2: UnderpoweredGateWarning: mail: With 80 examples this gate catches *"]
        )
        silenced = pytester.runpytest("-n0", "-W", "ignore:mail:pytest_bayesf1.UnderpoweredGateWarning")
        silenced.stdout.no_fnmatch_line("*UnderpoweredGateWarning: *")


SELDOM = [["--tb=long"], ["--tb=line"], ["-vv"], ["-n1"]]
STYLES = [[], ["--tb=short"], ["--tb=native"], *(pytest.param(style, marks=pytest.mark.long) for style in SELDOM)]
each_style = pytest.mark.parametrize("style", STYLES, ids=lambda style: " ".join(style) or "default")


def said(result):
    """Return what pytest shows of an error, line by line."""
    return [line.removeprefix("E").strip() for line in result.outlines if line.startswith("E ")]


DO = "Do: Find what changed (data, features, labels) before merging."


class TestFailingGate:
    @pytest.fixture
    def failing_test(self, write_tests):
        write_tests("""
            def test_spam_filter():
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

            def test_something_else():
                pass
        """)

    @each_style
    def test_it_points_to_the_users_line_whatever_the_style(
        self, runpytest, failing_test, has_no_package_frames, style
    ):
        result = runpytest(*style, failed=1, passed=1)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        result.stdout.re_match_lines([r".*test_gates\.py(:3:|\", line 3)"])
        if style != ["--tb=line"]:
            result.stdout.fnmatch_lines(["*assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)"])
        result.stdout.fnmatch_lines(["*≪ macro-F1 −10.0 points (you allow 2): 0.900 → 0.800"])
        assert has_no_package_frames(result)

    @pytest.mark.parametrize("style", [[], ["-n1"]], ids=" ".join)
    def test_message_is_short_and_fits_into_80_columns(self, pytester, failing_test, style):
        result = pytester.runpytest(*style)
        lines = said(result)
        assert len(lines) <= 12
        assert max(len(line) for line in result.outlines if line.startswith("E ")) <= 80
        assert lines[1].startswith(DO)
        figures = ["95% likely", "F1 falls in", "errors", "more"]
        assert [name for line in lines for name in figures if line.startswith(f"{name} ")] == figures

    def test_message_says_where_the_report_is(self, pytester, failing_test):
        assert said(pytester.runpytest("--bayesf1-report=out"))[-1] == "more        out/report.html, or pytest -v"
        assert said(pytester.runpytest("--bayesf1-report=o/a.json"))[-1] == "more        o/a.json, or pytest -v"

    @pytest.mark.parametrize("style", [[], ["--tb=short"], ["-n1"]], ids=" ".join)
    def test_message_has_every_figure_with_v(self, pytester, failing_test, style):
        comparison = compare(BASELINE, MUCH_WORSE, rope=ROPE)
        text = pytester.runpytest("-v", *style).stdout.str()
        told = [part for _, figures in (*facts(comparison), *statistics(comparison)) for part in figures.split("   ")]
        assert all(part in text for part in told if len(part) < 40)  # what is longer is wrapped
        assert DO in text

    def test_the_users_own_helpers_stay_in_the_traceback(self, pytester, write_tests, has_no_package_frames):
        write_tests(
            gates="""
                def gate(baseline, candidate):
                    assert_not_worse(baseline, candidate, rope=0.02)
            """,
            test_gate="""
                from gates import gate

                def test_spam_filter():
                    gate(BASELINE, MUCH_WORSE)
            """,
        )
        result = pytester.runpytest()
        result.stdout.fnmatch_lines(
            [">*gate(BASELINE, MUCH_WORSE)", ">*assert_not_worse(baseline, candidate, rope=0.02)"]
        )
        assert has_no_package_frames(result)

    def test_a_failing_gate_in_a_fixture_is_an_error_of_the_test(self, runpytest, write_tests, has_no_package_frames):
        write_tests("""
            @pytest.fixture
            def gate():
                assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

            def test_spam_filter(gate):
                pass
        """)
        result = runpytest(errors=1)
        assert has_no_package_frames(result)

    def test_a_bug_in_a_custom_measure_keeps_its_full_traceback(self, runpytest, write_tests):
        write_tests("""
            def cost(p):
                return p[..., 0, 1] * {}["price"]

            def test_spam_filter():
                assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=cost)
        """)
        result = runpytest(failed=1)
        result.stdout.fnmatch_lines(
            [
                ">*assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=cost)",
                "*classification.py:*",
                '>*return p[[]..., 0, 1[]] * {}[[]"price"[]]',
                "E*KeyError: 'price'",
            ]
        )

    def test_a_failing_assert_in_a_custom_measure_shows_itself(self, pytester, write_tests):
        write_tests("""
            def cost(p):
                assert p.shape[-1] == 3
                return p[..., 0, 1]

            def test_spam_filter():
                assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=cost)
        """)
        result = pytester.runpytest()
        result.stdout.fnmatch_lines([">*assert p.shape[[]-1[]] == 3", "E*assert 2 == 3"])

    @pytest.mark.parametrize(
        "source",
        [
            """
            import unittest
            class Gates(unittest.TestCase):
                def test_spam_filter(self):
                    assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
            """,
            """
            def test_spam_filter():
                try:
                    assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)
                except AssertionError as error:
                    raise RuntimeError("nightly gate") from error
            """,
        ],
        ids=["unittest", "a chained exception"],
    )
    def test_other_failures_show_no_package_frames(self, runpytest, write_tests, has_no_package_frames, source):
        write_tests(source)
        result = runpytest(failed=1)
        assert has_no_package_frames(result)

    def test_a_bug_inside_the_package_keeps_its_frames(self, runpytest, write_tests):
        write_tests("""
            import pytest_bayesf1.gates.assertions

            def test_spam_filter(monkeypatch):
                monkeypatch.setattr(pytest_bayesf1.gates.assertions, "judge", lambda *_: None)
                assert_not_worse([[9, 1], [1, 9]], [[9, 1], [1, 9]], rope=0.02)
        """)
        result = runpytest(failed=1)
        result.stdout.fnmatch_lines(["*pytest_bayesf1*assertions.py:*AttributeError*"])

    def test_a_chain_of_exceptions_that_bites_its_tail(self, pytester, write_tests):
        write_tests("""
            def test_cycle():
                a, b = ValueError("a"), ValueError("b")
                a.__cause__, b.__cause__ = b, a
                raise a
        """)
        pytester.runpytest_subprocess(timeout=60).assert_outcomes(failed=1)


MISTAKES = {
    "compare([[5, -1], [1, 5]], BASELINE, rope=0.02)": "baseline, counts: 1 of 4 is negative (-1*",
    "bayes_compare(BASELINE, [[0, 0], [0, 0]], rope=0.02)": "candidate, counts: All counts are 0*",
    "assert_better(BASELINE, BETTER, rope=0.02, measure='f1_makro')": "measure: *'f1_makro'. There are *",
    "assert_at_least(BASELINE, 'high')": "floor: expected a finite number, got 'high'",
    "ConfusionMatrix([[0.9, 0.1], [0.1, 0.9]])": "counts: 4 of 4 are no whole number (0.9*",
}


@pytest.mark.parametrize(("call", "message"), MISTAKES.items(), ids=MISTAKES)
def test_one_clear_line_at_the_users_line(runpytest, write_tests, has_no_package_frames, call, message):
    write_tests(f"""
        def test_spam_filter(bayes_compare):
            {call}
    """)
    result = runpytest(failed=1)
    (line,) = [line for line in result.outlines if line.startswith("E ")]
    pytest.LineMatcher([line]).fnmatch_lines([f"E *InputError: {message}"])
    assert f">       {call}" in result.outlines
    assert has_no_package_frames(result)


@pytest.mark.parametrize(
    "style", ["--tb=short", "--tb=long", "--tb=native", pytest.param("-n1", marks=pytest.mark.long)]
)
def test_in_every_style(runpytest, write_tests, has_no_package_frames, style):
    write_tests("""
        def test_spam_filter():
            assert_not_worse([[1, 2]], [[1, 2]], rope=0.02)
    """)
    result = runpytest(style, failed=1)
    result.stdout.fnmatch_lines(["*InputError: baseline: expected a square matrix of *, got * of shape (1, 2)*"])
    result.stdout.no_fnmatch_line("*During handling*")
    assert has_no_package_frames(result)


def test_the_report_says_that_there_is_no_answer(pytester, write_tests, section, entries):
    write_tests("""
        def test_spam_filter():
            assert_not_worse(BASELINE, [[1, 2]], rope=0.02)
    """)
    result = pytester.runpytest("--bayesf1-report=out")
    first, row = section(result)[:2]
    assert first == "The gate had an error · blocks merge"
    assert row.startswith("ERROR     test_spam_filter  ")
    (entry,) = entries()
    assert entry["kind"] == entry["verdict"] == "error"
    assert entry["headline"].startswith("candidate: expected a square matrix")
    assert "The gate had an error" in (pytester.path / "out" / "report.html").read_text("utf-8")
    assert "## ❌ The gate had an error" in (pytester.path / "out" / "report.md").read_text("utf-8")


LABELS = """
    import numpy as np

    LABELS = ["art", "law", "war"]

    def tables():
        rng = np.random.default_rng(0)
        y_true = rng.random((3000, 3)) < [0.5, 0.3, 0.2]
        baseline = np.where(rng.random(y_true.shape) < 0.1, ~y_true, y_true)
        candidate = np.where(rng.random(y_true.shape) < [0.02, 0.02, 0.3], ~y_true, baseline)
        return y_true, baseline, candidate
"""
MULTILABEL_GATE = """
    from labels import LABELS, tables

    def sides():
        y_true, baseline, candidate = tables()
        return [MultilabelCounts.from_predictions(y_true, side, labels=LABELS) for side in (baseline, candidate)]

    def test_not_worse():
        assert_not_worse(*sides(), rope=0.01)

    def test_floor():
        assert_at_least(sides()[0], 0.7)

    def test_sets(bayes_compare):
        sets = [[{label for label, has in zip(LABELS, row) if has} for row in table] for table in tables()]
        side = MultilabelCounts.from_predictions(*sets[:2])
        assert bayes_compare(side, side, rope=0.01, measure="f1[law]").decision == "~"
"""


class TestMultilabel:
    def test_message_terminal_and_reports_speak_of_labels_and_examples(
        self, pytester, runpytest, write_tests, rows, entries
    ):
        write_tests(labels=LABELS, test_gates=MULTILABEL_GATE)
        result = runpytest("-v", "--bayesf1-report=out", failed=1, passed=2)
        result.stdout.fnmatch_lines(["E*≪ macro-F1 −* points (you allow 1): *", "E *F1 falls in war: * → *"])
        assert sorted(row.split()[0] for _, row in rows(result)) == ["FAILED", "no", "passed"]
        failed, *_ = entries()
        assert (failed["n_classes"], failed["n_samples"]) == (3, [3000, 3000])
        for name in ("report.html", "report.md"):
            text = (pytester.path / "out" / name).read_text("utf-8")
            assert all(words in text for words in ("worse", "war", "Yang &"))


CANDIDATES = ("MUCH_WORSE", "WORSE", "UNDECIDED", "EQUIVALENT", "BETTER", "MUCH_BETTER")


class TestOtherPolicies:
    @pytest.mark.parametrize(
        ("assertion", "candidate", "demand", "advice"),
        [
            ("assert_not_inferior", "UNDECIDED", "the data must show that you lose no more", "Test on more examples"),
            ("assert_not_inferior", "MUCH_WORSE", "the data must show that you lose no more", "Find what changed"),
            ("assert_better", "EQUIVALENT", "the candidate must be significantly better", "is as good, but not better"),
            ("assert_equivalent", "MUCH_BETTER", "the two must be practically equivalent", "Use assert_not_worse"),
        ],
    )
    def test_message_names_the_assertion_its_demand_and_what_to_do(
        self, pytester, write_tests, has_no_package_frames, assertion, candidate, demand, advice
    ):
        write_tests(f"""
            def test_gate():
                {assertion}(BASELINE, {candidate}, rope=0.02)
        """)
        result = pytester.runpytest()
        message = " ".join(said(result))
        assert f"demanded {demand}" in " ".join(message.split())
        assert f"({assertion})" in message
        assert advice in message
        assert has_no_package_frames(result)

    def test_at_least_fails_when_the_whole_hdi_lies_below_the_floor(
        self, runpytest, write_tests, rows, has_no_package_frames
    ):
        write_tests("""
            def test_passes():
                assert assert_at_least(BASELINE, 0.903, measure="accuracy").score.observed == 0.9

            def test_gate():
                assert_at_least(BASELINE, 0.95, measure="accuracy")
        """)
        result = runpytest("-v", passed=1, failed=1)
        result.stdout.fnmatch_lines(
            [
                ">*assert_at_least(BASELINE, 0.95, *",
                "E *accuracy 0.900 is below the floor of 0.95",
                "E *Do: Find what changed (data, features, labels), or lower the floor in",
            ]
        )
        row = dict(rows(result))["test_gate"]
        assert row.startswith("FAILED")
        assert row.endswith("≥ 0.95")
        assert has_no_package_frames(result)


UNDECIDED_SOURCE = """
    def test_open():
        assert_not_worse(BASELINE, UNDECIDED, rope=0.02)

    def test_equivalent():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


class TestUndecided:
    pytestmark = WARNINGS

    @pytest.fixture(autouse=True)
    def _gates(self, pytester, write_tests):
        write_tests(UNDECIDED_SOURCE)
        write_matrices(pytester.path)
        write_gates(pytester.path, spam="UNDECIDED")

    @pytest.fixture(params=["-n0", pytest.param("-n1", marks=pytest.mark.long)])
    def workers(self, request):
        return request.param

    @pytest.mark.one_of_many
    def test_it_passes_by_its_own_name_and_count(self, pytester, runpytest, workers, rows, section, document):
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

    @pytest.mark.parametrize("place", ["ini", "option"])
    @pytest.mark.one_of_many
    def test_the_project_can_ask_for_it(self, pytester, workers, place):
        pytester.makeini("[pytest]\nbayesf1_warn_undecided = true" if place == "ini" else "")
        result = pytester.runpytest(
            workers, *(["--bayesf1-warn-undecided"] if place == "option" else []), "--strict-config"
        )
        result.assert_outcomes(passed=3, warnings=2)
        result.stdout.fnmatch_lines(["*bayesf1.yaml:2: UndecidedWarning: [?] macro-F1 −*"])
        result.stdout.fnmatch_lines(["*test_gates.py:3: UndecidedWarning: [?] macro-F1 −*"])
        result.stdout.fnmatch_lines(["*Do: Test on more examples. These data cannot tell whether you lose*"])

    def test_then_it_can_be_a_failure(self, runpytest, has_no_package_frames):
        result = runpytest(
            "--bayesf1-warn-undecided", "-W", "error::pytest_bayesf1.UndecidedWarning", failed=2, passed=1
        )
        assert has_no_package_frames(result)

    def test_stored_baselines_warn_too(self, pytester, runpytest, write_tests):
        write_tests(
            test_stored="""
            import os

            def test_spam(bayes_regression):
                bayes_regression.check(UNDECIDED if os.environ.get("LATER") else BASELINE, rope=0.02)
        """
        )
        pytester.runpytest("test_stored.py", "--bayesf1-update=new").assert_outcomes(passed=1)
        pytester._monkeypatch.setenv("LATER", "1")
        pytester.runpytest("test_stored.py").assert_outcomes(passed=1, warnings=0)
        result = runpytest("test_stored.py", "--bayesf1-warn-undecided", passed=1, warnings=1)
        result.stdout.fnmatch_lines(["*test_stored.py:5: UndecidedWarning: *"])


class TestWarning:
    pytestmark = WARNINGS

    @pytest.fixture
    def gate(self, write_tests):
        write_tests("""
            def test_spam_filter():
                assert_not_worse(BASELINE, WORSE, rope=0.02)
        """)

    @pytest.mark.parametrize("workers", [[], ["-n1"]], ids=["here", "xdist"])
    def test_leaning_worse_passes_and_warns_at_the_users_line(self, runpytest, gate, workers):
        result = runpytest(*workers, passed=1, warnings=1)
        result.stdout.fnmatch_lines(
            [
                "*test_gates.py:3: LeaningWorseWarning: < macro-F1 −* points (you allow 2): *",
                "*Do: Test on more examples. These data suggest that the score fell*",
                "*assert_not_worse(BASELINE, WORSE, rope=0.02)",
            ]
        )
        assert result.ret == pytest.ExitCode.OK

    def test_warning_can_be_turned_into_a_failure(self, pytester, runpytest, gate, has_no_package_frames):
        pytester.makeini("[pytest]\nfilterwarnings = error::pytest_bayesf1.BayesF1Warning")
        result = runpytest(failed=1)
        result.stdout.fnmatch_lines(
            [
                ">*assert_not_worse(BASELINE, WORSE, rope=0.02)",
                "E *LeaningWorseWarning: < macro-F1 −*",
                "test_gates.py:3: LeaningWorseWarning",
            ]
        )
        assert has_no_package_frames(result)

    def test_warning_can_be_expected(self, pytester, write_tests):
        write_tests("""
            from pytest_bayesf1 import BayesF1Warning

            def test_spam_filter():
                with pytest.warns(BayesF1Warning, match="leaning worse"):
                    comparison = assert_not_worse(BASELINE, WORSE, rope=0.02)
                assert comparison.decision == "<"
        """)
        pytester.runpytest().assert_outcomes(passed=1, warnings=0)


SOURCE = """
    def test_gate():
        assert_not_worse(BASELINE, MUCH_WORSE{})
"""
TOLD = "WideRopeWarning: The rope 0.4 means that you allow 40 points: *Did you mean 0.004 for 0.4 points?*"


class TestWideRope:
    pytestmark = WARNINGS

    @pytest.mark.parametrize(("argument", "warnings"), [(", rope=0.4", 1), (', rope=(0.4, "wide")', 0)])
    def test_in_a_call(self, runpytest, write_tests, argument, warnings):
        write_tests(SOURCE.format(argument))
        result = runpytest(passed=1, warnings=warnings)
        if warnings:
            result.stdout.fnmatch_lines([f"*test_gates.py:3: {TOLD}"])

    @pytest.mark.parametrize(("rope", "warnings"), [("0.4", 1), ("0.4, wide", 0)])
    @pytest.mark.parametrize("place", ["ini", "option"])
    @pytest.mark.one_of_many
    def test_in_a_setting_of_the_project(self, pytester, runpytest, write_tests, rope, warnings, place):
        write_tests(SOURCE.format(""))
        pytester.makeini(f"[pytest]\nbayesf1_rope = {rope}" if place == "ini" else "")
        result = runpytest(
            *([f"--bayesf1-rope={rope}"] if place == "option" else []), "-n1", passed=1, warnings=warnings
        )
        if warnings:
            result.stdout.fnmatch_lines([f"*test_gates.py:3: {TOLD}"])

    def test_it_can_be_a_failure(self, pytester, runpytest):
        write_matrices(pytester.path)
        write_gates(pytester.path, spam={"candidate": "EQUIVALENT", "rope": 0.4})
        result = runpytest("-W", "error::pytest_bayesf1.BayesF1Warning", failed=1)
        result.stdout.fnmatch_lines(["*_ gate spam _*", "The rope 0.4 means that you allow 40 points: *"])
