import numpy as np
import pandas as pd
import pytest

from pytest_bayesf1.data.encoding import is_crosstab, read_crosstab
from pytest_bayesf1.errors import InputError

TRUTH = ["ham", "ham", "spam", "spam", "eggs"]
PREDICTED = ["ham", "spam", "spam", "spam", "ham"]


def test_a_table_with_names_of_its_own_is_one():
    assert is_crosstab(pd.crosstab(TRUTH, PREDICTED))
    assert is_crosstab(pd.DataFrame([[1, 2], [3, 4]], index=["a", "b"]))
    assert not is_crosstab(pd.DataFrame([[1, 2], [3, 4]]))
    assert not is_crosstab(np.eye(2))


def test_a_class_that_is_never_predicted_gets_its_column():
    counts, labels = read_crosstab(pd.crosstab(TRUTH, PREDICTED))
    assert labels == ("eggs", "ham", "spam")
    np.testing.assert_array_equal(counts, [[0, 1, 0], [0, 1, 1], [0, 0, 2]])


def test_columns_follow_the_rows():
    shuffled = pd.DataFrame([[1, 2], [3, 4]], index=["spam", "ham"], columns=["ham", "spam"])
    counts, labels = read_crosstab(shuffled)
    assert labels == ("spam", "ham")
    np.testing.assert_array_equal(counts, [[2, 1], [4, 3]])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.crosstab(TRUTH, PREDICTED, margins=True), "got the totals of the others. Use margins=False"),
        (pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"], columns=["a", "b"]), "index: expected each class once"),
        (pd.DataFrame([[1, 2], [3, 4]], index=["0", "1"], columns=[0, 1]), "columns: expected strings"),
    ],
    ids=["totals", "twice", "kinds"],
)
def test_what_is_no_table_of_classes_is_refused(table, message):
    with pytest.raises(InputError, match=message):
        read_crosstab(table)
