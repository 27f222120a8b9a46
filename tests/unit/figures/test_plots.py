import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from pytest_bayesf1 import plan
from pytest_bayesf1.figures.plots import (
    PAPER,
    Curve,
    history_figure,
    posterior_svg,
    power_figure,
    ranking_figure,
    round_numbers,
    text_width,
)
from pytest_bayesf1.ranking import RankingFigures, SystemFigures
from pytest_bayesf1.results.comparison import Density
from pytest_bayesf1.results.versions import NewTestSet
from tests.unit.hostile import HOSTILE
from tests.unit.made_up import comparison, entry, estimate
from tests.unit.reports.test_wording import HISTORY_TEXT_FIRST as FIRST
from tests.unit.reports.test_wording import HISTORY_TEXT_WORSE as WORSE
from tests.unit.reports.test_wording import history, version

CURVE = Curve.of(Density(-1.0, 1.0, (0, 2, 4, 2, 0)), factor=100)


def test_points_are_scaled_and_heights_measured_by_the_largest():
    np.testing.assert_allclose(CURVE.points, [-100, -50, 0, 50, 100])
    np.testing.assert_allclose(CURVE.heights, [0, 0.5, 1, 0.5, 0])


def texts(svg):
    """Return every text in the figure; reading it proves that it is well formed."""
    root = ET.fromstring(svg)  # noqa: S314
    return ["".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("text")]


def references(svg):
    return set(re.findall(r'(?:url\(|href=")#([^)"]+)', svg))


class TestPosterior:
    def test_a_figure_is_one_svg_element(self):
        svg = posterior_svg(entry(comparison()), "a")
        assert svg.startswith("<svg")
        assert svg.rstrip().endswith("</svg>")

    def test_a_comparison_shows_its_measure_its_interval_and_the_rope(self):
        shown = texts(posterior_svg(entry(comparison()), "a"))
        assert "67% in ROPE" in shown
        assert "+0.2 (−1.8 to +2.2)" in shown
        assert "δ of macro-F1: candidate − baseline, in points" in shown
        assert "42% < 0 < 58%" in shown

    def test_an_estimate_shows_its_interval_and_the_floor(self):
        shown = texts(posterior_svg(entry(estimate(p_below_floor=0.25)), "a"))
        assert not any("ROPE" in text for text in shown)
        assert "0.800 (0.780 to 0.820)" in shown
        assert "25% below the floor" in shown

    @pytest.mark.parametrize("floor", [0.0, 0.79, 2.0])
    def test_no_label_is_cut_off(self, floor):
        svg = posterior_svg(entry(estimate(floor=floor, p_below_floor=1.0 - 1e-9)), "a")
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])
        root = ET.fromstring(svg)  # noqa: S314
        labels = [each for each in root.iter() if each.tag.endswith("text") and "anchor: middle" in each.get("style")]
        assert ">99% below the floor" in [each.text for each in labels]
        for each in labels:
            half = 72 * text_width(each.text, 9) / 2
            x = float(re.search(r"[\d.]+", each.get("x") or each.get("transform"))[0])
            assert half - 1 <= x <= width - half + 1

    @pytest.mark.parametrize("label", ["<script>alert(1)</script>", "a & b", "$x$", '"quoted"', "späm"])
    def test_a_label_is_text_whatever_it_holds(self, label):
        shown = texts(posterior_svg(entry(comparison(measure=f"f1[{label}]")), "a"))
        assert any(f"F1 of {label}" in text for text in shown)

    def test_the_same_entry_gives_the_same_figure(self):
        made = entry(comparison())
        assert posterior_svg(made, "a") == posterior_svg(made, "a")

    def test_figures_in_one_document_do_not_refer_to_each_other_s_parts(self):
        made = entry(comparison())
        one, other = (references(posterior_svg(made, salt)) for salt in ("a", "b"))
        assert one
        assert not one & other

    def test_a_figure_loads_nothing(self):
        svg = posterior_svg(entry(comparison()), "a")
        assert "<script" not in svg
        assert not re.search(r'(?:href|src)="(?!#)', svg)


class TestHistory:
    def test_scores_and_totals_stand_below_one_another(self):
        drawn = history_figure(history(FIRST, version(problem="damaged"), WORSE), "a")
        assert {"macro-F1", "since the anchor, points", "2026-05-02"} <= set(texts(drawn.svg))
        scores, totals = drawn.axes.figure.axes
        assert len(scores.lines) == 4  # an interval and a mean for each of two
        low, high = totals.get_ylim()
        assert low < -3
        assert high > 2.8
        assert any(np.allclose(line.get_ydata(), -2) for line in totals.lines)

    def test_what_failed_has_another_colour(self):
        passed = replace(WORSE, verdict="passed")
        assert "var(--other" in history_figure(history(FIRST, WORSE), "a").svg
        assert "var(--other" not in history_figure(history(FIRST, passed), "a").svg

    def test_points_on_another_test_set_are_hollow(self):
        across = replace(WORSE, change=replace(WORSE.change, new_test_set=NewTestSet(100, 200)))
        legend = "hollow: on another test set than what it is compared with"
        drawn = history_figure(history(FIRST, WORSE, across), "a")
        assert legend in texts(drawn.svg)
        inside = [line.get_markerfacecolor() for line in drawn.axes.lines if line.get_marker() == "o"]
        assert inside[0] != inside[1] != inside[2] == PAPER
        assert legend not in texts(history_figure(history(FIRST, WORSE), "a").svg)

    def test_dates_are_few(self):
        drawn = history_figure(history(*[FIRST] * 200), "a")
        assert 5 <= texts(drawn.svg).count("2026-05-02") <= 7

    def test_one_version_and_measures_without_bounds(self):
        drawn = history_figure(history(FIRST, bounded=False), "a")
        assert "since the anchor" in texts(drawn.svg)

    @pytest.mark.parametrize("name", HOSTILE)
    def test_any_name(self, name):
        svg = history_figure(history(FIRST, measure_words=name[:50]), "a").svg
        assert "<script" not in svg

    def test_files_have_colours_of_their_own(self):
        drawn = history_figure(history(FIRST, WORSE), "a")
        svg = drawn.file(".svg").decode()
        assert svg.startswith("<svg ")
        assert "var(" not in svg
        picture = imread(BytesIO(drawn.file(".png")))
        colours = {
            tuple(np.round(255 * pixel[:3]).astype(int)) for pixel in picture.reshape(-1, picture.shape[-1])[::7]
        }
        assert (255, 255, 255) in colours
        assert (9, 105, 218) in colours  # the curve's


