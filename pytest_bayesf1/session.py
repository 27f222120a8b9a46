"""The session that a comparison runs in: its settings, and who receives its result."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pytest_bayesf1.errors import BayesF1Warning

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison, Estimate
    from pytest_bayesf1.gates.acceptance import Acceptor
    from pytest_bayesf1.gates.evaluate import GateResult
    from pytest_bayesf1.results.comparison import ScoreGap


@dataclass(frozen=True)
class Record:
    """A result, the gate that asked for it, and what followed.

    Attributes
    ----------
    gate
        Name of the function that was called, or what the gate demands.
    verdict
        ``passed``, ``undecided``, ``warned``, ``accepted`` or ``failed``; empty when there was nothing to judge.
    advice
        What to do next.
    way_out, command
        What else could be done, without its full stop, and the command that does it; empty where there is none.
    part
        Which class or which slice of the data it is about; empty when about all of them.
    by, value
        What the part was chosen by, ``class`` or a column, and its class or value there.
    notes
        What a careful reader should know besides what the result tells.
    caveats
        Those of the notes that every reader should know.
    policy
        What was demanded, such as ``not_worse``; empty when there was nothing to judge.
    baseline
        The file that the baseline is from; None where it is from none.
    budget
        The loss since the baseline's anchor that is allowed in all; None where there is no anchor.
    gaps
        How far the slices by each column are apart.
    """

    result: "Comparison | Estimate"
    gate: str
    _: KW_ONLY
    verdict: str = ""
    advice: str = ""
    way_out: str = ""
    command: str = ""
    part: str = ""
    by: str = ""
    value: str = ""
    notes: tuple[str, ...] = ()
    policy: str = ""
    baseline: Path | None = None
    budget: float | None = None
    gaps: tuple["ScoreGap", ...] = ()
    caveats: tuple[str, ...] = ()


def _ignore(record: Any) -> None:
    """Ignore a record."""


def _nobody() -> None:
    """Accept no loss."""


@dataclass(frozen=True)
class Session:
    """The surroundings of the comparisons made now.

    Attributes
    ----------
    settings
        Values for arguments that the caller of a comparison leaves out, by argument name.
    listener
        Called with every record.
    on_gate
        Called with the result of every gate that judges.
    acceptor
        Returns who may accept a loss of the test that runs; None where losses cannot be accepted.
    warn_undecided
        Whether gates warn that pass because the data cannot tell.
    warned
        Warnings that come once a run, and came.
    in_full
        Whether failed gates tell all their figures.
    more
        Where else those are shown; empty where that is unknown.
    ascii_only
        Whether failed gates are shown where only ASCII serves.
    """

    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    listener: Callable[[Record], None] = _ignore
    on_gate: "Callable[[GateResult], None]" = _ignore
    acceptor: "Callable[[], Acceptor | None]" = _nobody
    warn_undecided: bool = False
    warned: set[type[BayesF1Warning]] = field(default_factory=set)
    in_full: bool = False
    more: str = ""
    ascii_only: bool = False


_SESSIONS = [Session()]  # the last is in effect; one for the whole process, so that a test's threads see it too


def current_session() -> Session:
    """Return the session in effect."""
    return _SESSIONS[-1]


@contextmanager
def active(session: Session) -> Iterator[None]:
    """Put a session into effect for the time of a with block."""
    _SESSIONS.append(session)
    try:
        yield
    finally:
        _SESSIONS.pop()
