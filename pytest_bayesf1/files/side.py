"""The file of one side as counts, predictions, spans or scores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.choices import CLASSES_IN_LOGS, Kind, Runs
from pytest_bayesf1.data.columns import (
    ALL_AS_THEY_ARE,
    AS_IT_IS,
    COUNT,
    ID,
    PREDICTED,
    RUN,
    SCORE,
    TRUE,
    VALUE,
    Columns,
    Schema,
    Schemas,
    columns_found,
    score_columns,
    scored_class,
    value_text,
)
from pytest_bayesf1.data.confusion import ConfusionMatrix, MultilabelCounts
from pytest_bayesf1.data.labels import in_order, is_missing
from pytest_bayesf1.data.paired import counted_in_order
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.sides import Side
from pytest_bayesf1.data.spans import SpanCounts
from pytest_bayesf1.data.two_sides import AS_INDEPENDENT, OtherTestSetError
from pytest_bayesf1.errors import ChangedTestSetWarning, InputError, shown, warn, within
from pytest_bayesf1.files.counts import side_of_counts
from pytest_bayesf1.files.declared import read
from pytest_bayesf1.files.eval_logs import LogColumns
from pytest_bayesf1.files.opening import unpacked_name
from pytest_bayesf1.files.rulers import Ruler, all_described, described, differences, is_judge
from pytest_bayesf1.text import counted


@dataclass(frozen=True, eq=False)
class NamedColumn:
    """A column that knows its name, as one of a data frame does."""

    values: LabelArray
    name: str

    def __iter__(self) -> Iterator[Any]:
        """Yield the values."""
        return iter(self.values)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> LabelArray:
        """Serve wherever numpy takes an array."""
        return np.array(self.values, dtype) if copy else np.asarray(self.values, dtype)  # numpy 1 knows no copy=None


@dataclass(frozen=True, eq=False)
class SideFile:
    """What a file holds of one classifier.

    Attributes
    ----------
    columns
        Of known names, ready to be counted; with the side and the path.
    schema
        How it was read.
    whole
        What it is a slice of; None where it is all that the file holds.
    """

    columns: Columns
    schema: Schema = AS_IT_IS
    whole: "SideFile | None" = None

    @property
    def where(self) -> str:
        """The side and the path, as error messages say them."""
        return self.columns.where

    def counts(self) -> Side:
        """Count; where the file has predictions they are kept, and scores are taken as they are."""
        with within(self.where):
            side = _side(self.columns, self.schema)
        return side.with_notes(self.columns.notes + side.notes)

    def slices(self, column: str) -> "dict[str, SideFile]":
        """Take the examples of each value of a column for a file of their own, in the order of the values as text."""
        with within(self.where):
            if self.columns.kind is Kind.COUNTS:
                raise InputError.plain("", "Counts have no slices: only predictions have")
            examples: dict[str, list[int]] = {}
            values = self.columns.column(column, "to slice by")
            for row, value in enumerate(values):
                if isinstance(value, list | tuple | dict | np.ndarray):
                    place = f"{self.columns.place(row)}, {column}"
                    raise InputError(place, "one value per example", type(value).__name__)
                examples.setdefault(value_text(value), []).append(row)
            self.columns.require_present(column)
        parts = {value: self.columns.take(examples[value]) for value in sorted(examples)}
        return {
            value: replace(self, columns=replace(part, notes=()), whole=self.whole or self)
            for value, part in parts.items()
        }

    def slice_of_examples(self, column: str) -> Counter[str]:
        """Count the examples by the value of a column, each with its id, or with its true label where there is none."""
        values = map(value_text, self.columns.column(column, "to slice by"))
        by = next((name for name in (ID, TRUE) if name in self.columns), column)
        rows = [f"{value_text(each)}, {value}" for each, value in zip(self.columns.column(by), values, strict=True)]
        return Counter(dict.fromkeys(rows, 1)) if by == ID else counted_in_order(rows)

    def with_values_of(self, other: "SideFile", column: str) -> "SideFile":
        """Take a column's values from another file for the examples that both know by id."""
        own, source = self.columns, other.columns
        if not {ID, column} <= own.values.keys() & source.values.keys():
            return self
        known = dict(zip(map(value_text, source.column(ID)), source.column(column), strict=True))
        pairs = zip(map(value_text, own.column(ID)), own.column(column), strict=True)
        return replace(self, columns=own.with_values(**{column: [known.get(key, value) for key, value in pairs]}))

    def is_same(self, other: "SideFile") -> bool:
        """Whether both are the same rows, as text."""
        own, others = self.columns.values, other.columns.values
        return own.keys() == others.keys() and all([*map(str, own[name])] == [*map(str, others[name])] for name in own)

    def runs(self) -> "dict[str, SideFile]":
        """Take each of several runs of the same examples for a file of its own."""
        return self.slices(RUN) if RUN in self.columns else {"": self}

    def with_classes_of(self, other: "SideFile") -> "SideFile":
        """Name the classes that occur on either side, unless the file names its own."""
        columns = [*_classes_in(self), *_classes_in(other)]
        if self.columns.labels is not None or not columns:
            return self
        labels = other.columns.labels
        if labels is None:
            labels = in_order({label for column in columns for label in column})
        return replace(self, columns=replace(self.columns, labels=labels))

    @property
    def ruler(self) -> str | None:
        """What graded its answers; None where nothing tells."""
        return all_described(self.columns.rulers) if isinstance(self.columns, LogColumns) else None

    @property
    def is_judged(self) -> bool:
        """Whether a model graded its answers, as far as its log says so."""
        return isinstance(self.columns, LogColumns) and any(map(is_judge, self.columns.rulers))

    @property
    def n_missing_runs(self) -> int:
        """How many more runs there would be if every example had as many as the one that has most."""
        if self.schema.runs is None or ID not in self.columns:
            return 0
        runs = np.unique([*map(value_text, self.columns.column(ID))], return_counts=True)[1]
        return int((runs.max(initial=0) - runs).sum())


