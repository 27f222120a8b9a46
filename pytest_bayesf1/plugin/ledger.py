"""The ledger of a run: what its gates came to, whichever process ran them, what follows at the end, and is shown."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from pytest_bayesf1.errors import BaselineError, BayesF1Warning
from pytest_bayesf1.git import CHECKED_OUT
from pytest_bayesf1.plugin.config import PluginConfig, encoding_of
from pytest_bayesf1.plugin.fixtures import CONFIG, files_of, is_compared
from pytest_bayesf1.plugin.recording import RECORDS, Attempts, Progress, place_of, run_of
from pytest_bayesf1.project import Update, in_ci, manifest_path, store_directory
from pytest_bayesf1.results.run import FileUse, Finding, FindingKind, ReadFrom, RunIdentity, Use
from pytest_bayesf1.text import encodable

if TYPE_CHECKING:
    import warnings

    from pytest_bayesf1.gates.acceptance import Acceptance
    from pytest_bayesf1.gates.manifest import GatesOfRun, Listed, Row, Rows
    from pytest_bayesf1.reports.entry import AnyEntry, Place, Report
    from pytest_bayesf1.reports.record import GateRecord
    from pytest_bayesf1.reports.terminal import Line


T = TypeVar("T")
LEDGER = pytest.StashKey["Ledger"]()

_NOT_DECLARED = "its file does not declare it any more"
_GONE = "no test of this name ran: you deleted, renamed or did not select it"
_UNBOUND = (
    "Nothing is bound yet: no gates.json of the base commit lists a gate. List the gates with "
    "pytest --bayesf1-update=new, and merge that file."
)
_RENAMED = ", as gates.json lists it: pytest --bayesf1-update=new lists it by its name"
_WHY = {"skipped": "its test was skipped", "passed": "its test ran without it"}


class Ledger:
    """Keeps what tests record. Findings and the report are asked for when the run has ended."""

    def __init__(self, config: pytest.Config, progress: Progress) -> None:
        self._config, self._progress = config, progress
        self._plugin_config = config.stash[CONFIG]
        self._attempts = Attempts()
        self._outcomes: dict[str, str] = {}
        self._unreadable: list[Finding] = []

    def add(self, report: pytest.TestReport) -> None:
        """Keep what came with a test's report, and how the test came out."""
        self._attempts.add(report)
        test = report.nodeid
        if run_of(report) > 1 and self._outcomes.get(test) == "failed":
            return  # you asked for it twice
        if report.when == "setup":
            self._outcomes.pop(test, None)
        if hasattr(report, "wasxfail"):
            self._outcomes[test] = "xfailed"
        elif report.when == "call" or report.outcome != "passed":
            self._outcomes[test] = report.outcome

    @cached_property
    def records(self) -> "list[tuple[Place, GateRecord]]":
        """What was recorded, and where; asked for when the run has ended."""
        return list(self._attempts.records())

    def uses(self) -> "Iterator[FileUse]":
        """Yield what tests did with files."""
        for _, record in self.records:
            yield from record.files

    def report(self) -> "Report":
        """Return everything as a report."""
        from pytest_bayesf1.reports.entry import Report, error_entry
        from pytest_bayesf1.reports.record import DIED

        entries = [self._entry(place, entry) for place, record in self.records for entry in record.entries]
        entries += [error_entry(DIED, place_of(test)) for test in sorted(self._died)]
        judged = {entry.test for entry in entries}
        attempts = {test: number for test, number in self._attempts.numbers.items() if test in judged}
        return Report.of(entries, self._unfinished, self._changed(), self.findings, self._run, attempts)

    def _changed(self) -> "dict[str, ReadFrom]":
        """Return the files that differ from the base commit's, and which version counts; a renamed one is the same."""
        renamed = set(self._renames.values())
        return {
            use.path: use.read
            for place, record in self.records
            for use in record.files
            if use.read is not None and not (use.read == "new" and place.test in renamed)
        }

    def _entry(self, place: "Place", entry: "AnyEntry") -> "AnyEntry":
        return (entry.of_expected_failure() if self.is_expected_failure(place.test) else entry).at(place)

    @cached_property
    def _run(self) -> RunIdentity:
        """Which run this is; git is asked once."""
        return RunIdentity.of(self._config.rootpath, self._plugin_config.baseline_ref)

    def write(self) -> "list[Line]":
        """Bring the manifest up to date where that is asked for; raise `BaselineError` where it cannot be done."""
        if self._plugin_config.update is Update.NONE:
            return []
        from pytest_bayesf1.gates.manifest import Listed, write_manifest

        path = manifest_path(self._config.rootpath)
        counted = set(filter(self._counts, self._rows))
        run = self._run_of(Listed())
        change = Listed.with_new if self._plugin_config.update is Update.NEW else Listed.updated

        def updated(listed: Listed) -> Listed:
            return change(listed.renamed(self._renames_of([listed.rows])), run, counted)

        is_changed = write_manifest(path, updated)
        return [(f"gates: {self._seen(path)}", {})] if is_changed else []

    def keep_failures(self) -> None:
        """Keep what failed for `bayesf1 accept`."""
        if not self._rows:
            return
        from pytest_bayesf1.gates.acceptance import keep_failures

        failed = self._lost(lambda record: record.outcome == "failed")
        keep_failures(self._config.rootpath, self._rows, failed)

    def _lost(self, is_meant: "Callable[[GateRecord], bool]") -> "dict[str, list[Acceptance]]":
        """Return by test what gates lost, of those that are meant."""
        from pytest_bayesf1.gates.acceptance import Acceptance

        found: dict[str, list[Acceptance]] = {}
        for place, record in self.records:
            if record.loss is not None and is_meant(record):
                found.setdefault(place.test, []).append(Acceptance(**record.loss))
        return found

    def _run_of(self, now: "Listed") -> "GatesOfRun":
        from pytest_bayesf1.gates.manifest import GatesOfRun

        lost = self._lost(lambda record: not record.is_next)
        return GatesOfRun(
            rows=self._rows,
            why_missing=self._why_missing,
            is_gone=self._gone,
            powerless=frozenset(filter(self.is_expected_failure, self._outcomes)),
            listed=now.rows,
            exceptions=now.exceptions,
            losses={test: lost.get(test, []) for test in filter(self._counts, self._rows)},
        )

    @cached_property
    def _rows(self) -> "Rows":
        """What the gates of the run demand and are about, by test."""
        rows: dict[str, list[Row]] = {}
        for place, record in self.records:
            if record.row is not None:
                rows.setdefault(place.test, []).append(record.row)
        return rows

    def is_expected_failure(self, test: str) -> bool:
        """Whether a test failed that was expected to (xfail)."""
        return self._outcomes.get(test) == "xfailed"

    def _counts(self, test: str) -> bool:
        """Whether the manifest follows what a test says: one that passed or, of the command, that had an answer."""
        return bool(self._plugin_config.command) or self._has_passed(test)

    def _has_passed(self, test: str) -> bool:
        """Whether a test passed."""
        return self._outcomes.get(test) == "passed"

    @cached_property
    def _no_answer(self) -> set[str]:
        """The tests of which a gate failed or had an error."""
        return {
            place.test
            for place, record in self.records
            if any(entry.verdict in ("failed", "error") for entry in record.entries)
        }

    @cached_property
    def _died(self) -> set[str]:
        """The tests that failed before a gate that is listed."""
        failed = {test for test, outcome in self._outcomes.items() if outcome == "failed"} - self._no_answer
        made = {test: len(self._rows.get(test, ())) for test in failed}
        return {test for rows in self._demanded for test in failed & rows.keys() if made[test] < len(rows[test])}

    @cached_property
    def _unfinished(self) -> set[str]:
        """The tests and files that make the run incomplete."""
        return self._progress.missing()

    def _gone(self, test: str) -> bool:
        """Whether a run of its whole file shows that a test makes no gate any more."""
        if self._has_no_file(test):
            return True
        if not self._progress.covers(test):
            return False
        return self._outcomes.get(test) in ("passed", "xfailed") or test not in self._progress.collected()

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """How the run differs from what is listed; a manifest that cannot be read is a finding, and hides no other."""
        if not is_compared(self._config):
            return ()
        from pytest_bayesf1.gates.manifest import Listed

        path = manifest_path(self._config.rootpath)
        now = self._attempt(path, partial(Listed.checked_out, path)) or Listed()
        found = self._attempt(path, lambda: [*self._differences(self._run_of(now))]) or []
        return tuple(dict.fromkeys([*self._unreadable, *found]))

    def _attempt(self, path: Path, make: "Callable[[], T]", where: str = "") -> "T | None":
        """Return what is made of a manifest; None, and a finding, where it cannot be read."""
        try:
            return make()
        except BaselineError as error:
            self._unreadable.append(Finding(f"{self._seen(path)}{where}", FindingKind.FILE, "", error.without_place))
            return None

    def _seen(self, path: Path) -> str:
        return os.path.relpath(path, self._config.rootpath)

    @cached_property
    def _bases(self) -> "dict[Path, Listed]":
        """The manifests to compare with, by folder, as they name this run's tests."""
        if not is_compared(self._config):
            return {}
        from pytest_bayesf1.gates.manifest import Listed

        root = self._config.rootpath
        where = "" if self._plugin_config.baseline_ref is None else " of the base commit"
        bases: dict[Path, Listed] = {}
        for folder, path, content in self._attempt(manifest_path(root), lambda: [*self._manifests()]) or []:
            listed = self._attempt(path, partial(Listed.of, content, path), where)
            if listed is not None:
                bases[folder] = listed.seen_from(root, folder)
        return bases

    @cached_property
    def _demanded(self) -> "list[Rows]":
        """What manifests list that this run should judge."""
        from pytest_bayesf1.gates.manifest import renamed

        found = [self._asked_of(place, each.rows, number) for number, (place, each) in enumerate(self._bases.items())]
        return [renamed(listed, self._renames) for listed in found]

    @cached_property
    def _renames(self) -> dict[str, str]:
        """The names of listed tests that are gone, and what each is called now."""
        return self._renames_of([each.rows for each in self._bases.values()])

    def _renames_of(self, listings: "list[Rows]") -> dict[str, str]:
        from pytest_bayesf1.gates.manifest import Listed, renamed_tests

        return renamed_tests(listings, self._run_of(Listed()), self._has_baselines_of)

    def _has_baselines_of(self, old: str, new: str) -> bool:
        """Whether a test stores the baselines that the base commit stores of another one."""
        root, files = self._config.rootpath, files_of(self._config)
        before, now = (store_directory(root / test.partition("::")[0]) for test in (old, new))
        read = {root / use.path for place, each in self.records if place.test == new for use in each.files if use.read}
        stored = [path for path in read if path.parent == now]
        return all(files.committed(before / path.name) == CHECKED_OUT.read(path) for path in stored)

    def _asked_of(self, folder: Path, rows: "Rows", number: int) -> "Rows":
        """Leave out what a manifest lists that this run need not judge."""
        if number or folder not in (self._config.rootpath, self._config.invocation_params.dir):
            return self._asked_for(rows)
        if not self._plugin_config.command:
            return rows
        return {**self._asked_for(rows), **{test: rows[test] for test in rows if self._has_no_file(test)}}

    def _has_no_file(self, test: str) -> bool:
        """Whether the file of a listed test is gone; to the command, only gate files matter."""
        file, _, _ = test.partition("::")
        is_other = bool(self._plugin_config.command) and file.endswith(".py")
        return not is_other and not (self._config.rootpath / file).exists()

    def _differences(self, run: "GatesOfRun") -> "Iterator[Finding]":
        from pytest_bayesf1.gates.manifest import Listed, compare_file, compare_gates

        root = self._config.rootpath
        bases, has_base = dict(self._bases), self._plugin_config.baseline_ref is not None
        for old, new in self._renames.items():
            yield Finding(new, FindingKind.OUTDATED, "", f"it was {old}{'' if new in run.listed else _RENAMED}")
        found = list(compare_gates(self._demanded, run))
        yield from found
        if has_base and not self._unreadable:
            if run.rows and not run.listed and not any(each.rows for each in bases.values()):
                yield Finding("", FindingKind.OUTDATED, "", _UNBOUND)
            bases.setdefault(root, Listed())
        for folder, base in bases.items():
            path = manifest_path(folder)
            now = self._attempt(path, partial(Listed.checked_out, path))
            if now is not None:
                now = now.seen_from(root, folder)
                yield from compare_file(self._seen(path), now, base if has_base else None, run, found)

    def _manifests(self) -> "Iterator[tuple[Path, Path, bytes]]":
        """Find the manifests that may list what this run should judge: their folder, their path and their content.

        A configuration file moves the root folder, but not where pytest is called and what it is asked to run. So of
        another commit, every manifest in or above any of these counts. The first is that of the root folder or, where
        it has none, of the folder that pytest is called in.
        """
        root, here, files = self._config.rootpath, self._config.invocation_params.dir, files_of(self._config)
        top = getattr(files, "top", None)
        folders = dict.fromkeys([root, here])
        if top is not None:
            every = (above for place in (root, here, *self._places()) for above in (place, *place.parents))
            folders = dict.fromkeys(each for each in every if each.resolve().is_relative_to(top.resolve()))
        for folder in folders:
            path = manifest_path(folder)
            if (content := files.committed(path)) is not None:
                yield folder, path, content
                if top is None:
                    return

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

    def _why_missing(self, test: str) -> str:
        """Say why a gate did not judge; nothing where the run is incomplete by it, or it was left out on purpose."""
        if test in self._no_answer or test in self._died:
            return ""
        if test in self._outcomes:
            return _WHY.get(self._outcomes[test], _GONE)
        if not self._unfinished.isdisjoint([test, test.partition("::")[0]]):
            return ""
        if self._has_no_file(test):
            return _GONE
        if self._progress.covers(test):
            return _NOT_DECLARED if self._plugin_config.command else _GONE
        by_hand = not in_ci() and (self._plugin_config.baseline_ref is None or self._progress.is_narrowed())
        return "" if by_hand or self._plugin_config.command else _GONE


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
    is_ours = isinstance(report.longrepr, str) and bool(getattr(report, RECORDS, []))
    return is_ours and report.location[0].endswith((".yaml", ".yml"))


