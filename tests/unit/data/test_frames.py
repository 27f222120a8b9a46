import gzip
import re
import sys
from datetime import date

import duckdb
import ibis
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, compare
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data import frames
from pytest_bayesf1.data.frames import FileTables, LazyTable
from pytest_bayesf1.data.paired import align
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.results.schema import UNREADABLE
from tests.unit.data.table_engines import ENGINES, LAZY, written_csv, written_parquet

MONTHS = {
    "y_true": ["ham", "ham", "spam", "spam", "eggs", "ham", "spam", "spam"],
    "y_pred": ["ham", "spam", "spam", "ham", "ham", "ham", "ham", "spam"],
    "new": ["ham", "ham", "spam", "spam", "eggs", "spam", "spam", "spam"],
    "month": [3, 1, 1, 1, 3, None, None, 3],
}

ANSWERS = {
    "id": [1, 2, 3, 4, 5, 6],
    "y_true": [0, 1, 1, 0, 2, 2],
    "y_pred": [0, None, 1, 1, 2, 7],
    "part": ["x", "x", "x", "y", "y", "y"],
}


class TestFromFrames:
    def test_each_slice_has_the_classes_that_occur_in_it(self):
        slices = ConfusionMatrix.from_frame(pl.DataFrame(MONTHS), by="month")
        labels = {month: matrix.labels for month, matrix in slices.items()}
        assert labels == {1: ("ham", "spam"), 3: ("eggs", "ham", "spam"), None: ("ham", "spam")}
        assert slices[1].counts.tolist() == [[0, 1], [1, 1]]
        assert slices[3].counts.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 1]]

    @pytest.mark.parametrize("engine", [pl.DataFrame, pd.DataFrame])
    def test_slices_come_in_order_and_rows_without_a_value_last(self, engine):
        assert list(ConfusionMatrix.from_frame(engine(MONTHS), by="month")) == [1, 3, None]

    def test_named_classes_are_those_of_every_slice(self):
        named = ["spam", "eggs", "ham"]
        sides = {"baseline": "y_pred", "candidate": "new"}
        slices = PairedCounts.from_frame(pl.DataFrame(MONTHS), **sides, by="month", labels=named)
        assert [pairs.labels for pairs in slices.values()] == [tuple(named)] * 3
        assert sum(pairs.n_samples for pairs in slices.values()) == 8

    def test_a_slice_of_one_class_is_named(self):
        table = {"y_true": ["a", "a", "b"], "y_pred": ["a", "b", "b"], "part": ["x", "y", "z"]}
        with pytest.raises(InputError, match=r"^by: Slices with one class only: 'x', 'z'\."):
            ConfusionMatrix.from_frame(pl.DataFrame(table), by="part")
        named = ConfusionMatrix.from_frame(pl.DataFrame(table), by="part", labels=["a", "b"])
        assert named["x"].counts.tolist() == [[1, 0], [0, 0]]

    def test_labels_that_the_caller_did_not_name(self):
        with pytest.raises(InputError, match="y_true: Not listed: 'eggs'"):
            ConfusionMatrix.from_frame(pl.DataFrame(MONTHS), labels=["ham", "spam"])

    @pytest.mark.parametrize("engine", [pl.DataFrame, pd.DataFrame, pa.table])
    def test_answers_that_could_not_be_read(self, engine):
        table = engine(ANSWERS)
        matrix = ConfusionMatrix.from_frame(table, invalid="wrong")
        assert matrix.labels == (0, 1, 2, UNREADABLE)
        assert matrix.counts.tolist() == [[1, 1, 0, 0], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 0, 0]]
        pairs = PairedCounts.from_frame(table, baseline="y_true", candidate="y_pred", invalid="wrong")
        assert pairs.candidate == matrix
        joined = PairedCounts.from_frames(engine({**ANSWERS, "y_pred": ANSWERS["y_true"]}), table, invalid="wrong")
        assert joined.candidate == matrix
        assert joined.baseline.counts.tolist() == [[2, 0, 0, 0], [0, 2, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]

    def test_of_every_slice_they_are_the_last_class(self):
        """What the whole truth has can be read in every slice."""
        slices = ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), by="part", invalid="wrong")
        assert slices["x"].labels == (0, 1, UNREADABLE)
        assert slices["y"].labels == (0, 1, 2, UNREADABLE)
        assert slices["y"].counts.tolist() == [[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]]

    def test_text_answers_are_read_as_the_truth_is(self, tmp_path):
        (tmp_path / "a.csv").write_text("y_true,y_pred\n0,0\n1, 1.0\n1, \n0,n/a\n1,\n")
        matrix = ConfusionMatrix.from_frame(tmp_path / "a.csv", invalid="wrong")
        assert matrix.labels == (0, 1, UNREADABLE)
        assert matrix.counts.tolist() == [[1, 0, 1], [0, 1, 2], [0, 0, 0]]

    @pytest.mark.parametrize("by", [None, "part"])
    def test_missing_ones_are_errors_that_say_how_to_allow_them(self, by):
        with pytest.raises(InputError, match=r"^frame: .*label: 1 without 'y_pred'.* invalid=\"wrong\""):
            ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), by=by)
        with pytest.raises(InputError, match="label: 1 without 'y_pred'"):
            ConfusionMatrix.from_frame(pl.DataFrame(ANSWERS), y_true="y_pred", y_pred="y_true", by=by, invalid="wrong")
        with pytest.raises(InputError, match=r'ids without y_pred in candidate: 1 \(2\).* invalid="wrong"'):
            PairedCounts.from_frames(pl.DataFrame({**ANSWERS, "y_pred": ANSWERS["y_true"]}), pl.DataFrame(ANSWERS))


def same(counts, others):
    assert counts.labels == others.labels
    assert [type(label) for label in counts.labels] == [type(label) for label in others.labels]
    for part in ("true", "predicted", "count"):
        assert getattr(counts.table, part).tolist() == getattr(others.table, part).tolist()


