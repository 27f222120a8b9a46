"""Where baselines are kept: found by name, replaced whole, and never when another process was faster."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.baselines import store as baseline_store
from pytest_bayesf1.baselines.store import Baseline, BaselineStore, read_baseline
from pytest_bayesf1.errors import BaselineError

PREDICTED = ConfusionMatrix.from_predictions(["a", "b", "b"], ["a", "b", "a"], ids=["1", "2", "3"])


def matrix(count=50):
    return ConfusionMatrix([[count, 2], [5, 43]], labels=["ham", "spam"])


@pytest.fixture
def store(tmp_path):
    return BaselineStore(tmp_path / "__bayesf1__" / "test_gate")


@pytest.fixture
def _compressed(monkeypatch):
    monkeypatch.setattr(baseline_store, "MOST_AS_TEXT", 2)


def write(store, name="test_f1", side=None, replaces=None):
    return store.write(Baseline(name, side or matrix()), replaces)


def names(store):
    return sorted(path.name for path in store.directory.iterdir())


def test_what_is_written_is_found(store):
    assert write(store) == store.directory / "test_f1.json"
    stored = store.find("test_f1")
    assert stored.baseline == Baseline("test_f1", matrix())
    assert stored.content == stored.path.read_bytes()


def test_a_baseline_that_lacks(store):
    assert store.find("test_f1") is None
    write(store, "test_f2")
    assert store.find("test_f1") is None


def test_nothing_else_is_left_in_the_directory(store):
    write(store)
    write(store, side=matrix(51), replaces=store.find("test_f1"))
    assert names(store) == ["test_f1.json"]


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("test_f1[a-b=1]", "test_f1[a-b=1].json"),
        ("TestSpam.test_f1", "TestSpam.test_f1.json"),
        ("test_f1[a/b]", "test_f1[a_b]-43b8b578.json"),
        ("test_f1[a\\b]", "test_f1[a_b]-5b4d43b5.json"),
        ("späm", "sp_m-b6859eff.json"),
        ("..", "..-5ec1f7e7.json"),
        ("", "-e3b0c442.json"),
    ],
)
def test_a_file_is_named_as_its_baseline_where_it_can_be(store, name, file):
    assert write(store, name).name == file
    assert store.find(name).baseline.name == name


@pytest.mark.parametrize("name", ["x" * 1000, "\ud800", "a\nb", 'a "b"', "a:b", "../up", "/", "x.json"])
def test_every_name_serves(store, name):
    path = write(store, name)
    assert path.parent == store.directory
    assert len(path.name) < 128
    assert store.find(name).baseline.name == name


def test_names_that_look_alike_are_kept_apart(store):
    alike = ["a b", "a_b", "a/b", "x" * 100, "x" * 101, "x" * 102]
    assert len({write(store, name) for name in alike}) == len(alike)


def test_a_file_under_another_name_is_told(store):
    write(store).rename(store.directory / "test_f2.json")
    with pytest.raises(BaselineError) as caught:
        store.find("test_f2")
    assert str(caught.value) == (
        f"{store.directory / 'test_f2.json'}: expected the baseline of 'test_f2', got that of 'test_f1'. "
        "Pass check(..., name=...)."
    )


def test_line_ends_of_windows_read_well(store):
    path = write(store)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert store.find("test_f1").baseline.counts == matrix()


def test_line_ends_are_no_change(store):
    path = write(store)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    before = path.read_bytes()
    assert write(store, replaces=store.find("test_f1")) is None
    assert path.read_bytes() == before


def test_the_same_baseline_is_not_written_again(store):
    path = write(store)
    os.utime(path, (1, 1))
    assert write(store, replaces=store.find("test_f1")) is None
    assert path.stat().st_mtime == 1


@pytest.mark.usefixtures("_compressed")
def test_many_examples_are_compressed(store):
    path = write(store, side=PREDICTED)
    assert path.name == "test_f1.json.gz"
    assert gzip.decompress(path.read_bytes()).startswith(b'{\n"format"')
    assert store.find("test_f1").baseline.counts == PREDICTED
    assert write(store, side=PREDICTED, replaces=store.find("test_f1")) is None


@pytest.mark.usefixtures("_compressed")
def test_compression_leaves_no_date(store):
    one, other = write(store, side=PREDICTED).read_bytes(), write(store, "test_f2", PREDICTED).read_bytes()
    assert one[:10] == other[:10]
    assert one[4:8] == bytes(4)


def test_a_baseline_that_grows_leaves_no_second_file(store, monkeypatch):
    write(store, side=PREDICTED)
    small = store.find("test_f1")
    monkeypatch.setattr(baseline_store, "MOST_AS_TEXT", 2)
    more = ConfusionMatrix.from_predictions(["a", "b", "b", "b"], ["a", "b", "a", "b"])
    assert write(store, side=more, replaces=small).name == "test_f1.json.gz"
    assert names(store) == ["test_f1.json.gz"]


def test_two_files_for_one_baseline_are_told(store):
    path = write(store)
    Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(BaselineError, match=r"expected one file per baseline, got test_f1\.json\.gz too"):
        store.find("test_f1")


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("test_f1.json", b"", "damaged or cut off"),
        ("test_f1.json", b"\xff\xfe{", "can't decode byte 0xff"),
        ("test_f1.json.gz", b"{}", "Not a gzipped file"),
        ("test_f1.json.gz", gzip.compress(b"{}")[:-3], "ended before"),
        ("test_f1.json.gz", gzip.compress(b"{}")[:10] + b"\xff" * 12, "decompress"),
        ("test_f1.json.gz", gzip.compress(b"{}"), "something else"),
    ],
    ids=["empty", "no UTF-8", "not compressed", "cut off", "damaged", "another document"],
)
def test_a_file_that_cannot_be_read_is_told(store, name, content, found):
    store.directory.mkdir(parents=True)
    (store.directory / name).write_bytes(content)
    with pytest.raises(BaselineError, match=found) as caught:
        store.find("test_f1")
    assert caught.value.where == str(store.directory / name)
    assert "delete it and make it anew" in caught.value.advice


def test_a_directory_in_the_way_is_told(store):
    (store.directory / "test_f1.json").mkdir(parents=True)
    with pytest.raises(BaselineError, match=r"Is a directory|Permission denied"):
        store.find("test_f1")


def test_a_directory_that_is_closed_is_told(store, monkeypatch):
    def fail(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(BaselineError, match=r"test_gate: expected a directory that can be read, got .*Permission den"):
        store.find("test_f1")


def test_a_place_that_cannot_be_written_is_told(store):
    store.directory.parent.write_text("a file in the way")
    with pytest.raises(BaselineError, match=r"test_f1\.json: expected a file that can be written, got .*__bayesf1__"):
        write(store)


def test_a_baseline_that_appeared_meanwhile_is_not_replaced(store):
    write(store)
    with pytest.raises(BaselineError) as caught:
        write(store, side=matrix(51))
    assert str(caught.value) == (
        f"{store.directory / 'test_f1.json'}: expected the baseline that the candidate was compared with, got one that "
        "another process has written meanwhile. Run again; and give each test a baseline of its own: "
        "check(..., name=...)."
    )
    assert store.find("test_f1").baseline.counts == matrix()


@pytest.mark.parametrize("change", ["edited", "deleted", "compressed"])
def test_a_baseline_that_changed_meanwhile_is_not_replaced(store, change):
    path = write(store)
    stored, content = store.find("test_f1"), path.read_bytes()
    path.unlink()
    if change == "edited":
        path.write_bytes(content + b" ")
    if change == "compressed":
        Path(f"{path}.gz").write_bytes(gzip.compress(content))
    before = names(store)
    with pytest.raises(BaselineError, match="meanwhile"):
        write(store, side=matrix(51), replaces=stored)
    assert names(store) == before


def test_two_that_write_the_same_do_not_collide(store):
    write(store)
    assert write(store) is None


def test_a_user_without_a_home_can_write(store, monkeypatch):
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert write(store).exists()


RACER = """
import sys
import time
from pathlib import Path
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.baselines.store import Baseline
from pytest_bayesf1.baselines.store import BaselineStore

