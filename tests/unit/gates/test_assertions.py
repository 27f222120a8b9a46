import re

import pytest

from pytest_bayesf1 import (
    BayesF1Warning,
    Comparison,
    Estimate,
    InputError,
    assert_at_least,
    assert_better,
    assert_equivalent,
    assert_not_inferior,
    assert_not_worse,
    compare,
)
from pytest_bayesf1.results.formatting import verdict_line
from pytest_bayesf1.settings import Session, active

BASELINE = [[4_000, 1_000], [1_000, 4_000]]
CANDIDATES = {
    "<<": [[3_500, 1_500], [1_500, 3_500]],
    "<": [[3_910, 1_090], [1_090, 3_910]],
    "~": BASELINE,
    ">": [[4_090, 910], [910, 4_090]],
    ">>": [[4_500, 500], [500, 4_500]],
}
ARGUMENTS = {"measure": "accuracy", "rope": 0.0125, "n_draws": 10_000}
OUTCOMES = {
    assert_not_worse: {"<<": "fails", "<": "warns", "~": "passes", ">": "passes", ">>": "passes"},
    assert_not_inferior: {"<<": "fails", "<": "fails", "~": "passes", ">": "passes", ">>": "passes"},
    assert_better: {"<<": "fails", "<": "fails", "~": "fails", ">": "fails", ">>": "passes"},
    assert_equivalent: {"<<": "fails", "<": "fails", "~": "passes", ">": "fails", ">>": "fails"},
}
CASES = [
    pytest.param(gate, decision, outcome, id=f"{gate.__name__}-{decision}-{outcome}")
    for gate, outcomes in OUTCOMES.items()
    for decision, outcome in outcomes.items()
]


def call(gate, decision, **arguments):
    return gate(BASELINE, CANDIDATES[decision], **{**ARGUMENTS, **arguments})


@pytest.fixture
def heard():
    """Every record that the session hears of."""
    records = []
    with active(Session(listener=records.append)):
        yield records


@pytest.mark.parametrize("decision", CANDIDATES)
def test_the_examples_come_to_their_decisions(decision):
    assert compare(BASELINE, CANDIDATES[decision], **ARGUMENTS).decision == decision


@pytest.mark.parametrize(("gate", "decision"), [case.values[:2] for case in CASES if case.values[2] == "passes"])
def test_passes(gate, decision, heard):
    result = call(gate, decision)
    assert isinstance(result, Comparison)
    assert result.decision == decision
    (record,) = heard
    assert record.result is result
    assert (record.gate, record.verdict, record.advice) == (gate.__name__, "passed", "")


@pytest.mark.parametrize(("gate", "decision"), [case.values[:2] for case in CASES if case.values[2] == "fails"])
def test_fails(gate, decision, heard):
    with pytest.raises(AssertionError) as caught:
        call(gate, decision)
    (record,) = heard
    assert (record.gate, record.verdict) == (gate.__name__, "failed")
    message = str(caught.value)
    assert message.startswith(f"{verdict_line(record.result, policy=record.policy)}\n  Do: ")
    assert gate is assert_not_worse or f"({gate.__name__})" in message
    assert f" Do: {record.advice} " in re.sub(r"\s+", " ", message)
    assert record.advice


def test_a_candidate_that_is_leaning_worse_warns(heard):
    with pytest.warns(BayesF1Warning) as caught:
        result = call(assert_not_worse, "<")
    (record,) = heard
    assert (record.result, record.verdict) == (result, "warned")
    message = str(caught[0].message)
    assert message.startswith(f"{verdict_line(result)}\n")
    assert f" Do: {record.advice} " in re.sub(r"\s+", " ", message)


def test_the_warning_points_at_the_caller():
    with pytest.warns(BayesF1Warning) as caught:
        assert_not_worse(BASELINE, CANDIDATES["<"], **ARGUMENTS)
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
@pytest.mark.parametrize("gate", [assert_not_worse, assert_not_inferior])
def test_an_undecided_comparison(gate):
    few = [[3, 1], [1, 3]]
    if gate is assert_not_worse:
        assert gate(few, few, **ARGUMENTS).hdi[0] < -0.0125
    else:
        with pytest.raises(AssertionError, match="above the ROPE's lower end"):
            gate(few, few, **ARGUMENTS)


def test_the_same_result_as_compare():
    gated, compared = call(assert_not_worse, "~"), compare(BASELINE, CANDIDATES["~"], **ARGUMENTS)
    assert gated.delta.tolist() == compared.delta.tolist()


@pytest.mark.parametrize("gate", OUTCOMES, ids=lambda gate: gate.__name__)
def test_bad_input_is_an_error_not_a_failure(gate, heard):
    with pytest.raises(InputError):
        gate(BASELINE, BASELINE)
    assert heard == []


@pytest.mark.parametrize("gate", OUTCOMES, ids=lambda gate: gate.__name__)
def test_an_argument_that_does_not_exist_is_an_error(gate):
    with pytest.raises(InputError, match=r"got 'ropes'\. Did you mean 'rope'"):
        gate(BASELINE, BASELINE, rope=0.1, ropes=0.1)


def test_a_floor_takes_no_rope():
    with pytest.raises(InputError, match=r"arguments: expected one of .*n_draws, got 'rope'"):
        assert_at_least(BASELINE, 0.5, rope=0.1)


@pytest.mark.parametrize("floor", [0.5, 0.8])
def test_a_score_that_is_not_clearly_below_the_floor_passes(floor, heard):
    result = assert_at_least(BASELINE, floor, measure="accuracy", n_draws=2_000)
    assert isinstance(result, Estimate)
    assert result.floor == floor
    (record,) = heard
    assert (record.gate, record.verdict, record.advice) == ("assert_at_least", "passed", "")


def test_a_score_below_the_floor_fails(heard):
    with pytest.raises(AssertionError, match=r"^accuracy 0\.8\d\d is below the floor of 0\.9\n") as caught:
        assert_at_least(BASELINE, 0.9, measure="accuracy", n_draws=2_000)
    (record,) = heard
    assert record.verdict == "failed"
    assert f" Do: {record.advice} " in re.sub(r"\s+", " ", str(caught.value))
