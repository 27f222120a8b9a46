import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1 import text, writing
from pytest_bayesf1.values import as_float, as_floats, require_once
from pytest_bayesf1.writing import Cache, cache_folder, json_text, locked, write_all
from tests.unit.refused import assert_refused


def contents(folder):
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file()}


class TestAtomic:
    def test_older_files_are_replaced_others_left_alone_and_folders_made(self, tmp_path):
        (tmp_path / "a").write_text("old " * 1000)
        (tmp_path / "notes").write_text("mine")
        write_all({tmp_path / "a": b"new", tmp_path / "b" / "c" / "2": b"two"})
        assert contents(tmp_path) == {"a": "new", "notes": "mine"}
        assert contents(tmp_path / "b" / "c") == {"2": "two"}

    @pytest.mark.skipif(sys.platform == "win32", reason="permissions are POSIX's")
    @pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
    def test_permissions_follow_the_umask(self, tmp_path, umask, mode):
        before = os.umask(umask)
        try:
            write_all({tmp_path / "a": b"", tmp_path / "b": b""})
            assert os.umask(umask) == umask
        finally:
            os.umask(before)
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {mode}

    @pytest.mark.parametrize("step", ["replace", "chmod"])
    def test_a_write_that_fails_leaves_older_files_and_no_leftovers(self, tmp_path, monkeypatch, step):
        def fail(*_, **__):
            raise OSError(28, "No space left on device")

        (tmp_path / "a").write_text("old")
        monkeypatch.setattr(Path, step, fail)
        with pytest.raises(OSError, match="No space left"):
            write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
        assert contents(tmp_path) == {"a": "old"}

    def test_everything_is_written_before_anything_is_replaced(self, tmp_path, monkeypatch):
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

    @pytest.mark.parametrize("where", ["repository", "."])
    @pytest.mark.parametrize(
        "write", [lambda path: write_all({path: b"x"}), lambda path: locked(path.parent).__enter__()]
    )
    def test_a_linked_folder_of_the_project_is_refused(self, tmp_path, monkeypatch, where, write):
        """A clone whose ``__bayesf1__`` led out of it had files written, and one deleted, elsewhere."""
        outside, project = tmp_path / "outside", tmp_path / "linked" / "project"
        outside.mkdir()
        (outside / ".left.bayesf1").write_text("mine")
        (tmp_path / "real" / "project" / "sub").mkdir(parents=True)
        (tmp_path / "linked").symlink_to("real")  # above the project, links are the user's own
        (project / "__bayesf1__").symlink_to(outside)
        if where == "repository":
            (project / ".git").mkdir()
        monkeypatch.chdir(project / ("sub" if where == "repository" else "."))
        path = Path.cwd() / ".." if where == "repository" else Path.cwd()
        with pytest.raises(FileExistsError, match="a symbolic link is in the way"):
            write(path / "__bayesf1__" / "a" / "gates.json")
        write_all({path / "plain" / "gates.json": b"x"})
        assert contents(outside) == {".left.bayesf1": "mine"}

    def test_a_directory_in_the_way_is_named(self, tmp_path):
        (tmp_path / "a").write_text("old")
        (tmp_path / "b").mkdir()
        with pytest.raises(IsADirectoryError) as caught:
            write_all({tmp_path / "a": b"new", tmp_path / "b": b"new"})
        assert caught.value.filename == str(tmp_path / "b")
        assert caught.value.strerror == "a directory is in the way"
        assert contents(tmp_path) == {"a": "old"}

    def test_a_file_where_a_folder_should_be_is_named(self, tmp_path):
        (tmp_path / "a").write_text("kept")
        for path in ("a/b", "a/b/c"):
            with pytest.raises(NotADirectoryError, match="a file is in the way") as caught:
                write_all({tmp_path / path: b"new"})
            assert caught.value.filename == str(tmp_path / "a")

    def test_a_link_is_left_alone(self, tmp_path):
        (tmp_path / "a").write_text("kept")
        (tmp_path / "link").symlink_to("a")
        with pytest.raises(FileExistsError, match="a symbolic link is in the way"):
            write_all({tmp_path / "b": b"new", tmp_path / "link": b"new"})
        assert (tmp_path / "a").read_text() == "kept"
        assert (tmp_path / "link").is_symlink()
        assert not (tmp_path / "b").exists()


