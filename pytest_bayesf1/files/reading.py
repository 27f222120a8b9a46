"""How files of predictions are to be read."""

from dataclasses import dataclass

from pytest_bayesf1.choices import INVALID_DEFAULT, Invalid, Runs
from pytest_bayesf1.files.content import ID, RUN


@dataclass(frozen=True)
class Reading:
    """What the columns of a file mean, as gate files and the command line say it.

    Attributes
    ----------
    invalid
        What becomes of predictions that are missing or none of the classes.
    clusters
        The column that tells which unit each example belongs to; empty where every example is its own.
    runs
        What several rows of an example are, which its id tells; None where an example has one.
    show
        The columns that reports show of an example that changed.
    """

    invalid: Invalid = INVALID_DEFAULT
    clusters: str = ""
    runs: Runs | None = None
    show: tuple[str, ...] = ()

    @property
    def identifiers(self) -> dict[str, str]:
        """The columns that tell rows apart, where a file has them, and what one of their values is called."""
        units = {self.clusters: "unit"} if self.clusters else {}
        return {ID: "id", **units, **({RUN: "run"} if self.runs else {})}


AS_IT_IS = Reading()
"""Nothing was said of the file."""
