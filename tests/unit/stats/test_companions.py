import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.stats.companions import companions
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.outcomes import OutcomeTable

TRUE = np.repeat(np.arange(10), 4)
ONE_MISS_A_CLASS = np.where(np.arange(40) % 4 == 0, (TRUE + 1) % 10, TRUE)


def paired(baseline, candidate):
    return companions(Experiment("paired", (OutcomeTable.tally(10, TRUE, baseline, candidate),)))


def unpaired(baseline, candidate):
    tables = tuple(ConfusionMatrix(side).table for side in (baseline, candidate))
    return companions(Experiment("independent", tables))


def symbols(tests):
    return {test.name: test.symbol for test in tests}


def test_pairs_allow_every_test():
    assert [test.name for test in paired(TRUE, TRUE)] == ["s-test", "S-test", "T-test", "T'-test", "p-test"]


def test_two_matrices_do_not_say_which_side_alone_is_right():
    assert [test.name for test in unpaired(np.eye(3), np.eye(3))] == ["S-test", "T-test", "T'-test", "p-test"]


def test_the_greater_sign_favours_the_candidate():
    assert set(symbols(paired(ONE_MISS_A_CLASS, TRUE)).values()) == {">>"}
    assert set(symbols(paired(TRUE, ONE_MISS_A_CLASS)).values()) == {"<<"}


def test_what_each_test_counts():
    assert {test.name: test.n for test in paired(TRUE, ONE_MISS_A_CLASS)} == {
        "s-test": 10,
        "S-test": 10,
        "T-test": 10,
        "T'-test": 10,
        "p-test": 80,
    }


def test_a_classifier_and_itself_do_not_differ():
    for test in paired(ONE_MISS_A_CLASS, ONE_MISS_A_CLASS):
        assert (test.symbol, test.statistic, test.p_value) == ("~", 0, 0.5)


def test_classes_whose_errors_only_move_do_not_differ():
    tests = unpaired([[8, 0, 5], [0, 9, 0], [0, 0, 9]], [[8, 2, 3], [0, 9, 0], [0, 0, 9]])
    assert [test.n for test in tests] == [2, 2, 2, 62]


def test_classes_that_change_alike_are_counted():
    tests = unpaired([[45, 5, 0], [0, 45, 5], [5, 0, 45]], [[40, 10, 0], [0, 40, 10], [10, 0, 40]])
    assert [test.p_value for test in tests[:3]] == [0.125, 0.125, 0.125]
    assert tests[3].p_value == pytest.approx(stats.norm.sf(0.1 / np.sqrt(0.85 * 0.15 * 2 / 150)))


def test_two_classes_are_no_replications():
    assert [test.name for test in unpaired([[45, 5], [5, 45]], [[40, 10], [10, 40]])] == ["p-test"]


@pytest.mark.parametrize(
    ("baseline", "candidate"),
    [([[1, 0], [0, 1]], [[0, 1], [1, 0]]), ([[1, 0], [0, 0]], [[0, 0], [0, 1]]), ([[3, 0], [2, 0]], [[0, 3], [0, 2]])],
    ids=["all right, all wrong", "one example each", "one class each"],
)
def test_the_fewest_counts_have_companions(baseline, candidate):
    for test in unpaired(baseline, candidate):
        assert np.isfinite(test.statistic)
        assert 0 <= test.p_value <= 1
