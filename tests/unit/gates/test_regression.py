import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import pytest

from pytest_bayesf1 import BaselineError, BayesF1Warning, ConfusionMatrix, InputError, MultilabelCounts
from pytest_bayesf1.baselines.store import Baseline, BaselineStore
from pytest_bayesf1.data import sides
from pytest_bayesf1.data.sides import matched
from pytest_bayesf1.gates.anchor import PART
from pytest_bayesf1.gates.gate_file import load_gates
from pytest_bayesf1.gates.regression import Regression, promote
from pytest_bayesf1.git import Revision
from pytest_bayesf1.project import Update
from pytest_bayesf1.results.run import FileUse, Use
from pytest_bayesf1.session import Session, active
from tests.unit.committed import Committed
from tests.unit.comparison.test_human import GRADED, table
from tests.unit.comparison.test_human import sides as judged
from tests.unit.files.written import write_csv
from tests.unit.gates.runs import BASELINE, BETTER
from tests.unit.made_up import recording

MUCH_WORSE = ConfusionMatrix([[3_500, 1_500], [1_500, 3_500]])
WORSE = ConfusionMatrix([[3_910, 1_090], [1_090, 3_910]])
OTHER_SET = ConfusionMatrix([[4_000, 1_000], [900, 3_600]])
ARGUMENTS = {"measure": "accuracy", "rope": 0.0125, "n_draws": 2_000}
COMMAND = "pytest test_gate.py::test_f1"
Y_TRUE = ["a", "b"] * 20
Y_PRED = ["a", "b"] * 18 + ["b", "a"] * 2
IDS = list(range(40))
N = 10_000


@dataclass
class Runs:
    """Tests that use one store, one after the other."""

    store: BaselineStore

    def start(self, update=Update.NONE, test="test_f1"):
        return Regression(self.store, test, update, COMMAND)

    def run(self, candidate, update=Update.NONE, **arguments):
        regression = self.start(update)
        result = regression.check(candidate, **{**ARGUMENTS, **arguments})
        regression.keep()
        return result

    @property
    def kept(self):
        stored = self.store.find("test_f1")
        return stored and stored.baseline.counts


def predicted(y_pred=Y_PRED, y_true=Y_TRUE, ids=IDS):
    return ConfusionMatrix.from_predictions(y_true, y_pred, ids=ids)


@pytest.fixture
def runs(tmp_path):
    return Runs(BaselineStore(tmp_path / "store"))


@pytest.fixture
def stored(runs):
    runs.store.write(Baseline("test_f1", BASELINE), None)
    return runs


@pytest.fixture
def stored_predictions(runs):
    runs.store.write(Baseline("test_f1", predicted()), None)
    return runs


