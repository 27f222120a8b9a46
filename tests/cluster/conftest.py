import os
import shutil

import pytest

from tests.cluster.standalone import driver, standalone


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """Run a cluster of two workers."""
    if shutil.which("java") is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs Java for this test")
        pytest.skip("needs Java")
    with standalone(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.fixture(scope="session")
def spark(cluster):
    """Drive the cluster from here, where at most half a megabyte may come back."""
    with driver(cluster, {"spark.driver.maxResultSize": "512k"}) as session:
        yield session
