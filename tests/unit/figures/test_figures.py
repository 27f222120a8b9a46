"""The other figures: what they show, and that strangers' texts and numbers cannot break them."""

import base64
import re
from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from pytest_bayesf1.comparison.readable import thinned_chains
from pytest_bayesf1.figures.bayes_factor import factor_svg
from pytest_bayesf1.figures.heat_map import heat_map_svg
from pytest_bayesf1.figures.sides import sides_svg
from pytest_bayesf1.figures.ticks import round_numbers
from pytest_bayesf1.figures.trace import trace_svg
from pytest_bayesf1.results.breakdown import Breakdown, ClassDifference
from pytest_bayesf1.results.figures import Convergence
from tests.unit.figures.test_posterior import texts
from tests.unit.made_up import comparison

SAMPLED = comparison(convergence=Convergence(ess=1_800.0, n_chains=4, r_hat=1.002))


def with_breakdown(cells, labels=("ham", "spam"), n_samples=(100, 100)):
    classes = (ClassDifference(label, n_samples, 0.9, 0.8, -0.1, (-0.2, 0.0)) for label in labels)
    return Breakdown(tuple(classes), tuple(map(tuple, cells)), None, None)


def sides(result):
    return sides_svg(result, (result.baseline.density, result.candidate.density), "a")


def factor(result):
    return factor_svg(result, result.prior_density, "a")


def trace(result):
    return trace_svg(thinned_chains(result.convergence, result.delta), "a")


def pixels(svg):
    data = re.search(r"data:image/png;base64,\s*([^\"]+)", svg)[1].replace(" ", "")
    return imread(BytesIO(base64.b64decode(data)))


@pytest.mark.parametrize("draw", [sides, factor, trace])
def test_a_figure_is_one_svg_element_in_the_page_s_colours(draw):
    svg = draw(SAMPLED)
    assert svg.startswith("<svg")
    assert svg.rstrip().endswith("</svg>")
    assert "var(--curve" in svg
    assert not re.search(r"#0[1-6]0[1-6]0[1-6]", svg)
    assert draw(SAMPLED) == svg


def test_both_sides_are_named():
    assert {"baseline", "candidate"} <= set(texts(sides(comparison())))


def test_prior_and_posterior_are_named():
    assert {"prior", "posterior"} <= set(texts(factor(comparison())))


@pytest.mark.slow
def test_chains_are_counted():
    assert "draw, every one of 4 chains thinned to 167" in texts(trace(SAMPLED))


def test_heat_map_is_red_where_errors_come_and_blue_where_they_go():
    shown = pixels(heat_map_svg(with_breakdown([[0, 0, 90, 80], [0, 1, 10, 20], [1, 0, 9, 4], [1, 1, 91, 96]]), "a"))
    red, blue = shown[..., 0] > shown[..., 2], shown[..., 2] > shown[..., 0]
    np.testing.assert_array_equal(red, [[True, True], [False, False]])
    np.testing.assert_array_equal(blue, [[False, False], [True, True]])
    assert (shown[0, :, 3] > shown[1, :, 3]).all()


def test_heat_map_of_few_classes_has_numbers():
    shown = texts(heat_map_svg(with_breakdown([[0, 1, 10, 20], [1, 0, 9, 4]]), "a"))
    assert {"+10.0", "-5.0", "ham", "spam", "predicted", "true class"} <= set(shown)


def test_heat_map_of_two_test_sets_compares_shares():
    twice = with_breakdown([[0, 1, 10, 20], [1, 0, 10, 40]], n_samples=(100, 200))
    shown = texts(heat_map_svg(twice, "a"))
    assert "+10.0" in shown
    assert pixels(heat_map_svg(twice, "a"))[0, 1, 3] == 0


@pytest.mark.parametrize("label", ["<script>", "$x$", "a\nb", "\ud800", "x" * 10_000])
def test_heat_map_of_hostile_names(label):
    shown = texts(heat_map_svg(with_breakdown([[0, 1, 10, 20]], labels=(label, "spam")), "a"))
    assert not any(len(text) > 24 for text in shown)


@pytest.mark.parametrize("label", ["W" * 24, "語" * 24])
def test_the_longest_names_have_room_beside_a_heat_map(label):
    svg = heat_map_svg(with_breakdown([[0, 1, 10, 20]], labels=(label, "spam")), "a")
    longest = 24 * 8 * 0.98  # points: as wide as the font is high
    assert all(
        float(size) > 1.4 * 72 + longest for size in re.search(r'width="(.*?)pt" height="(.*?)pt"', svg).groups()
    )


def test_round_numbers():
    assert round_numbers(-3.2, 1.1, 4) == [-3.0, -1.5, 0.0]
    assert round_numbers(0.0, 1.0) == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
