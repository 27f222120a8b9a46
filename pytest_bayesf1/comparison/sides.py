"""What is compared: the counts of a baseline and of a candidate over the same labels."""

from dataclasses import dataclass
from functools import cached_property

from pytest_bayesf1.data.confusion import SideCounts
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.data.paired import Paired, align, pair
from pytest_bayesf1.errors import BaselineError, InputError


@dataclass(frozen=True, eq=False)
class Sides:
    """Both sides of a comparison, whose predictions are paired at most once; `aligned` makes them of any two.

    Attributes
    ----------
    baseline, candidate
        Counts with the same labels in the same order.
    """

    baseline: SideCounts
    candidate: SideCounts

    @classmethod
    def aligned(cls, baseline: SideCounts, candidate: SideCounts) -> "Sides":
        """Bring two sides to the same labels.

        Parameters
        ----------
        baseline, candidate
            Counts whose labels may come in another order.

        Returns
        -------
        Sides
            Both over the same labels in the same order.

        Raises
        ------
        InputError
            When they have other labels, so that nothing can be compared.
        """
        return cls(*align(baseline, candidate))

    @property
    def know_predictions(self) -> bool:
        """Whether both sides remember their predictions."""
        return self.baseline.predictions is not None and self.candidate.predictions is not None

    @cached_property
    def paired(self) -> Paired:
        """Both sides' predictions in one order; raises `InputError` when they are not about the same examples."""
        return pair(self.baseline, self.candidate)

    @cached_property
    def joint(self) -> OutcomeTable:
        """The joint outcomes of the predictions; raises `InputError` as `paired` does."""
        baseline, candidate = self.paired
        return baseline.tally(len(self.baseline.labels), candidate)

    @cached_property
    def difference_of_totals(self) -> str:
        """Which class differs in its number of examples; empty when none does."""
        baseline, candidate = (side.table.row_totals[side.table.named] for side in (self.baseline, self.candidate))
        for label, total, other in zip(self.baseline.labels, baseline, candidate, strict=True):
            if total != other:
                return f"{other} examples of class {label!r} instead of {total}"
        if self.baseline.n_samples != self.candidate.n_samples:
            return f"{self.candidate.n_samples} examples instead of {self.baseline.n_samples}"
        return ""

    @cached_property
    def difference_of_test_sets(self) -> str:
        """How the test sets differ; empty when they do not, as far as the counts can tell."""
        if not self.know_predictions:
            return self.difference_of_totals
        try:
            self.joint  # noqa: B018 (kept for the comparison)
        except InputError as error:
            return without_advice(error)
        return ""


def without_advice(error: InputError | BaselineError) -> str:
    """Say what is wrong without advice about the arguments of another call.

    Parameters
    ----------
    error
        Of a call that the user did not make.

    Examples
    --------
    >>> without_advice(InputError("candidate", "10 examples", "9", "Pass model='independent'."))
    'candidate: expected 10 examples, got 9'
    """
    return f"{error.where}: expected {error.expected}, got {error.found}"
