"""One table of any engine gives the counts that its columns give as lists."""

from datetime import date

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, compare
from pytest_bayesf1.data import frames as lazy_table


def same(counts, others):
    assert counts.labels == others.labels
    assert [type(label) for label in counts.labels] == [type(label) for label in others.labels]
    for found, expected in zip(
        *([c.table.true, c.table.predicted, c.table.count] for c in (counts, others)), strict=True
    ):
        assert found.tolist() == expected.tolist()


def of_language(columns, language):
    at = [row for row, value in enumerate(columns["language"]) if value == language]
    return {name: [values[row] for row in at] for name, values in columns.items()}


def pairs(frame, **options):
    return PairedCounts.from_frame(frame, y_true="truth", baseline="old", candidate="new", **options)


def test_both_sides(engine, columns):
    expected = PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"])
    same(pairs(engine(columns)), expected)
    chosen = ["spam", "none", "ham", "eggs"]
    assert pairs(engine(columns), labels=chosen).labels == tuple(chosen)


def test_one_side(engine, columns):
    matrix = ConfusionMatrix.from_frame(engine(columns), y_true="truth", y_pred="old")
    assert matrix == ConfusionMatrix.from_predictions(columns["truth"], columns["old"])
    assert (matrix.labels_from, matrix.predictions) == ("data", None)
    named = ConfusionMatrix.from_frame(engine(columns), y_true="truth", y_pred="old", labels=["spam", "ham", "eggs"])
    assert named.labels_from == "caller"


def test_slices(engine, columns):
    slices = pairs(engine(columns), by="language")
    matrices = ConfusionMatrix.from_frame(engine(columns), y_true="truth", y_pred="old", by="language")
    assert list(slices) == list(matrices) == ["en", "fi"]
    for language, counts in slices.items():
        own = of_language(columns, language)
        same(counts, PairedCounts.from_predictions(own["truth"], own["old"], own["new"]))
        assert matrices[language] == ConfusionMatrix.from_predictions(own["truth"], own["old"])


@pytest.mark.slow
def test_a_comparison_is_the_same_whatever_the_engine(engine, columns):
    expected = compare(PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"]), rope=0.01)
    result = compare(pairs(engine(columns)), rope=0.01)
    assert result.model == "paired"
    assert result.delta.tolist() == expected.delta.tolist()


@pytest.mark.parametrize(
    ("truth", "guess"),
    [
        ([True, False, True], [True, True, False]),
        ([3, -1, 10], [3, 10, 10]),
        (["b", "é", "10"], ["b", "10", "10"]),
        ([1.0, 2.0, 1.0], [2, 2, 1]),
    ],
    ids=["booleans", "integers", "strings", "whole floats"],
)
def test_labels_of_every_kind(engine, truth, guess):
    matrix = ConfusionMatrix.from_frame(engine({"y_true": truth, "y_pred": guess}))
    same(matrix, ConfusionMatrix.from_predictions(truth, guess))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"y_true": pd.Categorical([7, 9, 7]), "y_pred": [7, 9, 9]}),
        pd.DataFrame({"y_true": [7.0, 9.0, 7.0], "y_pred": pd.array([7, 9, 9], dtype="Int8")}),
        pa.table({"y_true": pa.array([7, 9, 7], pa.uint64()), "y_pred": pa.array([7, 9, 9]).dictionary_encode()}),
    ],
    ids=["categories", "floats and nullables", "unsigned and dictionaries"],
)
def test_integers_in_disguise(frame):
    same(ConfusionMatrix.from_frame(frame), ConfusionMatrix.from_predictions([7, 9, 7], [7, 9, 9]))


def test_strings_in_disguise():
    frame = pl.DataFrame({"y_true": ["b", "a", "b"], "y_pred": ["b", "b", "b"]})
    frame = frame.with_columns(pl.col("y_true").cast(pl.Categorical), pl.col("y_pred").cast(pl.Enum(["c", "b"])))
    same(ConfusionMatrix.from_frame(frame), ConfusionMatrix.from_predictions(["b", "a", "b"], ["b", "b", "b"]))


