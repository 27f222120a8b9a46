"""Whatever a file may hold by mistake: the whole message that the user sees, after the side and the path."""

import gzip
import sys
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from pytest_bayesf1 import InputError
from pytest_bayesf1.data.labels import IF_CLASS
from pytest_bayesf1.data.predictions import WHAT_RUNS_ARE
from pytest_bayesf1.files.formats import FORMATS
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import name_them
from tests.unit.files.logged import reading

GZIPPED = gzip.compress(b"y_true,y_pred\nham,spam\n" * 99)
Y_PRED_ONLY = name_them(["y_pred"])
NEITHER = "y_true and y_pred are missing; the file has"
NO_LOG = f"No log of inspect_ai, lm-evaluation-harness or promptfoo, and {NEITHER}"
NO_VALUE = "expected a value for every example, got"
DROP = "Drop these rows."
OR_WRONG = "Unreadable answers count as wrong with invalid: wrong."
NO_ARRAYS = "Not a file of numpy.savez: it is damaged, or has another format"
NO_CONTENT = "The file is empty"
NO_DOCUMENT = "expected a list of records, a mapping of columns or a matrix of counts, got"

NO_COUNT = "Leave out what is no count; or write a row per example, with columns y_true and y_pred."
OF_GUESSES = "If 'truth' is the truth and 'guess' the prediction, pass columns: {y_true: 'truth', y_pred: 'guess'}."

