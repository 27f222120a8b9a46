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


def test_two_workers_count_what_could_not_come_back(spark, cluster, table, expected):
    with pytest.raises(Exception, match="maxResultSize"):
        table.collect()
    same(PairedCounts.from_frame(table, y_true="truth", baseline="old", candidate="new"), expected)
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
    table = spark.sql("""
        SELECT * FROM VALUES (1, 'a', 'b'), (2, 'b', 'b'), (3, 'a', null), (4, null, 'a'), (5, 'a', 'a')
            AS predictions (id, y_true, y_pred)
    """)
    with pytest.raises(InputError, match="class label: 1 without 'y_true', 1 without 'y_pred'"):
        ConfusionMatrix.from_frame(table)
    with pytest.raises(
        InputError, match="frame, column 'y_true': expected strings, integers or booleans, got type Date"
    ):
        ConfusionMatrix.from_frame(table.selectExpr("current_date() AS y_true", "y_pred"))


def test_clusters_are_refused_in_words(table):
    with pytest.raises(InputError, match="clusters: A lazy table is counted where it is"):
        PairedCounts.from_frame(table, y_true="truth", baseline="old", candidate="new", clusters="id")
