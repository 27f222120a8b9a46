"""Published figures that the gate's models reproduce."""

import numpy as np
import pytest

from pytest_bayesf1 import compare

# Zhang et al. 2015, Table IV: candidate, baseline, measure, mean, std, % below 0, % in the ROPE, HDI, decision
TABLE_IV = [
    ("nb_bern", "nb_mult", "f1_micro", -0.107, 0.008, 100.0, 0.0, (-0.122, -0.092), "<<"),
    ("nb_bern", "nb_mult", "f1_macro", -0.109, 0.008, 100.0, 0.0, (-0.123, -0.094), "<<"),
    ("svm_l1", "svm_l2", "f1_micro", -0.020, 0.008, 99.4, 2.9, (-0.035, -0.005), "<"),
    ("svm_l1", "svm_l2", "f1_macro", -0.016, 0.008, 98.0, 7.3, (-0.031, -0.001), "<"),
    ("nb_mult", "svm_l2", "f1_micro", +0.028, 0.008, 0.0, 0.1, (+0.013, +0.043), ">>"),
    ("nb_mult", "svm_l2", "f1_macro", +0.022, 0.008, 0.2, 1.3, (+0.007, +0.037), ">>"),
]
ROUNDING = 0.0005
N_DRAWS = 200_000
# The paper drew 50,000 times by Markov chain; its percentages are allowed the error of a tenth as many free draws.
PAPER_DRAWS = 5_000


@pytest.mark.parametrize("row", TABLE_IV, ids=lambda row: f"{row[0]} vs {row[1]} {row[2]}")
def test_table_iv_of_zhang_2015(newsgroups, row):
    candidate, baseline, measure, mean, std, below, inside, interval, decision = row
    ours = compare(
        newsgroups[baseline],
        newsgroups[candidate],
        measure=measure,
        rope=0.005,
        model="independent",
        prior="hierarchical",
        n_draws=N_DRAWS,
    )
    error = ours.std * np.sqrt(1 / N_DRAWS + 1 / PAPER_DRAWS)
    assert abs(ours.mean - mean) < ROUNDING + 4 * error
    assert abs(ours.std - std) < ROUNDING + 4 * error
    assert ours.hdi == pytest.approx(interval, abs=ROUNDING + 4 * 4 * error)  # a bound is about 4 times as uncertain
    assert _agree(ours.p_worse, below)
    assert _agree(ours.p_in_rope, inside)
    assert ours.decision == decision


def _agree(probability, percent):
    error = np.sqrt(max(probability * (1 - probability), 1 / PAPER_DRAWS) / PAPER_DRAWS)
    return abs(100 * probability - percent) < 0.05 + 400 * error
