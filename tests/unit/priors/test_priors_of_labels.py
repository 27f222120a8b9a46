import numpy as np
import pytest

from pytest_bayesf1 import InputError, Prior
from pytest_bayesf1.data.outcomes import OutcomeTable

THREE_LABELS = OutcomeTable.empty(6, 1, multilabel=True)


@pytest.mark.parametrize(
    ("beta", "weights"),
    [(2, [2] * 6), ((9, 1), [9, 1] * 3), ((1, 2, 3, 4, 5, 6), [1, 2, 3, 4, 5, 6])],
    ids=["one for all", "absent and present", "all"],
)
def test_beta_is_about_absence_and_presence(beta, weights):
    assert Prior.named("uniform", beta=beta).class_weights(THREE_LABELS).tolist() == weights


def test_beta_is_about_classes_where_they_exclude_one_another():
    prior = Prior.named("uniform", beta=(9, 1))
    with pytest.raises(InputError, match=r"prior\.beta: expected 6 numbers, one per class, got 2"):
        prior.class_weights(OutcomeTable.empty(6, 1))


def test_a_beta_of_another_length_is_an_error():
    prior = Prior.named("uniform", beta=(1, 2, 3))
    with pytest.raises(InputError, match=r"prior\.beta: expected 2 numbers, one per class, got 3"):
        prior.class_weights(THREE_LABELS)


@pytest.mark.parametrize("n_sides", [1, 2])
def test_pseudo_counts_of_labels(n_sides):
    cells = np.arange(1.0, 1 + 2 * 2 ** (1 + n_sides)).reshape(2, *[2] * (1 + n_sides)) / 2
    (table,) = Prior.from_counts(cells, multilabel=True).counts.tables
    assert table.multilabel
    assert table.n_sides == n_sides
    assert table.label_counts.tolist() == cells.tolist()


def test_pseudo_counts_of_the_classes_on_their_own():
    prior = Prior.from_counts([[[2, 1], [1, 3]]] * 3, multilabel=True, beta=(9, 1))
    assert prior.class_weights(THREE_LABELS).tolist() == [9 - 3, 1 - 4] * 3


@pytest.mark.parametrize(
    ("cells", "expected", "found"),
    [
        (np.ones((2, 2)), "(L, 2, 2), or (L, 2, 2, 2) for pairs", "shape (2, 2)"),
        (np.ones((3, 3, 3)), "(L, 2, 2), or (L, 2, 2, 2) for pairs", "shape (3, 3, 3)"),
        (np.ones((0, 2, 2)), "(L, 2, 2), or (L, 2, 2, 2) for pairs", "shape (0, 2, 2)"),
        (-np.ones((1, 2, 2)), "a pseudo-count from 0 to 1e+09", "-1"),
        ([[[1, 1], [0, 0]]], "at least 0.05 in all for every true class", "0"),
    ],
)
def test_pseudo_counts_that_cannot_be_used(cells, expected, found):
    with pytest.raises(InputError) as caught:
        Prior.from_counts(cells, multilabel=True)
    assert caught.value.where.startswith("cells[0]")
    assert expected in caught.value.expected
    assert found in caught.value.found
