"""Files in place of data frames."""

import gzip
import sys

import duckdb
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts
from pytest_bayesf1.data.frames import FileTables
from pytest_bayesf1.files.side import read_side
from tests.unit.frames.engines import written_csv, written_parquet
from tests.unit.frames.test_group_by import same

FORMATS = {"csv": written_csv, "parquet": written_parquet}


@pytest.fixture(params=FORMATS.items(), ids=FORMATS)
def write(request, tmp_path):
    suffix, written = request.param
    return lambda columns, name: written(columns, tmp_path / f"{name}.{suffix}")


@pytest.fixture
def csv(tmp_path):
    def write(text, encoding="utf-8"):
        path = tmp_path / "predictions.csv"
        path.write_text(text, encoding=encoding, newline="")
        return path

    return write


def rows(columns, part):
    return {name: values[part] for name, values in columns.items()}


@pytest.mark.parametrize("kind", [str, lambda path: path], ids=["text", "path"])
def test_a_file(write, columns, kind):
    pairs = PairedCounts.from_frame(kind(write(columns, "one")), y_true="truth", baseline="old", candidate="new")
    same(pairs, PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"]))


def test_many_files_whose_columns_stand_in_any_order(write, columns, tmp_path):
    write(rows(columns, slice(150)), "part-1")
    path = write(dict(reversed(rows(columns, slice(150, None)).items())), "part-2")
    matrices = ConfusionMatrix.from_frame(
        tmp_path / f"part-*{path.suffix}", y_true="truth", y_pred="new", by="language"
    )
    assert sum(matrix.n_samples for matrix in matrices.values()) == 400
    whole = ConfusionMatrix.from_frame(tmp_path / f"*{path.suffix}", y_true="truth", y_pred="new")
    assert whole == ConfusionMatrix.from_predictions(columns["truth"], columns["new"])


def test_compressed_text(columns, tmp_path):
    plain = written_csv(columns, tmp_path / "plain.csv")
    (tmp_path / "packed.CSV.gz").write_bytes(gzip.compress(plain.read_bytes()))
    matrices = [ConfusionMatrix.from_frame(path, y_true="truth", y_pred="old") for path in tmp_path.iterdir()]
    assert matrices[0] == matrices[1]
    assert matrices[0].n_samples == 400


def test_two_files_of_any_format_are_joined(write, columns, tmp_path):
    baseline = {"id": columns["id"], "y_true": columns["truth"], "y_pred": columns["old"]}
    candidate = {"id": columns["id"][::-1], "y_true": columns["truth"][::-1], "y_pred": columns["new"][::-1]}
    expected = PairedCounts.from_predictions(columns["truth"], columns["old"], columns["new"])
    for other in (write(candidate, "candidate"), written_parquet(candidate, tmp_path / "other.parquet")):
        same(PairedCounts.from_frames(write(baseline, "baseline"), other), expected)
    itself = PairedCounts.from_predictions(columns["truth"], columns["new"], columns["new"])
    same(PairedCounts.from_frames(other, other), itself)


def test_whole_numbers_in_text_are_integers_beside_typed_ones(tmp_path):
    baseline = {"id": [1, 2, 3], "y_true": [10, 9, 10], "y_pred": [9, 9, 10]}
    files = written_csv(baseline, tmp_path / "a.csv"), written_parquet(baseline, tmp_path / "a.parquet")
    expected = PairedCounts.from_predictions(baseline["y_true"], baseline["y_pred"], baseline["y_pred"])
    same(PairedCounts.from_frames(*files), expected)
    same(PairedCounts.from_frames(*files[::-1]), expected)


@pytest.mark.parametrize(
    "text",
    [
        "y_true,y_pred\n1,2\n2,-3\n",
        "y_true,y_pred\n1,02\n02,3\n",
        "y_true,y_pred\nTrue,False\nFalse,False\n",
        "y_true;y_pred\na,b;c\nc;c\n",
        'y_true\ty_pred\n"a\nb"\t" c"\n"say ""no"""\t"a\nb"\n',
        "\ufeffy_true,y_pred\r\n#1,#1\r\ny','x\r\n",
        "note,y_true,y_pred\n,a,b\n,b,b\n",
        "y_true,y_pred\n2026-01-01,1e3\n1.0,1.5\n1000,1\n",
    ],
    ids=["integers", "codes", "booleans", "semicolons", "tabs and quotes", "byte order mark", "empty cells", "numbers"],
)
def test_text_is_read_as_the_other_readers_do(csv, text):
    path = csv(text)
    assert ConfusionMatrix.from_frame(path) == read_side(path, "file").counts()


@pytest.mark.parametrize("empty", ["", '""', "nan", "NaN"])
def test_empty_cells_and_nans_are_missing(csv, empty):
    with pytest.raises(InputError, match="got rows: 2 without 'y_pred'"):
        ConfusionMatrix.from_frame(csv(f"y_true,y_pred\na,b\na,{empty}\nb,{empty}\n"))


@pytest.mark.parametrize("row", ["a", "a,b,c", '"a,b'], ids=["too few cells", "too many cells", "no end of a quote"])
@pytest.mark.parametrize("before", [3, 30_000])
def test_rows_that_do_not_fit_are_never_skipped(csv, row, before):
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
def test_files_that_cannot_be_read(tmp_path, name, content, found):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match="frame: expected files that can be read") as caught:
        ConfusionMatrix.from_frame(tmp_path / name)
    assert found in caught.value.found
    assert "Possible" not in caught.value.found


def test_the_side_whose_file_cannot_be_read_is_named(tmp_path, columns):
    good = written_csv(columns, tmp_path / "good.csv")
    with pytest.raises(InputError, match=r"candidate: .*No files found"):
        PairedCounts.from_frames(good, tmp_path / "none.csv", y_true="truth", y_pred="old")


def test_a_format_that_is_none():
    with pytest.raises(InputError) as caught:
        ConfusionMatrix.from_frame("predictions.xlsx")
    assert (caught.value.expected, caught.value.found) == (
        "files that end in .csv, .csv.gz, .parquet",
        "'predictions.xlsx'",
    )


def test_without_duckdb_it_says_what_to_install(monkeypatch, write, columns):
    path = write(columns, "one")
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(InputError, match=r"frame: expected DuckDB.*pip install pytest-bayesf1\[duckdb\]"):
        ConfusionMatrix.from_frame(path)


def test_a_query_of_ones_own(write, columns):
    path = write(columns, "one")
    relation = duckdb.sql(f"SELECT truth AS y_true, old AS y_pred FROM '{path}' WHERE language = 'fi'")  # noqa: S608
    slices = ConfusionMatrix.from_frame(path, y_true="truth", y_pred="old", by="language")
    assert ConfusionMatrix.from_frame(relation) == slices["fi"]


def test_duckdb_keeps_its_progress_to_itself():
    connection = FileTables()._connection
    (shown,) = connection.execute("SELECT current_setting('enable_progress_bar')").fetchone()
    assert not shown
