import re
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1.reports.markdown.mermaid import posterior_chart
from pytest_bayesf1.results.figures import Density
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, estimate

NUMBER = r"-?\d+(?:\.\d+)?"
LINE = re.compile(rf"  line \[({NUMBER}(?:, {NUMBER})*)\]")
AXIS = re.compile(rf'  x-axis "[a-z ]+" ({NUMBER}) --> ({NUMBER})')


def drawn(made):
    chart = posterior_chart(made)
    low, high = map(float, AXIS.search(chart).groups())
    density, region = (np.array(found[1].split(", "), dtype=float) for found in LINE.finditer(chart))
    return np.linspace(low, high, density.size), density, region


def with_density(low, high, values, **changes):
    return replace(entry(comparison(**changes)), density=Density(low, high, tuple(values)))


def test_the_density_is_drawn_in_points_and_in_percent_of_its_peak():
    made = with_density(-0.02, 0.02, [0.0, 5.0, 10.0, 5.0, 0.0], rope=(-0.01, 0.01))
    points, density, region = drawn(made)
    assert (points[0], points[-1], density.size) == (-2, 2, 41)
    assert density == pytest.approx(100 * (1 - np.abs(points) / 2), abs=0.05)
    assert region.tolist() == [100 * (abs(point) <= 1.05) for point in points]


def test_the_region_is_in_the_picture():
    points, density, region = drawn(with_density(-0.04, -0.02, [0.0, 1.0, 0.0], rope=(-0.005, 0.005)))
    assert points[0] == -4
    assert points[-1] > 0.5
    assert points[density.argmax()] == pytest.approx(-3, abs=0.1)
    assert points[region == 100][[0, -1]] == pytest.approx([-0.5, 0.5], abs=0.1)
    assert region[[0, -1]].tolist() == [0, 0]


def test_a_region_that_is_far_wider_leaves_the_density_a_quarter():
    _, density, region = drawn(with_density(-0.0001, 0.0001, [0.5, 1.0, 0.5], rope=(-0.5, 0.5)))
    assert (density > 0).sum() >= 10
    assert (region == 100).all()


def test_a_region_that_is_far_narrower_is_drawn_all_the_same():
    _, _, region = drawn(with_density(-0.4, 0.41, [0.0, 1.0, 0.0], rope=(-1e-9, 1e-9)))
    assert 1 <= (region == 100).sum() <= 2


def test_an_estimate_has_a_floor_and_scores():
    chart = posterior_chart(entry(estimate(floor=0.79)))
    points, _, region = drawn(entry(estimate(floor=0.79)))
    assert 'x-axis "score"' in chart
    assert "the floor" in chart
    assert points[region == 100] == pytest.approx(0.79, abs=points[1] - points[0])


def test_a_measure_of_your_own_is_not_in_points():
    made = entry(comparison(measure="cost", custom_measure=True))
    assert 'x-axis "change"' in posterior_chart(made)
    assert drawn(made)[0][0] == pytest.approx(made.density.low, rel=0.02)


@pytest.mark.parametrize("scale", [1e-9, 1e-4, 1.0, 1e8, 1e13])
def test_numbers_are_such_as_mermaid_reads(scale):
    made = with_density(-3 * scale, 5 * scale, [1e-30, 1.0, 3.0, 0.0], rope=(-scale, scale))
    chart = posterior_chart(made)
    *_, x_axis, y_axis, density, region = chart.splitlines()
    assert AXIS.fullmatch(x_axis)
    assert re.fullmatch(r'  y-axis "[a-z, %]+" 0 --> 105', y_axis)
    assert LINE.fullmatch(density)
    assert LINE.fullmatch(region)
    low, high = map(float, AXIS.fullmatch(x_axis).groups())
    assert high - low == pytest.approx(800 * scale, rel=0.02)


def test_an_axis_that_has_no_digits_for_it_is_not_drawn():
    assert posterior_chart(with_density(0.5, 0.5 + 1e-15, [1.0, 1.0], rope=(-1e-17, 1e-17))) == ""


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_gets_into_a_chart(name):
    named = entry(comparison(measure=f"f1[{name}]"), test=name, part=name)
    assert posterior_chart(named) == posterior_chart(entry(comparison()))
