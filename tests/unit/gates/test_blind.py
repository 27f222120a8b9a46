"""Gates that pass because they hardly see anything: one of them is told of in each run."""

import warnings

import pytest

from pytest_bayesf1 import Decision, UnderpoweredGateWarning
from pytest_bayesf1.gates.policy import Judgement, Policy, warn_if_underpowered
from pytest_bayesf1.results.comparison import DetectableLosses
from pytest_bayesf1.settings import Session, active
from tests.unit.made_up import comparison


@pytest.fixture(autouse=True)
def run():
    with active(Session()):
        yield


def judged(policy=Policy.NOT_WORSE, **told):
    return Judgement.of(comparison(**{"detectable_losses": DetectableLosses(0.07, 0.06), **told}), policy)


def warned(*judgements):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for judgement in judgements:
            warn_if_underpowered(judgement)
    return [str(each.message) for each in caught]


def test_it_says_what_the_gate_finds():
    (message,) = warned(judged())
    assert message.startswith("With 1,000 and 1,200 examples this gate finds losses of 7 points or more; you")


def test_it_comes_once_a_run():
    assert len(warned(judged(), judged())) == 1
    with active(Session()):
        assert len(warned(judged())) == 1


@pytest.mark.parametrize(
    "judgement",
    [
        judged(detectable_losses=DetectableLosses(0.04, 0.03)),
        judged(decision=Decision.MUCH_WORSE, hdi=(-0.09, -0.05)),
        judged(decision=Decision.MUCH_BETTER, hdi=(0.05, 0.09)),
        judged(Policy.BETTER),
    ],
    ids=["sees enough", "found a loss", "found a gain", "failed"],
)
def test_a_gate_that_sees_or_fails_does_not_warn(judgement):
    assert warned(judgement) == []


def test_a_gate_whose_warning_is_ignored_does_not_speak_for_others():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnderpoweredGateWarning)
        warn_if_underpowered(judged())
    assert len(warned(judged())) == 1


@pytest.mark.filterwarnings("error::pytest_bayesf1.UnderpoweredGateWarning")
def test_as_an_error_it_stops_every_such_gate():
    for _ in range(2):
        with pytest.raises(UnderpoweredGateWarning):
            warn_if_underpowered(judged())
