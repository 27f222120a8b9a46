"""Which tests a run was to run, and which of them finished."""

from collections.abc import Generator, Iterable
from typing import Any

import pytest


class Progress:
    """Registered where pytest reports: it hears of every test, whichever process runs it.

    Attributes
    ----------
    begun
        Whether this is a run of tests at all: ``--collect-only``, ``--fixtures`` and the like are none.
    """

    def __init__(self) -> None:
        self.begun = False
        self._asked_for: set[str] = set()
        self._collected: set[str] | None = None
        self._not_collected: set[str] = set()
        self._finished: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Until tests are collected, what was asked for stands for them."""
        self.begun = not session.config.option.collectonly
        self._asked_for = set(session.config.args)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """Note the tests that are left when every other plugin has deselected its own."""
        yield
        self._expect(item.nodeid for item in items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Iterable[str]) -> None:
        """Note what a worker collected."""
        self._expect(ids)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that could not be collected: its tests are unknown."""
        if report.failed:
            self._not_collected.add(report.nodeid)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note that a test begins, maybe once more."""
        self._finished.discard(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test ended: the report of a crash comes instead of the teardown's."""
        if report.when == "teardown":
            self._finished.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Note how a worker ended; one that crashed does not tell."""
        self._ended(getattr(node, "workeroutput", {}).get("exitstatus"))

    def pytest_internalerror(self) -> None:
        """Note an error in this process or in a worker, of which xdist may not tell how it ended."""
        self._ended(pytest.ExitCode.INTERNAL_ERROR)

    def collected(self) -> set[str]:
        """Return the ids of the tests that were to run; none before they are known."""
        return self._collected or set()

    def missing(self) -> set[str]:
        """Return the ids of what was to run and did not finish."""
        expected = self._asked_for if self._collected is None else self._collected
        return (expected - self._finished) | self._not_collected

    def _expect(self, ids: Iterable[str]) -> None:
        self._collected = (self._collected or set()).union(ids)

    def _ended(self, exitstatus: int | None) -> None:
        """Distrust an empty collection unless it is the end's reason: a worker that is stopped sends what it has."""
        if not (self._collected or self._not_collected) and exitstatus != pytest.ExitCode.NO_TESTS_COLLECTED:
            self._collected = None
