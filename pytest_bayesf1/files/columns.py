"""The names by which columns are known, and what a file calls them."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from pytest_bayesf1._util import did_you_mean, first_few
from pytest_bayesf1.errors import InputError

TRUE, PREDICTED, ID, RUN = "y_true", "y_pred", "id", "run"
GOLD, FOUND = "gold", "predicted"
SCORE, VALUE = "y_score", "value"
_SCORE_OF = f"{SCORE}_"
_KNOWN = (TRUE, PREDICTED, ID, RUN, SCORE, VALUE, GOLD, FOUND)
KNOWN = f"^({'|'.join(_KNOWN)}|{_SCORE_OF}.+)$"
"""A pattern of the names by which columns are known."""

NAME_THEM = (
    f"Name the columns of predictions {TRUE} and {PREDICTED} (and {ID}), those of scores {TRUE} and {SCORE}; or say "
    f"what the file calls them: columns: {{{TRUE}: gold}} in a gate file, --column {TRUE}=gold."
)

AS_NAMED: Mapping[str, str] = MappingProxyType({})
"""Nothing was said of what a file calls its columns: they have the names by which they are known."""

T = TypeVar("T")


def require_known(name: str) -> str:
    """Return one of the names by which columns are known; raise `InputError` for another."""
    if re.match(KNOWN, name):
        return name
    raise InputError("", f"one of {', '.join(_KNOWN)}, {_SCORE_OF}<label>", repr(name), did_you_mean(name, _KNOWN))


def renamed(columns: Mapping[str, T], names: Mapping[str, str]) -> dict[str, T]:
    """Give columns the names by which they are known, beside those that the file has for them.

    Parameters
    ----------
    columns
        Of a file.
    names
        What the file calls each column, by the name by which it is known. Where they say what was predicted, all other
        columns that would say it do not.

    Raises
    ------
    InputError
        For a column that the file does not have.

    Examples
    --------
    >>> renamed({"gold": [1], "old": [0], "y_pred": [1]}, {"y_true": "gold", "y_pred": "old"})
    {'gold': [1], 'old': [0], 'y_true': [1], 'y_pred': [0]}
    """
    for known, name in names.items():
        if name not in columns:
            raise InputError("", f"a column {name!r}, which is {known}", columns_found(columns))
    found = {known: columns[name] for known, name in names.items()}
    hidden = set(outcomes(columns)) if outcomes(found) else set()
    return {name: values for name, values in columns.items() if name not in hidden} | found


def outcomes(names: Iterable[str]) -> list[str]:
    """Return the columns that tell what was predicted, or how well."""
    return [name for name in names if name in (PREDICTED, SCORE, VALUE) or label_of(name)]


def holds_predictions(columns: Iterable[str]) -> bool:
    """Whether these are columns of predictions, scores or numbers; raise `InputError` when one of two is missing."""
    names = list(columns)
    of_classes = any(name != VALUE for name in outcomes(names))
    if VALUE in names and not of_classes:
        return True
    if (TRUE in names) != of_classes:
        raise wrong_columns(names)
    return of_classes


def label_of(score_column: str) -> str | None:
    """Return the class that a column of scores is about; None where its name does not tell."""
    return score_column.removeprefix(_SCORE_OF) if score_column.startswith(_SCORE_OF) else None


def score_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of scores of classes."""
    return tuple(name for name in names if name == SCORE or label_of(name))


def wrong_columns(names: Iterable[object]) -> InputError:
    """List the columns of a file that holds neither predictions nor counts."""
    expected = f"columns {TRUE} and {PREDICTED}, or a matrix of counts"
    return InputError("", expected, columns_found(names), NAME_THEM)


def columns_found(names: Iterable[object]) -> str:
    """List the columns that a file has."""
    found = [repr(name) for name in names]
    return f"{'columns' if len(found) > 1 else 'column'} {first_few(found, 20)}" if found else "no columns"
