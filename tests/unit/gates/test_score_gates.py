"""Gates on files of scores."""

import numpy as np
import pytest

from pytest_bayesf1 import Scores, compare
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import load_gates

RNG = np.random.default_rng(2)
TRUTH = np.arange(150) % 2
GIVEN = {name: (TRUTH + noise * RNG.normal(size=150)).round(3) for name, noise in (("old", 0.5), ("new", 1.5))}


@pytest.fixture
def gate(tmp_path):
    for name, given in GIVEN.items():
        rows = zip(range(150), np.arange(150) // 3, np.arange(150) // 50, TRUTH, given, strict=True)
        lines = [",".join(map(str, row)) for row in rows]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,user,lang,y_true,y_score", *lines]) + "\n")

    def make(**settings):
        written = "".join(f", {name}: {value}" for name, value in settings.items())
        path = tmp_path / "bayesf1.yaml"
        path.write_text(f"gates:\n  ranking: {{baseline: old.csv, candidate: new.csv, rope: 0.05{written}}}\n")
        (found,) = load_gates(path, tmp_path)
        return evaluate(found)

    return make


@pytest.mark.slow
def test_a_gate_compares_scores(gate):
    result = gate(measure="roc_auc", slices="[lang]")
    sides = [Scores.from_predictions(TRUTH, given) for given in GIVEN.values()]
    np.testing.assert_equal(result.overall.comparison.hdi, compare(*sides, measure="roc_auc", rope=0.05).hdi)
    assert result.verdict == "failed"
    assert [each.part for each in result.judgements] == ["", "lang=0", "lang=1", "lang=2"]


def test_units_of_scores(gate):
    assert gate(measure="average_precision", clusters="user").overall.comparison.clusters.n == (50, 50)


def test_at_a_threshold_every_class_can_be_judged(gate):
    result = gate(measure='"f1_macro@0.5"', per_class="true")
    assert [each.comparison.measure for each in result.judgements] == ["f1_macro@0.5", "f1[0]@0.5", "f1[1]@0.5"]


def test_scores_have_no_classes_to_judge(gate):
    result = gate(measure="roc_auc", per_class="true")
    assert len(result.judgements) == 1
    assert "class 0 could not be compared: measure: expected a measure of scores" in result.left_out[0]
