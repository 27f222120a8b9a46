"""Pictures of results: what they show where, checked against the densities and intervals themselves."""

from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1.comparison.compare import thinned_chains
from pytest_bayesf1.figures.pictures import (
    Label,
    Posterior,
    Row,
    axis_of_changes,
    bar_text,
    curve,
    interval_row,
    posterior,
    prior_and_posterior,
    sides,
    trace,
    trend,
)
from pytest_bayesf1.figures.plot import Axis, Look
from pytest_bayesf1.results.comparison import Convergence, Density
from pytest_bayesf1.results.versions import Trend, TrendPoint
from tests.unit.made_up import comparison

CHANGE = Posterior(
    density=Density(-4.0, 4.0, (0.0, 1.0, 4.0, 1.0, 0.0)),
    observed=0.2,
    hdi=(-1.8, 2.2),
    rope=(-1.0, 1.0),
    reference=0.0,
    landmarks=(Label(-1.0, "you allow to here: −1"), Label(0.0, "no change")),
    here="you are here: +0.2",
)
VERSIONS = tuple(TrendPoint(f"2026-05-0{day}", "abc", 0.9, (0.88, 0.91)) for day in (1, 2))


def xs(shape):
    return [x for x, _ in shape.points]


def texts(plot):
    return [text.text for text in plot.texts]


class TestCurve:
    def test_it_has_the_density_s_shape_and_its_peak_is_1(self):
        made = Density(-1.0, 3.0, tuple(np.exp(-(np.linspace(-3, 3, 101) ** 2))))
        x, heights = zip(*curve(made, most=20), strict=True)
        assert len(x) <= 23
        assert max(heights) == 1
        np.testing.assert_allclose(heights, np.interp(x, np.linspace(-1, 3, 101), made.values), atol=0.001)

    def test_of_many_points_the_highest_is_never_left_out(self):
        spike = Density(0.0, 1.0, (*[0.0] * 37, 1.0, *[0.0] * 63))
        assert max(height for _, height in curve(spike, most=10)) == 1


class TestPosterior:
    def test_it_shows_interval_observed_number_rope_and_no_change_where_they_are(self):
        plot = posterior(CHANGE)
        across = plot.axis.share
        (hdi,), (mean,), (rope,), (zero,) = map(plot.drawn, (Look.HDI, Look.MEAN, Look.ROPE, Look.ZERO))
        assert xs(hdi) == [across(-1.8), across(2.2)]
        assert xs(mean) == [across(0.2)]
        assert (min(xs(rope)), max(xs(rope))) == (across(-1.0), across(1.0))
        assert set(xs(zero)) == {across(0.0)}

    def test_every_label_has_a_line_of_its_own_at_its_number(self):
        plot = posterior(CHANGE)
        allow, none, here = plot.texts[:3]
        assert [each.text for each in (allow, none, here)] == [*(each.words for each in CHANGE.landmarks), CHANGE.here]
        assert allow.y + 20 < none.y < here.y - 20
        assert none.x == none.anchor == plot.axis.share(0.0)

    def test_a_floor_has_no_rope(self):
        plot = posterior(replace(CHANGE, rope=None, reference=-6.0, landmarks=(Label(-6.0, "the floor is here: −6"),)))
        assert plot.drawn(Look.ROPE) == plot.drawn(Look.MARK) == []
        assert all(0 <= each.x <= 1 for each in plot.texts)

    def test_an_axis_that_others_share_may_be_wider(self):
        axis = Axis(low=-100, high=100)
        assert posterior(CHANGE, axis).axis is axis


def test_both_sides_are_drawn_where_they_are_known():
    made = comparison()
    plot = sides(made.baseline, made.candidate)
    assert texts(plot)[:2] == ["baseline 0.800", "candidate 0.802"]
    (observed,) = plot.drawn(Look.CANDIDATE_OBSERVED)
    assert set(xs(observed)) == {plot.axis.share(made.candidate.observed)}
    assert sides(replace(made.baseline, density=None), made.candidate) is None


