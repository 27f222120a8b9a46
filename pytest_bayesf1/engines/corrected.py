"""Means of a judge's grades, corrected by people's grades of some of the answers.

A judge, such as a language model, grades all N examples; people grade n of them. What is drawn is the mean of *human*
grades: λ times the judge's mean over the examples that people did not grade, plus the mean of human − λ judge over
those that they did (prediction-powered inference: Angelopoulos, Bates, Fannjiang, Jordan and Zrnic 2023; with the λ
that makes the variance least: Angelopoulos, Duchi and Zrnic 2023, PPI++). Both means are Bayesian bootstraps (Rubin
1981): a cluster has a weight W ~ Gamma(1), which all its examples share. The judge's errors drop out on average
whatever they are, as long as people graded a random sample.

Equal grades do not exclude others, so that people's grades have two pseudo-examples, half an example each: one step of
the scale up and one down, of which the judge sees nothing, or of a change as much as it weighs. And n is small: about
the observed mean, draws are spread as Student's t is about a normal distribution (`benchmarks/studies/judges.md`).
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt

import numpy as np
from scipy.special import stdtr

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.engines.protocol import BlockSampler, Seed

_PSEUDO = 0.5
_TRIED = 200
"""Numbers of more grades."""
_LEAST_TOLD = 1e-6
_SAMPLES = 999
_ROUNDING = 1e-9
_MOST_GRADES = 10
"""Of a scale on which answers of the same grade are compared."""


@dataclass(frozen=True, eq=False)
class Corrected:
    """A mean of a judge's grades, or of their differences, corrected.

    Attributes
    ----------
    factor
        λ, what the judge counts.
    rest : (n,)
        People's grades less λ times the judge's.
    mean
        The estimate.
    """

    factor: float
    rest: Floats
    mean: float

    @classmethod
    def of(cls, judge: Floats, human: Floats, ungraded: Floats) -> "Corrected":
        """Correct by n grades of both the mean of others that the judge alone gave."""
        factor = best_weight(judge, human, ungraded.size)
        rest = human - factor * judge
        return cls(factor, rest, float(rest.mean() + (factor * ungraded.mean() if factor else 0.0)))


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
    def cluster_of_graded(self) -> Codes:
        """(n,) the clusters of the examples that people graded, 0, 1, ..."""
        return np.unique(self.cluster[self.graded], return_inverse=True)[1]

    @property
    def step(self) -> float:
        """The least by which two of people's grades differ; 1 where all are equal."""
        gaps = np.diff(np.unique(self.human))
        return float(gaps.min()) if gaps.size else 1.0

    def errors(self) -> Floats:
        """(S, n) the judge's grade minus that of people."""
        return self.judge[:, self.graded] - self.human

    def corrected(self, side: int | None = None) -> Corrected:
        """Correct one side's mean, or the change of it."""
        judge, human = (each[1] - each[0] if side is None else each[side] for each in (self.judge, self.human))
        return Corrected.of(judge[self.graded], human, judge[self.ungraded])

    def scores(self) -> tuple[float, ...]:
        """Return each side's mean, corrected by its own grades: their difference is not quite the corrected change."""
        return tuple(self.corrected(side).mean for side in range(len(self.judge)))

    def more(self) -> tuple[Floats, Floats]:
        """Return numbers of more examples for people to grade, and what each tells as a multiple of what is known.

        Of n grades the change has the variance σ² (1/n − r² (1/n − 1/N)), where r is how people's and the judge's
        changes correlate (Angelopoulos, Duchi and Zrnic 2023, with the best λ).
        """
        n, n_all = self.graded.size, self.cluster.size
        judge, human = self.judge[1, self.graded] - self.judge[0, self.graded], self.human[1] - self.human[0]
        varies = judge.std() > 0 and human.std() > 0
        explained = max(float(np.corrcoef(judge, human)[0, 1]), 0.0) ** 2 if varies else 0.0
        more = np.unique(np.geomspace(1, n_all - n, _TRIED).round()) if n < n_all else np.empty(0)

        def variance(graded: Floats | int) -> Floats:
            return np.asarray(1 / graded - explained * (1 / graded - 1 / n_all))

        told = variance(n) / variance(n + more) - 1
        tells = told > _LEAST_TOLD
        return more[tells], told[tells]

    def of_side(self, place: int) -> "Grades":
        """Return those of one side alone."""
        return replace(self, judge=self.judge[[place]], human=self.human[[place]])

    def without_clusters(self) -> "Grades":
        """Return the same as if every example were its own cluster."""
        return replace(self, cluster=np.arange(self.cluster.size))

    @property
    def are_right_or_wrong(self) -> bool:
        """Whether all are 0 or 1."""
        return bool(np.isin(self.judge, (0, 1)).all() and np.isin(self.human, (0, 1)).all())

    def failed(self) -> Codes:
        """(S,) how many answers people fail; of grades of 0 and 1."""
        return np.asarray((self.human == 0).sum(axis=1))

    def passed_but_failed(self) -> Codes:
        """(S,) how many of these the judge passes."""
        return np.asarray(((self.human == 0) & (self.judge[:, self.graded] == 1)).sum(axis=1))

    def favour(self) -> tuple[float, float]:
        """Return how much higher the judge grades the candidate's answers than the baseline's that people grade alike.

        And how probable so large a difference is if it errs alike on both: Student's t of the clusters' parts of it.
        """
        alike = _groups(self.human)
        errors = _about_means(self.judge[:, self.graded] - self.human, alike)
        is_candidate = _about_means(np.array([[0.0], [1.0]]) + np.zeros_like(errors), alike)
        parts = np.bincount(self.cluster_of_graded, (is_candidate * errors).sum(axis=0))
        spread = float(np.square(is_candidate).sum())
        if parts.size < 2 or not parts.any():
            return 0.0, 1.0
        error = float(parts.std(ddof=1)) / sqrt(parts.size)
        t = abs(float(parts.mean())) / error if error > 0 else inf
        return float(parts.sum()) / spread, float(2 * stdtr(parts.size - 1, -t))

    def p_random(self, seed: Seed) -> float | None:
        """Return how probable it is that random answers are as unlike all, by the judge, as those that people graded.

        Samples are drawn at random. Of each, the mean grade of a side, or how far both sides are apart, differs most
        from that of all. None where people graded all, or a part of a cluster.
        """
        sizes = np.bincount(self.cluster)
        graded = np.bincount(self.cluster[self.graded], minlength=sizes.size)
        chosen = np.flatnonzero(graded)
        if chosen.size == sizes.size or (graded[chosen] < sizes[chosen]).any():
            return None
        told = [*self.judge, np.ptp(self.judge, axis=0)]
        sums = np.stack([np.bincount(self.cluster, each) for each in told])
        rng = np.random.default_rng(seed)
        samples = [chosen, *(rng.choice(sizes.size, chosen.size, replace=False) for _ in range(_SAMPLES))]
        means = np.stack([sums[:, each].sum(axis=1) / sizes[each].sum() for each in samples])
        away = np.abs(means - sums.sum(axis=1) / sizes.sum())
        spread = np.sqrt(np.square(away).mean(axis=0))
        farthest = (away / np.where(spread > 0, spread, 1)).max(axis=1)
        return float((farthest >= farthest[0] - _ROUNDING).mean())


