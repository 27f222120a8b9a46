"""The file of one side as counts, predictions, spans or scores."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import LabelArray
from pytest_bayesf1.choices import CLASSES_IN_LOGS, Runs
from pytest_bayesf1.data.confusion import ConfusionMatrix, MultilabelCounts, as_numbers
from pytest_bayesf1.data.labels import are_tags, in_order, kind_of, read_labels, stripped, tidy
from pytest_bayesf1.data.paired import AS_INDEPENDENT, OtherTestSetError, Side, counted_in_order
from pytest_bayesf1.data.scores import Scores
from pytest_bayesf1.data.spans import SpanCounts, spans_of_tags
from pytest_bayesf1.errors import ChangedTestSetWarning, InputError, setting, shown, warn, within
from pytest_bayesf1.files.formats import read_content
from pytest_bayesf1.files.matrices import counted_pairs
from pytest_bayesf1.files.opening import unpacked_name
from pytest_bayesf1.files.rulers import Ruler, all_described, described, differences
from pytest_bayesf1.files.tables import (
    ALL_AS_THEY_ARE,
    AS_IT_IS,
    ID,
    PREDICTED,
    RUN,
    SCORE,
    TRUE,
    VALUE,
    Content,
    Matrix,
    NamedColumn,
    Reading,
    Readings,
    Table,
    checked,
    columns_found,
    is_multilabel,
    label_of,
    lacks,
    of_systems,
    on_unused,
    require_more_is_better,
    require_one_system,
    rows_of,
    value_text,
    values_of,
)
from pytest_bayesf1.text import counted


@dataclass(frozen=True, eq=False)
class SideFile:
    """What a file holds of one classifier.

    Attributes
    ----------
    where
        The side and the path, as error messages say them.
    content
        Checked predictions, whose labels and ids are arrays of one kind each, or a matrix.
    reading
        How it was read. Predictions that count as wrong because they are none of the classes are masked.
    notes
        What a careful reader of a result should know of how all of it was read.
    """

    where: str
    content: Content
    reading: Reading = AS_IT_IS
    notes: tuple[str, ...] = ()

    def counts(self) -> Side:
        """Count; where the file has predictions they are kept, and scores are taken as they are."""
        with within(self.where):
            try:
                side = _side(self.content, self.reading)
            except InputError as error:
                systems = of_systems(self.content) if isinstance(self.content, Table) else None
                raise systems or error from None
        return side.with_notes(self.notes + side.notes)

    def slices(self, column: str) -> "dict[str, SideFile]":
        """Take the examples of each value of a column for a file of their own, in the order of the values as text.

        An example without a value is one of the value "".
        """
        with within(self.where):
            table = self.content
            if isinstance(table, Matrix):
                raise InputError.plain("", "A matrix of counts has no slices: only predictions have")
            if column not in table.columns:
                raise lacks(column, "to slice by", table.columns)
            examples: dict[str, list[int]] = {}
            for row, value in enumerate(values_of(table, column)):
                if isinstance(value, list | tuple | dict | np.ndarray):
                    raise InputError(f"{table.place(row)}, {column}", "one value per example", type(value).__name__)
                examples.setdefault(value_text(value), []).append(row)
        kept = (*table.label_columns, *table.score_columns, *self.reading.identifiers, *self.reading.show)
        columns = {name: table.columns[name] for name in kept if name in table.columns}
        parts = {value: replace(table, columns=rows_of(columns, examples[value])) for value in sorted(examples)}
        return {value: replace(self, content=part, notes=()) for value, part in parts.items()}

    def slice_of_examples(self, column: str) -> Counter[str]:
        """Count the examples by the value of a column, each with its id, or with its true label where there is none."""
        assert isinstance(self.content, Table)  # `slices` refuses a matrix
        table, values = self.content, map(value_text, values_of(self.content, column))
        by = next((name for name in (ID, TRUE) if name in table.columns), column)
        rows = [f"{value_text(each)}, {value}" for each, value in zip(values_of(table, by), values, strict=True)]
        return Counter(dict.fromkeys(rows, 1)) if by == ID else counted_in_order(rows)

    def with_values_of(self, other: "SideFile", column: str) -> "SideFile":
        """Take a column's values from another file for the examples that both know by id."""
        table, source = self.content, other.content
        if isinstance(table, Matrix) or isinstance(source, Matrix):
            return self
        if not {ID, column} <= table.columns.keys() & source.columns.keys():
            return self
        known = dict(zip(values_of(source, ID), values_of(source, column), strict=True))
        own = zip(values_of(table, ID), values_of(table, column), strict=True)
        return self._with({column: [known.get(key, value) for key, value in own]})

    def _with(self, columns: Mapping[str, Any]) -> "SideFile":
        assert isinstance(self.content, Table)
        return replace(self, content=replace(self.content, columns={**self.content.columns, **columns}))

    def is_same(self, other: "SideFile") -> bool:
        """Whether both are the same rows, as text."""
        if isinstance(self.content, Matrix) or isinstance(other.content, Matrix):
            return True  # of one file
        own, others = self.content.columns, other.content.columns
        return own.keys() == others.keys() and all([*map(str, own[name])] == [*map(str, others[name])] for name in own)

    def runs(self) -> "dict[str, SideFile]":
        """Take each of several runs of the same examples for a file of its own."""
        return self.slices(RUN) if RUN in self.content.columns else {"": self}

    def with_classes_of(self, other: "SideFile") -> "SideFile":
        """Name the classes that occur on either side, unless the file names its own."""
        columns = [*_class_columns(self.content), *_class_columns(other.content)]
        if self.content.labels is not None or not columns:
            return self
        labels = other.content.labels
        if labels is None:
            classes = np.unique(np.concatenate([np.ma.compressed(column) for column in columns]))
            labels = np.array(in_order(classes.tolist()))
        return replace(self, content=replace(self.content, labels=labels))

    @property
    def ruler(self) -> str | None:
        """What graded its answers; None where nothing tells."""
        return all_described(self.content.rulers) if isinstance(self.content, Table) else None

    @property
    def n_missing_runs(self) -> int:
        """How many more runs there would be if every example had as many as the one that has most."""
        if self.reading.runs is None or ID not in self.content.columns:
            return 0
        runs = np.unique(self.content.columns[ID], return_counts=True)[1]
        return int((runs.max(initial=0) - runs).sum())

    @property
    def label_kind(self) -> str | None:
        """The kind of the labels; None when they are mere positions, or of kinds that do not fit together."""
        content = self.content
        named = [] if content.labels is None else [content.labels]
        kinds = {kind_of(column) for column in [*named, *_class_columns(content)]}
        if is_multilabel(content) and any(isinstance(label, str) for label in _labels_in_rows(content)):
            kinds.add("strings")
        return kinds.pop() if len(kinds) == 1 else None

    def identifier_kind(self, name: str) -> str | None:
        """Tell the kind of a column of ids, clusters or runs; None when this side has none, or is read without it."""
        values = self.content.columns.get(name) if name in self.reading.identifiers else None
        return None if values is None else kind_of(values)

    def with_text_labels(self) -> "SideFile":
        """Write the labels as text."""
        content, labels = self.content, self.content.labels
        file = self if labels is None else replace(self, content=replace(content, labels=labels.astype(str)))
        names = () if is_multilabel(content) else content.label_columns
        return file.with_text(*names) if names else file

    def with_text(self, *names: str) -> "SideFile":
        """Write columns as text."""
        return self._with({name: self.content.columns[name].astype(str) for name in names})


