import numpy as np
import pytest
from scipy.stats import beta

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines import protocol as blocks
from pytest_bayesf1.engines.exact import SystemsSampler
from pytest_bayesf1.measures.classification import Several, parse_measure
from pytest_bayesf1.priors import PseudoObservations
from pytest_bayesf1.settings import Model
from tests.unit.ranked import predictions

N_DRAWS = 20_000


def drawn(measure, n_classes=2, n_examples=60, n_draws=N_DRAWS, seed=0):
    true, predicted = predictions(n_examples, (0.6, 0.7, 0.8, 0.9), n_classes)
    table = OutcomeTable.tally(n_classes, true, *predicted)
    scoring = Several((parse_measure(measure, tuple(range(n_classes))),))
    sampler = SystemsSampler(Experiment(Model.PAIRED, (table,)), PseudoObservations.of(table), scoring, (seed, 0))
    return true, predicted, sampler.draw(n_draws)[:, :, 0]


def test_a_systems_recall_of_two_classes_has_a_beta_posterior():
    """2 x 2 outcomes of a pair, each with a pseudo-count of 1/2: 1 for being right, 1 for being wrong."""
    true, predicted, scores = drawn("recall[1]")
    for own, found in zip(predicted, scores, strict=True):
        right, wrong = ((own[true == 1] == 1) == value for value in (True, False))
        expected = beta(1 + right.sum(), 1 + wrong.sum())
        assert found.mean() == pytest.approx(expected.mean(), abs=5 * expected.std() / N_DRAWS**0.5)
        assert found.std() == pytest.approx(expected.std(), rel=0.03)


def test_two_systems_recall_of_two_classes_has_a_dirichlet_posterior():
    true, predicted, scores = drawn("recall[1]")
    right = predicted[:, true == 1] == 1
    counts = 0.5 + np.array([(right[0] & ~right[3]).sum(), (~right[0] & right[3]).sum()])
    total = 2 + (true == 1).sum()
    shares = counts / total
    mean = shares[0] - shares[1]
    variance = (shares.sum() - mean**2) / (total + 1)
    delta = scores[0] - scores[3]
    assert delta.mean() == pytest.approx(mean, abs=5 * (variance / N_DRAWS) ** 0.5)
    assert delta.var() == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("measure", ["f1_macro", "accuracy"])
def test_the_number_of_threads_changes_nothing(measure, monkeypatch):
    found = []
    for threads in (1, 3):
        monkeypatch.setattr(blocks, "available_threads", lambda threads=threads: threads)
        found.append(drawn(measure, 3, n_draws=6_000)[2])
    np.testing.assert_array_equal(*found)
