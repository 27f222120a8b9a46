"""Labels enter by one door: every container counts alike, or is refused, whatever asks for the comparison."""

import json
import warnings
from enum import Enum, IntEnum, StrEnum

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    LabelledPool,
    MultilabelCounts,
    PairedCounts,
    SpanCounts,
    assert_not_worse,
    compare,
    rank,
)
from pytest_bayesf1.baselines.store import Baseline, from_text, to_text
from pytest_bayesf1.errors import BaselineError
from tests.unit.gates.written_gates import result_of

N = 60
TRUE = np.random.default_rng(1).integers(0, 3, N).tolist()
SAID = np.where(np.arange(N) % 7 == 0, 0, TRUE).tolist()

pytestmark = pytest.mark.filterwarnings("ignore::pytest_bayesf1.BayesF1Warning")


class Intent(str, Enum):  # noqa: UP042 (what it writes is the point)
    LOGIN, LOGOUT, PAY = "login", "logout", "pay_in"


class Queue(str, Enum):  # noqa: UP042
    PAYMENT_IN, PAYMENT_OUT, LOGIN = "payment_in", "payment_out", "login"


class Plain(Enum):
    LOGIN, LOGOUT, PAY = "login", "logout", "pay_in"


class Modern(StrEnum):
    LOGIN, LOGOUT, PAY = "login", "logout", "pay_in"


class Code(IntEnum):
    LOGIN, LOGOUT, PAY = 0, 1, 2


class Number(Enum):
    LOGIN, LOGOUT, PAY = 0, 1, 2


class Topic(str):
    """Text that writes itself otherwise."""

    __slots__ = ()

    def __str__(self):
        return f"Topic: {self[:2]}"


NAMES = ["login", "logout", "pay_in"]
CODES = [0, 1, 2]


def of(labels, make=list):
    """Return what turns codes into a column of these labels."""
    return lambda codes: make([labels[code] for code in codes])


