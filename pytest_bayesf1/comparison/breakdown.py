"""What is behind a comparison: its classes, its errors, and what pairing would bring. Costs draws of its own."""

from functools import partial

import numpy as np

from pytest_bayesf1._util import Interval
from pytest_bayesf1.arrays import Codes, Floats
from pytest_bayesf1.comparison.class_draws import N_DRAWS, ClassPosteriors, f1_of_classes, is_of_one_class
from pytest_bayesf1.comparison.if_agreed import IfAgreed
from pytest_bayesf1.comparison.outcome_subject import OutcomeSubject
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.classification import Measure, Scoring, f1_by_class
from pytest_bayesf1.priors import Prior
from pytest_bayesf1.results.comparison import Breakdown, ClassDifference, OtherDecision
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.attribution import CellChanges

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
    if comparison.engine != ExactEngine.name or not isinstance(subject, OutcomeSubject):
        return None
    assert isinstance(measure, Measure)
    if is_of_one_class(subject.experiment, measure):
        return None
    classes, order = _classes(comparison, subject.experiment)
    return Breakdown(classes, _cells(subject.experiment, order), *_if_agreed(comparison, subject.experiment, measure))


def _classes(comparison: Comparison, experiment: Experiment) -> tuple[tuple[ClassDifference, ...], Codes]:
    """Return the classes and where they are among all."""
    labels = comparison.provenance.labels
    baseline, candidate = (f1_by_class(side) for side in experiment.sides)
    sizes = [side.row_totals[side.named] for side in experiment.sides]
    scoring, drawn = f1_of_classes(experiment), comparison.provenance.classes
    if drawn is None:
        drawn = ClassPosteriors.of(_delta(comparison, experiment, scoring, _CLASSES), comparison.hdi_prob)
    chosen = scoring.indices
    order = np.argsort(drawn.means, kind="stable")
    found = []
    for column, index in zip(order.tolist(), chosen[order].tolist(), strict=True):
        low, high = drawn.hdis[column].tolist()
        n_baseline, n_candidate = (round(float(size[index])) for size in sizes)
        found.append(
            ClassDifference(
                labels[index],
                (n_baseline, n_candidate),
                float(baseline[index]),
                float(candidate[index]),
                float(drawn.means[column]),
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


def _if_agreed(
    comparison: Comparison, experiment: Experiment, measure: Measure
) -> tuple[Interval | None, OtherDecision | None]:
    """Return the HDI if the two agreed as often as they can, and from which agreement on the decision is another."""
    has_more = experiment.units or experiment.earlier or _prior(comparison).counts is not None
    if comparison.model != Model.SAME_SET or has_more:
        return None, None
    agreeing = IfAgreed(comparison, experiment, partial(_paired_delta, comparison, measure))
    try:
        closest = agreeing.closest(N_DRAWS)
    except InputError:  # some priors take too long on pairs of many classes
        return None, None
    return closest.hdi, None if closest.decision == comparison.decision else agreeing.other_decision()


def _paired_delta(comparison: Comparison, measure: Measure, experiment: Experiment, n_draws: int) -> Floats:
    return _delta(comparison, experiment, measure, _PAIRED, n_draws)


def _delta(
    comparison: Comparison, experiment: Experiment, scoring: Scoring, stream: int, n_draws: int = N_DRAWS
) -> Floats:
    sampler = ExactEngine().sampler(experiment, _prior(comparison), scoring, (comparison.seed, stream))
    baseline, candidate = sampler.draw(n_draws)
    return np.asarray(candidate - baseline)


def _prior(comparison: Comparison) -> Prior:
    prior = comparison.provenance.prior
    assert isinstance(prior, Prior)
    return prior
