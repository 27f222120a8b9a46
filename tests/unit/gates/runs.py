"""Candidates, and tests that compare them with stored baselines one after the other."""

from dataclasses import dataclass

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines.store import BaselineStore
from pytest_bayesf1.gates.regression import Regression
from pytest_bayesf1.project import Update

BASELINE = ConfusionMatrix([[4_000, 1_000], [1_000, 4_000]])
MUCH_WORSE = ConfusionMatrix([[3_500, 1_500], [1_500, 3_500]])
WORSE = ConfusionMatrix([[3_910, 1_090], [1_090, 3_910]])
BETTER = ConfusionMatrix([[4_500, 500], [500, 4_500]])
OTHER_SET = ConfusionMatrix([[4_000, 1_000], [900, 3_600]])
ARGUMENTS = {"measure": "accuracy", "rope": 0.0125, "n_draws": 2_000}
COMMAND = "pytest test_gate.py::test_f1"
Y_TRUE = ["a", "b"] * 20
Y_PRED = ["a", "b"] * 18 + ["b", "a"] * 2
IDS = list(range(40))


@dataclass
class Runs:
    """Tests that use one store, one after the other."""

    store: BaselineStore

    def start(self, update=Update.NONE, test="test_f1"):
        return Regression(self.store, test, update, COMMAND)

    def run(self, candidate, update=Update.NONE, **arguments):
        regression = self.start(update)
        result = regression.check(candidate, **{**ARGUMENTS, **arguments})
        regression.keep()
        return result

    @property
    def kept(self):
        stored = self.store.find("test_f1")
        return stored and stored.baseline.counts


def predicted(y_pred=Y_PRED, y_true=Y_TRUE, ids=IDS):
    return ConfusionMatrix.from_predictions(y_true, y_pred, ids=ids)
