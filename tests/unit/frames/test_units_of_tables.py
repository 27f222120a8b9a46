"""Clusters of a table: the engine counts what each holds, and what comes back is what a program would count itself."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.frames import LazyTable
from pytest_bayesf1.data.paired import align
from tests.unit.frames.engines import ENGINES, written_csv

RNG = np.random.default_rng(3)
N = 240
CLUSTER = np.sort(RNG.integers(0, 90, N))
TRUTH = CLUSTER % 3
OLD, NEW = (np.where(RNG.random(N) < right, TRUTH, RNG.integers(0, 3, N)) for right in (0.9, 0.8))
PART = np.where(CLUSTER % 2, "odd", "even")
TABLE = {
    "id": list(range(N)),
    "truth": [f"class {code}" for code in TRUTH],
    "old": [f"class {code}" for code in OLD],
    "new": [f"class {code}" for code in NEW],
    "doc": [f"d{cluster}" for cluster in CLUSTER],
    "part": [None if part == "odd" else part for part in PART],
}
BOTH = {"y_true": "truth", "baseline": "old", "candidate": "new", "clusters": "doc"}


def expected(rows=slice(None)):
    columns = ([TABLE[name][row] for row in range(N)[rows]] for name in ("truth", "old", "new"))
    return PairedCounts.from_predictions(*columns, clusters=CLUSTER[rows])


def assert_same(found, other):
    assert (found.n_samples, found.table.clusters.n) == (other.n_samples, other.table.clusters.n)
    np.testing.assert_array_equal(found.table.count, other.table.count)
    np.testing.assert_array_equal(found.table.clusters.cells.toarray(), other.table.clusters.cells.toarray())
    np.testing.assert_array_equal(found.table.clusters.n_clusters, other.table.clusters.n_clusters)


@pytest.fixture(params=ENGINES)
def engine(request):
    return ENGINES[request.param]


def test_one_table(engine):
    found = PairedCounts.from_frame(engine(TABLE), **BOTH)
    assert_same(found, expected())
    assert found.table.clusters.noun == "clusters of doc"
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
        rows = np.flatnonzero(np.isin(CLUSTER % 2, odd))
        columns = ([TABLE[name][row] for row in rows] for name in ("truth", "old", "new"))
        assert_same(found[value], PairedCounts.from_predictions(*columns, clusters=CLUSTER[rows]))


def test_slices_cut_units():
    table = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1], "doc": [1, 1, 1, 2], "lang": ["de", "de", "en", "en"]}
    parts = ConfusionMatrix.from_frame(ENGINES["Polars"](table), by="lang", clusters="doc")
    assert {name: part.table.clusters.n for name, part in parts.items()} == {"de": 1, "en": 2}


def test_files(tmp_path):
    path = written_csv(TABLE, tmp_path / "a.csv")
    assert_same(PairedCounts.from_frame(path, **BOTH), expected())


def test_unreadable_answers_of_units(engine):
    table = TABLE | {"new": [None, *TABLE["new"][1:]]}
    found = PairedCounts.from_frame(engine(table), **BOTH, invalid="wrong")
    columns = (table[name] for name in ("truth", "old", "new"))
    assert_same(found, PairedCounts.from_predictions(*columns, clusters=CLUSTER, invalid="wrong"))


def test_rows_without_a_unit(engine):
    table = TABLE | {"doc": [None, None, *TABLE["doc"][2:]]}
    with pytest.raises(InputError, match="frame: expected a cluster in every row, got rows: 2 without 'doc'"):
        PairedCounts.from_frame(engine(table), **BOTH)


@pytest.mark.one_of_many
def test_tables_that_disagree(engine):
    known = {"y_true": TABLE["truth"], "y_pred": TABLE["old"], "id": TABLE["id"]}
    other = [*TABLE["doc"][:-1], "elsewhere"]
    with pytest.raises(InputError, match=r"ids in another cluster in candidate: 1 \(239\)"):
        PairedCounts.from_frames(engine(known | {"doc": TABLE["doc"]}), engine(known | {"doc": other}), clusters="doc")
    none = [*TABLE["doc"][:-2], None, None]
    with pytest.raises(InputError, match=r"ids without a cluster in candidate: 2 \(238, 239\)"):
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
    cluster = np.arange(100_000) // 10
    table = ENGINES[name]({"y_true": cluster % 4, "y_pred": cluster % 3 % 4, "doc": cluster})
    found = ConfusionMatrix.from_frame(table, clusters="doc")
    assert (found.table.clusters.n, found.n_samples) == (10_000, 100_000)
    assert max(heights) <= 12


def long_table(predictions, runs, **columns):
    """Return a row for every run of every example, the runs one after the other."""
    said = np.where(RNG.random((runs, N)) < 0.8, predictions, RNG.integers(0, 3, (runs, N)))
    rows = [(row, run) for run in range(runs) for row in range(N) if run == 0 or (row + run) % 4]
    whole = {"id": [f"e{row}" for row, _ in rows], "said": [f"class {said[run, row]}" for row, run in rows]}
    return whole | {name: [TABLE[name][row] for row, _ in rows] for name in ("truth", "doc", "part")} | columns


OLD_RUNS, NEW_RUNS = long_table(OLD, 2), long_table(NEW, 3)


def paired(clusters, invalid="error", rows=lambda table: range(len(table["id"]))):
    sides = []
    for table in (OLD_RUNS, NEW_RUNS):
        truth, said, ids, docs = ([table[name][row] for row in rows(table)] for name in ("truth", "said", "id", "doc"))
        known = {"clusters": docs} if clusters else {}
        sides.append(ConfusionMatrix.from_predictions(truth, said, ids=ids, runs="samples", invalid=invalid, **known))
    return Sides(*align(*sides)).joint


def contents(table):
    """Return what clusters hold, rounded, with how many of them hold it."""
    held = {}
    for column, n in zip(
        table.clusters.cells.toarray().T.round(9).tolist(), table.clusters.n_clusters.tolist(), strict=True
    ):
        held[tuple(column)] = held.get(tuple(column), 0) + n
    return held


@pytest.mark.parametrize("clusters", [None, "doc"])
def test_several_rows_of_an_example(engine, clusters):
    names = {"y_true": "truth", "y_pred": "said", "clusters": clusters, "runs": "samples"}
    found = PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names)
    assert found.n_samples == N
    np.testing.assert_allclose(found.table.count, paired(clusters).count)
    assert contents(found.table) == contents(paired(clusters))
    assert found.table.clusters.noun == ("clusters of doc" if clusters else "examples")


@pytest.mark.one_of_many
def test_slices_of_them(engine):
    names = {"y_true": "truth", "y_pred": "said", "clusters": "doc", "runs": "samples", "by": "part"}
    found = PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names)
    even = paired("doc", rows=lambda table: [row for row, part in enumerate(table["part"]) if part == "even"])
    assert contents(found["even"].table) == contents(even)


@pytest.mark.one_of_many
def test_rows_of_an_example_that_contradict_one_another(engine):
    names = {"y_true": "truth", "y_pred": "said", "clusters": "doc"}
    moved = OLD_RUNS | {"doc": [*OLD_RUNS["doc"][:-1], "elsewhere"]}
    with pytest.raises(InputError, match=r"rows differ in more than y_pred in baseline: 1 \('e238'\)"):
        PairedCounts.from_frames(engine(moved), engine(NEW_RUNS), **names, runs="samples")
    with pytest.raises(InputError, match=r"repeated ids in baseline: 180 .* runs='samples'"):
        PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names)
    with pytest.raises(InputError, match="runs: expected 'samples', which alone serves two tables, got 'seeds'"):
        PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names, runs="seeds")


def test_runs_that_could_not_be_read(engine):
    silent = NEW_RUNS | {"said": [None, *NEW_RUNS["said"][1:]]}
    tables = engine(OLD_RUNS), engine(silent)
    found = PairedCounts.from_frames(*tables, y_true="truth", y_pred="said", runs="samples", invalid="wrong")
    assert found.candidate.table.times_predicted[3] == pytest.approx(1 / NEW_RUNS["id"].count("e0"))
    with pytest.raises(InputError, match="without 'said'"):
        PairedCounts.from_frames(*tables, y_true="truth", y_pred="said", runs="samples")
