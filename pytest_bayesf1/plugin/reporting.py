"""The end of a run: the report, unused baselines and the manifest."""

import os
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bayesf1.errors import BaselineError, BayesF1Warning
from pytest_bayesf1.plugin.config import PluginConfig, encoding_of
from pytest_bayesf1.plugin.fixtures import files_of
from pytest_bayesf1.plugin.recording import ENTRIES, GATES, LOSSES, Attempts, Progress, run_of
from pytest_bayesf1.project import (
    FOLDER,
    GATE_FILES,
    MANIFEST,
    Update,
    in_ci,
    is_baseline,
    manifest_path,
    store_directory,
)
from pytest_bayesf1.results.run import Finding, FindingKind, RunIdentity

if TYPE_CHECKING:
    import warnings
    from collections.abc import Iterator

    from pytest_bayesf1.gates.acceptance import Exceptions, Losses
    from pytest_bayesf1.gates.manifest import GatesOfRun, Rows
    from pytest_bayesf1.reports.entry import AnyEntry, Place, ReadFrom, Report
    from pytest_bayesf1.reports.terminal import Line


_WRITTEN = ("created", "replaced")
_TOLD = (*_WRITTEN, "ahead")
_LEFT_OUT = "bayesf1_left_out"
_AHEAD = (
    "Where a candidate is ahead, it is significantly better than the anchor: to count total loss from it on, run its "
    "test with --bayesf1-update=anchor."
)


class BaselineLedger:
    """Registered in every process; prints where pytest prints."""

    def __init__(self, config: pytest.Config, plugin_config: PluginConfig) -> None:
        self._config = config
        self._folder = plugin_config.baselines
        self._paths: dict[str, set[str]] = {action: set() for action in ("used", *_TOLD)}
        self._modules: set[str] = set()
        self._unsure: set[str] = set()
        self._n_collected = 0
        self._some_left_out = False

    def pytest_itemcollected(self) -> None:
        """Count the tests before any are left out."""
        self._n_collected += 1

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note that some tests do not run, with or without a word of who left them out; a worker tells the main one."""
        self._some_left_out = len(session.items) < self._n_collected
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_LEFT_OUT] = self._some_left_out

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Hear from a worker; one that crashed says nothing."""
        self._some_left_out |= getattr(node, "workeroutput", {}).get(_LEFT_OUT, False)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Note that the run ended early."""
        self._some_left_out |= bool(session.shouldfail or session.shouldstop)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what a test did to baselines, from this process or from a worker."""
        module = report.nodeid.partition("::")[0]
        if report.when == "call":
            self._modules.add(module)
        if report.failed or report.skipped:
            self._unsure.add(module)
        for action, path, _ in getattr(report, "bayesf1_baselines", []):
            self._paths.setdefault(action, set()).add(path)

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter", exitstatus: int) -> None:
        """List baselines that were written, that left their anchor behind, and after a full run those of no test."""
        finished = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        unused = self._unused() if finished and self.is_full_run() else []
        lines = [f"{action:<9} {path}" for action in _TOLD for path in sorted(self._paths[action])]
        if self._paths["ahead"]:
            lines.append(_AHEAD)
        lines += [f"{'unused':<9} {path}" for path in unused]
        if unused:
            lines.append("No test uses the unused ones: delete them, or rename them with the test that they belong to.")
        if lines:
            terminalreporter.write_sep("=", "bayesf1 baselines")
        for line in lines:
            terminalreporter.write_line(line)

    def is_full_run(self) -> bool:
        """Whether no test was left out, as far as this process knows."""
        some_asked_for = self._config.getoption("lf", default=False) or any(
            "::" in argument for argument in self._config.args
        )
        return not self._some_left_out and not some_asked_for

    def _unused(self) -> list[str]:
        """List the files of modules of which every test passed, and of modules that are gone."""
        root = self._config.rootpath
        known = self._paths["used"] | self._paths["created"] | self._paths["replaced"]
        found: set[Path] = set()
        for module in self._modules:
            directory = store_directory(root / module, root, self._folder)
            if module not in self._unsure:
                found.update(_files(directory))
            for sibling in directory.parent.glob("*/"):
                if not (root / module).with_name(f"{sibling.name}.py").exists():
                    found.update(_files(sibling))
        return sorted({os.path.relpath(path, root) for path in found} - known)


