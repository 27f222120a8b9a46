"""Predictions of which some could not be read: missing, or none of the classes, as invalid="wrong" allows them to be.

What looks like a mistake about the whole column stays an error: scores, labels of another kind, not one prediction that
is a class, and answers that differ from a class in spelling alone.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import LabelArray, Weights
from pytest_bayesf1.counts.labels import (
    Answers,
    answer_column,
    explicit_labels,
    kind_of,
    label_column,
    require_one_kind,
)
from pytest_bayesf1.counts.spelling import tidy, whole_number
from pytest_bayesf1.counts.vocabulary import require_no_scores, require_some_classes


def mask_unreadable(
    columns: Mapping[str, Iterable[Any]], labels: Iterable[Any] | None, weight: Weights | None = None
) -> tuple[LabelArray, dict[str, Answers]]:
    """Check columns of labels, and mask the predictions that are none of the classes.

    Parameters
    ----------
    columns
        Columns by the name that error messages use, the truth first.
    labels
        The classes; by default those that the truth has.
    weight
        Examples that each row stands for; by default one.

    Returns
    -------
    truth, answers
        An array of labels; and masked ones of the same kind, by name.

    Raises
    ------
    InputError
        When a column holds no labels, or predictions are scores, of none of the classes, or spell them in another way.

    Examples
    --------
    >>> _, answers = mask_unreadable({"y_true": ["a", "b", "b"], "y_pred": ["a", None, "n/a"]}, labels=None)
    >>> answers["y_pred"].tolist()
    ['a', None, None]
    """
    (name, values), *predicted = columns.items()
    true = label_column(values, name)
    known: dict[str, LabelArray] = {name: true} if labels is None else {"labels": np.asarray(explicit_labels(labels))}
    ((_, classes),) = known.items()
    answers = {each: answer_column(said, each, kind_of(classes)) for each, said in predicted}
    require_one_kind({**known, name: true, **{each: column.compressed() for each, column in answers.items()}})
    said = {each: _counted(column, weight) for each, column in answers.items() if not column.mask.all()}
    if labels is None:
        of_truth = {name: _counted(true, weight)}
        require_no_scores(of_truth | said)
        require_some_classes(of_truth | said)
    else:
        require_some_classes({"labels": dict.fromkeys(classes.tolist(), 1.0)} | said)
    for column in answers.values():
        column[~np.isin(column.data, classes)] = np.ma.masked
    return true, answers


def _counted(column: LabelArray, weight: Weights | None) -> dict[Any, float]:
    """Count the examples of each label that is there."""
    there = ~np.ma.getmaskarray(column)
    labels, code = np.unique(np.ma.getdata(column)[there], return_inverse=True)
    count = np.bincount(code, None if weight is None else weight[there])
    return dict(zip(labels.tolist(), count.tolist(), strict=True))


def tidy_answers(texts: Iterable[Any], truth: LabelArray, *, is_text: bool) -> list[Any]:
    """Write answers as labels of the truth are written when they are read.

    Parameters
    ----------
    texts
        Predictions, None where they are missing.
    truth
        As it is read.
    is_text
        Whether they are text for want of another type: then they are whole numbers where the truth is.
    """
    as_numbers = is_text and kind_of(truth) == "integers"
    tidied = [tidy(text) if isinstance(text, str) else text for text in texts]
    return [text and whole_number(text) for text in tidied] if as_numbers else tidied
