import gzip
import struct
import tempfile
import tracemalloc
from dataclasses import replace
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, SpanCounts, compare
from pytest_bayesf1.choices import Kind
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.data.tags import NO_DOCUMENTS
from pytest_bayesf1.errors import FewClustersWarning
from pytest_bayesf1.files import formats
from pytest_bayesf1.files import opening as archives
from pytest_bayesf1.files.formats import read_raw
from pytest_bayesf1.files.side import read_side
from tests.unit.files.written import write, write_csv

DOCUMENTS = """\
-DOCSTART- -X- O O

Anna NNP B-PER B-PER
Karenina NNP I-PER O
left VBD O O

Moscow NNP B-LOC B-LOC

-DOCSTART- -X- O O

-DOCSTART- -X- O O

# CD O B-MISC
Oblonsky NNP B-PER B-PER
"""
GOLD = [[(0, 2, "PER"), (3, 4, "LOC")], [], [(1, 2, "PER")]]
FOUND = [[(0, 1, "PER"), (3, 4, "LOC")], [], [(0, 1, "MISC"), (1, 2, "PER")]]


def read_counts(path):
    return read_side(path, "baseline").counts()


def read_labels(path):
    return read_side(path, "baseline", Schema(kind=Kind.LABELS)).counts()


def read(folder, text, name="a.conll"):
    """Write a file and count what is in it."""
    (folder / name).write_bytes(text.encode())
    return read_counts(folder / name)


def kept(counts):
    return counts.questions.columns(counts.labels)


class TestConll:
    def test_tokens_of_a_document_are_numbered_through_its_sentences(self, tmp_path):
        counts = read(tmp_path, DOCUMENTS)
        assert counts == SpanCounts.from_spans(GOLD, FOUND)
        assert kept(counts) == kept(SpanCounts.from_spans(GOLD, FOUND))
        assert counts.notes == ()

    @pytest.mark.parametrize(
        ("change", "name"),
        [(("\n", "\r\n"), "a.bio"), ((" ", "\t"), "a.iob2"), (("\n\n", "\n \n\n"), "A.CONLL"), (("", ""), "a.iob")],
    )
    def test_neither_white_space_nor_the_suffix_matters(self, tmp_path, change, name):
        assert kept(read(tmp_path, DOCUMENTS.replace(*change), name)) == kept(read(tmp_path, DOCUMENTS))

    def test_without_documents_or_in_one_alone_every_sentence_is_one(self, tmp_path):
        sentences = "Anna B-PER O\nleft O O\n\nMoscow B-LOC B-LOC\n"
        for counts in (read(tmp_path, sentences), read(tmp_path, f"-DOCSTART- O O\n\n{sentences}")):
            assert kept(counts) == {"y_true": [[[0, 1, "PER"]], [[0, 1, "LOC"]]], "y_pred": [[], [[0, 1, "LOC"]]]}
            assert counts.notes == (f"baseline: {NO_DOCUMENTS}",)
        assert kept(read(tmp_path, f"# newdoc id = one\n{sentences}"))["id"] == ["one"]
        said = sentences.replace("Anna", "# genre = news\nAnna").replace("Moscow", "# genre = web\nMoscow")
        (tmp_path / "a.conll").write_text(f"-DOCSTART- O O\n\n{said}")
        assert read_side(tmp_path / "a.conll", "baseline").column("genre") == ["news", "web"]

    def test_documents_have_ids_if_all_have_one(self, tmp_path):
        text = "# newdoc id = one\nAnna B-PER O\n\n# newdoc\nBo B-PER O\n"
        assert kept(read(tmp_path, text)) == {"y_true": [[[0, 1, "PER"]]] * 2, "y_pred": [[], []]}

    def test_the_first_token_may_be_a_number_sign(self, tmp_path):
        assert kept(read(tmp_path, "# B-MISC O\nBo B-PER O\n"))["y_true"] == [[[0, 1, "MISC"], [1, 2, "PER"]]]

    @pytest.mark.parametrize(
        "text",
        [
            "# a note\n# text = Anna left Moscow\nAnna B-PER O\nleft O O\n# sent_id = 2 of 2\n#Moscow B-LOC B-LOC\n",
            "#  O\nAnna B-PER O\nleft O O\n#\n# B-LOC B-LOC\n",
            "Anna\u00a0K.\tB-PER\tO\nleft it\tO\tO\n \tB-LOC\tB-LOC\n",
            "Anna\u00a0K. B-PER O\nleft   O  O \nMoscow B-LOC B-LOC\t\n",
        ],
        ids=["comments", "hash", "tabs", "spaces"],
    )
    def test_comments_and_spaces(self, tmp_path, text):
        expected = {"y_true": [[[0, 1, "PER"], [2, 3, "LOC"]]], "y_pred": [[[2, 3, "LOC"]]]}
        assert kept(read(tmp_path, text)) == expected

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", "The file has no tokens"),
            ("O\n", "line 1: expected 2 columns, as above, got 1"),
            ("a O O\n\nb O\n", "line 3: expected 3 columns, as above, got 2"),
            (
                "a O O\nb B-PER PER\n",
                "line 2: expected O, or a tag such as B-PER, as y_pred in column 3, got 'PER'. By default the last",
            ),
            ("a O B-PER\n", "y_true: No document has a span"),
        ],
        ids=["empty", "one column", "columns", "no tag", "no span"],
    )
    def test_what_is_wrong_is_told_by_its_line(self, tmp_path, text, expected):
        with pytest.raises(InputError) as caught:
            read(tmp_path, text)
        assert expected in str(caught.value)


