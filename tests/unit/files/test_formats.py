"""What every format may hold, and how it is told."""

import json

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, MultilabelCounts
from pytest_bayesf1.files.side import read_side
from tests.unit.files.written import write, write_csv

Y_TRUE, Y_PRED = ["ham", "ham", "spam", "eggs"], ["ham", "spam", "spam", "ham"]
COUNTS, LABEL_COUNTS = [[5, 1], [2, 7]], [[[5, 1], [2, 2]], [[4, 2], [1, 3]]]
SETS = {"y_true": [["war", "art"], ["art"], []], "y_pred": [["war"], ["art"], ["war"]]}
INDICATORS = {"y_true": [[1, 1], [1, 0], [0, 0]], "y_pred": [[0, 1], [1, 0], [0, 1]]}


def read_counts(path):
    return read_side(path, "baseline").counts()


def read_text(folder, name, text, encoding="utf-8"):
    (folder / name).write_bytes(text.encode(encoding))
    return read_counts(folder / name)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"], ids=["comma", "semicolon", "tab"])
def test_the_header_tells_the_separator(tmp_path, delimiter):
    columns = {"a,b;c\td": ["1", "2,3", "4;5", "6\t7"], "y_true": Y_TRUE, "y_pred": Y_PRED}
    write_csv(tmp_path / "a.csv", columns, delimiter)
    assert read_counts(tmp_path / "a.csv") == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_ends_of_lines_and_a_byte_order_mark_do_not_matter(tmp_path, end, encoding):
    text = end.join(["y_true,y_pred", "ham,ham", "späm,ham", "", ""])
    matrix = read_text(tmp_path, "a.csv", text, encoding)
    assert matrix == ConfusionMatrix.from_predictions(["ham", "späm"], ["ham", "ham"])


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
def test_a_byte_order_mark_is_no_part_of_a_document(tmp_path, name):
    assert read_text(tmp_path, name, json.dumps(COUNTS), "utf-8-sig") == ConfusionMatrix(COUNTS)


@pytest.mark.parametrize("name", ["A.CSV", "a.Csv", "b.CSV"])
def test_capitals_in_a_suffix_do_not_matter(tmp_path, name):
    assert read_text(tmp_path, name, "5,1\n2,7\n") == ConfusionMatrix(COUNTS)


@pytest.mark.parametrize("text", ["5,1\n2,7\n", "5.0;1.0\n2.0;7.0", "5e0\t1\n2\t7\n\n"])
def test_numbers_alone_are_counts_by_position(tmp_path, text):
    matrix = read_text(tmp_path, "a.csv", text)
    assert matrix == ConfusionMatrix(COUNTS)
    assert matrix.labels_from == "position"


@pytest.mark.parametrize("corner", ["", "truth", "y", '"a\nb"'])
def test_a_matrix_with_labels(tmp_path, corner):
    matrix = read_text(tmp_path, "a.csv", f"{corner},spam,ham\nspam,7,2\nham,1,5\n")
    assert matrix == ConfusionMatrix([[7, 2], [1, 5]], labels=["spam", "ham"])
    assert matrix.labels_from == "caller"


@pytest.mark.parametrize("swap", [False, True], ids=["never predicted", "never true"])
def test_a_crosstab_of_pandas(tmp_path, swap):
    columns = [pd.Series(Y_TRUE), pd.Series(Y_PRED)]
    table = pd.crosstab(*(reversed(columns) if swap else columns))
    table.to_csv(tmp_path / "a.csv")
    assert read_counts(tmp_path / "a.csv") == ConfusionMatrix(table)


def test_a_crosstab_of_integers_is_in_the_order_of_the_numbers(tmp_path):
    matrix = read_text(tmp_path, "a.csv", "row_0,10,9\n9,1,5\n10,6,0\n8,1,1\n")
    assert matrix == ConfusionMatrix([[0, 1, 1], [0, 5, 1], [0, 0, 6]], labels=[8, 9, 10])


