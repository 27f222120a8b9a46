import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import class_index
from pytest_bayesf1.measures.names import parse_name


@pytest.mark.parametrize(
    ("name", "labels", "index"),
    [
        ("f1[spam]", ["ham", "spam"], 1),
        ("f1[1]", [0, 1, 2], 1),
        ("f1[1.0]", [0, 1, 2], 1),  # another spelling of the same number
        ("recall", [0, 1], 1),
    ],
)
def test_the_class_that_is_named_or_positive(name, labels, index):
    assert class_index(parse_name(name), labels, labels, multilabel=False) == index


def test_a_single_label_needs_no_name():
    assert class_index(parse_name("f1"), ["urgent"], ["urgent"], multilabel=True) == 0


@pytest.mark.parametrize(
    ("name", "labels", "multilabel", "message"),
    [
        ("f1[eggs]", ["ham", "spam"], False, "a class among ham, spam, got 'eggs'"),
        ("f1", ["ham", "spam"], False, r"either of the two may be meant, got 'f1'. Use 'f1\[ham\]' or 'f1\[spam\]'"),
        ("recall", [0, 1, 2], False, r"there are 3 classes, got 'recall'. Use 'recall_macro' or 'recall\[0\]'"),
        ("f1", [0, 1], True, "there are 2 labels"),
    ],
)
def test_what_leaves_the_class_open_is_refused(name, labels, multilabel, message):
    with pytest.raises(InputError, match=message):
        class_index(parse_name(name), labels, labels, multilabel=multilabel)
