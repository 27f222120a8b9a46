"""Tables of any engine: columns, joins and group-bys that count predictions where the data are.

A full join brings together what the tables say of an id, and one group-by of it counts both the outcomes and whatever
keeps the tables from fitting together. Ids that repeat would multiply in the join, so that they are made one before.
"""

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
from narwhals.stable.v2.dtypes import DType

from pytest_bayesf1.arrays import Codes, LabelArray
from pytest_bayesf1.choices import INVALID, Invalid, Runs
from pytest_bayesf1.data.confusion import is_count
from pytest_bayesf1.data.labels import (
    NULL_WORDS,
    LabelSource,
    count_as_wrong,
    encode,
    if_class,
    is_missing,
    read_labels,
    tidy,
)
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable
from pytest_bayesf1.errors import InputError, arg, shown
from pytest_bayesf1.results.schema import UNREADABLE, Label
from pytest_bayesf1.text import counted, first_few, flowed
from pytest_bayesf1.values import require_choice, require_once
from pytest_bayesf1.writing import wide_encoding

T = TypeVar("T")

_SUFFIXES = (".csv", ".csv.gz", ".parquet")

_STRICT = {
    "header": True,
    "all_varchar": True,
    "na_values": ["", "nan", "NaN"],
    "quotechar": '"',
    "escapechar": '"',
    "skiprows": 0,  # else lines that do not fit the others are skipped without a word
    "union_by_name": True,
}


_NAMES = "SELECT DISTINCT name FROM parquet_schema(?)"


def _refuse_repeated(names: Iterable[str], where: str, file: str) -> None:
    for name in names:
        raise InputError.plain(where, f"The column {shown(name)} is there twice in {file}")


class FileTables:
    """Files that may be joined with one another."""

    def open(self, pattern: str, where: str) -> tuple[Any, bool]:
        """Open the files that a path or a pattern names, and tell whether they hold text only."""
        if not pattern.lower().endswith(_SUFFIXES):
            raise InputError(where, f"files that end in {', '.join(_SUFFIXES)}", shown(pattern))
        is_text = not pattern.lower().endswith(".parquet")
        with self.reading(where):
            if is_text:
                self._require_narrow(pattern, where)
                relation = self._connection.read_csv(pattern, **_STRICT)
                self._require_headers(pattern, where)
                return relation, True
            relation = self._connection.read_parquet(pattern, union_by_name=True)
            self._require_schemas(pattern, where, relation.columns)
            return relation, False

    def _files(self, pattern: str) -> list[str]:
        return [file for (file,) in self._connection.execute("SELECT file FROM glob(?)", [pattern]).fetchall()]

    def _require_narrow(self, pattern: str, where: str) -> None:
        """Refuse text in an encoding that DuckDB would call damaged, or take for one long word."""
        for file in self._files(pattern):
            with suppress(OSError, EOFError, zlib.error):  # it is elsewhere, or DuckDB will tell
                if wide := wide_encoding(Path(file)):
                    raise InputError.plain(where, f"{file} is not UTF-8, but {wide}", "Save it as UTF-8.")

    def _require_headers(self, pattern: str, where: str) -> None:
        """Refuse a name that stands in a header twice: DuckDB would rename the second in silence."""
        for file in self._files(pattern):
            for header in self._connection.read_csv(file, **_STRICT | {"header": False}).limit(1).fetchall():
                _refuse_repeated((name for name, n in Counter(header).items() if n > 1), where, file)

    def _require_schemas(self, pattern: str, where: str, columns: list[str]) -> None:
        """Do the same for Parquet, where names that no file has are the renamed ones."""
        names = {name for (name,) in self._connection.execute(_NAMES, [pattern]).fetchall()}
        renamed = [re.fullmatch(r"(.+)_\d+", name) for name in columns if name not in names]
        _refuse_repeated((found[1] for found in renamed if found and found[1] in names), where, pattern)

    @contextmanager
    def reading(self, where: str) -> Iterator[None]:
        """Hand on what DuckDB says of files that it cannot read, but for advice about its own options."""
        try:
            import duckdb  # noqa: PLC0415 (only where it is needed: it is an extra)
        except ImportError:
            advice = "Install it: pip install pytest-bayesf1[duckdb]"
            raise InputError.plain(where, "Reading files needs DuckDB, which is missing here", advice) from None
        try:
            yield
        except duckdb.Error as error:
            said = str(error).partition("\nPossible")[0]
            raise InputError.plain(where, f"Cannot read the files: {flowed(said)}") from None

    @cached_property
    def _connection(self) -> Any:
        connection = import_module("duckdb").connect(
            config={"preserve_insertion_order": "false", "temp_directory": gettempdir()}
        )
        connection.execute("SET enable_progress_bar = false")  # a test's output is not DuckDB's to write
        return connection


