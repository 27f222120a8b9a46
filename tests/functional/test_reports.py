"""What a run leaves behind: report.json, pages, JUnit, and what the terminal shows."""

import re
import sys
from html import unescape
from pathlib import Path

import pytest

from pytest_bayesf1.reports.record import load_report
from tests.functional.gates import write_gates, write_matrices

SCRIPT = """
import json
from pytest_bayesf1 import ConfusionMatrix, PairedCounts, compare
from classifiers import BASELINE, UNDECIDED
true = ["spam", "ham", "eggs", "ham", "spam", "eggs"] * 20
baseline = ["spam", "ham", "ham", "ham", "spam", "eggs"] * 20
candidate = ["spam", "eggs", "eggs", "ham", "ham", "eggs"] * 20
named = [ConfusionMatrix(each, ["spam", "ham"]) for each in (BASELINE, UNDECIDED)]
for comparison in (
    compare(BASELINE, UNDECIDED, rope=0.02),
    compare(*named, rope=0.02, prior="hierarchical"),
    compare(PairedCounts.from_predictions(true, baseline, candidate), rope=0.02, measure="f1[spam]"),
):
    print(json.dumps(comparison.to_dict()))
"""


def test_same_bytes_whatever_the_hash_seed(pytester, monkeypatch):
    outputs = []
    for hash_seed in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", hash_seed)
        result = pytester.run(sys.executable, "-c", SCRIPT)
        assert result.ret == 0
        outputs.append(result.outlines)
    assert len(outputs[0]) == 3
    assert outputs[0] == outputs[1]


_RUN_AND_LIST = """
import sys
if sys.argv[1] == "gate":
    from pytest_bayesf1.cli.main import main
    try:
        main()
    except SystemExit as end:
        code = end.code
else:
    import pytest
    code = pytest.main()
print(int(code), sorted(sys.modules.keys() & {"matplotlib", "pymc", "scipy.stats"}))
"""


class TestReportOption:
    @pytest.mark.parametrize("way", ["option", "ini", "command"])
    @pytest.mark.one_of_many
    def test_a_path_that_ends_in_json_takes_the_json_alone(self, pytester, monkeypatch, way):
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins import what they like
        for name in ("counts.json", "same.json"):
            pytester.path.joinpath(name).write_text('{"counts": [[48, 2], [3, 47]]}')
        pytester.path.joinpath("bayesf1.yaml").write_text(
            "gates: {spam: {baseline: counts.json, candidate: same.json, rope: [0.2, wide], measure: accuracy}}"
        )
        said = {"option": "--bayesf1-report=out/night.json", "ini": "-obayesf1_report=out/night.json"}
        called = ["-c", _RUN_AND_LIST, "gate", "--report=out/night.json"]
        if way != "command":
            called = ["-c", _RUN_AND_LIST, "-p", "bayesf1", said[way]]
        result = pytester.run(sys.executable, *called)
        assert result.outlines[-1] == "0 []"
        assert any(line.startswith("report: ") and line.endswith("out/night.json") for line in result.outlines)
        assert [path.name for path in pytester.path.joinpath("out").iterdir()] == ["night.json"]
        assert load_report(pytester.path / "out" / "night.json").entries[0].verdict == "passed"


SAME_REPORT_GATES = """
    import numpy as np

    @pytest.fixture
    def surrounded():
        compare(BASELINE, MUCH_WORSE, rope=0.02)
        yield
        compare(BASELINE, BETTER, rope=0.02)

    @pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
    @pytest.mark.parametrize("name", ["BETTER", "MUCH_WORSE", "EQUIVALENT"])
    def test_parametrised(name, measure):
        np.random.random()  # nothing is drawn from the generator that all share
        assert_not_worse(BASELINE, getattr(classifiers, name), rope=0.02, measure=measure)

    class TestClass:
        @pytest.fixture(autouse=True)
        def prepared(self):
            compare(BASELINE, BETTER, rope=0.02, measure="recall")

        def test_one(self):
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

        def test_two(self, surrounded):
            assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)

    def test_several(surrounded):
        for measure in ("precision", "f1[1]", "accuracy"):
            compare(BASELINE, BETTER, rope=0.02, measure=measure)

    def test_without():
        pass
"""

