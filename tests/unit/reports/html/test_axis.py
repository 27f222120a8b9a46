from itertools import pairwise

import pytest

from pytest_bayesf1.reports.html.axis import Axis


def test_places_are_shares_of_the_width_and_never_beyond_it():
    axis = Axis(-10.0, 10.0)
    assert [axis.place(value) for value in (-11, -10, 0, 5, 10, 1e9)] == [0, 0, 50, 75, 100, 100]
    assert axis.across(5) == 750


def test_an_axis_shows_all_numbers_with_room_around_them():
    axis = Axis.over([3.0, -1.0])
    assert axis.low < -1
    assert axis.high > 3
    assert Axis.over([0.0]).low < 0


@pytest.mark.parametrize(("low", "high"), [(-3.2, 1.1), (-0.5, 60.0), (0.0, 1.0), (0.71, 0.93), (-1e-4, 1e-4)])
@pytest.mark.parametrize("at_zero", ["0", "no change"])
def test_numbers_keep_clear_of_one_another_and_of_what_is_written_at_0(low, high, at_zero):
    ticks = list(Axis(low, high).ticks(at_zero))
    assert len(ticks) >= 2 or at_zero != "0"
    places = [each.place for each in ticks]
    room = 7 if at_zero == "0" else 9  # per cent that a number, or half of the words and of a number, need
    assert all(after - before >= room for before, after in pairwise(places))
    if low < 0 < high:
        assert at_zero in [each.text for each in ticks]
