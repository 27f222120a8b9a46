import pickle
import re

import pytest

from pytest_bayesf1 import BayesF1Error, BayesF1Warning, GateFileError, InputError, errors
from pytest_bayesf1.data.sides import OtherTestSetError
from pytest_bayesf1.errors import ReportError, within

ERROR = InputError("counts[0, 1]", "whole numbers", "0.5", "Pass counts, not rates.")


def test_a_message_tells_where_what_and_what_to_do():
    assert str(ERROR) == "counts[0, 1]: expected whole numbers, got 0.5. Pass counts, not rates."

    assert str(InputError("rope", "finite bounds", "nan")) == "rope: expected finite bounds, got nan"


def test_an_error_survives_the_way_to_another_process():
    copy = pickle.loads(pickle.dumps(ERROR))  # noqa: S301
    assert (type(copy), str(copy), copy.where) == (InputError, str(ERROR), ERROR.where)


def test_a_place_is_put_before_all_that_an_error_says():
    with pytest.raises(InputError) as caught, within("a.csv"):
        raise InputError.plain("", "Two systems", "Choose one.")
    assert str(caught.value) == "a.csv: Two systems. Choose one."


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
    assert issubclass(BayesF1Warning, UserWarning)


def pairs(kind, above):
    """Yield every public class below another with the one that it is drawn under."""
    for each in kind.__subclasses__():
        name = above if each.__name__.startswith("_") else each.__name__
        if name != above:
            yield above, name
        yield from pairs(each, name)


@pytest.mark.parametrize("root", [BayesF1Error, BayesF1Warning])
def test_the_tree_in_the_documentation_is_that_of_the_classes(root):
    _, tree = errors.__doc__.split(f"    {root.__name__}", 1)
    drawn, path = set(), [root.__name__]
    for bars, name in re.findall(r"^ {4}([│├└ ]*)── (\w+)", tree.partition("\n\n")[0], re.MULTILINE):
        path = [*path[: 1 + len(bars) // 4], name]
        drawn.add(tuple(path[-2:]))
    assert OtherTestSetError.__name__ in str(errors.__doc__)
    assert drawn == set(pairs(root, root.__name__))
