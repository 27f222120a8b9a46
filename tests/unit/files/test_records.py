"""JSON of any shape: where its records are, and their fields by path."""

import json

import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.files.records import at
from pytest_bayesf1.files.side import read_side
from tests.unit.files.logged import reading

TRUE, SAID = ["ham", "spam", "ham", "spam"], ["ham", "spam", "spam", "spam"]
EXPECTED = ConfusionMatrix.from_predictions(TRUE, SAID)
PAIRS = list(zip(TRUE, SAID, strict=True))
NESTED = [{"expected": {"label": true}, "actual": {"label": said}} for true, said in PAIRS]
TABLE = {"columns": ["truth", "guess"], "data": [list(pair) for pair in PAIRS]}
EVENTS = [
    {"spec": {"eval_name": "spam"}},
    *({"type": "match", "data": {"expected": true, "picked": said}} for true, said in PAIRS),
    {"final_report": {"accuracy": 0.75}},
]


def read(tmp_path, document, true, said, rows=(), name="a.json"):
    path = tmp_path / name
    text = "\n".join(map(json.dumps, document)) if name.endswith("l") else json.dumps(document)
    path.write_text(text)
    return read_side(path, "candidate", reading({"y_true": true, "y_pred": said}, rows)).counts()


@pytest.mark.parametrize(
    ("document", "true", "said"),
    [
        (NESTED, "expected.label", "actual.label"),
        ({"run": "x", "results": NESTED}, "results.expected.label", "results.actual.label"),
        ({"a": {"b": NESTED}, "c": [{"d": 1}]}, "a.b.expected.label", "a.b.actual.label"),
        ({"suites": [{"cases": NESTED}]}, "suites.0.cases.expected.label", "suites.0.cases.actual.label"),
        ([{"x.y": true, "m": [{"v": said}]} for true, said in PAIRS], "x.y", "m.0.v"),
        ([{"a": {"x.y": true}, "b": [said]} for true, said in PAIRS], "a.x.y", "b.0"),
        ({"out": {"gold": TRUE, "pred": SAID}}, "out.gold", "out.pred"),
        (TABLE, "truth", "guess"),
        ({"_type": "table", "column_types": {}, **TABLE}, "truth", "guess"),
    ],
    ids=["records", "list", "deep list", "position", "dotted names", "list of one", "columns", "table", "W&B"],
)
def test_fields_have_paths(tmp_path, document, true, said):
    assert read(tmp_path, document, true, said) == EXPECTED


METRICS = [[{"name": "exact", "score": 1}, {"name": "fluent", "score": 0}], [{"name": "fluent", "score": 1}]]


@pytest.mark.parametrize("key", ["name", "key", "metric"])
def test_objects_with_names_are_found_by_these_wherever_they_are(tmp_path, key):
    metrics = [[{key: each["name"], "score": each["score"]} for each in row] for row in METRICS]
    metrics[1].append({key: "exact", "score": 0})
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"metrics": row} for row in metrics]))
    side = read_side(path, "candidate", reading({"value": "metrics.exact.score"}, better="higher")).counts()
    assert side.scores[:, 0].tolist() == [1, 0]
    with pytest.raises(InputError, match=r"No column 'metrics.0.score' .* 'metrics.exact.score', "):
        read_side(path, "candidate", reading({"value": "metrics.0.score"}, better="higher"))


def test_without_the_object_that_is_named_there_is_no_value(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"id": "q", "metrics": row} for row in METRICS]))
    with pytest.raises(InputError, match=r"value: 1 of 2 is no value .* first at row 2"):
        read_side(path, "candidate", reading({"value": "metrics.exact.score"}, better="higher")).counts()


def test_lines_of_other_kinds_are_left_out_by_rows(tmp_path):
    paths = "data.expected", "data.picked"
    assert read(tmp_path, EVENTS, *paths, {"type": "match"}, name="a.jsonl") == EXPECTED
    with pytest.raises(InputError, match=r"y_true: 2 of 6 are no class label .* first at line 1"):
        read(tmp_path, EVENTS, *paths, name="a.jsonl")


@pytest.mark.parametrize(
    ("document", "true", "said", "message"),
    [
        (
            {"results": NESTED},
            "expected.label",
            "actual.label",
            "No column 'expected.label' to take for y_true: found columns 'results.expected.label'",
        ),
        (
            {"a": NESTED, "b": NESTED},
            "a.expected.label",
            "b.actual.label",
            "'a.expected.label' is a field of the list 'a', and 'b.actual.label' is not. Name fields of one list",
        ),
        (
            {"cases": [{"m": [{"v": 1}]}]},
            "cases.m.v",
            "cases.m.w",
            "No column 'cases.m.v' to take for y_true: found columns 'cases.m.0.v'",
        ),
        (
            {"columns": ["a", "b"], "data": [[1]]},
            "a",
            "b",
            "data, row 1: expected 2 values, as there are columns, got 1",
        ),
        ({"columns": ["a", "a"], "data": [[1, 2]]}, "a", "b", "expected each name once, got 'a' 2 times"),
    ],
)
def test_what_is_not_there_is_an_error(tmp_path, document, true, said, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, document, true, said)


def test_a_document_that_is_no_log_lists_its_fields(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({"name": "x", "cases": [{"gold": "a", "m": [{"score": 1}]}]}))
    with pytest.raises(InputError, match=r"found columns 'name', 'cases.gold'"):
        read_side(tmp_path / "a.json", "candidate")


@pytest.mark.parametrize("orient", ["records", "split", "columns", "index", "table"])
@pytest.mark.parametrize("index", [range(4), ["q4", "q2", "q3", "q1"], [7, 3, 5, 9]])
def test_the_shapes_of_pandas(tmp_path, orient, index):
    frame = pd.DataFrame({"y_true": TRUE, "y_pred": SAID}, index=index)
    frame.to_json(tmp_path / "a.json", orient=orient)
    side = read_side(tmp_path / "a.json", "candidate").counts()
    assert side == EXPECTED
    if orient != "records" and index != range(4):
        assert side.questions.ids.astype(str).tolist() == [*map(str, index)]
    else:
        assert side.questions.ids is None


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.ndjson"])
def test_lines_and_documents_under_any_name(tmp_path, name):
    records = [{"y_true": true, "y_pred": said} for true, said in PAIRS]
    for text in ("\n".join(map(json.dumps, records)) + "\n", json.dumps(records, indent=1)):
        (tmp_path / name).write_text(text)
        assert read_side(tmp_path / name, "candidate").counts() == EXPECTED


def test_a_position_is_no_long_number():
    assert at([1], "9" * 5000) is None
