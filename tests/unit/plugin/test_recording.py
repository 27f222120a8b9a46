from types import SimpleNamespace

import pytest

from pytest_bayesf1 import ConfusionMatrix, Decision
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import judge
from pytest_bayesf1.gates.source import Pair
from pytest_bayesf1.plugin import recording
from pytest_bayesf1.plugin.fixtures import SURROUNDINGS, Surroundings
from pytest_bayesf1.plugin.recording import RECORDS, Attempts, Progress, Recorder
from pytest_bayesf1.reports import record as records
from pytest_bayesf1.reports.record import GateRecord, read_record
from pytest_bayesf1.results.policy import NOT_WORSE
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.results.schema import plain
from tests.unit.made_up import comparison, gated
from tests.unit.plugin.test_config import configured
from tests.unit.plugin.test_ledger import reported


@pytest.fixture
def item(tmp_path):
    stash = pytest.Stash()
    stash[SURROUNDINGS] = Surroundings(configured(), tmp_path, tmp_path, is_compared=False)
    config = SimpleNamespace(stash=stash)
    return SimpleNamespace(config=config, user_properties=[], nodeid="t.py::a")


@pytest.fixture
def recorder(item):
    made = Recorder(item)
    made.start_over()
    return made


def entries(recorder):
    return [each for record in recorder.take()[RECORDS] for each in record.entries]


class TestRecorder:
    def test_all_but_those_that_passed_are_kept_at_length(self, recorder, monkeypatch):
        asked, usual = [], records.entry_of
        monkeypatch.setattr(records, "entry_of", lambda *given, **how: asked.append(how) or usual(*given, **how))
        passed, failed = (
            gated(comparison(decision=each, hdi=(-0.07, -0.05))) for each in (Decision.EQUIVALENT, Decision.MUCH_WORSE)
        )
        for said in (failed, passed, comparison()):
            recorder.record(said)
        assert [how["at_length"] for how in asked] == [True, False, True]
        assert [how["n_entries"] for how in asked] == [1, 2, 3]

    def test_every_part_of_a_gate_has_properties_of_its_own(self, item, recorder):
        sides = [ConfusionMatrix([[right, 100 - right], [20, 80]], labels=["a", "b"]) for right in (80, 70)]
        demand = Demand(policy=NOT_WORSE, arguments={"rope": (0.5, "wide")}, per_class=True)
        recorder.record(judge(Pair(*sides), demand))
        found = dict(item.user_properties)
        assert [found.get(f"bayesf1.{n}.part") for n in (1, 2, 3, 4)] == [None, "class a", "class b", None]
        assert [found[f"bayesf1.{n}.measure"] for n in (1, 2, 3)] == ["f1_macro", "f1[a]", "f1[b]"]
        assert "bayesf1.1.part" not in found

    def test_another_attempt_forgets_its_own_properties_alone(self, item, recorder):
        for mean in (0.01, 0.02):
            item.user_properties.append(("theirs", mean))
            recorder.record(comparison(mean=mean, hdi=(-0.03, 0.01)))
        bounds = [each for each in item.user_properties if each[0].startswith("bayesf1.2.hdi_")]
        assert bounds == [("bayesf1.2.hdi_low", "-0.030000"), ("bayesf1.2.hdi_high", "0.010000")]
        deltas = [each for each in item.user_properties if each[0].endswith(".delta")]
        assert deltas == [("bayesf1.1.delta", "0.010000"), ("bayesf1.2.delta", "0.020000")]
        recorder.start_over()
        assert item.user_properties == [("theirs", 0.01), ("theirs", 0.02)]
        recorder.record(comparison(mean=0.03))
        assert ("bayesf1.1.delta", "0.030000") in item.user_properties
        taken = recorder.take()
        assert [record.entries[0].mean for record in taken[RECORDS]] == [0.03]
        assert taken["bayesf1_run"] == (1, 2)
        assert [recorder.take(), Recorder(item).take()] == [{"bayesf1_run": (1, 2)}, {"bayesf1_run": (2, 0)}]

    def test_an_error_is_recorded_once(self, recorder):
        problem = InputError("rope", "a half-width", "0")
        recorder.record(problem)
        recorder.record(problem)
        recorder.record_death(problem)
        assert [(each.verdict, each.headline) for each in entries(recorder)] == [("error", str(problem))]

    def test_a_test_that_ends_before_its_gate_is_an_error(self, recorder):
        recorder.record(comparison())
        recorder.record_death(ZeroDivisionError())
        assert [each.verdict for each in entries(recorder)] == ["", "error"]
        recorder.record(gated(comparison()))
        recorder.record_death(ZeroDivisionError())
        assert [each.verdict for each in entries(recorder)] == ["undecided"]
        recorder.start_over()
        recorder.record_death(ZeroDivisionError())
        assert [each.verdict for each in entries(recorder)] == ["error"]

    def test_what_is_accepted_is_asked_of_the_test_and_of_what_was_listed_before(self, recorder, monkeypatch):
        monkeypatch.setattr(recording, "command_of", lambda item: f"pytest {item.nodeid}")
        monkeypatch.setattr(recording, "listed_before", lambda _: "listed before")
        monkeypatch.setattr(Surroundings, "terms", lambda _, *given: given)
        assert recorder.terms() == ("t.py::a", "pytest t.py::a", "listed before")

    def test_what_a_worker_records_comes_back(self, recorder, tmp_path):
        for said in (gated(comparison()), FileUse(Use.DIFFERS, str(tmp_path / "a.csv"), "base")):
            recorder.record(said)
        gate, file = recorder.take()[RECORDS]
        assert file.files == (FileUse(Use.DIFFERS, "a.csv", "base"),)
        assert gate.outcome == "undecided"
        assert [plain(read_record(plain(each))) for each in (gate, file)] == [plain(gate), plain(file)]


