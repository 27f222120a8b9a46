from collections import Counter
from dataclasses import asdict
from functools import partial

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from pytest_bayesf1 import (
    BetaPosterior,
    InputError,
    PairedOutcomes,
    f1_posterior,
    fbeta_draws,
    p_first_better,
    precision_posterior,
    recall_posterior,
)
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.frequentist import classical_tests, macro_rank_test, macro_t_test, micro_sign_test

COMPARED = [("nb_bern", "nb_mult"), ("svm_l1", "svm_l2"), ("nb_mult", "svm_l2")]  # candidate, baseline


def run(true, baseline, candidate, measure="f1_macro"):
    table = OutcomeTable.tally(20, true, baseline, candidate)
    found = classical_tests(Experiment("paired", (table,)), parse_measure(measure, range(20)))
    return {test.of or test.name: test for test in found}


def class_scores(true, *sides):
    return [f1_score(true, side, average=None) for side in sides]


def one_sided(candidate, baseline):
    """Student's paired test in the direction of the data."""
    side = "greater" if candidate.mean() > baseline.mean() else "less"
    return stats.ttest_rel(candidate, baseline, alternative=side)


def only_one_is_right(true, baseline, candidate):
    """Count the examples that only the candidate gets right, and those that only the baseline does."""
    return [
        int(((one == true) & (other != true)).sum()) for one, other in ((candidate, baseline), (baseline, candidate))
    ]


# docs/explanation/decisions.md rounds these: how often each test finds a difference, in per cent, when there is none
RUNS, DOCUMENTED_RUNS = 2_000, 20_000
EXAMPLES, ACCURACY, SAME = 2_000, 0.8, 0.7
FALSE_ALARMS = {
    2: {"s-test": 10.6, "p-test": 0.3},
    5: {"s-test": 10.0, "S-test": 15.6, "T-test": 23.4, "T'-test": 20.3, "p-test": 0.2},
    20: {"s-test": 9.7, "S-test": 19.1, "T-test": 22.0, "T'-test": 21.0, "p-test": 0.3},
}
ROUNDING = 0.0005


def no_difference(n_classes, rng):
    """Two classifiers that are right equally often, on the same examples; the second often repeats the first."""

    def predict():
        wrong = (true + rng.integers(1, n_classes, EXAMPLES)) % n_classes
        return np.where(rng.random(EXAMPLES) < ACCURACY, true, wrong)

    true = rng.integers(0, n_classes, EXAMPLES)
    baseline = predict()
    candidate = np.where(rng.random(EXAMPLES) < SAME, baseline, predict())
    return Experiment("paired", (OutcomeTable.tally(n_classes, true, baseline, candidate),))