SYSTEMS = "Anna NNP B-PER B-PER O\nleft VBD O O O\n\nMoscow NNP B-LOC O B-LOC\n"
"""Word, part of speech, true tag, and the tags of two systems."""


class TestConllColumns:
    @pytest.fixture
    def found(self, tmp_path):
        """Read the predicted spans of a file, whose columns are said."""

        def read_columns(text, **columns):
            (tmp_path / "a.conll").write_text(text)
            return kept(read_side(tmp_path / "a.conll", "baseline", AS_IT_IS.of_side(columns, {})).counts())

        return read_columns

    @pytest.mark.parametrize(
        ("column", "expected"),
        [("4", [[[0, 1, "PER"]], []]), ("5", [[], [[0, 1, "LOC"]]]), ("-2", [[[0, 1, "PER"]], []])],
    )
    def test_by_number(self, found, column, expected):
        counts = found(SYSTEMS, y_true="3", y_pred=column)
        assert counts == {"y_true": [[[0, 1, "PER"]], [[0, 1, "LOC"]]], "y_pred": expected}

    def test_by_name(self, found):
        named = f"# global.columns = WORD POS GOLD OLD NEW\n{SYSTEMS}"
        assert found(named, y_true="GOLD", y_pred="OLD") == found(SYSTEMS, y_true="3", y_pred="4")
        with pytest.raises(InputError, match="line 2: expected 4 columns, as above, got 5"):
            found(named.replace(" NEW", ""), y_true="GOLD", y_pred="OLD")
        moved = SYSTEMS.replace("left", "# global.columns = NEW OLD GOLD POS WORD\nleft")
        assert found(moved, y_true="3", y_pred="4") == found(SYSTEMS, y_true="3", y_pred="4")
        with pytest.raises(InputError, match=r"expected a column 'OLDER', .*, got columns WORD, POS, GOLD, OLD, NEW"):
            found(named, y_true="GOLD", y_pred="OLDER")

    @pytest.mark.parametrize("column", ["0", "6", "-6"])
    def test_a_number_that_no_column_has(self, found, column):
        with pytest.raises(InputError, match=f"expected a column '{column}', .* from 1 to 5, got 5 columns"):
            found(SYSTEMS, y_true="3", y_pred=column)

    @pytest.mark.parametrize("name", ["y_true", "y_pred"])
    def test_one_of_both_alone_is_refused(self, found, name):
        with pytest.raises(InputError, match=f"Only the column of {name} is named"):
            found(SYSTEMS, **{name: "4"})

    def test_no_other_columns_are_known(self, found):
        with pytest.raises(InputError, match=r"CoNLL files have y_true and y_pred, no id"):
            found(SYSTEMS, id="1")


