import json
from dataclasses import dataclass

import pytest

from pytest_bayesf1 import Decision
from pytest_bayesf1.results.comparison import Contingency, Score
from pytest_bayesf1.results.schema import figures_of, known, plain

SCORE = Score(observed=0.5, mean=0.6, std=0.1, hdi=(0.4, 0.8), density=None)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (SCORE, {"observed": 0.5, "mean": 0.6, "std": 0.1, "hdi": [0.4, 0.8], "density": None}),
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

    longer = Longer(0.5, float("inf"), 0.1, (0.4, 0.8), None, (0.5, 0.7))
    assert figures_of(longer, Score) == {"observed": 0.5, "mean": None, "std": 0.1, "hdi": (0.4, 0.8), "density": None}
