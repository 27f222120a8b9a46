"""How the gates of a run differ from those that the manifest lists."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pytest_bayesf1.results.schema import ByValue, Declared, Described, Text


class FindingKind(StrEnum):
    """How a gate differs from the one that is listed."""

    MISSING = "missing"
    """It did not judge: its test is gone, was skipped, or ran without it."""
    LOOSER = "looser"
    """What it failed before may pass now."""
    OTHER = "other"
    """It asks something else, which is neither stricter nor looser."""
    STRICTER = "stricter"
    UNLISTED = "unlisted"


_LOOSENS = (FindingKind.MISSING, FindingKind.LOOSER, FindingKind.OTHER)


@dataclass(frozen=True)
class Finding(Declared):
    """How a gate differs from the one that the manifest of gates lists, in words.

    Attributes
    ----------
    gate
        The test that makes the gate, and which of its gates where it makes several.
    about
        The setting that differs, such as ``rope``; empty when the gate as a whole does.
    text
        What was, and what is.
    """

    gate: Annotated[Text, Described("The test that makes it, and which of its gates where it makes several.")]
    kind: Annotated[
        FindingKind,
        ByValue(),
        Described("The first three loosen: other asks something else, which is neither stricter nor looser."),
    ]
    about: Annotated[Text, Described("The setting that differs; empty when the gate as a whole does.")]
    text: Text

    @property
    def loosens(self) -> bool:
        """Whether a regression might pass now that was listed to fail."""
        return self.kind in _LOOSENS
