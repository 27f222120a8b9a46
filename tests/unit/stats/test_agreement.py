from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.results.comparison import Contingency
from pytest_bayesf1.stats.agreement import Pairings, contingency_of


def test_agreement_counts_examples():
    true = np.array([0, 0, 0, 1, 1])
    table = OutcomeTable.tally(2, true, np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 1, 1]))
    found = contingency_of(table)
    assert found == Contingency(both_right=2, only_baseline=1, only_candidate=1, both_wrong=1)
    assert (found.n_differ, found.total) == (2, 5)


def side(matrix, *, multilabel=False):
    matrix = np.asarray(matrix)
    true, predicted = np.nonzero(matrix)
    return OutcomeTable.tally(len(matrix), true, predicted, weight=matrix[true, predicted], multilabel=multilabel)


def dense(table):
    matrix = np.zeros((table.n_classes,) * 2, dtype=int)
    matrix[table.true, table.predicted[0]] = table.count
    return matrix


def n_agreed(table):
    return int(table.count[table.predicted[0] == table.predicted[1]].sum())


@st.composite
def same_rows(draw):
    n_classes = draw(st.integers(2, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    totals = rng.integers(0, 30, n_classes)
    totals[0] += 1
    shape = rng.choice([0.2, 0.7, 3.0])
    return [np.stack([rng.multinomial(n, rng.dirichlet(np.full(n_classes, shape))) for n in totals]) for _ in range(2)]


def transported(row, column, sign):
    """Return the least trace of a table with these margins, or for -1 the most."""
    size = row.size
    cost = sign * np.eye(size).ravel()
    of_rows, of_columns = np.kron(np.eye(size), np.ones(size)), np.kron(np.ones(size), np.eye(size))
    found = linprog(cost, A_eq=np.vstack([of_rows, of_columns]), b_eq=np.concatenate([row, column]))
    return sign * found.fun


class TestPairings:
    """Pairings of two bare matrices, against linear programming, closed forms and the definition of the rule."""

    @settings(max_examples=25)
    @given(same_rows())
    def test_bounds_are_those_of_a_transport_problem(self, matrices):
        pairings = Pairings(*map(side, matrices))
        least, most = (sum(transported(*rows, sign) for rows in zip(*matrices, strict=True)) for sign in (1, -1))
        assert pairings.least == pytest.approx(least)
        assert pairings.most == pytest.approx(most)

    @given(same_rows(), st.floats(0, 1))
    def test_both_matrices_stay_and_the_agreement_is_met(self, matrices, part):
        pairings = Pairings(*map(side, matrices))
        wanted = round(pairings.least + part * (pairings.most - pairings.least))
        table = pairings.agreeing_on(wanted)
        for index, matrix in enumerate(matrices):
            np.testing.assert_array_equal(dense(table.side(index)), matrix)
        assert table.count.dtype == np.int64
        fewest = n_agreed(pairings.agreeing_on(pairings.least))
        assert wanted - 1 <= n_agreed(table) <= max(wanted, fewest)

    @given(same_rows(), st.floats(0, 1))
    def test_both_are_wrong_in_different_ways_only_where_the_counts_force_it(self, matrices, part):
        pairings = Pairings(*map(side, matrices))
        table = pairings.agreeing_on(round(pairings.least + part * (pairings.most - pairings.least)))
        for true, (b, c) in enumerate(zip(*matrices, strict=True)):
            of_class = table.true == true
            both_wrong = of_class & (table.predicted != true).all(axis=0)
            apart = table.count[both_wrong & (table.predicted[0] != table.predicted[1])].sum()
            could_be_alike = np.minimum(b, c).sum() - min(b[true], c[true])
            assert apart == max(table.count[both_wrong].sum() - could_be_alike, 0)

    @given(same_rows())
    def test_no_pairing_has_fewer_examples_that_only_one_side_gets_right_than_the_closest(self, matrices):
        pairings = Pairings(*map(side, matrices))
        table = pairings.agreeing_on(pairings.most)
        found, right = contingency_of(table), [np.diagonal(matrix) for matrix in matrices]
        assert n_agreed(table) == pairings.most
        assert found.both_right == np.minimum(*right).sum()
        assert found.only_baseline + found.only_candidate == np.abs(right[0] - right[1]).sum()

    @settings(max_examples=25)
    @given(same_rows(), st.floats(0, 1))
    def test_no_pairing_of_this_agreement_has_more_examples_that_only_one_side_gets_right(self, matrices, part):
        pairings = Pairings(*map(side, matrices))
        table = pairings.agreeing_on(round(pairings.least + part * (pairings.most - pairings.least)))
        classes = range(len(matrices[0]))
        true, *predicted = np.indices((len(classes),) * 3).reshape(3, -1)
        cells = list(product(classes, classes, range(2)))
        rows = [(true == of) & (predicted[index] == said) for of, said, index in cells]
        only_one = (predicted[0] == true) != (predicted[1] == true)
        found = linprog(
            -only_one.astype(float),
            A_eq=np.array([*rows, predicted[0] == predicted[1]], dtype=float),
            b_eq=[*(matrices[index][of, said] for of, said, index in cells), n_agreed(table)],
        )
        assert contingency_of(table).n_differ >= -found.fun - 1 - 1e-6

    @settings(max_examples=30)
    @given(same_rows())
    def test_more_agreement_leaves_fewer_examples_that_only_one_side_gets_right(self, matrices):
        pairings = Pairings(*map(side, matrices))
        differ = [contingency_of(pairings.agreeing_on(n)).n_differ for n in range(pairings.least, pairings.most + 1)]
        assert all(after <= before for before, after in pairwise(differ))

    @given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
    def test_of_two_classes_one_of_which_occurs_the_agreement_tells_all(self, right, other_right, both_right):
        """With N, two margins and the agreement a 2x2 table has no freedom left."""
        n = 60
        both_right = min(max(both_right, right + other_right - n), right, other_right)
        pairings = Pairings(*(side([[r, n - r], [0, 0]]) for r in (right, other_right)))
        table = pairings.agreeing_on(n - right - other_right + 2 * both_right)
        assert contingency_of(table) == Contingency(
            both_right, right - both_right, other_right - both_right, n - right - other_right + both_right
        )

    def test_classes_go_the_same_part_of_the_way_from_chance_to_the_most(self):
        matrices = np.array([[[9_000, 1_000], [400, 1_600]], [[8_000, 2_000], [200, 1_800]]])
        chance, most = np.array([7_200, 1_440]), np.array([8_000, 1_600])
        pairings = Pairings(*map(side, matrices))
        assert pairings.by_chance == 2 * chance.sum() - 7_000 - 1_400
        for part in (0.0, 0.25, 0.9):
            both_right = chance + part * (most - chance)
            wanted = 2 * both_right + [10_000 - 17_000, 2_000 - 3_400]
            counts = pairings.agreeing_on(round(wanted.sum())).group_counts[:, 0]
            np.testing.assert_allclose(counts, both_right, atol=1)

    def test_labels_stay_apart(self):
        counts = np.array([[[50, 2], [3, 20]], [[30, 22], [10, 13]]])
        pairings = Pairings(OutcomeTable.of_labels(counts), OutcomeTable.of_labels(counts))
        table = pairings.agreeing_on(pairings.most)
        assert table.multilabel
        assert pairings.n == pairings.most == 150
        assert contingency_of(table) == Contingency(both_right=113, only_baseline=0, only_candidate=0, both_wrong=37)
        assert contingency_of(pairings.agreeing_on(130)).n_differ == 20

    @pytest.mark.parametrize("n", [1, 3, 10**8])
    def test_equal_matrices_agree_everywhere(self, n):
        pairings = Pairings(*[side(n * np.array([[4, 1], [0, 7]]))] * 2)
        assert contingency_of(pairings.agreeing_on(pairings.most)) == Contingency(11 * n, 0, 0, n)
