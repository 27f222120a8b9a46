"""The files of sides: read as their schema declares, set beside each other, and graded alike.

Of answers in words, such as those of language models, a declared pattern finds the class.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1.choices import CLASSES_IN_LOGS, Better, Kind, Runs
from pytest_bayesf1.data.columns import (
    ALL_AS_THEY_ARE,
    AS_IT_IS,
    COUNT,
    FOUND,
    GOLD,
    ID,
    PREDICTED,
    RUN,
    SCORE,
    TRUE,
    VALUE,
    Columns,
    Schema,
    Schemas,
    answer_columns,
    columns_found,
    is_whole,
    kind_of_columns,
    lacks,
    score_columns,
    value_text,
)
from pytest_bayesf1.data.counts import require_axes, square_crosstab
from pytest_bayesf1.data.encoding import require_goes_with
from pytest_bayesf1.data.labels import is_missing, require_unique
from pytest_bayesf1.data.paired import better_of
from pytest_bayesf1.data.sides import AS_INDEPENDENT, OtherTestSetError
from pytest_bayesf1.errors import ChangedTestSetWarning, InputError, shown, warn, within
from pytest_bayesf1.files.conll import read_conll
from pytest_bayesf1.files.eval_logs import LogColumns
from pytest_bayesf1.files.formats import accepted, of_matrix, read_raw, reader_of
from pytest_bayesf1.files.opening import unpacked_name
from pytest_bayesf1.files.rulers import Ruler, described, differences
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.values import require_once

ANY_CLASS = "{classes}"
"""What stands for any class of the truth in a pattern."""

_SECONDS = 1.0
"""For a pattern to read one answer."""

_UNLESS_DENIED = r"(?<!(?i:\b(?:not|no|never|non|isn['’]t)[\s-]+(?:an?\s+|the\s+)?))"


@cache
def answer_pattern(pattern: str) -> Any:
    """Compile a pattern, in a library that can stop; raise `InputError` for one of several groups, or none at all."""
    import regex  # noqa: PLC0415 (few gates have patterns)

    pattern = pattern.replace(ANY_CLASS, "(?:)")
    try:
        compiled = regex.compile(pattern)
    except regex.error as error:
        raise InputError("", "a regular expression", f"{pattern!r}, which is none: {error}") from None
    if compiled.groups > 1:
        advice = "Write others as (?:...)."
        raise InputError("", "a regular expression with one group at most", repr(pattern), advice)
    return compiled


def any_of(classes: Iterable[str]) -> str:
    r"""Write a pattern, for the library regex, that finds the name of a class: the longest, and no part of a word.

    "Not spam" is no answer, unless it is a class itself.

    Examples
    --------
    >>> found_in("C++, not C", any_of(["C", "C++"]))
    ['C++']
    """
    names = [re.sub(r"[^\w\s-]", r"\\\g<0>", name) for name in sorted(classes, key=len, reverse=True)]
    return rf"{_UNLESS_DENIED}(?<!\w)(?:{'|'.join(names)})(?!\w)"


def found_in(answer: str, pattern: str) -> list[str]:
    r"""Return what a pattern finds in an answer, such as spam in "I think it's spam."

    Examples
    --------
    >>> found_in("spam! Not ham.", r"\b(spam|ham)\b")
    ['spam', 'ham']
    """
    try:
        found = [*answer_pattern(pattern).finditer(answer, timeout=_SECONDS)]
    except TimeoutError:
        problem = f"The pattern has not read this answer after {_SECONDS:g} s: {shown(answer)}"
        raise InputError.plain("answer", problem, "Repeat nothing that repeats itself, as (a+)+ does.") from None
    return [next(filter(None, each.groups()), each[0]) for each in found]


def with_classes_read(columns: Columns, pattern: str, labels: Sequence[Any] | None) -> Columns:
    """Write answers as the truth writes its classes; one that holds several classes, or none, is missing."""
    known = columns.column(TRUE) if labels is None else labels
    classes = {value_text(label): label for label in known if not is_missing(label)}
    compiled, any_class = answer_pattern(pattern), any_of(classes)
    is_bare = compiled.groups == 0 and pattern.count(ANY_CLASS) == 1
    pattern = pattern.replace(ANY_CLASS, f"({any_class})" if is_bare else any_class)
    spelt = str.casefold if compiled.flags & re.IGNORECASE else str  # what ignores case does so in the class, too
    classes_of: dict[str, list[Any]] = {}
    for text, label in classes.items():
        classes_of.setdefault(spelt(text), []).append(label)
    said = [value_text(answer) for answer in columns.column(PREDICTED)]
    options = []
    for row, answer in enumerate(said):
        with within(columns.place(row)):
            found = found_in(answer, pattern)
        meant = [classes_of.get(spelt(each), [each]) for each in found if each]
        options.append([*dict.fromkeys(chain(*meant))])
    read = [found[0] if len(found) == 1 else None for found in options]
    return columns.with_values(**{PREDICTED: read}).noting(*_on_answers(said, options))


def _on_answers(said: Sequence[str], options: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Say how many answers were rewritten, and how many could not be read."""
    rewritten = [
        (was, *now) for was, now in zip(said, options, strict=True) if len(now) == 1 and value_text(*now) != was
    ]
    if rewritten:
        was, now = rewritten[0]
        n = counted(len(rewritten), "answer")
        yield f"{n} of {len(said):,} rewritten by answer, such as {shown(was)} to {shown(value_text(now))}."
    several = [row for row, each in enumerate(options) if len(each) > 1]
    none = [row for row, each in enumerate(options) if not each]
    for rows, what in ((several, "they hold several classes"), (none, "they hold no class")):
        if rows:
            example = f"such as {shown(said[rows[0]])}"
            yield f"{counted(len(rows), 'unreadable answer')} of {len(said):,}: {what}, {example}."


