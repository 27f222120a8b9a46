"""How files of predictions are to be read."""

from dataclasses import dataclass

from pytest_bayesf1.choices import INVALID_DEFAULT, Invalid


@dataclass(frozen=True)
class Reading:
    """What the columns of a file mean, as gate files and the command line say it.

    Attributes
    ----------
    invalid
        What becomes of predictions that are missing or none of the classes.
    """

    invalid: Invalid = INVALID_DEFAULT


AS_IT_IS = Reading()
"""Nothing was said of the file."""
