from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_bayesf1 import UndecidedWarning
from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.plugin.ledger import Ledger, Reporter, Shortened
from pytest_bayesf1.plugin.recording import RECORDS
from pytest_bayesf1.reports import output, terminal, trends
from pytest_bayesf1.reports.entry import Report
from pytest_bayesf1.reports.record import GateRecord
from pytest_bayesf1.results.run import FileUse, Use
from tests.unit.made_up import comparison, entry
from tests.unit.plugin.test_config import configured
from tests.unit.plugin.test_ledger import config_of, progress_of, reported


@dataclass
class Warned:
    """A warning, as pytest's terminal keeps it."""

    message: str
    nodeid: str | None = "t.py::a"
    fslocation: tuple[str, int] | None = ("t.py", 3)


def gate(number, of_gate_file=True):
    name = "bayesf1.yaml" if of_gate_file else "t.py"
    file = "bayesf1-2.yml" if number == 1 else name
    known = {"nodeid": f"{name}::{number}", "longrepr": f"said {number}", "location": (file, 1, "x")}
    return SimpleNamespace(**known, **{RECORDS: [1]})


def shortened(warnings=(), failed=(), verbose=0):
    """Return what the terminal is to show of these."""
    stats = {"warnings": [*warnings], "failed": [*failed]}
    plugins = SimpleNamespace(get_plugin=lambda _: SimpleNamespace(stats=stats))
    made = Shortened(SimpleNamespace(pluginmanager=plugins, option=SimpleNamespace(verbose=verbose)))
    for category in (UndecidedWarning, UserWarning):
        made.pytest_warning_recorded(SimpleNamespace(category=category))
    made.pytest_sessionfinish()
    return made, stats


class TestShortened:
    @pytest.mark.parametrize(("n", "is_shortened"), [(10, False), (11, True)])
    def test_more_than_ten_warnings_of_ours_are_one_line(self, n, is_shortened):
        ours = [Warned(f"t.py:3: UndecidedWarning: number {number}") for number in range(n)]
        others = [Warned("t.py:3: UserWarning: a"), Warned("t.py:9: UserWarning: UndecidedWarning")]
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


@pytest.fixture
def config(tmp_path):
    return config_of(tmp_path)


@pytest.mark.parametrize(
    ("in_ci", "style", "advised"),
    [(True, "auto", ["b", "c"]), (True, "line", ["a", "b", "c"]), (False, "auto", ["a", "b", "c"])],
)
def test_in_ci_advice_that_stands_with_a_failure_is_not_said_again(config, monkeypatch, in_ci, style, advised):
    """Unless pytest was told to show no traceback, or has so many failures that it left this one out."""
    monkeypatch.setenv("CI", "true" if in_ci else "")
    config.option = SimpleNamespace(verbose=0, tbstyle=style)
    config.pluginmanager = SimpleNamespace(get_plugin=lambda _: None)
    progress = progress_of()
    reporter = Reporter(configured(), progress, Ledger(config, progress), SimpleNamespace(left={"b"}))
    for test, verdict in (("a", "failed"), ("b", "failed"), ("c", "warned")):
        made = entry(comparison(), verdict, test=test, advice=f"Look at {test}.")
        reporter.pytest_runtest_logreport(reported(test, GateRecord(entries=(made,))))
    lines = []
    terminal = SimpleNamespace(config=config, _tw=SimpleNamespace(fullwidth=80), write_sep=lambda *_: None)
    terminal.write_line = lambda line, **_: lines.append(line)
    reporter.pytest_terminal_summary(terminal)
    assert [test for test in "abc" if any(f"Look at {test}." in line for line in lines)] == advised


@pytest.mark.parametrize(
    ("what", "status", "now"),
    [("write", 0, 3), ("write", 1, 1), ("write", 2, 2), ("report", 0, 3), ("report", 5, 3), ("report", 1, 1)],
)
def test_what_cannot_be_written_fails_a_run_that_did_not_fail(config, monkeypatch, what, status, now):
    def fail(_):
        raise BaselineError("gates.json", "a manifest", "{")

    monkeypatch.setattr(Ledger, what, fail)
    asked = {"report": Path("out")} if what == "report" else {}
    reporter = Reporter(configured(**asked), progress_of(), Ledger(config, progress_of()), SimpleNamespace(left=set()))
    session = SimpleNamespace(exitstatus=status, config=config)
    reporter.pytest_sessionfinish(session)
    assert session.exitstatus == now
    ((said, markup),) = reporter._lines
    assert " NOT written: gates.json: expected a manifest, got {" in said
    assert markup == {"red": True}