number, shared, folder = int(sys.argv[1]), sys.argv[2] == "shared", Path(sys.argv[3])
store, won = BaselineStore(folder / "store"), 0
(folder / f"ready{number}").touch()
while not all((folder / f"ready{each}").exists() for each in range(3)):
    time.sleep(0.001)
for turn in range(25):
    name = "shared" if shared else f"own-{number}-{turn}"
    stored = store.find(name)
    right = 1 if stored is None else int(stored.baseline.counts.counts[0, 0]) + 1
    try:
        won += store.write(Baseline(name, ConfusionMatrix([[right, number], [turn, 1]])), stored) is not None
    except BaselineError as error:
        assert "meanwhile" in str(error), error
print(won)
"""


def race(tmp_path, kind):
    """Let three processes write 25 times each; return the store and how often each succeeded."""
    arguments = [sys.executable, "-c", RACER]
    racers = [
        subprocess.Popen([*arguments, str(number), kind, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for number in range(3)
    ]
    outputs = [racer.communicate(timeout=120)[0] for racer in racers]
    assert [racer.returncode for racer in racers] == [0, 0, 0]
    return BaselineStore(tmp_path / "store"), list(map(int, outputs))


@pytest.mark.slow
def test_processes_lose_nothing_of_different_baselines(tmp_path):
    store, won = race(tmp_path, "own")
    assert won == [25, 25, 25]
    assert len(names(store)) == 75
    assert all(read_baseline(path).baseline for path in store.directory.iterdir())


@pytest.mark.slow
def test_processes_lose_nothing_of_one_baseline(tmp_path):
    """Each success adds one to what it replaced: none was lost when the last holds as many as there were."""
    store, won = race(tmp_path, "shared")
    assert store.find("shared").baseline.counts.counts[0, 0] == sum(won)
    assert names(store) == ["shared.json"]