def report(test, *values, attempt=1, worker="", **said):
    records = [GateRecord(outcome=str(value)) for value in values]
    return reported(test, *records, bayesf1_run=(1, attempt), worker_id=worker, **said)


class TestAttempts:
    def test_how_often_a_test_was_tried_is_known(self):
        """Of several workers, by that which tried most often."""
        attempts = Attempts()
        tried = {"gw0": 3, "gw1": 2}
        for each in (report("a", 1), *(report("b", 1, attempt=n, worker=worker) for worker, n in tried.items())):
            attempts.add(each)
        assert attempts.numbers == {"b": 3}

    def told(self, *reports):
        attempts = Attempts()
        for each in reports:
            attempts.add(each)
        return [(place.test, place.line, int(record.outcome)) for place, record in attempts.records()]

    def test_they_are_told_by_test_and_then_as_they_came(self):
        assert self.told(report("b", 1), report("a", 9, 2), report("a", 3, when="teardown")) == [
            *(("a", 5, 9), ("a", 5, 2), ("a", 5, 3)),
            ("b", 5, 1),
        ]

    def test_that_of_each_worker_counts(self):
        begun = report("t", when="setup", worker="gw1")
        told = self.told(report("t", 7, worker="gw0"), begun, report("t", 8, worker="gw1"))
        assert told == [("t", 5, 7), ("t", 5, 8)]

    def test_what_came_before_a_repeated_call_counts_no_more(self):
        reports = report("t", 1, when="setup"), report("t", 2, outcome="rerun"), report("t", 3, attempt=2)
        assert self.told(*reports) == [("t", 5, 3)]
        assert self.told(report("t", 1), report("t", 2, when="setup"), report("t", 3)) == [("t", 5, 2), ("t", 5, 3)]

    @pytest.mark.parametrize(("outcome", "is_kept"), [("passed", True), ("failed", True), ("rerun", False)])
    def test_a_report_that_goes_on_keeps_only_what_counts(self, outcome, is_kept):
        made = report("t", 1, outcome=outcome)
        recording.supersede(made)
        assert hasattr(made, RECORDS) is is_kept

    def test_an_attempt_that_is_repeated_counts_no_more_however_late_it_is_told(self):
        first = report("t", 1, outcome="rerun")
        late = report("t", 2, when="teardown")
        late.user_properties = [("bayesf1.1.delta", 1), ("theirs", 2)]
        assert self.told(first, late, report("t", 3, attempt=2)) == [("t", 5, 3)]
        assert late.user_properties == [("theirs", 2)]


