"""What a schema declares, and what is refused without it."""

import csv
import json
import re

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, Scores, SpanCounts
from pytest_bayesf1.choices import Better, Kind, Runs
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.files.side import read_side, read_sides
from tests.unit.files.logged import reading as schema
from tests.unit.files.written import write

GOLD, OLD, NEW = ["ham", "ham", "spam", "spam"], ["ham", "spam", "spam", "spam"], ["ham", "ham", "ham", "spam"]
NAMED = {"y_true": "gold", "id": "doc"}


def read(path, declared=Schema()):  # noqa: B008 (it is frozen)
    return read_side(path, "candidate", declared).counts()


def of_text(folder, text, declared=Schema(), name="a.csv"):  # noqa: B008
    (folder / name).write_text(text)
    return read(folder / name, declared)


def of_lines(folder, records, declared=Schema()):  # noqa: B008
    return of_text(folder, "\n".join(map(json.dumps, records)), declared, "a.jsonl")


class TestColumns:
    def test_one_file_holds_both_sides(self, tmp_path):
        path = write(tmp_path, "a.csv", {"doc": [3, 1, 2, 4], "gold": GOLD, "y_pred": OLD, "new": NEW})
        named = {
            side: schema(NAMED).of_side({"y_pred": of}, {})
            for side, of in (("baseline", "y_pred"), ("candidate", "new"))
        }
        sides = [side.counts() for side in read_sides(path, path, named)]
        assert sides == [ConfusionMatrix.from_predictions(GOLD, said) for said in (OLD, NEW)]
        assert sides[1].questions.ids.tolist() == ["3", "1", "2", "4"]

    @pytest.mark.parametrize("name", ["a.csv", "a.json", "a.npz", "a.parquet"])
    def test_names_that_are_not_known_are_declared(self, tmp_path, name):
        path = write(tmp_path, name, {"gold": GOLD, "answer": NEW, "text": GOLD, "lang": GOLD})
        with pytest.raises(InputError, match=r"found columns 'gold', 'answer', 'text' and 1 more\. Declare: columns"):
            read(path)
        assert read(path, schema({"y_true": "gold", "y_pred": "answer"})).n_samples == 4

    def test_what_is_declared_hides_what_else_would_be_compared(self, tmp_path):
        path = write(tmp_path, "a.csv", {"y_true": [0, 1], "y_pred": [0, 1], "old": [0.2, 0.9], "value": [3, 4]})
        assert read(path, schema({"y_score": "old"})) == Scores.from_predictions(["0", "1"], [0.2, 0.9])
        assert read(path, schema({"value": "value"})) == Scores.from_values([3, 4])
        assert isinstance(read(path), ConfusionMatrix)

    @pytest.mark.parametrize(
        "columns", [{"y_pred": "y_true"}, {"y_true": "gold", "y_pred": "gold"}, {"y_true": "y_pred"}]
    )
    def test_one_column_is_not_truth_and_prediction(self, tmp_path, columns):
        with pytest.raises(InputError, match="would be both y_true and y_pred"):
            of_text(tmp_path, "y_true,y_pred,gold\na,b,a\nb,b,b\n", schema(columns))

    def test_one_column_is_not_true_and_predicted_spans(self, tmp_path):
        for columns in ({"gold": "x", "predicted": "x"}, {"predicted": "gold"}):
            with pytest.raises(InputError, match="would be both gold and predicted"):
                of_lines(tmp_path, [{"gold": [], "x": [], "predicted": []}], schema(columns))

    @pytest.mark.parametrize(
        ("name", "text"), [("a.csv", "y_true,y_pred\na,a\n\n\nb,b\n"), ("a.jsonl", '{"y_true": 1}\n\n{"y_true": 2}\n')]
    )
    def test_a_blank_line_is_refused_by_every_door(self, tmp_path, name, text):
        with pytest.raises(InputError, match=r"line [23]: A blank line between rows"):
            of_text(tmp_path, text, name=name)

    @pytest.mark.parametrize("name", ["a.csv", "records.json", "a.parquet"])
    @pytest.mark.parametrize("column", ["y_true", "id", "user"])
    def test_what_is_missing_is_refused_by_every_door(self, tmp_path, name, column):
        columns = {"id": list("vwxyz"), "user": list("aabbc"), "y_true": list("ababa"), "y_pred": list("ababa")}
        columns |= {column: [*columns[column][:2], None, " ", columns[column][4]]}
        with pytest.raises(InputError, match=rf"{column}: 2 of 5 are no .* first at (line 4|row 3)"):
            read(write(tmp_path, name, columns), Schema(clusters="user")).counts()

    @pytest.mark.parametrize("separator", [";", "|", "\t"])
    def test_a_separator_is_not_searched_for(self, tmp_path, separator):
        with pytest.raises(InputError, match=r"line 1: expected columns separated by commas, got 'y_true.*y_pred'"):
            of_text(tmp_path, f"y_true{separator}y_pred\na{separator}a\n")


