"""Predictions of one side, with ids, clusters, repeated runs and columns to show."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, issparse, vstack

from pytest_bayesf1.arrays import Bools, Codes, Floats, LabelArray, Weights
from pytest_bayesf1.choices import Runs
from pytest_bayesf1.data.labels import identifiers, is_missing, require_unique
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable, ScoreTable, TableT
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.comparison import LONGEST_EXCERPT
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted, flowed
from pytest_bayesf1.values import require_choice

NO_RUN = -1
"""Stands where an example has fewer runs than others."""

_DIGITS = 6


def combined(sides: Sequence[Codes]) -> tuple[Codes, list[Codes], Floats]:
    """Let the predictions of several sides meet, example by example: those of two in every combination.

    The combinations of more would be too many. Theirs meet in the order of their codes, which makes no difference to
    any side's own counts.
    """
    shared = [_shares(side.reshape(len(side), -1)) for side in sides]
    example, predicted, weight = shared[0]
    if len(shared) == 1:
        return example, [predicted], weight
    if len(shared) > 2:
        return _in_step(shared)
    other_example, other_predicted, other_weight = shared[1]
    first, second = _meetings(example, other_example)
    return example[first], [predicted[first], other_predicted[second]], weight[first] * other_weight[second]


def moved(baseline: Codes, candidate: Codes) -> tuple[Codes, Codes, Codes, Floats]:
    """Tell which shares of the examples are predicted otherwise, where the runs of both sides agree as far as they can.

    What one side predicts more often than the other meets, example by example, what the other predicts more often.

    Examples
    --------
    >>> [found.tolist() for found in moved(np.array([[0, 0], [1, 1]]), np.array([[0, 2], [1, 1]]))]
    [[0], [0], [2], [0.5]]
    """
    sides = [_shares(side.reshape(len(side), -1)) for side in (baseline, candidate)]
    n_codes = 1 + max(int(predicted.max()) for _, predicted, _ in sides)
    keys = np.concatenate([example * n_codes + predicted for example, predicted, _ in sides])
    surplus = np.concatenate([sides[0][2], -sides[1][2]])
    keys, place = np.unique(keys, return_inverse=True)
    surplus = np.bincount(place, surplus).round(12)
    example, predicted = np.divmod(keys, n_codes)
    given, taken = np.flatnonzero(surplus > 0), np.flatnonzero(surplus < 0)
    first, second = _meetings(example[given], example[taken])
    given, taken = given[first], taken[second]
    total = np.bincount(example, surplus.clip(min=0))[example[given]]
    return example[given], predicted[given], predicted[taken], -surplus[given] * surplus[taken] / total


def _in_step(shared: Sequence[tuple[Codes, Codes, Floats]]) -> tuple[Codes, list[Codes], Floats]:
    """Cut the examples wherever the share of a prediction ends on any side."""
    ends = [_ends(example, weight) for example, _, weight in shared]
    cuts = np.unique(np.concatenate(ends))
    example = np.ceil(cuts).astype(np.int64) - 1
    weight = (cuts - np.maximum(np.append(0.0, cuts[:-1]), example)).round(_DIGITS)
    predicted = [side[1][np.searchsorted(end, cuts)] for side, end in zip(shared, ends, strict=True)]
    return example, predicted, weight / np.bincount(example, weight)[example]


def _ends(example: Codes, weight: Floats) -> Floats:
    """Where each share ends if those of example i fill the numbers from i to i + 1."""
    up_to = weight.cumsum()
    return np.asarray((example + up_to - np.append(0.0, up_to)[np.searchsorted(example, example)]).round(_DIGITS))


def _meetings(example: Codes, other: Codes) -> tuple[Codes, Codes]:
    """Return the positions of all pairs of equal numbers in two sorted arrays."""
    starts = np.searchsorted(other, example)
    meetings = np.searchsorted(other, example, side="right") - starts
    first = np.repeat(np.arange(example.size), meetings)
    return first, starts[first] + np.arange(first.size) - np.repeat(meetings.cumsum() - meetings, meetings)


def _shares(runs: Codes) -> tuple[Codes, Codes, Floats]:
    """Count how large a share of an example's runs each prediction has; sorted by example."""
    example, run = np.nonzero(runs != NO_RUN)
    n_codes = int(runs.max()) + 1
    keys, times = np.unique(example * n_codes + runs[example, run], return_counts=True)
    example, predicted = np.divmod(keys, n_codes)
    return example, predicted, times / np.bincount(example, times)[example]


