import numpy as np
import pytest
from hypothesis import given

from pytest_bayesf1.data.confusion import ConfusionMatrix
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.stats.frequentist import classical_tests, paired_outcomes
from tests.property.strategies import confusion_matrices, examples


def assert_swapping_turns_the_signs(there, back):
    assert [(test.name, test.of) for test in there] == [(test.name, test.of) for test in back]
    for one, other in zip(there, back, strict=True):
        assert np.isfinite(one.statistic)
        assert 0 <= one.p_value <= 1
        assert one.n == other.n >= 0
        assert one.statistic == pytest.approx(-other.statistic)
        assert one.p_value == pytest.approx(other.p_value)
        assert one.symbol == other.symbol.translate(str.maketrans("<>", "><"))


@given(confusion_matrices(), confusion_matrices())
def test_matrices(one, other):
    size = max(len(one), len(other))
    tables = tuple(ConfusionMatrix(each).table.relabelled(range(len(each)), size) for each in (one, other))
    experiments = [Experiment("independent", sides) for sides in (tables, tables[::-1])]
    for name in ("f1_macro", "f1[0]"):
        measure = parse_measure(name, range(size))
        assert_swapping_turns_the_signs(*(classical_tests(experiment, measure) for experiment in experiments))


@given(examples(max_classes=6, max_size=60))
def test_pairs(made):
    true, one, other = made.columns
    tables = [PairedCounts.from_predictions(true, *sides).table for sides in ((one, other), (other, one))]
    experiments = [Experiment("paired", (table,)) for table in tables]
    measure = parse_measure("f1_macro", range(tables[0].n_classes))
    assert_swapping_turns_the_signs(*(classical_tests(experiment, measure) for experiment in experiments))
    there, back = (paired_outcomes(experiment) for experiment in experiments)
    assert there.p_first_better == pytest.approx(1 - back.p_first_better)
    assert (there.mean_difference, there.mean_log_odds) == (-back.mean_difference, -back.mean_log_odds)