MOST_ROWS = 5_000_000
"""More outcomes than class labels have: nothing larger leaves an engine."""

_EXPECTED = "a data frame (pandas, Polars, PyArrow, DuckDB, Ibis, PySpark, ...) or the path of CSV or Parquet files"


@dataclass(frozen=True, eq=False)
class LazyTable:
    """A table of which nothing has been read yet.

    Attributes
    ----------
    table
        The table.
    where
        What error messages call it.
    is_text
        Whether every value is text for want of another type.
    files
        What reads it, if it is a file, or the files that it is joined with.
    """

    table: nw.LazyFrame[Any]
    where: str
    is_text: bool = False
    files: FileTables | None = None

    @property
    def source(self) -> LabelSource:
        """What labels come from."""
        return "text" if self.is_text else "table"

    def read(self, query: nw.LazyFrame[Any]) -> dict[str, list[Any]]:
        """Run a query whose answer is small, and return its columns; what is missing is None."""
        with self.files.reading(self.where) if self.files else nullcontext():
            answer = query.head(MOST_ROWS + 1).collect()
        if len(answer) > MOST_ROWS:
            advice = "Are these class labels, not scores or ids?"
            raise InputError.plain(self.where, f"There are more than {MOST_ROWS:,} different outcomes", advice)
        return {column.name: _values(column) for column in answer.iter_columns()}


def _values(column: Any) -> list[Any]:
    missing = column.is_null() | column.is_nan() if column.dtype.is_float() else column.is_null()
    return [None if none else value for value, none in zip(column.to_list(), missing.to_list(), strict=True)]


def open_frames(sources: Mapping[str, Any]) -> list[LazyTable]:
    """Open tables, given by the names that error messages use; files among them can be joined with one another."""
    files = FileTables()
    return [_open(source, where, files) for where, source in sources.items()]


def _open(source: Any, where: str, files: FileTables) -> LazyTable:
    if isinstance(source, str | Path):
        relation, is_text = files.open(str(source), where)
        return LazyTable(nw.from_native(relation).lazy(), where, is_text, files)
    if not hasattr(source, "collect_schema"):  # Polars, whose names differ; of two alike some engines take the first
        names: Any = getattr(source, "column_names", None) or getattr(source, "columns", ())
        require_once(names, where, "column")
    try:
        return LazyTable(nw.from_native(source).lazy(), where)
    except TypeError:
        raise InputError(where, _EXPECTED, type(source).__name__) from None


_OF_LABELS = ("y_true", "y_pred", "baseline", "candidate")


def pick(frame: LazyTable, names: Mapping[str, str]) -> LazyTable:
    """Take the columns that are named, and call them by what they are used as."""
    schema = frame.table.collect_schema()
    of_labels = {use: name for use, name in names.items() if use in _OF_LABELS}
    for use, name in of_labels.items():
        other = next(each for each in of_labels if of_labels[each] == name)
        if other != use != "baseline":  # which may be the truth: no candidate is better
            advice = f"Name the column of each: {use}=..."
            raise InputError.plain(frame.where, f"{shown(name)} would be both {other} and {use}", advice)
    for name in names.values():
        if name not in schema:
            found = f"Found columns {first_few(map(shown, schema), 20)}." if schema else "It has no columns."
            raise InputError.plain(frame.where, f"No column {shown(name)}", found)
        if column_kind(schema[name]) is None:
            where, expected = f"{frame.where}, column {shown(name)}", "strings, integers or booleans"
            raise InputError(where, expected, f"type {schema[name]}", "Convert the column first.")
    return replace(frame, table=frame.table.select(nw.col(name).alias(use) for use, name in names.items()))


