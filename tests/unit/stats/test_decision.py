import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.stats.decision import Gap, Gaps, Rope


def test_what_is_allowed_is_the_loss_or_else_the_gain():
    assert [Rope(*ends).allowed for ends in ((-0.01, 0.02), (0, 0.02), (-0.03, 0))] == [0.01, 0.02, 0.03]


@pytest.mark.parametrize(
    ("distance", "clear"), [(0.5, True), (0.4, True), (0.399, False), (0.0, False), (-0.399, False), (-0.4, True)]
)
def test_a_gap_is_clear_from_four_standard_errors_on(distance, clear):
    assert Gap(distance, mcse=0.1).is_clear is clear


def test_a_gap_that_is_not_clear_may_have_either_sign():
    assert Gap(0.5, 0.1).possible_signs() == (True,)
    assert Gap(-0.5, 0.1).possible_signs() == (False,)
    assert set(Gap(0.1, 0.1).possible_signs()) == {True, False}


def test_a_distance_of_0_answers_no():
    nowhere = Gap(0.0, 0.0)
    assert nowhere.possible_signs() == (False,)
    assert not any(Gaps((nowhere,) * 7).position)


YES, NO = Gap(1.0, 0.0), Gap(-1.0, 0.0)
OPEN_YES, OPEN_NO = Gap(0.1, 0.1), Gap(-0.1, 0.1)


@pytest.mark.parametrize(
    ("gaps", "decision", "settled"),
    [
        ((YES, YES, NO, NO, YES, NO), Decision.MUCH_WORSE, True),
        ((OPEN_YES, YES, NO, NO, YES, NO), Decision.MUCH_WORSE, False),
        ((OPEN_NO, YES, NO, NO, YES, NO), Decision.WORSE, False),
        ((NO, OPEN_YES, NO, NO, YES, NO), Decision.WORSE, True),
        ((NO, OPEN_YES, YES, NO, NO, NO), Decision.EQUIVALENT, False),
        ((NO, YES, YES, NO, OPEN_NO, NO), Decision.EQUIVALENT, True),
        ((NO, NO, NO, NO, OPEN_NO, NO), Decision.UNDECIDED, False),
        ((YES, YES, NO, NO, YES, NO, OPEN_YES), Decision.MUCH_WORSE, False),
        ((NO, YES, NO, NO, YES, NO, OPEN_YES), Decision.WORSE, True),
        ((NO, NO, OPEN_NO, NO, NO, YES), Decision.BETTER, False),
        ((NO, NO, YES, YES, NO, OPEN_YES), Decision.MUCH_BETTER, True),
    ],
    ids=[
        "all clear",
        "the upper bound might lie in the ROPE",
        "the upper bound might lie below the ROPE",
        "an answer that decides nothing",
        "the upper bound might lie above the ROPE",
        "a probability that decides nothing",
        "the probability might exceed a half",
        "a failure hangs on how far below it lies",
        "how far below it lies, where it does not fail",
        "the lower bound matters to assert_not_inferior",
        "a probability behind a clear bound",
    ],
)
def test_a_decision_is_settled_when_no_open_answer_would_change_it(gaps, decision, settled):
    assert Gaps(gaps).position.decision is decision
    assert Gaps(gaps).settled is settled
