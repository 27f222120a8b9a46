import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.formats import document_content
from pytest_bayesf1.files.tables import Matrix, Table

COLUMNS = {"y_true": ["a", "b"], "y_pred": ["a", "a"]}


def test_columns():
    table = document_content({**COLUMNS, "labels": ["b", "a"]})
    assert isinstance(table, Table)
    assert (table.columns, table.labels) == (COLUMNS, ["b", "a"])


def test_records_may_lack_values():
    table = document_content([{"y_true": "a", "y_pred": "a", "id": 1}, {"y_true": "b", "y_pred": "a"}])
    assert isinstance(table, Table)
    assert table.columns == {**COLUMNS, "id": [1, None]}


@pytest.mark.parametrize("document", [[[3, 1], [0, 4]], {"counts": [[3, 1], [0, 4]]}])
def test_counts(document):
    matrix = document_content(document)
    assert isinstance(matrix, Matrix)
    assert (matrix.counts, matrix.labels) == ([[3, 1], [0, 4]], None)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "got nothing"),
        ("text", "a list of records, a mapping of columns or a matrix of counts, got str"),
        ([{"y_true": 1, "y_pred": 1}, 7], "row 2: expected a record, as the others are, got int"),
        ({"y_true": [1]}, "columns y_true and y_pred, or a matrix of counts, got column 'y_true'"),
        ([{"truth": 1}], "got column 'truth'"),
        ({}, "got no columns"),
    ],
)
def test_anything_else_is_refused(document, message):
    with pytest.raises(InputError, match=message):
        document_content(document)