class TestProgress:
    @pytest.fixture
    def config(self):
        known = {"args": ["tests", "a.yaml"], "workeroutput": {}, "getoption": lambda name, default: default}
        return SimpleNamespace(option=SimpleNamespace(collectonly=False), **known)

    @pytest.fixture
    def progress(self, config):
        made = Progress(config)
        made.pytest_collection(SimpleNamespace(config=config))
        return made

    @pytest.mark.parametrize("option", ["collectonly", "setuponly"])
    def test_what_runs_no_tests_is_no_run_of_them(self, progress, config, option):
        setattr(config.option, option, True)
        progress.pytest_collection(SimpleNamespace(config=config))
        assert not progress.begun

    @pytest.mark.parametrize(
        ("n_run", "fails", "stops", "only_failed", "is_complete"),
        [
            (3, False, False, False, True),
            (2, False, False, False, False),
            (3, "maxfail", False, False, False),
            (3, False, "stop", False, False),
            (3, False, False, True, False),
        ],
    )
    def test_a_run_is_complete_that_left_nothing_out(
        self, progress, config, n_run, fails, stops, only_failed, is_complete
    ):
        config.getoption = lambda name, default: only_failed if name == "lf" else default
        for _ in range(3):
            progress.pytest_itemcollected()
        progress.pytest_collection_finish(SimpleNamespace(items=[1] * n_run))
        assert config.workeroutput == {"bayesf1_left_out": n_run < 3}
        progress.pytest_sessionfinish(SimpleNamespace(shouldfail=fails, shouldstop=stops))
        assert progress.is_complete() is is_complete

    def test_what_did_not_finish_or_could_not_be_collected_is_missing(self, progress):
        progress.pytest_collectreport(SimpleNamespace(failed=True, nodeid="broken.py"))
        progress.pytest_collectreport(SimpleNamespace(failed=False, nodeid="fine.py"))
        for worker in (["a", "b"], ["b", "c", "d"]):
            progress.pytest_xdist_node_collection_finished(worker)
        for test, when in (("a", "teardown"), ("b", "call"), ("c", "teardown"), ("d", "setup")):
            progress.pytest_runtest_logreport(SimpleNamespace(nodeid=test, when=when))
        progress.pytest_runtest_logstart("c")
        assert progress.missing() == {"b", "c", "d", "broken.py"}
        assert progress.collected() == {"a", "b", "c", "d"}

    @pytest.mark.parametrize("status", [5, 2, None, "an internal error"])
    def test_nothing_to_run_is_believed_of_a_run_that_says_so(self, progress, status):
        progress.pytest_xdist_node_collection_finished([])
        if status == "an internal error":
            progress.pytest_internalerror()
        else:
            known = {} if status is None else {"workeroutput": {"exitstatus": status}}
            progress.pytest_testnodedown(SimpleNamespace(**known))
        assert progress.missing() == (set() if status == 5 else {"tests", "a.yaml"})

    def test_where_nothing_could_be_collected_the_files_are_named_alone(self, progress):
        progress.pytest_collectreport(SimpleNamespace(failed=True, nodeid="broken.py"))
        progress.pytest_xdist_node_collection_finished([])
        progress.pytest_testnodedown(SimpleNamespace(workeroutput={"exitstatus": 2}))
        assert progress.missing() == {"broken.py"}


class TestAskedFor:
    @staticmethod
    def progress(tmp_path, args=(), given=(), left_out=False):
        """Return the progress of a run that is called so, in a folder below the root."""
        source = pytest.Config.ArgsSource.ARGS if args else pytest.Config.ArgsSource.INVOCATION_DIR
        invoked = SimpleNamespace(dir=tmp_path / "here", args=given)
        known = {"args": [*args], "args_source": source, "rootpath": tmp_path, "invocation_params": invoked}
        made = Progress(SimpleNamespace(getoption=lambda _, default: default, **known))
        for worker in (left_out, False):
            made.pytest_testnodedown(SimpleNamespace(workeroutput={"bayesf1_left_out": worker}))
        return made

    @pytest.mark.parametrize(
        ("args", "left_out", "covered"),
        [
            ([], False, ["here/t.py::a"]),
            ([], True, []),
            ([".."], False, ["here/t.py::a", "t.py::a", "there/g.yaml::a"]),
            (["t.py", "../there/g.yaml"], False, ["here/t.py::a", "there/g.yaml::a"]),
            (["t.py::a"], False, []),
        ],
    )
    def test_whole_files_are_covered_of_which_no_test_is_left_out(self, tmp_path, args, left_out, covered):
        found = self.progress(tmp_path, args, left_out=left_out)
        tests = ("here/t.py::a", "t.py::a", "there/g.yaml::a")
        assert [test for test in tests if found.covers(test)] == covered

    @pytest.mark.parametrize(
        ("given", "is_narrowed"),
        [
            (["-q", "t.py"], False),
            (["t.py::a"], True),
            (["--deselect=t.py::a"], True),
            *(([option], True) for option in ("-k", "-m", "--lf", "--last-failed", "--sw", "--stepwise")),
        ],
    )
    def test_the_command_line_may_choose_among_the_tests_of_files(self, tmp_path, given, is_narrowed):
        assert self.progress(tmp_path, given=given).is_narrowed() is is_narrowed


@pytest.mark.parametrize(("line", "shown"), [(None, 0), (0, 1), (6, 7)])
def test_a_place_counts_lines_from_one_and_may_have_none(line, shown):
    place = recording._place(SimpleNamespace(nodeid="a/t.py::a", location=("a\\t.py", line, "a")))
    assert (place.test, place.file, place.line) == ("a/t.py::a", "a/t.py", shown)
