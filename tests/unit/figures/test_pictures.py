"""Pictures of results: what they show where, checked against the densities and intervals themselves."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.offsetbox import AnnotationBbox

from pytest_bayesf1.figures.pictures import (
    Bar,
    Landmark,
    Posterior,
    axis_of_changes,
    axis_of_scores,
    change_of,
    curve,
    interval_row,
    posterior,
    posterior_of,
    score_of,
    trend,
)
from pytest_bayesf1.figures.plot import Look, drawn
from pytest_bayesf1.results.comparison import Density, EarlierChange
from pytest_bayesf1.results.policy import Ends
from pytest_bayesf1.results.timeline import Trend, TrendPoint
from tests.unit.made_up import comparison, estimate, judged

CHANGE = Posterior(
    density=Density(-4.0, 4.0, (0.0, 1.0, 4.0, 1.0, 0.0)),
    observed=0.2,
    hdi=(-1.8, 2.2),
    rope=(-1.0, 1.0),
    reference=0.0,
    landmarks=(Landmark(-1.0, "you allow to here: −1"), Landmark(0.0, "no change")),
    here="you are here: +0.2",
)
VERSIONS = tuple(TrendPoint(f"2026-05-0{day}T", "abc", 0.9, (0.88, 0.91)) for day in (1, 2))


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


class TestPosterior:
    def test_a_judge_alone_stands_below_the_bar_and_earlier_changes_below_the_curve(self):
        (mean,) = posterior(CHANGE).drawn(Look.MEAN)
        plot = posterior(replace(CHANGE, judged=(-5.5, (-6.0, -5.0)), earlier=(5.0, 6.0), unit="points"))
        across = plot.axis.share
        (bar,), (dot,), (own,) = map(plot.drawn, (Look.BASELINE_OBSERVED, Look.OTHER_DOT, Look.MEAN))
        assert (xs(bar), xs(dot), xs(own)) == ([across(-6), across(-5)], [across(-5.5)], [across(0.2)])
        assert own.points[0][1] < mean.points[0][1] < dot.points[0][1] == bar.points[1][1]
        assert [xs(each) for each in plot.drawn(Look.EARLIER)] == [[across(5)] * 2, [across(6)] * 2]
        assert 0 < across(-6) < across(-4) < across(4) < across(6) < 1
        assert plot.texts[3].text == "the judge alone"
        assert plot.texts[3].x == across(-5.5)
        assert plot.unit == "points"

    def test_of_a_score_without_a_floor_none_is_named(self):
        assert score_of(estimate(floor=None)).landmarks == ()
        judge = judged((0.1, 2, 9), (-0.2, 3, 8))
        found = change_of(comparison(judge=judge, rope=(-0.01, 0.02)), Ends.LOW)
        assert found.rope == (-1, 2)
        of = comparison().density
        assert (found.density.low, found.density.high) == pytest.approx((100 * of.low, 100 * of.high))
        assert [found.judged[0], *found.judged[1]] == pytest.approx([-10, 0, 10])
        earlier = change_of(
            comparison(earlier_changes=(EarlierChange(0.02, 0.01), EarlierChange(-0.03, 0.01))), Ends.LOW
        )
        assert earlier.earlier == pytest.approx((2, -3))
        own = change_of(comparison(judge=judge, custom_measure=True), Ends.LOW)
        assert [own.judged[0], *own.judged[1]] == pytest.approx([-0.1, 0, 0.1])
        assert own.unit == ""
        assert score_of(estimate(judge=judged((0.1, 2, 9)))).judged == (0.5, (0, 0.1))
        assert "δ of macro-F1: candidate − baseline, in points" in texts(posterior_of(comparison()))


class TestTrend:
    def test_it_has_a_line_for_the_budget_where_it_is_known(self):
        plot = trend(Trend("a", 0.02, 0.9, VERSIONS), 0.88)
        (budget,), (candidate,) = plot.drawn(Look.BUDGET), plot.drawn(Look.MEAN)
        assert budget.points[0][1] == budget.points[1][1] == candidate.points[0][1]  # 0.9 − 0.02
        assert texts(plot) == ["2026-05-01", "2026-05-02"]
        assert trend(Trend("a", None, None, VERSIONS), 0.88).drawn(Look.BUDGET) == []

    def test_it_has_an_upright_line_where_the_test_set_changes(self):
        points = (VERSIONS[0], replace(VERSIONS[1], new_test_set=True))
        _, upright = trend(Trend("a", None, None, points), 0.88).drawn(Look.ZERO)
        assert xs(upright) == [0.5, 0.5]


class TestRows:
    def test_they_share_an_axis_that_one_wide_rope_does_not_stretch(self):
        rows = [Bar(-2.0, (-3.0, -1.0), (-1.0, 1.0)), Bar(0.5, (0.0, 1.0), (-95.0, 95.0))]
        (hdi,) = interval_row(rows[0], axis_of_changes(rows)).drawn(Look.HDI)
        left, right = xs(hdi)
        assert right - left > 0.1
        assert axis_of_changes(rows).low < -3 < 6 < axis_of_changes(rows).high

    @pytest.mark.parametrize(
        ("ends", "rope", "drawn"), [((-3, 1), (-1, 1), (1, 1)), ((-3, 1), None, (0, 1)), ((1, 3), (2, 3), (1, 0))]
    )
    def test_what_is_allowed_and_no_change_are_drawn_where_they_are_on_the_axis(self, ends, rope, drawn):
        row = interval_row(Bar(2.0, ends, rope), axis_of_scores([Bar(2.0, ends)]))
        assert tuple(len(row.drawn(look)) for look in (Look.ROPE, Look.ZERO)) == drawn


class TestNotebook:
    @pytest.mark.parametrize("floor", [0.0, 0.79, 2.0])
    def test_no_label_is_cut_off(self, floor):
        check_texts(posterior_of(estimate(floor=floor, p_below_floor=1.0 - 1e-9)))


def check_texts(plot):
    """Check that every text is within the picture, as matplotlib draws it, and lies where no other does."""
    figure = drawn(plot)
    boxes: list[Any] = [each for each in figure.axes[0].artists if isinstance(each, AnnotationBbox)]
    shown = [(each.offsetbox.get_text(), each.get_window_extent().padded(-0.5)) for each in boxes]
    for text, box in shown:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in combinations(shown, 2):
        assert not box.overlaps(other_box), (text, other)
