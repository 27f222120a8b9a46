"""A Spark cluster as its operators start it: one master and two workers, each a process, all on the loopback device."""

import json
import os
import re
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.request import urlopen

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOOPBACK = "127.0.0.1"
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"  # a JVM that lives for seconds
ENVIRONMENT = {
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_DAEMON_JAVA_OPTS": QUICK,
    "SPARK_DAEMON_MEMORY": "512m",
    "SPARK_LOCAL_IP": LOOPBACK,
}
OPTIONS = {
    "spark.driver.host": LOOPBACK,
    "spark.driver.extraJavaOptions": QUICK,
    "spark.executor.extraJavaOptions": QUICK,
    "spark.executor.memory": "512m",
    "spark.scheduler.minRegisteredResourcesRatio": "1",  # all workers, from the first task on
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.port": "0",
    "spark.ui.showConsoleProgress": "false",
}
PATIENCE = 120


@dataclass(frozen=True)
class Cluster:
    """Where the master listens, and where it tells its state."""

    url: str
    page: str

    def state(self) -> Any:
        """Read what the master says of its workers and applications."""
        return read_json(f"{self.page}/json/")


@contextmanager
def standalone(folder: Path, n_workers: int = 2) -> Iterator[Cluster]:
    """Run a cluster; its logs and its work go to the folder."""
    with ExitStack() as stack:
        log = stack.enter_context(_daemon(folder, "master", "Master"))
        url = _awaited(log, r"Starting Spark master at (spark://\S+)")
        port = _awaited(log, r"Bound MasterWebUI .*:(\d+)")
        for number in range(n_workers):
            options = ["--cores", "1", "--memory", "512m", "--work-dir", str(folder / "work"), url]
            stack.enter_context(_daemon(folder, f"worker-{number}", "Worker", *options))
        yield Cluster(url, f"http://{LOOPBACK}:{port}")


def _home() -> Path:
    import pyspark  # noqa: PLC0415 (the tests that use it are long, and a push installs none)

    return Path(pyspark.__file__).parent


@contextmanager
def _daemon(folder: Path, name: str, kind: str, *options: str) -> Iterator[Path]:
    """Run a process of Spark's, and stop it, whatever happens."""
    command = [str(_home() / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind.lower()}.{kind}"]
    anywhere = ["--host", LOOPBACK, "--port", "0", "--webui-port", "0"]
    path = folder / f"{name}.log"
    with path.open("w") as log:
        environment = {**os.environ, **ENVIRONMENT, "SPARK_HOME": str(_home())}
        process = subprocess.Popen([*command, *anywhere, *options], stdout=log, stderr=log, env=environment, cwd=folder)
        try:
            yield path
        finally:
            process.terminate()
            process.wait(timeout=30)


@contextmanager
def driver(cluster: Cluster, options: Mapping[str, str]) -> Iterator["SparkSession"]:
    """Be the driver of an application."""
    from pyspark.sql import SparkSession  # noqa: PLC0415

    builder = SparkSession.builder.master(cluster.url)
    for name, value in {**OPTIONS, **options}.items():
        builder = builder.config(name, value)
    with patch.dict(os.environ, {**ENVIRONMENT, "SPARK_HOME": str(_home())}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySpark warns of the versions of other packages
        session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


def _awaited(log: Path, pattern: str) -> str:
    """Wait until a log says something."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.search(pattern, log.read_text()):
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(f"{log.name} does not say {pattern!r}:\n{log.read_text()}")


def read_json(url: str) -> Any:
    """Read a page of Spark's."""
    with urlopen(url, timeout=30) as page:  # noqa: S310 (the loopback device)
        return json.load(page)