def read_side(path: Path, where: str, reading: Reading = AS_IT_IS, *, name: str = "") -> SideFile:
    """Read a file; error messages begin with ``where``, which is the side's name, and with the file's name or path."""
    place = f"{where} ({name or path})"
    with within(place):
        content = read_content(path, reading)
        if content.labels is not None:
            labels = read_labels({"labels": content.labels}, content.labels, source="table")
            content = replace(content, labels=labels["labels"])
        if isinstance(content, Table):
            content = counted_pairs(content)
        if isinstance(content, Table):
            return _of_table(place, content, reading, where)
        if reading.clusters or reading.runs:
            raise InputError.plain("", "A matrix of counts has no clusters and no runs: only predictions have")
        return SideFile(place, content, notes=tuple(f"{where}: {note}" for note in content.notes))


def read_runs(paths: Sequence[Path], where: str, reading: Reading = AS_IT_IS) -> SideFile:
    """Read one file as `read_side` does, or several: each is then a run of the same system on the same examples."""
    if len(paths) == 1:
        return read_side(paths[0], where, reading)
    reading = replace(reading, runs=reading.runs or Runs.SAMPLES)
    tables: list[Table] = []
    for path in paths:
        with within(f"{where} ({path})"):
            content = read_content(path, reading)
            if isinstance(content, Table) and {*content.columns} == {VALUE} and len(content.columns[VALUE]) == 1:
                content = replace(content, columns={ID: ["1"], **content.columns})  # a run of which its score is known
            if isinstance(content, Matrix) or ID not in content.columns:
                problem = f"Each of several files is a run of the same examples, and this one has no column {ID!r}"
                raise InputError.plain("", problem)
            if tables and (content.is_text, {*content.columns}) != (tables[0].is_text, {*tables[0].columns}):
                raise InputError("", f"the format and columns of {paths[0]}", columns_found(content.columns))
            if tables and not {*values_of(content, ID)} & {*values_of(tables[0], ID)}:
                problem = f"No id is one of {paths[0]}, and each of several files is a run of the same examples"
                raise InputError.plain("", problem, "Put different examples into one file.")
            tables.append(content)
    columns: dict[str, Any] = {
        name: [value for table in tables for value in values_of(table, name)] for name in tables[0].columns
    }
    rulers = [ruler for table in tables for ruler in table.rulers]
    columns[RUN] = [
        f"{number}.{own}"
        for number, table in enumerate(tables, start=1)
        for own in (values_of(table, RUN) if RUN in table.columns else [1] * len(table.columns[ID]))
    ]
    place = f"{where} ({len(paths)} files, {paths[0]} and others)"
    table = replace(tables[0], columns=columns, lines=None, rulers=rulers)
    with within(place):
        return _of_table(place, table, reading, where)


