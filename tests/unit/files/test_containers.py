"""One rule for labels, whatever holds them: what is missing, what is the same label, and what is none."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.results.schema import UNREADABLE
from tests.unit.files.written import write

TRUTH = ["ham", "spam", "ham", "eggs", "spam"]
ROW = 2
NOTHING = {"nothing": None, "no number": float("nan"), "empty": "", "spaces": "  "}


def of_file(name):
    def read(folder, truth, said, invalid, labels):
        columns = {"y_true": truth, "y_pred": said} | ({} if labels is None else {"labels": labels})
        return read_side(write(folder, name, columns), "candidate", Schema(invalid=invalid)).counts()

    return read


def of_lines(folder, truth, said, invalid, _labels):
    rows = [json.dumps({"y_true": true, "y_pred": label}) for true, label in zip(truth, said, strict=True)]
    (folder / "a.jsonl").write_text("\n".join(rows))
    return read_side(folder / "a.jsonl", "candidate", Schema(invalid=invalid)).counts()


def of_frame(make):
    def read(_folder, truth, said, invalid, labels):
        return ConfusionMatrix.from_frame(make({"y_true": truth, "y_pred": said}), invalid=invalid, labels=labels)

    return read


def of_arrays(make):
    def read(_folder, truth, said, invalid, labels):
        return ConfusionMatrix.from_predictions(make(truth), make(said), invalid=invalid, labels=labels)

    return read


def without_nan(columns):
    """Return columns with null for NaN, which no column of text has in these libraries."""
    return {
        name: [None if str(each) == "nan" and each != "nan" else each for each in values]
        for name, values in columns.items()
    }


FORMATS = {
    **{name: of_file(name) for name in ("a.csv", "a.json", "records.json", "a.npz", "a.parquet")},
    "a.jsonl": of_lines,
    "pandas": of_frame(pd.DataFrame),
    "polars": of_frame(lambda columns: pl.DataFrame(without_nan(columns))),
    "arrow": of_frame(lambda columns: pa.table(without_nan(columns))),
    "list": of_arrays(list),
    "array": of_arrays(lambda values: np.array(values, dtype=object)),
    "series": of_arrays(pd.Series),
}
NAMES_CLASSES = ["a.json", "a.npz", "pandas", "polars", "arrow", "list", "array", "series"]


def beside(values, label):
    return [*values[:ROW], label, *values[ROW + 1 :]]


@pytest.mark.parametrize("missing", NOTHING)
@pytest.mark.parametrize("name", [name for name in FORMATS if "npz" not in name])
def test_a_prediction_that_is_missing_may_count_as_wrong(tmp_path, name, missing):
    counts = FORMATS[name](tmp_path, TRUTH, beside(TRUTH, NOTHING.get(missing, missing)), "wrong", None)
    assert counts.labels == ("eggs", "ham", "spam", UNREADABLE)
    assert counts.counts.tolist()[1] == [0, 1, 0, 1]


@pytest.mark.parametrize("invalid", ["error", "wrong"])
@pytest.mark.parametrize("word", ["None", "NA"])
@pytest.mark.parametrize("name", NAMES_CLASSES)
def test_a_class_that_is_listed_may_be_called_so(tmp_path, name, word, invalid):
    classes = ["eggs", "ham", "spam", word]
    counts = FORMATS[name](tmp_path, beside(TRUTH, word), beside(TRUTH, word), invalid, classes)
    assert counts.labels[:4] == tuple(classes)
    assert counts.counts.trace() == counts.n_samples == len(TRUTH)


@pytest.mark.parametrize("label", ["none", "Nan"])
@pytest.mark.parametrize("name", FORMATS)
def test_other_words_are_classes(tmp_path, name, label):
    assert label in FORMATS[name](tmp_path, beside(TRUTH, label), beside(TRUTH, label), "error", None).labels
