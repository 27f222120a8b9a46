import random

import numpy as np
import pytest

from pytest_bayesf1 import InputError, SpanCounts
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.encoding import encode as encode_columns
from pytest_bayesf1.data.tags import NO_DOCUMENTS, sentences_by_document, spans_in
from tests.unit.refused import assert_refused, case

GOLD_PAIR = [[(0, 2, "PER"), (5, 6, "LOC")], []]
DOCUMENTS_FOUND = [[(0, 2, "PER")], [(1, 1, "ORG")]]


def encode(gold=GOLD_PAIR, predicted=DOCUMENTS_FOUND, labels=None):
    return encode_columns(Kind.SPANS, {"gold": gold, "predicted": predicted}, labels)


def named(encoded):
    (side,) = encoded.sides
    columns = side.columns(encoded.labels)
    return columns["y_true"], columns["y_pred"]


def identified(documents):
    return SpanCounts.from_spans(GOLD_PAIR, DOCUMENTS_FOUND, documents=documents)


REFUSED = [
    case("no documents", lambda: encode([], []), "gold", "at least one document", "none"),
    case("no span", lambda: encode([[], []]), "gold", "No document has a span", ""),
    case("text", lambda: encode("PER"), "gold", "a collection of spans (start, end, type) for every document", "str"),
    case("one span", lambda: encode([(0, 2, "PER")], [[]]), "gold", "3 of 3 are no span", "(0, 2, 'PER';"),
    case("lengths", lambda: encode(predicted=[[]]), "predicted", "2 documents, as in gold", "1"),
    case(
        "backwards",
        lambda: encode([[], [(3, 2, "PER")]]),
        *("gold", "1 of 1 is no span ((3, 2, 'PER')", "first at position 1"),
    ),
    case("true", lambda: encode([[(True, 2, "A")], []]), "gold", "no span", "True"),
    case("negative", lambda: encode([[(-1, 2, "A")], []]), "gold", "no span", "-1"),
    case(
        "an object", lambda: encode([[{"from": 3, "to": 9}], []]), "gold", "1 of 1 is no span", "start, end and label"
    ),
    case("no type", lambda: encode([[(0, 1, None)], []]), "gold", "1 of 1 is no type", "a missing value"),
    case("no collection", lambda: encode([[], 3]), "gold", "1 of 2 is no list of spans (3;", "position 1"),
    case("an id twice", lambda: identified(["a", "a"]), "documents", "1 of 2 is duplicate", "'a'"),
]


class TestDocuments:
    def test_types_are_coded_in_their_order(self):
        (found,), labels, _, notes, _ = encode()
        assert labels == ("LOC", "ORG", "PER")
        assert found.true.tolist() == [5, 1, 2]
        assert found.said.tolist() == [[5, 0, 3]]
        assert found.place.T.tolist() == [[0, 2], [5, 6], [1, 1]]
        assert notes == [()]
        assert encode(labels=["PER", "ORG", "LOC"]).labels == ("PER", "ORG", "LOC")

    @pytest.mark.parametrize(
        "documents",
        [
            [{(0, 2, "PER"), (5, 6, "LOC")}, set()],
            (([np.int64(0), np.int32(2), np.str_("PER")], (5, 6, "LOC")), ()),
            ((span for span in spans) for spans in GOLD_PAIR),
        ],
    )
    def test_any_collection_serves(self, documents):
        assert named(encode(documents)) == named(encode())

    def test_a_repeated_span_counts_once_and_is_told(self):
        once = [[(0, 2, "PER"), (5, 6, "LOC")], []]
        found = encode([[*once[0], *once[0][:1]], []], predicted=[[(0, 2, "PER")] * 3, [(1, 1, "ORG")]])
        assert named(found) == named(encode(once))
        of_each = ("gold: 1 repetition of a span left out.", "predicted: 2 repetitions of a span left out.")
        assert found.notes == [of_each]

    @pytest.mark.parametrize(("call", "where", "expected", "found", "advice"), REFUSED)
    def test_what_is_refused(self, call, where, expected, found, advice):
        assert_refused(call, where, expected, found, advice)

    def test_documents_come_in_the_order_of_their_first_sentences(self):
        first, codes = sentences_by_document(np.array(["b", "a", "b", "c"]))
        assert (first.tolist(), codes.tolist()) == ([0, 1, 3], [0, 1, 0, 2])
        first, codes = sentences_by_document(np.array(["c", "a", "b", "c"]))  # an order that is not its own inverse
        assert (first.tolist(), codes.tolist()) == ([0, 1, 2], [0, 1, 2, 0])


