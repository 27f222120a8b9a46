import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import align

RNG = np.random.default_rng(1)
TRUTH, OLD, NEW = RNG.integers(0, 3, (3, 60))
PAIRS = PairedCounts.from_predictions(TRUTH, OLD, NEW)


class TestPaired:
    def test_each_side_has_its_own_matrix(self):
        np.testing.assert_array_equal(PAIRS.baseline.counts, confusion_matrix(TRUTH, OLD))
        np.testing.assert_array_equal(PAIRS.candidate.counts, confusion_matrix(TRUTH, NEW))
        assert PAIRS.n_samples == 60

    def test_cells_make_the_same_counts(self):
        (true, old, new), n = np.unique(np.stack([TRUTH, OLD, NEW]), axis=1, return_counts=True)
        again = PairedCounts.from_cells(true, old, new, n, labels=range(3))
        np.testing.assert_array_equal(again.baseline.counts, PAIRS.baseline.counts)
        np.testing.assert_array_equal(again.candidate.counts, PAIRS.candidate.counts)

    def test_a_class_that_one_side_alone_predicts_is_a_class_of_both(self):
        pairs = PairedCounts.from_predictions(["a", "b"], ["a", "b"], ["a", "c"])
        assert pairs.labels == pairs.baseline.labels == pairs.candidate.labels == ("a", "b", "c")

    def test_as_many_predictions_as_examples(self):
        with pytest.raises(InputError, match="2"):
            PairedCounts.from_predictions([0, 1, 1], [0, 1, 1], [0, 1])


COUNTS = [[5, 1], [2, 7]]
Y_TRUE, BASELINE, CANDIDATE = ["a", "a", "b", "b"], ["a", "b", "b", "b"], ["a", "a", "b", "a"]


def predicted(y_pred, y_true=Y_TRUE, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, **options)


def joint_cells(table):
    columns = zip(table.true.tolist(), *table.predicted.tolist(), strict=True)
    return dict(zip(columns, table.count.tolist(), strict=True))


