"""Populations of clusters: documents alike within, or of unequal sizes; systems that answer by chance; recipes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.optimize import bisect
from scipy.stats import norm

from benchmarks.studies.populations import Population
from pytest_bayesf1 import ConfusionMatrix, Scores, SpanCounts
from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.measures.classification import parse_measure

TYPES = ("LOC", "ORG", "PER")


@dataclass(frozen=True)
class Drawing:
    """How clusters are drawn.

    Attributes
    ----------
    correlation
        Of every outcome between two examples of a cluster: of its class, of errors, of what the candidate changes.
    n_clusters
        G.
    size
        Examples of a cluster, on average.
    skewed
        Whether the sizes are lognormal with a standard deviation of the logarithm of 1; else they are equal.
    """

    correlation: float
    n_clusters: int
    size: int
    skewed: bool = False

    def counts(self, shares: Floats, rng: np.random.Generator) -> Counts:
        """Draw how many examples with each of K outcomes every cluster holds, (G, K).

        A cluster's own shares are Dirichlet about those of the population, from which two examples get their
        correlation.
        """
        own = np.tile(shares, (self.n_clusters, 1))
        if self.correlation > 0:
            own = rng.standard_gamma(own * (1 / self.correlation - 1)) + 1e-300 * own
            own /= own.sum(axis=1, keepdims=True)
        return rng.multinomial(self.sizes(rng), own)

    def sizes(self, rng: np.random.Generator) -> Counts:
        """Draw how many examples every cluster holds."""
        if not self.skewed:
            return np.full(self.n_clusters, self.size)
        return np.maximum(np.rint(self.size * rng.lognormal(-0.5, 1, self.n_clusters)), 1).astype(np.int64)


def classes(population: Population, drawing: Drawing, rng: np.random.Generator) -> list[ConfusionMatrix]:
    """Draw a test set with both sides' predictions; every class occurs."""
    while True:
        counts = drawing.counts(population.joint.ravel(), rng).reshape(-1, *population.joint.shape)
        if counts.any(axis=(0, 2, 3)).all():
            return _matrices(counts)


def _matrices(counts: Counts) -> list[ConfusionMatrix]:
    """Write out both sides' predictions, of (G, M, M, M) examples by true class and both predictions."""
    cells = np.argwhere(counts)
    cluster, true, *predicted = np.repeat(cells, counts[counts > 0], axis=0).T
    labels = range(counts.shape[1])
    return [ConfusionMatrix.from_predictions(true, y, clusters=cluster, labels=labels) for y in predicted]


_SHARES_OF_CLASSES = 0.6, 0.4
_BOTH_WRONG, _EITHER_WAY, _MOST = 0.08, 0.05, 0.6


@dataclass(frozen=True)
class Sized:
    """Documents of two classes and lognormal sizes, of 10 examples on average, and of a gain that goes with the size.

    Attributes
    ----------
    measure
        What the candidate loses is measured by it.
    n_clusters
        G.
    slope
        How much more of a document only the candidate has right where it is e times as large.
    """

    measure: str
    n_clusters: int
    slope: float

    def population(self, delta: float) -> Callable[[np.random.Generator], list[ConfusionMatrix]]:
        """Find the population on which the candidate's score differs so much, and return how to draw a test set."""
        rng = np.random.default_rng(1)
        sizes, scatter = self._sizes(200_000, rng), rng.normal(size=200_000)
        score = parse_measure(self.measure, range(2))

        def beyond(gain: float) -> float:
            joint = np.tensordot(sizes / sizes.sum(), self._joints(sizes, gain, scatter), 1)
            return Population(joint).delta(score) - delta

        return partial(self._sample, bisect(beyond, -_MOST, _MOST))

    def _sample(self, gain: float, rng: np.random.Generator) -> list[ConfusionMatrix]:
        sizes = self._sizes(self.n_clusters, rng)
        joints = self._joints(sizes, gain, rng.normal(size=self.n_clusters))
        return _matrices(rng.multinomial(sizes, joints.reshape(-1, 8)).reshape(joints.shape))

    def _sizes(self, n: int, rng: np.random.Generator) -> Counts:
        return Drawing(0, n, 10, skewed=True).sizes(rng)

    def _joints(self, sizes: Counts, gain: float, scatter: Floats) -> Floats:
        """(G, 2, 2, 2) shares of true class and both predictions in every document."""
        gains = np.clip(gain + self.slope * np.log(sizes / 10) + 0.05 * scatter, -_MOST, _MOST)
        baseline, candidate = (_EITHER_WAY + np.maximum(each, 0) for each in (-gains, gains))
        joints = np.empty((sizes.size, 2, 2, 2))
        for true, share in enumerate(_SHARES_OF_CLASSES):
            wrong = 1 - true
            joints[:, true, true, true] = share * (1 - _BOTH_WRONG - baseline - candidate)
            joints[:, true, true, wrong] = share * baseline
            joints[:, true, wrong, true] = share * candidate
            joints[:, true, wrong, wrong] = share * _BOTH_WRONG
        return joints


_TRUE = (0, 1, 2, 3)
_BASELINE_FINDS, _BASELINE_INVENTS = (0, 1), (4, 5)
_CANDIDATE_FINDS, _CANDIDATE_INVENTS = (0, 2), (4, 6)


