import os
import sys
import tempfile
from pathlib import Path

import pytest

from pytest_bayesf1._util import write_all


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


def test_files_are_written_into_new_folders(tmp_path):
    write_all({tmp_path / "a" / "1": b"one", tmp_path / "b" / "c" / "2": b"two"})
    assert contents(tmp_path / "a") == {"1": "one"}
    assert contents(tmp_path / "b" / "c") == {"2": "two"}


def test_bytes_are_written_as_they_are(tmp_path):
    write_all({tmp_path / "a": b"\r\n\n\0\xff"})
    assert (tmp_path / "a").read_bytes() == b"\r\n\n\0\xff"


def test_older_files_are_replaced_and_others_left_alone(tmp_path):
    (tmp_path / "a").write_text("old " * 1000)
    (tmp_path / "notes").write_text("mine")
    write_all({tmp_path / "a": b"new"})
    assert contents(tmp_path) == {"a": "new", "notes": "mine"}


def test_nothing_to_write(tmp_path):
    write_all({})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX's")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_permissions_follow_the_umask(tmp_path, umask, mode):
    before = os.umask(umask)
    try:
        write_all({tmp_path / "a": b"", tmp_path / "b": b""})
        assert os.umask(umask) == umask
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {mode}


def test_a_write_that_fails_leaves_older_files_and_no_leftovers(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="No space left"):
        write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert contents(tmp_path) == {"a": "old"}


def test_everything_is_written_before_anything_is_replaced(tmp_path, monkeypatch):
    made, mkstemp = [], tempfile.mkstemp

    def fail_at_the_second(**arguments):
        if made:
            raise OSError(28, "No space left on device")
        made.append(arguments["prefix"])
        return mkstemp(**arguments)

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr("tempfile.mkstemp", fail_at_the_second)
    with pytest.raises(OSError, match="No space left"):
        write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert made == [".a."]
    assert contents(tmp_path) == {"a": "old"}


def test_a_disk_that_is_full_leaves_no_leftovers(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "chmod", fail)
    with pytest.raises(OSError, match="No space left"):
        write_all({tmp_path / "a": b"new"})
    assert contents(tmp_path) == {}


def test_a_directory_in_the_way_is_named(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError) as caught:
        write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert caught.value.filename == str(tmp_path / "b")
    assert caught.value.strerror == "a directory is in the way"
    assert contents(tmp_path) == {"a": "old"}