EXPECTED = 6 + (1 + 1) + (1 + 1 + 2) + (3 + 2)


@pytest.mark.parametrize(
    "others",
    [
        ["--randomly-seed=4", "-n2", "--dist=worksteal"],
        *(pytest.param(["-p", "no:randomly", each], marks=pytest.mark.long) for each in ("-n0", "-n5")),
    ],
    ids=" ".join,
)
def test_the_report_is_the_same_in_any_order_and_number_of_workers(pytester, write_tests, entries, others):
    def report(*arguments):
        pytester.runpytest("--bayesf1-report=out/report.json", *arguments).assert_outcomes(passed=8, failed=2)
        return (pytester.path / "out" / "report.json").read_bytes()

    write_tests(SAME_REPORT_GATES)
    expected = report("-p", "no:randomly", "-p", "no:xdist")
    assert len(entries()) == EXPECTED
    assert report(*others) == expected


def test_switched_off_there_is_neither_section_nor_fixture_and_the_assertions_work(pytester, write_tests, section):
    write_tests("""
        def test_worse():
            assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

        def test_better():
            assert compare(BASELINE, BETTER, rope=0.02).decision == ">"

        def test_fixture(bayes_compare):
            pass
    """)
    result = pytester.runpytest_subprocess("-p", "no:bayesf1", "-p", "no:randomly")
    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines(["E *fixture 'bayes_compare' not found", "E *≪ macro-F1 −*"])
    assert section(result) == []


def test_what_a_report_prints_to_run_a_gate_again_runs_as_it_is_printed(pytester, write_tests, follow):
    write_matrices(pytester.path)
    write_gates(pytester.path, spam="MUCH_WORSE", **{"it's [a]": "MUCH_WORSE"})
    write_tests(
        """
        class TestSpam:
            @pytest.mark.parametrize("name", ["a b", "a'|b"])
            def test_gate(self, name):
                rope = (-0.3, 0.001, "wide") if name == "a b" else ROPE
                assert_better(BASELINE, MUCH_WORSE, rope=rope)

        def test_floor():
            assert_at_least(BASELINE, 0.99987654321)
        """
    )
    pytester.runpytest("--bayesf1-report=out")
    report = Path("out", "report.html").read_text("utf-8")
    printed = [unescape(code) for code in re.findall("<pre><code>(.*?)</code></pre>", report, re.DOTALL)]
    commands = [code for code in printed if code.startswith(("pytest", "bayesf1"))]
    assert len(commands) == 5
    for command in commands:
        made = follow(command)
        text = made.stdout.str()
        assert (made.ret, "≪" in text or "1 failed" in text) == (1, True), command


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n1", marks=pytest.mark.long)])
def test_of_many_gates_of_a_file_that_fail_one_is_explained(pytester, runpytest, workers):
    write_matrices(pytester.path)
    write_gates(pytester.path, **{f"gate{number}": "MUCH_WORSE" for number in range(14)}, missing="NOWHERE")
    pytester.makepyfile("def test_other(): assert 1 == 2")
    result = runpytest(workers, failed=16)
    explained = result.outlines[result.outlines.index(next(each for each in result.outlines if "FAILURES" in each)) :]
    titles = [each for each in explained if re.fullmatch(r"_+ .* _+", each)]
    assert len([each for each in titles if " gate " in each]) == 1
    assert any("test_other" in each for each in titles)
    assert "14 more gates failed, each a line in the short summary; -v explains them all." in explained
    assert len([each for each in result.outlines if each.startswith("FAILED bayesf1.yaml::")]) == 15
    lines = pytester.runpytest(workers, "-v").outlines
    assert sum(bool(re.fullmatch(r"_+ gate .* _+", each)) for each in lines) == 15
