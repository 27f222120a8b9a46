import numpy as np

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.results.comparison import Contingency
from pytest_bayesf1.stats.agreement import contingency_of


def test_agreement_counts_examples():
    true = np.array([0, 0, 0, 1, 1])
    table = OutcomeTable.tally(2, true, np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 1]))
    found = contingency_of(table)
    assert found == Contingency(both_right=2, only_baseline=1, only_candidate=1, both_wrong=1)
    assert (found.n_differ, found.total) == (2, 5)
