"""Pilots and populations that several tests look at."""

import numpy as np

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.planning.plan import Population, assumed_pilot

CLASSES = {"ham": 0.6, "spam": 0.3, "eggs": 0.1}


def assumed(measure="f1_macro", agreement=0.9, accuracy=0.85, shares=CLASSES):
    return assumed_pilot(shares, accuracy, agreement, measure)


def population(joint, measure="accuracy"):
    """Make a population of joint probabilities [truth, baseline, candidate]."""
    joint = np.asarray(joint, dtype=float)
    cells = joint.nonzero()
    table = OutcomeTable.tally(len(joint), *cells, weight=joint[cells])
    return Population(table, parse_measure(measure, tuple(range(len(joint)))))


def dense(found):
    """Return the joint probabilities of a population."""
    table = found.table
    joint = np.zeros((table.n_classes,) * 3)
    joint[table.true, *table.predicted] = table.count
    return joint
