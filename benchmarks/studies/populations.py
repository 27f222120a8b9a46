"""True populations of examples: a classifier, the same classifier retrained, and a difference that is known exactly."""

from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from scipy.optimize import bisect

from pytest_bayesf1 import PairedCounts
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure


@dataclass(frozen=True, eq=False)
class Population:
    """Joint probabilities p[j, k, l] of true class j, the baseline's prediction k and the candidate's l."""

    joint: Floats

    @property
    def n_classes(self) -> int:
        """M."""
        return len(self.joint)

    @cached_property
    def sides(self) -> tuple[Joint, Joint]:
        """The baseline's and the candidate's own joint probabilities."""
        baseline, candidate = self.joint.sum(axis=2), self.joint.sum(axis=1)
        return _joint(baseline), _joint(candidate)

    @property
    def agreement(self) -> float:
        """How often both predict the same."""
        return float(np.trace(self.joint, axis1=1, axis2=2).sum())

    def delta(self, measure: Measure) -> float:
        """Return the candidate's true score minus the baseline's."""
        baseline, candidate = map(measure, self.sides)
        return float(candidate - baseline)

    def sample(self, n: int, rng: np.random.Generator) -> PairedCounts:
        """Draw a test set of n examples, with both sides' predictions; every class occurs, as people make them."""
        while True:
            counts = rng.multinomial(n, self.joint.ravel()).reshape(self.joint.shape)
            cells = counts.nonzero()
            table = OutcomeTable.tally(self.n_classes, *cells, weight=counts[cells])
            if table.row_totals.all():
                return PairedCounts.from_table(table, tuple(range(self.n_classes)))


def retrained(
    measure: Measure,
    delta: float,
    n_classes: int,
    *,
    accuracy: float = 0.8,
    agreement: float = 0.9,
    imbalance: float = 2.0,
    spread: float = 0.0,
    changed: float | Floats = 1.0,
) -> Population:
    """Build a population on which the candidate's score differs from the baseline's by exactly ``delta``.

    The candidate repeats the baseline's prediction, except in a share of the examples that it predicts afresh. Its
    accuracy there makes the difference, the share makes the agreement. The first class is ``imbalance`` times as
    frequent as the last; every other class is easier, or harder, than the average by ``spread``. Classes of which more
    is predicted afresh than of others are ``changed`` by that factor.
    """
    proportions = np.geomspace(imbalance, 1, n_classes)
    proportions /= proportions.sum()
    harder = np.where(np.arange(n_classes) % 2, spread, -spread)

    def population(fresh_accuracy: float) -> Population:
        recalls, fresh_recalls = (np.clip(each + harder, 0, 1) for each in (accuracy, fresh_accuracy))
        return _population(proportions, recalls, fresh_recalls, agreement, np.broadcast_to(changed, n_classes))

    fresh_accuracy = bisect(lambda tried: population(tried).delta(measure) - delta, 0, 1, xtol=1e-14)
    return population(fresh_accuracy)


def losing(population: Population, measure: Measure, loss: float, rarest: float = 1.0) -> Population:
    """Let the candidate lose as much by new errors: a share of what both get right, the same in every class.

    Or in every class of the ``rarest`` ones only. What only the candidate gets right stays.
    """
    by_size = np.argsort(population.joint.sum(axis=(1, 2)), kind="stable")
    both_right = np.einsum("jjj->j", population.joint).copy()
    both_right[by_size[ceil(rarest * by_size.size) :]] = 0
    wrong = _predictions(np.zeros(population.n_classes))

    def with_share(share: float) -> Population:
        joint = population.joint.copy()
        classes = np.arange(population.n_classes)
        joint[classes, classes, classes] -= share * both_right
        joint[classes, classes] += share * both_right[:, None] * wrong
        return Population(joint)

    before = population.delta(measure)
    return with_share(bisect(lambda share: with_share(share).delta(measure) - before + loss, 0, 1, xtol=1e-14))


def _population(
    proportions: Floats, recalls: Floats, fresh_recalls: Floats, agreement: float, changed: Floats
) -> Population:
    n_classes = proportions.size
    baseline, fresh = _predictions(recalls), _predictions(fresh_recalls)
    other_by_chance = 1 - (baseline * fresh).sum(axis=1)
    share = (1 - agreement) / (proportions @ (changed * other_by_chance)) * changed[:, None, None]
    repeated = np.eye(n_classes) * baseline[:, :, None]
    predicted_afresh = baseline[:, :, None] * fresh[:, None, :]
    return Population(proportions[:, None, None] * ((1 - share) * repeated + share * predicted_afresh))


def _predictions(recalls: Floats) -> Floats:
    """Probabilities of the predictions (columns) by true class; each next confusion is half as frequent as the last."""
    n_classes = recalls.size
    steps = (np.arange(n_classes) - np.arange(n_classes)[:, None]) % n_classes
    wrong: Floats = np.where(steps > 0, 0.5**steps, 0)
    wrong /= wrong.sum(axis=1, keepdims=True)
    return np.diag(recalls) + (1 - recalls)[:, None] * wrong


def _joint(matrix: Floats) -> Joint:
    return Joint(matrix.sum(axis=1), matrix.diagonal(), matrix.sum(axis=0), matrix)
