import gzip
import io
import json

import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores, SpanCounts
from pytest_bayesf1.errors import setting
from pytest_bayesf1.files import opening as archives
from pytest_bayesf1.files.opening import Bounded, require_room
from pytest_bayesf1.files.side import alike, read_side, read_sides
from pytest_bayesf1.files.tables import Reading, Table, lacks, require_known, selected
from tests.unit.files.written import write


class TestArchives:
    @pytest.fixture
    def _at_most_ten(self, monkeypatch):
        monkeypatch.setattr(archives, "LARGEST", 10)

    @pytest.mark.usefixtures("_at_most_ten")
    def test_ten_bytes_are_read_and_no_more(self):
        assert Bounded(io.BytesIO(b"0123456789")).read() == b"0123456789"
        with pytest.raises(InputError, match="Larger than 10 bytes, once unpacked"):
            Bounded(io.BytesIO(b"0123456789a")).read()

    @pytest.mark.usefixtures("_at_most_ten")
    def test_an_endless_file_is_left_soon(self):
        class Endless(io.RawIOBase):
            asked = 0

            def read(self, size=-1):
                self.asked += size
                return b"0" * size

        endless = Endless()
        with pytest.raises(InputError):
            Bounded(endless).read(1_000)
        assert endless.asked <= 1_000

    def test_room(self):
        require_room(archives.LARGEST)
        with pytest.raises(InputError, match=r"a\.npz"):
            require_room(archives.LARGEST + 1, "a.npz")


GOLD, OLD, NEW = ["ham", "ham", "spam", "spam"], ["ham", "spam", "spam", "spam"], ["ham", "ham", "ham", "spam"]
BOTH = {"doc": [3, 1, 2, 4], "gold": GOLD, "y_pred": OLD, "new": NEW}
NAMED = {"y_true": "gold", "id": "doc"}


def reading(columns, **others):
    return Reading(columns=tuple(columns.items()), **others)


def read(path, **columns):
    return read_side(path, "candidate", reading(columns)).counts()


