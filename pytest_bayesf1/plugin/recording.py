"""What is compared while a test runs, here or in processes that it starts: entries, attempts and shared fixtures."""

import json
import os
import pickle
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakSet

import pytest

from pytest_bayesf1.errors import BayesF1Error, printable
from pytest_bayesf1.plugin.fixtures import SURROUNDINGS, Surroundings, command_of, temporary_folder
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.schema import plain
from pytest_bayesf1.session import PARENT, Record, Session

if TYPE_CHECKING:
    from pytest_bayesf1.gates.acceptance import Acceptor
    from pytest_bayesf1.gates.evaluate import GateResult
    from pytest_bayesf1.reports.entry import ComparisonEntry, EstimateEntry, Place


Fixture = tuple[str, str]
"""The id of a shared fixture, and what it is about."""


class SharedFixtures:
    """Knows the shared fixture that is being set up or torn down, so that its comparisons belong to no single test."""

    def __init__(self, children: "Children") -> None:
        self._running: list[Fixture] = []
        self._children = children

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
        fixturedef.addfinalizer(self._end)  # the first finalizer runs last
        self._begin((fixture, f"{fixturedef.argname} setup"))
        try:
            return (yield)
        finally:
            self._end()
            fixturedef.addfinalizer(lambda: self._begin((fixture, f"{fixturedef.argname} teardown")))

    def _begin(self, fixture: Fixture) -> None:
        self._running.append(fixture)
        self._children.are_of(fixture=self.running())

    def _end(self) -> None:
        self._running.pop()
        self._children.are_of(fixture=self.running())


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
        self,
        item: pytest.Item,
        shared_fixtures: SharedFixtures,
        children: "Children",
        *,
        in_full: bool,
        changes: Path | None,
    ) -> None:
        self._item, self._in_full, self._changes = item, in_full, changes
        self._surroundings = item.config.stash[SURROUNDINGS]
        self._children = children
        self._made_in = self._process = os.getpid()
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
        """Forget an earlier attempt at the test, and note the process that it runs in, which may be forked."""
        self._process = os.getpid()
        self._attempt += 1
        self._children.begin(self._item.nodeid, command_of(self._item), is_new=self._attempt == 1)
        self._summaries, self._unreported, self._n_written = [], {}, 0
        others = [known for known in self._item.user_properties if known not in self._properties]
        self._item.user_properties[:], self._properties = others, []

    def listen(self, record: Record) -> None:
        """Keep a record and note its main figures in the JUnit report."""
        from pytest_bayesf1.reports.entry import MOST_AT_LENGTH, entry_of

        config, passed = self._item.config, record.verdict == "passed"
        config.stash[_N_ENTRIES] = n_entries = config.stash.get(_N_ENTRIES, 0) + 1
        config.stash[_N_PASSED] = n_passed = config.stash.get(_N_PASSED, 0) + passed
        listed = not passed or n_passed <= MOST_AT_LENGTH
        entry = entry_of(record, in_full=self._in_full, root=config.rootpath, n_entries=n_entries, at_length=listed)
        self._keep(ENTRIES, entry)
        parts = islice(record.result.parts(), _LINES)
        self._note(entry, "\n".join(parts).splitlines()[:_LINES])
        self._write_changes(record)

    def _note(self, entry: "ComparisonEntry | EstimateEntry", lines: list[str]) -> None:
        self._summaries.append((_decision(entry), lines))
        properties = _junit_properties(len(self._summaries), entry)
        self._properties += properties
        self._item.user_properties += properties

    def _keep(self, attribute: str, value: object) -> None:
        recorded = self._shared_fixtures.running(), value
        if os.getpid() == self._process:
            self._unreported.setdefault(attribute, []).append(recorded)
        else:  # forked by the test
            self._children.told_by_fork(attribute, value)

    def _write_changes(self, record: Record) -> None:
        """Write the examples behind a gate's verdict on all the data."""
        if self._changes is None or not record.policy or record.part:
            return
        from pytest_bayesf1.reports.writing import changes_path, write_changes

        self._n_written += 1
        write_changes(record.result, changes_path(self._changes, self._item.nodeid, self._n_written))

    def listen_to_gate(self, result: "GateResult") -> None:
        """Keep what a gate that judges demands."""
        self._keep(GATES, self._surroundings.settings_of(result))

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

    def take(self, when: str) -> dict[str, Any]:
        """Return what was recorded since the last call, by the attribute of the report that it is for."""
        for attribute, (fixture, value) in self._children.taken(when):
            self._unreported.setdefault(attribute, []).append((fixture, value))
            if attribute == ENTRIES and value.kind != "error":
                self._note(value, [])
        taken, self._unreported = self._unreported, {}
        if self._process != self._made_in:  # the report crosses a process boundary that no hook of pytest's is about
            taken = plain_records(taken)
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


_SURROUNDINGS, _LATE = "surroundings", "bayesf1_late"