class TestPairing:
    def test_named_labels_in_another_order_are_aligned_to_the_baseline_s(self):
        baseline = ConfusionMatrix(COUNTS, labels=["a", "b"])
        candidate = ConfusionMatrix([[7, 2], [1, 5]], labels=["b", "a"])
        aligned, renamed = align(baseline, candidate)
        assert aligned is baseline
        assert renamed.labels == ("a", "b")
        assert renamed.counts.tolist() == COUNTS

    @pytest.mark.parametrize("named_first", [True, False])
    def test_bare_counts_take_the_other_side_s_labels(self, named_first):
        sides = [ConfusionMatrix(COUNTS, labels=["a", "b"]), ConfusionMatrix(COUNTS)]
        for matrix in align(*(sides if named_first else reversed(sides))):
            assert matrix.labels == ("a", "b")
            assert matrix.counts.tolist() == COUNTS

    def test_a_class_that_one_side_alone_predicts_is_a_class_of_both(self):
        first, second = align(predicted(["a", "a", "b", "b"]), predicted(["a", "c", "b", "b"]))
        assert first.labels == second.labels == ("a", "b", "c")
        assert first.counts.tolist() == [[2, 0, 0], [0, 2, 0], [0, 0, 0]]
        assert second.counts.tolist() == [[1, 0, 1], [0, 2, 0], [0, 0, 0]]

    @pytest.mark.parametrize("named_first", [True, False])
    def test_labels_from_data_are_put_in_the_caller_s_order(self, named_first):
        sides = [predicted(BASELINE, labels=["c", "b", "a"]), predicted(CANDIDATE)]
        for matrix in align(*(sides if named_first else reversed(sides))):
            assert matrix.labels == ("c", "b", "a")

    def test_a_class_beyond_the_caller_s_labels_is_an_error(self):
        with pytest.raises(InputError) as caught:
            align(predicted(BASELINE, labels=["a", "b"]), predicted(["a", "a", "c", "b"]))
        assert caught.value.where == "candidate.labels"
        assert "only in candidate: 'c'" in caught.value.found
        assert "only in baseline: none" in caught.value.found

    @pytest.mark.parametrize(
        ("labels", "told"),
        [("abcdefg", "only in baseline: 'c', 'd', 'e', 'f', 'g'"), ("abcdefghi", "'c', 'd', 'e', 'f', 'g' and 2 more")],
        ids=["five", "seven"],
    )
    def test_long_lists_of_classes_are_cut(self, labels, told):
        many = ConfusionMatrix(np.eye(len(labels), dtype=int), labels=list(labels))
        few = ConfusionMatrix(COUNTS, labels=["a", "b"])
        with pytest.raises(InputError) as caught:
            align(many, few)
        assert caught.value.found.endswith(told)

    def test_without_ids_examples_pair_up_by_position(self):
        table = Sides(*align(predicted(BASELINE), predicted(CANDIDATE))).joint
        assert joint_cells(table) == {(0, 0, 0): 1, (0, 1, 0): 1, (1, 1, 1): 1, (1, 1, 0): 1}

    @pytest.mark.parametrize(
        ("ids", "shuffled"), [(list("wxyz"), list("zxwy")), ([3, 1, 4, 2], [2, 1, 3, 4])], ids=["text", "numbers"]
    )
    def test_with_ids_examples_pair_up_in_any_order(self, ids, shuffled):
        order = [ids.index(name) for name in shuffled]
        baseline = predicted(BASELINE, ids=ids)
        candidate = predicted([CANDIDATE[i] for i in order], [Y_TRUE[i] for i in order], ids=shuffled)
        expected = PairedCounts.from_predictions(Y_TRUE, BASELINE, CANDIDATE)
        assert joint_cells(Sides(*align(baseline, candidate)).joint) == joint_cells(expected.table)

    def test_sides_with_labels_in_different_orders_pair_up(self):
        baseline = predicted(BASELINE, labels=["b", "a"])
        candidate = predicted(CANDIDATE, labels=["a", "b"])
        expected = PairedCounts.from_predictions(Y_TRUE, BASELINE, CANDIDATE, labels=["b", "a"])
        assert joint_cells(Sides(*align(baseline, candidate)).joint) == joint_cells(expected.table)

    @pytest.mark.parametrize("bare", ["baseline", "candidate"])
    def test_bare_counts_cannot_be_paired(self, bare):
        sides = {"baseline": predicted(BASELINE), "candidate": predicted(CANDIDATE), bare: ConfusionMatrix(COUNTS)}
        with pytest.raises(InputError) as caught:
            Sides(sides["baseline"], sides["candidate"]).paired  # noqa: B018
        assert caught.value.where == bare
        assert "from_predictions" in caught.value.advice

    @pytest.mark.parametrize("longer", ["baseline", "candidate"])
    def test_an_example_that_one_side_alone_has_is_told_by_id(self, longer):
        sides = {"baseline": predicted(BASELINE, ids=list("wxyz")), "candidate": predicted(CANDIDATE, ids=list("wxyz"))}
        shorter = predicted(["a", "b"], ["a", "b"], ids=list("wz"))
        sides["candidate" if longer == "baseline" else "baseline"] = shorter
        with pytest.raises(InputError, match=rf"only in {longer} \('x', 'y'\)"):
            Sides(sides["baseline"], sides["candidate"]).paired  # noqa: B018

    def test_a_different_truth_is_told_by_position(self):
        with pytest.raises(InputError) as caught:
            Sides(predicted(BASELINE), predicted(CANDIDATE, ["a", "b", "b", "a"])).paired  # noqa: B018
        assert caught.value.where == "candidate.y_true"
        assert caught.value.found == "2 examples that differ, first at position 1 ('a' and 'b')"
        assert "ids=" in caught.value.advice

    def test_a_different_truth_is_told_by_id(self):
        baseline = predicted(BASELINE, ids=list("wxyz"))
        candidate = predicted(CANDIDATE, ["b", "a", "b", "b"], ids=list("zwyx"))
        with pytest.raises(InputError, match=r"first at id x \('a' and 'b'\)"):
            Sides(baseline, candidate).paired  # noqa: B018
