"""Files whose columns are scores, in every format."""

import json

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix, Scores
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.side import read_side, read_sides
from pytest_bayesf1.files.tables import Reading

TRUTH = [0, 1, 1, 0, 2]
BINARY = [0, 1, 1, 0, 1]
SCORE = [0.1, 1 / 3, 0.7000000000000001, 1e-300, -2.5]
MANY = np.array([[0.2, 0.3, 0.5], [1 / 3, 1 / 3, 1 / 3], [0, 0.1, 0.9], [1, 0, 0], [0.4, 0.4, 0.2]])
IDS = [5, 3, 4, 1, 2]


def csv(columns):
    rows = zip(*columns.values(), strict=True)
    return "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n"


def write(folder, name, columns):
    path = folder / name
    if name.endswith("npz"):
        np.savez(path, **columns)
    elif name.endswith("parquet"):
        pytest.importorskip("pyarrow")
        pandas = pytest.importorskip("pandas")
        pandas.DataFrame(columns).to_parquet(path)
    else:
        path.write_text(csv(columns) if name.endswith("csv") else json.dumps(columns))
    return path


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.yaml", "a.npz", "a.parquet"])
def test_scores_are_read_exactly(tmp_path, name):
    path = write(tmp_path, name, {"id": IDS, "y_true": BINARY, "y_score": SCORE})
    found = read_side(path, "baseline").counts()
    assert found == Scores.from_predictions(BINARY, SCORE)
    assert list(map(int, found.predictions.ids)) == IDS


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz"])
def test_every_class_has_a_column(tmp_path, name):
    columns = {f"y_score_{code}": MANY[:, code].tolist() for code in (2, 0, 1)}
    found = read_side(write(tmp_path, name, {"y_true": TRUTH, **columns}), "baseline").counts()
    assert found.labels == (2, 0, 1)
    np.testing.assert_array_equal(found.scores, MANY[:, [2, 0, 1]])


def test_a_column_of_one_of_two_classes_is_of_the_positive_one(tmp_path):
    truth = ["spam" if code else "ham" for code in BINARY]
    path = write(tmp_path, "a.csv", {"y_true": truth, "y_score_ham": SCORE})
    found = read_side(path, "baseline").counts()
    assert found == Scores.from_predictions(truth, SCORE, positive="ham")


def test_beside_predictions_a_score_is_any_column(tmp_path):
    path = write(tmp_path, "a.csv", {"y_true": BINARY, "y_pred": [1, 1, 1, 0, 0], "y_score": SCORE})
    assert isinstance(read_side(path, "baseline").counts(), ConfusionMatrix)


def test_slices_and_units_have_their_scores(tmp_path):
    columns = {"y_true": BINARY, "y_score": SCORE, "lang": list("ababa"), "doc": list("xxyyz")}
    side = read_side(write(tmp_path, "a.csv", columns), "baseline", Reading(clusters="doc"))
    assert side.counts().predictions.clusters.tolist() == list("xxyyz")
    part = side.slices("lang")["a"].counts()
    assert part.scores[:, 0].tolist() == [SCORE[0], SCORE[2], SCORE[4]]
    assert part.predictions.clusters.tolist() == ["x", "y", "z"]


def test_numbers_as_text_on_one_side_alone_become_text(tmp_path):
    first = write(tmp_path, "a.csv", {"id": list("abcde"), "y_true": BINARY, "y_score": SCORE})
    second = write(
        tmp_path, "b.json", {"id": list("abcde"), "y_true": [str(each) for each in BINARY], "y_score": SCORE}
    )
    assert [side.counts().labels for side in read_sides(first, second)] == [("0", "1")] * 2


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (
            {"y_true": [0, 1], "y_score": ["0.1", "high"]},
            r"baseline \(.*\): line 3, y_score: expected a number, got 'high'",
        ),
        ({"y_true": [0, 1], "y_score": ["0.1", ""]}, "line 3, y_score: expected a value for every example"),
        ({"y_true": [0, 1], "y_score": ["0.1", "inf"]}, r"y_score\[1\]: expected a finite number, got inf"),
        ({"y_score": [0.1, 0.2]}, "expected columns y_true and y_pred.*those of scores y_true and y_score"),
        ({"y_true": [0, 1], "y_score": [0.1, 0.2], "y_score_1": [1, 2]}, "expected either y_score or a column"),
        ({"y_true": ["a", "b"], "y_score": [0.1, 0.2]}, "positive: expected which of 'a' and 'b' y_score is about"),
        ({"y_true": [0, 1], "y_score_0": [0.1, 0.2], "y_score_1": [1, 2]}, "two probabilities that sum to 1"),
    ],
)
def test_what_cannot_be_used(tmp_path, columns, expected):
    with pytest.raises(InputError, match=expected):
        read_side(write(tmp_path, "a.csv", columns), "baseline").counts()


@pytest.mark.parametrize("reading", [Reading(invalid="wrong"), Reading(runs="samples")])
def test_what_is_about_predictions_is_refused(tmp_path, reading):
    path = write(tmp_path, "a.csv", {"id": IDS, "y_true": BINARY, "y_score": SCORE})
    with pytest.raises(InputError, match=r"expected predictions, which alone .* is about, got scores"):
        read_side(path, "baseline", reading)