class Children:
    """Processes that tests start, which leave here what they record; registered in every process of a run.

    A process says in its environment which test, or shared fixture, started it. What one of a fixture records belongs
    to the test that waits for it; what one of a test records after that test has ended comes too late.

    Attributes
    ----------
    late
        Tests whose processes went on comparing after them, and why nothing is known of what they found.
    """

    def __init__(self, config: pytest.Config) -> None:
        self._config, self._folder = config, temporary_folder(config)
        self._test, self._command = "", ""
        self.late: set[str] = set()
        known = pytest.MonkeyPatch()
        known.setenv(PARENT, "")
        config.add_cleanup(known.undo)
        self.are_of()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionstart(self) -> None:
        """Let processes have the settings of the run."""
        surroundings = self._config.stash[SURROUNDINGS]
        (self._folder / _SURROUNDINGS).write_bytes(pickle.dumps(surroundings.to_send()))

    def are_of(self, fixture: Fixture | None = None) -> None:
        """Let processes that start now know who starts them."""
        test = self._test if fixture is None else ""
        started_by = {"test": test, "fixture": fixture, "command": self._command, "pid": os.getpid()}
        os.environ[PARENT] = json.dumps({"folder": str(self._folder), **started_by})

    def begin(self, test: str, command: str, *, is_new: bool) -> None:
        """Begin a test, or another attempt at it, which makes the last one void."""
        if not is_new:
            self._arrived(test)
        self._are_late(self._arrived("", test))
        self._test, self._command = test, command
        self.are_of()

    def end(self) -> None:
        """End the test."""
        self._test = ""
        self.are_of()

    def told_by_fork(self, attribute: str, value: object) -> None:
        """Tell the process that a test runs in of what was recorded in a fork of it."""
        _tell(_Origin.here(), attribute, value)

    def taken(self, when: str) -> Iterator[tuple[str, Recorded[Any]]]:
        """Yield what came for the test that runs, once."""
        for origin, attribute, value in self._arrived("", self._test):
            yield attribute, (origin.fixture if when == "setup" else None, value)

    def _arrived(self, *tests: str) -> list[tuple["_Origin", str, Any]]:
        """Take what processes of these tests left here; of all where none is named."""
        found = []
        for path in sorted(self._folder.glob("*.json")):
            told = json.loads(path.read_text("utf-8"))
            origin = _Origin.of(told.pop("origin"))
            if tests and origin.test not in tests:
                continue  # it is too late, as the end of the run tells
            path.unlink()
            found += [(origin, name, value) for name, each in read_records(told).items() for _, value in each]
        return found

    def _are_late(self, arrived: Iterable[tuple["_Origin", str, Any]]) -> None:
        self.late.update(origin.name for origin, _, _ in arrived)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run of which not all is known; a worker tells the process that reports."""
        self._are_late(self._arrived())
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput[_LATE] = sorted(self.late)
        if self.late and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Hear from a worker; of one that crashed its test is missing."""
        self.late.update(getattr(node, "workeroutput", {}).get(_LATE, []))


@dataclass(frozen=True)
class _Origin:
    """Who started a process; of one that another process started, which need not have today's environment, no test."""

    folder: str
    test: str
    fixture: Fixture | None
    command: str
    pid: int

    @classmethod
    def of(cls, told: dict[str, Any]) -> "_Origin":
        """Read what was written as JSON."""
        return cls(**{**told, "fixture": tuple(told["fixture"]) if told["fixture"] else None})

    @classmethod
    def here(cls) -> "_Origin":
        """Return that of this process."""
        found = cls.of(json.loads(os.environ[PARENT]))
        return found if found.pid == os.getppid() else replace(found, test="")

    @property
    def name(self) -> str:
        """Name the test whose result is not known, and say why."""
        advice = "wait for it there, or start it in a fixture of all that use it"
        if self.test:
            return f"{self.test} (a process that it started compared after the test had ended: {advice})"
        return f"{self.fixture[0] if self.fixture else 'a process'} (compared after any test had ended: {advice})"


def session_of_child() -> Session:
    """Return the session of a process that a test starts anew: it has the project's settings, and tells the test."""
    origin = _Origin.here()
    try:
        sent = (Path(origin.folder) / _SURROUNDINGS).read_bytes()
    except FileNotFoundError:  # the run has ended
        return Session()
    surroundings: Surroundings = pickle.loads(sent)  # noqa: S301 (only its owner may write)
    tell = partial(_tell, origin)

    def listen(record: Record) -> None:
        from pytest_bayesf1.reports.entry import entry_of

        tell(ENTRIES, entry_of(record, in_full=True, root=Path(), n_entries=1, at_length=True))

    def acceptor() -> "Acceptor":
        test = origin.test if origin.fixture is None else origin.fixture[0]
        return surroundings.acceptor(test, origin.command, partial(tell, LOSSES))

    def listen_to_gate(result: "GateResult") -> None:
        tell(GATES, surroundings.settings_of(result))

    config = surroundings.config
    return Session(config.settings, listen, listen_to_gate, acceptor, config.warn_undecided, **surroundings.telling)


def _tell(origin: _Origin, attribute: str, value: object) -> None:
    """Write a file that is whole as soon as it has its name, which says when it came; none once the run has ended."""
    told = {**plain_records({attribute: [(None, value)]}), "origin": vars(origin)}
    path = Path(origin.folder) / f"{time_ns():020}-{os.getpid()}.json"
    with suppress(FileNotFoundError):
        path.with_suffix(".part").write_text(json.dumps(told), "utf-8")
        path.with_suffix(".part").replace(path)


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
            (None if fixture is None else tuple(fixture), read_entry(value) if is_entry(name, value) else value)
            for fixture, value in data[name]
        ]
        for name in RECORDED
        if name in data
    }
    return data | read


def is_entry(attribute: str, value: object) -> bool:
    """Whether a value that was recorded is an entry, written as plain data."""
    return attribute == ENTRIES and isinstance(value, dict)


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

    def __init__(self, children: Children) -> None:
        self.begun = False
        self._children = children
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
        return (expected - self._finished) | self._not_collected | self.late

    @property
    def late(self) -> set[str]:
        """What processes of tests said too late."""
        return self._children.late

    def _expect(self, ids: Iterable[str]) -> None:
        self._collected = (self._collected or set()).union(ids)

    def _ended(self, exitstatus: int | None) -> None:
        """Distrust an empty collection unless it is the end's reason: a worker that is stopped sends what it has."""
        if not (self._collected or self._not_collected) and exitstatus != pytest.ExitCode.NO_TESTS_COLLECTED:
            self._collected = None
