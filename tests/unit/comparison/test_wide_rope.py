"""ROPEs that are hardly meant, and ROPEs with which no candidate could fail."""

import warnings

import numpy as np
import pytest

from pytest_bayesf1 import InputError, WideRopeWarning, assert_not_worse, compare
from pytest_bayesf1.comparison.arguments import ARGUMENTS
from pytest_bayesf1.comparison.result import can_fail, why_it_cannot_fail
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.settings import Session, active
from pytest_bayesf1.stats.decision import Rope
from tests.unit.made_up import comparison, score

COUNTS = [[80, 20], [20, 80]]
LABELS = ("ham", "spam")
SIGNS = np.random.default_rng(0).normal(size=4_000)


def warning_of(rope, **arguments):
    with pytest.warns(WideRopeWarning) as caught:
        compare(COUNTS, COUNTS, rope=rope, n_draws=1_000, **arguments)
    (warning,) = caught
    assert warning.filename == __file__
    return str(warning.message)


@pytest.mark.parametrize(
    ("rope", "written", "points", "meant"),
    [
        (0.5, "0.5", "50 points", "0.005 for half a point"),
        (0.3, "0.3", "30 points", "0.003 for 0.3 points"),
        (0.11, "0.11", "11 points", "0.0011 for 0.11 points"),
        ((-0.5, 0.01), "[-0.5, +0.01]", "a range of −50 to +1 points", "[-0.005, +0.01]"),
        ((-0.01, 0.2), "[-0.01, +0.2]", "a range of −1 to +20 points", "[-0.01, +0.002]"),
        ((-0.5, 0.2), "[-0.5, +0.2]", "a range of −50 to +20 points", "[-0.005, +0.002]"),
    ],
)
def test_a_wide_rope_is_told_with_what_was_probably_meant(rope, written, points, meant):
    text = warning_of(rope)
    assert text.startswith(f"The rope {written} means that you tolerate {points}: ")
    assert f"Did you mean {meant}? If it is meant, write wide behind it" in text


@pytest.mark.parametrize("measure", ["accuracy", "f1[0]", "matthews_corrcoef", "cohen_kappa"])
def test_every_named_measure_has_the_same_limit(measure):
    assert "means that you tolerate 30 points" in warning_of(0.3, measure=measure)


@pytest.mark.parametrize("rope", [0.1, (-0.1, 0.1), (-0.05, 0.1), (0.3, "wide"), (-0.3, 0.01, "wide"), [0.3, "wide"]])
def test_what_is_narrow_or_confirmed_is_taken_in_silence(rope):
    assert compare(COUNTS, COUNTS, rope=rope, n_draws=1_000).rope[1] > 0  # the suite makes errors of warnings


def test_a_measure_of_the_users_own_has_no_limit():
    compare(COUNTS, COUNTS, rope=5, measure=lambda p: 100 * p[..., 0, 0], n_draws=1_000)


@pytest.mark.parametrize("rope", [1, 5, (5, "wide")])
def test_what_no_difference_of_scores_can_leave_is_refused_even_when_confirmed(rope):
    with pytest.raises(InputError, match=r"rope: expected a difference of scores, such as 0\.01 for one point"):
        compare(COUNTS, COUNTS, rope=rope)


def test_a_setting_of_the_project_warns_where_it_is_used():
    with active(Session({"rope": ARGUMENTS["rope"].parse("0.5")})), pytest.warns(WideRopeWarning) as caught:
        assert_not_worse(COUNTS, COUNTS, n_draws=1_000)
    assert caught[0].filename == __file__


def test_a_confirmation_in_a_setting_is_about_the_rope_beside_it():
    with active(Session({"rope": ARGUMENTS["rope"].parse("0.5,wide")})):
        compare(COUNTS, COUNTS, n_draws=1_000)
        with pytest.warns(WideRopeWarning):
            compare(COUNTS, COUNTS, rope=0.3, n_draws=1_000)