def _groups(human: Floats) -> Codes:
    """(S, n) code answers that people grade alike: by their grade, or by tenths of all grades where there are many."""
    values = np.unique(human)
    ends = values if values.size <= _MOST_GRADES else np.quantile(human, np.arange(1, 10) / 10)
    return np.searchsorted(ends, human)


def _about_means(values: Floats, group: Codes) -> Floats:
    """Take from every value the mean of its group."""
    means = np.bincount(group.ravel(), values.ravel()) / np.maximum(np.bincount(group.ravel()), 1)
    return np.asarray(values - means[group])


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
    """Draws of every side's mean human grade, (S, n, 1): of two sides the change is corrected as a whole."""

    def __init__(self, grades: Grades, seed: Seed) -> None:
        self._grades = grades
        n, judge = grades.graded.size, grades.judge[:, grades.ungraded]
        _, cluster = np.unique(grades.cluster, return_inverse=True)
        self._shape = np.ones(int(cluster.max()) + 1)
        self._of_graded, of_ungraded = cluster[grades.graded], cluster[grades.ungraded]
        if self._shape.size == cluster.size:  # examples that are graded alike weigh together what they weigh apart
            judge, count = np.unique(judge, axis=1, return_counts=True)
            self._shape = np.concatenate([np.ones(n), count])
            self._of_graded, of_ungraded = np.arange(n), n + np.arange(count.size)
        self._judge = np.stack([self._by_weight(of_ungraded, side) for side in judge])
        self._n_graded, self._n_ungraded = self._by_weight(self._of_graded), self._by_weight(of_ungraded)
        super().__init__(2 * self._shape.size, seed)

    def _by_weight(self, of: Codes, values: Floats | None = None) -> Floats:
        """Add up what shares a weight."""
        return np.asarray(np.bincount(of, values, self._shape.size), dtype=np.float64)

    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        grades = self._grades
        weights = rng.standard_gamma(self._shape, (n, self._shape.size))
        pseudo = rng.standard_gamma(_PSEUDO, (2, n, 2))
        n_weights = np.count_nonzero(self._n_graded)
        spread = np.sqrt(n_weights / rng.chisquare(n_weights - 1, n))

        def mean(corrected: Corrected, judge: Floats, pseudo: Floats, seen: float) -> Floats:
            """Draw the mean of people's grades, or of their differences, (n,), of which the judge sees so much."""
            ends = (1 - seen) * grades.step * np.array([-1.0, 1.0])
            rest = self._by_weight(self._of_graded, corrected.rest - corrected.rest.mean())
            about = (weights @ rest + pseudo @ ends) / (weights @ self._n_graded + pseudo.sum(axis=1))
            drawn = corrected.rest.mean() + spread * about
            if corrected.factor:
                drawn = drawn + corrected.factor * (weights @ judge) / (weights @ self._n_ungraded)
            return np.asarray(drawn)

        baseline = mean(grades.corrected(0), self._judge[0], pseudo[0], 0.0)
        if len(grades.judge) == 1:
            return baseline[None, :, None]
        change = grades.corrected()
        moved = mean(change, self._judge[1] - self._judge[0], pseudo[1], change.factor)
        return np.stack([baseline, baseline + moved])[:, :, None]