def read(path: Path, schema: Schema = AS_IT_IS) -> Columns:
    """Read a file as its schema declares it; the kind of data is then known."""
    columns = named_rows(path, schema)
    if schema.gold is not None and reader_of(path) is not read_conll:
        columns = _with_gold(columns, schema)
    columns = _of_kind(columns, schema)
    assert columns.kind is not None
    require_goes_with(columns.kind, schema.declared)
    if columns.kind is Kind.COUNTS:
        return replace(columns, labels=_labels(columns, schema))
    _require_columns(columns, schema)
    if columns.kind is Kind.VALUES:
        return _with_better(columns, schema)
    return _with_classes(columns, schema)


def named_rows(path: Path, schema: Schema) -> Columns:
    """Read the rows that are asked for, by the names of their columns, whatever they mean."""
    found = accepted(read_raw(path, schema))
    columns = found if reader_of(path) is read_conll else renamed(found, dict(schema.columns))
    columns = selected(columns, dict(schema.rows))
    if isinstance(columns, LogColumns):
        columns.require_one_system()
    return columns


def renamed(columns: Columns, names: Mapping[str, str]) -> Columns:
    """Give columns the names by which they are known; those that are declared come before any others."""
    for known, name in names.items():
        if name not in columns:
            raise lacks(name, f"to take for {known}", columns.values)
    _require_two(names)
    found = {known: columns.values[name] for known, name in names.items()}
    hidden = {*answer_columns(columns.values)} if answer_columns(found) else set()
    kept = {name: values for name, values in columns.values.items() if name not in hidden}
    return replace(columns, values={**kept, **found})


def _require_two(names: Mapping[str, str]) -> None:
    """Refuse one column as truth and prediction: by it every example would be right."""
    for known, answers in (
        (TRUE, [name for name in answer_columns(names) if name != VALUE] or [PREDICTED]),
        (GOLD, [FOUND]),
    ):
        true = names.get(known, known)
        for other in answers:
            if names.get(other, other) == true:
                problem = f"{shown(true)} would be both {known} and {other}"
                raise InputError.plain("columns", problem, f"Name another column for {other}.")


