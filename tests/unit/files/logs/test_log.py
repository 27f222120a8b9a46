import pytest

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.files.eval_logs import Log, checked, scalars


def test_values_have_paths():
    told = {"a": 1, "b": {"c": "x", "d": [1, 2], "e": {"f": True}}, "g": None}
    assert dict(scalars("top", told)) == {"top.a": 1, "top.b.c": "x", "top.b.e.f": True, "top.g": None}


def test_what_is_nested_deeply_is_left_out():
    value: object = 1
    for _ in range(50):
        value = {"x": value}
    assert dict(scalars("top", value)) == {}


def test_a_log_without_a_grade_needs_columns_that_are_named():
    log = Log("tool", [{"id": 1, "said": "a", "truth": "b"}], [])
    with pytest.raises(InputError, match="expected one grade for every answer in this log of tool, got none"):
        log.table({})
    assert log.table({"y_true": "truth", "y_pred": "said"}).label_columns == ("y_true", "y_pred")
    with pytest.raises(InputError, match="expected columns y_true and y_pred"):
        log.table({"y_pred": "said"})


def test_what_is_no_list_is_told():
    with pytest.raises(InputError, match="expected a list, got 3"):
        checked(list[int], 3)
