from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, LabelledPool, MultilabelCounts, PairedCounts, Scores, SpanCounts
from pytest_bayesf1.data.paired import digests_of, sides_of, truths_of
from pytest_bayesf1.data.sides import Sides, align
from pytest_bayesf1.results.schema import UNREADABLE
from tests.property.kinds import KINDS

COUNTS = [[5, 1], [2, 7]]
Y_TRUE, BASELINE, CANDIDATE = ["a", "a", "b", "b"], ["a", "b", "b", "b"], ["a", "a", "b", "a"]


def predicted(y_pred, y_true=Y_TRUE, **options):
    return ConfusionMatrix.from_predictions(y_true, y_pred, **options)


class TestPairing:
    def test_named_labels_in_another_order_are_aligned_to_the_baseline_s(self):
        baseline = ConfusionMatrix(COUNTS, labels=["a", "b"])
        candidate = ConfusionMatrix([[7, 2], [1, 5]], labels=["b", "a"])
        aligned, renamed = align(baseline, candidate)
        assert aligned == baseline
        assert renamed.labels == ("a", "b")
        assert renamed.counts.tolist() == COUNTS

    @pytest.mark.parametrize("named_first", [True, False])
    def test_the_classes_of_bare_counts_are_numbers(self, named_first):
        sides = [ConfusionMatrix(COUNTS, labels=["a", "b"]), ConfusionMatrix(COUNTS)]
        with pytest.raises(InputError, match="candidate: 0, 1" if named_first else "baseline: 0, 1"):
            align(*(sides if named_first else reversed(sides)))

    def test_a_class_that_one_side_alone_predicts_is_a_class_of_both(self):
        first, second = align(predicted(["a", "a", "b", "b"]), predicted(["a", "c", "b", "b"]))
        assert first.labels == second.labels == ("a", "b", "c")
        assert first.counts.tolist() == [[2, 0, 0], [0, 2, 0], [0, 0, 0]]
        assert second.counts.tolist() == [[1, 0, 1], [0, 2, 0], [0, 0, 0]]

    @pytest.mark.parametrize("declared_first", [True, False])
    def test_what_one_side_declares_wrong_is_in_the_vocabulary_of_both(self, declared_first):
        sides = [predicted(["a", None, "b", "b"], invalid="wrong"), predicted(["a", "a", "b", "b"])]
        for side in align(*(sides if declared_first else reversed(sides))):
            assert side.vocabulary == side.labels == ("a", "b", UNREADABLE)

    def test_classes_that_differ_are_refused(self):
        with pytest.raises(InputError, match="only in baseline: 'c', 'd', 'e' and 2 more") as caught:
            align(ConfusionMatrix(np.eye(7, dtype=int), labels=list("abcdefg")), ConfusionMatrix(COUNTS, ["a", "b"]))
        assert caught.value.where == "candidate.labels"

    def test_an_answer_beyond_the_caller_s_labels_is_no_class(self):
        first, second = align(predicted(BASELINE, labels=["a", "b"]), predicted(["a", "a", "c", "b"]))
        assert first.classes == second.classes == ("a", "b")
        assert second.labels == ("a", "b", "c")

    def test_a_different_truth_is_told_by_id(self):
        baseline = predicted(BASELINE, ids=list("wxyz"))
        candidate = predicted(CANDIDATE, ["b", "a", "b", "b"], ids=list("zwyx"))
        with pytest.raises(InputError, match=r"first at id 'x' \('a' and 'b'\).* pass on_new_test_set: shared"):
            Sides(baseline, candidate).paired  # noqa: B018


@pytest.mark.parametrize(
    ("side", "truths"),
    [
        (ConfusionMatrix([[5, 1, 0], [2, 7, 1], [0, 0, 3]], labels=["b", "a", "c"]), {'"b"': 6, '"a"': 10, '"c"': 3}),
        (MultilabelCounts([[[5, 1], [2, 4]], [[6, 1], [0, 5]]], labels=["x", "y"]), {'"x"': 6, '"y"': 5}),
        (SpanCounts.from_counts([7, 4], [2, 0], [1, 3], labels=["LOC", "PER"]), {'"LOC"': 8, '"PER"': 7}),
    ],
    ids=["classes", "labels", "spans"],
)
def test_bare_counts_tell_how_often_a_class_is_true_whatever_was_predicted(side, truths):
    assert truths_of(side) == truths


POOL = LabelledPool.from_predictions(list("abca"), list("abba"), {"i": "b", "k": "a"}, ids=list("hijk"))
SPANS = SpanCounts.from_spans(*[[[(0, 2, "PER"), (4, 5, "LOC")], []]] * 2, documents=["d", "c"])


