import math

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.data_draws import ErrorSums
from pytest_bayesf1.engines.hyperparameters import group_mass
from pytest_bayesf1.engines.prior_draws import (
    CELL_DEPTH,
    DEPTH,
    Cells,
    OneCell,
    ProcessAtoms,
    atom_sizes,
    has_examples_everywhere,
    prior_parts,
)
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.priors import PRIORS

# A truncated gamma process against gamma variables and an inverted Fourier transform.
N = 20_000


def totals(mass, depth, rng):
    """Draw what N processes of the mass hold in all."""
    times = rng.poisson(mass * depth, N)
    atoms = atom_sizes(times.sum(), depth, rng)
    return mass * math.exp(-depth) + np.bincount(np.repeat(np.arange(N), times), atoms, N)


@pytest.mark.parametrize("depth", [1.0, DEPTH])
def test_the_mean_is_right_and_cumulants_lack_what_lies_below_the_depth(depth):
    drawn = totals(1.0, depth, np.random.default_rng(1))
    deviation = drawn - 1
    for power, cumulant in ((1, 0), (2, 1), (3, 2)):
        values, expected = deviation**power, cumulant * (1 - math.exp(-power * depth))
        assert abs(values.mean() - expected) < 4 * values.std() / np.sqrt(N)


def cdf_beside_data(shape, mass, depth, points):
    """P(Gamma(shape) + the process <= points), by Gil-Pelaez' inversion of the characteristic function."""
    step = 0.01
    t = step * (np.arange(400_000) + 0.5)
    rest = 1j * t * math.exp(-depth)
    # the atoms down to the depth: those of a gamma variable less those of one that is exp(-depth) times as large
    log_process = -np.log(1 - 1j * t) + np.log(1 - rest) + rest
    transform = np.exp(-shape * np.log(1 - 1j * t) + mass * log_process)
    return np.array([0.5 - step / math.pi * (np.imag(np.exp(-1j * t * x) * transform) / t).sum() for x in points])


@pytest.mark.slow
@pytest.mark.parametrize(("shape", "mass"), [(1, 0.25), (1, 1), (3, 0.5), (3, 2), (15, 1)])
def test_beside_an_example_no_end_of_an_interval_moves_by_a_thousandth_of_a_standard_deviation(shape, mass):
    exact = stats.gamma(shape + mass)
    ends = exact.ppf([0.005, 0.025, 0.05, 0.5, 0.95, 0.975, 0.995])
    error = (cdf_beside_data(shape, mass, DEPTH, ends) - exact.cdf(ends)) / exact.pdf(ends)
    assert abs(error).max() < 1e-3 * exact.std()


N_DRAWS, N_CLASSES = 20_000, 3
PAIRS = OutcomeTable.empty(N_CLASSES, n_sides=2)


def prior_part_totals(part, table, mass, seed):
    """Draw what the group holds, and what each side predicts wrongly."""
    drawn = part.draw(mass, np.random.default_rng(seed))
    return np.concatenate([drawn.held, sums(drawn, table)], axis=1)


def sums(drawn, table, factor=None):
    """Write every side's matrix side by side."""
    layout = ErrorSums(table.n_classes, table.n_sides, Detail.MATRIX)
    matrices = np.zeros((table.n_sides, len(drawn.held), layout.width))
    drawn.add_to(matrices, layout, factor)
    return np.concatenate([*matrices], axis=1)


def assert_means(values, expected, at_most=0.0):
    assert (abs(values.mean(axis=0) - expected) <= at_most + 5 * values.std(axis=0) / np.sqrt(len(values))).all()


