"""What was lost since the anchor, which total loss is counted from, and how much may be lost in all: the budget.

A gate that compares with the last baseline alone cannot see a loss that comes in steps, each of which it allows.
"""

from dataclasses import dataclass, replace
from typing import Any

from pytest_bayesf1.comparison.arguments import resolved
from pytest_bayesf1.comparison.compare import Task
from pytest_bayesf1.comparison.result import Comparison
from pytest_bayesf1.data.sides import Sides
from pytest_bayesf1.errors import BaselineError, InputError
from pytest_bayesf1.gates.demand import Demand, Verdict
from pytest_bayesf1.results.policy import NOT_WORSE, Decision, Outcome
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.text import one_line
from pytest_bayesf1.words.amounts import Amounts, format_exactly, likely

PART = "since the anchor"
_OF_ROPE = 2


@dataclass(frozen=True)
class SinceAnchor:
    """The candidate beside the anchor."""

    sides: Sides | None = None
    """None where the baseline is the anchor."""
    origin: str = ""
    """Where the anchor is from; empty where that is unknown."""
    count_anew: str = ""
    """The command that makes the candidate the anchor; empty where the baseline is the anchor."""

    @property
    def words(self) -> str:
        """The anchor, with where it is from."""
        return f"the anchor ({self.origin})" if self.origin else "the anchor"


def budget_of(allowed: float, given: float | None = None, *, bounded: bool = True) -> float:
    """Decide how much may be lost in all since the anchor: by default twice what one step may lose."""
    budget: float | None = resolved("budget", given)
    if budget is None:
        return _OF_ROPE * allowed if not bounded or _OF_ROPE * allowed < 1 else allowed
    if budget >= 1 and bounded:
        raise InputError("budget", "a difference of scores, such as 0.02 for two points", f"{budget:g}")
    return budget


def rope_of_total(rope: Rope, budget: float) -> Rope:
    """Return the differences from the anchor that do not matter."""
    return Rope(-budget, max(budget, rope.high), wide=True)


def judge_total(
    anchored: SinceAnchor, task: Task, overall: Verdict, demand: Demand
) -> tuple[float, tuple[Verdict, ...]]:
    """Judge what was lost since the anchor: significantly more than the budget fails; return the budget, too.

    Where the baseline is the anchor, there is nothing more to judge, unless the ROPE alone would let more go.
    """
    rope = Rope(*overall.comparison.rope)
    budget = budget_of(-rope.low, demand.budget, bounded=not overall.comparison.custom_measure)
    if anchored.sides is None and budget >= -rope.low:
        return budget, ()
    given: Any = task.options
    if anchored.sides is not None and given.human is not None:  # people graded no answers of the anchor
        return budget, ()
    of_total: Any = replace(task, options=replace(given, rope=rope_of_total(rope, budget)))
    try:
        if anchored.sides is not None:
            of_total = of_total.on(anchored.sides)
    except InputError as error:  # of the anchor, for with the baseline the candidate was compared
        advice = f"Count total loss from this candidate on: {anchored.count_anew}"
        raise BaselineError("anchor", error.expected, error.found, advice) from None
    comparison = of_total.answer(demand.tail).without_draws()
    verdict = _with_advice(Verdict.of(comparison, NOT_WORSE, "anchor", PART), anchored, overall, budget)
    return budget, (verdict if demand.family is None else demand.family.judged(verdict),)


def _with_advice(verdict: Verdict, anchored: SinceAnchor, overall: Verdict, budget: float) -> Verdict:
    comparison = verdict.comparison
    match comparison.decision:
        case Decision.MUCH_WORSE:
            text = f"Find what you lost on the way: {_lost(comparison, overall, anchored.words, budget)}."
        case Decision.WORSE | Decision.UNDECIDED if not comparison.is_not_inferior:
            text = f"Test on more examples: these cannot tell whether you lost more since {anchored.words} than the "
            text += f"{format_exactly(comparison, budget)} that you allow in all."
        case Decision.MUCH_BETTER if anchored.count_anew:
            text, way_out = f"The candidate is better than {anchored.words}.", "To count total loss from it on"
            return replace(verdict, advice=text, way_out=way_out, command=anchored.count_anew)
        case _:
            text = ""
    return replace(verdict, advice=text, way_out="", command="")


def _lost(comparison: Comparison, overall: Verdict, anchor: str, budget: float) -> str:
    amounts = Amounts.of(comparison)
    begin = "since" if overall.outcome is Outcome.FAILED else "each step was within what you allow, but since"
    fallen = f"{one_line(comparison.measure_words)} has fallen by {amounts.size(comparison.change)}"
    more = f"more than the {format_exactly(comparison, budget)} that you allow in all"
    return f"{begin} {anchor} {fallen} ({likely(comparison)} {amounts.spoken(comparison.hdi)}), {more}"
