"""How much a score changes with each outcome's share, against closed forms."""

import numpy as np
import pytest

from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.stats.power import influences, slopes

LABELS = ("a", "b", "c")
COUNTS = np.array([[50, 13, 2], [4, 54, 2], [9, 4, 22]])


def found(measure):
    table = ConfusionMatrix(COUNTS, labels=LABELS).table
    return table, *influences(parse_measure(measure, LABELS), [table])


def test_of_accuracy_it_is_1_where_right():
    table, values = found("accuracy")
    assert values == pytest.approx(np.where(table.predicted[0] == table.true, 1.0, 0.0), abs=1e-4)


def test_of_recall_it_is_about_the_class_alone():
    table, values = found("recall[a]")
    right = (table.predicted[0] == 0) * 1.0 - 50 / 65
    assert values == pytest.approx(np.where(table.true == 0, right / (65 / 160), 0.0), abs=1e-4)


def test_a_function_has_the_influence_of_the_measure_that_it_computes():
    def f1_of_a(p):
        return 2 * p[..., 0, 0] / (p[..., 0, :].sum(axis=-1) + p[..., :, 0].sum(axis=-1))

    assert found(f1_of_a)[1] == pytest.approx(found("f1[a]")[1], abs=1e-4)


def test_the_slopes_by_errors_are_those_of_their_rows_and_columns():
    table = ConfusionMatrix(COUNTS, labels=LABELS).table
    measure = parse_measure("precision[b]", LABELS)
    joint = Joint.observed(table, measure.detail)
    joints = joint.towards(joint, np.array([0.0, 1.0]))
    by_errors, by_right = slopes(measure, joints, np.array([0]), np.array([1]))
    assert by_errors == pytest.approx(np.full((2, 1), -(54 / 71) / (71 / 160)), abs=1e-8)
    assert (by_right[0] == by_right[1]).all()
    assert by_right[0] == pytest.approx([0, (17 / 71) / (71 / 160), 0], abs=1e-8)