class TestPriorPart:
    @pytest.mark.slow
    @pytest.mark.parametrize(("n_sides", "group"), [(1, 1), (2, 1), (2, 2), (2, 3)])
    def test_atoms_have_the_distribution_of_cells(self, n_sides, group):
        table, weights = OutcomeTable.empty(N_CLASSES, n_sides), np.ones((n_sides, N_CLASSES), np.int64)
        mass = np.random.default_rng(0).choice([0.25, 1.0, 4.0], size=N_DRAWS)
        parts = ProcessAtoms(table, group, 1.0, CELL_DEPTH), Cells(table, group, weights)
        drawn, cells = (prior_part_totals(part, table, mass, seed) for seed, part in enumerate(parts))
        assert (drawn.any(axis=0) == cells.any(axis=0)).all()
        for column in np.flatnonzero(drawn.any(axis=0)):
            # 36 tests: at 1e-5 each, one false alarm in 2,800 seeds
            assert stats.ks_2samp(drawn[:, column].round(7), cells[:, column].round(7)).pvalue > 1e-5

    @pytest.mark.parametrize(
        ("prior", "n_classes", "one_by_one", "kind"),
        [
            ("hierarchical", 3, False, ProcessAtoms),  # its mass may be too small for cells
            ("nested", 3, False, OneCell),
            ("nested", 80, True, OneCell),
            ("uniform", 80, False, Cells),
        ],
    )
    def test_the_cheapest_way_is_chosen(self, prior, n_classes, one_by_one, kind):
        table = OutcomeTable.empty(n_classes, 1)
        (part,) = prior_parts(table, group_mass(table, PRIORS[prior]), one_by_one=one_by_one).values()
        assert type(part) is kind

    @pytest.mark.parametrize("prior", ["hierarchical", "nested", "uniform"])
    def test_errors_of_each_row_are_multiplied_by_its_factor(self, prior):
        rng, n = np.random.default_rng(2), 50
        factor = rng.random((n, N_CLASSES))
        for part in prior_parts(PAIRS, group_mass(PAIRS, PRIORS[prior]), one_by_one=False).values():
            drawn = part.draw(np.full(n, 0.5), rng)
            whole = (sums(drawn, PAIRS, each).reshape(n, 2, N_CLASSES, -1) for each in (None, factor))
            plain, scaled = (each.sum(axis=3) for each in whole)  # which cells they are on is drawn anew
            np.testing.assert_allclose(scaled, plain * factor[:, None])

    def test_all_is_on_one_cell_by_how_much_each_class_attracts(self):
        """Of two sides' errors in four classes: a row's mass, with its part of an example, and where it goes."""
        true, predicted = np.repeat([0, 1, 2, 3], 10), np.repeat([0, 1, 2, 3], 10)
        predicted[[10, 11, 20]], candidate = 0, np.where(np.arange(40) == 30, 1, true)
        table, n = OutcomeTable.tally(4, true, predicted, candidate), 40_000
        mass = group_mass(table, PRIORS["nested"])
        drawn = prior_parts(table, mass, one_by_one=True)[2].draw(np.full(n, 0.3), np.random.default_rng(0))
        assert_means(drawn.held, 0.3 + 0.6 / 4)
        baseline = sums(drawn, table)[:, :16].reshape(n, 4, 4)
        assert ((baseline > 0).sum(axis=2) == 1).all()
        where = (baseline > 0).mean(axis=0)
        weights = np.array([4, 1, 1, 1])
        for row in range(4):
            expected = np.where(np.arange(4) == row, 0, weights) / (7 - weights[row])
            assert (abs(where[row] - expected) <= 5 * np.sqrt(expected * (1 - expected) / n)).all()

    def test_a_class_that_a_side_never_has_right_is_no_company_for_few_atoms(self):
        true = np.repeat([0, 1, 2], 5)
        never = np.where(true == 2, 1, true)
        assert has_examples_everywhere(OutcomeTable.tally(3, true, true, true))
        assert not has_examples_everywhere(OutcomeTable.tally(3, true, true, never))
        assert not has_examples_everywhere(OutcomeTable.tally(3, true, never, true))
        assert not has_examples_everywhere(PAIRS)
