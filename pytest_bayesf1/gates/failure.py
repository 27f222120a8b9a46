"""What a gate says that did not plainly pass: what happened, what to do, and the few figures that say why."""

from collections.abc import Iterator, Sequence
from itertools import islice

from pytest_bayesf1._util import brief, in_ascii, indented, level, named, one_line, percent
from pytest_bayesf1.comparison.result import Comparison, Estimate
from pytest_bayesf1.results.comparison import NamedExample
from pytest_bayesf1.results.formatting import Amounts, losses_found, more_needed, score_told, verdict_line
from pytest_bayesf1.settings import current_session

_MOST_FACTS = 4
"""Beside where to find the others."""

_MOST_ERRORS = 2
_MOST_EXAMPLES = 3


def told(
    result: Comparison | Estimate,
    next_step: str,
    *,
    part: str = "",
    policy: str = "",
    demanded: str = "",
    in_full: bool = False,
    is_warning: bool = False,
) -> str:
    """Tell a result, first what matters most.

    Parameters
    ----------
    result
        A comparison, or an estimate beside its floor.
    next_step
        What to do; empty for nothing.
    part
        Which class or slice it is about.
    policy
        As reports name it.
    demanded
        What the gate demands, where that does not go without saying.
    in_full
        Whether all figures and notes are told.
    is_warning
        Whether nothing failed: then few figures are enough.

    Returns
    -------
    str
        On several lines that fit a terminal.
    """
    facts = [("demanded", demanded)] if demanded else []
    if in_full:
        facts += result.facts()
    else:
        short = _of_estimate(result) if isinstance(result, Estimate) else _of_comparison(result, is_warning=is_warning)
        facts += islice(short, _MOST_FACTS - len(facts))
    return "\n".join(
        [
            verdict_line(result, part, policy),
            *([indented(next_step)] if next_step else []),
            *(named(*fact) for fact in facts),
            *(map(indented, result.notes()) if in_full else ()),
        ]
    )


def shown(message: str, *, leaves_out: bool) -> str:
    """Write a message as the session shows it: with where to find the rest, in the characters that it can print.

    Parameters
    ----------
    message
        Of `told`.
    leaves_out
        Whether there is a rest that its reader will ask for.
    """
    session = current_session()
    whole = f"{message}\n{named('more', session.more)}" if leaves_out and session.more else message
    return in_ascii(whole) if session.ascii_only else whole


def others_told(lines: Sequence[str], most: int) -> Iterator[str]:
    """Yield what failed beside what is told already, the first few of it.

    Parameters
    ----------
    lines
        One each, the worst first.
    most
        How many are told.
    """
    if lines:
        yield "  Also failed, the worst first:"
        yield from (f"    {line}" for line in lines[:most])
    if len(lines) > most:
        yield f"    and {len(lines) - most:,} more"


def _of_comparison(comparison: Comparison, *, is_warning: bool) -> Iterator[tuple[str, str]]:
    hdi = f"{level(comparison.hdi_prob)} HDI {Amounts.of(comparison).interval(comparison.hdi)}"
    yield "decision", f"{comparison.decision.words}: {hdi}, P(worse) {percent(comparison.p_worse)}"
    if comparison.examples_needed:
        yield "to settle", more_needed(comparison)
    if is_warning:
        return
    if comparison.largest_drops:
        falls = (
            f"{brief(each.label)} {score_told(each.baseline)} → {score_told(each.candidate)}"
            for each in comparison.largest_drops
        )
        yield "F1 falls in", ", ".join(falls)
    if errors := list(islice(_errors(comparison), _MOST_ERRORS)):
        yield "errors", ", ".join(errors)
    if comparison.sight is not None:
        yield "gate finds", losses_found(comparison)


def _errors(comparison: Comparison) -> Iterator[str]:
    """Yield the errors that explain the change, each with some examples where they have names."""
    changes = comparison.known_changes
    for each in changes.errors if changes is not None else ():
        if each.contribution * comparison.mean > 0:
            pair = f"{brief(each.true)} as {brief(each.predicted)}"
            yield f"{pair} {each.baseline:,} → {each.candidate:,}{_named(each.examples)}"


def _named(examples: Sequence[NamedExample]) -> str:
    names = [brief(each.id) for each in examples[:_MOST_EXAMPLES]]
    more = ["…"] if len(examples) > _MOST_EXAMPLES else []
    return f" ({', '.join(names + more)})" if names else ""


def _of_estimate(estimate: Estimate) -> Iterator[tuple[str, str]]:
    low, high = map(score_told, estimate.score.hdi)
    yield f"{level(estimate.hdi_prob)} HDI", f"{low} to {high}, P(below the floor) {percent(estimate.p_below_floor)}"
    yield "observed", f"{score_told(estimate.score.observed)} on {estimate.n_samples:,} {one_line(estimate.example)}s"
