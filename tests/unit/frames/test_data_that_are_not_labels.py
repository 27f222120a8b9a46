"""Columns of scores, labels that differ in spelling, and columns of one name, in every engine and in files."""

import gzip

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from tests.unit.frames.engines import written_csv, written_parquet
from tests.unit.frames.test_group_by import same

RNG = np.random.default_rng(13)
TRUTH = [str(label) for label in RNG.integers(0, 2, 300)]
SCORES = [str(score) for score in RNG.random(300).round(3)]
NO_PROBABILITIES = "Pass labels, not probabilities."


def test_probabilities_in_text_are_refused(engine):
    table = {"id": list(range(300)), "y_true": TRUTH, "y_pred": TRUTH, "score": SCORES}
    with pytest.raises(InputError, match=f"y_pred: .*{NO_PROBABILITIES}"):
        ConfusionMatrix.from_frame(engine(table), y_pred="score")
    with pytest.raises(InputError, match=f"candidate: .*{NO_PROBABILITIES}"):
        PairedCounts.from_frame(engine(table), baseline="y_pred", candidate="score")
    with pytest.raises(InputError, match=f"candidate: .*{NO_PROBABILITIES}"):
        PairedCounts.from_frames(engine(table), engine({**table, "y_pred": SCORES}))


@pytest.mark.parametrize("written", [written_csv, written_parquet])
def test_probabilities_in_files_are_refused(tmp_path, written):
    path = tmp_path / f"a.{written.__name__.removeprefix('written_')}"
    with pytest.raises(InputError, match=NO_PROBABILITIES):
        ConfusionMatrix.from_frame(written({"y_true": TRUTH, "y_pred": SCORES}, path))


def test_examples_are_weighed_not_outcomes(engine):
    table = {"y_true": ["0", "1"] * 100, "y_pred": ["0.5"] * 150 + ["0", "1"] * 25}
    with pytest.raises(InputError, match=NO_PROBABILITIES):
        ConfusionMatrix.from_frame(engine(table))
    rare = {**table, "y_pred": ["0.5"] * 2 + ["0", "1"] * 99}
    assert ConfusionMatrix.from_frame(engine(rare)).labels == ("0", "0.5", "1")


def test_another_vocabulary_is_refused(engine):
    with pytest.raises(InputError, match="y_pred: expected some of the labels that y_true has"):
        ConfusionMatrix.from_frame(engine({"y_true": [1, 2], "y_pred": [3, 4]}))


def test_spellings_that_are_the_same_label(engine):
    table = {"y_true": ["caf\u00e9", "1", "2.0"], "y_pred": [" cafe\u0301", "1.0", "2 "]}
    matrix = ConfusionMatrix.from_frame(engine(table))
    same(matrix, ConfusionMatrix.from_predictions(*[["caf\u00e9", "1", "2"]] * 2))


def test_labels_that_the_caller_lists_are_read_alike(engine):
    table = {"y_true": ["3.0", "3.1"], "y_pred": ["3.1", "3.1"]}
    assert ConfusionMatrix.from_frame(engine(table), labels=["3.1", "3.0"]).labels == ("3.1", "3")


def test_truths_that_are_spelt_apart_are_the_same_in_a_join(engine):
    baseline = {"id": [1, 2, 3], "y_true": ["1", "0", "1"], "y_pred": ["1", "0", "0"]}
    candidate = {"id": [3, 2, 1], "y_true": ["1.0", " 0", "+1"], "y_pred": ["1.0", "0", "1"]}
    pairs = PairedCounts.from_frames(engine(baseline), engine(candidate))
    same(pairs, PairedCounts.from_predictions(["1", "0", "1"], ["1", "0", "0"], ["1", "0", "1"]))
    with pytest.raises(InputError, match=r"got ids with another y_true in candidate: 1 \(2\)"):
        PairedCounts.from_frames(engine(baseline), engine({**candidate, "y_true": ["1.0", "2", "+1"]}))


def test_spellings_that_a_person_has_to_look_at(engine):
    with pytest.raises(InputError, match=r"y_pred: .*got 'Ham' beside 'ham'"):
        ConfusionMatrix.from_frame(engine({"y_true": ["ham", "spam"], "y_pred": ["Ham", "spam"]}))


def test_cells_of_spaces_are_missing(tmp_path):
    (tmp_path / "a.csv").write_text("y_true,y_pred\na,b\nb,  \na, nan\n")
    with pytest.raises(InputError, match="got rows: 2 without 'y_pred'"):
        ConfusionMatrix.from_frame(tmp_path / "a.csv")


@pytest.mark.parametrize("header", ["y_true,y_pred,y_pred", '\ufeff"y_pred";y_true;"y_pred"'])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "*.csv"])
def test_a_header_with_a_name_twice(tmp_path, header, name):
    separator = ";" if ";" in header else ","
    content = "\n".join([header, *[separator.join("aba"), separator.join("bab")] * 3]).encode()
    path = tmp_path / name.replace("*", "b")
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    (tmp_path / "a.other").write_text("")
    with pytest.raises(InputError, match="frame: expected each column once, got 'y_pred' again in") as caught:
        ConfusionMatrix.from_frame(tmp_path / name)
    assert str(path) in caught.value.found


def test_parquet_with_a_name_twice(tmp_path):
    columns = [pa.array(["a", "b"])] * 3
    parquet.write_table(pa.Table.from_arrays(columns, names=["y_true", "y_pred", "y_pred"]), tmp_path / "a.parquet")
    with pytest.raises(InputError, match="frame: expected each column once, got 'y_pred' again"):
        ConfusionMatrix.from_frame(tmp_path / "a.parquet")
    names = ["y_true", "y_pred", "y_pred_1"]
    parquet.write_table(pa.Table.from_arrays(columns, names=names), tmp_path / "b.parquet")
    assert ConfusionMatrix.from_frame(tmp_path / "b.parquet").n_samples == 2


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([["a", "b", "a"]], columns=["y_true", "y_pred", "y_pred"]),
        pa.table([["a"], ["b"], ["a"]], names=["y_true", "y_pred", "y_pred"]),
        duckdb.sql("SELECT 'a' AS y_true, 'b' AS y_pred, 'a' AS y_pred"),
    ],
    ids=["pandas", "PyArrow", "DuckDB"],
)
def test_tables_with_a_name_twice(frame):
    with pytest.raises(InputError, match="frame: expected each column once, got 'y_pred' 2 times"):
        ConfusionMatrix.from_frame(frame)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_wide_text_is_named(tmp_path, encoding, name):
    content = "y_true,y_pred\na,b\nb,b\n".encode(encoding)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    with pytest.raises(InputError, match=r"frame: expected text in UTF-8, got UTF-16 in .*Save the file as UTF-8"):
        ConfusionMatrix.from_frame(tmp_path / name)


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
@pytest.mark.parametrize("header", ["y_true,y_pred", '"y_true","y_pred"'])
def test_a_byte_order_mark(tmp_path, header, name):
    content = f"\ufeff{header}\na,b\nb,b\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert ConfusionMatrix.from_frame(tmp_path / name).labels == ("a", "b")
