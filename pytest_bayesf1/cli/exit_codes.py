"""The exit codes, which scripts may rely on."""

from collections.abc import Iterable
from enum import IntEnum

from pytest_bayesf1.errors import BaselineError, BayesF1Error, EngineError, RenderError


class Exit(IntEnum):
    """What the command's exit code means."""

    PASSED = 0
    FAILED = 1
    """A gate failed: the candidate is worse."""
    USAGE = 2
    """The arguments, a gate file or the data cannot be used."""
    UNDECIDED = 3
    """A strict gate failed, but only for want of data."""
    BASELINE = 4
    """A baseline is missing or cannot be used."""
    NOT_COMPUTED = 5
    """The answer could not be computed or written."""


def most_severe(codes: Iterable[Exit]) -> Exit:
    """Return what several gates come to: first what kept a gate from answering, then the answers."""
    order = (Exit.NOT_COMPUTED, Exit.USAGE, Exit.BASELINE, Exit.FAILED, Exit.UNDECIDED, Exit.PASSED)
    return min(codes, key=order.index, default=Exit.PASSED)


_CODES = ((BaselineError, Exit.BASELINE), ((EngineError, RenderError), Exit.NOT_COMPUTED), (BayesF1Error, Exit.USAGE))


def exit_code(error: BayesF1Error) -> Exit:
    """Return the exit code of a run that this error ended."""
    return next(code for kinds, code in _CODES if isinstance(error, kinds))
