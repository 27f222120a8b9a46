"""Files that are compressed, or say that they are."""

import bz2
import gzip
import lzma
import sys
import zipfile
from functools import partial
from importlib import import_module

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.files import opening
from pytest_bayesf1.files.side import read_side

CSV = b"y_true,y_pred\nham,spam\nspam,spam\n"
JSON = b'[{"y_true": "ham", "y_pred": "spam"}, {"y_true": "spam", "y_pred": "spam"}]'
TEXTS = {
    "csv": CSV,
    "tsv": CSV.replace(b",", b"\t"),
    "json": JSON,
    "yaml": JSON,
    "jsonl": JSON[1:-1].replace(b"}, ", b"}\n"),
}
EXPECTED = ConfusionMatrix.from_predictions(["ham", "spam"], ["spam", "spam"])


def zipped(content, names=("inside.csv",)):
    def write(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in names:
                archive.writestr(name, content)

    return write


zstandard = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
gzipped = partial(gzip.compress, mtime=0)  # the ids of cases hold it, and are the same in every process


PACK = {"gz": gzipped, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress}


@pytest.mark.parametrize("suffix", [*PACK, "zip"])
@pytest.mark.parametrize("form", TEXTS)
def test_every_text_may_be_compressed(tmp_path, form, suffix):
    path = tmp_path / f"a.{form}.{suffix}"
    if suffix == "zip":
        zipped(TEXTS[form])(path)
    else:
        path.write_bytes(PACK[suffix](b"\xef\xbb\xbf" + TEXTS[form]))
    assert read_side(path, "candidate").counts() == EXPECTED


def test_an_archive_is_read_by_the_name_of_its_only_file(tmp_path):
    zipped(CSV, ("new/predictions.csv", "__MACOSX/new/._predictions.csv", "new/.DS_Store"))(tmp_path / "a.zip")
    assert read_side(tmp_path / "a.zip", "candidate").counts() == EXPECTED


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "a.csv",
            gzipped(CSV),
            "The content is compressed with gzip, which the name does not say. Rename it to a.csv.gz",
        ),
        ("a.csv.gz", bz2.compress(CSV), "The content is compressed with bzip2, .* Rename it to a.csv.bz2"),
        ("a.csv.gz", CSV, "Not a whole gzip file"),
        ("a.csv.gz", gzipped(CSV)[:-9], "Not a whole gzip file: Compressed file ended"),
        ("a.csv.bz2", bz2.compress(CSV)[:-9], "Not a whole bzip2 file: Compressed file ended"),
        ("a.csv.xz", lzma.compress(CSV)[:-9], "Not a whole XZ file: Compressed file ended"),
        ("a.csv.xz", CSV, "Not a whole XZ file"),
        ("a.csv.bz2", CSV, "Cannot read the file: Invalid data stream"),
        ("a.csv.zip", CSV, "Not a whole zip file: File is not a zip file"),
        ("a.csv.gz", gzipped("y_true".encode("utf-16")), "Not UTF-8, but UTF-16. Save the file as UTF-8"),
        ("a.npz.gz", gzipped(CSV), "A file that ends in .npz has compression of its own. Unpack it first"),
        ("a.csv", b"", "The file is empty"),
        ("a.csv.gz", gzipped(b""), "The file is empty"),
    ],
)
def test_what_is_damaged_or_called_otherwise(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_side(tmp_path / name, "candidate")


@pytest.mark.parametrize(
    ("names", "message"),
    [(("a.csv", "b.csv"), "expected an archive with one file, got 'a.csv', 'b.csv'. Unpack it"), ((), "got none")],
)
def test_archives_of_several_files(tmp_path, names, message):
    for outer in ("a.zip", "a.csv.zip"):
        zipped(CSV, names)(tmp_path / outer)
        with pytest.raises(InputError, match=message):
            read_side(tmp_path / outer, "candidate")


@pytest.mark.parametrize("suffix", [*PACK, "zip"])
def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(opening, "LARGEST", 100_000)
    path, content = tmp_path / f"a.json.{suffix}", b" " * 1_000_000
    if suffix == "zip":
        zipped(content)(path)
    else:
        path.write_bytes(PACK[suffix](content))
    with pytest.raises(InputError, match="Larger than 100,000 bytes, once unpacked"):
        read_side(path, "candidate")
