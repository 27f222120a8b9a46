"""The companions of the posterior, significance tests and another posterior, in one line per source."""

from collections.abc import Iterable

from pytest_bayesf1._util import p_value, percent
from pytest_bayesf1.comparison.readable import Facts
from pytest_bayesf1.results.comparison import PairedDifference, Significance


def companion_facts(tests: Iterable[Significance], outcomes: PairedDifference | None) -> Facts:
    """List the figures of the companions.

    Parameters
    ----------
    tests
        Those of Yang & Liu (1999) that the data allow.
    outcomes
        The posterior of Goutte & Gaussier (2005, section 3); None unless the data are paired.

    Returns
    -------
    list of (str, str)
        The source and what it says, a pair per source that says something.
    """
    told = "   ".join(map(_in_words, tests))
    found = [("Yang & Liu", told)] if told else []
    return found if outcomes is None else [*found, _goutte_gaussier(outcomes)]


def _in_words(test: Significance) -> str:
    found = f"(p={p_value(test.p_value)})".replace("=<", "<")
    name = " of ".join(filter(None, (test.name.removesuffix("-test"), test.of)))
    return f"{name} {test.symbol} {found}"


def _goutte_gaussier(outcomes: PairedDifference) -> tuple[str, str]:
    means = f"E(Δ) {outcomes.mean_difference:+z.4f}   E(ρ) {outcomes.mean_log_odds:+z.2f}"
    return "Goutte & G.", f"P(π₁ > π₂) {percent(outcomes.p_first_better)}   {means}"
