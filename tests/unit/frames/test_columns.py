import narwhals.stable.v2 as nw
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1.data.frames import alike, column_kind, open_frames, pick
from pytest_bayesf1.errors import InputError


def frame(table, where="frame"):
    (opened,) = open_frames({where: table})
    return opened


@pytest.mark.parametrize(
    ("dtype", "kind"),
    [
        (nw.String(), "strings"),
        (nw.Categorical(), "strings"),
        (nw.Boolean(), "booleans"),
        (nw.Int8(), "numbers"),
        (nw.Float64(), "numbers"),
        (nw.Date(), None),
        (nw.List(nw.Int64()), None),
    ],
)
def test_kinds(dtype, kind):
    assert column_kind(dtype) == kind


def test_columns_are_called_by_their_use():
    picked = pick(frame(pl.DataFrame({"truth": [1], "noise": [2], "said": [3]})), {"y_true": "truth", "y_pred": "said"})
    assert picked.read(picked.table) == {"y_true": [1], "y_pred": [3]}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pl.DataFrame({"other": [1]}), "frame: expected a column 'truth', got columns 'other'"),
        (pl.DataFrame(), "got no columns"),
        (
            pl.DataFrame({"truth": [[1]]}),
            "frame, column 'truth': expected strings, integers or booleans, got type List",
        ),
    ],
)
def test_a_column_that_does_not_serve(table, message):
    with pytest.raises(InputError, match=message):
        pick(frame(table), {"y_true": "truth"})


def test_two_tables_get_one_type():
    whole, broken = frame(pl.DataFrame({"id": [1, 2]})), frame(pl.DataFrame({"id": [1.0, 2.5]}))
    types = [each.table.collect_schema()["id"] for each in alike(whole, broken, {"id": "id"})]
    assert types == [nw.Float64(), nw.Float64()]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (pl.DataFrame({"id": ["1"]}), "candidate, column 'id': expected numbers, as in baseline, got strings"),
        (pa.table({"id": [1]}), "candidate: expected a table of polars, as baseline is, got one of pyarrow"),
    ],
)
def test_tables_that_never_match(other, message):
    with pytest.raises(InputError, match=message):
        alike(frame(pl.DataFrame({"id": [1]}), "baseline"), frame(other, "candidate"), {"id": "id"})