TAGS = [["B-PER", "I-PER"], ["O", "B-LOC"]]


def counted(tp=(1, 2), fp=(1, 2), fn=(1, 2), **options):
    return lambda: SpanCounts.from_counts(tp, fp, fn, **options)


def tagged(gold=TAGS, predicted=TAGS, **options):
    return lambda: SpanCounts.from_bio(gold, predicted, **options)


def by_document(cells):
    """Return tp, fp and fn by type of every document."""
    columns = [np.reshape(cells[name], (-1, 2)).tolist() for name in ("tp", "fp", "fn")]
    return zip(*columns, strict=True)


class TestSpanCounts:
    def test_sentences_of_a_document_are_one(self):
        apart = SpanCounts.from_bio(TAGS, TAGS)
        sentences, documents = [*TAGS, ["O"], TAGS[0]], ["b", "b", "a", "b"]
        together = SpanCounts.from_bio(sentences, sentences, documents=documents)
        assert together == SpanCounts.from_bio(sentences, sentences)
        assert (apart.questions.n_samples, together.questions.n_samples) == (2, 2)
        spans = [[], [[0, 2, "PER"], [3, 4, "LOC"], [4, 6, "PER"]]]
        assert together.questions.columns(together.labels) == {"id": ["a", "b"], "y_true": spans, "y_pred": spans}
        assert [together.questions.rows.place(row) for row in (0, 1)] == ["position 0", "position 2"]
        assert SpanCounts.from_bio(TAGS, TAGS, labels=["PER", "ORG", "LOC"]).labels == ("PER", "ORG", "LOC")

    def test_without_documents_a_note_says_what_is_taken_for_one(self):
        assert SpanCounts.from_bio(TAGS, TAGS).notes == (NO_DOCUMENTS,)
        assert SpanCounts.from_bio(TAGS, TAGS, documents=[1, 1]).notes == ()

    def test_counts_by_document_add_up(self):
        counts = SpanCounts.from_counts([[1, 2], [3, 4]], [[0, 1], [1, 1]], [[0, 0], [0, 7]], labels=["LOC", "PER"])
        assert counts.counts.tolist() == [[4, 1, 0], [6, 2, 7]]
        assert counts == SpanCounts.from_counts([4, 6], [1, 2], [0, 7], labels=["LOC", "PER"])
        assert SpanCounts.from_counts([[4, 6]], [[1, 2]], [[0, 7]]).labels == (0, 1)
        assert SpanCounts.from_counts([4], [1], [0]).labels == (0,)
        assert SpanCounts.from_counts([[0], [0]], [[2], [0]], [[0], [3]]).counts.tolist() == [[0, 2, 3]]
        with pytest.raises(InputError, match="These 2 counts may be of types or of documents"):
            SpanCounts.from_counts([4, 6], [1, 2], [0, 7])
        assert counts.questions is None

    def test_counts_are_written_out_as_they_are_known(self):
        totals = SpanCounts.from_counts([4, 6], [1, 2], [0, 7], labels=["LOC", "PER"])
        assert totals.cells() == {"type": ["LOC", "PER"], "tp": [4, 6], "fp": [1, 2], "fn": [0, 7]}
        known = [[1, 2], [3, 4], [0, 7]], [[0, 1], [1, 1], [5, 0]], [[0, 0], [2, 7], [9, 6]]
        counts = SpanCounts.from_counts(*known, labels=["LOC", "PER"])
        assert counts.table.clusters.noun == "documents"
        cells = counts.cells()
        assert (cells["document"], cells["type"]) == ([0, 0, 1, 1, 2, 2], ["LOC", "PER"] * 3)
        assert sorted(by_document(cells)) == sorted(zip(*known, strict=True))
        again = SpanCounts.of_cells(cells, counts.labels)
        assert (again, again.cells()) == (counts, cells)
        assert SpanCounts.of_cells(totals.cells(), totals.labels) == totals

    @pytest.mark.parametrize(
        ("call", "where", "expected", "found", "advice"),
        [
            case("shapes", counted(fn=[1]), "fn", "shape (2,), as of tp", "(1,)"),
            case("a number", counted(tp=3), "tp", "(D, T) or (T,)", "shape ()"),
            case("negative", counted(tp=[1, -1]), "counts", "negative", "-1"),
            case("no true span", counted([0], [1], [0]), "tp and fn", "There is no true span", ""),
            case("labels", counted(labels=["a"]), "labels", "2 labels", "1"),
            case("sentences", tagged(predicted=TAGS[:1]), "predicted_tags", "2 sentences, as in gold_tags", "1"),
            case(
                "tokens",
                tagged(predicted=[["O"], ["O", "O"]]),
                "predicted_tags",
                "1 of 2 is not as many tags as in gold_tags",
                "1 tag",
            ),
            case("no tag", tagged([["O", "PER"], ["O", "O"]]), "gold_tags", "1 of 4 is no tag ('PER'", "position 0"),
        ],
    )
    def test_what_is_refused(self, call, where, expected, found, advice):
        assert_refused(call, where, expected, found, advice)


