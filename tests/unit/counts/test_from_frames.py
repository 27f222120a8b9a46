"""Slices of a table, and the classes that each has."""

import polars as pl
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, compare

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
