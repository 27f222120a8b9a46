"""Versions of a stored baseline, committed to a real repository."""

import json

import numpy as np

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines.store import Baseline, BaselineStore

N = 1_000
TRUTH = np.arange(N) % 2
FILE = "tests/__bayesf1__/test_spam/test_f1.json"


def predicted(n_wrong, first=0, ids=None):
    """Predict wrongly for so many examples, from one of them on."""
    wrong = (np.arange(N) >= first) & (np.arange(N) < first + n_wrong)
    return ConfusionMatrix.from_predictions(
        TRUTH, np.where(wrong, 1 - TRUTH, TRUTH), ids=np.arange(N) if ids is None else ids
    )


def store(repository, counts, *, anchor_moves=False):
    """Update the stored baseline, as --bayesf1-update does; or with its anchor, as --bayesf1-update=anchor."""
    kept = BaselineStore(repository.path / "tests" / "__bayesf1__" / "test_spam")
    stored = kept.find("test_f1")
    anchor = None if stored is None or anchor_moves else kept.anchor_of(stored) or stored
    kept.write(Baseline("test_f1", counts), stored, anchor)
    return repository.commit(f"version {repository.n_commits}")


def manifest(repository, **tests):
    """List gates in the manifest."""
    gates = {test.replace("__", "::"): settings for test, settings in tests.items()}
    document = {"format": "pytest-bayesf1 gates", "version": 1, "gates": gates}
    return repository.write("__bayesf1__/gates.json", json.dumps(document))
