"""The second comparison of a gate: with the anchor, from which total loss is counted, within a budget of its own.

A gate that compares with the last baseline alone cannot see a loss that comes in steps, each of which it tolerates.
"""

from dataclasses import replace

from pytest_bayesf1._util import one_line, scale_of
from pytest_bayesf1.comparison.compare import Question
from pytest_bayesf1.comparison.options import CompareArguments, resolved
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.comparison.subject import AnySides
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.gates.judgement import Judgement
from pytest_bayesf1.gates.policy import Policy, Verdict
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.results.formatting import Amounts
from pytest_bayesf1.stats.decision import Rope

PART = "since the anchor"
_OF_ROPE = 2


def budget_of(comparison: Comparison, given: float | None = None) -> float:
    """Decide how much may be lost in all since the anchor.

    Parameters
    ----------
    comparison
        With the baseline.
    given
        What the caller gives; None leaves it to the project's setting, and then to the ROPE.

    Returns
    -------
    float
        By default twice the ROPE's lower half; the half itself where scores do not reach as far as twice.

    Raises
    ------
    InputError
        When it is no difference of scores.
    """
    return total_budget(-comparison.rope[0], given, bounded=not comparison.custom_measure)


def total_budget(tolerated: float, given: float | None = None, *, bounded: bool) -> float:
    """Decide the same where nothing was compared yet.

    Parameters
    ----------
    tolerated
        The ROPE's lower half.
    given
        What the caller gives; None leaves it to the project's setting, and then to the ROPE.
    bounded
        Whether scores of the measure go up to 1.

    Returns
    -------
    float
        As of `budget_of`.

    Raises
    ------
    InputError
        When it is no difference of scores.
    """
    budget: float | None = resolved("budget", given)
    if budget is None:
        return _OF_ROPE * tolerated if not bounded or _OF_ROPE * tolerated < 1 else tolerated
    if budget >= 1 and bounded:
        raise InputError("budget", "a difference of scores, such as 0.02 for two points", f"{budget:g}")
    return budget


def rope_of_total(rope: Rope, budget: float) -> Rope:
    """Return the differences from the anchor that do not matter.

    Parameters
    ----------
    rope
        Of the comparison with the baseline.
    budget
        Of `budget_of`.
    """
    return Rope(-budget, max(budget, rope.high), wide=True)


def judge_since_anchor(
    sides: AnySides,
    arguments: CompareArguments,
    first: Judgement,
    budget: float,
    *,
    tail: float = 1.0,
    origin: str = "",
    count_anew: str = "",
) -> Judgement:
    """Compare with the anchor and judge: significantly more may not be lost than the budget.

    Parameters
    ----------
    sides
        The anchor and the candidate.
    arguments
        Those of the comparison with the baseline.
    first
        The judgement of that.
    budget
        Of `budget_of`.
    tail
        As in `Question.answers`.
    origin
        Where the anchor is from, as far as it is known.
    count_anew
        What to do so that total loss is counted from the candidate on.

    Returns
    -------
    Judgement
        Its advice tells what was lost in all.

    Raises
    ------
    InputError
        When the anchor cannot be compared with the candidate.
    """
    of_total = arguments.copy()
    of_total.pop("agreement", None)  # it is about the baseline
    of_total["rope"] = rope_of_total(Rope(*first.comparison.rope), budget)
    question = Question.of(sides, **of_total)
    (comparison,) = question.answers([question.measure(question.options.measure)], tail)
    judgement = Judgement.of(comparison, Policy.NOT_WORSE, first.gate, PART)
    anchor = f"the anchor ({origin})" if origin else "the anchor"
    match comparison.decision:
        case Decision.MUCH_WORSE:
            told = f"Find what was lost on the way: {_lost(comparison, first, anchor, budget)}. If the loss is wanted, "
            told += f"count from this candidate on, in a change that says so:\n    {count_anew}"
        case Decision.WORSE | Decision.UNDECIDED:
            told = f"Test on more examples: these cannot tell whether more is lost since {anchor} than the budget of "
            told += f"{_amount(comparison, budget)}."
        case Decision.MUCH_BETTER:
            told = f"The candidate is better than {anchor}. To count total loss from it on:\n    {count_anew}"
        case _:
            told = ""
    return replace(judgement, advice=told)


def _lost(comparison: Comparison, first: Judgement, anchor: str, budget: float) -> str:
    amounts = Amounts.of(comparison)
    begin = "since" if first.verdict is Verdict.FAILED else "each step was within what you tolerate, but since"
    fallen = f"{one_line(comparison.measure_words)} has fallen by {amounts.size(comparison.mean)}"
    more = f"more than the budget of {_amount(comparison, budget)}"
    return f"{begin} {anchor} {fallen} ({amounts.spoken(comparison.hdi)}), {more}"


def _amount(comparison: Comparison, budget: float) -> str:
    scale = scale_of(custom_measure=comparison.custom_measure)
    return scale.amount(f"{scale.factor * budget:g}")
