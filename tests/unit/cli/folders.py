"""Folders that tests of the command line fill themselves."""

from pathlib import Path

from tests.unit.files.written import write_csv, write_json

KINDS = ("ham", "spam", "Größe")
WRITERS = {".csv": write_csv, ".json": write_json}


def predicted(n, every, first=0, names=("id", "y_true", "y_pred"), **more):
    """Return columns of so many predictions, of which from some number on every so many is wrong."""
    truth = [KINDS[(k * k + k // 3) % 3] for k in range(n)]
    said = [KINDS[(KINDS.index(t) + 1) % 3] if k >= first and k % every == 1 else t for k, t in enumerate(truth)]
    return dict(zip(names, ([f"{n}-{k}" for k in range(n)], truth, said), strict=True)) | more


def put(name, columns):
    """Write columns as the name says."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    WRITERS[path.suffix](path, columns)


def empty_folder(tmp_path, monkeypatch):
    """Take the place of the folder of other tests, as a fixture of this one's name: this one is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path
