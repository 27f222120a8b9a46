import pickle

import pytest

from pytest_bayesf1 import BaselineError, BayesF1Error, BayesF1Warning, ConvergenceError, GateFileError, InputError
from pytest_bayesf1.errors import EngineError, RenderError, ReportError

ERROR = InputError("counts[0, 1]", "whole numbers", "0.5", "Pass counts, not rates.")


def test_a_message_tells_where_what_and_what_to_do():
    assert str(ERROR) == "counts[0, 1]: expected whole numbers, got 0.5. Pass counts, not rates."


def test_advice_may_be_missing():
    assert str(InputError("rope", "finite bounds", "nan")) == "rope: expected finite bounds, got nan"


def test_an_error_survives_the_way_to_another_process():
    copy = pickle.loads(pickle.dumps(ERROR))  # noqa: S301
    assert type(copy) is InputError
    assert str(copy) == str(ERROR)
    assert copy.where == ERROR.where


@pytest.mark.parametrize(
    "error", [InputError, GateFileError, ReportError, BaselineError, EngineError, ConvergenceError, RenderError]
)
def test_every_deliberate_error_has_one_base(error):
    assert issubclass(error, BayesF1Error)


@pytest.mark.parametrize("kind", [GateFileError, ReportError])
def test_a_file_tells_all_its_problems(kind):
    error = kind(["bayesf1.yaml:3: first", "bayesf1.yaml:7: second"])
    assert error.problems == ("bayesf1.yaml:3: first", "bayesf1.yaml:7: second")
    assert str(error).splitlines() == list(error.problems)
    assert issubclass(kind, ValueError)
    assert pickle.loads(pickle.dumps(error)).problems == error.problems  # noqa: S301


def test_bad_input_is_a_value_error_and_no_failed_assertion():
    assert issubclass(InputError, ValueError)
    assert not issubclass(BayesF1Error, AssertionError)


def test_the_warning_is_a_user_warning():
    assert issubclass(BayesF1Warning, UserWarning)
