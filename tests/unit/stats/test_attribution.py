import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts, SpanCounts
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.attribution import CellChanges, contributions


def side(matrix):
    matrix = np.asarray(matrix)
    true, predicted = np.nonzero(matrix)
    return OutcomeTable.tally(len(matrix), true, predicted, weight=matrix[true, predicted])


def between(baseline, candidate):
    return CellChanges.between(side(baseline), side(candidate))


def test_every_cell_that_either_side_has():
    found = between([[5, 0], [1, 4]], [[3, 2], [0, 5]])
    assert list(zip(found.true.tolist(), found.predicted.tolist(), *found.counts.tolist(), strict=True)) == [
        (0, 0, 5, 3),
        (0, 1, 0, 2),
        (1, 0, 1, 0),
        (1, 1, 4, 5),
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


def test_other_numbers_of_examples_are_compared_as_shares():
    assert not between([[5, 1], [0, 4]], [[50, 10], [0, 40]]).shares.any()


LABELS = ("a", "b", "c")
BASELINE = np.array([[60, 3, 2], [5, 50, 5], [2, 4, 29]])
CANDIDATE = np.array([[50, 13, 2], [4, 54, 2], [9, 4, 22]])
OF_CLASSES = [
    *("accuracy", "balanced_accuracy", "g_mean", "matthews_corrcoef", "cohen_kappa"),
    *("f1_macro", "f1_micro", "f1_weighted", "fbeta_macro(2)", "precision_macro", "recall_macro", "jaccard_macro"),
    *("specificity_macro", "f1[a]", "precision[b]", "recall[c]", "specificity[a]"),
]
OF_LABELS = ["f1_macro", "f1_micro", "f1_weighted", "precision_macro", "recall_macro", "jaccard_micro", "f1[a]"]


def root_of_diagonal(p):
    return np.sqrt(np.einsum("...jj->...", p))


def parts(baseline, candidate, measure, labels=LABELS):
    sides = [ConfusionMatrix(counts, labels=labels).table for counts in (baseline, candidate)]
    return contributions(*sides, parse_measure(measure, labels))


def by_cell(found):
    return dict(zip(zip(found.true.tolist(), found.predicted.tolist(), strict=True), found.parts, strict=True))


SPANS = [([50, 30, 9], [5, 8, 1], [5, 3, 2]), ([45, 33, 9], [15, 2, 1], [10, 0, 2])]


class TestContributions:
    """The parts of a change, against closed forms, a plain walk along the path, and what has to hold of any measure."""

    @pytest.mark.parametrize(
        "measure", [*OF_CLASSES, root_of_diagonal], ids=lambda measure: getattr(measure, "__name__", measure)
    )
    def test_the_parts_add_up(self, measure):
        found = parts(BASELINE, CANDIDATE, measure)
        assert abs(found.change) > 1e-3
        assert found.parts.sum() == pytest.approx(found.change, abs=1e-10)
        assert found.rest == pytest.approx(0, abs=1e-10)

    @pytest.mark.parametrize("measure", OF_LABELS)
    def test_the_parts_add_up_of_labels(self, measure):
        sides = [
            MultilabelCounts(counts, labels=LABELS).table
            for counts in (
                [[[70, 10], [8, 12]], [[50, 0], [20, 30]], [[90, 1], [2, 7]]],
                [[[75, 5], [9, 11]], [[48, 2], [9, 41]], [[90, 1], [6, 3]]],
            )
        ]
        found = contributions(*sides, parse_measure(measure, LABELS, multilabel=True))
        assert found.parts.sum() == pytest.approx(found.change, abs=1e-10)

    @pytest.mark.parametrize("measure", OF_LABELS)
    def test_the_parts_add_up_of_spans(self, measure):
        sides = [SpanCounts.from_counts(*counts, labels=LABELS).table for counts in SPANS]
        found = contributions(*sides, parse_measure(measure, LABELS, multilabel=True, spans=True))
        assert found.parts.sum() == pytest.approx(found.change, abs=1e-10)
        assert by_cell(found).keys() == {(1, 0), (0, 1), (3, 2), (2, 3), (5, 4), (4, 5)}

    def test_of_a_linear_measure_an_error_is_worth_its_share(self):
        found = parts(BASELINE, CANDIDATE, "accuracy")
        worth = {cell: (BASELINE[cell] - CANDIDATE[cell]) / BASELINE.sum() for cell in by_cell(found)}
        assert by_cell(found) == pytest.approx(worth, abs=1e-11)

    def test_of_recall_the_errors_on_other_classes_are_worth_nothing(self):
        found = by_cell(parts(BASELINE, CANDIDATE, "recall[a]"))
        assert found[0, 1] == pytest.approx(-10 / 65, abs=1e-11)
        assert [part for (true, _), part in found.items() if true] == pytest.approx([0] * 4, abs=1e-11)

    @pytest.mark.parametrize("measure", ["f1_macro", "matthews_corrcoef", "precision_macro"])
    def test_a_plain_walk_in_many_small_steps_finds_the_same(self, measure):
        score = parse_measure(measure, LABELS)
        n_steps, epsilon = 400, 1e-6

        def scored(p):
            from pytest_bayesf1.measures.classification import Joint  # noqa: PLC0415

            return float(score(Joint(p.sum(axis=1), np.diag(p), p.sum(axis=0))))

        start, end = BASELINE / BASELINE.sum(), CANDIDATE / CANDIDATE.sum()
        walked = dict.fromkeys(by_cell(parts(BASELINE, CANDIDATE, measure)), 0.0)
        for step in range(n_steps):
            p = start + (step + 0.5) / n_steps * (end - start)
            for true, predicted in walked:
                one_more, one_less = p.copy(), p.copy()
                for moved, sign in ((one_more, 1), (one_less, -1)):
                    moved[true, predicted] += sign * epsilon
                    moved[true, true] -= sign * epsilon
                slope = (scored(one_more) - scored(one_less)) / (2 * epsilon)
                walked[true, predicted] += slope * (end - start)[true, predicted] / n_steps
        assert by_cell(parts(BASELINE, CANDIDATE, measure)) == pytest.approx(walked, abs=1e-7)

    @pytest.mark.parametrize("measure", ["f1_macro", "cohen_kappa"])
    def test_the_way_back_undoes_every_part(self, measure):
        there, back = parts(BASELINE, CANDIDATE, measure), parts(CANDIDATE, BASELINE, measure)
        np.testing.assert_allclose(back.parts, -there.parts, atol=1e-10)

    def test_the_order_of_the_classes_does_not_matter(self):
        order = [2, 0, 1]
        there = by_cell(parts(BASELINE, CANDIDATE, "f1_macro"))
        moved = by_cell(parts(BASELINE[np.ix_(order, order)], CANDIDATE[np.ix_(order, order)], "f1_macro"))
        assert {(order[true], order[predicted]): part for (true, predicted), part in moved.items()} == pytest.approx(
            there
        )

    def test_what_nobody_did_wrong_needs_no_part(self):
        found = parts(np.diag([5, 5, 5]), np.diag([5, 5, 5]), "f1_macro")
        assert (found.parts.size, found.change, found.rest) == (0, 0, 0)

    def test_classes_in_other_proportions_leave_a_rest(self):
        errors = np.array([[0, 10, 0], [0, 0, 0], [0, 0, 0]])
        found = parts(np.diag([50, 40, 10]) + errors, np.diag([10, 40, 50]) + errors, "f1_weighted")
        assert found.rest == pytest.approx(found.change - found.parts.sum())
        assert abs(found.rest) > 0.01

    def test_bends_near_the_ends_are_followed(self):
        before, after = np.array([[999, 1], [1, 999]]), np.array([[1, 999], [0, 1000]])
        for measure in ("precision[a]", "f1_macro", "matthews_corrcoef"):
            found = parts(before, after, measure, labels=("a", "b"))
            assert found.rest == pytest.approx(0, abs=1e-7)
