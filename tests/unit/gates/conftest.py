import pytest

from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from tests.unit.gates.runs import BASELINE, Runs, predicted


@pytest.fixture
def runs(tmp_path):
    return Runs(BaselineStore(tmp_path / "store"))


@pytest.fixture
def stored(runs):
    runs.store.write(Baseline("test_f1", BASELINE), None)
    return runs


@pytest.fixture
def stored_predictions(runs):
    runs.store.write(Baseline("test_f1", predicted()), None)
    return runs