class TestGold:
    GOLD = "-DOCSTART- O\n\nAnna B-PER\nleft O\n\nMoscow B-LOC\n"
    FOUND = "Anna O\nleft O\n\nMoscow B-LOC\n"

    def read(self, tmp_path, gold, found, name="found.conll"):
        (tmp_path / "gold.conll").write_text(gold)
        (tmp_path / name).write_text(found)
        return read_side(tmp_path / name, "baseline", replace(AS_IT_IS, gold=str(tmp_path / "gold.conll"))).counts()

    def test_true_tags_may_be_in_a_file_of_their_own(self, tmp_path):
        more = "\n-DOCSTART- O\n\nMinsk B-LOC\n"
        counts = self.read(tmp_path, self.GOLD + more, f"{self.FOUND}\nMinsk O\n")
        assert kept(counts) == {
            "y_true": [[[0, 1, "PER"], [2, 3, "LOC"]], [[0, 1, "LOC"]]],
            "y_pred": [[[2, 3, "LOC"]], []],
        }
        assert counts.notes == ()  # documents begin where the true tags say so

    @pytest.mark.parametrize(
        ("found", "message"),
        [
            ("Anna O\n\nMoscow B-LOC\n", "sentence 1: expected 2 tokens, as in the file of true tags, got 1"),
            (f"Anna O\n{FOUND}", "sentence 1: expected 2 tokens, as in the file of true tags, got 3"),
            ("Anna O\nleft O\n", "sentence 2: expected 1 token, as in the file of true tags, got 0"),
            ("Anna O\nleft O\n\nMinsk O\n", "sentence 2: expected the token 'Moscow', .*, got 'Minsk'"),
            (f"{FOUND}\nmore O\n", "expected 2 sentences, as in the file of true tags, got more"),
            ("Anna O\nleft X\n", "line 2: expected O, .* as y_pred in column 2, got 'X'. By default the last column"),
        ],
    )
    def test_tokens_that_differ(self, tmp_path, found, message):
        with pytest.raises(InputError, match=message):
            self.read(tmp_path, self.GOLD, found)

    @pytest.mark.parametrize("true", ["2", ""])
    @pytest.mark.parametrize("said", ["2", ""])
    def test_the_columns_of_the_true_and_of_the_predicted_tags_are_declared_apart(self, tmp_path, true, said):
        (tmp_path / "gold.conll").write_text("Anna B-PER O\nleft O B-LOC\n")
        (tmp_path / "a.conll").write_text("Anna B-ORG B-PER\nleft O B-ORG\n")
        columns, of_gold = (((name, each),) if each else () for name, each in (("y_pred", said), ("y_true", true)))
        known = replace(AS_IT_IS, columns=columns, gold=str(tmp_path / "gold.conll"), gold_columns=of_gold)
        assert kept(read_side(tmp_path / "a.conll", "baseline", known).counts()) == {
            "y_true": [[[0, 1, "PER"]] if true else [[1, 2, "LOC"]]],
            "y_pred": [[[0, 1, "ORG"]] if said else [[0, 1, "PER"], [1, 2, "ORG"]]],
        }

    def test_a_file_that_is_not_there(self, tmp_path):
        (tmp_path / "a.conll").write_text(self.FOUND)
        with pytest.raises(InputError, match=r"gold \(gold.conll\): file not found"):
            read_side(tmp_path / "a.conll", "baseline", replace(AS_IT_IS, gold="gold.conll"))


