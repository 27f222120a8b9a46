"""What is compared while a test runs: entries, attempts and shared fixtures."""

from collections.abc import Generator, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakSet

import pytest

from pytest_bayesf1.errors import BayesF1Error, printable
from pytest_bayesf1.plugin.fixtures import SURROUNDINGS, command_of
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.session import Record

if TYPE_CHECKING:
    from pytest_bayesf1.gates.acceptance import Acceptor
    from pytest_bayesf1.gates.evaluate import GateResult
    from pytest_bayesf1.reports.entry import ComparisonEntry, EstimateEntry, Place


Fixture = tuple[str, str]
"""The id of a shared fixture, and what it is about."""


class SharedFixtures:
    """Knows the shared fixture that is being set up or torn down, so that its comparisons belong to no single test."""

    def __init__(self) -> None:
        self._running: list[Fixture] = []

    def running(self) -> Fixture | None:
        """Return the fixture's id and what it is about; None outside of shared fixtures."""
        return self._running[-1] if self._running else None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Follow a shared fixture through its setup and, by finalizers around its own, through its teardown."""
        if fixturedef.scope == "function":
            return (yield)
        fixture = _fixture_id(fixturedef, request)
        fixturedef.addfinalizer(self._running.pop)  # the first finalizer runs last
        self._running.append((fixture, f"{fixturedef.argname} setup"))
        try:
            return (yield)
        finally:
            self._running.pop()
            fixturedef.addfinalizer(lambda: self._running.append((fixture, f"{fixturedef.argname} teardown")))


def _fixture_id(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> str:
    """Name a fixture like a test, below what shares it; pytest's own, such as setup_module's, by what shares it."""
    place = request.node.nodeid or fixturedef.baseid
    name = "" if fixturedef.argname.startswith("_") else fixturedef.argname + _parameter(request)
    return "::".join(part for part in (place, name) if part)


def _parameter(request: pytest.FixtureRequest) -> str:
    if not hasattr(request, "param"):
        return ""
    plain = request.param is None or isinstance(request.param, bool | int | float | str)
    return f"[{request.param if plain else getattr(request, 'param_index', 0)}]"


T = TypeVar("T")
Recorded = tuple[Fixture | None, T]
"""What was recorded, and the shared fixture that it is from, if any."""

ENTRIES, GATES, LOSSES = RECORDED = "bayesf1", "bayesf1_gates", "bayesf1_losses"
"""Attributes of a test's report: what was compared, what gates demand, and what became of them with what each lost."""
_RUN = "bayesf1_run"
"""Attribute: which run of the test it is, for ``--keep-duplicates`` allows several, and which attempt of that run."""

_RUNS = pytest.StashKey[dict[str, int]]()
_N_ENTRIES, _N_PASSED = pytest.StashKey[int](), pytest.StashKey[int]()
_LINES = 5  # of a result, few enough for pytest to show them without -vv


class Recorder:
    """Hears of every comparison of one test and keeps it for the test's report."""

    def __init__(
        self, item: pytest.Item, shared_fixtures: SharedFixtures, *, in_full: bool, changes: Path | None
    ) -> None:
        self._item, self._in_full, self._changes = item, in_full, changes
        self._surroundings = item.config.stash[SURROUNDINGS]
        runs = item.config.stash.setdefault(_RUNS, {})
        runs[item.nodeid] = self._run = runs.get(item.nodeid, 0) + 1
        self._attempt = 0
        self._errors: WeakSet[BayesF1Error] = WeakSet()
        self._shared_fixtures = shared_fixtures
        self._summaries: list[tuple[str, list[str]]] = []
        self._unreported: dict[str, list[Recorded[Any]]] = {}
        self._properties: list[tuple[str, object]] = []
        self._n_written = 0

    def start_over(self) -> None:
        """Forget an earlier attempt at the test."""
        self._attempt += 1
        self._summaries, self._unreported, self._n_written = [], {}, 0
        others = [known for known in self._item.user_properties if known not in self._properties]
        self._item.user_properties[:], self._properties = others, []

    def listen(self, record: Record) -> None:
        """Keep a record and note its main figures in the JUnit report."""
        from pytest_bayesf1.reports.entry import MOST_AT_LENGTH, entry_of
        from pytest_bayesf1.words.notes import parts

        config, passed = self._item.config, record.verdict == "passed"
        config.stash[_N_ENTRIES] = n_entries = config.stash.get(_N_ENTRIES, 0) + 1
        config.stash[_N_PASSED] = n_passed = config.stash.get(_N_PASSED, 0) + passed
        listed = not passed or n_passed <= MOST_AT_LENGTH
        entry = entry_of(record, in_full=self._in_full, root=config.rootpath, n_entries=n_entries, at_length=listed)
        self._keep(ENTRIES, entry)
        lines = islice(parts(record.result), _LINES)
        self._summaries.append((_decision(entry), "\n".join(lines).splitlines()[:_LINES]))
        properties = _junit_properties(len(self._summaries), entry)
        self._properties += properties
        self._item.user_properties += properties
        self._write_changes(record)

    def _keep(self, attribute: str, value: object) -> None:
        self._unreported.setdefault(attribute, []).append((self._shared_fixtures.running(), value))

    def _write_changes(self, record: Record) -> None:
        """Write the examples behind a gate's verdict on all the data."""
        if self._changes is None or not record.policy or record.part:
            return
        from pytest_bayesf1.reports.writing import changes_path, write_changes

        self._n_written += 1
        write_changes(record.result, changes_path(self._changes, self._item.nodeid, self._n_written))

    def listen_to_gate(self, result: "GateResult") -> None:
        """Keep what a gate that judges demands."""
        self._keep(GATES, self._surroundings.row_of(result))

    def acceptor(self) -> "Acceptor":
        """Return who may accept losses of the test, or of the shared fixture that runs."""
        fixture = self._shared_fixtures.running()
        test = self._item.nodeid if fixture is None else fixture[0]
        return self._surroundings.acceptor(test, command_of(self._item), partial(self._keep, LOSSES))

    def listen_to_error(self, error: BayesF1Error) -> None:
        """Keep, once, what kept the test from an answer."""
        from pytest_bayesf1.reports.entry import error_entry

        if error not in self._errors:
            self._errors.add(error)
            self._keep(ENTRIES, error_entry(error))

    def take(self) -> dict[str, Any]:
        """Return what was recorded since the last call, by the attribute of the report that it is for."""
        taken, self._unreported = self._unreported, {}
        return {**taken, _RUN: (self._run, self._attempt)}

    def explain(self, decisions: list[Decision]) -> list[str]:
        """Return the main lines about this test's comparisons that came to the first of these that any came to."""
        for decision in decisions:
            if lines := [line for symbol, lines in self._summaries if decision.value == symbol for line in lines]:
                return lines
        return [f"{decisions[0]} means {decisions[0].words}; the comparison was made before this test."]


