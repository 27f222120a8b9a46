import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.tables import Table, holds_predictions, wrong_columns


def test_places_are_as_an_editor_shows_them():
    typed, text = Table({}), Table({}, lines=[2, 5], is_text=True)
    assert (typed.is_text, typed.place(1)) == (False, "row 2")
    assert (text.is_text, text.place(1)) == (True, "line 5")


def test_predictions_need_both_columns():
    assert holds_predictions(["id", "y_pred", "y_true"])
    assert not holds_predictions(["a", "b"])
    with pytest.raises(InputError, match="expected columns y_true and y_pred"):
        holds_predictions(["id", "y_pred"])


def test_of_many_columns_some_are_listed():
    assert wrong_columns(range(25)).found.endswith("'19' and 5 more".replace("'", ""))