FEWEST_SEEDS = 3


WHAT_RUNS_ARE = (
    "For several predictions of an example, pass runs: samples if you asked the same system again, runs: seeds if you "
    "trained a recipe again."
)


class Examples(NamedTuple):
    """N examples of a test set, and where their predictions stand.

    Attributes
    ----------
    ids : (N,) or None
        One identifier per example.
    clusters : (N,) or None
        The cluster that each example belongs to.
    runs
        What several predictions of an example are; None where there is one of each.
    example, run : (K,)
        Of each of K predictions its example's position, and its position among the example's runs.
    first : (N,)
        Position of each example's first prediction.
    cluster_noun
        What the clusters are called, in the plural: by the name of the column that tells them, if it has one.
    """

    ids: LabelArray | None
    clusters: LabelArray | None
    runs: Runs | None
    example: Codes
    run: Codes
    first: Codes
    cluster_noun: str = "examples"

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
        """Check the columns that tell rows apart."""
        if runs is not None:
            require_choice("runs", runs, Runs)
        nouns = {"ids": (ids, "id"), "clusters": (clusters, "cluster"), "run_ids": (run_ids, "run id")}
        columns = {
            where: None if values is None else identifiers(values, n_rows, where, noun)
            for where, (values, noun) in nouns.items()
        }
        if runs is None and run_ids is not None:
            problem = "run_ids tell runs apart, but nothing says what the runs are"
            raise InputError.plain("runs", problem, WHAT_RUNS_ARE)
        if runs is not None and per_row is None:
            found = cls._of_long_table(columns["ids"], columns["clusters"], Runs(runs), columns["run_ids"])
        else:
            if columns["ids"] is not None:
                require_unique(columns["ids"], advice=WHAT_RUNS_ARE)
            n_runs = np.ones(n_rows, dtype=np.int64) if per_row is None else np.asarray(per_row)
            example, first = np.repeat(np.arange(n_rows), n_runs), np.cumsum(n_runs) - n_runs
            run = np.arange(example.size) - first[example]
            found = cls(columns["ids"], columns["clusters"], None if runs is None else Runs(runs), example, run, first)
        name = getattr(clusters, "name", None)
        named = f"clusters of {name}" if isinstance(name, str) and name else "clusters"
        return found._replace(cluster_noun="examples" if clusters is None else named)

    @classmethod
    def _of_long_table(
        cls, ids: LabelArray | None, clusters: LabelArray | None, runs: Runs, run_ids: LabelArray | None
    ) -> Self:
        if ids is None:
            advice = "Pass ids, the example of every prediction; or predictions of shape (N, R)."
            raise InputError.plain("ids", "Nothing says which predictions are of the same example", advice)
        if runs is Runs.SEEDS and run_ids is None:
            problem = "Nothing says which training each prediction is of"
            advice = "Pass run_ids, or predictions of shape (N, R) with a column per training."
            raise InputError.plain("run_ids", problem, advice)
        unique, first, example = np.unique(ids, return_index=True, return_inverse=True)
        run = _places(example) if run_ids is None else np.unique(run_ids, return_inverse=True)[1]
        found = cls(unique, None if clusters is None else clusters[first], runs, example, run, first)
        if clusters is not None:
            found.require_agreement(clusters, "clusters")
        keys, times = np.unique(np.stack([example, run]), axis=1, return_counts=True)
        twice = np.flatnonzero(times > 1)
        if twice.size:
            name = shown(unique[keys[0, twice[0]]])
            raise InputError.plain("run_ids", f"The id {name} has two predictions of the same run")
        return found

    @property
    def n(self) -> int:
        """Number of examples, N."""
        return int(self.first.size)

    @property
    def belonging(self) -> tuple[LabelArray | None, LabelArray | None, Runs | None, str]:
        """What `Predictions` keep beside the truth and the predictions, in their order."""
        return self.ids, self.clusters, self.runs, self.cluster_noun

    def require_agreement(self, values: npt.NDArray[Any], where: str) -> None:
        """Require the same value in all rows of an example."""
        differs = np.flatnonzero(values != values[self.first][self.example])
        if differs.size:
            assert self.ids is not None
            name = self.ids[self.example[differs[0]]]
            raise InputError(where, "the same value in every row of an example", f"several for id {shown(name)}")

    def in_runs(self, predicted: Codes) -> Codes:
        """Lay predictions out by example and run."""
        if self.runs is None:
            return predicted
        laid_out = np.full((self.n, int(self.run.max()) + 1), NO_RUN, dtype=np.int64)
        laid_out[self.example, self.run] = predicted
        return laid_out

    def require_whole_runs(self, laid_out: Codes) -> None:
        """Require of trainings that there are enough, and that each has a prediction of every example."""
        if self.runs is not Runs.SEEDS:
            return
        lacking = np.flatnonzero((laid_out == NO_RUN).any(axis=0))
        if lacking.size:
            n_lacking = int((laid_out[:, lacking[0]] == NO_RUN).sum())
            problem = f"Training {lacking[0] + 1} has no prediction of {counted(n_lacking, 'example')}"
            raise InputError.plain("y_pred", problem, "Every training has to predict every example.")
        if laid_out.shape[1] < FEWEST_SEEDS:
            expected = f"at least {FEWEST_SEEDS} trainings, to estimate how much they vary"
            raise InputError("runs", expected, f"{laid_out.shape[1]}")