def _decision(entry: "ComparisonEntry | EstimateEntry") -> str:
    return entry.decision.value if entry.kind == "comparison" else ""


def _junit_properties(number: int, entry: "ComparisonEntry | EstimateEntry") -> list[tuple[str, object]]:
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
    return data | {name: plain(data[name]) for name in RECORDED if name in data}


def read_records(data: dict[str, Any]) -> dict[str, Any]:
    """Read what another process recorded."""
    if not any(name in data for name in RECORDED):
        return data
    from pytest_bayesf1.reports.reading import read_entry

    read = {
        name: [
            (None if fixture is None else tuple(fixture), read_entry(value) if name == ENTRIES else value)
            for fixture, value in data[name]
        ]
        for name in RECORDED
        if name in data
    }
    return data | read


def run_of(report: pytest.TestReport) -> int:
    """Return which run of its test a report is about, from 1 on; 0 of a crash."""
    return _run_and_attempt(report)[0]


def _run_and_attempt(report: pytest.TestReport) -> tuple[int, int]:
    run, attempt = getattr(report, _RUN, (0, 0))
    return run, attempt


def supersede(report: pytest.TestReport) -> None:
    """Forget what an attempt recorded that does not count: pytest-retry goes on with the same report."""
    if _does_not_count(report):
        for name in RECORDED:
            vars(report).pop(name, None)


def _does_not_count(report: pytest.TestReport) -> bool:
    """Whether a plugin tries the test again; each has another word for the outcome."""
    return str(report.outcome) not in ("passed", "failed", "skipped")


class Attempts(Generic[T]):
    """Forgets what a test said when it is run again. Each worker that runs a test attempts it on its own.

    ``attribute`` is where tests' reports have what was recorded: comparisons, or gates.
    """

    def __init__(self, attribute: str) -> None:
        self._attribute = attribute
        self._recorded: dict[tuple[Any, ...], list[tuple[Place, T]]] = {}
        self._superseded: dict[tuple[Any, ...], int] = {}

    def hear(self, report: pytest.TestReport) -> None:
        """Keep what came with a test's report, from this process or from a worker."""
        recorded: list[Recorded[T]] = getattr(report, self._attribute, [])
        self._hear_shared_fixtures(recorded)
        run, number = _run_and_attempt(report)
        attempt = report.nodeid, getattr(report, "worker_id", ""), run
        if report.when == "setup":
            self._recorded[attempt] = []
        if _does_not_count(report):
            self._recorded[attempt] = []
            self._superseded[attempt] = number
        if number and number <= self._superseded.get(attempt, 0):
            kept = [(name, value) for name, value in report.user_properties if not str(name).startswith("bayesf1.")]
            report.user_properties = kept
            return
        own = [value for fixture, value in recorded if fixture is None]
        if own:
            place = _place(report)
            self._recorded.setdefault(attempt, []).extend((place, value) for value in own)

    def _hear_shared_fixtures(self, recorded: list[Recorded[T]]) -> None:
        """Keep what a shared fixture said when it ran last: every worker, and every use with a parameter, runs it."""
        heard: dict[Fixture, list[tuple[Place, T]]] = {}
        for fixture, value in recorded:
            if fixture is not None:
                heard.setdefault(fixture, []).append((_place_of(fixture), value))
        self._recorded.update(heard)

    def recorded(self) -> "Iterator[tuple[Place, T]]":
        """Yield what was recorded and where, by test or fixture, and then as it came."""
        for _, values in sorted(self._recorded.items(), key=lambda each: each[0]):
            yield from values


def _place(report: pytest.TestReport) -> "Place":
    from pytest_bayesf1.reports.entry import Place

    file, line, _ = report.location
    return Place(test=report.nodeid, file=file.replace("\\", "/"), line=0 if line is None else line + 1)


def _place_of(fixture: Fixture) -> "Place":
    from pytest_bayesf1.reports.entry import Place

    return Place(test=fixture[0], file="", line=0)


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
        """Expect what was asked for until tests are collected."""
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