CSV = {
    "y_true,y_pred\nham,ham\nspam\n": ": line 3: expected 2 cells, as in the first row, got 1",
    "5,1\n2,7,3\n": ": line 2: expected 2 cells, as in the first row, got 3",
    "y_true,y_pred\nham,spam\nham,\n": f": line 3, y_pred: {NO_VALUE} an empty cell. {OR_WRONG}",
    'id,y_true,y_pred\n1,"a\nb",a\n,a,a\n': f": line 4, id: {NO_VALUE} an empty cell",
    "y_true,y_pred\nham,spam\nnan,ham\n": f": line 3, y_true: {NO_VALUE} the word 'nan'. {IF_CLASS} {DROP}",
    "y_true,y_pred\nham,spam\n\nham,ham\n": ": line 3: A blank line between rows. Delete it.",
    "y_true,y_pred\n": ": y_true: expected at least one class label, got an empty sequence",
    "y_true,y_pred,x,x\na,b,1,1\n": ": header: expected each name once, got 'x' 2 times",
    "y_true,y_pred,y_pred \na,b,a\n": ": header: expected each name once, got 'y_pred' 2 times",
    "truth,y_pred\nham,spam\n": ": y_true is missing; the file has columns 'truth', 'y_pred'. "
    "If 'truth' is the truth and 'y_pred' the prediction, pass columns: {y_true: 'truth'}.",
    "truth,guess\nham,spam\n": f": {NEITHER} columns 'truth', 'guess'. {OF_GUESSES}",
    "truth\nham\n": f": {NEITHER} column 'truth'. {name_them(['truth'])}",
    "id,y_pred\n1,ham\n": f": y_true is missing; the file has columns 'id', 'y_pred'. {Y_PRED_ONLY}",
    "truth,guess\n": f": {NEITHER} columns 'truth', 'guess'. {OF_GUESSES}",
    'y_true,y_pred\nham,"spam\n': ": line 2: Not CSV: unexpected end of data",
    "id,y_true,y_pred\n7,ham,spam\n7,ham,ham\n": (f": ids: 1 duplicate id: '7'. {WHAT_RUNS_ARE}"),
    "y_true,y_pred\nham,ham\n": ": y_true and y_pred have only one class, 'ham'. Name all classes in labels.",
    "": f": {NO_CONTENT}",
    "\n\n": f": {NO_CONTENT}",
    "5,1\n2,x\n": f": line 2, column 2: expected a count, got 'x'. {NO_COUNT}",
    "5,1\n2,nan\n": ": line 2, column 2: expected a count, got NaN",
    "5,1\n2,\n": ": line 2, column 2: expected a count, got an empty cell",
    "5,1,2\n2,7,1\n": ": counts: expected a square matrix (M, M), got shape (2, 3)",
    ",a,b\na,1,2\nb,,4\n": ": line 3, column 'a': expected a count, got an empty cell",
    ",a,b\na,1,2\nb,x,4\n": f": line 3, column 'a': expected a count, got 'x'. {NO_COUNT}",
    ",a,\na,1,2\nb,3,4\n": ": header: expected a class label, got an empty cell",
    ",a,b\na,1,2\n,3,4\n": ": line 3, first column: expected a class label, got an empty cell",
    ",a,a\na,1,2\nb,3,4\n": ": header: expected each class once, got 'a' 2 times",
    ",a,b\na,1,2\na,3,4\n": ": first column: expected each class once, got 'a' 2 times",
    "ham,spam\n5,1\n": ": first column: None of the classes here ('5', ...) is in the header ('spam', ...). "
    f"Write the true class before each row of counts. {name_them()}",
    ",a,b,Total\na,1,2,4\nb,1,4,5\n": ": first column and header: 'Total' looks like totals, "
    "which would count every example twice. Leave out totals. "
    "If it is a class, pass the bare array of counts, and labels.",
    "y_pred,a,b\na,1,2\nb,3,4\n": ": axes: The rows are called 'y_pred', the columns ''. "
    "Rows must be the true classes, columns the predicted ones: transpose the table.",
    "1,2,3\n4,5,9\n5,7,12\n": ": last row and column: These are the sums of the others. Leave out totals. "
    "If this is a class, name all of them in labels.",
}
JSON = {
    '{\n "y_true": }': ": line 2, column 12: Not JSON: Expecting value",
    "  ": f": {NO_CONTENT}",
    "3": f": {NO_DOCUMENT} int",
    "[]": f": {NO_DOCUMENT} nothing",
    "[1, 2]": ": counts: expected a square matrix (M, M), got shape (2,)",
    "{}": f": {NO_LOG} no columns. {name_them()}",
    '[{"truth": "a"}]': f": {NO_LOG} column 'truth'. {name_them(['truth'])}",
    '{"y_true": [], "y_true": []}': ": expected each name once, got 'y_true' 2 times",
    '{"y_true": ["a", null], "y_pred": ["a", "b"]}': f": row 2, y_true: {NO_VALUE} a missing value. {DROP}",
    '{"y_true": [1, 2], "y_pred": [1, NaN]}': f": row 2, y_pred: {NO_VALUE} a missing value. {OR_WRONG}",
    '{"y_true": [["a"], []], "y_pred": [["a"], null]}': f": row 2, y_pred: {NO_VALUE} a missing value",
    '[{"y_true": "a", "y_pred": "b"}, {"y_true": "a"}]': f": row 2, y_pred: {NO_VALUE} a missing value. {OR_WRONG}",
    '[{"y_true": 1, "y_pred": 2, "id": 1}, {"y_true": 1, "y_pred": 1}]': f": row 2, id: {NO_VALUE} a missing value",
    '{"value": [1], "y_pred": [1]}': f": y_true is missing; the file has columns 'value', 'y_pred'. {Y_PRED_ONLY}",
    '[{"y_true": "a", "y_pred": "b"}, 3]': ": row 2: expected a record, as the others are, got int",
    '{"y_true": "a", "y_pred": ["a"]}': f": y_true: {NO_VALUE} str",
    '{"y_true": [], "y_pred": 0}': f": y_pred: {NO_VALUE} int",
    '{"y_true": ["a"], "y_pred": ["a"], "labels": [["a", ["b"]]]}': ": labels: expected a 1-D sequence of class "
    "labels, got nested sequences. Pass one class label per example, not scores; for any number of labels per "
    "example there is MultilabelCounts, for several runs of a system pass runs: samples or runs: seeds.",
    '{"y_true": ["a", "b"], "y_pred": ["a"]}': ": y_pred: expected 2 values, as in y_true, got 1",
    '{"y_true": ["a"], "y_pred": ["a"], "id": [1, 2]}': ": id: expected 1 value, as in y_true, got 2",
    '{"id": [0], "value": [null, null]}': ": id: expected 2 values, as in value, got 1",
    '{"id": 0, "value": [null, null]}': ": id: expected a value for every example, got int",
    "[[8.9e307, 0], [9e307, 0]]": ": counts[0, 0]: expected counts up to 2^53, got 8.9e+307",
    '{"y_true": ["a", 1], "y_pred": ["a", "a"]}': ": y_true: expected class labels of one type, "
    "got mixed or unsupported types (int, str). Write all as text, or all as whole numbers.",
    '{"y_true": [0, 1], "y_pred": [0.3, 1.0]}': ": y_pred: expected class labels, got 0.3 at position 0. "
    "Pass labels, not probabilities.",
    '{"counts": [[5, 1], [2, NaN]]}': ": counts[1, 1]: expected finite counts, got nan",
    '{"counts": [[5, 1], [2]]}': ": counts: expected a square matrix (M, M), or an array (L, 2, 2), "
    "of whole numbers, got rows of different lengths",
    '{"counts": [[5, 1], [2, 7]], "labels": ["a"]}': ": labels: expected 2 labels, one per row, got 1",
}
BYTES = {
    "a.csv": (b"y_true,y_pred\n\xe9,a\n", "Not UTF-8: the byte 0xe9. Save the file as UTF-8."),
    "a.json": (b'["\xff"]', "Not UTF-8: the byte 0xff. Save the file as UTF-8."),
    "a.csv.gz": (
        GZIPPED[:-20],
        "Not a whole gzip file: Compressed file ended before the end-of-stream marker was reached",
    ),
    "a.json.gz": (b"[[5, 1], [2, 7]]", "Not a whole gzip file: Not a gzipped file (b'[[')"),
    "b.csv.gz": (b"", NO_CONTENT),
    "a.npz": (b"nothing of the kind", NO_ARRAYS),
    "b.npz": (b"", NO_ARRAYS),
    "a.parquet": (b"", "Not Parquet: Parquet file size is 0 bytes"),
    "a.xlsx": (b"", f"expected a file that ends in {', '.join(FORMATS)}, text also with .gz after it, got 'a.xlsx'"),
}