def selected(columns: Columns, rows: Mapping[str, str]) -> Columns:
    """Keep the rows in which certain columns have certain values."""
    kept = np.ones(len(columns), dtype=bool)
    for name, value in rows.items():
        found = [value_text(each) for each in columns.column(name, "to choose rows by")]
        if value not in found:
            listed = f"found {first_few(map(shown, sorted({*found})), 3)}"
            raise InputError.plain("rows", f"No row's {shown(name)} is {shown(value)}: {listed}")
        kept &= np.array([each == value for each in found], dtype=bool)
    if not kept.any() and rows:
        wanted = " and ".join(f"{shown(name)} is {shown(value)}" for name, value in rows.items())
        raise InputError.plain("rows", f"There is no row in which {wanted}")
    return columns if kept.all() else columns.take(np.flatnonzero(kept).tolist())


def _with_gold(predictions: Columns, schema: Schema) -> Columns:
    """Put the truth of another file beside predictions: by id, or by position where neither file has ids.

    Other columns of the truth come too, for slices.
    """
    place = f"gold ({schema.gold})"
    with within(place):
        truth = named_rows(Path(str(schema.gold)), schema.of_gold)
    known = next((name for name in (TRUE, GOLD) if name in truth), "")
    if not known:
        raise lacks(TRUE, "of the truth", truth.values, place)
    if (ID in truth) != (ID in predictions):
        whole = "the file of the truth" if ID in truth else "the predictions"
        raise InputError.plain(place, f"Only {whole} has a column {ID!r}", "Declare: columns for both, or for neither.")
    if ID not in truth:
        if len(truth) != len(predictions):
            raise InputError(place, f"{counted(len(predictions), 'row')}, as there are predictions", str(len(truth)))
        return _beside(predictions, truth, known)
    ids, of_truth = ([value_text(each) for each in table.column(ID)] for table in (predictions, truth))
    position = {each: row for row, each in enumerate(of_truth)}
    require_unique(np.array(of_truth), f"{place}, {ID}", rows=truth.rows)
    if strange := [each for each in ids if each not in position]:
        problem = f"No truth for {counted(len(strange), 'prediction')}: {first_few(map(shown, strange), 3)}"
        raise InputError.plain(place, problem)
    said = {*ids}
    lacking = [each for each in of_truth if each not in said]
    if lacking and (PREDICTED not in predictions or known == GOLD):
        problem = (
            f"No prediction of {counted(len(lacking), 'example')} of the truth: {first_few(map(shown, lacking), 3)}"
        )
        raise InputError.plain(ID, problem)
    values = {name: [*each, *[None] * len(lacking)] for name, each in predictions.values.items()}
    padded = replace(predictions, values={**values, ID: [*ids, *lacking]}, lines=None if lacking else predictions.lines)
    return _beside(padded, truth.take([position[each] for each in (*ids, *lacking)]), known)


def _beside(predictions: Columns, truth: Columns, known: str) -> Columns:
    """Put the columns of the truth beside those of predictions, which come first but for the truth itself."""
    values = {**truth.values, **predictions.values, known: truth.values[known]}
    return replace(predictions, values=values, notes=(*truth.notes, *predictions.notes))