def test_one_column_may_serve_twice(engine, columns):
    used = {"y_true": "truth", "baseline": "truth", "candidate": "new", "by": "truth"}
    perfect = PairedCounts.from_frame(engine(columns), **used, labels=["eggs", "ham", "spam"])
    assert list(perfect) == ["eggs", "ham", "spam"]
    assert perfect["ham"].baseline.counts.tolist() == [[0, 0, 0], [0, columns["truth"].count("ham"), 0], [0, 0, 0]]


@pytest.mark.slow
def test_rows_without_a_label_are_counted(engine):
    table = {"truth": ["a", None, "b", "b"], "old": ["a", "a", None, None], "new": ["a", "b", None, "b"]}
    with pytest.raises(InputError) as caught:
        pairs(engine(table))
    assert caught.value.where == "frame"
    assert caught.value.found == "rows: 1 without 'truth', 2 without 'old', 1 without 'new'"


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_number_that_is_missing_is_no_label(engine, missing):
    with pytest.raises(InputError, match="got rows: 1 without 'y_true'"):
        ConfusionMatrix.from_frame(engine({"y_true": [1.0, 2.0, missing], "y_pred": [1, 2, 2]}))


def test_scores_are_no_labels(engine):
    with pytest.raises(InputError, match=r"got rows: 3 with a fraction in 'y_pred'.*scores"):
        ConfusionMatrix.from_frame(engine({"y_true": [1, 2, 1, 2], "y_pred": [0.3, 0.3, float("inf"), 1.0]}))


def test_dates_are_no_labels(engine):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_frame(engine({"y_true": [date(2026, 1, 1)] * 2, "y_pred": ["a", "b"]}))
    assert caught.value.where == "frame, column 'y_true'"
    assert caught.value.found in ("type Date", "type Object")


def test_a_column_of_python_objects_is_refused_for_true_would_equal_1():
    with pytest.raises(InputError, match="'y_true': expected strings, integers or booleans, got type Object"):
        ConfusionMatrix.from_frame(pd.DataFrame({"y_true": [True, 1, "a"], "y_pred": ["a", "b", "a"]}))


def test_a_column_that_is_not_there(engine):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_frame(engine({"y_true": ["a"], "guess": ["b"]}))
    assert (caught.value.expected, caught.value.found) == ("a column 'y_pred'", "columns 'y_true', 'guess'")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([["a", "b"]], columns=["y_true", "y_true"]),
        pa.table([["a"], ["b"]], names=["y_true", "y_true"]),
    ],
    ids=["pandas", "PyArrow"],
)
def test_columns_of_one_name(frame):
    with pytest.raises(InputError, match="frame: expected each column once, got 'y_true' 2 times"):
        ConfusionMatrix.from_frame(frame)


def test_an_empty_table(engine):
    empty = {name: pa.array([], pa.string()) for name in ("y_true", "y_pred")}
    frame = pa.table(empty).to_pandas() if engine is pd.DataFrame else engine(empty)
    with pytest.raises(InputError, match="frame: expected rows, got an empty table"):
        ConfusionMatrix.from_frame(frame)


def test_labels_of_different_kinds(engine):
    with pytest.raises(InputError, match="y_pred: expected integers, as in y_true, got strings"):
        ConfusionMatrix.from_frame(engine({"y_true": [1, 2], "y_pred": ["1", "2"]}))


@pytest.mark.parametrize("value", [None, [["a", "b"]], {"y_true": ["a"]}, pd.Series(["a"]), 3, b"a.csv"], ids=repr)
def test_what_is_no_table(value):
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_frame(value)
    assert (caught.value.where, caught.value.found) == ("frame", type(value).__name__)


def test_more_outcomes_than_labels_make(engine, monkeypatch):
    monkeypatch.setattr(lazy_table, "MOST_ROWS", 9)
    numbers = list(range(9))
    assert ConfusionMatrix.from_frame(engine({"y_true": numbers, "y_pred": numbers})).n_samples == 9
    with pytest.raises(InputError, match="at most 9 different outcomes"):
        ConfusionMatrix.from_frame(engine({"y_true": [*numbers, 9], "y_pred": [*numbers, 9]}))
