"""Documents of JSON, lines of it, and the fields of its records by path."""

import json

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.files.records import at
from pytest_bayesf1.files.side import read_side
from tests.unit.files.logged import reading

TRUE, SAID = ["ham", "spam", "ham", "spam"], ["ham", "spam", "spam", "spam"]
EXPECTED = ConfusionMatrix.from_predictions(TRUE, SAID)
PAIRS = list(zip(TRUE, SAID, strict=True))
NESTED = [{"expected": {"label": true}, "actual": {"label": said}} for true, said in PAIRS]


def read(tmp_path, document, true, said):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    return read_side(path, "candidate", reading({"y_true": true, "y_pred": said})).counts()


@pytest.mark.parametrize(
    ("document", "true", "said"),
    [(NESTED, "expected.label", "actual.label"), ({"steps": [1, 2], "gold": TRUE, "pred": SAID}, "gold", "pred")],
    ids=["records", "columns"],
)
def test_fields_have_paths(tmp_path, document, true, said):
    assert read(tmp_path, document, true, said) == EXPECTED


@pytest.mark.parametrize(
    ("path", "value"),
    [("a.b", 1), ("a.b.c", 3), ("c.d.e", 4), ("c.d", {"e": 4}), ("a", {"b": 2, "x": 5}), ("a.x", 5), ("a.y", None)],
)
def test_a_path_is_followed_wherever_names_have_dots(path, value):
    assert at({"a": {"b": 2, "x": 5}, "a.b": 1, "a.b.c": 3, "c": {}, "c.d": {"e": 4}}, path) == value


COLUMNS = {"y_true": TRUE, "y_pred": SAID}


@pytest.mark.parametrize(
    ("document", "named", "message"),
    [
        ({"results": NESTED}, "results.actual.label", "No column .* found column 'results'"),
        ([{"m": [{"v": said}]} for said in SAID], "m.0.v", "No column 'm.0.v' .* found column 'm'"),
        ({"out": COLUMNS}, "out.y_pred", "No column 'out.y_pred' .* found column 'out'"),
        ({"columns": [*COLUMNS], "data": [list(pair) for pair in PAIRS]}, "", "nor y_score .* found column 'columns'"),
        ({name: dict(enumerate(values)) for name, values in COLUMNS.items()}, "", "y_true: 1 of 1 is no class label"),
        ({str(row): {"y_true": true, "y_pred": said} for row, (true, said) in enumerate(PAIRS)}, "", "nor y_score"),
    ],
    ids=["list inside", "list in a record", "columns inside", "split", "by column", "by row"],
)
def test_a_document_of_another_shape_is_refused(tmp_path, document, named, message):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match=message):
        read_side(path, "candidate", reading({"y_pred": named} if named else ())).counts()


def test_the_suffix_tells_lines_from_a_document(tmp_path):
    records = [{"y_true": true, "y_pred": said} for true, said in PAIRS]
    lines, document = "\n".join(map(json.dumps, records)) + "\n", json.dumps(records, indent=1)
    for name, text, other in (("a.json", document, lines), ("a.jsonl", lines, document), ("a.NDJSON", lines, document)):
        (tmp_path / name).write_text(text)
        assert read_side(tmp_path / name, "candidate").counts() == EXPECTED
        (tmp_path / name).write_text(other)
        with pytest.raises(InputError, match="Not JSON"):
            read_side(tmp_path / name, "candidate")
