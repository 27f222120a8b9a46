"""A baseline as text: what is written is read back, and nothing else is."""

from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, Scores, SpanCounts
from pytest_bayesf1.baselines.store import Baseline, from_text, to_text
from pytest_bayesf1.errors import BaselineError
from tests.unit.baselines.checksums import with_checksum

GOLDEN = Path(__file__).parents[2] / "golden"
Y_TRUE = ["ham", "ham", "spam", "spam", "spam"]
Y_PRED = ["ham", "spam", "spam", "spam", "ham"]
IDS = ["mail-3", "mail-1", "mail-5", "mail-2", "mail-4"]
SETS_TRUE = [{"art", "war"}, {"art"}, set(), {"law"}, {"law", "art"}]
SETS_PRED = [{"war"}, {"art"}, {"war"}, {"law"}, set()]
GOLD = [[(0, 2, "PER"), (5, 6, "LOC")], [], [(1, 2, "PER")]]
FOUND = [[(0, 2, "PER")], [(3, 4, "ORG")], [(1, 2, "PER"), (0, 1, "LOC")]]
MULTILABEL = [[[2, 0], [2, 1]], [[3, 0], [0, 2]]]

SIDES = {
    "matrix": ConfusionMatrix([[50, 2, 0], [5, 43, 1], [0, 0, 9]], labels=["b", "a", "c"]),
    "matrix-without-labels": ConfusionMatrix([[50, 2], [5, 43]]),
    "matrix-of-large-counts": ConfusionMatrix([[2**53 - 3, 1], [1, 1]]),
    "predictions": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED),
    "predictions-with-ids": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=IDS),
    "predictions-with-numbers-as-ids": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=[30, -1, 5, 2, 4]),
    "predictions-over-labels-in-order": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, labels=["spam", "ham", "?"]),
    "clusters": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=IDS, clusters=["x", "x", "y", "x", "z"]),
    "samples": ConfusionMatrix.from_predictions(
        Y_TRUE, [["ham", "spam"], ["ham"], ["spam"] * 3, ["spam"] * 2, ["ham"]], ids=IDS, runs="samples"
    ),
    "seeds-with-unreadable-answers": ConfusionMatrix.from_predictions(
        Y_TRUE, [["ham", None, "spam"]] * 5, clusters=[1, 1, 2, 3, 3], runs="seeds", invalid="wrong"
    ),
    "sets-in-clusters": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED, clusters=[2, 2, 1, 3, 3]),
    "unreadable-answers": ConfusionMatrix.from_predictions(Y_TRUE, ["ham", None, "?", "spam", "ham"], invalid="wrong"),
    "unreadable-answers-of-numbers": ConfusionMatrix.from_predictions([3, 1], [3, None], invalid="wrong", ids=[2, 1]),
    "no-unreadable-answer": ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, invalid="wrong", labels=["spam", "ham"]),
    "matrix-with-unreadable-answers": ConfusionMatrix.from_cells(
        ["ham", "spam"], ["ham", None], [5, 3], labels=["spam", "ham"], invalid="wrong"
    ),
    "integers": ConfusionMatrix.from_predictions([3, 1, 1], [1, 1, 3]),
    "booleans": ConfusionMatrix.from_predictions([True, False, True], [True, True, False]),
    "sets": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED),
    "sets-with-ids": MultilabelCounts.from_predictions(SETS_TRUE, SETS_PRED, ids=IDS),
    "sets-of-integers": MultilabelCounts.from_predictions([{0, 1}, {1}, set()], [{1}, {0, 1}, {0}]),
    "indicators": MultilabelCounts.from_predictions([[1, 0], [0, 1], [0, 0]], [[1, 1], [0, 1], [0, 0]]),
    "label-counts": MultilabelCounts(MULTILABEL, labels=["war", "art"]),
    "label-counts-without-labels": MultilabelCounts(MULTILABEL),
    "scores": Scores.from_predictions([0, 1, 1], [0.1, 1 / 3, 5e-324]),
    "scores-with-ids": Scores.from_predictions(
        Y_TRUE, [1, 2, 3, -4, 0.7], positive="ham", ids=IDS, clusters=[1, 1, 2, 2, 2]
    ),
    "scores-of-many-classes": Scores.from_predictions(
        [3, 1, 2], [[0.1, 0.2, 0.7], [1, 0, 0], [0, 1, 0]], labels=[2, 3, 1]
    ),
    "values": Scores.from_values([4, 5, 1 / 3]),
    "values-with-ids": Scores.from_values([4, 5, 1 / 3], ids=["b", "c", "a"]),
    "spans": SpanCounts.from_spans(GOLD, FOUND),
    "spans-of-named-documents": SpanCounts.from_spans(GOLD, FOUND, documents=["b", "c", "a"]),
    "spans-of-users": SpanCounts.from_spans(GOLD, FOUND, documents=["b", "c", "a"], clusters=["x", "y", "x"]),
    "span-counts": SpanCounts.from_counts([5, 2], [1, 0], [0, 3], labels=["PER", "LOC"]),
    "span-counts-by-document": SpanCounts.from_counts([[5, 2], [1, 1]], [[1, 0], [0, 0]], [[0, 3], [0, 0]]),
}
GOLDEN_SIDES = ["matrix", "predictions-with-ids", "predictions-over-labels-in-order", "sets-with-ids", "label-counts"]
SPAN_SIDES = ["spans-of-named-documents", "span-counts-by-document"]