def test_the_distance_at_0_is_the_bayes_factor():
    made = comparison()
    plot = prior_and_posterior(made.prior_density, made.density)
    curves = [plot.drawn(look)[0].points for look in (Look.PRIOR, Look.POSTERIOR)]
    heights = [np.interp(plot.axis.share(0), *zip(*points, strict=True)) for points in curves]
    at = [
        np.interp(0, np.linspace(each.low, each.high, len(each.values)), each.values)
        for each in (made.prior_density, made.density)
    ]
    peaks = [min(y for _, y in points) for points in curves]
    power = (peaks[0] - peaks[1]) / np.log10(max(made.density.values) / max(made.prior_density.values))
    # a line between points misses the curve by a little
    assert (heights[0] - heights[1]) / power == pytest.approx(np.log10(at[1] / at[0]), abs=0.15)


class TestTrend:
    def test_it_has_a_line_for_the_budget_where_it_is_known(self):
        plot = trend(Trend("a", 0.02, 0.9, VERSIONS), 0.88)
        (budget,), (candidate,) = plot.drawn(Look.BUDGET), plot.drawn(Look.MEAN)
        assert budget.points[0][1] == budget.points[1][1] == candidate.points[0][1]  # 0.9 − 0.02
        assert trend(Trend("a", None, None, VERSIONS), 0.88).drawn(Look.BUDGET) == []
        assert trend(Trend("a", None, None, ()), 0.88) is None
        assert trend(None, 0.88) is None

    def test_it_has_an_upright_line_where_the_test_set_changes(self):
        points = (VERSIONS[0], replace(VERSIONS[1], new_test_set=True))
        _, upright = trend(Trend("a", None, None, points), 0.88).drawn(Look.ZERO)
        assert xs(upright) == [0.5, 0.5]

    def test_the_first_and_the_last_day_are_named(self):
        assert texts(trend(Trend("a", None, None, VERSIONS), 0.88)) == ["2026-05-01", "2026-05-02"]
        assert texts(trend(Trend("a", None, None, VERSIONS[:1]), 0.88)) == ["2026-05-01"]


def test_every_chain_is_a_line():
    sampled = comparison(convergence=Convergence(ess=1_800.0, n_chains=4, r_hat=1.002))
    chains = thinned_chains(sampled.convergence, sampled.delta)
    drawn = trace(chains).shapes
    assert [len(shape.points) for shape in drawn] == [len(chain) for chain in chains]
    assert len({shape.look for shape in drawn}) == 4
    assert trace(None) is None


class TestRows:
    def test_they_share_an_axis_that_one_wide_rope_does_not_stretch(self):
        rows = [Row(-2.0, (-3.0, -1.0), (-1.0, 1.0)), Row(0.5, (0.0, 1.0), (-95.0, 95.0))]
        (hdi,) = interval_row(rows[0], axis_of_changes(rows)).drawn(Look.HDI)
        left, right = xs(hdi)
        assert right - left > 0.1

    def test_a_row_without_a_rope_has_none(self):
        row = Row(0.0, (-1.0, 1.0))
        assert interval_row(row, axis_of_changes([row])).drawn(Look.ROPE) == []

    def test_a_score_has_no_line_at_0(self):
        assert interval_row(Row(0.8, (0.7, 0.9)), Axis(low=0.5, high=1)).drawn(Look.ZERO) == []

    @pytest.mark.parametrize("ascii_only", [False, True])
    @pytest.mark.parametrize(
        "row", [Row(0, (0, 0), (0, 0)), Row(-50, (-60, -40), (-1e9, 1e9)), Row(1, (-9, 9), (-1, 1))]
    )
    def test_a_bar_of_text_is_as_wide_as_asked(self, row, ascii_only):
        text = bar_text(row, Axis(low=-10, high=10), 21, ascii_only=ascii_only)
        assert len(text) == 21
        assert text.isascii() == ascii_only
        assert text.count("o" if ascii_only else "●") == 1

    def test_a_bar_of_text_shades_as_much_on_either_side(self):
        for low in np.linspace(-20, -3, 50):
            text = bar_text(Row(low, (low, low), (-1, 1)), Axis(low=low, high=5), 30)
            left, right = text.split("│")
            assert left.count("░") == right.count("░")
