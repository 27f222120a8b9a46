import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.results.figures import Agreement
from pytest_bayesf1.stats.agreement import agreement_of, closest_pairing


def side(matrix, *, multilabel=False):
    matrix = np.asarray(matrix)
    true, predicted = np.nonzero(matrix)
    return OutcomeTable.tally(len(matrix), true, predicted, weight=matrix[true, predicted], multilabel=multilabel)


def dense(table):
    matrix = np.zeros((table.n_classes,) * 2, dtype=int)
    matrix[table.true, table.predicted[0]] = table.count
    return matrix


@st.composite
def same_rows(draw):
    n_classes = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    totals = rng.integers(0, 30, n_classes)
    return [np.stack([rng.multinomial(n, rng.dirichlet(np.full(n_classes, 0.7))) for n in totals]) for _ in range(2)]


@given(same_rows())
def test_the_closest_pairing_keeps_both_matrices_and_agrees_wherever_it_can(matrices):
    if not matrices[0].sum():
        return
    table = closest_pairing(*map(side, matrices))
    for index, matrix in enumerate(matrices):
        np.testing.assert_array_equal(dense(table.side(index)), matrix)
    same = table.predicted[0] == table.predicted[1]
    assert table.count[same].sum() == np.minimum(*matrices).sum()


@given(same_rows())
def test_no_pairing_has_fewer_examples_that_only_one_side_gets_right(matrices):
    if not matrices[0].sum():
        return
    found = agreement_of(closest_pairing(*map(side, matrices)))
    right = [np.diagonal(matrix) for matrix in matrices]
    assert found.both_right == np.minimum(*right).sum()
    assert found.only_baseline + found.only_candidate == np.abs(right[0] - right[1]).sum()


def test_labels_stay_apart():
    counts = np.array([[[50, 2], [3, 20]], [[30, 22], [10, 13]]])
    tables = [OutcomeTable.of_labels(counts), OutcomeTable.of_labels(counts)]
    table = closest_pairing(*tables)
    assert table.multilabel
    assert agreement_of(table) == Agreement(both_right=113, only_baseline=0, only_candidate=0, both_wrong=37)


def test_agreement_counts_examples():
    true = np.array([0, 0, 0, 1, 1])
    table = OutcomeTable.tally(2, true, np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 1]))
    found = agreement_of(table)
    assert found == Agreement(both_right=2, only_baseline=1, only_candidate=1, both_wrong=1)
    assert (found.n_differ, found.total) == (2, 5)


@pytest.mark.parametrize("n", [1, 3])
def test_equal_matrices_agree_everywhere(n):
    matrix = n * np.array([[4, 1], [0, 7]])
    assert agreement_of(closest_pairing(side(matrix), side(matrix))) == Agreement(11 * n, 0, 0, n)