def test_a_published_set_is_scored_as_published():
    """The sample of CoNLL-2000 that conlleval is documented with, words left out.

    conlleval's page has 459 phrases, 539 found, 371 right, F1 74.35; seqeval 1.2.2 and nervaluate 1.2.1 (strict) agree.
    """
    counts = read_side(Path(__file__).parents[2] / "data" / "conll-2000-sample.conll", "baseline").counts()
    tp, fp, fn = counts.counts.sum(axis=0).tolist()
    assert (tp, tp + fp, tp + fn) == (371, 539, 459)
    with pytest.warns(FewClustersWarning, match="40 documents are few"):
        found = compare(counts, counts, measure="f1_micro", rope=0.01)
    assert found.baseline.observed == pytest.approx(0.7434869739478958, abs=1e-15)


ODD_PARTS = [*",;\t\"'\n\r\u200f\u2028\x85\ufeff é0", "\r\n", "e\u0301"]
ODD_LABELS = st.lists(st.sampled_from(ODD_PARTS) | st.characters(codec="utf-8", exclude_characters="\0")).map("".join)
LABELS = (ODD_LABELS | st.integers(-20, 20).map(str)).filter(
    lambda label: label.strip() not in {"", "nan", "NaN", "-1", "-9"}
)


class TestFileRoundTrip:
    @pytest.mark.slow
    @given(
        st.lists(LABELS, min_size=2, max_size=5, unique_by=str.strip),
        st.lists(LABELS, min_size=5, max_size=5),
        st.data(),
    )
    def test_any_labels_and_values_survive_csv(self, labels, extra, data):
        rest = data.draw(st.lists(st.sampled_from(labels), min_size=5 - len(labels), max_size=5 - len(labels)))
        y_true, y_pred = labels + rest, data.draw(st.permutations(labels + rest))
        columns = {"y_true": y_true, "y_pred": y_pred, "id": [f"{label} {row}" for row, label in enumerate(y_true)]}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.csv"
            write_csv(path, {**columns, "extra": extra})
            side = read_side(path, "baseline")
        matrix = side.counts()
        assert matrix == ConfusionMatrix.from_predictions(*([*map(str.strip, each)] for each in (y_true, y_pred)))
        assert matrix.questions.ids.tolist() == [each.strip() for each in columns["id"]]
        assert side.column("extra") == [each.strip() for each in extra]

    def test_a_large_file_is_read_in_pieces(self, tmp_path, monkeypatch):
        monkeypatch.setattr(formats, "_CHUNK", 2)
        monkeypatch.setattr(formats, "_MOST_KNOWN", 3)
        columns = {"id": [*"vwxyz"], "text": ["a\nb"] * 5, "y_true": [*"ababb"], "y_pred": [*"aabab"]}
        side = read_side(write(tmp_path, "a.csv", columns), "baseline")
        assert {name: side.column(name) for name in columns} == columns
        assert [side.place(row) for row in range(5)] == [f"line {2 * (row + 1)}" for row in range(5)]


Y_TRUE, Y_PRED = ["ham", "ham", "spam", "eggs"], ["ham", "spam", "spam", "ham"]
COUNTS = [[5, 1], [2, 7]]
INDICATORS = {"y_true": [[1, 1], [1, 0], [0, 0]], "y_pred": [[0, 1], [1, 0], [0, 1]]}