def _of_kind(columns: Columns, schema: Schema) -> Columns:
    """Find out what kind of data these are: declared, or as the form or the names of columns say."""
    if columns.kind is not None:
        if schema.kind not in (None, columns.kind):
            raise InputError.plain("kind", f"The file holds {columns.kind}, and {schema.kind} are declared")
        return columns
    kind = schema.kind or kind_of_columns(columns.values)
    if kind is Kind.SPANS and GOLD in columns and FOUND in columns:
        columns = columns.with_values(**{TRUE: columns.values[GOLD], PREDICTED: columns.values[FOUND]})
    if kind is Kind.CLASSES and schema.kind is None and ID not in columns:
        _require_no_counts(columns)
    if kind is Kind.COUNTS and COUNT not in columns and {TRUE, PREDICTED} <= columns.values.keys():
        problem = f"No column {COUNT!r} of counts: found {columns_found(columns.values)}"
        raise InputError.plain("", problem, f"Declare: columns (one for {COUNT}), or another kind.")
    if kind is None or (kind is Kind.COUNTS and COUNT not in columns):
        if schema.columns or schema.rows or not columns.values:
            raise lacks(PREDICTED, "nor y_score, value or predicted", columns.values)
        return _of_crosstab(columns)
    return replace(columns, kind=kind)


def _of_crosstab(table: Columns) -> Columns:
    """Write a table with the true classes in its first column, the predicted ones in its header, as its cells.

    The corner may name both axes.
    """
    corner, *predicted = table.values
    true = [value_text(label) for label in table.column(corner)]
    if set(true).isdisjoint(predicted):
        problem = f"No columns {TRUE} and {PREDICTED}, nor y_score or value: found {columns_found(table.values)}"
        raise InputError.plain("", problem, "Declare: columns.")
    require_once(true, "first column", "class")
    rows, *columns = re.split(r"[\\/|]", corner, maxsplit=1)
    require_axes(rows, *columns or [""])
    for name in predicted:
        table.require(name, "no whole number of examples", is_whole)
    numbers = np.array([[*map(float, table.values[name])] for name in predicted]).T
    square, labels = square_crosstab(numbers, {"first column": (*true,), "header": (*predicted,)})
    return of_matrix(square, labels)


def _require_no_counts(columns: Columns) -> None:
    """Refuse rows that may be of several examples each, as tables that a query groups call their number."""
    for name in (COUNT, "count"):
        if name in columns:
            problem = f"A column {name!r} and no {ID!r}: a row may be an example, or count several"
            raise InputError.plain("", problem, "Declare: kind (classes or counts).")


def _require_columns(columns: Columns, schema: Schema) -> None:
    """Require the columns that nothing can be read without."""
    if columns.kind is Kind.VALUES:
        columns.column(VALUE, "of numbers to compare")
    else:
        columns.column(TRUE, "of the truth")
    if columns.kind is Kind.SCORES:
        names = score_columns(columns.values)
        if not names or (SCORE in names and len(names) > 1):
            expected = f"either {SCORE} or a column {SCORE}_<label> for every class"
            raise InputError("", expected, columns_found(names or columns.values))
    elif columns.kind is not Kind.VALUES:
        columns.column(PREDICTED, "of predictions")
    if schema.clusters:
        columns.column(schema.clusters, "with the cluster of every example")
        columns.require(schema.clusters, "no single cluster", lambda value: not isinstance(value, list))
    if schema.runs:
        ids = columns.column(ID, "with the example of every prediction")
        if schema.runs is Runs.SEEDS and len({*map(value_text, ids)}) < len(ids):
            columns.column(RUN, "with the training that each prediction is of")


def _with_classes(columns: Columns, schema: Schema) -> Columns:
    """Read the classes off answers in words."""
    labels = _labels(columns, schema)
    if schema.answer:
        columns = with_classes_read(columns, schema.answer, labels)
    return replace(columns, labels=labels)


def _labels(columns: Columns, schema: Schema) -> list[Any] | None:
    listed = columns.labels if schema.labels is None else schema.labels
    return None if listed is None else [*listed]


def _with_better(columns: Columns, schema: Schema) -> Columns:
    """Tell whether higher values are better: as declared, or as the log or the column's name says."""
    name, better = dict(schema.columns).get(VALUE, VALUE), schema.better or columns.better
    called = columns.compared if isinstance(columns, LogColumns) else name
    columns = replace(columns, better=better_of(called, better, VALUE))
    if columns.better == Better.HIGHER:
        return columns
    return columns.noting(f"lower values of {shown(name)} are better: their negatives are compared.")


