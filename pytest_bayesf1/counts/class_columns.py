"""Columns of one class per example, with one prediction each or several -> `ClassPredictions`."""

from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np

from pytest_bayesf1.counts.encoding import encode, require_same_index
from pytest_bayesf1.counts.examples import WHAT_RUNS_ARE, Examples
from pytest_bayesf1.counts.labels import Label, label_column
from pytest_bayesf1.counts.predictions import ClassPredictions
from pytest_bayesf1.counts.repetition import require_no_repetition
from pytest_bayesf1.counts.shown import Show, read_shown
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import INVALID_DEFAULT, Invalid

_Column: TypeAlias = Iterable[Any] | None


def class_predictions(
    y_true: Iterable[Any],
    y_pred: Iterable[Any],
    labels: Iterable[Label] | None,
    belonging: tuple[_Column, _Column] = (None, None),
    repeated: tuple[str | None, _Column] = (None, None),
    invalid: Invalid = INVALID_DEFAULT,
    show: Show = None,
) -> tuple[ClassPredictions, tuple[Label, ...]]:
    """Encode the truth and the predictions of every example.

    Parameters
    ----------
    y_true, y_pred, labels
        As in `ConfusionMatrix.from_predictions`.
    belonging
        Its ``ids`` and ``clusters``.
    repeated
        Its ``runs`` and ``run_ids``.
    invalid, show
        As there.

    Returns
    -------
    predictions, labels
        Codes, and the classes that they stand for.

    Raises
    ------
    InputError
        When the columns do not fit together, or hold something else than labels.
    """
    runs, run_ids = repeated
    rows = None if runs is None else _rows(y_pred)
    if rows is None:
        codes, names = encode({"y_true": y_true, "y_pred": y_pred}, labels, invalid=invalid)
        examples = Examples.read(codes["y_true"].size, *belonging, runs, run_ids)
        shown = read_shown(show, codes["y_true"].size, examples.first)
    else:
        require_same_index({"y_true": y_true, "y_pred": y_pred})
        true, flat = label_column(y_true, "y_true"), [label for row in rows for label in row]
        _require_each(rows, true.size)
        if run_ids is not None:
            raise InputError(
                "run_ids", "nothing beside predictions of shape (N, R), whose columns are the runs", "some"
            )
        examples = Examples.read(true.size, *belonging, runs, per_row=[len(row) for row in rows])
        shown = read_shown(show, true.size)
        codes, names = encode({"y_true": true[examples.example], "y_pred": flat}, labels, invalid=invalid)
    if examples.ids is None and examples.runs is None:
        require_no_repetition(codes["y_true"], examples.clusters)
    if examples.runs is not None:
        examples.require_agreement(codes["y_true"], "y_true")
    predicted = examples.in_runs(codes["y_pred"])
    examples.require_whole_runs(predicted)
    return ClassPredictions(codes["y_true"][examples.first], predicted, *examples.belonging, shown), names


def _rows(y_pred: Iterable[Any]) -> list[list[Any]] | None:
    """Return a row of predictions per example; None where there is a single column."""
    if getattr(y_pred, "ndim", 1) == 2:
        return [list(row) for row in np.ma.asarray(y_pred).tolist()]
    if isinstance(y_pred, list | tuple) and any(isinstance(row, list | tuple | np.ndarray) for row in y_pred):
        return [list(row) if isinstance(row, list | tuple | np.ndarray) else [row] for row in y_pred]
    return None


def _require_each(rows: list[list[Any]], n_samples: int) -> None:
    if len(rows) != n_samples:
        raise InputError("y_pred", f"{n_samples} rows of predictions, one per example of y_true", f"{len(rows)}")
    empty = [position for position, row in enumerate(rows) if not row]
    if empty:
        raise InputError("y_pred", "a prediction of every example", f"none at position {empty[0]}", WHAT_RUNS_ARE)
