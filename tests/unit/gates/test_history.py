import json
from dataclasses import replace

import numpy as np
import pytest

from pytest_bayesf1 import BaselineError, GateFileError, InputError
from pytest_bayesf1.baselines import versions as module
from pytest_bayesf1.baselines.store import file_stem
from pytest_bayesf1.baselines.versions import brief_score
from pytest_bayesf1.comparison.arguments import Prevalence
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.data.columns import Schema
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.history import Demands, history_of, trend_of
from pytest_bayesf1.reports.sheets import history_notes
from pytest_bayesf1.results.timeline import Trend
from pytest_bayesf1.stats.decision import Rope
from tests.unit.baselines.versioned import FILE, TRUTH, N, manifest, predicted, store
from tests.unit.committed import Committed

GATE = {"policy": "not_worse", "measure": "f1[spam]", "rope": [-0.2, 0.3], "hdi_prob": 0.9, "prior": "uniform"}


@pytest.fixture
def repository(tmp_path):
    return Committed.new(tmp_path / "repository")


class TestDemands:
    def test_the_manifest_tells_what_the_test_demands_and_the_caller_overrules_it(self, repository):
        manifest(repository, **{"tests/test_spam.py__test_f1": [{**GATE, "budget": 0.25}]})
        path = repository.path / FILE
        of_gate = Demands("f1[spam]", Rope(-0.2, 0.3, wide=True), 0.25, 0.9, "uniform")
        assert Demands.of(path, {}) == of_gate
        given = {"measure": None, "rope": Rope(-0.02, 0.02), "budget": 0.1, "hdi_prob": 0.8}
        assert Demands.of(path, given) == Demands("f1[spam]", Rope(-0.02, 0.02), 0.1, 0.8, "uniform")

    @pytest.mark.parametrize(
        ("test", "file"),
        [
            ("tests/test_spam.py::TestA::test_f1", "TestA.test_f1.json"),
            ("tests/test_spam.py::test_f1[de]", "test_f1[de].json"),
            ("tests/test_spam.py::test_f1[a::b]", f"{file_stem('test_f1[a::b]')}.json"),
        ],
    )
    def test_a_baseline_is_named_after_its_test(self, repository, test, file):
        other = {**GATE, "rope": [-0.1, 0.1]}
        gates = {test: [{**GATE, "budget": 0.3}], "tests/test_spam.py::test_f2": [other]}
        document = {"format": "pytest-bayesf1 gates", "version": 1, "gates": gates}
        repository.write("__bayesf1__/gates.json", json.dumps(document))
        path = repository.path / "tests/__bayesf1__/test_spam" / file
        assert Demands.of(path, {}).rope == Rope(-0.2, 0.3, wide=True)

    def test_a_manifest_that_does_not_name_the_file_demands_nothing_of_it(self, repository):
        manifest(repository, **{"tests/test_spam.py__test_f1": [{**GATE, "budget": 0.25}]})
        for file in ("baselines/spam.csv", "spam.csv"):
            found = Demands.of(repository.path / file, {"rope": 0.01})
            assert found == Demands("f1_macro", Rope(-0.01, 0.01), 0.02, 0.95, "auto")

    def test_a_gate_with_a_budget_comes_first(self, repository):
        floor = {"policy": "at_least", "measure": "accuracy", "floor": 0.8}
        gates = [floor, {**GATE, "measure": "accuracy"}, {**GATE, "budget": 0.3}]
        manifest(repository, **{"tests/test_spam.py__test_f1": gates})
        assert Demands.of(repository.path / FILE, {}).budget == 0.3

    def test_a_baseline_with_a_name_of_its_own_is_its_modules_where_that_is_clear(self, repository):
        path = (repository.path / FILE).with_name("another.json")
        tests = {f"tests/test_spam.py__test_{n}": [{**GATE, "budget": 0.3}] for n in range(2)}
        manifest(repository, **tests)
        assert Demands.of(path, {}).measure == "f1[spam]"
        tests["tests/test_spam.py__test_1"] = [{**GATE, "budget": 0.4}]
        manifest(repository, **tests)
        with pytest.raises(InputError, match=r"another\.json: file not found"):
            Demands.of(path, {})
        repository.write(path.relative_to(repository.path), "")
        with pytest.raises(InputError, match=r"No gate gives a ROPE for this baseline\. Pass one, such as rope: 0\.01"):
            Demands.of(path, {})

    def test_a_gate_file_tells_of_the_files_that_it_names(self, repository):
        gates = """
defaults: {rope: 0.02, measure: accuracy, clusters: user}
gates:
  other: {baseline: ham.csv, candidate: new.csv, rope: 0.5}
  spam: {baseline: old/spam.csv, candidate: new.csv, budget: 0.05, anchor: {file: v1.csv, columns: {y_pred: v1}}}
"""
        repository.write("ci/bayesf1.yaml", gates)
        path = repository.path / "ci/old/spam.csv"
        readings = Schema(clusters="user"), Schema(clusters="user", columns=(("y_pred", "v1"),))
        of_gate = Demands("accuracy", Rope(-0.02, 0.02), 0.05, 0.95, "auto", repository.path / "ci/v1.csv", *readings)
        assert Demands.of(path, {}) == of_gate
        assert Demands.of(path, {}, repository.path / "v2.csv").anchor == repository.path / "v2.csv"
        said = Demands.of(path, {}, reading=Schema(columns=(("y_true", "gold"),)))
        assert said.reading == Schema(clusters="user", columns=(("y_true", "gold"),))
        assert said.anchor_reading == Schema(clusters="user", columns=(("y_true", "gold"),))

    def test_gates_that_people_correct_have_histories_of_the_judge_alone(self, repository):
        gate = "{baseline: old.csv, candidate: new.csv, measure: mean, rope: 0.1, human: people.csv}"
        repository.write("bayesf1.yaml", f"gates: {{spam: {gate}}}")
        repository.write("old.csv", "id,value\n" + "".join(f"{n},{n % 2}\n" for n in range(40)))
        repository.commit()
        path = repository.path / "old.csv"
        history = history_of(path, Demands.of(path, {}))
        assert history.by_judge
        assert any("the judge's own" in note for note in history_notes(history))

    def test_files_that_are_damaged(self, repository):
        repository.write("bayesf1.yaml", "gates: {")
        with pytest.raises(GateFileError):
            Demands.of(repository.path / "spam.csv", {"rope": 0.01})
        repository.write("__bayesf1__/gates.json", "{")
        with pytest.raises(BaselineError):
            Demands.of(repository.path / FILE, {"rope": 0.01})


