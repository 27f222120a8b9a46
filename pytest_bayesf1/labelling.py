"""A pool that is being labelled: its files, which examples are next, and batches for people.

All are text beside the pool, to be kept in version control: ``pool.labelling.json`` says what is compared by what, and
``pool.labels.csv`` has a row for every label.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import blake2b
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pytest_bayesf1.arrays import Codes, Counts, LabelArray
from pytest_bayesf1.comparison.compare import check_width
from pytest_bayesf1.comparison.human import JUDGED, HumanGrades, judged_as
from pytest_bayesf1.data.columns import ID, PREDICTED, TRUE, VALUE, Columns, Schema, lacks, value_text
from pytest_bayesf1.data.pool import LabelledPool
from pytest_bayesf1.data.questions import Questions
from pytest_bayesf1.engines.stratified import Allocation, PoolPosterior, measure_of_pool
from pytest_bayesf1.errors import InputError, command_line, shown, within
from pytest_bayesf1.files.opening import unpacked_name
from pytest_bayesf1.files.side import named_rows
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.text import counted, first_few, flowed
from pytest_bayesf1.values import require_once
from pytest_bayesf1.writing import csv_text, encoded, json_text, locked, without_apostrophe, write_all

STATE, LABELS = ".labelling.json", ".labels.csv"
_COLUMNS = ("id", "label", "batch")
BASELINE, CANDIDATE = "baseline", "candidate"
_TO_GRADE = (ID, BASELINE, CANDIDATE, JUDGED)


@dataclass(frozen=True, kw_only=True)
class Started:
    """What ``bayesf1 label start`` was given.

    Attributes
    ----------
    pool
        The file of the pool, relative to this one.
    id, baseline, candidate
        Its columns.
    show
        Columns that people see.
    classes
        The classes.
    measure, rope, hdi_prob, seed
        As in `compare`; the seed also of the order in which examples are labelled.
    digest
        A checksum of all predictions.
    """

    pool: str
    id: str
    baseline: str
    candidate: str
    show: tuple[str, ...] = ()
    classes: tuple[Label, ...] = ()
    measure: str
    rope: tuple[float, float] | tuple[float, float, Literal["wide"]]
    hdi_prob: float
    seed: int
    digest: str = ""


@dataclass(frozen=True)
class LabelRow:
    """A label, as the file keeps it."""

    id: str
    label: str
    batch: str = ""


@dataclass(frozen=True, eq=False)
class Labelling:
    """A pool that is being labelled.

    Attributes
    ----------
    path
        The file that says so.
    started
        What it says.
    other_labels
        The file of its labels, if it is another than the one named after the pool.
    """

    path: Path
    started: Started
    other_labels: Path | None = None

    @property
    def next_batch(self) -> str:
        """The command that writes examples to label."""
        return command_line("bayesf1", "label", "next", "--state", self.path, "--count", 100, "-o", "batch-1.csv")

    @classmethod
    def start(cls, folder: Path, started: Started) -> "Labelling":
        """Write the files of a pool; raise `InputError` where they are there already."""
        stem = Path(started.pool).name.partition(".")[0]
        made = cls(folder / f"{stem}{STATE}", started)
        if made.path.exists() or made.labels_path.exists():
            found = made.path if made.path.exists() else made.labels_path
            raise InputError.plain(str(found), "You started this pool already", f"Go on with: {made.next_batch}")
        if hidden := {*started.show} & {started.baseline, started.candidate}:
            advice = "People who see a prediction agree with it too often."
            problem = f"{first_few(map(shown, sorted(hidden)))} would show predictions"
            raise InputError.plain("show", problem, advice)
        require_once((ID, *started.show, "label"), "show", "column")
        if lacking := [name for name in started.show if name not in made.table.values]:
            names = [name for name in made.table.values if name not in (TRUE, PREDICTED, ID)]
            raise lacks(lacking[0], "to show", names, "show")
        pool = made._examples
        check_width(Rope.of(started.rope), measure_of_pool(started.measure, pool.labels))  # before anything is written
        table, made = made.table, replace(made, started=replace(started, classes=pool.labels, digest=pool.digest))
        vars(made).update(table=table, _examples=pool)  # a large file is read once
        write_all({made.path: encoded(json_text(asdict(made.started))), made.labels_path: encoded(_written([]))})
        return made

    @classmethod
    def read(cls, path: Path, other_labels: Path | None = None) -> "Labelling":
        """Read what was started; raise `InputError` for another file."""
        from pydantic import TypeAdapter, ValidationError  # noqa: PLC0415 (reading a gate's counts needs none)

        try:
            return cls(path, TypeAdapter(Started).validate_json(path.read_bytes()), other_labels)
        except OSError as error:
            found = (error.strerror or str(error)).lower()
            raise InputError.plain(str(path), found, "Write it as this shows: bayesf1 label start --help") from None
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"]))
            found = f"{flowed(first['msg'])}{place and f' at {place}'}"
            raise InputError.plain(str(path), f"Not as bayesf1 label start writes it: {found}") from None

    @property
    def labels_path(self) -> Path:
        """The file of the labels."""
        return self.labels_of(self.path, self.other_labels)

    @staticmethod
    def labels_of(path: Path, other_labels: Path | None = None) -> Path:
        """Return the file of a pool's labels, whether or not there is a pool."""
        return other_labels or path.with_name(path.name.removesuffix(STATE) + LABELS)

    @cached_property
    def table(self) -> Columns:
        """The pool's file."""
        path, started = self.path.parent / self.started.pool, self.started
        columns = {TRUE: started.baseline, PREDICTED: started.candidate, ID: started.id}
        with within(os.path.relpath(path)):
            if not path.resolve().is_relative_to(self.path.parent.resolve()):
                raise InputError.plain("", f"The file is not in the folder of {self.path.name}, nor below it")
            content = named_rows(path, Schema().of_side(columns, {}))
            if not len(content):
                raise InputError.plain("", "There are no examples")
            for use in columns:
                content.require_present(use)
        return content

    @cached_property
    def _examples(self) -> LabelledPool:
        """What both sides predict."""
        values = self.table.values
        baseline, candidate = values[TRUE], values[PREDICTED]
        ids = np.array([value_text(each) for each in values[ID]])
        with within(os.path.relpath(self.path.parent / self.started.pool)):
            return LabelledPool.from_predictions(baseline, candidate, {}, ids=ids, classes=self.started.classes or None)

    @cached_property
    def unlabelled(self) -> LabelledPool:
        """The pool as it was at the start; raises `InputError` where its predictions have changed since."""
        _ = self.table  # what keeps it from being read is an error of its own
        try:
            unchanged = self._examples.digest == self.started.digest
        except InputError:  # such as for a new class
            unchanged = False
        if not unchanged:
            advice = (
                "Put the former file back, or start again under another name: labels chosen for other predictions are "
                "no random sample for these."
            )
            where = os.path.relpath(self.path.parent / self.started.pool)
            raise InputError.plain(where, "The predictions have changed since labelling started", advice)
        return self._examples

    @cached_property
    def pool(self) -> LabelledPool:
        """The pool with all its labels."""
        return self.labelled(self.rows)

    @property
    def allocation(self) -> Allocation:
        """What more labels of every stratum are worth."""
        return Allocation.of(PoolPosterior(self.pool.strata), measure_of_pool(self.started.measure, self.pool.labels))

    def more(self, count: int) -> Counts:
        """Say how many more examples of each stratum to label: what was skipped, and so many as are worth most."""
        skipped = np.bincount(self.pool.stratum[self.skipped(self.pool)], minlength=self.pool.strata.sizes.size)
        return np.maximum(self.allocation.more(count), skipped)

    @cached_property
    def rows(self) -> list[LabelRow]:
        """All labels in the order in which they were added."""
        try:
            with self.labels_path.open(encoding="utf-8", newline="") as file:
                header, *rows = csv.reader(file) or [[]]
        except FileNotFoundError:
            advice = f"Restore it; an empty one has the line {','.join(_COLUMNS)}"
            raise InputError.plain(os.path.relpath(self.labels_path), "file not found", advice) from None
        except ValueError:
            header, rows = [], []
        if tuple(header) != _COLUMNS or any(len(row) != len(_COLUMNS) for row in rows):
            found = ", ".join(header) or "none"
            raise InputError(os.path.relpath(self.labels_path), f"rows of {', '.join(_COLUMNS)}", found)
        return [LabelRow(*row) for row in rows]

    @property
    def label_of(self) -> dict[str, str]:
        """The label of every example that people labelled."""
        return {row.id: row.label.strip() for row in self.rows}

    def labelled(self, rows: Iterable[LabelRow]) -> LabelledPool:
        """Label examples; raise `InputError` that lists every id that is labelled in two ways."""
        pool, labels = self.unlabelled, dict[str, list[str]]()
        for row in rows:
            labels.setdefault(row.id, []).append(row.label.strip())
        twice = {key: said for key, said in labels.items() if len(set(said)) > 1}
        if twice:
            listed = first_few((f"{shown(key)} is {' and '.join(map(shown, said))}" for key, said in twice.items()), 20)
            advice = "Decide which is right, and leave the other out."
            raise InputError.plain("labels", f"Different labels for an id: {listed}", advice)
        classes: dict[str, Any] = {value_text(label): label for label in pool.labels}
        unknown = [f"{shown(key)} is {shown(said[0])}" for key, said in labels.items() if said[0] not in classes]
        if unknown:
            known = f"The classes of the pool are {first_few(map(shown, pool.labels), 20)}"
            advice = f'Correct them. If neither side predicts such a class, add it to "classes" in {self.path.name}.'
            raise InputError.plain("labels", f"{known}, but {first_few(unknown)}", advice)
        return pool.with_labels({key: classes[said[0]] for key, said in labels.items()})

    def skipped(self, pool: LabelledPool) -> Codes:
        """Return the positions of examples without a label that come before labelled ones of their stratum."""
        order = _in_random_order(pool, np.flatnonzero(~self.unlabelled.is_labelled), self.started.seed)
        stratum, is_labelled = pool.stratum[order], pool.is_labelled[order]
        last = np.full(pool.strata.sizes.size, -1)
        np.maximum.at(last, stratum[is_labelled], np.flatnonzero(is_labelled))
        return np.asarray(order[~is_labelled & (np.arange(order.size) < last[stratum])])

    def note_on_skipped(self) -> str:
        """Say how many examples were skipped; nothing where none was."""
        skipped = self.skipped(self.pool)
        if not skipped.size:
            return ""
        which = f"{counted(skipped.size, 'example')} without a label that came first in the random order"
        advice = "Label these too: if hard ones stay out, the verdict is about the easy ones."
        return f"{which}: {first_few(map(shown, self.pool.ids[skipped].tolist()))}. {advice}"

    def add(self, rows: Sequence[LabelRow], left_out: AbstractSet[str] = frozenset()) -> LabelledPool:
        """Keep more labels, all or none, and return the pool with them; what an id has already is left as it is.

        Labels must be of the first examples of every stratum, but for those that people left out knowingly.
        """
        with locked(self.path.parent):
            before = replace(self).rows  # with what others may have added
            try:
                pool = self.labelled([*before, *rows])
                self._require_first(pool, self.labelled(before), left_out)
            except InputError as error:
                advice = f"{error.advice} Nothing changed."
                raise type(error)(error.where, error.expected, error.found, advice) from None
            known, new = {row.id for row in before}, dict[str, LabelRow]()
            for row in rows:
                if row.id not in known:
                    new.setdefault(row.id, row)
            write_all({self.labels_path: encoded(_written([*before, *new.values()]))})
        return pool

    def _require_first(self, pool: LabelledPool, before: LabelledPool, left_out: AbstractSet[str]) -> None:
        """Refuse labels that skip other examples than before, unless a batch has these without a label."""
        skipped = [at for at in self.skipped(pool).tolist() if str(pool.ids[at]) not in left_out]
        if skipped and (new := sorted({*skipped} - {*self.skipped(before).tolist()})):
            some = first_few(shown(pool.ids[at]) for at in new)
            problem = f"No label for {counted(len(new), 'example')} that the random order puts first: {some}"
            advice = (
                "Add all rows that bayesf1 label next wrote, and only these; where a batch has several files, all "
                "in one call. Labels of chosen examples make the verdict wrong."
            )
            raise InputError.plain("labels", problem, advice)

    def batch(self, chosen: Codes) -> str:
        """Write examples for people as CSV, in this order, without what either side predicts."""
        columns = self.table.values if self.started.show else {}
        ids = [str(self.pool.ids[at]) for at in chosen.tolist()]
        shown = {name: [value_text(columns[name][at]) for at in chosen.tolist()] for name in self.started.show}
        cells = zip(ids, *shown.values(), [""] * len(ids), strict=True)
        return csv_text((ID, *shown, "label"), list(cells))


