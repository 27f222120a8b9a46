"""The rows of one side."""

import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import Reading, Table, selected
from tests.unit.files.written import write

LONG = {
    "system": ["old", "new", "old", "new"],
    "version": [1, 2, 1, 2],
    "id": [1, 1, 2, 2],
    "y_true": ["a", "a", "b", "b"],
    "y_pred": ["a", "b", "a", "b"],
}


def read(path, rows):
    return read_side(path, "candidate", Reading(rows=tuple(rows.items())))


@pytest.mark.parametrize("name", ["a.csv", "a.json", "records.json", "a.npz", "a.parquet"])
@pytest.mark.parametrize("rows", [{"system": "new"}, {"version": "2"}, {"version": "2", "system": "new"}])
def test_a_file_of_several_systems(tmp_path, name, rows):
    expected = ConfusionMatrix.from_predictions(["a", "b"], ["b", "b"], ids=[1, 2])
    assert read(write(tmp_path, name, LONG), rows).counts() == expected


def test_lines_stay_those_of_the_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("system,y_true,y_pred\nold,a,a\nnew,a,\n")
    with pytest.raises(InputError, match="line 3, y_pred"):
        read(path, {"system": "new"})


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({"sistem": "new"}, "rows: expected a column 'sistem', got columns 'system', 'version', "),
        ({"system": "newer"}, "rows: expected a row whose 'system' is 'newer', got 'new', 'old'"),
        ({"system": "new", "version": "1"}, "a row in which 'system' is 'new' and 'version' is '1', got none"),
    ],
)
def test_rows_that_are_not_there(tmp_path, rows, message):
    with pytest.raises(InputError, match=message):
        read(write(tmp_path, "a.csv", LONG), rows)


def test_rows_of_one_system_where_the_file_tells_which():
    table = Table(LONG, one_each=("system",))
    advice = r"Choose: rows: \{system: old\} in a gate file, --rows 'system=old'"
    with pytest.raises(InputError, match=rf"expected rows of one 'system', got 'new', 'old'. {advice}"):
        selected(table, {})
    assert selected(table, {"system": "new"}).columns["y_pred"] == ["b", "b"]
    whole = Table(LONG)
    assert selected(whole, {}) is whole


def test_columns_that_are_none_are_refused():
    with pytest.raises(InputError, match="labels: expected a value for every example, got int"):
        selected(Table({**LONG, "labels": 3}), {"system": "new"})
