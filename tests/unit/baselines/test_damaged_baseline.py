"""Whatever was not written as it stands is an error that tells where it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines.store import Baseline, from_text, to_text
from pytest_bayesf1.errors import BaselineError
from tests.unit.baselines.checksums import with_checksum

SIDE = ConfusionMatrix.from_predictions(["ham", "ham", "spam"], ["ham", "spam", "spam"], ids=["a", "b", "c"])
TEXT = to_text(Baseline("test_gate", SIDE))
LINES = TEXT.splitlines()
POSITIONS = st.integers(0, len(LINES) - 1)
RESTORE = "Restore the file from version control, or delete it and make it anew with --bayesf1-update=new."


def problem(text):
    with pytest.raises(BaselineError) as caught:
        from_text(text, "folder/test_gate.json")
    assert caught.value.where == "folder/test_gate.json"
    return caught.value


def joined(lines):
    return "\n".join([*lines, ""])


@given(POSITIONS)
def test_a_line_that_is_missing(position):
    problem(joined(LINES[:position] + LINES[position + 1 :]))


@given(POSITIONS)
def test_a_line_that_stands_twice(position):
    problem(joined([*LINES[:position], LINES[position], *LINES[position:]]))


@given(POSITIONS, POSITIONS)
def test_two_lines_that_changed_places(one, other):
    lines = list(LINES)
    lines[one], lines[other] = lines[other], lines[one]
    if lines != LINES:
        problem(joined(lines))


@given(POSITIONS, st.data())
def test_a_character_that_changed(number, data):
    line = LINES[number]
    position = data.draw(st.integers(0, len(line) - 1))
    character = data.draw(st.characters(exclude_characters=line[position] + " \t\r\n"))
    problem(joined([*LINES[:number], line[:position] + character + line[position + 1 :], *LINES[number + 1 :]]))


@given(st.integers(0, len(TEXT) - 2))
def test_a_file_that_was_cut_off(length):
    problem(TEXT[:length])


@pytest.mark.slow
@given(st.text())
def test_any_other_text(text):
    problem(text)


def test_text_that_is_cut_off_is_told_with_the_place():
    error = problem(TEXT[:-10])
    assert error.found.startswith("text that is damaged or cut off (Unterminated string starting at: line 17 column")
    assert error.advice == RESTORE


def test_an_edit_is_told():
    error = problem(TEXT.replace('["b", "ham", "spam"]', '["b", "ham", "ham"]'))
    assert (error.expected, error.found) == (
        "the content that was written",
        "another: it was edited, or merged from two",
    )
    assert error.advice == RESTORE


@pytest.mark.parametrize("text", ["[]", "1", '{"format": "another"}', "{}"])
def test_another_document(text):
    assert str(problem(text)) == (
        "folder/test_gate.json: expected a file of the format 'pytest-bayesf1 baseline', got something else. " + RESTORE
    )


def test_brackets_without_end():
    assert "recursion" in problem("[" * 100_000).found


def test_a_newer_version():
    assert str(problem(TEXT.replace('"version": 1', '"version": 2'))) == (
        "folder/test_gate.json: expected format version 1, got 2. Install the newer pytest-bayesf1 that wrote it."
    )


@pytest.mark.parametrize("version", ["0", "-1", "null", '"1"', "1.5"])
def test_a_version_that_never_was_is_an_edit(version):
    assert "it was edited" in problem(TEXT.replace('"version": 1', f'"version": {version}')).found


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_a_merge_conflict_has_a_message_of_its_own(style):
    base = ["||||||| 1234567", '"checksum": "older"'] if style == "diff3" else []
    conflict = ["<<<<<<< HEAD", LINES[-2], *base, "=======", '"checksum": "other"', ">>>>>>> branch"]
    error = problem(joined([*LINES[:-2], *conflict, LINES[-1]]))
    assert error.found == "an unresolved merge conflict"
    assert error.advice == "Keep the side of the branch that you merge into, then update the baseline."


def test_a_label_that_looks_like_a_conflict_is_none():
    side = ConfusionMatrix.from_predictions(["\u2028<<<<<<<", "b"], ["b", "b"])
    assert problem(to_text(Baseline("", side))[:-3]).found.startswith("text that is damaged")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"columns": ["id", "y_true", "y_pred"]', '"columns": ["id", "y_true"]'),
        ('"columns": ["id", "y_true", "y_pred"]', '"columns": ["id", "y_true", "y"]'),
        ('["b", "ham", "spam"]', '["b", "ham", 7]'),
        ('["b", "ham", "spam"]', '["a", "ham", "spam"]'),
        ('["b", "ham", "spam"]', '["b", "ham"]'),
        ('"labels": ["ham", "spam"]', '"labels": ["ham"]'),
        ('"kind": "one class per example"', '"kind": 1'),
    ],
)
def test_a_content_without_sense_is_an_error_too(old, new):
    body = TEXT.rpartition('"checksum": ')[0].replace(old, new)
    assert body.count(new) == 1
    text = with_checksum(body)
    json.loads(text)
    error = problem(text)
    assert error.found.startswith("something else (")
    assert error.advice == RESTORE


def test_the_check_of_that_test_is_the_packages_own():
    assert with_checksum(TEXT.rpartition('"checksum": ')[0]) == TEXT