@dataclass(frozen=True, eq=False)
class SpanPopulation:
    """Shares of what can happen to a span, (types, 7).

    A true one is found by both, by the baseline, by the candidate, by none; another is invented by both, by the
    baseline, by the candidate.
    """

    shares: Floats

    @classmethod
    def retrained(cls) -> "SpanPopulation":
        """Return two systems of F1 0.89 and 0.87, of which the candidate finds less and invents more."""
        outcomes = np.array([0.72, 0.055, 0.04, 0.06, 0.08, 0.02, 0.025])
        return cls(np.outer([0.5, 0.3, 0.2], outcomes))

    def delta(self) -> float:
        """Return the difference of micro-F1, 2 TP / (predicted + true)."""
        shares = self.shares.sum(axis=0)
        scores = []
        for found, extra in ((_BASELINE_FINDS, _BASELINE_INVENTS), (_CANDIDATE_FINDS, _CANDIDATE_INVENTS)):
            predicted, true = shares[[*found, *extra]].sum(), shares[[*_TRUE]].sum()
            scores.append(float(2 * shares[[*found]].sum() / (predicted + true)))
        return scores[1] - scores[0]

    def sample(self, drawing: Drawing, rng: np.random.Generator) -> list[SpanCounts]:
        """Draw documents with both systems' spans; every type occurs."""
        while True:
            counts = drawing.counts(self.shares.ravel(), rng).reshape(-1, *self.shares.shape)
            if counts[:, :, _TRUE].any(axis=(0, 2)).all():
                said = _TRUE, _BASELINE_FINDS + _BASELINE_INVENTS, _CANDIDATE_FINDS + _CANDIDATE_INVENTS
                gold, baseline, candidate = ([_spans(document, each) for document in counts] for each in said)
                return [SpanCounts.from_spans(gold, each, labels=TYPES) for each in (baseline, candidate)]


def _spans(document: Counts, outcomes: tuple[int, ...]) -> list[tuple[int, int, str]]:
    """Write out the spans of a document that have one of these outcomes; each outcome of a type has its place."""
    return [
        (start, start + 1, name)
        for number, name in enumerate(TYPES)
        for outcome in outcomes
        for start in range(10_000 * outcome, 10_000 * outcome + int(document[number, outcome]))
    ]


@dataclass(frozen=True)
class Ranked:
    """Two systems whose scores are normal in either class, apart by so many standard deviations.

    Attributes
    ----------
    positive
        Share of the positive class.
    apart
        Of the baseline and of the candidate.
    """

    positive: float = 0.4
    apart: tuple[float, float] = (1.4, 1.32)

    def delta(self) -> float:
        """Return the difference of the areas under the ROC curves."""
        baseline, candidate = norm.cdf(np.array(self.apart) / np.sqrt(2)).tolist()
        return float(candidate - baseline)

    def sample(self, drawing: Drawing, rng: np.random.Generator) -> list[Scores]:
        """Draw clusters with both systems' scores, of which four fifths of the variance are common to both.

        Classes, scores and their differences are as correlated as the drawing says.
        """
        by_class = drawing.counts(np.array([1 - self.positive, self.positive]), rng)
        cluster, true = np.repeat(np.argwhere(by_class), by_class[by_class > 0], axis=0).T

        def correlated() -> Floats:
            of_unit, own = rng.normal(size=drawing.n_clusters)[cluster], rng.normal(size=cluster.size)
            return np.asarray(np.sqrt(drawing.correlation) * of_unit + np.sqrt(1 - drawing.correlation) * own)

        common = np.sqrt(0.8) * correlated()
        sides = [distance * true + common + np.sqrt(0.2) * correlated() for distance in self.apart]
        return [Scores.from_predictions(true, side, clusters=cluster) for side in sides]


@dataclass(frozen=True)
class Answering:
    """Systems that find some examples hard, in part the same ones, and answer these by chance.

    Attributes
    ----------
    n
        Examples, N.
    runs
        How often every example is asked, or how many models a recipe trains, R.
    training_sd
        Standard deviation of the accuracies of the models that a recipe trains, the baseline's and the candidate's.
    """

    n: int
    runs: int
    training_sd: tuple[float, float] = (0.0, 0.0)

    def sample(self, accuracies: tuple[float, float], rng: np.random.Generator) -> tuple[Codes, list[Codes]]:
        """Draw the truth (N,) and both sides' answers (N, R) of four classes."""
        true, hard = rng.integers(4, size=self.n), rng.normal(size=(self.n, 1))
        sides = []
        for accuracy, training_sd in zip(accuracies, self.training_sd, strict=True):
            each = rng.normal(accuracy, training_sd, self.runs) if training_sd else accuracy
            own, by_chance = rng.normal(size=(self.n, 1)), rng.normal(size=(self.n, self.runs))
            right = np.sqrt(0.6) * hard + np.sqrt(0.25) * own + np.sqrt(0.15) * by_chance < norm.ppf(each)
            wrong = (true[:, None] + rng.integers(1, 4, size=right.shape)) % 4
            sides.append(np.where(right, true[:, None], wrong))
        return true, sides
