import numpy as np
import pytest

from pytest_bayesf1 import SpanCounts
from pytest_bayesf1.data.spans import NO_DOCUMENTS
from pytest_bayesf1.measures.classification import Joint, parse_measure
from tests.unit.counts.spans.made_up_tags import F1_AVERAGES, PRECISION, RECALL, SCHEMES, TYPES, made_up
from tests.unit.refused import assert_refused, case

GOLD = [[(0, 2, "PER"), (5, 6, "LOC")], [(3, 4, "PER")]]
FOUND = [[(0, 2, "PER"), (5, 6, "PER")], [(3, 4, "PER")]]
TAGS = [["B-PER", "I-PER"], ["O", "B-LOC"]]


@pytest.mark.parametrize("scheme", SCHEMES)
def test_figures_are_those_of_seqeval_and_nervaluate(scheme):
    counts = SpanCounts.from_bio(*made_up(scheme))
    tp, fp, fn = counts.counts.T
    assert counts.labels == tuple(TYPES)
    np.testing.assert_allclose(tp / (tp + fp), PRECISION[scheme], rtol=1e-12)
    np.testing.assert_allclose(tp / (tp + fn), RECALL[scheme], rtol=1e-12)
    for average, expected in F1_AVERAGES[scheme].items():
        measure = parse_measure(f"f1_{average}", counts.labels, multilabel=True)
        assert measure(Joint.observed(counts.table, measure.detail)) == pytest.approx(expected, rel=1e-12)


def test_a_span_is_right_by_its_bounds_and_its_type():
    counts = SpanCounts.from_spans(GOLD, FOUND)
    assert counts.labels == ("LOC", "PER")
    assert counts.counts.tolist() == [[0, 0, 1], [2, 1, 0]]


def test_sentences_of_a_document_are_one():
    apart = SpanCounts.from_bio(TAGS, TAGS)
    together = SpanCounts.from_bio(TAGS, TAGS, documents=["a", "a"])
    assert apart == together
    assert apart.predictions.n_samples == 2
    assert together.predictions.columns(together.labels) == {
        "id": ["a"],
        "y_true": [[[0, 2, "PER"], [3, 4, "LOC"]]],
        "y_pred": [[[0, 2, "PER"], [3, 4, "LOC"]]],
    }


def test_without_documents_a_note_says_what_is_taken_for_one():
    assert SpanCounts.from_bio(TAGS, TAGS).notes == (NO_DOCUMENTS,)
    assert SpanCounts.from_bio(TAGS, TAGS, documents=[1, 1]).notes == ()


def test_it_tells_its_size():
    assert repr(SpanCounts.from_bio(TAGS, TAGS)) == "<SpanCounts 2 types, 2 spans, predictions kept>"


def test_counts_by_document_add_up():
    counts = SpanCounts.from_counts([[1, 2], [3, 4]], [[0, 1], [1, 1]], [[0, 0], [0, 7]], labels=["LOC", "PER"])
    assert counts.counts.tolist() == [[4, 1, 0], [6, 2, 7]]
    assert counts == SpanCounts.from_counts([4, 6], [1, 2], [0, 7], labels=["LOC", "PER"])
    assert SpanCounts.from_counts([4, 6], [1, 2], [0, 7]).labels == (0, 1)
    assert counts.predictions is None


def test_counts_are_written_out_as_they_are_known():
    totals = SpanCounts.from_counts([4, 6], [1, 2], [0, 7], labels=["LOC", "PER"])
    assert totals.cells() == {"type": ["LOC", "PER"], "tp": [4, 6], "fp": [1, 2], "fn": [0, 7]}
    cells = SpanCounts.from_spans(GOLD, FOUND).cells()
    assert cells["document"] == [0, 0, 1, 1]
    assert cells["type"] == ["LOC", "PER"] * 2
    assert [sorted(zip(*(cells[name][at : at + 2] for name in ("tp", "fp", "fn")), strict=True)) for at in (0, 2)] == [
        [(0, 0, 0), (1, 0, 0)],
        [(0, 0, 1), (1, 1, 0)],
    ]


def test_types_may_come_in_another_order():
    counts = SpanCounts.from_spans(GOLD, FOUND).relabelled(("PER", "LOC", "ORG"))
    assert counts.counts.tolist() == [[2, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert counts == SpanCounts.from_spans(GOLD, FOUND, labels=["PER", "LOC", "ORG"])
    assert counts.predictions.tally(3).label_counts.tolist() == counts.table.label_counts.tolist()


def test_a_repetition_is_noted():
    assert SpanCounts.from_spans(GOLD, [FOUND[0] * 2, FOUND[1]]).notes == (
        "predicted: 2 repetitions of a span left out.",
    )


def counted(tp=(1, 2), fp=(1, 2), fn=(1, 2), **options):
    return lambda: SpanCounts.from_counts(tp, fp, fn, **options)


def tagged(gold=TAGS, predicted=TAGS, **options):
    return lambda: SpanCounts.from_bio(gold, predicted, **options)


@pytest.mark.parametrize(
    ("call", "where", "expected", "found", "advice"),
    [
        case("shapes", counted(fn=[1]), "fn", "shape (2,), as of tp", "(1,)"),
        case("a number", counted(tp=3), "tp", "(D, T) or (T,)", "shape ()"),
        case("text", counted(fp=["a", "b"]), "fp", "whole numbers", "text"),
        case("negative", counted(tp=[1, -1]), "counts[0, 1]", "no negative count", "-1"),
        case("zeros", counted([0], [0], [0]), "counts", "at least one example", "zeros only"),
        case("no true span", counted([0], [1], [0]), "tp and fn", "at least one true span", "zeros only"),
        case("labels", counted(labels=["a"]), "labels", "2 labels", "1"),
        case("no tags", tagged("O"), "gold_tags", "a sequence of tags for every sentence", "str"),
        case("no sentences", tagged([], []), "gold_tags", "at least one sentence", "none"),
        case("a sentence", tagged(["O", "O"]), "gold_tags[0]", "a sequence of tags", "'O'"),
        case("sentences", tagged(predicted=TAGS[:1]), "predicted_tags", "2 sentences, as in gold_tags", "1"),
        case("tokens", tagged(predicted=[["O"], ["O", "O"]]), "predicted_tags[0]", "2 tags, as in gold_tags", "1"),
        case("no tag", tagged([["O", "PER"], ["O", "O"]]), "gold_tags[0]: token 1", "such as B-PER", "'PER'"),
        case("documents", tagged(documents=["a"]), "documents", "2 ids, one per sentence", "1"),
    ],
)
def test_what_is_refused(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)
