import re
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1.reports.markdown import posterior_chart
from pytest_bayesf1.results.comparison import Density
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, estimate

NUMBER = r"-?\d+(?:\.\d+)?"
LINE = re.compile(rf"  line \[({NUMBER}(?:, {NUMBER})*)\]")
AXIS = re.compile(rf'  x-axis "[a-z ]+" ({NUMBER}) --> ({NUMBER})')


def drawn(made):
    chart = posterior_chart(made)
    low, high = map(float, AXIS.search(chart).groups())
    region, density = (np.array(found[1].split(", "), dtype=float) for found in LINE.finditer(chart))
    return np.linspace(low, high, density.size), density, region


def ends(points, region):
    """Return where the plateau begins and ends: halfway up its sides."""
    middles = (points[1:] + points[:-1]) / 2
    return middles[np.diff(region) != 0]


def with_density(low, high, values, **changes):
    return replace(entry(comparison(**changes)), density=Density(low, high, tuple(values)))


def test_the_density_is_drawn_in_points_and_in_percent_of_its_peak():
    made = with_density(-0.02, 0.02, [0.0, 5.0, 10.0, 5.0, 0.0], rope=(-0.01, 0.01))
    points, density, _ = drawn(made)
    assert points[[0, -1]] == pytest.approx([-2, 2], abs=0.03)
    assert density == pytest.approx(100 * (1 - np.abs(points) / 2).clip(0), abs=2)


@pytest.mark.parametrize(
    ("low", "high", "rope"),
    [
        (-0.02, 0.02, (-0.01, 0.01)),
        (-0.04, -0.02, (-0.005, 0.005)),
        (-0.1, -0.08, (-0.013, 0.02)),
        (0.07, 0.09, (0.0, 0.01)),
        (0.07, 0.09, (0.03, 0.04)),
        (-0.001, 0.002, (-0.008, 0.008)),
    ],
)
def test_0_and_the_whole_region_are_in_the_picture(low, high, rope):
    made = with_density(low, high, [0.0, 1.0, 0.0], rope=rope)
    points, density, region = drawn(made)
    assert points[0] < min(0, 100 * rope[0])
    assert points[-1] > max(0, 100 * rope[1])
    assert ends(points, region) == pytest.approx(100 * np.array(rope), abs=0.05)
    assert region.max() == 100
    assert points[density.argmax()] == pytest.approx(50 * (low + high), abs=0.15)


def test_a_region_that_is_far_wider_is_not_drawn_for_the_density_would_be_a_stroke():
    assert posterior_chart(with_density(-0.0001, 0.0001, [0.5, 1.0, 0.5], rope=(-0.5, 0.5))) == ""
    assert posterior_chart(with_density(-0.3, -0.29, [0.5, 1.0, 0.5], rope=(-0.01, 0.01))) == ""


def test_a_region_that_is_far_narrower_is_drawn_all_the_same():
    points, _, region = drawn(with_density(-0.4, 0.41, [0.0, 1.0, 0.0], rope=(-1e-9, 1e-9)))
    assert (region == 100).sum() == 1
    assert points[region.argmax()] == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("floor", [0.7, 0.79, 0.8, 0.85])
def test_what_lies_above_a_floor_is_no_second_posterior(floor):
    chart = posterior_chart(entry(estimate(floor=floor)))
    points, _, region = drawn(entry(estimate(floor=floor)))
    assert 'x-axis "score"' in chart
    assert "scores above the floor (yellow)" in chart
    assert ends(points, region) == pytest.approx([floor], abs=1e-3)
    assert region[-1] == 100


def test_a_posterior_without_width_is_not_drawn():
    assert posterior_chart(with_density(0.0, 0.0, [1.0, 1.0])) == ""


def test_a_measure_of_your_own_is_not_in_points():
    made = entry(comparison(measure="cost", custom_measure=True))
    assert 'x-axis "change"' in posterior_chart(made)
    assert drawn(made)[0][0] == pytest.approx(made.density.low, rel=0.05)


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1.0, 1e8, 1e13])
def test_numbers_are_such_as_mermaid_reads(scale):
    made = with_density(-3 * scale, 5 * scale, [1e-30, 1.0, 3.0, 0.0], rope=(-scale, scale))
    chart = posterior_chart(made)
    *_, x_axis, y_axis, region, density = chart.splitlines()
    assert AXIS.fullmatch(x_axis)
    assert re.fullmatch(r'  y-axis "[a-z, %]+" 0 --> 105', y_axis)
    assert LINE.fullmatch(density)
    assert LINE.fullmatch(region)
    low, high = map(float, AXIS.fullmatch(x_axis).groups())
    assert high - low == pytest.approx(800 * scale, rel=0.05)


def test_an_axis_that_has_no_digits_for_it_is_not_drawn():
    assert posterior_chart(with_density(0.5, 0.5 + 1e-15, [1.0, 1.0], rope=(-1e-17, 1e-17))) == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_gets_into_a_chart(name):
    named = entry(comparison(measure=f"f1[{name}]"), test=name, part=name)
    assert posterior_chart(named) == posterior_chart(entry(comparison()))