HOLDER = """
import sys
from contextlib import ExitStack
from pathlib import Path
from pytest_bayesf1.writing import _write_beside, locked

folder = Path(sys.argv[1])
with locked(folder):
    _write_beside(folder / "gates.json", b"half", ExitStack())
    print("ready", flush=True)
    sys.stdin.read()
"""


class TestLocked:
    @pytest.fixture
    def folder(self, tmp_path, monkeypatch):
        monkeypatch.setattr(writing, "_LOCK_SECONDS", 0.1)
        return tmp_path / "store"

    @pytest.fixture
    def holder(self, folder, tmp_path):
        """A process of another shell: neither the temporary directory nor the home is ours."""
        environment = {**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.kill()
        process.communicate()

    @pytest.mark.slow
    @pytest.mark.usefixtures("holder")
    def test_a_lock_that_is_held_is_told(self, folder):
        with pytest.raises(TimeoutError, match="another process has locked"), locked(folder):
            pass
        assert len(list(folder.iterdir())) == 2

    @pytest.mark.slow
    def test_what_a_killed_process_left_is_removed(self, folder, holder):
        (folder / ".notes").write_text("mine")
        holder.kill()
        holder.wait()
        left = {path.name for path in folder.iterdir()} - {".notes"}
        assert len(left) == 2
        assert all(name.startswith(".") and name.endswith(".bayesf1") for name in left)
        with locked(folder):
            write_all({folder / "gates.json": b"whole"})
        assert contents(folder) == {"gates.json": "whole", ".notes": "mine"}

    def test_a_lock_leaves_nothing_there_or_elsewhere(self, folder, tmp_path, monkeypatch):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
        Path(tempfile.gettempdir()).mkdir()
        with pytest.raises(KeyError), locked(folder):
            raise KeyError
        assert files(tmp_path) == []

    @pytest.mark.skipif(sys.platform == "win32", reason="a link takes a right there")
    def test_a_link_in_the_place_of_a_lock_is_refused(self, folder, tmp_path):
        with locked(folder):
            (lock,) = folder.iterdir()
        (tmp_path / "mine").write_text("mine")
        lock.symlink_to(tmp_path / "mine")
        with pytest.raises(OSError, match=lock.name), locked(folder):
            pass
        assert (tmp_path / "mine").read_text() == "mine"


ORIGIN = {"blob": "abc", "rope": [-0.01, 0.01]}


def cache_of(kind, folder, revision=1):
    return Cache(kind, revision, folder, lambda value: value)


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


class TestCache:
    def test_a_result_is_found_by_all_that_it_was_computed_from(self, tmp_path):
        cache = cache_of("history", tmp_path)
        assert cache.find(ORIGIN) is None
        cache.keep(ORIGIN, {"score": [0.5, None]})
        assert cache_of("history", tmp_path).find(dict(reversed(ORIGIN.items()))) == {"score": [0.5, None]}
        assert cache.find({**ORIGIN, "blob": "abd"}) is None
        assert cache_of("scores", tmp_path).find(ORIGIN) is None
        assert cache_of("history", tmp_path, revision=2).find(ORIGIN) is None

    def test_a_result_of_another_version_of_the_package_is_none(self, tmp_path, monkeypatch):
        cache_of("history", tmp_path).keep(ORIGIN, 1)
        monkeypatch.setattr(writing, "__version__", "0.0.9")
        assert cache_of("history", tmp_path).find(ORIGIN) is None

    def test_what_is_no_result_is_none(self, tmp_path):
        cache_of("history", tmp_path).keep(ORIGIN, "many")
        assert Cache("history", 1, tmp_path, int).find(ORIGIN) is None

    @pytest.mark.parametrize(
        "damage", [b"", b"\xff\xfe", b"[" * 100_000, b"{}", b"2", b'{"result": 2}', b'{"digest": "", "result": 2}']
    )
    def test_a_damaged_result_is_none_and_is_replaced(self, tmp_path, damage):
        cache = cache_of("history", tmp_path)
        cache.keep(ORIGIN, 1)
        (file,) = files(tmp_path)
        file.write_bytes(damage)
        assert cache.find(ORIGIN) is None
        cache.keep(ORIGIN, 2)
        assert cache.find(ORIGIN) == 2
        assert files(tmp_path) == [file]

    def test_a_figure_that_was_edited_or_is_of_another_origin_is_none(self, tmp_path):
        cache = cache_of("history", tmp_path)
        cache.keep(ORIGIN, {"verdict": "failed"})
        (file,) = files(tmp_path)
        content = file.read_text()
        file.write_text(content.replace("failed", "passed"))
        assert cache.find(ORIGIN) is None
        file.unlink()
        cache.keep({**ORIGIN, "blob": "abd"}, {"verdict": "failed"})
        (other,) = files(tmp_path)
        file.parent.mkdir(exist_ok=True)
        other.rename(file)
        assert cache.find(ORIGIN) is None

    @pytest.mark.skipif(sys.platform == "win32", reason="has neither")
    def test_only_a_regular_file_is_read_and_only_the_user_may_write(self, tmp_path):
        folder = tmp_path / "cache"
        cache = cache_of("history", folder)
        cache.keep(ORIGIN, 1)
        (file,) = files(folder)
        assert {path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*")) if path.is_dir()} == {0o700}
        kept = file.rename(tmp_path / "kept.json")
        file.symlink_to(kept)
        assert cache.find(ORIGIN) is None
        file.unlink()
        os.mkfifo(file)
        assert cache.find(ORIGIN) is None  # and does not wait
        cache.keep(ORIGIN, 2)
        assert cache.find(ORIGIN) == 2

    def test_where_nothing_can_be_kept_nothing_is(self, tmp_path):
        (tmp_path / "file").write_text("")
        for folder in (None, tmp_path / "file"):
            cache = cache_of("history", folder)
            cache.keep(ORIGIN, 1)
            assert cache.find(ORIGIN) is None

    def test_the_folder_is_the_users_choice(self, monkeypatch, tmp_path):
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
    def test_else_it_is_the_platforms(self, monkeypatch, platform, variables, folder):
        for name in ("BAYESF1_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "platform", platform)
        monkeypatch.setattr(Path, "home", lambda: Path("home"))
        assert cache_folder() == Path(folder) / "pytest-bayesf1"

    def test_without_a_home_nothing_is_kept(self, monkeypatch):
        def nobody():
            raise RuntimeError

        monkeypatch.delenv("BAYESF1_CACHE")
        monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setattr(Path, "home", nobody)
        assert cache_folder() is None


class TestChecks:
    @pytest.mark.parametrize("value", [0.5, np.float32(0.5), np.float64(0.5), Fraction(1, 2), np.array(0.5)], ids=repr)
    def test_a_real_number_is_a_float(self, value):
        assert as_float(value) == 0.5
        assert type(as_float(value)) is float

    @pytest.mark.parametrize(
        "value", [True, np.True_, "0.5", None, 1j, [0.5], np.array([0.5]), np.array("a")], ids=repr
    )
    def test_what_is_no_real_number(self, value):
        assert as_float(value) is None

    def test_a_whole_number_too_large_for_a_float_is_infinite(self):
        assert as_float(10**400) == inf

    @pytest.mark.parametrize("values", [(1, 2.5), [1, 2.5], np.array([1, 2.5]), iter([1, 2.5])], ids=type)
    def test_numbers_in_their_order(self, values):
        assert as_floats(values) == (1.0, 2.5)

    @pytest.mark.parametrize(
        "values",
        [{1, 2.5}, {1: 2.5}, "12", b"12", (1, "2"), (1, None), (1, True), 1.0, np.array(1.0), np.eye(2)],
        ids=repr,
    )
    def test_what_are_no_numbers_in_an_order(self, values):
        assert as_floats(values) is None

    def test_the_first_name_that_stands_twice_is_told(self):
        names = ["a", "b", "b", "a", "b"]
        assert_refused(lambda: require_once(names, "header", "column"), "header", "each column once", "'a' 2 times")
        require_once([])
        require_once(["a", "b", 1])


class TestJsonText:
    def test_numbers_stand_on_one_line_and_all_else_on_its_own(self):
        document = {"rope": [-0.01, 1e-7, 3], "gates": ["a", "b"], "empty": []}
        text = json_text(document)
        assert json.loads(text) == document
        assert ' "rope": [ -0.01, 1e-07, 3 ],\n' in text
        assert '  "a",\n  "b"\n' in text
        assert text.endswith("}\n")

    def test_deep_levels_are_written_on_one_line(self):
        document = {"version": 1, "entries": [{"a": [1, 0.5], "b": {"c": "d", "e": []}}, {"a": ["x", "y"]}]}
        text = json_text(document, levels=2)
        assert json.loads(text) == document
        assert text.splitlines()[3:5] == ['  {"a":[1,0.5],"b":{"c":"d","e":[]}},', '  {"a":["x","y"]}']

    @pytest.mark.parametrize("text", ["[\n1,\n2\n]", "ä\u2028", '"'])
    def test_texts_are_left_as_they_are(self, text):
        assert json.loads(json_text({"name": text, "numbers": [1, 2]})) == {"name": text, "numbers": [1, 2]}

    def test_the_last_digits_of_a_number_are_left_out(self):
        assert json_text({"one": 0.1 + 0.2, "several": [0.1 + 0.2, 1, 1e-300 / 3]}).split() == (
            ["{", '"one":', "0.3,", '"several":', "[", "0.3,", "1,", "3.33333333333e-301", "]", "}"]
        )

    def test_no_json_has_such_numbers(self):
        with pytest.raises(ValueError, match="not JSON compliant"):
            json_text([inf])

    def test_what_json_does_not_hold_is_opened(self):
        text = json_text({"verdict": {1}, "tuples": (1.0, "a"), "on": True}, default=sorted)
        assert json.loads(text) == {"verdict": [1], "tuples": [1.0, "a"], "on": True}
        with pytest.raises(TypeError):
            json_text({1})


class TestText:
    @pytest.mark.parametrize(
        ("probability", "written"),
        [
            (0, "0%"),
            (0.0004, "<0.1%"),
            (0.001, "0.1%"),
            (0.95, "95%"),
            (0.999, "99.9%"),
            (0.9996, ">99.9%"),
            (1, "100%"),
        ],
    )
    def test_a_probability_is_never_rounded_to_certainty(self, probability, written):
        assert text.percent(probability) == written

    @pytest.mark.parametrize(
        ("value", "written"),
        [(0.0, "<0.001"), (0.00099, "<0.001"), (0.001, "0.001"), (0.0123, "0.012"), (0.75, "0.75")],
    )
    def test_a_p_value_is_never_rounded_to_impossibility(self, value, written):
        assert text.p_value(value) == written

    @pytest.mark.parametrize(
        ("value", "mcse", "written"),
        [
            (0.012345, 0.00123, "0.0123 ± 0.001"),
            (999, 12, "999 ± 10"),
            (1000, 0.3, "1,000 ± 0.3"),
            (1e6, 12_345, "1,000,000 ± 12,345"),
        ],
    )
    def test_a_bayes_factor_has_three_digits_and_its_error_one(self, value, mcse, written):
        assert text.factor(value, mcse) == written

    @pytest.mark.parametrize(("value", "written"), [(0.0, "<0.001"), (5.8e-105, "<0.001"), (3e107, ">1,000,000")])
    def test_an_extreme_bayes_factor_is_not_spelt_out(self, value, written):
        assert text.factor(value, value) == written