def of_language(columns, language):
    at = [row for row, value in enumerate(columns["language"]) if value == language]
    return {name: [values[row] for row in at] for name, values in columns.items()}


def pairs(frame, **options):
    return PairedCounts.from_frame(frame, y_true="truth", baseline="old", candidate="new", **options)


REFUSED = {
    "no number": ({"y_true": [1.0, 2.0, None], "y_pred": [1, 2, 2]}, "label: 1 without 'y_true'"),
    "NaN": ({"y_true": [1.0, 2.0, float("nan")], "y_pred": [1, 2, 2]}, "label: 1 without 'y_true'"),
    "scores": (
        {"y_true": [1, 2, 1, 2], "y_pred": [0.3, 0.3, float("inf"), 1.0]},
        r"label: 3 with a fraction in 'y_pred'.*scores",
    ),
    "dates": ({"y_true": [date(2026, 1, 1)] * 2, "y_pred": ["a", "b"]}, "column 'y_true': .* got type (Date|Object)"),
    "no column": ({"y_true": ["a"], "guess": ["b"]}, r"No column 'y_pred'\. Found columns 'y_true', 'guess'"),
    "kinds": ({"y_true": [1, 2], "y_pred": ["1", "2"]}, "y_pred: expected integers, as in y_true, got strings"),
    "vocabulary": ({"y_true": [1, 2], "y_pred": [3, 4]}, "y_pred: None of these labels"),
    "spelling": ({"y_true": ["ham", "spam"], "y_pred": ["Ham", "spam"]}, "y_pred: Labels .* y_true: 'Ham' and 'ham'"),
    "one class": ({"y_true": ["a", "a"], "y_pred": ["a", "a"]}, "y_true and y_pred have only one class, 'a'"),
}


