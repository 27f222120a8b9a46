"""Weights of examples whose scores are known, for many draws at once."""

from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import ScoreTable


@dataclass(frozen=True, eq=False)
class Weighting:
    """Weights of a table's outcomes, and of imagined examples beside them.

    Attributes
    ----------
    outcomes : (n, K)
        The weight of all examples with an outcome.
    alike : (n, J)
        The outcome whose scores each of J imagined examples was given.
    true : (J,)
        The class that it is of.
    imagined : (n, J)
        Its weight.
    """

    outcomes: Floats
    alike: Codes
    true: Codes
    imagined: Floats

    @classmethod
    def observed(cls, table: ScoreTable) -> "Weighting":
        """Give every example the weight 1, and imagine none.

        Parameters
        ----------
        table
            The scores.
        """
        return cls.of_outcomes(table.count[None].astype(np.float64))

    @classmethod
    def of_outcomes(cls, outcomes: Floats) -> "Weighting":
        """Take weights of the outcomes alone.

        Parameters
        ----------
        outcomes : (n, K)
            One row per draw.
        """
        none = np.empty((len(outcomes), 0), dtype=np.int64)
        return cls(outcomes, none, none[0], none.astype(np.float64))

    @property
    def totals(self) -> Floats:
        """(n,) the weight of everything."""
        return np.asarray(self.outcomes.sum(axis=1) + self.imagined.sum(axis=1))
