import json
from types import SimpleNamespace

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.gates.acceptance import Acceptance, failures_of
from pytest_bayesf1.gates.manifest import Listed, row_of, to_text
from pytest_bayesf1.plugin import ledger as module
from pytest_bayesf1.plugin.fixtures import CONFIG
from pytest_bayesf1.plugin.ledger import Ledger
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.project import Update
from pytest_bayesf1.reports.entry import Place, Report
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.results.run import UNKNOWN_RUN, FileUse, RunIdentity, Use
from tests.unit.made_up import comparison, entry, gated
from tests.unit.plugin.test_config import configured


def reported(test, *records, outcome="passed", when="call", run=1, **said):
    """Return a test's report, with what the test recorded."""
    known = {"nodeid": test, "when": when, "outcome": outcome, "location": ("t.py", 4, "x"), "user_properties": []}
    flags = {"passed": outcome == "passed", "failed": outcome == "failed", "skipped": outcome == "skipped"}
    said = {"bayesf1_run": (run, 1), "worker_id": "", RECORDS: list(records)} | said
    return SimpleNamespace(**known, **flags, **said)


def config_of(tmp_path, **options):
    """Return pytest's configuration of a run of all tests of a folder, called in it."""
    stash = pytest.Stash()
    stash[CONFIG] = configured(**options)
    source = pytest.Config.ArgsSource.INVOCATION_DIR
    invoked = SimpleNamespace(dir=tmp_path, args=())
    known = {"rootpath": tmp_path, "args": [str(tmp_path)], "args_source": source, "invocation_params": invoked}
    return SimpleNamespace(stash=stash, **known)


def progress_of(full=True, collected=(), missing=(), narrowed=False):
    """Return how far a run came, of all tests or of some."""
    known = {"missing": lambda: set(missing), "collected": lambda: set(collected), "is_narrowed": lambda: narrowed}
    return SimpleNamespace(begun=True, is_complete=lambda: full, covers=lambda _: full, **known)


def row(rope=0.01):
    return row_of(gated(comparison(rope=(-rope, rope))))


def gate(rope=0.01, verdict="passed", **others):
    """Return the record of a gate."""
    return GateRecord(entries=(SimpleNamespace(verdict=verdict),), row=row(rope), outcome=verdict, **others)


@pytest.fixture
def ledger(tmp_path):
    """Return the ledger of a run of these reports."""

    def made(*reports, progress=None, here="", **options):
        config = config_of(tmp_path, **options)
        config.invocation_params.dir /= here
        (tmp_path / "t.py").touch()
        found = Ledger(config, progress or progress_of(collected=[each.nodeid for each in reports]))
        for each in reports:
            found.add(each)
        return found

    return made


def of_commit(monkeypatch, top, gates):
    """Let the base commit have these manifests, each by its folder."""
    contents = {top / folder / "__bayesf1__" / "gates.json": content for folder, content in gates.items()}
    commit = SimpleNamespace(top=top, committed=contents.get, listed=lambda _: [*contents])
    monkeypatch.setattr(module, "files_of", lambda _: commit)
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return commit


def manifest_of(ropes):
    return to_text({test: [row(rope)] for test, rope in ropes.items()}).encode()


