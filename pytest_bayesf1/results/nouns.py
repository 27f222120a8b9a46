"""What counts are of: examples of classes, or spans of types."""

from typing import Protocol

SPANS = "spans"
"""What documents hold."""


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
