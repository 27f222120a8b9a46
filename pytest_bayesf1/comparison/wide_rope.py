"""ROPEs that switch a gate off: too wide to be meant, or so wide that no candidate could fail.

About the named measures only, whose scores go up to 1: nobody knows the scale of a function of the user's own.
"""

import numpy as np

from pytest_bayesf1._util import POINTS, Interval, level, rope_bounds, rope_width, scores
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.comparison.subject import AnyMeasure
from pytest_bayesf1.errors import InputError, WideRopeWarning, warn
from pytest_bayesf1.stats.decision import CONFIRMED, Rope
from pytest_bayesf1.stats.posterior import ScorePosterior

WIDEST = 0.1
"""The largest difference of scores that anybody calls none without being asked again: ten points."""


def require_difference_of_scores(rope: Rope) -> None:
    """Refuse a ROPE that no difference of scores can leave.

    Parameters
    ----------
    rope
        For a measure whose scores go up to 1.

    Raises
    ------
    InputError
        When it reaches as far as 1, as one in per cent does.

    Examples
    --------
    >>> require_difference_of_scores(Rope.of(5))
    Traceback (most recent call last):
    pytest_bayesf1.errors.InputError: rope: expected a difference of scores, such as 0.01 for one point, got (-5, 5)
    """
    if _reach(rope) >= 1:
        raise InputError("rope", "a difference of scores, such as 0.01 for one point", f"({rope.low:g}, {rope.high:g})")


def check_width(rope: Rope, measure: AnyMeasure) -> None:
    """Refuse a ROPE that no score can leave, and warn with `WideRopeWarning` of one that is hardly meant.

    Parameters
    ----------
    rope, measure
        Those of a comparison. Nothing is known of a function of the user's own, and nothing said.

    Raises
    ------
    InputError
        When no difference of scores can leave it.
    """
    if not measure.bounded:
        return
    require_difference_of_scores(rope)
    if _reach(rope) > WIDEST and not rope.wide:
        warn(_why_hardly_meant(rope), WideRopeWarning)


def can_fail(baseline: Floats, rope: Rope, hdi_prob: float, measure: AnyMeasure) -> bool:
    """Whether some candidate could be found significantly worse (≪).

    A candidate scores no less than the measure's lowest score, so delta = candidate - baseline is no less than that
    minus the baseline's score. An HDI wholly below the ROPE holds ``hdi_prob`` of delta's probability, which the ROPE
    then leaves room for only if the baseline itself lies further than the ROPE's lower end above the lowest score with
    that probability. What it says of gates that cannot fail is certain; a candidate's own uncertainty, which makes it
    harder still to fail, is left out.

    Parameters
    ----------
    baseline : (n_draws,)
        Posterior draws of the baseline's score.
    rope, hdi_prob, measure
        Those of the comparison.

    Returns
    -------
    bool
        True also for a function of the user's own, of whose lowest score nothing is known.
    """
    return bool(np.mean(baseline > measure.lowest - rope.low) >= hdi_prob)


def why_it_cannot_fail(measure: AnyMeasure, rope: Interval, baseline: ScorePosterior, hdi_prob: float) -> str:
    """Say why no candidate could be found significantly worse.

    Parameters
    ----------
    measure, rope, hdi_prob
        Those of a comparison of which `can_fail` is false.
    baseline
        The baseline's score.

    Returns
    -------
    str
        A note for the comparison's reader.
    """
    return (
        f"A gate on ≪ cannot fail here: you tolerate {_in_points(rope)}, and even a candidate that scores "
        f"{measure.lowest:g} would not be significantly worse, for the baseline scores {baseline.mean:.3f} "
        f"({level(hdi_prob)} HDI {scores(baseline.hdi)})."
    )


def _reach(rope: Rope) -> float:
    return max(-rope.low, rope.high)


def _why_hardly_meant(rope: Rope) -> str:
    bounds = rope.low, rope.high
    written = f"{rope.high:g}" if -rope.low == rope.high else rope_bounds(bounds)
    return (
        f"The rope {written} means that you tolerate {_in_points(bounds)}: of a score that goes up to 1, hardly "
        f"anything could fail. Did you mean {_meant(bounds)}? If it is meant, write {CONFIRMED} behind it, as in "
        f'(0.3, "{CONFIRMED}"), in a gate file [0.3, {CONFIRMED}], in an option or ini key 0.3,{CONFIRMED}.'
    )


def _in_points(rope: Interval) -> str:
    """Write a ROPE in points."""
    written = rope_width(rope, POINTS)
    return written if -rope[0] == rope[1] else f"a {written}"


def _meant(bounds: Interval) -> str:
    """Take what is wide for points."""
    low, high = (bound / 100 if abs(bound) > WIDEST else bound for bound in bounds)
    if -low != high:
        return rope_bounds((low, high))
    points = 100 * high
    return f"{high:g} for {'half a point' if points == 0.5 else POINTS.amount(f'{points:g}')}"
