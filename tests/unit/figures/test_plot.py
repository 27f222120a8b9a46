"""Plots: where numbers are placed, and what is drawn of them for a page, a notebook and a file."""

import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.figures.plot import (
    Axis,
    Look,
    Panel,
    Plot,
    Shape,
    Text,
    css,
    drawn,
    in_notebook,
    round_numbers,
    svg,
)
from tests.unit.hostile import HOSTILE

AXIS = Axis(low=-10, high=10)
PANEL = Panel(x=AXIS, y=Axis(low=0, high=1), top=20, bottom=120)
PLOT = Plot(
    width=400,
    height=140,
    shapes=(Shape(Look.ROPE, ((0.1, 0), (0.1, 100), (0.3, 100), (0.3, 0))), Shape(Look.MEAN, ((0.2, 50),))),
    texts=(Text(0.9, 120, "right", anchor=0.9), Text(0.0, 120, "left", anchor=0.0, colour="soft", bold=True)),
    axis=AXIS,
    unit="points",
)


def elements(text, name):
    """Return the elements of one name; reading them proves that the text is well formed."""
    return [each for each in ET.fromstring(text).iter() if each.tag.endswith(name)]  # noqa: S314


class TestAxis:
    def test_places_are_shares_of_the_width_and_never_beyond_it(self):
        assert [AXIS.share(number) for number in (-11, -10, 0, 5, 10, 1e9)] == [0, 0, 0.5, 0.75, 1, 1]

    @pytest.mark.parametrize(("low", "high"), [(-3.2, 1.1), (-0.5, 60.0), (0.0, 1.0), (0.71, 0.93), (-1e-4, 1e-4)])
    def test_round_numbers_keep_clear_of_one_another(self, low, high):
        axis = Axis(low=low, high=high)
        places = [axis.share(number) for number in axis.ticks()]
        assert len(places) >= 2
        assert all(after - before >= 0.15 for before, after in pairwise(places))
        assert ("0" in axis.ticks().values()) == (low < 0 < high)

    def test_differences_have_signs_and_scores_have_none_and_all_have_the_same_decimals(self):
        assert list(Axis(low=-3.2, high=3.2).ticks().values()) == ["−2", "0", "+2"]
        assert list(Axis(low=0.71, high=1.0).ticks(4).values()) == ["0.8", "0.9", "1.0"]
        assert list(Axis(low=-0.01, high=0.6).ticks().values()) == ["0", "+0.2", "+0.4", "+0.6"]


@pytest.mark.parametrize("most", [2, 4, 7])
def test_no_more_numbers_than_asked_for_and_all_on_the_axis(most):
    rng = np.random.default_rng(1)
    for low, size in zip(rng.normal(0, 100, 200), 10 ** rng.uniform(-6, 6, 200), strict=True):
        numbers = round_numbers(low, low + size, most)
        assert len(numbers) <= most + 1
        assert all(low - 1e-9 <= number <= low + size + 1e-9 for number in numbers)
        steps = np.diff(numbers)
        assert steps == pytest.approx(steps[:1].repeat(steps.size), rel=1e-3)


def test_no_numbers_are_on_an_axis_without_length():
    assert round_numbers(1.0, 1.0) == []


def font_size(box: Any) -> float:
    return float(box.offsetbox.get_children()[0].get_fontsize())


def test_a_plot_is_drawn_in_axes_at_their_size():
    figure = Figure(figsize=(2, 1), dpi=100)
    axes = figure.add_axes((0.0, 0.0, 0.5, 1.0))
    assert drawn(PLOT, axes) is figure
    assert font_size(axes.artists[0]) == pytest.approx(14 * 72 / 400)
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 400), (140, 0))
    (alone,) = drawn(PLOT).axes
    assert font_size(alone.artists[0]) == pytest.approx(14 * 72 / 96)
    with pytest.raises(InputError, match=r"ax: expected matplotlib axes.* got int"):
        drawn(PLOT, 7)


class TestPanel:
    def test_points_are_placed_where_both_axes_say(self):
        assert PANEL.at(0, 1) == (0.5, 20)
        assert PANEL.upright(Look.ZERO, 10).points == ((1, 120), (1, 20))
        assert PANEL.level(Look.ZERO, 0.5).points == ((0, 70), (1, 70))
        assert PANEL.columns(Look.ROPE, -5, 5).points == ((0.25, 120), (0.25, 20), (0.75, 20), (0.75, 120))
        assert PANEL.columns(Look.ROPE, 0, 0).points[2][0] == 0.501


class TestPage:
    def test_every_look_has_a_rule(self):
        assert all(f".plot .{look.kind} {{" in css() for look in Look)


class TestTexts:
    @pytest.mark.parametrize("name", [*HOSTILE, "a & b", "$x$"])
    def test_a_text_is_text_whatever_it_holds(self, name):
        plot = Plot(height=20, texts=(Text(0.5, 10, name[:50]),))
        for drawing in (in_notebook(plot, name), svg(plot, name)):
            assert "<script" not in drawing
            assert len(elements(drawing, "text")) == 1
            drawing.encode()
