import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_bayesf1.errors import BaselineError, BayesF1Warning, InputError
from pytest_bayesf1.gates import evaluate
from pytest_bayesf1.gates.gate_file import Gate
from pytest_bayesf1.gates.manifest import Listed
from pytest_bayesf1.plugin import gate_items
from pytest_bayesf1.plugin.fixtures import _LISTED, CONFIG
from tests.unit.made_up import recording
from tests.unit.plugin.test_config import configured

ARGS, TESTPATHS = pytest.Config.ArgsSource.ARGS, pytest.Config.ArgsSource.TESTPATHS


@pytest.mark.parametrize(("source", "more"), [(ARGS, []), (TESTPATHS, ["bayesf1.yaml", "bayesf1.yml"])])
def test_gates_of_the_root_folder_run_whatever_testpaths_says(tmp_path, source, more):
    for name in ("bayesf1.yaml", "bayesf1.yml", "other.yaml"):
        (tmp_path / name).touch()
    config: Any = SimpleNamespace(args_source=source, args=["tests"], rootpath=tmp_path)
    gate_items.pytest_configure(config)
    assert config.args == ["tests", *more]


@pytest.mark.parametrize(
    ("name", "collected"),
    [
        ("bayesf1.yaml", ["", "brief"]),
        ("bayesf1-spam.yml", ["", "brief"]),
        ("a.yaml", ["brief"]),
        ("a.json", ["brief"]),
        ("other.yaml", []),
    ],
)
def test_files_of_other_names_are_gate_files_where_the_command_is_asked_for_them(
    tmp_path, monkeypatch, name, collected
):
    monkeypatch.setattr(gate_items.GateFileCollector, "from_parent", lambda _, path: path)
    called_in, stash = SimpleNamespace(dir=tmp_path.resolve()), pytest.Stash()
    config = SimpleNamespace(args=["a.yaml::x", "a.json"], invocation_params=called_in, stash=stash)
    parent: Any = SimpleNamespace(config=config)
    path = tmp_path.resolve() / name
    for command in ("", "brief"):
        stash[CONFIG] = configured(command=command)
        assert gate_items.pytest_collect_file(path, parent) == (path if command in collected else None)


@pytest.mark.parametrize(("only", "kept"), [([], "abc"), (["c", "a"], "ac")])
def test_only_the_gates_run_that_the_command_names(only, kept):
    items: Any = [SimpleNamespace(name=name) for name in "abc"]
    session: Any = SimpleNamespace(config=SimpleNamespace(getoption={"bayesf1_only": only}.get))
    gate_items.pytest_collection_modifyitems(session, items)
    assert [each.name for each in items] == [*kept]


def fail(_):
    raise BaselineError.plain("baseline-ref", "There is no commit 'x'")


def test_without_the_commit_to_read_from_nothing_runs(monkeypatch):
    monkeypatch.setattr(gate_items, "files_of", fail)
    with pytest.raises(pytest.UsageError, match="baseline-ref: There is no commit 'x'"):
        gate_items.pytest_sessionstart(cast("Any", SimpleNamespace(config=None)))


def gate_file(**gates):
    """Write gates by name, each with what it declares beside its files and ROPE."""
    usual = {"baseline": "old.csv", "candidate": "new.csv", "rope": 0.02}
    return json.dumps({"gates": {name: usual | more for name, more in gates.items()}})


class Commit:
    """A commit that has a gate file otherwise than it is checked out, or has none."""

    def __init__(self, folder, content):
        folder.mkdir()
        self.copied = folder / "bayesf1.yaml"
        self.content = content
        if content is not None:
            self.copied.write_text(content)

    def of_gate(self, *, is_new):
        assert is_new
        return self

    def committed(self, path):
        return self.content

    def copy(self, path):
        return self.copied


class Collector(gate_items.GateFileCollector):
    """The root folder's, without a run around it."""

    nodeid = "bayesf1.yaml"


@pytest.fixture
def project(tmp_path):
    """Return the configuration of a run of a project, and its gate file."""
    stash = pytest.Stash()
    stash[CONFIG] = configured()
    return SimpleNamespace(rootpath=tmp_path.resolve(), stash=stash), tmp_path.resolve() / "bayesf1.yaml"


ALL, TWO = gate_file(a={}, b={}, c={}, d={}), gate_file(b={}, d={"rope": 0.1}, gone={})


