"""Pictures of results: what they show where, checked against the densities and intervals themselves."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from pytest_bayesf1 import plan
from pytest_bayesf1.figures.picture_file import drawn
from pytest_bayesf1.figures.pictures import (
    Bar,
    Landmark,
    Posterior,
    axis_of_changes,
    curve,
    history_plot,
    interval_row,
    posterior,
    posterior_of,
    power_plot,
    ranking_plot,
    trend,
)
from pytest_bayesf1.figures.plot import Look
from pytest_bayesf1.results.comparison import Density
from pytest_bayesf1.results.timeline import NewTestSet, Trend, TrendPoint
from pytest_bayesf1.systems import RankingFigures, SystemFigures
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import estimate
from tests.unit.reports.test_sheets import FIRST, WORSE, history, version

CHANGE = Posterior(
    density=Density(-4.0, 4.0, (0.0, 1.0, 4.0, 1.0, 0.0)),
    observed=0.2,
    hdi=(-1.8, 2.2),
    rope=(-1.0, 1.0),
    reference=0.0,
    landmarks=(Landmark(-1.0, "you allow to here: −1"), Landmark(0.0, "no change")),
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


class TestTrend:
    def test_it_has_a_line_for_the_budget_where_it_is_known(self):
        plot = trend(Trend("a", 0.02, 0.9, VERSIONS), 0.88)
        (budget,), (candidate,) = plot.drawn(Look.BUDGET), plot.drawn(Look.MEAN)
        assert budget.points[0][1] == budget.points[1][1] == candidate.points[0][1]  # 0.9 − 0.02
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


class TestNotebook:
    @pytest.mark.parametrize("floor", [0.0, 0.79, 2.0])
    def test_no_label_is_cut_off(self, floor):
        check_texts(posterior_of(estimate(floor=floor, p_below_floor=1.0 - 1e-9)))


def check_texts(plot):
    """Check that every text is within the picture, as matplotlib draws it, and lies where no other does."""
    figure = drawn(plot)
    shown = [(text.get_text(), text.get_window_extent().padded(-0.5)) for text in figure.axes[0].texts]
    for text, box in shown:
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1, text
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1, text
    for (text, box), (other, other_box) in combinations(shown, 2):
        assert not box.overlaps(other_box), (text, other)


ACROSS = replace(WORSE, change=replace(WORSE.change, new_test_set=NewTestSet(100, 200)))


class TestHistory:
    def test_every_version_with_a_score_has_its_interval(self):
        plot = history_plot(history(FIRST, version(problem="damaged"), WORSE))
        assert len(plot.drawn(Look.DOT)) == 1
        assert len(plot.drawn(Look.OTHER_DOT)) == 2  # what failed has another colour: its score, its total
        assert history_plot(history(FIRST, replace(WORSE, verdict="passed"))).drawn(Look.OTHER) == []

    def test_points_on_another_test_set_are_hollow(self):
        legend = "hollow: on another test set than what it is compared with"
        plot = history_plot(history(FIRST, WORSE, ACROSS))
        assert legend in texts(plot)
        assert len(plot.drawn(Look.HOLE)) == 1
        assert legend not in texts(history_plot(history(FIRST, WORSE)))

    @pytest.mark.parametrize(
        "shown",
        [
            history(),
            history(FIRST, bounded=False),
            history(FIRST, WORSE, ACROSS),
            history(*[FIRST] * 200),
            *(history(FIRST, measure_words=name[:200]) for name in HOSTILE),
        ],
    )
    @pytest.mark.filterwarnings("ignore:Glyph")
    def test_no_text_is_cut_off(self, shown):
        check_texts(history_plot(shown))


@pytest.fixture(scope="module")
def planned():
    return plan(shares={"<b>": 0.7, "spam": 0.3}, accuracy=0.9, agreement=0.95, measure="f1[<b>]", rope=0.01)


class TestPower:
    def test_the_curve_crosses_the_power_where_so_many_examples_are_needed(self, planned):
        plot = power_plot(planned)
        (needed,), (power,) = plot.drawn(Look.AXIS), plot.drawn(Look.ZERO)
        curve, _ = plot.drawn(Look.CURVE)[:2]
        x, y = zip(*curve.points, strict=True)
        assert np.interp(needed.points[0][0], x, y) == pytest.approx(power.points[0][1], abs=5)

    def test_no_text_is_cut_off(self, planned):
        check_texts(power_plot(planned))


def system(name, mean, rank_hdi=(1, 2)):
    return SystemFigures(
        name=name,
        observed=mean + 0.001,
        mean=mean,
        std=0.01,
        hdi=(mean - 0.02, mean + 0.02),
        rank_hdi=rank_hdi,
        may_be_best=rank_hdi[0] == 1,
        expected_rank=1.5,
        expected_loss=0.01,
        ties=(),
    )


def ranking(*systems, groups=()):
    return RankingFigures(
        measure="f1_macro",
        measure_words="macro-F1",
        custom_measure=False,
        rope=(-0.01, 0.01),
        hdi_prob=0.9,
        prevalence="",
        prior="jeffreys",
        seed=0,
        n_draws=100,
        n_samples=50,
        n_classes=2,
        settled=True,
        systems=systems,
        pairs=(),
        groups=groups,
    )


THREE = ranking(system("one", 0.9, (1, 1)), system("two", 0.88), system("three", 0.7, (3, 3)))


class TestRanking:
    def test_observed_scores_are_below_the_bars_and_means_on_them(self):
        plot = ranking_plot(THREE)
        means, observed = ([xs(shape)[0] for shape in plot.drawn(look)] for look in (Look.MEAN, Look.OTHER))
        per_score = (means[0] - means[1]) / 0.02
        np.testing.assert_allclose(np.subtract(observed, means), 0.001 * per_score)

    @pytest.mark.parametrize("name", ["a & b", "$x$", "späm", "n" * 500, *HOSTILE])
    @pytest.mark.filterwarnings("ignore:Glyph")
    def test_names_are_short_enough(self, name):
        check_texts(ranking_plot(ranking(system(name, 0.9), system("other", 0.8))))
