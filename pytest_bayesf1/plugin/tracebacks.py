"""Tracebacks that end where the user's code called us. A plugin of its own: it must see exceptions after unittest's."""

from pathlib import Path
from types import TracebackType

import pytest

import pytest_bayesf1
from pytest_bayesf1.errors import BayesF1Error, BayesF1Warning

_PACKAGE = Path(pytest_bayesf1.__file__).parent


def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> None:
    """Cut our frames off before pytest writes the traceback down."""
    error = call.excinfo.value if call.excinfo is not None else None
    while error is not None:
        _hide_own_frames(error)
        error = error.__cause__ or error.__context__


def _hide_own_frames(error: BaseException) -> None:
    """Cut the frames of this package off the end of a failed gate's or a deliberate error's traceback.

    Any other exception that ends in this package is a bug, and keeps its frames.
    """
    if not isinstance(error, AssertionError | BayesF1Error | BayesF1Warning):
        return
    last_of_user = None
    frame = error.__traceback__
    while frame is not None:
        if not _is_ours(frame):
            last_of_user = frame
        frame = frame.tb_next
    if last_of_user is not None:
        last_of_user.tb_next = None


def _is_ours(frame: TracebackType) -> bool:
    return _PACKAGE in Path(frame.tb_frame.f_code.co_filename).parents