class TestColumns:
    @pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.json", "records.json", "a.npz", "a.parquet"])
    def test_one_file_holds_both_sides_in_every_format(self, tmp_path, name):
        path = write(tmp_path, name, BOTH)
        old, new = (read(path, y_pred=column, **NAMED) for column in ("y_pred", "new"))
        ids = BOTH["doc"]
        assert old == ConfusionMatrix.from_predictions(GOLD, OLD, ids=ids)
        assert new == ConfusionMatrix.from_predictions(GOLD, NEW, ids=ids)
        assert sorted(map(int, new.predictions.ids.tolist())) == [1, 2, 3, 4]

    @pytest.mark.parametrize("name", ["a.tsv", "a.tsv.gz"])
    def test_tabs_alone_separate_cells_of_tsv(self, tmp_path, name):
        content = b"y_true\ty_pred\ta,b,c,d\nham\tspam\t1,2,3,4\nspam\tspam\t,,,,\n"
        (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
        side = read_side(tmp_path / name, "candidate")
        assert side.counts() == ConfusionMatrix.from_predictions(["ham", "spam"], ["spam", "spam"])
        assert side.content.columns["a,b,c,d"] == ["1,2,3,4", ",,,,"]

    def test_predictions_of_json_lines_are_told_by_their_lines(self, tmp_path):
        rows = [{"id": 1, "gold": "a", "pred": "a"}, {"id": 2, "gold": "b", "pred": None}]
        path = tmp_path / "a.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        with pytest.raises(InputError, match="line 2, y_pred: expected a value for every example, got a missing value"):
            read(path, y_true="gold", y_pred="pred")
        rows[1]["pred"] = "a"
        path.write_text("\n".join(map(json.dumps, rows)))
        expected = ConfusionMatrix.from_predictions(["a", "b"], ["a", "a"], ids=[1, 2])
        assert read(path, y_true="gold", y_pred="pred") == expected

    def test_the_file_s_own_names_stay_for_slices(self, tmp_path):
        side = read_side(write(tmp_path, "a.csv", BOTH), "candidate", reading({"y_pred": "new", **NAMED}))
        assert list(side.slices("gold")) == ["ham", "spam"]

    def test_spans_may_have_other_names(self, tmp_path):
        records = {"text": [[[0, 4, "PER"]]], "found": [[[0, 4, "PER"]]]}
        path = write(tmp_path, "records.json", records)
        assert read(path, gold="text", predicted="found").n_samples == 1

    def test_gold_and_predicted_may_be_classes(self, tmp_path):
        path = write(tmp_path, "records.json", {"gold": GOLD, "predicted": NEW})
        assert read(path, y_true="gold", y_pred="predicted") == ConfusionMatrix.from_predictions(GOLD, NEW)

    def test_what_is_named_hides_what_else_would_be_compared(self, tmp_path):
        path = write(tmp_path, "a.csv", {"y_true": [0, 1], "y_pred": [0, 1], "old": [0.2, 0.9], "grade": [3, 4]})
        assert read(path, y_score="old") == Scores.from_predictions([0, 1], [0.2, 0.9])
        assert read(path, value="grade") == Scores.from_values([3, 4])

    @pytest.mark.parametrize(
        ("name", "columns", "message"),
        [
            ("a.csv", {"y_true": "truth"}, "No column 'truth' to take for y_true. Found columns 'doc', 'gold', "),
            ("a.npz", {"y_true": "truth"}, "No column 'truth' to take for y_true. Found columns 'doc', 'gold', "),
            ("a.parquet", {"id": "truth"}, "No column 'truth' to take for id. Found columns 'doc', 'gold', "),
            ("a.json", {"y_score": "y_pred"}, "y_true is missing; the file has columns"),
        ],
    )
    def test_names_that_a_file_does_not_have_are_told(self, tmp_path, name, columns, message):
        with pytest.raises(InputError, match=message):
            read(write(tmp_path, name, BOTH), **columns)

    @pytest.mark.parametrize(
        ("name", "text", "message"),
        [
            ("a.json", "[[1, 0], [0, 1]]", "A matrix of counts has no columns to name"),
            ("a.conll", "a O O\n", "Only the column of y_true is named"),
        ],
    )
    def test_where_no_columns_have_names(self, tmp_path, name, text, message):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match=message):
            read(tmp_path / name, y_true="gold")

    def test_names_by_which_columns_are_known(self):
        for name in ("y_true", "y_pred", "y_score", "y_score_ham", "value", "id", "run", "gold", "predicted"):
            assert require_known(name) == name
        with pytest.raises(InputError, match=r"got 'y_tru'\. Did you mean 'y_true'"):
            require_known("y_tru")

    @pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz", "a.parquet"])
    def test_a_number_per_example(self, tmp_path, name):
        values = read(write(tmp_path, name, {"id": [1, 2, 3], "value": [0.5, 1.0, 0.25]}))
        assert values == Scores.from_values([0.5, 1, 0.25])
        assert list(map(int, values.predictions.ids)) == [1, 2, 3]

    @pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz"])
    def test_right_is_1_and_wrong_is_0(self, tmp_path, name):
        assert read(write(tmp_path, name, {"value": [True, False]})) == Scores.from_values([1, 0])

    def test_several_numbers_of_an_example_have_a_mean(self, tmp_path):
        path = write(tmp_path, "a.csv", {"id": ["a", "b", "a"], "value": [1, 0, 0.5], "user": ["x", "y", "x"]})
        side = read_side(path, "candidate", Reading(runs="samples", clusters="user"))
        np.testing.assert_allclose(np.sort(side.counts().scores[:, 0]), [0, 0.75])
        assert list(side.slices("user")) == ["x", "y"]
        with pytest.raises(InputError, match="1 duplicate id"):
            read(path)

    def test_seeds_are_about_predictions_alone(self, tmp_path):
        path = write(tmp_path, "a.csv", {"id": ["a"], "value": [1], "run": [1]})
        with pytest.raises(InputError, match="is about predictions"):
            read_side(path, "candidate", Reading(runs="seeds"))

    @pytest.mark.parametrize("missing", [None, float("nan"), "nan", ""])
    def test_a_number_that_is_missing_counts_as_wrong_when_asked(self, tmp_path, missing):
        path = tmp_path / "a.json"
        path.write_text(
            json.dumps([{"id": key, "value": each} for key, each in zip("abc", [1, missing, missing], strict=True)])
        )
        with pytest.raises(InputError, match=r"row 2, value: .*, as 2 of 3 have: ids 'b', 'c'. .* invalid: wrong"):
            read_side(path, "candidate")
        side = read_side(path, "candidate", Reading(invalid="wrong")).counts()
        assert side.scores.tolist() == [[1], [0], [0]]
        assert side.notes == ("candidate: 2 values of 3 missing: counted as wrong, as 0.",)
        path.write_text('[{"value": -1}, {"value": null}]')
        with pytest.raises(InputError, match="counts a missing value as 0, and others are below 0"):
            read_side(path, "candidate", Reading(invalid="wrong"))

    def test_each_side_has_names_of_its_own(self, tmp_path):
        path = write(tmp_path, "a.csv", BOTH)
        shared = reading(NAMED)
        readings = {
            "baseline": shared.of_side({"y_pred": "y_pred"}, {}),
            "candidate": shared.of_side({"y_pred": "new"}, {}),
        }
        old, new = (side.counts() for side in read_sides(path, path, readings))
        assert old == ConfusionMatrix.from_predictions(GOLD, OLD)
        assert new == ConfusionMatrix.from_predictions(GOLD, NEW)


