import enum
from datetime import date, datetime
from uuid import UUID

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import ConfusionMatrix, InputError, PairedCounts, compare
from pytest_bayesf1.data.labels import (
    encode,
    identifiers,
    in_order,
    label_column,
    position_of,
    positive_class,
    require_unique,
)
from pytest_bayesf1.results.schema import UNREADABLE
from pytest_bayesf1.words.notes import notes


class Tensor:
    """Stand in for a tensor of torch or JAX: items without a dimension are tensors, too, and have no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values, *, has_gradient=False):
        self.values, self.has_gradient = np.asarray(values), has_gradient

    @property
    def ndim(self):
        return self.values.ndim

    @property
    def shape(self):
        return self.values.shape

    def __len__(self):
        return len(self.values)

    def __iter__(self):
        return map(Tensor, self.values)

    def __array__(self, dtype=None, copy=None):
        if self.has_gradient:
            raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        return self.values

    def item(self):
        return self.values.item()

    def tolist(self):
        return self.values.tolist()


class Animal(enum.Enum):
    CAT = "cat"
    DOG = "dog"


class Word(enum.StrEnum):
    CAT = "cat"
    DOG = "dog"


TEXT = {
    "letters": ("a", "b"),
    "words for nothing": ("None", "NA"),
    "nan": ("nan", "NULL"),
    "codes": ("01", "1"),
    "exponents": ("1E3", "1000"),
    "case": ("Ham", "ham"),
    "spaces at the ends": (" ham", "ham"),
    "composed": ("caf\u00e9", "cafe\u0301"),
    "truth values": ("True", "false"),
    "brackets": ("(unreadable)", "{}"),
    "totals": ("All", "total"),
    "lines": ("a\nb", "a\tb"),
    "dates": ("2024-01-01", "2024-01-02"),
}
NUMBERS = {"binary": (0, 1), "signed": (-1, 1), "ignored": (-100, 7), "large": (10**12, 10**15), "huge": (2**70, 1)}
NAMES = {**TEXT, **NUMBERS, "booleans": (False, True), "mixed": (1, "a")}


def as_objects(column):
    made = np.empty(len(column), dtype=object)
    made[:] = column
    return made


FORMS = {
    "list": list,
    "tuple": tuple,
    "objects": as_objects,
    "pandas": lambda column: pd.Series(column, dtype=object),
    "generator": lambda column: (each for each in column),
}
OF_ONE_TYPE = {
    "numpy": np.array,
    "pandas, own type": lambda column: pd.Series(column).convert_dtypes(),
    "category": lambda column: pd.Series(column, dtype="category"),
    "polars": pl.Series,
    "pyarrow": lambda column: pa.chunked_array([pa.array(column)]),
}
CLEAN = [
    pytest.param(make, names, id=f"{form}, {kind}")
    for kind, names in NAMES.items()
    for form, make in (FORMS | ({} if kind in ("mixed", "huge") else OF_ONE_TYPE)).items()
]
"""Columns that mean what they say."""


@pytest.mark.parametrize(("make", "names"), CLEAN)
def test_clean_columns_are_read_as_they_are(make, names):
    first, second = names
    truth, said = [first, second, first, second], [first, second, second, second]
    matrix = ConfusionMatrix.from_predictions(make(truth), make(said))
    assert matrix.labels == tuple(in_order(names))
    assert dict(zip(matrix.cells()["y_true"], matrix.cells()["count"], strict=False)).keys() == {first, second}
    assert compare(make(truth), make(said), make(said), measure="accuracy", rope=0.1).change == 0


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([2.0, 0.0], [2, 0]),
        (np.array([2, 0], dtype=np.uint8), [2, 0]),
        (range(3), [0, 1, 2]),
        (np.array([[1], [0]]), [1, 0]),
        ([Animal.CAT, Animal.DOG], ["cat", "dog"]),
        ([Word.CAT, Word.DOG], ["cat", "dog"]),
        ([np.str_("x"), np.str_("y")], ["x", "y"]),
        ([1, "1", 2], [1, 1, 2]),
        (Tensor([2, 0]), [2, 0]),
        (Tensor([2.0, 0.0], has_gradient=True), [2, 0]),
        ([Tensor(2), Tensor(0)], [2, 0]),
    ],
)
def test_labels_are_text_whole_numbers_or_booleans(column, expected):
    assert label_column(column, "y").tolist() == expected


def test_labels_are_equal_if_their_text_is_and_keep_the_type_of_the_truth():
    found = encode({"y_true": [1, 2, 1], "y_pred": ["1", "2", 2.0]})
    assert found.labels == (1, 2)
    assert found.codes["y_pred"].tolist() == [0, 1, 1]
    found = encode({"y_true": ["1", "01"], "y_pred": ["1.0", "01"]})
    assert found.labels == ("1", "1.0", "01")
    assert found.vocabulary == ("1", "01")
    assert encode({"y_true": [b"a", b"b"], "y_pred": np.array(["b", "a"], "S")}).labels == ("a", "b")
    assert encode({"y_true": [True, 1], "y_pred": ["True", 1]}).codes["y_pred"].tolist() == [0, 1]


@pytest.mark.parametrize("column", [[0.5, 0.25, 1.0], [1j, 2j], [pd.Timestamp("2024-01-01")] * 2])
def test_what_is_no_label_is_refused(column):
    with pytest.raises(InputError, match=r"y: \d of \d are no class label \(.*first at position 0\)") as refused:
        label_column(column, "y")
    assert "text, whole numbers or booleans" in str(refused.value)


@pytest.mark.parametrize(
    "column",
    [
        np.eye(3),
        np.array([[0.1], [0.9]]) * [[1, 2]],
        [["a"], ["b"]],
        [{"a"}, {"b"}],
        [np.array([0, 1]), np.array([1, 0])],
        [Tensor([0, 1]), Tensor([1, 0])],
        Tensor([[0, 1], [1, 0]]),
        "ham",
        {"a": 1},
    ],
)
def test_a_column_that_is_not_flat_is_no_column_of_labels(column):
    with pytest.raises(InputError, match=r"expected one class label for every example|\d are no class label") as caught:
        label_column(column, "y")
    assert "kind" not in str(caught.value)


MISSING = [None, float("nan"), np.nan, pd.NA, pd.NaT, "", "  "]


@pytest.mark.parametrize("value", MISSING, ids=map(repr, MISSING))
def test_missing_values_are_refused_in_the_truth_and_no_class_in_predictions(value):
    with pytest.raises(InputError, match=r"y_true: 2 of 4 are no class label .a missing value; first at position 1"):
        encode({"y_true": ["a", value, "b", value], "y_pred": ["a", "a", "b", "b"]})
    found = encode({"y_true": ["a", "b"], "y_pred": ["a", value]})
    assert found.labels == ("a", "b", UNREADABLE)
    assert found.vocabulary == ("a", "b")
    with pytest.raises(InputError, match=r"ids: 1 of 2 is no id .a missing value; first at position 1"):
        identifiers(["x", value], 2, "ids")


def test_numbers_with_missing_values_are_whole_numbers():
    truth, said = pd.Series([1, 2, 1]), pd.Series([1, 2, None])
    assert encode({"y_true": truth, "y_pred": said}).labels == (1, 2, UNREADABLE)


@pytest.mark.parametrize("invalid", [None, "wrong"])
def test_answers_outside_the_vocabulary_are_kept_or_declared_wrong(invalid):
    found = encode({"y_true": ["a", "b"], "y_pred": ["a", "n/a"]}, invalid=invalid)
    assert found.labels == (("a", "b", "n/a") if invalid is None else ("a", "b", UNREADABLE))
    assert found.codes["y_pred"].tolist() == [0, 2]


def test_listed_labels_close_the_vocabulary():
    found = encode({"y_true": ["b", "a"], "y_pred": ["b", "d"]}, ["b", "a", "c"])
    assert found.labels == ("b", "a", "c", "d")
    assert found.vocabulary == ("b", "a", "c")
    with pytest.raises(
        InputError, match=r"y_true: 1 of 2 is no class of labels .'d'; classes 'a', 'b'; first at"
    ) as no:
        encode({"y_true": ["d", "a"], "y_pred": ["a", "a"]}, ["a", "b"])
    assert str(no.value).endswith("Declare: labels (all classes).")


def test_the_error_names_three_values_their_number_and_the_first():
    said = ["a"] * 7 + ["w", "x", "x", "y", "y", "z"]
    with pytest.raises(
        InputError, match=r"y_pred: 6 of 13 are no class of y_true \('x', 'y', 'w', …; classes 'a', 'b'"
    ):
        encode({"y_true": ["a"] * 12 + ["b"], "y_pred": said}, invalid="error")


TRUTH = ["ham", "spam"] * 50
GOOD = [*TRUTH[:90], *TRUTH[:10:-1][:10]]
WITH_OTHERS = [*TRUTH[:95], "eggs", "eggs", "ham?", None, "ham"]


class TestRoles:
    def test_on_the_baseline_they_are_refused_until_declared(self):
        with pytest.raises(InputError, match=r"baseline: 4 of 100 are no class of the truth \('eggs', ") as refused:
            compare(TRUTH, WITH_OTHERS, GOOD, rope=0.01)
        assert "first at position 95" in str(refused.value)
        assert "Declare: labels (all classes), or invalid: wrong" in str(refused.value)
        result = compare(TRUTH, WITH_OTHERS, GOOD, rope=0.01, invalid="wrong")
        assert "4 of 100 answers of the baseline are no class; counted as wrong." in notes(result)
        some = ["eggs" if each is None else each for each in WITH_OTHERS]
        assert compare(TRUTH, some, GOOD, rope=0.01, labels=["ham", "spam", "eggs", "ham?"]).change

    @pytest.mark.parametrize("runs", ["samples", "seeds"])
    def test_of_runs_every_answer_counts(self, runs):
        old, new = ([[each] * 3 for each in said] for said in (GOOD, TRUTH))
        old[7][1] = None
        old[9][2] = "eggs"
        with pytest.raises(InputError, match=r"baseline: 2 of 300 are no class .* first at position 7\)"):
            compare(TRUTH, old, new, rope=0.01, runs=runs)

    def test_on_the_candidate_they_are_wrong_and_the_first_screen_says_so(self):
        with pytest.warns(UserWarning, match=r"eggs"):
            result = compare(TRUTH, GOOD, WITH_OTHERS, measure="accuracy", rope=0.01)
        assert result.candidate.observed == 0.95
        assert "4 of 100 answers of the candidate are no class: 'eggs', 'ham?'; counted as wrong." in notes(result)
        with pytest.raises(InputError, match=r"candidate: 4 of 100"):
            compare(TRUTH, GOOD, WITH_OTHERS, rope=0.01, invalid="error")

    def test_a_class_of_the_other_truth_is_a_class(self):
        old = ConfusionMatrix.from_predictions(["a", "b"] * 30, ["a", "c"] * 30, ids=range(60))
        new = ConfusionMatrix.from_predictions(["a", "b", "c"] * 30, ["a", "b", "a"] * 30, ids=range(90))
        given = {"measure": "accuracy", "rope": 0.01, "on_new_test_set": "independent", "weak_baseline": True}
        assert compare(old, new, prevalence="test-set", **given).change > 0.1

    def test_paired_counts_follow_the_same_rule(self):
        with pytest.raises(InputError, match=r"4 of 100 are no class"):
            compare(PairedCounts.from_predictions(TRUTH, WITH_OTHERS, GOOD), rope=0.01)


def test_kinds_are_declared_unless_the_arrays_are_flat():
    sets = [["a"], ["a", "b"], ["b"]] * 20
    with pytest.raises(InputError, match=r"y_true: .*Declare: kind"):
        compare(sets, sets, sets, rope=0.01)
    tags = [["B-PER", "O"], ["O", "B-LOC"]] * 20
    assert compare(tags, tags, tags, measure="f1_micro", rope=0.01, kind="spans").change == 0
    with pytest.raises(InputError, match=r"kind"):
        compare(sets, sets, sets, rope=0.01, kind="sets")
    with pytest.raises(InputError, match=r"invalid: It goes with classes, values, and these are labels"):
        compare(sets, sets, sets, rope=0.01, kind="labels", invalid="wrong")


def test_one_hot_frames_are_labels_where_that_is_declared():
    columns = {"a": [1, 0, 1] * 20, "b": [0, 1, 0] * 20}
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        given, reordered = make(columns), make(dict(reversed(columns.items())))
        assert compare(given, given, reordered, rope=0.01, kind="labels").change == 0


def test_labels_sort_by_value_and_ids_are_unique():
    assert in_order(["10", "b", " 9", "-7", "1.5", "a", "03", "0"]) == ["-7", "0", "1.5", " 9", "10", "03", "a", "b"]
    with pytest.raises(InputError, match=r"2 of 4 are duplicate .1, 2;"):
        require_unique(np.array([1, 1, 2, 2]))
    assert position_of("1", [0, 1], "measure") == 1
    with pytest.raises(InputError, match=r"a class among 0, 1"):
        position_of("2", [0, 1], "measure")


@pytest.mark.parametrize(
    ("labels", "true", "positive"),
    [
        ([1, 0], [1], 1),
        ([-1, 1], [-1, 1], 1),
        ([0, 1, 2], [0], 1),
        ([0, 1, 2], [0, 1, 2], None),
        (["FALSE", "TRUE"], ["TRUE"], "TRUE"),
        ([False, True, "true", "false"], [True], True),
        (["0", "2"], ["0"], None),
        (["ham", "spam"], ["spam"], None),
    ],
)
def test_the_positive_class_is_known_where_those_that_occur_have_known_names(labels, true, positive):
    assert positive_class(labels, true) is positive


@pytest.mark.parametrize("has_gradient", [False, True])
@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([0.9, 0.1, 0.8, 0.3] * 20, {"kind": "scores", "measure": "roc_auc"}),
        ([[0.1, 0.9], [0.8, 0.2], [0.3, 0.7], [0.6, 0.4]] * 20, {"kind": "scores", "measure": "neg_brier_score"}),
        ([[1, 0], [0, 1], [1, 1], [0, 0]] * 20, {"kind": "labels"}),
    ],
)
def test_tensors_serve_as_scores_and_labels(rows, named, has_gradient):
    truth = rows if named["kind"] == "labels" else [1, 0, 1, 0] * 20
    ids = range(len(rows))
    found = compare(
        Tensor(truth), *(Tensor(rows, has_gradient=has_gradient) for _ in range(2)), ids=ids, rope=0.1, **named
    )
    assert found.baseline.observed == found.candidate.observed


def test_numbers_of_other_kinds_and_dates_name_examples():
    names = [UUID(int=1), date(2026, 1, 2)]
    assert identifiers(names, 2, "ids").tolist() == [str(each) for each in names]
    days = [datetime.fromisoformat(f"2026-01-02 0{hour}:00") for hour in (0, 7)]
    told = [str(each) for each in days]
    for given in (
        days,
        tuple(days),
        pd.Series(days),
        np.array(days, "M8[s]"),
        np.array(days, "M8[ns]"),
        pl.Series(days),
    ):
        assert identifiers(given, 2, "ids").tolist() == told
    with pytest.raises(InputError, match=r"ids: 1 of 2 is no id \(a missing value; first at position 1\)"):
        identifiers(pd.Series([days[0], None]), 2, "ids")
