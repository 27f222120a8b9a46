"""Two test sets that differ: compared on what they share, as if that had been cut out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binomtest

from pytest_bayesf1 import ConfusionMatrix, InputError, compare, rank
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.errors import ChangedTestSetWarning
from pytest_bayesf1.words.notes import data_warnings
from tests.property.kinds import KINDS

N = 400
RNG = np.random.default_rng(7)
TRUE = RNG.integers(0, 3, N)
IDS = np.array([f"e{number:03}" for number in range(N)])


def wrong_about(share):
    return np.where(np.random.default_rng(int(1000 * share)).random(N) < share, (TRUE + 1) % 3, TRUE)


def of_classes(share, positions, true=TRUE):
    return ConfusionMatrix.from_predictions(true[positions], wrong_about(share)[positions], ids=IDS[positions])


OLD, NEW, BOTH = np.arange(N - 20), np.arange(30, N), np.arange(30, N - 20)

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")


def compared(baseline, candidate, true=TRUE, wrong=0.14, **arguments):
    sides = of_classes(0.1, baseline), of_classes(wrong, candidate, true)
    return compare(*sides, measure="f1_macro", rope=0.02, n_draws=2_000, **arguments)


def warned_of(found):
    return [str(each) for each in data_warnings(found) if isinstance(each, ChangedTestSetWarning)]


class TestPolicies:
    def test_as_two_samples(self):
        asked = compared(OLD, NEW, on_new_test_set="independent")
        assert np.array_equal(asked.delta, compared(OLD, NEW, model="independent").delta)
        assert compared(OLD, OLD, on_new_test_set="independent").model == "paired"

    def test_refused(self):
        with pytest.raises(
            InputError, match=r"30 ids only in baseline \('e000', .*; 20 ids only in candidate \('e380', "
        ):
            compared(OLD, NEW, on_new_test_set="error")
        assert compared(OLD, OLD, on_new_test_set="error").model == "paired"


every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


class TestEveryKind:
    def asked(self, kind, *sides):
        (measure,) = kind.measures[2:3] or kind.measures
        return compare(*sides, measure=measure, rope=0.02, n_draws=1_000, weak_baseline=True)

    @every_kind
    def test_missing_examples_count_as_wrong_where_that_decides(self, kind):
        made = kind.draw(np.random.default_rng(2))
        n = len(made.true)
        lacking = made.reordered(np.arange(n)[: -n // 6])
        whole, less = kind.side(made, 0, **{kind.ids: range(n)}), kind.side(lacking, 0, **{kind.ids: range(n - n // 6)})
        shared = self.asked(kind, whole, less).shared_examples
        assert (shared.n_lacking, shared.decision_if_wrong) == (n // 6, "<<")
        assert self.asked(kind, less, whole).shared_examples.decision_if_wrong is None

    @pytest.mark.parametrize("kind", [KINDS[name] for name in KINDS if name != "values"])
    def test_another_truth_for_more_than_a_tenth_is_refused(self, kind):
        made = kind.draw(np.random.default_rng(2))
        other = replace(made, true=made.true[np.random.default_rng(1).permutation(len(made.true))])
        ids = {kind.ids: range(len(made.true))}
        with pytest.raises(InputError, match=r"have another .* than in baseline, such as id '?\d") as caught:
            self.asked(kind, kind.side(made, 0, **ids), kind.side(other, 1, **ids))
        assert "on_new_test_set: independent" in caught.value.advice


def drawn_sides(seed):
    """Draw two test sets by id, in any order: true class, and what is predicted of each example."""
    rng = np.random.default_rng(seed)
    names = [f"d<{number}>" for number in rng.permutation(150)]
    classes = np.array(["z", "m", "a", "k"])[rng.permutation(4)].tolist()
    old, new = {}, {}
    for name in names:
        true, *said = rng.choice(classes, 3, p=[0.4, 0.3, 0.2, 0.1]).tolist()
        said = [true if right else each for each, right in zip(said, rng.random(2) < (0.8, 0.7), strict=True)]
        corrected = rng.choice(classes) if rng.random() < 0.06 else true
        if rng.random() < 0.96:
            old[name] = true, said[0]
        if rng.random() < 0.9:
            new[name] = corrected, said[1]
    return old, {name: new[name] for name in rng.permutation([*new]).tolist()}


def side_of(rows):
    true, said = zip(*rows.values(), strict=True)
    return ConfusionMatrix.from_predictions(true, said, ids=[*rows])


@pytest.mark.parametrize("seed", range(8))
def test_all_figures_are_those_of_counting_by_hand(seed):
    old, new = drawn_sides(seed)
    found = compare(side_of(old), side_of(new), measure="accuracy", rope=0.03, n_draws=1_000)
    rows = [(new[name][0], old[name][1], new[name][1], old[name][0]) for name in old if name in new]
    lacking = [name for name in old if name not in new]
    corrected = [row for row in rows if row[0] != row[3]]
    gains = [(old == true) - (new == true) + (new == before) - (old == before) for true, old, new, before in corrected]
    shared = found.shared_examples
    assert (shared.n_lacking, shared.n_corrected) == (len(lacking), len(corrected))
    assert shared.favoured == (sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains))
    assert shared.p_favoured == pytest.approx(binomtest(shared.favoured[0], sum(shared.favoured) or 1).pvalue)
    whole = [row[0] == row[1] for row in rows] + [old[name][0] == old[name][1] for name in lacking]
    assert shared.whole_scores == pytest.approx((np.mean(whole), np.mean([row[0] == row[1] for row in new.values()])))


class TestTooLittle:
    @pytest.mark.parametrize(
        ("baseline", "candidate", "found"),
        [
            (np.arange(49), np.arange(N), "49 of 49"),
            (np.arange(101), np.arange(21, N), "80 of 101"),
            (np.arange(100), np.arange(200, 300), "0 of 100"),
        ],
    )
    def test_it_says_how_many(self, baseline, candidate, found):
        expected = f"{found} examples of baseline are in both. It needs at least 80%, and at least 50."
        with pytest.raises(InputError, match=expected):
            compared(baseline, candidate)

    def test_it_says_how_many_are_needed_where_fewer_are_enough(self):
        sides = Sides.aligned(of_classes(0.1, np.arange(9)), of_classes(0.1, np.arange(7, 20)))
        assert sides.sharing(2, 0.2).overlap.n_shared == 2
        with pytest.raises(InputError, match=r"2 of 9 examples .* at least 30%, and at least 3\."):
            sides.sharing(3, 0.3)

    @pytest.mark.parametrize(("n", "n_shared"), [(50, 50), (100, 80)])
    def test_just_enough(self, n, n_shared):
        found = compared(np.arange(n), np.arange(n - n_shared, 200))
        assert found.shared_examples.n_shared == n_shared

    def test_without_ids_nothing_is_shared(self):
        true = TRUE + (np.arange(N) == 7)
        whole, less, other = (ConfusionMatrix.from_predictions(each, each) for each in (TRUE, TRUE[:-1], true))
        counts = [ConfusionMatrix(side.counts) for side in (whole, less)]
        assert compare(*counts, rope=0.02).model == "independent"
        for sides, found in (
            ([whole, less], "There are 399 examples, .* Pass ids"),
            ([whole, other], "first at position 7 .* Pass ids"),
            (counts, "Another test set .* pass on_new_test_set: shared"),
        ):
            with pytest.raises(InputError, match=f"{found}.* on_new_test_set: independent"):
                compare(*sides, rope=0.02, on_new_test_set="error")


class TestRanking:
    @pytest.mark.parametrize("other", [NEW, BOTH])
    def test_systems_are_ranked_on_what_all_have(self, other):
        places = {"a": OLD, "b": other, "c": np.arange(N)[::-1]}
        systems = {name: of_classes(0.1, at) for name, at in places.items()}
        ranking = rank(systems, rope=0.02, n_draws=1_000)
        assert ranking.n_samples == BOTH.size
        assert "350 of 400 examples are in all test sets; the ranking uses these." in ranking.notes()
        by_hand = rank({name: of_classes(0.1, BOTH) for name in places}, rope=0.02, n_draws=1_000)
        assert ranking.systems == by_hand.systems

    def test_too_few_of_the_largest_test_set_are_refused(self):
        with pytest.raises(InputError, match=r"310 of 400 examples .* It needs at least 80%"):
            rank({"a": of_classes(0.1, np.arange(310)), "b": of_classes(0.1, np.arange(N))}, rope=0.02)

    @pytest.mark.parametrize("kept", [np.arange(N), NEW[::-1]])
    def test_no_system_has_the_newer_truth(self, kept):
        other = of_classes(0.1, kept, (TRUE + (np.arange(N) // 3 == 20)) % 3)
        with pytest.raises(InputError, match=r"3 examples have another .* first at id 'e060'"):
            rank({"a": of_classes(0.1, np.arange(N)), "b": other}, rope=0.02)

    @pytest.mark.parametrize(("policy", "found"), [("error", "ids only in"), ("independent", "the same examples")])
    def test_it_can_be_refused(self, policy, found):
        with pytest.raises(InputError, match=found):
            rank({"a": of_classes(0.1, OLD), "b": of_classes(0.1, NEW)}, rope=0.02, on_new_test_set=policy)


class TestOtherExamples:
    """Ids that are the same and name other examples."""

    @pytest.mark.parametrize("n", [5, 20])
    def test_truth_and_predictions_swapped(self, n):
        said = np.where(np.arange(N) < n, (TRUE + 1) % 3, TRUE)
        sides = [ConfusionMatrix.from_predictions(*each, ids=range(N)) for each in ((TRUE, said), (said, TRUE))]
        with pytest.raises(InputError, match=f"other truths for {n} examples, and the candidate answers just these"):
            compare(*sides, measure="f1_macro", rope=0.02)

    def test_predictions_of_the_old_truth_are_not_swapped_where_the_baseline_has_them_too(self):
        corrected = np.where(np.arange(N) < 6, (TRUE + 1 + np.arange(N) % 2) % 3, TRUE)
        sides = [ConfusionMatrix.from_predictions(true, TRUE, ids=range(N)) for true in (TRUE, corrected)]
        assert compare(*sides, measure="accuracy", rope=0.02, n_draws=1_000).shared_examples.n_corrected == 6

    @pytest.mark.parametrize(
        ("n", "first", "n_changed", "found"),
        [
            (N, 0, 40, None),
            (N, 20, 41, "41 of 400 shared examples have another y_true .* id 'e020' "),
            (30, 0, 4, None),
            (30, 0, 5, "5 of 30 shared examples have another y_true"),
        ],
    )
    def test_more_than_a_tenth_and_more_than_four_are_refused(self, n, first, n_changed, found):
        is_changed = (np.arange(N) >= first) & (np.arange(N) < first + n_changed)
        other = np.where(is_changed, (TRUE + 1 + np.arange(N) % 2) % 3, TRUE)
        sides = Sides.aligned(of_classes(0.3, np.arange(n)), of_classes(0.4, np.arange(n), other))
        if found is None:
            assert sides.shared.overlap.corrected.sum() == n_changed
        else:
            with pytest.raises(InputError, match=found):
                sides.shared  # noqa: B018


def test_ids_are_equal_if_their_text_is():
    baseline = ConfusionMatrix.from_predictions(TRUE, TRUE, ids=range(N))
    candidate = ConfusionMatrix.from_predictions(TRUE[::-1], TRUE[::-1], ids=[*map(str, range(N))][::-1])
    assert Sides.aligned(baseline, candidate).paired.n_samples == N


class TestDoubt:
    """A pass that hinges on what the candidate lacks, or on corrections that help it alone, is none."""

    def test_lacking_examples(self):
        found = compared(np.arange(N), np.arange(N - 80), wrong=0.1)
        assert found.decision == "?"
        assert not found.is_not_inferior

    def test_one_sided_corrections(self):
        said = np.where(np.arange(N) < 38, (TRUE + 1 + np.arange(N) % 2) % 3, TRUE)
        baseline = ConfusionMatrix.from_predictions(TRUE, TRUE, ids=IDS)
        candidate = ConfusionMatrix.from_predictions(said, said, ids=IDS)
        found = compare(baseline, candidate, measure="accuracy", rope=0.02, n_draws=1_000)
        assert found.shared_examples.decision_on_old_truth == "<<"
        assert found.decision == "?"


def answered(n, wrong):
    """Answer the first so many examples, the first 400 of them as `wrong_about` a tenth, the others wrong so often."""
    true = np.arange(n) % 3
    rng = np.random.default_rng(1)
    is_wrong = np.where(np.arange(n) < N, rng.random(n) < 0.1, rng.random(n) < wrong)
    return true, np.where(is_wrong, (true + 1) % 3, true), np.arange(n)


def grown(wrong, n_new=400, **arguments):
    true, said, ids = answered(N + n_new, wrong)
    baseline = ConfusionMatrix.from_predictions(true[:N], said[:N], ids=ids[:N])
    candidate = ConfusionMatrix.from_predictions(true, said, ids=ids)
    return compare(baseline, candidate, **{"measure": "accuracy", "rope": 0.02, "n_draws": 2_000, **arguments})


class TestNewExamples:
    """A candidate that fails on the examples that it alone has is no pass, however alike the shared ones are."""

    def test_failing_on_them_is_undecided_and_warns_with_both_scores(self):
        found = grown(0.6)
        shared = found.shared_examples
        assert (shared.decision_on_whole, found.decision) == ("<<", "?")
        assert not found.is_not_inferior
        assert found.examples_needed.not_worse is None
        (warning,) = warned_of(found)
        baseline, candidate = (f"{score:.3f}" for score in shared.whole_scores)
        assert f"800 examples the candidate scores {candidate}, the baseline {baseline} on its 400" in warning

    def test_being_as_good_on_them_changes_nothing(self):
        found = grown(0.1)
        assert found.shared_examples.decision_on_whole != "<<"
        assert found.decision == "≈"
        assert data_warnings(found) == []

    def test_a_prior_that_counted_pairs_is_left_out_of_it(self):
        true, said, ids = answered(N, 0.1)
        side = ConfusionMatrix.from_predictions(true, said, ids=ids)
        earlier = compare(side, side, measure="accuracy", rope=0.02, n_draws=1_000).as_prior
        prior = earlier() if callable(earlier) else earlier
        assert grown(0.6, prior=prior).shared_examples.decision_on_whole == "<<"

    def test_a_class_that_only_they_have_goes_with_stated_shares(self):
        true, said, ids = answered(2 * N, 0.6)
        true[N:][:30], said[N:][:30] = 3, 3
        baseline = ConfusionMatrix.from_predictions(true[:N], said[:N], ids=ids[:N])
        candidate = ConfusionMatrix.from_predictions(true, said, ids=ids)
        found = compare(baseline, candidate, measure="accuracy", rope=0.02, n_draws=1_000, prevalence="baseline")
        assert (found.shared_examples.decision_on_whole, found.decision) == ("<<", "?")
