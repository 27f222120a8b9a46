from types import SimpleNamespace
from typing import Any

import pytest

from pytest_bayesf1.plugin import fixtures


def node(kind, name):
    made = object.__new__(kind)
    made.name = name
    return made


@pytest.mark.parametrize(
    ("file", "names", "command"),
    [
        ("here/t.py", ["test_a"], "pytest t.py::test_a"),
        ("t.py", ["TestA", "test_b[x y]"], "pytest '../t.py::TestA::test_b[x y]'"),
        ("a b/t.py", ["test_a[$HOME;']"], """pytest '../a b/t.py::test_a[$HOME;'"'"']'"""),
    ],
)
def test_a_command_runs_a_test_alone_whatever_its_name(tmp_path, file, names, command):
    *classes, test = names
    chain = [node(pytest.Module, "t.py"), *(node(pytest.Class, name) for name in classes), node(pytest.Function, test)]
    invoked = SimpleNamespace(dir=tmp_path / "here")
    item: Any = SimpleNamespace(
        path=tmp_path / file, config=SimpleNamespace(invocation_params=invoked), listchain=lambda: chain
    )
    assert fixtures.command_of(item) == command


@pytest.mark.parametrize(
    ("outcomes", "has_passed"),
    [([], False), (["passed"], True), (["failed", "passed"], False), (["passed", "skipped"], False)],
)
def test_a_test_has_passed_that_passed_with_all_its_subtests_in_its_last_attempt(outcomes, has_passed):
    item: Any = SimpleNamespace(stash=pytest.Stash())
    for earlier in (["failed"], ["passed"]):
        item.stash[fixtures._OUTCOMES] = [*earlier]
        fixtures.pytest_runtest_setup(item)
        item.stash[fixtures._OUTCOMES] += outcomes
        assert fixtures.has_passed(item) is has_passed
