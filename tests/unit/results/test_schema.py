import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

import pytest
from pydantic import TypeAdapter, ValidationError

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import Contingency, Score
from pytest_bayesf1.results.schema import (
    LONGEST,
    ByValue,
    Count,
    Declared,
    Described,
    Interval,
    Label,
    Number,
    Probability,
    RopeBounds,
    Tagged,
    Text,
    figures_of,
    known,
    plain,
)


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Cat(Declared):
    lives: Count
    kind: Literal["cat"] = "cat"


@dataclass(frozen=True)
class Dog(Declared):
    name: Annotated[Text, Described("What it listens to.")]
    kind: Literal["dog"] = "dog"


PET = Annotated[Cat | Dog, Tagged("kind")]


@pytest.mark.parametrize(
    ("hint", "value"),
    [
        (Text, "half \ud800 pair"),
        (Text, "x" * LONGEST),
        (Label, True),
        (Number, -1e15),
        (Probability, 1.0),
        (Interval, (0.1, 0.1)),
        (RopeBounds, (0.0, 0.1)),
        (Annotated[Side, ByValue()], "left"),
        (PET, {"kind": "cat", "lives": 9}),
    ],
)
def test_what_is_taken(hint, value):
    assert TypeAdapter(hint).validate_python(value) is not None


@pytest.mark.parametrize(
    ("hint", "value", "kind"),
    [
        (Text, 7, "is_instance_of"),
        (Text, "x" * (LONGEST + 1), "too_long"),
        (Number, 1e16, "less_than_equal"),
        (Number, float("nan"), "less_than_equal"),
        (Count, -1, "greater_than_equal"),
        (Interval, (0.2, 0.1), "unexpected"),
        (RopeBounds, (0.1, 0.2), "unexpected"),
        (Annotated[Side, ByValue()], "middle", "literal_error"),
        (Annotated[Side, ByValue(Side.LEFT)], "right", "literal_error"),
        (PET, {"kind": "cow"}, "union_tag_invalid"),
        (PET, {"kind": "cat", "lives": 9, "name": "Tom"}, "unexpected_keyword_argument"),
    ],
)
def test_what_is_refused(hint, value, kind):
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(hint).validate_python(value)
    assert caught.value.errors()[0]["type"] == kind


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Score(0.5, 0.6, 0.1, (0.4, 0.8)), {"observed": 0.5, "mean": 0.6, "std": 0.1, "hdi": [0.4, 0.8]}),
        ((Contingency(1, 2, 3, 4),), [{"both_right": 1, "only_baseline": 2, "only_candidate": 3, "both_wrong": 4}]),
        (Decision.MUCH_WORSE, "≪"),
        ({"a": (1, "x")}, {"a": [1, "x"]}),
    ],
)
def test_dataclasses_tuples_and_members_become_plain(value, expected):
    assert plain(value) == expected
    assert json.loads(json.dumps(plain(value))) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(float("nan"), None), (float("inf"), None), ((0.5, float("nan")), (0.5, None)), (0.5, 0.5), ("nan", "nan")],
)
def test_numbers_that_are_none_are_left_out(value, expected):
    assert known(value) == expected


def test_figures_are_those_that_the_other_declares():
    @dataclass(frozen=True)
    class Longer(Score):
        draws: tuple[float, ...]

    longer = Longer(0.5, float("inf"), 0.1, (0.4, 0.8), (0.5, 0.7))
    assert figures_of(longer, Score) == {"observed": 0.5, "mean": None, "std": 0.1, "hdi": (0.4, 0.8)}