LONG = {
    "system": ["old", "new", "old", "new"],
    "version": [1, 2, 1, 2],
    "id": [1, 1, 2, 2],
    "y_true": ["a", "a", "b", "b"],
    "y_pred": ["a", "b", "a", "b"],
}


def selection_read(path, rows):
    return read_side(path, "candidate", Reading(rows=tuple(rows.items())))


class TestSelection:
    @pytest.mark.parametrize("name", ["a.csv", "a.json", "records.json", "a.npz", "a.parquet"])
    @pytest.mark.parametrize("rows", [{"system": "new"}, {"version": "2"}, {"version": "2", "system": "new"}])
    def test_a_file_of_several_systems(self, tmp_path, name, rows):
        expected = ConfusionMatrix.from_predictions(["a", "b"], ["b", "b"], ids=[1, 2])
        assert selection_read(write(tmp_path, name, LONG), rows).counts() == expected

    def test_lines_stay_those_of_the_file(self, tmp_path):
        (tmp_path / "a.csv").write_text("system,y_true,y_pred\nold,a,a\nnew,a,\n")
        with pytest.raises(InputError, match="line 3, y_pred"):
            selection_read(tmp_path / "a.csv", {"system": "new"})

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ({"sistem": "new"}, "rows: No column 'sistem' to choose rows by. Found columns 'system', 'version', "),
            ({"system": "newer"}, "rows: No row's 'system' is 'newer'. Found 'new', 'old'"),
            ({"system": "new", "version": "1"}, "There is no row in which 'system' is 'new' and 'version' is '1'"),
        ],
    )
    def test_rows_that_are_not_there(self, tmp_path, rows, message):
        with pytest.raises(InputError, match=message):
            selection_read(write(tmp_path, "a.csv", LONG), rows)

    def test_rows_of_one_system_where_the_file_tells_which(self):
        table = Table(LONG, one_each=("system",))
        advice = r"Choose one, such as rows: \{system: 'old'\}\."
        with pytest.raises(InputError, match=rf"expected rows of one 'system', got 'new', 'old'. {advice}"):
            selected(table, {})
        assert selected(table, {"system": "new"}).columns["y_pred"] == ["b", "b"]
        whole = Table(LONG)
        assert selected(whole, {}) is whole

    def test_columns_that_are_none_are_refused(self):
        with pytest.raises(InputError, match="labels: expected a value for every example, got int"):
            selected(Table({**LONG, "labels": 3}), {"system": "new"})


def of_text(tmp_path, text, name="a.csv", **columns):
    (tmp_path / name).write_text(text)
    return read_side(tmp_path / name, "candidate", reading(columns)).counts()


PAIRS = ConfusionMatrix([[50, 3], [7, 40]], labels=["a", "b"])