class TestGroupBy:
    def test_both_sides(self, engine, columns):
        expected = PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"])
        same(pairs(engine(columns)), expected)
        chosen = ["spam", "none", "ham", "eggs"]
        assert pairs(engine(columns), labels=chosen).labels == tuple(chosen)

    def test_one_side(self, engine, columns):
        matrix = ConfusionMatrix.from_frame(engine(columns), y_true="truth", y_pred="old")
        assert matrix == ConfusionMatrix.from_predictions(columns["truth"], columns["old"])
        assert (matrix.labels_from, matrix.predictions) == ("data", None)
        own = ConfusionMatrix.from_frame(engine(columns), y_true="truth", y_pred="old", labels=["spam", "ham", "eggs"])
        assert own.labels_from == "caller"

    def test_slices(self, engine, columns):
        slices = pairs(engine(columns), by="language")
        matrices = ConfusionMatrix.from_frame(engine(columns), y_true="truth", y_pred="old", by="language")
        assert list(slices) == list(matrices) == ["en", "fi"]
        for language, counts in slices.items():
            own = of_language(columns, language)
            same(counts, PairedCounts.from_predictions(own["truth"], own["old"], own["new"]))
            assert matrices[language] == ConfusionMatrix.from_predictions(own["truth"], own["old"])

    @pytest.mark.slow
    def test_a_comparison_is_the_same_whatever_the_engine(self, engine, columns):
        expected = compare(PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"]), rope=0.01)
        result = compare(pairs(engine(columns)), rope=0.01)
        assert result.model == "paired"
        assert result.delta.tolist() == expected.delta.tolist()

    @pytest.mark.parametrize(
        ("truth", "guess"),
        [
            ([True, False, True], [True, True, False]),
            ([3, -7, 10], [3, 10, 10]),
            (["b", "é", "10"], ["b", "10", "10"]),
            ([1.0, 2.0, 1.0], [2, 2, 1]),
        ],
        ids=["booleans", "integers", "strings", "whole floats"],
    )
    def test_labels_of_every_kind(self, engine, truth, guess):
        matrix = ConfusionMatrix.from_frame(engine({"y_true": truth, "y_pred": guess}))
        same(matrix, ConfusionMatrix.from_predictions(truth, guess))

    @pytest.mark.parametrize(
        "frame",
        [
            pd.DataFrame({"y_true": pd.Categorical([7, 9, 7]), "y_pred": [7, 9, 9]}),
            pd.DataFrame({"y_true": [7.0, 9.0, 7.0], "y_pred": pd.array([7, 9, 9], dtype="Int8")}),
            pa.table({"y_true": pa.array([7, 9, 7], pa.uint64()), "y_pred": pa.array([7, 9, 9]).dictionary_encode()}),
        ],
        ids=["categories", "floats and nullables", "unsigned and dictionaries"],
    )
    def test_integers_in_disguise(self, frame):
        same(ConfusionMatrix.from_frame(frame), ConfusionMatrix.from_predictions([7, 9, 7], [7, 9, 9]))

    def test_strings_in_disguise(self):
        frame = pl.DataFrame({"y_true": ["b", "a", "b"], "y_pred": ["b", "b", "b"]})
        frame = frame.cast({"y_true": pl.Categorical, "y_pred": pl.Enum(["c", "b"])})
        same(ConfusionMatrix.from_frame(frame), ConfusionMatrix.from_predictions(["b", "a", "b"], ["b", "b", "b"]))

    def test_one_column_may_serve_twice(self, engine, columns):
        used = {"y_true": "truth", "baseline": "truth", "candidate": "new", "by": "truth"}
        perfect = PairedCounts.from_frame(engine(columns), **used, labels=["eggs", "ham", "spam"])
        assert list(perfect) == ["eggs", "ham", "spam"]
        assert perfect["ham"].baseline.counts.tolist() == [[0, 0, 0], [0, columns["truth"].count("ham"), 0], [0, 0, 0]]

    @pytest.mark.parametrize(("columns", "message"), REFUSED.values(), ids=REFUSED)
    def test_what_is_refused(self, engine, columns, message):
        with pytest.raises(InputError, match=message):
            ConfusionMatrix.from_frame(engine(columns))

    @pytest.mark.slow
    def test_rows_without_a_label_are_counted(self, engine):
        table = {"truth": ["a", None, "b", "b"], "old": ["a", "a", None, None], "new": ["a", "b", None, "b"]}
        with pytest.raises(InputError, match=r"^frame: .*label: 1 without 'truth', 2 without 'old', 1 without 'new'"):
            pairs(engine(table))

    def test_a_column_of_python_objects_is_refused_for_true_would_equal_1(self):
        with pytest.raises(InputError, match="'y_true': expected strings, integers or booleans, got type Object"):
            ConfusionMatrix.from_frame(pd.DataFrame({"y_true": [True, 1, "a"], "y_pred": ["a", "b", "a"]}))

    def test_an_empty_table(self, engine):
        empty = {name: pa.array([], pa.string()) for name in ("y_true", "y_pred")}
        frame = pa.table(empty).to_pandas() if engine is pd.DataFrame else engine(empty)
        with pytest.raises(InputError, match="frame: The table has no rows"):
            ConfusionMatrix.from_frame(frame)
        with pytest.raises(InputError, match=r"No column 'y_true'\. It has no columns"):
            ConfusionMatrix.from_frame(pl.DataFrame())

    @pytest.mark.parametrize("value", [None, [["a", "b"]], {"y_true": ["a"]}, pd.Series(["a"]), 3, b"a.csv"], ids=repr)
    def test_what_is_no_table(self, value):
        with pytest.raises(
            InputError, match=rf"^frame: expected a data frame \(pandas, .* got {type(value).__name__}$"
        ):
            ConfusionMatrix.from_frame(value)

    def test_more_outcomes_than_labels_make(self, engine, monkeypatch):
        monkeypatch.setattr(frames, "MOST_ROWS", 9)
        numbers = list(range(9))
        assert ConfusionMatrix.from_frame(engine({"y_true": numbers, "y_pred": numbers})).n_samples == 9
        with pytest.raises(InputError, match="more than 9 different outcomes"):
            ConfusionMatrix.from_frame(engine({"y_true": [*numbers, 9], "y_pred": [*numbers, 9]}))


RANDOM = np.random.default_rng(13)
TRUTH = [str(label) for label in RANDOM.integers(0, 2, 300)]
SCORES = [str(score) for score in RANDOM.random(300).round(3)]
NO_PROBABILITIES = "Pass labels, not probabilities."


def packed(path, content):
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


@pytest.mark.parametrize("engine", [pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table])
@pytest.mark.parametrize("name", ["n", "Freq", "COUNT(*)"])
def test_pairs_with_their_numbers_are_no_examples(engine, name):
    """A GROUP BY, of which each row counted as one example, made .99 and .49 equivalent."""
    labels = {"y_true": ["a", "a", "b", "b"], "y_pred": ["a", "b", "a", "b"]}
    pairs: dict[str, list[str] | list[int]] = {**labels, name: [900, 10, 7, 800]}
    with pytest.raises(InputError, match=f"Are these counts.* column '{re.escape(name)}'.* pass them to from_cells"):
        ConfusionMatrix.from_frame(engine(pairs))
    again = {column: [*values, values[0]] for column, values in pairs.items()}
    assert ConfusionMatrix.from_frame(engine(again)).n_samples == 5


class TestDataThatAreNotLabels:
    def test_probabilities_in_text_are_refused(self, engine):
        table = {"id": list(range(300)), "y_true": TRUTH, "y_pred": TRUTH, "score": SCORES}
        with pytest.raises(InputError, match=f"y_pred: .*{NO_PROBABILITIES}"):
            ConfusionMatrix.from_frame(engine(table), y_pred="score")
        with pytest.raises(InputError, match=f"candidate: .*{NO_PROBABILITIES}"):
            PairedCounts.from_frame(engine(table), baseline="y_pred", candidate="score")
        with pytest.raises(InputError, match=f"candidate: .*{NO_PROBABILITIES}"):
            PairedCounts.from_frames(engine(table), engine({**table, "y_pred": SCORES}))

    def test_examples_are_weighed_not_outcomes(self, engine):
        table = {"y_true": ["0", "1"] * 100, "y_pred": ["0.5"] * 150 + ["0", "1"] * 25}
        with pytest.raises(InputError, match=NO_PROBABILITIES):
            ConfusionMatrix.from_frame(engine(table))
        rare = {**table, "y_pred": ["0.5"] * 2 + ["0", "1"] * 99}
        assert ConfusionMatrix.from_frame(engine(rare)).labels == ("0", "0.5", "1")

    def test_labels_that_the_caller_lists_are_read_alike(self, engine):
        table = {"y_true": ["3.0", "3.1"], "y_pred": ["3.1", "3.1"]}
        assert ConfusionMatrix.from_frame(engine(table), labels=["3.1", "3.0"]).labels == ("3.1", "3")

    def test_truths_that_are_spelt_apart_are_the_same_in_a_join(self, engine):
        baseline = {"id": [1, 2, 3], "y_true": ["1", "0", "1"], "y_pred": ["1", "0", "0"]}
        candidate = {"id": [3, 2, 1], "y_true": ["1.0", " 0", "+1"], "y_pred": ["1.0", "0", "1"]}
        pairs = PairedCounts.from_frames(engine(baseline), engine(candidate))
        same(pairs, PairedCounts.from_predictions(["1", "0", "1"], ["1", "0", "0"], ["1", "0", "1"]))
        with pytest.raises(InputError, match=r"each once: ids with another y_true in candidate: 1 \(2\)"):
            PairedCounts.from_frames(engine(baseline), engine({**candidate, "y_true": ["1.0", "2", "+1"]}))

    def test_cells_of_spaces_are_missing(self, tmp_path):
        (tmp_path / "a.csv").write_text("y_true,y_pred\na,b\nb,  \na, nan\n")
        with pytest.raises(
            InputError, match="label: 1 without 'y_pred', 1 with a word for a missing value in 'y_pred'"
        ):
            ConfusionMatrix.from_frame(tmp_path / "a.csv")

    @pytest.mark.parametrize("header", ["y_true,y_pred,y_pred", '\ufeff"y_pred";y_true;"y_pred"'])
    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "*.csv"])
    def test_a_header_with_a_name_twice(self, tmp_path, header, name):
        separator = ";" if ";" in header else ","
        content = "\n".join([header, *[separator.join("aba"), separator.join("bab")] * 3]).encode()
        path = tmp_path / name.replace("*", "b")
        packed(path, content)
        (tmp_path / "a.other").write_text("")
        with pytest.raises(InputError, match="frame: The column 'y_pred' is there twice in") as caught:
            ConfusionMatrix.from_frame(tmp_path / name)
        assert str(path) in caught.value.found

    def test_parquet_with_a_name_twice(self, tmp_path):
        columns = [pa.array(["a", "b"])] * 3
        parquet.write_table(pa.Table.from_arrays(columns, names=["y_true", "y_pred", "y_pred"]), tmp_path / "a.parquet")
        with pytest.raises(InputError, match="frame: The column 'y_pred' is there twice"):
            ConfusionMatrix.from_frame(tmp_path / "a.parquet")
        names = ["y_true", "y_pred", "y_pred_1"]
        parquet.write_table(pa.Table.from_arrays(columns, names=names), tmp_path / "b.parquet")
        assert ConfusionMatrix.from_frame(tmp_path / "b.parquet").n_samples == 2

    @pytest.mark.parametrize(
        "frame",
        [
            lambda: pd.DataFrame([["a", "b", "a"]], columns=["y_true", "y_pred", "y_pred"]),
            lambda: pa.table([["a"], ["b"], ["a"]], names=["y_true", "y_pred", "y_pred"]),
            # when collected, it would start threads that mutants' forks lack
            lambda: duckdb.sql("SELECT 'a' AS y_true, 'b' AS y_pred, 'a' AS y_pred"),
        ],
        ids=["pandas", "PyArrow", "DuckDB"],
    )
    def test_tables_with_a_name_twice(self, frame):
        with pytest.raises(InputError, match="frame: expected each column once, got 'y_pred' 2 times"):
            ConfusionMatrix.from_frame(frame())

    @pytest.mark.parametrize("encoding", ["UTF-16", "UTF-32"])
    @pytest.mark.parametrize("order", ["", "-LE", "-BE"])
    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
    def test_wide_text_is_named(self, tmp_path, encoding, order, name):
        content = "y_true,y_pred\nä,b\nb,b\n".encode(encoding + order)
        packed(tmp_path / name, content)
        with pytest.raises(InputError, match=rf"frame: .* is not UTF-8, but {encoding}. Save it as"):
            ConfusionMatrix.from_frame(tmp_path / name)

    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
    @pytest.mark.parametrize("header", ["y_true,y_pred", '"y_true","y_pred"'])
    def test_a_byte_order_mark(self, tmp_path, header, name):
        content = f"\ufeff{header}\na,b\nb,b\n".encode()
        packed(tmp_path / name, content)
        assert ConfusionMatrix.from_frame(tmp_path / name).labels == ("a", "b")


