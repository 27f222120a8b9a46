import numpy as np

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Proportion, parse_measure, proportions

CLASSES = OutcomeTable.tally(2, np.array([0, 0, 0, 1, 1]), np.array([0, 0, 1, 1, 0]))
LABELS = OutcomeTable.of_labels(np.array([[[5, 1], [2, 2]], [[7, 0], [1, 2]]]))  # ten examples, two labels


def found(table, name, multilabel=False):
    return proportions(table, parse_measure(name, range(2), multilabel=multilabel))


def test_of_all_classes_accuracy_alone():
    assert found(CLASSES, "f1_macro") == [Proportion("accuracy", 3, 5)]


def test_of_one_class_recall_and_precision_too():
    accuracy, *others = found(CLASSES, "f1[0]")
    assert accuracy == Proportion("accuracy", 3, 5)
    assert others == [Proportion("recall", 2, 3), Proportion("precision", 2, 3)]


def test_of_labels_decisions_are_counted():
    assert found(LABELS, "f1_macro", multilabel=True) == [
        Proportion("accuracy", 16, 20),
        Proportion("micro-recall", 4, 7),
        Proportion("micro-precision", 4, 5),
    ]


def test_of_one_label():
    assert found(LABELS, "f1[1]", multilabel=True)[1:] == [Proportion("recall", 2, 3), Proportion("precision", 2, 2)]


def test_the_share():
    assert Proportion("recall", 3, 4).share_and_trials == (0.75, 4)
