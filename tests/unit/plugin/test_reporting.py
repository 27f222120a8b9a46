import json
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from pytest_bayesf1 import WideRopeWarning
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.gates.acceptance import Acceptance
from pytest_bayesf1.gates.manifest import row_of, to_text
from pytest_bayesf1.plugin import reporting
from pytest_bayesf1.plugin.fixtures import CONFIG
from pytest_bayesf1.plugin.recording import ENTRIES, GATES, LOSSES
from pytest_bayesf1.plugin.reporting import BaselineLedger, GateLedger, Reporter, Shortened
from pytest_bayesf1.project import Update, Wanted
from tests.unit.made_up import comparison, entry, gated
from tests.unit.plugin.test_config import configured


@dataclass
class Warned:
    """A warning, as pytest's terminal keeps it."""

    message: str
    nodeid: str | None = "t.py::a"
    fslocation: tuple[str, int] | None = ("t.py", 3)


def gate(number, of_gate_file=True):
    name = "bayesf1.yaml" if of_gate_file else "t.py"
    known = {"nodeid": f"{name}::{number}", "longrepr": f"said {number}", "location": (name, 1, "x")}
    return SimpleNamespace(**known, **{ENTRIES: [1]})


def shortened(warnings=(), failed=(), verbose=0):
    """Return what the terminal is to show of these."""
    stats = {"warnings": [*warnings], "failed": [*failed]}
    plugins = SimpleNamespace(get_plugin=lambda _: SimpleNamespace(stats=stats))
    made = Shortened(SimpleNamespace(pluginmanager=plugins, option=SimpleNamespace(verbose=verbose)))
    for category in (WideRopeWarning, UserWarning):
        made.pytest_warning_recorded(SimpleNamespace(category=category))
    made.pytest_sessionfinish()
    return made, stats


class TestShortened:
    @pytest.mark.parametrize(("n", "is_shortened"), [(10, False), (11, True)])
    def test_more_than_ten_warnings_of_ours_are_one_line(self, n, is_shortened):
        ours = [Warned(f"t.py:3: WideRopeWarning: number {number}") for number in range(n)]
        others = [Warned("t.py:3: UserWarning: a"), Warned("t.py:9: UserWarning: WideRopeWarning")]
        _, stats = shortened([others[0], *ours, others[1]])
        if not is_shortened:
            assert stats["warnings"] == [others[0], *ours, others[1]]
            return
        line = "11 warnings of gates: see the section bayesf1 below; -v lists all gates."
        assert stats["warnings"] == [*others, Warned(line, None, None)]

    @pytest.mark.parametrize(("n", "verbose", "left"), [(10, 0, 0), (11, -1, 10), (12, 0, 11), (12, 1, 0)])
    def test_of_more_than_ten_gates_of_files_the_first_is_explained(self, n, verbose, left):
        failed = [gate("of a test", of_gate_file=False), *map(gate, range(n))]
        made, stats = shortened((), failed, verbose)
        assert stats["failed"] == failed
        assert made.left == {f"bayesf1.yaml::{number}" for number in range(1, 1 + left)}
        assert [hasattr(each, "_pdbshown") for each in failed] == [False, False, *[left > 0] * (n - 1)]
        more = f"said 0\n\n{left} more gates failed, each a line in the short summary; -v explains them all."
        assert failed[1].longrepr == (more if left else "said 0")
        assert failed[0].longrepr == "said of a test"

    def test_without_a_terminal_there_is_nothing_to_shorten(self):
        config = SimpleNamespace(pluginmanager=SimpleNamespace(get_plugin=lambda _: None))
        Shortened(config).pytest_sessionfinish()


def reported(test, outcome="passed", *, when="call", run=1, **said):
    known = {"nodeid": test, "when": when, "outcome": outcome, "location": ("t.py", 4, "x"), "user_properties": []}
    flags = {"passed": outcome == "passed", "failed": outcome == "failed", "skipped": outcome == "skipped"}
    return SimpleNamespace(**known, **flags, **{"bayesf1_run": (run, 1), "worker_id": "", **said})