class TestCountsOfPairs:
    @pytest.mark.parametrize("name", ["n", "count", "Freq", "n_examples", "COUNT(*)", "count_star()", "0", "value"])
    def test_pairs_with_their_number_are_counts(self, tmp_path, name):
        text = f"y_pred,y_true,{name}\na,a,50\nb,a,3\nb,b,40.0\na,b,7\n"
        assert of_text(tmp_path, text) == PAIRS

    @pytest.mark.parametrize(
        "header",
        ["Prediction,Reference,Freq", "predicted,actual,n", "output,target,count", "pred_label,gold_label,size"],
    )
    def test_usual_names_of_the_pairs_serve(self, tmp_path, header):
        assert of_text(tmp_path, f"{header}\na,a,50\nb,a,3\nb,b,40\na,b,7\n") == PAIRS
        rows = [dict(zip(header.split(","), row, strict=True)) for row in (("a", "a", 50), ("b", "a", 3))]
        rows += [dict(zip(header.split(","), row, strict=True)) for row in (("b", "b", 40), ("a", "b", 7))]
        assert of_text(tmp_path, json.dumps(rows), "a.json") == PAIRS

    def test_both_sides_may_be_pairs(self, tmp_path):
        (tmp_path / "a.csv").write_text("y_true,y_pred,n\na,a,50\na,b,3\nb,b,40\nb,a,7\n")
        sides = [read_side(tmp_path / "a.csv", name) for name in ("baseline", "candidate")]
        assert [side.label_kind for side in alike(*sides)] == ["strings"] * 2

    def test_classes_that_are_numbers(self, tmp_path):
        text = "label_index,prediction,count\n1.0,1.0,215\n0.0,1.0,1\n0.0,0.0,231\n"
        assert of_text(tmp_path, text) == ConfusionMatrix([[231, 1], [0, 215]], labels=[0, 1])

    def test_a_column_that_is_called_otherwise_is_named(self, tmp_path):
        text = "y_true,y_pred,anzahl\na,a,50\na,b,3\nb,b,40\nb,a,7\n"
        with pytest.raises(InputError, match=r"'anzahl' counts examples, pass columns: \{n: 'anzahl'\}"):
            of_text(tmp_path, text)
        assert of_text(tmp_path, text, n="anzahl") == PAIRS

    @pytest.mark.parametrize(
        "text",
        [
            "y_true,y_pred,n\na,a,50\na,b,3\nb,b,40\na,a,7\n",
            "language,y_true,y_pred,n\nen,a,a,50\nen,a,b,3\nde,b,b,40\nde,a,a,7\n",
            "id,y_true,y_pred,n\n1,a,a,50\n2,a,b,3\n",
            "y_true,y_pred,n,count\na,a,50,1\na,b,3,1\n",
        ],
        ids=["a pair twice", "of parts", "ids", "two columns of counts"],
    )
    def test_what_may_be_counts_or_examples_is_refused(self, tmp_path, text):
        with pytest.raises(InputError, match="Are these counts"):
            of_text(tmp_path, text)

    def test_examples_with_a_column_of_numbers_are_examples(self, tmp_path):
        rows = "".join(f"{row},{'ab'[row % 2]},b,{row % 3}\n" for row in range(9))
        for header in ("id,y_true,y_pred,n", "sentence,y_true,y_pred,n", "row,y_true,y_pred,age"):
            assert of_text(tmp_path, f"{header}\n{rows}").n_samples == 9

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("91,9\n12,88\n", "100, as percentages"),
            (",a,b\na,91,9\nb,12,88\n", "100, as percentages"),
            (",a,b\na,91.2,8.8\nb,12,88\n", "100, as percentages"),
            ("910,90,0\n120,879,0\n1,0,1000\n", "1000, as per mille"),
            (",a,b\na,912,88\nb,120,879\n", "1000, as per mille"),
        ],
    )
    def test_shares_are_no_counts(self, tmp_path, text, found):
        with pytest.raises(InputError, match=f"Every row sums to about {found} do"):
            of_text(tmp_path, text)

    def test_counts_of_a_thousand_examples_of_each_class(self, tmp_path):
        found = of_text(tmp_path, ",a,b\na,912,88\nb,120,880\n")
        assert found.n_samples == 2_000
        assert found.notes == (
            "Every row sums to about 1000, as per mille do: if so, the interval is wrong. Pass counts.",
        )
        assert of_text(tmp_path, "y_true,y_pred,n\na,a,91\na,b,9\nb,a,12\nb,b,88\n").n_samples == 200

    def test_true_and_false_positives_and_negatives(self, tmp_path):
        by_document = of_text(tmp_path, "doc,type,tp,fp,fn\nx,PER,5,1,0\nx,LOC,2,0,1\ny,PER,1,1,1\n")
        expected = SpanCounts.from_counts([[2, 5], [0, 1]], [[0, 1], [0, 1]], [[1, 0], [0, 1]], labels=["LOC", "PER"])
        assert by_document == expected
        assert by_document.table.clusters.n_clusters.sum() == 2
        assert of_text(tmp_path, "id,TP,FP,FN\nx,5,1,0\ny,2,0,1\n").table.clusters.n_clusters.sum() == 2
        by_type = of_text(tmp_path, "label,True Positives,False Positives,False Negatives\nPER,5,1,0\nLOC,2,0,1\n")
        assert by_type == SpanCounts.from_counts([2, 5], [0, 1], [1, 0], labels=["LOC", "PER"])
        assert of_text(tmp_path, "tn,fp,fn,tp\n50,1,2,9\n") == ConfusionMatrix([[50, 1], [2, 9]])
        with pytest.raises(InputError, match="Nothing says what each of 2 rows of tp, fp and fn is about"):
            of_text(tmp_path, "tp,fp,fn\n5,1,0\n2,0,1\n")