@pytest.mark.parametrize(
    ("side", "truths"),
    [
        (predicted(list("aab"), list("aba"), ids=[7, 5, 6]), ['[7, "a"]', '[5, "b"]', '[6, "a"]']),
        (SPANS, ['["d", [[0, 2, "PER"], [4, 5, "LOC"]]]', '["c", []]']),
        (Scores.from_values([0.5, 0.25], ids=["b", "a"]), ['["b", null]', '["a", null]']),
        (POOL, ['["i", "b"]', '["k", "a"]']),
    ],
    ids=["classes", "spans", "values", "pool"],
)
def test_truths_of_examples_are_written_with_their_ids(side, truths):
    assert truths_of(side) == dict.fromkeys(truths, 1)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_truths_are_those_of_a_test_set_whatever_is_answered(kind):
    made = kind.draw(np.random.default_rng(1))
    n = len(made.true)
    order = np.random.default_rng(2).permutation(n)
    moved = made.reordered(order)
    with_ids, without = [truths_of(kind.side(made, 0, **ids)) for ids in ({kind.ids: range(n)}, {})]
    assert with_ids == truths_of(kind.side(moved, 1, **{kind.ids: order}))
    assert without == truths_of(kind.side(made, 1))
    other = truths_of(kind.side(moved, 0))
    assert +Counter(without) == +Counter(other)
    assert ({*without} == {*other}) is (kind is KINDS["values"])  # of which there is no truth
    if kind is not KINDS["values"]:
        corrected = replace(made, true=made.true[order])
        n_changed = sum(one != other for one, other in zip(made.true, corrected.true, strict=True))
        assert len(with_ids.keys() - truths_of(kind.side(corrected, 0, **{kind.ids: range(n)}))) == n_changed


@pytest.mark.parametrize("kind", [kind for name, kind in KINDS.items() if name != "values"])
def test_columns_of_two_systems_are_the_two_sides(kind):
    made = kind.draw(np.random.default_rng(1))
    columns = {"y_true": made.true, "old": made.answers[0], "new": made.answers[1]}
    expected = kind.sides(made)
    asked = expected[0].questions
    known = {"runs": asked.runs, "labels": made.labels, "clusters": made.clusters}
    named = expected[0].kind if asked.is_sparse or expected[0].kind == "scores" else None
    sides = sides_of(columns, named, **{name: value for name, value in known.items() if value is not None})
    assert [side.columns() for side in sides] == [side.columns() for side in expected]


def test_pairs_keep_the_vocabulary_on_both_sides():
    pairs = PairedCounts.from_predictions(Y_TRUE, ["a", "c", "b", "b"], CANDIDATE)
    for side in (pairs, pairs.baseline, pairs.candidate):
        assert (side.labels, side.classes) == (("a", "b", "c"), ("a", "b"))


@pytest.mark.parametrize("order", [1, -1])
def test_totals_that_differ_are_told_by_class_and_then_in_all(order):
    counts = MultilabelCounts([[[5, 1], [2, 4]]], ["x"]), MultilabelCounts([[[5, 2], [2, 4]]], ["x"])
    own, other = (side.n_samples for side in counts[::order])
    assert Sides(*counts[::order]).difference_of_totals == f"{other} examples instead of {own}"
    matrices = ConfusionMatrix([[5, 1], [2, 7]], ["a", "b"]), ConfusionMatrix([[5, 1], [2, 4]], ["a", "b"])
    own, other = (sum(side.counts[1]) for side in matrices[::order])
    assert Sides(*matrices[::order]).difference_of_totals == f"{other} examples of class 'b' instead of {own}"
    assert Sides(matrices[0], matrices[0]).difference_of_totals == ""


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_digests_tell_sides_apart_and_know_no_order_of_ids(kind):
    made = kind.draw(np.random.default_rng(1))
    ids = np.arange(len(made.true))
    turned = made.reordered(ids[::-1])
    side = kind.side(made, 0, **{kind.ids: ids})
    sides = [
        side,
        kind.side(made, 1, **{kind.ids: ids}),
        kind.side(made, 0, **{kind.ids: np.roll(ids, 1)}),
        kind.side(made, 0),
        kind.side(turned, 0),
    ]
    if kind is not KINDS["values"]:
        sides.append(kind.side(replace(made, true=turned.true), 0, **{kind.ids: ids}))
    if kind is not KINDS["clusters"]:
        sides += [kind.side(made, 0, **{kind.ids: ids}, clusters=np.roll(ids // 4, n)) for n in (0, 1)]
    digests = [digests_of(sides[0], each) for each in sides]
    assert {old for old, _ in digests} == {digests[0][1]}
    assert len({new for _, new in digests}) == len(sides)
    assert len({*digests_of(side, kind.side(turned, 0, **{kind.ids: ids[::-1]}))}) == 1


def test_digests_of_counts_know_no_order_and_tell_sides_apart():
    counts, renamed = ConfusionMatrix(COUNTS, ["a", "b"]), ConfusionMatrix(COUNTS, ["a", "c"])
    assert len({*digests_of(counts, renamed)}) == 2
    assert len({*digests_of(counts, ConfusionMatrix([[7, 2], [1, 5]], ["b", "a"]))}) == 1
    cells = Y_TRUE, BASELINE, CANDIDATE, [2, 3, 4, 5]
    pairs, moved, turned = (
        PairedCounts.from_cells(*columns, labels=["a", "b"])
        for columns in (cells, [each[::-1] for each in cells], (Y_TRUE, CANDIDATE, BASELINE, [2, 3, 4, 5]))
    )
    assert digests_of(pairs) == digests_of(moved)
    assert len({*digests_of(pairs), *digests_of(turned)}) == 4
