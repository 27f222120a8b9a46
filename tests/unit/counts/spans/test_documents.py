import numpy as np
import pytest

from pytest_bayesf1.data.spans import checked_spans, document_ids, encode_spans, sentences_by_document
from tests.unit.refused import assert_refused, case

GOLD = [[(0, 2, "PER"), (5, 6, "LOC")], []]
FOUND = [[(0, 2, "PER")], [(1, 1, "ORG")]]
COLUMNS = {"gold": GOLD, "predicted": FOUND}


def encode(gold=GOLD, predicted=FOUND, labels=None):
    return encode_spans({"gold": gold, "predicted": predicted}, labels)


def test_types_are_coded_in_their_order():
    coded, labels, notes = encode()
    assert labels == ("LOC", "ORG", "PER")
    assert coded["gold"].tolist() == [{(0, 2, 2), (5, 6, 0)}, set()]
    assert coded["predicted"].tolist() == [{(0, 2, 2)}, {(1, 1, 1)}]
    assert notes == ()
    assert encode(labels=["PER", "ORG", "LOC"])[1] == ("PER", "ORG", "LOC")


@pytest.mark.parametrize(
    "documents",
    [
        [{(0, 2, "PER"), (5, 6, "LOC")}, set()],
        [[[0, 2, "PER"], [5, 6, "LOC"]], []],
        (([np.int64(0), np.int32(2), np.str_("PER")], (5, 6, "LOC")), ()),
        ((span for span in spans) for spans in GOLD),
    ],
    ids=["sets", "lists", "numpy", "generators"],
)
def test_any_collection_serves(documents):
    assert encode(documents)[0]["gold"].tolist() == encode()[0]["gold"].tolist()


def test_a_repeated_span_counts_once_and_is_told():
    coded, _, notes = encode(predicted=[[(0, 2, "PER")] * 3, [(1, 1, "ORG")]])
    assert coded["predicted"].tolist() == encode()[0]["predicted"].tolist()
    assert notes == ("predicted: 2 repetitions of a span left out.",)


def test_one_side_may_have_no_spans_at_all():
    assert encode(predicted=[[], []])[0]["predicted"].tolist() == [set(), set()]


REFUSED = [
    case("no documents", lambda: encode([], []), "gold", "at least one document", "none"),
    case("no span", lambda: encode([[], []]), "gold", "at least one span", "none at all"),
    case("text", lambda: encode("PER"), "gold", "a collection of spans (start, end, type) for every document", "str"),
    case("one span", lambda: encode([(0, 2, "PER")], [[]]), "gold[0][0]", "a span (start, end, type)", "0"),
    case("lengths", lambda: encode(predicted=[[]]), "predicted", "2 documents, as in gold", "1"),
    case("pair", lambda: encode([[(0, 2)], []]), "gold[0][0]", "a span (start, end, type)", "(0, 2)"),
    case(
        "backwards",
        lambda: encode([[], [(3, 2, "PER")]]),
        "gold[1][0]",
        "a span (start, end, type)",
        "(3, 2, 'PER')",
        "the end not before the start",
    ),
    case("fraction", lambda: encode([[(0.5, 2, "A")], []]), "gold[0][0]", "a span", "0.5", "whole numbers"),
    case("true", lambda: encode([[(True, 2, "A")], []]), "gold[0][0]", "a span", "True", "whole numbers"),
    case("negative", lambda: encode([[(-1, 2, "A")], []]), "gold[0][0]", "a span", "-1", "whole numbers"),
    case("kinds", lambda: encode(predicted=[[], [(0, 1, 7)]]), "predicted", "strings, as in gold", "integers"),
    case("no type", lambda: encode([[(0, 1, None)], []]), "gold", "a type for every example", "a missing value"),
    case("unknown", lambda: encode(labels=["PER", "LOC"]), "predicted", "labels", "'ORG'", "Add them to labels."),
    case("spelling", lambda: encode(predicted=[[], [(0, 1, "per")]]), "predicted", "spelt", "'per'", "spelling"),
    case("no collection", lambda: checked_spans(3, "here"), "here", "a collection of spans", "int"),
    case("ids too few", lambda: document_ids(["a"], 2), "documents", "2 ids", "1"),
    case("an id twice", lambda: document_ids(["a", "a"], 2), "documents", "each document once", "'a'", "into one"),
    case("sentences", lambda: sentences_by_document(["a"], 2), "documents", "2 ids, one per sentence", "1"),
]


@pytest.mark.parametrize(("call", "where", "expected", "found", "advice"), REFUSED)
def test_what_is_refused(call, where, expected, found, advice):
    assert_refused(call, where, expected, found, advice)


def test_ids_are_kept():
    assert document_ids(None, 2) is None
    assert document_ids([3, 4], 2).tolist() == [3, 4]


def test_documents_come_in_the_order_of_their_first_sentences():
    ids, codes = sentences_by_document(["b", "a", "b", "c"], 4)
    assert ids.tolist() == ["b", "a", "c"]
    assert codes.tolist() == [0, 1, 0, 2]
    ids, codes = sentences_by_document(None, 3)
    assert ids is None
    assert codes.tolist() == [0, 1, 2]
