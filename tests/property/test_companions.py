import numpy as np
import pytest
from hypothesis import given

from pytest_bayesf1.stats.companions import companions
from pytest_bayesf1.stats.counts import ConfusionMatrix
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.paired_counts import PairedCounts
from tests.property.strategies import confusion_matrices, examples


def assert_swapping_turns_the_signs(there, back):
    assert [test.name for test in there] == [test.name for test in back]
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
    there, back = (companions(Experiment("independent", sides)) for sides in (tables, tables[::-1]))
    assert_swapping_turns_the_signs(there, back)


@given(examples(max_classes=6, max_size=60))
def test_pairs(made):
    true, one, other = made.columns
    tables = (PairedCounts.from_predictions(true, *sides).table for sides in ((one, other), (other, one)))
    assert_swapping_turns_the_signs(*(companions(Experiment("paired", (table,))) for table in tables))
