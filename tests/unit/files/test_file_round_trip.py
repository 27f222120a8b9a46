"""The same predictions are the same in every format."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.comparison.design import design_comparison
from pytest_bayesf1.data.labels import tidy
from pytest_bayesf1.files.side import read_side, read_sides
from tests.unit.files.written import WRITERS, write, write_csv

IDS = list(range(101, 113))
TRUTH = [0, 1, 2] * 4
BASELINE, CANDIDATE = [0, 1, 2, 0, 1, 1, 0, 0, 2, 2, 1, 2], [2, 1, 0, 0, 1, 2, 0, 1, 2, 0, 1, 10]
KINDS = {
    "integers": int,
    "names": lambda code: f"näme, {code}",
    "digits of text": lambda code: f"{code:02d}",
}


def columns_of(codes, order, kind):
    ids, truth, predicted = ([column[row] for row in order] for column in (IDS, TRUTH, codes))
    return {"id": ids, "y_true": list(map(kind, truth)), "y_pred": list(map(kind, predicted))}


def paired_cells(baseline, candidate):
    design = design_comparison(baseline, candidate, "paired")
    (table,) = design.experiment.tables
    cells = zip(table.true.tolist(), *table.predicted.tolist(), strict=True)
    return design.labels, dict(zip(cells, table.count.tolist(), strict=True))


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("other_name", ["a.csv", "a.json", "a.npz", "a.parquet"])
def test_any_two_formats_make_the_same_pairs(tmp_path, name, other_name, kind):
    order = np.random.default_rng(0).permutation(len(IDS)).tolist()
    baseline, candidate = columns_of(BASELINE, range(len(IDS)), kind), columns_of(CANDIDATE, order, kind)
    (tmp_path / "candidate").mkdir()
    sides = read_sides(write(tmp_path, name, baseline), write(tmp_path / "candidate", other_name, candidate))
    expected = [
        ConfusionMatrix.from_predictions(columns["y_true"], columns["y_pred"], ids=columns["id"])
        for columns in (baseline, candidate)
    ]
    read = [side.counts() for side in sides]
    assert read == expected
    assert paired_cells(*read) == paired_cells(*expected)


ODD_PARTS = [
    ",",
    ";",
    "\t",
    '"',
    "'",
    "\n",
    "\r",
    "\r\n",
    "\u200f",
    "\u2028",
    "\x85",
    "\ufeff",
    " ",
    "é",
    "e\u0301",
    "0",
]
ODD_LABELS = st.lists(st.sampled_from(ODD_PARTS) | st.characters(codec="utf-8", exclude_characters="\0")).map("".join)
LABELS = (ODD_LABELS | st.integers(-20, 20).map(str)).filter(lambda label: label.strip() not in {"", "nan", "NaN"})


def is_whole(text):
    return text.lstrip("-").isascii() and text.lstrip("-").isdigit() and str(int(text)) == text and len(text) < 19


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(LABELS, min_size=2, max_size=5, unique_by=tidy), st.lists(LABELS, min_size=5, max_size=5), st.data())
def test_any_labels_and_values_survive_csv(labels, extra, data):
    rest = data.draw(st.lists(st.sampled_from(labels), min_size=5 - len(labels), max_size=5 - len(labels)))
    y_true, y_pred = labels + rest, data.draw(st.permutations(labels + rest))
    delimiter = data.draw(st.sampled_from(",;\t"))
    columns = {"y_true": y_true, "y_pred": y_pred, "id": [f"{label} {row}" for row, label in enumerate(y_true)]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        write_csv(path, {**columns, "extra": extra}, delimiter)
        side = read_side(path, "baseline")
    matrix = side.counts()
    kind = int if all(map(is_whole, map(tidy, labels))) else str
    assert matrix == ConfusionMatrix.from_predictions(*([kind(tidy(label)) for label in y] for y in (y_true, y_pred)))
    assert matrix.predictions.ids.tolist() == columns["id"]
    assert [type(label) for label in matrix.labels] == [kind] * len(labels)
    assert side.content.columns["extra"] == extra


@settings(deadline=None)
@given(st.lists(LABELS, min_size=2, max_size=4, unique_by=tidy), st.data())
def test_any_labels_of_a_matrix_survive_csv(labels, data):
    sizes = st.lists(st.integers(1, 10**6), min_size=len(labels), max_size=len(labels))
    counts = data.draw(st.lists(sizes, min_size=len(labels), max_size=len(labels)).filter(has_no_totals))
    columns = {"": labels} | {
        label: list(cells) for label, cells in zip(labels, zip(*counts, strict=True), strict=True)
    }
    with tempfile.TemporaryDirectory() as folder:
        write_csv(Path(folder) / "a.csv", columns)
        matrix = read_side(Path(folder) / "a.csv", "baseline").counts()
    assert list(map(str, matrix.labels)) == list(map(tidy, labels))
    assert matrix.counts.tolist() == counts


def has_no_totals(counts):
    array = np.array(counts)
    return not (array[-1, :-1] == array[:-1, :-1].sum(axis=0)).all()


@pytest.mark.slow
def test_a_large_file_is_read_in_pieces(tmp_path):
    n_samples = 25_001
    y_true, y_pred = ([f"class {(row * step) % 7}" for row in range(n_samples)] for step in (1, 3))
    path = write(tmp_path, "a.csv", {"text": ["a\nb"] * n_samples, "y_true": y_true, "y_pred": y_pred})
    side = read_side(path, "baseline")
    matrix = side.counts()
    expected = Counter(zip(y_true, y_pred, strict=True))
    assert {
        (matrix.labels[row], matrix.labels[column]): matrix.counts[row, column]
        for row, column in np.argwhere(matrix.counts)
    } == expected
    assert side.content.place(n_samples - 1) == f"line {2 * n_samples}"
