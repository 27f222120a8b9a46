import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1._util import AS_THEY_ARE, POINTS
from pytest_bayesf1.results.formatting import Amounts


@pytest.mark.parametrize(
    ("half_width", "written"),
    [
        (0.2, "rises by 1.2 points"),
        (0.02, "rises by 1.2 points"),
        (0.002, "rises by 1.23 points"),
        (0.0002, "rises by 1.234 points"),
        (2e-9, "rises by 1.2340 points"),
        (0, "rises by 1.2 points"),
    ],
)
def test_the_decimals_follow_the_width_of_the_interval(half_width, written):
    assert Amounts(POINTS, (-half_width, half_width)).move(0.01234) == written


@pytest.mark.parametrize(
    ("change", "written"),
    [
        (0.0123, "rises by 1.2 points"),
        (-0.0123, "falls by 1.2 points"),
        (0.0006, "rises by 0.1 points"),
        (0.0004, "changes by less than 0.1 points"),
        (-0.0004, "changes by less than 0.1 points"),
        (0.0, "changes by less than 0.1 points"),
    ],
)
def test_a_change_has_a_direction_if_it_shows(change, written):
    assert Amounts(POINTS, (-0.02, 0.02)).move(change) == written


@pytest.mark.parametrize(
    ("interval", "written"),
    [
        ((0.011, 0.034), "1.1 to 3.4"),
        ((0, 0.034), "0.0 to 3.4"),
        ((-0.034, -0.011), "1.1 to 3.4"),
        ((-0.011, 0.034), "−1.1 to +3.4"),
    ],
    ids=["above 0", "from 0", "below 0", "around 0"],
)
def test_an_interval_has_signs_when_it_holds_0(interval, written):
    assert Amounts(POINTS, interval).spoken(interval) == written


@pytest.mark.parametrize(
    ("rope", "written"),
    [
        ((-0.01, 0.01), "1 point"),
        ((-0.005, 0.005), "0.5 points"),
        ((-0.07, 0.07), "7 points"),
        ((-0.01, 0.02), "range of −1 to +2 points"),
    ],
)
def test_a_rope_is_told_by_its_half_width_if_it_is_symmetric(rope, written):
    assert Amounts(POINTS, (-0.02, 0.02), rope).tolerated == written


def test_a_custom_measure_is_told_as_it_is():
    amounts = Amounts(AS_THEY_ARE, (-3.0, 4.0))
    assert amounts.move(-1.24) == "falls by 1.2"
    assert amounts.move(0.01) == "changes by less than 0.1"
    assert amounts.spoken((-3.0, 4.0)) == "−3.0 to +4.0"
    assert Amounts(AS_THEY_ARE, (-3.0, 4.0), (-1, 1)).tolerated == "1"


def test_an_end_beside_the_rope_has_the_decimals_that_show_on_which_side():
    amounts = Amounts(POINTS, (-0.08, -0.02007), (-0.02, 0.02))
    assert amounts.interval((-0.08, -0.02007)) == "−8.00 to −2.01"


ENDS = st.integers(-(10**6), 10**6).map(lambda number: number / 10**7)


@given(ends=st.tuples(ENDS, ENDS), half_width=st.sampled_from([0.005, 0.01, 0.02]))
def test_what_is_written_lies_where_the_interval_does(ends, half_width):
    interval = min(ends), max(ends)
    amounts = Amounts(POINTS, interval, (-half_width, half_width))
    for end in interval:
        written = float(amounts.signed(end).replace("−", "-"))
        for bound in (-half_width, half_width):
            assert (written > 100 * bound) == (round(100 * end, 6) > 100 * bound)
