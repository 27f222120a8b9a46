"""The figures of a history: what they show, and as which files."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from matplotlib.image import imread

from pytest_bayesf1.figures.plots import history_figure
from tests.unit.figures.test_posterior import texts
from tests.unit.hostile import HOSTILE
from tests.unit.reports.test_history_told import FIRST, WORSE, history, version


def test_scores_and_totals_stand_below_one_another():
    drawn = history_figure(history(FIRST, version(problem="damaged"), WORSE), "a")
    assert {"macro-F1", "since the anchor, points", "2026-05-02"} <= set(texts(drawn.svg))
    scores, totals = drawn.axes.figure.axes
    assert len(scores.lines) == 4  # an interval and a mean for each of two
    low, high = totals.get_ylim()
    assert low < -3
    assert high > 2.8
    assert any(np.allclose(line.get_ydata(), -2) for line in totals.lines)


def test_what_failed_has_another_colour():
    passed = replace(WORSE, verdict="passed")
    assert "var(--other" in history_figure(history(FIRST, WORSE), "a").svg
    assert "var(--other" not in history_figure(history(FIRST, passed), "a").svg


def test_dates_are_few():
    drawn = history_figure(history(*[FIRST] * 200), "a")
    assert 5 <= texts(drawn.svg).count("2026-05-02") <= 7


def test_one_version_and_measures_without_bounds():
    drawn = history_figure(history(FIRST, bounded=False), "a")
    assert "since the anchor" in texts(drawn.svg)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name(name):
    svg = history_figure(history(FIRST, measure_words=name[:50]), "a").svg
    assert "<script" not in svg


def test_files_have_colours_of_their_own():
    drawn = history_figure(history(FIRST, WORSE), "a")
    svg = drawn.file(".svg").decode()
    assert svg.startswith("<svg ")
    assert "var(" not in svg
    picture = imread(BytesIO(drawn.file(".png")))
    colours = {tuple(np.round(255 * pixel[:3]).astype(int)) for pixel in picture.reshape(-1, picture.shape[-1])[::7]}
    assert (255, 255, 255) in colours
    assert (9, 105, 218) in colours  # the curve's
