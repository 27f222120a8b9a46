"""What surrounds a comparison: the project's settings, and who wants to hear of the result.

A test run announces itself here for the time of each test. Outside of one there are no settings and nobody listens.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from pytest_bayesf1.errors import BayesF1Warning

if TYPE_CHECKING:
    from pytest_bayesf1.results.groups import Group
    from pytest_bayesf1.results.results import Reported


class Result(Protocol):
    """A comparison, or an estimate of one classifier's score."""

    def reported(self, *, at_length: bool = True) -> "Reported":
        """Everything about it that a report needs, or all but what takes longest to compute."""
        ...

    def parts(self) -> Iterator[str]:
        """Yield its outcome, every figure and every note, in lines for a terminal."""
        ...


@dataclass(frozen=True)
class Record:
    """A result, the gate that asked for it, and what followed.

    Attributes
    ----------
    gate
        Name of the function that was called, or what the gate demands.
    verdict
        ``passed``, ``undecided``, ``warned`` or ``failed``; empty when there was nothing to judge.
    advice
        What to do next.
    part
        Which class or which slice of the data it is about; empty when about all of them.
    notes
        What a careful reader should know besides what the result tells.
    policy
        What was demanded, such as ``not_worse``; empty when there was nothing to judge.
    baseline
        The file that the baseline is from; None where it is from none.
    budget
        The loss since the baseline's anchor that is tolerated in all; None where there is no anchor.
    groups
        The classes and slices that were compared too, shrunk toward each other.
    """

    result: Result
    gate: str
    verdict: str = ""
    advice: str = ""
    part: str = ""
    notes: tuple[str, ...] = ()
    policy: str = ""
    baseline: Path | None = None
    budget: float | None = None
    groups: tuple["Group", ...] = ()


def _ignore(told: Any) -> None:
    """Nobody listens."""


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
        Called with the settings of every gate that judges, as the manifest of gates writes them.
    warn_undecided
        Whether gates warn that pass because the data cannot tell.
    told
        Warnings that come once a run, and came.
    in_full
        Whether failed gates tell all their figures.
    more
        Where else those are told; empty where nobody knows.
    ascii_only
        Whether failed gates are told where only ASCII serves.
    """

    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    listener: Callable[[Record], None] = _ignore
    on_gate: Callable[[dict[str, Any]], None] = _ignore
    warn_undecided: bool = False
    told: set[type[BayesF1Warning]] = field(default_factory=set)
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
