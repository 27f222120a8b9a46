"""What a result says at first glance, the same in a terminal, a report, a comment and a picture."""

from math import floor, log10

from pytest_bayesf1._util import MINUS, brief
from pytest_bayesf1.results.amounts import Amounts
from pytest_bayesf1.results.decision import Decision
from pytest_bayesf1.results.results import ComparisonFigures, EstimateFigures

_SHORT = {
    Decision.MUCH_WORSE: "Worse",
    Decision.WORSE: "Slightly worse",
    Decision.EQUIVALENT: "Equivalent",
    Decision.BETTER: "Slightly better",
    Decision.MUCH_BETTER: "Better",
    Decision.UNDECIDED: "Undecided",
}
_DECIMALS = 3


def title(result: ComparisonFigures | EstimateFigures) -> str:
    """Say it in a word and the scores: ``Worse: 0.982 → 0.912``.

    Parameters
    ----------
    result
        A comparison, or an estimate beside its floor.
    """
    if isinstance(result, EstimateFigures):
        place = "Below" if result.below_floor else "Above" if result.above_floor else "Not clearly below"
        return f"{place} the floor of {result.floor:g}: {score_told(result.score.mean)}"
    return f"{_SHORT[result.decision]}: {before_after(result)}"


def before_after(comparison: ComparisonFigures) -> str:
    """Write the baseline's score and the candidate's: the means of their posteriors, whose difference is the change.

    Parameters
    ----------
    comparison
        Of any measure.
    """
    return f"{score_told(comparison.baseline.mean)} → {score_told(comparison.candidate.mean)}"


def change_told(comparison: ComparisonFigures, policy: str = "") -> str:
    """Write how much a score changes, and what is tolerated: ``−7.0 points (you tolerate 1)``.

    Parameters
    ----------
    comparison
        Of any measure.
    policy
        As reports name it: where an improvement is demanded, that is told in place of what is tolerated.
    """
    amounts = Amounts.of(comparison)
    if policy == "better":
        asked = f"demand more than {amounts.factor * comparison.rope[1]:+g}"
    else:
        asked = f"tolerate {amounts.rope.removeprefix('±')}"
    return f"{amounts.with_unit(comparison.mean)} (you {asked})"


def score_told(score: float) -> str:
    """Write a score to a thousandth, and one of a measure that goes far beyond 1 with as many digits as that has.

    Parameters
    ----------
    score
        On the measure's own scale.
    """
    decimals = _DECIMALS if abs(score) < 10 else max(_DECIMALS - floor(log10(abs(score))), 0)
    return f"{score:z,.{decimals}f}".replace("-", MINUS)


def verdict_line(result: ComparisonFigures | EstimateFigures, part: str = "", policy: str = "") -> str:
    """Say it in the line above a failure: ``≪ F1 of spam −7.0 points (you tolerate 1): 0.982 → 0.912``.

    Parameters
    ----------
    result
        A comparison, or an estimate beside its floor.
    part
        Which class or slice it is about; empty when about all the data.
    policy
        As of `change_told`.
    """
    what = ", ".join(filter(None, (brief(part), brief(result.measure_words))))
    if isinstance(result, EstimateFigures):
        place = "is below" if result.below_floor else "is above" if result.above_floor else "is not clearly below"
        return f"{what} {score_told(result.score.mean)} {place} the floor of {result.floor:g}"
    return f"{result.decision} {what} {change_told(result, policy)}: {before_after(result)}"