@pytest.fixture
def config(tmp_path):
    """Return pytest's configuration of a run of all tests of a folder, called in it."""
    stash = pytest.Stash()
    stash[CONFIG] = configured()
    source = pytest.Config.ArgsSource.INVOCATION_DIR
    invoked = SimpleNamespace(dir=tmp_path, args=())
    known = {"rootpath": tmp_path, "args": [str(tmp_path)], "args_source": source, "invocation_params": invoked}
    return SimpleNamespace(stash=stash, getoption=lambda _, default: default, **known)


@pytest.mark.parametrize(
    ("in_ci", "style", "advised"),
    [(True, "auto", ["b", "c"]), (True, "line", ["a", "b", "c"]), (False, "auto", ["a", "b", "c"])],
)
def test_in_ci_advice_that_stands_with_a_failure_is_not_said_again(config, monkeypatch, in_ci, style, advised):
    """Unless pytest was told to show no traceback, or has so many failures that it left this one out."""
    monkeypatch.setenv("CI", "true" if in_ci else "")
    config.option = SimpleNamespace(verbose=0, tbstyle=style)
    config.pluginmanager = SimpleNamespace(get_plugin=lambda _: None)
    ledger = SimpleNamespace(is_full_run=lambda: True)
    progress = SimpleNamespace(missing=set)
    gates = GateLedger(config, configured(), progress, ledger)
    reporter = Reporter(configured(), config.rootpath, progress, gates, SimpleNamespace(left={"b"}))
    for test, verdict in (("a", "failed"), ("b", "failed"), ("c", "warned")):
        made = entry(comparison(), verdict, test=test, advice=f"Look at {test}.")
        reporter.pytest_runtest_logreport(reported(test, **{ENTRIES: [(None, made)]}))
    lines = []
    terminal = SimpleNamespace(config=config, _tw=SimpleNamespace(fullwidth=80), write_sep=lambda *_: None)
    terminal.write_line = lambda line, **_: lines.append(line)
    reporter.pytest_terminal_summary(terminal)
    assert [test for test in "abc" if any(f"Look at {test}." in line for line in lines)] == advised


