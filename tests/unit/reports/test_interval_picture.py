import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.reports.terminal import ASCII, UNICODE, WIDTH, interval_picture

ZERO = WIDTH // 2
SIZES = st.floats(-1e15, 1e15)


@pytest.mark.parametrize(
    ("mean", "hdi", "rope", "picture"),
    [
        (0, (-10, 10), (-4, 4), "├─────▒▒▒▒╂▒▒▒▒─────┤"),
        (-8, (-10, -6), (-4, 4), "├─╂─┤ ▒▒▒▒│▒▒▒▒      "),
        (0, (-2, 2), (-10, 10), "▒▒▒▒▒▒▒▒├▒╂▒┤▒▒▒▒▒▒▒▒"),
        (3, (-4, 10), (-2, 0), "      ├─▒▒│──╂──────┤"),
        (7, (5, 10), None, "          │    ├─╂──┤"),
        (0, (0, 0), None, "          ╂          "),
    ],
)
def test_what_is_where(mean, hdi, rope, picture):
    assert interval_picture(mean, hdi, rope) == picture


def test_the_same_in_ascii():
    shown = interval_picture(-8, (-10, -6), (-4, 4), ASCII)
    assert shown == "[-+-] ####|####      "
    assert shown.isascii()


@given(*3 * [SIZES], st.floats(-1e15, 0), st.floats(0, 1e15))
def test_it_always_has_its_width_and_stays_in_order(mean, one, other, low, high):
    hdi = min(one, other), max(one, other)
    shown = interval_picture(mean, hdi, (low, high))
    assert len(shown) == WIDTH
    assert shown.count(UNICODE.mean) == 1
    start, end = shown.find(UNICODE.start), shown.find(UNICODE.end)
    assert start == -1 or end == -1 or start < end


@given(SIZES, SIZES)
def test_an_interval_is_drawn_on_its_side_of_zero(one, other):
    low, high = min(one, other), max(one, other)
    shown = interval_picture((low + high) / 2, (low, high))
    if low > 0:
        assert shown[:ZERO].isspace()
    if high < 0:
        assert shown[ZERO + 1 :].isspace()


@given(st.floats(0.001, 1), st.floats(0.001, 1), st.floats(1e-6, 1e6))
def test_the_scale_is_the_pictures_own(one, other, scale):
    hdi, rope = (-one, other), (-other, one)
    scaled = [tuple(scale * bound for bound in bounds) for bounds in (hdi, rope)]
    assert interval_picture(0, hdi, rope).count("▒") == pytest.approx(interval_picture(0, *scaled).count("▒"), abs=2)