def column_kind(dtype: DType) -> str | None:
    """Name the kind of labels that a column of this type can hold, if any."""
    if isinstance(dtype, nw.String | nw.Categorical | nw.Enum):
        return "strings"
    if isinstance(dtype, nw.Boolean):
        return "booleans"
    return "numbers" if dtype.is_integer() or dtype.is_float() else None


def in_common_types(baseline: LazyTable, candidate: LazyTable, names: Mapping[str, str]) -> tuple[LazyTable, LazyTable]:
    """Give the columns that two tables of one engine share the same types, so that their values can be compared."""
    engine, other = baseline.table.implementation, candidate.table.implementation
    if engine is not other:
        expected = f"a table of {engine.value}, as {baseline.where} is"
        raise InputError(candidate.where, expected, f"one of {other.value}", "Convert one.")
    as_text = baseline.is_text is not candidate.is_text
    common = {use: nw.String() if as_text else _common(baseline, candidate, use, name) for use, name in names.items()}
    is_text = baseline.is_text or candidate.is_text
    return _cast(baseline, common, is_text=is_text), _cast(candidate, common, is_text=is_text)


def _common(baseline: LazyTable, candidate: LazyTable, use: str, name: str) -> DType:
    """Choose a type that holds both columns' values."""
    one, other = _plain(baseline, use), _plain(candidate, use)
    if column_kind(one) != column_kind(other):
        where, expected = f"{candidate.where}, column {shown(name)}", f"{column_kind(one)}, as in {baseline.where}"
        raise InputError(where, expected, str(column_kind(other)), "They never match: convert one.")
    if one == other:
        return one
    return nw.Int64() if one.is_integer() and other.is_integer() else nw.Float64()


def _plain(frame: LazyTable, use: str) -> DType:
    """Return the type of a column's values, be they coded as categories or not."""
    dtype = frame.table.collect_schema()[use]
    if isinstance(dtype, nw.Categorical):
        values = frame.table.select(use).head(1).collect()[use].cat.get_categories().dtype
        return nw.Float64() if values.is_integer() else values  # codes for none would keep integers from being such
    return nw.String() if isinstance(dtype, nw.Enum) else dtype


def _cast(frame: LazyTable, types: Mapping[str, DType], *, is_text: bool) -> LazyTable:
    """Turn columns into these types, and categories into what they stand for."""
    schema = frame.table.collect_schema()
    wanted = {use: types.get(use) or _plain(frame, use) for use in schema}
    casts = [nw.col(use).cast(dtype) for use, dtype in wanted.items() if schema[use] != dtype]
    return replace(frame, table=frame.table.with_columns(casts) if casts else frame.table, is_text=is_text)


COUNT, BY, CLUSTER, WEIGHT = "count", "by", "cluster", "weight"
_OUTCOMES, _CLUSTERS = "outcomes", "clusters"


class Extra(NamedTuple):
    """The columns of a table beside those of labels and ids.

    Attributes
    ----------
    by
        The column of slices, if any.
    clusters
        The column that tells the cluster of every row, if any.
    runs
        What several rows of an id are; None where an id has one.
    null_words
        The texts that are no labels; none where the caller lists the labels.
    """

    by: str | None = None
    clusters: str | None = None
    runs: Runs | None = None
    null_words: AbstractSet[str] = NULL_WORDS

    def is_null_word(self, value: object) -> bool:
        """Whether a value is a text that is no label."""
        return isinstance(value, str) and value.strip() in self.null_words

    @property
    def by_use(self) -> dict[str, str]:
        """Their names, by what they are used as."""
        return {use: name for use, name in ((BY, self.by), (CLUSTER, self.clusters)) if name is not None}

    @property
    def cluster_noun(self) -> str:
        """What the clusters are called, in the plural."""
        return f"clusters of {self.clusters}" if self.clusters else "examples"


