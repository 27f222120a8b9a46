"""How rightly each example is ranked among those of other classes: what an area under the ROC curve is the mean of."""

import numpy as np

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import ScoreTable


def placements(table: ScoreTable, side: int) -> Floats:
    """Return the share of the other classes' examples that score lower for the example's own class, ties half.

    Parameters
    ----------
    table
        Scores of classes, or values.
    side
        Which side's.

    Returns
    -------
    (K,)
        Of every outcome; values stand for themselves.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988), Comparing the areas under two or more correlated ROC curves.

    Examples
    --------
    >>> table = ScoreTable.tally(2, np.array([0, 0, 1, 1]), np.array([[0.1], [0.4], [0.35], [0.8]]))
    >>> placements(table, 0).tolist()
    [1.0, 0.5, 0.5, 1.0]
    """
    scores, found = table.scores[side], np.zeros(table.count.size)
    if table.n_classes == 1:
        return np.asarray(scores[:, 0])
    for code in range(table.n_classes):
        own = scores[:, code] if scores.shape[1] > 1 else scores[:, 0] * (2 * code - 1)
        of_class = table.true == code
        others = np.flatnonzero(~of_class)[np.argsort(own[~of_class], kind="stable")]
        below = np.concatenate([[0], np.cumsum(table.count[others])])
        ends = (np.searchsorted(own[others], own[of_class], side=end) for end in ("left", "right"))
        found[of_class] = sum(below[end] for end in ends) / max(2 * below[-1], 1)
    return found