def test_an_advice_names_columns_of_the_file_or_leaves_them_open():
    assert name_them(["true label", "answer text"]).endswith("Or pass the file's own names as columns.")
    assert name_them(["id", "y_true"]).endswith("Or pass the file's own names as columns.")


def message(path):
    with pytest.raises(InputError) as caught:
        read_side(path, "candidate").counts()
    start = f"candidate ({path})"
    told = str(caught.value)
    assert told.startswith(start)
    assert "\n" not in told.replace(str(path), "")
    return told.removeprefix(start)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param(name, text, expected, id=f"{name}: {text!r}")
        for name, cases in (("a.csv", CSV), ("a.json", JSON))
        for text, expected in cases.items()
    ],
)
def test_what_a_user_sees_of_a_text(tmp_path, name, text, expected):
    (tmp_path / name).write_text(text)
    assert message(tmp_path / name) == expected


@pytest.mark.parametrize("name", BYTES)
def test_what_a_user_sees_of_bytes(tmp_path, name):
    content, expected = BYTES[name]
    (tmp_path / name).write_bytes(content)
    assert message(tmp_path / name) == f": {expected}"


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 5_000], ids=["nested", "a long number"])
def test_json_beyond_what_python_reads(tmp_path, text):
    (tmp_path / "a.json").write_text(text)
    assert message(tmp_path / "a.json").startswith(": Not JSON: ")


@pytest.mark.parametrize("name", ["a.csv", "a", "a.xls"])
def test_a_file_that_is_not_there(tmp_path, name):
    assert message(tmp_path / name) == ": file not found. Check the path, or run the step that writes it."


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.json", "a.npz", "a.parquet", "a"])
def test_a_directory(tmp_path, name):
    (tmp_path / name).mkdir()
    assert message(tmp_path / name) == ": This is a directory. Name a file in it."


