"""Tracebacks that end where the user's code called us. A plugin of its own: it must see exceptions after unittest's."""

import functools
from pathlib import Path
from types import TracebackType

import pytest

import pytest_bayesf1
from pytest_bayesf1.errors import BayesF1Error, BayesF1Warning

_PACKAGE = Path(pytest_bayesf1.__file__).parent
_CALLER_OF_PROPERTIES = Path(functools.__file__)
_GATE = _PACKAGE / "gates" / "evaluate.py"


def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> None:
    """Cut our frames off before pytest writes the traceback down."""
    error = call.excinfo.value if call.excinfo is not None else None
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        _hide_own_frames(error)
        error = error.__cause__ or error.__context__


def _hide_own_frames(error: BaseException) -> None:
    """Cut the frames of this package off the end of a failed gate's or a deliberate error's traceback.

    Any other exception that ends in this package is a bug, and keeps its frames.
    """
    last_of_user = None
    frame = raising = error.__traceback__
    while frame is not None:
        if not _is_ours(frame):
            last_of_user = frame
        frame, raising = frame.tb_next, frame
    if raising is not None and last_of_user is not None and _is_deliberate(error, raising):
        last_of_user.tb_next = None


def _is_deliberate(error: BaseException, raising: TracebackType) -> bool:
    if isinstance(error, AssertionError):
        return Path(raising.tb_frame.f_code.co_filename) == _GATE
    return isinstance(error, BayesF1Error | BayesF1Warning)


def _is_ours(frame: TracebackType) -> bool:
    file = Path(frame.tb_frame.f_code.co_filename)
    return _PACKAGE in file.parents or file == _CALLER_OF_PROPERTIES
