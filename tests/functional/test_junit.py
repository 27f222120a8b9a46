"""Each comparison's main figures stand as properties in the JUnit report."""

from xml.etree import ElementTree as ET

import pytest

from pytest_bayesf1 import compare

from .classifiers import BASELINE, BETTER, MUCH_WORSE, ROPE

SOURCE = """
    import pytest
    from pytest_bayesf1 import assert_at_least, assert_not_worse, compare
    from classifiers import BASELINE, BETTER, MUCH_WORSE

    @pytest.fixture
    def afterwards():
        yield
        compare(BASELINE, MUCH_WORSE, rope=0.02, measure="accuracy")

    def test_fails():
        assert_not_worse(BASELINE, MUCH_WORSE, rope=0.02)

    def test_compares(bayes_compare, afterwards):
        bayes_compare(BASELINE, BETTER, rope=0.02)

    def test_floor():
        assert_at_least(BASELINE, 0.8)

    def test_without():
        pass
"""


@pytest.fixture(params=["-n0", pytest.param("-n1", marks=pytest.mark.long)])
def properties(pytester, request):
    """Return the properties of every test case by name."""
    pytester.makepyfile(test_gates=SOURCE)
    pytester.runpytest("--junit-xml=junit.xml", request.param)
    cases = ET.parse(pytester.path / "junit.xml").iter("testcase")  # noqa: S314
    return {case.get("name"): {p.get("name"): p.get("value") for p in case.iter("property")} for case in cases}


def test_failed_gate(properties):
    comparison = compare(BASELINE, MUCH_WORSE, rope=ROPE)
    assert properties["test_fails"] == {
        "bayesf1.1.gate": "assert_not_worse",
        "bayesf1.1.verdict": "failed",
        "bayesf1.1.measure": "f1_macro",
        "bayesf1.1.decision": "≪",
        "bayesf1.1.delta": f"{comparison.mean:.6f}",
        "bayesf1.1.hdi_low": f"{comparison.hdi[0]:.6f}",
        "bayesf1.1.hdi_high": f"{comparison.hdi[1]:.6f}",
    }


def test_several_comparisons_are_numbered(properties):
    comparison = compare(BASELINE, BETTER, rope=ROPE)
    found = properties["test_compares"]
    assert (found["bayesf1.1.decision"], found["bayesf1.2.decision"]) == (">", "≪")
    assert (found["bayesf1.1.measure"], found["bayesf1.2.measure"]) == ("f1_macro", "accuracy")
    assert float(found["bayesf1.1.delta"]) == pytest.approx(comparison.mean, abs=1e-6)


def test_estimate_against_a_floor(properties):
    found = properties["test_floor"]
    assert found["bayesf1.1.gate"] == "assert_at_least"
    assert 0.89 < float(found["bayesf1.1.hdi_low"]) < float(found["bayesf1.1.score"]) < 0.91


def test_no_properties_without_a_comparison(properties):
    assert properties["test_without"] == {}
