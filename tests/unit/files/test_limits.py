"""Files that say that they hold more than any machine has room for, and numbers beyond any double."""

import gzip
import json
import struct
import tracemalloc
from zipfile import ZIP_DEFLATED, ZipFile

import pyarrow as pa
import pytest
from pyarrow import parquet

from pytest_bayesf1 import InputError
from pytest_bayesf1.baselines.store import read_baseline
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.files import tables as archives
from pytest_bayesf1.files.side import read_side

HUGE = 10**400
TOO_LARGE = "expected at most 2,000,000,000 bytes once unpacked, got more"


def message(path):
    tracemalloc.start()
    try:
        with pytest.raises(InputError) as caught:
            read_side(path, "candidate").counts()
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    return str(caught.value).removeprefix(f"candidate ({path}): ")


def array(descr, shape, version=1):
    head = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(head)) + head


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("descr", "shape"),
    [("<i8", (10**12,)), ("<U0", (10**12,)), ("<U99999999", (8,)), ("<i8", (0, 2**70)), ("<i8", (-(10**12),))],
)
def test_an_array_that_says_that_it_is_huge(tmp_path, descr, shape, version):
    with ZipFile(tmp_path / "a.npz", "w") as archive:
        archive.writestr("y_pred.npy", array("<i8", (4,)))
        archive.writestr("y_true.npy", array(descr, shape, version))
    assert message(tmp_path / "a.npz").startswith(f"y_true.npy: {TOO_LARGE}. Compare counts")


def test_arrays_that_are_huge_together(tmp_path):
    with ZipFile(tmp_path / "a.npz", "w") as archive:
        for name in ("y_true.npy", "y_pred.npy"):
            archive.writestr(name, array("<i8", (150_000_000,)))
    assert message(tmp_path / "a.npz").startswith(f"y_pred.npy: {TOO_LARGE}")


@pytest.fixture
def limit(monkeypatch):
    monkeypatch.setattr(archives, "LARGEST", 100_000)


@pytest.mark.parametrize(
    "content", [b"y_true,y_pred\n" + 100_000 * b"0,1\n", 200_000 * b"x", b"y_true,y_pred\n" + 200_000 * b"\n"]
)
def test_a_compressed_file_that_never_ends(tmp_path, content, limit):
    for name in ("a.csv.gz", "a.json.gz"):
        (tmp_path / name).write_bytes(gzip.compress(content))
        assert message(tmp_path / name).startswith("expected at most 100,000 bytes once unpacked, got more")


def test_a_member_of_an_archive_that_never_ends(tmp_path, limit):
    with ZipFile(tmp_path / "a.npz", "w", ZIP_DEFLATED) as archive:
        archive.writestr("counts", bytes(200_000))
    assert message(tmp_path / "a.npz").startswith("counts: expected at most 100,000 bytes once unpacked, got more")


def test_a_table_of_few_bytes_and_many_rows(tmp_path, limit):
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 100_000, pa.int8()), pa.array(["a"]))
    parquet.write_table(pa.table({"y_true": column, "y_pred": column}), tmp_path / "a.parquet")
    assert (tmp_path / "a.parquet").stat().st_size < 10_000
    with pytest.raises(InputError, match="expected at most 100,000 bytes once unpacked, got more"):
        read_side(tmp_path / "a.parquet", "candidate")


def test_a_baseline_that_never_ends(tmp_path, limit):
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(200_000 * b" "))
    with pytest.raises(BaselineError, match="expected at most 100,000 bytes once unpacked, got more"):
        read_baseline(path)


@pytest.mark.parametrize("name", ["a.json", "a.yaml"])
@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"counts": [[HUGE, 1], [1, 1]]}, "counts: expected a square matrix (M, M), or an array (L, 2, 2), of whole "),
        ({"y_true": [HUGE, 1], "y_pred": [1, 2]}, "y_true: expected class labels below 2^63, got a larger number"),
        ({"y_true": [1, 2], "y_pred": [1, -HUGE]}, "y_pred: expected class labels below 2^63, got a larger number"),
        ({"y_true": [1, 2], "y_pred": [1, 2], "id": [HUGE, 2.0]}, "id: expected ids below 2^63, got a larger number"),
        ({"y_true": [[1, 0]], "y_pred": [[HUGE, 0]]}, "y_pred: expected indicators of shape (N, L), or N sets of "),
    ],
)
def test_a_whole_number_beyond_a_double(tmp_path, name, document, told):
    (tmp_path / name).write_text(json.dumps(document))
    assert message(tmp_path / name).startswith(told)
