"""Tables of any engine are counted like lists; two of them as one."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.data.labels import tidy
from tests.property.strategies import examples

ENGINES = {
    "pandas": pd.DataFrame,
    "lazy Polars": pl.LazyFrame,
    "DuckDB": lambda columns: duckdb.from_arrow(pa.table(columns)),
}
every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


def cells(pairs):
    return pairs.labels, pairs.table.true.tolist(), pairs.table.predicted.tolist(), pairs.table.count.tolist()


def as_read(drawn):
    return [[tidy(label) if isinstance(label, str) else label for label in column] for column in drawn.columns]


@pytest.mark.slow
@every_engine
@given(drawn=examples())
def test_a_table_counts_as_its_columns_do(engine, drawn):
    table = dict(zip(("y_true", "old", "new"), drawn.columns, strict=True))
    y_true, old, new = as_read(drawn)
    pairs = PairedCounts.from_frame(engine(table), baseline="old", candidate="new")
    assert cells(pairs) == cells(PairedCounts.from_predictions(y_true, old, new))
    assert ConfusionMatrix.from_frame(engine(table), y_pred="new") == ConfusionMatrix.from_predictions(y_true, new)


@pytest.mark.slow
@every_engine
@given(drawn=examples(), data=st.data())
@pytest.mark.one_of_many
def test_two_tables_count_as_the_columns_do_that_they_were_made_of(engine, drawn, data):
    orders = [data.draw(st.permutations(range(len(drawn)))) for _ in range(2)]
    tables = [
        {"id": order, "y_true": [drawn.y_true[i] for i in order], "y_pred": [predicted[i] for i in order]}
        for order, predicted in zip(orders, (drawn.baseline_pred, drawn.candidate_pred), strict=True)
    ]
    pairs = PairedCounts.from_frames(*map(engine, tables))
    assert cells(pairs) == cells(PairedCounts.from_predictions(*as_read(drawn)))


@pytest.mark.slow
@every_engine
@given(drawn=examples(), data=st.data())
def test_slices_add_up_to_the_whole(engine, drawn, data):
    part = data.draw(st.lists(st.sampled_from(["x", "y", None]), min_size=len(drawn), max_size=len(drawn)))
    assume(any(part))  # of nothing but None pandas and Arrow make a column without a type
    table = {"y_true": drawn.y_true, "y_pred": drawn.candidate_pred, "part": part}
    slices = ConfusionMatrix.from_frame(engine(table), by="part", labels=drawn.labels)
    whole = ConfusionMatrix.from_predictions(drawn.y_true, drawn.candidate_pred, labels=drawn.labels)
    assert set(slices) == set(part)
    assert np.array_equal(sum(np.asarray(matrix) for matrix in slices.values()), whole.counts)


@pytest.mark.slow
@every_engine
@given(drawn=examples(), data=st.data())
@pytest.mark.one_of_many
def test_every_faulty_id_is_counted_once(engine, drawn, data):
    """Against sets and dictionaries."""
    ids = [data.draw(st.lists(st.integers(0, 30), min_size=1, max_size=25)) for _ in range(2)]
    truths = [[drawn.labels[i % len(drawn.labels)] for i in side] for side in ids]
    tables = [{"id": side, "y_true": truth, "y_pred": truth} for side, truth in zip(ids, truths, strict=True)]
    baseline, candidate = ids
    repeated = {i for i in baseline if baseline.count(i) > 1}
    also = {i for i in candidate if candidate.count(i) > 1} - repeated
    expected = {
        "repeated ids in baseline": repeated,
        "repeated ids in candidate": also,
        "ids only in baseline": {*baseline} - {*candidate} - repeated,
        "ids only in candidate": {*candidate} - {*baseline} - also,
    }
    told = ", ".join(
        f"{name}: {len(faulty)} ({', '.join(map(str, sorted(faulty)[:5]))}{', ...' if len(faulty) > 5 else ''})"
        for name, faulty in expected.items()
        if faulty
    )
    assume(told)
    with pytest.raises(InputError) as caught:
        PairedCounts.from_frames(*map(engine, tables))
    assert caught.value.found == told
