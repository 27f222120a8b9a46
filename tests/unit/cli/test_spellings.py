"""Errors write arguments as their reader does: for Python, as an option, as a key of a gate file."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest

from pytest_bayesf1 import BayesF1Error, compare
from pytest_bayesf1.files.side import read_sides
from pytest_bayesf1.files.tables import Reading

CALL = re.compile(
    r"\b[a-z_]+=(['\"\[(]|\.\.\.)|\b(model|runs|invalid)=|from_(predictions|values|spans)\(|\bPairedCounts"
)
"""What only a call in Python looks like."""
N = 40
TRUTH = ["ham", "spam"] * (N // 2)
SAID = ["spam", *TRUTH[1:]]
UNEVEN = ["ham" if row * row % 7 < 3 else "spam" for row in range(N)]
IDS = [f"x{row}" for row in range(N)]
OTHER_IDS = [f"z{row}" for row in range(N)]
GOOD = {"id": IDS, "y_true": TRUTH, "y_pred": SAID}
NO_IDS = {"y_true": TRUTH, "y_pred": SAID}
TWICE = {name: values * 2 for name, values in GOOD.items()}
COUNTS, OTHER_COUNTS = {"counts": [[18, 2], [3, 17]]}, {"counts": [[18, 3], [3, 17]]}
SCORES = {"id": IDS, "y_true": [0, 1] * (N // 2), "y_score": [row / N for row in range(N)]}
TEXT_SCORES = SCORES | {"y_true": TRUTH}
CLUSTERED = GOOD | {"doc": [row // 20 for row in range(N)]}


@dataclass
class Mistake:
    """Two files, and what is asked of them, as a gate file says it."""

    baseline: Any = field(default_factory=lambda: GOOD)
    candidate: Any = field(default_factory=lambda: GOOD)
    settings: dict[str, Any] = field(default_factory=dict)

    def write(self, folder):
        for name in ("baseline", "candidate"):
            (folder / f"{name}.json").write_text(json.dumps(getattr(self, name)))

    @property
    def options(self):
        """The settings as the command line takes them."""
        for name, value in ({"rope": 0.02} | self.settings).items():
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value)
            yield from (f"--{name.replace('_', '-')}", text)

    def in_python(self, folder):
        settings = {"rope": 0.02} | self.settings
        names = ("invalid", "runs", "clusters")
        reading = Reading(**{name: settings.pop(name) for name in names if name in settings})
        sides = read_sides(
            folder / "baseline.json", folder / "candidate.json", {"baseline": reading, "candidate": reading}
        )
        return compare(*(side.counts() for side in sides), **settings)


def changed(row, **values):
    """Return the good file with other values in one row."""
    return {name: [*column[:row], values.get(name, column[row]), *column[row + 1 :]] for name, column in GOOD.items()}


MISTAKES = {
    "an id twice": Mistake(candidate=TWICE),
    "other ids": Mistake(candidate=GOOD | {"id": OTHER_IDS}),
    "fewer examples": Mistake(NO_IDS, {name: values[2:] for name, values in NO_IDS.items()}),
    "another truth": Mistake(NO_IDS, NO_IDS | {"y_true": [*TRUTH[1:], "ham"], "y_pred": TRUTH}),
    "ids on one side": Mistake(GOOD, NO_IDS),
    "test sets that differ": Mistake(GOOD, {n: v[2:] for n, v in GOOD.items()}, {"on_new_test_set": "error"}),
    "no prediction": Mistake(candidate=changed(3, y_pred=None)),
    "a word for no prediction": Mistake(candidate=changed(3, y_pred="NaN")),
    "one class": Mistake(*2 * [{"y_true": ["a"] * N, "y_pred": ["a"] * N}]),
    "another spelling": Mistake(candidate=changed(3, y_pred="Spam")),
    "another vocabulary": Mistake(*2 * [GOOD | {"y_pred": ["yes", "no"] * (N // 2)}]),
    "ids as predictions": Mistake(*2 * [GOOD | {"y_pred": IDS}]),
    "a score as prediction": Mistake(*2 * [GOOD | {"y_pred": [row / 7 + 0.01 for row in range(N)]}]),
    "lists in text": Mistake(*2 * [{"y_true": ["a|b", "b|a"] * 20, "y_pred": ["a|b", "b|a"] * 20}]),
    "lists and text": Mistake(*2 * [{"y_true": [["a"], "b"] * 20, "y_pred": [["a"], "b"] * 20}]),
    "rows that repeat without ids": Mistake(*2 * [dict.fromkeys(("y_true", "y_pred"), 3 * UNEVEN)]),
    "runs without ids": Mistake(NO_IDS, NO_IDS, {"runs": "samples"}),
    "seeds without runs": Mistake(TWICE, TWICE, {"runs": "seeds"}),
    "two seeds": Mistake(*2 * [TWICE | {"run": [1] * N + [2] * N}], {"runs": "seeds"}),
    "runs of counts": Mistake(COUNTS, COUNTS, {"runs": "samples"}),
    "clusters that are not there": Mistake(settings={"clusters": "doc"}),
    "few clusters": Mistake(CLUSTERED, CLUSTERED, {"clusters": "doc"}),
    "ranking of classes": Mistake(settings={"measure": "roc_auc"}),
    "classes of scores": Mistake(SCORES, SCORES, {"measure": "f1"}),
    "no positive class": Mistake(settings={"measure": "f1"}),
    "no positive score": Mistake(TEXT_SCORES, TEXT_SCORES, {"measure": "roc_auc"}),
    "predictions and scores": Mistake(GOOD, SCORES),
    "predictions and spans": Mistake(GOOD, [{"id": "a", "gold": [[0, 2, "A"]], "predicted": []}]),
    "answered by all": Mistake(settings={"measure": "answered"}),
    "wrong scores": Mistake(SCORES, SCORES, {"measure": "roc_auc", "invalid": "wrong"}),
    "runs of scores": Mistake(SCORES, SCORES, {"measure": "roc_auc", "runs": "seeds"}),
    "counts as pairs": Mistake(COUNTS, COUNTS, {"model": "paired"}),
    "one test set of two": Mistake(COUNTS, OTHER_COUNTS, {"model": "same-set"}),
    "a rope in points": Mistake(settings={"rope": 2}),
    "half of all as rope": Mistake(settings={"rope": 0.5}),
    "a measure misspelt": Mistake(settings={"measure": "f1_makro"}),
    "a measure of no class": Mistake(settings={"measure": "f1[eggs]"}),
    "a prior misspelt": Mistake(settings={"prior": "flat"}),
    "a model misspelt": Mistake(settings={"model": "pairs"}),
    "shares of no class": Mistake(settings={"prevalence": "eggs=0.1"}),
    "shares beyond 1": Mistake(settings={"prevalence": "ham=0.7,spam=0.7"}),
    "shares of scores": Mistake(*2 * [{"value": [1, 0] * 20}], {"measure": "mean", "prevalence": "baseline"}),
    "an interval in percent": Mistake(settings={"hdi_prob": 95}),
    "a seed below 0": Mistake(settings={"seed": -1}),
    "a prior of scores": Mistake(SCORES, SCORES, {"measure": "roc_auc", "prior": "uniform"}),
}


def spelt_wrongly(text):
    return [found[0] for found in CALL.finditer(text)]


@pytest.mark.parametrize("name", MISTAKES)
def test_errors_are_in_the_words_of_their_reader(run, folder, name):
    mistake = MISTAKES[name]
    mistake.write(folder)
    python = None
    try:
        mistake.in_python(folder)
    except (BayesF1Error, TypeError) as error:
        python = str(error)
    assert python is not None
    gate = {"baseline": "baseline.json", "candidate": "candidate.json", "rope": 0.02} | mistake.settings
    (folder / "bayesf1.yaml").write_text(json.dumps({"gates": {"spam": gate}}))
    for told in (run("compare", "baseline.json", "candidate.json", *mistake.options), run("gate")):
        assert told.exit_code in (2, 4)
        assert spelt_wrongly(told.stdout + told.stderr) == [], told.stdout + told.stderr