class Reporter:
    """Registered where pytest reports: not in xdist's workers."""

    def __init__(self, config: PluginConfig, progress: Progress, ledger: Ledger, shortened: Shortened) -> None:
        self._config, self._progress = config, progress
        self._ledger, self._shortened = ledger, shortened
        self._lines: list[Line] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather what came with a test's report, before the JUnit report reads its properties."""
        self._ledger.add(report)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the manifest and the report; where one that was asked for cannot be written, the run fails."""
        if not self._progress.begun:
            return
        try:
            self._lines += self._ledger.write()
        except BaselineError as error:
            self._lines.append((f"gates NOT written: {error}", {"red": True}))
            if session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        self._ledger.keep_failures()
        if self._config.report is not None:
            self._write_report(session, self._config.report)

    def _write_report(self, session: pytest.Session, path: Path) -> None:
        from pytest_bayesf1.reports.output import write_report

        try:
            written = write_report(self._with_trends(self._ledger.report(), session.config), path)
            self._lines.append((f"report: {written}", {}))
        except Exception as error:  # noqa: BLE001 (whatever went wrong, the tests' own results must still be shown)
            self._lines.append((f"report NOT written: {error!s} ({type(error).__name__})", {"red": True}))
            if session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR

    def pytest_terminal_summary(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """Print what the run came to; nothing when there is nothing to tell."""
        if not self._progress.begun:
            return
        if any(record.entries for _, record in self._ledger.records) or self._ledger.findings or self._lines:
            self._print_gates(terminalreporter)
        self._print_baselines(terminalreporter)

    def _print_gates(self, terminalreporter: "pytest.TerminalReporter") -> None:
        from pytest_bayesf1.reports.terminal import report_lines

        config = terminalreporter.config
        report = self._as_not_shown_yet(config)
        encoding = encoding_of(config)
        width = terminalreporter._tw.fullwidth  # noqa: SLF001 (what pytest itself writes)
        root = os.path.relpath(config.rootpath, config.invocation_params.dir)
        lines = report_lines(report, width=width, verbose=config.option.verbose > 0, root=root)
        terminalreporter.write_sep("=", "bayesf1")
        for line, markup in lines + self._lines:
            terminalreporter.write_line(encodable(line, encoding), **markup)

    def _print_baselines(self, terminalreporter: "pytest.TerminalReporter") -> None:
        """List baselines that were written."""
        uses = sorted({(use.use, f"{use.path}{use.about and f': {use.about}'}") for use in self._ledger.uses()})
        lines = [f"{told:<9} {path}" for told in _TOLD for use, path in uses if use is told]
        if lines:
            terminalreporter.write_sep("=", "bayesf1 baselines")
        for line in lines:
            terminalreporter.write_line(line)

    def _as_not_shown_yet(self, config: pytest.Config) -> "Report":
        """Return the report for the end of the terminal; in CI without the advice that pytest shows with a failure."""
        report = self._ledger.report()
        if not in_ci() or config.option.tbstyle in ("no", "line"):
            return report
        failed = {each.test for each in report.entries if each.verdict == "failed"}
        return report.without_advice_for(failed.difference(self._shortened.left))

    def _with_trends(self, report: "Report", config: pytest.Config) -> "Report":
        from pytest_bayesf1.reports.trends import with_trends

        return with_trends(report, config.rootpath, self._config.baseline_ref)


def reporters(config: pytest.Config, plugin_config: PluginConfig, progress: Progress, ledger: Ledger) -> list[object]:
    """Return what is registered where pytest reports; the last to come is the first to finish."""
    shortened = Shortened(config)
    return [Reporter(plugin_config, progress, ledger, shortened), shortened]


_TOLD = (Use.CREATED, Use.REPLACED)
