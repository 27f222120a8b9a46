import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, Scores, SpanCounts, compare
from pytest_bayesf1.comparison.changes import ChangedPredictions, Changes, changed_values
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.results.comparison import MOST_IDS, Turn

TRUTH = ["gold"] * 40 + ["silver"] * 40 + ["bronze"] * 40
BASELINE = ["gold"] * 38 + ["silver"] * 42 + ["bronze"] * 40
CANDIDATE = ["gold"] * 39 + ["bronze"] * 1 + ["silver"] * 30 + ["bronze"] * 50
IDS = [f"picture {number}" for number in range(120)]


def side(predicted, **options):
    return ConfusionMatrix.from_predictions(TRUTH, predicted, ids=IDS, **options)


@pytest.fixture(scope="module")
def changes():
    return compare(side(BASELINE), side(CANDIDATE), rope=0.01, n_draws=1_000).changes


class TestChanges:
    def test_the_error_that_explains_most_comes_first(self, changes):
        first = changes.errors[0]
        assert (first.true, first.predicted, first.baseline, first.candidate) == ("silver", "bronze", 0, 10)
        assert [each.id for each in first.examples] == IDS[70:75]
        sizes = [abs(each.contribution) for each in changes.errors]
        assert sizes == sorted(sizes, reverse=True)

    def test_an_error_that_became_rarer_names_those_that_had_it(self, changes):
        (rarer,) = (each for each in changes.errors if each.candidate < each.baseline)
        assert (rarer.true, rarer.predicted, rarer.baseline, rarer.candidate) == ("gold", "silver", 2, 0)
        assert [each.id for each in rarer.examples] == ["picture 38", "picture 39"]
        assert rarer.contribution > 0
        assert [each.id for each in changes.examples[:10]] == IDS[70:80]
        turns = {each.id: each.turn for each in changes.examples}
        assert turns == dict.fromkeys(IDS[70:80], Turn.BROKEN) | {
            "picture 38": Turn.FIXED,
            "picture 39": Turn.STILL_WRONG,
        }

    def test_columns(self, changes):
        columns = changes.columns()
        assert columns["change"].count("right to wrong") == 10
        assert list(columns) == ["id", "y_true", "baseline", "candidate", "change", "share", "contribution"]
        own = {"text": IDS, "id": ["other"] * 120}  # a column of a name that is taken is left out
        shown = Changes.between(side(BASELINE), side(CANDIDATE, show=own), "f1_macro").columns()
        assert shown == columns | {"text": columns["id"]}

    def test_classes_that_have_examples_come_by_what_they_explain(self):
        old, new = [*BASELINE[:37], *["tin"] * 3, *BASELINE[40:]], [*CANDIDATE[:40], *CANDIDATE[41:], "silver"]
        labels = [*{*TRUTH}, "tin"]
        sides = (ConfusionMatrix.from_predictions(TRUTH, each, labels=labels) for each in (old, new))
        found = Changes.between(*sides, "accuracy")
        by_class = {
            name: sum((a == t) - (b == t) for t, b, a in zip(TRUTH, old, new, strict=True) if t == name) / 120
            for name in {*TRUTH}
        }
        assert {each.label: each.contribution for each in found.classes} == pytest.approx(by_class)
        sizes = [abs(each.contribution) for each in found.classes]
        assert sizes == sorted(sizes, reverse=True)
        assert {each.contribution > 0 for each in found.classes} == {True, False}
        assert len(found.reported(1, 2).classes) == len(found.reported(1, 2).errors) == 1
        assert len(found.reported(1, 2).examples) == 2

    def test_an_error_that_both_make_names_the_examples_of_the_side_that_makes_it_more(self):
        old = [*BASELINE[:40], *["bronze"] * 2, *["silver"] * 38, *BASELINE[80:]]
        new = [*BASELINE[:42], *["bronze"] * 5, *["silver"] * 33, *BASELINE[80:]]
        for both, expected in (((old, new), IDS[42:47]), ((new, old), IDS[42:47])):
            found = compare(*map(side, both), rope=0.01, n_draws=1_000).changes
            (error,) = (each for each in found.errors if (each.true, each.predicted) == ("silver", "bronze"))
            assert [each.id for each in error.examples] == expected

    @pytest.mark.parametrize(
        ("old", "new", "shown"),
        [
            ([1.0, 3.0, 2.0], [1.0, 2.0, 5.0], ("3", "2", "2", "5")),
            ([0, 1, 0], [0, 0, 1], ("passed", "failed", "failed", "passed")),
            ([0, 1, 0], [0, 0.5, 1], ("1", "0.5", "0", "1")),
            ([0, 1, 0.5], [0, 0, 1], ("1", "0", "0.5", "1")),
        ],
    )
    def test_grades_that_changed_stand_on_their_own_sides(self, old, new, shown):
        """Those that lost first, with what the candidate's file shows."""
        sides = [
            Scores.from_values(np.repeat(each, [20, 39, 61]), ids=IDS, show={"text": [name] * 120})
            for name, each in (("before", old), ("after", new))
        ]
        found = changed_values(compare(*sides, measure="mean", rope=0.1).provenance.subject)
        lost, gained = found.examples[:39], found.examples[39:]
        assert (found.n_examples, len(gained)) == (100, 61)
        assert [each.id for each in found.examples] == IDS[20:]
        assert {(each.baseline, each.candidate) for each in lost} == {shown[:2]}
        assert {(each.baseline, each.candidate) for each in gained} == {shown[2:]}
        assert {each.shown for each in found.examples} == {("after",)}
        for each, place in ((lost[0], 1), (gained[0], 2)):
            assert each.contribution == pytest.approx((new[place] - old[place]) / 120)
        assert found.change == found.rest == pytest.approx(39 * lost[0].contribution + 61 * gained[0].contribution)

    def test_runs_share_an_example(self):
        runs = [[[a, b] for a, b in zip(BASELINE, other, strict=True)] for other in (BASELINE, CANDIDATE)]
        found = compare(*(side(each, runs="samples") for each in runs), rope=0.01, n_draws=1_000).changes
        assert [(each.id, each.share) for each in found.examples[:10]] == [(name, 0.5) for name in IDS[70:80]]
        assert (found.errors[0].baseline, found.errors[0].candidate) == (0, 5)
        assert found.rest == pytest.approx(0, abs=1e-9)

    def test_counts_tell_errors_but_no_examples(self):
        counts = [[[40, 2], [3, 50]], [[35, 7], [3, 50]]]
        found = compare(*counts, rope=0.01, n_draws=1_000).changes
        assert found.errors[0].examples == ()
        assert found.reported().n_examples is None
        with pytest.raises(InputError, match="Counts do not say which examples changed"):
            found.columns()
        pairs = PairedCounts.from_predictions(TRUTH, BASELINE, CANDIDATE)
        assert not compare(pairs, rope=0.01, n_draws=1_000).changes.knows_examples

    def test_what_no_error_explains_is_left_where_class_shares_differ(self):
        sides = [[90, 10], [80, 320]], [[360, 40], [20, 80]]
        told = compare(*sides, measure="recall[1]", rope=0.01, prevalence="test-set").changes.reported()
        assert told.change == pytest.approx(80 / 100 - 320 / 400)
        assert told.rest == pytest.approx(told.change - sum(each.contribution for each in told.errors))
        assert abs(told.rest) > 0.01

    def test_of_scores_there_is_no_right_and_wrong(self):
        rng = np.random.default_rng(2)
        truth = rng.integers(0, 2, 200)
        scores = [Scores.from_predictions(truth, (truth + 2 * rng.random(200)) / 3, labels=[0, 1]) for _ in range(2)]
        with pytest.raises(InputError, match="neither right nor wrong"):
            compare(*scores, rope=0.01, measure="roc_auc").changes  # noqa: B018
        assert compare(*scores, rope=0.01, measure="roc_auc").known_changes is None
        with pytest.raises(InputError, match="neither right nor wrong"):
            Changes.between(*scores, "roc_auc")
        at_half = Changes.between(*scores, "f1@0.5")
        assert at_half.measure.words == "F1 of 1 at 0.5"
        assert at_half.examples == compare(*scores, rope=0.01, measure="f1@0.5", n_draws=1_000).changes.examples

    def test_a_prior_over_more_classes_changes_no_name(self, changes):
        truth, labels = ["tin", *TRUTH], ["tin", "silver", "gold", "bronze"]
        said = (["tin", *each] for each in (BASELINE, CANDIDATE))
        earlier = [ConfusionMatrix.from_predictions(truth, each, labels=labels) for each in said]
        asked = {"rope": 0.01, "n_draws": 1_000}
        prior = compare(*earlier, prior="uniform", **asked).as_prior()
        found = compare(side(BASELINE), side(CANDIDATE), measure="accuracy", prior=prior, **asked).changes
        assert {(each.id, each.true, each.candidate) for each in found.examples} == {
            (each.id, each.true, each.candidate) for each in changes.examples
        }

    def test_what_is_told_is_cut(self):
        rng = np.random.default_rng(3)
        truth, *predicted = rng.integers(0, 6, (3, 3_000))
        sides = (ConfusionMatrix.from_predictions(truth, each) for each in predicted)
        told = Changes.between(*sides, "f1_macro").reported()
        assert (len(told.errors), len(told.examples)) == (10, 1_000)
        assert told.n_examples == (predicted[0] != predicted[1]).sum()
        assert max(len(each.examples) for each in told.errors) == MOST_IDS

    def test_functions_of_many_classes_are_left_out(self):
        def diagonal(p):
            return np.einsum("...jj->...", p)

        for n_classes, known in ((50, True), (51, False)):
            counts = 10 * np.eye(n_classes, dtype=int) + 1
            found = compare(counts, counts, rope=0.01, measure=diagonal, n_draws=1_000)
            assert (found.known_changes is not None) is known

    def test_excerpts_stand_beside_the_ids_where_they_are_asked_for(self, changes):
        texts = [f"line\n{number} {'x' * 300}" for number in range(120)]
        found = Changes.between(
            side(BASELINE), side(CANDIDATE, show={"text": texts, "url": [None, float("nan"), pd.NA] * 40}), "f1_macro"
        )
        assert found.errors[0].examples[0].shown == (f"line 70 {'x' * 191}…", "")
        assert not any(each.shown for each in changes.examples)

    def test_what_is_shown_follows_its_example(self):
        order = np.random.default_rng(4).permutation(120)
        truth, predicted, ids = (np.array(each)[order].tolist() for each in (TRUTH, CANDIDATE, IDS))
        moved = ConfusionMatrix.from_predictions(truth, predicted, ids=ids, show=[f"text of {name}" for name in ids])
        found = Changes.between(side(BASELINE), moved, "accuracy")
        assert {each.shown for each in found.examples if each.shown != (f"text of {each.id}",)} == set()
        of_baseline = side(BASELINE, show=[f"text of {name}" for name in IDS])
        assert Changes.between(of_baseline, side(CANDIDATE), "accuracy").examples == found.examples
        both = Changes.between(of_baseline, side(CANDIDATE, show=["as it is now"] * 120), "accuracy")
        assert {each.shown for each in both.examples} == {("as it is now",)}


