import json
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import beta, chi2_contingency

from pytest_bayesf1 import ConfusionMatrix, InputError, MultilabelCounts, PairedCounts, Scores
from pytest_bayesf1.comparison.arguments import ARGUMENTS, Prevalence
from pytest_bayesf1.comparison.compare import ComparisonTask, run_comparison, run_estimate
from pytest_bayesf1.comparison.design import MovedClass, design_comparison, moved_class
from pytest_bayesf1.results.policy import Decision
from pytest_bayesf1.words.notes import data_warnings

# 0.7% and 1.9% of the examples are vandalism; the candidate is worse at either share, and looks better at both
RARE = ConfusionMatrix([[9_870, 60], [20, 50]], labels=["fine", "vandal"])
LESS_RARE = ConfusionMatrix([[9_710, 100], [40, 150]], labels=["fine", "vandal"])
DEMANDS = {"measure": "f1[vandal]", "rope": 0.01}
LABELLED = MultilabelCounts([[[90, 10], [10, 50]], [[60, 20], [30, 50]]])
THREE, TWO_OF_THREE = [[5, 1, 1], [1, 5, 1], [1, 1, 5]], [[5, 1, 1], [1, 5, 1], [0, 0, 0]]


def run(*sides, **arguments):
    return run_comparison(*sides, **{**DEMANDS, **arguments})


def drawn(n, rng, shares, p_right=0.8):
    true = rng.choice(len(shares), p=shares, size=n)
    return true, np.where(rng.random(n) < p_right, true, rng.integers(0, len(shares), n))


@pytest.mark.parametrize(
    ("given", "text", "phrase"),
    [
        ("test-set", "test-set", ""),
        ("baseline", "baseline", "at the baseline's class shares"),
        ("fraud=0.01", "fraud=0.01", "at 1% fraud"),
        ({"fraud": 0.01}, "fraud=0.01", "at 1% fraud"),
        ("fraud = 0.01", "fraud=0.01", "at 1% fraud"),
        ("a=b=0.25,c=0.5", "a=b=0.25,c=0.5", "at 25% a=b and 50% c"),
        ({1: 0.05}, "1=0.05", "at 5% of class 1"),
        ({True: np.float64(0.05)}, "True=0.05", "at 5% True"),
    ],
)
def test_words_and_shares(given, text, phrase):
    found = Prevalence.of(given)
    assert (str(found), found.phrase) == (text, phrase)
    assert Prevalence.of(str(found)) == found
    assert Prevalence.of(found) is found


NO_SHARES = "test-set, baseline, candidate, or shares of classes such as"
NO_SHARE = "a share between 0 and 1 such as 0.01"


@pytest.mark.parametrize(
    ("given", "expected", "found"),
    [
        *((value, NO_SHARES, repr(value)) for value in ("production", "", {}, 0.01)),
        ("fraud=1%", NO_SHARE, "'1%'"),
        ("fraud=1", NO_SHARE, "1.0"),
        ("fraud=0", NO_SHARE, "0.0"),
        ("fraud=0.008..0.012", NO_SHARE, "'0.008..0.012'"),
        *(({"fraud": value}, NO_SHARE, repr(value)) for value in ([0.1, 0.2], float("nan"), True)),
        ({"a": 0.6, "b": 0.5}, "shares that sum to 1 at most", "1.1"),
        ("a=0.1,a=0.2", "each class once", "'a' 2 times"),
        ({1: 0.1, "1": 0.2}, "each class once", "'1' 2 times"),
    ],
)
def test_what_is_no_prevalence(given, expected, found):
    with pytest.raises(InputError) as caught:
        ARGUMENTS["prevalence"].check(given)
    assert caught.value.where.startswith("prevalence")
    assert caught.value.expected.startswith(expected)
    assert caught.value.found == found


