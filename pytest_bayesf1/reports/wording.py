"""Figures of an entry in words, for reports of every format."""

from math import floor

from pytest_bayesf1._util import Scale, factor, level, percent, rope_end, scale_of
from pytest_bayesf1.reports.entry import ComparisonEntry, EstimateEntry
from pytest_bayesf1.results.comparison import Breakdown, ComparisonFigures, PairedDifference, Significance
from pytest_bayesf1.results.formatting import Amounts

_TESTED = {
    "s-test": "decisions that only one side gets right",
    "S-test": "F1 of classes as if independent: whose is higher",
    "T-test": "F1 of classes as if independent: mean difference",
    "T'-test": "F1 of classes as if independent: mean difference of ranks",
    "p-test": "{of} as if unpaired",
}


def tested(test: Significance) -> str:
    """Say what a test of Yang & Liu (1999) compares."""
    return _TESTED[test.name].format(of=test.of)


def of_outcomes(outcomes: PairedDifference) -> str:
    """Say what Goutte & Gaussier (2005) read from the examples that one side alone gets right."""
    return (
        "With π₁ for the probability that only the candidate is right, and π₂ that only the baseline is, Goutte & "
        f"Gaussier (2005) find P(π₁ > π₂) = {percent(outcomes.p_first_better)}, "
        f"E(π₁ − π₂) = {outcomes.mean_difference:+z.4f} and E(ln π₁/π₂) = {outcomes.mean_log_odds:+z.2f}: "
        "about accuracy, whatever the measure, and without a ROPE."
    )


def of_other_decision(parts: Breakdown) -> str:
    """Say from which agreement on the decision would be another; nothing where it would not."""
    other = parts.if_agreed
    if other is None:
        return ""
    return (
        f"The decision would be {other.decision} ({other.decision.words}) if the two predicted the same on "
        f"{level(other.agreement)} or more of them; the counts allow up to {floor(1000 * other.most) / 10:g}%. Who "
        "knows the share can pass it as agreement."
    )


def demanded(entry: ComparisonEntry | EstimateEntry) -> str:
    """Say what a gate demands: which loss it tolerates, or which gain, or score, it wants to see.

    Parameters
    ----------
    entry
        A comparison or an estimate.

    Returns
    -------
    str
        The ROPE of a gate whose policy an older report did not write.
    """
    if not entry.verdict:
        return "nothing"
    if isinstance(entry, EstimateEntry):
        return f"at least {entry.floor:g}"
    scale = scale_of(custom_measure=entry.custom_measure)
    gain, loss = (f"{scale.factor * size:g}" for size in (entry.rope[1], -entry.rope[0]))
    match entry.policy:
        case "not_worse" | "not_even_slightly_worse" | "not_inferior":
            return f"no loss{_above(loss, scale)}"
        case "better":
            return f"a gain{_above(gain, scale)}"
    return f"{Amounts.of(entry).rope} {scale.unit}{'s' if scale.unit else ''}".rstrip()


def _above(bound: str, scale: Scale) -> str:
    return "" if float(bound) == 0 else f" above {scale.amount(bound)}"


def bound(entry: ComparisonEntry | EstimateEntry) -> str:
    """Write what a gate demands as a bound of the change, or of the score, without a unit.

    Parameters
    ----------
    entry
        A comparison or an estimate.

    Returns
    -------
    str
        Empty where no gate demands anything.
    """
    if not entry.verdict:
        return ""
    if isinstance(entry, EstimateEntry):
        return f"≥ {entry.floor:g}"
    factor_shown = scale_of(custom_measure=entry.custom_measure).factor
    low, high = (rope_end(factor_shown * end) for end in entry.rope)
    match entry.policy:
        case "not_worse" | "not_even_slightly_worse" | "not_inferior":
            return f"≥ {low}"
        case "better":
            return f"> {high}"
    return Amounts.of(entry).rope


def score(value: float) -> str:
    """Write a score."""
    return f"{value:.3f}"


def factor_inside_rope(comparison: ComparisonFigures) -> str:
    """Write the Bayes factor of a difference inside the ROPE."""
    return factor(comparison.bayes_factor, comparison.bayes_factor_mcse)


def factor_at_zero(comparison: ComparisonFigures) -> str:
    """Write the Bayes factor of a difference of 0."""
    return factor(comparison.bayes_factor_sd, comparison.bayes_factor_sd_mcse)
