import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import f1_score

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, Prior, Scores, assert_at_least, compare
from pytest_bayesf1.comparison.compare import run_comparison, run_estimate
from pytest_bayesf1.comparison.subject import MOST_CLASSES, f1_of_classes
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.errors import FewClustersWarning
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import TIMES, examples_needed

LARGE, WORSE = np.array([[4_000, 1_000], [500, 4_500]]), np.array([[3_950, 1_050], [500, 4_500]])
SMALL = np.array([[40, 10], [5, 45]])
FEW = 2_000


def run(baseline, candidate, **arguments):
    return compare(baseline, candidate, **{"rope": 0.01, "measure": "accuracy", "n_draws": FEW, **arguments})


def accuracy(p):
    return np.trace(p, axis1=-2, axis2=-1)


@pytest.fixture(scope="module")
def earlier():
    return run(LARGE, WORSE).as_prior()


class TestAsPrior:
    def test_the_result_names_what_its_prior_has_seen(self, earlier):
        result = run(SMALL, SMALL, prior=earlier)
        assert result.prior == result.to_dict()["prior"] == "jeffreys after 10,000 earlier examples"
        assert result.n_samples == (100, 100)
        assert result.baseline.observed == pytest.approx(0.85)
        assert run(SMALL, SMALL, prior=result.as_prior()).prior == "jeffreys after 10,100 earlier examples"

    def test_the_examples_that_are_needed_come_on_top_of_all_that_were_seen(self, earlier):
        result = run(SMALL, SMALL, prior=earlier)
        alone = run(LARGE + SMALL, WORSE + SMALL)
        assert result.decision == alone.decision == "?"
        assert result.examples_needed == alone.examples_needed
        assert result.examples_needed.equivalent > 10_100

    def test_as_many_times_as_there_are_of_the_side_that_has_fewer(self):
        for sides in ((SMALL, LARGE), (LARGE, SMALL)):
            found = run(*sides)
            expected = examples_needed(found, Rope(*found.rope), 100 * TIMES, TIMES)
            assert found.examples_needed == expected

    def test_an_estimate_is_not_pulled_by_what_was_seen(self):
        before = run_estimate(LARGE, 0.5, n_draws=FEW).as_prior()
        result = run_estimate([[4, 4], [4, 4]], 0.5, prior=before, n_draws=FEW)
        assert result.pull > 10
        assert not any("moves the posterior mean" in note for note in result.notes())

    def test_the_prior_of_the_bayes_factor_is_the_posterior_of_the_earlier_set(self, earlier):
        """The second set hardly changes the odds, whatever the first one did to them."""
        assert run(LARGE, WORSE).bayes_factor > 4
        assert run(SMALL, SMALL, prior=earlier, n_draws=20_000).bayes_factor == pytest.approx(1, abs=0.2)

    @pytest.mark.parametrize("measure", ["accuracy", accuracy], ids=["by name", "a function"])
    def test_another_prior_s_density_has_not_seen_the_earlier_set(self, earlier, measure):
        result = run(SMALL, SMALL, prior=earlier, measure=measure)
        factor = result.savage_dickey("uniform")
        # under the uniform prior delta is spread over most of (-1, 1), after 10,000 examples over a few hundredths
        assert factor.value > 20 * result.bayes_factor_sd
        assert factor.value == pytest.approx(
            run(SMALL, SMALL, prior=earlier, measure="accuracy").savage_dickey("uniform").value, rel=0.1
        )

    def test_a_prior_of_other_hyper_parameters_serves_below_the_line(self):
        result = run(SMALL, SMALL, prior="hierarchical", seed=3, n_draws=20_000)
        own, same, wider = (
            result.savage_dickey(prior)
            for prior in ("hierarchical", Prior.named("hierarchical"), Prior.named("hierarchical", alpha=(0.1, 0.1)))
        )
        assert own.value == same.value == pytest.approx(result.bayes_factor_sd, rel=1e-12)
        assert wider.value != own.value

    def test_a_prior_with_counts_does_not(self, earlier):
        with pytest.raises(InputError, match=r"prior: The prior has observed counts\. Take one of Prior\.named"):
            run(SMALL, SMALL).savage_dickey(earlier)


def test_evidence_adds_up_where_a_class_comes_later():
    y_true, y_pred = ["a", "b"] * 50, ["a", "b"] * 45 + ["b", "c"] * 5
    first = PairedCounts.from_predictions(y_true, y_pred, y_pred, labels=["a", "b", "c"])
    later = PairedCounts.from_predictions(["c", "c", *y_true], ["c", "a", *y_pred], ["c", "c", *y_pred])
    columns = [*y_true, "c", "c", *y_true], [*y_pred, "c", "a", *y_pred], [*y_pred, "c", "c", *y_pred]
    both = PairedCounts.from_predictions(*columns)
    prior = run_comparison(first, rope=0.05, prior="hierarchical", n_draws=2_000).as_prior()
    in_turn = run_comparison(later, rope=0.05, prior=prior, n_draws=2_000)
    together = run_comparison(both, rope=0.05, prior="hierarchical", n_draws=2_000)
    assert in_turn.unsupported == together.unsupported == ()
    assert in_turn.delta.tolist() == together.delta.tolist()


