"""Which frames a failure shows: the user's alone where a gate failed or an argument is wrong, all of a bug."""

import functools
import traceback
from pathlib import Path
from types import SimpleNamespace

import pytest

import pytest_bayesf1
from pytest_bayesf1 import BayesF1Warning, InputError
from pytest_bayesf1.plugin.tracebacks import pytest_runtest_makereport

PACKAGE = Path(pytest_bayesf1.__file__).parent
GATE, ELSEWHERE = PACKAGE / "gates" / "evaluate.py", PACKAGE / "data" / "paired.py"
USER, OF_PROPERTIES = Path(__file__), Path(functools.__file__)


def calling(file, call):
    """Return a function of a file that calls another."""
    scope = {"call": call}
    exec(compile("def calls():\n    return call()", str(file), "exec"), scope)  # noqa: S102
    return scope["calls"]


def raising(error, *files):
    """Raise an error in the last of these files, which the others call in turn; return it."""
    scope = {"error": error}
    exec(compile("def call():\n    raise error", str(files[-1]), "exec"), scope)  # noqa: S102
    call = scope["call"]
    for file in reversed(files[:-1]):
        call = calling(file, call)
    try:
        call()
    except type(error) as caught:
        return caught


def shown(error):
    """Return the files that the traceback shows, from the first one of a user's test on."""
    pytest_runtest_makereport(SimpleNamespace(excinfo=SimpleNamespace(value=error)))
    return [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)][1:]


@pytest.mark.parametrize(
    ("error", "files", "n_shown"),
    [
        (AssertionError("lost"), (USER, USER, PACKAGE / "gates" / "assertions.py", GATE), 2),
        (AssertionError("a bug"), (USER, GATE, ELSEWHERE), 3),
        (AssertionError("a measure"), (USER, GATE, USER), 3),
        (InputError("rope", "a number", "none"), (USER, ELSEWHERE, OF_PROPERTIES, ELSEWHERE), 1),
        (BayesF1Warning("wide"), (USER, USER, ELSEWHERE), 2),
        (ValueError("a bug"), (USER, ELSEWHERE), 2),
        (InputError("rope", "a number", "none"), (ELSEWHERE, USER, ELSEWHERE), 2),
    ],
)
def test_they_end_where_the_user_called(error, files, n_shown):
    assert shown(raising(error, *files)) == [*files[:n_shown]]


@pytest.mark.parametrize("name", ["__cause__", "__context__"])
def test_so_do_those_of_what_came_before(name):
    first, second = (raising(InputError("rope", "a number", "none"), USER, ELSEWHERE) for _ in range(2))
    last = raising(KeyError("x"), USER)
    setattr(last, name, second)
    setattr(second, name, first)
    setattr(first, name, last)  # a chain that bites its tail
    assert shown(last) == [USER]
    for error in (first, second):
        assert [Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__)][1:] == [USER]
