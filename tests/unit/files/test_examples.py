import json

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.choices import Runs
from pytest_bayesf1.data.columns import AS_IT_IS, Schema
from pytest_bayesf1.files.side import read_side
from tests.unit.files.written import write

RECORD = {"id": "one", "gold": [[0, 5, "PER"], [9, 12, "LOC"]], "predicted": [[0, 5, "PER"]]}


class TestSpanFiles:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ('{"id": 2, "gold": []}', "y_pred: 1 of 3 is no list of spans (a missing value; "),
            ('{"gold": }', "line 2, column 10: Not JSON: Expecting value"),
            ("[1]", "line 2: expected a record, as the others are, got list"),
        ],
    )
    def test_what_is_wrong_is_told_by_its_line(self, tmp_path, line, expected):
        first = json.dumps(RECORD)
        (tmp_path / "a.jsonl").write_text(f"{first}\n{line}\n{first}\n")
        with pytest.raises(InputError) as caught:
            read_side(tmp_path / "a.jsonl", "baseline").counts()
        assert expected in str(caught.value)


SAMPLES = Schema(runs=Runs.SAMPLES)
ROWS = {"y_true": [0, 1, 1, 0], "y_pred": [0, 1, 0, 0]}


TRAININGS = {"id": [1, 2] * 3, "y_true": [0, 1] * 3, "y_pred": [0, 1, 0, 0, 1, 1]}
SCORES = {"y_score": [0.1, 0.2]}


class TestColumns:
    def test_runs_that_some_examples_lack_are_counted(self, tmp_path):
        rows = {"id": [1, 1, 1, 2], "y_true": [0, 0, 0, 1], "y_pred": [0, 1, 0, 1]}
        (note,) = read_side(write(tmp_path, "a.csv", rows), "baseline", SAMPLES).notes
        assert note.startswith("baseline: 2 runs of examples missing")

    @pytest.mark.parametrize(
        ("content", "reading", "expected"),
        [
            (ROWS, Schema(clusters="user"), "No column 'user' with the cluster of every example"),
            (ROWS, SAMPLES, "No column 'id' with the example of every prediction"),
            (TRAININGS, Schema(runs=Runs.SEEDS), "No column 'run' with the training that each prediction is of"),
            (SCORES, AS_IT_IS, "No column 'y_true' of the truth"),
            (SCORES | {"y_true": [0, 1], "y_score_1": [1, 2]}, AS_IT_IS, "expected either y_score or a column"),
        ],
    )
    def test_what_cannot_be_read(self, tmp_path, content, reading, expected):
        with pytest.raises(InputError, match=expected):
            read_side(write(tmp_path, "a.json", content), "baseline", reading).counts()
