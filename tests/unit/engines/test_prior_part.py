"""Jumps and cells are two ways to draw the same."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.engines.prior_cells import CellPart
from pytest_bayesf1.engines.prior_jumps import FaintPart, JumpPart, deepest
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
    return sums(drawn, table)[:, N_CLASSES if apart else 0 :]


def sums(drawn, table):
    """Write what the rows hold and every side's matrix side by side."""
    layout = SideSums(N_CLASSES, table.n_sides, Detail.MATRIX)
    matrices = np.zeros((table.n_sides, len(drawn.sums), layout.width))
    drawn.add_to(matrices, layout)
    return np.concatenate([drawn.sums, *matrices], axis=1)


@pytest.mark.parametrize("apart", [False, True], ids=["together", "apart"])
@pytest.mark.parametrize(("n_sides", "group"), [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_jumps_have_the_distribution_of_cells(n_sides, group, apart):
    table = OutcomeTable.empty(N_CLASSES, n_sides)
    mass = np.random.default_rng(0).choice([0.25, 1.0, 4.0], size=N_DRAWS)
    jumps, cells = (
        totals(part, table, mass, apart=apart, seed=seed)
        for seed, part in enumerate((JumpPart(table, group, 1.0, deepest(table)), CellPart(table, group)))
    )
    assert (jumps.any(axis=0) == cells.any(axis=0)).all()
    for column in np.flatnonzero(jumps.any(axis=0)):
        # 72 tests: at 1e-5 each, one false alarm in 1,400 seeds; shares within 1e-9 of 0 and 1 differ by rounding
        assert stats.ks_2samp(jumps[:, column].round(9), cells[:, column].round(9)).pvalue > 1e-5


@pytest.mark.parametrize("least", [0.25, 0.06])
def test_no_group_is_left_without_a_jump_however_small_its_mass(least):
    mass = np.full(5_000, least)
    assert (JumpPart(PAIRS, 3, 1.0, deepest(PAIRS)).draw(mass, apart=True, rng=np.random.default_rng(0)).sums > 0).all()


def test_each_draw_s_own_mass_says_how_many_jumps_there_are():
    """From a mass of 1 on the cut is exp(-30), and E1 there is 30 but for Euler's constant."""
    part, n = JumpPart(PAIRS, 3, 1.0, deepest(PAIRS)), 1_000
    for mass in (1.0, 8.0):
        among = np.append(np.full(n, mass), 0.25)
        drawn = part.draw(among, apart=True, rng=np.random.default_rng(0))
        jumps = np.bincount(drawn._start // N_CLASSES, drawn._size > 0, minlength=n + 1)[:n]
        expected = (30 - np.euler_gamma) * N_CLASSES * mass
        assert abs(jumps.mean() - expected) < 4 * np.sqrt(expected / n)


@pytest.mark.parametrize(("n_sides", "group"), [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_sharing_jumps_leaves_the_distribution_of_a_draw_as_it_is(n_sides, group):
    """All jumps, against those of 0.1 and above and those below from a path of its own for every three draws."""
    table, rng, end, split = (
        OutcomeTable.empty(N_CLASSES, n_sides),
        np.random.default_rng(0),
        -np.log(1e-12),
        np.log(10),
    )
    mass = np.tile([1.0, 0.25, 4.0], 2_000)
    every = sums(JumpPart(table, group, 1.0, end).draw(mass, apart=False, rng=rng), table)
    large = sums(JumpPart(table, group, 1.0, split).draw(mass, apart=False, rng=rng), table)
    faint = FaintPart(table, group, split, end)
    small = np.concatenate([sums(faint.draw(mass[:3], rng), table) for _ in range(2_000)])
    for at in range(3):
        for column in np.flatnonzero(every.any(axis=0)):
            assert stats.ks_2samp(every[at::3, column], (large + small)[at::3, column]).pvalue > 1e-5


def test_draws_of_one_mass_share_all_jumps_and_those_of_more_mass_have_these_and_others():
    drawn = FaintPart(PAIRS, 3, 2.0, 20.0).draw(np.array([0.5, 0.2, 0.5, 0.9]), np.random.default_rng(0))
    held = sums(drawn, PAIRS)
    assert (held[0] == held[2]).all()
    assert (held[1] <= held[0]).all()
    assert (held[0] <= held[3]).all()
    assert held[1].sum() < held[0].sum() < held[3].sum()