FORMATS = {"csv": written_csv, "parquet": written_parquet}


def rows(columns, part):
    return {name: values[part] for name, values in columns.items()}


TEXTS = {
    "integers": "y_true,y_pred\n1,2\n2,-3\n",
    "codes": "y_true,y_pred\n1,02\n02,3\n",
    "booleans": "y_true,y_pred\nTrue,False\nFalse,False\n",
    "semicolons": "y_true;y_pred\na,b;c\nc;c\n",
    "tabs and quotes": 'y_true\ty_pred\n"a\nb"\t" c"\n"say ""no"""\t"a\nb"\n',
    "byte order mark": "\ufeffy_true,y_pred\r\n#1,#1\r\ny','x\r\n",
    "empty cells": "note,y_true,y_pred\n,a,b\n,b,b\n",
    "numbers": "y_true,y_pred\n2026-01-01,1e3\n1.0,1.5\n1000,1\n",
}


class TestDuckdbFiles:
    @pytest.fixture(params=FORMATS.items(), ids=FORMATS)
    def write(self, request, tmp_path):
        suffix, written = request.param
        return lambda columns, name: written(columns, tmp_path / f"{name}.{suffix}")

    @pytest.fixture
    def csv(self, tmp_path):
        def write(text, encoding="utf-8"):
            path = tmp_path / "predictions.csv"
            path.write_text(text, encoding=encoding, newline="")
            return path

        return write

    @pytest.mark.parametrize("kind", [str, lambda path: path], ids=["text", "path"])
    def test_a_file(self, write, columns, kind):
        pairs = PairedCounts.from_frame(kind(write(columns, "one")), y_true="truth", baseline="old", candidate="new")
        same(pairs, PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"]))

    def test_many_files_whose_columns_stand_in_any_order(self, write, columns, tmp_path):
        write(rows(columns, slice(150)), "part-1")
        path = write(dict(reversed(rows(columns, slice(150, None)).items())), "part-2")
        files = tmp_path / f"part-*{path.suffix}"
        matrices = ConfusionMatrix.from_frame(files, y_true="truth", y_pred="new", by="language")
        assert sum(matrix.n_samples for matrix in matrices.values()) == 400
        whole = ConfusionMatrix.from_frame(files, y_true="truth", y_pred="new")
        assert whole == ConfusionMatrix.from_predictions(columns["truth"], columns["new"])

    def test_compressed_text(self, columns, tmp_path):
        plain = written_csv(columns, tmp_path / "plain.csv")
        (tmp_path / "packed.CSV.gz").write_bytes(gzip.compress(plain.read_bytes()))
        matrices = [ConfusionMatrix.from_frame(path, y_true="truth", y_pred="old") for path in tmp_path.iterdir()]
        assert matrices[0] == matrices[1]
        assert matrices[0].n_samples == 400

    def test_two_files_of_any_format_are_joined(self, write, columns, tmp_path):
        baseline = {"id": columns["id"], "y_true": columns["truth"], "y_pred": columns["old"]}
        candidate = {"id": columns["id"][::-1], "y_true": columns["truth"][::-1], "y_pred": columns["new"][::-1]}
        expected = PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"])
        for other in (write(candidate, "candidate"), written_parquet(candidate, tmp_path / "other.parquet")):
            same(PairedCounts.from_frames(write(baseline, "baseline"), other), expected)
        itself = PairedCounts.from_predictions(columns["truth"], columns["new"], columns["new"])
        same(PairedCounts.from_frames(other, other), itself)

    def test_whole_numbers_in_text_are_integers_beside_typed_ones(self, tmp_path):
        baseline = {"id": [1, 2, 3], "y_true": [10, 9, 10], "y_pred": [9, 9, 10]}
        files = written_csv(baseline, tmp_path / "a.csv"), written_parquet(baseline, tmp_path / "a.parquet")
        expected = PairedCounts.from_predictions(baseline["y_true"], baseline["y_pred"], baseline["y_pred"])
        same(PairedCounts.from_frames(*files), expected)
        same(PairedCounts.from_frames(*files[::-1]), expected)

    @pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
    def test_text_is_read_as_the_other_readers_do(self, csv, text):
        path = csv(text)
        assert ConfusionMatrix.from_frame(path) == read_side(path, "file").counts()

    @pytest.mark.parametrize("empty", ["", '""', "nan", "NaN"])
    def test_empty_cells_and_nans_are_missing(self, csv, empty):
        with pytest.raises(InputError, match="class label: 2 without 'y_pred'"):
            ConfusionMatrix.from_frame(csv(f"y_true,y_pred\na,b\na,{empty}\nb,{empty}\n"))

    @pytest.mark.parametrize(
        "row", ["a", "a,b,c", '"a,b'], ids=["too few cells", "too many cells", "no end of a quote"]
    )
    @pytest.mark.parametrize("before", [3, 30_000])
    def test_rows_that_do_not_fit_are_never_skipped(self, csv, row, before):
        path = csv("y_true,y_pred\n" + "a,b\nb,b\n" * before + row + "\n" + "a,b\n" * 3)
        with pytest.raises(InputError, match="frame"):
            ConfusionMatrix.from_frame(path)

    @pytest.mark.parametrize(
        ("name", "content", "found"),
        [
            ("damaged.parquet", b"PAR1 and then nothing of the kind", "magic bytes"),
            ("latin.csv", "y_true,y_pred\na,\xe9\n".encode("latin-1"), "utf-8"),
            ("*.none.csv", None, "No files found"),
            ("none.parquet", None, "No files found"),
        ],
    )
    def test_files_that_cannot_be_read(self, tmp_path, name, content, found):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="frame: Cannot read the files") as caught:
            ConfusionMatrix.from_frame(tmp_path / name)
        assert found in caught.value.found
        assert "Possible" not in caught.value.found

    def test_the_side_whose_file_cannot_be_read_is_named(self, tmp_path, columns):
        good = written_csv(columns, tmp_path / "good.csv")
        with pytest.raises(InputError, match=r"candidate: .*No files found"):
            PairedCounts.from_frames(good, tmp_path / "none.csv", y_true="truth", y_pred="old")

    def test_a_format_that_is_none(self):
        expected = r"expected files that end in \.csv, \.csv\.gz, \.parquet, got 'predictions\.xlsx'"
        with pytest.raises(InputError, match=expected):
            ConfusionMatrix.from_frame("predictions.xlsx")

    def test_without_duckdb_it_says_what_to_install(self, monkeypatch, write, columns):
        path = write(columns, "one")
        monkeypatch.setitem(sys.modules, "duckdb", None)
        with pytest.raises(InputError, match=r"frame: .*DuckDB.*pip install pytest-bayesf1\[duckdb\]"):
            ConfusionMatrix.from_frame(path)

    def test_a_query_of_ones_own(self, write, columns):
        path = write(columns, "one")
        relation = duckdb.sql(f"SELECT truth AS y_true, old AS y_pred FROM '{path}' WHERE language = 'fi'")  # noqa: S608
        slices = ConfusionMatrix.from_frame(path, y_true="truth", y_pred="old", by="language")
        assert ConfusionMatrix.from_frame(relation) == slices["fi"]

    def test_duckdb_keeps_its_progress_to_itself(self):
        connection = FileTables()._connection
        (shown,) = connection.execute("SELECT current_setting('enable_progress_bar')").fetchone()
        assert not shown


