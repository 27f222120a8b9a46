"""One table of questions: what is true of every example of a test set, and what sides answer.

A question is about one example: which class it has, whether a label is there, or whether a span is. Labels and spans
are asked about only where somebody gives them; of all others everybody agrees that they are absent.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pytest_bayesf1.arrays import Bools, Codes, Floats, LabelArray
from pytest_bayesf1.choices import Kind, Runs
from pytest_bayesf1.data.labels import EACH, Rows, is_missing
from pytest_bayesf1.data.outcomes import ClusterContents, OutcomeTable, ScoreTable, row_keys
from pytest_bayesf1.errors import InputError, shown
from pytest_bayesf1.results.comparison import LONGEST_EXCERPT
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted, flowed

Y_SCORE, VALUE = "y_score", "value"

_SPARSE = (Kind.LABELS, Kind.SPANS)
_SCORED = (Kind.SCORES, Kind.VALUES)

Given: TypeAlias = Codes
"""What somebody gives, a column each: the example, start and end if it is a span, and the label or type."""

Show: TypeAlias = Iterable[Any] | Mapping[str, Iterable[Any]] | None
"""A value for every row, or several columns of them by name."""

Shown: TypeAlias = tuple[tuple[str, npt.NDArray[Any]], ...]
"""Columns by name, with a value for every example."""


@dataclass(frozen=True, eq=False, repr=False)
class Questions:
    """K questions about N examples, in the order of the examples, answered by S sides.

    Attributes
    ----------
    kind
        What is asked.
    n_samples
        Number of examples, N.
    example : (K,)
        Position of each question's example.
    true : (K,)
        What is true, as `OutcomeTable` numbers it: the class; of label or type l 2l if it is absent, else 2l + 1.
    said : (S, K)
        What each side answers, likewise; of scores (S, K, C) numbers.
    place : (2, K), or (0, K)
        Start and end of a span.
    share : (K,) or None
        The question's part of its example's vote, where several sides' runs met; None where all weigh alike.
    ids : (N,) or None
        One identifier per example, each once.
    clusters : (N,) or None
        The cluster that each example belongs to; None where every example is its own.
    cluster_noun
        What the clusters are called, in the plural.
    runs
        What several answers of a side to one question are; None where there is one.
    n_runs
        The most answers that a question has, or that a value is the mean of.
    missing
        The share of values that were missing, and count as 0.
    is_negated
        Whether the values are the negatives of what was given, of which lower is better.
    shown
        What reports show of an example beside its id.
    rows
        Where each example is from, as messages say it.
    """

    kind: Kind
    n_samples: int
    example: Codes
    true: Codes
    said: npt.NDArray[Any]
    place: Codes
    share: Floats | None = None
    ids: LabelArray | None = None
    clusters: LabelArray | None = None
    cluster_noun: str = "examples"
    runs: Runs | None = None
    n_runs: int = 1
    missing: float = 0.0
    is_negated: bool = False
    shown: Shown = ()
    rows: Rows = EACH

    @classmethod
    def of_each(cls, kind: Kind, true: Codes, said: npt.NDArray[Any], example: Codes, **known: Any) -> "Questions":
        """Ask about every example, once or once a run."""
        place = np.empty((0, example.size), dtype=np.int64)
        return cls(kind=kind, example=example, true=true, said=said[None], place=place, **known)

    @classmethod
    def of_given(cls, kind: Kind, true: Given, said: Given, **known: Any) -> "Questions":
        """Ask about what the truth or the side gives."""
        return cls(kind, known.pop("n_samples"), *_asked([true, said]), **known)

    def __repr__(self) -> str:
        """Sizes, not rows."""
        return f"<Questions {self.kind.value}, {counted(self.n_samples, self.noun)}>"

    @property
    def noun(self) -> str:
        """What messages call an example."""
        return "document" if self.kind is Kind.SPANS else "example"

    @property
    def names(self) -> tuple[str, str]:
        """What the arguments are called that hold the truth and the identifiers."""
        return ("gold", "documents") if self.kind is Kind.SPANS else ("y_true", "ids")

    def argument(self, side: str, name: str) -> str:
        """Name an argument of a side, or a column of its file, as messages do."""
        return f"{self.rows.where}, {self.rows.named(name)}" if self.rows.where else f"{side}.{name}"

    @property
    def is_sparse(self) -> bool:
        """Whether an example may have any number of questions."""
        return self.kind in _SPARSE

    @cached_property
    def truth(self) -> Codes:
        """(N,) the class of every example."""
        if self.example.size == self.n_samples:
            return self.true
        return np.asarray(self.true[np.searchsorted(self.example, np.arange(self.n_samples))])

    def given(self, codes: Codes) -> Given:
        """Return the labels or spans that these answers give, or the class that each names."""
        if not self.is_sparse:
            return np.stack([self.example, codes])
        here = codes % 2 == 1
        return np.stack([self.example[here], *self.place[:, here], codes[here] // 2])

    def of_rows(self, rows: Codes | Bools) -> "Questions":
        """Return some of the questions, about the same examples."""
        share = None if self.share is None else self.share[rows]
        known: dict[str, Any] = {"said": self.said[:, rows], "place": self.place[:, rows], "share": share}
        return replace(self, example=self.example[rows], true=self.true[rows], **known)

    def take(self, examples: Sequence[int] | Codes) -> "Questions":
        """Return the questions about the examples at these positions, in this order."""
        positions = np.asarray(examples, dtype=np.int64)
        if self.is_sparse or self.runs is not None:
            example, rows = meetings(positions, self.example)
        else:
            example, rows = np.arange(positions.size), positions
        ids, clusters = (None if each is None else each[positions] for each in (self.ids, self.clusters))
        columns = tuple((name, column[positions]) for name, column in self.shown)
        known: dict[str, Any] = {"n_samples": positions.size, "ids": ids, "clusters": clusters, "shown": columns}
        return replace(self.of_rows(rows), example=example, rows=self.rows.take(positions), **known)

    def followed_by(self, other: "Questions") -> "Questions":
        """Return these questions and those about other examples; columns to show are dropped."""
        ids, clusters = (
            None if mine is None or theirs is None else np.concatenate([mine, theirs])
            for mine, theirs in ((self.ids, other.ids), (self.clusters, other.clusters))
        )
        return replace(
            self,
            n_samples=self.n_samples + other.n_samples,
            example=np.concatenate([self.example, self.n_samples + other.example]),
            true=np.concatenate([self.true, other.true]),
            said=np.concatenate([self.said, other.said], axis=1),
            place=np.concatenate([self.place, other.place], axis=1),
            ids=ids,
            clusters=clusters,
            shown=(),
            rows=EACH._replace(where=self.rows.where),
        )

    def with_truth(self, other: "Questions") -> "Questions":
        """Return the same answers by another truth of the same examples."""
        if self.is_sparse:
            example, true, said, place = _asked([other.given(other.true), self.given(self.said[0])])
            return replace(self, example=example, true=true, said=said, place=place)
        return replace(self, true=other.truth[self.example])

    def relabelled(self, codes: Codes, n_labels: int) -> "Questions":
        """Return the same questions over other labels: ``codes`` are the new positions of the old ones."""
        if not self.is_sparse and self.kind not in _SCORED:
            return replace(self, true=codes[self.true], said=codes[self.said])
        if self.kind in _SCORED:
            said = self.said
            if said.shape[2] == n_labels:  # of two classes the positive one alone has a column
                said = np.empty_like(said)
                said[:, :, codes] = self.said
            return replace(self, true=codes[self.true], said=said)
        new = np.stack([2 * codes, 2 * codes + 1], axis=1).ravel()
        moved = replace(self, true=new[self.true], said=new[self.said])
        order = np.argsort(_keys([moved.example, *moved.place, moved.true // 2]), kind="stable")
        return moved.of_rows(order)

    def differs(self, other: "Questions") -> tuple[Bools, float]:
        """Return of which examples the truth is another one, (N,), and how much of the truth differs."""
        if not self.is_sparse:
            found = self.truth != other.truth
            return found, float(found.mean())
        given = np.concatenate([self.given(self.true), other.given(other.true)], axis=1)
        _, place, times = np.unique(_keys([*given]), return_inverse=True, return_counts=True)
        alone = times[place] == 1
        found = np.zeros(self.n_samples, dtype=bool)
        found[given[0, alone]] = True
        return found, float(alone.mean()) if alone.size else 0.0

    def errors(self) -> Floats:
        """(N,) how wrong the first side is about every example, in a unit of the kind's own."""
        if self.kind in _SCORED:
            return self._lost_scores()
        wrong = np.bincount(self.example, self.true != self.said[0], self.n_samples)
        return np.asarray(wrong if self.is_sparse else wrong / np.bincount(self.example), dtype=np.float64)

    def _lost_scores(self) -> Floats:
        scores = self.said[0]
        if scores.shape[1] > 1:
            return np.asarray(-scores[np.arange(self.n_samples), self.true])
        return np.asarray(np.where(self.true == 1, -scores[:, 0], scores[:, 0]))

    def wrong_about(self, other: "Questions", n_labels: int) -> "Questions":
        """Return answers to another side's questions as this side might give them, all wrong.

        No label and no span is found. An example is taken for one of the commonest class, one of that for the next.
        Scores are as bad as this side's worst for an example of the class.
        """
        if self.is_sparse:
            wrong = other.of_rows(other.true % 2 == 1)
            return replace(wrong, said=wrong.true[None] - 1)
        if self.kind in _SCORED:
            return replace(other, said=self._worst_scores(other.true, n_labels)[None])
        true = other.truth
        second, first = np.argsort(np.bincount(true, minlength=n_labels), kind="stable")[-2:]
        rows = np.repeat(np.arange(true.size), self.n_runs)
        said = np.where(true == first, second, first)[rows]
        place = np.empty((0, rows.size), dtype=np.int64)
        known: dict[str, Any] = {"example": rows, "runs": self.runs, "n_runs": self.n_runs, "place": place}
        return replace(other, true=true[rows], said=said[None], **known)

    def _worst_scores(self, true: Codes, n_labels: int) -> Floats:
        scores = self.said[0]
        if scores.shape[1] > 1:
            return np.asarray(scores[scores.argmin(axis=0)][true])
        is_negative = (true == 0) & (n_labels > 0)  # of values the least is the worst
        return np.asarray(np.where(is_negative[:, None], scores.max(), scores.min()))

    @property
    def _cluster(self) -> Codes:
        """(N,) the position of each example's cluster."""
        if self.clusters is None:
            return np.arange(self.n_samples)
        return np.unique(self.clusters, return_inverse=True)[1]

    def outcomes(self, n_labels: int) -> Any:
        """Count the distinct answers: an `OutcomeTable`, or of scores a `ScoreTable`."""
        if self.runs is not None and self.share is None:
            return pair(self, [self]).outcomes(n_labels)
        if self.kind is Kind.LABELS:
            return self._outcomes_of_labels(n_labels)
        contents = None
        if self.kind is Kind.SPANS or self.share is not None or self.clusters is not None:
            contents = ClusterContents.of_rows(self._cluster[self.example], self.share, noun=self.cluster_noun)
        if self.kind in _SCORED:
            return ScoreTable.tally(max(n_labels, 1), self.true, *self.said, clusters=contents)
        if self.kind is Kind.SPANS:
            kind: dict[str, Any] = {"multilabel": True, "spans": True, "clusters": contents}
            return OutcomeTable.tally(2 * n_labels, self.true, *self.said, **kind)
        return OutcomeTable.tally(n_labels, self.true, *self.said, clusters=contents)

    def _outcomes_of_labels(self, n_labels: int) -> OutcomeTable:
        """Count what is asked, and in every cluster the examples of which nobody gives a label."""
        cluster = np.zeros(self.n_samples, dtype=np.int64) if self.clusters is None else self._cluster
        sizes = np.bincount(cluster)
        of_row = cluster[self.example]
        asked = np.bincount(of_row * n_labels + self.true // 2, minlength=sizes.size * n_labels)
        absent = np.tile(2 * np.arange(n_labels), sizes.size)
        true, *said = np.concatenate([[self.true, *self.said], np.tile(absent, (1 + len(self.said), 1))], axis=1)
        weight = np.concatenate([np.ones(of_row.size, dtype=np.int64), np.repeat(sizes, n_labels) - asked])
        contents = None
        if self.clusters is not None:
            clusters = np.concatenate([of_row, np.repeat(np.arange(sizes.size), n_labels)])
            contents = ClusterContents.of_rows(clusters, weight, noun=self.cluster_noun)
        return OutcomeTable.tally(2 * n_labels, true, *said, weight=weight, multilabel=True, clusters=contents)

    def trainings(self, n_labels: int) -> list[OutcomeTable]:
        """Count the outcomes of every training of a recipe on its own; none where the side is one classifier."""
        if self.runs is not Runs.SEEDS:
            return []
        said = self.said[0].reshape(-1, self.n_runs)
        return [OutcomeTable.tally(n_labels, self.truth, training) for training in said.T]

    @property
    def question_ids(self) -> list[Any]:
        """(K,) what the questions are called: by the example's id or position; of a span also where it is."""
        names = self.example if self.ids is None else self.ids[self.example]
        if self.kind is not Kind.SPANS:
            return list(names.tolist())
        return [f"{name}:{start}-{end}" for name, start, end in zip(names.tolist(), *self.place.tolist(), strict=True)]

    def example_ids(self, positions: Codes) -> list[Any]:
        """Return what the examples at these positions are called."""
        return list((positions if self.ids is None else self.ids[positions]).tolist())

    def columns(self, labels: tuple[Label, ...]) -> dict[str, list[Any]]:
        """Write what is known of every example out by names, as files have them, in the order of the ids.

        ``id``, ``cluster``, ``y_true``, ``y_pred``; of scores ``y_score``, or a column of it for each label; ``value``.
        """
        ordered = self if self.ids is None else self.take(np.argsort(self.ids, kind="stable"))
        known = {"id": ordered.ids, "cluster": ordered.clusters}
        written = {name: values.tolist() for name, values in known.items() if values is not None}
        if self.kind is Kind.VALUES:
            return written | {VALUE: ordered.said[0, :, 0].tolist()}
        written["y_true"] = ordered.named_truths(labels)
        if self.kind is not Kind.SCORES:
            return written | {"y_pred": ordered.named(ordered.said[0], labels, several=self.runs is not None)}
        columns = ordered.said[0].T.tolist()
        names = [Y_SCORE] if len(columns) == 1 else [f"{Y_SCORE}_{label}" for label in labels]
        return written | dict(zip(names, columns, strict=True))

    def named_truths(self, labels: tuple[Label, ...]) -> list[Any]:
        """Name the truth of every example; of a value there is none."""
        if self.kind is Kind.VALUES:
            return [None] * self.n_samples
        return self.named(self.true if self.is_sparse else self.truth, labels, several=False)

    def named(self, codes: Codes, labels: tuple[Label, ...], *, several: bool) -> list[Any]:
        """Name answers, one for every example, or a list of any number."""
        if not (self.is_sparse or several):
            return [labels[code] for code in codes.tolist()]
        example = self.example
        if self.is_sparse:
            example, *place, codes = self.given(codes)
            names: list[Any] = [labels[code] for code in codes.tolist()]
            if self.kind is Kind.SPANS:
                names = [[*span] for span in zip(*(each.tolist() for each in place), names, strict=True)]
        else:
            names = [labels[code] for code in codes.tolist()]
        ends = np.bincount(example, minlength=self.n_samples).cumsum().tolist()
        return [names[start:end] for start, end in pairwise([0, *ends])]


def _keys(columns: Sequence[Codes]) -> Codes:
    """Give every different row a number, in the order of the rows."""
    stacked = np.stack(columns)
    return row_keys(stacked, int(stacked.max(initial=0)) + 1)


def _asked(given: Sequence[Given]) -> tuple[Codes, Codes, Codes, Codes]:
    """Return the questions about all that the truth, which comes first, or a side gives: the columns of `Questions`."""
    rows = np.concatenate(given, axis=1)
    _, first, question = np.unique(_keys([*rows]), return_index=True, return_inverse=True)
    rows = rows[:, first]
    codes = np.tile(2 * rows[-1], (len(given), 1))
    codes[np.repeat(np.arange(len(given)), [each.shape[1] for each in given]), question] += 1
    return rows[0], codes[0], codes[1:], rows[1:-1]


def pair(truth: Questions, sides: Sequence[Questions]) -> Questions:
    """Set several sides' answers about the same examples side by side.

    The runs of an example share its one vote, and those of two sides meet in every combination.
    """
    if truth.is_sparse:
        given = [truth.given(truth.true), *(side.given(side.said[0]) for side in sides)]
        example, true, said, place = _asked(given)
        return replace(truth, example=example, true=true, said=said, place=place)
    if all(side.runs is None for side in sides):
        return replace(truth, said=np.concatenate([side.said for side in sides]))
    example, answers, share = _met([shares(side) for side in sides])
    place = np.empty((0, example.size), dtype=np.int64)
    known: dict[str, Any] = {
        "runs": next(side.runs for side in sides if side.runs is not None),
        "share": share,
        "place": place,
    }
    return replace(truth, example=example, true=truth.truth[example], said=np.stack(answers), **known)


Shares: TypeAlias = tuple[Codes, Codes, Floats]
"""Positions of examples, in order, answers about them, and how large a share of the example's answers each is."""

_DIGITS = 6


def shares(side: Questions) -> Shares:
    """Count how large a share of an example's runs each answer has."""
    n_codes = int(side.said[0].max()) + 1
    keys, times = np.unique(side.example * n_codes + side.said[0], return_counts=True)
    example, answer = np.divmod(keys, n_codes)
    return example, answer, times / np.bincount(example, times)[example]


def _met(sides: Sequence[Shares]) -> tuple[Codes, list[Codes], Floats]:
    """Let the answers of several sides meet, example by example: those of two in every combination.

    The combinations of more would be too many. Theirs meet in the order of their codes, which makes no difference to
    any side's own counts.
    """
    example, answer, share = sides[0]
    if len(sides) == 1:
        return example, [answer], share
    if len(sides) > 2:
        return _in_step(sides)
    other_example, other_answer, other_share = sides[1]
    first, second = meetings(example, other_example)
    return example[first], [answer[first], other_answer[second]], share[first] * other_share[second]


def _in_step(sides: Sequence[Shares]) -> tuple[Codes, list[Codes], Floats]:
    """Cut the examples wherever the share of an answer ends on any side."""
    ends = [_ends(example, share) for example, _, share in sides]
    cuts = np.unique(np.concatenate(ends))
    example = np.ceil(cuts).astype(np.int64) - 1
    share = (cuts - np.maximum(np.append(0.0, cuts[:-1]), example)).round(_DIGITS)
    answers = [side[1][np.searchsorted(end, cuts)] for side, end in zip(sides, ends, strict=True)]
    return example, answers, share / np.bincount(example, share)[example]


def _ends(example: Codes, share: Floats) -> Floats:
    """Where each share ends if those of example i fill the numbers from i to i + 1."""
    up_to = share.cumsum()
    return np.asarray((example + up_to - np.append(0.0, up_to)[np.searchsorted(example, example)]).round(_DIGITS))


def meetings(example: Codes, other: Codes) -> tuple[Codes, Codes]:
    """Return the positions of all pairs of equal numbers in two arrays, of which the second is sorted."""
    starts = np.searchsorted(other, example)
    times = np.searchsorted(other, example, side="right") - starts
    first = np.repeat(np.arange(example.size), times)
    return first, starts[first] + np.arange(first.size) - np.repeat(times.cumsum() - times, times)


def moved(baseline: Questions, candidate: Questions) -> tuple[Codes, Codes, Codes, Floats]:
    """Return which shares of the examples are answered otherwise: example, old answer, new one, share.

    The runs of both sides agree as far as they can. What one side answers more often than the other meets, example by
    example, what the other answers more often.
    """
    sides = [shares(side) for side in (baseline, candidate)]
    n_codes = 1 + max(int(answer.max()) for _, answer, _ in sides)
    keys = np.concatenate([example * n_codes + answer for example, answer, _ in sides])
    surplus = np.concatenate([sides[0][2], -sides[1][2]])
    keys, place = np.unique(keys, return_inverse=True)
    surplus = np.bincount(place, surplus).round(12)
    example, answer = np.divmod(keys, n_codes)
    given, taken = np.flatnonzero(surplus > 0), np.flatnonzero(surplus < 0)
    first, second = meetings(example[given], example[taken])
    given, taken = given[first], taken[second]
    total = np.bincount(example, surplus.clip(min=0))[example[given]]
    return example[given], answer[given], answer[taken], -surplus[given] * surplus[taken] / total


def read_shown(show: Show, n_rows: int) -> Shown:
    """Check what is to be shown."""
    if show is None:
        return ()
    columns = show if isinstance(show, Mapping) else {str(getattr(show, "name", None) or "shown"): show}
    found = []
    for name, values in columns.items():
        listed = [values] if isinstance(values, str) else list(values)
        if len(listed) != n_rows:
            expected = f"{counted(n_rows, 'value')}, one per example"
            raise InputError("show", expected, f"{len(listed):,} of {shown(name)}")
        column = np.empty(n_rows, dtype=object)
        column[:] = listed
        found.append((str(name), column))
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
