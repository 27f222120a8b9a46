"""Files that are compressed, or say that they are."""

import gzip
import io
from functools import partial

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.files import opening
from pytest_bayesf1.files.opening import Bounded
from pytest_bayesf1.files.side import read_side

CSV = b"y_true,y_pred\nham,spam\nspam,spam\n"
JSON = b'[{"y_true": "ham", "y_pred": "spam"}, {"y_true": "spam", "y_pred": "spam"}]'
TEXTS = {"csv": CSV, "tsv": CSV.replace(b",", b"\t"), "json": JSON, "jsonl": JSON[1:-1].replace(b"}, ", b"}\n")}
EXPECTED = ConfusionMatrix.from_predictions(["ham", "spam"], ["spam", "spam"])
gzipped = partial(gzip.compress, mtime=0)  # the ids of cases hold it, and are the same in every process


@pytest.mark.parametrize("suffix", ["gz", "GZ"])
@pytest.mark.parametrize("form", TEXTS)
def test_every_text_may_be_compressed(tmp_path, form, suffix):
    path = tmp_path / f"a.{form}.{suffix}"
    path.write_bytes(gzipped(b"\xef\xbb\xbf" + TEXTS[form]))
    assert read_side(path, "candidate").counts() == EXPECTED


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", gzipped(CSV), "Not UTF-8: the byte 0x8b"),
        ("a.csv.gz", CSV, "Not a whole gzip file"),
        ("a.csv.gz", gzipped(CSV)[:-9], "Not a whole gzip file: Compressed file ended"),
        ("a.csv.gz", gzipped("y_true".encode("utf-16")), "Not UTF-8: the byte 0xff. Save the file as UTF-8"),
        ("a.csv.gz", gzipped(b""), "The file is empty"),
    ],
)
def test_what_is_damaged_or_called_otherwise(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_side(tmp_path / name, "candidate")


OTHERS = "a.csv.bz2 a.csv.xz a.csv.zip a.csv.zst a.parquet.gz a.npz.gz a.eval.gz a.yaml a.npy a.txt a"


@pytest.mark.parametrize("name", OTHERS.split())
def test_other_endings_are_refused_with_those_that_are_read(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(InputError, match=rf"expected a file that ends in \.csv, .* text also with \.gz .* '{name}'$"):
        read_side(tmp_path / name, "candidate")


def test_ten_bytes_are_read_and_no_more(monkeypatch):
    monkeypatch.setattr(opening, "LARGEST", 10)
    assert Bounded(io.BytesIO(b"0123456789")).read() == b"0123456789"
    with pytest.raises(InputError, match="Larger than 10 bytes, once unpacked"):
        Bounded(io.BytesIO(b"0123456789a")).read()
