"""How a run tells what failed: how much of it, where the rest is told, and in which characters."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_bayesf1._util import prints_symbols

_KEY = "bayesf1_ascii_only"


class Telling:
    """Of one run; xdist's workers learn from the process that prints which characters it has.

    Parameters
    ----------
    config
        Pytest's own.
    report
        Where the report is written; None for nowhere.
    """

    def __init__(self, config: pytest.Config, report: Path | None) -> None:
        self._config, self._report = config, report
        self.settings: Callable[[], dict[str, Any]] = cache(self._settings)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker."""
        node.workerinput[_KEY] = self._ascii_only()

    def _settings(self) -> dict[str, Any]:
        """Return the session's settings; known once the terminal's reporter is there."""
        return {
            "in_full": self._config.option.verbose > 0,
            "more": _more(self._report),
            "ascii_only": self._ascii_only(),
        }

    def _ascii_only(self) -> bool:
        known = getattr(self._config, "workerinput", {}).get(_KEY)
        return not prints_symbols(encoding_of(self._config)) if known is None else bool(known)


def encoding_of(config: pytest.Config) -> str:
    """Return the encoding of the terminal that pytest writes to."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    return getattr(getattr(reporter, "_tw", None) and reporter._tw._file, "encoding", None) or "utf-8"  # noqa: SLF001


def _more(report: Path | None) -> str:
    if report is None:
        return "pytest -v, or --bayesf1-report=DIR for a page of pictures"
    page = report if report.suffix == ".json" else report / "report.html"
    return f"{os.path.relpath(page)}, or pytest -v"
