"""What is read of CSV files, line by line; damaged ones are in `test_file_errors.py`."""

import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.formats import read_csv
from pytest_bayesf1.files.tables import Matrix, Table


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_predictions_keep_their_lines(separator):
    text = 'id,y_true,y_pred\n1,a,"b\nc"\n2,b,b\n'.replace(",", separator)
    table = read_csv(text.splitlines(keepends=True))
    assert isinstance(table, Table)
    assert table.columns == {"id": ["1", "2"], "y_true": ["a", "b"], "y_pred": ["b\nc", "b"]}
    assert [table.place(row) for row in range(2)] == ["line 2", "line 4"]


def test_more_rows_than_are_read_at_once_and_more_texts_than_are_remembered():
    n = 12_345
    table = read_csv(["id,y_true,y_pred\n", *(f"{row},{row % 2},1\n" for row in range(n))])
    assert table.columns["id"] == [str(row) for row in range(n)]
    assert table.columns["y_true"] == ["0", "1"] * (n // 2) + ["0"]
    assert [table.place(row) for row in (0, 299, 300, n - 1)] == ["line 2", "line 301", "line 302", f"line {n + 1}"]


def test_a_separator_in_quotes_is_none():
    table = read_csv(['"a,b,c";y_true;y_pred\n', "1;0;0\n"])
    assert isinstance(table, Table)
    assert list(table.columns) == ["a,b,c", "y_true", "y_pred"]


def test_a_matrix_with_and_without_names():
    bare, named = read_csv(["5,1\n", "0,4\n"]), read_csv(["true,ham,spam\n", "ham,5,1\n", "spam,0,4\n"])
    assert isinstance(bare, Matrix)
    assert isinstance(named, Matrix)
    assert (bare.counts, bare.labels) == ([[5, 1], [0, 4]], None)
    assert (named.counts.tolist(), named.labels) == ([[5, 1], [0, 4]], ("ham", "spam"))


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "an empty file"),
        (["y_true,y_pred\n", "a\n"], "line 2: expected 2 cells, as in the first row, got 1"),
        (["y_true,y_pred\n", "\n", "a,b\n"], "line 2: expected a row, got a blank line"),
        (["5,1\n", "0,\n"], "line 2, column 2: expected a count, got an empty cell"),
        (["x,ham,spam\n", "a,5,1\n", "b,0,4\n"], "first column: expected true classes"),
    ],
)
def test_where_it_goes_wrong(lines, message):
    with pytest.raises(InputError, match=message):
        read_csv(lines)
