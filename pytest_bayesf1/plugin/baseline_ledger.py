"""The process that reports: which baselines were written, and which ones no test uses any more."""

import os
from pathlib import Path

import pytest

from pytest_bayesf1.plugin.config import PluginConfig
from pytest_bayesf1.settings import is_baseline, store_directory

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
        self._paths: dict[str, set[str]] = {action: set() for action in ("used", "changed", *_TOLD)}
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
        for action, path in getattr(report, "bayesf1_baselines", []):
            self._paths[action].add(path)

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
        """Whether no test was left out, as far as this process was told."""
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
