"""What ``bayesf1 init`` guesses of a file, for a person to read: columns by their names, kind, classes, direction."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_bayesf1.choices import Better, Kind
from pytest_bayesf1.errors import InputError

if TYPE_CHECKING:
    from pytest_bayesf1.data.columns import Columns, Schema

_TRUTH = """
    actual annotated class expected gold golden groundtruth gt label labels real ref reference target true truth
"""
_ANSWER = "answer classified guess hypothesis output pred predicted prediction predictions preds response"
_ID = "guid id idx uid uuid"
_MORE = "accuracy correct f1 grade match passed rating reward score success"
_LESS = "cost error errors failed harmful incorrect latency loss penalty perplexity toxicity violations wer wrong"
_MOST_CLASSES = 30


def proposed(path: Path) -> "Columns":
    """Read a file as it is, or else as the names of its columns suggest; raise `InputError` where neither works."""
    from pytest_bayesf1.data.columns import AS_IT_IS
    from pytest_bayesf1.files.side import read_side

    try:
        file = read_side(path, "file")
    except InputError as error:
        schema = _guessed(path)
        if schema == AS_IT_IS:
            raise
        try:
            file = read_side(path, "file", schema)
        except InputError:
            raise error from None
    if file.kind is Kind.COUNTS:
        raise InputError.plain("", "There are counts, not predictions of examples")
    found = _with_classes(file)
    found.counts()
    return found


def n_roles(path: Path) -> int:
    """Count the columns of a file whose names say what they may be; 0 for one that cannot be read."""
    from pytest_bayesf1.data.columns import AS_IT_IS
    from pytest_bayesf1.files.declared import named_rows

    try:
        return len([*_columns(named_rows(path, AS_IT_IS).values)])
    except InputError:
        return 0


def _guessed(path: Path) -> "Schema":
    from pytest_bayesf1.data.columns import PREDICTED, TRUE, VALUE, Schema
    from pytest_bayesf1.files.declared import named_rows

    raw = named_rows(path, Schema())
    columns = {known: name for known, name in _columns(raw.values) if known != name}
    schema = Schema().of_side(columns, {})
    if {TRUE, PREDICTED} <= raw.values.keys() | columns.keys():
        first = next(iter(raw.values[columns.get(TRUE, TRUE)]), None)
        if isinstance(first, list):
            are_spans = bool(first) and not isinstance(first[0], str | int)
            schema = replace(schema, kind=Kind.SPANS if are_spans else Kind.LABELS)
    elif VALUE in columns:
        less = {*_LESS.split()} & {*words_of(columns[VALUE])}
        schema = replace(schema, better=Better.LOWER if less else Better.HIGHER)
    return schema


def _columns(names: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the columns that are called as ids, the truth, predictions or grades usually are, one of each at most."""
    from pytest_bayesf1.data.columns import ID, PREDICTED, TRUE, VALUE

    roles = {ID: _ID, PREDICTED: _ANSWER, TRUE: _TRUTH, VALUE: f"{_MORE} {_LESS}"}
    found: dict[str, str] = {}
    for known, words in roles.items():
        likely = [name for name in names if {*words.split()} & {*words_of(name)} and name not in found.values()]
        if known in names or len(likely) == 1:
            found[known] = known if known in names else likely[0]
    if {TRUE, PREDICTED} <= found.keys():
        found.pop(VALUE, None)
    elif VALUE in found:
        found.pop(TRUE, None)
        found.pop(PREDICTED, None)
    yield from found.items()


def words_of(name: str) -> list[str]:
    """Take a name apart, in small letters: ``trueLabel`` and ``true_label`` are the same.

    Examples
    --------
    >>> words_of("trueLabel")
    ['true', 'label']
    """
    return re.findall(r"[a-z0-9]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower().replace("_", " "))


def _with_classes(file: "Columns") -> "Columns":
    """List all classes where predictions have some that the truth lacks."""
    from pytest_bayesf1.data.columns import PREDICTED, TRUE, value_text

    if file.kind is not Kind.CLASSES or file.labels is not None:
        return file
    true, said = ({value_text(each) for each in file.column(name)} for name in (TRUE, PREDICTED))
    if said <= true or "" in said or len(said | true) > _MOST_CLASSES:
        return file
    return replace(file, schema=replace(file.schema, labels=tuple(sorted(said | true))))


def keys_of(schema: "Schema") -> dict[str, Any]:
    """Return what is declared as keys of a gate."""
    said = schema.declared
    if "columns" in said:
        said["columns"] = dict(schema.columns)
    return said
