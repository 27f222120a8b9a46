"""Figures of an entry in words, for reports of every format."""

from math import nan

from pytest_bayesf1.numerals import ChangeFormat, factor, scale_of
from pytest_bayesf1.reports.report import Entry

TESTED = {
    "s-test": "decisions that only one side gets right",
    "S-test": "F1 of classes as if independent: whose is higher",
    "T-test": "F1 of classes as if independent: mean difference",
    "T'-test": "F1 of classes as if independent: mean difference of ranks",
    "p-test": "accuracy as if unpaired",
}
"""What each of the tests of Yang & Liu (1999) compares."""


def factor_of(entry: Entry, name: str) -> str:
    """Write a Bayes factor of an entry and its Monte Carlo standard error; one that is unknown is undefined."""
    value, mcse = (nan if entry[key] is None else entry[key] for key in (name, f"{name}_mcse"))
    return factor(value, mcse)


def change_format(entry: Entry) -> ChangeFormat:
    """Tell how to write a comparison's changes."""
    return ChangeFormat(scale_of(custom_measure=entry["custom_measure"]), entry["hdi"])
