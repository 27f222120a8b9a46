import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import gammaln

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.hyperparameters import (
    ConcentrationPosterior,
    EtaPosterior,
    GroupFactor,
    TiltedFactor,
    _convolved,
    attraction,
    draw_kappa,
    group_weights,
    possible_kappas,
    rough_log_integrals,
    typical_points,
)
from pytest_bayesf1.priors import NestedGroups


class TestAttraction:
    def test_a_class_has_one_and_one_for_each_error_that_is_predicted_as_it(self):
        table = OutcomeTable.tally(
            4,
            np.array([0, 0, 1, 2, 2, 3, 3]),
            np.array([0, 2, 2, 2, 1, 2, 3]),
            np.array([1, 0, 1, 2, 3, 3, 3]),
            weight=np.array([9.0, 2, 3, 9, 1.5, 1, 4]),
        )
        assert attraction(table).tolist() == [[1, 3, 7, 1], [1, 10, 1, 3]]

    def test_very_many_errors_keep_their_proportions(self):
        true, predicted = np.array([0, 1, 2]), np.array([1, 2, 0])
        table = OutcomeTable.tally(3, true, predicted, weight=np.array([3e6, 1e6, 0.5]))
        zero, one, two = attraction(table)[0].tolist()
        assert zero == 2
        assert one == pytest.approx(3 * two, rel=1e-3)
        assert one + two < 70_000


@pytest.mark.parametrize("scale", [0.25, 1.0, 256.0])
@pytest.mark.parametrize("shapes", [(0.5, 0.5, 0.5, 0.5), (6.4, 1.6, 1.6, 0.4), (0.05, 30.0)], ids=str)
def test_draws_lie_on_the_simplex(shapes, scale):
    rng = np.random.default_rng(0)
    posterior = EtaPosterior([GroupFactor.of_cells(rng.integers(1, 50, 6), scale, shape) for shape in shapes])
    draws = posterior.draw(5_000, rng)
    assert draws.shape == (5_000, len(shapes))
    assert draws.min() >= 0
    np.testing.assert_allclose(draws.sum(axis=1), 1, rtol=0, atol=1e-12)


def posteriors(rng):
    """Counts from one to a million, in one group or in all, at the scales of either prior."""
    for scale in (1e-4, 0.5, 16.0, 256.0):
        for highest in (2, 10, 1_000, 1_000_000):
            for sizes in ((8, 8, 8, 8), (8, 0, 1, 0), (8, 1), (20, 5, 5, 2), (900, 40, 30, 300)):
                cells = [rng.integers(1, highest, size) for size in sizes]
                yield EtaPosterior([GroupFactor.of_cells(each, scale, 2 / len(cells)) for each in cells])


def test_at_least_a_third_of_the_proposals_is_accepted():
    rng, n = np.random.default_rng(0), 20_000
    for posterior in posteriors(rng):
        if not posterior._is_flat:
            _, accepted = posterior._propose(np.zeros(n, int), rng)
            assert accepted.mean() > 1 / 3