class TestClassicalTests:
    """The tests beside a comparison, on the matrices of Zhang et al. 2015, against scipy's; and how often they cry
    wolf.
    """

    @pytest.fixture(params=COMPARED, ids=" vs ".join)
    def examples(self, request, newsgroups):
        """The truth, the baseline's and the candidate's predictions; which of them pair up is made up."""
        candidate, baseline = (newsgroups[name] for name in request.param)
        classes = np.arange(20)
        true = classes.repeat(baseline.sum(axis=1))
        return true, *(np.concatenate([classes.repeat(row) for row in matrix]) for matrix in (baseline, candidate))

    def test_s_test(self, examples):
        wins, losses = only_one_is_right(*examples)
        n = wins + losses
        found = run(*examples)["s-test"]
        assert (found.n, found.statistic) == (n, pytest.approx((wins - n / 2) / np.sqrt(n / 4)))
        assert found.p_value == pytest.approx(stats.norm.sf(abs(found.statistic)), abs=0)

    def test_s_test_of_few_examples_is_exact(self, examples):
        few = [column[::100] for column in examples]
        wins, losses = only_one_is_right(*few)
        found = run(*few)["s-test"]
        assert 0 < found.n == wins + losses <= 12
        side = "greater" if wins >= losses else "less"
        assert found.p_value == pytest.approx(stats.binomtest(wins, found.n, alternative=side).pvalue)

    def test_macro_sign_test(self, examples):
        baseline, candidate = class_scores(*examples)
        found, wins = run(*examples)["S-test"], int((candidate > baseline).sum())
        expected = stats.norm.sf(abs(wins - 10) / np.sqrt(5))  # of more than 12 classes, without continuity correction
        assert (found.n, found.p_value) == (20, pytest.approx(expected, abs=0))

    def test_macro_t_test(self, examples):
        baseline, candidate = class_scores(*examples)
        expected = one_sided(candidate, baseline)
        found = run(*examples)["T-test"]
        assert (found.n, found.statistic) == (20, pytest.approx(expected.statistic))
        assert found.p_value == pytest.approx(expected.pvalue)

    def test_macro_rank_test(self, examples):
        baseline, candidate = stats.rankdata(np.round(class_scores(*examples), 12), axis=None).reshape(2, 20)
        differ = candidate != baseline
        expected = one_sided(candidate[differ], baseline[differ])
        found = run(*examples)["T'-test"]
        assert (found.n, found.statistic) == (differ.sum(), pytest.approx(expected.statistic))
        assert found.p_value == pytest.approx(expected.pvalue)

    def test_p_test_is_the_chi_squared_test_of_two_proportions(self, examples):
        true, *sides = examples
        right = np.array([accuracy_score(true, side, normalize=False) for side in sides])
        expected = stats.chi2_contingency([right, true.size - right], correction=False)
        found = run(*examples)["accuracy"]
        assert found.n == 2 * true.size
        assert found.statistic == pytest.approx(np.sign(right[1] - right[0]) * np.sqrt(expected.statistic))
        assert found.p_value == pytest.approx(expected.pvalue / 2)

    @pytest.mark.parametrize("label", [0, 7, 19])
    @pytest.mark.parametrize(("of", "score"), [("recall", recall_score), ("precision", precision_score)])
    def test_p_tests_of_a_class(self, examples, of, score, label):
        true, *sides = examples
        shares = np.array([score(true, side, labels=[label], average="macro") for side in sides])
        trials = np.array([((true if of == "recall" else side) == label).sum() for side in sides])
        right = shares * trials
        expected = stats.chi2_contingency([right, trials - right], correction=False)
        found = run(*examples, f"f1[{label}]")[of]
        assert found.n == trials.sum()
        assert found.statistic == pytest.approx(np.sign(shares[1] - shares[0]) * np.sqrt(expected.statistic))
        assert found.p_value == pytest.approx(expected.pvalue / 2)

    @pytest.mark.parametrize("n_classes", FALSE_ALARMS)
    @pytest.mark.one_of_many
    def test_false_alarms(self, n_classes):
        rng, measure = np.random.default_rng(n_classes), parse_measure("f1_macro", range(n_classes))
        alarms = Counter()
        for _ in range(RUNS):
            found = classical_tests(no_difference(n_classes, rng), measure)
            alarms.update(test.name for test in found if test.symbol != "~")
        for name, percent in FALSE_ALARMS[n_classes].items():
            rate = percent / 100
            error = np.sqrt(rate * (1 - rate) * (1 / RUNS + 1 / DOCUMENTED_RUNS))
            assert alarms[name] / RUNS == pytest.approx(rate, abs=4.5 * error + ROUNDING)


POSTERIORS = {
    "precision": precision_posterior(3, 2),
    "recall": recall_posterior(7, 12, 1.0),
    "all right": precision_posterior(9, 0, 1.0),
    "none right": recall_posterior(0, 4, 1.0),
    "F1": f1_posterior(7, 3, 12),
    "F1 of many": f1_posterior(90_000, 4_000, 2_500),
    "F1 of few": f1_posterior(1, 2, 0),
    "F1 without hits, uniform": f1_posterior(0, 1, 3, 1.0),
    "F1 without data, uniform": f1_posterior(0, 0, 0, 1.0),
    "F1 without errors": f1_posterior(5, 0, 0),
    "F1, a = 1, b < 3": BetaPosterior(1.0, 1.4, of_f1=True),
}


def log_density(posterior, x):
    """Of the score, by a change of variables where it is F1 = 2 B / (1 + B)."""
    inner = stats.beta(posterior.a, posterior.b)
    if not posterior.of_f1:
        return inner.logpdf(x)
    return inner.logpdf(x / (2 - x)) + np.log(2) - 2 * np.log(2 - x)