class TestGateLedger:
    LISTED = ("t.py::gone", "t.py::no_gate", "t.py::a", "t.py::b", "t.py::c", "t.py::d")

    @pytest.fixture
    def run(self, config):
        """Let tests a to d run, which make a gate each, and update the manifest; return the exit status."""

        def run(update, *reports, full=True, status=pytest.ExitCode.OK):
            progress = SimpleNamespace(begun=True, missing=set, collected=lambda: {each.nodeid for each in reports})
            ledger = SimpleNamespace(is_full_run=lambda: full)
            gates = GateLedger(config, configured(update=update), progress, ledger)
            for each in reports:
                gates.pytest_runtest_logreport(each)
            session = SimpleNamespace(exitstatus=status)
            gates.pytest_sessionfinish(session)
            return gates, session.exitstatus

        return run

    @pytest.fixture
    def path(self, tmp_path):
        (tmp_path / "__bayesf1__").mkdir()
        return tmp_path / "__bayesf1__" / "gates.json"

    @pytest.fixture
    def manifest(self, path):
        path.write_text(to_text({test: [self.gate(0.05)] for test in self.LISTED}))

        def ropes():
            return {test: each[0]["rope"][1] for test, each in json.loads(path.read_text())["gates"].items()}

        return ropes

    @staticmethod
    def gate(rope=0.01):
        return row_of(gated(comparison(rope=(-rope, rope))))

    def said(self):
        return {GATES: [(None, self.gate())]}

    @pytest.mark.parametrize(
        ("update", "full", "below", "gone"),
        [
            (Update.ALL, True, "", True),
            (Update.ALL, True, "here", False),
            (Update.ALL, False, "", False),
            (Update.NEW, True, "", False),
            (Update.ANCHOR, True, "", True),
        ],
    )
    def test_an_update_lists_what_passed_and_drops_what_is_gone(self, run, config, manifest, update, full, below, gone):
        """Of tests that ran twice, both runs have to pass."""
        config.invocation_params.dir /= below
        gates, status = run(
            update,
            *(reported("t.py::a", **self.said()), reported("t.py::b", "failed", **self.said())),
            *(reported("t.py::c", **self.said()), reported("t.py::c", "failed", run=2, **self.said())),
            *(reported("t.py::d", "failed", **self.said()), reported("t.py::d", run=2, **self.said())),
            *(reported("t.py::new", **self.said()), reported("t.py::no_gate", "skipped", wasxfail="no")),
            full=full,
        )
        kept = {"t.py::b": 0.05, "t.py::c": 0.05, "t.py::d": 0.05}
        kept |= {} if gone else {"t.py::gone": 0.05, "t.py::no_gate": 0.05}
        assert manifest() == {**kept, "t.py::a": 0.05 if update is Update.NEW else 0.01, "t.py::new": 0.01}
        assert status == pytest.ExitCode.OK
        assert ("gates: __bayesf1__/gates.json", {}) in gates.lines

    @pytest.mark.parametrize(("status", "now"), [(0, 3), (1, 1), (2, 2)])
    def test_one_that_cannot_be_read_fails_a_run_that_did_not_fail(self, run, path, status, now):
        path.write_text("{")
        gates, found = run(Update.ALL, reported("t.py::a", **self.said()), status=status)
        assert found == now
        ((line, markup),) = gates.lines
        assert line.startswith(f"gates NOT written: {path}: The manifest of gates is damaged")
        assert markup == {"red": True}
        assert [each.gate for each in gates.findings] == ["__bayesf1__/gates.json"]

    def test_what_git_cannot_tell_is_a_finding(self, run, monkeypatch):
        def fail(_):
            raise BaselineError("commit", "all of its history", "a part")

        monkeypatch.setattr(GateLedger, "_declared_before", fail)
        gates, status = run(Update.NONE, reported("t.py::a"))
        assert [(each.gate, each.kind, each.text) for each in gates.findings] == [
            ("__bayesf1__/gates.json", "file", "expected all of its history, got a part")
        ]
        assert status == pytest.ExitCode.OK

    def test_losses_are_counted_that_are_accepted(self, config, path):
        known = {"baseline": "old", "candidate": "new", "loss": 0.05, "hdi": (0.04, 0.06), "reason": "smaller"}
        losses = [Acceptance(measure=name, **known) for name in ("f1_macro", "accuracy")]
        said = {LOSSES: [(None, ("accepted", vars(each))) for each in losses]}
        progress = SimpleNamespace(begun=True, missing=set, collected=set)
        ledger = SimpleNamespace(is_full_run=lambda: False)
        gates = GateLedger(config, configured(accept=Wanted("smaller", None, "")), progress, ledger)
        for each in (reported("t.py::a", **said), reported("t.py::b", "failed", **said)):
            gates.pytest_runtest_logreport(each)
        gates.pytest_sessionfinish(SimpleNamespace(exitstatus=1))
        assert gates.lines == [
            ("gates: __bayesf1__/gates.json accepts 2 losses: commit it with the change", {"bold": True}),
            ("NOT accepted, for the test failed all the same: t.py::b", {"red": True}),
        ]
        assert len(json.loads(path.read_text())["exceptions"]["t.py::a"]) == 2

    def test_of_a_manifest_above_what_this_run_was_asked_for_is_demanded(self, config, monkeypatch):
        root = config.rootpath
        config.invocation_params.dir = root / "here"
        listed = {f"{root.name}/{test}": [self.gate()] for test in ("here/t.py::a", "t.py::b", "there/t.py::c")}
        contents = {root.parent / "__bayesf1__" / "gates.json": to_text(listed).encode()}
        commit = SimpleNamespace(top=root.parent, committed=contents.get, listed=lambda _: [*contents])
        monkeypatch.setattr(reporting, "files_of", lambda _: commit)
        monkeypatch.setattr(GateLedger, "_declared_before", lambda _: {})
        progress = SimpleNamespace(begun=True, missing=set, collected=set)
        gates = GateLedger(config, configured(baseline_ref="main"), progress, SimpleNamespace(is_full_run=bool))
        gates.pytest_sessionfinish(SimpleNamespace(exitstatus=0))
        assert [f"{each.gate} {each.kind}" for each in gates.findings] == ["here/t.py::a missing"]

    @pytest.mark.parametrize(("ref", "in_ci", "why"), [("", "", False), ("main", "", True), ("", "true", True)])
    def test_what_was_left_out_on_purpose_is_not_missing(self, config, monkeypatch, ref, in_ci, why):
        monkeypatch.setenv("CI", in_ci)
        progress, ledger = SimpleNamespace(missing=set), SimpleNamespace(is_full_run=lambda: False)
        gates = GateLedger(config, configured(baseline_ref=ref or None), progress, ledger)
        assert bool(gates._why_missing("t.py::z")) is why

    def test_an_expected_failure_is_none_and_another_attempt_begins_anew(self, run):
        error = {ENTRIES: [(None, SimpleNamespace(verdict="error"))]}
        first = reported("t.py::a", "failed", **error), reported("t.py::a", when="setup"), reported("t.py::a")
        gates, _ = run(Update.NONE, *first, reported("t.py::b", "skipped", wasxfail="no"))
        assert [gates.is_expected_failure(f"t.py::{test}") for test in "abc"] == [False, True, False]
        assert gates._why_missing("t.py::a") == "its test ran without it"
        gates, _ = run(Update.NONE, *first, reported("t.py::a", "failed", **error))
        assert gates._why_missing("t.py::a") == ""

    def test_of_a_shared_fixture_that_failed_nothing_is_listed_dropped_or_missing(self, run, manifest):
        """It has no outcome of its own, and that of another run of it counts no more."""
        said = {
            name: {
                ENTRIES: [((f"t.py::{name}", "f setup"), SimpleNamespace(verdict=verdict))],
                GATES: [((f"t.py::{name}", "f setup"), self.gate())],
            }
            for name, verdict in (("a", "failed"), ("b", "passed"), ("c", "error"))
        }
        once = {ENTRIES: [(("t.py::c", "f setup"), SimpleNamespace(verdict="warned"))]}
        reports = [reported("t.py::x", when="setup", **each) for each in (*said.values(), said["a"], once)]
        gates, _ = run(Update.ALL, *reports)
        assert manifest() == {"t.py::a": 0.05, "t.py::b": 0.01, "t.py::c": 0.01}
        assert [bool(gates._why_missing(f"t.py::{test}")) for test in "abc"] == [False, True, True]

    def test_what_makes_the_run_incomplete_is_told_once(self, config, monkeypatch):
        monkeypatch.setenv("CI", "true")
        progress = SimpleNamespace(missing=lambda: {"t.py::a", "broken.py"})
        gates = GateLedger(config, configured(), progress, SimpleNamespace(is_full_run=lambda: True))
        tests = {"t.py::a": False, "t.py::ab": True, "broken.py::c": False, "not_broken.py::c": True}
        assert {test: bool(gates._why_missing(test)) for test in tests} == tests

    @pytest.mark.parametrize(
        ("listed", "damaged", "changed", "found"),
        [
            ({".": 0.01}, [], False, ["here/t.py::a loosened"]),
            ({"here": 0.01}, [], False, ["here/t.py::a loosened"]),
            ({".": 0.05}, [], False, []),
            ({".": 0.01, "here": 0.05}, [], False, ["here/t.py::a loosened"]),
            ({".": 0.05, "here": 0.01}, [], False, ["here/t.py::a loosened"]),
            ({".": 0.05, "above": 0.01}, [], False, []),
            ({}, [], True, ["here/t.py::b changed"]),
            ({".": 0.05}, ["here"], True, ["here/__bayesf1__/gates.json of the base commit file"]),
        ],
        ids=["looser", "where it is called", "as strict", "first", "second", "of others", "unlisted", "damaged"],
    )
    def test_what_the_base_commit_lists_anywhere_is_demanded(
        self, config, monkeypatch, listed, damaged, changed, found
    ):
        root = config.rootpath
        config.invocation_params.dir = root / "here"
        contents = dict.fromkeys((root / folder / "__bayesf1__" / "gates.json" for folder in damaged), b"{")
        for folder, rope in listed.items():
            name = "t.py::a" if folder == "here" else "here/t.py::a"
            contents[root / folder / "__bayesf1__" / "gates.json"] = to_text({name: [self.gate(rope)]}).encode()
        for path, content in contents.items():
            path.parent.mkdir(parents=True)
            path.write_bytes(content)
        commit = SimpleNamespace(top=root, committed=contents.get, listed=lambda _: [*contents])
        monkeypatch.setattr(reporting, "files_of", lambda _: commit)
        monkeypatch.setattr(GateLedger, "_declared_before", lambda _: {"here/t.py::b": changed})
        progress = SimpleNamespace(begun=True, missing=set)
        ledger = SimpleNamespace(is_full_run=lambda: True)
        gates = GateLedger(config, configured(baseline_ref="main"), progress, ledger)
        for test in "ab":
            gates.pytest_runtest_logreport(reported(f"here/t.py::{test}", **{GATES: [(None, self.gate(0.03))]}))
        gates.pytest_sessionfinish(SimpleNamespace(exitstatus=0))
        assert [f"{each.gate} {each.kind}" for each in gates.findings if each.is_looser] == found