def test_a_file_that_the_system_does_not_open(tmp_path):
    path = tmp_path / f"{'a' * 300}.csv"
    assert message(path) == ": Cannot read the file: File name too long"


def test_objects_are_never_unpickled(tmp_path):
    np.savez(tmp_path / "a.npz", y_true=np.array(["a", None]), y_pred=["a", "b"])
    expected = "The array holds Python objects. Save it with .astype(str), or as numbers."
    assert message(tmp_path / "a.npz") == f": y_true: {expected}"


def test_an_array_is_no_archive(tmp_path):
    with (tmp_path / "a.npz").open("wb") as file:
        np.save(file, np.eye(2))
    assert message(tmp_path / "a.npz") == f": {NO_ARRAYS}"


def test_a_damaged_archive(tmp_path):
    np.savez(tmp_path / "a.npz", counts=np.eye(2))
    content = bytearray((tmp_path / "a.npz").read_bytes())
    content[170] ^= 255
    (tmp_path / "a.npz").write_bytes(content)
    assert message(tmp_path / "a.npz") == f": {NO_ARRAYS}"


@pytest.mark.parametrize(
    ("member", "content", "expected"),
    [
        ("y_true.npy", b"\x93NUMPY\x01\x00\x02\x00{\n", NO_ARRAYS),
        ("y_true.npy", b"\x93NUMPY\x01\x00\x03\x00{}\n", NO_ARRAYS),
        ("notes.txt", b"5,1", f"{NEITHER} column 'notes.txt'. {name_them()}"),
        (
            "counts",
            b"5,1",
            "counts: expected a square matrix (M, M), or an array (L, 2, 2), of whole numbers, got text",
        ),
    ],
    ids=["no header", "an empty header", "no array", "bytes"],
)
def test_an_archive_of_something_else(tmp_path, member, content, expected):
    with ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr(member, content)
    assert message(tmp_path / "a.npz") == f": {expected}"


def test_arrays_without_names(tmp_path):
    np.savez(tmp_path / "a.npz", np.eye(2))
    assert message(tmp_path / "a.npz") == f": {NEITHER} column 'arr_0'. {name_them()}"


def test_a_single_value_is_no_column(tmp_path):
    np.savez(tmp_path / "a.npz", y_true=3, y_pred=[1, 2])
    assert message(tmp_path / "a.npz") == f": y_true: {NO_VALUE} ndarray"


def test_a_null_in_parquet(tmp_path):
    pd.DataFrame({"y_true": ["a", "b"], "y_pred": ["a", None]}).to_parquet(tmp_path / "a.parquet")
    assert message(tmp_path / "a.parquet") == f": row 2, y_pred: {NO_VALUE} a missing value. {OR_WRONG}"


def test_parquet_without_predictions(tmp_path):
    pd.DataFrame({f"c{number}": [1] for number in range(25)}).to_parquet(tmp_path / "a.parquet")
    assert message(tmp_path / "a.parquet").endswith(f" 'c18', 'c19' and 5 more. {name_them()}")


def test_a_column_twice_in_parquet(tmp_path):
    table = pa.Table.from_arrays([pa.array(["a"])] * 3, names=["y_true", "y_pred", "y_pred"])
    parquet.write_table(table, tmp_path / "a.parquet")
    assert message(tmp_path / "a.parquet") == ": expected each name once, got 'y_pred' 2 times"


def test_text_in_parquet_that_is_none(tmp_path):
    ends, content = np.array([0, 1], dtype=np.int32), b"\xff"
    column = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(ends), pa.py_buffer(content)])
    parquet.write_table(pa.table({"y_true": column, "y_pred": column}), tmp_path / "a.parquet")
    assert message(tmp_path / "a.parquet").startswith(": Not Parquet: In column 0: ")


