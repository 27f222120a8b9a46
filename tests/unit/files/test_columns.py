"""What a file calls its columns."""

import gzip
import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, Scores
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.side import read_side, read_sides
from pytest_bayesf1.files.tables import Reading, holds_predictions, renamed, require_known
from tests.unit.files.written import write

GOLD, OLD, NEW = ["ham", "ham", "spam", "spam"], ["ham", "spam", "spam", "spam"], ["ham", "ham", "ham", "spam"]
BOTH = {"doc": [3, 1, 2, 4], "gold": GOLD, "y_pred": OLD, "new": NEW}
NAMED = {"y_true": "gold", "id": "doc"}


def reading(columns, **others):
    return Reading(columns=tuple(columns.items()), **others)


def read(path, **columns):
    return read_side(path, "candidate", reading(columns)).counts()


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.json", "records.json", "a.yaml", "a.npz", "a.parquet"])
def test_one_file_holds_both_sides_in_every_format(tmp_path, name):
    path = write(tmp_path, name, BOTH)
    old, new = (read(path, y_pred=column, **NAMED) for column in ("y_pred", "new"))
    ids = BOTH["doc"]
    assert old == ConfusionMatrix.from_predictions(GOLD, OLD, ids=ids)
    assert new == ConfusionMatrix.from_predictions(GOLD, NEW, ids=ids)
    assert sorted(map(int, new.predictions.ids.tolist())) == [1, 2, 3, 4]


@pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
def test_tabs_alone_separate_cells_of_tsv(tmp_path, name):
    content = b"y_true\ty_pred\ta,b,c,d\nham\tspam\t1,2,3,4\nspam\tspam\t,,,,\n"
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    side = read_side(tmp_path / name, "candidate")
    assert side.counts() == ConfusionMatrix.from_predictions(["ham", "spam"], ["spam", "spam"])
    assert side.content.columns["a,b,c,d"] == ["1,2,3,4", ",,,,"]


def test_predictions_of_json_lines_are_told_by_their_lines(tmp_path):
    rows = [{"id": 1, "gold": "a", "pred": "a"}, {"id": 2, "gold": "b", "pred": None}]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(InputError, match=r"line 2, y_pred: expected a value for every example, got a missing value"):
        read(path, y_true="gold", y_pred="pred")
    rows[1]["pred"] = "a"
    path.write_text("\n".join(map(json.dumps, rows)))
    expected = ConfusionMatrix.from_predictions(["a", "b"], ["a", "a"], ids=[1, 2])
    assert read(path, y_true="gold", y_pred="pred") == expected


def test_the_file_s_own_names_stay_for_slices(tmp_path):
    side = read_side(write(tmp_path, "a.csv", BOTH), "candidate", reading({"y_pred": "new", **NAMED}))
    assert list(side.slices("gold")) == ["ham", "spam"]


def test_spans_may_have_other_names(tmp_path):
    records = {"text": [[[0, 4, "PER"]]], "found": [[[0, 4, "PER"]]]}
    path = write(tmp_path, "records.json", records)
    assert read(path, gold="text", predicted="found").n_samples == 1


def test_gold_and_predicted_may_be_classes(tmp_path):
    path = write(tmp_path, "records.json", {"gold": GOLD, "predicted": NEW})
    assert read(path, y_true="gold", y_pred="predicted") == ConfusionMatrix.from_predictions(GOLD, NEW)


def test_what_is_named_hides_what_else_would_be_compared(tmp_path):
    path = write(tmp_path, "a.csv", {"y_true": [0, 1], "y_pred": [0, 1], "old": [0.2, 0.9], "grade": [3, 4]})
    assert read(path, y_score="old") == Scores.from_predictions([0, 1], [0.2, 0.9])
    assert read(path, value="grade") == Scores.from_values([3, 4])


@pytest.mark.parametrize(
    ("name", "columns", "message"),
    [
        ("a.csv", {"y_true": "truth"}, "expected a column 'truth', which is y_true, got columns 'doc', 'gold', "),
        ("a.npz", {"y_true": "truth"}, "expected a column 'truth', which is y_true, got columns 'doc', 'gold', "),
        ("a.parquet", {"id": "truth"}, "expected a column 'truth', which is id, got columns 'doc', 'gold', "),
        ("a.yaml", {"y_score": "y_pred"}, "expected columns y_true and y_pred, or a matrix of counts, got columns"),
    ],
)
def test_names_that_a_file_does_not_have_are_told(tmp_path, name, columns, message):
    with pytest.raises(InputError, match=message):
        read(write(tmp_path, name, BOTH), **columns)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[[1, 0], [0, 1]]", "expected predictions, which alone have columns to name and rows to choose"),
        ("a.conll", "a O O\n", "expected a file whose columns have names, got CoNLL columns, which have none"),
    ],
)
def test_where_no_columns_have_names(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read(tmp_path / name, y_true="gold")


def test_names_by_which_columns_are_known():
    for name in ("y_true", "y_pred", "y_score", "y_score_ham", "value", "id", "run", "gold", "predicted"):
        assert require_known(name) == name
    with pytest.raises(InputError, match=r"got 'y_tru'\. Did you mean 'y_true'"):
        require_known("y_tru")


def test_numbers_need_no_truth():
    assert holds_predictions(["id", "value"])
    assert holds_predictions(["value", "y_true", "y_pred"])
    with pytest.raises(InputError, match="expected columns y_true and y_pred"):
        holds_predictions(["value", "y_pred"])
    assert renamed({"a": 1}, {}) == {"a": 1}


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz", "a.parquet"])
def test_a_number_per_example(tmp_path, name):
    values = read(write(tmp_path, name, {"id": [1, 2, 3], "value": [0.5, 1.0, 0.25]}))
    assert values == Scores.from_values([0.5, 1, 0.25])
    assert list(map(int, values.predictions.ids)) == [1, 2, 3]


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz"])
def test_right_is_1_and_wrong_is_0(tmp_path, name):
    assert read(write(tmp_path, name, {"value": [True, False]})) == Scores.from_values([1, 0])


def test_several_numbers_of_an_example_have_a_mean(tmp_path):
    path = write(tmp_path, "a.csv", {"id": ["a", "b", "a"], "value": [1, 0, 0.5], "user": ["x", "y", "x"]})
    side = read_side(path, "candidate", Reading(runs="samples", clusters="user"))
    np.testing.assert_allclose(np.sort(side.counts().scores[:, 0]), [0, 0.75])
    assert list(side.slices("user")) == ["x", "y"]
    with pytest.raises(InputError, match="expected each id once, got 1 duplicate id"):
        read(path)


@pytest.mark.parametrize("said", [{"invalid": "wrong"}, {"runs": "seeds"}])
def test_what_is_about_predictions_alone_is_refused_beside_numbers(tmp_path, said):
    path = write(tmp_path, "a.csv", {"id": ["a"], "value": [1], "run": [1]})
    with pytest.raises(InputError, match="expected predictions, which alone"):
        read_side(path, "candidate", Reading(**said))


def test_each_side_has_names_of_its_own(tmp_path):
    path = write(tmp_path, "a.csv", BOTH)
    shared = reading(NAMED)
    readings = {
        "baseline": shared.of_side({"y_pred": "y_pred"}, {}),
        "candidate": shared.of_side({"y_pred": "new"}, {}),
    }
    old, new = (side.counts() for side in read_sides(path, path, readings))
    assert old == ConfusionMatrix.from_predictions(GOLD, OLD)
    assert new == ConfusionMatrix.from_predictions(GOLD, NEW)
