"""Slices of a table, and the classes that each has."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, compare
from pytest_bayesf1.errors import UNREADABLE

TABLE = {
    "y_true": ["ham", "ham", "spam", "spam", "eggs", "ham", "spam", "spam"],
    "y_pred": ["ham", "spam", "spam", "ham", "ham", "ham", "ham", "spam"],
    "new": ["ham", "ham", "spam", "spam", "eggs", "spam", "spam", "spam"],
    "month": [3, 1, 1, 1, 3, None, None, 3],
}


def test_each_slice_has_the_classes_that_occur_in_it():
    slices = ConfusionMatrix.from_frame(pl.DataFrame(TABLE), by="month")
    assert {month: matrix.labels for month, matrix in slices.items()} == {
        1: ("ham", "spam"),
        3: ("eggs", "ham", "spam"),
        None: ("ham", "spam"),
    }
    assert slices[1].counts.tolist() == [[0, 1], [1, 1]]
    assert slices[3].counts.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1]]


def test_slices_come_in_order_and_rows_without_a_value_last():
    assert list(ConfusionMatrix.from_frame(pl.DataFrame(TABLE), by="month")) == [1, 3, None]


def test_named_classes_are_those_of_every_slice():
    named = ["spam", "eggs", "ham"]
    slices = PairedCounts.from_frame(pl.DataFrame(TABLE), baseline="y_pred", candidate="new", by="month", labels=named)
    assert [pairs.labels for pairs in slices.values()] == [tuple(named)] * 3
    assert sum(pairs.n_samples for pairs in slices.values()) == 8


def test_slices_can_be_compared():
    pairs = PairedCounts.from_frame(pl.DataFrame(TABLE), baseline="y_pred", candidate="new", by="month")[1]
    assert compare(pairs, rope=0.1, n_draws=1_000).delta.mean() > 0


def test_a_slice_of_one_class_is_named():
    table = {"y_true": ["a", "a", "b"], "y_pred": ["a", "b", "b"], "part": ["x", "y", "z"]}
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_frame(pl.DataFrame(table), by="part")
    assert caught.value.where == "by"
    assert caught.value.found == "one class only in 'x', 'z'"
    named = ConfusionMatrix.from_frame(pl.DataFrame(table), by="part", labels=["a", "b"])
    assert named["x"].counts.tolist() == [[1, 0], [0, 0]]


def test_one_class_in_all_of_the_table():
    table = pl.DataFrame({"y_true": ["a", "a"], "y_pred": ["a", "a"]})
    with pytest.raises(InputError, match="y_true and y_pred: expected at least two classes"):
        ConfusionMatrix.from_frame(table)
    assert ConfusionMatrix.from_frame(table, labels=["a", "b"]).counts.tolist() == [[2, 0], [0, 0]]


def test_labels_that_the_caller_did_not_name():
    with pytest.raises(InputError, match="y_true: expected only values listed in labels, got 'eggs'"):
        ConfusionMatrix.from_frame(pl.DataFrame(TABLE), labels=["ham", "spam"])


ANSWERS = {
    "id": [1, 2, 3, 4, 5, 6],
    "y_true": [0, 1, 1, 0, 2, 2],
    "y_pred": [0, None, 1, 1, 2, 7],
    "part": ["x", "x", "x", "y", "y", "y"],
}


@pytest.mark.parametrize("engine", [pl.DataFrame, pd.DataFrame, pa.table])
def test_answers_that_could_not_be_read(engine):
    table = engine(ANSWERS)
    matrix = ConfusionMatrix.from_frame(table, invalid="wrong")
    assert matrix.labels == (0, 1, 2, UNREADABLE)
    assert matrix.counts.tolist() == [[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 0]]
    pairs = PairedCounts.from_frame(table, baseline="y_true", candidate="y_pred", invalid="wrong")
    assert pairs.candidate == matrix
    joined = PairedCounts.from_frames(engine({**ANSWERS, "y_pred": ANSWERS["y_true"]}), table, invalid="wrong")
    assert joined.candidate == matrix
    assert joined.baseline.counts.tolist() == [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]


def test_of_every_slice_they_are_the_last_class():
    """What the whole truth has can be read in every slice."""
    slices = ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), by="part", invalid="wrong")
    assert slices["x"].labels == (0, 1, UNREADABLE)
    assert slices["y"].labels == (0, 1, 2, UNREADABLE)
    assert slices["y"].counts.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]]


def test_text_answers_are_read_as_the_truth_is(tmp_path):
    (tmp_path / "a.csv").write_text("y_true,y_pred\n0,0\n1, 1.0\n1, \n0,n/a\n1,\n")
    matrix = ConfusionMatrix.from_frame(tmp_path / "a.csv", invalid="wrong")
    assert matrix.labels == (0, 1, UNREADABLE)
    assert matrix.counts.tolist() == [[1, 0, 1], [0, 1, 2], [0, 0, 0]]


@pytest.mark.parametrize("by", [None, "part"])
def test_missing_ones_are_errors_that_say_how_to_allow_them(by):
    with pytest.raises(InputError, match=r"rows: 1 without 'y_pred'.* invalid=\"wrong\"") as caught:
        ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), by=by)
    assert caught.value.where == "frame"
    with pytest.raises(InputError, match="rows: 1 without 'y_pred'"):
        ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), y_true="y_pred", y_pred="y_true", by=by, invalid="wrong")
    with pytest.raises(InputError, match=r'ids without y_pred in candidate: 1 \(2\).* invalid="wrong"'):
        PairedCounts.from_frames(pl.DataFrame({**ANSWERS, "y_pred": ANSWERS["y_true"]}), pl.DataFrame(ANSWERS))