class TestAtPrevalence:
    @pytest.mark.parametrize("model", ["paired", "same-set"])
    def test_the_same_test_set_keeps_its_shares(self, model):
        true, predicted = drawn(200, np.random.default_rng(0), [0.7, 0.2, 0.1])
        pairs = PairedCounts.from_predictions(true, predicted, np.roll(predicted, 1))
        asked = {"measure": "f1_macro", "rope": 0.01, "n_draws": 1_000, "model": model}
        kept = run_comparison(pairs, **asked)
        for word in ("test-set", "baseline", "candidate"):
            found = run_comparison(pairs, prevalence=word, **asked)
            np.testing.assert_array_equal(found.delta, kept.delta)
            assert (found.prevalence, found.measure_words) == (word, kept.measure_words)

    def test_a_measure_that_depends_on_no_shares_says_so(self):
        found = run(RARE, LESS_RARE, measure="balanced_accuracy", prevalence="vandal=0.5")
        assert "prevalence has no effect on balanced accuracy." in found.notes()
        for asked in ({"prevalence": "vandal=0.5"}, {"measure": "balanced_accuracy"}):
            assert not any("no effect" in note for note in run(RARE, LESS_RARE, **asked).notes())

    @pytest.mark.parametrize(
        ("prevalence", "shares"),
        [
            ({2: 0.1}, [0.9 * 98 / 225, 0.9 * 127 / 225, 0.1]),
            ({1: 0.7, 2: 0.2, 0: 0.1}, [0.1, 0.7, 0.2]),  # in this order they sum to 1 - 1e-16
        ],
    )
    def test_every_class_has_its_share_on_both_sides(self, prevalence, shares):
        sides = np.array([[50, 10, 0], [4, 36, 5], [0, 20, 80]]), np.array([[30, 5, 3], [10, 60, 12], [2, 8, 31]])
        found = run(*sides, measure="f1[2]", prevalence=prevalence, model="independent")
        for side, score in zip(sides, (found.baseline, found.candidate), strict=True):
            p = side / side.sum(axis=1, keepdims=True) * np.array(shares)[:, None]
            assert score.observed == pytest.approx(2 * p[2, 2] / (p[2].sum() + p[:, 2].sum()), abs=1e-5)
        assert (found.classical_tests, found.paired_outcomes) == ((), None)  # which know of no other shares
        (shown,) = (each for each in found.classes if each.label == 2)
        assert shown.n_samples == (100, 41)
        assert (shown.baseline, shown.candidate) == pytest.approx((found.baseline.observed, found.candidate.observed))

    @pytest.mark.parametrize(
        ("sides", "prevalence", "said"),
        [
            ((RARE, LESS_RARE), "vandal=0.1,fine=0.3", "sum to 1, as they name all classes, got 0.4"),
            ((THREE, THREE), "1=0.4,0=0.6", "sum to less than 1, as there are other classes, got 1"),
            ((THREE, THREE), {"1": 0.1, "1.0": 0.2}, "a class among 0, 1, 2, got '1.0'"),
            ((TWO_OF_THREE, THREE), {2: 0.1}, "no example of class 2 in the test set of the baseline"),
            ((THREE, TWO_OF_THREE), "baseline", "no example of class 2 in the test set of the candidate"),
            ((LABELLED, LABELLED), "0=0.1", "the data are several labels per example"),
        ],
    )
    def test_shares_that_cannot_be(self, sides, prevalence, said):
        with pytest.raises(InputError, match=f"^prevalence: .*{said}"):
            run(*sides, measure="accuracy", prevalence=prevalence)

    def test_the_rest_is_divided_as_surely_as_clusters_tell(self):
        """Of 40% of class 2 all are right, and of the rest those of class 0: as many as a beta variable says."""
        cluster = np.repeat(np.arange(300), 20)
        true = (np.arange(300) % 3)[cluster]
        side = ConfusionMatrix.from_predictions(true, np.where(true == 1, 2, true), clusters=cluster)
        score = run_estimate(side, 0.5, measure="accuracy", prevalence={2: 0.4}).score
        assert score.std == pytest.approx(0.6 * beta(100, 100).std(), rel=0.1)

    def test_only_classes_of_the_side_whose_shares_they_are_must_be_on_the_other(self):
        found = run(THREE, TWO_OF_THREE, measure="accuracy", prevalence="candidate", n_draws=1_000)
        assert found.prevalence == "candidate"