def _written(rows: Iterable[LabelRow]) -> str:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(vars(row).values() for row in rows)
    return text.getvalue()


def next_examples(pool: LabelledPool, more: Counts, seed: int) -> Codes:
    """Return the positions of the examples to label: of every stratum the first that have no label, in random order.

    How many of a stratum are labelled may depend on labels; which ones only on a hash of their ids.
    """
    order = _in_random_order(pool, np.flatnonzero(~pool.is_labelled & (more > 0)[pool.stratum]), seed)
    of_stratum = pool.stratum[order]
    place = np.arange(order.size) - np.searchsorted(of_stratum, of_stratum)
    chosen = order[place < more[of_stratum]]
    return _in_order_of_batch(pool, chosen, seed)


def _in_order_of_batch(pool: LabelledPool, chosen: Codes, seed: int) -> Codes:
    """Put examples in an order that tells nothing: by another hash, for those of a large stratum have low ones."""
    return chosen[np.argsort(_hashes(pool.ids[chosen].tolist(), f"order of {seed}"), kind="stable")]


def _in_random_order(pool: LabelledPool, positions: Codes, seed: int) -> Codes:
    """Put examples in the order in which they are labelled: by stratum, and in it by a hash of their ids."""
    key = _hashes(pool.ids[positions].tolist(), seed)
    return np.asarray(positions[np.lexsort((key, pool.stratum[positions]))])