LONG = {
    "system": ["old", "new"] * 2,
    "version": [1, 2] * 2,
    "id": [1, 1, 2, 2],
    "y_true": list("aabb"),
    "y_pred": list("abab"),
}


class TestRows:
    @pytest.mark.parametrize("name", ["a.csv", "a.json", "records.json", "a.npz", "a.parquet"])
    @pytest.mark.parametrize("rows", [{"system": "new"}, {"version": "2", "system": "new"}])
    def test_a_file_of_several_systems(self, tmp_path, name, rows):
        expected = ConfusionMatrix.from_predictions(["a", "b"], ["b", "b"], ids=[1, 2])
        assert read(write(tmp_path, name, LONG), schema(rows=rows)) == expected

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ({"sistem": "new"}, "No column 'sistem' to choose rows by: found columns 'system', 'version', 'id'"),
            ({"system": "newer"}, "rows: No row's 'system' is 'newer': found 'new', 'old'"),
            ({"system": "new", "version": "1"}, "There is no row in which 'system' is 'new' and 'version' is '1'"),
        ],
    )
    def test_rows_that_are_not_there(self, tmp_path, rows, message):
        with pytest.raises(InputError, match=message):
            read(write(tmp_path, "a.csv", LONG), schema(rows=rows))


class TestKinds:
    def test_lists_of_tags_are_spans_if_declared(self, tmp_path):
        tags = write(tmp_path, "b.json", {"y_true": [["B-PER", "O"], ["O"]], "y_pred": [["B-PER", "O"], ["B-LOC"]]})
        assert read(tags, Schema(kind=Kind.SPANS)) == SpanCounts.from_bio(
            [["B-PER", "O"], ["O"]], [["B-PER", "O"], ["B-LOC"]], documents=[0, 1]
        )

    @pytest.mark.parametrize(
        ("declared", "text", "message"),
        [
            (Schema(answer="{classes}"), "value\n1\n", "answer: It goes with classes, and these are values"),
            (Schema(better=Better.LOWER), "y_true,y_pred\na,a\n", "better: It goes with values, and these are classes"),
            (Schema(runs=Runs.SAMPLES), "id,y_true,y_score\n1,0,1\n", "runs: It goes with classes, values"),
            (
                Schema(kind=Kind.COUNTS, clusters="a"),
                "y_true,y_pred,n,a\na,a,2,1\nb,b,4,1\n",
                "clusters: It goes with .*, and these are counts",
            ),
            (Schema(kind=Kind.CLASSES), "5,1\n2,7\n", "kind: The file holds counts, and classes are declared"),
        ],
    )
    def test_one_message_refuses_what_does_not_go_together(self, tmp_path, declared, text, message):
        with pytest.raises(InputError, match=message):
            of_text(tmp_path, text, declared)

    def test_y_true_and_y_pred_win_over_flags_and_counts(self, tmp_path):
        flags = of_text(tmp_path, "id,y_true,y_pred,tp,fp,fn\n1,a,a,1,0,0\n2,b,a,0,1,1\n3,b,b,1,0,0\n")
        assert flags == ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "a", "b"])
        text = "y_true,y_pred,n\na,a,50\na,b,3\nb,b,40\nb,a,7\n"
        assert of_text(tmp_path, text, Schema(kind=Kind.CLASSES)).n_samples == 4
        assert of_text(tmp_path, "id,y_true,y_pred,n\n1,a,a,9\n2,b,a,9\n").n_samples == 2
        for name in ("n", "count"):
            with pytest.raises(InputError, match=f"A column '{name}' and no 'id'.*Declare: kind"):
                of_text(tmp_path, text.replace("n\n", f"{name}\n", 1))
        for labels in (None, ("a", "b"), ("b", "a", "c")):
            counts = of_text(tmp_path, text, Schema(kind=Kind.COUNTS, labels=labels))
            assert counts.labels == (labels or ("a", "b"))
            assert counts.relabelled(("a", "b", "c")).counts.tolist() == [[50, 3, 0], [7, 40, 0], [0, 0, 0]]


