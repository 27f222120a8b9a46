"""Real-valued outputs of one side: probabilities, or a number per example."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from pytest_bayesf1.choices import INVALID_DEFAULT, Better, Invalid, Kind
from pytest_bayesf1.data.confusion import ConfusionMatrix
from pytest_bayesf1.data.encoding import SUM_TOLERANCE, without_sum
from pytest_bayesf1.data.questions import VALUE, Questions, Show
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.errors import InputError, ends_here, shown
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted
from pytest_bayesf1.values import as_float, require_choice


class Scores(Side):
    """What a system gave every example of a test set: a score or probability of its classes, or a number.

    Examples
    --------
    >>> scores = Scores.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> scores.at(0.5).counts.tolist()
    [[2, 0], [1, 1]]
    """

    kind = Kind.SCORES
    _noun = "classes"

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        y_true: Iterable[Any],
        y_score: Any,
        *,
        labels: Iterable[Label] | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        show: Show = None,
    ) -> "Scores":
        """Take the scores of N examples whose classes are known.

        Parameters
        ----------
        y_true : sequence of N labels
            Strings, integers or booleans.
        y_score : (N,) or (N, M) numbers
            Of two classes the score or probability of the positive one, the higher the more likely; or a column for
            every class, in the order of ``labels``. A mapping or a data frame has its columns by label; where that is
            one of two classes' alone, this is the positive one.
        labels : sequence of M labels, optional
            The classes in the order of the columns; by default all that occur, sorted. Of two classes the second is the
            positive one, if they are not 0 and 1, -1 and 1 or False and True.
        ids : sequence of N identifiers, optional
            Which example is which. Without them examples pair up by position.
        clusters : sequence of N identifiers, optional
            Which examples belong together, as in `ConfusionMatrix.from_predictions`.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example that changed from a threshold on, as there.

        Raises
        ------
        InputError
            When the columns do not fit together, a score is missing, or it is not known which class is positive.

        Examples
        --------
        >>> from pytest_bayesf1 import Scores
        >>> Scores.from_predictions([0, 1, 1], [0.2, 0.9, 0.4]).n_samples
        3
        """
        columns = {"y_true": y_true, "y_score": y_score}
        known = {"ids": ids, "clusters": clusters, "show": show}
        return cls.of_columns(columns, labels, **known)[0]

    @classmethod
    @ends_here
    def from_values(
        cls,
        values: Any,
        *,
        better: Better | None = None,
        ids: Iterable[Any] | None = None,
        clusters: Iterable[Any] | None = None,
        runs: str | None = None,
        invalid: Invalid = INVALID_DEFAULT,
        show: Show = None,
    ) -> "Scores":
        """Take a number for each of N examples, such as a judge's grade; the measure ``mean`` compares them.

        Parameters
        ----------
        values : (N,) numbers, or true and false
            The larger, the better, unless ``better`` says otherwise.
        better : "higher" or "lower", optional
            A column of a data frame that is called other than ``value`` or ``score`` needs it. Of lower values the
            negatives are compared.
        ids, clusters : sequences of N identifiers, optional
            As in `from_predictions`.
        runs : str, optional
            ``samples`` if an id may occur several times, because you asked the same system again: the value of
            an example is the mean of its rows then.
        invalid : str, optional
            ``wrong`` if a missing number counts as wrong, as 0.
        show : sequence of N values, or a dictionary of several, optional
            What reports show of an example whose number changed; of several rows the first counts.

        Raises
        ------
        InputError
            When the columns do not fit together, a number is missing, or a column's name does not say which is better.

        Examples
        --------
        >>> Scores.from_values([4, 5, 3], ids=["a", "b", "c"])
        <Scores 3 values>
        """
        name = getattr(values, "name", None)
        which = better_of(name if name and isinstance(name, str) else VALUE, better, "values")
        known = {"ids": ids, "clusters": clusters, "runs": runs, "invalid": invalid, "show": show}
        return cls.of_columns({"values": values}, kind=Kind.VALUES, better=which, **known)[0]

    def at(self, threshold: float) -> ConfusionMatrix:
        """Predict the positive class from a score on, and count.

        A threshold that was chosen on the same examples flatters: choose it on others.

        Parameters
        ----------
        threshold
            The lowest score that is predicted as the positive class.

        Raises
        ------
        InputError
            When there are not two classes, the threshold is no number, or it is a probability and the scores are none.

        Examples
        --------
        >>> Scores.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(0.4).counts.tolist()
        [[1, 1], [1, 1]]
        """
        limit = as_float(threshold)
        if limit is None or not np.isfinite(limit):
            raise InputError("threshold", "a number", shown(threshold))
        if len(self.labels) != 2:
            found = f"{len(self.labels)} classes" if self.labels else "values without classes"
            raise InputError("threshold", "scores of two classes", found)
        assert self.questions is not None
        if 0 < limit < 1:  # of percentages nearly all would be above it
            declare = "a threshold of these scores, or y_pred, the classes"
            require_probabilities(self.questions, f"{limit:g} divides probabilities, from 0 to 1", declare)
        predicted = (self.questions.said[:, :, 0] >= limit).astype(np.int64)
        questions = replace(self.questions, kind=Kind.CLASSES, said=predicted)
        return ConfusionMatrix.of_questions(questions, self.labels, self.labels_from, self.notes)

    def __repr__(self) -> str:
        """Sizes, not scores."""
        if not self.labels:
            return f"<Scores {counted(self.n_samples, 'value')}>"
        return f"<Scores {len(self.labels)} classes, {counted(self.n_samples, 'example')}>"


_MORE_IS_BETTER = (VALUE, "score")


def better_of(name: str, better: Better | None, where: str) -> Better:
    """Return whether higher or lower values are better: as declared, or as their name says."""
    if better is not None:
        require_choice("better", better, Better)
        return Better(better)
    if name in _MORE_IS_BETTER:
        return Better.HIGHER
    raise InputError.plain(
        where, f"{shown(name)} does not say whether more is better", "Declare: better (higher or lower)."
    )


def require_probabilities(asked: Questions, declared: str, declare: str) -> None:
    """Refuse scores below 0 or above 1, and rows of them without a sum of 1."""
    said = asked.said[0]
    outside = np.flatnonzero(((said < -SUM_TOLERANCE) | (said > 1 + SUM_TOLERANCE)).any(axis=1))
    no_sum = without_sum(said) if said.shape[1] > 1 else outside
    for what, wrong in (("not from 0 to 1", outside), ("without a sum of 1", no_sum)):
        if wrong.size:
            numbers = [", ".join(f"{score:g}" for score in row) for row in said.tolist()]
            raise asked.rows.refused("y_score", what, numbers, wrong, declared, declare)