def spans_token_by_token(tags):
    """Read tags as conlleval.pl does, by its two tables of what begins and what ends a chunk."""
    spans, begin = [], 0
    before, kind_before = "O", ""
    for position, tag in enumerate([*tags, "O"]):
        prefix, _, kind = tag.partition("-")
        other = kind != kind_before
        ends = before in "ES" or (before in "BI" and prefix in "BSO") or (before != "O" and other)
        begins = prefix in "BS" or (before in "EOS" and prefix in "EI") or (prefix != "O" and other)
        if ends and before != "O":
            spans.append((begin, position, kind_before))
        if begins:
            begin = position
        before, kind_before = prefix, kind
    return spans


class TestTags:
    @pytest.mark.parametrize(
        ("tags", "spans"),
        [
            ("B-P I-P L-P U-P U-L", [(0, 3, "P"), (3, 4, "P"), (4, 5, "L")]),
            ("B I O S", [(0, 2, "_"), (3, 4, "_")]),
            ("B-a-b I-a-b", [(0, 2, "a-b")]),
            ("B-P M-P E-P S-L", [(0, 3, "P"), (3, 4, "L")]),
            ("PER-B PER-I PER-I LOC-B", [(0, 3, "PER"), (3, 4, "LOC")]),
            ("PER-B PER-M PER-E LOC-S", [(0, 3, "PER"), (3, 4, "LOC")]),
        ],
    )
    def test_every_scheme_is_read(self, tags, spans):
        assert spans_in(tags.split()) == spans
        assert spans_in(tags.split(), first=10) == [(start + 10, end + 10, name) for start, end, name in spans]

    def test_any_sequence_is_read_as_by_the_tables_of_conlleval(self):
        rng = random.Random(3)  # noqa: S311 (made-up data)
        pool = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "PL")]
        for _ in range(500):
            tags = rng.choices(pool, k=rng.randint(1, 9))
            assert spans_in(tags) == spans_token_by_token(tags)

    @pytest.mark.parametrize("tag", ["X-PER", "PER", "b-PER", "", None])
    def test_anything_else_is_no_tag(self, tag):
        with pytest.raises(InputError, match=r"token 1: expected O, or a tag such as B-PER, got"):
            spans_in(["O", tag])


def test_spans_may_be_objects():
    def objects(documents):
        names = ("start", "end", "label", "text")
        return [[dict(zip(names, (*span, "x"), strict=True)) for span in spans] for spans in documents]

    gold, found = [[(3, 9, "SSN")], [(0, 2, "PER"), (4, 5, "SSN")]], [[(3, 9, "SSN")], [(0, 2, "SSN")]]
    assert SpanCounts.from_spans(objects(gold), objects(found)) == SpanCounts.from_spans(gold, found)