@pytest.mark.parametrize("rate", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("n_groups", [2, 4])
def test_rough_integrals_are_good_to_a_factor_but_for_one_of_all(n_groups, rate):
    rng, totals = np.random.default_rng(3), 2.0 ** (np.arange(-2, 17) / 2)
    cells = rng.poisson(rng.gamma(0.5, 2 * rate, size=(n_groups, 12)))
    factors = [GroupFactor.of_cells(each[each > 0], 1.0, 2 / n_groups, totals[-1]) for each in cells]
    stacked = GroupFactor.stacked(factors)
    rough = rough_log_integrals(stacked, typical_points(stacked, totals))
    assert np.ptp(EtaPosterior(factors, totals).log_integrals - rough) < 0.25


ALPHAS = [(1, 1), (8, 2), (0.05, 40)]


class TestGroupFactor:
    @pytest.mark.parametrize("alpha", ALPHAS, ids=str)
    def test_one_side_has_the_weights_themselves(self, alpha):
        assert group_weights(alpha, 1).tolist() == list(alpha)

    def test_four_halves_for_two_sides_of_beta_1_1(self):
        assert group_weights((1, 1), 2).tolist() == [0.5] * 4

    @pytest.mark.parametrize("alpha", ALPHAS, ids=str)
    def test_weights_of_two_sides_add_up_to_either_side_s_and_do_not_correlate(self, alpha):
        both, baseline, candidate, none = group_weights(alpha, 2)
        assert (both + baseline, candidate + none) == pytest.approx(alpha)
        assert (both + candidate, baseline + none) == pytest.approx(alpha)
        assert both * none == pytest.approx(baseline * candidate)

    @pytest.mark.parametrize("scale", [1e-8, 1 / 19, 1.0, 16.0, 1_000.0])
    def test_the_series_of_a_factor_is_the_log_of_its_rising_factorials(self, scale):
        counts, eta = np.random.default_rng(2).integers(1, 300, 400), np.linspace(1e-3, 1, 7)
        steps = np.concatenate([np.arange(1, count) for count in counts])
        expected = np.log1p(scale * eta[:, None] / steps).sum(axis=1)  # Gamma(c + w) / (Gamma(c) Gamma(1 + w))
        np.testing.assert_allclose(GroupFactor.of_cells(counts, scale, 0.5).h(eta), expected, rtol=1e-12, atol=1e-6)

    @pytest.mark.parametrize("least", [1e-6, 0.004, 0.5])
    def test_so_is_the_series_of_parts_of_an_example(self, least):
        counts, eta = np.array([least, 0.7, 1.0, 3.25, 40.0]), np.geomspace(1e-9, 256, 50)
        weight = eta[:, None]
        expected = gammaln(counts + weight) - gammaln(counts) - gammaln(1 + weight)
        found = GroupFactor.of_cells(counts, 1.0, 0.5, 256.0)
        np.testing.assert_allclose(found.h(eta), expected.sum(axis=1), rtol=1e-9, atol=1e-5)


KAPPAS = possible_kappas(NestedGroups(), n_sides=1)
N = 20_000


def log_rising(x, n):
    """Plainly: x (x + 1) ... (x + n - 1)."""
    return sum(np.log(x + i) for i in range(n))


class TestNested:
    def test_the_grid_runs_from_bound_to_bound_in_steps_of_the_root_of_2(self):
        assert (KAPPAS[0], KAPPAS[-1], KAPPAS.size) == (0.5, 16, 11)
        np.testing.assert_allclose(KAPPAS[1:] / KAPPAS[:-1], np.sqrt(2))
        np.testing.assert_array_equal(possible_kappas(NestedGroups(), n_sides=2), KAPPAS[:7])

    def test_before_data_every_kappa_is_as_likely_and_eta_is_its_prior(self):
        mass = ConcentrationPosterior(np.zeros((5, 2), dtype=int), NestedGroups((8, 2))).draw(
            N, np.random.default_rng(0)
        )
        values, times = np.unique(mass.sum(axis=1).round(6), return_counts=True)
        np.testing.assert_allclose(values, KAPPAS, rtol=1e-5)
        assert stats.chisquare(times).pvalue > 1e-4
        assert stats.kstest(mass[:, 0] / mass.sum(axis=1), stats.beta(8, 2).cdf).pvalue > 1e-4

    def test_kappa_given_rows_of_two_groups_is_that_of_a_beta_binomial(self):
        """On a plain grid of eta, with scipy's distribution of the counts."""
        right, totals = np.array([9, 3, 14, 0, 6]), np.array([10, 9, 15, 4, 6])
        eta = (np.arange(4_000) + 0.5) / 4_000
        a, b = KAPPAS[:, None, None] * eta[:, None], KAPPAS[:, None, None] * (1 - eta[:, None])
        expected = stats.betabinom.pmf(right, totals, a, b).prod(axis=2).sum(axis=1)
        posterior = ConcentrationPosterior(np.stack([right, totals - right], axis=1), NestedGroups())
        np.testing.assert_allclose(posterior._probability, expected / expected.sum(), atol=1e-4)

    def test_kappa_given_eta_is_that_of_dirichlet_multinomial_rows(self):
        counts, etas = (
            np.array([[9, 1, 0], [3, 6, 2], [14, 1, 1], [0, 4, 0]]),
            np.array([[0.6, 0.3, 0.1], [0.2, 0.7, 0.1]]),
        )
        found = draw_kappa(counts, np.repeat(etas, N, axis=0), KAPPAS, np.random.default_rng(0)).reshape(2, N)
        for eta, drawn in zip(etas, found, strict=True):
            log_p = [
                sum(
                    sum(log_rising(kappa * share, n) for share, n in zip(eta, row, strict=True))
                    - log_rising(kappa, sum(row))
                    for row in counts.tolist()
                )
                for kappa in KAPPAS
            ]
            expected = np.exp(log_p) / np.exp(log_p).sum()
            times = (drawn[:, None] == KAPPAS).mean(axis=0)
            assert (abs(times - expected) < 5 * np.sqrt(expected / N)).all()


@pytest.mark.parametrize(("counts", "tilt"), [((5, 3), 1.0), ((40, 1, 1), 20.0), ((2,), 0.0)])
def test_proposals_have_the_mean_of_the_density(counts, tilt):
    factor = GroupFactor.of_cells(np.array(counts), scale=0.5, a=1.0)

    def density(eta):
        return float(eta ** (factor.shape - 1) * np.exp(factor.h(eta) - tilt * eta))

    total, moment = (integrate.quad(f, 0, 1)[0] for f in (density, lambda eta: eta * density(eta)))
    mean = np.array([moment / total])
    tilted = TiltedFactor(factor, mean, factor.spread(mean), np.array([tilt]), np.ones(1))
    drawn = tilted.propose(np.random.default_rng(1).random(40_000), np.zeros(40_000, int))
    assert drawn.mean() == pytest.approx(moment / total, abs=5 * drawn.std() / drawn.size**0.5)
    (masses,) = tilted.binned(np.array([0.07]))  # such bins end beyond what is possible
    assert masses.sum() == pytest.approx(1)
    assert (tilted.start[0] + 0.07 * np.arange(masses.size)) @ masses == pytest.approx(moment / total, rel=1e-4)


@pytest.mark.parametrize("sizes", [(3, 3), (2, 4, 5), (9, 9), (7,)])
def test_distributions_of_sums_are_convolutions(sizes):
    rng = np.random.default_rng(0)
    masses = [rng.dirichlet(np.ones(size)) for size in sizes]
    expected = np.ones(1)
    for mass in masses:
        expected = np.convolve(expected, mass)
    (found,) = _convolved([mass[None] for mass in masses])
    assert found == pytest.approx(expected, abs=1e-12)
