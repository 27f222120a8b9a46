import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_bayesf1 import Decision, InputError
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import Draws, summarise_delta
from tests.property.strategies import PROBABILITIES, ROPES, posteriors

MIRROR = {"<<": ">>", "<": ">", "~": "~", ">": "<", ">>": "<<", "?": "?"}


SPELLINGS = ["<<", "<", "~", ">", ">>", "?", "≪", "≈", "≫"]


@given(st.sampled_from(Decision), st.text(max_size=3).filter(lambda text: text not in SPELLINGS))
def test_text_that_spells_no_decision_is_an_error(decision, text):
    for compare in (lambda: decision == text, lambda: decision != text, lambda: text == decision):
        with pytest.raises(InputError, match="decision: expected a comparison with one of"):
            compare()


@given(st.sampled_from(Decision), st.sampled_from(SPELLINGS))
def test_a_decision_equals_its_symbol_and_its_ascii_form_alone(decision, text):
    assert (decision == text) is (text in (str(decision), decision.ascii))
    assert (decision != text) is not (decision == text)
    assert (text == decision) is (decision == text)


@given(st.sampled_from(Decision), st.sampled_from(Decision))
def test_two_decisions_are_equal_when_they_are_the_same(one, other):
    assert (one == other) is (one is other)


NUMBERS = st.one_of(st.floats(-1, 1), st.sampled_from([0.0, -0.0, math.inf, -math.inf, math.nan]), st.integers(-2, 2))


@given(NUMBERS, NUMBERS)
def test_a_pair_is_a_rope_when_it_is_finite_and_in_order_and_holds_0(low, high):
    if math.isfinite(low) and math.isfinite(high) and low < high and low <= 0 <= high:
        assert Rope.of((low, high)) == Rope(low, high)
    else:
        with pytest.raises(InputError, match=r"^rope: expected"):
            Rope.of((low, high))


@given(NUMBERS)
def test_a_half_width_is_a_rope_when_it_is_finite_and_positive(half_width):
    if math.isfinite(half_width) and half_width > 0:
        assert Rope.of(half_width) == Rope(-half_width, half_width)
    else:
        with pytest.raises(InputError, match=r"^rope: expected"):
            Rope.of(half_width)


@given(posteriors(), ROPES, PROBABILITIES)
def test_probabilities_are_shared_out(draws, rope, prob):
    summary = summarise_delta(Draws(draws), Rope(*rope), prob)
    assert summary.p_below_rope + summary.p_in_rope + summary.p_above_rope == pytest.approx(1)
    assert summary.p_below_rope <= summary.p_worse
    assert summary.p_above_rope <= summary.p_better


@given(posteriors(), ROPES, PROBABILITIES)
def test_the_decision_follows_the_published_rules(draws, rope, prob):
    summary = summarise_delta(Draws(draws), Rope(*rope), prob)
    (low, high), (start, end) = rope, summary.hdi
    expected = "?"
    if end < low:
        expected = "<<"
    elif start > high:
        expected = ">>"
    elif low < start and end < high:
        expected = "~"
    elif summary.p_below_rope > 0.5:
        expected = "<"
    elif summary.p_above_rope > 0.5:
        expected = ">"
    assert summary.decision == expected


@pytest.mark.slow
@given(posteriors(), ROPES, PROBABILITIES)
def test_swapping_the_sides_turns_the_summary_around(draws, rope, prob):
    one = summarise_delta(Draws(draws), Rope(*rope), prob)
    other = summarise_delta(Draws(-draws), Rope(-rope[1], -rope[0]), prob)
    assert other.mean == pytest.approx(-one.mean)
    assert other.std == pytest.approx(one.std)
    assert (other.p_worse, other.p_better) == (one.p_better, one.p_worse)
    assert (other.p_below_rope, other.p_above_rope) == (one.p_above_rope, one.p_below_rope)
    assert other.hdi == pytest.approx((-one.hdi[1], -one.hdi[0]), abs=4 * max(one.mcse_hdi))
    assume(one.settled)
    assert other.decision == MIRROR[one.decision.ascii]
