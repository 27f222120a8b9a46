"""What is compared while a test runs: records and attempts."""

from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import pytest

from pytest_bayesf1.errors import BayesF1Error, printable
from pytest_bayesf1.plugin.fixtures import SURROUNDINGS, command_of, listed_before
from pytest_bayesf1.results.run import FileUse
from pytest_bayesf1.results.schema import plain

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison
    from pytest_bayesf1.gates.acceptance import Terms
    from pytest_bayesf1.gates.evaluate import GateRun
    from pytest_bayesf1.reports.entry import Answered, Place
    from pytest_bayesf1.reports.record import GateRecord


RECORDS = "bayesf1"
"""Attribute of a test's report: what it did with classifiers, its fixtures included."""
_RUN = "bayesf1_run"
"""Attribute: which run of the test it is, for ``--keep-duplicates`` allows several, and which attempt of that run."""

_RUNS = pytest.StashKey[dict[str, int]]()


class Recorder:
    """Records what one test does with classifiers, for the test's report."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._surroundings = item.config.stash[SURROUNDINGS]
        runs = item.config.stash.setdefault(_RUNS, {})
        runs[item.nodeid] = self._run = runs.get(item.nodeid, 0) + 1
        self._attempt = 0
        self._errors: WeakSet[BayesF1Error] = WeakSet()
        self._n_compared = 0
        self._unreported: list[GateRecord] = []
        self._has_judged = False
        self._properties: list[tuple[str, object]] = []

    def start_over(self) -> None:
        """Forget an earlier attempt at the test."""
        self._attempt += 1
        self._n_compared, self._unreported = 0, []
        self._has_judged = False
        others = [known for known in self._item.user_properties if known not in self._properties]
        self._item.user_properties[:], self._properties = others, []

    def record(self, said: "GateRun | Comparison | BayesF1Error | FileUse") -> None:
        """Keep what a gate, a comparison, an error or the use of a file comes to."""
        records = self._surroundings.records
        if isinstance(said, FileUse):
            self._unreported.append(records.of_file(said))
        elif not isinstance(said, BayesF1Error):
            self._record_results(said)
        elif said not in self._errors:
            self._errors.add(said)
            self._has_judged = True
            self._unreported.append(records.of_error(said))

    def record_death(self, error: BaseException) -> None:
        """Keep that the test, which makes a gate, ended before it."""
        if not self._has_judged:
            self._unreported.append(self._surroundings.records.of_death(error))

    def _record_results(self, said: "GateRun | Comparison") -> None:
        from pytest_bayesf1.comparison.result import Comparison

        if isinstance(said, Comparison):
            record = self._surroundings.records.of_comparison(said)
        else:
            record = self._surroundings.records.of_gate(said)
            self._has_judged = True
        self._unreported.append(record)
        for entry in record.entries:
            if entry.kind != "error":
                self._describe(entry)

    def _describe(self, entry: "Answered") -> None:
        """Note the main figures in the JUnit report."""
        self._n_compared += 1
        properties = _junit_properties(self._n_compared, entry)
        self._properties += properties
        self._item.user_properties += properties

    def terms(self) -> "Terms":
        """Return which losses of the test are accepted."""
        config = self._item.config
        return self._surroundings.terms(self._item.nodeid, command_of(self._item), listed_before(config))

    def take(self) -> dict[str, Any]:
        """Return what was recorded since the last call, by the attribute of the report that it is for."""
        taken, self._unreported = self._unreported, []
        return {**({RECORDS: taken} if taken else {}), _RUN: (self._run, self._attempt)}


def _decision(entry: "Answered") -> str:
    return entry.decision.value if entry.kind == "comparison" else ""


def _junit_properties(number: int, entry: "Answered") -> list[tuple[str, object]]:
    mean, posterior = ("delta", entry) if entry.kind == "comparison" else ("score", entry.score)
    figures = {
        "gate": entry.gate,
        "part": entry.part,
        "verdict": entry.verdict,
        "measure": entry.measure,
        "decision": _decision(entry),
        mean: f"{posterior.mean:.6f}",
        "hdi_low": f"{posterior.hdi[0]:.6f}",
        "hdi_high": f"{posterior.hdi[1]:.6f}",
    }
    return [(f"bayesf1.{number}.{name}", printable(value)) for name, value in figures.items() if value]


def plain_records(data: dict[str, Any]) -> dict[str, Any]:
    """Write what is recorded as plain data, which alone cross process boundaries."""
    return data | {RECORDS: plain(data[RECORDS])} if RECORDS in data else data


def read_records(data: dict[str, Any]) -> dict[str, Any]:
    """Read what another process recorded."""
    if RECORDS not in data:
        return data
    from pytest_bayesf1.reports.record import read_record

    return data | {RECORDS: [read_record(value) for value in data[RECORDS]]}


def run_of(report: pytest.TestReport) -> int:
    """Return which run of its test a report is about, from 1 on; 0 of a crash."""
    return _run_and_attempt(report)[0]


def _run_and_attempt(report: pytest.TestReport) -> tuple[int, int]:
    run, attempt = getattr(report, _RUN, (0, 0))
    return run, attempt


def supersede(report: pytest.TestReport) -> None:
    """Forget what an attempt recorded that does not count: pytest-retry goes on with the same report."""
    if _does_not_count(report):
        vars(report).pop(RECORDS, None)


def _does_not_count(report: pytest.TestReport) -> bool:
    """Whether a plugin tries the test again; each has another word for the outcome."""
    return str(report.outcome) not in ("passed", "failed", "skipped")


class Attempts:
    """Forgets what a test recorded when it is run again. Each worker that runs a test attempts it on its own.

    Attributes
    ----------
    numbers
        How often tests were tried, of those that were tried again.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._recorded: dict[tuple[Any, ...], list[tuple[Place, GateRecord]]] = {}
        self._superseded: dict[tuple[Any, ...], int] = {}

    def add(self, report: pytest.TestReport) -> None:
        """Keep what came with a test's report, from this process or from a worker."""
        recorded: list[GateRecord] = getattr(report, RECORDS, [])
        run, number = _run_and_attempt(report)
        attempt = report.nodeid, getattr(report, "worker_id", ""), run
        if number > 1:
            self.numbers[report.nodeid] = max(number, self.numbers.get(report.nodeid, 0))
        if report.when == "setup":
            self._recorded[attempt] = []
        if _does_not_count(report):
            self._recorded[attempt] = []
            self._superseded[attempt] = number
        if number and number <= self._superseded.get(attempt, 0):
            kept = [(name, value) for name, value in report.user_properties if not str(name).startswith("bayesf1.")]
            report.user_properties = kept
            return
        if recorded:
            place = _place(report)
            self._recorded.setdefault(attempt, []).extend((place, record) for record in recorded)

    def records(self) -> "Iterator[tuple[Place, GateRecord]]":
        """Yield what was recorded and where, by test, and then as it came."""
        for _, records in sorted(self._recorded.items(), key=lambda each: each[0]):
            yield from records