def _places(example: Codes) -> Codes:
    """Give the rows of every example their numbers: 0 for its first, 1 for its second."""
    order = np.argsort(example, kind="stable")
    starts = np.searchsorted(example[order], example[order])
    places = np.empty(example.size, dtype=np.int64)
    places[order] = np.arange(example.size) - starts
    return places


Show: TypeAlias = Iterable[Any] | Mapping[str, Iterable[Any]] | None
"""A value for every row, or several columns of them by name."""

Shown: TypeAlias = tuple[tuple[str, npt.NDArray[Any]], ...]
"""Columns by name, with a value for every example."""


def read_shown(show: Show, n_rows: int, first: Codes | None = None) -> Shown:
    """Check what is to be shown."""
    if show is None:
        return ()
    columns = show if isinstance(show, Mapping) else {str(getattr(show, "name", None) or "shown"): show}
    found = []
    for name, values in columns.items():
        listed = [values] if isinstance(values, str) else list(values)
        if len(listed) != n_rows:
            raise InputError(
                "show", f"{counted(n_rows, 'value')}, one per example", f"{len(listed):,} of {shown(name)}"
            )
        column = np.empty(n_rows, dtype=object)
        column[:] = listed
        found.append((str(name), column if first is None else column[first]))
    return tuple(found)


def excerpts(shown: Shown, position: int) -> tuple[str, ...]:
    """Write the beginning of every column's value on one line; nothing where it is missing.

    Examples
    --------
    >>> excerpts(read_shown({"text": ["two  words"], "url": [None]}, 1), 0)
    ('two words', '')
    """
    values = (column[position] for _, column in shown)
    texts = ("" if is_missing(value) else flowed(value) for value in values)
    return tuple(text if len(text) <= LONGEST_EXCERPT else f"{text[: LONGEST_EXCERPT - 1]}…" for text in texts)


