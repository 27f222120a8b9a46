"""Where nobody reviews and commits baselines none is written, unless that is forced."""

import pytest

GATE = """
    from classifiers import BASELINE
    def test_gate(bayes_regression):
        bayes_regression.check(BASELINE, rope=0.02)
"""


@pytest.fixture
def run(pytester, monkeypatch):
    def start(ci, *arguments):
        monkeypatch.setenv("CI", ci)
        pytester.makepyfile(test_spam=GATE)
        return pytester.runpytest(*arguments)

    return start


@pytest.fixture
def is_stored(pytester):
    return (pytester.path / "__bayesf1__" / "test_spam" / "test_gate.json").exists


@pytest.mark.parametrize("ci", ["true", "1", "yes"])
@pytest.mark.parametrize("update", ["--bayesf1-update", "--bayesf1-update=new"])
@pytest.mark.parametrize("workers", [[], pytest.param(["-n1"], marks=pytest.mark.long)], ids=["here", "xdist"])
def test_an_update_is_refused(run, is_stored, ci, update, workers):
    result = run(ci, update, *workers)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    message = result.errlines[0]
    expected = "expected a machine where baselines are reviewed and committed, got"
    assert message.startswith(f"ERROR: --bayesf1-update: {expected} CI={ci}. Update on your own machine; ")
    assert message.endswith(" --bayesf1-update=force.")
    assert not is_stored()


@pytest.mark.parametrize("ci", ["", "0", "false", "False"])
def test_a_machine_that_says_it_is_none_may_update(run, is_stored, ci):
    run(ci, "--bayesf1-update=new").assert_outcomes(passed=1)
    assert is_stored()


def test_force_is_not_refused(run, is_stored):
    run("true", "--bayesf1-update=force").assert_outcomes(passed=1)
    assert is_stored()


def test_comparing_is_not_refused(run, is_stored):
    run("true").assert_outcomes(failed=1)
    assert not is_stored()


def test_the_last_option_counts(run, is_stored):
    run("true", "--bayesf1-update", "--bayesf1-update=force").assert_outcomes(passed=1)
    assert is_stored()
