"""F1 of single classes, drawn along with the score that is asked for wherever that looks as closely."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.protocol import Glimpse
from pytest_bayesf1.measures.classification import ClassF1, Measure, f1_by_class
from pytest_bayesf1.stats.posterior import hdi

N_DRAWS = 2_500
"""For a picture: an HDI's bound is then off by a sixteenth of its half width, about."""

MOST_CLASSES = 200


@dataclass(frozen=True, eq=False)
class ClassPosteriors:
    """What is shown of the posterior of every class's difference of F1.

    Attributes
    ----------
    means : (K,)
        Of the classes that are shown.
    hdis : (K, 2)
        Likewise.
    """

    means: Floats
    hdis: Floats

    @classmethod
    def of(cls, deltas: Floats, hdi_prob: float) -> "ClassPosteriors":
        """Summarise draws.

        Parameters
        ----------
        deltas : (n, K)
            The candidate's F1 minus the baseline's.
        hdi_prob
            Probability that each HDI holds.
        """
        return cls(deltas.mean(axis=0), hdi(deltas.T, hdi_prob))


def f1_of_classes(experiment: Experiment) -> ClassF1:
    """Choose the classes that are shown, those that changed most where there are many.

    Parameters
    ----------
    experiment
        Two sides.
    """
    baseline, candidate = (f1_by_class(side) for side in experiment.sides)
    occurring = experiment.tables[0].occurring
    changes = np.where(occurring, np.abs(candidate - baseline), -1.0)
    most = np.argsort(-changes, kind="stable")[: min(MOST_CLASSES, int(occurring.sum()))]
    return ClassF1(np.sort(most), experiment.multilabel)


def glimpse_of_classes(experiment: Experiment, measures: Sequence[Measure]) -> Glimpse | None:
    """Have the classes scored on the first draws of measures; None where these do not look closely enough.

    Parameters
    ----------
    experiment
        What is drawn.
    measures
        Of all draws, which look at the same detail.
    """
    if len(experiment.sides) != 2 or all(is_of_one_class(experiment, measure) for measure in measures):
        return None
    classes = f1_of_classes(experiment)
    return Glimpse(classes, N_DRAWS) if measures[0].detail >= classes.detail else None


def is_of_one_class(experiment: Experiment, measure: Measure) -> bool:
    """Whether a measure is about one class of several, so that nobody asks for the others.

    Parameters
    ----------
    experiment
        What is drawn.
    measure
        Of it.
    """
    return measure.class_index is not None and experiment.tables[0].occurring.size > 2
