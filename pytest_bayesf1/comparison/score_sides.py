"""What is compared where the output is a number: the scores of a baseline and of a candidate."""

from dataclasses import dataclass
from functools import cached_property

from pytest_bayesf1.comparison.sides import Sides, without_advice
from pytest_bayesf1.data.outcomes import ScoreTable
from pytest_bayesf1.data.scores import Scores, pair_scores
from pytest_bayesf1.errors import InputError


@dataclass(frozen=True, eq=False)
class ScoreSides:
    """Both sides of a comparison, as `align_scores` returns them.

    Attributes
    ----------
    baseline, candidate
        Scores of the same classes in the same order.
    """

    baseline: Scores
    candidate: Scores

    @cached_property
    def joint(self) -> ScoreTable:
        """The scores of the same examples; raises `InputError` when they are not about the same."""
        return pair_scores(self.baseline, self.candidate)

    @property
    def know_predictions(self) -> bool:
        """Whether both sides remember their examples, as scores always do."""
        return True

    @cached_property
    def difference_of_test_sets(self) -> str:
        """How the test sets differ; empty when they do not."""
        try:
            self.joint  # noqa: B018 (kept for the comparison)
        except InputError as error:
            return without_advice(error)
        return ""

    def at(self, threshold: float) -> Sides:
        """Predict the positive class from a score on, on both sides.

        Parameters
        ----------
        threshold
            The lowest score that is predicted as the positive class.
        """
        return Sides(self.baseline.at(threshold), self.candidate.at(threshold))
