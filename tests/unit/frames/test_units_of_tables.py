"""Units of a table: the engine counts what each holds, and what comes back is what a program would count itself."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.frames.lazy_table import LazyTable
from tests.unit.frames.engines import ENGINES, written_csv

RNG = np.random.default_rng(3)
N = 240
UNIT = np.sort(RNG.integers(0, 90, N))
TRUTH = UNIT % 3
OLD, NEW = (np.where(RNG.random(N) < right, TRUTH, RNG.integers(0, 3, N)) for right in (0.9, 0.8))
PART = np.where(UNIT % 2, "odd", "even")
TABLE = {
    "id": list(range(N)),
    "truth": [f"class {code}" for code in TRUTH],
    "old": [f"class {code}" for code in OLD],
    "new": [f"class {code}" for code in NEW],
    "doc": [f"d{unit}" for unit in UNIT],
    "part": [None if part == "odd" else part for part in PART],
}
BOTH = {"y_true": "truth", "baseline": "old", "candidate": "new", "clusters": "doc"}


def expected(rows=slice(None)):
    columns = ([TABLE[name][row] for row in range(N)[rows]] for name in ("truth", "old", "new"))
    return PairedCounts.from_predictions(*columns, clusters=UNIT[rows])


def assert_same(found, other):
    assert (found.n_samples, found.table.units.n) == (other.n_samples, other.table.units.n)
    np.testing.assert_array_equal(found.table.count, other.table.count)
    np.testing.assert_array_equal(found.table.units.cells.toarray(), other.table.units.cells.toarray())
    np.testing.assert_array_equal(found.table.units.n_units, other.table.units.n_units)


@pytest.fixture(params=ENGINES)
def engine(request):
    return ENGINES[request.param]


def test_one_table(engine):
    found = PairedCounts.from_frame(engine(TABLE), **BOTH)
    assert_same(found, expected())
    assert found.table.units.noun == "units of doc"
    one = ConfusionMatrix.from_frame(engine(TABLE), y_true="truth", y_pred="old", clusters="doc")
    assert_same(one, expected().baseline)


def test_two_tables(engine):
    known = [name for name in TABLE if name not in ("old", "new")]
    tables = [engine({name: TABLE[name][::step] for name in known} | {"said": TABLE[side][::step]})
              for side, step in (("old", 1), ("new", -1))]  # fmt: skip
    assert_same(PairedCounts.from_frames(*tables, y_true="truth", y_pred="said", clusters="doc"), expected())


def test_slices_have_their_own_units(engine):
    found = PairedCounts.from_frame(engine(TABLE), **BOTH, by="part")
    assert list(found) == ["even", None]
    for value, odd in (("even", 0), (None, 1)):
        rows = np.flatnonzero(np.isin(UNIT % 2, odd))
        columns = ([TABLE[name][row] for row in rows] for name in ("truth", "old", "new"))
        assert_same(found[value], PairedCounts.from_predictions(*columns, clusters=UNIT[rows]))


def test_slices_cut_units():
    table = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1], "doc": [1, 1, 1, 2], "lang": ["de", "de", "en", "en"]}
    parts = ConfusionMatrix.from_frame(ENGINES["Polars"](table), by="lang", clusters="doc")
    assert {name: part.table.units.n for name, part in parts.items()} == {"de": 1, "en": 2}


def test_files(tmp_path):
    path = written_csv(TABLE, tmp_path / "a.csv")
    assert_same(PairedCounts.from_frame(path, **BOTH), expected())


def test_unreadable_answers_of_units(engine):
    table = TABLE | {"new": [None, *TABLE["new"][1:]]}
    found = PairedCounts.from_frame(engine(table), **BOTH, invalid="wrong")
    columns = (table[name] for name in ("truth", "old", "new"))
    assert_same(found, PairedCounts.from_predictions(*columns, clusters=UNIT, invalid="wrong"))


def test_rows_without_a_unit(engine):
    table = TABLE | {"doc": [None, None, *TABLE["doc"][2:]]}
    with pytest.raises(InputError, match="frame: expected a unit in every row, got rows: 2 without 'doc'"):
        PairedCounts.from_frame(engine(table), **BOTH)


def test_tables_that_disagree(engine):
    known = {"y_true": TABLE["truth"], "y_pred": TABLE["old"], "id": TABLE["id"]}
    other = [*TABLE["doc"][:-1], "elsewhere"]
    with pytest.raises(InputError, match=r"ids in another unit in candidate: 1 \(239\)"):
        PairedCounts.from_frames(engine(known | {"doc": TABLE["doc"]}), engine(known | {"doc": other}), clusters="doc")
    none = [*TABLE["doc"][:-2], None, None]
    with pytest.raises(InputError, match=r"ids without a unit in candidate: 2 \(238, 239\)"):
        PairedCounts.from_frames(engine(known | {"doc": TABLE["doc"]}), engine(known | {"doc": none}), clusters="doc")


@pytest.mark.parametrize("name", ["lazy Polars", "DuckDB"])
def test_equal_units_leave_as_one_row(name, monkeypatch):
    """Of ten thousand documents of ten examples, each alike in its document, the numbers alone are asked for."""
    heights = []
    read = LazyTable.read

    def watched(self, query):
        answer = read(self, query)
        heights.append(len(next(iter(answer.values()))))
        return answer

    monkeypatch.setattr(LazyTable, "read", watched)
    unit = np.arange(100_000) // 10
    table = ENGINES[name]({"y_true": unit % 4, "y_pred": unit % 3 % 4, "doc": unit})
    found = ConfusionMatrix.from_frame(table, clusters="doc")
    assert (found.table.units.n, found.n_samples) == (10_000, 100_000)
    assert max(heights) <= 12
