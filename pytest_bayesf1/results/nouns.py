"""What counts are of: examples of classes, or spans of types."""

from typing import Protocol

SPANS = "spans"
"""What documents hold."""

_OWNERS = {1: ("the classifier",), 2: ("the baseline", "the candidate")}


def owners_of(n_sides: int, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return whose each side is, for a sentence.

    Parameters
    ----------
    n_sides
        How many there are.
    names
        The names of ranked systems; by default one classifier, or the baseline and the candidate.
    """
    return names or _OWNERS[n_sides]


class _Holding(Protocol):
    @property
    def holding(self) -> str: ...


def nouns_of(units: _Holding | None) -> tuple[str, str]:
    """Return what was counted and what it is of, both in the singular.

    Parameters
    ----------
    units
        Of a comparison or an estimate.
    """
    return ("span", "type") if units is not None and units.holding == SPANS else ("example", "class")