COUNTS = Schema(kind=Kind.COUNTS)


class TestCounts:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("id,tp,fp,fn\nx,5,1,0\n", "found columns 'id', 'tp', 'fp'"),
            ("y_true,y_pred,n\na,a,1\nb,b,x\n", "n: 1 of 2 is no whole number of examples .'x'; first at line 3"),
            ("y_true,n\na,1\n", "No column 'y_pred' of the pairs that n counts"),
        ],
    )
    def test_what_counts_no_pairs(self, tmp_path, text, message):
        with pytest.raises(InputError, match=message):
            of_text(tmp_path, text, COUNTS)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("5,1\n2,x\n", "line 2: expected whole numbers of examples, got 'x'"),
            ("5,1.5\n2,7\n", "line 1: expected whole numbers of examples, got '1.5'"),
            ("5,1\n2,7,3\n", "line 2: expected 2 cells, as in the first row, got 3"),
            ("5,1,2\n2,7,1\n", "expected a square matrix"),
            (",a,b\na,1,2\na,3,4\n", "first column: expected each class once, got 'a' 2 times"),
            ("ham,spam\n5,1\n", "found columns 'ham', 'spam'. Declare: columns"),
        ],
    )
    def test_what_is_no_matrix(self, tmp_path, text, message):
        with pytest.raises(InputError, match=message):
            of_text(tmp_path, text)

    @pytest.mark.parametrize("corner", ["", "y_true", "true\\pred", "human|model"])
    def test_a_crosstab_with_any_corner(self, tmp_path, corner):
        found = of_text(tmp_path, f"{corner},ham,spam\nham,5,1\nspam,2,7\n")
        assert found == ConfusionMatrix([[5, 1], [2, 7]], labels=["ham", "spam"])
        numbered = of_text(tmp_path, f"{corner},0,1\n0,5,1\n1,2,7\n")
        assert numbered == ConfusionMatrix([[5, 1], [2, 7]], labels=["0", "1"])

    def test_a_crosstab_whose_columns_are_not_its_rows(self, tmp_path):
        turned = of_text(tmp_path, ",spam,ham\nham,1,5\nspam,7,2\n")
        assert turned == ConfusionMatrix([[5, 1], [2, 7]], labels=["ham", "spam"])
        other = of_text(tmp_path, ",spam,eggs\nham,1,5\nspam,7,2\n")
        assert other == ConfusionMatrix([[0, 0, 0], [5, 0, 1], [2, 0, 7]], labels=["eggs", "ham", "spam"])

    @pytest.mark.parametrize("corner", ["y_pred", "pred\\true", "y_pred/y_true"])
    def test_a_crosstab_of_predictions_in_rows_is_refused(self, tmp_path, corner):
        with pytest.raises(InputError, match="transpose the table"):
            of_text(tmp_path, f"{corner},ham,spam\nham,5,1\nspam,2,7\n", COUNTS)