def objects(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


PLAIN = [
    ["(A)", "(B)", "(C)"],
    ["(0, 5]", "(5, 9]", "(9, 12]"],
    ["[PAD]", "[SEP]", "[UNK]"],
    ["bar()", "baz(1)", "foo()"],
    ["not spam", "promotion", "spam"],
    ["10 000", "20 000", "30 000"],
    ["1 0", "2 0", "3 1"],
    ["New York", "New Zealand", "Zealand Island"],
    ["B-PER", "I-PER", "O"],
    ["(New York)", "[PAD]", "[UNK]"],
    ["100", "001", "010"],
    ["100", "101", "110"],
    ["11", "00", "01"],
]
COUNTED = {
    **{f"list of {kind.__name__}": (of([*kind]), NAMES) for kind in (Intent, Plain, Modern)},
    **{f"objects of {kind.__name__}": (of([*kind], objects), NAMES) for kind in (Intent, Plain, Modern)},
    **{f"tuple of {kind.__name__}": (of([*kind], tuple), CODES) for kind in (Code, Number)},
    "series of members": (of([*Intent], pd.Series), NAMES),
    "text of its own": (of([*map(Topic, NAMES)]), NAMES),
    "list": (of(NAMES), NAMES),
    "array of text": (of(NAMES, np.array), NAMES),
    "half precision": (of(CODES, lambda codes: np.array(codes, np.float16)), CODES),
    "small numbers": (of(CODES, lambda codes: np.array(codes, np.uint8)), CODES),
    "numbers and floats": (of([0, 1.0, 2]), CODES),
    "nullable numbers": (of(CODES, lambda codes: pd.array(codes, "Int8")), CODES),
    "categories": (of(NAMES, pd.Categorical), NAMES),
    "polars": (of(NAMES, lambda texts: pl.Series(texts, dtype=pl.Enum(NAMES))), NAMES),
    "arrow": (of(NAMES, lambda texts: pa.array(texts).dictionary_encode()), NAMES),
    "a column": (of(CODES, lambda codes: np.array(codes)[:, None]), CODES),
    "a frame of one column": (of(NAMES, lambda texts: pd.DataFrame({"label": texts})), NAMES),
    "wrapped": (of([["login"], ("logout",), {"pay_in"}]), NAMES),
    "large numbers": (of([2**53 + 1, 2**53 + 2, 3]), [3, 2**53 + 1, 2**53 + 2]),
    "two classes of a support vector machine": (of([-1, 1, 1]), [-1, 1]),
    "three, one of them negative": (of([-1, 0, 1]), [-1, 0, 1]),
    "places": (of(["New York", "York", "London"]), ["London", "New York", "York"]),
    **{" ".join(names): (of(names), names) for names in PLAIN},
}
if hasattr(np.dtypes, "StringDType"):  # since NumPy 2
    COUNTED["texts of any length"] = of(NAMES, lambda texts: np.array(texts, np.dtypes.StringDType())), NAMES
INDICATORS = {
    "[1 0]": ["[1 0]", "[0 1]", "[1 1]"],
    "[1. 0.]": ["[1. 0.]", "[0. 1.]", "[1. 1.]"],
    "[1, 0]": ["[1, 0]", "[0, 1]", "[1, 1]"],
    "[ True False]": ["[ True False]", "[False  True]", "[ True  True]"],
    "tensor([1, 0])": ["tensor([1, 0], device='cuda:0')", "tensor([0, 1], device='cuda:0')", "tensor([1, 1])"],
    "array([1, 0])": ["array([1, 0], dtype=int8)", "array([0, 1], dtype=int8)", "array([1, 1], dtype=int8)"],
    "1 0": ["1 0", "0 1", "1 1"],
    "1,0": ["1,0", "0,1", "1,1"],
    "[[1, 0]]": ["[[1, 0]]", "[[0, 1]]", "[[1, 1]]"],
}
ONE_OF_SEVERAL = {
    "[1 0 0]": ["[1 0 0]", "[0 1 0]", "[0 0 1]"],
    "1 0 0": ["1 0 0", "0 1 0", "0 0 1"],
    "tensor([True, False, False])": [f"tensor([{row}])" for row in ("True, False", "False, True")] * 2,
}
TAGS = [["B-PER", "O"], ["O", "O"], ["O", "B-LOC"]]
SEVERAL = "Several labels in one text"
REFUSED = {
    "None": (of(["a", None, "b"]), "missing value"),
    "NaN": (of([0.0, np.nan, 1.0], np.array), "missing value"),
    "NA": (of([0, None, 1], lambda codes: pd.array(codes, "Int8")), "missing value"),
    "NaT": (of(["a", pd.NaT, "b"]), "missing value"),
    "masked": (lambda codes: np.ma.array(codes, mask=np.equal(codes, 1)), "missing value"),
    "empty": (of(["a", " ", "b"]), "empty cell"),
    "all -1": (of([-1, -1, -1]), r"rows with -1, which means no label"),
    "some -1": (of([-1, 0, 3]), r"rows with -1, which means no label"),
    "-1 as text": (of(["a", "-1", "b"]), r"rows with '-1', which means no label"),
    "-100": (of([0, -100, 1]), r"rows with -100, which means no label, at positions 0?"),
    "lists of pandas": (of(["['a', 'b']", "['a']", "['b']"]), SEVERAL),
    "lists of JSON": (of(['["a", "b"]', '["a"]', '["b"]']), SEVERAL),
    "lists of numpy": (of(["['a' 'b']", "['a']", "['b']"]), SEVERAL),
    "sets of objects": (of(["frozenset({'a', 'b'})", "frozenset({'a'})", "{'b'}"]), SEVERAL),
    "arrays of text": (of(["array(['a', 'b'], dtype='<U1')", "array(['a'])", "array(['b'])"]), SEVERAL),
    "numbers of classes": (of(["tensor([10,  2])", "tensor([10])", "tensor([2])"]), SEVERAL),
    **{f"indicators: {row}": (of(rows), SEVERAL) for row, rows in INDICATORS.items()},
    **{f"one of several: {row}": (of(rows), "Indicators in one text") for row, rows in ONE_OF_SEVERAL.items()},
    "digits of indicators": (of(["100", "010", "110"]), SEVERAL),
    "lists without quotes": (of(["[a, b]", "[a]", "[b]"]), SEVERAL),
    "a label in brackets": (of(["['a']", "['b']", "['c']"]), "A label in brackets"),
    "tags in a text": (of(["B-PER O O", "O O", "O B-LOC"]), "Tags of tokens"),
    "lists of tags": (of(["['B-PER', 'O']", "['O', 'O']", "['O']"]), "Tags of tokens"),
    **{
        f"a{by}b": (of([f"a{by}b", "a", "b"]), "Several labels in one text, as it seems: 'a")
        for by in ("|", ";", ", ", "/", " & ", "+", " and ", " ")
    },
    "tags": (of(TAGS), r"SpanCounts\.from_bio|several"),
    "tokens": (of([["NN", "NN"], ["DT", "NN"], ["DT", "DT"]]), "labels of tokens|several"),
    "bytes": (of([b"a", b"b", b"c"], np.array), "Decode them to text"),
    "objects of bytes": (of([b"a", b"b", b"c"]), "Decode them to text"),
    "zero character": (of(["a", "a\0", "b"]), "ends with a zero character"),
    "dates": (of(["2020-01-01", "2020-01-02", "2020-01-03"], lambda texts: np.array(texts, "M8[D]")), "datetime64"),
    "records": (of([(1, 2), (3, 4), (5, 6)], lambda rows: np.array(rows, "i4,i4")), "dtype|nested sequences|several"),
    "complex": (of([1j, 2j, 3j], np.array), "dtype complex"),
    "fractions": (of([0.5, 1.0, 2.0]), "not probabilities"),
    "mixed": (of(["1", 1, True]), "mixed or unsupported types"),
    "two spellings": (of(["caf\u00e9", "cafe\u0301", "tea"]), "differ in spelling only"),
    "cut members": (of([*Queue], np.array), "numpy has cut"),
}


def one_side(true, said):
    return ConfusionMatrix.from_predictions(true, said, ids=range(N))


ASKED = {"measure": "accuracy", "rope": 0.2, "n_draws": 1_000}


def compared(_folder, true, said):
    side = one_side(true, said)
    return compare(side, side, **ASKED).labels


def asserted(_folder, true, said):
    side = one_side(true, said)
    return assert_not_worse(side, side, **ASKED).labels


def stored(_folder, true, said):
    return from_text(to_text(Baseline("gate", one_side(true, said))), "gate").counts.labels


def ranked(_folder, true, said):
    side = one_side(true, said)
    assert rank({"a": side, "b": side}, **ASKED).n_samples == N
    return side.labels


def paired(_folder, true, said):
    return compare(PairedCounts.from_predictions(true, said, said), **ASKED).labels


def pooled(_folder, true, said):
    return LabelledPool.from_predictions(true, said, {}, ids=range(N)).labels


def listed(_folder, true, said):
    """The classes are those that the caller lists, in the container of the labels."""
    known = ConfusionMatrix.from_predictions(true, said).labels
    several = [*dict.fromkeys(known)]
    return ConfusionMatrix.from_predictions(true, said, labels=several).labels


DOORS = {each.__name__: each for each in (compared, asserted, stored, ranked, paired, pooled, listed)}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("kind", COUNTED)
def test_it_counts_as_its_values(tmp_path, kind, door):
    make, labels = COUNTED[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        assert [*DOORS[door](tmp_path, make(TRUE), make(SAID))] == labels


@pytest.mark.parametrize("kind", COUNTED)
def test_nothing_moves(kind):
    make, labels = COUNTED[kind]
    plain = ConfusionMatrix.from_predictions(*(of(CODES)(codes) for codes in (TRUE, SAID))).counts
    found = one_side(make(TRUE), make(SAID))
    assert found.n_samples == N
    if len(labels) == 3 and kind not in ("large numbers", "places"):
        assert found.counts.tolist() == plain.tolist()


@pytest.mark.parametrize("door", [name for name in DOORS if name != "listed"])
@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused(tmp_path, kind, door):
    make, problem = REFUSED[kind]
    with pytest.raises(InputError, match=problem):
        DOORS[door](tmp_path, make(TRUE), make(SAID))


def as_list(values):
    return values.tolist() if hasattr(values, "tolist") else list(values)


IN_FILES = [
    "list of Intent",
    "tuple of Code",
    "numbers and floats",
    "large numbers",
    "two classes of a support vector machine",
]
REFUSED_IN_FILES = [
    *("None", "NaN", "empty", "all -1", "some -1", "-1 as text", "-100", "lists of pandas", "lists of JSON"),
    *("a|b", "a/b", "a b", "zero character", "tokens", "fractions", "a label in brackets", "tags in a text"),
    *(f"indicators: {row}" for row in INDICATORS),
]


def columns_of(make):
    """Return the columns of a JSON file, which holds lists instead of sets and arrays."""
    columns = {"y_true": make(TRUE), "y_pred": make(SAID)}
    rows = {name: [[*each] if isinstance(each, set) else each for each in as_list(it)] for name, it in columns.items()}
    return json.loads(json.dumps({**rows, "id": [*range(N)]}))


@pytest.mark.parametrize("kind", IN_FILES)
def test_a_gate_counts_it(tmp_path, kind):
    make, labels = COUNTED[kind]
    columns = columns_of(make)
    assert [*result_of(tmp_path, columns, columns, measure="accuracy").overall.comparison.labels] == labels


@pytest.mark.parametrize("kind", REFUSED_IN_FILES)
def test_a_gate_refuses_it(tmp_path, kind):
    columns = columns_of(REFUSED[kind][0])
    with pytest.raises(BaselineError, match="y_true"):
        result_of(tmp_path, columns, columns, measure="accuracy")


@pytest.mark.parametrize("kind", [Intent, Plain, Code, Number])
class TestMembers:
    """Members of enumerations count as their values wherever a label is named."""

    def test_everywhere(self, kind):
        members, values = [*kind], [each.value for each in kind]
        plain = ConfusionMatrix.from_predictions(*(of(values)(codes) for codes in (TRUE, SAID)))
        columns = [of(members)(codes) for codes in (TRUE, SAID)]
        assert ConfusionMatrix.from_predictions(*columns, labels=members) == plain.renamed(tuple(values))
        assert ConfusionMatrix(plain.counts, labels=members).labels == tuple(values)
        sets = [[{label} for label in column] for column in columns]
        assert MultilabelCounts.from_predictions(*sets).labels == tuple(values)
        spans = [[[(0, 1, label)] for label in column] for column in columns]
        assert SpanCounts.from_spans(*spans).labels == tuple(values)
        asked = {**ASKED, "prevalence": {members[0]: 0.5, members[1]: 0.3, members[2]: 0.2}}
        found = compare(*[ConfusionMatrix.from_predictions(*columns)] * 2, **asked)
        by_value = compare(plain, plain, **{**asked, "prevalence": dict(zip(values, (0.5, 0.3, 0.2), strict=True))})
        assert np.array_equal(found.delta, by_value.delta)


def test_the_column_that_holds_lists_is_named():
    brackets, plain = of(["['a']", "['b']", "['c']"]), of(["a", "b", "c"])
    with pytest.raises(InputError, match=r"^y_pred: A label in brackets"):
        ConfusionMatrix.from_predictions(plain(TRUE), brackets(SAID))


def test_classes_that_are_listed_are_classes():
    for labels in ([-1, 0, 3], ["a b", "a", "b"], [-100, 1, 2]):
        column = of(labels)(TRUE)
        assert set(ConfusionMatrix.from_predictions(column, column, labels=labels).labels) == set(labels)


@pytest.mark.parametrize("door", [name for name in DOORS if name != "listed"])
def test_other_names_are_refused(tmp_path, door):
    said = [{"a": "b", "b": "c", "c": "a"}[label] for label in of("abc")(SAID)]
    if door == "stored":
        side = from_text(to_text(Baseline("gate", one_side(of("abc")(TRUE), said))), "gate").counts
        with pytest.raises(InputError, match="90% would be if"):
            compare(side, one_side(of("abc")(TRUE), said), **ASKED)
    elif door == "pooled":
        ids = [*map(str, range(N))]
        pool = LabelledPool.from_predictions(said, said, dict(zip(ids, of("abc")(TRUE), strict=True)), ids=ids)
        with pytest.raises(InputError, match="90% would be if"):
            compare(pool, **ASKED)
    else:
        with pytest.raises(InputError, match="90% would be if"):
            DOORS[door](tmp_path, of("abc")(TRUE), said)


def test_a_gate_refuses_other_names(tmp_path):
    said = [(code + 1) % 3 for code in SAID]
    with pytest.raises(InputError, match=r"90% would be if 1 meant 0, 2 meant 1, 0 meant 2"):
        result_of(tmp_path, *[{"y_true": TRUE, "y_pred": said, "id": [*range(N)]}] * 2, measure="accuracy")