def right(n_right):
    half = n_right // 2
    return ConfusionMatrix([[half, N // 2 - half], [N // 2 - half, half]])


class TestAnchor:
    @pytest.fixture
    def drifted(self, runs):
        """A baseline that lost two points in two steps, none of which was too much."""
        settings = {"rope": 0.03, "n_draws": 2_000}
        for n_right, update in ((9_000, Update.NEW), (8_900, Update.ALL), (8_800, Update.ALL)):
            runs.run(right(n_right), update, **settings)
        return lambda n_right, update=Update.NONE, **others: runs.run(right(n_right), update, **{**settings, **others})

    def test_the_budget_is_judged_against_the_anchor(self, runs, drifted):
        with recording() as recorded, pytest.raises(AssertionError):
            drifted(8_750, Update.ALL, budget=0.01)
        first, second = recorded.verdicts
        assert (first.outcome, first.part, second.outcome, second.part) == ("passed", "", "failed", PART)
        assert second.result.baseline.observed == 0.9
        assert second.result.rope == (-0.01, 0.03)
        assert "since the anchor (" in second.advice
        assert "test_f1.anchor.json)" in second.advice
        assert [each.budget for each in recorded.runs] == [0.01]
        anchor = runs.store.anchor_of(runs.store.find("test_f1"))
        assert (runs.kept, anchor.baseline.counts) == (right(8_800), right(9_000))

    def test_baseline_and_anchor_are_told_that_differ_from_the_commits(self, drifted, monkeypatch):
        monkeypatch.setattr(FileUse, "differing", lambda _, path, **__: [FileUse(Use.DIFFERS, path.name)])
        told = []
        with active(Session(record=told.append)):
            drifted(8_800)
        differing = [each.path for each in told if isinstance(each, FileUse) and each.use is Use.DIFFERS]
        assert differing == ["test_f1.json", "test_f1.anchor.json"]

    def test_a_candidate_that_is_better_than_the_anchor_may_become_it(self, drifted):
        with recording() as recorded:
            drifted(9_800)
        _, found = recorded.verdicts
        assert (found.outcome, found.command) == ("passed", f"{COMMAND} --bayesf1-update=anchor")


class TestParts:
    """Every class and every slice against the stored baseline."""

    LANGUAGES = ("en", "en", "fi", "fi") * 500
    ASKED = MappingProxyType(
        {"measure": "recall_macro", "rope": 0.045, "per_class": True, "slices": {"language": LANGUAGES}}
    )

    @staticmethod
    def side(wrong=(), n=2_000, first=0):
        truth = ["a", "b"] * (n // 2)
        said = ["b" if row in wrong and true == "a" else true for row, true in enumerate(truth)]
        return ConfusionMatrix.from_predictions(truth, said, ids=list(range(first, first + n)))

    @pytest.fixture
    def first(self, runs):
        assert runs.run(self.side(), Update.NEW, **self.ASKED) is None

    @pytest.mark.usefixtures("first")
    def test_a_class_and_a_slice_fail_and_the_baseline_stays(self, runs):
        worse = self.side(range(0, 2_000, 32))
        with (
            recording() as recorded,
            pytest.raises(AssertionError, match=r"^≪ language=en, .*\n(.*\n)+  also failed class a$"),
        ):
            runs.run(worse, Update.ALL, **self.ASKED)
        assert {each.part: each.outcome for each in recorded.verdicts} == {
            "": "passed", "class a": "failed", "class b": "passed", "language=en": "failed", "language=fi": "passed",
        }  # fmt: skip
        (run,) = recorded.runs
        assert (run.overall.gate, run.source.baseline_file is None) == ("bayes_regression", False)
        assert (run.demand.per_class, run.demand.slices) == (True, ("language",))
        assert runs.kept == self.side()

    @pytest.mark.usefixtures("first")
    def test_a_new_test_set_is_accepted_without_slices_and_stays_listed(self, runs):
        with recording() as recorded:
            runs.run(
                self.side(n=200, first=5_000),
                Update.ALL,
                **{**self.ASKED, "slices": {"language": self.LANGUAGES[:200]}},
            )
        assert runs.kept.n_samples == 200
        assert recorded.runs[0].demand.slices == ("language",)


NOT_COMPARABLE = [
    (predicted(ids=[*IDS[1:], 77]), "candidate.ids: 39 of 40 examples of baseline are in both"),
    (predicted(ids=None), "candidate.ids: There are none, but baseline has some"),
    (
        ConfusionMatrix([[18, 2], [2, 19]], labels=["a", "b"]),
        "candidate: Another test set than that of baseline: 21 examples of class 'b' instead of 20",
    ),
]

LABELS = MultilabelCounts([[[2, 0], [2, 1]], [[3, 0], [0, 2]]])


class TestNewTestSet:
    @pytest.mark.parametrize(("candidate", "difference"), NOT_COMPARABLE, ids=["ids", "no ids", "totals"])
    def test_another_test_set_is_not_comparable(self, stored_predictions, candidate, difference):
        with pytest.raises(BaselineError) as caught:
            stored_predictions.run(candidate, Update.NEW)
        assert caught.value.where == str(stored_predictions.store.directory / "test_f1.json")
        assert difference in caught.value.problem
        assert 'on_new_test_set="independent"' in caught.value.advice
        assert f"{COMMAND} --bayesf1-update" in caught.value.advice

    def test_no_update_is_offered_where_the_base_commit_would_keep_its_test_set(self, stored_predictions, tmp_path):
        Committed.new(tmp_path).commit()
        store = replace(stored_predictions.store, files=Revision.of("HEAD", tmp_path, tmp_path / "copies"))
        with pytest.raises(BaselineError) as caught:
            replace(stored_predictions, store=store).run(NOT_COMPARABLE[0][0])
        assert 'on_new_test_set="independent"' in caught.value.advice
        assert "--bayesf1-update" not in caught.value.advice

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")  # few examples
    @pytest.mark.parametrize("candidate", [case[0] for case in NOT_COMPARABLE], ids=["ids", "no ids", "n"])
    def test_another_test_set_can_be_compared_as_such(self, stored_predictions, candidate):
        assert stored_predictions.run(candidate, on_new_test_set="independent").model == "independent"
        assert stored_predictions.run(candidate, Update.ALL).model == "independent"
        assert stored_predictions.kept == candidate
        assert stored_predictions.run(candidate).model != "independent"

    @pytest.mark.parametrize("update", [Update.NONE, Update.NEW, Update.ALL])
    def test_another_kind_is_replaced_by_force_only(self, runs, update):
        runs.store.write(Baseline("test_f1", ConfusionMatrix([[20, 0], [0, 20]], labels=["a", "b"])), None)
        with pytest.raises(BaselineError, match="expected ConfusionMatrix, as baseline") as caught:
            runs.run(LABELS, update)
        assert caught.value.advice.endswith(f"{COMMAND} --bayesf1-update=force")
        assert runs.run(LABELS, Update.FORCE) is None
        assert runs.kept == LABELS


def test_gates_that_share_a_baseline_pair_it_once(monkeypatch, tmp_path):
    pairings = []
    monkeypatch.setattr(sides, "matched", lambda *both: pairings.append(both) or matched(*both))
    for name, y_pred in (("old", Y_PRED), ("new", Y_TRUE)):
        rows = [f"{key},{true},{said}" for key, true, said in zip(IDS, Y_TRUE, y_pred, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred", *rows]) + "\n")
    one = "{baseline: old.csv, candidate: new.csv, measure: %s, rope: 0.1}"
    (tmp_path / "bayesf1.yaml").write_text(f"gates:\n  a: {one % 'accuracy'}\n  b: {one % 'f1_macro'}\n")
    assert promote(load_gates(tmp_path / "bayesf1.yaml", tmp_path)).outcome is Use.REPLACED
    assert len(pairings) == 1


@pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
def test_people_s_grades_correct_the_second_candidate_and_not_its_distance_from_the_anchor(runs, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    write_csv(Path("people.csv"), table())
    asked = {"human": "people.csv", "measure": "mean", "rope": (0.9, "wide")}
    old, new = judged()
    assert runs.run(old, Update.NEW, **asked) is None
    assert runs.run(new, Update.ALL, **asked).judge.n_human == len(GRADED)
    with recording() as recorded:
        assert runs.run(old, **asked).judge.n_human == len(GRADED)
    assert any("anchor" in note for note in recorded.runs[0].notes())


class TestRegression:
    """A candidate against the stored baseline, and what becomes of the baseline."""

    def test_a_missing_baseline_fails_with_the_command_that_makes_it(self, runs):
        with recording() as recorded, pytest.raises(BaselineError) as caught:
            runs.run(BASELINE)
        assert str(caught.value) == (
            f"There is no baseline 'test_f1' yet in {runs.store.directory}. "
            f"To make this candidate the baseline, run: {COMMAND} --bayesf1-update=new"
        )
        assert recorded == []

    @pytest.mark.parametrize("update", [Update.NEW, Update.ALL, Update.FORCE])
    def test_every_update_writes_a_missing_baseline(self, runs, update):
        with recording() as recorded:
            assert runs.run(BASELINE, update) is None
        assert runs.kept == BASELINE
        assert recorded.uses == [(Use.CREATED, runs.store.directory / "test_f1.json")]
        assert [(run.source.is_first, run.budget) for run in recorded.runs] == [(True, 0.025)]

    def test_nothing_is_written_before_the_test_has_passed(self, stored):
        stored.start(Update.ALL).check(BETTER, **ARGUMENTS)
        stored.start(Update.ALL, "test_f2").check(BETTER, **ARGUMENTS)
        assert stored.kept == BASELINE
        assert stored.store.find("test_f2") is None

    @pytest.mark.parametrize(
        ("candidate", "arguments"),
        [(BASELINE, {"model": "paired"}), (ConfusionMatrix([[5, 0], [5, 0]]), {"measure": "precision_macro"})],
        ids=["no predictions", "a class never predicted"],
    )
    def test_a_first_candidate_that_nothing_could_be_compared_with_is_refused(self, runs, candidate, arguments):
        with pytest.raises(InputError):
            runs.run(candidate, Update.NEW, **arguments)
        assert runs.kept is None

    def test_a_baseline_may_have_a_name(self, runs):
        runs.run(BASELINE, Update.NEW, name="production")
        assert runs.run(BETTER.counts.tolist(), name="production").decision == ">>"

    def test_force_replaces_by_a_much_worse_one_and_warns_even_where_warnings_are_errors(self, stored):
        shown = []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.showwarning = lambda message, *_: shown.append(str(message))
            stored.run(MUCH_WORSE, Update.FORCE)
        assert len(shown) == 1
        assert "A significantly worse candidate replaces" in shown[0]
        assert stored.kept == MUCH_WORSE

    def test_a_leaning_worse_one_warns_and_is_taken(self, stored):
        with pytest.warns(BayesF1Warning, match="leaning worse") as caught:
            stored.run(WORSE, Update.ALL)
        assert caught[0].filename == __file__  # where check is called
        assert stored.kept == WORSE

    @pytest.mark.parametrize("update", Update)
    def test_a_damaged_baseline_is_never_replaced(self, stored, update):
        path = stored.store.directory / "test_f1.json"
        path.write_text("damaged")
        with pytest.raises(BaselineError, match=r"test_f1\.json: The file is damaged or cut off"):
            stored.run(BASELINE, update)
        assert path.read_text() == "damaged"

    def test_a_baseline_that_another_process_changed_is_not_replaced(self, stored):
        regression = stored.start(Update.ALL)
        regression.check(BETTER, **ARGUMENTS)
        stored.store.write(Baseline("test_f1", OTHER_SET), stored.store.find("test_f1"))
        with pytest.raises(BaselineError, match="Another process has written the baseline meanwhile"):
            regression.keep()
        assert stored.kept == OTHER_SET

    def test_one_candidate_may_be_checked_in_several_ways(self, stored):
        regression = stored.start(Update.ALL)
        for measure in ("accuracy", "f1_macro"):
            regression.check(BETTER, measure=measure, rope=0.0125)
        regression.keep()
        assert stored.kept == BETTER

    def test_two_candidates_of_one_test_need_names(self, runs):
        regression = runs.start(Update.NEW)
        regression.check(BASELINE, **ARGUMENTS)
        with pytest.raises(InputError, match="another candidate with the baseline 'test_f1'"):
            regression.check(BETTER, **ARGUMENTS)
        regression.check(BETTER, name="better", **ARGUMENTS)

    @pytest.mark.parametrize("name", ["", 3])
    def test_a_name_is_text(self, runs, name):
        with pytest.raises(InputError, match=f"^name: expected the name of a baseline, got {name!r}"):
            runs.run(BASELINE, Update.NEW, name=name)

    @pytest.mark.parametrize("update", Update)
    @pytest.mark.parametrize("state", ["none", "stored", "other labels"])
    @pytest.mark.parametrize(
        "mistake", [{"ropes": 0.01}, {"per_class": "all"}, {"slices": ["a"]}, {"rope": None}, {"budget": -1}], ids=str
    )
    def test_a_mistake_in_an_argument_is_one_in_every_mode(self, runs, mistake, state, update):
        if state != "none":
            runs.store.write(Baseline("test_f1", BASELINE if state == "stored" else predicted()), None)
        with pytest.raises(InputError, match="|".join(mistake)):
            runs.run(BASELINE, update, **mistake)
        assert state != "none" or runs.kept is None
