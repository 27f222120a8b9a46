import subprocess
from contextlib import nullcontext
from inspect import unwrap
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_bayesf1 import BaselineError
from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from pytest_bayesf1.gates.acceptance import Acceptance
from pytest_bayesf1.gates.manifest import Listed, to_text
from pytest_bayesf1.plugin import fixtures
from pytest_bayesf1.project import Update, manifest_path
from tests.unit.committed import Committed
from tests.unit.gates.runs import BASELINE
from tests.unit.plugin.test_config import configured


def node(kind, name):
    made = object.__new__(kind)
    made.name = name
    return made


@pytest.mark.parametrize(
    ("file", "names", "command"),
    [
        ("here/t.py", ["test_a"], "pytest t.py::test_a"),
        ("t.py", ["TestA", "test_b[x y]"], "pytest '../t.py::TestA::test_b[x y]'"),
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
    "kind", ["a b", "it's", 'say "no"', "$HOME `ls`", "x::y", "x.y", "a/b", "späm", "new\nline", "[", "*", ""]
)
def test_a_shell_takes_the_name_from_the_command_as_it_is(tmp_path, kind):
    item: Any = SimpleNamespace(
        path=tmp_path / "t.py", config=SimpleNamespace(invocation_params=SimpleNamespace(dir=tmp_path)),
        listchain=lambda: [node(pytest.Function, f"test_a[{kind}]")],
    )  # fmt: skip
    script = f"printf '%s\\0' {fixtures.command_of(item)}"
    printed = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=True).stdout  # noqa: S607
    assert printed == f"pytest\0t.py::test_a[{kind}]\0"


def test_which_losses_are_accepted_and_which_were_before_is_read_of_either_manifest(tmp_path):
    known = {"measure": "f1", "candidate": "new", "loss": 0.1, "reason": "a smaller model"}
    losses = [Acceptance(**known, baseline=str(n)) for n in range(2)]
    now, before = (to_text({"t.py::a": [{}]}, {"t.py::a": [each]}) for each in losses)
    manifest_path(tmp_path).parent.mkdir()
    manifest_path(tmp_path).write_text(now)
    made = fixtures.Surroundings(configured(baseline_ref="main"), tmp_path, tmp_path / "here", is_compared=True)
    found = made.terms("t.py::a", "pytest t.py", Listed.of(before.encode(), manifest_path(tmp_path)))
    assert [each.baseline for each in (*found.listed, *found.listed_before)] == ["0", "1"]
    assert (found.test, found.again, found.baseline_ref) == ("t.py::a", "pytest t.py", "main")
    assert (found.root, found.here) == (tmp_path, tmp_path / "here")


@pytest.mark.parametrize(("is_listed", "has_baseline"), [(None, True), (True, False), (False, True)])
def test_the_baseline_of_a_test_is_known_by_where_it_is_and_what_the_commit_lists(
    request, tmp_path, is_listed, has_baseline
):
    """That of a new test is read as it is checked out, that of a listed one from the commit alone."""
    path = tmp_path / "t" / "test_spam.py"
    store = BaselineStore(path.parent / "__bayesf1__/test_spam")
    if is_listed:
        manifest_path(tmp_path).parent.mkdir()
        manifest_path(tmp_path).write_text(to_text({"t/test_spam.py::TestA::test_b": [{"policy": "not_worse"}]}))
    ref = None if is_listed is None else Committed.new(tmp_path).commit()
    store.write(Baseline("TestA.test_b", BASELINE), None)
    config: Any = SimpleNamespace(
        stash=pytest.Stash(), rootpath=tmp_path, add_cleanup=request.addfinalizer,
        invocation_params=SimpleNamespace(dir=tmp_path),
    )  # fmt: skip
    config.stash[fixtures.CONFIG] = configured(baseline_ref=ref, update=Update.FORCE)
    chain = [node(pytest.Module, "t.py"), node(pytest.Class, "TestA"), node(pytest.Function, "test_b")]
    nodeid = "t/test_spam.py::TestA::test_b"
    item: Any = SimpleNamespace(path=path, config=config, nodeid=nodeid, listchain=lambda: chain)
    found = fixtures.regression_of(item)
    assert (found.test, found.update, found.command) == ("TestA.test_b", Update.FORCE, f"pytest {nodeid}")
    assert found.store.directory == store.directory
    with nullcontext() if has_baseline else pytest.raises(BaselineError, match="git does not hold this file"):
        assert found.store.find(found.test).baseline.counts == BASELINE


def called(item, error=None):
    """Let a test be called, and end with an error."""
    calling = fixtures.pytest_runtest_call(item)
    next(calling)
    with pytest.raises(StopIteration):
        calling.send(SimpleNamespace(exception=error))


def reported(item, outcome, when="call"):
    """Let a test, or a subtest of it, be reported."""
    reporting = fixtures.pytest_runtest_makereport(item, cast("Any", SimpleNamespace(when=when)))
    next(reporting)
    with pytest.raises(StopIteration):
        reporting.send(cast("Any", SimpleNamespace(outcome=outcome)))


@pytest.mark.parametrize(
    ("subtests", "error", "reports", "has_passed"),
    [
        ([], None, [], True),
        ([], KeyError(), [], False),
        ([], None, ["passed"], True),
        ([], None, ["skipped"], False),
        (["passed"], None, ["passed"], True),
        (["failed"], None, ["passed"], False),
    ],
)
@pytest.mark.parametrize("damage", [None, BaselineError.plain("a.json", "No space left")])
def test_a_baseline_is_kept_of_a_test_that_passed_with_all_its_subtests_in_its_last_attempt(
    monkeypatch, subtests, error, reports, has_passed, damage
):
    kept = []

    def keep():
        kept.append(True)
        if damage is not None:
            raise damage

    monkeypatch.setattr(fixtures, "regression_of", lambda _: SimpleNamespace(keep=keep))
    item: Any = SimpleNamespace(stash=pytest.Stash())
    for earlier in ("failed", "passed"):
        kept.clear()
        item.stash[fixtures._OUTCOMES] = [earlier]
        fixtures.pytest_runtest_setup(item)
        using = unwrap(fixtures.bayes_regression)(SimpleNamespace(node=item))
        next(using)
        reported(item, "passed", "setup")
        for outcome in subtests:
            reported(item, outcome)
        called(item, error)
        for outcome in reports:
            reported(item, outcome)
        is_told = has_passed and damage is not None
        with pytest.raises(pytest.fail.Exception, match="No space left") if is_told else pytest.raises(StopIteration):
            next(using)
        assert kept == [True] * has_passed


def test_a_temporary_folder_goes_when_the_run_ends():
    ending: Any = []
    folder = fixtures.temporary_folder(cast("Any", SimpleNamespace(add_cleanup=ending.append)))
    assert folder.is_dir()
    ending[0]()
    assert not folder.exists()