def test_parquet_needs_pyarrow(tmp_path, monkeypatch):
    pd.DataFrame({"y_true": ["a"], "y_pred": ["b"]}).to_parquet(tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    advice = "Install it: pip install pytest-bayesf1[parquet]"
    expected = f": Parquet needs pyarrow, which is missing here. {advice}"
    assert message(tmp_path / "a.parquet") == expected


ROWS = "".join(f"{number},{'ab'[number % 2]},a\n" for number in range(9))
EVENTS = (
    '{"spec": 1}\n{"type": "sampling", "data": {}}\n{"type": "match", "data": {"expected": "a", "picked": "b"}}\n'
    '{"type": "match", "data": {"expected": "b", "picked": "b"}}\n'
)
ADVICE = {
    ("a title", "a.csv"): (f"Results\nid,y_true,y_pred\n{ROWS}", "If the first line is a title, delete it."),
    ("a wide title", "a.csv"): (f"Results,,\nid,y_true,y_pred\n{ROWS}", "If the first line is a title, delete it"),
    ("two headers", "a.csv"): (f"id,labels,labels\nid,y_true,y_pred\n{ROWS}", "the first line must name each column"),
    ("bars", "a.csv"): (f"id|y_true|y_pred\n{ROWS.replace(',', '|')}", "columns by '|'. CSV files have commas"),
    ("commas", "a.tsv"): (f"id,y_true,y_pred\n{ROWS}", "columns by ','. CSV files have commas, and TSV files tabs."),
    ("rounded ids", "a.csv"): (
        "id,y_true,y_pred\n1.2E+17,a,a\n1.2E+17,b,a\n",
        "A spreadsheet has rounded these numbers",
    ),
    ("an object", "a.jsonl"): ('{"id": 1, "value": {"score": 1}}\n' * 3, "columns: {value: 'value.score'}."),
    ("sums", "a.json"): (
        '{"results": {"arc": {"acc,none": 0.5, "acc_stderr,none": 0.1}}, "git_hash": "x"}',
        "Run it with --log_samples, and name the files samples_*.jsonl.",
    ),
    ("no number", "a.jsonl"): ('{"id": 1, "value": "N/A"}\n{"id": 2, "value": 1}\n', OR_WRONG),
}


@pytest.mark.parametrize("what", ADVICE, ids=lambda what: what[0])
def test_the_advice_fits_the_cause(tmp_path, what):
    text, advice = ADVICE[what]
    (tmp_path / what[1]).write_text(text)
    assert advice in message(tmp_path / what[1])


def test_rows_of_one_kind_are_proposed_where_others_have_no_truth(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(EVENTS)
    columns = {"y_true": "data.expected", "y_pred": "data.picked"}
    with pytest.raises(
        InputError, match=r"line 1, line 2\. Choose the rows that have one, with rows: \{type: 'match'\}"
    ):
        read_side(path, "candidate", reading(columns))
    assert read_side(path, "candidate", reading(columns, {"type": "match"})).counts().n_samples == 2


def test_no_answer_has_no_value_when_asked(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(ADVICE["no number", "a.jsonl"][0])
    side = read_side(path, "candidate", reading(invalid="wrong")).counts()
    assert side.scores[:, 0].tolist() == [0, 1]
    assert side.notes == ("candidate: 1 value of 2 missing: counted as wrong, as 0.",)


def test_spaces_without_width_are_removed(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y_true,y_pred\na,\u200ba\nb,b\ufeff\n", "utf-8")
    side = read_side(path, "candidate").counts()
    assert side.labels == ("a", "b")
    assert side.notes == ("candidate: removed spaces at the ends of 2 labels.",)


def test_words_that_yaml_takes_for_truth_values_are_to_be_quoted(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("y_true,y_pred,lang\na,a,no\nb,b,da\n")
    with pytest.raises(InputError, match=r"Found 'da', 'no'\. YAML reads no, yes, on and off as truth values: put"):
        read_side(path, "candidate", reading(rows={"lang": "False"}))
