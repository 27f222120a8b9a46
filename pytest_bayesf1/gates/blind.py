"""Gates that pass because they hardly see anything: told once a run."""

import warnings
from collections.abc import Callable

from pytest_bayesf1.errors import BayesF1Warning, BlindGateWarning, warn
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Verdict
from pytest_bayesf1.results.formatting import gate_finds, is_blind
from pytest_bayesf1.settings import current_session
from pytest_bayesf1.stats.posterior import SETTLED


def warn_if_blind(judgement: Judgement, emit: Callable[[str, type[BayesF1Warning]], None] = warn) -> None:
    """Warn of a gate whose green means little, unless another gate of this run was warned of.

    A gate whose warning is ignored does not count, and where warnings are errors every such gate fails.

    Parameters
    ----------
    judgement
        Of all the data.
    emit
        Shows a warning; by default it is about the caller's line.
    """
    comparison, told = judgement.comparison, current_session().told
    unproven = judgement.verdict is not Verdict.FAILED and comparison.decision not in SETTLED
    if BlindGateWarning in told or not unproven or not is_blind(comparison):
        return
    message = f"{gate_finds(comparison)} {_WHAT_NOW}"
    with warnings.catch_warnings(record=True) as shown:
        emit(message, BlindGateWarning)
    if shown:
        told.add(BlindGateWarning)
        emit(message, BlindGateWarning)


_WHAT_NOW = (
    "That it passes says little: test on more examples, or tolerate what it cannot see. This warning comes once a run; "
    "the report says of every gate what it finds."
)