def test_of_many_classes_those_that_changed_most_are_shown():
    true = np.repeat(np.arange(MOST_CLASSES + 50), 4)
    worse = np.where((true >= 50) & (np.arange(true.size) % 4 == 0), (true + 1) % true.max(), true)
    many = Experiment("paired", (OutcomeTable.tally(MOST_CLASSES + 50, true, true, worse),))
    chosen = [each.class_index for each in f1_of_classes(many).measures]
    assert len(chosen) == MOST_CLASSES
    assert np.isin(np.arange(52, MOST_CLASSES + 50), chosen).all()


NOISE = np.random.default_rng(1)
TRUTH = np.arange(400) % 2
SHARED = NOISE.normal(size=400)
GIVEN = [1 / (1 + np.exp(-(2 * TRUTH - 1 + SHARED + noise * NOISE.normal(size=400)))) for noise in (0.3, 0.4)]
BASELINE, CANDIDATE = (Scores.from_predictions(TRUTH, given) for given in GIVEN)
PERCENT = Scores.from_predictions(TRUTH, 2 + 98 * GIVEN[0])
NO_SHARES = Scores.from_predictions([0, 1, 2] * 3, np.eye(3)[[0, 1, 2] * 3] * 0.5)
IN_CLUSTERS = [ConfusionMatrix.from_predictions(TRUTH, TRUTH, clusters=np.arange(400) // 2)] * 2
AUC = {"measure": "roc_auc", "rope": 0.05, "n_draws": 2_000}


class TestSubjects:
    @pytest.mark.parametrize("positive", [0, 1])
    def test_at_a_threshold_scores_are_predicted_classes(self, positive):
        scores = [given if positive else 1 - given for given in GIVEN]
        sides = [Scores.from_predictions(TRUTH, {positive: given}) for given in scores]
        found = compare(*sides, measure="f1@0.6", rope=0.05)
        plain = compare(*(side.at(0.6) for side in sides), measure=f"f1[{positive}]", rope=0.05)
        np.testing.assert_array_equal(found.delta, plain.delta)
        assert (found.measure, found.measure_words) == ("f1@0.6", f"F1 of {positive} at 0.6")
        predicted = np.where(scores[0] >= 0.6, positive, 1 - positive)
        alone = run_estimate(sides[0], measure="f1@0.6", n_draws=FEW).score
        expected = pytest.approx(f1_score(TRUTH, predicted, pos_label=positive))
        assert found.baseline.observed == alone.observed == expected

    @pytest.mark.parametrize(
        ("sides", "changes", "expected"),
        [
            ((BASELINE, CANDIDATE), {"measure": None}, r"measure: expected a measure of scores .*'f1_macro@0.5'"),
            ((BASELINE, CANDIDATE.at(0.5)), {}, "candidate: expected Scores, as baseline, got ConfusionMatrix"),
            (([[1, 2], [3, 4]], CANDIDATE), {}, "candidate: expected ConfusionMatrix, as baseline, got Scores"),
            ((CANDIDATE.at(0.5),) * 2, {"measure": "f1@0.5"}, "'f1@0.5', which is about scores"),
            ((BASELINE, CANDIDATE), {"prior": "nested"}, "prior: expected 'auto' for scores"),
            ((BASELINE, CANDIDATE), {"engine": "pymc"}, "engine: expected 'exact' for scores"),
            ((BASELINE, CANDIDATE), {"model": "same-set"}, "model: expected 'paired' or 'independent' for scores"),
            (IN_CLUSTERS, {"measure": None, "engine": "pymc"}, "engine: expected 'exact' for clusters, got 'pymc'"),
            (IN_CLUSTERS, {"measure": None, "model": "same-set"}, "model: expected 'paired' or 'independent' for clus"),
            (
                (BASELINE, PERCENT),
                {"measure": "neg_log_loss"},
                r"^candidate, y_score: 400 of 400 .*first at position 0",
            ),
            ((NO_SHARES, NO_SHARES), {"measure": "neg_brier_score"}, "^baseline, y_score: 9 of 9 are without a sum"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, sides, changes, expected):
        with pytest.raises(InputError, match=expected):
            compare(*sides, **AUC | changes)

    def test_a_posterior_of_scores_is_no_prior(self):
        with pytest.raises(InputError, match="as_prior: A posterior of scores is no prior"):
            compare(BASELINE, CANDIDATE, **AUC).as_prior()


N = 200
RNG = np.random.default_rng(2)
TRUE = RNG.integers(3, size=N)
OLD = np.where(RNG.random(N) < 0.8, TRUE, RNG.integers(3, size=N))
NEW = np.where(RNG.random(N) < 0.9, OLD, RNG.integers(3, size=N))
CLUSTER = np.arange(N) // 2
ASKED = {"rope": 0.01, "n_draws": 2_000}


def sides(**given):
    return [ConfusionMatrix.from_predictions(TRUE, y_pred, **given) for y_pred in (OLD, NEW)]


def trainings(n):
    rng = np.random.default_rng(4)
    return np.stack([np.where(rng.random(N) < 0.5 + 0.08 * k, TRUE, 0) for k in range(n)], axis=1)


class TestClusters:
    def test_a_result_names_its_units(self):
        found = compare(*sides(clusters=pd.Series(CLUSTER, name="doc_id")), **ASKED)
        clusters = found.clusters
        assert (clusters.noun, clusters.holding) == ("clusters", "examples")
        assert (clusters.n, clusters.runs, clusters.trainings) == ((100, 100), (1, 1), (0, 0))
        assert f"100 clusters, 200 examples, design effect {clusters.design_effect:.2g}" in found.notes()[0]
        assert (found.classical_tests, found.paired_outcomes, found.prior) == ((), None, "nested")
        other = compare(*sides(clusters=CLUSTER), **ASKED, seed=1)
        assert other.clusters.independent_hdi != clusters.independent_hdi

    def test_the_design_effect_is_the_ratio_of_variances(self):
        copied = [np.repeat(each, 3) for each in (TRUE, OLD, NEW, np.arange(N))]
        thrice = [ConfusionMatrix.from_predictions(copied[0], y_pred, clusters=copied[3]) for y_pred in copied[1:3]]
        found = compare(*thrice, rope=0.01)
        # 3 but for the prior, which is worth as much beside clusters, makes 3.33; 4,000 draws know it to 2.4%
        assert found.clusters.design_effect == pytest.approx(3.33, rel=4 * 0.024)
        assert np.ptp(found.clusters.independent_hdi) < 0.7 * np.ptp(found.hdi)

    def test_two_test_sets_have_units_of_their_own(self):
        other = ConfusionMatrix.from_predictions(TRUE[:100], NEW[:100], clusters=CLUSTER[:100])
        found = compare(sides(clusters=CLUSTER)[0], other, model="independent", **ASKED)
        assert found.clusters.n == found.clusters.n_equal == (100, 50)

    def test_trainings_of_a_recipe_add_their_own_spread(self):
        recipe = trainings(5)
        asked = {"measure": "accuracy", "rope": 0.01}
        one = compare(sides()[0], ConfusionMatrix.from_predictions(TRUE, recipe, runs="samples"), **asked)
        found = compare(sides()[0], ConfusionMatrix.from_predictions(TRUE, recipe, runs="seeds"), **asked)
        scores = (recipe == TRUE[:, None]).mean(axis=0)
        error = scores.std(ddof=1) / np.sqrt(5)
        # a t distribution of 4 degrees of freedom has twice its scale's variance
        np.testing.assert_allclose(found.std**2, one.std**2 + 2 * error**2, rtol=0.15)
        assert found.mean == pytest.approx(one.mean, abs=6 * found.mcse)
        assert found.clusters.trainings == (0, 5)
        assert one.clusters.runs == (1, 5)

    def test_few_units_warn_and_fewer_are_refused(self):
        with pytest.warns(FewClustersWarning, match="20 clusters are few"):
            compare(*sides(clusters=CLUSTER % 20), **ASKED)
        big = np.concatenate([np.zeros(100, int), 10 + np.arange(100)])
        with pytest.raises(InputError, match=r"got 101 clusters that tell as much as 4\.0 of one size\. The largest"):
            compare(*sides(clusters=big), **ASKED)
        enough, few = (sides(clusters=each)[0] for each in (CLUSTER, CLUSTER % 9))
        for both in ((enough, few), (few, enough)):
            with pytest.raises(InputError, match="clusters: expected at least 10 clusters, got 9 clusters"):
                compare(*both, model="independent", **ASKED)


@pytest.mark.parametrize("n", [1, 9])
def test_too_few_values_have_no_likely_range(n):
    baseline, candidate = (Scores.from_values([value] * n) for value in (0.5, 0.9))
    said = rf"{n} examples? cannot tell how far values vary. Pass at least 10"
    for sides in ((baseline, candidate), (Scores.from_values([1] * n), candidate)):
        for model in ("paired", "independent"):
            with pytest.raises(InputError, match=said):
                compare(*sides, measure="mean", rope=0.02, model=model)
    with pytest.raises(InputError, match=said):
        assert_at_least(candidate, 0.8, measure="mean")


@pytest.mark.parametrize("measure", ["neg_log_loss", "neg_brier_score"])
def test_too_few_losses_have_no_likely_range_either(measure):
    few, enough = (
        [Scores.from_predictions([0, 1] * n, scores * n) for scores in ([0.1, 0.9], [0.2, 0.7])] for n in (4, 5)
    )
    with pytest.raises(InputError, match=r"y_score: 8 examples cannot tell how far losses vary\. Pass at least 10\.$"):
        compare(*few, measure=measure, rope=0.02)
    assert compare(*enough, measure=measure, rope=0.02).n_samples == (10, 10)
    assert compare(*few, measure="roc_auc", rope=0.02).n_samples == (8, 8)