@pytest.mark.parametrize(
    ("text", "rope"),
    [
        ("0.3,wide", Rope(-0.3, 0.3, wide=True)),
        ("-0.3, 0.1, wide", Rope(-0.3, 0.1, wide=True)),
        ("[0.3, wide]", Rope(-0.3, 0.3, wide=True)),
        ("0.3", Rope(-0.3, 0.3)),
    ],
)
def test_spellings_in_options(text, rope):
    assert ARGUMENTS["rope"].parse(text) == rope


@pytest.mark.parametrize(
    "value", ["wide", ("wide",), (0.3, "Wide"), (0.3, "wide", 0.3), ("wide", 0.3), (1, 2, 3, "wide")]
)
def test_the_word_stands_behind_one_or_two_numbers(value):
    with pytest.raises(InputError, match=r"rope: expected a half-width such as 0\.01, or"):
        Rope.of(value)


# What no candidate can fail.


@pytest.mark.parametrize(
    ("measure", "mean", "low", "expected"),
    [
        ("f1_macro", 0.6, -0.3, True),
        ("f1_macro", 0.6, -0.55, True),  # all but 0.6% of the draws lie above 0.55
        ("f1_macro", 0.6, -0.57, False),  # 93% do
        ("f1_macro", 0.6, -0.9, False),
        ("f1_macro", 0.05, -0.06, False),
        ("matthews_corrcoef", 0.6, -0.9, True),
        ("cohen_kappa", -0.5, -0.55, False),
    ],
)
def test_a_rope_that_leaves_no_room_below(measure, mean, low, expected):
    draws = mean + 0.02 * SIGNS
    assert can_fail(draws, Rope(low, 0.01), 0.95, parse_measure(measure, LABELS)) is expected


def test_what_the_hdi_must_hold_decides():
    draws = 0.6 + 0.02 * SIGNS
    assert can_fail(draws, Rope(-0.57, 0.01), 0.9, parse_measure("f1_macro", LABELS))


def test_nothing_is_said_of_a_measure_of_the_users_own():
    assert can_fail(SIGNS, Rope(-99, 99), 0.95, parse_measure(lambda p: p[..., 0, 0], LABELS))


@pytest.mark.parametrize("rope", [(0.75, "wide"), (0.9, "wide")])
@pytest.mark.parametrize("model", ["same-set", "independent"])
def test_no_candidate_fails_where_it_is_said_that_none_can(rope, model):
    worst = [[0, 100], [100, 0]]
    found = compare(COUNTS, worst, rope=rope, measure="accuracy", model=model)
    assert not found.can_fail
    assert found.decision != "<<"
    assert any("cannot fail" in note for note in found.notes())


def test_a_candidate_fails_where_it_is_not_said():
    found = compare(COUNTS, [[0, 100], [100, 0]], rope=(0.65, "wide"), measure="accuracy")
    assert found.can_fail
    assert found.decision == "<<"
    assert not any("cannot fail" in note for note in found.notes())


def test_the_note_says_why():
    found = comparison(can_fail=False, rope=(-0.9, 0.9))
    note = (
        "A gate on ≪ cannot fail here: you tolerate 90 points, and even a candidate that scores 0 would not be "
        "significantly worse, for the baseline scores 0.800 (95% HDI 0.780 to 0.820)."
    )
    assert note in found.notes()
    assert note in found.without_draws().to_dict()["notes"]


def test_the_lowest_score_is_the_measures_own():
    measure = parse_measure("matthews_corrcoef", LABELS)
    told_of = why_it_cannot_fail(measure, (-0.99, 0.01), score(-0.2), 0.95)
    assert "you tolerate a range of −99 to +1 points, and even a candidate that scores -1 would" in told_of


def test_warnings_that_are_ignored_stay_ignored():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WideRopeWarning)
        compare(COUNTS, COUNTS, rope=0.5, n_draws=1_000)
