import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.engines.exact import PseudoObservationSource
from pytest_bayesf1.priors import PseudoObservations

N_DRAWS = 4_000


def drawn(table, prior=None):
    return PseudoObservationSource(table, prior or PseudoObservations.of(table)).draw(N_DRAWS, np.random.default_rng(0))


def of_classes(n_classes, *predicted, true=None):
    true = np.arange(30) % n_classes if true is None else true
    return OutcomeTable.tally(n_classes, true, *[(true + shift) % n_classes for shift in predicted])


@pytest.mark.parametrize(("n_classes", "mass"), [(2, 2.0), (4, 1.0)])
def test_every_class_has_a_gamma_variable_of_the_prior_s_mass(n_classes, mass):
    found = drawn(of_classes(n_classes, 0, 0, 1))
    held = found.summed(found.row, (N_DRAWS, n_classes))
    assert held.mean() == pytest.approx(mass, rel=0.05)
    assert held.var() == pytest.approx(mass, rel=0.1)


def test_two_systems_agree_about_an_imagined_example_as_they_do_about_real_ones():
    table = of_classes(3, 0, 1, 1)  # the first is always right, the others never, and they are wrong together
    found = drawn(table)
    together = (found.wrong[1] == found.wrong[2]).mean()
    assert together == pytest.approx((30 + 2 / 2) / 32, abs=0.01)
    assert found.wrong[0].mean() == pytest.approx(1 / 32, abs=0.01)
    assert found.wrong[1].mean() == pytest.approx(31 / 32, abs=0.01)


def test_of_two_classes_each_system_is_wrong_half_of_the_time():
    found = drawn(of_classes(2, 0, 0, 0))
    for one in range(3):
        assert found.wrong[one].mean() == pytest.approx(0.5, abs=0.01)
        assert (found.wrong[one] == found.wrong[one - 1]).mean() == pytest.approx(0.5, abs=0.01)


def test_what_is_predicted_wrongly_is_any_other_class():
    found = drawn(of_classes(4, 1, 1, 1))
    shift = (found.predicted - found.row) % 4
    assert (shift > 0).all()
    np.testing.assert_allclose(np.bincount(shift.ravel())[1:] / shift.size, 1 / 3, atol=0.01)


def test_of_spans_nothing_is_imagined_that_nobody_predicts_and_that_is_not_there():
    true, predicted = np.array([0, 1, 1, 1]), np.array([[1, 1, 0, 1], [0, 1, 1, 1], [0, 0, 1, 1]])
    table = OutcomeTable.tally(2, true, *predicted, multilabel=True, spans=True)
    found = drawn(table)
    invented = found.row % 2 == 0
    assert found.wrong[:, invented].any(axis=0).all()
    for side in range(3):  # 1/2 for what each finds, misses and invents, twice as much as there is for every pair
        for kind, wrong in ((0, True), (1, True), (1, False)):
            chosen = (found.row % 2 == kind) & (found.wrong[side] == wrong)
            assert found.weight[chosen].sum() / N_DRAWS == pytest.approx(1.0, rel=0.06)


def test_a_class_that_is_never_true_has_none():
    table = OutcomeTable(3, np.array([0, 1]), np.array([[0, 2], [0, 1], [1, 1]]), np.array([5, 5]), unsupported=(2,))
    found = drawn(table)
    assert set((found.row % 3).tolist()) == {0, 1}
    assert 2 in found.predicted


def test_a_label_that_every_example_has_leaves_nothing_to_learn_of_its_absence():
    true = np.ones(20, dtype=np.int64)
    table = OutcomeTable.tally(2, true, true, true, 1 - true, multilabel=True)
    found = drawn(table)
    absent = found.row % 2 == 0
    assert found.wrong[2, absent].mean() == pytest.approx(0.5, abs=0.01)
    assert found.wrong[2, ~absent].mean() == pytest.approx(21 / 22, abs=0.01)
