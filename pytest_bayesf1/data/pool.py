"""A pool of examples that both sides predicted and of which some are labelled, and its strata."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Bools, Codes, Floats, LabelArray, Weights
from pytest_bayesf1.data.labels import (
    encode,
    identifiers,
    label_column,
    positions,
    read_column,
    require_known,
    require_unique,
)
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.errors import InputError, ends_here, shown
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.text import counted, first_few
from pytest_bayesf1.writing import fingerprint

NO_LABEL = -1
"""In the place of the true class of an example that is not labelled."""

RIGHT, WRONG = 0, 1
"""Groups of outcomes of an agreement."""
BASELINE, CANDIDATE, NEITHER = 0, 1, 2
"""Groups of outcomes of a disagreement: which side is right."""
N_GROUPS = 3


@dataclass(frozen=True, eq=False)
class Strata:
    """Counts of a pool: how often each pair of predictions occurs, and what is labelled of it.

    A stratum holds the agreements on one class; or the disagreements of which one class is the rarer, and one side
    predicts it. It is the rarer class whose score an example moves most.

    Attributes
    ----------
    n_classes
        Number of classes, M.
    baseline, candidate : (P,)
        The different pairs of predictions.
    n_pool : (P,)
        Examples of the pool with each pair.
    true, pair : (C,)
        The different labelled outcomes: their true class, and the position of their pair.
    n_labelled : (C,)
        Labelled examples with each outcome.
    """

    n_classes: int
    baseline: Codes
    candidate: Codes
    n_pool: Weights
    true: Codes
    pair: Codes
    n_labelled: Weights

    @cached_property
    def popularity(self) -> Floats:
        """(M,) how often the sides predict each class, and once more."""
        both = np.concatenate([self.baseline, self.candidate])
        return np.bincount(both, np.tile(self.n_pool, 2), self.n_classes).astype(np.float64) + 1

    @cached_property
    def _key(self) -> Codes:
        """(P,) a number for every pair's stratum: M agreements, then two of every class that is the rarer one."""
        said = np.stack([self.baseline, self.candidate])
        rank = np.argsort(np.argsort(self.popularity, kind="stable"), kind="stable")
        side = rank[said].argmin(axis=0)
        rarer = np.where(side == 0, said[0], said[1])
        key: Codes = np.where(said[0] == said[1], said[0], self.n_classes + 2 * rarer + side)
        return key

    @cached_property
    def _keys(self) -> Codes:
        return np.unique(self._key)

    @cached_property
    def of_pair(self) -> Codes:
        """(P,) the stratum of each pair."""
        return np.searchsorted(self._keys, self._key)

    @cached_property
    def agree(self) -> Bools:
        """(S,) whether a stratum is of agreements, which come first."""
        return np.asarray(self._keys < self.n_classes)

    @cached_property
    def sizes(self) -> Floats:
        """(S,) examples of the pool."""
        return np.bincount(self.of_pair, self.n_pool).astype(np.float64)

    @cached_property
    def group(self) -> Codes:
        """(C,) the group of every labelled outcome: `N_GROUPS` times its stratum, and which side is right."""
        baseline, candidate = self.true == self.baseline[self.pair], self.true == self.candidate[self.pair]
        stratum = self.of_pair[self.pair]
        of_disagreement = np.where(baseline, BASELINE, np.where(candidate, CANDIDATE, NEITHER))
        return np.asarray(
            N_GROUPS * stratum + np.where(self.agree[stratum], np.where(baseline, RIGHT, WRONG), of_disagreement)
        )

    @cached_property
    def groups(self) -> Floats:
        """(S, 3) labelled examples of every group."""
        in_groups = np.bincount(self.group, self.n_labelled, N_GROUPS * self.sizes.size)
        return in_groups.astype(np.float64).reshape(-1, N_GROUPS)

    @property
    def labelled(self) -> Floats:
        """(S,) labelled examples."""
        return np.asarray(self.groups.sum(axis=1))

    @property
    def outcomes(self) -> OutcomeTable:
        """The labelled examples' outcomes."""
        sides = self.baseline[self.pair], self.candidate[self.pair]
        return OutcomeTable.tally(self.n_classes, self.true, *sides, weight=self.n_labelled)


