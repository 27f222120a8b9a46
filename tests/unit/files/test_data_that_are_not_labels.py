"""Columns of scores, and labels that differ in spelling, in files of every format."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, compare
from pytest_bayesf1.comparison.result import run_estimate
from pytest_bayesf1.files.side import read_side, read_sides
from tests.unit.files.written import WRITERS, write, write_csv

RNG = np.random.default_rng(11)
TRUTH = RNG.integers(0, 2, 300)
SCORES = RNG.random(300).round(3)
NO_PROBABILITIES = "Pass labels, not probabilities."


def counts(path):
    return read_side(path, "candidate").counts()


def text_of(values):
    return [str(value) for value in values.tolist()]


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("is_text", [False, True], ids=["numbers", "text"])
def test_probabilities_are_refused_in_every_format(tmp_path, name, is_text):
    y_true, y_pred = (text_of(TRUTH), text_of(SCORES)) if is_text else (TRUTH.tolist(), SCORES.tolist())
    with pytest.raises(InputError, match=rf"y_pred: expected class labels, .*{NO_PROBABILITIES}"):
        counts(write(tmp_path, name, {"y_true": y_true, "y_pred": y_pred}))


@pytest.mark.parametrize("delimiter", ",;\t")
def test_probabilities_are_refused_whatever_separates_them(tmp_path, delimiter):
    write_csv(tmp_path / "a.csv", {"y_true": TRUTH.tolist(), "y_pred": SCORES.tolist()}, delimiter)
    with pytest.raises(InputError, match=NO_PROBABILITIES):
        counts(tmp_path / "a.csv")


def test_a_crosstab_of_probabilities_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("truth,0.0,0.25,0.5,0.75,1\n0,5,1,1,1,0\n1,0,3,1,1,7\n")
    with pytest.raises(InputError, match=rf"header: .*{NO_PROBABILITIES}"):
        counts(tmp_path / "a.csv")


@pytest.mark.parametrize("name", WRITERS)
def test_another_vocabulary_is_refused_in_every_format(tmp_path, name):
    with pytest.raises(InputError, match=r"y_pred: expected some of the labels that y_true has \('ham', 'spam'\)"):
        counts(write(tmp_path, name, {"y_true": ["ham", "spam"], "y_pred": ["yes", "no"]}))


@pytest.mark.parametrize("name", WRITERS)
def test_a_stray_answer_is_a_label_in_every_format(tmp_path, name):
    columns = {"y_true": ["ham", "spam", "ham"], "y_pred": ["ham", "spam", "N/A"]}
    assert counts(write(tmp_path, name, columns)) == ConfusionMatrix.from_predictions(**columns)


@pytest.mark.parametrize("name", WRITERS)
def test_spellings_that_are_the_same_label_in_every_format(tmp_path, name):
    y_true, y_pred = ["caf\u00e9", "1", "2.0", "N/A"], [" cafe\u0301", "1.0", " 2", "N/A "]
    expected = ConfusionMatrix.from_predictions(*[["caf\u00e9", "1", "2", "N/A"]] * 2)
    assert counts(write(tmp_path, name, {"y_true": y_true, "y_pred": y_pred})) == expected


@pytest.mark.parametrize("name", ["a.json", "records.json", "a.yaml", "a.parquet"])
def test_spellings_that_are_the_same_label_among_several(tmp_path, name):
    columns = {"y_true": [["art", "1"], []], "y_pred": [["art ", "1.0"], []]}
    expected = MultilabelCounts.from_predictions(*[[{"art", "1"}, set()]] * 2)
    assert counts(write(tmp_path, name, columns)) == expected


def test_labels_beside_predictions_are_tidied_too(tmp_path):
    columns = {"y_true": ["ham", "spam"], "y_pred": ["ham ", "ham"], "labels": [" spam", "ham"]}
    assert counts(write(tmp_path, "a.json", columns)).labels == ("spam", "ham")


@pytest.mark.parametrize("name", WRITERS)
def test_spellings_that_a_person_has_to_look_at(tmp_path, name):
    with pytest.raises(InputError, match="y_pred: expected labels that are spelt as in y_true, got 'Ham' beside 'ham'"):
        counts(write(tmp_path, name, {"y_true": ["ham", "spam"], "y_pred": ["Ham", "spam"]}))


@pytest.mark.parametrize("written", [["1.0", "0.0"], ["1", " 0"], ["+1", "0."], ["1.00e+00", "0e0"]], ids=str)
def test_two_files_that_write_numbers_in_two_ways_are_about_the_same_classes(tmp_path, written):
    y_true, y_pred = ["1", "0"] * 50, ["1", "0"] * 49 + ["0", "0"]
    other = [dict(zip("10", written, strict=True))[label] for label in y_pred]
    write_csv(tmp_path / "a.csv", {"y_true": y_true, "y_pred": y_pred})
    write_csv(tmp_path / "b.csv", {"y_true": [written[0], written[1]] * 50, "y_pred": other})
    result = compare(
        *(side.counts() for side in read_sides(tmp_path / "a.csv", tmp_path / "b.csv")), measure="f1", rope=0.1
    )
    assert result.labels == (0, 1)
    assert result.decision == "~"
    assert result.headline.startswith("The two are practically equivalent: F1 of 1 ")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.json", "a.yaml"])
def test_wide_text_is_named(tmp_path, encoding, name):
    text = "y_true,y_pred\na,b\n" if name.startswith("a.csv") else json.dumps({"y_true": ["a"], "y_pred": ["b"]})
    content = text.encode(encoding)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    found = encoding[:6].upper()
    with pytest.raises(InputError, match=f"expected text in UTF-8, got {found}. Save the file as UTF-8."):
        counts(tmp_path / name)


def test_spaces_in_a_header_and_a_byte_order_mark(tmp_path):
    (tmp_path / "a.csv").write_text('\ufeff"y_true", y_pred ,id\n1, 0,7\n0, 0,8\n', encoding="utf-8")
    matrix = counts(tmp_path / "a.csv")
    assert matrix == ConfusionMatrix.from_predictions([1, 0], [0, 0])
    assert matrix.predictions.ids.tolist() == ["7", "8"]


@pytest.mark.parametrize("cell", ["  ", " nan", "NaN "])
def test_a_cell_of_spaces_is_empty(tmp_path, cell):
    (tmp_path / "a.csv").write_text(f"y_true,y_pred\na,b\nb,{cell}\n")
    with pytest.raises(InputError, match=r"line 3, y_pred: .*every example, got (NaN|an empty cell)"):
        counts(tmp_path / "a.csv")


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "y_true,y_pred,y_pred \na,b,a\n", "header: expected each name once, got 'y_pred' 2 times"),
        ("a.json", '{"y_true": ["a"], "y_pred": ["b"], "y_pred": ["a"]}', "each name once, got 'y_pred' 2 times"),
        ("a.yaml", "y_true: [a]\ny_pred: [b]\ny_pred: [a]\n", "line 3: expected each name once, got 'y_pred' again"),
        ("a.yml", "- {y_true: a, y_true: b, y_pred: b}\n", "line 1: expected each name once, got 'y_true' again"),
    ],
)
def test_a_column_that_stands_there_twice(tmp_path, name, text, told):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        counts(tmp_path / name)
    assert told in str(caught.value)


def test_a_column_of_text_in_parquet_that_holds_scores(tmp_path):
    table = pa.table({"y_true": text_of(TRUTH), "y_pred": pa.array(text_of(SCORES)).dictionary_encode()})
    parquet.write_table(table, tmp_path / "a.parquet")
    with pytest.raises(InputError, match=NO_PROBABILITIES):
        counts(tmp_path / "a.parquet")


def test_spaces_are_told_in_the_notes_of_the_result(tmp_path):
    columns = {"y_true": ["1", "0"] * 50, "y_pred": ["1", "0"] * 50}
    spaced = {**columns, "y_pred": [" 1", "0"] * 49 + ["1 ", "0"]}
    baseline, candidate = read_sides(write(tmp_path, "a.csv", columns), write(tmp_path, "a.json", spaced))
    told = "candidate: spaces at the ends of 50 labels were left out."
    for model in ("paired", "independent"):
        assert told in compare(baseline.counts(), candidate.counts(), rope=0.1, model=model).notes()
    assert told in run_estimate(candidate.counts(), 0.9).notes()
    assert not compare(baseline.counts(), baseline.counts(), rope=0.1).notes()