def _of_table(place: str, table: Table, reading: Reading, side: str) -> SideFile:
    require_one_system(table)
    if VALUE in table.score_columns:
        require_more_is_better(dict(reading.columns).get(VALUE, VALUE))
    read = checked(table, reading)
    file = SideFile(place, read, reading)
    notes = [*_on_spaces(table), *read.notes, *on_unused(table)]
    if n := file.n_missing_runs:
        lost = f"{counted(n, 'run')} of examples missing, as others have more. Were they left out for being wrong?"
        notes.append(lost)
    return replace(file, notes=tuple(f"{side}: {note}" for note in notes))


def _on_spaces(table: Table) -> list[str]:
    """Say how many labels were written with spaces around them."""
    columns = [table.columns[name] for name in table.label_columns]
    texts = columns if table.is_text else [[each for each in column if isinstance(each, str)] for column in columns]
    untidy = {text for text in set().union(*texts) if text != stripped(text)}
    n_trimmed = sum(text in untidy for column in texts for text in column) if untidy else 0
    return [f"removed spaces at the ends of {counted(n_trimmed, 'label')}."] if n_trimmed else []


def read_sides(baseline: Path, candidate: Path, readings: Readings = ALL_AS_THEY_ARE) -> tuple[SideFile, SideFile]:
    """Read both files as `read_side` does, and make them `alike`."""
    before = read_side(baseline, "baseline", readings.get("baseline", AS_IT_IS))
    return alike(before, read_side(candidate, "candidate", readings.get("candidate", AS_IT_IS)))


def alike(baseline: SideFile, candidate: SideFile) -> tuple[SideFile, SideFile]:
    """Make labels, ids or clusters text in both where they are text in one of them alone."""
    tables = [each.content for each in (baseline, candidate) if isinstance(each.content, Table)]
    for column in candidate.reading.show:
        if not any(column in table.columns for table in tables):
            raise InputError.plain(candidate.where, f"Neither file has a column {shown(column)} to show")
    baseline, candidate = _all_alike([baseline, candidate], baseline.reading)
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
        advice = f"Compare logs of one task, or name an id that stays, as in {setting('columns', {ID: names[0]})}."
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
    table = file.content
    if isinstance(table, Matrix) or not table.rulers:
        return {}
    ids = values_of(table, ID) if ID in table.columns else range(len(table.rulers))
    return dict(zip(map(value_text, ids), table.rulers, strict=True))


def _with_another(what: str, shared: Sequence[str], differ: Sequence[bool]) -> str:
    """Count the examples in which something differs, and name the first."""
    examples = counted(len(shared), "shared example")
    return f"{sum(differ):,} of {examples} have another {what}, such as id {shown(shared[differ.index(True)])}"


def _questions(file: SideFile) -> dict[str, dict[str, str]]:
    """Return what was asked by the id of each example; messages have ids of their own, and are left out."""
    table = file.content
    if isinstance(table, Matrix) or ID not in table.columns:
        return {}
    columns = {name: values_of(table, name) for name in table.asked}
    columns = {name: values for name, values in columns.items() if not any(isinstance(each, list) for each in values)}
    rows = ([str(values[row]) for values in columns.values()] for row in range(len(table.columns[ID])))
    return {
        value_text(key): dict(zip(columns, row, strict=True))
        for key, row in zip(values_of(table, ID), rows, strict=True)
    }