@dataclass(frozen=True, eq=False)
class LabelledPool:
    """Many examples that both sides predicted, few of them labelled: pass it to `compare` as ``baseline`` alone.

    The pool is drawn like production. Which of its examples are labelled may depend on the predictions, and on what
    other labels were; among examples with the same two predictions it must be left to chance.

    Attributes
    ----------
    ids : (N,)
        The examples.
    baseline, candidate : (N,)
        What each side predicts, as positions in ``labels``.
    true : (N,)
        The labels likewise; -1 where there is none.
    labels : tuple of M labels
        The classes.

    Examples
    --------
    >>> from pytest_bayesf1 import LabelledPool, compare
    >>> baseline, candidate = ["ham", "spam"] * 500, ["ham", "spam"] * 490 + ["ham", "ham"] * 10
    >>> pool = LabelledPool.from_predictions(baseline, candidate, {0: "ham", 1: "spam", 997: "spam", 999: "spam"})
    >>> pool
    <LabelledPool 2 classes, 1,000 examples, 4 labelled>
    >>> print(compare(pool, measure="accuracy", rope=0.02).decision)
    ≈
    """

    ids: LabelArray
    baseline: Codes
    candidate: Codes
    true: Codes
    labels: tuple[Label, ...]

    @classmethod
    @ends_here
    def from_predictions(
        cls,
        baseline: Iterable[Any],
        candidate: Iterable[Any],
        labels: Mapping[Any, Any],
        *,
        ids: Iterable[Any] | None = None,
        classes: Iterable[Label] | None = None,
    ) -> "LabelledPool":
        """Pair the predictions of N examples with the labels that some of them have.

        Parameters
        ----------
        baseline, candidate : sequences of N labels
            What each side predicts; position i is the same example in both.
        labels : mapping
            The true class of every labelled example by its id.
        ids : sequence of N identifiers, optional
            By default the positions 0, 1, ...
        classes : sequence of M labels, optional
            The classes in their order; by default all that either side predicts.

        Raises
        ------
        InputError
            When the columns do not fit together, a label's id is not in the pool, or it is none of the classes.

        Examples
        --------
        >>> from pytest_bayesf1 import LabelledPool
        >>> LabelledPool.from_predictions(["a", "b"], ["a", "a"], {"x2": "b"}, ids=["x1", "x2"])
        <LabelledPool 2 classes, 2 examples, 1 labelled>
        """
        said = {"baseline": baseline, "candidate": candidate}
        codes, names, _ = encode(said, classes, true=tuple(said))
        n = codes["baseline"].size
        column = np.arange(n) if ids is None else identifiers(ids, n, "ids")
        unlabelled = cls(column, codes["baseline"], codes["candidate"], np.full(n, NO_LABEL), names)
        unlabelled.require_strata()
        return unlabelled.with_labels(labels)

    def with_labels(self, labels: Mapping[Any, Any]) -> "LabelledPool":
        """Return the same pool with more labels; one that differs from what the example has is an error.

        Examples
        --------
        >>> LabelledPool.from_predictions(["a", "b", "b"], ["a", "b", "a"], {2: "b"}).with_labels({0: "a"}).n_labelled
        2
        """
        if not labels:
            return self
        positions = self._positions(labels)
        codes, before = self._codes(labels), self.true[positions]
        differs = np.flatnonzero((before != NO_LABEL) & (before != codes)).tolist()
        if differs:
            ids, names = self.ids[positions].tolist(), self.labels
            named = ((shown(ids[at]), shown(names[before[at]]), shown(names[codes[at]])) for at in differs)
            problem = f"Other labels than before: {first_few(f'{key} was {was}, now {now}' for key, was, now in named)}"
            raise InputError.plain("labels", problem, "Decide which are right.")
        true = self.true.copy()
        true[positions] = codes
        return replace(self, true=true)

    def _codes(self, labels: Mapping[Any, Any]) -> Codes:
        said = read_column(list(labels.values()), "labels")
        require_known("labels", said, self.labels, "no class of the pool", declare="classes")
        position = positions(self.labels)
        codes = [position[str(label)] for label in said.labels]
        return np.array(codes, dtype=np.int64)[said.codes]

    def _positions(self, labels: Mapping[Any, Any]) -> Codes:
        wanted = label_column(list(labels), "labels", noun="id")
        order, ids = self.order
        if wanted.dtype.kind != ids.dtype.kind:
            order = np.argsort(self.ids.astype(str), kind="stable")
            ids, wanted = self.ids[order].astype(str), wanted.astype(str)
        found = np.searchsorted(ids, wanted).clip(max=ids.size - 1)
        unknown = ids[found] != wanted
        if unknown.any():
            lacking = first_few(map(shown, wanted[unknown].tolist()))
            problem = f"The pool lacks {counted(int(unknown.sum()), 'id')}: {lacking}"
            raise InputError.plain("labels", problem, "Are these labels of another pool?")
        return np.asarray(order[found])

    @cached_property
    def order(self) -> tuple[Codes, LabelArray]:
        """The positions of the ids in their order, and the ids; raises `InputError` for one that is there twice."""
        order = np.argsort(self.ids, kind="stable")
        ids = self.ids[order]
        if (ids[1:] == ids[:-1]).any():
            require_unique(ids)
        return order, ids

    def require_strata(self) -> None:
        """Refuse a pool in which every example has the same two predictions, or an id is there twice."""
        self.order  # noqa: B018 (kept)
        if self._pairs[0].size < 2:
            pair = " and ".join(shown(self.labels[side[0]]) for side in (self.baseline, self.candidate))
            advice = "If all examples have the same predictions, label a random sample instead."
            raise InputError.plain("pool", f"Every example has the same predictions, {pair}", advice)

    @property
    def n_examples(self) -> int:
        """Examples of the pool, N."""
        return int(self.ids.size)

    @cached_property
    def is_labelled(self) -> Bools:
        """(N,) which of them are labelled."""
        return np.asarray(self.true != NO_LABEL)

    @property
    def n_labelled(self) -> int:
        """How many are labelled."""
        return int(self.is_labelled.sum())

    @cached_property
    def _pairs(self) -> tuple[Codes, Codes]:
        """The different pairs of predictions by a number each, and which every example has."""
        keys = self.baseline * len(self.labels) + self.candidate
        return np.unique(keys, return_inverse=True)

    @cached_property
    def strata(self) -> Strata:
        """Its counts."""
        n_classes, (pairs, pair) = len(self.labels), self._pairs
        baseline, candidate = np.divmod(pairs, n_classes)
        labelled = self.is_labelled
        cells = pair[labelled] * n_classes + self.true[labelled]
        kinds, times = np.unique(cells, return_counts=True)
        of_pair, true = np.divmod(kinds, n_classes)
        return Strata(n_classes, baseline, candidate, np.bincount(pair), true, of_pair, times)

    @property
    def stratum(self) -> Codes:
        """(N,) the stratum of every example."""
        return np.asarray(self.strata.of_pair[self._pairs[1]])

    @cached_property
    def digest(self) -> str:
        """A checksum of the predictions, whatever the order of the examples and however many are labelled."""
        order, ids = self.order
        names = [str(label) for label in self.labels]
        columns = (ids.tolist(), self.baseline[order].tolist(), self.candidate[order].tolist())
        return fingerprint(
            ["\n".join(f"{key!r}\t{names[old]}\t{names[new]}" for key, old, new in zip(*columns, strict=True))]
        )

    @property
    def digests(self) -> tuple[str, str]:
        """Checksums that tell either side from any other: what was predicted, and what was labelled."""
        ids, true = self.ids[self.is_labelled].tolist(), self.true[self.is_labelled].tolist()
        labels = sorted(f"{key!r}\t{self.labels[code]}" for key, code in zip(ids, true, strict=True))
        return self.digest, fingerprint([self.digest, *labels])

    def __repr__(self) -> str:
        """Tell sizes."""
        return f"<LabelledPool {len(self.labels)} classes, {self.n_examples:,} examples, {self.n_labelled:,} labelled>"
