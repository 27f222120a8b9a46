"""The tests beside a comparison, on the matrices of Zhang et al. 2015, against scipy's; and how often they cry wolf."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.frequentist import classical_tests

COMPARED = [("nb_bern", "nb_mult"), ("svm_l1", "svm_l2"), ("nb_mult", "svm_l2")]  # candidate, baseline


@pytest.fixture(params=COMPARED, ids=" vs ".join)
def examples(request, newsgroups):
    """The truth, the baseline's and the candidate's predictions; which of them pair up is made up."""
    candidate, baseline = (newsgroups[name] for name in request.param)
    classes = np.arange(20)
    true = classes.repeat(baseline.sum(axis=1))
    return true, *(np.concatenate([classes.repeat(row) for row in matrix]) for matrix in (baseline, candidate))


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


def test_s_test(examples):
    wins, losses = only_one_is_right(*examples)
    n = wins + losses
    found = run(*examples)["s-test"]
    assert (found.n, found.statistic) == (n, pytest.approx((wins - n / 2) / np.sqrt(n / 4)))
    assert found.p_value == pytest.approx(stats.norm.sf(abs(found.statistic)))


def test_s_test_of_few_examples_is_exact(examples):
    few = [column[::100] for column in examples]
    wins, losses = only_one_is_right(*few)
    found = run(*few)["s-test"]
    assert 0 < found.n == wins + losses <= 12
    side = "greater" if wins >= losses else "less"
    assert found.p_value == pytest.approx(stats.binomtest(wins, found.n, alternative=side).pvalue)


def test_macro_sign_test(examples):
    baseline, candidate = class_scores(*examples)
    found, wins = run(*examples)["S-test"], int((candidate > baseline).sum())
    side = "greater" if wins >= 10 else "less"
    exact = stats.binomtest(wins, 20, alternative=side).pvalue
    # no correction for continuity: off by one count's probability at most
    assert (found.n, found.p_value) == (20, pytest.approx(exact, abs=stats.binom.pmf(wins, 20, 0.5)))


def test_macro_t_test(examples):
    baseline, candidate = class_scores(*examples)
    expected = one_sided(candidate, baseline)
    found = run(*examples)["T-test"]
    assert (found.n, found.statistic) == (20, pytest.approx(expected.statistic))
    assert found.p_value == pytest.approx(expected.pvalue)


def test_macro_rank_test(examples):
    baseline, candidate = stats.rankdata(np.round(class_scores(*examples), 12), axis=None).reshape(2, 20)
    differ = candidate != baseline
    expected = one_sided(candidate[differ], baseline[differ])
    found = run(*examples)["T'-test"]
    assert (found.n, found.statistic) == (differ.sum(), pytest.approx(expected.statistic))
    assert found.p_value == pytest.approx(expected.pvalue)


def test_p_test_is_the_chi_squared_test_of_two_proportions(examples):
    true, *sides = examples
    right = np.array([accuracy_score(true, side, normalize=False) for side in sides])
    expected = stats.chi2_contingency([right, true.size - right], correction=False)
    found = run(*examples)["accuracy"]
    assert found.n == 2 * true.size
    assert found.statistic == pytest.approx(np.sign(right[1] - right[0]) * np.sqrt(expected.statistic))
    assert found.p_value == pytest.approx(expected.pvalue / 2)


@pytest.mark.parametrize("label", [0, 7, 19])
@pytest.mark.parametrize(("of", "score"), [("recall", recall_score), ("precision", precision_score)])
def test_p_tests_of_a_class(examples, of, score, label):
    true, *sides = examples
    shares = np.array([score(true, side, labels=[label], average="macro") for side in sides])
    trials = np.array([((true if of == "recall" else side) == label).sum() for side in sides])
    right = shares * trials
    expected = stats.chi2_contingency([right, trials - right], correction=False)
    found = run(*examples, f"f1[{label}]")[of]
    assert found.n == trials.sum()
    assert found.statistic == pytest.approx(np.sign(shares[1] - shares[0]) * np.sqrt(expected.statistic))
    assert found.p_value == pytest.approx(expected.pvalue / 2)


# docs/explanation/decisions.md: how often each test finds a difference, in per cent, when there is none
RUNS, DOCUMENTED_RUNS = 2_000, 20_000
EXAMPLES, ACCURACY, SAME = 2_000, 0.8, 0.7
FALSE_ALARMS = {
    2: {"s-test": 10.6, "p-test": 0.3},
    5: {"s-test": 10.0, "S-test": 15.6, "T-test": 23.4, "T'-test": 20.3, "p-test": 0.2},
    20: {"s-test": 9.7, "S-test": 19.1, "T-test": 22.0, "T'-test": 21.0, "p-test": 0.3},
}
ROUNDING = 0.0005


@pytest.mark.parametrize("n_classes", FALSE_ALARMS)
@pytest.mark.one_of_many
def test_false_alarms(n_classes):
    rng, measure = np.random.default_rng(n_classes), parse_measure("f1_macro", range(n_classes))
    alarms = Counter()
    for _ in range(RUNS):
        found = classical_tests(no_difference(n_classes, rng), measure)
        alarms.update(test.name for test in found if test.symbol != "~")
    for name, percent in FALSE_ALARMS[n_classes].items():
        rate = percent / 100
        error = np.sqrt(rate * (1 - rate) * (1 / RUNS + 1 / DOCUMENTED_RUNS))
        assert alarms[name] / RUNS == pytest.approx(rate, abs=4.5 * error + ROUNDING)


def no_difference(n_classes, rng):
    """Two classifiers that are right equally often, on the same examples; the second often repeats the first."""

    def predict():
        wrong = (true + rng.integers(1, n_classes, EXAMPLES)) % n_classes
        return np.where(rng.random(EXAMPLES) < ACCURACY, true, wrong)

    true = rng.integers(0, n_classes, EXAMPLES)
    baseline = predict()
    candidate = np.where(rng.random(EXAMPLES) < SAME, baseline, predict())
    return Experiment("paired", (OutcomeTable.tally(n_classes, true, baseline, candidate),))