def written(side):
    return to_text(Baseline("test_gate", side))


def same(array, other):
    return (array != other).nnz == 0 if hasattr(array, "nnz") else np.array_equal(array, other)


def assert_same_predictions(found, expected):
    """Compare what was predicted; examples with ids are stored in the order of these."""
    if expected is None:
        assert found is None
        return
    if expected.ids is not None:
        expected = expected.in_order(np.argsort(expected.ids))
        assert found.ids.tolist() == expected.ids.tolist()
        assert found.ids.dtype.kind == expected.ids.dtype.kind
    else:
        assert found.ids is None
    assert found.runs == expected.runs
    assert found.clusters is expected.clusters or found.clusters.tolist() == expected.clusters.tolist()
    assert same(found.y_true, expected.y_true)
    assert same(found.y_pred, expected.y_pred)


@pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
def test_what_is_written_is_read(side):
    text = written(side)
    baseline = from_text(text, "here")
    assert baseline.counts.table.n_samples == side.table.n_samples
    assert baseline.name == "test_gate"
    assert baseline.counts == side
    assert type(baseline.counts) is type(side)
    assert list(map(type, baseline.counts.labels)) == list(map(type, side.labels))
    assert baseline.counts.labels_from == side.labels_from
    assert_same_predictions(baseline.counts.predictions, side.predictions)
    assert to_text(baseline) == text


@pytest.mark.parametrize("name", [*GOLDEN_SIDES, *SPAN_SIDES])
def test_the_format_changes_only_on_purpose(name, generated):
    generated(GOLDEN / f"{name}.json", written(SIDES[name]))


@pytest.mark.parametrize("name", GOLDEN_SIDES)
def test_a_kind_in_its_former_words_is_read(name):
    body = written(SIDES[name]).rpartition('"checksum": ')[0]
    former = body.replace(" per example", " an example")
    assert former != body
    assert from_text(with_checksum(former), "here").counts == SIDES[name]


def test_each_example_has_a_line():
    lines = written(SIDES["predictions-with-ids"]).splitlines()
    start = lines.index('"rows": [')
    assert lines[start + 1 : start + 3] == ['["mail-1", "ham", "spam"],', '["mail-2", "spam", "spam"],']


@pytest.mark.parametrize("kind", [ConfusionMatrix, MultilabelCounts], ids=["classes", "labels"])
def test_with_ids_the_order_of_examples_does_not_matter(kind):
    columns = (Y_TRUE, Y_PRED) if kind is ConfusionMatrix else (SETS_TRUE, SETS_PRED)
    order = [3, 0, 4, 2, 1]
    there = kind.from_predictions(*([column[i] for i in order] for column in columns), ids=[IDS[i] for i in order])
    assert written(there) == written(kind.from_predictions(*columns, ids=IDS))


def test_without_ids_the_order_of_examples_is_kept():
    rows = written(SIDES["predictions"]).partition('"rows": [\n')[2].splitlines()
    assert rows[:3] == ['["ham", "ham"],', '["ham", "spam"],', '["spam", "spam"],']


