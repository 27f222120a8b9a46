from datetime import date
from typing import Any

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.data import frames
from pytest_bayesf1.results.schema import UNREADABLE
from tests.property.test_data import contents
from tests.unit.data.table_engines import EAGER, LAZY

ANSWERS = {
    "id": [1, 2, 3, 4, 5, 6],
    "y_true": [0, 1, 1, 0, 2, 2],
    "y_pred": [0, None, 1, 1, 2, 7],
    "part": ["x", "x", "x", "y", "y", "y"],
}


class TestFromFrames:
    def test_every_slice_has_the_classes_of_the_whole(self):
        slices = ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), by="part", invalid="wrong")
        assert slices["x"].labels == (0, 1, 2, UNREADABLE)
        assert slices["y"].labels == (0, 1, 2, UNREADABLE)
        assert slices["y"].counts.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]]

    @pytest.mark.parametrize("by", [None, "part"])
    def test_missing_ones_are_no_class_and_no_truth(self, engine, by):
        found = ConfusionMatrix.from_frame(engine(ANSWERS), by=by)
        matrix = found if by is None else found["y"]
        assert UNREADABLE in matrix.labels
        assert UNREADABLE not in matrix.vocabulary
        with pytest.raises(InputError, match="frame, y_true: 1 of 6 is no class label"):
            ConfusionMatrix.from_frame(engine(ANSWERS), y_true="y_pred", y_pred="y_true", by=by)


def same(counts, others):
    assert [*map(repr, counts.labels)] == [*map(repr, others.labels)]
    assert counts.table.is_equal(others.table)


def pairs(frame, **options):
    return PairedCounts.from_frame(frame, y_true="truth", baseline="old", candidate="new", **options)


REFUSED = {
    "no number": ({"y_true": [1.0, 2.0, None], "y_pred": [1, 2, 2]}, "y_true: 1 of 3 is no class label"),
    "scores": ({"y_true": [1, 1, 1, 2], "y_pred": [0.3, 0.3, float("inf"), 1.0]}, "y_pred: 3 of 4 are no class label"),
    "dates": ({"y_true": [date(2026, 1, 1)] * 2, "y_pred": ["a", "b"]}, "column 'y_true': .* got type (Date|Object)"),
    "no column": ({"y_true": ["a"], "guess": ["b"]}, r"No column 'y_pred'\. Found columns 'y_true', 'guess'"),
    "one class": ({"y_true": ["a", "a"], "y_pred": ["a", "a"]}, "has only one class, 'a'"),
}


