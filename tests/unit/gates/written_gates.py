"""Gate files and the files that they name."""

import json

import numpy as np

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates

N = 400


def gate_file(folder, text, name="bayesf1.yaml"):
    """Write a gate file and return its path."""
    path = folder / name
    path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return path


def one_gate(name="spam", **settings):
    """Return the text of a file with one gate that is complete, but for the settings."""
    gate = {"baseline": "a.json", "candidate": "b.json", "rope": 0.02, **settings}
    return json.dumps({"gates": {name: gate}})


def result_of(folder, baseline, candidate, **settings):
    """Write both sides and a gate, and return what it says."""
    (folder / "a.json").write_text(json.dumps(baseline))
    (folder / "b.json").write_text(json.dumps(candidate))
    (gate,) = load_gates(gate_file(folder, one_gate(**settings)), folder)
    return evaluate(gate)


def side(accuracy, seed, labels=("a", "b", "c"), **columns):
    """Return predictions of the same examples for every seed."""
    truth = np.random.default_rng(0).integers(len(labels), size=N)
    drawn = np.random.default_rng(seed)
    guess = np.where(drawn.random(N) < accuracy, truth, drawn.integers(len(labels), size=N))
    named = {name: [labels[code] for code in codes] for name, codes in (("y_true", truth), ("y_pred", guess))}
    return {"id": list(range(N)), **named, **columns}


def counts(columns, kind=ConfusionMatrix, **known):
    return kind.from_predictions(columns["y_true"], columns["y_pred"], ids=columns["id"], **known)


def figures(comparison):
    return comparison.measure, comparison.decision, comparison.mean, comparison.hdi, comparison.model


def parts(result):
    return {each.part: each.comparison for each in result.judged}


BASELINE, CANDIDATE = side(0.9, 1), side(0.8, 2)