class TestFormats:
    def test_spaces_in_a_header_and_a_byte_order_mark(self, tmp_path):
        matrix = read(tmp_path, '\ufeff"y_true", y_pred ,id\n1, 0,7\n0, 0,8\n', "a.CSV")
        assert matrix == ConfusionMatrix.from_predictions(["1", "0"], ["0", "0"])
        assert matrix.questions.ids.tolist() == ["7", "8"]

    @pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
    def test_ends_of_lines_do_not_matter(self, tmp_path, end):
        matrix = read(tmp_path, end.join(["y_true,y_pred", "ham,ham", "späm,ham", "", ""]), "a.csv")
        assert matrix == ConfusionMatrix.from_predictions(["ham", "späm"], ["ham", "ham"])

    @pytest.mark.parametrize("text", ["5,1\n2,7\n", "5.0,1.0\n2.0,7.0", "5e0,1\n2,7\n\n"])
    def test_a_matrix(self, tmp_path, text):
        matrix = read(tmp_path, text, "a.csv")
        assert matrix == ConfusionMatrix(COUNTS)

    @pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.npz"])
    def test_counts(self, tmp_path, name):
        for labels in (None, ["spam", "ham"]):
            named = {} if labels is None else {"labels": labels}
            matrix = read_counts(write(tmp_path, name, {"counts": COUNTS} | named))
            assert matrix == ConfusionMatrix(COUNTS, labels)
        if name != "a.npz":
            assert read_counts(write(tmp_path, name, COUNTS)) == ConfusionMatrix(COUNTS)

    def test_what_is_no_column_of_an_archive_is_left_out(self, tmp_path):
        np.savez(tmp_path / "a.npz", y_true=Y_TRUE, y_pred=Y_PRED, made=np.array("today"), weights=np.ones(3))
        side = read_side(tmp_path / "a.npz", "baseline")
        assert [name in side for name in ("y_true", "y_pred", "made", "weights")] == [True, True, False, False]

    @pytest.mark.parametrize("name", ["a.json", "a.npz"])
    def test_labels_beside_predictions(self, tmp_path, name):
        columns = {"y_true": Y_TRUE, "y_pred": Y_PRED}
        labels = ["spam", "never", "ham", "eggs"]
        matrix = read_counts(write(tmp_path, name, {**columns, "labels": labels}))
        assert matrix == ConfusionMatrix.from_predictions(**columns, labels=labels)
        assert matrix.labels_from == "caller"
        named = read_labels(write(tmp_path, name, {**INDICATORS, "labels": ["art", "war"]}))
        assert named == MultilabelCounts.from_predictions(**INDICATORS, labels=["art", "war"])

    @pytest.mark.parametrize("name", ["records.json", "a.csv", "a.parquet"])
    def test_where_rows_are_records_labels_are_a_column_like_others(self, tmp_path, name):
        columns = {"y_true": Y_TRUE, "y_pred": Y_PRED, "labels": list("wxyz")}
        side = read_side(write(tmp_path, name, columns), "baseline")
        assert side.counts() == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)

    @pytest.mark.parametrize("codes", [["1E5", "1e5"], ["007", "7"], ["1_000", "1000"], ["0x10", "16"], ["1e400", "1"]])
    def test_codes_stay_apart(self, tmp_path, codes):
        first, second = codes
        found = read(tmp_path, f"y_true,y_pred\n{first},{first}\n{second},{second}\n{second},{first}\n", "a.csv")
        assert {*found.labels} == {*codes}
        assert np.trace(found.counts) == 2

    @pytest.mark.parametrize("order", "<>")
    def test_characters_of_an_array_that_unicode_does_not_have(self, tmp_path, order):
        texts = np.array([0x110001, ord("b")], f"{order}u4").view(f"{order}U1")
        np.savez(tmp_path / "a.npz", y_true=["a", "b"], y_pred=texts)
        with pytest.raises(InputError, match="y_pred: The text has characters that Unicode does not have"):
            read_counts(tmp_path / "a.npz")

    def test_categories_and_whole_floats_of_a_data_frame(self, tmp_path):
        frame = pd.DataFrame({"y_true": pd.Categorical(Y_TRUE), "y_pred": pd.Categorical(Y_PRED), "id": [1.0, 2, 3, 4]})
        frame.to_parquet(tmp_path / "a.parquet")
        matrix = read_counts(tmp_path / "a.parquet")
        assert matrix == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
        np.testing.assert_array_equal(matrix.questions.ids, [1, 2, 3, 4])

    def test_a_folder_s_name_is_no_column_of_parquet(self, tmp_path):
        (tmp_path / "y_true=7").mkdir()
        path = write(tmp_path / "y_true=7", "a.parquet", {"y_true": Y_TRUE, "y_pred": Y_PRED})
        assert read_counts(path) == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)


