"""Two tables that are joined on their ids, in every engine."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import InputError, PairedCounts
from tests.unit.frames.test_group_by import same

NAMES = {"on": "key", "y_true": "truth", "y_pred": "guess"}


def sides(columns, ids=lambda number: number):
    """Split the columns into two tables, the second in another order."""
    keys = [ids(number) for number in columns["id"]]
    baseline = {"key": keys, "truth": columns["truth"], "guess": columns["old"], "language": columns["language"]}
    candidate = {"guess": columns["new"], "key": keys, "truth": columns["truth"]}
    return baseline, {name: values[::-1] for name, values in candidate.items()}


@pytest.mark.parametrize("ids", [int, "id {:03}".format], ids=["integers", "strings"])
def test_the_order_of_rows_does_not_matter(engine, columns, ids):
    baseline, candidate = sides(columns, ids)
    expected = PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"])
    same(PairedCounts.from_frames(engine(baseline), engine(candidate), **NAMES), expected)


def test_slices_are_the_baselines(engine, columns):
    baseline, candidate = sides(columns)
    slices = PairedCounts.from_frames(engine(baseline), engine(candidate), by="language", **NAMES)
    expected = PairedCounts.from_frame(engine(columns), y_true="truth", baseline="old", candidate="new", by="language")
    assert list(slices) == list(expected) == ["en", "fi"]
    for language, counts in slices.items():
        same(counts, expected[language])


def test_all_that_is_wrong_is_counted_at_once(engine):
    baseline = {
        "id": [*range(20), 3, 3, 4, None, None],
        "y_true": ["a", "b"] * 10 + ["a"] * 5,
        "y_pred": ["a", "b", None, *["a"] * 22],
    }
    candidate = {
        "id": [*range(5), *range(12, 24), 22, None],
        "y_true": ["a", "b", "a", "b", "a", *["a", "b"] * 6, "a", "a"],
        "y_pred": ["b"] * 19,
    }
    candidate["y_true"][0], candidate["y_true"][1], candidate["y_pred"][7] = "b", None, None
    with pytest.raises(InputError) as caught:
        PairedCounts.from_frames(engine(baseline), engine(candidate))
    assert caught.value.where == "baseline and candidate"
    assert caught.value.found == (
        "rows without id in baseline: 2, rows without id in candidate: 1, repeated ids in baseline: 2 (3, 4), "
        "repeated ids in candidate: 1 (22), ids only in baseline: 7 (5, 6, 7, 8, 9, ...), "
        "ids only in candidate: 3 (20, 21, 23), ids without y_true in candidate: 1 (1), "
        "ids without y_pred in baseline: 1 (2), ids without y_pred in candidate: 1 (14), "
        "ids with another y_true in candidate: 1 (0)"
    )


def test_ids_that_repeat_often_do_not_multiply(engine):
    many = {"id": [1] * 20_000, "y_true": ["a"] * 20_000, "y_pred": ["b"] * 20_000}
    with pytest.raises(InputError, match=r"got repeated ids in baseline: 1 \(1\)\. "):
        PairedCounts.from_frames(engine(many), engine(many))


def test_booleans(engine):
    baseline = {"id": [1, 2, 3], "y_true": [True, False, True], "y_pred": [True, True, False]}
    pairs = PairedCounts.from_frames(engine(baseline), engine(baseline))
    same(pairs, PairedCounts.from_predictions(baseline["y_true"], baseline["y_pred"], baseline["y_pred"]))


def test_numbers_of_different_width(engine):
    narrow = {"id": pa.array([1, 2, 3], pa.int8()), "y_true": pa.array([5, 6, 5], pa.uint16())}
    baseline = {**(pa.table(narrow).to_pandas() if engine is pd.DataFrame else narrow), "y_pred": [5, 5, 6]}
    candidate = {"id": [3.0, 2.0, 1.0], "y_true": [5, 6, 5], "y_pred": [5, 6, 6]}
    pairs = PairedCounts.from_frames(engine(baseline), engine(candidate))
    same(pairs, PairedCounts.from_predictions([5, 6, 5], [5, 5, 6], [6, 6, 5]))


@pytest.mark.parametrize(("name", "value"), [("id", "1"), ("y_true", "7"), ("y_pred", True)])
def test_columns_of_different_kinds(engine, name, value):
    baseline = {"id": [1, 2], "y_true": [7, 8], "y_pred": [7, 7]}
    with pytest.raises(InputError) as caught:
        PairedCounts.from_frames(engine(baseline), engine({**baseline, name: [value, value]}))
    assert caught.value.where == f"candidate, column {name!r}"
    assert caught.value.expected == "numbers, as in baseline"


def test_categories_stand_for_their_values():
    baseline = pd.DataFrame({"id": [1, 2, 3], "y_true": pd.Categorical([4, 5, 4]), "y_pred": pd.Categorical([5, 5, 4])})
    candidate = pd.DataFrame({"id": [1, 2, 3], "y_true": pd.Categorical([4, 5, 4], [5, 6, 4]), "y_pred": [4, 4, 6]})
    same(PairedCounts.from_frames(baseline, candidate), PairedCounts.from_predictions([4, 5, 4], [5, 5, 4], [4, 4, 6]))
    coded = pl.DataFrame({"id": ["x", "y"], "y_true": ["a", "b"], "y_pred": ["a", "b"], "by": ["k", "k"]})
    coded = coded.cast({"id": pl.Categorical, "y_true": pl.Enum(["b", "a"]), "by": pl.Categorical})
    pairs = PairedCounts.from_frames(coded, coded.lazy(), by="by")
    same(pairs["k"], PairedCounts.from_predictions(["a", "b"], ["a", "b"], ["a", "b"]))


def test_tables_of_different_engines():
    table = pl.DataFrame({"id": [1, 2], "y_true": ["a", "b"], "y_pred": ["a", "b"]})
    with pytest.raises(InputError, match="candidate: expected a table of polars, as baseline is, got one of pandas"):
        PairedCounts.from_frames(table, table.to_pandas())


def test_the_table_that_lacks_a_column_is_named():
    table = pl.DataFrame({"id": [1, 2], "y_true": ["a", "b"], "y_pred": ["a", "b"]})
    with pytest.raises(InputError, match=r"candidate: expected a column 'y_pred', got columns 'id', 'y_true'"):
        PairedCounts.from_frames(table, table.drop("y_pred"))