def _files(directory: Path) -> list[Path]:
    return [path for path in directory.glob("*") if is_baseline(path.name)]


_GONE = "no test of this name ran: you deleted, renamed or did not select it"
_WHY = {"skipped": "its test was skipped", "failed": "its test failed before it", "passed": "its test ran without it"}


class GateLedger:
    """Registered where pytest reports, beside the ledger of baselines, which knows whether this is a full run."""

    def __init__(
        self, config: pytest.Config, plugin_config: PluginConfig, progress: Progress, ledger: BaselineLedger
    ) -> None:
        self._config, self._plugin_config = config, plugin_config
        self._progress, self._ledger = progress, ledger
        self._gates: Attempts[dict[str, Any]] = Attempts(GATES)
        self._losses: Attempts[tuple[str, dict[str, Any]]] = Attempts(LOSSES)
        self._entries: Attempts[AnyEntry] = Attempts(ENTRIES)
        self._outcomes: dict[str, str] = {}
        self.findings: tuple[Finding, ...] = ()
        self.lines: list[Line] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the gates that came with a test's report, and how the test came out."""
        self._gates.hear(report)
        self._losses.hear(report)
        self._entries.hear(report)
        test = report.nodeid
        if run_of(report) > 1 and self._outcomes.get(test) == "failed":
            return  # you asked for it twice
        if report.when == "setup":
            self._outcomes.pop(test, None)
        if hasattr(report, "wasxfail"):
            self._outcomes[test] = "xfailed"
        elif report.when == "call" or report.outcome != "passed":
            self._outcomes[test] = report.outcome

    def is_expected_failure(self, test: str) -> bool:
        """Whether a test failed that was expected to (xfail)."""
        return self._outcomes.get(test) == "xfailed"

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the manifest where asked to, which fails the run if it cannot be done; then compare with it."""
        if not self._progress.begun:
            return
        try:
            if self._plugin_config.update is not Update.NONE or self._plugin_config.accept is not None:
                self._write()
        except BaselineError as error:
            self.lines.append((f"gates NOT written: {error}", {"red": True}))
            if session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        self.findings = self._compared()
        if any(self._gates.recorded()):
            self._lost().keep_failures(self._config.rootpath, self._rows())

    def _write(self) -> None:
        """List the gates of tests that passed, or their losses that are accepted; of others it says what it said."""
        from pytest_bayesf1.gates.acceptance import GateOutcome
        from pytest_bayesf1.gates.manifest import Listed, write_manifest

        path = manifest_path(self._config.rootpath)
        written = f"gates: {os.path.relpath(path, self._config.rootpath)}"
        if self._plugin_config.accept is None:
            only_new = self._plugin_config.update is Update.NEW
            passed = set(filter(self._has_passed, self._rows()))
            run = self._run_of({})
            change = Listed.with_new if only_new else Listed.updated
            if write_manifest(path, lambda listed: change(listed, run, passed)):
                self.lines.append((written, {}))
            return
        accepted = self._lost().of(GateOutcome.ACCEPTED)
        wanted = {test: losses for test, losses in accepted.items() if self._has_passed(test)}
        if write_manifest(path, lambda listed: listed.with_exceptions(wanted)):
            n_losses = sum(map(len, wanted.values()))
            losses = f"{n_losses:,} loss{'' if n_losses == 1 else 'es'}"
            self.lines.append((f"{written} accepts {losses}: commit it with the change", {"bold": True}))
        for test in sorted(accepted.keys() - wanted.keys()):
            self.lines.append((f"NOT accepted, for the test failed all the same: {test}", {"red": True}))

    def _has_passed(self, test: str) -> bool:
        """Whether a test passed; a shared fixture, which has no outcome of its own, unless a gate of it failed."""
        return self._outcomes.get(test, "failed" if test in self._no_answer else "passed") == "passed"

    @cached_property
    def _no_answer(self) -> set[str]:
        """The tests and shared fixtures of which a gate failed or had an error; asked for when the run has ended."""
        return {place.test for place, entry in self._entries.recorded() if entry.verdict in ("failed", "error")}

    @cached_property
    def _unfinished(self) -> set[str]:
        """The tests and files that make the run incomplete; asked for when it has ended."""
        return self._progress.missing()

    def _lost(self) -> "Losses":
        """Return what became of the gates, and what each lost."""
        from pytest_bayesf1.gates.acceptance import Acceptance, GateOutcome, Losses

        heard = (
            (place.test, GateOutcome(became), Acceptance(**loss)) for place, (became, loss) in self._losses.recorded()
        )
        return Losses(list(heard), set(filter(self._has_passed, self._rows())))

    def _gone(self, test: str) -> bool:
        """Whether a full run shows that a test makes no gate any more."""
        if not self._is_full_run():
            return False
        is_unknown = test not in self._progress.collected() and test not in self._no_answer
        return self._outcomes.get(test, "") in ("passed", "xfailed") or is_unknown

    def _compared(self) -> tuple[Finding, ...]:
        """Compare with what is listed; a manifest that cannot be read is a finding, and hides no other."""
        from pytest_bayesf1.gates.manifest import Listed

        path = manifest_path(self._config.rootpath)
        now, found = Listed(), []
        try:
            now = Listed.checked_out(path)
        except BaselineError as error:
            found.append(self._unreadable(path, error))
        try:
            found.extend(self._differences(self._run_of(now.exceptions)))
        except BaselineError as error:  # of git
            found.append(self._unreadable(path, error))
        return tuple(dict.fromkeys(found))

    def _run_of(self, exceptions: "Exceptions") -> "GatesOfRun":
        from pytest_bayesf1.gates.manifest import GatesOfRun

        return GatesOfRun(
            rows=self._rows(),
            why_missing=self._why_missing,
            is_gone=self._gone,
            powerless=frozenset(filter(self.is_expected_failure, self._outcomes)),
            another_commit=self._plugin_config.baseline_ref is not None,
            exceptions=exceptions,
            losses=self._lost().by_test,
        )

    def _unreadable(self, path: Path, error: BaselineError, where: str = "") -> Finding:
        name = os.path.relpath(path, self._config.rootpath)
        return Finding(f"{name}{where}", FindingKind.FILE, "", error.without_place)

    def _differences(self, run: "GatesOfRun") -> "Iterator[Finding]":
        from pytest_bayesf1.gates.manifest import Listed, compare_file, compare_gates, unlisted_changes

        root, here = self._config.rootpath, self._config.invocation_params.dir
        listings: list[Rows] = []
        bases: dict[Path, Listed] = {}
        damaged = False
        for number, (folder, path, content) in enumerate(self._manifests()):
            try:
                manifest = Listed.of(content, path).seen_from(root, folder)
            except BaselineError as error:
                yield self._unreadable(path, error, " of the base commit" if run.another_commit else "")
                damaged = True
                continue
            bases[folder] = manifest
            listed = manifest.rows
            if not self._is_around(folder):
                listed = {test: each for test, each in listed.items() if test in run.rows}
            elif number or folder not in (root, here):
                listed = self._asked_for(listed)
            listings.append(listed)
        found = list(compare_gates(listings, run))
        if not damaged:
            found += unlisted_changes(self._declared_before(), listings, run)
        yield from found
        if run.another_commit and not damaged:
            bases.setdefault(root, Listed())
        for folder, base in bases.items():
            path = manifest_path(folder)
            try:
                now = Listed.checked_out(path).seen_from(root, folder)
            except BaselineError as error:
                yield self._unreadable(path, error)
                continue
            name = os.path.relpath(path, root)
            yield from compare_file(name, now, base if run.another_commit else None, run, found)

    def _declared_before(self) -> dict[str, bool]:
        """Find the gates of the gate files that the base commit has and this run is asked for: whether each changed."""
        from pytest_bayesf1.plugin.gate_items import declared_at

        files, root = files_of(self._config), self._config.rootpath
        here, places = self._config.invocation_params.dir, self._places()
        found: dict[str, bool] = {}
        for path in files.listed(GATE_FILES):
            if path.parent in (root, here) if places == [here] else any(map(path.is_relative_to, places)):
                was, now = declared_at(self._config, path, files), declared_at(self._config, path)
                name = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
                found |= {f"{name}::{gate}": gate in now and now[gate] != was[gate] for gate in was}
        return found

    def _manifests(self) -> "Iterator[tuple[Path, Path, bytes]]":
        """Find the manifests that may list what this run should judge: their folder, their path and their content.

        A configuration file moves the root folder, but not where pytest is called and what it is asked to run. So of
        another commit, every manifest in or above any of these counts, those elsewhere for the gates that run, and none
        that the commit does not have. The first is that of the root folder or, where it has none, of the folder that
        pytest is called in.
        """
        root, here, files = self._config.rootpath, self._config.invocation_params.dir, files_of(self._config)
        top = getattr(files, "top", None)
        folders = dict.fromkeys([root, here])
        if top is not None:
            every = (above for place in (root, here, *self._places()) for above in (place, *place.parents))
            folders = dict.fromkeys(each for each in every if each.resolve().is_relative_to(top.resolve()))
            known = {folder.resolve() for folder in folders}
            elsewhere = (path.parent.parent for path in files.listed([f"{FOLDER}/{MANIFEST}"]))
            folders.update(dict.fromkeys(folder for folder in elsewhere if folder.resolve() not in known))
        for folder in folders:
            path = manifest_path(folder)
            if (content := files.committed(path)) is not None:
                yield folder, path, content
                if top is None:
                    return

    def _is_around(self, folder: Path) -> bool:
        """Whether the root folder, or what the caller asks for, is in a folder."""
        places = self._config.rootpath, self._config.invocation_params.dir, *self._places()
        return any(place.resolve().is_relative_to(folder.resolve()) for place in places)

    def _asked_for(self, listed: "Rows") -> "Rows":
        """Leave out what a manifest lists beyond the files that this run was asked to collect."""
        root, places = self._config.rootpath, [place.resolve() for place in self._places()]
        files = {test: (root / test.partition("::")[0]).resolve() for test in listed}
        return {test: listed[test] for test, file in files.items() if any(map(file.is_relative_to, places))}

    def _places(self) -> list[Path]:
        """Return the files and folders that the caller asks for, not a configuration file; by default where that is."""
        here, given = self._config.invocation_params.dir, set(map(str, self._config.invocation_params.args))
        named = [here / argument.partition("::")[0] for argument in self._config.args if argument in given]
        return named or [here]

    def _rows(self) -> "Rows":
        gates: dict[str, list[dict[str, Any]]] = {}
        for place, row in self._gates.recorded():
            gates.setdefault(place.test, []).append(row)
        return gates

    def _why_missing(self, test: str) -> str:
        """Say why a gate did not judge; nothing where the run is incomplete by it, or it was left out on purpose."""
        if test in self._no_answer:
            return ""
        if test in self._outcomes:
            return _WHY.get(self._outcomes[test], _GONE)
        if not self._unfinished.isdisjoint([test, test.partition("::")[0]]):
            return ""
        on_purpose = not (in_ci() or self._plugin_config.baseline_ref or self._is_full_run())
        return "" if on_purpose else _GONE

    def _is_full_run(self) -> bool:
        """Whether all tests of the project were asked for."""
        folder, root = self._config.invocation_params.dir, self._config.rootpath
        by_name = self._config.args_source is pytest.Config.ArgsSource.ARGS
        places = {(folder / argument).resolve() for argument in self._config.args} if by_name else {folder.resolve()}
        return self._ledger.is_full_run() and root.resolve() in places


_MOST_LISTED = 10
"""So many warnings of ours, and so many gates of files that failed, are explained one by one; of more the first."""


class Shortened:
    """Registered where pytest reports: of many warnings and failures it explains one, and counts the others.

    Attributes
    ----------
    left
        Gates that failed and are not explained: pytest's short summary has a line for each.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._names: set[str] = set()
        self.left: set[str] = set()

    def pytest_warning_recorded(self, warning_message: "warnings.WarningMessage") -> None:
        """Note how ours are called; pytest keeps only their text."""
        if issubclass(warning_message.category, BayesF1Warning):
            self._names.add(warning_message.category.__name__)

    def pytest_sessionfinish(self) -> None:
        """Replace many by one line, before pytest lists them."""
        reporter: Any = self._config.pluginmanager.get_plugin("terminalreporter")
        if reporter is None:
            return
        found = reporter.stats.get("warnings", [])
        ours = [each for each in found if any(f": {name}: " in each.message for name in self._names)]
        if len(ours) > _MOST_LISTED:
            text = f"{len(ours):,} warnings of gates: see the section bayesf1 below; -v lists all gates."
            others = [each for each in found if each not in ours]
            reporter.stats["warnings"] = [*others, replace(ours[0], message=text, nodeid=None, fslocation=None)]
        if self._config.option.verbose <= 0:
            self._shorten(list(filter(_is_of_gate_file, reporter.stats.get("failed", []))))

    def _shorten(self, failed: list[pytest.TestReport]) -> None:
        """Explain the first of many only."""
        if len(failed) <= _MOST_LISTED:
            return
        first, *left = failed
        for report in left:
            vars(report)["_pdbshown"] = True  # what pytest calls reports that are not to be shown again
            self.left.add(report.nodeid)
        more = f"{len(left):,} more gates failed, each a line in the short summary; -v explains them all."
        first.longrepr = f"{first.longrepr}\n\n{more}"