TOO_LARGE = "Larger than 2,000,000,000 bytes, once unpacked"


def message(path):
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as caught:
            read_side(path, "candidate").counts()
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    return str(caught.value).removeprefix(f"candidate ({path})")[2:]


def array(descr, shape, version=1):
    head = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(head)) + head


class TestLimits:
    @pytest.mark.parametrize("version", [1, 2])
    @pytest.mark.parametrize(
        ("descr", "shape"),
        [("<i8", (10**12,)), ("<U0", (10**12,)), ("<U99999999", (8,)), ("<i8", (0, 2**70)), ("<i8", (-(10**12),))],
    )
    def test_an_array_that_says_that_it_is_huge(self, tmp_path, descr, shape, version):
        with ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr("y_pred.npy", array("<i8", (4,)))
            archive.writestr("y_true.npy", array(descr, shape, version))
        assert message(tmp_path / "a.npz").startswith(f"y_true.npy: {TOO_LARGE}. Compare counts")

    def test_arrays_that_are_huge_together(self, tmp_path):
        with ZipFile(tmp_path / "a.npz", "w") as archive:
            for name in ("y_true.npy", "y_pred.npy"):
                archive.writestr(name, array("<i8", (150_000_000,)))
        assert message(tmp_path / "a.npz").startswith(f"y_pred.npy: {TOO_LARGE}")

    @pytest.fixture
    def limit(self, monkeypatch):
        monkeypatch.setattr(archives, "LARGEST", 100_000)

    @pytest.mark.parametrize(
        "content", [b"y_true,y_pred\n" + 100_000 * b"0,1\n", 200_000 * b"x", b"y_true,y_pred\n" + 200_000 * b"\n"]
    )
    def test_a_compressed_file_that_never_ends(self, tmp_path, content, limit):
        for name in ("a.csv.gz", "a.json.gz"):
            (tmp_path / name).write_bytes(gzip.compress(content))
            assert message(tmp_path / name).startswith("Larger than 100,000 bytes, once unpacked")

    def test_a_member_of_an_archive_that_never_ends(self, tmp_path, limit):
        with ZipFile(tmp_path / "a.npz", "w", ZIP_DEFLATED) as archive:
            archive.writestr("counts", bytes(200_000))
        assert message(tmp_path / "a.npz").startswith("counts: Larger than 100,000 bytes, once unpacked")

    def test_a_table_of_few_bytes_and_many_rows(self, tmp_path, limit):
        column = pa.DictionaryArray.from_arrays(pa.array([0] * 10_000, pa.int8()), pa.array(["a"]))
        parquet.write_table(pa.table({"y_true": column, "y_pred": column}), tmp_path / "a.parquet")
        assert (tmp_path / "a.parquet").stat().st_size < 10_000
        with pytest.raises(InputError, match="Larger than 100,000 bytes, once unpacked"):
            read_side(tmp_path / "a.parquet", "candidate")


@pytest.mark.parametrize("name", ["new.csv", "new.json", "new.jsonl", "new.npz", "new.parquet", "new.csv.gz"])
def test_a_pointer_of_git_lfs_is_named(tmp_path, name):
    path = tmp_path / name
    path.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 4\n")
    told = "Git LFS keeps this file, and has not fetched its content. Run git lfs pull; in GitHub Actions pass lfs"
    with pytest.raises(InputError, match=told):
        read_raw(path, AS_IT_IS)
