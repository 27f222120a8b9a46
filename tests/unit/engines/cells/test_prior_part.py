"""Jumps, atoms and cells are ways to draw the same."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.engines.cells.error_sums import ErrorSums
from pytest_bayesf1.engines.cells.prior_atoms import CELL_ERROR, SKEW_ERROR, AtomPart, n_atoms, n_equal_atoms
from pytest_bayesf1.engines.cells.prior_cells import CellPart
from pytest_bayesf1.engines.cells.prior_jumps import JumpPart, SharedJumpPart, deepest
from pytest_bayesf1.measures.names import Detail

N_DRAWS, N_CLASSES = 20_000, 3
PAIRS = OutcomeTable.empty(N_CLASSES, n_sides=2)


def totals(part, table, mass, *, rescaled, seed):
    """Draw what each side predicts wrongly; with ``rescaled`` each row's group is scaled to one first."""
    drawn = part.draw(mass, np.random.default_rng(seed))
    if rescaled:
        drawn.rescale(1 / drawn.sums)
    return sums(drawn, table)[:, N_CLASSES if rescaled else 0 :]


def sums(drawn, table):
    """Write what the rows hold and every side's matrix side by side."""
    layout = ErrorSums(table.n_classes, table.n_sides, Detail.MATRIX)
    matrices = np.zeros((table.n_sides, len(drawn.sums), layout.width))
    drawn.add_to(matrices, layout)
    return np.concatenate([drawn.sums, *matrices], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("rescaled", [False, True], ids=["together", "apart"])
@pytest.mark.parametrize(("n_sides", "group"), [(1, 1), (2, 1), (2, 2), (2, 3)])
def test_jumps_and_atoms_have_the_distribution_of_cells(n_sides, group, rescaled):
    table = OutcomeTable.empty(N_CLASSES, n_sides)
    mass = np.random.default_rng(0).choice([0.25, 1.0, 4.0], size=N_DRAWS)
    few = AtomPart(table, group, 1.0, CELL_ERROR) if rescaled else JumpPart(table, group, 1.0, deepest(table))
    drawn, cells = (
        totals(part, table, mass, rescaled=rescaled, seed=seed)
        for seed, part in enumerate((few, CellPart(table, group)))
    )
    assert (drawn.any(axis=0) == cells.any(axis=0)).all()
    for column in np.flatnonzero(drawn.any(axis=0)):
        # 72 tests: at 1e-5 each, one false alarm in 1,400 seeds; shares within 1e-7 of 0 and 1 differ by the atoms' end
        assert stats.ks_2samp(drawn[:, column].round(7), cells[:, column].round(7)).pvalue > 1e-5


def test_no_group_is_left_without_an_atom_however_small_its_mass():
    mass = np.full(5_000, 0.06)
    assert (AtomPart(PAIRS, 3, 1.0, SKEW_ERROR).draw(mass, np.random.default_rng(0)).sums > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("rho", [0.25, 1.0, 2.0**1.5, 16.0])
@pytest.mark.parametrize("error", [0.99, SKEW_ERROR], ids=["one atom", "as used"])
def test_few_atoms_have_the_moments_of_a_dirichlet(rho, error):
    """Means, covariances and, but for the error, third moments of sums over four cells of every row."""
    n_classes, n = 5, 50_000
    table = OutcomeTable.empty(n_classes, n_sides=1)
    drawn = AtomPart(table, 1, 1.0, error).draw(np.full(n, rho), np.random.default_rng(0))
    drawn.rescale(1 / drawn.sums)
    split = sums(drawn, table)[:, n_classes:].reshape(n, n_classes, n_classes)
    share = 1 / (n_classes - 1)
    covariance = (np.eye(n_classes - 1) * share - share**2) / (rho + 1)
    third = 2 * share * (1 - share) * (1 - 2 * share) / ((rho + 1) * (rho + 2))
    for true in range(n_classes):
        np.testing.assert_allclose(split[:, true].sum(axis=1), 1)
        assert (split[:, true, true] == 0).all()
        deviation = np.delete(split[:, true], true, axis=1) - share
        assert_means(deviation, 0)
        assert_means(deviation[:, :, None] * deviation[:, None], covariance)
        assert_means(deviation**3, third, 0.3 if error > SKEW_ERROR else SKEW_ERROR)


def assert_means(values, expected, relative_error=0.0):
    margin = 5 * values.std(axis=0) / np.sqrt(len(values)) + relative_error * abs(np.asarray(expected))
    assert (abs(values.mean(axis=0) - expected) <= margin).all()


def test_more_mass_takes_more_atoms():
    counts = [n_atoms(rho, SKEW_ERROR) + n_equal_atoms(rho) for rho in (0.25, 1.0, 4.0, 16.0)]
    assert counts == sorted(counts)
    assert counts[-1] <= 12


@pytest.mark.slow
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
    every = sums(JumpPart(table, group, 1.0, end).draw(mass, rng), table)
    large = sums(JumpPart(table, group, 1.0, split).draw(mass, rng), table)
    shared = SharedJumpPart(table, group, split, end)
    small = np.concatenate([sums(shared.draw(mass[:3], rng), table) for _ in range(2_000)])
    for at in range(3):
        for column in np.flatnonzero(every.any(axis=0)):
            assert stats.ks_2samp(every[at::3, column], (large + small)[at::3, column]).pvalue > 1e-5


def test_draws_of_one_mass_share_all_jumps_and_those_of_more_mass_have_these_and_others():
    drawn = SharedJumpPart(PAIRS, 3, 2.0, 20.0).draw(np.array([0.5, 0.2, 0.5, 0.9]), np.random.default_rng(0))
    held = sums(drawn, PAIRS)
    assert (held[0] == held[2]).all()
    assert (held[1] <= held[0]).all()
    assert (held[0] <= held[3]).all()
    assert held[1].sum() < held[0].sum() < held[3].sum()
