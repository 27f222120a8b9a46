"""From what a caller hands in to what is compared or estimated."""

from typing import Any, TypeAlias

from pytest_bayesf1.comparison.by_agreement import shares
from pytest_bayesf1.comparison.design import Design, design_comparison, design_estimate
from pytest_bayesf1.comparison.options import CompareOptions, Options
from pytest_bayesf1.comparison.outcome_subject import OutcomeSubject
from pytest_bayesf1.comparison.score_sides import ScoreSides
from pytest_bayesf1.comparison.score_subject import ScoreSubject
from pytest_bayesf1.comparison.sides import Sides
from pytest_bayesf1.comparison.subject import Subject
from pytest_bayesf1.comparison.units import require_enough_units
from pytest_bayesf1.data.scores import Scores, align_scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.measures.names import parse_name

AnySides: TypeAlias = Sides | ScoreSides
"""Both sides of a comparison."""


def aligned(baseline: Side, candidate: Side) -> AnySides:
    """Bring two sides to the same labels.

    Parameters
    ----------
    baseline, candidate
        Both counts, or both scores.

    Raises
    ------
    InputError
        When they are of different kinds, or have other labels, so that nothing can be compared.
    """
    if isinstance(baseline, Scores) and isinstance(candidate, Scores):
        return ScoreSides(*align_scores(baseline, candidate))
    if isinstance(baseline, Scores) or isinstance(candidate, Scores):
        found = "none" if candidate is None else type(candidate).__name__
        raise InputError("candidate", f"{type(baseline).__name__}, as baseline", found, "Build both in the same way.")
    return Sides.aligned(baseline, candidate)


def subject_of_two(baseline: Any, candidate: Any, options: CompareOptions) -> Subject[Any]:
    """Choose how two sides are compared.

    Parameters
    ----------
    baseline, candidate
        What `compare` takes; or `Sides` or `ScoreSides` as ``baseline`` alone.
    options
        The model, the prior, and the measure: scores are compared by a measure of scores, or from a threshold on as
        predicted classes.

    Raises
    ------
    InputError
        When the two do not fit together, or do not hold what is asked for.
    """
    if isinstance(baseline, Scores) or isinstance(candidate, Scores):
        baseline, candidate = aligned(baseline, candidate), None
    asked_for = options.model, options.earlier, options.agreement
    if not isinstance(baseline, ScoreSides):
        return of_counts(design_comparison(baseline, candidate, *asked_for), options)
    threshold = threshold_of(options)
    if threshold is None:
        if options.agreement is not None:
            raise InputError("agreement", "nothing beside scores, which pair up", shares(options.agreement))
        return of_scores(ScoreSubject.of_two(baseline, options.model), options)
    design = design_comparison(baseline.at(threshold), None, *asked_for)
    return of_counts(design, options, threshold)


def subject_of_one(side: Any, options: Options) -> Subject[Any]:
    """Choose how one classifier's score is estimated.

    Parameters
    ----------
    side
        What `as_side_counts` takes, or `Scores`.
    options
        The prior and the measure.

    Raises
    ------
    InputError
        When the side cannot be used, or not with the prior.
    """
    if not isinstance(side, Scores):
        return of_counts(design_estimate(side, options.earlier), options)
    threshold = threshold_of(options)
    if threshold is None:
        return of_scores(ScoreSubject.of_one(side), options)
    return of_counts(design_estimate(side.at(threshold), options.earlier), options, threshold)


def of_counts(design: Design, options: Options, threshold: float | None = None) -> OutcomeSubject:
    """Take counts, unless they are of too few units.

    Parameters
    ----------
    design
        How they are compared.
    options
        The engine.
    threshold
        The score from which on the second class was predicted; None where nobody knows scores.

    Raises
    ------
    InputError
        As `require_enough_units` does.
    """
    require_enough_units(design.experiment, options)
    return OutcomeSubject(design, threshold)


def of_scores(subject: ScoreSubject, options: Options) -> ScoreSubject:
    """Take scores, unless they are of too few units.

    Parameters
    ----------
    subject
        The scores.
    options
        The engine.

    Raises
    ------
    InputError
        As `require_enough_units` does.
    """
    require_enough_units(subject.experiment, options)
    return subject


def threshold_of(options: Options) -> float | None:
    """Return the score from which on a class is predicted, if the measure that is asked for names one.

    Parameters
    ----------
    options
        With the measure.
    """
    return parse_name(options.measure).threshold if isinstance(options.measure, str) else None