class TestUsualNames:
    @pytest.mark.parametrize(
        ("header", "found"),
        [
            ("sentence,gold_label,pred_label", ("gold_label", "pred_label")),
            ("label,prediction", ("label", "prediction")),
            ("target,output", ("target", "output")),
            ("Actual,Predicted", ("Actual", "Predicted")),
            ("expected,response,score", ("expected", "response")),
            ("trueClass,predClass,pred_prob", ("trueClass", "predClass")),
            ("num_actual,num_predicted", ("num_actual", "num_predicted")),
            ("y,yhat", ("y", "yhat")),
            ("y,y_hat", ("y", "y_hat")),
            ("label,y_pred", ("label", "y_pred")),
        ],
    )
    def test_the_error_names_the_columns_and_they_serve(self, tmp_path, header, found):
        text = f"{header}\n" + "".join(f"{','.join(row)}\n" for row in (["a"] * 3, ["b"] * 3))
        cells = len(header.split(","))
        text = "\n".join(",".join(line.split(",")[:cells]) for line in text.splitlines()) + "\n"
        named = {known: name for known, name in zip(("y_true", "y_pred"), found, strict=True) if known != name}
        with pytest.raises(InputError) as caught:
            of_text(tmp_path, text)
        assert caught.value.advice.endswith(f", pass {setting('columns', named)}.")
        assert of_text(tmp_path, text, **named).n_samples == 2

    @pytest.mark.parametrize("header", ["label,pred_a,pred_b", "text,prediction", "truth,actual,predicted"])
    def test_nothing_is_proposed_where_names_do_not_tell(self, tmp_path, header):
        with pytest.raises(InputError, match=r"; the file has columns .* Name the columns of predictions"):
            of_text(tmp_path, f"{header}\n{','.join('abc'[: len(header.split(','))])}\n")


class TestCountsInDocuments:
    @pytest.mark.parametrize("name", ["counts", "confusion_matrix", "cm"])
    @pytest.mark.parametrize("labels", ["labels", "class_names"])
    def test_a_matrix_has_several_names(self, tmp_path, name, labels):
        text = json.dumps({"accuracy": 0.9, name: [[50, 3], [7, 40]], labels: ["a", "b"]})
        assert of_text(tmp_path, text, "a.json") == PAIRS


