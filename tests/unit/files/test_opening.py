"""Files that are compressed, or say that they are."""

import gzip
import io
from functools import partial

import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError
from pytest_bayesf1.files import opening
from pytest_bayesf1.files.opening import Bounded, require_room
from pytest_bayesf1.files.side import read_side

CSV = b"y_true,y_pred\nham,spam\nspam,spam\n"
JSON = b'[{"y_true": "ham", "y_pred": "spam"}, {"y_true": "spam", "y_pred": "spam"}]'
TEXTS = {
    "csv": CSV,
    "CSV": CSV,
    "tsv": CSV.replace(b",", b"\t"),
    "json": JSON,
    "jsonl": JSON[1:-1].replace(b"}, ", b"}\n"),
}
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
        ("a.csv", b"", "The file is empty"),
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


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "LARGEST", 100_000)
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzipped(b" " * 1_000_000))
    with pytest.raises(InputError, match="Larger than 100,000 bytes, once unpacked"):
        read_side(path, "candidate")


class TestArchives:
    @pytest.fixture
    def _at_most_ten(self, monkeypatch):
        monkeypatch.setattr(opening, "LARGEST", 10)

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
        require_room(opening.LARGEST)
        with pytest.raises(InputError, match=r"a\.npz"):
            require_room(opening.LARGEST + 1, "a.npz")
