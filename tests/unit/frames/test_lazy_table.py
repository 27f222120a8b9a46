import narwhals.stable.v2 as nw
import pandas as pd
import pytest

from pytest_bayesf1.data import frames as lazy_table
from pytest_bayesf1.data.frames import open_frames
from pytest_bayesf1.errors import InputError

FRAME = pd.DataFrame({"a": [1.0, None, 3.0], "b": ["x", None, "z"]})


def test_what_is_missing_is_none_whatever_the_engine_calls_it(engine):
    (frame,) = open_frames({"frame": engine({"b": ["x", None, "z"]})})
    read = frame.read(frame.table.select(nw.col("b")))
    assert read == {"b": ["x", None, "z"]}


def test_a_number_that_is_none_is_missing():
    (frame,) = open_frames({"frame": FRAME})
    assert frame.read(frame.table)["a"] == [1.0, None, 3.0]


def test_a_large_answer_is_refused(monkeypatch):
    monkeypatch.setattr(lazy_table, "MOST_ROWS", 2)
    (frame,) = open_frames({"frame": FRAME})
    with pytest.raises(InputError, match="frame: expected at most 2 different outcomes, got more"):
        frame.read(frame.table)


def test_what_is_no_table():
    with pytest.raises(InputError, match=r"baseline: expected a data frame \(pandas, .* got int"):
        open_frames({"baseline": 7})


def test_two_columns_of_one_name():
    with pytest.raises(InputError, match="frame: expected each column once, got 'a' 2 times"):
        open_frames({"frame": pd.concat([FRAME, FRAME[["a"]]], axis=1)})
