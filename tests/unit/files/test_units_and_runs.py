"""Files whose examples belong to clusters, or have several predictions."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.files.side import read_side, read_sides
from pytest_bayesf1.files.tables import AS_IT_IS, Reading
from pytest_bayesf1.settings import Runs

BY_DOC = Reading(clusters="doc")
BOTH_BY_DOC = {"baseline": BY_DOC, "candidate": BY_DOC}
SAMPLES = Reading(runs=Runs.SAMPLES)
ROWS = {"y_true": [0, 1, 1, 0], "y_pred": [0, 1, 0, 0], "doc": [7, 7, 8, 9], "lang": ["de", "en", "en", "de"]}
LONG = {
    "id": ["b", "a", "b", "a", "b"],
    "run": [1, 1, 2, 2, 3],
    "y_true": ["x", "y", "x", "y", "x"],
    "y_pred": ["x", "x", "y", "y", "x"],
}


def written(path, content):
    if path.suffix == ".csv":
        rows = zip(*content.values(), strict=True)
        path.write_text("\n".join(",".join(map(str, row)) for row in (content, *rows)) + "\n")
    else:
        path.write_text(json.dumps(content))
    return path


def counts(path, reading):
    return read_side(path, "baseline", reading).counts()


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_units_are_named_by_their_column(tmp_path, suffix):
    found = counts(written(tmp_path / f"a.{suffix}", ROWS), BY_DOC)
    expected = ConfusionMatrix.from_predictions(ROWS["y_true"], ROWS["y_pred"], clusters=ROWS["doc"])
    assert found == expected
    assert (found.table.clusters.n, found.table.clusters.noun) == (3, "clusters of doc")
    np.testing.assert_array_equal(found.table.clusters.cells.toarray(), expected.table.clusters.cells.toarray())


@pytest.mark.parametrize("suffix", ["csv", "json"])
def test_several_rows_of_an_example(tmp_path, suffix):
    found = counts(written(tmp_path / f"a.{suffix}", LONG), SAMPLES)
    assert found.n_samples == 2
    assert found.predictions.ids.tolist() == ["a", "b"]
    assert found.table.row_totals.tolist() == [1, 1]
    assert found.table.times_predicted.tolist() == pytest.approx([1 / 2 + 2 / 3, 1 / 2 + 1 / 3])


def test_without_being_told_so_they_are_an_error_with_both_answers(tmp_path):
    with pytest.raises(InputError, match=r"2 duplicate ids.*runs='samples' if .*, runs='seeds' if "):
        counts(written(tmp_path / "a.csv", LONG), AS_IT_IS)


def test_trainings_need_their_names(tmp_path):
    rows = {"id": [1, 2] * 3, "run": list("aabbcc"), "y_true": [0, 1] * 3, "y_pred": [0, 1, 0, 0, 1, 1]}
    found = counts(written(tmp_path / "a.csv", rows), Reading(runs=Runs.SEEDS))
    assert found.predictions.y_pred.tolist() == [[0, 0, 1], [1, 0, 1]]
    del rows["run"]
    with pytest.raises(InputError, match="a column 'run', which tells the training that each prediction is of"):
        counts(written(tmp_path / "b.csv", rows), Reading(runs=Runs.SEEDS))


def test_beside_trainings_a_file_with_one_row_per_example_is_of_one_classifier(tmp_path):
    rows = {"id": [1, 2], "y_true": [0, 1], "y_pred": [0, 1]}
    assert counts(written(tmp_path / "a.csv", rows), Reading(runs=Runs.SEEDS)).predictions.runs is None


@pytest.mark.parametrize(
    ("content", "reading", "expected"),
    [
        (ROWS, Reading(clusters="user"), "a column 'user', which tells the cluster of every example"),
        (ROWS, SAMPLES, "a column 'id', which tells the example of every prediction"),
        ([[3, 1], [1, 2]], BY_DOC, "predictions, which alone have clusters and runs"),
        ({**ROWS, "doc": [7, None, 8, 9]}, BY_DOC, "a value for every example"),
        ({"id": [1, 2], "y_true": [["a"], []], "y_pred": [["a"], []]}, SAMPLES, "one class per example and row"),
    ],
)
def test_what_cannot_be_read(tmp_path, content, reading, expected):
    with pytest.raises(InputError) as caught:
        counts(written(tmp_path / "a.json", content), reading)
    assert expected in caught.value.expected


def test_labels_of_examples_in_units(tmp_path):
    content = {"y_true": [["a"], [], ["b"]], "y_pred": [["a"], ["b"], ["b"]], "doc": [1, 1, 2]}
    assert counts(written(tmp_path / "a.json", content), BY_DOC).table.clusters.n == 2


def test_units_pair_up_where_one_file_knows_text_only(tmp_path):
    paths = written(tmp_path / "a.csv", ROWS), written(tmp_path / "b.json", ROWS)
    assert Sides(*(side.counts() for side in read_sides(*paths, BOTH_BY_DOC))).joint.clusters.n == 3
    other = written(tmp_path / "c.json", {**ROWS, "doc": [7, 8, 8, 9]})
    with pytest.raises(InputError, match=r"candidate.clusters: .* 1 example in another, first at position 1"):
        Sides(*(side.counts() for side in read_sides(paths[0], other, BOTH_BY_DOC))).paired  # noqa: B018


def test_units_are_cut_by_the_slice(tmp_path):
    """Document 7 has an example in each language: it is a cluster of both."""
    parts = read_side(written(tmp_path / "a.csv", ROWS), "baseline", BY_DOC).slices("lang")
    assert {name: part.content.columns["doc"].tolist() for name, part in parts.items()} == {
        "de": ["7", "9"],
        "en": ["7", "8"],
    }
    assert parts["en"].with_classes_of(parts["de"]).counts().table.clusters.n == 2
