"""Drawings: what they show where, checked against the densities and intervals themselves."""

import re
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1.comparison.result import thinned_chains
from pytest_bayesf1.reports import html as plots
from pytest_bayesf1.reports.html import Axis, Forest, Row, band, curve
from pytest_bayesf1.reports.verdict_card import verdict_card
from pytest_bayesf1.results.comparison import Convergence, Density
from pytest_bayesf1.results.run import UNKNOWN_RUN
from pytest_bayesf1.results.versions import Trend, TrendPoint
from tests.unit.made_up import comparison, entry, estimate

POINTS = tuple(TrendPoint("2026-05-01", "abc", score, (score - 0.01, score + 0.01)) for score in (0.9, 0.91))


def numbers(path):
    return np.array([float(number) for number in re.findall(r"-?[\d.]+", path.d)])


def paths(plot, kind):
    return [path for path in plot.paths if path.kind == kind]


def posterior(made, policy="not_worse"):
    judged = replace(entry(made, "failed"), policy=policy)
    return plots.posterior(verdict_card(judged, UNKNOWN_RUN).axis)


def test_a_curve_has_the_density_s_shape_and_its_peak_at_the_top():
    made = Density(-1.0, 3.0, tuple(np.exp(-(np.linspace(-3, 3, 101) ** 2))))
    axis = Axis(-200.0, 400.0)
    points = np.array(curve(made, axis, 6, 84, most=20, factor=100))
    assert len(points) <= 23
    assert points[:, 1].min() == 6
    at = np.interp(axis.low + points[:, 0] / 1000 * 600, np.linspace(-100, 300, 101), made.values)
    np.testing.assert_allclose(84 - points[:, 1], 78 * at, atol=1.5)


def test_of_many_points_the_highest_is_never_left_out():
    spike = Density(0.0, 1.0, (*[0.0] * 37, 1.0, *[0.0] * 63))
    assert min(height for _, height in curve(spike, Axis(0.0, 1.0), 6, 84, most=10)) == 6


def test_a_posterior_shows_interval_mean_rope_and_no_change_where_they_are():
    plot = posterior(comparison())
    across = plot.axis.across
    (hdi,), (mean,), (rope,), (zero,) = (paths(plot, kind) for kind in ("hdi", "mean", "rope", "zero"))
    assert numbers(hdi)[[0, 2]].tolist() == [across(-1.8), across(2.2)]
    assert numbers(mean)[0] == across(0.2)
    assert numbers(rope)[0] == across(-1.0)
    assert numbers(rope)[2] == across(1.0) - across(-1.0)
    assert numbers(zero)[0] == across(0.0)


def test_a_posterior_says_where_you_are_and_what_you_tolerate():
    plot = posterior(comparison())
    assert [each.text for each in plot.above] == ["you tolerate to here: −1", "no change"]
    assert [each.text for each in plot.below] == ["you are here: +0.2"]
    assert plot.above[1].place == plot.axis.place(0.0)
    assert "better from here: +1" in [each.text for each in posterior(comparison(), "better").above]


def test_an_estimate_has_its_floor_and_no_rope():
    plot = posterior(estimate(), "at_least")
    assert [each.text for each in plot.above] == ["the floor is here: 0.75"]
    assert paths(plot, "rope") == []
    assert all(0 <= each.place <= 100 for each in (*plot.above, *plot.below, *plot.ticks))


def test_a_rope_thinner_than_a_pixel_is_seen():
    assert band("rope", Axis(0, 1e6), (1.0, 1.1), 24).d == "M0 0h1v24H0z"


def test_both_sides_are_drawn_where_they_are_known():
    made = comparison()
    plot = plots.sides(made)
    assert [each.text for each in plot.above] == ["baseline 0.800", "candidate 0.802"]
    assert plots.sides(replace(made, baseline=replace(made.baseline, density=None))) is None


def test_the_distance_at_0_is_the_bayes_factor():
    made = comparison()
    plot = plots.prior_and_posterior(made)
    heights = [
        np.interp(plot.axis.across(0), *numbers(path).reshape(-1, 2).T)
        for kind in ("prior", "posterior")
        for path in paths(plot, kind)
    ]
    at = [
        np.interp(0, np.linspace(each.low, each.high, len(each.values)), each.values)
        for each in (made.prior_density, made.density)
    ]
    # 94 of the drawing's hundred are four powers of ten; a line between points misses the curve by a little
    assert (heights[0] - heights[1]) / 94 * 4 == pytest.approx(np.log10(at[1] / at[0]), abs=0.15)
    assert plots.prior_and_posterior(replace(entry(made), prior_density=None)) is None


def test_a_trend_has_a_line_for_the_budget_where_it_is_known():
    assert len(paths(plots.trend(Trend("a", 0.02, 0.9, POINTS), 0.88), "budget")) == 1
    assert paths(plots.trend(Trend("a", None, None, POINTS), 0.88), "budget") == []
    assert plots.trend(Trend("a", None, None, ()), 0.88) is None
    assert plots.trend(None, 0.88) is None


def test_every_chain_is_a_line():
    sampled = comparison(convergence=Convergence(ess=1_800.0, n_chains=4, r_hat=1.002))
    chains = thinned_chains(sampled.convergence, sampled.delta)
    drawn = plots.trace(chains).paths
    assert len(drawn) == 4
    assert [len(numbers(path)) for path in drawn] == [2 * len(chain) for chain in chains]
    assert plots.trace(None) is None


def test_rows_share_an_axis_that_one_wide_rope_does_not_stretch():
    narrow, wide = Row(-2.0, (-3.0, -1.0), (-1.0, 1.0)), Row(0.5, (0.0, 1.0), (-95.0, 95.0))
    forest = Forest.of([narrow, wide])
    hdi = next(path for path in forest.rows[0] if path.kind == "hdi")
    left, _, right = numbers(hdi)
    assert right - left > 100  # a tenth of the width
    assert len(forest.rows) == 2


def test_a_row_without_a_rope_has_none():
    assert "rope" not in [path.kind for path in Forest.of([Row(0.0, (-1.0, 1.0))]).rows[0]]
