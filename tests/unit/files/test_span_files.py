"""Spans in JSON: a document per record, or per line."""

import json

import pytest

from pytest_bayesf1 import InputError, SpanCounts
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import Reading

RECORDS = [
    {"id": "one", "gold": [[0, 5, "PER"], [9, 12, "LOC"]], "predicted": [[0, 5, "PER"]], "source": "web"},
    {"id": "two", "gold": [], "predicted": [[3, 7, "PER "]], "source": "news"},
]
EXPECTED = SpanCounts.from_spans(
    [[(0, 5, "PER"), (9, 12, "LOC")], []], [[(0, 5, "PER")], [(3, 7, "PER")]], documents=["one", "two"]
)


def written(folder, name, records):
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    (folder / name).write_text(lines if name.endswith(".jsonl") else json.dumps(records), encoding="utf-8")
    return read_side(folder / name, "baseline")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.yaml"])
def test_a_record_is_a_document(tmp_path, name):
    counts = written(tmp_path, name, RECORDS).counts()
    assert counts == EXPECTED
    assert counts.predictions.columns(counts.labels) == EXPECTED.predictions.columns(EXPECTED.labels)


def test_documents_may_be_sliced(tmp_path):
    slices = written(tmp_path, "a.jsonl", RECORDS).slices("source")
    assert list(slices) == ["news", "web"]
    assert slices["web"].counts().counts.tolist() == [[0, 0, 1], [1, 0, 0]]


def test_documents_may_be_drawn_together(tmp_path):
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    counts = read_side(tmp_path / "a.jsonl", "baseline", Reading(clusters="source")).counts()
    assert counts == EXPECTED
    assert counts.predictions.clusters.tolist() == ["web", "news"]
    assert counts.table.clusters.noun == "clusters of source"


def test_lines_may_hold_other_predictions_too(tmp_path):
    records = [{"y_true": "ham", "y_pred": "spam"}, {"y_true": "spam", "y_pred": "spam"}]
    assert written(tmp_path, "a.jsonl", records).counts() == written(tmp_path, "a.json", records).counts()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"id": 2, "gold": []}', "line 2, predicted: expected a collection of spans (start, end, type), got NoneType"),
        ('{"gold": [[1, 2]], "predicted": []}', "line 2, gold[0]: expected a span (start, end, type), got [1, 2]"),
        ('{"id": "two", "gold": [], "predicted": [[1, 2, null]]}', "predicted: expected a type for every example"),
        ('{"gold": }', "line 2: column 10: expected JSON, got Expecting value"),
        ('{"gold": [], "gold": []}', "line 2: expected each name once, got 'gold' 2 times"),
        ("", "line 2: column 1: expected JSON"),
        ("[1]", "line 2: expected a record, as the others are, got list"),
    ],
)
def test_what_is_wrong_is_told_by_its_line(tmp_path, line, expected):
    first, *_ = map(json.dumps, RECORDS)
    (tmp_path / "a.jsonl").write_text(f"{first}\n{line}\n{first}\n")
    with pytest.raises(InputError) as caught:
        read_side(tmp_path / "a.jsonl", "baseline").counts()
    assert expected in str(caught.value)
