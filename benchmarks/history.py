"""The history of a baseline: ``python -m benchmarks.case history.history '{"n_versions": 200, ...}'``."""

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.samples import predictions
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from pytest_bayesf1.gates.history import Demands, history_of

_CHANGED = 0.02  # of the predictions, from one version to the next


def history(n_versions: int, n_classes: int, n_examples: int) -> dict[str, Any]:
    """Time ``bayesf1 history``, imports excluded.

    Returns
    -------
    dict
        ``seconds`` and ``processor`` time of the first run; ``again`` of one that finds everything kept.
    """
    with TemporaryDirectory() as folder:
        root = Path(folder)
        path = _commit(root / "repository", n_versions, n_classes, n_examples)
        demands = Demands.of(path, {"rope": 0.01})
        begin, used = perf_counter(), sum(os.times()[:4])
        found = history_of(path, demands, root / "kept")
        seconds, processor = perf_counter() - begin, sum(os.times()[:4]) - used
        begin = perf_counter()
        assert history_of(path, demands, root / "kept") == found
        return {"seconds": seconds, "processor": processor, "again": perf_counter() - begin, "n": len(found.versions)}


def _commit(root: Path, n_versions: int, n_classes: int, n_examples: int) -> Path:
    """Commit a baseline that changes a little every time, and return its path."""

    def git(*arguments: str) -> None:
        known = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", "-C", str(root), *known, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (our own words)

    root.mkdir()
    git("init", "-q")
    rng, names = np.random.default_rng(0), np.array([f"class {number}" for number in range(n_classes)])
    true, said, _ = predictions(n_classes, n_examples)
    store, path = BaselineStore(root / "__bayesf1__" / "test_a"), None
    for number in range(n_versions):
        counts = ConfusionMatrix.from_predictions(
            names[true], names[said], ids=[f"id-{n:07}" for n in range(n_examples)]
        )
        stored = store.find("test_f1")
        anchor = None if stored is None else store.anchor_of(stored) or stored
        path = store.write(Baseline("test_f1", counts), stored, anchor)
        git("add", ".")
        git("commit", "-qm", f"version {number}")
        changed = rng.random(n_examples) < _CHANGED
        said = np.where(
            changed, np.where(rng.random(n_examples) < 0.9, true, rng.integers(0, n_classes, n_examples)), said
        )
    assert path is not None
    return path