class TestGoutteGaussier:
    """Goutte & Gaussier 2005: the closed forms against plain gamma draws and scipy; its Table 2 is in
    examples/papers.
    """

    def test_p_first_better_is_the_double_integral(self):
        first, second = precision_posterior(3, 2), recall_posterior(10, 4)
        expected, _ = integrate.quad(lambda x: stats.beta(3.5, 2.5).pdf(x) * stats.beta(10.5, 4.5).cdf(x), 0, 1)
        assert p_first_better(first, second) == pytest.approx(expected, abs=1e-6)
        assert p_first_better(second, first) == pytest.approx(1 - expected, abs=1e-6)

    @pytest.mark.parametrize("weight", [0.5, 1.0])
    def test_precision_and_recall_are_beta(self, weight):
        precision, recall = precision_posterior(7, 3, weight), recall_posterior(7, 12, weight)
        x = np.linspace(0.01, 0.99, 50)
        assert precision.cdf(x) == pytest.approx(stats.beta(7 + weight, 3 + weight).cdf(x))
        assert recall.quantile(x) == pytest.approx(stats.beta(7 + weight, 12 + weight).ppf(x))
        assert precision.mean == pytest.approx((7 + weight) / (10 + 2 * weight))

    @pytest.mark.parametrize(("tp", "fp", "fn"), [(7, 3, 12), (0, 2, 5), (40, 0, 0), (0, 0, 0)])
    def test_f1_in_closed_form_is_the_papers_gamma_ratio(self, tp, fp, fn):
        rng = np.random.default_rng(0)
        u, v = rng.gamma(tp + 0.5, 2, 50_000), rng.gamma(fp + fn + 1, 1, 50_000)
        posterior = f1_posterior(tp, fp, fn)
        assert stats.kstest(u / (u + v), posterior.cdf).pvalue > 1e-4
        assert posterior.mean == pytest.approx(np.mean(u / (u + v)), abs=4 * np.std(u / (u + v)) / np.sqrt(50_000))

    def test_f1_draws_follow_the_closed_form(self):
        draws = fbeta_draws(7, 3, 12, n_draws=50_000, rng=np.random.default_rng(1))
        assert stats.kstest(draws, f1_posterior(7, 3, 12).cdf).pvalue > 1e-4

    def test_fbeta_goes_from_precision_to_recall(self):
        rng = np.random.default_rng(2)
        precision = fbeta_draws(7, 3, 12, beta=0, n_draws=20_000, rng=rng)
        recall = fbeta_draws(7, 3, 12, beta=1e6, n_draws=20_000, rng=rng)
        assert stats.kstest(precision, precision_posterior(7, 3).cdf).pvalue > 1e-4
        assert stats.kstest(recall, recall_posterior(7, 12).cdf).pvalue > 1e-4

    @pytest.mark.parametrize(("n_1", "n_2"), [(9, 4), (0, 3), (12, 0), (0, 0), (40, 38)])
    def test_paired_outcomes_in_closed_form(self, n_1, n_2):
        posterior = PairedOutcomes.prior().updated(n_1, n_2, 30)
        harmonic = sum(1 / (k + 0.5) for k in range(n_1)) - sum(1 / (k + 0.5) for k in range(n_2))
        assert posterior.mean_log_odds == pytest.approx(harmonic)
        assert posterior.mean_difference == pytest.approx((n_1 - n_2) / (n_1 + n_2 + 30 + 1.5))
        density = stats.beta(n_1 + 0.5, n_2 + 0.5).pdf
        expected, error = integrate.quad(
            lambda angle: density(np.sin(angle) ** 2) * np.sin(2 * angle), np.pi / 4, np.pi / 2
        )
        assert posterior.p_first_better == pytest.approx(expected, abs=4 * error + 1e-12)
        assert asdict(posterior.summary()) == {
            "p_first_better": posterior.p_first_better,
            "mean_difference": posterior.mean_difference,
            "mean_log_odds": posterior.mean_log_odds,
        }

    @pytest.mark.parametrize("name", POSTERIORS)
    def test_the_mode_is_where_the_density_is_highest(self, name):
        posterior = POSTERIORS[name]
        grid = np.linspace(0, 1, 100_001)
        near = grid[np.nanargmax(log_density(posterior, grid))]
        found = optimize.minimize_scalar(
            lambda x: -log_density(posterior, x),
            bounds=(max(near - 1e-5, 0), min(near + 1e-5, 1)),
            method="bounded",
            options={"xatol": 1e-12},
        )
        assert posterior.mode == pytest.approx(found.x, abs=1e-6)
        width = posterior.quantile(0.975) - posterior.quantile(0.025)
        assert log_density(posterior, posterior.mode) >= log_density(posterior, grid).max() - 1e-9 * width

    @pytest.mark.parametrize("of_f1", [False, True])
    def test_the_density_is_infinite_at_an_end_that_no_data_contradict(self, of_f1):
        assert BetaPosterior(0.5, 4.5, of_f1).mode == 0
        assert BetaPosterior(4.5, 0.5, of_f1).mode == 1
        assert np.isnan(BetaPosterior(0.5, 0.5, of_f1).mode)

    def test_two_test_sets_add_up(self):
        in_sequence = PairedOutcomes.prior().updated(9, 4, 30).updated(2, 3, 5)
        assert in_sequence == PairedOutcomes.prior().updated(11, 7, 35)

    @pytest.mark.parametrize("count", [-1, np.nan, np.inf])
    def test_counts_that_are_none(self, count):
        counts, outcomes, rng = {"tp": 3, "fp": 1, "fn": 2}, PairedOutcomes.prior(), np.random.default_rng(0)
        for function, given in (
            (precision_posterior, {"tp": 3, "fp": 1, "weight": 1}),
            (recall_posterior, {"tp": 3, "fn": 2, "weight": 1}),
            (f1_posterior, {**counts, "weight": 1}),
            (partial(fbeta_draws, rng=rng), {**counts, "weight": 1, "beta": 2}),
            (outcomes.updated, {"only_first": 3, "only_second": 1, "same": 2}),
        ):
            for name in given:
                with pytest.raises(InputError, match=f"^{name}: expected a finite number that is not negative"):
                    function(**{**given, name: count})
        for place in range(3):
            with pytest.raises(InputError, match=f"^alpha_{place + 1}: expected"):
                PairedOutcomes.prior(tuple(np.insert([1.0, 1.0], place, count)))