class TestValues:
    def test_a_column_of_any_other_name_declares_what_is_better(self, tmp_path):
        name, text = "accuracy", "accuracy\n0.5\n2\n"
        with pytest.raises(InputError, match=r"does not say whether more is better\. Declare: better"):
            of_text(tmp_path, text, schema({"value": name}))
        lower = of_text(tmp_path, text, schema({"value": name}, better=Better.LOWER))
        assert lower == Scores.from_values([-0.5, -2])
        assert lower.notes == (f"candidate: lower values of {name!r} are better: their negatives are compared.",)
        assert of_text(tmp_path, text, schema({"value": name}, better=Better.HIGHER)) == Scores.from_values([0.5, 2])


class TestGold:
    def test_an_example_without_a_prediction_is_a_missing_answer(self, tmp_path):
        gold = write(tmp_path, "gold.csv", {"id": [1, 2, 3], "y_true": list("abb")})
        said = Schema(gold=str(gold), invalid="wrong")
        found = of_text(tmp_path, "id,y_pred\n1,a\n2,a\n", said)
        assert found.counts.tolist() == [[1, 0, 0], [1, 0, 1], [0, 0, 0]]
        (tmp_path / "whole.csv").write_text("id,y_pred\n3,b\n1,a\n2,a\n")
        assert read_side(tmp_path / "whole.csv", "candidate", said).place(1) == "line 3"

    def test_columns_of_the_predictions_come_before_those_of_the_truth(self, tmp_path):
        columns = {"id": [1, 2], "y_true": list("ab"), "lang": ["en", "fi"], "site": ["x", "y"]}
        gold = write(tmp_path, "gold.csv", columns)
        (tmp_path / "a.csv").write_text("id,y_pred,y_true,lang\n2,b,a,sv\n1,a,a,de\n")
        side = read_side(tmp_path / "a.csv", "candidate", Schema(gold=str(gold)))
        found = [side.slice_values(name, side.counts()) for name in ("lang", "site")]
        assert found == [["sv", "de"], ["y", "x"]]
        assert side.counts().counts.tolist() == [[1, 0], [0, 1]]

    def test_notes_on_the_truth_are_notes_on_the_side(self, tmp_path):
        records = [
            {"_task_hash": row, "answer": "ignore" if row == 3 else "accept", "id": row, "y_true": "ab"[row % 2]}
            for row in range(4)
        ]
        (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, records)))
        found = of_text(tmp_path, "id,y_pred\n0,a\n1,a\n2,a\n", Schema(gold=str(tmp_path / "gold.jsonl")))
        assert found.counts.tolist() == [[2, 0], [1, 0]]
        assert found.notes == ("candidate: 1 of 4 records of Prodigy left out, as not accepted.",)

    @pytest.mark.parametrize(
        ("gold", "message"),
        [
            ("id,y_true\n1,a\n2,b\n", "No truth for 1 prediction: '3'"),
            ("id,y_true\n1,a\n2,b\n3,b\n3,a\n", "id: 1 of 4 is duplicate \\('3'"),
            ("id,label\n1,a\n2,b\n3,b\n", "No column 'y_true' of the truth"),
            ("y_true\na\nb\nb\n", "Only the predictions has a column 'id'"),
        ],
    )
    def test_what_cannot_be_joined(self, tmp_path, gold, message):
        (tmp_path / "gold.csv").write_text(gold)
        with pytest.raises(InputError, match=message):
            of_text(tmp_path, "id,y_pred\n3,b\n1,a\n2,a\n", Schema(gold=str(tmp_path / "gold.csv")))