class TestWritten:
    LISTED = ("t.py::gone", "t.py::no_gate", "t.py::a", "t.py::b", "t.py::c", "t.py::d")

    @pytest.fixture
    def path(self, tmp_path):
        (tmp_path / "__bayesf1__").mkdir()
        return tmp_path / "__bayesf1__" / "gates.json"

    @pytest.fixture
    def manifest(self, path):
        path.write_bytes(manifest_of(dict.fromkeys(self.LISTED, 0.05)))

        def ropes():
            return {test: each[0]["rope"][1] for test, each in json.loads(path.read_text())["gates"].items()}

        return ropes

    @pytest.mark.parametrize(
        ("update", "full", "gone"),
        [(Update.ALL, True, True), (Update.ALL, False, False), (Update.NEW, True, False), (Update.ANCHOR, True, True)],
    )
    def test_an_update_lists_what_passed_and_drops_what_is_gone(self, ledger, manifest, update, full, gone):
        """Of tests that ran twice, both runs have to pass."""
        reports = [
            *(reported("t.py::a", gate()), reported("t.py::b", gate(), outcome="failed")),
            *(reported("t.py::c", gate()), reported("t.py::c", gate(), outcome="failed", run=2)),
            *(reported("t.py::d", gate(), outcome="failed"), reported("t.py::d", gate(), run=2)),
            *(reported("t.py::new", gate()), reported("t.py::no_gate", outcome="skipped", wasxfail="no")),
        ]
        progress = progress_of(full, [each.nodeid for each in reports])
        run = ledger(*reports, progress=progress, update=update)
        assert [run.write(), run.write()] == [[("gates: __bayesf1__/gates.json", {})], []]
        kept = {"t.py::b": 0.05, "t.py::c": 0.05, "t.py::d": 0.05}
        kept |= {} if gone else {"t.py::gone": 0.05, "t.py::no_gate": 0.05}
        assert manifest() == {**kept, "t.py::a": 0.05 if update is Update.NEW else 0.01, "t.py::new": 0.01}

    @pytest.mark.parametrize(("command", "rope"), [("", 0.05), ("brief", 0.01)])
    def test_the_command_lists_a_gate_that_failed_too(self, ledger, manifest, command, rope):
        ledger(reported("t.py::a", gate(), outcome="failed"), update=Update.ALL, command=command).write()
        assert manifest()["t.py::a"] == rope

    def test_one_that_cannot_be_read_is_a_finding(self, ledger, path):
        path.write_text("{")
        found = ledger(reported("t.py::a", gate()), update=Update.ALL)
        with pytest.raises(BaselineError, match="The manifest of gates is damaged"):
            found.write()
        assert [each.gate for each in found.findings] == ["__bayesf1__/gates.json"]

    def test_what_failed_is_kept_for_the_command_that_accepts_it(self, ledger, tmp_path, monkeypatch):
        monkeypatch.setenv("BAYESF1_CACHE", str(tmp_path / "cache"))
        monkeypatch.delenv("CI", raising=False)
        loss = {"measure": "f1", "baseline": "old", "candidate": "new", "loss": 0.05, "reason": ""}
        records = [gate(verdict=verdict, loss=loss | {"loss": n}) for n, verdict in enumerate(("failed", "passed"))]
        ledger(reported("t.py::a", *records, outcome="failed"), reported("t.py::b", records[1])).keep_failures()
        found = failures_of(tmp_path)
        assert {test: [each.loss for each in losses] for test, losses in found.items()} == {"t.py::a": [0]}

    @pytest.mark.parametrize(
        ("baseline", "is_next", "outcome", "is_needed"),
        [("old", False, "passed", True), ("old", True, "passed", False), ("x", False, "passed", False),
         ("x", False, "failed", True)],
    )  # fmt: skip
    def test_a_loss_is_accepted_until_its_test_passes_from_another_baseline(
        self, ledger, path, baseline, is_next, outcome, is_needed
    ):
        known = {"measure": "f1", "candidate": "new", "loss": 0.05, "reason": "smaller"}
        path.write_text(to_text({"t.py::a": [row()]}, {"t.py::a": [Acceptance(**known, baseline="old")]}))
        record = gate(loss={**known, "baseline": baseline, "reason": ""}, is_next=is_next)
        found = ledger(reported("t.py::a", record, outcome=outcome), update=Update.ALL)
        assert [each.kind for each in found.findings] == ["outdated"] * (not is_needed)
        found.write()
        assert ("exceptions" in json.loads(path.read_text())) is is_needed


