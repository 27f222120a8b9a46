from types import SimpleNamespace

import pytest

from pytest_bayesf1.plugin import gate_items

ARGS, TESTPATHS = pytest.Config.ArgsSource.ARGS, pytest.Config.ArgsSource.TESTPATHS


@pytest.mark.parametrize(
    ("arguments", "source", "run", "left"),
    [
        (["."], ARGS, ["bayesf1-a.yaml", "models/bayesf1-b.yaml", "other/bayesf1-c.yaml"], ["."]),
        (["models", "t.py::x"], ARGS, ["models/bayesf1-b.yaml"], ["models", "t.py::x"]),
        (["other/bayesf1-c.yaml::x", "t.py"], ARGS, ["other/bayesf1-c.yaml"], ["t.py"]),
        (["models"], TESTPATHS, ["bayesf1-a.yaml", "models/bayesf1-b.yaml"], ["models"]),
        (["tests"], TESTPATHS, ["bayesf1-a.yaml"], ["tests"]),
        (["tests"], ARGS, [], ["tests"]),
    ],
)
def test_deleted_gate_files_run_where_they_were_asked_for(tmp_path, monkeypatch, arguments, source, run, left):
    root = tmp_path.resolve()
    (root / "models").mkdir()
    (root / "models" / "bayesf1-kept.yaml").touch()
    names = ["bayesf1-a.yaml", "models/bayesf1-b.yaml", "models/bayesf1-kept.yaml", "other/bayesf1-c.yaml"]
    commit = SimpleNamespace(listed=lambda _: [root / name for name in names])
    monkeypatch.setattr(gate_items, "_source_of", lambda _: commit)
    called_in = SimpleNamespace(dir=root)
    config = SimpleNamespace(
        args=[*arguments], args_source=source, rootpath=root, invocation_params=called_in, stash=pytest.Stash()
    )
    gate_items.pytest_collection(SimpleNamespace(config=config))
    found = config.stash[gate_items._DELETED]
    assert [path.relative_to(root).as_posix() for path in found] == run
    assert config.args == left


@pytest.mark.parametrize(
    ("name", "content", "is_one"),
    [
        ("a.yaml", "gates: {}", True),
        ("a.yml", "defaults: {rope: 0.02}\ngates:\n  x: 1", True),
        ("a.json", "gates: {}", False),
        ("a.yaml", "# gates: {}", False),
        ("other.yaml", "gates: {}", False),
    ],
)
def test_files_of_other_names_are_gate_files_where_they_are_asked_for_and_declare_gates(
    tmp_path, name, content, is_one
):
    path = tmp_path.resolve() / name
    path.write_text(content)
    called_in = SimpleNamespace(dir=tmp_path.resolve())
    config = SimpleNamespace(args=["a.yaml::x", "a.yml", "a.json"], invocation_params=called_in)
    assert gate_items._is_asked_for(path, config) is is_one