def _hashes(ids: Iterable[object], seed: object) -> Counts:
    """Give every id a number that looks random, the same for ever."""
    key = str(seed).encode()
    found = (int.from_bytes(blake2b(str(each).encode(), digest_size=7, key=key).digest()) for each in ids)
    return np.fromiter(found, dtype=np.int64)


def add_to_grade(path: Path, judged: Questions, count: int, seed: int) -> int:
    """Add rows to a file of people's grades, or begin one, and return how many: of answers drawn at random.

    The order in which answers are drawn depends on ids alone, of clusters on these, which are drawn whole.
    """
    given = HumanGrades.of(path).columns if path.exists() else Columns({name: [] for name in _TO_GRADE})
    with within(given.where):
        for name in (BASELINE, CANDIDATE):
            given.column(name)
            given.require_present(name, "without a grade")
    chosen = _next_answers(judged, {*map(str, given.values[ID])}, count, seed)
    ids = _texts(judged.ids)
    new = {ID: [ids[at] for at in chosen], JUDGED: [judged_as(ids[at], judged.said[:, at, 0]) for at in chosen]}
    columns = [[*each, *new.get(name, [""] * len(chosen))] for name, each in given.values.items()]
    if chosen:
        write_all({path: encoded(csv_text(list(given.values), list(zip(*columns, strict=True))))})
    return len(chosen)