def _is_of_gate_file(report: pytest.TestReport) -> bool:
    is_ours = isinstance(report.longrepr, str) and bool(getattr(report, ENTRIES, []))
    return is_ours and report.location[0].endswith((".yaml", ".yml"))


class Reporter:
    """Registered where pytest reports: not in xdist's workers."""

    def __init__(
        self, config: PluginConfig, root: Path, progress: Progress, gates: GateLedger, shortened: Shortened
    ) -> None:
        self._config, self._root = config, root
        self._progress = progress
        self._gates, self._shortened = gates, shortened
        self._attempts: Attempts[AnyEntry] = Attempts(ENTRIES)
        self._changed: dict[str, ReadFrom] = {}
        self._written: list[Line] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the comparisons that came with a test's report, before the JUnit report reads its properties."""
        self._attempts.hear(report)
        events = getattr(report, "bayesf1_baselines", [])
        self._changed.update({path: read for _, path, read in events if read})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the report files; a report that was asked for and could not be written fails the run."""
        if not self._progress.begun:
            return
        if self._config.changes is not None and self._config.changes.is_dir():
            self._written.append((f"examples that changed: {self._config.changes}", {}))
        if self._config.report is None:
            return
        from pytest_bayesf1.reports.writing import write_report

        try:
            path = write_report(self._with_trends(self._report(), session.config.rootpath), self._config.report)
            self._written.append((f"report: {path}", {}))
        except Exception as error:  # noqa: BLE001 (whatever went wrong, the tests' own results must still be shown)
            self._written.append((f"report NOT written: {error!s} ({type(error).__name__})", {"red": True}))
            if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print what the run came to; nothing when there is nothing to tell."""
        written = [*self._gates.lines, *self._written]
        if not (any(self._attempts.recorded()) or self._gates.findings or written):
            return
        from pytest_bayesf1.reports.terminal import prints_pictures, report_lines

        report, ascii_only = (
            self._as_not_shown_yet(terminalreporter.config),
            not prints_pictures(encoding_of(terminalreporter.config)),
        )
        width = terminalreporter._tw.fullwidth  # noqa: SLF001 (what pytest itself writes)
        verbose = terminalreporter.config.option.verbose > 0
        terminalreporter.write_sep("=", "bayesf1")
        for line, markup in report_lines(report, ascii_only=ascii_only, width=width, verbose=verbose) + written:
            terminalreporter.write_line(line, **markup)

    def _as_not_shown_yet(self, config: pytest.Config) -> "Report":
        """Return the report for the end of the terminal; in CI without the advice that pytest shows with a failure."""
        report = self._report()
        if not in_ci() or config.option.tbstyle in ("no", "line"):
            return report
        failed = {each.test for each in report.entries if each.verdict == "failed"}
        return report.without_advice_for(failed.difference(self._shortened.left))

    def _report(self) -> "Report":
        from pytest_bayesf1.reports.entry import Report

        entries = (self._entry(place, entry) for place, entry in self._attempts.recorded())
        return Report.of(entries, self._progress.missing(), self._changed, self._gates.findings, self._run)

    def _entry(self, place: "Place", entry: "AnyEntry") -> "AnyEntry":
        is_expected = self._gates.is_expected_failure(place.test)
        return (entry.of_expected_failure() if is_expected else entry).at(place)

    @cached_property
    def _run(self) -> RunIdentity:
        """Which run this is; git is asked once."""
        return RunIdentity.of(self._root, self._config.notes, self._config.baseline_ref)

    def _with_trends(self, report: "Report", root: Path) -> "Report":
        from pytest_bayesf1.reports.trends import with_trends, without_trends

        return without_trends(report) if self._config.no_trend else with_trends(report, root, self._config.baseline_ref)
