"""Gates find what they are said to find, and more examples settle what they are said to, by the real decision."""

from math import sqrt

import numpy as np
import pytest

from docs.studies.power import Setting, losses, settling
from pytest_bayesf1.settings import Model

N = 100


@pytest.mark.one_of_many
@pytest.mark.parametrize(
    "setting",
    [
        Setting(2, 400, Model.PAIRED),
        Setting(2, 2_000, Model.SAME_SET, 0.8, 20),
        Setting(5, 1_000, Model.INDEPENDENT, 0.8),
    ],
    ids=lambda setting: f"{setting.n_classes} classes, {setting.model}",
)
def test_a_loss_is_found_as_surely_as_is_said(setting):
    """A rate of so many test sets is off by 4 points, and the loss that the line through two of them finds by 3%."""
    (row,) = losses([setting], N)
    relative, even = float(row[7].rstrip("%")) / 100, float(row[9].rstrip("%")) / 100
    assert abs(relative) < 0.1 + 2 * 0.03
    assert even == pytest.approx(0.5, abs=4 * sqrt(0.25 / N) + 0.05)


@pytest.mark.long
def test_more_examples_settle_as_often_as_is_said():
    """Four standard errors of a rate, and the five points that it may be off."""
    for _, _, n, predicted, settled, _ in settling([Setting(2, 2_000, Model.PAIRED)], N):
        chances = np.array([float(each.rstrip("%")) / 100 for each in (predicted, settled)])
        assert abs(chances[1] - chances[0]) < 0.05 + 4 * sqrt(0.25 / float(n.replace(",", "")))
