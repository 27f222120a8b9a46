"""The files of sides: read, set beside each other, and graded alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pytest_bayesf1.choices import CLASSES_IN_LOGS, Kind, Runs
from pytest_bayesf1.data.columns import (
    ALL_AS_THEY_ARE,
    AS_IT_IS,
    ID,
    RUN,
    TRUE,
    Columns,
    Schema,
    Schemas,
    columns_found,
    value_text,
)
from pytest_bayesf1.data.encoding import require_goes_with
from pytest_bayesf1.data.sides import AS_INDEPENDENT, OtherTestSetError
from pytest_bayesf1.errors import ChangedTestSetWarning, InputError, shown, warn, within
from pytest_bayesf1.files.declared import read
from pytest_bayesf1.files.eval_logs import LogColumns
from pytest_bayesf1.files.opening import unpacked_name
from pytest_bayesf1.files.rulers import Ruler, described, differences
from pytest_bayesf1.text import counted


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
    """Refuse logs whose ids name other questions: the text and the answer wanted of more than a tenth differ.

    Where the text alone differs the questions may have been put in other words. Where the answer alone does, warn:
    grades do not show which answer was wanted.
    """
    before, after = _questions(baseline), _questions(candidate)
    shared = [key for key in before if key in after]
    if not shared:
        return
    own, others = before[shared[0]], after[shared[0]]
    names = [name for name in own if name in others]
    differ = {name: [before[key][name] != after[key][name] for key in shared] for name in names}
    several = {name: len({before[key][name] for key in shared}) for name in names}
    texts = [differ[name] for name in names if 2 * several[name] > len(shared)]
    answers = [differ[name] for name in names if 1 < several[name] <= len(shared) / 2]
    if not texts and own.keys() != others.keys():
        texts = answers  # the questions of two tasks have other fields
    changed = [all(each) for each in zip(*texts, strict=True)]
    if answers and changed:
        changed = [text and any(answer) for text, answer in zip(changed, zip(*answers, strict=True), strict=True)]
    if sum(changed) >= _FEWEST_OTHERS and sum(changed) > _MOST_OTHERS * len(shared):
        found = _with_another(f"{names[0]} than in baseline", shared, changed)
        problem = f"{found}: these ids hardly name the same examples"
        advice = "Compare logs of one task, or declare columns, with an id that stays."
        raise OtherTestSetError.plain("candidate.ids", problem, f"{advice} {AS_INDEPENDENT}")
    target = CLASSES_IN_LOGS[TRUE]
    if target in differ and any(differ[target]):
        found = _with_another(f"{target} than in the baseline", shared, differ[target])
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


def _questions(table: Columns) -> dict[str, dict[str, str]]:
    """Return what was asked by the id of each example; messages have ids of their own, and are left out."""
    if not isinstance(table, LogColumns) or ID not in table:
        return {}
    columns = {name: table.column(name) for name in table.asked}
    columns = {name: values for name, values in columns.items() if not any(isinstance(each, list) for each in values)}
    rows = ([str(values[row]) for values in columns.values()] for row in range(len(table)))
    return {
        value_text(key): dict(zip(columns, row, strict=True)) for key, row in zip(table.column(ID), rows, strict=True)
    }


def read_systems(files: Mapping[str, Path], schema: Schema = AS_IT_IS) -> dict[str, Columns]:
    """Read a file for every name as `read_side` does."""
    return {name: read_side(path, name, schema) for name, path in files.items()}


def system_names(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Name every file by its stem, or by as much of its path as tells it from others.

    Examples
    --------
    >>> [*system_names((Path("out/bert.csv"), Path("old/bert.csv"), Path("out/svm-1.2.json.gz")))]
    ['out/bert', 'old/bert', 'svm-1.2']
    """
    parts = {path: path.with_name(unpacked_name(path)).with_suffix("").parts for path in paths}
    return {
        _shortest(own, [each for other, each in parts.items() if other != path]) or str(path): path
        for path, own in parts.items()
    }


def _shortest(own: tuple[str, ...], others: list[tuple[str, ...]]) -> str:
    """Return the last parts of a path that no other ends in; nothing where there are none."""
    for length in range(1, len(own) + 1):
        if all(other[-length:] != own[-length:] for other in others):
            return "/".join(own[-length:])
    return ""
