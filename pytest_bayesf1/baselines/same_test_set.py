"""Whether two classifiers were tested on the same examples."""

from pytest_bayesf1.comparison.design import different_totals
from pytest_bayesf1.counts.pairing import align, pair
from pytest_bayesf1.counts.side_counts import SideCounts
from pytest_bayesf1.errors import InputError


def different_test_sets(baseline: SideCounts, candidate: SideCounts) -> str:
    """Say how the test sets differ; nothing when they do not, as far as the counts can tell.

    Raises
    ------
    InputError
        When they have other labels, so that nobody can tell.
    """
    ours, theirs = align(baseline, candidate)
    if ours.predictions is None or theirs.predictions is None:
        return different_totals(ours, theirs)
    try:
        pair(ours, theirs)
    except InputError as error:
        return without_advice(error)
    return ""


def without_advice(error: InputError) -> str:
    """Say what is wrong without advice about the arguments of another call."""
    return f"{error.where}: expected {error.expected}, got {error.found}"