def read_side(path: Path, where: str, schema: Schema = AS_IT_IS, *, name: str = "") -> Columns:
    """Read a file; error messages begin with ``where``, which is the side's name, and with the file's name or path."""
    place = f"{where} ({name or path})"
    with within(place):
        return _noted(read(path, schema), place, schema, where)


def _noted(columns: Columns, place: str, schema: Schema, side: str) -> Columns:
    """Say where columns are from, and what a careful reader should know of them."""
    columns = replace(columns, where=place, schema=schema)
    notes = [*columns.notes]
    if n := columns.n_missing_runs:
        notes.append(
            f"{counted(n, 'run')} of examples missing, as others have more. Were they left out for being wrong?"
        )
    return replace(columns, notes=tuple(f"{side}: {note}" for note in notes))


def read_runs(paths: Sequence[Path], where: str, schema: Schema = AS_IT_IS) -> Columns:
    """Read one file as `read_side` does, or several: each is then a run of the same system on the same examples."""
    if len(paths) == 1:
        return read_side(paths[0], where, schema)
    schema = replace(schema, runs=schema.runs or Runs.SAMPLES)
    tables: list[Columns] = []
    for path in paths:
        with within(f"{where} ({path})"):
            table = read(path, replace(schema, runs=None))
            if table.kind is Kind.VALUES and len(table) == 1 and ID not in table:
                table = table.with_values(**{ID: ["1"]})  # a run of which its score is known
            ids = {value_text(each) for each in table.column(ID, "though each of several files is a run")}
            if tables and (table.kind, {*table.values}) != (tables[0].kind, {*tables[0].values}):
                raise InputError("", f"the columns of {paths[0]}", columns_found(table.values))
            if tables and ids.isdisjoint(map(value_text, tables[0].column(ID))):
                problem = f"No id is one of {paths[0]}, and each of several files is a run of the same examples"
                raise InputError.plain("", problem)
            tables.append(table)
    values: dict[str, Any] = {
        name: [value for table in tables for value in table.column(name)] for name in tables[0].values
    }
    values[RUN] = [
        f"{number}.{own}"
        for number, table in enumerate(tables, start=1)
        for own in (table.column(RUN) if RUN in table else [1] * len(table))
    ]
    place = f"{where} ({len(paths)} files, {paths[0]} and others)"
    columns = replace(tables[0], values=values, lines=None)
    if isinstance(columns, LogColumns):
        rulers = [ruler for table in tables if isinstance(table, LogColumns) for ruler in table.rulers]
        columns = replace(columns, rulers=rulers)
    require_goes_with(columns.kind or Kind.VALUES, schema.declared)
    with within(place):
        return _noted(columns, place, schema, where)


def read_sides(baseline: Path, candidate: Path, schemas: Schemas = ALL_AS_THEY_ARE) -> tuple[Columns, Columns]:
    """Read both files as `read_side` does."""
    before = read_side(baseline, "baseline", schemas.get("baseline", AS_IT_IS))
    after = read_side(candidate, "candidate", schemas.get("candidate", AS_IT_IS))
    require_shown(before, after)
    return before, after


def require_shown(baseline: Columns, candidate: Columns) -> None:
    """Refuse columns to show that neither side has."""
    for column in candidate.schema.show:
        if column not in baseline and column not in candidate:
            raise InputError.plain(candidate.where, f"Neither file has a column {shown(column)} to show")


_FEWEST_OTHERS, _MOST_OTHERS = 5, 0.1