class TestYangLiu:
    """Yang & Liu 1999, section 4: every test against scipy's; their Table 3 is in examples/papers."""

    @pytest.mark.parametrize(("wins", "losses"), [(0, 1), (5, 5), (3, 9), (12, 0), (6, 6), (7, 5)])
    def test_small_sign_tests_are_exact(self, wins, losses):
        side = "greater" if wins >= losses else "less"
        expected = stats.binomtest(wins, wins + losses, alternative=side).pvalue
        assert micro_sign_test(wins, losses).p_value == pytest.approx(expected, abs=1e-12)

    @pytest.fixture(params=[10, 41, 90])
    def class_scores(self, request):
        rng = np.random.default_rng(request.param)
        a = rng.uniform(0.3, 0.9, request.param)
        return a, a - rng.normal(0.02, 0.05, request.param)

    def test_macro_t_test_is_the_paired_t_test(self, class_scores):
        a, b = class_scores
        expected = stats.ttest_rel(a, b)
        result = macro_t_test(a, b)
        assert result.statistic == pytest.approx(expected.statistic)
        tail = stats.t(a.size - 1).sf if a.size <= 40 else stats.norm.sf
        assert result.p_value == pytest.approx(tail(abs(expected.statistic)))

    @pytest.mark.parametrize("size", [1, 2, 7, 12])
    @pytest.mark.parametrize("test", [macro_t_test, macro_rank_test])
    def test_differences_that_are_all_the_same_are_counted_by_their_sign(self, test, size):
        scores = np.linspace(0.3, 0.4, size)
        better, worse = test(scores + 0.2, scores), test(scores, scores + 0.2)
        assert (
            better.p_value == worse.p_value == pytest.approx(stats.binomtest(size, size, alternative="greater").pvalue)
        )
        assert better.statistic == -worse.statistic > 0
