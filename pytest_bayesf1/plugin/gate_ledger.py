"""The process that reports: which gates judged, beside the manifest of gates; and the manifest itself, written."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.plugin.attempts import Attempts
from pytest_bayesf1.plugin.baseline_ledger import BaselineLedger
from pytest_bayesf1.plugin.config import PluginConfig
from pytest_bayesf1.plugin.progress import Progress
from pytest_bayesf1.plugin.stored_baselines import files_of
from pytest_bayesf1.settings import MANIFEST, Update, in_ci, manifest_path

if TYPE_CHECKING:
    from pytest_bayesf1.gates.manifest import Gates
    from pytest_bayesf1.reports.terminal import Line
    from pytest_bayesf1.results.other import Finding

_GONE = "no test of this name ran: it was deleted, renamed or not selected"
_WHY = {"skipped": "its test was skipped", "failed": "its test failed before it", "passed": "its test ran without it"}


class GateLedger:
    """Registered where pytest reports, beside the ledger of baselines, which knows whether this is a full run."""

    def __init__(
        self, config: pytest.Config, plugin_config: PluginConfig, progress: Progress, ledger: BaselineLedger
    ) -> None:
        self._config, self._plugin_config = config, plugin_config
        self._progress, self._ledger = progress, ledger
        self._gates: Attempts[dict[str, Any]] = Attempts("bayesf1_gates")
        self._outcomes: dict[str, str] = {}
        self._no_answer: set[str] = set()
        self.findings: tuple[Finding, ...] = ()
        self.lines: list[Line] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the gates that came with a test's report, and how the test came out."""
        self._gates.hear(report)
        test = report.nodeid
        if report.when == "setup":
            self._outcomes.pop(test, None)
            self._no_answer.discard(test)
        if hasattr(report, "wasxfail"):
            self._outcomes[test] = "xfailed"
        elif report.when == "call" or report.outcome != "passed":
            self._outcomes[test] = report.outcome
        if any(entry.verdict in ("failed", "error") for _, entry in getattr(report, "bayesf1", [])):
            self._no_answer.add(test)

    def is_expected_failure(self, test: str) -> bool:
        """Whether a test failed that was expected to (xfail)."""
        return self._outcomes.get(test) == "xfailed"

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the manifest where asked to, which fails the run if it cannot be done; then compare with it."""
        if not self._progress.begun:
            return
        try:
            if self._plugin_config.update is not Update.NONE:
                self._write()
        except BaselineError as error:
            self.lines.append((f"gates NOT written: {error}", {"red": True}))
            if session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.INTERNAL_ERROR
        self.findings = self._compared()

    def _write(self) -> None:
        """List the gates of tests that passed: of all others the manifest says what it said."""
        from pytest_bayesf1.gates.manifest import write_manifest

        only_new = self._plugin_config.update is Update.NEW
        passed = {test: gates for test, gates in self._made().items() if self._outcomes.get(test, "passed") == "passed"}
        path = manifest_path(self._config.rootpath)
        if write_manifest(path, passed, gone=self._gone, only_new=only_new):
            self.lines.append((f"gates: {os.path.relpath(path, self._config.rootpath)}", {}))

    def _gone(self, test: str) -> bool:
        """Whether a full run shows that a test makes no gate any more."""
        if not self._is_full_run() or self._plugin_config.update is Update.NEW:
            return False
        return self._outcomes.get(test, "") in ("passed", "xfailed") or test not in self._progress.collected()

    def _compared(self) -> "tuple[Finding, ...]":
        """Compare; a manifest that cannot be read is told like a gate that is missing, for no gate is known then."""
        from pytest_bayesf1.results.other import Finding, FindingKind

        try:
            return self._differences()
        except BaselineError as error:
            return (Finding(MANIFEST, FindingKind.MISSING, "", str(error)),)

    def _differences(self) -> "tuple[Finding, ...]":
        found = self._manifest()
        if found is None:
            return ()
        from pytest_bayesf1.gates.manifest import GatesOfRun, compare_gates, parse_manifest

        path, content = found
        powerless = frozenset(filter(self.is_expected_failure, self._outcomes))
        run = GatesOfRun(self._made(), self._why_missing, powerless, self._plugin_config.baseline_ref is not None)
        return compare_gates(parse_manifest(content, path), run)

    def _manifest(self) -> tuple[Path, bytes] | None:
        """Find the manifest below the root folder, or else below the folder that pytest was called in.

        A change may move the root folder by a configuration file, but not where pytest is called.
        """
        files = files_of(self._config)
        for folder in (self._config.rootpath, self._config.invocation_params.dir):
            path = manifest_path(folder)
            if (content := files.read(path)) is not None:
                return path, content
        return None

    def _made(self) -> "Gates":
        from pytest_bayesf1.gates.manifest import GateSettings

        gates: dict[str, list[GateSettings]] = {}
        for place, settings in self._gates.recorded():
            gates.setdefault(place.test, []).append(GateSettings(**settings))
        return gates

    def _why_missing(self, test: str) -> str:
        """Say why a gate did not judge; nothing where a test failed for another reason, or was left out on purpose."""
        if test in self._no_answer:
            return ""
        if test in self._outcomes:
            return _WHY.get(self._outcomes[test], _GONE)
        if test in self._progress.collected():
            return "its test did not finish"
        on_purpose = not (in_ci() or self._plugin_config.baseline_ref or self._is_full_run())
        return "" if on_purpose else _GONE

    def _is_full_run(self) -> bool:
        """Whether nobody chose among the tests of the project."""
        folder, root = self._config.invocation_params.dir, self._config.rootpath
        by_name = self._config.args_source is pytest.Config.ArgsSource.ARGS
        places = {(folder / argument).resolve() for argument in self._config.args} if by_name else {folder.resolve()}
        return self._ledger.is_full_run() and root.resolve() in places