@pytest.fixture(scope="module")
def planned():
    return plan(
        shares={"<b>": 0.7, "spam": 0.3}, accuracy=0.9, agreement=0.95, measure="f1[<b>]", rope=0.01, repetitions=0
    )


def test_a_file_of_its_own_has_colours_of_its_own(planned):
    svg = power_figure(planned, "a").file(".svg").decode()
    assert "var(--" not in svg
    assert "#0969da" in svg
    assert power_figure(planned, "a").file(".svg").decode() == svg


def test_names_are_text(planned):
    svg = power_figure(planned, "a").file(".svg").decode()
    assert "<b>" not in svg
    assert any("F1 of <b>" in text for text in texts(svg))


def test_each_way_to_test_and_the_chosen_size_are_named(planned):
    found = texts(power_figure(planned, "a").file(".svg").decode())
    assert {"no difference, paired", "δ = −2, independent", f"N = {planned.n_examples:,}"} <= set(found)


def ranking_svg(ranking, salt):
    return ranking_figure(ranking, salt).svg


def system(name, mean, p_best=0.5, rank_hdi=(1, 2)):
    return SystemFigures(
        name=name,
        observed=mean + 0.001,
        mean=mean,
        std=0.01,
        hdi=(mean - 0.02, mean + 0.02),
        p_best=p_best,
        rank_hdi=rank_hdi,
        expected_rank=1.5,
        rank_probabilities=(0.5, 0.5),
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


THREE = ranking(system("one", 0.9, 0.8, (1, 1)), system("two", 0.88, 0.2), system("three", 0.7, 0.0, (3, 3)))


class TestRanking:
    def test_every_system_has_its_name_its_chance_and_its_ranks_in_order(self):
        shown = texts(ranking_svg(THREE, "a"))
        assert shown.index("one") < shown.index("two") < shown.index("three")
        assert {"P(best)", "ranks", "80%", "20%", "<1%", "1", "1–2", "3"} <= set(shown)
        assert "macro-F1; bars 90% likely, below them the observed score" in shown

    def test_tie_groups_are_marked(self):
        none, one = (ranking_svg(replace(THREE, groups=groups), "a") for groups in [(), (("one", "two"),)])
        assert none.count("<path") < one.count("<path")
        assert "≈" in texts(one)
        assert "≈" not in texts(none)

    @pytest.mark.parametrize("name", ["<script>alert(1)</script>", "a & b", "$x$", "späm", "two\nlines", "n" * 500])
    def test_a_name_is_text_whatever_it_holds(self, name):
        shown = texts(ranking_svg(ranking(system(name, 0.9), system("other", 0.8)), "a"))
        assert any(text.startswith(" ".join(name.split())[:30]) for text in shown)
        assert max(map(len, shown)) < 60

    def test_a_figure_grows_with_the_systems(self):
        heights = [
            float(
                re.search(r'height="([\d.]+)pt"', ranking_svg(ranking(*[system(f"{n}", 0.9) for n in range(k)]), "a"))[
                    1
                ]
            )
            for k in (2, 12)
        ]
        assert heights[0] < heights[1] < 400

    def test_figures_in_one_document_do_not_refer_to_each_other_s_parts(self):
        one, other = (references(ranking_svg(THREE, salt)) for salt in ("a", "b"))
        assert not one & other


def test_round_numbers():
    assert round_numbers(-3.2, 1.1, 4) == [-2.0, 0.0]
    assert round_numbers(0.0, 1.0) == [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    assert round_numbers(1.0, 1.0) == []


@pytest.mark.parametrize("most", [2, 4, 7])
def test_no_more_than_asked_for_and_all_on_the_axis(most):
    rng = np.random.default_rng(1)
    for low, size in zip(rng.normal(0, 100, 200), 10 ** rng.uniform(-6, 6, 200), strict=True):
        numbers = round_numbers(low, low + size, most)
        assert len(numbers) <= most + 1
        assert all(low <= number <= low + size for number in numbers)
        steps = np.diff(numbers)
        assert steps == pytest.approx(steps[:1].repeat(steps.size), rel=1e-3)
