import gzip

import pytest

from pytest_bayesf1.data.frames import wide_encoding

TEXT = "y_true,y_pred\nä,b\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_one_byte_a_character(tmp_path, encoding):
    path = tmp_path / "a.csv"
    path.write_bytes(TEXT.encode(encoding))
    assert wide_encoding(path) == ""


@pytest.mark.parametrize("name", ["UTF-16", "UTF-32"])
@pytest.mark.parametrize("order", ["", "-LE", "-BE"])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz"])
def test_more_bytes_a_character(tmp_path, name, order, suffix):
    path = tmp_path / f"a{suffix}"
    content = TEXT.encode(name + order)
    path.write_bytes(gzip.compress(content) if suffix == ".csv.gz" else content)
    assert wide_encoding(path) == name


def test_an_empty_file(tmp_path):
    path = tmp_path / "a.csv"
    path.touch()
    assert wide_encoding(path) == ""