def changed(*sides):
    aligned = Sides.aligned(*sides)
    return ChangedPredictions.between(*aligned.answers), aligned.baseline.labels


class TestChanged:
    """Which predictions differ, of labels and of spans."""

    def test_labels_one_by_one(self):
        truth, baseline, candidate = [{"a", "b"}, {"c"}, set()], [{"a"}, {"c"}, {"b"}], [{"a", "b", "c"}, set(), {"b"}]
        said = (baseline, candidate)
        sides = [MultilabelCounts.from_predictions(truth, side, labels=list("abc")) for side in said]
        found, _ = changed(*sides)
        assert found.ids == [0, 0, 1]
        assert Changes.between(*sides, "accuracy").reported().n_examples == 2
        assert found.true.tolist() == [3, 4, 5]  # b is there, c is not; c is there
        assert found.predicted.tolist() == [[2, 4, 5], [3, 5, 4]]
        errors = {(each.true, each.predicted) for each in Changes.between(*sides, "accuracy").errors}
        assert errors == {("b", "not b"), ("c", "not c"), ("not c", "c"), ("not b", "b")}

    def test_spans_are_missed_found_and_invented(self):
        gold = [[(0, 2, "PER")], [(3, 4, "ORG")]]
        baseline, candidate = [[(0, 2, "PER")], []], [[], [(3, 4, "ORG"), (7, 9, "PER")]]
        sides = (SpanCounts.from_spans(gold, side, documents=["x", "y"]) for side in (baseline, candidate))
        found, labels = changed(*sides)
        assert labels == ("ORG", "PER")
        assert found.ids == ["x:0-2", "y:3-4", "y:7-9"]
        assert found.true.tolist() == [3, 1, 2]
        assert found.predicted.tolist() == [[3, 0, 2], [2, 1, 3]]

    def test_a_wrong_span_is_of_another_type_beside_a_true_one_or_none(self):
        gold = [[(0, 2, "PER"), (4, 8, "ORG"), (10, 12, "LOC")], [(4, 8, "ORG")], [(0, 1, "ORG")]]
        found = [
            [(0, 2, "ORG"), (5, 9, "ORG"), (6, 7, "ORG"), (10, 12, "LOC")],  # a true span has one that overlaps it
            [(8, 9, "ORG"), (2, 4, "ORG"), (0, 2, "PER")],  # those that begin or end at its ends do not
            [(0, 1, "ORG"), (10, 12, "PER")],  # and it is one of the same document
        ]
        old, new = (SpanCounts.from_spans(gold, side) for side in (gold, found))
        both = Changes.between(old, new, "f1_micro").span_errors
        assert both is not None
        before, after = both
        assert (before.wrong_type, before.wrong_boundary, before.missed, before.spurious) == (0, 0, 0, 0)
        assert (after.wrong_type, after.wrong_boundary, after.missed, after.spurious) == (1, 1, 1, 5)
        labels = MultilabelCounts.from_predictions([{"a"}, {"b"}], [{"a"}, set()], labels=["a", "b"])
        assert Changes.between(labels, labels, "f1_micro").span_errors is None

    def test_nothing_differs(self):
        for same in (side(BASELINE), SpanCounts.from_spans([[(0, 1, "PER")]], [[]])):
            found, _ = changed(same, same)
            assert not found.ids
            assert found.predicted.shape == (2, 0)
