"""What stands against a proof that a candidate is no worse: a class with too few examples."""

import numpy as np
from scipy.special import betaincinv

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import Joint, Measure
from pytest_bayesf1.measures.formulas import Detail

_JEFFREYS = 0.5
_MOST_CLASSES = 200
"""That are looked at, those of which most may be lost."""


def doubted_class(experiment: Experiment, measure: Measure, low: float, hdi_prob: float) -> int | None:
    """Find a class that may take the change of an average below the ROPE all by itself; None where none may.

    A class with seven examples, of which the candidate loses none, may still lose a quarter of them. The prior expects
    it to lose as little as the others. That serves ranges, but an average over classes must not be shown to be no worse
    where one of them may have lost too much. The share of a class that only the baseline gets right may be as large as
    the upper end of its range (Jeffreys), and of two test sets the share that the candidate gets wrong.

    Parameters
    ----------
    experiment
        Both sides.
    measure
        Of one class, of all cells or of spans, it is no average.
    low
        The ROPE's lower end.
    hdi_prob
        Probability of the range.
    """
    if measure.class_index is not None or measure.detail is Detail.MATRIX or experiment.spans:
        return None
    known = experiment.known[-1]
    more = _may_be_lost_too(known, (1 + hdi_prob) / 2)
    classes = np.argsort(-more, kind="stable")[:_MOST_CLASSES]
    baseline, candidate = (Joint.observed(side, measure.detail) for side in experiment.scored_sides)
    changes = measure(_losing(candidate, known, classes, more[classes])) - measure(baseline)
    worst = int(changes.argmin())
    return int(classes[worst]) if changes[worst] < low else None


def _may_be_lost_too(table: OutcomeTable, probability: float) -> Floats:
    """Return the share of every class that may be lost beyond what is lost: (M,)."""
    n, lost = table.row_totals / table.design_effect, table.group_counts[:, 1] / table.design_effect
    most = betaincinv(lost + _JEFFREYS, n - lost + _JEFFREYS, probability)
    return np.where(n > 0, most - lost / np.maximum(n, 1e-9), 0.0)


def _losing(joint: Joint, table: OutcomeTable, classes: Codes, shares: Floats) -> Joint:
    """Let one class after the other lose a share; its examples go to others as the candidate's errors do."""
    flat = joint.true.ravel()
    losing = np.zeros((classes.size, flat.size))
    losing[np.arange(classes.size), classes] = np.minimum(shares * flat[classes], joint.correct.ravel()[classes])
    shape = (classes.size, *joint.true.shape)
    predicted = joint.predicted
    if predicted is not None and not table.multilabel:
        wrong = table.predicted[-1] != table.true
        attracted = 1 + np.bincount(table.predicted[-1], table.count * wrong, flat.size)
        to = np.where(losing > 0, 0.0, attracted)
        gained = to * (losing.sum(axis=1) / to.sum(axis=1))[:, None]
        predicted = predicted + gained - losing
    true = np.broadcast_to(joint.true, shape)
    return Joint(true, joint.correct - losing.reshape(shape), predicted)
