"""Three prompts of an LLM that sorts tickets: single runs point both ways, and five together cannot tell."""

import csv
from pathlib import Path

import pytest
from sklearn.metrics import f1_score

from pytest_bayesf1 import ConfusionMatrix, assert_at_least, assert_better, assert_not_worse, compare

PROMPTS = Path(__file__).parent / "prompts"


@pytest.fixture
def answers():
    """Read the rows of a prompt, or of one of its runs."""

    def read(prompt, run=None):
        with (PROMPTS / f"{prompt}.csv").open(newline="") as file:
            return [row for row in csv.DictReader(file) if run in (None, int(row["run"]))]

    return read


@pytest.fixture
def side(answers):
    """Count them; what is empty could not be read."""

    def count(prompt, run=None):
        rows = answers(prompt, run)
        truth, said, ids, runs = ([row[name] or None for row in rows] for name in ("y_true", "y_pred", "id", "run"))
        if run is not None:
            return ConfusionMatrix.from_predictions(truth, said, ids=ids, invalid="wrong")
        return ConfusionMatrix.from_predictions(truth, said, ids=ids, runs="samples", run_ids=runs, invalid="wrong")

    return count


def test_single_runs_point_both_ways(side):
    """By the luck of the run, the new prompt scores three points less or four points more."""
    runs = [compare(side("P0_baseline", run), side("P1_role", run), rope=0.02) for run in range(1, 6)]
    changes = [run.candidate.observed - run.baseline.observed for run in runs]
    assert min(changes) < -0.02
    assert max(changes) > 0.04
    assert {run.decision for run in runs} == {"?"}


def test_five_runs_have_one_answer(side):
    comparison = assert_not_worse(side("P0_baseline"), side("P1_role"), rope=0.02)
    assert comparison.decision == "?"
    assert comparison.clusters is not None
    assert comparison.clusters.runs == (5, 5)
    assert comparison.notes()[0] == "2 of 120 answers of the baseline are no class; counted as wrong."


def test_structured_output_is_better(side):
    assert_better(side("P0_baseline"), side("P2_json"), rope=0.02)


def test_nearly_all_answers_can_be_read(side):
    assert_at_least(side("P2_json"), 0.98, measure="answered")


def test_an_unreadable_answer_is_no_category(side, answers):
    """As a label of its own it would be averaged in, with an F1 of 0: a fifth of the score would be lost."""
    rows = answers("P0_baseline", 1)
    truth, said = ([row[name] or "INVALID" for row in rows] for name in ("y_true", "y_pred"))
    with_a_label = f1_score(truth, said, average="macro")
    of_categories = f1_score(truth, said, average="macro", labels=sorted(set(truth)))
    estimate = assert_at_least(side("P0_baseline", 1), 0.3)
    assert estimate.score.observed == pytest.approx(of_categories)
    assert with_a_label == pytest.approx(of_categories * 4 / 5)
