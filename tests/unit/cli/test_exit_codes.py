from itertools import permutations

import pytest

from pytest_bayesf1.cli.console import Exit, exit_code, most_severe
from pytest_bayesf1.errors import (
    BaselineError,
    BayesF1Error,
    ConvergenceError,
    EngineError,
    GateFileError,
    InputError,
    RenderError,
    ReportError,
)

PARTS = ("rope", "a number", "None")


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError(*PARTS), 2),
        (GateFileError(["bayesf1.yaml:1: no"]), 2),
        (ReportError(["report.json: no"]), 2),
        (BayesF1Error("no"), 2),
        (BaselineError(*PARTS), 4),
        (EngineError(*PARTS), 5),
        (ConvergenceError(*PARTS), 5),
        (RenderError("no"), 5),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_error_has_its_code(error, code):
    assert exit_code(error) == code


def test_nothing_to_tell_is_a_pass():
    assert most_severe([]) == 0


ORDER = [5, 2, 4, 1, 3, 0]


@pytest.mark.parametrize("number", range(5))
def test_what_kept_a_gate_from_answering_comes_before_answers(number):
    for codes in permutations(map(Exit, ORDER[number:])):
        assert most_severe(codes) == ORDER[number]
