"""Means of a judge's grades, corrected by people's grades of some of the answers.

A judge, such as a language model, grades all N examples; people grade n of them. What is drawn is the mean of *human*
grades: λ times the judge's mean over the examples that people did not grade, plus the mean of human − λ judge over
those that they did (prediction-powered inference: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023; with the λ
that makes the variance least: Angelopoulos, Duchi and Zrnic 2023, PPI++). Both means are Bayesian bootstraps (Rubin
1981): a cluster has a weight W ~ Gamma(1), which all its examples share. The judge's errors drop out on average
whatever they are, as long as people graded a random sample.

Equal grades do not exclude others, so that people's grades have two pseudo-examples, half an example each: one step of
the scale up and one down, of which the judge sees as much as it weighs. And n is small: about the observed mean, draws
are spread as Student's t is about a normal distribution.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt

import numpy as np
from scipy.special import stdtr

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.engines.protocol import Block, BlockSampler, Seed

_PSEUDO = 0.5


@dataclass(frozen=True, eq=False)
class Grades:
    """What a judge says of N examples, and people of n of them, for S sides.

    Attributes
    ----------
    judge : (S, N)
        The judge's grades; of several answers to one question their mean.
    human : (S, n)
        People's grades, in the judge's unit.
    graded : (n,)
        Which examples these are of.
    cluster : (N,)
        Codes of the clusters that examples belong to, 0, 1, ...; every example its own if it is `numpy.arange`.
    """

    judge: Floats
    human: Floats
    graded: Codes
    cluster: Codes

    @cached_property
    def ungraded(self) -> Codes:
        """(N - n,) the examples that people did not grade."""
        return np.setdiff1d(np.arange(self.cluster.size), self.graded)

    @property
    def step(self) -> float:
        """The least by which two of people's grades differ; 1 where all are equal."""
        gaps = np.diff(np.unique(self.human))
        return float(gaps.min()) if gaps.size else 1.0

    def errors(self) -> Floats:
        """(S, n) the judge's grade minus that of people."""
        return self.judge[:, self.graded] - self.human

    def passed_but_failed(self) -> tuple[tuple[int, int], ...]:
        """Count for each side what people fail, and how much of that the judge passes: of grades of 0 and 1."""
        said = self.judge[:, self.graded]
        failed = self.human == 0
        return tuple(
            (int((side[fails] > 0.5).sum()), int(fails.sum())) for side, fails in zip(said, failed, strict=True)
        )

    def p_even_handed(self) -> float:
        """Return how probable a difference of the judge's mean errors as large is, if it treats two sides alike.

        Student's t of the differences, one for each cluster.
        """
        baseline, candidate = self.errors()
        differences = candidate - baseline
        _, cluster = np.unique(self.cluster[self.graded], return_inverse=True)
        sums, sizes = np.bincount(cluster, differences), np.bincount(cluster)
        residuals = sums - sizes * differences.mean()
        n = sizes.size
        if n < 2 or not residuals.any():
            return float(not differences.any()) if n > 1 else 1.0
        error = sqrt(float(residuals @ residuals) * n / (n - 1)) / sizes.sum()
        return float(2 * stdtr(n - 1, -abs(differences.mean()) / error))


def best_weight(judge: Floats, human: Floats, n_ungraded: int) -> float:
    """Return λ, from 0 to 1, by which the corrected mean varies least.

    Of the judge's and people's grades of the same n examples, (n,) each: cov / var · N / (n + N) for N more examples of
    the judge (Angelopoulos, Duchi and Zrnic 2023, section 6).

    Examples
    --------
    >>> best_weight(np.array([0.0, 1.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 0.0]), n_ungraded=12)
    0.75
    """
    about = judge - judge.mean()
    variance = float(about @ about)
    if variance == 0 or n_ungraded == 0:
        return 0.0
    slope = float(about @ human) / variance
    return min(max(slope * n_ungraded / (judge.size + n_ungraded), 0.0), 1.0)


class CorrectedSampler(BlockSampler):
    """Draws of every side's mean human grade, (S, n): of two sides the change is corrected as a whole."""

    def __init__(self, grades: Grades, seed: Seed) -> None:
        self._grades = grades
        _, cluster = np.unique(grades.cluster, return_inverse=True)
        self._n_clusters = int(cluster.max()) + 1
        self._of_ungraded, self._of_graded = cluster[grades.ungraded], cluster[grades.graded]
        super().__init__(2 * self._n_clusters, seed)

    def _scores(self, block: Block) -> Floats:
        judge, human = self._grades.judge, self._grades.human
        weights = block.rng.standard_gamma(1.0, (block.n, self._n_clusters))
        pseudo = block.rng.standard_gamma(_PSEUDO, (2, block.n, 2))
        n = np.unique(self._of_graded).size
        spread = np.sqrt(n / block.rng.chisquare(n - 1, block.n))
        baseline = self._mean(judge[0], human[0], weights, pseudo[0], spread)
        if len(judge) == 1:
            return baseline[None]
        change = self._mean(judge[1] - judge[0], human[1] - human[0], weights, pseudo[1], spread)
        return np.stack([baseline, baseline + change])

    def _mean(self, judge: Floats, human: Floats, weights: Floats, pseudo: Floats, spread: Floats) -> Floats:
        """Draw the mean of people's grades, or of their differences, (n,)."""
        graded, ungraded = self._grades.graded, self._grades.ungraded
        factor = best_weight(judge[graded], human, ungraded.size)
        corrected = human - factor * judge[graded]
        centre = float(corrected.mean())
        ends = (1 - factor) * self._grades.step * np.array([-1.0, 1.0])
        of_graded = weights[:, self._of_graded]
        about = (of_graded @ (corrected - centre) + pseudo @ ends) / (of_graded.sum(axis=1) + pseudo.sum(axis=1))
        mean = centre + spread * about
        if factor == 0:
            return np.asarray(mean)
        of_ungraded = weights[:, self._of_ungraded]
        return np.asarray(mean + factor * (of_ungraded @ judge[ungraded]) / of_ungraded.sum(axis=1))