def _classes_in(file: SideFile) -> list[set[Any]]:
    """Return the classes of the truth, and of predictions where others would be errors, if an example has one."""
    columns = file.columns
    if file.schema.invalid != "error" and file.whole is not None:
        columns = file.whole.columns
    names = {Kind.CLASSES: (TRUE, PREDICTED), Kind.SCORES: (TRUE,)}.get(columns.kind or Kind.VALUES, ())
    names = names[:1] if file.schema.invalid != "error" else names
    return [{each for each in columns.column(name) if not is_missing(each)} for name in names]


def read_side(path: Path, where: str, schema: Schema = AS_IT_IS, *, name: str = "") -> SideFile:
    """Read a file; error messages begin with ``where``, which is the side's name, and with the file's name or path."""
    place = f"{where} ({name or path})"
    with within(place):
        return _of_columns(read(path, schema), place, schema, where)


def _of_columns(columns: Columns, place: str, schema: Schema, side: str) -> SideFile:
    file = SideFile(replace(columns, where=place), schema)
    notes = [*columns.notes]
    if n := file.n_missing_runs:
        notes.append(
            f"{counted(n, 'run')} of examples missing, as others have more. Were they left out for being wrong?"
        )
    if COUNT in columns and columns.kind is Kind.CLASSES:
        notes.append(f"the column {COUNT!r} is not read: each row counts as one example, unless kind is counts.")
    return replace(file, columns=replace(file.columns, notes=tuple(f"{side}: {note}" for note in notes)))


def read_runs(paths: Sequence[Path], where: str, schema: Schema = AS_IT_IS) -> SideFile:
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
    schema.require_fits(columns.kind or Kind.VALUES)
    with within(place):
        return _of_columns(columns, place, schema, where)


def read_sides(baseline: Path, candidate: Path, schemas: Schemas = ALL_AS_THEY_ARE) -> tuple[SideFile, SideFile]:
    """Read both files as `read_side` does, and make them `alike`."""
    before = read_side(baseline, "baseline", schemas.get("baseline", AS_IT_IS))
    return alike(before, read_side(candidate, "candidate", schemas.get("candidate", AS_IT_IS)))


def alike(baseline: SideFile, candidate: SideFile) -> tuple[SideFile, SideFile]:
    """Make classes text in both where they are text in one of them alone."""
    for column in candidate.schema.show:
        if column not in baseline.columns and column not in candidate.columns:
            raise InputError.plain(candidate.where, f"Neither file has a column {shown(column)} to show")
    baseline, candidate = _all_alike([baseline, candidate])
    return baseline, candidate


_FEWEST_OTHERS, _MOST_OTHERS = 5, 0.1


def require_same_questions(baseline: SideFile, candidate: SideFile) -> None:
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


def require_same_ruler(baseline: SideFile, candidate: SideFile) -> None:
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