NAMES = {"on": "key", "y_true": "truth", "y_pred": "guess"}


def sides(columns, ids=lambda number: number):
    """Split the columns into two tables, the second in another order."""
    keys = [ids(number) for number in columns["id"]]
    baseline = {"key": keys, "truth": columns["truth"], "guess": columns["old"], "language": columns["language"]}
    candidate = {"guess": columns["new"], "key": keys, "truth": columns["truth"]}
    return baseline, {name: values[::-1] for name, values in candidate.items()}


class TestJoins:
    @pytest.mark.parametrize("ids", [int, "id {:03}".format], ids=["integers", "strings"])
    def test_the_order_of_rows_does_not_matter(self, engine, columns, ids):
        baseline, candidate = sides(columns, ids)
        expected = PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"])
        same(PairedCounts.from_frames(engine(baseline), engine(candidate), **NAMES), expected)

    def test_slices_are_the_baselines(self, engine, columns):
        baseline, candidate = sides(columns)
        slices = PairedCounts.from_frames(engine(baseline), engine(candidate), by="language", **NAMES)
        expected = pairs(engine(columns), by="language")
        assert list(slices) == list(expected) == ["en", "fi"]
        for language, counts in slices.items():
            same(counts, expected[language])

    def test_all_that_is_wrong_is_counted_at_once(self, engine):
        baseline = {
            "id": [*range(20), 3, 3, 4, None, None],
            "y_true": ["a", "b"] * 10 + ["a"] * 5,
            "y_pred": ["a", "b", None, *["a"] * 17, None, *["a"] * 4],
        }
        candidate = {
            "id": [*range(5), *range(12, 24), 22, None],
            "y_true": ["a", "b", "a", "b", "a", *["a", "b"] * 6, "a", "a"],
            "y_pred": ["b"] * 19,
        }
        candidate["y_true"][0], candidate["y_true"][1], candidate["y_pred"][7] = "b", None, None
        with pytest.raises(InputError) as caught:
            PairedCounts.from_frames(engine(baseline), engine(candidate))
        assert caught.value.where == "baseline and candidate"
        assert caught.value.without_advice.partition(", each once: ")[2] == (
            "rows without id in baseline: 2, rows without id in candidate: 1, repeated ids in baseline: 2 (3, 4), "
            "repeated ids in candidate: 1 (22), ids only in baseline: 7 (5, 6, 7, 8, 9, ...), "
            "ids only in candidate: 3 (20, 21, 23), ids without y_true in candidate: 1 (1), "
            "ids without y_pred in baseline: 1 (2), ids without y_pred in candidate: 1 (14), "
            "ids with another y_true in candidate: 1 (0)"
        )

    def test_ids_that_repeat_often_do_not_multiply(self, engine):
        many = {"id": [1] * 20_000, "y_true": ["a"] * 20_000, "y_pred": ["b"] * 20_000}
        with pytest.raises(InputError, match=r"each once: repeated ids in baseline: 1 \(1\)\. "):
            PairedCounts.from_frames(engine(many), engine(many))

    def test_booleans(self, engine):
        baseline = {"id": [1, 2, 3], "y_true": [True, False, True], "y_pred": [True, True, False]}
        pairs = PairedCounts.from_frames(engine(baseline), engine(baseline))
        same(pairs, PairedCounts.from_predictions(baseline["y_true"], baseline["y_pred"], baseline["y_pred"]))

    def test_numbers_of_different_width(self, engine):
        narrow = {"id": pa.array([1, 2, 3], pa.int8()), "y_true": pa.array([5, 6, 5], pa.uint16())}
        baseline = {**(pa.table(narrow).to_pandas() if engine is pd.DataFrame else narrow), "y_pred": [5, 5, 6]}
        candidate = {"id": [3.0, 2.0, 1.0], "y_true": [5, 6, 5], "y_pred": [5, 6, 6]}
        pairs = PairedCounts.from_frames(engine(baseline), engine(candidate))
        same(pairs, PairedCounts.from_predictions([5, 6, 5], [5, 5, 6], [6, 6, 5]))

    @pytest.mark.parametrize(("name", "value"), [("id", "1"), ("y_true", "7"), ("y_pred", True)])
    def test_columns_of_different_kinds(self, engine, name, value):
        baseline = {"id": [1, 2], "y_true": [7, 8], "y_pred": [7, 7]}
        with pytest.raises(InputError) as caught:
            PairedCounts.from_frames(engine(baseline), engine({**baseline, name: [value, value]}))
        assert caught.value.where == f"candidate, column {name!r}"
        assert caught.value.expected == "numbers, as in baseline"

    def test_categories_stand_for_their_values(self):
        labels = {"y_true": pd.Categorical([4, 5, 4]), "y_pred": pd.Categorical([5, 5, 4])}
        baseline = pd.DataFrame({"id": [1, 2, 3], **labels})
        candidate = pd.DataFrame({"id": [1, 2, 3], "y_true": pd.Categorical([4, 5, 4], [5, 6, 4]), "y_pred": [4, 4, 6]})
        expected = PairedCounts.from_predictions([4, 5, 4], [5, 5, 4], [4, 4, 6])
        same(PairedCounts.from_frames(baseline, candidate), expected)
        coded = pl.DataFrame({"id": ["x", "y"], "y_true": ["a", "b"], "y_pred": ["a", "b"], "by": ["k", "k"]})
        coded = coded.cast({"id": pl.Categorical, "y_true": pl.Enum(["b", "a"]), "by": pl.Categorical})
        pairs = PairedCounts.from_frames(coded, coded.lazy(), by="by")
        same(pairs["k"], PairedCounts.from_predictions(["a", "b"], ["a", "b"], ["a", "b"]))

    def test_tables_of_different_engines(self):
        table = pl.DataFrame({"id": [1, 2], "y_true": ["a", "b"], "y_pred": ["a", "b"]})
        with pytest.raises(InputError, match="expected a table of polars, as baseline is, got one of pandas"):
            PairedCounts.from_frames(table, table.to_pandas())

    def test_the_table_that_lacks_a_column_is_named(self):
        table = pl.DataFrame({"id": [1, 2], "y_true": ["a", "b"], "y_pred": ["a", "b"]})
        with pytest.raises(InputError, match=r"candidate: No column 'y_pred'. Found columns 'id', 'y_true'"):
            PairedCounts.from_frames(table, table.drop("y_pred"))


