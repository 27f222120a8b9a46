"""What is kept for the next time, and what becomes of it."""

import sys
from pathlib import Path

import pytest

from pytest_bayesf1._util import Cache, cache_folder

ORIGIN = {"blob": "abc", "rope": [-0.01, 0.01]}


def cache_of(kind, folder, revision=1):
    return Cache(kind, revision, folder, lambda value: value)


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_result_is_found_by_all_that_it_was_computed_from(tmp_path):
    cache = cache_of("history", tmp_path)
    assert cache.find(ORIGIN) is None
    cache.keep(ORIGIN, {"score": [0.5, None]})
    assert cache_of("history", tmp_path).find(dict(reversed(ORIGIN.items()))) == {"score": [0.5, None]}
    assert cache.find({**ORIGIN, "blob": "abd"}) is None
    assert cache_of("scores", tmp_path).find(ORIGIN) is None
    assert cache_of("history", tmp_path, revision=2).find(ORIGIN) is None


def test_what_is_no_result_is_none(tmp_path):
    cache_of("history", tmp_path).keep(ORIGIN, "many")
    assert Cache("history", 1, tmp_path, int).find(ORIGIN) is None


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_result_is_none_and_is_replaced(tmp_path, damage):
    cache = cache_of("history", tmp_path)
    cache.keep(ORIGIN, 1)
    (file,) = files(tmp_path)
    file.write_bytes(damage)
    assert cache.find(ORIGIN) is None
    cache.keep(ORIGIN, 2)
    assert cache.find(ORIGIN) == 2
    assert files(tmp_path) == [file]


def test_where_nothing_can_be_kept_nothing_is(tmp_path):
    (tmp_path / "file").write_text("")
    for folder in (None, tmp_path / "file"):
        cache = cache_of("history", folder)
        cache.keep(ORIGIN, 1)
        assert cache.find(ORIGIN) is None


def test_the_folder_is_the_users_choice(monkeypatch, tmp_path):
    monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path))
    assert cache_folder() == tmp_path
    monkeypatch.setenv("BAYESF1_CACHE", "")
    assert cache_folder() is None


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, "home/.cache"),
        ("linux", {"XDG_CACHE_HOME": "elsewhere"}, "elsewhere"),
        ("darwin", {"XDG_CACHE_HOME": "elsewhere"}, "home/Library/Caches"),
        ("win32", {}, "home/AppData/Local"),
        ("win32", {"LOCALAPPDATA": "elsewhere"}, "elsewhere"),
    ],
)
def test_else_it_is_the_platforms(monkeypatch, platform, variables, folder):
    for name in ("BAYESF1_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("home"))
    assert cache_folder() == Path(folder) / "pytest-bayesf1"


def test_without_a_home_nothing_is_kept(monkeypatch):
    def nobody():
        raise RuntimeError

    monkeypatch.delenv("BAYESF1_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", nobody)
    assert cache_folder() is None
