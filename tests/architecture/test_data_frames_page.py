"""The code and the SQL in docs/how-to/tables-and-warehouses.md run."""

import re
from pathlib import Path
from types import SimpleNamespace

import duckdb
import ibis
import numpy as np
import polars as pl
import pytest
import sqlglot

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.data.frames import MOST_ROWS, open_frames, outcomes, pick

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "tables-and-warehouses.md").read_text()
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")  # between Ibis and DuckDB
NAMES = {"y_true": "truth", "baseline": "old", "candidate": "new"}
SQL = dict(zip(("bigquery", "snowflake"), re.findall(r"```sql\n(.*?)```", PAGE, flags=re.DOTALL), strict=True))


def run(text):
    """Run the block of code that has this text in it."""
    names = {}
    (block,) = (block for block in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL) if text in block)
    exec(block, names)  # noqa: S102
    return names


@pytest.fixture(scope="module")
def predictions():
    rng = np.random.default_rng(3)
    classes, languages = ["ham", "spam", "eggs"], ["en", "fi"]
    table = pl.DataFrame({name: rng.choice(classes, 300) for name in ("truth", "old", "new")})
    days = pl.date_range(pl.date(2026, 10, 30), pl.date(2026, 11, 3), eager=True)
    return table.with_columns(
        language=pl.Series(rng.choice(languages, 300)), day=days.sample(300, with_replacement=True, seed=1)
    )


def cells(pairs):
    return pairs.labels, pairs.table.true.tolist(), pairs.table.predicted.tolist(), pairs.table.count.tolist()


def test_the_first_example(predictions):
    both, finnish, one = run("def counts_of(")["counts_of"](predictions)
    assert cells(both) == cells(PairedCounts.from_predictions(*(predictions[name] for name in NAMES.values())))
    assert finnish.n_samples == (predictions["language"] == "fi").sum()
    assert one == both.baseline


def test_every_engine(predictions, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("predictions").mkdir()
    for part in range(3):
        predictions[part::3].write_parquet(f"predictions/{part}.parquet")
    made = {name: value for name, value in run("import ibis\nimport pandas").items() if name.startswith("from_")}
    filtered = made.pop("from_duckdb")
    assert len(made) == 6
    assert len({str(cells(pairs)) for pairs in made.values()}) == 1
    assert filtered.n_samples == (predictions["truth"] != "eggs").sum()


def test_two_tables(predictions):
    baseline, candidate = (
        predictions.select("truth", pl.col(name).alias("predicted")).with_row_index("id") for name in ("old", "new")
    )
    joined = run("def counts_of_two(")["counts_of_two"](baseline, candidate.reverse())
    assert cells(joined) == cells(PairedCounts.from_frame(predictions, **NAMES))


@pytest.mark.parametrize("dialect", SQL)
def test_the_sql_is_what_ibis_makes(dialect):
    columns = {**dict.fromkeys((*NAMES.values(), "language"), "string"), "day": "date"}
    table = ibis.table(columns, name="predictions")
    (frame,) = open_frames({"frame": table.filter(table.day >= "2026-11-01")})
    query = outcomes(pick(frame, {**NAMES, "by": "language"}).table).head(MOST_ROWS + 1)
    made = str(ibis.to_sql(query.to_native(), dialect=dialect))
    assert re.sub(r"\d", "#", " ".join(made.split())) == re.sub(r"\d", "#", " ".join(SQL[dialect].split()))


@pytest.mark.parametrize("dialect", SQL)
def test_the_sql_counts(dialect, predictions):
    (query,) = sqlglot.transpile(SQL[dialect], read=dialect, write="duckdb")
    connection = duckdb.connect()
    connection.register("predictions", predictions.to_arrow())
    rows = connection.sql(query).fetchall()
    november = predictions.filter(pl.col("day") >= pl.date(2026, 11, 1))
    assert 0 < november.height < predictions.height
    counted = run("def counts_of_an_answer(")["counts_of_an_answer"]
    for language, pairs in PairedCounts.from_frame(november, **NAMES, by="language").items():
        answer = [(*labels, count) for *labels, by, count in rows if by == language]
        assert cells(counted(answer)) == cells(pairs)


def test_the_recipe_for_a_warehouse_with_duckdb_for_one(predictions, monkeypatch, tmp_path):
    predictions.write_parquet(tmp_path / "predictions.parquet")
    connection = ibis.duckdb.connect()
    connection.read_parquet(tmp_path / "predictions.parquet", table_name="predictions")
    monkeypatch.setitem(vars(ibis), "bigquery", SimpleNamespace(connect=lambda **_: connection))
    slices = run("def counts_of_a_warehouse(")["counts_of_a_warehouse"]()
    november = predictions.filter(pl.col("day") >= pl.date(2026, 11, 1))
    assert {language: pairs.n_samples for language, pairs in slices.items()} == dict(
        november.group_by("language").len().iter_rows()
    )