MANY = 50_000
DOORS = {
    "lazy Polars": (pl.LazyFrame, ("collect", "collect_async", "collect_batches", "fetch")),
    "DuckDB": (
        duckdb.DuckDBPyRelation,
        ("arrow", "df", "fetch_arrow_table", "fetchall", "fetchdf", "fetchmany", "fetchnumpy", "pl", "to_arrow_table"),
    ),
    "Ibis": (ibis.expr.types.Table, ("execute", "to_pandas", "to_polars", "to_pyarrow", "to_pyarrow_batches")),
}


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 4, (3, MANY)).tolist()
    return dict(zip(("id", "y_true", "y_pred", "new"), [list(range(MANY)), *labels], strict=True))


class TestOnlyCountsLeave:
    @pytest.fixture(params=LAZY)
    def engine(self, request):
        return request.param

    @pytest.fixture
    def leaving(self, engine, monkeypatch):
        """Note how many rows leave the engine, through whichever door."""
        heights = []

        def watched(door):
            def pass_through(*arguments, **options):
                result = door(*arguments, **options)
                heights.append(len(result))
                return result

            return pass_through

        owner, doors = DOORS[engine]
        for name in doors:
            if hasattr(owner, name):
                monkeypatch.setattr(owner, name, watched(getattr(owner, name)))
        return heights

    def test_of_one_table_leaves_a_row_an_outcome(self, engine, leaving, many):
        pairs = PairedCounts.from_frame(LAZY[engine](many), baseline="y_pred", candidate="new")
        assert pairs.n_samples == MANY
        assert leaving == [4**3]

    def test_of_two_tables_too(self, engine, leaving, many):
        baseline, candidate = LAZY[engine](many), LAZY[engine]({**many, "y_pred": many["new"]})
        assert PairedCounts.from_frames(baseline, candidate).n_samples == MANY
        assert sorted(leaving) == [1, 1, 4**3]  # and the rows without an id, which are none, in each

    def test_of_tables_that_do_not_fit_together_leave_the_first_ids(self, engine, leaving, many):
        baseline, candidate = LAZY[engine](many), LAZY[engine]({**many, "id": list(range(1, MANY + 1))})
        with pytest.raises(InputError, match=r"ids only in candidate: 1 \(50000\)"):
            PairedCounts.from_frames(baseline, candidate)
        assert max(leaving) <= 2 * 4**3 + 2 * 4**2


