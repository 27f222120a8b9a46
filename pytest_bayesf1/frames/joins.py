"""Two tables of predictions about the same examples, joined on their ids where they are.

A full join brings together what the tables say of an id, and one group-by of it counts both the outcomes and whatever
keeps the tables from fitting together. Ids that repeat would multiply in the join, so that they are made one before.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.columns import alike, pick
from pytest_bayesf1.frames.group_by import (
    BY,
    COUNT,
    UNIT,
    WEIGHT,
    Cells,
    Extra,
    checked_cells,
    outcomes,
    outcomes_of_units,
)
from pytest_bayesf1.frames.lazy_table import LazyTable
from pytest_bayesf1.settings import COUNT_AS_WRONG, Invalid

ID, TRUE, PREDICTED, ROWS = "id", "y_true", "y_pred", "rows"
_PROBLEM, _DIFFERENT, _NONE = "problem", "different_", -1
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
    "ids without a unit in baseline": nw.col(_BASELINE + UNIT).is_null(),
    "ids without a unit in candidate": nw.col(_CANDIDATE + UNIT).is_null(),
    "ids in another unit in candidate": nw.col(_BASELINE + UNIT) != nw.col(_CANDIDATE + UNIT),
    "ids with another y_true in candidate": nw.col(_BASELINE + TRUE) != nw.col(_CANDIDATE + TRUE),
}
"""An id has the first problem that applies."""
_OTHER_TRUTH = len(_PROBLEMS) - 1
_OF_REPEATED = ("repeated ids in baseline", "repeated ids in candidate")
_OF_ROWS = tuple(f"ids whose rows differ in more than y_pred in {side}" for side in ("baseline", "candidate"))
_OF_UNITS = (
    "ids without a unit in baseline",
    "ids without a unit in candidate",
    "ids in another unit in candidate",
)
_WITHOUT_PREDICTION = ("ids without y_pred in baseline", "ids without y_pred in candidate")


def tally_joined(
    baseline: LazyTable,
    candidate: LazyTable,
    names: Mapping[str, str],
    extra: Extra,
    tidy: Callable[[str], str],
    invalid: Invalid,
) -> Cells:
    """Count the examples for each combination of the truth, both predictions, and the values of ``by``.

    Parameters
    ----------
    baseline, candidate
        The tables of the baseline, which has the slices, and of the candidate.
    names
        Their columns ``id``, ``y_true`` and ``y_pred`` by these uses.
    extra
        The columns of slices, which the baseline alone has, and of units.
    tidy
        Writes text that is the same label in the same way.
    invalid
        What becomes of predictions that are missing.

    Raises
    ------
    InputError
        When a column is missing, or the tables are not about the same examples with the same truth. It counts what is
        wrong, and names the first ids of each kind.
    """
    units = {use: name for use, name in extra.by_use.items() if use == UNIT}
    repeated = extra.runs is not None
    shared = {**names, **units}
    baseline, candidate = alike(pick(baseline, {**names, **extra.by_use}), pick(candidate, shared), shared)
    sides = _Side.of(baseline, _BASELINE), _Side.of(candidate, _CANDIDATE)
    none = {*(_OF_REPEATED if repeated else _OF_ROWS), *(() if units else _OF_UNITS)}
    if invalid == "wrong":
        none.update(_WITHOUT_PREDICTION)
    joined = _joined(sides[0].each_id(several=repeated), sides[1].each_id(several=repeated), none)
    sliced = [use for use in extra.by_use if use == BY]
    used = [*sliced, _BASELINE + TRUE, _BASELINE + PREDICTED, _CANDIDATE + PREDICTED]
    in_units = units or repeated
    answer = baseline.read(outcomes(joined.select(_PROBLEM, *(() if in_units else used))))
    _require_none(
        [*(problem for side in sides for problem in side.problems), *_problems(answer, joined, baseline, tidy)]
    )
    if in_units:
        rows = _meetings(*sides) if repeated else joined
        unit = nw.col(_BASELINE + (UNIT if units else ID)).alias(UNIT)
        answer = outcomes_of_units(baseline, rows.select(*used, unit, *([WEIGHT] if repeated else [])))
    roles = {"y_true": names[TRUE], "baseline": names[PREDICTED], "candidate": names[PREDICTED]}
    renamed = dict(zip(used, (*sliced, *roles), strict=True))
    return checked_cells(baseline, roles, {renamed.get(name, name): answer[name] for name in answer}, invalid)


@dataclass(frozen=True, eq=False)
class _Side:
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

        Where an id may have several, it is also told of how many examples they seem to be.
        """
        known = self.known
        if self.is_unique and not several:
            return known.with_columns(nw.lit(1).alias(self.prefix + ROWS))
        id_, told = self.prefix + ID, [name for name in known.collect_schema() if name != self.prefix + ID]
        values = [nw.col(name).max() for name in told]
        shared = [name for name in told if name != self.prefix + PREDICTED]
        numbers = [nw.col(name).n_unique().alias(f"{_DIFFERENT}{name}") for name in shared] if several else []
        rows = known.group_by(id_).agg(nw.len().alias(self.prefix + ROWS), *values, *numbers)
        most = nw.max_horizontal(*(f"{_DIFFERENT}{name}" for name in shared)).alias(self.prefix + _DIFFERENT)
        return rows.with_columns(most) if several else rows

    def shares(self, *others: str) -> nw.LazyFrame[Any]:
        """Tell of every id which predictions it has, and how large a share of its rows each is."""
        id_, share = self.prefix + ID, self.prefix + WEIGHT
        rows = self.known.group_by(id_).agg(nw.len().alias(self.prefix + ROWS))
        said = self.known.group_by(id_, self.prefix + PREDICTED, *others, drop_null_keys=False)
        shares = said.agg(nw.len().alias(share)).join(rows, on=id_, how="inner")
        return shares.with_columns((nw.col(share) / nw.col(self.prefix + ROWS)).alias(share))

    @property
    def problems(self) -> list[str]:
        """What is wrong with rows that no join can find."""
        return [f"rows without id in {self.frame.where}: {self.n_missing:,}"] if self.n_missing else []


