"""Columns of scores, as callers hand them in -> a checked array with a row for every example."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import first_few
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.counts.crosstab import is_mere_position
from pytest_bayesf1.counts.labels import Label, kind_of, label_column
from pytest_bayesf1.counts.number_arrays import as_numbers, require_cells
from pytest_bayesf1.counts.spelling import whole_number
from pytest_bayesf1.errors import InputError

SUM_TOLERANCE = 0.01
"""How far the probabilities of an example may be from 1 in all: they may be rounded."""


def score_array(values: Any, where: str, expected: str) -> Floats:
    """Return numbers as an array with a row for every example.

    Parameters
    ----------
    values
        (N,) or (N, C) numbers.
    where, expected
        What error messages call them, and what they say should be there.

    Returns
    -------
    (N, C)
        Finite numbers.

    Raises
    ------
    InputError
        For what is no array of numbers of this shape, and for numbers that are missing or infinite.
    """
    array: npt.NDArray[np.float64] = as_numbers(values, where, expected).astype(np.float64)
    if array.ndim not in (1, 2) or array.size == 0:
        raise InputError(where, expected, f"shape {array.shape}")
    require_cells(
        array,
        where,
        ((np.isnan(array), "a number for every example", ""), (~np.isfinite(array), "a finite number", "")),
    )
    return array.reshape(len(array), -1)


def by_label(y_score: Any) -> Mapping[Any, Any] | None:
    """Return the columns by the names that they have; None where they have none.

    Parameters
    ----------
    y_score
        What a caller handed in: a mapping, a data frame, or numbers.
    """
    if isinstance(y_score, Mapping):
        return y_score
    if hasattr(y_score, "columns") and not is_mere_position(y_score.columns):
        return {name: y_score[name] for name in y_score.columns}
    return None


def labels_of(columns: Iterable[Any], y_true: Iterable[Any]) -> list[Any]:
    """Return the classes that columns are about, as the truth writes them.

    Parameters
    ----------
    columns
        Their names: labels, or whole numbers as text.
    y_true
        Labels.

    Examples
    --------
    >>> labels_of(["0", "1", "2"], [1, 0, 1])
    [0, 1, 2]
    """
    if kind_of(label_column(y_true, "y_true")) != "integers":
        return list(columns)
    numbers = {name: whole_number(str(name)) for name in columns}
    return [name if number is None else number for name, number in numbers.items()]


def in_label_order(columns: Mapping[Any, Any], labels: tuple[Label, ...]) -> Floats:
    """Put named columns side by side.

    Parameters
    ----------
    columns
        Scores by label.
    labels
        In their order.

    Returns
    -------
    (N, M)
        A column for each label.

    Raises
    ------
    InputError
        When a label has no column, a column no label, or two are of different lengths.
    """
    by_text = {str(name): values for name, values in columns.items()}
    if set(by_text) != {str(label) for label in labels}:
        found = first_few(map(repr, columns), 20)
        raise InputError("y_score", f"a column of scores for each of {_names(labels)}", found)
    arrays = [
        score_array(by_text[str(label)], f"y_score of {label!r}", "a number for every example") for label in labels
    ]
    if len({array.shape for array in arrays}) > 1 or arrays[0].shape[1] > 1:
        raise InputError("y_score", "columns of one length", first_few((str(array.shape) for array in arrays), 20))
    return np.concatenate(arrays, axis=1)


def of_positive_class(scores: Floats, labels: tuple[Label, ...]) -> Floats:
    """Keep the positive class's column of two.

    Parameters
    ----------
    scores : (N, 1) or (N, 2)
        Of the positive class, or probabilities of both.
    labels
        The negative class and the positive one.

    Returns
    -------
    (N, 1)
        Of the positive class.

    Raises
    ------
    InputError
        When two columns are no probabilities, for then either might be meant.
    """
    if scores.shape[1] == 1:
        return scores
    row = first_without_sum(scores)
    if row is not None:
        advice = f"Pass the scores of {labels[1]!r} alone."
        raise InputError(f"y_score[{row}]", "two probabilities that sum to 1", _shown(scores[row]), advice)
    return scores[:, 1:]


def first_without_sum(probabilities: Floats) -> int | None:
    """Return the first row whose probabilities do not sum to 1; None where all do.

    Parameters
    ----------
    probabilities : (N, M)
        A row for every example.
    """
    wrong = np.abs(probabilities.sum(axis=1) - 1) > SUM_TOLERANCE
    return int(wrong.argmax()) if wrong.any() else None


def require_columns(scores: Floats, labels: tuple[Label, ...]) -> None:
    """Require a column for every class, or of two classes the positive one's alone.

    Parameters
    ----------
    scores : (N, C)
        As handed in.
    labels
        The classes.

    Raises
    ------
    InputError
        When there are more or fewer.
    """
    n_columns, n_classes = scores.shape[1], len(labels)
    if n_columns == n_classes or (n_columns == 1 and n_classes == 2):
        return
    expected = f"{n_classes} columns of scores, one for each of {_names(labels)}"
    advice = "Name the classes in the order of the columns with labels=[...]." if n_columns > n_classes else ""
    raise InputError("y_score", expected, str(n_columns), advice)


def _names(labels: Iterable[Label]) -> str:
    return first_few(map(repr, labels), 20)


def _shown(row: Floats) -> str:
    return ", ".join(f"{value:g}" for value in row)
