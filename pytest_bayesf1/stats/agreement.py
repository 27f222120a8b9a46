"""On how many examples two classifiers agree, and on how many they could."""

import numpy as np

from pytest_bayesf1.arrays import Codes, Weights
from pytest_bayesf1.counts.outcomes import OutcomeTable
from pytest_bayesf1.results.figures import Agreement


def agreement_of(table: OutcomeTable) -> Agreement:
    """Count the outcomes of two sides on the same examples.

    Parameters
    ----------
    table
        Of two sides.
    """
    return Agreement(*(round(float(count)) for count in table.group_counts.sum(axis=0)))


def closest_pairing(baseline: OutcomeTable, candidate: OutcomeTable) -> OutcomeTable:
    """Pair two confusion matrices of the same examples so that they agree as often as their counts allow.

    In every row the examples that both put into the same class can be no more than the smaller of the two counts. What
    is left over is paired in the order of the classes.

    Parameters
    ----------
    baseline, candidate
        One side each, with equal row totals.

    Returns
    -------
    table
        Of two sides; each side's own matrix is as it was.

    Examples
    --------
    >>> sides = [OutcomeTable.tally(2, *np.array(cells).T) for cells in (((0, 0), (0, 1)), ((0, 1), (0, 1)))]
    >>> closest_pairing(*sides).predicted.tolist()
    [[0, 1], [1, 1]]
    """
    both, in_baseline, in_candidate = np.intersect1d(baseline.cell_numbers, candidate.cell_numbers, return_indices=True)
    agreed = np.minimum(baseline.count[in_baseline], candidate.count[in_candidate])
    left = [side.count.copy() for side in (baseline, candidate)]
    left[0][in_baseline] -= agreed
    left[1][in_candidate] -= agreed
    rest_baseline, rest_candidate, weight = _in_order(*left)
    n_classes = baseline.n_classes
    true, predicted = np.divmod(both, n_classes)
    return OutcomeTable.tally(
        n_classes,
        np.concatenate([true, baseline.true[rest_baseline]]),
        np.concatenate([predicted, baseline.predicted[0][rest_baseline]]),
        np.concatenate([predicted, candidate.predicted[0][rest_candidate]]),
        weight=np.concatenate([agreed, weight]),
        multilabel=baseline.multilabel,
    )


def _in_order(baseline: Weights, candidate: Weights) -> tuple[Codes, Codes, Weights]:
    """Lay two lists of counts of the same total side by side: which of either meet, and how often."""
    ends = np.unique(np.concatenate([baseline.cumsum(), candidate.cumsum()]))
    ends = ends[ends > 0]
    first, second = (np.searchsorted(counts.cumsum(), ends) for counts in (baseline, candidate))
    return first, second, np.diff(ends, prepend=0)
