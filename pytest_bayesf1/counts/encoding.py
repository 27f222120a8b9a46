"""Columns of labels -> the codes 0..M-1 that the statistics work with."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pytest_bayesf1._util import first_few, require_choice
from pytest_bayesf1.arrays import Codes, LabelArray, Weights
from pytest_bayesf1.counts.answers import mask_unreadable
from pytest_bayesf1.counts.labels import Label, explicit_labels, label_column, require_one_kind
from pytest_bayesf1.counts.spelling import in_order, is_fraction, require_one_spelling
from pytest_bayesf1.counts.vocabulary import require_one_vocabulary
from pytest_bayesf1.errors import UNREADABLE, InputError
from pytest_bayesf1.settings import COUNT_AS_WRONG, INVALID, INVALID_DEFAULT, Invalid


def encode(
    columns: Mapping[str, Iterable[Any]],
    labels: Iterable[Any] | None,
    weight: Weights | None = None,
    invalid: Invalid = INVALID_DEFAULT,
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Encode columns of labels, one label per example, all over the same two or more classes.

    Parameters
    ----------
    columns
        Columns of equal length by the name that error messages use, the truth first.
    labels
        The classes in their order; by default all that occur, sorted: numbers by their value, also where they are text.
        Then the predictions must be of the truth's classes, see `vocabulary`.
    weight
        Examples that each row stands for; by default one.
    invalid
        ``"wrong"`` lets predictions be missing or none of the classes. These are then the listed ones, or those that
        the truth has, and behind them `UNREADABLE`, which all such predictions are of.

    Returns
    -------
    codes, labels
        Each column as positions in ``labels``.

    Raises
    ------
    InputError
        When the columns differ in length or kind, there is one class only, or predictions are of none of the classes.

    Examples
    --------
    >>> codes, labels = encode({"y_true": ["b", "a"], "y_pred": ["b", "b"]}, labels=None)
    >>> labels, codes["y_true"].tolist(), codes["y_pred"].tolist()
    (('a', 'b'), [1, 0], [1, 1])
    """
    require_choice("invalid", invalid, INVALID)
    require_same_index(columns)
    if invalid == "wrong":
        return _encode_answers(columns, labels, weight)
    true, *_ = columns
    arrays = {
        name: label_column(values, name, if_missing="" if name == true else COUNT_AS_WRONG)
        for name, values in columns.items()
    }
    _require_equal_lengths(arrays)
    codes, names = encode_arrays(arrays, labels, COUNT_AS_WRONG)
    _require_two(names, " and ".join(arrays) if labels is None else "labels")
    if labels is None:
        require_one_vocabulary({name: _counted(column, names, weight) for name, column in codes.items()})
    return codes, names


def _encode_answers(
    columns: Mapping[str, Iterable[Any]], labels: Iterable[Any] | None, weight: Weights | None
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    listed = None if labels is None else [label for label in labels if label is not UNREADABLE]
    truth, answers = mask_unreadable(columns, listed, weight)
    true, *_ = columns
    _require_equal_lengths({true: truth, **answers})
    codes, names = encode_arrays({true: truth}, listed)
    _require_two(names, true if listed is None else "labels")
    for name, said in answers.items():
        codes[name] = np.full(said.size, len(names))
        codes[name][~said.mask] = encode_arrays({name: said.compressed()}, names)[0][name]
    return codes, (*names, UNREADABLE)


def _require_two(names: tuple[Label, ...], where: str) -> None:
    if len(names) < 2:
        found = f"one class only ({names[0]!r})"
        raise InputError(where, "at least two classes", found, "Name the others with labels=[...].")


def _counted(codes: Codes, names: tuple[Label, ...], weight: Weights | None) -> dict[Label, float]:
    """Count the examples of each label that occurs."""
    count = np.bincount(codes, weight, minlength=len(names)).tolist()
    return {name: n for name, n in zip(names, count, strict=True) if n}


def encode_arrays(
    arrays: Mapping[str, LabelArray], labels: Iterable[Any] | None, if_unlisted: str = ""
) -> tuple[dict[str, Codes], tuple[Label, ...]]:
    """Do as `encode` does, with columns that `label_column` checked and of any lengths.

    Parameters
    ----------
    arrays
        The columns by the name that error messages use.
    labels
        The classes in their order; by default all that occur, sorted.
    if_unlisted
        What to do besides about predictions that are not among ``labels``.

    Raises
    ------
    InputError
        When the columns are of different kinds, or a label is not among ``labels``.
    """
    require_one_kind(arrays)
    if labels is None:
        found = np.unique(np.concatenate([np.unique(array) for array in arrays.values()]))
        known = np.array(in_order(found.tolist()))
    else:
        known = np.asarray(explicit_labels(labels))
        require_one_kind({"labels": known, **arrays})
    order = np.argsort(known, kind="stable")
    advice = dict.fromkeys(list(arrays)[1:], if_unlisted)
    codes = {name: _codes(array, known, order, name, advice.get(name, "")) for name, array in arrays.items()}
    return codes, tuple(known.tolist())


def _codes(array: LabelArray, known: LabelArray, order: Codes, where: str, if_unlisted: str) -> Codes:
    position = np.searchsorted(known, array, sorter=order).clip(max=known.size - 1)
    codes: Codes = order[position]
    unknown = known[codes] != array
    if unknown.any():
        missing = in_order(np.unique(array[unknown]).tolist())
        require_one_spelling("labels", set(known.tolist()), {where: set(missing)})
        are_scores = is_fraction(str(missing[0]))
        advice = "Pass labels, not probabilities." if are_scores else f"Add them to labels. {if_unlisted}".strip()
        raise InputError(where, "only values listed in labels", first_few(map(repr, missing)), advice)
    return codes


def require_same_index(columns: Mapping[str, Iterable[Any]]) -> None:
    """Refuse pandas columns that pandas itself would not put side by side in this order.

    Parameters
    ----------
    columns
        By the name that error messages use; those without an index pass.

    Raises
    ------
    InputError
        When two have different indices.
    """
    axes: dict[str, Any] = {name: getattr(values, "index", None) for name, values in columns.items()}
    indexed = {name: axis for name, axis in axes.items() if hasattr(axis, "equals")}
    for name in list(indexed)[1:]:
        first = next(iter(indexed))
        if len(indexed[name]) == len(indexed[first]) and not indexed[name].equals(indexed[first]):
            raise InputError(name, f"the index of {first}", "another index", "Align them, or pass .to_numpy() of both.")


def _require_equal_lengths(arrays: Mapping[str, LabelArray]) -> None:
    first, *others = arrays
    for name in others:
        if arrays[name].size != arrays[first].size:
            raise InputError(name, f"{arrays[first].size} labels, as in {first}", f"{arrays[name].size}")
