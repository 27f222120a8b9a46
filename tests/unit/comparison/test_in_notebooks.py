"""What a notebook does with results: figures, tables, and their names on one line."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import pytest_bayesf1 as bf
from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.figures.pictures import posterior_of
from pytest_bayesf1.figures.plot import drawn

N = 240
RANDOM = np.random.default_rng(5)
TRUE = RANDOM.choice(["ham", "news", "spam"], N)
OLD, NEW = (np.where(RANDOM.random(N) < share, TRUE, RANDOM.choice(TRUE, N)) for share in (0.9, 0.85))
COMPARISON = bf.compare(TRUE, OLD, NEW, rope=0.05)
ESTIMATE = bf.estimate(TRUE, OLD)


def texts(axes):
    return [each.offsetbox.get_text() for each in axes.artists]


class TestFigure:
    @pytest.mark.parametrize("result", [COMPARISON, ESTIMATE])
    def test_it_shows_the_picture_of_reports(self, result):
        figure = result.figure()
        assert texts(figure.axes[0]) == texts(drawn(posterior_of(result)).axes[0])

    @pytest.mark.parametrize("ax", [Figure(), np.array([1]), "left"])
    def test_what_are_no_axes(self, ax):
        with pytest.raises(InputError, match=r"^ax: expected matplotlib axes, such as plt.gca\(\), got"):
            COMPARISON.figure(ax)


def test_a_result_is_a_row_of_a_table():
    sides = ConfusionMatrix.from_predictions(TRUE, OLD), ConfusionMatrix.from_predictions(TRUE[:200], NEW[:200])
    found = bf.compare(*sides, rope=(-0.03, 0.02), model="independent")
    row = {name: value for name, (value,) in found.columns().items()}
    assert (row["measure"], row["decision"], row["model"]) == ("f1_macro", str(found.decision), "independent")
    assert (row["baseline"], row["candidate"]) == (found.baseline.observed, found.candidate.observed)
    assert row["change"] == found.change == row["candidate"] - row["baseline"]
    assert (row["hdi_low"], row["hdi_high"], row["rope_low"], row["rope_high"]) == (*found.hdi, -0.03, 0.02)
    assert (row["n_baseline"], row["n_candidate"]) == (N, 200)
    chances = tuple(row[f"p_{where}_rope"] for where in ("below", "in", "above"))
    assert chances == (found.p_below_rope, found.p_in_rope, found.p_above_rope)
