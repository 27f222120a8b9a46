"""Counts in files: confusion matrices, crosstabs, pairs with their numbers; of spans tp, fp and fn."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.data.confusion import is_count, on_axes, on_shares, square_crosstab, words_of
from pytest_bayesf1.data.labels import (
    IF_CLASS,
    describe_missing,
    is_missing,
    missing_rows,
    read_labels,
    tidy,
    typed,
    whole_number,
)
from pytest_bayesf1.errors import InputError, setting, shown
from pytest_bayesf1.files.tables import (
    COUNT,
    ID,
    OUTCOMES,
    PREDICTED,
    RUN,
    TRUE,
    VALUE,
    Content,
    Matrix,
    Table,
    all_differ,
    is_multilabel,
    name_them,
    outcome_of,
    tells_apart,
    value_text,
    values_of,
    wrong_columns,
)


def counted_pairs(table: Table) -> Content:
    """Make a matrix of a table whose rows are pairs of true and predicted class, with their number of examples.

    Such pairs are there once each. Where an example has a row, ids are, and pairs are repeated.
    """
    outcomes = {outcome_of(name): name for name in table.columns}
    if outcomes.keys() >= OUTCOMES:
        return _outcome_counts(table, outcomes)
    if PREDICTED not in table.columns or table.spans or is_multilabel(table):
        return table
    once = all_differ(zip(values_of(table, TRUE), values_of(table, PREDICTED), strict=True))
    own = (table.columns[TRUE], table.columns[PREDICTED])
    others = [name for name in table.columns if _is_other(table.columns[name], own)]
    likely = [name for name in others if name == COUNT or is_count(name)]
    whole = [name for name in (others if once else likely) if _whole_numbers(table, name) is not None]
    counts = [name for name in whole if name in likely] or [name for name in whole if name == VALUE]
    if len(counts) == 1 and once and ID not in others:
        return _matrix_of_pairs(table, _whole_numbers(table, counts[0]))
    if counts and not once and any(tells_apart(table, name) for name in others if name not in counts):
        return table
    if counts:
        problem = f"Are these counts? There is a column {shown(counts[0])}, but "
        problem += f"also {shown(ID)}" if once and ID in others else "several such" if once else "pairs are repeated"
        advice = f"If they are, write every pair of {TRUE} and {PREDICTED} once, with its number in a column {COUNT}"
        raise InputError.plain("", problem, f"{advice}; for parts, choose rows. If not, name the column otherwise.")
    alone = others[0] if len(others) == len(whole) == 1 and others[0] not in (ID, RUN) else None
    if once and alone and len(own[0]) > 2 and not tells_apart(table, alone, by_position=True):
        problem = f"Every pair of {TRUE} and {PREDICTED} is there once, beside whole numbers"
        advice = f"If {shown(alone)} counts examples, pass {setting('columns', {COUNT: alone})}. If not, leave it out."
        raise InputError.plain("", problem, advice)
    return table


def _is_other(values: Any, own: tuple[Any, Any]) -> bool:
    """Whether these are values of another column, of as many rows."""
    if not isinstance(values, list | np.ndarray) or any(values is each for each in own):
        return False
    return getattr(values, "shape", True) != () and len(values) == len(own[0])


_KINDS_OF_ROWS = ("label", "type", "class", "tag", "entity")
_DOCUMENTS = ("document", "doc", ID, "file")


def _outcome_counts(table: Table, named: Mapping[str, str]) -> Matrix:
    """Make counts of rows of true and false positives and negatives: of documents, of types, or of labels."""
    alone = {name: [each] for name, each in table.columns.items() if _is_figure(each)}
    table = replace(table, columns={**table.columns, **alone})
    others = [name for name in table.columns if not outcome_of(name)]
    kinds, documents = (
        next((values_of(table, name) for name in others if {*words_of(name)} & {*words}), None)
        for words in (_KINDS_OF_ROWS, _DOCUMENTS)
    )
    counts = {}
    for outcome, name in named.items():
        found = _whole_numbers(table, name) if outcome else None
        if found is not None:
            counts[outcome] = found
        elif outcome:
            raise InputError(name, "numbers of examples", "something else")
    n_rows = len(values_of(table, named["tp"]))
    if kinds is None and documents is None and n_rows > 1:
        advice = f"Name the document of each row in a column {ID}, or its type in a column label."
        raise InputError.plain("", f"Nothing says what each of {n_rows} rows of tp, fp and fn is about", advice)
    labels, kind = np.unique(["_"] * n_rows if kinds is None else [*map(value_text, kinds)], return_inverse=True)
    names = None if kinds is None else typed(labels.tolist())[0]
    cells: tuple[npt.NDArray[np.int64], ...] = (kind,)
    shape: tuple[int, ...] = (labels.size,)
    if documents is not None:
        known, document = np.unique([*map(value_text, documents)], return_inverse=True)
        cells, shape = (document, kind), (known.size, labels.size)
    if len({*zip(*(each.tolist() for each in cells), strict=True)}) < n_rows:
        raise InputError.plain("", "A document, or a type of it, has several rows of counts", "Add them up.")
    arrays = {outcome: np.zeros(shape, np.int64) for outcome in counts}
    for outcome, array in arrays.items():
        array[cells] = counts[outcome]
    if "tn" not in arrays:
        return Matrix(np.stack([arrays[outcome] for outcome in ("tp", "fp", "fn")]), names, spans=True)
    square = np.stack([arrays[outcome] for outcome in ("tn", "fp", "fn", "tp")], axis=-1).reshape(-1, 2, 2)
    return Matrix(square[0] if kinds is None and n_rows == 1 else square, names)


def _whole_numbers(table: Table, name: str) -> npt.NDArray[np.int64] | None:
    """Read numbers of examples; None where a value is none."""
    found = []
    for value in values_of(table, name):
        number = None if isinstance(value, bool) else whole_number(tidy(value_text(value)))
        if number is None or number < 0:
            return None
        found.append(number)
    return np.array(found, np.int64)


def _matrix_of_pairs(table: Table, count: Any) -> Matrix:
    columns = {name: table.columns[name] for name in (TRUE, PREDICTED)}
    labels = read_labels(columns, table.labels, source="text" if table.is_text else "table")
    (true, row), (said, column) = (np.unique(each, return_inverse=True) for each in labels.values())
    counts = np.zeros((true.size, said.size), np.int64)
    np.add.at(counts, (row, column), count)
    square, names = square_crosstab(counts, {TRUE: true, PREDICTED: said})
    return Matrix(square, np.array(names))


def bare_matrix(counts: Any, labels: Any = None) -> Matrix:
    """Take a matrix for counts, unless it looks like percentages."""
    numbers = np.zeros((0, 0))
    with suppress(OverflowError, TypeError, ValueError):  # what is wrong with it is said where it is counted
        numbers = np.asarray(counts, float)
    for problem in on_shares(numbers) if numbers.ndim == 2 else ():
        if len({*numbers.sum(axis=1).tolist()}) > 1 or "1000" not in problem:  # of each class 1000 examples are usual
            advice = f"Pass counts. If these are counts, write them as columns {TRUE}, {PREDICTED} and {COUNT}."
            raise InputError.plain("", problem, advice)
    return Matrix(counts, labels)


_MATRICES = ("counts", "confusion_matrix", "confusion matrix", "confusionMatrix", "cm", "matrix")
_CLASSES = ("labels", "classes", "class_names", "target_names")


def matrix_in(document: Mapping[str, Any]) -> Matrix | None:
    """Find the counts in a mapping, and the names of the classes beside them; None where there are none."""
    labels = next((document[name] for name in _CLASSES if name in document), None)
    for name in _MATRICES:
        if isinstance(document.get(name), list | np.ndarray):
            return Matrix(document[name], labels)
    return None


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_Row: TypeAlias = tuple[int, list[str]]
Rows: TypeAlias = Iterable[_Row]
"""Cells of text, each row with the line that it begins on."""

FIRST_COLUMN, HEADER = "first column", "header"


def is_number(cell: str) -> bool:
    """Whether a cell of text holds a number."""
    try:
        float(cell)
    except ValueError:
        return False
    return True


def is_matrix(header: Sequence[str], rows: Sequence[tuple[int, list[str]]]) -> bool:
    """Whether the first column and the header have the same classes, and all else is numbers."""
    if not rows or len(header) < 2 or is_number(header[0]):
        return False
    labels = [row[0] for _, row in rows]
    if len({*labels}) < len(rows):
        return False
    if not all(is_number(cell) for _, row in rows for cell in row[1:]):
        return False
    return not {*map(tidy, labels)}.isdisjoint(map(tidy, header[1:]))


def read_matrix(header: list[str], rows: Rows, line: int) -> Matrix:
    """Read counts: numbers alone, or classes in the first column and in the header."""
    if all(map(is_number, header)):
        return bare_matrix([_counts(cells, range(1, len(cells) + 1), at) for at, cells in [(line, header), *rows]])
    return _crosstab(header, [*rows])


def _crosstab(header: list[str], lines: list[_Row]) -> Matrix:
    """Read true classes off the first column and predicted ones off the header; the corner may name both axes."""
    corner, *predicted = header
    are_counts = all(is_number(cell) for _, row in lines for cell in row[1:])
    are_classes = not {tidy(label) for _, (label, *_) in lines}.isdisjoint(map(tidy, predicted))
    if not (lines and predicted) or not (are_counts or are_classes):
        raise wrong_columns(header)
    true: list[str] = []
    counts = []
    for line, (label, *cells) in lines:
        _require_label(label, f"line {line}, {FIRST_COLUMN}")
        true.append(label)
        counts.append(_counts(cells, predicted, line))
    for label in predicted:
        _require_label(label, HEADER)
    if not are_classes:
        problem = f"None of the classes here ({shown(true[0])}, ...) is in the header ({shown(predicted[0])}, ...)"
        advice = f"Write the true class before each row of counts. {name_them(header)}"
        raise InputError.plain(FIRST_COLUMN, problem, advice)
    axes = dict(zip((FIRST_COLUMN, HEADER), typed(true, predicted), strict=True))
    found = bare_matrix(*square_crosstab(np.array(counts), axes))
    rows, *columns = re.split(r"[\\/|]", corner, maxsplit=1)
    return replace(found, notes=tuple(on_axes(rows, *columns or [""])))


def _require_label(label: str, where: str) -> None:
    if missing_rows([label]):
        raise InputError(where, "a class label", describe_missing(label), "" if is_missing(label) else IF_CLASS)


def _counts(cells: list[str], names: Iterable[object], line: int) -> list[float]:
    """Read a row of counts."""
    for name, cell in zip(names, cells, strict=True):
        where = f"line {line}, column {name!r}"
        if is_missing(cell) or cell.strip().lower() == "nan":
            raise InputError(where, "a count", "NaN" if cell.strip() else describe_missing(cell))
        if not is_number(cell):
            advice = f"Leave out what is no count; or write a row per example, with columns {TRUE} and {PREDICTED}."
            raise InputError(where, "a count", repr(cell), advice)
    return [*map(float, cells)]
