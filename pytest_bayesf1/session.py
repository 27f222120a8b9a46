"""The session that comparisons run in: its settings, and where they are recorded."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pytest_bayesf1.errors import BayesF1Warning


def _ignore(_: object) -> None:
    """Record nothing."""


def _nothing() -> None:
    """Accept no loss."""


@dataclass(frozen=True)
class Session:
    """The surroundings of the comparisons made now.

    Attributes
    ----------
    settings
        Values for arguments that the caller of a comparison leaves out, by argument name.
    record
        Called with everything that a report shows: a gate that judged, a comparison that nothing depends on, an error,
        and what became of a baseline's file.
    terms
        Returns which losses of the test that runs are accepted, and how others could be; None where none can be.
    warn_undecided
        Whether gates warn that pass because the data cannot tell.
    warned
        Warnings that come once a run, and came.
    in_full
        Whether failed gates tell all their figures.
    more
        Where else those are shown; empty where that is unknown.
    """

    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    record: Callable[[Any], None] = _ignore
    terms: Callable[[], Any] = _nothing
    warn_undecided: bool = False
    warned: set[type[BayesF1Warning]] = field(default_factory=set)
    in_full: bool = False
    more: str = ""


_SESSIONS = [Session()]  # the last is in effect; one for the whole process, so that a test's threads see it too


def current_session() -> Session:
    """Return the session in effect."""
    return _SESSIONS[-1]


def record_all(things: Iterable[object]) -> None:
    """Record several things in the session."""
    for each in things:
        current_session().record(each)


@contextmanager
def active(session: Session) -> Iterator[None]:
    """Put a session into effect for the time of a with block."""
    _SESSIONS.append(session)
    try:
        yield
    finally:
        _SESSIONS.pop()