@dataclass(frozen=True, eq=False)
class Cells:
    """Outcomes that differ from one another, and how many rows had each.

    Attributes
    ----------
    labels
        The columns of labels, by what they are used as, the truth first; None where a prediction is missing.
    by
        The slice of each, where there are slices; None where the table has no value.
    count
        The rows; of an example with several runs, shares of one.
    source
        What the labels come from.
    cluster
        Which cluster the rows are of, by a number; the same for clusters of which all examples had the same outcome, as
        many of it as one another. None where every row is its own.
    n_clusters
        How many clusters the rows are of, and each has as many of them.
    """

    labels: dict[str, list[Any]]
    by: list[Any]
    count: list[float]
    source: LabelSource
    cluster: list[int] | None
    n_clusters: list[int]


def tally(frame: LazyTable, names: Mapping[str, str], extra: Extra, invalid: Invalid) -> Cells:
    """Count the rows of a table for each combination of labels, and of the values of ``by``."""
    picked = pick(frame, {**names, **extra.by_use})
    if extra.clusters is None:
        return checked_cells(frame, names, picked.read(distinct_rows(picked.table)), invalid, extra)
    (without,) = picked.read(picked.table.filter(nw.col(CLUSTER).is_null()).select(nw.len().alias(COUNT)))[COUNT]
    if without:
        raise InputError.plain(picked.where, f"{counted(without, 'row')} without a cluster in {shown(extra.clusters)}")
    return checked_cells(frame, names, outcomes_of_clusters(picked, picked.table), invalid, extra)