@pytest.mark.parametrize(
    ("listed", "base", "new"),
    [
        ([], None, "abcd"),
        (["bayesf1.yaml::a", "bayesf1-other.yaml::c"], None, "bcd"),
        (["bayesf1.yaml::a"], TWO, "c"),
        ([], ALL, ""),
        ([f"bayesf1.yaml::{name}" for name in "abcd"], TWO, ""),
        (["bayesf1.yaml::a"], "gates: [", ""),
        (None, TWO, ""),
    ],
    ids=["all", "but one", "one more", "none", "listed", "damaged", "damaged manifest"],
)
def test_gates_are_new_that_the_commit_has_neither_in_the_file_nor_in_its_manifest(
    tmp_path, monkeypatch, project, listed, base, new
):
    config, path = project
    path.write_text(ALL)
    config.stash[_LISTED] = None if listed is None else Listed(dict.fromkeys(listed, ()))
    monkeypatch.setattr(gate_items, "files_of", lambda _: Commit(tmp_path / "base", base))
    monkeypatch.setattr(gate_items.GateItem, "from_parent", lambda _, **known: known)
    collector = object.__new__(Collector)
    collector.path, collector.config = path, config
    assert [each["name"] for each in collector.collect() if each["is_new"]] == [*new]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"gates": {"a": {"baselin": "old.csv"}}}', "bayesf1.yaml:1: gates.a.baselin"),
        (gate_file(a={}), "baseline-ref: There is no commit 'x'"),
    ],
)
def test_what_keeps_a_file_from_being_read_is_told_without_our_stack(monkeypatch, project, text, told):
    config, path = project
    path.write_text(text)
    config.stash[_LISTED] = Listed()
    monkeypatch.setattr(gate_items, "files_of", fail)
    collector = object.__new__(Collector)
    collector.path, collector.config = path, config
    with pytest.raises(Collector.CollectError) as caught:
        list(collector.collect())
    assert str(caught.value).startswith(told)


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (AssertionError("lost"), "lost"),
        (InputError.plain("rope", "None is given"), "rope: None is given"),
        (BayesF1Warning("wide"), "wide"),
        (KeyError("a bug"), "a stack"),
    ],
)
def test_a_failure_shows_its_message_and_a_bug_its_stack(monkeypatch, error, shown):
    monkeypatch.setattr(pytest.Item, "repr_failure", lambda *_: "a stack")
    item = object.__new__(gate_items.GateItem)
    assert item.repr_failure(cast("Any", SimpleNamespace(value=error))) == shown


def test_a_gate_is_found_where_its_file_declares_it(project):
    _, path = project
    item = object.__new__(gate_items.GateItem)
    item.name, item.path, item._gate = "spam", path, cast("Gate[Any]", SimpleNamespace(line=7))
    assert item.reportinfo() == (path, 6, "gate spam")


class Base:
    """A commit that has these files otherwise, or not at all."""

    def __init__(self, changed, new=()):
        self._changed, self._new, self.required = changed, new, []

    def of_gate(self, *, is_new):
        assert is_new
        return self

    def changed(self, path):
        return path.name in self._changed

    def committed(self, path):
        return None if path.name in self._new else b""

    def require(self, path):
        self.required.append(path.name)


@pytest.mark.parametrize(("redefined", "old"), [("", "base"), ("classes", "checked out")])
def test_a_gate_notes_what_it_reads_that_differs_and_is_named_where_it_fails(monkeypatch, project, redefined, old):
    config, path = project
    files = Base(["bayesf1.yaml", "old.csv", "pool.csv", "first.csv"], new=["first.csv"])
    monkeypatch.setattr(gate_items, "files_of", lambda _: files)
    accepted = SimpleNamespace(source=SimpleNamespace(redefined=redefined))
    run = SimpleNamespace(under_terms=lambda: accepted, source=accepted.source)
    judged = []
    monkeypatch.setattr(evaluate, "evaluate", lambda *given: judged.append(given) or run)
    enforced = []
    monkeypatch.setattr(evaluate, "enforce", lambda *given: enforced.append(given))
    names = ["old.csv", "pool.csv", "first.csv", "same.csv"]
    source = SimpleNamespace(of_baseline=[path.with_name("old.csv")])
    known = {"reviewed": [path.with_name(name) for name in names], "source": source}
    gate = cast("Gate[Any]", SimpleNamespace(file=path, warn=print, **known))
    item = object.__new__(gate_items.GateItem)
    item.name, item.config, item._gate, item._is_new = "spam", config, gate, True
    with recording() as recorded:
        item.runtest()
    found = {Path(each.path).name: each.read for each in recorded}
    assert found == {"bayesf1.yaml": "checked out", "old.csv": old, "pool.csv": "checked out", "first.csv": "new"}
    assert files.required == names
    assert (judged, enforced) == ([(gate, files)], [(accepted, print, "spam: ")])
