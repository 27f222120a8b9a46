"""Logs of lm-evaluation-harness, which it wrote itself: see tests/data/logs/make.py."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, Scores
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.side import read_side
from tests.unit.files.logs.logged import FOLDER, edited_lines, reading

TEAMS, SUMS = FOLDER / "lm-eval-teams.jsonl", FOLDER / "lm-eval-sums.jsonl"
CLASSES = {"y_true": "target", "y_pred": "answer"}
LINES = [json.loads(line) for line in TEAMS.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("metric", ["acc", "acc_norm"])
def test_a_metric_that_is_named_is_compared(metric):
    values = read_side(TEAMS, "candidate", reading({"value": metric})).counts()
    assert values == Scores.from_values([line[metric] for line in LINES])
    assert values.predictions.ids.tolist() == [0, 1, 2, 3, 4, 5]


def test_of_several_metrics_one_is_to_be_named():
    with pytest.raises(
        InputError, match=r"got several: acc, acc_norm. Say which: columns: \{value: acc\} in a gate file"
    ):
        read_side(TEAMS, "candidate")


def test_the_likeliest_choice_is_the_answer():
    """The harness itself says so: it gives an answer 1 where it is the target."""
    counts = read_side(TEAMS, "candidate", reading(CLASSES)).counts()
    likeliest = [np.argmax([float(each) for each, _ in line["filtered_resps"]]) for line in LINES]
    truth = [line["doc"]["team"] for line in LINES]
    assert counts == ConfusionMatrix.from_predictions(list(map(str, truth)), list(map(str, likeliest)))
    assert counts.counts.trace() == sum(line["acc"] for line in LINES)


def test_each_filter_reads_the_answers_otherwise():
    with pytest.raises(
        InputError, match=r"expected rows of one 'filter', got 'flexible', 'strict-match'. Choose: rows"
    ):
        read_side(SUMS, "candidate")
    with pytest.raises(InputError, match=r"got others only \('\[invalid\]'\)"):
        read_side(SUMS, "candidate", reading(CLASSES, {"filter": "strict-match"})).counts()
    values = read_side(SUMS, "candidate", reading(rows={"filter": "flexible"})).counts()
    assert values == Scores.from_values([0] * 6)
    assert values.notes == ("candidate: 'exact_match' of this log of lm-evaluation-harness is compared.",)


def test_older_versions_list_no_metrics(tmp_path):
    def older(line):
        del line["metrics"], line["acc_norm"]

    values = read_side(edited_lines(TEAMS, tmp_path, older), "candidate").counts()
    assert values == Scores.from_values([line["acc"] for line in LINES])


@pytest.mark.parametrize("responses", [[], [3], [["x", "y"], ["z"]], [[], []]])
def test_answers_that_are_neither_text_nor_choices(tmp_path, responses):
    def other(line):
        line["filtered_resps"] = responses

    path = edited_lines(TEAMS, tmp_path, other)
    with pytest.raises(InputError, match="line 1, y_pred: expected a value for every example, got a missing value"):
        read_side(path, "candidate", reading(CLASSES)).counts()


def test_what_is_wrong_is_told_by_its_line(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in [*LINES[:2], {**LINES[2], "filtered_resps": 3}]))
    with pytest.raises(InputError, match="line 3, filtered_resps: expected a list, got 3"):
        read_side(path, "candidate")
