import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.stats.attribution import CellChanges, contributions


def side(matrix):
    matrix = np.asarray(matrix)
    true, predicted = np.nonzero(matrix)
    return OutcomeTable.tally(len(matrix), true, predicted, weight=matrix[true, predicted])


def between(baseline, candidate):
    return CellChanges.between(side(baseline), side(candidate))


def test_every_cell_that_either_side_has_by_its_share_of_the_side():
    found = between([[5, 0], [1, 4]], [[6, 4], [0, 10]])
    assert list(zip(found.true.tolist(), found.predicted.tolist(), *found.counts.tolist(), strict=True)) == [
        (0, 0, 5, 6),
        (0, 1, 0, 4),
        (1, 0, 1, 0),
        (1, 1, 4, 10),
    ]
    np.testing.assert_allclose(found.shares, [-0.2, 0.2, -0.1, 0.1])


def test_the_largest_come_first_and_those_that_stay_are_left_out():
    found = between([[5, 0, 1], [1, 4, 0], [0, 0, 9]], [[3, 2, 1], [0, 5, 0], [0, 0, 9]])
    largest = found.largest(5, found.wrong)
    assert largest.true.tolist() == [0, 1]
    assert largest.predicted.tolist() == [1, 0]
    assert found.largest(1, found.wrong).counts.tolist() == [[0], [2]]
    alike = between(np.diag([9] * 40), np.diag([8] * 40) + np.roll(np.eye(40, dtype=int), 1, axis=1))
    assert alike.largest(3, alike.wrong).true.tolist() == [0, 1, 2]  # of equal changes those of the first classes


LABELS = ("a", "b", "c")
BASELINE = np.array([[60, 3, 2], [5, 50, 5], [2, 4, 29]])
CANDIDATE = np.array([[50, 13, 2], [4, 54, 2], [9, 4, 22]])
OF_CLASSES = [
    *("accuracy", "balanced_accuracy", "g_mean", "matthews_corrcoef", "cohen_kappa"),
    *("f1_macro", "f1_micro", "f1_weighted", "fbeta_macro(2)", "precision_macro", "recall_macro", "jaccard_macro"),
    *("specificity_macro", "f1[a]", "precision[b]", "recall[c]", "specificity[a]"),
]


def separate(baseline, candidate, measure, labels=LABELS):
    """Undo errors of two bare matrices."""
    tables = tuple(ConfusionMatrix(counts, labels=labels).table for counts in (baseline, candidate))
    return contributions(Experiment(Model.INDEPENDENT, tables), parse_measure(measure, labels))


def scored(measure, counts, labels=LABELS):
    table = ConfusionMatrix(counts, labels=labels).table
    score = parse_measure(measure, labels)
    return float(score(Joint.observed(table, score.detail)))


class TestContributions:
    @pytest.mark.parametrize("measure", OF_CLASSES)
    def test_of_two_matrices_each_error_takes_the_baselines_number(self, measure):
        found = separate(BASELINE, CANDIDATE, measure)
        for true, predicted, part in zip(found.true, found.predicted, found.parts, strict=True):
            undone = CANDIDATE.copy()
            more = BASELINE[true, predicted] - CANDIDATE[true, predicted]
            undone[true, predicted] += more
            undone[true, true] -= more
            assert part == pytest.approx(scored(measure, CANDIDATE) - scored(measure, undone), abs=1e-12)
        assert found.change == pytest.approx(scored(measure, CANDIDATE) - scored(measure, BASELINE))
        assert found.rest == pytest.approx(0, abs=1e-12)

    @pytest.mark.parametrize("shares", [None, (0.2, 0.3, 0.5)], ids=["as tested", "stated"])
    @pytest.mark.parametrize("measure", [*OF_CLASSES[:6], "f1[b]"])
    def test_of_pairs_each_example_takes_the_baselines_answer(self, measure, shares):
        rng = np.random.default_rng(0)
        true = rng.choice(3, 200, p=[0.6, 0.3, 0.1])
        said = [np.where(rng.random(200) < 0.7, true, rng.integers(0, 3, 200)) for _ in range(2)]
        score, table = parse_measure(measure, LABELS), OutcomeTable.tally(3, true, *said)
        stated = None if shares is None else CommonShares(shares=tuple(enumerate(shares)))
        found = contributions(Experiment(Model.PAIRED, (table,), population=stated), score)
        weight = np.ones(3) if shares is None else shares / np.bincount(true)

        def lost_by(changed):
            """Return what the candidate's score has more than with the baseline's answers there."""
            answers = (said[1], np.where(changed, said[0], said[1]))
            counts = (np.bincount(3 * true + each, minlength=9).reshape(3, 3) for each in answers)
            joints = (Joint.observed(side(weight[:, None] * each), score.detail) for each in counts)
            after, undone = (float(score(each)) for each in joints)
            return after - undone

        error = np.where(said[1] == true, said[0], said[1])
        for row, column, part in zip(found.true, found.predicted, found.parts, strict=True):
            assert part == pytest.approx(lost_by((true == row) & (error == column)), abs=1e-12)
        made = [
            [((true == row) & (each == column)).sum() for row, column in zip(found.true, found.predicted, strict=True)]
            for each in said
        ]
        assert found.counts.tolist() == made
        for label, part in enumerate(found.classes):
            assert part == pytest.approx(lost_by(true == label), abs=1e-12)
        assert (found.change, found.rest) == pytest.approx((lost_by(true >= 0), 0), abs=1e-12)

    def test_a_functions_whole_matrix_is_undone(self):
        def root_of_diagonal(p):
            return np.sqrt(np.einsum("...jj->...j", p)).sum(axis=-1)

        tables = tuple(ConfusionMatrix(counts, labels=LABELS).table for counts in (BASELINE, CANDIDATE))
        found = contributions(Experiment(Model.INDEPENDENT, tables), parse_measure(root_of_diagonal, LABELS))
        undone = CANDIDATE + np.array([[10, -10, 0], [0, 0, 0], [0, 0, 0]])
        after, before = (np.sqrt(np.diag(counts) / 160).sum() for counts in (CANDIDATE, undone))
        assert found.parts[0] == pytest.approx(after - before)

    def test_what_nobody_did_wrong_needs_no_part(self):
        found = separate(np.diag([5, 5, 5]), np.diag([5, 5, 5]), "f1_macro")
        assert (found.parts.size, found.change, found.rest) == (0, 0, 0)

    def test_classes_in_other_proportions_leave_a_rest(self):
        errors = np.array([[0, 10, 0], [0, 0, 0], [0, 0, 0]])
        found = separate(np.diag([50, 40, 10]) + errors, np.diag([10, 40, 50]) + errors, "f1_weighted")
        assert abs(found.rest) > 0.01
