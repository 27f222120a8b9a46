"""`--bayesf1-report=DIR` writes a report for machines and people: always, whole, and the same every time."""

import json
import sys

import pytest

from pytest_bayesf1.reports.reading import load_report

GATES = """
    import pytest
    from pytest_bayesf1 import assert_at_least, assert_not_worse
    from classifiers import BASELINE, BETTER, EQUIVALENT, MUCH_WORSE

    @pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
    def test_not_worse(measure):
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02, measure=measure)

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

    def test_look(bayes_compare):
        bayes_compare(BASELINE, BETTER, rope=0.02)
        bayes_compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.02, measure="g_mean")

    def test_floor():
        assert_at_least(BASELINE, 0.8)
"""

PASSING_TEST = """
    from pytest_bayesf1 import assert_not_worse
    from classifiers import BASELINE, EQUIVALENT

    def test_gate():
        assert_not_worse(BASELINE, EQUIVALENT, rope=0.02)
"""


@pytest.mark.filterwarnings("default::RuntimeWarning")
def test_a_measure_that_never_changes_gives_a_report(pytester):
    pytester.makepyfile("""
        import numpy as np
        def constant(p):
            return np.ones(p.shape[:-2])
        def test_gate(bayes_compare):
            assert bayes_compare([[9, 1], [2, 8]], [[8, 2], [1, 9]], rope=0.02, measure=constant).decision == "~"
    """)
    result = pytester.runpytest("--bayesf1-report=out")
    result.assert_outcomes(passed=1, warnings=0)
    assert "NaN" not in (pytester.path / "out" / "report.json").read_text("utf-8")


def test_a_very_narrow_posterior_gives_a_report(pytester):
    pytester.makepyfile("""
        def test_gate(bayes_compare):
            counts = [[10**9, 0], [0, 10**9]]
            bayes_compare(counts, counts, rope=0.02, prior="hierarchical", measure="recall")
    """)
    assert pytester.runpytest("--bayesf1-report=out", "-W", "error").ret == 0


def test_a_label_that_utf8_cannot_write(pytester):
    pytester.makepyfile(r"""
        from pytest_bayesf1 import ConfusionMatrix, compare
        def test_gate():
            labels = ["a\udc80", "b"]
            compare(ConfusionMatrix([[9, 1], [1, 9]], labels), ConfusionMatrix([[5, 5], [5, 5]], labels), rope=0.02)
    """)
    assert pytester.runpytest("--bayesf1-report=out").ret == 0
    report = json.loads((pytester.path / "out" / "report.json").read_text("utf-8"))
    assert len(report["entries"]) == 1


@pytest.mark.parametrize("way", ["option", "ini", "command"])
@pytest.mark.one_of_many
def test_a_path_that_ends_in_json_takes_the_json_alone(pytester, monkeypatch, way):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # other plugins import what they like
    pytester.path.joinpath("counts.csv").write_text("48,2\n3,47\n")
    pytester.path.joinpath("bayesf1.yaml").write_text(
        "gates: {spam: {baseline: counts.csv, candidate: counts.csv, rope: [0.2, wide], measure: accuracy}}"
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
print(int(code), sorted(sys.modules.keys() & {"jinja2", "matplotlib", "pymc", "scipy.stats"}))
"""
