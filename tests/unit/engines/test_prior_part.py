"""Jumps and cells are two ways to draw the same."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.prior_part import CellPart, JumpPart
from pytest_bayesf1.engines.side_sums import SideSums
from pytest_bayesf1.stats.measure_names import Detail
from pytest_bayesf1.stats.outcomes import OutcomeTable

N_DRAWS, N_CLASSES = 20_000, 3
PAIRS = OutcomeTable.empty(N_CLASSES, n_sides=2)


def totals(part, table, mass, *, apart, seed):
    """Draw what each side predicts wrongly; with ``apart`` each row's group is scaled to one first."""
    drawn = part.draw(mass, apart, np.random.default_rng(seed))
    if apart:
        drawn.rescale(1 / drawn.sums)
    layout = SideSums(N_CLASSES, table.n_sides, Detail.MATRIX)
    sums = np.zeros((table.n_sides, mass.size, layout.width))
    drawn.add_to(sums, layout)
    return np.concatenate(sums if apart else [drawn.sums, *sums], axis=1)


@pytest.mark.parametrize("apart", [False, True], ids=["together", "apart"])
@pytest.mark.parametrize(("n_sides", "group"), [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_jumps_have_the_distribution_of_cells(n_sides, group, apart):
    table = OutcomeTable.empty(N_CLASSES, n_sides)
    mass = np.random.default_rng(0).choice([0.25, 1.0, 4.0], size=N_DRAWS)
    jumps, cells = (
        totals(part, table, mass, apart=apart, seed=seed)
        for seed, part in enumerate((JumpPart(table, group, 1.0), CellPart(table, group)))
    )
    assert (jumps.any(axis=0) == cells.any(axis=0)).all()
    for column in np.flatnonzero(jumps.any(axis=0)):
        # 72 tests: at 1e-5 each, one false alarm in 1,400 seeds; shares within 1e-9 of 0 and 1 differ by rounding
        assert stats.ks_2samp(jumps[:, column].round(9), cells[:, column].round(9)).pvalue > 1e-5


@pytest.mark.parametrize("least", [0.25, 0.06])
def test_no_group_is_left_without_a_jump_however_small_its_mass(least):
    mass = np.full(5_000, least)
    assert (JumpPart(PAIRS, 3, 1.0).draw(mass, apart=True, rng=np.random.default_rng(0)).sums > 0).all()


def test_each_draw_s_own_mass_says_how_many_jumps_there_are():
    """From a mass of 1 on the cut is exp(-30), and E1 there is 30 but for Euler's constant."""
    part, n = JumpPart(PAIRS, 3, 1.0), 1_000
    for mass in (1.0, 8.0):
        among = np.append(np.full(n, mass), 0.25)
        drawn = part.draw(among, apart=True, rng=np.random.default_rng(0))
        jumps = np.bincount(drawn._start // N_CLASSES, drawn._size > 0, minlength=n + 1)[:n]
        expected = (30 - np.euler_gamma) * N_CLASSES * mass
        assert abs(jumps.mean() - expected) < 4 * np.sqrt(expected / n)