def test_what_was_not_accepted_in_prodigy_is_left_out_and_counted(tmp_path):
    records = [
        {"_task_hash": number, "answer": answer, "label": "ab"[number % 2], "model": "a"}
        for number, answer in enumerate(["accept", "reject", "accept", "accept", "ignore"])
    ]
    found = of_lines(tmp_path, records, schema({"y_true": "label", "y_pred": "model"}))
    assert found.counts.tolist() == [[2, 0], [1, 0]]
    assert found.notes == ("candidate: 2 of 5 records of Prodigy left out, as not accepted.",)
    table = "\n".join([",".join(records[0]), *(",".join(map(str, each.values())) for each in records), ""])
    assert of_text(tmp_path, table, schema({"y_true": "label", "y_pred": "model"})) == found
    accepted = [record | {"answer": "accept"} for record in records]
    assert of_lines(tmp_path, accepted, schema({"y_true": "label", "y_pred": "model"})).notes == ()
    others = [{"answer": "a", "y_true": "a", "y_pred": "b"}, {"answer": "b", "y_true": "b", "y_pred": "b"}]
    assert of_lines(tmp_path, others).n_samples == 2


def test_a_text_in_a_table_may_be_long(tmp_path):
    text = "x" * 200_000
    assert of_text(tmp_path, f"y_true,y_pred,text\na,a,{text}\nb,a,y\n").counts.tolist() == [[1, 0], [1, 0]]
    assert csv.field_size_limit() < len(text)  # as it was, for others in the process


def test_spans_have_slices_of_one_value_per_document(tmp_path):
    one = "# newdoc id = a\n# genre = news\nBo B-PER O\n\n# genre = news\n# sent_id = 2\nX O O\n\n"
    two = "# newdoc id = b\n# genre = web\n# sent_id = 1\nBo B-PER B-PER\n\n# sent_id = 2\nY O O\n\n"
    (tmp_path / "a.conll").write_text(f"{one}{two}# newdoc id = c\nZ O O\n")
    side = read_side(tmp_path / "a.conll", "candidate")
    assert side.column("genre") == ["news", "web", None]  # what a comment says ends with its document
    (tmp_path / "a.conll").write_text(one + two)
    side = read_side(tmp_path / "a.conll", "candidate")
    assert side.slice_values("genre", side.counts()) == ["news", "web"]
    with pytest.raises(InputError, match="sent_id: 1 of 2 is no value to slice by"):
        side.slice_values("sent_id", side.counts())


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"y_true,y_pred\n\xe9,a\n", "Not UTF-8: the byte 0xe9"),
        ("a.csv", b'y_true,y_pred\nham,"spam\n', "line 2: Not CSV: unexpected end of data"),
        ("a.csv", b"y_true,y_pred,x,x\na,b,1,1\n", "header: expected each name once, got 'x' 2 times"),
        ("a.json", b'{\n "y_true": }', "line 2, column 12: Not JSON"),
        ("a.json", b"3", "expected a list of records, a mapping of columns or a matrix of counts, got int"),
        ("a.json", b"[" * 100_000, "Not JSON: "),
        ("a.json", b'{"y_true": [], "y_true": []}', "expected each name once, got 'y_true' 2 times"),
        ("a.json", b'{"y_true": ["a", "b"], "y_pred": ["a"]}', "y_pred: expected 2 values, as in y_true, got 1"),
        ("a.json", b'{"y_true": ["a", "b"], "y_pred": "a"}', "y_pred: expected 2 values, as in y_true, got str"),
        ("a.npz", b"nothing of the kind", "Not a file of numpy.savez"),
        ("a.parquet", b"", "Not Parquet"),
    ],
)
def test_a_damaged_file_is_told_by_its_place(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as caught:
        read(tmp_path / name)
    assert re.match(rf"candidate \({re.escape(str(tmp_path / name))}\)(: |, ){re.escape(message)}", str(caught.value))


@pytest.mark.parametrize("name", ["a.csv", "a", "a.xls"])
def test_a_file_that_is_not_there_or_a_directory(tmp_path, name):
    with pytest.raises(InputError, match="file not found"):
        read(tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="This is a directory"):
        read(tmp_path / name)
