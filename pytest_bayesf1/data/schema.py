"""What input means, as the caller declares it: by arguments, keys of gate files and options of the command line."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, TypeAlias

from pytest_bayesf1.choices import INVALID_DEFAULT, READING, Better, Invalid, Kind, Runs
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.values import did_you_mean

TRUE, PREDICTED, ID, RUN, COUNT = "y_true", "y_pred", "id", "run", "n"
GOLD, FOUND = "gold", "predicted"
SCORE, VALUE = "y_score", "value"
OUTCOMES, LABEL = ("tp", "fp", "fn", "tn"), "label"
_SCORE_OF = f"{SCORE}_"
_KNOWN = (TRUE, PREDICTED, ID, RUN, COUNT, SCORE, VALUE, GOLD, FOUND, LABEL, *OUTCOMES)
KNOWN = f"^({'|'.join(_KNOWN)}|{_SCORE_OF}.+)$"
"""A pattern of the names by which columns are known."""

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A mapping that cannot change."""


def require_known(name: str) -> str:
    """Return one of the names by which columns are known; raise `InputError` for another."""
    if re.match(KNOWN, name):
        return name
    advice = did_you_mean(name, _KNOWN) or "Write one of these first, then the file's own name."
    raise InputError("", f"one of {', '.join(_KNOWN)}, {_SCORE_OF}<label>", shown(name), advice)


def label_of(score_column: str) -> str | None:
    """Return the class that a column of scores is about; None where its name does not tell."""
    return score_column.removeprefix(_SCORE_OF) if score_column.startswith(_SCORE_OF) else None


def score_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns of scores of classes."""
    return tuple(name for name in names if name == SCORE or label_of(name))


def answer_columns(names: Iterable[str]) -> tuple[str, ...]:
    """Return the columns that tell what was predicted, or how well."""
    return tuple(name for name in names if name in (PREDICTED, SCORE, VALUE, FOUND) or label_of(name))


def kind_of_columns(names: Iterable[str]) -> Kind | None:
    """Return the kind of data that columns of known names hold; None where none of them is an answer.

    Examples
    --------
    >>> kind_of_columns(["y_true", "y_pred", "value"]), kind_of_columns(["id", "value"]), kind_of_columns(["id"])
    ('classes', 'values', None)
    """
    found = {*names}
    if PREDICTED in found:
        return Kind.CLASSES
    if score_columns(found):
        return Kind.SCORES
    if VALUE in found:
        return Kind.VALUES
    return Kind.SPANS if found >= {GOLD, FOUND} else None


@dataclass(frozen=True)
class Schema:
    """What is declared of input; see `pytest_bayesf1.choices.READING` for what each field goes with.

    Attributes
    ----------
    invalid
        What becomes of predictions that are missing or none of the classes.
    clusters
        The column that tells which cluster each example belongs to; empty where every example is its own.
    runs
        What several rows of an example are, which its id tells; None where an example has one.
    show
        The columns that reports show of an example that changed.
    columns
        What a file calls a column, by the name by which it is known.
    rows
        The values that certain columns have in the rows that are read, as text; empty where all rows are.
    gold
        The file of the truth, where others have the predictions alone.
    answer
        A regular expression that finds the class in a prediction, and in which ``{classes}`` is any of them. Empty
        where the prediction is the class.
    kind
        What is asked of every example; None where the names of columns say it.
    labels
        The classes, labels or types in their order; None for those of the truth.
    better
        Of which values there should be more; None where their column's name says it.
    gold_columns, gold_rows
        As `columns` and `rows`, of that file; they come before what is said of all files.
    """

    invalid: Invalid = INVALID_DEFAULT
    clusters: str = ""
    runs: Runs | None = None
    show: tuple[str, ...] = ()
    columns: Pairs = ()
    rows: Pairs = ()
    gold: str | None = None
    answer: str = ""
    kind: Kind | None = None
    labels: tuple[Label, ...] | None = None
    better: Better | None = None
    gold_columns: Pairs = ()
    gold_rows: Pairs = ()

    def of_side(self, columns: Mapping[str, str], rows: Mapping[str, str]) -> "Schema":
        """Add what is said of one side's file alone, which comes before what is said of both."""
        added = dict(self.columns) | dict(columns), dict(self.rows) | dict(rows)
        return replace(self, columns=tuple(added[0].items()), rows=tuple(added[1].items()))

    def over(self, other: "Schema") -> "Schema":
        """Let what is said here come before what another says."""
        return replace(other, **self.declared)

    @property
    def declared(self) -> dict[str, Any]:
        """What is declared, by field."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in said.items() if value != getattr(AS_IT_IS, name)}

    @property
    def of_gold(self) -> "Schema":
        """How the file of the truth is read."""
        of_truth = {known: name for known, name in self.columns if known in (TRUE, GOLD, ID)}
        return Schema(kind=self.kind, columns=tuple(of_truth.items())).of_side(
            dict(self.gold_columns), dict(self.gold_rows)
        )

    def require_fits(self, kind: Kind) -> None:
        """Raise `InputError` for what is declared and does not go with a kind of data."""
        for name in self.declared:
            if name in READING and kind not in READING[name].kinds:
                goes_with = ", ".join(each for each in Kind if each in READING[name].kinds)
                raise InputError.plain(name, f"It goes with {goes_with}, and these are {kind}", f"Leave {name} out.")


AS_IT_IS = Schema()
"""Nothing is declared."""

Schemas: TypeAlias = Mapping[str, Schema]
"""By the side that a file is of: ``baseline``, ``anchor``, ``candidate``; `AS_IT_IS` where there is none."""

ALL_AS_THEY_ARE: Schemas = MappingProxyType({})
