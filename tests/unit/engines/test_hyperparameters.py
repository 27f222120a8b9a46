from dataclasses import replace

import numpy as np
import pytest
from scipy import integrate
from scipy.special import gammaln

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.hyperparameters import (
    EtaPosterior,
    GroupFactor,
    TiltedFactor,
    attraction,
    eta_weights,
    group_mass,
    group_weights,
    nested_weights,
)
from pytest_bayesf1.priors import PRIORS, EvenCells, NestedGroups, Prior


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
            _, accepted = posterior._propose(n, rng)
            assert accepted.mean() > 1 / 3


class TestGroupFactor:
    def test_one_side_has_the_weights_themselves(self):
        assert group_weights((8, 2), 1).tolist() == [8, 2]

    def test_weights_of_two_sides_add_up_to_either_side_s_and_do_not_correlate(self):
        both, baseline, candidate, none = group_weights((8, 2), 2)
        assert (both + baseline, candidate + none) == pytest.approx((8, 2))
        assert (both + candidate, baseline + none) == pytest.approx((8, 2))
        assert both * none == pytest.approx(baseline * candidate)

    @pytest.mark.parametrize("scale", [1 / 19, 1.0, 16.0, 1_000.0])
    @pytest.mark.parametrize("least", [1e-6, 0.004, 0.5, 1])
    def test_the_series_of_a_factor_is_the_log_of_its_rising_factorials(self, least, scale):
        """Of parts of an example too."""
        counts, weight = np.array([least, 0.7, 1.0, 3.25, 40.0, 299.0]), scale * np.geomspace(1e-9, 1, 50)
        rising = gammaln(counts + weight[:, None]) - gammaln(counts) - gammaln(1 + weight[:, None])
        found = GroupFactor.of_cells(counts, scale, 0.5).h(weight / scale)
        np.testing.assert_allclose(found, rising.sum(axis=1), rtol=1e-9, atol=1e-5)


class TestEtaWeights:
    def test_before_data_they_are_the_prior_s(self):
        assert eta_weights(np.zeros((5, 4)), 2.0, np.full(4, 0.5)).tolist() == [0.5] * 4

    def test_a_row_of_one_side_counts_by_its_tables(self):
        """One after another, an example takes a new table with probability kappa / (kappa + those before it)."""
        counts, kappa = np.array([[9, 1], [30, 10], [2, 0]]), 1.5
        tables = [sum(kappa / (kappa + before) for before in range(n)) for n in (10, 40, 2)]
        right = sum(each * row[0] / sum(row) for each, row in zip(tables, counts.tolist(), strict=True))
        found = eta_weights(counts, kappa, np.array([1.0, 1.0]))
        assert found == pytest.approx([1 + right, 1 + sum(tables) - right])

    def test_of_pairs_they_are_where_the_tables_of_every_group_are_as_many_as_they_make(self):
        counts, kappa = np.array([[40, 2, 1, 5], [9, 0, 1, 0], [300, 4, 0, 20]]), 2.0
        found = eta_weights(counts, kappa, np.full(4, 0.5))
        for group, mass in enumerate(kappa * found / found.sum()):
            tables = sum(mass / (mass + before) for n in counts[:, group].tolist() for before in range(n))
            assert found[group] == pytest.approx(0.5 + tables, rel=1e-3)

    def test_absences_and_presences_learn_apart(self):
        counts = np.array([[[60, 3], [2, 9]], [[30, 1], [5, 40]], [[80, 0], [4, 1]]])  # false and true, right and wrong
        found = nested_weights(OutcomeTable.of_labels(counts), NestedGroups())
        assert found[0] == pytest.approx(eta_weights(counts[:, 0], 1.0, np.ones(2)))
        assert found[1] == pytest.approx(eta_weights(counts[:, 1, ::-1], 1.0, np.ones(2)))

    def test_copies_within_a_cluster_tell_as_much_as_one_example(self):
        rng, true = np.random.default_rng(4), np.arange(60) % 3
        said = [np.where(rng.random(60) < right, true, (true + 1) % 3) for right in (0.9, 0.7)]
        copied = [np.repeat(each, 3) for each in (true, *said)]
        tables = (
            PairedCounts.from_predictions(true, *said).table,
            PairedCounts.from_predictions(*copied, clusters=np.repeat(np.arange(60), 3)).table,
        )
        assert tables[1].design_effect == pytest.approx(3)
        once, thrice = (nested_weights(each, NestedGroups()) for each in tables)
        np.testing.assert_allclose(thrice, once)


@pytest.mark.parametrize("name", ["hierarchical", "nested", "uniform"])
def test_masses_are_kept_for_a_table_and_for_each_prior_of_a_kind(name):
    table, rows = OutcomeTable.empty(3, 2), PRIORS[name].rows
    one = Prior("one", rows)
    other = Prior("other", EvenCells(0.2) if name == "uniform" else replace(rows, alpha=(9.0, 2.0)))
    first, second = (group_mass(table, each) for each in (one, other))
    assert first is group_mass(table, one) is not second
    drawn = [each.draw(2_000, np.random.default_rng(1)).mean(axis=0) for each in (first, second)]
    assert np.abs(drawn[0] - drawn[1]).max() > 0.1


@pytest.mark.parametrize(("counts", "tilt"), [((5, 3), 1.0), ((40, 1, 1), 20.0), ((2,), 0.0)])
def test_proposals_have_the_mean_of_the_density(counts, tilt):
    factor = GroupFactor.of_cells(np.array(counts), scale=0.5, a=1.0)

    def density(eta):
        return float(eta ** (factor.shape - 1) * np.exp(factor.h(eta) - tilt * eta))

    total, moment = (integrate.quad(f, 0, 1)[0] for f in (density, lambda eta: eta * density(eta)))
    mean = moment / total
    tilted = TiltedFactor(factor, mean, float(factor.spread(np.array(mean))), tilt)
    drawn = tilted.propose(np.random.default_rng(1).random(40_000))
    assert drawn.mean() == pytest.approx(moment / total, abs=5 * drawn.std() / drawn.size**0.5)
