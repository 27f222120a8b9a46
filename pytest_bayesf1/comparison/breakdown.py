"""What is behind a comparison: its classes, its errors, and what pairing would bring. Costs draws of its own."""

from dataclasses import replace

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.comparison.outcome_subject import OutcomeSubject
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.counts.experiment import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.measures import ClassF1, Measure, Scoring
from pytest_bayesf1.measures.rates import f1_by_class
from pytest_bayesf1.priors.priors import Prior
from pytest_bayesf1.results.figures import Breakdown, ClassDifference
from pytest_bayesf1.stats.agreement import closest_pairing
from pytest_bayesf1.stats.cell_changes import CellChanges
from pytest_bayesf1.stats.intervals import hdi

N_DRAWS = 4_000
"""For a picture: an HDI's bound is then off by a twentieth of its half width, about."""

MOST_CLASSES = 200
MOST_CELLS = 4_000

_CLASSES, _PAIRED = 2, 3  # streams of random numbers beside those of the comparison


def breakdown(comparison: Comparison) -> Breakdown | None:
    """Draw the parts of a comparison by the exact engine.

    Parameters
    ----------
    comparison
        Its provenance is what is drawn from, its seed that of other random numbers.

    Returns
    -------
    Breakdown or None
        None where the measure is about one class of several, where the exact engine did not make the comparison, or
        of scores, which have no classes' F1.
    """
    subject, measure = comparison.provenance.subject, comparison.provenance.measure
    if measure.class_index is not None and len(subject.labels) > 2:
        return None
    if comparison.engine != ExactEngine.name or not isinstance(subject, OutcomeSubject):
        return None
    assert isinstance(measure, Measure)
    classes, order = _classes(comparison, subject.experiment)
    closest = _closest(comparison, subject.experiment, measure)
    return Breakdown(classes, _cells(subject.experiment, order), closest)


def _classes(comparison: Comparison, experiment: Experiment) -> tuple[tuple[ClassDifference, ...], Codes]:
    """Return the classes and where they are among all."""
    labels = comparison.provenance.labels
    baseline, candidate = (f1_by_class(side) for side in experiment.sides)
    sizes = [side.row_totals[side.named] for side in experiment.sides]
    changes = np.where(experiment.tables[0].occurring, np.abs(candidate - baseline), -1.0)
    chosen = np.sort(np.argsort(-changes, kind="stable")[: min(MOST_CLASSES, len(comparison.labels))])
    delta = _delta(comparison, experiment, ClassF1(chosen, experiment.multilabel), _CLASSES)
    means = delta.mean(axis=0)
    order = np.argsort(means, kind="stable")
    found = []
    for column, index in zip(order.tolist(), chosen[order].tolist(), strict=True):
        low, high = hdi(delta[:, column], comparison.hdi_prob).tolist()
        n_baseline, n_candidate = (round(float(size[index])) for size in sizes)
        found.append(
            ClassDifference(
                labels[index],
                (n_baseline, n_candidate),
                float(baseline[index]),
                float(candidate[index]),
                float(means[column]),
                (low, high),
            )
        )
    return tuple(found), chosen[order]


def _cells(experiment: Experiment, order: Codes) -> tuple[tuple[int, int, int, int], ...]:
    if experiment.multilabel:
        return ()
    place = np.full(experiment.n_classes, -1)
    place[order] = np.arange(order.size)
    changes = CellChanges.between(*experiment.sides)
    largest = changes.largest(MOST_CELLS, (place[changes.true] >= 0) & (place[changes.predicted] >= 0))
    rows, columns = place[largest.true].tolist(), place[largest.predicted].tolist()
    baseline, candidate = np.rint(largest.counts).astype(int).tolist()
    return tuple(zip(rows, columns, baseline, candidate, strict=True))


def _closest(comparison: Comparison, experiment: Experiment, measure: Measure) -> tuple[float, float] | None:
    if comparison.model != Model.SAME_SET or _prior(comparison).counts is not None or experiment.earlier:
        return None
    joint = closest_pairing(*experiment.tables)
    paired = Experiment(Model.PAIRED, (replace(joint, never_true=experiment.never_true),))
    try:
        low, high = hdi(_delta(comparison, paired, measure, _PAIRED), comparison.hdi_prob).tolist()
    except InputError:  # some priors take too long on pairs of many classes
        return None
    return low, high


def _delta(comparison: Comparison, experiment: Experiment, scoring: Scoring, stream: int) -> Floats:
    sampler = ExactEngine().sampler(experiment, _prior(comparison), scoring, (comparison.seed, stream))
    baseline, candidate = sampler.draw(N_DRAWS)
    return np.asarray(candidate - baseline)


def _prior(comparison: Comparison) -> Prior:
    prior = comparison.provenance.prior
    assert isinstance(prior, Prior)
    return prior