def _place(report: pytest.TestReport) -> "Place":
    from pytest_bayesf1.reports.entry import Place

    file, line, _ = report.location
    return Place(test=report.nodeid, file=file.replace("\\", "/"), line=0 if line is None else line + 1)


def place_of(test: str) -> "Place":
    """Return the place of a test that is known by its id alone."""
    from pytest_bayesf1.reports.entry import Place

    return Place(test=test, file="", line=0)


_LEFT_OUT = "bayesf1_left_out"
_NARROWING = ("-k", "-m", "--deselect", "--lf", "--last-failed", "--sw", "--stepwise")


class Progress:
    """Registered in every process; where pytest reports it sees every test, whichever process runs it.

    Attributes
    ----------
    begun
        Whether this is a run of tests at all: ``--collect-only``, ``--fixtures`` and the like are none.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.begun = False
        self._asked_for: set[str] = set()
        self._collected: set[str] | None = None
        self._not_collected: set[str] = set()
        self._finished: set[str] = set()
        self._n_collected = 0
        self._some_left_out = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Expect what was asked for until tests are collected."""
        option = session.config.option
        self.begun = not (option.collectonly or getattr(option, "setuponly", False))
        self._asked_for = set(session.config.args)

    def pytest_itemcollected(self) -> None:
        """Count the tests before any are left out."""
        self._n_collected += 1

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """Note the tests that are left when every other plugin has deselected its own."""
        yield
        self._expect(item.nodeid for item in items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note that some tests do not run, with or without a word of who left them out; a worker tells the main one."""
        self._some_left_out = len(session.items) < self._n_collected
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_LEFT_OUT] = self._some_left_out

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
        """Note how a worker ended, and whether it left tests out; one that crashed does not tell."""
        output = getattr(node, "workeroutput", {})
        self._some_left_out |= output.get(_LEFT_OUT, False)
        self._ended(output.get("exitstatus"))

    def pytest_internalerror(self) -> None:
        """Note an error in this process or in a worker, of which xdist may not tell how it ended."""
        self._ended(pytest.ExitCode.INTERNAL_ERROR)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Note that the run ended early."""
        self._some_left_out |= bool(session.shouldfail or session.shouldstop)

    def collected(self) -> set[str]:
        """Return the ids of the tests that were to run; none before they are known."""
        return self._collected or set()

    def missing(self) -> set[str]:
        """Return the ids of what was to run and did not finish."""
        expected = self._asked_for if self._collected is None else self._collected
        return (expected - self._finished) | self._not_collected

    def is_complete(self) -> bool:
        """Whether no test of what was asked for was left out, as far as this process knows."""
        only_failed = bool(self._config.getoption("lf", default=False))
        return not self._some_left_out and not only_failed and not any("::" in each for each in self._config.args)

    def covers(self, test: str) -> bool:
        """Whether all tests of a test's file were asked for, and none was left out."""
        folder = self._config.invocation_params.dir
        by_name = self._config.args_source is pytest.Config.ArgsSource.ARGS
        places = [(folder / argument).resolve() for argument in self._config.args] if by_name else [folder.resolve()]
        file = (self._config.rootpath / test.partition("::")[0]).resolve()
        return self.is_complete() and any(map(file.is_relative_to, places))

    def is_narrowed(self) -> bool:
        """Whether the command line, not a configuration file, chooses among the tests of files."""
        return any("::" in each or each.startswith(_NARROWING) for each in self._config.invocation_params.args)

    def _expect(self, ids: Iterable[str]) -> None:
        self._collected = (self._collected or set()).union(ids)

    def _ended(self, exitstatus: int | None) -> None:
        """Distrust an empty collection unless it is the end's reason: a worker that is stopped sends what it has."""
        if not (self._collected or self._not_collected) and exitstatus != pytest.ExitCode.NO_TESTS_COLLECTED:
            self._collected = None