RNG = np.random.default_rng(3)
N = 240
CLUSTER = np.sort(RNG.integers(0, 90, N))
OF_CLUSTER = CLUSTER % 3
OLD, NEW = (np.where(RNG.random(N) < right, OF_CLUSTER, RNG.integers(0, 3, N)) for right in (0.9, 0.8))
PART = np.where(CLUSTER % 2, "odd", "even")
TABLE = {
    "id": list(range(N)),
    "truth": [f"class {code}" for code in OF_CLUSTER],
    "old": [f"class {code}" for code in OLD],
    "new": [f"class {code}" for code in NEW],
    "doc": [f"d{cluster}" for cluster in CLUSTER],
    "part": [None if part == "odd" else part for part in PART],
}
BOTH = {"y_true": "truth", "baseline": "old", "candidate": "new", "clusters": "doc"}


def expected(rows=slice(None)):
    columns = ([TABLE[name][row] for row in range(N)[rows]] for name in ("truth", "old", "new"))
    return PairedCounts.from_predictions(*columns, clusters=CLUSTER[rows])


def assert_same(found, other):
    assert (found.n_samples, found.table.clusters.n) == (other.n_samples, other.table.clusters.n)
    np.testing.assert_array_equal(found.table.count, other.table.count)
    np.testing.assert_array_equal(found.table.clusters.cells.toarray(), other.table.clusters.cells.toarray())
    np.testing.assert_array_equal(found.table.clusters.n_clusters, other.table.clusters.n_clusters)


def long_table(predictions, runs, **columns):
    """Return a row for every run of every example, the runs one after the other."""
    said = np.where(RNG.random((runs, N)) < 0.8, predictions, RNG.integers(0, 3, (runs, N)))
    rows = [(row, run) for run in range(runs) for row in range(N) if run == 0 or (row + run) % 4]
    whole = {"id": [f"e{row}" for row, _ in rows], "said": [f"class {said[run, row]}" for row, run in rows]}
    return whole | {name: [TABLE[name][row] for row, _ in rows] for name in ("truth", "doc", "part")} | columns


OLD_RUNS, NEW_RUNS = long_table(OLD, 2), long_table(NEW, 3)


def paired(clusters, invalid="error", rows=lambda table: range(len(table["id"]))):
    sides = []
    for table in (OLD_RUNS, NEW_RUNS):
        truth, said, ids, docs = ([table[name][row] for row in rows(table)] for name in ("truth", "said", "id", "doc"))
        known = {"clusters": docs} if clusters else {}
        sides.append(ConfusionMatrix.from_predictions(truth, said, ids=ids, runs="samples", invalid=invalid, **known))
    return Sides(*align(*sides)).joint


def contents(table):
    """Return what clusters hold, rounded, with how many of them hold it."""
    held, columns = {}, table.clusters.cells.toarray().T.round(9).tolist()
    for column, n in zip(columns, table.clusters.n_clusters.tolist(), strict=True):
        held[tuple(column)] = held.get(tuple(column), 0) + n
    return held


