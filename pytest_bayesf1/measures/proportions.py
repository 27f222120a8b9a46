"""The scores that are plain proportions: so many right of so many trials."""

from dataclasses import dataclass

from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.measures.measures import Measure
from pytest_bayesf1.results.comparison import Proportions


@dataclass(frozen=True)
class Proportion:
    """How many of so many trials came out right.

    Attributes
    ----------
    of
        What it is called: accuracy, recall, precision, micro-recall or micro-precision.
    right, trials
        Numbers of examples or, of multi-label data, of decisions about an example and a label.
    """

    of: Proportions
    right: int
    trials: int

    @property
    def share_and_trials(self) -> tuple[float, int]:
        """The proportion itself, and of how many trials it is; there have to be some."""
        return self.right / self.trials, self.trials


def proportions(side: OutcomeTable, measure: Measure) -> list[Proportion]:
    """List the observed accuracy and, where they are something else, recall and precision.

    These are the recall and precision of the class or label that the measure is about. Of a measure that is about no
    single one they are the micro averages over all labels: the trials of recall are the true labels, those of
    precision the assigned ones. Where every example has one class alone, both micro averages are the accuracy.

    Parameters
    ----------
    side
        Counts of one side.
    measure
        What the comparison is about.
    """
    right, wrong = side.group_counts.sum(axis=0).tolist()
    found = [Proportion("accuracy", right, right + wrong)]
    if measure.class_index is None and not side.multilabel:
        return found
    of_all = measure.class_index is None
    which = slice(None) if measure.class_index is None else measure.class_index
    predicted = side.times_predicted
    hits, true, assigned = (
        int(each[side.named][which].sum()) for each in (side.group_counts[:, 0], side.row_totals, predicted)
    )
    return [
        *found,
        Proportion("micro-recall" if of_all else "recall", hits, true),
        Proportion("micro-precision" if of_all else "precision", hits, assigned),
    ]
