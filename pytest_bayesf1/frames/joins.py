"""Two tables of predictions about the same examples, joined on their ids where they are.

Every id is looked at once: a full join of what each table says of it, from which one group-by counts both the outcomes
and whatever keeps the tables from fitting together.
"""

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw

from pytest_bayesf1.errors import InputError
from pytest_bayesf1.frames.cells import BY, Cells, checked_cells, outcomes
from pytest_bayesf1.frames.columns import alike, pick
from pytest_bayesf1.frames.opened import Opened

ID, TRUE, PREDICTED, ROWS = "id", "y_true", "y_pred", "rows"
_PROBLEM, _NONE = "problem", -1
_OURS, _THEIRS = "baseline_", "candidate_"
_SHOWN = 5

_PROBLEMS: dict[str, nw.Expr] = {
    "repeated ids in baseline": nw.col(_OURS + ROWS) > 1,
    "repeated ids in candidate": nw.col(_THEIRS + ROWS) > 1,
    "ids only in baseline": nw.col(_THEIRS + ROWS).is_null(),
    "ids only in candidate": nw.col(_OURS + ROWS).is_null(),
    "ids without y_true in baseline": nw.col(_OURS + TRUE).is_null(),
    "ids without y_true in candidate": nw.col(_THEIRS + TRUE).is_null(),
    "ids without y_pred in baseline": nw.col(_OURS + PREDICTED).is_null(),
    "ids without y_pred in candidate": nw.col(_THEIRS + PREDICTED).is_null(),
    "ids with another y_true in candidate": nw.col(_OURS + TRUE) != nw.col(_THEIRS + TRUE),
}
"""An id has the first problem that applies."""


def tally_joined(ours: Opened, theirs: Opened, names: Mapping[str, str], by: str | None) -> Cells:
    """Count the examples for each combination of the truth, both predictions, and the values of ``by``.

    Parameters
    ----------
    ours, theirs
        The tables of the baseline, which has the slices, and of the candidate.
    names
        Their columns ``id``, ``y_true`` and ``y_pred`` by these uses.
    by
        The column of slices, if any.

    Raises
    ------
    InputError
        When a column is missing, or the tables are not about the same examples with the same truth. It counts what is
        wrong, and names the first ids of each kind.
    """
    sliced = {} if by is None else {BY: by}
    ours, theirs = alike(pick(ours, {**names, **sliced}), pick(theirs, names), names)
    joined = _joined(ours.table, theirs.table)
    used = [_PROBLEM, *sliced, _OURS + TRUE, _OURS + PREDICTED, _THEIRS + PREDICTED]
    answer = ours.read(outcomes(joined.select(used)))
    problems = [*_without_id(ours), *_without_id(theirs), *_found(answer, joined, ours)]
    if problems:
        raise InputError(
            "baseline and candidate",
            "the same ids in both, each once, with the same y_true and a y_pred",
            ", ".join(problems),
            "For two different test sets count each with ConfusionMatrix.from_frame.",
        )
    roles = {"y_true": names[TRUE], "baseline": names[PREDICTED], "candidate": names[PREDICTED]}
    renamed = dict(zip((*sliced, *roles), (answer[name] for name in used[1:]), strict=True))
    return checked_cells(ours, roles, {**renamed, "count": answer["count"]})


def _joined(ours: nw.LazyFrame[Any], theirs: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Bring together what both tables say of an id, and name its problem."""
    both = _each_id(ours, _OURS).join(_each_id(theirs, _THEIRS), left_on=_OURS + ID, right_on=_THEIRS + ID, how="full")
    problem: nw.Expr = nw.lit(_NONE)
    for code, applies in reversed(list(enumerate(_PROBLEMS.values()))):
        problem = nw.when(applies).then(nw.lit(code)).otherwise(problem)
    return both.with_columns(problem.alias(_PROBLEM), nw.coalesce(_OURS + ID, _THEIRS + ID).alias(ID))


def _each_id(table: nw.LazyFrame[Any], prefix: str) -> nw.LazyFrame[Any]:
    """Leave one row an id: how many it had, and what they say, which is one thing when it was one row."""
    known = table.filter(~nw.col(ID).is_null()).rename({name: prefix + name for name in (ID, TRUE, PREDICTED)})
    others = [nw.col(name).max() for name in known.collect_schema() if name != prefix + ID]
    return known.group_by(prefix + ID).agg(nw.len().alias(prefix + ROWS), *others)


def _without_id(frame: Opened) -> list[str]:
    (n_rows,) = frame.read(frame.table.filter(nw.col(ID).is_null()).select(nw.len().alias(ROWS)))[ROWS]
    return [f"rows without id in {frame.where}: {n_rows:,}"] if n_rows else []


def _found(answer: Mapping[str, list[Any]], joined: nw.LazyFrame[Any], frame: Opened) -> list[str]:
    """Count the ids that have each problem, and show the first."""
    told = []
    for code, name in enumerate(_PROBLEMS):
        n_ids = sum(n for n, problem in zip(answer["count"], answer[_PROBLEM], strict=True) if problem == code)
        if n_ids:
            first = joined.filter(nw.col(_PROBLEM) == code).select(ID).sort(ID).head(_SHOWN)
            shown = ", ".join(map(_shown, frame.read(first)[ID]))
            told.append(f"{name}: {n_ids:,} ({shown}{', ...' if n_ids > _SHOWN else ''})")
    return told


def _shown(value: object) -> str:
    """Write an id; pandas made a float of an integer when it joined."""
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)