DEMANDS = Demands("accuracy", Rope(-0.01, 0.01), 0.02, 0.95, "auto")


def told(repository, demands=None, name=FILE, kept=None):
    path = repository.path / name
    demands = demands or Demands.of(path, {"measure": "accuracy", "rope": 0.01})
    return history_of(path, demands, kept).versions


def stored(repository, *n_wrong):
    """Store versions that are wrong so often, one after the other."""
    return [store(repository, predicted(each)) for each in n_wrong]


def require_change(change, expected):
    assert change.mean == pytest.approx(expected.mean, abs=0.1 * expected.std)
    assert change.hdi == pytest.approx(expected.hdi, abs=0.25 * expected.std)


def csv(n_wrong):
    said = predicted(n_wrong).questions.columns((0, 1))["y_pred"]
    return "id,y_true,y_pred\n" + "".join(f"{n},{TRUTH[n]},{said[n]}\n" for n in range(N))


class TestHistory:
    def test_each_version_beside_the_one_before_it_and_beside_the_anchor(self, repository):
        sides = [predicted(100), predicted(108), predicted(150)]
        commits = [store(repository, side) for side in sides]
        first, second, third = told(repository)
        assert [each.commit for each in (first, second, third)] == commits
        assert [each.date for each in (first, second, third)] == ["2026-05-01", "2026-05-02", "2026-05-03"]
        assert (first.change, first.why_no_change) == (None, "the first")
        assert (first.total, first.why_no_total) == (None, "the anchor")
        assert (first.is_anchor, first.verdict) == (True, "")
        for change, rope, before, after in [
            (second.change, 0.01, *sides[:2]),
            (third.change, 0.01, *sides[1:]),
            (third.total, 0.02, sides[0], sides[2]),
        ]:
            expected = run_comparison(before, after, measure="accuracy", rope=rope)
            assert change.decision == expected.decision
            require_change(change, expected)
        assert third.score.observed == 0.85
        assert third.anchor == f"1 May 2026, {commits[0][:7]}"
        assert (second.verdict, third.verdict) == ("undecided", "failed")

    def test_a_step_that_is_allowed_fails_by_the_budget(self, repository):
        stored(repository, 100, 145)
        asked = {"measure": "accuracy", "rope": 0.06, "budget": 0.02}
        _, version = told(repository, Demands.of(repository.path / FILE, asked))
        assert (version.change.decision, version.total.decision, version.verdict) == ("~", "<<", "failed")

    def test_the_same_predictions_are_told_once(self, repository):
        store(repository, predicted(100))
        text = (repository.path / FILE).read_bytes().replace(b"\n", b"\r\n")
        repository.commit("other line ends", **{FILE: text})
        store(repository, predicted(110))
        versions = told(repository)
        assert [version.subject for version in versions] == ["version 0", "version 2"]
        assert versions[1].change.mean == pytest.approx(-0.01, abs=4e-4)

    def test_an_anchor_that_was_moved(self, repository):
        stored(repository, 100, 150)
        moved = store(repository, predicted(140), anchor_moves=True)
        assert [version.why_no_total for version in told(repository)] == [*["before the anchor"] * 2, "the anchor"]
        store(repository, predicted(145))
        versions = told(repository)
        assert [version.is_anchor for version in versions] == [False, False, True, False]
        assert versions[3].total.mean == pytest.approx(-0.005, abs=3e-4)
        assert versions[3].anchor == f"3 May 2026, {moved[:7]}"

    def test_class_shares_may_be_stated(self, repository):
        counts = [[[880, 20], [40, 60]], [[770, 30], [60, 140]]]
        for each in counts:
            repository.commit(**{"spam.json": json.dumps({"counts": each})})
        demands = replace(DEMANDS, measure="f1", prevalence=Prevalence.of("1=0.3"))
        version = told(repository, demands, "spam.json")[1]
        assert version.change.new_test_set.equal_shares
        require_change(version.change, run_comparison(*counts, measure="f1", rope=0.01, prevalence="1=0.3"))

    def test_a_version_that_is_always_right_is_a_reason_to_look(self, repository):
        stored(repository, 100, 0, 0)
        first, second = told(repository)
        assert first.change is None
        assert second.change.warnings == (
            "The candidate is right on all 1,000 examples, the baseline is not: check for leakage before you trust it.",
        )

    def test_a_damaged_version_is_told_and_passed_by(self, repository):
        store(repository, predicted(100))
        good = (repository.path / FILE).read_bytes()
        repository.commit("merged by hand", **{FILE: good.replace(b'"examples": 1000', b'"examples": 1001')})
        repository.write(FILE, good)
        store(repository, predicted(110))
        versions = told(repository)
        assert versions[1].problem.startswith("test_f1.json: Someone edited the file")
        assert (versions[1].score, versions[1].change, versions[1].verdict) == (None, None, "")
        assert versions[2].change.mean == pytest.approx(-0.01, abs=4e-4)

    def test_a_baseline_that_was_deleted_and_made_anew(self, repository):
        store(repository, predicted(100))
        repository.git("rm", "-q", FILE)
        repository.commit("gone")
        store(repository, predicted(110))
        versions = told(repository)
        assert [version.is_deleted for version in versions] == [False, True, False]
        assert versions[2].change.mean == pytest.approx(-0.01, abs=4e-4)

    def test_a_shallow_clone_says_so(self, repository, tmp_path):
        stored(repository, 100, 110)
        clone = repository.shallow_clone(tmp_path / "clone")
        history = history_of(clone / FILE, DEMANDS)
        assert history.shallow
        assert len(history.versions) == 1

    def test_only_new_versions_are_computed(self, repository, tmp_path, monkeypatch):
        computed = []
        monkeypatch.setattr(
            module, "brief_score", lambda *side, **given: computed.append(side) or brief_score(*side, **given)
        )
        kept = tmp_path / "kept"
        stored(repository, 100, 110, 120)
        first = told(repository, kept=kept)
        assert len(computed) == 3
        assert told(repository, kept=kept) == first
        assert len(computed) == 3
        store(repository, predicted(130))
        assert told(repository, kept=kept)[:3] == first
        assert len(computed) == 4
        told(repository, replace(DEMANDS, measure="f1_macro"), kept=kept)
        assert len(computed) == 8
        assert repository.git("status", "--porcelain") == ""

    def test_what_could_not_be_read_is_read_again_the_next_time(self, repository, tmp_path):
        store(repository, predicted(100))
        repository.commit("damaged", **{FILE: "{"})
        for _ in range(2):
            assert [bool(version.problem) for version in told(repository, kept=tmp_path / "kept")] == [False, True]
        assert len([path for path in (tmp_path / "kept").rglob("*") if path.is_file()]) == 1

    def test_a_file_of_predictions_and_its_anchor(self, repository):
        versions = [50, 100, 110, 150]
        for n_wrong in versions:
            repository.commit(f"{n_wrong} wrong", **{"spam.csv": csv(n_wrong)})
        found = told(repository, name="spam.csv")
        assert [version.why_no_total for version in found] == ["no anchor"] * 4
        assert found[2].change.mean == pytest.approx(-0.01, abs=4e-4)
        anchor = repository.write("v1.csv", csv(100))
        found = told(repository, replace(DEMANDS, anchor=anchor), name="spam.csv")
        assert [version.why_no_total for version in found] == ["before the anchor", "the anchor", "", ""]
        assert found[3].total.mean == pytest.approx(-0.05, abs=1e-3)
        assert found[3].anchor == f"2 May 2026, {found[1].commit[:7]}"

    def test_an_anchor_that_was_never_the_baseline(self, repository, monkeypatch):
        monkeypatch.chdir(repository.path)
        repository.commit(**{"spam.csv": csv(110)})
        anchor = repository.write("v1.csv", csv(100))
        (version,) = told(repository, replace(DEMANDS, anchor=anchor), name="spam.csv")
        assert version.total.mean == pytest.approx(-0.01, abs=4e-4)
        assert version.anchor == "v1.csv"
        assert version.verdict == "passed"

    def test_a_file_without_history(self, repository):
        repository.commit()
        with pytest.raises(BaselineError, match=r"new\.csv: git has no version of it\. Commit it"):
            history_of(repository.path / "new.csv", DEMANDS)
        repository.commit(**{"new.csv": csv(1)})
        with pytest.raises(BaselineError, match=r"none\.csv: Cannot read the anchor"):
            told(repository, replace(DEMANDS, anchor=repository.path / "none.csv"), name="new.csv")


