import json
import warnings
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from pytest_bayesf1 import (
    BaselineError,
    BayesF1Warning,
    ConfusionMatrix,
    InputError,
    LeaningWorseWarning,
    MultilabelCounts,
    PairedCounts,
    Scores,
    SpanCounts,
    UnexpectedPredictionsWarning,
)
from pytest_bayesf1.baselines.store import Baseline, Origin, from_text, to_text
from pytest_bayesf1.comparison import design as sides
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.data.paired import digests_of, matched
from pytest_bayesf1.files.side import read_side
from pytest_bayesf1.files.tables import AS_IT_IS, Reading
from pytest_bayesf1.gates.acceptance import Acceptance, Acceptor
from pytest_bayesf1.gates.advance import BaselineUse, promote
from pytest_bayesf1.gates.anchor import PART
from pytest_bayesf1.gates.demand import Demand
from pytest_bayesf1.gates.evaluate import evaluate
from pytest_bayesf1.gates.gate_file import Gate, load_gates
from pytest_bayesf1.gates.source import Declared, FilePair
from pytest_bayesf1.project import Update
from pytest_bayesf1.session import Session, active
from tests.unit.gates import runs as calls
from tests.unit.gates.runs import (
    ARGUMENTS,
    BASELINE,
    BETTER,
    COMMAND,
    IDS,
    MUCH_WORSE,
    OTHER_SET,
    WORSE,
    Y_PRED,
    Y_TRUE,
    predicted,
)

ORIGIN = Origin("2026-05-02", "1a2b3c4d5e6f7", 0)
LATER = Origin("2026-06-02", "ffffffffff", 0)
N = 10_000


