"""Which rows of a test set are of which example, which run, and which unit."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from pytest_bayesf1._util import counted, first_few, require_choice
from pytest_bayesf1.arrays import Codes, LabelArray
from pytest_bayesf1.counts.labels import label_column
from pytest_bayesf1.counts.runs import NO_RUN
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.settings import Runs

FEWEST_SEEDS = 3
WHAT_RUNS_ARE = (
    "Several predictions of an example: runs='samples' if the same system was asked again, "
    "runs='seeds' if a recipe was trained again."
)


@dataclass(frozen=True, eq=False)
class Examples:
    """N examples of a test set, and where their predictions stand.

    Attributes
    ----------
    ids : (N,) or None
        One identifier per example.
    clusters : (N,) or None
        The unit that each example belongs to.
    runs
        What several predictions of an example are; None where there is one of each.
    example, run : (K,)
        Of each of K predictions its example's position, and its position among the example's runs.
    first : (N,)
        Position of each example's first prediction.
    unit_noun
        What the units are called, in the plural: by the name of the column that tells them, if it has one.
    """

    ids: LabelArray | None
    clusters: LabelArray | None
    runs: Runs | None
    example: Codes
    run: Codes
    first: Codes
    unit_noun: str = "examples"

    @classmethod
    def read(
        cls,
        n_rows: int,
        ids: Iterable[Any] | None,
        clusters: Iterable[Any] | None,
        runs: str | None = None,
        run_ids: Iterable[Any] | None = None,
        per_row: Sequence[int] | None = None,
    ) -> Self:
        """Check the columns that tell rows apart.

        Parameters
        ----------
        n_rows
            Rows of the test set, K or N.
        ids, clusters
            One per row, where they are known.
        runs
            ``samples`` or ``seeds`` where an example has several predictions.
        run_ids
            Which run each row is of, where an example has several rows.
        per_row : (N,), optional
            How many predictions each row holds; None where a row is a prediction.

        Raises
        ------
        InputError
            When they are too few or too many, an id stands there twice though nothing is said of runs, or rows of an
            example contradict one another.
        """
        if runs is not None:
            require_choice("runs", runs, Runs)
        names = {"ids": (ids, "id"), "clusters": (clusters, "unit"), "run_ids": (run_ids, "run")}
        columns = {where: _column(values, where, noun, n_rows) for where, (values, noun) in names.items()}
        if runs is None:
            if run_ids is not None:
                raise InputError("runs", "'samples' or 'seeds' beside run_ids", "nothing", WHAT_RUNS_ARE)
            found = cls._of_single_predictions(n_rows, columns["ids"], columns["clusters"])
        elif per_row is not None:
            found = cls._of_wide_table(np.asarray(per_row), columns["ids"], columns["clusters"], Runs(runs))
        else:
            found = cls._of_long_table(columns["ids"], columns["clusters"], Runs(runs), columns["run_ids"])
        return replace(found, unit_noun=_unit_noun(clusters))

    @classmethod
    def _of_single_predictions(cls, n_rows: int, ids: LabelArray | None, clusters: LabelArray | None) -> Self:
        _require_once(ids)
        rows = np.arange(n_rows)
        return cls(ids, clusters, None, rows, np.zeros_like(rows), rows)

    @classmethod
    def _of_wide_table(cls, per_row: Codes, ids: LabelArray | None, clusters: LabelArray | None, runs: Runs) -> Self:
        _require_once(ids)
        example = np.repeat(np.arange(per_row.size), per_row)
        first = np.cumsum(per_row) - per_row
        return cls(ids, clusters, runs, example, np.arange(example.size) - first[example], first)

    @classmethod
    def _of_long_table(
        cls, ids: LabelArray | None, clusters: LabelArray | None, runs: Runs, run_ids: LabelArray | None
    ) -> Self:
        if ids is None:
            expected = "predictions of shape (N, R), or the id of the example of every prediction"
            raise InputError("ids", expected, "one prediction per example and no ids", WHAT_RUNS_ARE)
        if runs is Runs.SEEDS and run_ids is None:
            advice = "Pass run_ids=..., or predictions of shape (N, R) with a column per training."
            raise InputError("run_ids", "which training each prediction is of, for runs='seeds'", "nothing", advice)
        unique, first, example = np.unique(ids, return_index=True, return_inverse=True)
        run = _places(example) if run_ids is None else np.unique(run_ids, return_inverse=True)[1]
        found = cls(unique, None if clusters is None else clusters[first], runs, example, run, first)
        if clusters is not None:
            found.require_agreement(clusters, "clusters")
        found._require_each_run_once()
        return found

    @property
    def n(self) -> int:
        """Number of examples, N."""
        return int(self.first.size)

    @property
    def belonging(self) -> tuple[LabelArray | None, LabelArray | None, Runs | None, str]:
        """What `Predictions` keep beside the truth and the predictions, in their order."""
        return self.ids, self.clusters, self.runs, self.unit_noun

    def require_agreement(self, values: npt.NDArray[Any], where: str) -> None:
        """Require the same value in all rows of an example.

        Parameters
        ----------
        values : (K,)
            A column.
        where
            What error messages call it.

        Raises
        ------
        InputError
            Naming an example whose rows differ.
        """
        differs = np.flatnonzero(values != values[self.first][self.example])
        if differs.size:
            assert self.ids is not None
            name = self.ids[self.example[differs[0]]]
            raise InputError(where, "the same value in every row of an example", f"several for id {name!s}")

    def in_runs(self, predicted: Codes) -> Codes:
        """Lay predictions out by example and run.

        Parameters
        ----------
        predicted : (K,)
            In the order of the rows.

        Returns
        -------
        (N,), or (N, R) where there are runs
            With `NO_RUN` where an example has fewer.
        """
        if self.runs is None:
            return predicted
        laid_out = np.full((self.n, int(self.run.max()) + 1), NO_RUN, dtype=np.int64)
        laid_out[self.example, self.run] = predicted
        return laid_out

    def require_whole_runs(self, laid_out: Codes) -> None:
        """Require of trainings that there are enough, and that each has a prediction of every example.

        Parameters
        ----------
        laid_out
            As `in_runs` returns them.

        Raises
        ------
        InputError
            When there are fewer than three, or one lacks an example.
        """
        if self.runs is not Runs.SEEDS:
            return
        lacking = np.flatnonzero((laid_out == NO_RUN).any(axis=0))
        if lacking.size:
            found = f"run {lacking[0] + 1} without {counted(int((laid_out[:, lacking[0]] == NO_RUN).sum()), 'example')}"
            raise InputError("y_pred", "a prediction of every example by every training", found)
        if laid_out.shape[1] < FEWEST_SEEDS:
            expected = f"at least {FEWEST_SEEDS} trainings: fewer do not tell how much they vary"
            raise InputError("runs", expected, f"{laid_out.shape[1]}")

    def _require_each_run_once(self) -> None:
        keys, times = np.unique(np.stack([self.example, self.run]), axis=1, return_counts=True)
        twice = np.flatnonzero(times > 1)
        if twice.size:
            assert self.ids is not None
            raise InputError(
                "run_ids", "each run of an example once", f"one twice for id {self.ids[keys[0, twice[0]]]!s}"
            )


def _unit_noun(clusters: Any) -> str:
    if clusters is None:
        return "examples"
    name = getattr(clusters, "name", None)
    return f"units of {name}" if isinstance(name, str) and name else "units"


def _column(values: Iterable[Any] | None, where: str, noun: str, n_rows: int) -> LabelArray | None:
    if values is None:
        return None
    array = label_column(values, where, noun=noun).copy()
    if array.size != n_rows:
        raise InputError(where, f"{n_rows} {where.replace('_', ' ')}, one per example", f"{array.size}")
    return array


def _require_once(ids: LabelArray | None) -> None:
    if ids is None:
        return
    unique, times = np.unique(ids, return_counts=True)
    if unique.size < ids.size:
        twice = unique[times > 1].tolist()
        found = f"{counted(len(twice), 'duplicate id')} ({first_few(map(repr, twice))})"
        raise InputError("ids", "each id once", found, WHAT_RUNS_ARE)


def _places(example: Codes) -> Codes:
    """Give the rows of every example their numbers: 0 for its first, 1 for its second."""
    order = np.argsort(example, kind="stable")
    starts = np.searchsorted(example[order], example[order])
    places = np.empty(example.size, dtype=np.int64)
    places[order] = np.arange(example.size) - starts
    return places