class TestFindings:
    def test_what_git_cannot_tell_is_one(self, ledger, tmp_path, monkeypatch):
        def fail(_):
            raise BaselineError("commit", "all of its history", "a part")

        of_commit(monkeypatch, tmp_path, {".": manifest_of({})}).committed = fail
        found = ledger(reported("t.py::a"), baseline_ref="main").findings
        assert [(each.gate, each.kind, each.text) for each in found] == [
            ("__bayesf1__/gates.json", "file", "expected all of its history, got a part")
        ]

    def test_of_a_manifest_above_what_this_run_was_asked_for_is_demanded(self, ledger, tmp_path, monkeypatch):
        listed = {f"{tmp_path.name}/{test}": 0.01 for test in ("here/t.py::a", "t.py::b", "there/t.py::c")}
        of_commit(monkeypatch, tmp_path.parent, {".": manifest_of(listed)})
        found = ledger(progress=progress_of(full=False), here="here", baseline_ref="main").findings
        assert [f"{each.gate} {each.kind}" for each in found] == ["here/t.py::a missing"]

    def test_of_each_file_and_folder_that_a_run_was_asked_for_what_is_listed_is_demanded(
        self, ledger, tmp_path, monkeypatch
    ):
        listed = {f"{tmp_path.name}/{test}": 0.01 for test in ("a/t.py::a", "b.py::b", "c/t.py::c")}
        of_commit(monkeypatch, tmp_path.parent, {".": manifest_of(listed)})
        monkeypatch.setattr(Ledger, "_places", lambda _: [tmp_path / "a", tmp_path / "b.py"])
        found = ledger(progress=progress_of(full=False), baseline_ref="main").findings
        assert [f"{each.gate} {each.kind}" for each in found] == ["a/t.py::a missing", "b.py::b missing"]

    def test_of_what_is_checked_out_the_manifest_of_the_root_folder_is_demanded(self, ledger, tmp_path):
        for folder, test in ((tmp_path, "here/u.py::a"), (tmp_path / "here", "u.py::b")):
            (folder / "__bayesf1__").mkdir(parents=True)
            (folder / "__bayesf1__" / "gates.json").write_bytes(manifest_of({test: 0.01}))
        found = ledger(here="here").findings
        assert [f"{each.gate} {each.kind}" for each in found] == ["here/u.py::a missing"]

    @pytest.mark.parametrize(
        ("ref", "in_ci", "narrowed", "why"),
        [(None, "", False, False), ("main", "", False, True), ("main", "", True, False), (None, "true", True, True)],
        ids=["locally", "by an ini file", "on the command line", "in CI"],
    )
    def test_what_was_left_out_by_hand_is_not_missing(self, ledger, tmp_path, monkeypatch, ref, in_ci, narrowed, why):
        monkeypatch.setenv("CI", in_ci)
        of_commit(monkeypatch, tmp_path, {})
        found = ledger(progress=progress_of(full=False, narrowed=narrowed), baseline_ref=ref)
        assert bool(found._why_missing("t.py::z")) is why
        assert found._why_missing("gone.py::z")

    @pytest.mark.parametrize("full", [True, False])
    def test_of_the_command_what_its_files_declare_no_more_is_missing(self, ledger, tmp_path, monkeypatch, full):
        monkeypatch.setenv("CI", "true")
        (tmp_path / "bayesf1.yaml").touch()
        found = ledger(progress=progress_of(full), command="brief")._why_missing("bayesf1.yaml::z")
        assert found == "its file does not declare it any more" * full

    def test_an_expected_failure_is_none_and_another_attempt_begins_anew(self, ledger):
        error = GateRecord(entries=(SimpleNamespace(verdict="error"),))
        failed, again = reported("t.py::a", error, outcome="failed"), reported("t.py::a", when="setup")
        expected = reported("t.py::b", outcome="skipped", wasxfail="no")
        found = ledger(failed, again, reported("t.py::a"), expected)
        assert [found.is_expected_failure(f"t.py::{test}") for test in "abc"] == [False, True, False]
        listed = Listed({"t.py::a": [row()]}, {"t.py::a": []})
        run = found._run_of(listed)
        assert (run.powerless, run.listed, run.exceptions) == ({"t.py::b"}, listed.rows, listed.exceptions)
        assert found._why_missing("t.py::a") == "its test ran without it"
        assert ledger(failed, again, failed)._why_missing("t.py::a") == ""

    def test_a_test_that_failed_before_a_listed_gate_is_an_error_of_which_nothing_is_accepted(self, ledger, tmp_path):
        path = tmp_path / "__bayesf1__" / "gates.json"
        path.parent.mkdir()
        listed = {"a": [row(), row()], "b": [row()], "c": [row()], "d": [row()], "e": [row(), row()]}
        path.write_text(to_text({f"t.py::{name}": rows for name, rows in listed.items()}))
        undecided, failed = (
            GateRecord(entries=(entry(comparison(), verdict),), row=row(), outcome=verdict)
            for verdict in ("undecided", "failed")
        )
        reports = [reported(f"t.py::{name}", undecided, outcome="failed") for name in "ad"]
        reports.append(reported("t.py::b", outcome="failed", when="setup"))
        found = ledger(*reports, reported("t.py::c"), reported("t.py::e", failed, outcome="failed"))
        assert [(each.gate, each.kind) for each in found.findings] == [("t.py::c", "missing")]
        errors = [(each.test, each.headline) for each in found.report().entries if each.kind == "error"]
        assert errors == [(f"t.py::{name}", "its test failed before the gate") for name in "ab"]

    def test_all_that_is_known_of_the_run_is_reported(self, ledger, tmp_path, monkeypatch):
        asked = []
        monkeypatch.setattr(RunIdentity, "of", lambda *given: asked.append(given) or UNKNOWN_RUN)
        of_commit(monkeypatch, tmp_path, {".": manifest_of({"t.py::a": 0.005})})
        failed = entry(comparison(), "failed")
        uses = {"first.csv": "new", "old.csv": "base", "pool.csv": "checked out", "same.csv": None}
        files = tuple(FileUse(Use.DIFFERS, path, read) for path, read in uses.items())
        judged = GateRecord(entries=(failed,), row=row(), files=files)
        expected = reported("t.py::b", GateRecord(entries=(failed,)), outcome="skipped", wasxfail="no")
        reports = reported("t.py::a", judged, bayesf1_run=(1, 3)), expected, reported("t.py::c", bayesf1_run=(1, 2))
        found = ledger(*reports, progress=progress_of(missing=["t.py::d"]), baseline_ref="main")
        assert [(each.gate, each.kind) for each in found.findings] == [("t.py::a", "loosened")]
        first, second = (Place(test=f"t.py::{name}", file="t.py", line=5) for name in "ab")
        del uses["same.csv"]
        assert found.report() == Report.of(
            [failed.at(first), failed.of_expected_failure().at(second)],
            ["t.py::d"],
            uses,
            found.findings,
            UNKNOWN_RUN,
            {"t.py::a": 3},
        )
        assert asked == [(tmp_path, "main")]

    def test_what_makes_the_run_incomplete_is_told_once(self, ledger, monkeypatch):
        monkeypatch.setenv("CI", "true")
        found = ledger(progress=progress_of(missing=["t.py::a", "broken.py"]))
        tests = {"t.py::a": False, "t.py::ab": True, "broken.py::c": False, "not_broken.py::c": True}
        assert {test: bool(found._why_missing(test)) for test in tests} == tests

    @pytest.mark.parametrize(
        ("listed", "damaged", "found"),
        [
            ({".": 0.01}, [], ["here/t.py::a loosened"]),
            ({"here": 0.01}, [], ["here/t.py::a loosened"]),
            ({".": 0.05}, [], []),
            ({".": 0.01, "here": 0.05}, [], ["here/t.py::a loosened"]),
            ({".": 0.05, "here": 0.01}, [], ["here/t.py::a loosened"]),
            ({".": 0.05, "above": 0.01}, [], []),
            ({".": 0.05}, ["here"], ["here/__bayesf1__/gates.json of the base commit file"]),
        ],
        ids=["looser", "where it is called", "as strict", "first", "second", "of others", "damaged"],
    )
    def test_what_the_base_commit_lists_anywhere_is_demanded(
        self, ledger, tmp_path, monkeypatch, listed, damaged, found
    ):
        contents = {
            folder: manifest_of({"t.py::a" if folder == "here" else "here/t.py::a": rope})
            for folder, rope in listed.items()
        }
        of_commit(monkeypatch, tmp_path, dict.fromkeys(damaged, b"{") | contents)
        run = ledger(*(reported(f"here/t.py::{test}", gate(0.03)) for test in "ab"), here="here", baseline_ref="main")
        assert [f"{each.gate} {each.kind}" for each in run.findings if each.is_looser] == found

    @pytest.mark.parametrize(
        ("base", "listed_now", "told"),
        [(None, False, 1), ({"t.py::a": 0.03}, True, 0), (None, True, 0), ({}, False, 1)],
        ids=["nothing", "listed", "listed now", "none listed"],
    )
    def test_nothing_is_bound_by_a_base_commit_that_lists_no_gate(
        self, ledger, tmp_path, monkeypatch, base, listed_now, told
    ):
        of_commit(monkeypatch, tmp_path, {} if base is None else {".": manifest_of(base)})
        if listed_now and not base:
            (tmp_path / "__bayesf1__").mkdir()
            (tmp_path / "__bayesf1__" / "gates.json").write_bytes(manifest_of({"t.py::a": 0.03}))
        found = ledger(reported("t.py::a", gate(0.03)), baseline_ref="main").findings
        assert [("--bayesf1-update=new" in each.text, each.gate, each.is_looser) for each in found] == [
            (True, "", False)
        ] * told

    @pytest.mark.parametrize(
        ("names", "now", "found"),
        [
            ("ab", b"1", ["new.py::a outdated", "new.py::b outdated"]),
            ("a", b"1", ["new.py::a outdated", "old.py::b missing"]),
            ("ab", b"2", ["new.py::a outdated", "new.py::b outdated", "old.py::a missing"]),
        ],
        ids=["renamed", "a test less", "another baseline"],
    )
    def test_a_file_renamed_with_its_baselines_is_told(self, ledger, tmp_path, monkeypatch, names, now, found):
        commit = of_commit(monkeypatch, tmp_path, {".": manifest_of({"old.py::a": 0.01, "old.py::b": 0.01})})
        stores = [tmp_path / "__bayesf1__" / name for name in ("old", "new")]
        committed = {stores[0] / name: b"1" for name in ("a.json", "a.anchor.json")}
        commit.committed = lambda path, read=commit.committed: committed.get(path) or read(path)
        stores[1].mkdir()
        uses = []
        for name, content in (("a.json", now), ("a.anchor.json", b"1")):
            (stores[1] / name).write_bytes(content)
            uses.append(FileUse(Use.DIFFERS, f"__bayesf1__/new/{name}", "new"))
        reports = [reported(f"new.py::{name}", gate(files=tuple(uses) if name == "a" else ())) for name in names]
        run = ledger(*reports, baseline_ref="main")
        assert sorted(f"{each.gate} {each.kind}" for each in run.findings) == found
        assert run._changed() == ({each.path: "new" for each in uses} if "old.py::a missing" in found else {})

    @pytest.mark.parametrize("listed", ["old", "new"])
    def test_a_renamed_test_is_to_be_listed_by_its_name(self, ledger, tmp_path, monkeypatch, listed):
        of_commit(monkeypatch, tmp_path, {".": manifest_of({"old.py::a": 0.01})})
        (tmp_path / "__bayesf1__" / "gates.json").write_bytes(manifest_of({f"{listed}.py::a": 0.01}))
        texts = [each.text for each in ledger(reported("new.py::a", gate()), baseline_ref="main").findings]
        assert ["it was old.py::a" in each for each in texts] == [True]
        assert ("--bayesf1-update=new" in texts[0]) is (listed == "old")

    @pytest.mark.parametrize("update", [Update.NEW, Update.ALL])
    def test_an_update_lists_what_was_renamed_by_its_name(self, ledger, tmp_path, update):
        path = tmp_path / "__bayesf1__" / "gates.json"
        path.parent.mkdir()
        path.write_bytes(manifest_of({"bayesf1.yaml::a": 0.01}))
        ledger(reported("bayesf1-new.yaml::a", gate()), update=update).write()
        assert path.read_bytes() == manifest_of({"bayesf1-new.yaml::a": 0.01})

    def test_a_renamed_file_that_is_looser_is_missing(self, ledger, tmp_path, monkeypatch):
        of_commit(monkeypatch, tmp_path, {".": manifest_of({"old.py::a": 0.01})})
        found = ledger(reported("new.py::a", gate(0.03)), baseline_ref="main").findings
        assert [f"{each.gate} {each.kind}" for each in found] == ["new.py::a outdated", "old.py::a missing"]

    @pytest.mark.parametrize(("file", "kinds"), [("bayesf1-old.yaml", ["missing"]), ("old.py", [])])
    def test_a_gate_file_that_is_gone_is_missed_by_the_command(self, ledger, tmp_path, monkeypatch, file, kinds):
        of_commit(monkeypatch, tmp_path, {".": manifest_of({f"{file}::a": 0.01})})
        found = ledger(progress=progress_of(full=False), here="here", command="brief").findings
        assert [each.kind for each in found] == kinds