class TestGroupBy:
    def test_both_sides(self, engine):
        same(pairs(engine(TABLE)), PairedCounts.from_predictions(TABLE["truth"], TABLE["old"], TABLE["new"]))
        chosen = ["class 2", "none", "class 0", "class 1"]
        assert pairs(engine(TABLE), labels=chosen).labels == tuple(chosen)

    def test_one_side(self, engine):
        matrix = ConfusionMatrix.from_frame(engine(TABLE), y_true="truth", y_pred="old")
        assert matrix == ConfusionMatrix.from_predictions(TABLE["truth"], TABLE["old"])
        assert (matrix.labels_from, matrix.questions) == ("data", None)
        own = ConfusionMatrix.from_frame(engine(TABLE), y_true="truth", y_pred="old", labels=CHOSEN)
        assert own.labels_from == "caller"

    @pytest.mark.parametrize(
        ("truth", "guess"),
        [
            ([True, False, True], [True, True, False]),
            ([3, -7, 10], [3, 10, 10]),
            (["b", "é", "10"], ["b", "10", "10"]),
            ([1.0, 2.0, 1.0], [2, 2, 1]),
        ],
        ids=["booleans", "integers", "strings", "whole floats"],
    )
    def test_labels_of_every_kind(self, engine, truth, guess):
        matrix = ConfusionMatrix.from_frame(engine({"y_true": truth, "y_pred": guess}))
        same(matrix, ConfusionMatrix.from_predictions(truth, guess))

    def test_labels_in_disguise(self):
        expected = ConfusionMatrix.from_predictions([7, 9, 7], [7, 9, 9])
        numbers = {"y_true": [7.0, 9.0, 7.0], "y_pred": pd.array([7, 9, 9], dtype="Int8")}
        same(ConfusionMatrix.from_frame(pd.DataFrame(numbers)), expected)
        packed = {"y_true": pa.array([7, 9, 7], pa.uint64()), "y_pred": pa.array([7, 9, 9]).dictionary_encode()}
        same(ConfusionMatrix.from_frame(pa.table(packed)), expected)
        text = pl.DataFrame({"y_true": ["b", "a", "b"], "y_pred": ["b", "b", "b"]})
        text = text.cast({"y_true": pl.Categorical, "y_pred": pl.Enum(["c", "b"])})
        same(ConfusionMatrix.from_frame(text), ConfusionMatrix.from_predictions(["b", "a", "b"], ["b", "b", "b"]))
        with pytest.raises(InputError, match=r"'y_true': .* got type Object"):  # of which True would equal 1
            ConfusionMatrix.from_frame(pd.DataFrame({"y_true": [True, 1, "a"], "y_pred": ["a", "b", "a"]}))

    def test_one_column_may_serve_twice(self, engine):
        used = {"y_true": "truth", "baseline": "truth", "candidate": "new", "by": "truth"}
        perfect = PairedCounts.from_frame(engine(TABLE), **used, labels=CHOSEN)
        assert list(perfect) == ["class 0", "class 1", "class 2"]
        n = TABLE["truth"].count("class 0")
        assert perfect["class 0"].baseline.counts.tolist() == [[0, 0, 0], [0, n, 0], [0, 0, 0]]

    @pytest.mark.parametrize(("columns", "message"), REFUSED.values(), ids=REFUSED)
    def test_what_is_refused(self, engine, columns, message):
        with pytest.raises(InputError, match=message):
            ConfusionMatrix.from_frame(engine(columns))

    def test_an_empty_table(self, engine):
        empty = {name: pa.array([], pa.string()) for name in ("y_true", "y_pred")}
        frame = pa.table(empty).to_pandas() if engine is pd.DataFrame else engine(empty)
        with pytest.raises(InputError, match="frame: The table has no rows"):
            ConfusionMatrix.from_frame(frame)
        with pytest.raises(InputError, match=r"No column 'y_true'\. It has no columns"):
            ConfusionMatrix.from_frame(pl.DataFrame())

    @pytest.mark.parametrize("value", [None, {"y_true": ["a"]}, pd.Series(["a"]), "a.csv"], ids=repr)
    def test_what_is_no_table(self, value):
        with pytest.raises(InputError, match=rf"^frame: expected a data frame .* got {type(value).__name__}$"):
            ConfusionMatrix.from_frame(value)

    def test_more_outcomes_than_labels_make(self, engine, monkeypatch):
        monkeypatch.setattr(frames, "MOST_ROWS", 9)
        numbers = list(range(9))
        assert ConfusionMatrix.from_frame(engine({"y_true": numbers, "y_pred": numbers})).n_samples == 9
        with pytest.raises(InputError, match="more than 9 different outcomes"):
            ConfusionMatrix.from_frame(engine({"y_true": [*numbers, 9], "y_pred": [*numbers, 9]}))


@pytest.mark.parametrize(
    "frame",
    [
        lambda: pd.DataFrame([["a", "b", "a"]], columns=["y_true", "y_pred", "y_pred"]),
        lambda: pa.table([["a"], ["b"], ["a"]], names=["y_true", "y_pred", "y_pred"]),
        lambda: duckdb.sql("SELECT 'a' AS y_true, 'b' AS y_pred, 'a' AS y_pred"),
    ],
    ids=["pandas", "PyArrow", "DuckDB"],
)
def test_a_table_with_a_name_twice_is_refused(frame):
    with pytest.raises(InputError, match="frame: expected each column once, got 'y_pred' 2 times"):
        ConfusionMatrix.from_frame(frame())