def _joined(baseline: nw.LazyFrame[Any], candidate: nw.LazyFrame[Any], none: Collection[str]) -> nw.LazyFrame[Any]:
    """Bring together what both tables say of an id, and name its problem, but for those that are ``none``."""
    both = baseline.join(candidate, left_on=_BASELINE + ID, right_on=_CANDIDATE + ID, how="full")
    problem: nw.Expr = nw.lit(_NONE)
    for code, (name, applies) in reversed(list(enumerate(_PROBLEMS.items()))):
        if name not in none:
            problem = nw.when(applies).then(nw.lit(code)).otherwise(problem)
    return both.with_columns(problem.alias(_PROBLEM), nw.coalesce(_BASELINE + ID, _CANDIDATE + ID).alias(ID))


def _meetings(baseline: _Side, candidate: _Side) -> nw.LazyFrame[Any]:
    """Let the runs of both sides meet in every combination, id by id, with its share of the example."""
    others = [name for name in baseline.known.collect_schema() if name not in (_BASELINE + ID, _BASELINE + PREDICTED)]
    met = baseline.shares(*others).join(
        candidate.shares(), left_on=_BASELINE + ID, right_on=_CANDIDATE + ID, how="inner"
    )
    return met.with_columns((nw.col(_BASELINE + WEIGHT) * nw.col(_CANDIDATE + WEIGHT)).alias(WEIGHT))


def _problems(
    answer: Mapping[str, list[Any]], joined: nw.LazyFrame[Any], frame: LazyTable, tidy: Callable[[str], str]
) -> list[str]:
    """Count the ids that have each problem, and show the first."""
    found = []
    for code, name in enumerate(_PROBLEMS):
        those = nw.col(_PROBLEM) == code
        n_ids = sum(n for n, problem in zip(answer[COUNT], answer[_PROBLEM], strict=True) if problem == code)
        if n_ids and code == _OTHER_TRUTH:
            n_ids, those = _really_different(joined.filter(those), frame, tidy)
        if n_ids:
            first = joined.filter(those).select(ID).sort(ID).head(_SHOWN)
            shown = ", ".join(map(_shown, frame.read(first)[ID]))
            found.append(f"{name}: {n_ids:,} ({shown}{', ...' if n_ids > _SHOWN else ''})")
    return found


def _really_different(joined: nw.LazyFrame[Any], frame: LazyTable, tidy: Callable[[str], str]) -> tuple[int, nw.Expr]:
    """Count the ids whose truths differ by more than their spelling, and say which these are."""
    truths = frame.read(outcomes(joined.select(_BASELINE + TRUE, _CANDIDATE + TRUE)))
    n_ids, those = 0, nw.col(_PROBLEM) == _OTHER_TRUTH
    for one, other, n in zip(truths[_BASELINE + TRUE], truths[_CANDIDATE + TRUE], truths[COUNT], strict=True):
        if isinstance(one, str) and tidy(one) == tidy(other):
            those &= (nw.col(_BASELINE + TRUE) != one) | (nw.col(_CANDIDATE + TRUE) != other)
        else:
            n_ids += n
    return n_ids, those


def _require_none(problems: list[str]) -> None:
    if problems:
        raise InputError(
            "baseline and candidate",
            "the same ids in both, each once, with the same y_true and a y_pred",
            ", ".join(problems),
            f"For two different test sets count each with ConfusionMatrix.from_frame. {COUNT_AS_WRONG} "
            "Several answers of a system to one example are runs='samples'.",
        )


def _shown(value: object) -> str:
    """Write an id; pandas made a float of an integer when it joined."""
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)