class TestMovedClass:
    @pytest.mark.parametrize("seed", range(20))
    def test_the_test_is_that_of_scipy(self, seed):
        rng = np.random.default_rng(seed)
        shares = rng.dirichlet([5, 5, 5])
        totals = rng.multinomial(400, shares), rng.multinomial(300, rng.dirichlet(60 * shares))
        sides = [np.diag(each) for each in totals]
        p_value = chi2_contingency(totals, correction=False).pvalue
        before, after = (each / each.sum() for each in totals)
        differs = p_value < 0.01 and (np.abs(after / before - 1) > 0.1).any()
        found = moved_class(design_comparison(*sides, "independent"))
        assert (found is not None) == differs
        if found is not None:
            code = int(found.label)
            np.testing.assert_allclose([found.baseline, found.candidate], [before[code], after[code]])
            assert abs(after[code] / before[code] - 1) > 0.1

    @pytest.mark.parametrize(("after", "moved"), [(540_000, False), (560_000, True), (440_000, True)])
    def test_a_significant_change_of_less_than_a_tenth_is_none(self, after, moved):
        sides = np.diag([500_000, 500_000]), np.diag([after, 1_000_000 - after])
        assert (moved_class(design_comparison(*sides, "independent")) is not None) == moved

    def test_a_class_that_changed_by_less_does_not_hide_one_that_changed_by_more(self):
        """The first class differs most clearly, by 9%; the second by 11%."""
        sides = np.diag([50_000, *[5_000] * 10]), np.diag([45_500, 5_560, *[5_438] * 9])
        assert moved_class(design_comparison(*sides, "independent")).label == 1

    def test_a_class_that_neither_has_does_not_count(self):
        sides = np.diag([240, 160, 0]), np.diag([278, 122, 0])  # p is 0.005, and 0.02 with one class more
        assert moved_class(design_comparison(*sides, "independent")) is not None

    def test_clusters_count_by_their_design_effect(self):
        cluster, sides = np.repeat(np.arange(40), 25), []
        for n_positive in (14, 24):
            true = (np.arange(40) < n_positive).astype(int)[cluster]  # examples of a cluster are of one class
            said = np.where(np.arange(1_000) % 3 == 0, 1 - true, true)  # and errors of either
            sides.append(ConfusionMatrix.from_predictions(true, said, clusters=cluster))
        assert moved_class(design_comparison(*sides, "independent")) is None
        apart = [ConfusionMatrix(side.counts) for side in sides]
        assert moved_class(design_comparison(*apart, "independent")) is not None

    @pytest.mark.parametrize(
        ("tested", "equal", "decides"),
        [
            ("≫", [(0.2, "≫"), (0.1, "?")], False),
            ("≪", [(-0.2, "?"), (-0.1, "≪")], False),
            ("≫", [(0.2, "≫"), (-0.1, "?")], True),
            ("<", [(0.1, "?"), (-0.2, "≪")], True),
            (">", [(0.1, "<"), (0.2, "≫")], True),
            ("<", [(-0.2, "<"), (-0.1, "≈")], True),
            ("?", [(-0.2, "?"), (0.1, "≈")], False),
            ("≈", [(-0.2, "≈"), (0.1, ">")], False),
        ],
    )
    def test_a_side_that_was_taken_depends_on_shares_where_either_says_otherwise(self, tested, equal, decides):
        tested, *equal = (SimpleNamespace(mean=mean, decision=Decision(sign)) for mean, sign in ((0.3, tested), *equal))
        found = MovedClass("b", 0.3, 0.1).effect(tested, equal)
        assert (found.label, found.baseline, found.candidate, found.decides) == ("b", 0.3, 0.1, decides)
        assert (found.at_baseline, found.at_candidate) == tuple(each.mean for each in equal)
        assert found.decision == tested.decision


