"""Two sides' scores of the same classes and, as far as they know, of the same examples."""

from pytest_bayesf1._util import first_few
from pytest_bayesf1.counts.pairing import joint
from pytest_bayesf1.counts.score_table import ScoreTable
from pytest_bayesf1.counts.scores import Scores
from pytest_bayesf1.errors import InputError


def align_scores(baseline: Scores, candidate: Scores) -> tuple[Scores, Scores]:
    """Bring both to the same classes in the same order.

    Parameters
    ----------
    baseline, candidate
        Scores of the same classes, in any order; or a number per example each.

    Raises
    ------
    InputError
        When they are of other classes, or of two classes call another one positive.
    """
    if set(baseline.labels) != set(candidate.labels):
        raise InputError("candidate.labels", f"scores of {_named(baseline)}, as in baseline", _named(candidate))
    if len(baseline.labels) == 2 and baseline.labels != candidate.labels:
        raise InputError("candidate", f"scores of {baseline.labels[1]!r}, as in baseline", f"{candidate.labels[1]!r}")
    return baseline, candidate.relabelled(baseline.labels)


def pair_scores(baseline: Scores, candidate: Scores) -> ScoreTable:
    """Join the scores of the same examples, by id or else by position.

    Parameters
    ----------
    baseline, candidate
        As `align_scores` returns them.

    Raises
    ------
    InputError
        When they are not about the same examples, or differ in an example's truth or unit.
    """
    return joint(baseline.predictions, candidate.predictions, baseline.labels)


def _named(scores: Scores) -> str:
    return f"classes {first_few(map(repr, scores.labels), 20)}" if scores.labels else "values without classes"
