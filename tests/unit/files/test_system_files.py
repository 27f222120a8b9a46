from pathlib import Path

import pytest

from pytest_bayesf1 import InputError
from pytest_bayesf1.files.side import read_systems, system_names
from pytest_bayesf1.files.tables import Reading


def files(folder, **contents):
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content)
    return {name: folder / f"{name}.csv" for name in contents}


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.csv", "b.json"], ["a", "b"]),
        (["x/a.csv", "y/a.csv"], ["x/a", "y/a"]),
        (["x/y/a.csv", "z/y/a.csv", "b.csv"], ["x/y/a", "z/y/a", "b"]),
        (["a.csv", "a.json"], ["a.csv", "a.json"]),
        (["v1.2.jsonl.gz", "v1.3.csv"], ["v1.2", "v1.3"]),
        (["a.csv", "a.csv"], ["a"]),
    ],
)
def test_names_are_as_short_as_they_can_be(paths, names):
    assert system_names(tuple(map(Path, paths))) == dict(zip(names, map(Path, dict.fromkeys(paths)), strict=True))


def test_what_is_text_in_one_file_is_text_in_all(tmp_path):
    rows = {"a": "id,y_true,y_pred\n1,0,0\n2,1,1\n", "b": "id,y_true,y_pred\n1,0,0\n2,1,x\n"}
    found = read_systems(files(tmp_path, **rows, c=rows["a"].replace("\n2", "\nb")))
    assert {each.label_kind for each in found.values()} == {"strings"}
    assert {each.identifier_kind("id") for each in found.values()} == {"strings"}
    assert found["a"].counts().labels == ("0", "1")


def test_files_of_one_kind_stay_as_they_are(tmp_path):
    content = "y_true,y_pred,user\n0,0,1\n1,1,2\n"
    found = read_systems(files(tmp_path, a=content, b=content, c=content), Reading(clusters="user"))
    assert [each.counts().labels for each in found.values()] == [(0, 1)] * 3


def test_errors_name_the_system_and_its_file(tmp_path):
    with pytest.raises(InputError, match=r"b \(.*b\.csv\)"):
        read_systems(files(tmp_path, a="y_true,y_pred\n0,0\n", b="y_true,other\n0,0\n"))