def _all_alike(files: list[SideFile], reading: Reading) -> list[SideFile]:
    """Make labels, ids or clusters that are text in one file, and something else in another, text in all."""
    kinds = [file.label_kind for file in files]
    if _some_are_text(kinds):
        files = [file.with_text_labels() if kind else file for file, kind in zip(files, kinds, strict=True)]
    for name in reading.identifiers:
        kinds = [file.identifier_kind(name) for file in files]
        if _some_are_text(kinds):
            files = [file.with_text(name) if kind else file for file, kind in zip(files, kinds, strict=True)]
    return files


def _some_are_text(kinds: list[str | None]) -> bool:
    return "strings" in kinds and len({*kinds} - {None}) > 1


def _class_columns(content: Content) -> list[LabelArray]:
    """Return the truth and the predictions where an example has one class; nothing where it has not."""
    return [] if is_multilabel(content) else [content.columns[name] for name in content.label_columns]


def _labels_in_rows(content: Content) -> Iterator[Any]:
    for name in content.label_columns:
        yield from chain.from_iterable(row for row in content.columns[name] if isinstance(row, list | tuple | set))


def _side(content: Content, reading: Reading) -> Side:
    if isinstance(content, Matrix):
        return _side_of_counts(content)
    columns = {**content.columns}
    ids = columns.get(ID)
    clusters = NamedColumn(columns[reading.clusters], reading.clusters) if reading.clusters else None
    show = {name: values_of(content, name) for name in reading.show if name in columns}
    if not content.label_columns:
        answer = CLASSES_IN_LOGS[PREDICTED]
        show |= {answer: values_of(content, answer)} if answer in columns else {}
        return Scores.from_values(columns[VALUE], ids=ids, clusters=clusters, runs=reading.runs, show=show)
    true = columns[TRUE]
    known: dict[str, Any] = {"labels": content.labels, "clusters": clusters, "show": show}
    if is_tagged := is_multilabel(content) and PREDICTED in columns and are_tags([true, columns[PREDICTED]]):
        _, (true, columns[PREDICTED]) = spans_of_tags({name: columns[name] for name in content.label_columns})
    if content.spans or is_tagged:
        return SpanCounts.from_spans(true, columns[PREDICTED], documents=ids, **known)
    if content.score_columns:
        return Scores.from_predictions(true, _scores(columns, content.score_columns), ids=ids, **known)
    if is_multilabel(content):
        return MultilabelCounts.from_predictions(true, columns[PREDICTED], ids=ids, **known)
    if ids is None:
        _require_no_runs(columns)
    run_ids = columns.get(RUN) if reading.runs else None
    of_one_classifier = reading.runs == Runs.SEEDS and run_ids is None
    known |= {"runs": None if of_one_classifier else reading.runs, "run_ids": run_ids, "invalid": reading.invalid}
    return ConfusionMatrix.from_predictions(true, columns[PREDICTED], ids=ids, **known)


def _side_of_counts(matrix: Matrix) -> Side:
    if matrix.spans:
        return SpanCounts.from_counts(*matrix.counts, labels=matrix.labels)
    expected = "a square matrix (M, M), or an array (L, 2, 2), of whole numbers"
    counts = as_numbers(matrix.counts, "counts", expected)
    return (MultilabelCounts if counts.ndim == 3 else ConfusionMatrix)(counts, labels=matrix.labels)


def _require_no_runs(columns: Mapping[str, Any]) -> None:
    """Refuse repeated runs whose ids have another name: every run would count as examples of its own."""
    if RUN not in columns:
        return
    n_rows, n_runs = len(columns[RUN]), len({str(each) for each in columns[RUN]})
    repeated = [name for name, values in columns.items() if n_runs * len({str(each) for each in values}) == n_rows]
    if n_runs > 1 and repeated:
        problem = f"There is a column {RUN!r}, but none {ID!r} with the example of every prediction"
        holds_ids = f"If it holds the ids, pass {setting('columns', {ID: repeated[0]})}."
        raise InputError.plain("", problem, f"{shown(repeated[0])} has each value {n_runs} times. {holds_ids}")


def _scores(columns: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the only column of scores, or the columns by the class that each is about."""
    if SCORE not in names:
        return {tidy(label_of(name) or ""): columns[name] for name in names}
    if len(names) > 1:
        raise InputError("", f"either {SCORE} or a column {SCORE}_<label> for every class", columns_found(names))
    return columns[SCORE]


def read_systems(files: Mapping[str, Path], reading: Reading = AS_IT_IS) -> dict[str, SideFile]:
    """Read a file for every name as `read_side` does; labels, ids or clusters that are text in one are text in all."""
    systems = [read_side(path, name, reading) for name, path in files.items()]
    return dict(zip(files, _all_alike(systems, reading), strict=True))


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
