"""An engine keeps its rows to itself."""

import duckdb
import ibis
import numpy as np
import polars as pl
import pytest

from pytest_bayesf1 import InputError, PairedCounts
from tests.unit.frames.engines import LAZY

N = 50_000
DOORS = {
    "lazy Polars": (pl.LazyFrame, ("collect", "collect_async", "collect_batches", "fetch")),
    "DuckDB": (
        duckdb.DuckDBPyRelation,
        ("arrow", "df", "fetch_arrow_table", "fetchall", "fetchdf", "fetchmany", "fetchnumpy", "pl", "to_arrow_table"),
    ),
    "Ibis": (ibis.expr.types.Table, ("execute", "to_pandas", "to_polars", "to_pyarrow", "to_pyarrow_batches")),
}


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 4, (3, N)).tolist()
    return dict(zip(("id", "y_true", "y_pred", "new"), [list(range(N)), *labels], strict=True))


@pytest.fixture(params=LAZY)
def engine(request):
    return request.param


@pytest.fixture
def leaving(engine, monkeypatch):
    """Note how many rows leave the engine, through whichever door."""
    heights = []

    def watched(door):
        def pass_through(*arguments, **options):
            result = door(*arguments, **options)
            heights.append(len(result))
            return result

        return pass_through

    owner, doors = DOORS[engine]
    for name in doors:
        if hasattr(owner, name):
            monkeypatch.setattr(owner, name, watched(getattr(owner, name)))
    return heights


def test_of_one_table_leaves_a_row_an_outcome(engine, leaving, many):
    pairs = PairedCounts.from_frame(LAZY[engine](many), baseline="y_pred", candidate="new")
    assert pairs.n_samples == N
    assert leaving == [4**3]


def test_of_two_tables_too(engine, leaving, many):
    baseline, candidate = LAZY[engine](many), LAZY[engine]({**many, "y_pred": many["new"]})
    assert PairedCounts.from_frames(baseline, candidate).n_samples == N
    assert sorted(leaving) == [1, 1, 4**3]  # and the rows without an id, which are none, in each


def test_of_tables_that_do_not_fit_together_leave_the_first_ids(engine, leaving, many):
    baseline, candidate = LAZY[engine](many), LAZY[engine]({**many, "id": list(range(1, N + 1))})
    with pytest.raises(InputError, match=r"ids only in candidate: 1 \(50000\)"):
        PairedCounts.from_frames(baseline, candidate)
    assert max(leaving) <= 2 * 4**3 + 2 * 4**2
