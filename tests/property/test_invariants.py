"""What must not change, or must turn around, for every measure of every kind of data."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    LabelledPool,
    MultilabelCounts,
    PairedCounts,
    Prior,
    compare,
    rank,
)
from pytest_bayesf1.baselines.versions import brief_change
from pytest_bayesf1.choices import COMPARISONS, PriorName
from pytest_bayesf1.comparison.compare import ComparisonTask, run_comparison, run_estimate
from pytest_bayesf1.data.sides import Sides
from tests.property.kinds import CLASSES, KINDS, N

DRAWS = 1_000
ROUNDING = 1e-9
PRIORS = tuple(PriorName)
MIRROR = {"<<": ">>", "<": ">", "~": "~", ">": "<", ">>": "<<", "?": "?"}
ROPE, TURNED = (-0.02, 0.05), (-0.05, 0.02)
ERRORS = 5
"""Monte Carlo standard errors; one of some thousand checks is beyond it in two thousand runs."""

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")
every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
with_classes = pytest.mark.parametrize(
    "kind", [each for name, each in KINDS.items() if name != "values"], ids=[*KINDS][:-1]
)
few = settings(max_examples=max(settings.default.max_examples // 25, 1), phases=[Phase.generate])  # a seed has no shape
SEEDS = st.integers(0, 2**32).map(np.random.default_rng)
ASKED = {"rope": ROPE, "n_draws": DRAWS, "weak_baseline": True}


def compared(kind, *sides, measures=None, **given):
    """Compare by every measure of a kind: {measure: comparison}; those with a threshold are of counts."""
    found = {}
    names = kind.measures if measures is None else measures
    for of_counts in (False, True):
        chosen = [name for name in names if ("@" in name) is of_counts]
        if chosen:
            task = ComparisonTask.of(*sides, **{**ASKED, "measure": chosen[0], **given})
            ordered = sorted(map(task.measure, chosen), key=lambda each: each.detail)
            found |= {each.measure: each for each in task.answers(ordered)}
    return found


def chosen(kind, rng):
    """Choose a model and a prior, where a kind has several."""
    if kind in (KINDS["values"], KINDS["scores"]):
        return {"model": str(rng.choice(["paired", "independent"]))}
    if kind not in (KINDS["two classes"], KINDS["classes"], KINDS["labels"]):
        return {}
    return {"model": str(rng.choice(COMPARISONS)), "prior": str(rng.choice(PRIORS))}


def assert_same(one, other):
    """Require that all figures are the same, draw by draw; sums of fractions differ in the last digit."""
    assert one.keys() == other.keys()
    for name, first in one.items():
        second = other[name]
        np.testing.assert_allclose(first.score_draws, second.score_draws, rtol=ROUNDING, atol=ROUNDING, err_msg=name)
        for side in ("baseline", "candidate"):
            here, there = getattr(first, side), getattr(second, side)
            assert (here.observed, here.mean) == pytest.approx((there.observed, there.mean), abs=ROUNDING), name
        assert first.hdi == pytest.approx(second.hdi, abs=ROUNDING)
        assert (first.decision, first.n_samples) == (second.decision, second.n_samples)
        if first.shared_examples is second.shared_examples is None:  # else what one side lacks may leave it open
            assert first.examples_needed == second.examples_needed


def assert_near(one, other, sign=1, observed=ROUNDING):
    """Require the same scores, and posteriors that are the same up to Monte Carlo error, or turned around."""
    assert one.keys() == other.keys()
    for name, first in one.items():
        second = other[name]
        sides = ("baseline", "candidate")
        for own, others in zip(sides, sides[::sign], strict=True):
            here, there = getattr(first, own), getattr(second, others)
            assert here.observed == pytest.approx(there.observed, abs=observed), name
            assert_alike(here.draws, there.draws, name)
        assert_alike(first.delta, sign * second.delta, name)
        for one_side, other_side in zip(first.score_draws, second.score_draws[::sign], strict=True):
            assert_alike(one_side, other_side, name)
        assert first.n_samples == second.n_samples[::sign]


def assert_alike(one, other, name=""):
    """Require that two sets of independent draws come from one distribution, by mean and standard deviation."""
    (mean, std, *errors), (other_mean, other_std, *other_errors) = map(_moments, (one, other))
    of_mean, of_std = np.hypot(errors, other_errors)
    assert abs(mean - other_mean) <= ERRORS * of_mean + ROUNDING, name
    assert abs(std - other_std) <= ERRORS * of_std + ROUNDING, name


def _moments(draws):
    """Return mean and standard deviation, and the Monte Carlo standard error of either."""
    mean, std, root = draws.mean(), draws.std(), np.sqrt(draws.size)
    of_square = np.square(draws - mean).std() / root
    return mean, std, std / root, of_square / (2 * std) if std > 0 else 0.0


class TestComparisons:
    @every_kind
    @few
    @given(SEEDS)
    def test_the_order_of_the_examples_changes_nothing(self, kind, rng):
        made = kind.draw(rng)
        moved = made.reordered(rng.permutation(len(made.true)))
        if made.clusters is not None:
            moved = replace(moved, clusters=rng.permutation(N)[moved.clusters])
        assert_same(*(compared(kind, *kind.sides(each)) for each in (made, moved)))

    @every_kind
    @few
    @given(SEEDS)
    def test_ids_pair_examples_up_in_whatever_order(self, kind, rng):
        made = kind.draw(rng)
        ids, order = rng.permutation(len(made.true)) * 3, rng.permutation(len(made.true))
        candidate = kind.side(made.reordered(order), 1, **{kind.ids: ids[order]})
        shuffled = compared(kind, kind.side(made, 0, **{kind.ids: ids}), candidate)
        assert_same(shuffled, compared(kind, *kind.sides(made)))

    @every_kind
    @few
    @given(SEEDS)
    def test_two_test_sets_are_compared_as_what_both_have(self, kind, rng):
        made = kind.draw(rng)
        n = len(made.true)
        ids, order = rng.permutation(n) * 3, rng.permutation(n)
        places = np.arange(n - n // 20), order[order >= n // 10], np.arange(n // 10, n - n // 20)
        old, new, *both = (
            kind.side(made.reordered(at), system, **{kind.ids: ids[at]})
            for at, system in ((places[0], 0), (places[1], 1), (places[2], 0), (places[2], 1))
        )
        found, by_hand = compared(kind, old, new), compared(kind, *both)
        assert_same(found, by_hand)
        assert all(each.shared_examples is None for each in by_hand.values())
        for each in found.values():
            shared = each.shared_examples
            assert (shared.n_baseline, shared.n_candidate, shared.n_shared) == tuple(map(len, places))
            assert (shared.n_lacking, shared.n_corrected) == (n // 10, 0)

    @pytest.mark.parametrize("kind", [each for name, each in KINDS.items() if name != "values"])
    @few
    @given(SEEDS)
    def test_corrected_truths_count_for_both_sides(self, kind, rng):
        made = kind.draw(rng)
        n = len(made.true)
        true = made.true.copy()
        true[:4] = true[4:8]
        corrected, ids = replace(made, true=true), {kind.ids: range(n)}
        old, new = kind.sides(made, **ids), kind.sides(corrected, **ids)
        found, before = compared(kind, old[0], new[1]), compared(kind, *old)
        assert_same(found, compared(kind, *new))
        n_corrected = sum(one != other for one, other in zip(made.true[:4], true[:4], strict=True))
        for name, each in found.items():
            assert (0 if each.shared_examples is None else each.shared_examples.n_corrected) == n_corrected
            if n_corrected:
                assert each.shared_examples.decision_on_old_truth == before[name].decision

    @every_kind
    @few
    @given(SEEDS)
    def test_sides_turned_around_turn_all_signs(self, kind, rng):
        sides, asked = kind.sides(kind.draw(rng)), chosen(kind, rng)
        there, back = compared(kind, *sides, **asked), compared(kind, *sides[::-1], rope=TURNED, **asked)
        assert_near(there, back, sign=-1)
        for name, one in there.items():
            other = back[name]
            assert one.p_worse == pytest.approx(other.p_better, abs=ERRORS / DRAWS**0.5)
            assert one.p_below_rope == pytest.approx(other.p_above_rope, abs=ERRORS / DRAWS**0.5)
            if one.settled and other.settled:
                assert one.decision == MIRROR[other.decision.ascii]
                is_known = one.examples_needed.not_worse == 0
                assert is_known == (other.examples_needed.better == 0)
            if one.contingency is not None:
                kept, swapped = one.contingency, other.contingency
                assert (kept.both_right, kept.only_baseline) == (swapped.both_right, swapped.only_candidate)
                assert (kept.both_wrong, kept.only_candidate) == (swapped.both_wrong, swapped.only_baseline)
            if one.clusters is not None:
                assert one.clusters.runs == other.clusters.runs[::-1]
                assert one.clusters.trainings == other.clusters.trainings[::-1]
        self._assert_turned_evidence(*(next(iter(each.values())) for each in (there, back)))

    @staticmethod
    def _assert_turned_evidence(one, other):
        turned = {each.label: each for each in other.classes}
        for each in one.classes:
            again = turned[each.label]
            assert (each.baseline, each.candidate) == (again.candidate, again.baseline)
            assert each.n_samples == again.n_samples[::-1]
        for first, second in zip(one.classical_tests, other.classical_tests, strict=True):
            assert (first.name, first.of, first.n) == (second.name, second.of, second.n)
            assert first.statistic == pytest.approx(-second.statistic)
            assert first.p_value == pytest.approx(second.p_value)
        if one.paired_outcomes is not None:
            assert one.paired_outcomes.p_first_better == pytest.approx(1 - other.paired_outcomes.p_first_better)
        if (changes := one.known_changes) is not None:
            assert changes.change == pytest.approx(-other.changes.change)
            counts = {(each.true, each.predicted): each.baseline + 1j * each.candidate for each in changes.errors}
            again = {(each.true, each.predicted): each.candidate + 1j * each.baseline for each in other.changes.errors}
            assert counts == pytest.approx(again)
            if changes.knows_examples:
                place = {(each.true, each.predicted): rank for rank, each in enumerate(changes.errors)}
                now = ((each.true, each.candidate, each.baseline) for each in changes.examples)
                ranks = [place[true, before if after == true else after] for true, after, before in now]
                assert ranks == sorted(ranks)
                if one.measure == "accuracy":
                    assert sum(each.contribution for each in changes.examples) == pytest.approx(changes.change)
                answers = sorted((each.id, str(each.baseline), str(each.candidate)) for each in changes.examples)
                back = sorted((each.id, str(each.candidate), str(each.baseline)) for each in other.changes.examples)
                assert answers == back

    @with_classes
    @few
    @given(SEEDS)
    def test_the_names_of_the_classes_change_nothing(self, kind, rng):
        made = kind.draw(rng)
        names = [f"x{label}" for label in made.labels]
        again = made.renamed(names)
        one = compared(kind, *kind.sides(made))
        other = compared(kind, *kind.sides(again), measures=[name.replace("[b]", "[xb]") for name in kind.measures])
        assert_same(one, {name.replace("[xb]", "[b]"): each for name, each in other.items()})
        first, second = (next(iter(each.values())).classes for each in (one, other))
        assert [(f"x{each.label}", each.change, each.n_samples) for each in first] == [
            (each.label, each.change, each.n_samples) for each in second
        ]

    @pytest.mark.parametrize("name", [name for name in KINDS if name not in ("scores", "values")])
    @few
    @given(SEEDS)
    def test_the_order_of_the_classes_does_not_matter(self, name, rng):
        kind = KINDS[name]
        made = kind.draw(rng)
        order = rng.permutation(len(made.labels))
        turned = replace(made, labels=tuple(made.labels[place] for place in order))
        if name == "scores of three":
            turned = replace(turned, answers=tuple(each[:, order] for each in made.answers))
        one = other = chosen(kind, rng)
        if name == "classes":
            beta = rng.uniform(0.2, 9, 3)
            one, other = ({**one, "prior": Prior.named(one["prior"], beta=each)} for each in (beta, beta[order]))
        assert_near(compared(kind, *kind.sides(made), **one), compared(kind, *kind.sides(turned), **other))

    @pytest.mark.parametrize("name", ["classes", "labels"])
    @few
    @given(SEEDS)
    def test_two_test_sets_in_sequence_are_their_union(self, name, rng):
        kind, half = KINDS[name], rng.permutation(N)[: N // 2]
        made, measures = kind.draw(rng), ["accuracy", "f1_macro"]
        asked = chosen(kind, rng)
        first, second = (kind.sides(made.reordered(at)) for at in (half, np.setdiff1d(np.arange(N), half)))
        earlier = compared(kind, *first, measures=measures[:1], **asked)["accuracy"]
        found = compared(kind, *second, measures=measures, prior=earlier.as_prior())
        for measure, each in compared(kind, *kind.sides(made), measures=measures, **asked).items():
            np.testing.assert_array_equal(found[measure].delta, each.delta)

    @pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
    @pytest.mark.parametrize("name", ["two classes", "classes"])
    @few
    @given(SEEDS)
    def test_equal_examples_may_be_counted_first(self, name, model, rng):
        kind = KINDS[name]
        made = kind.draw(rng)
        (true, old, new), count = np.unique(np.stack([made.true, *made.answers[:2]]), axis=1, return_counts=True)
        cells = PairedCounts.from_cells(true, old, new, count, labels=made.labels)
        expected = compared(kind, *kind.sides(made), model=model)
        assert_same(compared(kind, cells, model=model), expected)
        if model != "paired":
            sides = cells.baseline.counts, cells.candidate.counts
            assert_same(compared(kind, *(ConfusionMatrix(each, made.labels) for each in sides), model=model), expected)

    @pytest.mark.parametrize("model", ["same-set", "independent"])
    @few
    @given(SEEDS)
    def test_labels_may_be_counted_first(self, model, rng):
        kind = KINDS["labels"]
        sides = kind.sides(kind.draw(rng))
        counted = (MultilabelCounts(side.counts, side.labels) for side in sides)
        assert_same(*(compared(kind, *each, model=model) for each in (sides, counted)))

    @pytest.mark.parametrize("name", ["two classes", "classes", "clusters"])
    @few
    @given(SEEDS)
    def test_a_run_that_says_everything_twice_says_it_once(self, name, rng):
        kind = KINDS[name]
        made = kind.draw(rng)
        twice = replace(made, answers=tuple(np.stack([each, each], axis=1) for each in made.answers))
        assert_near(
            compared(kind, *kind.sides(made), prior="nested"),
            compared(kind, *kind.sides(twice, runs="samples"), prior="nested"),
        )

    @every_kind
    @few
    @given(SEEDS)
    def test_each_side_is_estimated_as_it_is_alone(self, kind, rng):
        sides = kind.sides(kind.draw(rng))
        for name, found in compared(kind, *sides).items():
            for place, side in enumerate((found.baseline, found.candidate)):
                alone = run_estimate(sides[place], measure=name, n_draws=DRAWS).score
                assert alone.observed == pytest.approx(side.observed, abs=ROUNDING), name
                assert_alike(alone.draws, side.draws, name)

    @every_kind
    @few
    @given(SEEDS)
    def test_the_change_between_two_versions_is_that_of_a_comparison(self, kind, rng):
        sides, given = kind.sides(kind.draw(rng).repeated(3, rng)), {"measure": kind.measures[0], "rope": 0.1}
        for both in (sides, sides[::-1]):
            change, whole = brief_change(Sides.aligned(*both), **given), run_comparison(*both, **given)
            assert change.mean == pytest.approx(whole.mean, abs=0.2 * whole.std)
            assert change.hdi == pytest.approx(whole.hdi, abs=0.5 * whole.std)
            assert change.decision == whole.decision
            assert change.is_not_inferior == whole.is_not_inferior

    @with_classes
    @few
    @given(SEEDS)
    def test_a_baseline_that_is_misread_is_refused_and_a_candidate_is_worse(self, kind, rng):
        made = kind.draw(rng).repeated(5, rng)
        sides, misread = kind.sides(made), kind.sides(kind.misread(made))
        given = {"measure": kind.measures[0], "rope": ROPE, "n_draws": DRAWS}
        with pytest.raises(InputError, match="weak_baseline"):
            run_comparison(misread[0], sides[1], **given)
        assert run_comparison(sides[0], misread[1], **given).decision == "<<"

    @every_kind
    @few
    @given(SEEDS)
    def test_of_many_examples_each_side_is_where_it_was_observed(self, kind, rng):
        sides = kind.sides(kind.draw(rng).repeated(40, rng))
        for name, found in compared(kind, *sides, **chosen(kind, rng)).items():
            for draws, side in zip(found.score_draws, (found.baseline, found.candidate), strict=True):
                assert abs(draws.mean() - side.observed) <= draws.std() + ROUNDING, name

    @pytest.mark.parametrize(
        ("name", "asked"),
        [("two classes", {}), ("classes", {}), ("classes", {"prevalence": {"b": 0.5, "c": 0.1}}), ("labels", {})],
    )
    @few
    @given(SEEDS)
    def test_a_changed_example_cost_what_undoing_it_gives_back(self, name, asked, rng):
        kind = KINDS[name]
        made, measure = kind.draw(rng), f"f1_{rng.choice(['macro', 'weighted'])}"
        baseline, candidate = kind.sides(made)
        asked = {"measure": measure, "n_draws": DRAWS, **asked}
        changes = run_comparison(baseline, candidate, rope=ROPE, **asked).changes
        for changed in rng.choice(changes.examples, 3).tolist():
            undone = made.answers[1].copy()
            undone[changed.id] = made.answers[0][changed.id]
            without = kind.side(replace(made, answers=(undone,)), 0)
            scores = [run_estimate(each, **asked).score.observed for each in (candidate, without)]
            assert changed.contribution == pytest.approx(scores[0] - scores[1])

    @pytest.mark.parametrize("name", [name for name in KINDS if name != "seeds"])  # whose trainings are drawn anew
    @few
    @given(SEEDS)
    def test_measures_that_are_asked_for_together_say_what_each_says_alone(self, name, rng):
        kind = KINDS[name]
        sides = kind.sides(kind.draw(rng))
        together = compared(kind, *sides)
        for measure in rng.choice(list(together), 3).tolist():
            found, alone = together[measure], run_comparison(*sides, measure=measure, **ASKED)
            assert np.array_equal(found.delta, alone.delta)
            assert (found.clusters, found.decision) == (alone.clusters, alone.decision)

    @few
    @given(SEEDS, st.integers(2, 5))
    def test_the_mean_of_several_runs_is_surer_by_the_root_of_their_number(self, rng, n_runs):
        true, said = KINDS["classes"].draw(rng).true, KINDS["classes"].draw(rng).answers[1]
        one, several = (
            run_estimate(ConfusionMatrix.from_predictions(true, each, **runs), 0.5, 0.02, measure="accuracy")
            for each, runs in ((said, {}), (np.stack([said] * n_runs, axis=1), {"runs": "samples"}))
        )
        assert several.score.observed == pytest.approx(one.score.observed)
        assert several.score.std == pytest.approx(one.score.std / n_runs**0.5)

    @pytest.mark.parametrize("words", [("baseline", "candidate"), ("candidate", "baseline")])
    @few
    @given(SEEDS)
    def test_shares_of_one_test_set_are_those_of_the_other_with_sides_turned(self, words, rng):
        kind = KINDS["classes"]
        made = kind.draw(rng)
        fewer = made.reordered(np.flatnonzero((made.true != "a") | (rng.random(N) < 0.4)))
        sides = kind.side(made, 0), kind.side(fewer, 1)
        there, back = (
            compared(kind, *each, model="independent", prevalence=word, rope=rope)
            for each, word, rope in ((sides, words[0], ROPE), (sides[::-1], words[1], TURNED))
        )
        assert_near(there, back, sign=-1)
        own = ("baseline", "candidate").index(words[0])
        names, times = np.unique((made, fewer)[own].true, return_counts=True)
        stated = dict(zip(names.tolist(), (times / times.sum()).tolist(), strict=True))
        for name, found in there.items():
            for place, score in enumerate((found.baseline, found.candidate)):
                shares = "test-set" if place == own else stated
                alone = run_estimate(sides[place], measure=name, n_draws=DRAWS, prevalence=shares).score
                assert alone.observed == pytest.approx(score.observed), name
                assert_alike(alone.draws, score.draws, name)

    @few
    @given(SEEDS)
    def test_people_s_grades_turn_with_the_sides(self, rng):
        kind = KINDS["values"]
        made = kind.draw(rng)
        ids, graded = np.arange(N), rng.permutation(N)[:50]
        people = [
            np.clip(side[graded] - (rng.random(50) < rate), side.min(), 1)
            for side, rate in zip(made.answers, (0.3, 0.6), strict=False)
        ]
        columns = {"id": graded.tolist(), "baseline": people[0], "candidate": people[1]}
        there = compared(kind, *kind.sides(made, ids=ids), human=columns)
        order = rng.permutation(50)
        moved = {"id": graded[order].tolist(), "baseline": people[0][order], "candidate": people[1][order]}
        assert_near(there, compared(kind, *kind.sides(made, ids=ids), human=moved))
        turned = columns | {"baseline": people[1], "candidate": people[0]}
        back = compared(kind, *kind.sides(made, ids=ids)[::-1], human=turned, rope=TURNED)
        (one,), (other,) = there.values(), back.values()
        assert one.change == pytest.approx(-other.change)
        assert_alike(one.delta, -other.delta)
        assert (one.judge.errors, one.judge.scores) == (other.judge.errors[::-1], other.judge.scores[::-1])
        for place, side in enumerate((one.baseline, one.candidate)):
            alone = {"id": columns["id"], "value": people[place]}
            found = run_estimate(kind.side(made, place, ids=ids), measure="mean", human=alone, n_draws=DRAWS).score
            assert found.observed == pytest.approx(side.observed)
            assert_alike(found.draws, side.draws)
        assert_alike(one.score_draws[0], one.baseline.draws)

    @few
    @given(SEEDS)
    def test_pools_know_no_order_and_no_names(self, rng):
        made = KINDS["classes"].draw(rng)
        known = rng.permutation(N)[:40]
        order = rng.permutation(N)

        def pool(made, ids, turned=False, names=lambda label: label):
            sides = made.answers[1::-1] if turned else made.answers[:2]
            labels = {f"e{place}": names(made_true[place]) for place in known}
            old, new = ([names(each) for each in side] for side in sides)
            known_as = {"ids": [f"e{each}" for each in ids], "classes": list(map(names, CLASSES))}
            return LabelledPool.from_predictions(old, new, labels, **known_as)

        made_true = made.true.tolist()
        one, moved = pool(made, range(N)), pool(made.reordered(order), order)
        renamed, back = pool(made, range(N), names=lambda label: f"x{label}"), pool(made, range(N), turned=True)
        kind = KINDS["classes"]
        names = ["accuracy", "f1_macro"]
        first = compared(kind, one, measures=names)
        assert_same(first, compared(kind, moved, measures=names))
        assert_same(first, compared(kind, renamed, measures=names))
        assert_near(first, compared(kind, back, measures=names, rope=TURNED), sign=-1, observed=0.01)


class TestRankings:
    @staticmethod
    def ranked(systems, **given):
        return rank(systems, **{"rope": 0.03, "n_draws": 1_000, **given})

    @every_kind
    @few
    @given(SEEDS)
    def test_systems_are_ranked_alike_in_whatever_order(self, kind, rng):
        made = kind.draw(rng)
        systems = {name: kind.side(made, place) for place, name in enumerate("pqr")}
        order = rng.permutation(list(systems)).tolist()
        for measure in (kind.measures[0], kind.measures[-1]):
            one = self.ranked(systems, measure=measure)
            other = self.ranked({name: systems[name] for name in order}, measure=measure)
            left = {name: value for name, value in one.to_dict().items() if name != "notes"}
            assert left == {name: value for name, value in other.to_dict().items() if name != "notes"}
            if one.clusters is not None:
                runs = dict(zip(one.given, one.clusters.runs, strict=True))
                assert runs == dict(zip(other.given, other.clusters.runs, strict=True))
                trainings = dict(zip(one.given, one.clusters.trainings, strict=True))
                assert trainings == dict(zip(other.given, other.clusters.trainings, strict=True))

    @few
    @given(SEEDS)
    def test_what_is_said_of_one_system_is_said_wherever_it_stands(self, rng):
        """One of three answers with a class that there is not, knows nothing, and lacks some examples."""
        made, ids = KINDS["classes"].draw(rng), np.arange(N)
        kept = rng.permutation(N)[:100]
        strange = np.where(rng.random(N) < 0.3, "x", rng.permutation(made.answers[2]))
        systems = {
            "p": KINDS["classes"].side(made, 0, ids=ids),
            "q": KINDS["classes"].side(made, 1, ids=ids),
            "r": ConfusionMatrix.from_predictions(made.true[kept], strange[kept], ids=ids[kept], labels=None),
        }
        systems["r"] = systems["r"].with_notes(("only of r",))
        for order in permutations(systems):
            found = self.ranked({name: systems[name] for name in order}, measure="f1_macro")
            assert list(found.weak) == ["r"]
            assert "only of r" in found.data_notes
            assert any(f"100 of {N} examples" in note for note in found.data_notes)
            assert any("answers of r are no class: 'x'" in note for note in found.notes())
            (unknown,) = found.unsupported
            n = int((strange[kept] == "x").sum())
            assert dict(zip(found.given, unknown.predicted, strict=True)) == {"p": 0, "q": 0, "r": n}
        with pytest.raises(InputError, match=f"{N - 100} ids only in"):
            self.ranked(systems, measure="f1_macro", on_new_test_set="error")

    @pytest.mark.parametrize(("one", "other"), [("a", "b"), ("a", "c"), ("b", "c")])
    def test_a_ranking_is_as_settled_as_each_comparison_with_the_first(self, one, other):
        rng, true = np.random.default_rng(0), np.arange(300) % 2
        systems = {
            name: ConfusionMatrix.from_predictions(true, np.where(rng.random(300) < rate, 1 - true, true))
            for name, rate in (("a", 0.02), ("b", 0.12), ("c", 0.25))
        }
        edge = compare(systems[one], systems[other], measure="accuracy", rope=0.05, n_draws=100_000).hdi[1]
        rope = -edge, "wide"
        found = rank(systems, measure="accuracy", rope=rope)
        pairs = {
            pair: compare(*(systems[name] for name in pair), measure="accuracy", rope=rope)
            for pair in ("ab", "ac", "bc")
        }
        assert {pair: each.settled for pair, each in pairs.items()} == {pair: pair != one + other for pair in pairs}
        assert found.settled is (one == "b")
        assert found.n_draws == max(each.n_draws for each in pairs.values())