class TestBaselineLedger:
    @pytest.mark.parametrize(
        ("outcome", "when", "status", "is_listed"),
        [
            ("passed", "call", 0, True),
            ("passed", "call", 2, False),
            ("failed", "call", 1, False),
            ("skipped", "setup", 0, False),
            ("failed", "teardown", 1, False),
        ],
    )
    def test_those_of_no_test_are_listed_of_modules_that_passed(self, config, outcome, when, status, is_listed):
        folder = config.rootpath / "__bayesf1__" / "test_a"
        folder.mkdir(parents=True)
        for name in ("used.json", "old.json", "made.json.gz", "newer.json", "note.txt"):
            (folder / name).touch()
        (config.rootpath / "test_a.py").touch()
        ledger, lines = BaselineLedger(config, configured()), []
        events = [("used", "used.json"), ("created", "made.json.gz"), ("replaced", "newer.json")]
        said = [(action, f"__bayesf1__/test_a/{name}", "") for action, name in events]
        ledger.pytest_runtest_logreport(reported("test_a.py::one", bayesf1_baselines=said))
        ledger.pytest_runtest_logreport(reported("test_a.py::two", outcome, when=when))
        terminal = SimpleNamespace(write_sep=lambda *_: None, write_line=lines.append)
        ledger.pytest_terminal_summary(terminal, status)
        written = ["created   __bayesf1__/test_a/made.json.gz", "replaced  __bayesf1__/test_a/newer.json"]
        assert lines[:2] == written
        assert lines[2:3] == (["unused    __bayesf1__/test_a/old.json"] if is_listed else [])

    def test_the_projects_folder_is_looked_through_where_it_has_one(self, config):
        for folder in ("kept", "__bayesf1__"):
            (config.rootpath / folder / "test_a").mkdir(parents=True)
            (config.rootpath / folder / "test_a" / "old.json").touch()
        ledger, lines = BaselineLedger(config, configured(baselines=config.rootpath / "kept")), []
        ledger.pytest_runtest_logreport(reported("test_a.py::one"))
        ledger.pytest_terminal_summary(SimpleNamespace(write_sep=lambda *_: None, write_line=lines.append), 0)
        assert lines == [
            "unused    kept/test_a/old.json",
            "No test uses the unused ones: delete them, or rename them with the test that they belong to.",
        ]
