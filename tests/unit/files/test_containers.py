"""What is missing, whatever holds it."""

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
NOTHING = {"nothing": None, "no number": float("nan"), "empty": "", "spaces": "  "}


def of_file(name):
    return lambda folder, columns: read_side(write(folder, name, columns), "candidate", Schema("wrong")).counts()


def of_lines(folder, columns):
    rows = [json.dumps({"y_true": true, "y_pred": label}) for true, label in zip(*columns.values(), strict=True)]
    (folder / "a.jsonl").write_text("\n".join(rows))
    return read_side(folder / "a.jsonl", "candidate", Schema("wrong")).counts()


def of_frame(make):
    return lambda _, columns: ConfusionMatrix.from_frame(make(columns), invalid="wrong")


def of_arrays(make):
    return lambda _, columns: ConfusionMatrix.from_predictions(*map(make, columns.values()), invalid="wrong")


def without_nan(columns):
    """Return columns with null for NaN, which no column of text has in these libraries."""
    return {name: [None if str(each) == "nan" else each for each in values] for name, values in columns.items()}


FORMATS = {
    **{name: of_file(name) for name in ("a.csv", "a.json", "records.json", "a.parquet")},
    "a.jsonl": of_lines,
    "pandas": of_frame(pd.DataFrame),
    "polars": of_frame(lambda columns: pl.DataFrame(without_nan(columns))),
    "arrow": of_frame(lambda columns: pa.table(without_nan(columns))),
    "list": of_arrays(list),
    "array": of_arrays(lambda values: np.array(values, dtype=object)),
    "series": of_arrays(pd.Series),
}


@pytest.mark.parametrize("missing", NOTHING)
@pytest.mark.parametrize("name", FORMATS)
def test_a_prediction_that_is_missing_may_count_as_wrong(tmp_path, name, missing):
    counts = FORMATS[name](tmp_path, {"y_true": TRUTH, "y_pred": [*TRUTH[:2], NOTHING[missing], *TRUTH[3:]]})
    assert counts.labels == ("eggs", "ham", "spam", UNREADABLE)
    assert counts.counts.tolist()[1] == [0, 1, 0, 1]
