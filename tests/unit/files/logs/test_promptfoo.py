"""Logs of promptfoo, which it wrote itself: see tests/data/logs/make.py."""

import json

import pytest
import yaml

from pytest_bayesf1 import ConfusionMatrix, Scores
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.side import read_side
from tests.data.logs.questions import ANSWERS, QUESTIONS
from tests.unit.files.logs.logged import FOLDER, edited, reading

TEAMS = [team for _, team, _ in QUESTIONS]
CLASSES = {"y_true": "vars.team", "y_pred": "response.output"}


@pytest.mark.parametrize("system", ANSWERS)
def test_what_passed_is_compared(system):
    values = read_side(FOLDER / f"promptfoo-{system}.json", "candidate").counts()
    right = [answer == team for answer, team in zip(ANSWERS[system], TEAMS, strict=True)]
    assert values == Scores.from_values([int(each) for each in right])
    assert values.notes == ("candidate: 'success' of this log of promptfoo is compared.",)


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_classes_and_slices(tmp_path, form):
    document = json.loads((FOLDER / "promptfoo-second.json").read_text("utf-8"))
    path = tmp_path / f"a.{form}"
    path.write_text(json.dumps(document) if form == "json" else yaml.safe_dump(document), "utf-8")
    side = read_side(path, "candidate", reading(CLASSES, invalid="wrong"))
    assert side.counts() == ConfusionMatrix.from_predictions(TEAMS, ANSWERS["second"], invalid="wrong")
    assert list(side.slices("metadata.language")) == ["de", "en"]


def test_of_several_providers_one_is_chosen():
    path = FOLDER / "promptfoo-both.jsonl"
    with pytest.raises(
        InputError, match=r"rows of one 'provider.label', got 'first', 'second'. Choose: rows: \{provider"
    ):
        read_side(path, "candidate")
    values = read_side(path, "candidate", reading(rows={"provider.label": "second"})).counts()
    assert values == read_side(FOLDER / "promptfoo-second.json", "candidate").counts()
    with pytest.raises(InputError, match=r"a row whose 'provider.label' is 'third', got 'first', 'second'"):
        read_side(path, "candidate", reading(rows={"provider.label": "third"}))


def test_answers_that_are_objects_have_columns_and_errors_are_told(tmp_path):
    def structured(log):
        for result, team in zip(log["results"]["results"], ANSWERS["first"], strict=True):
            result |= {"response": {"output": {"team": team, "sure": True}}, "provider": "echo", "prompt": "plain"}
        log["results"]["results"][0]["failureReason"] = 2

    path = edited(FOLDER / "promptfoo-first.json", tmp_path, structured)
    side = read_side(path, "candidate", reading({**CLASSES, "y_pred": "response.output.team"}, {"provider.id": "echo"}))
    assert side.counts() == ConfusionMatrix.from_predictions(TEAMS, ANSWERS["first"])
    assert side.counts().notes == ("candidate: 1 error in this log of promptfoo, where there is no answer.",)


def test_what_is_wrong_is_told_by_its_place(tmp_path):
    def damaged(log):
        log["results"]["results"][1]["vars"] = 3

    with pytest.raises(InputError, match="record 2, vars: expected an object, got 3"):
        read_side(edited(FOLDER / "promptfoo-first.json", tmp_path, damaged), "candidate")
