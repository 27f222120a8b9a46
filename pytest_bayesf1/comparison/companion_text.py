"""What stands beside the posterior, in a line each."""

from collections.abc import Iterable

from pytest_bayesf1.comparison.readable import Facts
from pytest_bayesf1.results.figures import PairedDifference, Significance
from pytest_bayesf1.text import p_value, percent


def companion_facts(tests: Iterable[Significance], outcomes: PairedDifference | None) -> Facts:
    """List the tests of Yang & Liu and, of paired data, the posterior of Goutte & Gaussier."""
    return [("Yang & Liu", "   ".join(map(_tested, tests))), *([] if outcomes is None else [_told(outcomes)])]


def _tested(test: Significance) -> str:
    found = f"(p={p_value(test.p_value)})".replace("=<", "<")
    name = " of ".join(filter(None, (test.name.removesuffix("-test"), test.of)))
    return f"{name} {test.symbol} {found}"


def _told(outcomes: PairedDifference) -> tuple[str, str]:
    means = f"E(Δ) {outcomes.mean_difference:+z.4f}   E(ρ) {outcomes.mean_log_odds:+z.2f}"
    return "Goutte & G.", f"P(π₁ > π₂) {percent(outcomes.p_first_better)}   {means}"