class TestSeveralSystems:
    @pytest.mark.parametrize("header", ["id,model,y_true,y_pred", "example,model_name,y_true,y_pred"])
    def test_the_rows_of_one_are_chosen(self, tmp_path, header):
        rows = [
            (number, model, "ab"[number % 2], "ab"[(number + other) % 2])
            for number in range(6)
            for other, model in enumerate(("v1", "v2"))
        ]
        (tmp_path / "a.csv").write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]))
        name = header.split(",")[1]
        with pytest.raises(InputError, match=rf"Choose one, such as rows: .*{name}.*v1"):
            read_side(tmp_path / "a.csv", "candidate")
        one = read_side(tmp_path / "a.csv", "candidate", Reading(rows=((name, "v1"),))).counts()
        assert one.n_samples == 6

    def test_a_feature_of_examples_is_none(self, tmp_path):
        assert of_text(tmp_path, "id,model,y_true,y_pred\n1,a,x,x\n2,a,y,x\n3,b,x,y\n").n_samples == 3


class TestTruthInAnotherFile:
    def read(self, tmp_path, name="a.csv", gold="gold.csv", columns=(), invalid="error", rows=()):
        said = Reading(gold=str(tmp_path / gold), columns=tuple(dict(columns).items()), invalid=invalid, rows=rows)
        return read_side(tmp_path / name, "candidate", said)

    @pytest.fixture
    def files(self, tmp_path):
        (tmp_path / "gold.csv").write_text("id,y_true,Usage\n1,a,Public\n2,b,Private\n3,b,Private\n")
        (tmp_path / "a.csv").write_text("id,y_pred\n3,b\n1,a\n2,a\n")
        (tmp_path / "a.json").write_text(json.dumps({"id": [3, 1, 2], "y_pred": ["b", "a", "a"]}))
        (tmp_path / "gold.jsonl").write_text(
            "\n".join(f'{{"id": "{n}", "y_true": "{y}"}}' for n, y in enumerate("abb", 1))
        )
        return tmp_path

    @pytest.mark.parametrize("name", ["a.csv", "a.json"])
    @pytest.mark.parametrize("gold", ["gold.csv", "gold.jsonl"])
    def test_it_is_joined_by_id_in_every_format(self, files, name, gold):
        expected = ConfusionMatrix.from_predictions(["b", "a", "b"], ["b", "a", "a"])
        assert self.read(files, name, gold).counts() == expected

    def test_its_other_columns_serve_for_slices_and_rows(self, files):
        assert [*self.read(files).slices("Usage")] == ["Private", "Public"]
        assert self.read(files, rows=(("Usage", "Private"),)).counts().n_samples == 2

    def test_columns_of_both_may_be_named(self, files):
        (files / "a.csv").write_text("example,answer\n3,b\n1,a\n2,a\n")
        (files / "gold.csv").write_text("example,label\n1,a\n2,b\n3,b\n")
        columns = {"id": "example", "y_true": "label", "y_pred": "answer"}
        assert self.read(files, columns=columns).counts().counts.tolist() == [[1, 0], [1, 1]]

    def test_examples_without_a_prediction_are_wrong_or_an_error(self, files):
        (files / "a.csv").write_text("id,y_pred\n1,a\n2,a\n")
        with pytest.raises(InputError, match="No prediction of 1 example of the truth: '3'"):
            self.read(files)
        assert self.read(files, invalid="wrong").counts().counts.tolist() == [[1, 0, 0], [1, 0, 1], [0, 0, 0]]

    @pytest.mark.parametrize(
        ("gold", "message"),
        [
            ("id,y_true\n1,a\n2,b\n", "No truth for 1 prediction: '3'"),
            ("id,y_true\n1,a\n2,b\n3,b\n3,a\n", "The id '3' is there more than once"),
            ("id,label\n1,a\n2,b\n3,b\n", "No column 'y_true' to take for"),
        ],
    )
    def test_what_cannot_be_joined(self, files, gold, message):
        (files / "gold.csv").write_text(gold)
        with pytest.raises(InputError, match=message):
            self.read(files)


