import pytest

from pytest_bayesf1.data.labels import positive_class


@pytest.mark.parametrize(
    ("labels", "true_labels", "positive"),
    [
        ([0, 1], [0, 1], 1),
        (["-1", "1"], ["-1", "1"], "1"),
        ([False, True], [False, True], True),
        (["no", "yes"], ["no", "yes"], None),
        ([0, 1, 2], [0, 1, 2], None),
        ([0, 1, 2], [0, 1], 1),  # 2 is predicted, but no class
        ([0, 1], [1], 1),
        ([-1, 0, 1], [1], 1),  # whichever the other is
    ],
)
def test_the_positive_class_where_labels_tell(labels, true_labels, positive):
    found = positive_class(labels, true_labels)
    assert (found, type(found)) == (positive, type(positive))
