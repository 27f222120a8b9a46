"""Two test sets that differ: compared on what they share, as if that had been cut out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, Scores, SpanCounts, compare, rank
from pytest_bayesf1.comparison.design import Sides
from pytest_bayesf1.errors import ChangedTestSetWarning

N = 400
RNG = np.random.default_rng(7)
TRUE = RNG.integers(0, 3, N)
IDS = np.array([f"e{number:03}" for number in range(N)])


def wrong_about(share):
    return np.where(np.random.default_rng(int(1000 * share)).random(N) < share, (TRUE + 1) % 3, TRUE)


def of_classes(share, positions, true=TRUE):
    return ConfusionMatrix.from_predictions(true[positions], wrong_about(share)[positions], ids=IDS[positions])


def of_clusters(share, positions, true=TRUE):
    columns = {"ids": IDS[positions], "clusters": positions // 4}
    return ConfusionMatrix.from_predictions(true[positions], wrong_about(share)[positions], **columns)


def of_runs(share, positions, true=TRUE):
    said = np.stack([wrong_about(share), wrong_about(share + 0.01)], axis=1)
    return ConfusionMatrix.from_predictions(true[positions], said[positions], ids=IDS[positions], runs="samples")


def of_labels(share, positions, true=TRUE):
    sets = [[{"x"}, {"x", "y"}, {"y"}][code] for code in (*true[positions], *wrong_about(share)[positions])]
    half = len(positions)
    return MultilabelCounts.from_predictions(sets[:half], sets[half:], ids=IDS[positions])


def of_spans(share, positions, true=TRUE):
    kinds = [[(code, code + 2, "AB"[code % 2])] for code in (*true[positions], *wrong_about(share)[positions])]
    half = len(positions)
    return SpanCounts.from_spans(kinds[:half], kinds[half:], documents=IDS[positions])


def of_scores(share, positions, true=TRUE):
    said = 0.5 * (wrong_about(share) > 0) + 0.5 * np.random.default_rng(3).random(N)
    return Scores.from_predictions(true[positions] > 0, said[positions], ids=IDS[positions])


def of_probabilities(share, positions, true=TRUE):
    said = 0.1 + 0.7 * np.eye(3)[wrong_about(share)]
    return Scores.from_predictions(true[positions], said[positions], labels=[0, 1, 2], ids=IDS[positions])


def of_values(share, positions, true=TRUE):
    assert true is TRUE
    return Scores.from_values((wrong_about(share) == TRUE)[positions].astype(float), ids=IDS[positions])


KINDS = {
    "classes": (of_classes, "f1_macro"),
    "clusters": (of_clusters, "f1_macro"),
    "runs": (of_runs, "accuracy"),
    "labels": (of_labels, "f1_macro"),
    "spans": (of_spans, "f1_micro"),
    "scores": (of_scores, "roc_auc"),
    "scores from a threshold on": (of_scores, "f1@0.5"),
    "probabilities": (of_probabilities, "neg_log_loss"),
    "values": (of_values, "mean"),
}
OLD, NEW, BOTH = np.arange(N - 20), np.arange(30, N), np.arange(30, N - 20)

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")


def compared(kind, baseline, candidate, true=TRUE, wrong=0.14, **arguments):
    make, measure = KINDS[kind]
    sides = make(0.1, baseline), make(wrong, candidate, true)
    return compare(*sides, measure=measure, rope=0.02, n_draws=2_000, **arguments)


@pytest.mark.parametrize("kind", KINDS)
class TestEveryKind:
    def test_it_is_compared_on_what_both_have(self, kind):
        found, by_hand = compared(kind, OLD, NEW[::-1]), compared(kind, BOTH, BOTH)
        assert np.array_equal(found.delta, by_hand.delta)
        assert found.model == "paired"
        assert by_hand.shared_examples is None
        shared = found.shared_examples
        assert (shared.n_baseline, shared.n_candidate, shared.n_shared) == (N - 20, N - 30, N - 50)
        assert shared.n_lacking == 30

    def test_it_can_be_compared_as_two_samples(self, kind):
        asked = compared(kind, OLD, NEW, on_new_test_set="independent")
        assert np.array_equal(asked.delta, compared(kind, OLD, NEW, model="independent").delta)
        assert asked.shared_examples is None
        assert compared(kind, OLD, OLD, on_new_test_set="independent").model == "paired"

    def test_it_can_be_refused(self, kind):
        with pytest.raises(InputError, match=r"30 ids only in baseline .*; 20 ids only in candidate"):
            compared(kind, OLD, NEW, on_new_test_set="error")
        assert compared(kind, OLD, OLD, on_new_test_set="error").model == "paired"

    def test_missing_examples_count_as_wrong_where_that_decides(self, kind):
        lacking = np.arange(N - 80)
        found = compared(kind, np.arange(N), lacking, wrong=0.1)
        assert found.shared_examples.decision_if_wrong == "<<"
        (warning,) = [each for each in found.warnings() if isinstance(each, ChangedTestSetWarning)]
        assert "no prediction of 80 examples of the baseline" in str(warning)
        assert compared(kind, lacking, np.arange(N)).shared_examples.decision_if_wrong is None


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "values"])
def test_corrected_labels_count_for_both_sides(kind):
    corrected = TRUE.copy()
    corrected[:12] = (TRUE[:12] + 1) % 3
    everything = np.arange(N)
    found = compared(kind, everything, everything, corrected)
    make, measure = KINDS[kind]
    both_new = make(0.1, everything, corrected), make(0.14, everything, corrected)
    by_hand = compare(*both_new, measure=measure, rope=0.02, n_draws=2_000)
    assert np.array_equal(found.delta, by_hand.delta)
    n_changed = (TRUE[:12] > 0) != (corrected[:12] > 0) if make is of_scores else TRUE[:12] != corrected[:12]
    assert found.shared_examples.n_corrected == n_changed.sum()
    assert found.shared_examples.decision_on_old_truth == compared(kind, everything, everything).decision
    assert "corrected since the baseline; both models are scored on the new labels." in " ".join(found.notes())


class TestCorrections:
    def favouring(self, n_candidate, n_baseline):
        """Correct labels on which the two disagree, to what either says."""
        said = np.array([0, 1]), np.array([1, 0])
        true = np.array([0] * n_candidate + [1] * n_baseline + [0] * 100)
        baseline, candidate = (np.append(np.repeat(each[:1], true.size - 100), true[-100:]) for each in said)
        corrected = np.append(1 - true[:-100], true[-100:])
        ids = range(true.size)
        old, new = (
            ConfusionMatrix.from_predictions(*columns, ids=ids, labels=[0, 1])
            for columns in ((true, baseline), (corrected, candidate))
        )
        return compare(old, new, measure="accuracy", rope=0.05, n_draws=1_000)

    @given(st.integers(0, 9), st.integers(0, 9))
    @settings(max_examples=15)
    def test_one_sidedness_is_mcnemars_test(self, n_candidate, n_baseline):
        shared = self.favouring(n_candidate, n_baseline).shared_examples
        n = n_candidate + n_baseline
        if n:
            assert shared.favoured == (n_baseline, n_candidate)
            assert shared.p_favoured == pytest.approx(binomtest(n_candidate, n).pvalue)
        else:
            assert shared is None

    def test_one_sided_ones_warn(self):
        def warned(*n):
            return [str(each) for each in self.favouring(*n).warnings() if isinstance(each, ChangedTestSetWarning)]

        (told,) = warned(9, 0)
        assert "9 of 109 labels (8.26%)" in told
        assert "9 of the 9 corrections that matter help the candidate" in told
        assert warned(5, 4) == []
        (told,) = warned(7, 8)  # many, on both sides
        assert "15 of 115 labels (13%) are not what the baseline's were." in told


class TestTooLittle:
    @pytest.mark.parametrize(
        ("baseline", "candidate", "found"),
        [
            (np.arange(100), np.arange(30, 130), "70 of 100"),
            (np.arange(49), np.arange(N), "49 of 49"),
            (np.arange(100), np.arange(200, 300), "0 of 100"),
        ],
    )
    def test_it_says_how_many(self, baseline, candidate, found):
        expected = r"candidate\.ids: expected at least 80% of the smaller test set in both, and 50 examples, got "
        with pytest.raises(InputError, match=rf"{expected}{found}\."):
            compared("classes", baseline, candidate)

    def test_a_small_test_set_that_did_not_change_is_enough(self):
        assert compared("classes", np.arange(20), np.arange(20)).shared_examples is None

    def test_without_ids_nothing_is_shared(self):
        sides = [ConfusionMatrix.from_predictions(TRUE[:n], TRUE[:n]) for n in (N, N - 1)]
        with pytest.raises(InputError, match=r"Pass ids=\.\.\. to both sides"):
            compare(*sides, rope=0.02)
        assert compare(*(side.counts for side in sides), rope=0.02).model == "independent"
        with pytest.raises(InputError, match="Another test set than that of baseline"):
            compare(*(side.counts for side in sides), rope=0.02, on_new_test_set="error")


class TestRanking:
    def test_systems_are_ranked_on_what_all_have(self):
        places = {"a": OLD, "b": NEW, "c": np.arange(N)}
        systems = {name: of_classes(0.1, at) for name, at in places.items()}
        ranking = rank(systems, rope=0.02, n_draws=2_000)
        assert ranking.n_samples == BOTH.size
        assert "350 of 400 examples are in all test sets; the systems are ranked on these." in ranking.notes()
        by_hand = rank({name: of_classes(0.1, BOTH) for name in places}, rope=0.02, n_draws=2_000)
        assert ranking.expected_rank == by_hand.expected_rank

    def test_no_system_has_the_newer_truth(self):
        other = of_classes(0.1, np.arange(N), (TRUE + (np.arange(N) < 3)) % 3)
        with pytest.raises(InputError, match="3 examples with another"):
            rank({"a": of_classes(0.1, np.arange(N)), "b": other}, rope=0.02)

    @pytest.mark.parametrize(("policy", "found"), [("error", "ids only in"), ("independent", "the same examples")])
    def test_it_can_be_refused(self, policy, found):
        with pytest.raises(InputError, match=found):
            rank({"a": of_classes(0.1, OLD), "b": of_classes(0.1, NEW)}, rope=0.02, on_new_test_set=policy)


def test_the_same_test_set_is_left_as_it_is():
    sides = Sides.aligned(of_classes(0.1, OLD), of_classes(0.14, OLD[::-1]))
    assert sides.shared is sides
