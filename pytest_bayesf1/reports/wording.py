"""Figures of an entry in words, for reports of every format."""

from collections.abc import Mapping
from math import nan
from typing import Any

from pytest_bayesf1.reports.report import Entry
from pytest_bayesf1.text import ChangeFormat, factor, percent, scale_of

_TESTED = {
    "s-test": "decisions that only one side gets right",
    "S-test": "F1 of classes as if independent: whose is higher",
    "T-test": "F1 of classes as if independent: mean difference",
    "T'-test": "F1 of classes as if independent: mean difference of ranks",
    "p-test": "{of} as if unpaired",
}


def tested(test: Mapping[str, Any]) -> str:
    """Say what a test of Yang & Liu (1999) compares."""
    return _TESTED[test["name"]].format_map(test)


def of_outcomes(outcomes: Mapping[str, Any]) -> str:
    """Say what Goutte & Gaussier (2005) read from the examples that one side alone gets right."""
    return (
        "With π₁ for the probability that only the candidate is right, and π₂ that only the baseline is, Goutte & "
        f"Gaussier (2005) find P(π₁ > π₂) = {percent(outcomes['p_first_better'])}, "
        f"E(π₁ − π₂) = {outcomes['mean_difference']:+z.4f} and E(ln π₁/π₂) = {outcomes['mean_log_odds']:+z.2f}: "
        "about accuracy, whatever the measure, and without a ROPE."
    )


def factor_of(entry: Entry, name: str) -> str:
    """Write a Bayes factor of an entry and its Monte Carlo standard error; one that is unknown is undefined."""
    value, mcse = (nan if entry[key] is None else entry[key] for key in (name, f"{name}_mcse"))
    return factor(value, mcse)


def change_format(entry: Entry) -> ChangeFormat:
    """Tell how to write a comparison's changes."""
    return ChangeFormat(scale_of(custom_measure=entry["custom_measure"]), entry["hdi"])
