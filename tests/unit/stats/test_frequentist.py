import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1 import ConfusionMatrix, PairedOutcomes
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.frequentist import classical_tests, paired_outcomes, proportion_test, significance

TRUE = np.repeat(np.arange(10), 4)
ONE_MISS_A_CLASS = np.where(np.arange(40) % 4 == 0, (TRUE + 1) % 10, TRUE)


def pairs(baseline, candidate):
    return Experiment("paired", (OutcomeTable.tally(10, TRUE, baseline, candidate),))


def matrices(baseline, candidate):
    return Experiment("independent", tuple(ConfusionMatrix(side).table for side in (baseline, candidate)))


def unpaired(baseline, candidate, measure="f1_macro"):
    return classical_tests(matrices(baseline, candidate), parse_measure(measure, range(len(baseline))))


def proportions(tests):
    return [test.of for test in tests if test.name == "p-test"]


ONE_CLASS = [[[70, 20, 10], [10, 60, 30], [0, 0, 100]], [[90, 0, 10], [40, 30, 30], [0, 0, 100]]]

LABELS = [[[[60, 20], [10, 10]], [[90, 0], [5, 5]]], [[[75, 5], [12, 8]], [[85, 5], [2, 8]]]]


class TestClassicalTests:
    def test_a_classifier_and_itself_do_not_differ(self):
        same = pairs(ONE_MISS_A_CLASS, ONE_MISS_A_CLASS)
        for test in classical_tests(same, parse_measure("f1_macro", range(10))):
            assert (test.symbol, test.statistic, test.p_value) == ("~", 0, 0.5)

    def test_classes_whose_errors_only_move_do_not_differ(self):
        tests = unpaired([[8, 0, 5], [0, 9, 0], [0, 0, 9]], [[8, 2, 3], [0, 9, 0], [0, 0, 9]])
        assert [test.n for test in tests] == [2, 2, 2, 62]

    def test_classes_that_change_alike_are_counted(self):
        tests = unpaired([[45, 5, 0], [0, 45, 5], [5, 0, 45]], [[40, 10, 0], [0, 40, 10], [10, 0, 40]])
        assert [test.p_value for test in tests[:3]] == [0.125, 0.125, 0.125]
        assert tests[3].p_value == pytest.approx(stats.norm.sf(0.1 / np.sqrt(0.85 * 0.15 * 2 / 150)))

    def test_two_classes_and_one_that_is_never_true_are_no_replications(self):
        both = matrices([[9, 1, 0], [2, 7, 1], [0, 0, 0]], [[8, 2, 0], [2, 8, 0], [0, 0, 0]])
        tests = classical_tests(both.without_unsupported_classes(), parse_measure("f1_macro", range(3)))
        assert [test.name for test in tests] == ["p-test"]

    @pytest.mark.parametrize(
        ("baseline", "candidate"),
        [
            ([[1, 0], [0, 1]], [[0, 1], [1, 0]]),
            ([[1, 0], [0, 0]], [[0, 0], [0, 1]]),
            ([[3, 0], [2, 0]], [[0, 3], [0, 2]]),
        ],
        ids=["all right, all wrong", "one example each", "one class each"],
    )
    def test_the_fewest_counts_have_companions(self, baseline, candidate):
        for test in unpaired(baseline, candidate):
            assert np.isfinite(test.statistic)
            assert 0 <= test.p_value <= 1

    @pytest.mark.parametrize("measure", ["f1[0]", "precision[0]", "recall[0]", "fbeta(2)[0]"])
    def test_a_measure_of_one_class_has_its_recall_and_precision_tested(self, measure):
        *_, accuracy, recall, precision = unpaired(*ONE_CLASS, measure)
        assert accuracy == proportion_test(220 / 300, 300, 230 / 300, 300, of="accuracy")
        assert recall == proportion_test(0.9, 100, 0.7, 100, of="recall")
        assert precision == proportion_test(90 / 130, 130, 70 / 80, 80, of="precision")

    def test_labels_have_micro_recall_and_precision(self):
        """1999: the trials of recall are the true YESes, those of precision the assigned ones."""
        experiment = Experiment("independent", tuple(OutcomeTable.of_labels(np.array(side)) for side in LABELS))
        *_, recall, precision = classical_tests(experiment, parse_measure("f1_macro", range(2), multilabel=True))
        assert recall == proportion_test(16 / 30, 30, 15 / 30, 30, of="micro-recall")
        assert precision == proportion_test(16 / 26, 26, 15 / 35, 35, of="micro-precision")

    def test_a_proportion_of_no_trials_is_not_tested(self):
        never_predicted = unpaired([[10, 0], [3, 0]], [[8, 2], [1, 2]], "f1")
        assert proportions(never_predicted) == ["accuracy", "recall"]
        unsupported = unpaired([[9, 1], [0, 0]], [[8, 2], [0, 0]], "f1")
        assert proportions(unsupported) == ["accuracy", "precision"]

    def test_paired_outcomes_are_those_that_one_side_alone_gets_right(self):
        assert paired_outcomes(pairs(ONE_MISS_A_CLASS, TRUE)) == PairedOutcomes(0.5 + 10, 0.5, 0.5 + 30)
        other_miss = np.where(np.arange(40) % 4 == 0, (TRUE + 2) % 10, TRUE)
        assert paired_outcomes(pairs(ONE_MISS_A_CLASS, other_miss)) == PairedOutcomes(0.5, 0.5, 40.5)

    def test_two_matrices_have_no_paired_outcomes_and_spans_no_test(self):
        assert paired_outcomes(matrices(*ONE_CLASS)) is None
        spans = Experiment.before_data("paired", 6, multilabel=True, spans=True)
        assert paired_outcomes(spans) is None
        assert classical_tests(spans, parse_measure("f1_micro", "abc", multilabel=True)) == ()


@pytest.mark.parametrize(
    ("statistic", "p_value", "symbol"),
    [(2, 0.01, ">>"), (0.5, 0.05, ">"), (-2, 0.001, "<<"), (-0.5, 0.02, "<"), (1, 0.06, "~")],
)
def test_symbols_at_the_bounds(statistic, p_value, symbol):
    assert significance("p-test", statistic, p_value, 9).symbol == symbol