class TestUndecided:
    def test_a_decision_whose_sign_depends_on_the_shares(self):
        found = run(RARE, LESS_RARE)
        shares = found.class_shares
        assert (found.decision, found.decision_words, found.examples_needed.not_worse) == ("?", "undecided", None)
        assert (shares.label, shares.baseline, shares.candidate) == ("vandal", 0.007, 0.019)
        assert (shares.decision, shares.decides, found.shares_decide) == (">>", True, True)
        for word, at in (("baseline", shares.at_baseline), ("candidate", shares.at_candidate)):
            equal = run(RARE, LESS_RARE, prevalence=word)
            assert (equal.class_shares, equal.shares_decide) == (None, False)
            assert abs(equal.mean - at) < 5 * equal.std / np.sqrt(4_000)
        assert found.mean == run(RARE, LESS_RARE, prevalence="test-set").mean
        (there,), (back,) = (map(str, data_warnings(each)) for each in (found, run(LESS_RARE, RARE)))
        assert "vandal rose from 0.7% to 1.9%" in there
        assert "vandal fell from 1.9% to 0.7%" in back
        assert json.loads(json.dumps(found.to_dict()))["class_shares"]["decision"] == "≫"

    def test_measures_that_depend_on_no_shares_are_left_alone(self):
        rng, sides = np.random.default_rng(3), []
        for share in (0.2, 0.5):
            true = (rng.random(1_000) < share).astype(int)
            sides.append(Scores.from_predictions(true, (rng.random(1_000) + 0.3 * true) / 1.3))
        scores = {
            measure: run(*sides, measure=measure, model="independent").class_shares
            for measure in ("roc_auc", "average_precision", "f1@0.5")
        }
        assert scores["roc_auc"] is None
        assert {scores[measure].label for measure in ("average_precision", "f1@0.5")} == {1}
        assert abs(scores["average_precision"].at_baseline) < 0.05  # the two rank alike

    def test_of_several_measures_each_has_its_own(self):
        """By F1 of either class, and by one between them that depends on no shares, on the same draws."""
        measures = ["f1[fine]", "specificity[vandal]", "f1[vandal]"]
        task = ComparisonTask.of(RARE, LESS_RARE, rope=0.01)
        found = [each.class_shares for each in task.answers([task.measure(each) for each in measures])]
        assert found == [run(RARE, LESS_RARE, measure=each).class_shares for each in measures]
        assert [each is None for each in found] == [False, True, False]

    def test_pairs_and_several_labels_are_left_alone(self):
        true, predicted = drawn(300, np.random.default_rng(4), [0.5, 0.5])
        pairs = PairedCounts.from_predictions(true, predicted, true)
        assert run_comparison(pairs, measure="f1_macro", rope=0.01).class_shares is None
        labels = [MultilabelCounts([[[90, 10], [10, 50]], [[150 - n, 0], [0, 10 + n]]]) for n in (10, 90)]
        assert run(*labels, measure="f1_micro").class_shares is None

    @pytest.mark.parametrize("order", [1, -1])
    def test_a_class_that_one_test_set_lacks_has_to_be_declared_unless_it_is_rare(self, order):
        lacking = ConfusionMatrix([[90, 10, 0], [5, 95, 0], [0, 0, 0]])
        for n, refused in ((1, False), (90, True)):
            both = ([[50, 5, 0], [5, 50, 5], [0, 1, n]], lacking)[::order]
            side = ("candidate", "baseline")[::order][0]
            if refused:
                with pytest.raises(InputError, match=rf"^{side}: Class 2 has 91 examples .* none in the {side}'s"):
                    run(*both, measure="accuracy")
            given = {"prevalence": "test-set"} if refused else {}
            assert run(*both, measure="accuracy", **given).class_shares is None
