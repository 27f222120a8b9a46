"""Predictions are paired once, however many questions are asked of the pairs."""

import pytest

from pytest_bayesf1.baselines.regression import Promotion, difference_of_files, promote
from pytest_bayesf1.comparison import design as sides
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import matched
from pytest_bayesf1.gates.gate_file import load_gates
from tests.unit.baselines.runs import IDS, Y_PRED, Y_TRUE, predicted


@pytest.fixture
def pairings(monkeypatch):
    """Every pair of sides whose predictions are joined."""
    seen = []
    monkeypatch.setattr(sides, "matched", lambda *both: seen.append(both) or matched(*both))
    return seen


def test_a_comparison_takes_the_pairs_that_the_question_after_the_test_sets_has_made(pairings):
    both = Sides.aligned(predicted(), predicted(Y_TRUE))
    assert (both.difference_of_test_sets, len(pairings)) == ("", 1)
    assert run_comparison(both, rope=0.1, n_draws=1_000).model == "paired"
    assert len(pairings) == 1


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
def test_a_stored_baseline_is_paired_once(pairings, stored_predictions):
    assert stored_predictions.run(predicted(Y_TRUE)).model == "paired"
    assert len(pairings) == 1


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")  # few examples
def test_nothing_is_paired_twice_that_does_not_pair(pairings, stored_predictions):
    other_set = predicted(ids=[*IDS[:-1], 99])
    assert stored_predictions.run(other_set, on_new_test_set="independent").model == "independent"
    assert len(pairings) == 1


def test_gates_that_share_a_baseline_pair_it_once(pairings, tmp_path):
    for name, y_pred in (("old", Y_PRED), ("new", Y_TRUE)):
        rows = [f"{key},{true},{said}" for key, true, said in zip(IDS, Y_TRUE, y_pred, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred", *rows]) + "\n")
    one = "{baseline: old.csv, candidate: new.csv, measure: %s, rope: 0.1}"
    (tmp_path / "bayesf1.yaml").write_text(f"gates:\n  a: {one % 'accuracy'}\n  b: {one % 'f1_macro'}\n")
    assert promote(load_gates(tmp_path / "bayesf1.yaml", tmp_path)) is Promotion.REPLACED
    assert len(pairings) == 1


def test_a_diff_pairs_once(pairings, tmp_path):
    for name, y_pred in (("old", Y_PRED), ("new", Y_TRUE)):
        rows = [f"{true},{said}" for true, said in zip(Y_TRUE, y_pred, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["y_true,y_pred", *rows]) + "\n")
    assert difference_of_files(tmp_path / "old.csv", tmp_path / "new.csv").test_set == "the same"
    assert len(pairings) == 1


def test_the_examples_behind_a_verdict_are_those_that_were_paired(pairings):
    comparison = run_comparison(Sides.aligned(predicted(), predicted(Y_TRUE)), rope=0.1, n_draws=1_000)
    assert comparison.changes.examples
    assert len(pairings) == 1
