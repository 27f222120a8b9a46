"""One machine outgrown: the same calls, counted by a cluster."""

import shutil

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from tests.cluster.standalone import driver, read_json, standalone

pytestmark = [pytest.mark.long, pytest.mark.filterwarnings("ignore")]  # see driver()

N = 200_000
LABELS = ("id % 5 AS truth", "id DIV 7 % 5 AS old", "id DIV 3 % 4 AS new")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Run a cluster of two workers."""
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    with standalone(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="module")
def spark(cluster):
    """Drive the cluster from here, where at most half a megabyte may come back."""
    with driver(cluster, {"spark.driver.maxResultSize": "512k"}) as session:
        yield session


@pytest.fixture(scope="module")
def table(spark):
    return spark.range(0, N, 1, 4).selectExpr("id", *LABELS, "if(id % 2 = 0, 'even', 'odd') AS parity")


@pytest.fixture(scope="module")
def expected():
    numbers = np.arange(N)
    return PairedCounts.from_predictions(numbers % 5, numbers // 7 % 5, numbers // 3 % 4)


def same(counts, others):
    assert counts.labels == others.labels
    for found, expected in zip(
        *([c.table.true, c.table.predicted, c.table.count] for c in (counts, others)), strict=True
    ):
        assert found.tolist() == expected.tolist()


def side(table, predicted):
    return table.selectExpr("concat('example ', id) AS id", "cast(truth AS byte) AS y_true", f"{predicted} AS y_pred")


def test_two_workers_count_what_could_not_come_back(spark, cluster, table, expected):
    with pytest.raises(Exception, match="maxResultSize"):
        table.collect()
    same(PairedCounts.from_frame(table, y_true="truth", baseline="old", candidate="new"), expected)
    same(PairedCounts.from_frames(side(table, "old"), side(table, "new")), expected)
    slices = ConfusionMatrix.from_frame(table, y_true="truth", y_pred="new", by="parity")
    assert list(slices) == ["even", "odd"]
    assert np.array_equal(np.asarray(slices["even"]) + slices["odd"], expected.candidate.counts)
    state = cluster.state()
    assert [worker["state"] for worker in state["workers"]] == ["ALIVE"] * 2
    assert [worker["coresused"] for worker in state["workers"]] == [1, 1]
    assert [application["cores"] for application in state["activeapps"]] == [2]
    context = spark.sparkContext
    executors = read_json(f"{context.uiWebUrl}/api/v1/applications/{context.applicationId}/executors")
    assert sum(executor["completedTasks"] > 0 for executor in executors if executor["id"] != "driver") == 2


def test_bad_rows_are_counted_there_too(spark):
    baseline = spark.sql("""
        SELECT * FROM VALUES (1, 'a', 'b'), (2, 'b', 'b'), (3, 'a', null), (4, null, 'a'), (5, 'a', 'a'), (5, 'a', 'a'),
            (null, 'a', 'a') AS baseline (id, y_true, y_pred)
    """)
    candidate = spark.sql("""
        SELECT * FROM VALUES (1L, 'b', 'b'), (2L, 'b', 'a'), (3L, 'a', 'a'), (4L, 'a', 'a'), (5L, 'a', 'a'),
            (6L, 'a', 'b') AS candidate (id, y_true, y_pred)
    """)
    with pytest.raises(InputError) as caught:
        PairedCounts.from_frames(baseline, candidate)
    assert caught.value.found == (
        "The tables are not about the same examples, each once: "
        "rows without id in baseline: 1, repeated ids in baseline: 1 (5), ids only in candidate: 1 (6), "
        "ids without y_true in baseline: 1 (4), ids without y_pred in baseline: 1 (3), "
        "ids with another y_true in candidate: 1 (1)"
    )
    with pytest.raises(InputError, match="class label: 1 without 'y_true', 1 without 'y_pred'"):
        ConfusionMatrix.from_frame(baseline)
    with pytest.raises(
        InputError, match="frame, column 'y_true': expected strings, integers or booleans, got type Date"
    ):
        ConfusionMatrix.from_frame(baseline.selectExpr("current_date() AS y_true", "y_pred"))


def test_units_are_counted_there_too(table):
    """Clusters of ten examples, of one class each; both sides' predictions vary within them."""
    documents = table.selectExpr("id", "id DIV 10 % 5 AS truth", "id DIV 10 % 5 AS old", "new", "id DIV 10 AS doc")
    found = PairedCounts.from_frame(documents, y_true="truth", baseline="old", candidate="old", clusters="doc")
    assert (found.table.clusters.n, found.n_samples) == (N // 10, N)
    assert found.table.clusters.cells.shape[1] == 5
    few = documents.filter("id < 2000")
    numbers = np.arange(2000)
    columns = (numbers // 10 % 5, numbers // 10 % 5, numbers // 3 % 4)
    mixed = PairedCounts.from_frame(few, y_true="truth", baseline="old", candidate="new", clusters="doc")
    same(mixed, PairedCounts.from_predictions(*columns, clusters=numbers // 10))
    rows = few.selectExpr("id DIV 2 AS id", "truth AS y_true", "new AS y_pred", "doc")
    runs = PairedCounts.from_frames(rows, rows, runs="samples", clusters="doc")
    assert (runs.table.clusters.n, runs.n_samples) == (200, 1000)