def require_same_questions(baseline: Columns, candidate: Columns) -> None:
    """Refuse logs whose ids name other questions: text and target, if there is one, of more than a tenth differ.

    Where the text alone differs the questions may have been put in other words. Where the target alone does, warn:
    grades do not show which answer was wanted.
    """
    before, after = _questions(baseline), _questions(candidate)
    shared = [key for key in before if key in after]
    texts = [before[key][0] != after[key][0] for key in shared]
    targets = [before[key][1] != after[key][1] for key in shared]
    have_targets = any(before[key][1] for key in shared)
    changed = [text and (target or not have_targets) for text, target in zip(texts, targets, strict=True)]
    if sum(changed) >= _FEWEST_OTHERS and sum(changed) > _MOST_OTHERS * len(shared):
        problem = f"{_with_another('question than in baseline', shared, changed)}: these ids name other examples"
        advice = "Compare logs of one task, or declare columns, with an id that stays."
        raise OtherTestSetError.plain("candidate.ids", problem, f"{advice} {AS_INDEPENDENT}")
    if any(targets):
        found = _with_another("target than in the baseline", shared, targets)
        advice = "their grades may differ for that alone. Evaluate both versions with the same targets."
        warn(f"{found}: {advice}", ChangedTestSetWarning)


def require_same_ruler(baseline: Columns, candidate: Columns) -> None:
    """Refuse logs of answers that something else graded on each side: of the same examples, if there are any."""
    before, after = _rulers(baseline), _rulers(candidate)
    shared = [key for key in before if key in after]
    pairs = [(before[key], after[key]) for key in shared] or [*zip(before.values(), after.values(), strict=False)]
    found = [differences(*pair) for pair in pairs]
    if not (differ := [pair for pair in found if any(pair)]):
        return
    was, now = map(described, differ[0])
    which = f" for {len(differ):,} of {counted(len(pairs), 'example')}" if len(differ) < len(pairs) else ""
    advice = "Grade both sides alike, or declare other_ruler: true."
    raise InputError(f"{candidate.where}, what graded it", f"{was} as in the baseline", f"{now}{which}", advice)


def _rulers(table: Columns) -> Mapping[str, Ruler]:
    """Return what graded each example by its id."""
    if not isinstance(table, LogColumns):
        return {}
    ids = table.column(ID) if ID in table else range(len(table.rulers))
    return dict(zip(map(value_text, ids), table.rulers, strict=True))


def _with_another(what: str, shared: Sequence[str], differ: Sequence[bool]) -> str:
    """Count the examples in which something differs, and name the first."""
    examples = counted(len(shared), "shared example")
    return f"{sum(differ):,} of {examples} have another {what}, such as id {shown(shared[differ.index(True)])}"


def _questions(table: Columns) -> dict[str, tuple[dict[str, str], str]]:
    """Return the text and the target by the id of each example; messages have ids of their own, and are left out."""
    if not isinstance(table, LogColumns) or ID not in table:
        return {}
    columns = {name: table.column(name) for name in table.asked}
    columns = {name: values for name, values in columns.items() if not any(isinstance(each, list) for each in values)}
    targets = columns.pop(CLASSES_IN_LOGS[TRUE], [""] * len(table))
    texts = ({name: str(values[row]) for name, values in columns.items()} for row in range(len(table)))
    rows = zip(map(value_text, table.column(ID)), texts, map(str, targets), strict=True)
    return {key: (text, target) for key, text, target in rows}


def read_systems(files: Mapping[str, Path], schema: Schema = AS_IT_IS) -> dict[str, Columns]:
    """Read a file for every name as `read_side` does."""
    return {name: read_side(path, name, schema) for name, path in files.items()}


def system_names(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Name every file by its stem; or all by their paths, if two stems are equal.

    Examples
    --------
    >>> [*system_names((Path("out/bert.csv"), Path("out/svm-1.2.json.gz")))]
    ['bert', 'svm-1.2']
    """
    stems = {path: Path(unpacked_name(path)).stem for path in paths}
    are_names = len({*stems.values()}) == len(stems)
    return {stem if are_names else str(path): path for path, stem in stems.items()}
