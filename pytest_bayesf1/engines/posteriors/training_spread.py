"""How far a recipe's mean score may lie from that of the trainings at hand."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Scoring


@dataclass(frozen=True, eq=False)
class TrainingSpread:
    """The posterior of a normal mean from R scores with a flat prior on it and on log sd: Student's t.

    Attributes
    ----------
    n
        Number of trainings, R; the t distribution has R - 1 degrees of freedom.
    error
        Standard error of the mean: the standard deviation of the trainings' observed scores over the root of R. One
        number, or (K,) where K scores are computed at once.
    """

    n: int
    error: Floats

    @classmethod
    def of(cls, trainings: Sequence[OutcomeTable], scoring: Scoring) -> "TrainingSpread | None":
        """Score every training; None where a side is one classifier.

        Parameters
        ----------
        trainings
            Counts of each on the whole test set.
        scoring
            What is scored.
        """
        if not trainings:
            return None
        scores = np.stack([scoring(Joint.observed(table, scoring.detail)) for table in trainings])
        return cls(len(trainings), np.asarray(scores.std(axis=0, ddof=1) / sqrt(len(trainings))))

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the distance n times, (n,) or (n, K); of several scores it is as many of their standard errors."""
        return np.multiply.outer(rng.standard_t(self.n - 1, n), self.error)


class Scorer:
    """Scores the draws of every side; those of a recipe vary with the trainings that there were.

    Parameters
    ----------
    scoring
        What is scored.
    trainings
        Of every side the counts of each training; none where it is one classifier.
    """

    def __init__(self, scoring: Scoring, trainings: Sequence[Sequence[OutcomeTable]]) -> None:
        self._scoring = scoring
        self._recipes = [TrainingSpread.of(tables, scoring) for tables in trainings]

    def scores(self, joints: Iterable[Joint], rng: np.random.Generator) -> Floats:
        """Score draws.

        Parameters
        ----------
        joints
            Of every side, n draws each.
        rng
            Where the randomness comes from.

        Returns
        -------
        (sides, n) or (sides, n, K)
            The latter where K scores are computed at once.
        """
        scores = np.stack([self._scoring(joint) for joint in joints])
        for side, recipe in enumerate(self._recipes):
            if recipe is not None:
                scores[side] += recipe.draw(scores.shape[1], rng)
        return scores