@pytest.mark.parametrize("begun", [False, True])
def test_at_the_end_of_a_run_of_tests_all_is_written_that_was_asked_for(config, tmp_path, monkeypatch, begun):
    written = []
    monkeypatch.setattr(Ledger, "write", lambda _: written.append("gates") or [("gates: a", {})])
    monkeypatch.setattr(Ledger, "keep_failures", lambda _: written.append("failures"))
    monkeypatch.setattr(trends, "with_trends", lambda *given: written.append(given[1:]) or "a report")
    monkeypatch.setattr(output, "write_report", lambda *given: written.append(given) or "out/report.html")
    progress = progress_of()
    progress.begun = begun
    asked = configured(report=Path("out"), baseline_ref="main")
    reporter = Reporter(asked, progress, Ledger(config, progress), SimpleNamespace(left=set()))
    reporter.pytest_sessionfinish(SimpleNamespace(exitstatus=0, config=config))
    assert written == ["gates", "failures", (tmp_path, "main"), ("a report", Path("out"))] * begun
    assert reporter._lines == [("gates: a", {}), ("report: out/report.html", {})] * begun


@pytest.mark.parametrize(
    ("begun", "findings", "lines", "is_shown"),
    [(True, [], [], False), (True, [1], [], True), (True, [], [("a", {})], True), (False, [1], [("a", {})], False)],
)
@pytest.mark.parametrize("verbose", [0, 1])
def test_the_section_is_as_wide_as_the_terminal_and_seen_from_where_pytest_was_called(
    config, tmp_path, monkeypatch, begun, findings, lines, is_shown, verbose
):
    asked, written = [], []
    monkeypatch.setattr(terminal, "report_lines", lambda _, **how: asked.append(how) or [("± 1", {"bold": True})])
    monkeypatch.setattr(Ledger, "report", lambda _: Report.of([]))
    monkeypatch.setattr(Ledger, "findings", findings)
    progress = progress_of()
    progress.begun = begun
    reporter = Reporter(configured(), progress, Ledger(config, progress), SimpleNamespace(left=set()))
    reporter._lines = lines
    config.invocation_params.dir = tmp_path / "here"
    config.option = SimpleNamespace(verbose=verbose, tbstyle="auto")
    known = {"_tw": SimpleNamespace(fullwidth=90, _file=SimpleNamespace(encoding="ascii")), "config": config}
    shown = SimpleNamespace(
        write_sep=lambda *_: None, write_line=lambda *said, **how: written.append((*said, how)), **known
    )
    config.pluginmanager = SimpleNamespace(get_plugin=lambda _: shown)
    reporter.pytest_terminal_summary(shown)
    assert asked == [{"width": 90, "verbose": bool(verbose), "root": ".."}] * is_shown
    assert written == [("\\xb1 1", {"bold": True}), *lines] * is_shown


def test_baselines_are_listed_that_were_written(config):
    reporter = Reporter(configured(), progress_of(), Ledger(config, progress_of()), SimpleNamespace(left=set()))
    uses = [(Use.USED, "used", ""), (Use.CREATED, "made", "with an anchor"), (Use.REPLACED, "newer", "")]
    files = tuple(FileUse(use, f"__bayesf1__/test_a/{name}.json", None, about) for use, name, about in uses)
    reporter.pytest_runtest_logreport(reported("test_a.py::one", GateRecord(files=files)))
    lines = []
    terminal = SimpleNamespace(write_sep=lambda *_: None, write_line=lines.append)
    reporter.pytest_terminal_summary(terminal)
    assert lines == [
        "created   __bayesf1__/test_a/made.json: with an anchor",
        "replaced  __bayesf1__/test_a/newer.json",
    ]