class Changes(NamedTuple):
    """What became of true labels in another test set of the same examples.

    Attributes
    ----------
    pairs
        How often a label is there no more, and another one in its place.
    totals
        How often each label was there.
    share
        How much of the truth is another one.
    """

    pairs: Counter[tuple[int, int]]
    totals: Counter[int]
    share: float


@dataclass(frozen=True, eq=False, repr=False)
class Predictions(ABC, Generic[TableT]):
    """What each example is and what it was predicted as; they are counted in a table of their kind.

    Attributes
    ----------
    noun, truth_name, ids_name
        What error messages call an example, and the arguments that hold the truth and the identifiers.
    y_true, y_pred
        N rows each.
    ids : (N,) or None
        One identifier per example, each once.
    clusters : (N,) or None
        The cluster that each example belongs to; None where every example is its own.
    runs
        What several predictions of an example are; None where there is one.
    cluster_noun
        What the clusters are called, in the plural.
    shown
        What reports show of an example beside its id.
    """

    noun: ClassVar[str] = "example"
    truth_name: ClassVar[str] = "y_true"
    ids_name: ClassVar[str] = "ids"

    y_true: Any
    y_pred: Any
    ids: npt.NDArray[Any] | None = None
    clusters: npt.NDArray[Any] | None = None
    runs: Runs | None = None
    cluster_noun: str = "examples"
    shown: Shown = ()

    def __repr__(self) -> str:
        """Sizes, not rows."""
        return f"<{type(self).__name__} {counted(self.n_samples, self.noun)}>"

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return int(self.y_true.shape[0])

    def in_order(self, positions: Codes) -> Self:
        """Return the examples at these positions."""
        ids, clusters = (None if each is None else each[positions] for each in (self.ids, self.clusters))
        shown = tuple((name, column[positions]) for name, column in self.shown)
        y_true, y_pred = self.y_true[positions], self.y_pred[positions]
        return replace(self, y_true=y_true, y_pred=y_pred, ids=ids, clusters=clusters, shown=shown)

    def followed_by(self, other: Self) -> Self:
        """Return these examples and another side's, whose columns to show are dropped."""
        ids, clusters = (
            None if mine is None or theirs is None else np.concatenate([mine, theirs])
            for mine, theirs in ((self.ids, other.ids), (self.clusters, other.clusters))
        )
        y_true, y_pred = _stacked(self.y_true, other.y_true), _stacked(self.y_pred, other.y_pred)
        return replace(self, y_true=y_true, y_pred=y_pred, ids=ids, clusters=clusters, shown=())

    def cluster_codes(self, of_one_example: Codes) -> Codes:
        """(N,) the position of each example's cluster; what is given where every example is its own."""
        return of_one_example if self.clusters is None else np.unique(self.clusters, return_inverse=True)[1]

    def contents(self, cluster: Codes, weight: Weights | None = None) -> ClusterContents:
        """Put rows into the clusters of these positions."""
        return ClusterContents.of_rows(cluster, weight, noun=self.cluster_noun)

    @property
    def n_runs(self) -> int:
        """The most predictions that an example has."""
        return 1

    def trainings(self, n_labels: int) -> list[OutcomeTable]:  # noqa: ARG002
        """Count the outcomes of every training of a recipe on its own; none where the side is one classifier."""
        return []

    @abstractmethod
    def tally(self, n_labels: int, *others: Self) -> TableT:
        """Count the outcomes, joint with those of others on the same examples."""

    @abstractmethod
    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Return the same predictions over other labels."""

    @abstractmethod
    def errors(self) -> Floats:
        """(N,) how wrong the prediction of each example is, in a unit of the kind's own."""

    @abstractmethod
    def wrong_about(self, other: Self, n_labels: int) -> Self:
        """Return predictions of another side's examples as this side might make them, all wrong."""

    def differs(self, other: Self) -> Bools:
        """(N,) whether the truth of each example differs from another side's."""
        return np.asarray(self.y_true != other.y_true)

    def changes(self, other: Self) -> "Changes":
        """Say what became of this side's true labels in another side's truth of the same examples."""
        differs = self.differs(other)
        pairs = Counter(zip(self.y_true[differs].tolist(), other.y_true[differs].tolist(), strict=True))
        return Changes(pairs, Counter(self.y_true.tolist()), int(differs.sum()) / self.n_samples)

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Write for an error message how an example's truth differs from another side's."""
        own, others = self._named(self.y_true[[position]], labels), self._named(other.y_true[[position]], labels)
        return f"{shown(own[0])} and {shown(others[0])}"

    def columns(self, labels: tuple[Label, ...]) -> dict[str, list[Any]]:
        """Write what is known of every example out by names: ``id``, ``cluster``, ``y_true``, ``y_pred``.

        Examples with ids come in the order of these; several predictions are a list.
        """
        ordered = self if self.ids is None else self.in_order(np.argsort(self.ids, kind="stable"))
        known = {"id": ordered.ids, "cluster": ordered.clusters}
        return {name: values.tolist() for name, values in known.items() if values is not None} | {
            "y_true": self._named(ordered.y_true, labels),
            "y_pred": self._named(ordered.y_pred, labels),
        }

    def truths(self, labels: tuple[Label, ...]) -> list[Any]:
        """Name the truth of every example, by its id where ids are known; of bare values there is none."""
        true = self._named(self.y_true, labels) if labels else [None] * self.n_samples
        return true if self.ids is None else list(zip(self.ids.tolist(), true, strict=True))

    @abstractmethod
    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        """Turn codes into names, example by example."""


def _stacked(first: Any, second: Any) -> Any:
    return vstack([first, second], format="csr") if issparse(first) else np.concatenate([first, second])


class ClassPredictions(Predictions[OutcomeTable]):
    """One class per example: ``y_true`` holds (N,) codes; ``y_pred`` too, or (N, R) of as many runs as there are.

    Where an example has fewer runs than others, `NO_RUN` fills its row up.
    """

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count how often each combination of true class and predictions occurs.

        The runs of an example share its one vote, and those of two sides meet in every combination.
        """
        sides = (self, *others)
        if all(side.runs is None for side in sides) and self.clusters is None:
            return OutcomeTable.tally(n_labels, self.y_true, *(side.y_pred for side in sides))
        example, predicted, weight = combined([side.y_pred for side in sides])
        clusters = self.contents(self.cluster_codes(np.arange(self.n_samples))[example], weight)
        return OutcomeTable.tally(n_labels, self.y_true[example], *predicted, clusters=clusters)

    @property
    def n_runs(self) -> int:
        """The most predictions that an example has."""
        return 1 if self.runs is None else int(self.y_pred.shape[1])

    def trainings(self, n_labels: int) -> list[OutcomeTable]:
        """Count the outcomes of every training on its own."""
        if self.runs is not Runs.SEEDS:
            return []
        return [OutcomeTable.tally(n_labels, self.y_true, training) for training in self.y_pred.T]

    def errors(self) -> Floats:
        """(N,) the share of an example's predictions that are wrong."""
        said = self.y_pred.reshape(self.n_samples, -1)
        known = said != NO_RUN
        return np.asarray(((said != self.y_true[:, None]) & known).sum(axis=1) / known.sum(axis=1))

    def wrong_about(self, other: Self, n_labels: int) -> Self:
        """Take every example for one of the commonest class, and those of that class for the next."""
        second, first = np.argsort(np.bincount(other.y_true, minlength=n_labels), kind="stable")[-2:]
        said = np.where(other.y_true == first, second, first)
        runs = said if self.y_pred.ndim == 1 else np.repeat(said[:, None], self.y_pred.shape[1], axis=1)
        return replace(other, y_pred=runs, runs=self.runs)

    def relabelled(self, codes: Codes, n_labels: int) -> Self:  # noqa: ARG002
        """Look every code up in ``codes``; their number does not matter to arrays of codes."""
        return replace(self, y_true=codes[self.y_true], y_pred=np.append(codes, NO_RUN)[self.y_pred])

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        if values.ndim == 1:
            return [labels[code] for code in values.tolist()]
        return [[labels[code] for code in row if code != NO_RUN] for row in values.tolist()]


