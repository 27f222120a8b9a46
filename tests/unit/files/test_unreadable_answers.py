"""Files with answers that could not be read."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.errors import UNREADABLE
from pytest_bayesf1.files.side import read_side, read_sides
from pytest_bayesf1.files.tables import Reading

WRONG = Reading("wrong")
NUMBERS = "y_true,y_pred,part\n0,0,x\n1,,x\n1, 1.0 ,x\n0,1,y\n1,n/a,y\n0,0,y\n1,nan,y\n"
TABLE = [[2, 1, 0], [0, 1, 3], [0, 0, 0]]


def written(path, content):
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def counts(path, reading=WRONG):
    return read_side(path, "baseline", reading).counts()


def test_text_is_as_the_truth(tmp_path):
    matrix = counts(written(tmp_path / "a.csv", NUMBERS))
    assert matrix.labels == (0, 1, UNREADABLE)
    assert matrix.counts.tolist() == TABLE


@pytest.mark.parametrize("kind", [int, str, bool])
def test_json(tmp_path, kind):
    truth = [kind(value) for value in (0, 1, 1, 0, 1, 0, 1)]
    said = [truth[0], None, truth[1], truth[1], "n/a", truth[0], float("nan")]
    matrix = counts(written(tmp_path / "a.json", {"y_true": truth, "y_pred": said}))
    assert matrix.counts.tolist() == TABLE


def test_spaces_around_answers_do_not_matter(tmp_path):
    matrix = counts(written(tmp_path / "a.json", {"y_true": ["a", "b"], "y_pred": [" a", "?"]}))
    assert matrix.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 0]]


def test_labels_that_the_file_names(tmp_path):
    content = {"y_true": ["a", "b"], "y_pred": ["c", "d"], "labels": ["a", "b", "c"]}
    matrix = counts(written(tmp_path / "a.json", content))
    assert matrix.labels == ("a", "b", "c", UNREADABLE)
    assert matrix.counts[:2, 2:].tolist() == [[1, 0], [0, 1]]


def test_arrays(tmp_path):
    np.savez(tmp_path / "a.npz", y_true=[0, 1, 1, 0], y_pred=[0, np.nan, 2, 0])
    assert counts(tmp_path / "a.npz").counts.tolist() == [[2, 0, 0], [0, 0, 2], [0, 0, 0]]


def test_a_slice_knows_the_classes_of_the_whole(tmp_path):
    """In part y the truth never has class 2, which is a class all the same."""
    text = "y_true,y_pred,part\n0,0,x\n1,1,x\n2,2,x\n0,2,y\n1,?,y\n"
    side = read_side(written(tmp_path / "a.csv", text), "baseline", WRONG)
    part = side.slices("part")["y"]
    assert part.with_classes_of(part).counts().cells() == {"y_true": [0, 1], "y_pred": [2, UNREADABLE], "count": [1, 1]}


def test_one_side_may_be_text(tmp_path):
    baseline = written(tmp_path / "a.json", {"y_true": [0, 1, 1], "y_pred": [0, None, 1]})
    candidate = written(tmp_path / "b.json", {"y_true": ["0", "1", "1"], "y_pred": ["?", "1", "1"]})
    first, second = (side.counts() for side in read_sides(baseline, candidate, {"baseline": WRONG, "candidate": WRONG}))
    assert first.labels == second.labels == ("0", "1", UNREADABLE)
    assert first.counts.tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]


def test_counts_have_none(tmp_path):
    assert counts(written(tmp_path / "a.json", [[3, 1], [0, 2]])).labels == (0, 1)


def test_the_truth_must_be_there(tmp_path):
    with pytest.raises(InputError, match=r"line 2, y_true: expected a value for every example, got an empty cell$"):
        counts(written(tmp_path / "a.csv", "y_true,y_pred\n,0\n1,1\n"))


def test_examples_with_several_labels_are_refused(tmp_path):
    with pytest.raises(InputError, match='one class per example and row, beside invalid="wrong"'):
        counts(written(tmp_path / "a.json", {"y_true": [["a"], []], "y_pred": [["a"], ["b"]]}))