def distinct_rows(table: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Ask for the different rows of a table, and how many there are of each."""
    return table.group_by(*table.collect_schema(), drop_null_keys=False).agg(nw.len().alias(COUNT))


def outcomes_of_clusters(frame: LazyTable, table: nw.LazyFrame[Any]) -> dict[str, list[Any]]:
    """Count the different rows of every cluster, and tell which and how many clusters each count is of.

    Clusters of which all rows are alike come back together, by their numbers of rows; of the others every one. A column
    of weights says how much of an example each row is.
    """
    names = list(table.collect_schema())
    columns = [name for name in names if name not in (CLUSTER, WEIGHT)]
    count = nw.col(WEIGHT).sum() if WEIGHT in names else nw.len()
    held = table.group_by(CLUSTER, *columns, drop_null_keys=False).agg(count.alias(COUNT))
    outcomes_of = held.group_by(CLUSTER).agg(nw.len().alias(_OUTCOMES))
    of_one = held.join(outcomes_of.filter(nw.col(_OUTCOMES) == 1).select(CLUSTER), on=CLUSTER, how="inner")
    of_several = held.join(outcomes_of.filter(nw.col(_OUTCOMES) > 1).select(CLUSTER), on=CLUSTER, how="inner")
    alike = frame.read(of_one.group_by(*columns, COUNT, drop_null_keys=False).agg(nw.len().alias(_CLUSTERS)))
    others = frame.read(of_several)
    numbers: dict[Any, int] = {}
    known = [numbers.setdefault(cluster, len(alike[COUNT]) + len(numbers)) for cluster in others[CLUSTER]]
    counts = [n * clusters for n, clusters in zip(alike[COUNT], alike[_CLUSTERS], strict=True)]
    return {name: alike[name] + others[name] for name in columns} | {
        COUNT: counts + others[COUNT],
        CLUSTER: [*range(len(alike[COUNT])), *known],
        _CLUSTERS: alike[_CLUSTERS] + [1] * len(known),
    }


def checked_cells(
    frame: LazyTable, names: Mapping[str, str], answer: Mapping[str, list[Any]], invalid: Invalid, extra: Extra
) -> Cells:
    """Wrap counts when there are any and all are of labels, but for predictions that may be missing."""
    count, (true, *_) = answer[COUNT], names
    if not count:
        raise InputError.plain(frame.where, "The table has no rows")
    labels = {role: [None if is_missing(each) else each for each in answer[role]] for role in names}
    whole = [true] if invalid == "wrong" else names
    problems = [
        f"{sum(n for n, value in zip(count, labels[role], strict=True) if is_bad(value)):,} {what} {shown(names[role])}"
        for what, is_bad, roles in (
            ("without", is_missing, whole),
            ("with a word for a missing value in", extra.is_null_word, whole),
            ("with a fraction in", lambda value: isinstance(value, float) and not value.is_integer(), names),
        )
        for role in roles
        if any(map(is_bad, labels[role]))
    ]
    if problems:
        advice = f"Leave rows without labels out; scores are no labels. {count_as_wrong()} {if_class()}"
        raise InputError.plain(frame.where, f"Not every row has a class label: {', '.join(problems)}", advice)
    by, n_clusters = answer.get(BY, [None] * len(count)), answer.get(_CLUSTERS, count)
    return Cells(labels, by, count, frame.source, answer.get(CLUSTER), n_clusters)


ID, TRUE, PREDICTED, ROWS = "id", "y_true", "y_pred", "rows"
_PROBLEM, _DIFFERENT, _ANSWERS, _NONE = "problem", "different_", "answers", -1
_BASELINE, _CANDIDATE = "baseline_", "candidate_"
_SHOWN = 5

_PROBLEMS: dict[str, nw.Expr] = {
    "repeated ids in baseline": nw.col(_BASELINE + ROWS) > 1,
    "repeated ids in candidate": nw.col(_CANDIDATE + ROWS) > 1,
    "ids whose rows differ in more than y_pred in baseline": nw.col(_BASELINE + _DIFFERENT) > 1,
    "ids whose rows differ in more than y_pred in candidate": nw.col(_CANDIDATE + _DIFFERENT) > 1,
    "ids only in baseline": nw.col(_CANDIDATE + ROWS).is_null(),
    "ids only in candidate": nw.col(_BASELINE + ROWS).is_null(),
    "ids without y_true in baseline": nw.col(_BASELINE + TRUE).is_null(),
    "ids without y_true in candidate": nw.col(_CANDIDATE + TRUE).is_null(),
    "ids without y_pred in baseline": nw.col(_BASELINE + PREDICTED).is_null(),
    "ids without y_pred in candidate": nw.col(_CANDIDATE + PREDICTED).is_null(),
    "ids without a cluster in baseline": nw.col(_BASELINE + CLUSTER).is_null(),
    "ids without a cluster in candidate": nw.col(_CANDIDATE + CLUSTER).is_null(),
    "ids in another cluster in candidate": nw.col(_BASELINE + CLUSTER) != nw.col(_CANDIDATE + CLUSTER),
    "ids with another y_true in candidate": nw.col(_BASELINE + TRUE) != nw.col(_CANDIDATE + TRUE),
}
"""An id has the first problem that applies."""
_OTHER_TRUTH = len(_PROBLEMS) - 1


def tally_joined(
    baseline: LazyTable, candidate: LazyTable, names: Mapping[str, str], extra: Extra, invalid: Invalid
) -> Cells:
    """Count the examples for each combination of the truth, both predictions, and the values of ``by``."""
    clusters = {use: name for use, name in extra.by_use.items() if use == CLUSTER}
    repeated = extra.runs is not None
    shared = {**names, **clusters}
    baseline, candidate = in_common_types(pick(baseline, {**names, **extra.by_use}), pick(candidate, shared), shared)
    sides = _Side.of(baseline, _BASELINE), _Side.of(candidate, _CANDIDATE)
    none = ["repeated ids" if repeated else "ids whose rows differ"]
    none += [] if clusters else ["ids without a cluster", "ids in another cluster"]
    none += ["ids without y_pred"] if invalid == "wrong" else []
    joined = _joined(sides[0].each_id(several=repeated), sides[1].each_id(several=repeated), tuple(none))
    sliced = [use for use in extra.by_use if use == BY]
    used = [*sliced, _BASELINE + TRUE, _BASELINE + PREDICTED, _CANDIDATE + PREDICTED]
    in_clusters = clusters or repeated
    answer = baseline.read(distinct_rows(joined.select(_PROBLEM, *(() if in_clusters else used))))
    missing = [f"rows without id in {each.frame.where}: {each.n_missing:,}" for each in sides if each.n_missing]
    problems = missing + _problems(answer, joined, baseline)
    if problems:
        problem = f"The tables are not about the same examples, each once: {', '.join(problems)}"
        advice = f"For two different test sets count each with ConfusionMatrix.from_frame. {count_as_wrong()} "
        advice += f"Several answers of a system to one example are {arg('runs', 'samples')}."
        raise InputError.plain("baseline and candidate", problem, advice)
    if in_clusters:
        rows = _meetings(*sides) if repeated else joined
        cluster = nw.col(_BASELINE + (CLUSTER if clusters else ID)).alias(CLUSTER)
        answer = outcomes_of_clusters(baseline, rows.select(*used, cluster, *([WEIGHT] if repeated else [])))
    roles = {"y_true": names[TRUE], "baseline": names[PREDICTED], "candidate": names[PREDICTED]}
    renamed = dict(zip(used, (*sliced, *roles), strict=True))
    return checked_cells(baseline, roles, {renamed.get(name, name): answer[name] for name in answer}, invalid, extra)


class _Side(NamedTuple):
    """One of the tables, and what its ids are like.

    Attributes
    ----------
    frame
        The table.
    prefix
        What its columns begin with in the join.
    n_missing
        Rows without an id.
    is_unique
        Whether the other rows have one each.
    """

    frame: LazyTable
    prefix: str
    n_missing: int
    is_unique: bool

    @classmethod
    def of(cls, frame: LazyTable, prefix: str) -> "_Side":
        """Look at the ids of a table."""
        ids = nw.col(ID)
        asked = frame.table.select(ids.len().alias("rows"), ids.count().alias("known"), ids.n_unique().alias("unique"))
        found = {name: int(value) for name, (value,) in frame.read(asked).items()}
        n_missing = found["rows"] - found["known"]  # which, when there are any, count as one of the unique ones
        return cls(frame, prefix, n_missing, found["unique"] - (n_missing > 0) == found["known"])

    @property
    def known(self) -> nw.LazyFrame[Any]:
        """The rows that have an id, with the prefix before all names but that of the slices."""
        prefixed = {name: self.prefix + name for name in self.frame.table.collect_schema() if name != BY}
        return self.frame.table.filter(~nw.col(ID).is_null()).rename(prefixed)

    def each_id(self, *, several: bool) -> nw.LazyFrame[Any]:
        """Give one row an id: how many it had, and what they say, which is one thing where it was one row.

        Where an id may have several, it also says of how many examples they seem to be.
        """
        known = self.known
        if self.is_unique and not several:
            return known.with_columns(nw.lit(1).alias(self.prefix + ROWS))
        id_, row, said, answers = (self.prefix + name for name in (ID, ROWS, PREDICTED, _ANSWERS))
        one = known.unique(id_, keep="any")  # not the largest values: in pandas 2, None has no order among texts
        if not several:
            return one.join(known.group_by(id_).agg(nw.len().alias(row)), on=id_, how="inner")
        shared = [name for name in known.collect_schema() if name not in (id_, said)]
        numbers = [nw.col(name).n_unique().alias(f"{_DIFFERENT}{name}") for name in shared]
        rows = known.group_by(id_).agg(nw.len().alias(row), nw.col(said).count().alias(answers), *numbers)
        most = nw.max_horizontal(*(f"{_DIFFERENT}{name}" for name in shared)).alias(self.prefix + _DIFFERENT)
        all_said = nw.when(nw.col(answers) == nw.col(row)).then(nw.col(said)).alias(said)
        return one.join(rows.with_columns(most), on=id_, how="inner").with_columns(all_said)

    def shares(self, *others: str) -> nw.LazyFrame[Any]:
        """Tell of every id which predictions it has, and how large a share of its rows each is."""
        id_, share = self.prefix + ID, self.prefix + WEIGHT
        rows = self.known.group_by(id_).agg(nw.len().alias(self.prefix + ROWS))
        said = self.known.group_by(id_, self.prefix + PREDICTED, *others, drop_null_keys=False)
        shares = said.agg(nw.len().alias(share)).join(rows, on=id_, how="inner")
        return shares.with_columns((nw.col(share) / nw.col(self.prefix + ROWS)).alias(share))


def _joined(baseline: nw.LazyFrame[Any], candidate: nw.LazyFrame[Any], none: tuple[str, ...]) -> nw.LazyFrame[Any]:
    """Bring together what both tables say of an id, and name its problem, but for those that begin with ``none``."""
    both = baseline.join(candidate, left_on=_BASELINE + ID, right_on=_CANDIDATE + ID, how="full")
    problem: nw.Expr = nw.lit(_NONE)
    for code, (name, applies) in reversed(list(enumerate(_PROBLEMS.items()))):
        if not name.startswith(none):
            problem = nw.when(applies).then(nw.lit(code)).otherwise(problem)
    return both.with_columns(problem.alias(_PROBLEM), nw.coalesce(_BASELINE + ID, _CANDIDATE + ID).alias(ID))


def _meetings(baseline: _Side, candidate: _Side) -> nw.LazyFrame[Any]:
    """Let the runs of both sides meet in every combination, id by id, with its share of the example."""
    others = [name for name in baseline.known.collect_schema() if name not in (_BASELINE + ID, _BASELINE + PREDICTED)]
    met = baseline.shares(*others).join(
        candidate.shares(), left_on=_BASELINE + ID, right_on=_CANDIDATE + ID, how="inner"
    )
    return met.with_columns((nw.col(_BASELINE + WEIGHT) * nw.col(_CANDIDATE + WEIGHT)).alias(WEIGHT))


def _problems(answer: Mapping[str, list[Any]], joined: nw.LazyFrame[Any], frame: LazyTable) -> list[str]:
    """Count the ids that have each problem, and show the first."""
    found = []
    for code, name in enumerate(_PROBLEMS):
        those = nw.col(_PROBLEM) == code
        n_ids = sum(n for n, problem in zip(answer[COUNT], answer[_PROBLEM], strict=True) if problem == code)
        if n_ids and code == _OTHER_TRUTH:
            n_ids, those = _really_different(joined.filter(those), frame)
        if n_ids:
            first = joined.filter(those).select(ID).sort(ID).head(_SHOWN)
            shown = ", ".join(map(_shown, frame.read(first)[ID]))
            found.append(f"{name}: {n_ids:,} ({shown}{', ...' if n_ids > _SHOWN else ''})")
    return found


def _really_different(joined: nw.LazyFrame[Any], frame: LazyTable) -> tuple[int, nw.Expr]:
    """Count the ids whose truths differ by more than their spelling, and say which these are."""
    truths = frame.read(distinct_rows(joined.select(_BASELINE + TRUE, _CANDIDATE + TRUE)))
    n_ids, those = 0, nw.col(_PROBLEM) == _OTHER_TRUTH
    for one, other, n in zip(truths[_BASELINE + TRUE], truths[_CANDIDATE + TRUE], truths[COUNT], strict=True):
        if isinstance(one, str) and tidy(one) == tidy(other):
            those &= (nw.col(_BASELINE + TRUE) != one) | (nw.col(_CANDIDATE + TRUE) != other)
        else:
            n_ids += n
    return n_ids, those


def _shown(value: object) -> str:
    """Write an id; pandas made a float of an integer when it joined."""
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)


def count_frames(
    frames: Mapping[str, Any],
    columns: Mapping[str, str],
    make: Callable[[OutcomeTable, tuple[Label, ...]], T],
    *,
    by: str | None,
    clusters: str | None,
    runs: Runs | None = None,
    labels: Iterable[Label] | None,
    invalid: Invalid,
) -> T | dict[Any, T]:
    """Count the rows of one table, or of the baseline's and the candidate's joined on their ids.

    Counts are made of all rows; with a column of slices, in a dictionary, of those with each value.
    """
    first, *others = open_frames(frames)
    beside = Extra(by, clusters, runs, NULL_WORDS if labels is None else frozenset())
    require_choice("invalid", invalid, INVALID)
    if others:
        cells = tally_joined(first, others[0], columns, beside, invalid)
    else:
        cells = tally(first, columns, beside, invalid)
        _refuse_counts(first, columns, cells)
    count = np.array(cells.count)
    if labels is not None:
        labels = [tidy(label) if isinstance(label, str) else label for label in labels]
    codes, names = encode(cells.labels, labels, count, invalid, cells.source)
    true, *predicted = codes.values()
    tables = {}
    for value, at in _positions(cells.by).items():
        sides, contents = [side[at] for side in predicted], _clusters(cells, at, beside.cluster_noun)
        tables[value] = OutcomeTable.tally(len(names), true[at], *sides, weight=count[at], clusters=contents)
    every = np.arange(len(names))
    own = _own_classes(tables, names) if labels is None else dict.fromkeys(tables, every)
    made = {}
    for value, table in tables.items():
        classes = own[value]
        of_classes = table.relabelled(np.searchsorted(classes, every), classes.size)
        made[value] = make(of_classes, tuple(names[code] for code in classes.tolist()))
    return made[None] if by is None else made


def _refuse_counts(frame: LazyTable, columns: Mapping[str, str], cells: Cells) -> None:
    """Refuse pairs with their numbers, each of which would count as one example."""
    counts = [name for name in frame.table.collect_schema() if is_count(name) and name not in columns.values()]
    if counts and len(cells.count) > 1 and max(cells.count) == 1:
        problem = f"Are these counts? Every pair of labels is there once, beside a column {shown(counts[0])}"
        advice = "If they are, pass them to from_cells. If not, leave the column out."
        raise InputError.plain(frame.where, problem, advice)


def _clusters(cells: Cells, at: npt.NDArray[np.int64], noun: str) -> ClusterContents | None:
    """Put the cells at these positions into their clusters."""
    if cells.cluster is None:
        return None
    count, times = np.array(cells.count)[at], np.array(cells.n_clusters)[at]
    _, first, cluster = np.unique(np.array(cells.cluster)[at], return_index=True, return_inverse=True)
    return ClusterContents.of_rows(cluster, count / times, n_clusters=times[first], noun=noun)


def _positions(by: list[Any]) -> dict[Any, npt.NDArray[np.int64]]:
    """Find the cells of each slice, in the order of the slices; those without a value come last."""
    found: dict[Any, list[int]] = {}
    for position, value in enumerate(by):
        found.setdefault(value, []).append(position)
    first = sorted(value for value in found if value is not None)
    return {value: np.array(found[value]) for value in [*first, None] if value in found}


def _own_classes(tables: Mapping[Any, OutcomeTable], names: tuple[Label, ...]) -> dict[Any, Codes]:
    """Return the classes of every slice: those that it lacks would drag its averages down."""
    always = np.flatnonzero([name is UNREADABLE for name in names])
    own = {value: np.union1d(table.true, np.append(table.predicted, always)) for value, table in tables.items()}
    alone = [value for value, classes in own.items() if classes.size < 2 + always.size]
    if alone:
        problem = f"Slices with one class only: {first_few(map(shown, alone))}"
        advice = f"Leave these rows out, or pass {arg('labels', [...])}."
        raise InputError.plain("by", problem, advice)
    return own


def read_columns(
    frame: Any, ids: str, names: Mapping[str, str], labels: Iterable[Label] | None
) -> dict[str, list[Any] | LabelArray]:
    """Read a column of ids and columns of labels, each by what it is used as, example by example."""
    (table,) = open_frames({"frame": frame})
    picked = pick(table, {"ids": ids, **names})
    columns = picked.read(picked.table)
    return {"ids": columns.pop("ids"), **read_labels(columns, labels, source=table.source)}


def frame_of(columns: Mapping[str, list[Any]], library: Any) -> Any:
    """Make a data frame."""
    try:
        return nw.from_dict(columns, backend=library).to_native()
    except (ImportError, ValueError) as error:
        problem = f"{shown(library)} cannot be used: {flowed(error).removesuffix('.')}"
        raise InputError.plain("library", problem, "Pass pandas, polars or pyarrow, whichever you have.") from None