class LabelPredictions(Predictions[OutcomeTable]):
    """Any number of labels per example: ``y_true`` and ``y_pred`` are sparse (N, L) indicators, 1 for present."""

    def tally(self, n_labels: int, *others: Self) -> OutcomeTable:
        """Count the cells where anybody says present; all other examples agree that the label is absent."""
        indicators = [self.y_true, self.y_pred, *(other.y_pred for other in others)]
        says = sum(indicator * 2**bit for bit, indicator in enumerate(reversed(indicators))).tocoo()
        n_outcomes = 2 ** len(indicators)
        clusters = self.cluster_codes(np.zeros(self.n_samples, dtype=np.int64))
        sizes = np.bincount(clusters)
        keys, count = np.unique((clusters[says.row] * n_labels + says.col) * n_outcomes + says.data, return_counts=True)
        said = np.bincount(keys // n_outcomes, count, minlength=sizes.size * n_labels)
        keys = np.concatenate([keys, n_outcomes * np.arange(sizes.size * n_labels)])
        count = np.concatenate([count, np.repeat(sizes, n_labels) - said.astype(np.int64)])
        problem, outcome = np.divmod(keys, n_outcomes)
        cluster, label = np.divmod(problem, n_labels)
        codes = [2 * label + (outcome >> bit & 1) for bit in reversed(range(len(indicators)))]
        contents = None if self.clusters is None else self.contents(cluster, count)
        return OutcomeTable.tally(2 * n_labels, *codes, weight=count, multilabel=True, clusters=contents)

    def errors(self) -> Floats:
        """(N,) how many labels are missed or wrongly said to be present."""
        return np.asarray((self.y_true != self.y_pred).sum(axis=1), dtype=np.float64).ravel()

    def wrong_about(self, other: Self, n_labels: int) -> Self:  # noqa: ARG002
        """Find none of the labels."""
        return replace(other, y_pred=csr_array(other.y_true.shape, dtype=other.y_true.dtype))

    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Move the columns; new ones are empty."""
        shape = (self.n_samples, n_labels)
        moved = [csr_array((each.data, codes[each.indices], each.indptr), shape) for each in (self.y_true, self.y_pred)]
        return replace(self, y_true=moved[0], y_pred=moved[1])

    def differs(self, other: Self) -> Bools:
        """(N,) whether an example has other true labels than another classifier's."""
        return np.asarray((self.y_true != other.y_true).sum(axis=1) > 0)

    def changes(self, other: Self) -> Changes:
        """Look at every label of an example on its own."""
        own, others = (csr_array(each, dtype=np.int64) for each in (self.y_true, other.y_true))
        gone, come = own - own.multiply(others), others - own.multiply(others)
        cells, totals = (gone.T @ come).tocoo(), own.sum(axis=0).tolist()
        pairs = Counter(
            dict(zip(zip(cells.row.tolist(), cells.col.tolist(), strict=True), cells.data.tolist(), strict=True))
        )
        changed = gone.sum() + come.sum()
        return Changes(pairs, Counter(dict(enumerate(totals))), float(changed / max(own.sum() + others.sum(), 1)))

    def difference(self, other: Self, position: int, labels: tuple[Label, ...]) -> str:
        """Write the true labels as sets."""
        rows = [self._named(each.y_true[[position]], labels)[0] for each in (self, other)]
        return " and ".join(f"{{{', '.join(map(repr, present))}}}" for present in rows)

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        rows = np.split(values.indices, values.indptr[1:-1])
        return [[labels[code] for code in np.sort(row).tolist()] for row in rows]


_FEWEST = 30
"""Examples of a test set: shorter sequences that repeat are made up."""


def require_no_repetition(true: Codes, clusters: LabelArray | None) -> None:
    """Refuse a truth that repeats itself, where nothing tells the examples apart.

    Each run would count as examples of its own: four of them would halve the interval.
    """
    lengths = np.arange(1, true.size // 2 + 1)
    possible = lengths[true.size % lengths == 0].tolist()
    length = next((length for length in possible if _repeats(true, length)), true.size)
    if length < _FEWEST or length == true.size or (clusters is not None and not _repeats(clusters, length)):
        return
    if not 1 < np.unique(true[:length]).size < length:  # a real test set has several classes, one of them twice
        return
    raise InputError.plain(
        "y_true",
        f"The same {counted(length, 'example')} come {true.size // length} times, as it seems",
        "Put the runs into columns, y_pred of shape (N, R), or name every prediction's example with ids. Say "
        "runs: samples if you asked the same system again, runs: seeds if you trained a recipe again. "
        "Examples that only look alike need ids of their own.",
    )


def _repeats(values: LabelArray, length: int) -> bool:
    return bool((values[length:] == values[:-length]).all())


Y_SCORE, VALUE = "y_score", "value"


@dataclass(frozen=True, eq=False, repr=False)
class ScoredExamples(Predictions[ScoreTable]):
    """``y_true`` holds (N,) codes, ``y_pred`` the (N, C) scores. Values without a class are all of code 0.

    Attributes
    ----------
    n_averaged
        How many runs a value is the mean of, at least.
    """

    n_averaged: int = 1

    @property
    def n_runs(self) -> int:
        """The runs that a value is the mean of."""
        return self.n_averaged

    def tally(self, n_labels: int, *others: Self) -> ScoreTable:
        """Count how often each combination of true class and scores occurs."""
        clusters = None if self.clusters is None else self.contents(self.cluster_codes(self.y_true))
        scores = (side.y_pred for side in (self, *others))
        return ScoreTable.tally(max(n_labels, 1), self.y_true, *scores, clusters=clusters)

    def errors(self) -> Floats:
        """(N,) how little of the score goes to the true class."""
        scores = self.y_pred
        if scores.shape[1] > 1:
            return np.asarray(-scores[np.arange(self.n_samples), self.y_true])
        return np.asarray(np.where(self.y_true == 1, -scores[:, 0], scores[:, 0]))

    def wrong_about(self, other: Self, n_labels: int) -> Self:
        """Score every example as badly as this side scored any, for an example of its class."""
        scores, true = self.y_pred, other.y_true
        if scores.shape[1] > 1:
            worst = scores[scores.argmin(axis=0)][true]
        else:  # of the positive class, or values, of which the least is the worst
            is_negative = (true == 0) & (n_labels > 0)
            worst = np.where(is_negative[:, None], scores.max(), scores.min())
        return replace(other, y_pred=worst)

    def relabelled(self, codes: Codes, n_labels: int) -> Self:
        """Move the columns, as many as there are labels; of two classes the positive one alone has a column."""
        scores = self.y_pred
        if scores.shape[1] == n_labels:
            scores = np.empty_like(scores)
            scores[:, codes] = self.y_pred
        return replace(self, y_true=codes[self.y_true], y_pred=scores)

    def columns(self, labels: tuple[Label, ...]) -> dict[str, list[Any]]:
        """Write every example out by names, as files have them: a column of scores, or one for each label."""
        written = super().columns(labels)
        scores = np.array(written.pop("y_pred"))
        if not labels:
            del written["y_true"]
            return written | {VALUE: scores[:, 0].tolist()}
        if scores.shape[1] == 1:
            return written | {Y_SCORE: scores[:, 0].tolist()}
        return written | {f"{Y_SCORE}_{label}": column for label, column in zip(labels, scores.T.tolist(), strict=True)}

    def _named(self, values: Any, labels: tuple[Label, ...]) -> list[Any]:
        if values.ndim > 1 or not labels:
            return list(values.tolist())
        return [labels[code] for code in values.tolist()]