@pytest.mark.parametrize("engine", LAZY.values(), ids=LAZY)
def test_a_lazy_table_gives_a_row_an_outcome_and_no_more(engine, monkeypatch):
    n, heights, collect = 5_000, [], nw.LazyFrame.collect

    def watched(*arguments, **options):
        result = collect(*arguments, **options)
        heights.append(len(result))
        return result

    monkeypatch.setattr(nw.LazyFrame, "collect", watched)
    labels = np.random.default_rng(1).integers(0, 4, (3, n)).tolist()
    table = dict(zip(("y_true", "y_pred", "new"), labels, strict=True))
    assert PairedCounts.from_frame(engine(table), baseline="y_pred", candidate="new").n_samples == n
    assert heights == [4**3]


RNG = np.random.default_rng(3)
N = 240
CLUSTER = np.sort(RNG.integers(0, 90, N))
OF_CLUSTER = CLUSTER % 3
OLD, NEW = (np.where(RNG.random(N) < right, OF_CLUSTER, RNG.integers(0, 3, N)) for right in (0.9, 0.8))
TABLE: dict[str, list[Any]] = {
    "id": list(range(N)),
    "truth": [f"class {code}" for code in OF_CLUSTER],
    "old": [f"class {code}" for code in OLD],
    "new": [f"class {code}" for code in NEW],
    "doc": [f"d{cluster}" for cluster in CLUSTER],
    "part": [None if cluster % 2 else "even" for cluster in CLUSTER],
}
CHOSEN = ["class 2", "class 0", "class 1"]
BOTH = {"y_true": "truth", "baseline": "old", "candidate": "new", "clusters": "doc"}


def expected(rows=slice(None)):
    columns = (np.array(TABLE[name])[rows] for name in ("truth", "old", "new"))
    return PairedCounts.from_predictions(*columns, clusters=CLUSTER[rows])


def assert_same(found, other):
    assert found.table.is_equal(other.table)
    assert contents(found.table) == contents(other.table)


@pytest.fixture(params=EAGER)
def eager(request):
    return EAGER[request.param]


class TestClusters:
    def test_one_table(self, eager):
        found = PairedCounts.from_frame(eager(TABLE), **BOTH)
        assert_same(found, expected())
        assert found.table.clusters.noun == "clusters"
        one = ConfusionMatrix.from_frame(eager(TABLE), y_true="truth", y_pred="old", clusters="doc")
        assert_same(one, expected().baseline)

    def test_slices_have_their_own_units(self, eager):
        found = PairedCounts.from_frame(eager(TABLE), **BOTH, by="part")
        assert list(found) == ["even", None]
        for value, odd in (("even", 0), (None, 1)):
            assert_same(found[value], expected(odd == CLUSTER % 2))

    def test_rows_without_a_unit(self, eager):
        table = TABLE | {"doc": [None, None, *TABLE["doc"][2:]]}
        with pytest.raises(InputError, match="frame: 2 rows without a cluster in 'doc'"):
            PairedCounts.from_frame(eager(table), **BOTH)

    @pytest.mark.parametrize("name", LAZY)
    def test_lazy_tables_have_none(self, name):
        with pytest.raises(InputError, match=r"^clusters: A lazy table is counted where it is.* Collect the columns"):
            PairedCounts.from_frame(LAZY[name](TABLE), **BOTH)


def test_one_column_is_not_truth_and_prediction():
    """By it every example would be right."""
    frame = pd.DataFrame({"y_true": ["a", "b"], "old": ["a", "a"]})
    with pytest.raises(InputError, match=r"would be both y_true and y_pred\. Name another column for y_pred"):
        ConfusionMatrix.from_frame(frame, y_pred="y_true")


def test_one_column_is_not_both_sides():
    frame = pd.DataFrame({"y_true": ["a", "b"], "old": ["a", "a"]})
    with pytest.raises(InputError, match="'old' would be both baseline and candidate"):
        PairedCounts.from_frame(frame, baseline="old", candidate="old")