def filled(repository, file=FILE, budget=0.02, kept=None, ref="HEAD", **given):
    asked = {"measure": "accuracy", "rope": 0.01, "hdi_prob": 0.95, "prior": "auto"} | given
    return trend_of(Trend(file, budget), repository.path, ref, load_gates, kept, **asked)


def errors(trend):
    """How many of the thousand were wrong at each point, but for what the prior adds."""
    return [round(N * (1 - point.score), -1) for point in trend.points]


class TestTrend:
    def test_the_last_ten_versions_the_oldest_first(self, repository):
        commits = [store(repository, predicted(10 * number)) for number in range(1, 14)]
        trend = filled(repository)
        assert [point.commit for point in trend.points] == commits[-10:]
        assert errors(trend) == list(range(40, 140, 10))
        assert trend.points[0].date == "2026-05-04"
        expected = run_estimate(predicted(40), 0.5, measure="accuracy").score
        assert trend.points[0].score == pytest.approx(expected.mean, abs=0.1 * expected.std)
        assert trend.points[0].hdi == pytest.approx(expected.hdi, abs=0.25 * expected.std)
        assert N * (1 - trend.anchor) == pytest.approx(11, abs=0.3)
        assert trend.least == trend.anchor - 0.02

    def test_a_new_test_set_is_marked_and_what_is_damaged_left_out(self, repository):
        store(repository, predicted(10))
        ids = np.arange(N) + 7
        store(repository, predicted(20, ids=ids))
        good = (repository.path / FILE).read_bytes()
        repository.commit("damaged", **{FILE: "{"})
        repository.write(FILE, good)
        store(repository, predicted(30, ids=ids))
        trend = filled(repository)
        assert errors(trend) == [10, 20, 30]
        assert [point.new_test_set for point in trend.points] == [False, True, False]

    def test_of_the_first_point_nobody_sees_what_came_before(self, repository):
        for n in range(11):
            store(repository, predicted(n, ids=np.arange(N) + 7 * n))
        assert [point.new_test_set for point in filled(repository).points] == [False, *[True] * 9]

    def test_a_baseline_that_is_its_own_anchor(self, repository):
        store(repository, predicted(10))
        store(repository, predicted(30), anchor_moves=True)
        trend = filled(repository)
        assert trend.anchor == trend.points[-1].score

    def test_up_to_a_commit(self, repository):
        first = store(repository, predicted(10))
        store(repository, predicted(30))
        assert errors(filled(repository, ref=first)) == [10]

    def test_a_file_of_a_gate(self, repository):
        for n_wrong in (10, 20):
            repository.commit(**{"old/spam.csv": csv(n_wrong)})
        assert filled(repository, "old/spam.csv", budget=None).anchor is None
        repository.write("v1.csv", csv(5))
        repository.write(
            "bayesf1.yaml", "gates: {a: {baseline: old/spam.csv, candidate: a.csv, anchor: v1.csv, rope: 0.1}}"
        )
        trend = filled(repository, "old/spam.csv")
        assert errors(trend) == [10, 20]
        assert N * (1 - trend.anchor) == pytest.approx(6, abs=0.2)

    def test_what_has_no_trend(self, repository, tmp_path):
        store(repository, predicted(10))
        assert filled(repository, str(tmp_path / "a.json")).points == ()
        with pytest.raises(InputError):
            filled(repository, measure="my_own_function")
        assert filled(repository, measure="f1[spam]").points == ()