def test_a_crosstab_with_one_label_of_text_has_text_alone(tmp_path):
    assert read_text(tmp_path, "a.csv", "truth,1,2,none\n1,5,1,1\n2,0,3,0\n").labels == ("1", "2", "none")


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.npz"])
@pytest.mark.parametrize("kind", [ConfusionMatrix, MultilabelCounts])
def test_counts_with_labels(tmp_path, name, kind):
    counts = COUNTS if kind is ConfusionMatrix else LABEL_COUNTS
    path = write(tmp_path, name, {"counts": counts, "labels": ["spam", "ham"]})
    assert read_counts(path) == kind(counts, labels=["spam", "ham"])


@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.yml"])
@pytest.mark.parametrize(
    ("counts", "kind"), [(COUNTS, ConfusionMatrix), (LABEL_COUNTS, MultilabelCounts)], ids=["classes", "labels"]
)
def test_counts_without_labels(tmp_path, name, counts, kind):
    for document in (counts, {"counts": counts}):
        matrix = read_counts(write(tmp_path, name, document))
        assert matrix == kind(counts)
        assert matrix.labels_from == "position"


@pytest.mark.parametrize("name", ["a.json", "records.json", "a.yaml", "a.parquet"])
def test_lists_of_labels(tmp_path, name):
    expected = MultilabelCounts.from_predictions(*(list(map(set, column)) for column in SETS.values()))
    assert read_counts(write(tmp_path, name, SETS)) == expected


@pytest.mark.parametrize("name", ["a.json", "records.json", "a.yaml", "a.npz"])
def test_indicators(tmp_path, name):
    counts = read_counts(write(tmp_path, name, INDICATORS))
    assert counts == MultilabelCounts.from_predictions(**INDICATORS)
    assert counts.labels_from == "position"


@pytest.mark.parametrize("name", ["a.json", "a.yaml", "a.npz"])
def test_labels_beside_predictions(tmp_path, name):
    columns = {"y_true": Y_TRUE, "y_pred": Y_PRED}
    labels = ["spam", "never", "ham", "eggs"]
    matrix = read_counts(write(tmp_path, name, {**columns, "labels": labels}))
    assert matrix == ConfusionMatrix.from_predictions(**columns, labels=labels)
    assert matrix.labels_from == "caller"
    named = read_counts(write(tmp_path, name, {**INDICATORS, "labels": ["art", "war"]}))
    assert named == MultilabelCounts.from_predictions(**INDICATORS, labels=["art", "war"])


@pytest.mark.parametrize("name", ["records.json", "a.csv", "a.parquet"])
def test_where_rows_are_records_labels_are_a_column_like_others(tmp_path, name):
    columns = {"y_true": Y_TRUE, "y_pred": Y_PRED, "labels": list("wxyz")}
    side = read_side(write(tmp_path, name, columns), "baseline")
    assert side.counts() == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)


def test_sets_of_yaml(tmp_path):
    text = "y_true: [!!set {art, war}, !!set {art}, !!set {}]\ny_pred: [!!set {war}, !!set {art}, !!set {war}]\n"
    assert read_text(tmp_path, "a.yaml", text).labels == ("art", "war")


def test_categories_and_whole_floats_of_a_data_frame(tmp_path):
    frame = pd.DataFrame({"y_true": pd.Categorical(Y_TRUE), "y_pred": pd.Categorical(Y_PRED), "id": [1.0, 2, 3, 4]})
    frame.to_parquet(tmp_path / "a.parquet")
    matrix = read_counts(tmp_path / "a.parquet")
    assert matrix == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
    np.testing.assert_array_equal(matrix.predictions.ids, [1, 2, 3, 4])


def test_a_folder_s_name_is_no_column_of_parquet(tmp_path):
    (tmp_path / "y_true=7").mkdir()
    path = write(tmp_path / "y_true=7", "a.parquet", {"y_true": Y_TRUE, "y_pred": Y_PRED})
    assert read_counts(path) == ConfusionMatrix.from_predictions(Y_TRUE, Y_PRED)