def _next_answers(judged: Questions, graded: AbstractSet[str], count: int, seed: int) -> list[int]:
    ids = _texts(judged.ids)
    units = ids if judged.clusters is None else _texts(judged.clusters)
    order = np.argsort(_hashes(units, seed), kind="stable").tolist()
    left = [at for at in order if ids[at] not in graded]
    last = {units[at] for at in left[:count][-1:]}
    return [*left[:count], *(at for at in left[count:] if units[at] in last)]


def _texts(values: LabelArray | None) -> list[str]:
    assert values is not None
    return [*map(value_text, values.tolist())]


def read_batch(path: Path) -> tuple[list[LabelRow], set[str]]:
    """Read labels that people gave, in the columns id and label, and the ids of the examples that they left out."""
    batch = path.name.partition(".")[0]
    with within(str(path)):
        found = list(_answers(path))
        if not found:
            raise InputError.plain("", "There are no labels")
        rows = [LabelRow(without_apostrophe(key), without_apostrophe(label), batch) for key, label in found if label]
    return rows, {without_apostrophe(key) for key, _ in found} - {row.id for row in rows}


def _answers(path: Path) -> Iterator[tuple[str, str]]:
    """Yield every row's id and label."""
    if Path(unpacked_name(path)).suffix.lower() not in (".csv", ".tsv"):
        raise InputError("", "a file that ends in .csv or .tsv", repr(path.name))
    columns = named_rows(path, Schema().of_side({VALUE: "label", ID: ID}, {})).values
    for key, label in zip(columns[ID], columns[VALUE], strict=True):
        yield value_text(key), value_text(label).strip()