def fingerprint(side):
    return Baseline("", side).test_set


def test_a_test_set_is_recognised_whatever_was_predicted():
    other = ConfusionMatrix.from_predictions(Y_TRUE[::-1], ["ham"] * 5, ids=IDS[::-1])
    assert fingerprint(other) == fingerprint(SIDES["predictions-with-ids"])
    assert fingerprint(other).startswith("id and y_true, sha256:")


@pytest.mark.parametrize("change", [{"ids": [*IDS[:-1], "mail-6"]}, {"y_true": ["spam", *Y_TRUE[1:]]}, {"ids": None}])
def test_another_test_set_has_another_fingerprint(change):
    other = ConfusionMatrix.from_predictions(**{"y_true": Y_TRUE, "y_pred": Y_PRED, "ids": IDS, **change})
    assert fingerprint(other) != fingerprint(SIDES["predictions-with-ids"])


def test_of_counts_the_class_totals_tell_the_test_set():
    one, other = ConfusionMatrix([[50, 2], [5, 43]], labels=["a", "b"]), ConfusionMatrix([[8, 40], [1, 51]], ["b", "a"])
    assert fingerprint(one) == fingerprint(other)
    assert fingerprint(one).startswith("class totals, sha256:")
    assert fingerprint(ConfusionMatrix([[51, 2], [5, 43]], labels=["a", "b"])) != fingerprint(one)


@pytest.mark.parametrize("side", SIDES.values(), ids=SIDES)
def test_a_reviewer_sees_the_scores(side):
    scores = Baseline("", side).scores
    of_counts = [] if isinstance(side, Scores) else ["f1_micro" if side.table.spans else "accuracy", "f1_macro"]
    assert list(scores) == of_counts or isinstance(side, Scores)
    assert all(0 <= score <= 1 for score in scores.values()) or not side.labels
    assert scores


def test_the_scores_are_those_of_the_counts():
    assert Baseline("", ConfusionMatrix([[40, 10], [10, 40]])).scores == pytest.approx(
        {"accuracy": 0.8, "f1_macro": 0.8}
    )


def test_windows_line_ends_are_the_stores_business():
    with pytest.raises(BaselineError, match="it was edited"):
        from_text(written(SIDES["matrix"]).replace("\n", "\r\n"), "here")


def test_unreadable_answers_are_null():
    text = written(SIDES["unreadable-answers"])
    assert '"labels": ["ham", "spam", null],' in text
    assert '["ham", null],' in text


def test_the_test_set_is_the_same_whatever_is_predicted():
    names = ("predictions", "unreadable-answers", "no-unreadable-answer")
    assert len({Baseline("", SIDES[name]).test_set for name in names}) == 1
    plain = ConfusionMatrix.from_cells(["ham", "spam"], ["ham", "ham"], [5, 3], labels=["spam", "ham"])
    assert Baseline("", plain).test_set == Baseline("", SIDES["matrix-with-unreadable-answers"]).test_set


def test_units_are_of_the_test_set_and_runs_are_not():
    test_set = Baseline("", SIDES["clusters"]).test_set
    assert test_set.startswith("id and cluster and y_true, sha256:")
    moved = ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED, ids=IDS, clusters=["x", "y", "y", "x", "z"])
    assert Baseline("", moved).test_set != test_set
    assert Baseline("", SIDES["samples"]).test_set == Baseline("", SIDES["predictions-with-ids"]).test_set


def test_counts_do_not_know_their_units():
    pairs = PairedCounts.from_predictions([0, 1, 1], [0, 1, 0], [0, 1, 1], clusters=[1, 1, 2])
    with pytest.raises(InputError, match="predictions, where examples belong to clusters"):
        written(pairs.baseline)


def test_a_test_set_of_scores_is_recognised_whatever_they_are():
    first, second = (Scores.from_predictions([0, 1, 1], given) for given in ([0.1, 0.2, 0.3], [0.9, 0.2, 0.1]))
    assert fingerprint(first) == fingerprint(second) != fingerprint(Scores.from_predictions([0, 1, 0], [0.1, 0.2, 0.3]))
    assert fingerprint(Scores.from_values([1, 2])) == fingerprint(Scores.from_values([3, 4])) == "2 examples"
