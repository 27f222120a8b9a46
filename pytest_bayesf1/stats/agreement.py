"""On how many examples two classifiers agree."""

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.results.comparison import Agreement


def agreement_of(table: OutcomeTable) -> Agreement:
    """Count the outcomes of two sides on the same examples.

    Parameters
    ----------
    table
        Of two sides.
    """
    return Agreement(*(round(float(count)) for count in table.group_counts.sum(axis=0)))
