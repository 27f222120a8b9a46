"""Logs of inspect_ai, which it wrote itself: see tests/data/logs/make.py."""

import gzip
import json
import zipfile

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.errors import UNREADABLE, InputError
from pytest_bayesf1.files import tables as archives
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import Reading
from tests.data.logs.questions import ANSWERS, QUESTIONS
from tests.unit.files.logs.logged import FOLDER, edited, reading

TEAMS = [team for _, team, _ in QUESTIONS]
FIRST, CHOICE = FOLDER / "inspect-first.json", FOLDER / "inspect-choice.eval"
CLASSES = {"y_true": "target", "y_pred": "scores.match.answer"}
CLASSES_OF_CHOICE = {"y_true": "target", "y_pred": "scores.choice.answer"}


def test_the_grades_of_all_epochs_have_a_mean():
    side = read_side(FOLDER / "inspect-second.json", "candidate", Reading(runs="samples"))
    values = side.counts()
    by_id = dict(zip(values.predictions.ids.tolist(), values.scores[:, 0].tolist(), strict=True))
    assert by_id == {"q1": 0.5, "q2": 0, "q3": 0.5, "q4": 0, "q5": 1, "q6": 0}
    assert values.notes == ("candidate: 'scores.match.value' of this log of inspect_ai is compared.",)


def test_epochs_are_not_examples_of_their_own():
    with pytest.raises(InputError, match=r"expected each id once, got 6 duplicate ids .* runs='samples'"):
        read_side(FIRST, "candidate").counts()


def test_classes_and_answers_that_could_not_be_read():
    side = read_side(FOLDER / "inspect-second.json", "candidate", reading(CLASSES, runs="samples", invalid="wrong"))
    counts = side.counts()
    assert counts.labels == ("billing", "returns", "shipping", UNREADABLE)
    assert counts.predictions.n_runs == 2
    assert counts.counts[:, -1].sum() == pytest.approx(1)  # "I cannot tell", in one of two epochs of two questions
    assert list(side.slices("metadata.language")) == ["de", "en"]


def test_an_archive_tells_grades_and_letters():
    values = read_side(CHOICE, "candidate").counts()
    right = [answer == team for answer, team in zip(ANSWERS["second"], TEAMS, strict=True)]
    np.testing.assert_array_equal(values.scores[:, 0], right)
    letters = dict(zip(sorted(set(TEAMS)), "ABC", strict=True))
    answers = [letters.get(answer) for answer in ANSWERS["second"]]
    expected = ConfusionMatrix.from_predictions([letters[team] for team in TEAMS], answers, invalid="wrong")
    assert read_side(CHOICE, "candidate", reading(CLASSES_OF_CHOICE, invalid="wrong")).counts() == expected


def test_without_zstandard_the_error_says_what_to_install(monkeypatch):
    def refused(path):
        raise NotImplementedError

    monkeypatch.setattr("pytest_bayesf1.files.eval_logs.open_zip", refused)
    with pytest.raises(InputError, match=r"pip install pytest-bayesf1\[inspect\]; or write the log as JSON"):
        read_side(CHOICE, "candidate")


def archive(path, compression=zipfile.ZIP_DEFLATED, **members):
    with zipfile.ZipFile(path, "w", compression) as target:
        for name, content in members.items():
            target.writestr(f"{name}.json", content)
    return path


def test_archives_of_older_versions_are_deflated(tmp_path):
    samples = [{"id": number, "epoch": 1, "scores": {"a": {"value": "P"}}} for number in (1, 2)]
    path = archive(tmp_path / "a.eval", header=json.dumps({"status": "success"}), summaries=json.dumps(samples))
    assert read_side(path, "candidate").counts().scores.tolist() == [[0.5], [0.5]]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "expected a log of a run that has finished, with header.json, got none. Finish it"),
        ({"header": '{"status": "started"}', "summaries": "[]"}, "status: expected a run that has finished, 'success'"),
        (
            {"header": '{"status": "success"}', "summaries": "[]"},
            "expected answers in this log of inspect_ai, got none",
        ),
        ({"header": "{", "summaries": "[]"}, "expected a log of inspect_ai, got a damaged file or another format"),
        ({"header": '{"status": 1, "status": 2}', "summaries": "[]"}, "expected each name once, got 'status' 2 times"),
        ({"header": "{}", "summaries": "[]"}, "status: expected a value, got {}"),
    ],
)
def test_archives_that_cannot_be_used(tmp_path, members, message):
    with pytest.raises(InputError, match=message):
        read_side(archive(tmp_path / "a.eval", **members), "candidate")


def test_what_is_no_archive(tmp_path):
    (tmp_path / "a.eval").write_bytes(gzip.compress(b"nothing"))
    with pytest.raises(InputError, match="expected a log of inspect_ai, got a damaged file or another format"):
        read_side(tmp_path / "a.eval", "candidate")


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 1_000)
    path = archive(tmp_path / "a.eval", header='{"status": "success"}', summaries=" " * 10_000 + "[]")
    with pytest.raises(InputError, match=r"summaries.json: expected at most 1,000 bytes once unpacked"):
        read_side(path, "candidate")


def test_of_several_scorers_one_is_to_be_named(tmp_path):
    def with_another(log):
        for sample in log["samples"]:
            sample["scores"]["judge"] = {"value": {"kind": 3, "short": 1}, "answer": None}

    path = edited(FIRST, tmp_path, with_another)
    with pytest.raises(InputError, match=r"got several: scores.match.value, scores.judge.value.kind, scores.judge.val"):
        read_side(path, "candidate", Reading(runs="samples"))
    grades = reading({"value": "scores.judge.value.kind"}, runs="samples")
    assert read_side(path, "candidate", grades).counts().scores.tolist() == [[3]] * 6


def test_samples_without_a_grade_are_told(tmp_path):
    def without(log):
        log["samples"][3]["scores"] = None

    with pytest.raises(InputError, match="row 4, value: expected a value for every example, got a missing value"):
        read_side(edited(FIRST, tmp_path, without), "candidate", Reading(runs="samples"))


def test_of_a_sample_that_was_tried_again_the_last_counts_and_ids_are_alike(tmp_path):
    def again(log):
        log["samples"] = [
            {"id": 1, "epoch": 1, "target": ["a", "b"], "scores": {"s": {"value": each}}} for each in "IC"
        ]
        log["samples"].append({"id": "x", "epoch": 1, "target": ["a"], "scores": {"s": {"value": "N"}}})

    side = read_side(edited(FIRST, tmp_path, again), "candidate")
    assert side.counts().scores.tolist() == [[1], [0]]
    assert side.content.columns["id"].tolist() == ["1", "x"]
    assert side.content.columns["target"] == [["a", "b"], "a"]


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (
            "error",
            "status: expected a run that has finished, 'success', got 'error'. Finish it: inspect eval-retry LOG.",
        ),
        ("success", "expected answers in this log of inspect_ai, got none"),
    ],
)
def test_a_log_without_samples(tmp_path, status, message):
    def without(log):
        del log["samples"]
        log["status"] = status

    with pytest.raises(InputError, match=message):
        read_side(edited(FIRST, tmp_path, without), "candidate")


def test_a_log_of_another_shape_is_told_by_its_place(tmp_path):
    def damaged(log):
        log["samples"][1]["scores"]["match"] = 3

    with pytest.raises(InputError, match=r"record 2, scores.match: expected an object, got 3"):
        read_side(edited(FIRST, tmp_path, damaged), "candidate")
