from itertools import pairwise

import pytest

from pytest_bayesf1.reports.html import Axis


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
def test_numbers_keep_clear_of_one_another_and_of_the_ends(low, high):
    ticks = list(Axis(low, high).ticks())
    assert len(ticks) >= 2
    assert all(after.place - before.place >= 15 for before, after in pairwise(ticks))
    assert all(6 <= each.place <= 94 for each in ticks if each.text != "0")
    if low < 0 < high:
        assert "0" in [each.text for each in ticks]


def test_differences_have_signs_and_scores_have_none():
    assert [each.text for each in Axis(-3.2, 3.2).ticks()] == ["−2", "0", "+2"]
    assert [each.text for each in Axis(0.7, 1.0).ticks(4)] == ["0.8", "0.9"]