class TestClusters:
    def test_one_table(self, engine):
        found = PairedCounts.from_frame(engine(TABLE), **BOTH)
        assert_same(found, expected())
        assert found.table.clusters.noun == "clusters of doc"
        one = ConfusionMatrix.from_frame(engine(TABLE), y_true="truth", y_pred="old", clusters="doc")
        assert_same(one, expected().baseline)

    def test_two_tables(self, engine):
        known = [name for name in TABLE if name not in ("old", "new")]
        tables = [engine({name: TABLE[name][::step] for name in known} | {"said": TABLE[side][::step]})
                  for side, step in (("old", 1), ("new", -1))]  # fmt: skip
        assert_same(PairedCounts.from_frames(*tables, y_true="truth", y_pred="said", clusters="doc"), expected())

    def test_slices_have_their_own_units(self, engine):
        found = PairedCounts.from_frame(engine(TABLE), **BOTH, by="part")
        assert list(found) == ["even", None]
        for value, odd in (("even", 0), (None, 1)):
            rows = np.flatnonzero(np.isin(CLUSTER % 2, odd))
            columns = ([TABLE[name][row] for row in rows] for name in ("truth", "old", "new"))
            assert_same(found[value], PairedCounts.from_predictions(*columns, clusters=CLUSTER[rows]))

    def test_slices_cut_units(self):
        table = {"y_true": [0, 1, 0, 1], "y_pred": [0, 1, 1, 1], "doc": [1, 1, 1, 2], "lang": ["de", "de", "en", "en"]}
        parts = ConfusionMatrix.from_frame(ENGINES["Polars"](table), by="lang", clusters="doc")
        assert {name: part.table.clusters.n for name, part in parts.items()} == {"de": 1, "en": 2}

    def test_unreadable_answers_of_units(self, engine):
        table = TABLE | {"new": [None, *TABLE["new"][1:]]}
        found = PairedCounts.from_frame(engine(table), **BOTH, invalid="wrong")
        columns = (table[name] for name in ("truth", "old", "new"))
        assert_same(found, PairedCounts.from_predictions(*columns, clusters=CLUSTER, invalid="wrong"))

    def test_rows_without_a_unit(self, engine):
        table = TABLE | {"doc": [None, None, *TABLE["doc"][2:]]}
        with pytest.raises(InputError, match="frame: 2 rows without a cluster in 'doc'"):
            PairedCounts.from_frame(engine(table), **BOTH)

    @pytest.mark.one_of_many
    def test_tables_that_disagree(self, engine):
        names = {"y_true": "truth", "y_pred": "old", "clusters": "doc"}
        other, none = [*TABLE["doc"][:-1], "elsewhere"], [*TABLE["doc"][:-2], None, None]
        with pytest.raises(InputError, match=r"ids in another cluster in candidate: 1 \(239\)"):
            PairedCounts.from_frames(engine(TABLE), engine(TABLE | {"doc": other}), **names)
        with pytest.raises(InputError, match=r"ids without a cluster in candidate: 2 \(238, 239\)"):
            PairedCounts.from_frames(engine(TABLE), engine(TABLE | {"doc": none}), **names)

    @pytest.mark.parametrize("name", ["lazy Polars", "DuckDB"])
    def test_equal_units_leave_as_one_row(self, name, monkeypatch):
        """Of ten thousand documents of ten examples, each alike in its document, the numbers alone are asked for."""
        heights = []
        read = LazyTable.read

        def watched(self, query):
            answer = read(self, query)
            heights.append(len(next(iter(answer.values()))))
            return answer

        monkeypatch.setattr(LazyTable, "read", watched)
        cluster = np.arange(100_000) // 10
        table = ENGINES[name]({"y_true": cluster % 4, "y_pred": cluster % 3 % 4, "doc": cluster})
        found = ConfusionMatrix.from_frame(table, clusters="doc")
        assert (found.table.clusters.n, found.n_samples) == (10_000, 100_000)
        assert max(heights) <= 12

    @pytest.mark.parametrize("clusters", [None, "doc"])
    def test_several_rows_of_an_example(self, engine, clusters):
        names = {"y_true": "truth", "y_pred": "said", "clusters": clusters, "runs": "samples"}
        found = PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names)
        assert found.n_samples == N
        np.testing.assert_allclose(found.table.count, paired(clusters).count)
        assert contents(found.table) == contents(paired(clusters))
        assert found.table.clusters.noun == ("clusters of doc" if clusters else "examples")

    @pytest.mark.one_of_many
    def test_slices_of_them(self, engine):
        names = {"y_true": "truth", "y_pred": "said", "clusters": "doc", "runs": "samples", "by": "part"}
        found = PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names)
        even = paired("doc", rows=lambda table: [row for row, part in enumerate(table["part"]) if part == "even"])
        assert contents(found["even"].table) == contents(even)

    @pytest.mark.one_of_many
    def test_rows_of_an_example_that_contradict_one_another(self, engine):
        names = {"y_true": "truth", "y_pred": "said", "clusters": "doc"}
        moved = OLD_RUNS | {"doc": [*OLD_RUNS["doc"][:-1], "elsewhere"]}
        with pytest.raises(InputError, match=r"rows differ in more than y_pred in baseline: 1 \('e238'\)"):
            PairedCounts.from_frames(engine(moved), engine(NEW_RUNS), **names, runs="samples")
        with pytest.raises(InputError, match=r'repeated ids in baseline: 180 .* runs="samples"'):
            PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names)
        with pytest.raises(InputError, match="runs: expected 'samples', which alone serves two tables, got 'seeds'"):
            PairedCounts.from_frames(engine(OLD_RUNS), engine(NEW_RUNS), **names, runs="seeds")

    def test_runs_that_could_not_be_read(self, engine):
        silent = NEW_RUNS | {"said": [None, *NEW_RUNS["said"][1:]]}
        tables = engine(OLD_RUNS), engine(silent)
        found = PairedCounts.from_frames(*tables, y_true="truth", y_pred="said", runs="samples", invalid="wrong")
        assert found.candidate.table.times_predicted[3] == pytest.approx(1 / NEW_RUNS["id"].count("e0"))
        with pytest.raises(InputError, match=r"each once: ids without y_pred in candidate: 1 \('e0'\)"):
            PairedCounts.from_frames(*tables, y_true="truth", y_pred="said", runs="samples")


@pytest.mark.parametrize("names", [{"y_true": "old", "y_pred": "old"}, {"y_pred": "y_true"}])
def test_one_column_is_not_truth_and_prediction(names):
    """By it every example would be right."""
    frame = pd.DataFrame({"y_true": ["a", "b"], "old": ["a", "a"]})
    with pytest.raises(InputError, match=r"would be both y_true and y_pred\. Name the column of each: y_pred=\.\.\."):
        ConfusionMatrix.from_frame(frame, **names)


def test_one_column_is_not_both_sides():
    frame = pd.DataFrame({"y_true": ["a", "b"], "old": ["a", "a"]})
    with pytest.raises(InputError, match="'old' would be both baseline and candidate"):
        PairedCounts.from_frame(frame, baseline="old", candidate="old")
