import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.formatting import before_after, format_change, format_score, title, verdict_line
from tests.unit.made_up import comparison, estimate, score

WORSE = comparison(
    decision=Decision.MUCH_WORSE, mean=-0.07, hdi=(-0.08, -0.06), baseline=score(0.982), candidate=score(0.912)
)


def test_a_comparison_at_first_glance():
    assert title(WORSE) == "Worse: 0.982 → 0.912"
    assert before_after(WORSE) == "0.982 → 0.912"
    assert format_change(WORSE) == "−7.0 points (you tolerate 1)"


def test_a_rope_that_is_not_symmetric_is_told_whole():
    assert format_change(comparison(rope=(-0.02, 0.0))) == "+0.2 points (you tolerate −2 to +0)"


def test_who_demands_a_gain_tolerates_nothing():
    assert format_change(comparison(rope=(-0.01, 0.02)), "better") == "+0.2 points (you demand more than +2)"


def test_a_measure_of_the_users_own_has_no_points():
    own = comparison(measure="cost", custom_measure=True, mean=-12.5, hdi=(-15.0, -10.0), rope=(-20, 20))
    assert format_change(own) == "−12.5 (you tolerate 20)"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"below_floor": True, "above_floor": False, "floor": 0.9}, "Below the floor of 0.9: 0.800"),
        ({}, "Above the floor of 0.75: 0.800"),
        ({"above_floor": False, "floor": 0.79}, "Not clearly below the floor of 0.79: 0.800"),
    ],
)
def test_an_estimate_at_first_glance(changes, told):
    assert title(estimate(**changes)) == told


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0.98249, "0.982"),
        (-0.0001, "0.000"),
        (-0.25, "−0.250"),
        (12.3456, "12.35"),
        (-1234.56, "−1,235"),
        (9_876_543.2, "9,876,543"),
    ],
)
def test_scores_have_the_digits_that_their_size_deserves(number, told):
    assert format_score(number) == told


def test_the_line_above_a_failure():
    worse = comparison(decision=Decision.MUCH_WORSE, mean=-0.07, hdi=(-0.081, -0.055), measure="f1[spam]")
    assert verdict_line(worse) == "≪ F1 of spam −7.0 points (you tolerate 1): 0.800 → 0.802"
    assert verdict_line(worse, "language=de").startswith("≪ language=de, F1 of spam −7.0 points ")
    assert len(verdict_line(worse, 1_000 * "long")) < 100


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"below_floor": True, "above_floor": False, "floor": 0.9}, "macro-F1 0.800 is below the floor of 0.9"),
        ({}, "macro-F1 0.800 is above the floor of 0.75"),
        ({"above_floor": False, "floor": 0.79}, "macro-F1 0.800 is not clearly below the floor of 0.79"),
    ],
)
def test_the_line_above_an_estimate(changes, told):
    assert verdict_line(estimate(**changes)) == told