class TestColumnsThatAreNotUsed:
    @pytest.mark.parametrize("name", ["Id", "ID", "iD"])
    def test_ids_may_have_capitals(self, tmp_path, name):
        counts = of_text(tmp_path, f"{name},y_true,y_pred\n7,a,a\n8,b,a\n")
        assert counts.predictions.ids.tolist() == ["7", "8"]

    def test_weights_and_other_ids_are_said(self, tmp_path):
        notes = of_text(tmp_path, "doc_id,sample_weight,y_true,y_pred\nx,0.5,a,a\ny,2.0,b,a\n").notes
        assert notes == (
            "candidate: The column 'sample_weight' does not count: every example counts once.",
            "candidate: Examples pair up by position. If 'doc_id' tells them apart, pass columns: {id: 'doc_id'}.",
        )
        assert not of_text(tmp_path, "doc_id,id,y_true,y_pred\nx,1,a,a\ny,2,b,a\n").notes


SHEET = "id,y_true,y_pred\n1,a,a\n2,b,a\n"


@pytest.mark.parametrize(
    "text", [SHEET.replace("\n", ",,\n"), SHEET + ",,\n,,\n", SHEET.replace("\n", ",\n") + ",,,\n"]
)
def test_a_spreadsheet_has_empty_cells_around_the_table(tmp_path, text):
    assert of_text(tmp_path, text) == of_text(tmp_path, SHEET)


def test_columns_without_a_name_that_are_not_empty_are_refused(tmp_path):
    with pytest.raises(InputError, match="header: expected each name once, got '' 2 times"):
        of_text(tmp_path, "id,y_true,y_pred,,\n1,a,a,x,y\n")


@pytest.mark.parametrize("columns", [{"y_pred": "y_true"}, {"y_true": "gold", "y_pred": "gold"}, {"y_true": "y_pred"}])
def test_one_column_is_not_truth_and_prediction(tmp_path, columns):
    with pytest.raises(InputError, match="would be both y_true and y_pred"):
        of_text(tmp_path, "y_true,y_pred,gold\na,b,a\nb,b,b\n", **columns)


@pytest.mark.parametrize(
    "text", ['{"tp": 5, "fp": 3, "fn": 2}', '[{"TP": 5, "FP": 3, "FN": 2}]', '{"tp": [5], "fp": [3], "fn": [2]}']
)
def test_outcomes_of_one_row(tmp_path, text):
    assert of_text(tmp_path, text, "a.json") == SpanCounts.from_counts([5], [3], [2])
    found = of_text(tmp_path, '{"tp": 5, "fp": 3, "fn": 2, "tn": 90}', "a.json")
    assert found == ConfusionMatrix([[90, 3], [2, 5]])


CROSSTAB = pd.DataFrame([[50, 2], [9, 43]], ["ham", "spam"], ["ham", "spam"])


@pytest.mark.parametrize(
    ("rows", "columns", "is_noted"),
    [
        ("rater1", "rater2", True),
        ("x", "y", True),
        ("row_0", "col_0", True),
        ("y_true", "col_0", False),
        ("label", "col_0", False),
        ("human", "model", True),
        (None, None, False),
    ],
)
def test_axes_whose_names_do_not_tell_are_noted(tmp_path, rows, columns, is_noted):
    table = CROSSTAB.rename_axis(index=rows, columns=columns)
    said = f"the rows count as the truth, as the names do not say which is: {rows!r}, {columns!r}."
    assert ConfusionMatrix(table).notes == ((said,) if is_noted else ())
    corner = "" if rows is None else f"{rows}/{columns}"
    found = of_text(tmp_path, table.rename_axis(index=corner, columns=None).to_csv())
    assert found.notes == ((f"candidate: {said}",) if is_noted else ())


@pytest.mark.parametrize("orient", ["split", "table", "columns", "index", "records"])
def test_a_table_of_counts_in_other_formats_than_csv_is_refused(tmp_path, orient):
    with pytest.raises(InputError, match="y_true and y_pred are missing; the file has column"):
        of_text(tmp_path, CROSSTAB.to_json(orient=orient), "a.json")
    CROSSTAB.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(InputError, match="y_true and y_pred are missing; the file has column"):
        read_side(tmp_path / "a.parquet", "candidate")


def test_columns_beside_one_that_is_not_there_come_first():
    told = str(lacks("vars.label", "to take for y_true", ["id", "vars.text", "score"]))
    assert told == "No column 'vars.label' to take for y_true. Found columns 'vars.text', 'id', 'score'."