def _rulers(file: SideFile) -> Mapping[str, Ruler]:
    """Return what graded each example by its id."""
    table = file.columns
    if not isinstance(table, LogColumns):
        return {}
    ids = table.column(ID) if ID in table else range(len(table.rulers))
    return dict(zip(map(value_text, ids), table.rulers, strict=True))


def _with_another(what: str, shared: Sequence[str], differ: Sequence[bool]) -> str:
    """Count the examples in which something differs, and name the first."""
    examples = counted(len(shared), "shared example")
    return f"{sum(differ):,} of {examples} have another {what}, such as id {shown(shared[differ.index(True)])}"


def _questions(file: SideFile) -> dict[str, dict[str, str]]:
    """Return what was asked by the id of each example; messages have ids of their own, and are left out."""
    table = file.columns
    if not isinstance(table, LogColumns) or ID not in table:
        return {}
    columns = {name: table.column(name) for name in table.asked}
    columns = {name: values for name, values in columns.items() if not any(isinstance(each, list) for each in values)}
    rows = ([str(values[row]) for values in columns.values()] for row in range(len(table)))
    return {
        value_text(key): dict(zip(columns, row, strict=True)) for key, row in zip(table.column(ID), rows, strict=True)
    }


def _all_alike(files: list[SideFile]) -> list[SideFile]:
    """Make classes and clusters that are text in one file, and something else in another, text in all."""
    for name in (TRUE, PREDICTED, *filter(None, {file.schema.clusters for file in files})):
        kinds = {_type_of(file.columns, name) for file in files} - {""}
        if len(kinds) > 1:
            files = [replace(file, columns=_as_text(file.columns, name)) for file in files]
    return files


def _type_of(columns: Columns, name: str) -> str:
    """Tell whether a column's values are text; nothing where there is none, or where it has lists."""
    if name not in columns or columns.kind not in (Kind.CLASSES, Kind.SCORES, Kind.VALUES):
        return ""
    types = {str if issubclass(each, str) else int for each in {*map(type, columns.column(name))} - {type(None)}}
    return types.pop().__name__ if len(types) == 1 else ""


def _as_text(columns: Columns, name: str) -> Columns:
    if name not in columns or columns.kind not in (Kind.CLASSES, Kind.SCORES, Kind.VALUES):
        return columns
    columns = columns.with_values(**{name: [value_text(each) for each in columns.column(name)]})
    labels = columns.labels if columns.labels is None else [*map(str, columns.labels)]
    return replace(columns, labels=labels)


def _side(columns: Columns, schema: Schema) -> Side:
    values, kind = columns.values, columns.kind
    if kind is Kind.COUNTS:
        return side_of_counts(columns, columns.labels)
    ids = values.get(ID)
    clusters = [*map(value_text, values[schema.clusters])] if schema.clusters else None
    known: dict[str, Any] = {
        "ids": ids,
        "clusters": None if clusters is None else NamedColumn(np.array(clusters), schema.clusters),
        "show": {name: columns.column(name) for name in schema.show if name in columns},
    }
    if kind is Kind.VALUES:
        if isinstance(columns, LogColumns) and (answer := CLASSES_IN_LOGS[PREDICTED]) in columns:
            known["show"][answer] = columns.column(answer)
        return Scores.from_values(values[VALUE], runs=schema.runs, **known)
    known["labels"] = columns.labels
    true = values[TRUE]
    if kind is Kind.SCORES:
        return Scores.from_predictions(true, _scores(values), **known)
    if kind is Kind.LABELS:
        return MultilabelCounts.from_predictions(true, values[PREDICTED], **known)
    if kind is Kind.SPANS:
        return SpanCounts.from_spans(true, values[PREDICTED], documents=known.pop("ids"), **known)
    run_ids = values.get(RUN) if schema.runs else None
    of_one_classifier = schema.runs == Runs.SEEDS and run_ids is None
    runs = None if of_one_classifier else schema.runs
    return ConfusionMatrix.from_predictions(
        true, values[PREDICTED], runs=runs, run_ids=run_ids, invalid=schema.invalid, **known
    )


def _scores(values: Mapping[str, Any]) -> Any:
    """Return the only column of scores, or the columns by the class that each is about."""
    names = score_columns(values)
    return values[SCORE] if SCORE in names else {scored_class(name): values[name] for name in names}


def read_systems(files: Mapping[str, Path], schema: Schema = AS_IT_IS) -> dict[str, SideFile]:
    """Read a file for every name as `read_side` does; classes that are text in one are text in all."""
    systems = [read_side(path, name, schema) for name, path in files.items()]
    return dict(zip(files, _all_alike(systems), strict=True))


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
