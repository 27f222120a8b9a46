"""Loading the plugin costs next to nothing: what is heavy waits for the first comparison."""

import sys

import pytest

HEAVY = (
    *("numpy", "scipy", "pymc", "jinja2", "matplotlib", "pandas"),
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