def right(n_right):
    half = n_right // 2
    return ConfusionMatrix([[half, N // 2 - half], [N // 2 - half, half]])


def several(*y_pred, **known):
    return ConfusionMatrix.from_predictions(["a", "b", "b"], list(y_pred), **known)


KINDS = {
    "predictions": (predicted(), predicted(Y_TRUE)),
    "no ids": (predicted(ids=None), predicted(Y_TRUE, ids=None)),
    "counts": (right(8_000), ConfusionMatrix([[5_000, 0], [4_000, 1_000]])),
    "a class more": (several("a", "b", "b"), several("a", "c", "b")),
    "a class less": (several("a", "c", "b"), several("a", "b", "b")),
    "unreadable": (
        several("a", "b", "b", labels=["a", "b"], invalid="wrong"),
        several("a", None, "b", labels=["a", "b"], invalid="wrong"),
    ),
    "runs": (several("a", "b", "a"), several(["a", "b"], ["b"], ["b", "b"], runs="samples")),
    "clusters": (several("a", "b", "a", clusters=[1, 1, 2]), several("a", "b", "b", clusters=[1, 1, 2])),
    "labels": tuple(
        MultilabelCounts.from_predictions([{"x"}, {"x", "y"}, set()], each, ids=["p", "q", "r"])
        for each in ([{"x"}, {"x"}, set()], [{"x"}, {"x", "y"}, {"y"}])
    ),
    "counts of labels": (
        MultilabelCounts([[[4, 1], [1, 4]], [[5, 0], [1, 4]]], ["x", "y"]),
        MultilabelCounts([[[5, 0], [1, 4]], [[5, 0], [1, 4]]], ["x", "y"]),
    ),
    "spans": tuple(
        SpanCounts.from_spans([[(0, 2, "A")], [(1, 3, "B")]], each, documents=["p", "q"])
        for each in ([[(0, 2, "A")], []], [[(0, 2, "A")], [(1, 3, "B"), (4, 5, "A")]])
    ),
    "scores": tuple(Scores.from_predictions([0, 1, 1], each) for each in ([0.1, 0.5, 0.9], [0.1, 0.6, 0.9])),
    "values": tuple(Scores.from_values(each, ids=[1, 2, 3]) for each in ([0.1, 0.5, 0.9], [0.1, 0.6, 0.9])),
}


def stored(runs):
    baseline = runs.store.find("test_f1").baseline
    return baseline.counts, baseline.anchor, baseline.origin.baselines_ago


class TestAnchor:
    @pytest.mark.parametrize("kind", KINDS)
    def test_both_are_read_as_they_were_written(self, kind):
        anchor, counts = KINDS[kind]
        first = from_text(to_text(Baseline("spam", anchor, ORIGIN)), "file")
        assert (first.anchor, first.origin) == (None, ORIGIN)
        moved = first.followed_by(counts, LATER)
        text = to_text(moved)
        found = from_text(text, "file")
        assert to_text(found) == text
        assert found.origin == Origin("2026-05-02", "1a2b3c4d5e6f7", 1)
        assert to_text(Baseline("spam", found.counts)) == to_text(Baseline("spam", counts))
        assert to_text(Baseline("spam", found.anchor)) == to_text(Baseline("spam", anchor))

    def test_a_file_with_one_set_is_its_own_anchor(self):
        text = to_text(Baseline("spam", predicted()))
        assert '"anchor"' not in text
        found = from_text(text, "file")
        assert (found.anchor, found.origin.words) == (None, "")

    def test_rows_are_longer_where_the_anchor_differs_and_nowhere_else(self):
        truth = np.arange(2_000) % 2
        sides = [ConfusionMatrix.from_predictions(truth, truth ^ (np.arange(2_000) < n)) for n in (100, 200)]
        one = to_text(Baseline("spam", sides[1]))
        both = to_text(Baseline("spam", sides[0]).followed_by(sides[1], LATER))
        document = json.loads(both)
        assert [len(row) for row in document["rows"]] == [2] * 100 + [3] * 100 + [2] * 1_800
        assert document["anchor"] == {"baselines_ago": 1, "scores": {"accuracy": 0.95, "f1_macro": 0.95}}
        assert len(both) < 1.1 * len(one)

    def test_the_same_baseline_again_is_no_step_and_a_way_back_leads_to_one_set(self):
        first = Baseline("spam", predicted(), ORIGIN)
        assert first.followed_by(predicted(), LATER) == first
        moved = first.followed_by(predicted(Y_TRUE), LATER)
        assert moved.followed_by(predicted(Y_TRUE), LATER).origin.baselines_ago == 1
        back = moved.followed_by(predicted(), LATER)
        assert (back.anchor, back.origin.baselines_ago) == (None, 2)

    @pytest.mark.parametrize("other", [predicted(ids=[*range(39), 77]), right(8_000)], ids=["ids", "counts"])
    def test_another_test_set_has_another_anchor(self, other):
        assert Baseline("spam", predicted(), ORIGIN).followed_by(other, LATER) == Baseline("spam", other, LATER)

    @pytest.fixture
    def drifted(self, runs):
        """A baseline that lost two points in two steps, none of which was too much."""
        settings = {"rope": 0.03, "n_draws": 2_000}
        for n_right, update in ((9_000, Update.NEW), (8_900, Update.ALL), (8_800, Update.ALL)):
            runs.run(right(n_right), update, **settings)
        return lambda n_right, update=Update.NONE, **others: runs.run(right(n_right), update, **{**settings, **others})

    def test_a_test_set_that_grows_keeps_the_anchor_on_what_both_have(self):
        names = [f"e{number:03}" for number in range(120)]
        true = ["a", "b"] * 60

        def of(positions, wrong, corrected=()):
            said = ["b" if (true[at] == "a") != (at in wrong) else "a" for at in positions]
            said = [("a" if each == "b" else "b") for each in said]
            now = [true[at] if at not in corrected else "ab"[true[at] == "a"] for at in positions]
            return ConfusionMatrix.from_predictions(now, said, ids=[names[at] for at in positions])

        first = Baseline("spam", of(range(100), {1, 2}), ORIGIN)
        text = to_text(first.followed_by(of(range(5, 120), {3, 7}, corrected={8, 9}), LATER))
        found = from_text(text, "file")
        assert to_text(found) == text
        shared = range(5, 100)
        assert to_text(Baseline("spam", found.anchor)) == to_text(Baseline("spam", of(shared, set(), corrected={8, 9})))
        assert text.count("{}]") == 20
        assert found.origin.baselines_ago == 1

    @pytest.mark.usefixtures("drifted")
    def test_an_update_moves_the_baseline_and_leaves_the_anchor(self, runs):
        assert stored(runs) == (right(8_800), right(9_000), 2)

    @pytest.mark.parametrize("update", [Update.NONE, Update.ALL])
    def test_the_budget_is_judged_against_the_anchor(self, runs, drifted, update):
        heard, told = [], []
        with active(Session(listener=heard.append, on_gate=told.append)), pytest.raises(AssertionError) as caught:
            drifted(8_750, update, budget=0.01)
        first, second = heard
        assert (first.verdict, first.part, second.verdict, second.part) == ("passed", "", "failed", PART)
        assert second.result.baseline.observed == 0.9
        assert second.result.rope == (-0.01, 0.03)
        message = " ".join(str(caught.value).split())
        begin = "each step was within what you allow, but since the anchor (2 baselines ago) accuracy has fallen by 2."
        assert begin in message
        assert "more than the 1 point that you allow in all." in message
        assert [each.budget for each in told] == [0.01]
        assert stored(runs) == (right(8_800), right(9_000), 2)

    def test_the_budget_is_twice_what_a_step_may_lose(self, drifted):
        heard = []
        with active(Session(listener=heard.append)):
            drifted(8_750)
        assert [record.result.rope for record in heard] == [(-0.03, 0.03), (-0.06, 0.06)]
        with active(Session({"budget": 0.01})), pytest.raises(AssertionError, match=r"you\s+allow\s+in\s+all"):
            drifted(8_750)

    def test_both_judgements_are_told_when_the_first_fails(self, drifted):
        heard = []
        with (
            active(Session(listener=heard.append)),
            pytest.raises(AssertionError, match="clearly larger than you allow"),
        ):
            drifted(7_000)
        assert {record.part: record.verdict for record in heard} == {"": "failed", PART: "failed"}
        told = "Find what you lost on the way: since the anchor (2 baselines ago) accuracy has fallen"
        assert any(record.advice.startswith(told) for record in heard)

    def test_nothing_is_compared_twice_where_the_anchor_is_the_baseline(self, stored, runs):
        heard = []
        with active(Session(listener=heard.append)):
            stored.run(right(8_100))
        assert [record.part for record in heard] == [""]

    def test_the_anchor_moves_when_it_is_told_to(self, runs, drifted):
        with pytest.warns(LeaningWorseWarning, match=r"--bayesf1-update=anchor\s+demands"):
            drifted(8_750, Update.ANCHOR, budget=0.01)
        assert stored(runs) == (right(8_750), None, 0)
        drifted(8_750, budget=0.01)

    def test_the_anchor_does_not_excuse_a_step_that_is_too_long(self, runs, drifted):
        with pytest.raises(AssertionError):
            drifted(7_000, Update.ANCHOR)
        assert stored(runs)[0] == right(8_800)

    def test_force_moves_the_baseline_and_where_it_overrules_a_judgement_the_anchor(self, runs, drifted):
        drifted(8_790, Update.FORCE)
        assert stored(runs) == (right(8_790), right(9_000), 3)
        with pytest.warns(LeaningWorseWarning):
            drifted(8_750, Update.FORCE, budget=0.01)
        assert stored(runs) == (right(8_750), None, 0)
        with pytest.warns(LeaningWorseWarning):
            drifted(7_000, Update.FORCE)
        assert stored(runs) == (right(7_000), None, 0)
        drifted(7_000)

    def test_a_candidate_that_is_better_than_the_anchor_is_told_so(self, drifted):
        heard = []
        with active(Session(listener=heard.append)):
            drifted(9_800)
        assert heard[1].verdict == "passed"
        assert (heard[1].advice, heard[1].way_out) == (
            "The candidate is better than the anchor (2 baselines ago).",
            "To count total loss from it on",
        )
        assert heard[1].command.endswith("--bayesf1-update=anchor")

    def test_another_test_set_begins_anew_but_not_with_a_loss(self, runs, drifted):
        worse = ConfusionMatrix([[4_000, 1_000], [900, 3_500]])
        with pytest.raises(AssertionError, match="since the anchor"):
            runs.run(worse, Update.ALL, rope=(0.15, "wide"), budget=0.05)
        runs.run(OTHER_SET, Update.ALL, rope=(0.2, "wide"))
        assert stored(runs) == (OTHER_SET, None, 0)

    def test_right_and_wrong_of_the_store_are_those_of_the_file(self, runs):
        runs.run(predicted(Y_PRED), Update.NEW, rope=(0.2, "wide"))
        runs.run(predicted(Y_TRUE), Update.ALL, rope=(0.2, "wide"))
        path = runs.store.find("test_f1").path
        assert runs.run(predicted(Y_TRUE), Update.ALL, rope=(0.2, "wide")) is not None
        assert runs.store.find("test_f1").path == path
        assert [len(row) for row in json.loads(path.read_text())["rows"]].count(4) == 4


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
    @pytest.mark.parametrize("update", [Update.NONE, Update.ALL, Update.FORCE])
    def test_a_class_and_a_slice_fail_and_only_force_replaces_the_baseline(self, runs, update):
        heard, told = [], []
        worse = self.side(range(0, 2_000, 32))
        surroundings = active(Session(listener=heard.append, on_gate=told.append))
        if update is Update.FORCE:
            with surroundings, pytest.warns(BayesF1Warning, match="--bayesf1-update=force demands"):
                runs.run(worse, update, **self.ASKED)
        else:
            with (
                surroundings,
                pytest.raises(AssertionError, match=r"^≪ language=en, .*\n(.*\n)+  also failed class a$"),
            ):
                runs.run(worse, update, **self.ASKED)
        verdict = "warned" if update is Update.FORCE else "failed"
        assert {record.part: record.verdict for record in heard} == {
            "": "passed", "class a": verdict, "class b": "passed", "language=en": verdict, "language=fi": "passed",
        }  # fmt: skip
        assert (heard[0].gate, heard[0].baseline is None) == ("bayes_regression", False)
        assert (told[0].demand.per_class, told[0].demand.slices) == (True, ("language",))
        assert (runs.kept == worse) is (update is Update.FORCE)

    @pytest.mark.usefixtures("first")
    def test_a_new_test_set_is_accepted_without_slices_and_stays_listed(self, runs):
        told = []
        with active(Session(on_gate=told.append)):
            runs.run(
                self.side(n=200, first=5_000),
                Update.ALL,
                **{**self.ASKED, "slices": {"language": self.LANGUAGES[:200]}},
            )
        assert runs.kept.n_samples == 200
        assert told[0].demand.slices == ("language",)

    @pytest.mark.parametrize("state", ["none", "stored"])
    def test_a_column_of_another_length_is_an_error_in_every_state(self, runs, state):
        if state == "stored":
            runs.run(self.side(), Update.NEW)
        with pytest.raises(InputError, match="slices: language: expected 2,000 values"):
            runs.run(self.side(), **{**self.ASKED, "slices": {"language": ["en"]}})


NOT_COMPARABLE = [
    (predicted(ids=[*IDS[1:], 77]), "candidate.ids: 39 of 40 examples of baseline are in both"),
    (predicted(ids=None), "candidate.ids: There are none, but baseline has some"),
    (predicted(ids=[f"x{key}" for key in IDS]), "candidate.ids: expected ids like those of baseline (0), got 'x0'"),
    (
        ConfusionMatrix([[18, 2], [2, 19]], labels=["a", "b"]),
        "candidate: Another test set than that of baseline: 21 examples of class 'b' instead of 20",
    ),
]

OTHER_LABELS = [
    (ConfusionMatrix([[20, 0], [0, 20]], labels=["a", "c"]), "candidate.labels: The labels differ"),
    (
        ConfusionMatrix([[20, 0], [0, 20]], labels=[1, 2]),
        "candidate.labels: expected labels like those of baseline ('a', ...)",
    ),
    (MultilabelCounts([[[2, 0], [2, 1]], [[3, 0], [0, 2]]]), "candidate: expected ConfusionMatrix, as baseline"),
]


class TestNewTestSet:
    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
    def test_predictions_with_ids_are_compared_as_pairs_in_any_order(self, stored_predictions):
        order = IDS[::-1]
        candidate = predicted(*([column[i] for i in order] for column in (Y_PRED, Y_TRUE, IDS)))
        comparison = stored_predictions.run(candidate)
        assert comparison.model == "paired"
        assert abs(comparison.mean) < 0.002  # in another order it would be 10 points

    @pytest.mark.parametrize("update", [Update.NONE, Update.NEW])
    @pytest.mark.parametrize(("candidate", "difference"), NOT_COMPARABLE, ids=["ids", "no ids", "kind", "totals"])
    def test_another_test_set_is_not_comparable(self, stored_predictions, candidate, difference, update):
        with pytest.raises(BaselineError) as caught:
            stored_predictions.run(candidate, update)
        assert caught.value.where == str(stored_predictions.store.directory / "test_f1.json")
        other = "The baseline is from another test set than the candidate"
        assert caught.value.problem.startswith(f"{other}: {difference}")
        assert caught.value.advice == (
            'Pass check(..., on_new_test_set="independent") to compare across the two test sets. '
            f"Or make this candidate the baseline: {COMMAND} --bayesf1-update"
        )

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")  # few examples
    @pytest.mark.parametrize("candidate", [case[0] for case in NOT_COMPARABLE], ids=["ids", "no ids", "kind", "n"])
    def test_another_test_set_can_be_compared_as_such(self, stored_predictions, candidate):
        assert stored_predictions.run(candidate, on_new_test_set="independent").model == "independent"
        assert stored_predictions.run(candidate, Update.ALL).model == "independent"
        assert stored_predictions.kept == candidate
        assert stored_predictions.run(candidate).model != "independent"

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
    def test_the_same_test_set_stays_paired_whatever_may_happen_on_a_new_one(self, stored_predictions):
        assert stored_predictions.run(predicted(), on_new_test_set="independent").model == "paired"

    def test_an_update_on_another_test_set_is_judged_too(self, stored):
        much_worse = ConfusionMatrix([[3_000, 2_000], [1_000, 3_500]])
        with pytest.raises(AssertionError, match="significantly worse"):
            stored.run(much_worse, Update.ALL)
        assert stored.kept == BASELINE

    def test_a_new_test_set_may_be_an_error(self, stored_predictions):
        with pytest.raises(BaselineError, match="1 example has another y_true"):
            stored_predictions.run(predicted(y_true=["b", *Y_TRUE[1:]]), on_new_test_set="error")

    @pytest.mark.parametrize(("candidate", "difference"), OTHER_LABELS, ids=["names", "kind", "multilabel"])
    @pytest.mark.parametrize("update", [Update.NONE, Update.NEW, Update.ALL])
    def test_other_labels_are_replaced_by_force_only(self, runs, candidate, difference, update):
        runs.store.write(Baseline("test_f1", ConfusionMatrix([[20, 0], [0, 20]], labels=["a", "b"])), None)
        with pytest.raises(BaselineError) as caught:
            runs.run(candidate, update)
        assert caught.value.problem.startswith(f"Cannot compare the candidate with this baseline: {difference}")
        assert caught.value.advice == (
            f"If that is on purpose, make this candidate the baseline: {COMMAND} --bayesf1-update=force"
        )
        assert runs.run(candidate, Update.FORCE) is None
        assert runs.kept == candidate

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
    def test_a_class_that_occurs_for_the_first_time_is_no_other_labels(self, stored_predictions):
        candidate = predicted([*Y_PRED[:-1], "c"])
        with pytest.warns(UnexpectedPredictionsWarning, match=r"2\.5% of what the candidate predicts \(1 of 40\)"):
            assert stored_predictions.run(candidate).labels == ("a", "b")


class TestPairedOnce:
    @pytest.fixture
    def pairings(self, monkeypatch):
        """Every pair of sides whose predictions are joined."""
        seen = []
        monkeypatch.setattr(sides, "matched", lambda *both: seen.append(both) or matched(*both))
        return seen

    def test_a_comparison_takes_the_pairs_that_the_question_after_the_test_sets_has_made(self, pairings):
        both = Sides.aligned(predicted(), predicted(Y_TRUE))
        assert (both.difference_of_test_sets, len(pairings)) == ("", 1)
        assert run_comparison(both, rope=0.1, n_draws=1_000).model == "paired"
        assert len(pairings) == 1

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.UnderpoweredGateWarning")
    def test_a_stored_baseline_is_paired_once(self, pairings, stored_predictions):
        assert stored_predictions.run(predicted(Y_TRUE)).model == "paired"
        assert len(pairings) == 1

    @pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")  # few examples
    def test_nothing_is_paired_twice_that_does_not_pair(self, pairings, stored_predictions):
        other_set = predicted(ids=[*IDS[:-1], 99])
        assert stored_predictions.run(other_set, on_new_test_set="independent").model == "independent"
        assert len(pairings) == 1

    def test_gates_that_share_a_baseline_pair_it_once(self, pairings, tmp_path):
        for name, y_pred in (("old", Y_PRED), ("new", Y_TRUE)):
            rows = [f"{key},{true},{said}" for key, true, said in zip(IDS, Y_TRUE, y_pred, strict=True)]
            (tmp_path / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred", *rows]) + "\n")
        one = "{baseline: old.csv, candidate: new.csv, measure: %s, rope: 0.1}"
        (tmp_path / "bayesf1.yaml").write_text(f"gates:\n  a: {one % 'accuracy'}\n  b: {one % 'f1_macro'}\n")
        assert promote(load_gates(tmp_path / "bayesf1.yaml", tmp_path)) is BaselineUse.REPLACED
        assert len(pairings) == 1

    def test_the_examples_behind_a_verdict_are_those_that_were_paired(self, pairings):
        comparison = run_comparison(Sides.aligned(predicted(), predicted(Y_TRUE)), rope=0.1, n_draws=1_000)
        assert comparison.changes.examples
        assert len(pairings) == 1


def written(path, counts):
    path.write_text("".join(f"{a},{b}\n" for a, b in ConfusionMatrix(counts).counts.tolist()))
    return path


def predictions(path, *, wrong, n=400, ids=True, flipped=0):
    rows = [f"{f'e{n - i},' if ids else ''}{(i < flipped) ^ i % 2},{i % 2 ^ (i < wrong)}" for i in range(n)]
    path.write_text("\n".join([("id," if ids else "") + "y_true,y_pred", *rows]) + "\n")
    return path


def changed(gate, **changes):
    """Return a gate with another name, other files or other demands."""
    source, demand = (
        {name: changes.pop(name) for name in vars(part).keys() & changes} for part in (gate.source, gate.demand)
    )
    return replace(gate, source=replace(gate.source, **source), demand=replace(gate.demand, **demand), **changes)


def assert_untouched(gate, outcome_of):
    before = gate.source.baseline.read_bytes()
    found = outcome_of()
    assert gate.source.baseline.read_bytes() == before
    return found


def refusal(*gates, **options):
    with pytest.raises((InputError, BaselineError)) as caught:
        promote(gates, **options)
    return str(caught.value)


def moved(gate, update=Update.ALL):
    """Which files became the candidate's, and what was said."""
    told = promote([gate], update)
    return told, [
        path.read_bytes() == gate.source.candidate.read_bytes() for path in (gate.source.baseline, gate.source.anchor)
    ]


class TestPromote:
    @pytest.fixture
    def gate(self, tmp_path):
        declared = Declared(name="spam", file=tmp_path / "bayesf1.yaml", line=2)
        baseline, candidate = tmp_path / "baselines" / "spam.csv", written(tmp_path / "spam.csv", BETTER)
        source = FilePair(declared=declared, baseline=baseline, candidate=candidate)
        arguments = {"measure": "accuracy", "rope": 0.0125, "model": "auto", "n_draws": 2_000}
        return Gate(**vars(declared), source=source, demand=Demand.unless("<<", arguments))

    @pytest.fixture
    def kept(self, gate):
        gate.source.baseline.parent.mkdir()
        return written(gate.source.baseline, BASELINE)

    def test_the_first_baseline_is_a_copy_of_the_candidate(self, gate):
        assert promote([gate]) is BaselineUse.CREATED
        assert gate.source.baseline.read_bytes() == gate.source.candidate.read_bytes()

    @pytest.mark.usefixtures("kept")
    def test_a_candidate_that_is_no_worse_replaces_it(self, gate):
        assert promote([gate]) is BaselineUse.REPLACED
        assert gate.source.baseline.read_bytes() == gate.source.candidate.read_bytes()
        assert assert_untouched(gate, lambda: promote([gate])) is BaselineUse.KEPT

    @pytest.mark.usefixtures("kept")
    def test_a_baseline_that_is_there_is_not_missing(self, gate):
        assert assert_untouched(gate, lambda: promote([gate], mode=Update.NEW)) is BaselineUse.KEPT
        gate.source.candidate.unlink()
        assert promote([gate], mode=Update.NEW) is BaselineUse.KEPT

    @pytest.mark.usefixtures("kept")
    def test_a_significantly_worse_candidate_needs_force(self, gate):
        written(gate.source.candidate, MUCH_WORSE)
        assert assert_untouched(gate, lambda: promote([gate])) is BaselineUse.REFUSED
        assert promote([gate], mode=Update.FORCE) is BaselineUse.REPLACED
        assert gate.source.baseline.read_bytes() == gate.source.candidate.read_bytes()

    @pytest.mark.usefixtures("kept")
    def test_a_loss_is_accepted_of_this_candidate_and_from_this_baseline_alone(self, gate):
        written(gate.source.candidate, MUCH_WORSE)
        old, new = digests_of(*(read_side(path, "").counts() for path in (gate.source.baseline, gate.source.candidate)))
        said = {"measure": "accuracy", "loss": 0.1, "hdi": (0.08, 0.12), "reason": "half the size"}
        listed = {}

        def accepted(each):
            return [Acceptance(**said, **sides) for sides in listed[each.name]]

        for other in ({"baseline": new, "candidate": new}, {"baseline": old, "candidate": old}):
            listed["spam"] = [other]
            assert promote([gate], accepted=accepted) is BaselineUse.REFUSED
        listed["spam"].append({"baseline": old, "candidate": new})
        assert promote([gate], accepted=accepted) is BaselineUse.REPLACED

    @pytest.mark.usefixtures("kept")
    def test_it_is_the_gates_own_rope_and_measure_that_count(self, gate):
        written(gate.source.candidate, MUCH_WORSE)
        with active(Session({"rope": 0.001, "measure": "f1_macro"})):
            tolerant = changed(gate, arguments={**gate.demand.arguments, "rope": (0.5, "wide")})
            assert promote([tolerant]) is BaselineUse.REPLACED

    @pytest.mark.usefixtures("kept")
    @pytest.mark.parametrize("model", ["auto", "same-set"])
    def test_another_test_set_is_compared_as_such(self, gate, model):
        gate = changed(gate, arguments={**gate.demand.arguments, "model": model})
        written(gate.source.candidate, ConfusionMatrix([[3_000, 2_000], [1_000, 3_500]]))
        assert promote([gate]) is BaselineUse.REFUSED
        written(gate.source.candidate, OTHER_SET)
        assert promote([gate]) is BaselineUse.REPLACED

    @pytest.mark.parametrize("change", [{"ids": False}, {"n": 300}, {"flipped": 3}], ids=["no ids", "fewer", "truth"])
    def test_predictions_of_another_test_set_are_compared_as_such(self, gate, change):
        gate.source.baseline.parent.mkdir()
        predictions(gate.source.baseline, wrong=10)
        predictions(gate.source.candidate, wrong=150, **change)
        assert promote([gate]) is BaselineUse.REFUSED
        predictions(gate.source.candidate, wrong=10, **change)
        assert promote([gate]) is BaselineUse.REPLACED

    def test_truth_and_predictions_that_are_swapped_are_no_new_test_set(self, gate):
        gate.source.baseline.parent.mkdir()
        predictions(gate.source.baseline, wrong=10)
        text = predictions(gate.source.candidate, wrong=20).read_text()
        gate.source.candidate.write_text(text.replace("y_true,y_pred", "y_pred,y_true"))
        told = assert_untouched(gate, lambda: refusal(gate))
        assert told.endswith("Swap the truth and the predictions: they lie the wrong way round.")

    @pytest.mark.usefixtures("kept")
    def test_a_transposed_matrix_is_no_new_test_set(self, gate):
        written(gate.source.candidate, np.transpose([[4_700, 300], [100, 4_900]]))
        assert "Its rows look like predictions" in assert_untouched(gate, lambda: refusal(gate))

    @pytest.mark.usefixtures("kept")
    def test_every_gate_of_a_baseline_is_asked(self, gate):
        written(gate.source.candidate, [[4_400, 600], [0, 5_000]])
        wide = {**gate.demand.arguments, "rope": (0.3, "wide")}
        recall = changed(gate, name="ham", arguments={**wide, "measure": "recall[0]"})
        precision = changed(gate, name="spam", arguments={**wide, "measure": "precision[1]"})
        assert promote([recall, precision]) is BaselineUse.REPLACED
        written(gate.source.candidate, [[2_000, 3_000], [0, 5_000]])
        assert promote([precision, recall]) is BaselineUse.REFUSED

    @pytest.mark.usefixtures("kept")
    def test_several_candidates_are_refused(self, gate, tmp_path):
        other = changed(gate, name="other", candidate=written(tmp_path / "other.csv", BETTER))
        told = refusal(gate, other, mode=Update.FORCE)
        found = f"{gate.source.candidate} of spam and {other.source.candidate} of other"
        assert told == f"other: candidate: Two candidates for {gate.source.baseline}: {found}. Choose with --gate."
        linked = changed(other, candidate=tmp_path / "baselines" / ".." / "spam.csv")
        assert promote([gate, linked]) is BaselineUse.REPLACED

    @pytest.mark.parametrize(
        ("candidate", "baseline"), [("spam.csv", "spam.json"), ("spam.csv.gz", "spam.csv"), ("spam.csv", "spam.csv.gz")]
    )
    def test_the_names_must_tell_the_same_format(self, gate, tmp_path, candidate, baseline):
        gate = changed(gate, candidate=tmp_path / candidate, baseline=tmp_path / "baselines" / baseline)
        suffix = candidate.removeprefix("spam")
        expected = f"a name that ends with '{suffix}', as candidate's"
        assert refusal(gate) == f"spam: baseline: expected {expected}, got '{baseline}'. Rename it in the gate file."

    @pytest.mark.parametrize(
        ("candidate", "baseline"), [("model-1.2.csv", "spam.csv"), ("a.b.csv", "a.csv"), ("A.CSV", "a.csv")]
    )
    def test_other_dots_in_a_name_do_not_matter(self, gate, tmp_path, candidate, baseline):
        path = written(tmp_path / candidate, BETTER)
        gate = changed(gate, candidate=path, baseline=tmp_path / "baselines" / baseline)
        assert promote([gate]) is BaselineUse.CREATED

    @pytest.mark.usefixtures("kept")
    @pytest.mark.parametrize("options", [{}, {"mode": Update.FORCE}])
    @pytest.mark.parametrize("damaged", ["baseline", "candidate"])
    @pytest.mark.parametrize("content", ["1,2\n3\n", "", "y_true\na\n"])
    def test_nothing_is_written_over_what_cannot_be_read(self, gate, options, damaged, content):
        getattr(gate.source, damaged).write_text(content)
        told = assert_untouched(gate, lambda: refusal(gate, **options))
        assert told.startswith(f"{damaged} ({getattr(gate.source, damaged)})")

    def test_a_candidate_that_is_missing_or_damaged_is_no_first_baseline(self, gate):
        gate.source.candidate.write_text("1,2\n3\n")
        assert refusal(gate).startswith("candidate (")
        gate.source.candidate.unlink()
        assert (
            refusal(gate)
            == f"candidate ({gate.source.candidate}): file not found. Check the path, or run the step that writes it."
        )
        assert not gate.source.baseline.exists()

    @pytest.mark.usefixtures("kept")
    def test_a_missing_candidate_beside_a_baseline(self, gate):
        gate.source.candidate.unlink()
        assert (
            refusal(gate)
            == f"candidate ({gate.source.candidate}): file not found. Check the path, or run the step that writes it."
        )

    def test_a_folder_in_the_place_of_a_baseline(self, gate):
        gate.source.baseline.mkdir(parents=True)
        assert refusal(gate) == f"baseline ({gate.source.baseline}): This is a directory. Name a file in it."

    def test_a_baseline_that_cannot_be_written(self, gate):
        gate.source.baseline.parent.write_text("a file")
        with pytest.raises(BaselineError, match=r"spam\.csv: Cannot write the file: "):
            promote([gate])

    @pytest.mark.usefixtures("kept")
    def test_a_write_that_fails_leaves_the_baseline_as_it_was(self, gate, monkeypatch):
        def fail(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(Path, "replace", fail)

        def attempt():
            with pytest.raises(BaselineError, match="No space left on device"):
                promote([gate])

        assert_untouched(gate, attempt)
        assert [path.name for path in gate.source.baseline.parent.iterdir()] == ["spam.csv"]

    @pytest.fixture
    def anchored(self, gate):
        """A gate whose baseline has lost two points since the anchor."""
        for path, wrong in {"v1": 500, "baselines/spam": 600, "spam": 630}.items():
            (gate.file.parent / "baselines").mkdir(exist_ok=True)
            predictions(gate.file.parent / f"{path}.csv", wrong=wrong, n=10_000)
        return changed(
            gate, anchor=gate.file.parent / "v1.csv", budget=0.01, arguments={**gate.demand.arguments, "rope": 0.03}
        )

    @pytest.mark.parametrize("update", [Update.ANCHOR, Update.FORCE])
    def test_a_loss_beyond_the_budget_is_refused_unless_total_loss_is_counted_anew(self, anchored, update):
        assert moved(anchored) == (BaselineUse.REFUSED, [False, False])
        assert moved(anchored, update) == (BaselineUse.REPLACED, [True, True])
        assert moved(anchored, update) == (BaselineUse.KEPT, [True, True])

    @pytest.mark.parametrize("update", [Update.ALL, Update.FORCE])
    def test_within_the_budget_the_baseline_moves_alone(self, anchored, update):
        assert moved(changed(anchored, budget=None), update) == (BaselineUse.REPLACED, [True, False])
        assert moved(anchored) == (BaselineUse.KEPT, [True, False])

    @pytest.mark.usefixtures("kept")
    def test_other_labels_begin_anew_by_force(self, gate):
        gate = changed(gate, anchor=gate.file.parent / "v1.csv")
        for path in (gate.source.baseline, gate.source.anchor):
            path.write_text(",eggs,bacon\neggs,5,1\nbacon,1,5\n")
        gate.source.candidate.write_text(",ham,spam\nham,5,1\nspam,1,5\n")
        refusal(gate)
        assert moved(gate, Update.FORCE) == (BaselineUse.REPLACED, [True, True])

    def test_no_step_that_is_too_long_moves_the_anchor(self, anchored):
        predictions(anchored.source.candidate, wrong=2_000, n=10_000)
        assert moved(anchored, Update.ANCHOR) == (BaselineUse.REFUSED, [False, False])

    @pytest.mark.parametrize("update", [Update.NEW, Update.ALL])
    def test_a_missing_anchor_begins_as_the_baseline(self, anchored, update):
        anchored.source.anchor.unlink()
        before = anchored.source.baseline.read_bytes()
        promote([anchored], update)
        assert anchored.source.anchor.read_bytes() == before
        assert promote([anchored], Update.NEW) is BaselineUse.KEPT

    def test_the_first_baseline_is_the_anchor(self, anchored):
        anchored.source.anchor.unlink()
        anchored.source.baseline.unlink()
        assert moved(anchored, Update.NEW) == (BaselineUse.CREATED, [True, True])

    def test_another_test_set_begins_anew_but_not_with_a_loss(self, anchored):
        predictions(anchored.source.candidate, wrong=800, n=9_000, ids=False)
        lenient = changed(anchored, arguments={**anchored.demand.arguments, "rope": (0.3, "wide")})
        assert moved(lenient) == (BaselineUse.REFUSED, [False, False])
        assert moved(changed(lenient, budget=0.3)) == (BaselineUse.REPLACED, [True, True])

    def test_the_anchor_has_the_candidates_format(self, anchored):
        told = refusal(changed(anchored, anchor=anchored.source.anchor.with_suffix(".json")))
        assert told.startswith("spam: anchor: expected a name that ends with '.csv', as candidate's")

    @pytest.mark.parametrize("update", [Update.FORCE, Update.ANCHOR])
    def test_an_anchor_that_cannot_be_read_is_not_overwritten(self, anchored, update):
        anchored.source.anchor.write_text("1,2\n3\n")
        assert assert_untouched(anchored, lambda: refusal(anchored, mode=update)).startswith("anchor (")

    @pytest.mark.parametrize("side", ["baseline", "anchor"])
    def test_a_copy_that_would_be_read_otherwise_is_refused(self, gate, kept, side):
        of_candidate = Reading(columns=(("y_pred", "new"),))
        readings = dict.fromkeys(("baseline", "anchor", "candidate"), of_candidate) | {side: AS_IT_IS}
        other = changed(gate, anchor=gate.source.baseline, readings=readings)
        assert assert_untouched(gate, lambda: refusal(other)) == (
            f"spam: {side}: The candidate's file becomes this one, but has other columns or rows. "
            "Say columns and rows once, for the whole gate."
        )

    def test_one_file_that_holds_both_sides_is_no_copy_of_its_own(self, gate):
        readings = {side: Reading(columns=(("y_pred", side),)) for side in ("baseline", "candidate")}
        both = changed(gate, baseline=gate.source.candidate, readings=readings)
        told = refusal(both)
        assert "becomes this one, but has other columns or rows. Rename the columns in the gate file" in told

    def test_a_candidate_whose_columns_have_other_names_becomes_the_baseline(self, gate, tmp_path):
        columns = Reading(columns=(("y_true", "gold"), ("y_pred", "new")))
        gate.source.candidate.write_text("gold,new\n" + "a,a\nb,b\n" * 20)
        named = changed(gate, readings={"baseline": columns, "candidate": columns})
        assert promote([named]) is BaselineUse.CREATED
        assert gate.source.baseline.read_bytes() == gate.source.candidate.read_bytes()

    def test_columns_with_other_names_are_those_of_the_anchor_too(self, anchored):
        for path in (anchored.source.baseline, anchored.source.anchor, anchored.source.candidate):
            path.write_text(path.read_text().replace("y_pred", "new"))
        readings = dict.fromkeys(("baseline", "anchor", "candidate"), Reading(columns=(("y_pred", "new"),)))
        assert moved(changed(anchored, readings=readings)) == (BaselineUse.REFUSED, [False, False])
        assert moved(changed(anchored, readings=readings, budget=None)) == (BaselineUse.REPLACED, [True, False])


class TestAnUpdateAsksTheGate:
    """An update judges a candidate as `bayesf1 gate` does, by all that the gate demands."""

    N = 2_000
    IN_ENGLISH = tuple(range(0, N, 32))
    """Examples of the first class and the first slice."""

    @pytest.fixture
    def gates(self, tmp_path):
        """Write a gate file, whose gates share a baseline and a candidate that is wrong about more examples."""

        def write(settings, wrong, *, n_gates=1, language="en", more="", old=range(99, 1_000, 10)):
            for name, errors in (("old", {*old}), ("new", {*old, *wrong})):
                rows = [
                    f"{row},{row % 2},{row % 2 ^ (row in errors)},{(language, 'fi')[row // 2 % 2]}"
                    for row in range(self.N)
                ]
                (tmp_path / f"{name}.csv").write_text("\n".join(["id,y_true,y_pred,language", *rows]) + "\n")
            each = f"{{baseline: old.csv, candidate: new.csv, measure: recall_macro, {settings}}}"
            listed = "".join(f"  gate-{number}: {each}\n" for number in range(n_gates))
            (tmp_path / "bayesf1.yaml").write_text(f"gates:\n{listed}{more}")
            return load_gates(tmp_path / "bayesf1.yaml", tmp_path)

        return write

    LOST = range(0, 70, 2)
    FEW = range(0, 24, 2)

    @pytest.mark.parametrize(
        ("settings", "wrong", "verdict", "outcome"),
        [
            ("rope: 0.01", LOST, "failed", BaselineUse.REFUSED),
            ("rope: 0.01, looks: 5, planned_examples: 20000", LOST, "warned", BaselineUse.REPLACED),
            ("rope: 0.045", IN_ENGLISH, "passed", BaselineUse.REPLACED),
            ("rope: 0.045, per_class: true", IN_ENGLISH, "failed", BaselineUse.REFUSED),
            ("rope: 0.045, slices: [language]", IN_ENGLISH, "failed", BaselineUse.REFUSED),
            ("rope: 0.1, slices: [language], max_gap: 0.01", IN_ENGLISH, "failed", BaselineUse.REFUSED),
            ("rope: 0.001", FEW, "failed", BaselineUse.REFUSED),
            ('rope: 0.003, fail_on: "<<"', FEW, "warned", BaselineUse.REPLACED),
            ('rope: 0.003, fail_on: "<"', FEW, "failed", BaselineUse.REFUSED),
            ("rope: 0.003, fail_on: unproven", FEW, "failed", BaselineUse.REFUSED),
            ("rope: 0.001, fail_on: unproven", (0,), "failed", BaselineUse.REPLACED),
        ],
    )
    def test_it_refuses_what_fails_but_demands_no_proof(self, gates, settings, wrong, verdict, outcome):
        (gate,) = gates(settings, wrong)
        assert evaluate(gate).verdict == verdict
        assert promote([gate]) is outcome

    def test_a_loss_within_the_chance_of_a_family_replaces_it(self, gates):
        found = gates("rope: 0.01", self.LOST, n_gates=40, more="families:\n  all: {gates: [gate-*]}\n")
        assert evaluate(found[0]).verdict == "warned"
        assert promote(found[:1]) is BaselineUse.REPLACED

    def test_a_loss_up_to_an_accepted_one_replaces_it(self, gates):
        (gate,) = gates("rope: 0.01", self.LOST)
        loss = evaluate(gate).loss
        other = replace(loss, candidate="another", reason="half the size")
        assert promote([gate], accepted=lambda _: [other]) is BaselineUse.REFUSED
        assert promote([gate], accepted=lambda _: [replace(other, up_to=loss.loss)]) is BaselineUse.REPLACED

    def test_a_slice_that_the_baseline_lacks_needs_no_proof(self, gates, tmp_path):
        (gate,) = gates("rope: 0.01, slices: [language], fail_on: unproven", ())
        path = tmp_path / "new.csv"
        path.write_text(path.read_text() + "".join(f"new{row},{row % 2},{row % 2},sv\n" for row in range(100)))
        assert (evaluate(gate).verdict, promote([gate])) == ("failed", BaselineUse.REPLACED)


class TestRegression:
    """A candidate against the stored baseline, and what becomes of the baseline."""

    def test_a_missing_baseline_fails_with_the_command_that_makes_it(self, runs):
        with pytest.raises(BaselineError) as caught:
            runs.run(BASELINE)
        assert str(caught.value) == (
            f"There is no baseline 'test_f1' yet in {runs.store.directory}. "
            f"To make this candidate the baseline, run: {COMMAND} --bayesf1-update=new"
        )
        assert runs.reported == []

    @pytest.mark.parametrize("update", [Update.NEW, Update.ALL, Update.FORCE])
    def test_every_update_writes_a_missing_baseline(self, runs, update):
        assert runs.run(BASELINE, update) is None
        assert runs.kept == BASELINE
        assert runs.reported == [(BaselineUse.CREATED, runs.store.directory / "test_f1.json")]

    def test_a_transposed_matrix_is_no_new_test_set(self, stored):
        with pytest.raises(BaselineError, match="with this baseline: candidate: Its rows look like"):
            stored.run(ConfusionMatrix(np.transpose([[4_700, 300], [100, 4_900]])), Update.ALL)

    def test_nothing_is_written_before_the_test_has_passed(self, stored):
        stored.start(Update.ALL).check(BETTER, **ARGUMENTS)
        stored.start(Update.ALL, "test_f2").check(BETTER, **ARGUMENTS)
        assert stored.kept == BASELINE
        assert stored.store.find("test_f2") is None

    @pytest.mark.parametrize(
        ("candidate", "arguments"),
        [
            (BASELINE, {"rope": None}),
            (BASELINE, {"measure": "f1_makro"}),
            (BASELINE, {"ropes": 1}),
            (BASELINE, {"model": "paired"}),
            (ConfusionMatrix([[5, 0], [5, 0]]), {"measure": "precision_macro"}),
        ],
        ids=["no rope", "no such measure", "no such argument", "no predictions", "a class never predicted"],
    )
    def test_a_first_candidate_that_nothing_could_be_compared_with_is_refused(self, runs, candidate, arguments):
        with pytest.raises(InputError):
            runs.run(candidate, Update.NEW, **arguments)
        assert runs.kept is None

    def test_a_candidate_is_compared_with_the_stored_baseline(self, stored):
        heard = []
        with active(Session(listener=heard.append)):
            comparison = stored.run(BETTER)
        assert comparison.decision == ">>"
        assert comparison.baseline.observed == pytest.approx(0.8)
        assert [(record.result, record.gate, record.verdict) for record in heard] == [
            (comparison, "bayes_regression", "passed")
        ]
        assert stored.reported == [(BaselineUse.USED, stored.store.directory / "test_f1.json")]
        assert stored.kept == BASELINE

    def test_plain_counts_serve(self, stored):
        assert stored.run(BETTER.counts.tolist()).decision == ">>"

    def test_a_baseline_may_have_a_name(self, runs):
        runs.run(BASELINE, Update.NEW, name="production")
        assert runs.store.find("production").baseline.counts == BASELINE
        assert runs.run(BETTER, name="production").decision == ">>"

    @pytest.mark.parametrize("update", [Update.NONE, Update.NEW, Update.ALL])
    def test_a_much_worse_candidate_fails_and_says_how_to_accept_it(self, stored, update):
        acceptor = Acceptor((), lambda replaced: f"accept {replaced}", lambda *_: None)
        with active(Session(acceptor=lambda: acceptor)), pytest.raises(AssertionError) as caught:
            stored.run(MUCH_WORSE, update)
        lines = str(caught.value).splitlines()
        assert "  If you want the loss, accept it and commit gates.json:" in lines
        assert "accept False" in lines
        assert lines[1].startswith("  Do: Find what changed")
        assert stored.kept == BASELINE

    @pytest.mark.filterwarnings("default::pytest_bayesf1.BayesF1Warning")
    def test_force_replaces_by_a_much_worse_one_and_warns(self, stored):
        with pytest.warns(BayesF1Warning, match="A significantly worse candidate replaces"):
            stored.run(MUCH_WORSE, Update.FORCE)
        assert stored.kept == MUCH_WORSE

    def test_force_works_where_warnings_are_errors(self, stored):
        shown = []
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.showwarning = lambda message, *_: shown.append(message)
            stored.run(MUCH_WORSE, Update.FORCE)
        assert len(shown) == 1
        assert stored.kept == MUCH_WORSE

    @pytest.mark.parametrize(("update", "kept"), [(Update.NEW, BASELINE), (Update.ALL, WORSE), (Update.FORCE, WORSE)])
    def test_a_leaning_worse_one_warns_and_is_taken(self, stored, update, kept):
        with pytest.warns(BayesF1Warning, match="leaning worse") as caught:
            stored.run(WORSE, update)
        assert caught[0].filename == calls.__file__  # where check is called
        assert stored.kept == kept

    @pytest.mark.parametrize(
        ("update", "kept"),
        [(Update.NONE, BASELINE), (Update.NEW, BASELINE), (Update.ALL, BETTER), (Update.FORCE, BETTER)],
    )
    def test_a_better_one_is_taken_when_all_are_updated(self, stored, update, kept):
        stored.run(BETTER, update)
        assert stored.kept == kept
        actions = [action for action, _ in stored.reported]
        assert actions == ([BaselineUse.USED] if kept is BASELINE else [BaselineUse.USED, BaselineUse.REPLACED])

    def test_an_equal_one_changes_nothing(self, stored):
        stored.run(BASELINE, Update.ALL)
        assert [action for action, _ in stored.reported] == [BaselineUse.USED]

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
        with pytest.raises(InputError) as caught:
            regression.check(BETTER, **ARGUMENTS)
        assert str(caught.value) == (
            "candidate: This test has compared another candidate with the baseline 'test_f1'. "
            "Give each a name: check(..., name=...)."
        )
        regression.check(BETTER, name="better", **ARGUMENTS)

    @pytest.mark.parametrize(
        "candidate",
        [None, PairedCounts.from_predictions([0, 1], [0, 1], [1, 0]), [[1, 2]]],
        ids=["none", "pairs", "shape"],
    )
    def test_a_candidate_that_is_none_is_an_input_error(self, stored, candidate):
        with pytest.raises(InputError, match="candidate"):
            stored.run(candidate)

    @pytest.mark.parametrize(("name", "found"), [("", "''"), (3, "3"), (["a"], "['a']")])
    def test_a_name_is_text(self, runs, name, found):
        with pytest.raises(InputError) as caught:
            runs.run(BASELINE, Update.NEW, name=name)
        assert str(caught.value) == f"name: expected the name of a baseline, got {found}"

    @pytest.mark.parametrize("update", Update)
    @pytest.mark.parametrize("state", ["none", "stored", "other labels"])
    @pytest.mark.parametrize(
        "mistake", [{"ropes": 0.01}, {"per_class": "all"}, {"rope": None}, {"budget": -1}], ids=str
    )
    def test_a_mistake_in_an_argument_is_one_in_every_mode(self, runs, mistake, state, update):
        if state != "none":
            runs.store.write(Baseline("test_f1", BASELINE if state == "stored" else predicted()), None)
        with pytest.raises(InputError, match="|".join(mistake)):
            runs.run(BASELINE, update, **mistake)
        assert state != "none" or runs.kept is None

    def test_it_shows_itself_short(self, runs):
        assert repr(runs.start()) == "<Regression test_f1>"

    def test_scores_are_compared_with_stored_scores(self, runs):
        truth, given = [0, 1] * 100, [0.2, 0.8, 0.4, 0.5] * 50
        first = Scores.from_predictions(truth, given)
        auc = {"measure": "roc_auc", "rope": 0.05}
        assert runs.run(first, Update.NEW, **auc) is None
        assert runs.run(first, **auc).model == "paired"
        with pytest.raises(AssertionError, match="≪ AUC −"):
            runs.run(Scores.from_predictions(truth, [1 - score for score in given]), **auc)
        with pytest.raises(BaselineError, match="expected Scores, as baseline, got ConfusionMatrix"):
            runs.run(first.at(0.5), **auc)
