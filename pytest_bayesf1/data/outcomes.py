"""What happened to each example: outcomes of both sides, with their clusters, as engines take them.

The posterior gives every cluster a weight, which all its examples share. Clusters of equal content are alike, so that
only the different contents are kept, and how many clusters have each.

Multi-label data are L two-class problems side by side. One table holds them all as 2L classes, of which class 2l is
"label l is absent" and class 2l + 1 "label l is present": predictions stay within their own pair of classes. Spans are
such data too, by type; but no cell counts what is rightly absent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, Self, TypeVar

import numpy as np
from scipy.sparse import block_diag, csc_array, csr_array, vstack

from pytest_bayesf1.arrays import Bools, Codes, Counts, Floats, Weights
from pytest_bayesf1.choices import Model


@dataclass(frozen=True, eq=False)
class ClusterContents:
    """What clusters hold: D different contents, in an order that depends on the contents alone.

    Attributes
    ----------
    cells : (K, D) sparse
        Examples of each of K outcomes in a cluster of each content.
    n_clusters : (D,)
        How many clusters have each content; of pseudo-counts not necessarily whole numbers.
    noun
        What the clusters are called, in the plural.
    """

    cells: csc_array
    n_clusters: Weights
    noun: str = "clusters"

    @classmethod
    def of_rows(cls, cluster: Codes, weight: Weights | None = None, noun: str = "clusters") -> "ClusterContents":
        """Put rows, such as examples, into the clusters that they belong to."""
        size = int(cluster.max(initial=-1)) + 1
        data = np.ones(cluster.size) if weight is None else weight.astype(np.float64)
        cells = csc_array((data, (np.arange(cluster.size), cluster)), shape=(cluster.size, size))
        return cls(cells, np.ones(size), noun)

    @classmethod
    def of_one_example(cls, count: Weights) -> "ClusterContents":
        """Take every example for a cluster of its own."""
        return replace(cls.of_rows(np.arange(count.size)), n_clusters=count)

    @property
    def n(self) -> float:
        """Number of clusters, G."""
        return float(self.n_clusters.sum())

    @property
    def n_equal(self) -> float:
        """How many clusters of one size would tell as much, if the examples of a cluster were all alike (Kish 1965)."""
        return float((self.n_clusters @ self.sizes) ** 2 / (self.n_clusters @ self.sizes**2))

    @property
    def sizes(self) -> Floats:
        """(D,) examples of a cluster of each content; of labels, decisions."""
        return np.asarray(self.cells.sum(axis=0), dtype=np.float64)

    @cached_property
    def hold_one_example(self) -> bool:
        """Whether every cluster holds a single example."""
        return bool((np.diff(self.cells.indptr) == 1).all() and (self.cells.data == 1).all())

    @cached_property
    def counts(self) -> Weights:
        """(K,) examples of each row in all clusters; integers where they are whole."""
        counts = np.asarray(self.cells @ self.n_clusters)
        whole = np.rint(counts).astype(np.int64)
        return whole if (whole == counts).all() else counts

    def design_effect(self, cells_per_example: int = 1) -> float:
        """Return how many examples of a cluster tell as much as one that is drawn on its own, at least 1.

        The scatter of what clusters hold of every row about what their sizes let expect, over that of as many examples
        drawn one by one: 1 where every cluster holds one example, m where it holds the same example m times.
        """
        sizes = self.sizes / cells_per_example
        n = self.n_clusters @ sizes
        shares = self.counts / n
        concentration = shares @ shares
        squares = sizes**2
        if concentration == cells_per_example:  # one outcome alone does not tell
            return float(self.n_clusters @ squares / n)
        scatter = self.cells.power(2).sum(axis=0) - 2 * sizes * (shares @ self.cells) + concentration * squares
        return max(1.0, float(self.n_clusters @ scatter / (n * (cells_per_example - concentration))))

    def merged(self, into: Codes, n_rows: int) -> "ClusterContents":
        """Add rows up, and find the clusters that have become alike."""
        kept = np.flatnonzero(into >= 0)
        to = csr_array((np.ones(kept.size), (into[kept], kept)), shape=(n_rows, into.size))
        cells = csc_array(to @ self.cells)
        cells.eliminate_zeros()
        cells.sort_indices()
        alike = list(_alike(cells, self.n_clusters))
        if not alike:
            return replace(self, cells=cells)
        columns, n_clusters = (np.concatenate(each) for each in zip(*alike, strict=True))
        return replace(self, cells=cells[:, columns], n_clusters=n_clusters)

    def with_rows(self, n_rows: int, content: Floats) -> "ClusterContents":
        """Return the same clusters with more rows, of which every cluster holds as much."""
        new = csc_array(np.broadcast_to(content, (n_rows, content.size)))
        return replace(self, cells=csc_array(vstack([self.cells, new])))

    def beside(self, other: "ClusterContents") -> "ClusterContents":
        """Return the clusters of both, whose rows come one after the other."""
        cells = csc_array(block_diag([self.cells, other.cells]))
        return replace(self, cells=cells, n_clusters=np.concatenate([self.n_clusters, other.n_clusters]))


def _alike(cells: csc_array, n_clusters: Weights) -> Iterator[tuple[Codes, Weights]]:
    """Yield a column of every content, and how many clusters have it; smaller clusters first."""
    lengths = np.diff(cells.indptr)
    for length in np.unique(lengths[lengths > 0]).tolist():
        columns = np.flatnonzero(lengths == length)
        at = cells.indptr[columns][:, None] + np.arange(length)
        content = np.concatenate([cells.indices[at].astype(np.float64), cells.data[at]], axis=1)
        _, first, inverse = np.unique(content, axis=0, return_index=True, return_inverse=True)
        yield columns[first], np.bincount(inverse.ravel(), n_clusters[columns])


@dataclass(frozen=True)
class CommonShares:
    """The class proportions that every side is scored at, where they are not those of its own test set.

    Attributes
    ----------
    side
        The side whose test set has them; None where shares are stated.
    shares
        Code and share of every class that is stated, or none. The other classes divide the rest as in the test sets.
    """

    side: int | None = None
    shares: tuple[tuple[int, float], ...] = ()

    def point(self, totals: Sequence[Weights]) -> Floats:
        """Return the proportions, (M,), from every test set's examples of each class."""
        in_all = np.sum(totals if self.side is None else [totals[self.side]], axis=0)
        return self._divided(in_all.astype(np.float64))

    def given(self, masses: Sequence[Floats]) -> Floats:
        """Return the proportions, (n, M), given what every test set holds of each class in as many draws."""
        return self._divided(np.sum(masses, axis=0)) if self.side is None else masses[self.side]

    def _divided(self, masses: Floats) -> Floats:
        """Give the stated classes their shares, and the others the rest in proportion to their masses."""
        stated = np.zeros(masses.shape[-1])
        rest = masses.copy()
        for code, share in self.shares:
            stated[code] = share
            rest[..., code] = 0
        in_all = rest.sum(axis=-1, keepdims=True)
        rest *= np.divide(max(1 - stated.sum(), 0.0), in_all, where=in_all > 0, out=in_all)
        shares = stated + rest
        return np.asarray(shares / shares.sum(axis=-1, keepdims=True))


_LARGEST_KEY = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False, repr=False)
class OutcomeTable:
    """Sparse counts of outcomes, for one classifier (S = 1 side) or for several on the same examples.

    An outcome is what each side predicted. The outcomes of a true class fall into 2^S groups, by which sides are
    right; bit ``S - 1 - s`` of a group's number is set when side s is wrong. With two sides the groups are: both
    right, only the baseline right, only the candidate right, both wrong.

    Attributes
    ----------
    n_classes
        Number of classes, M; of multi-label data 2L.
    true : (K,)
        True class of each non-zero cell.
    predicted : (S, K)
        Predicted class of each side.
    count : (K,)
        Examples in the cell, more than 0; whole numbers, unless a prior's pseudo-counts are among them, or several
        runs share an example.
    multilabel
        Whether the classes are pairs, one per label.
    clusters
        The clusters that the examples belong to, over these cells; None where every example is its own.
    spans
        Whether the labels are types of spans, of which those that are rightly not there are not counted.
    unsupported
        Classes that are predicted at most, for the truth has none of them: they are no classes of the problem, and
        their rows stay empty whatever the prior.
    """

    n_classes: int
    true: Codes
    predicted: Codes
    count: Weights
    multilabel: bool = False
    clusters: ClusterContents | None = None
    spans: bool = False
    unsupported: tuple[int, ...] = ()

    def __repr__(self) -> str:
        """Sizes, not cells."""
        return f"<OutcomeTable {self.n_classes} classes, {self.n_samples:,} examples>"

    def __post_init__(self) -> None:
        """Keep the counts from being changed after they were checked."""
        for array in (self.true, self.predicted, self.count):
            array.flags.writeable = False

    @classmethod
    def tally(
        cls,
        n_classes: int,
        true: Codes,
        *predicted: Codes,
        weight: Weights | None = None,
        multilabel: bool = False,
        clusters: ClusterContents | None = None,
        spans: bool = False,
    ) -> "OutcomeTable":
        """Count equal outcomes, in an order that depends on the content alone.

        Examples
        --------
        >>> table = OutcomeTable.tally(2, np.array([0, 0, 1]), np.array([0, 0, 0]))
        >>> table.true.tolist(), table.predicted.tolist(), table.count.tolist()
        ([0, 1], [[0, 0]], [2, 1])
        """
        sides = np.stack([true, *predicted])
        _, first, inverse = np.unique(row_keys(sides, n_classes), return_index=True, return_inverse=True)
        kinds = sides[:, first]
        if clusters is not None:
            weight = clusters.counts
        if weight is None:
            count = np.bincount(inverse, minlength=first.size)
        else:
            count = _sum_by(inverse, weight, first.size)
            kept = np.cumsum(count > 0) - 1
            inverse = np.where(count > 0, kept, -1)[inverse]
            kinds, count = kinds[:, count > 0], count[count > 0]
        if clusters is not None:
            clusters = clusters.merged(inverse, count.size)
        return cls(n_classes, kinds[0], kinds[1:], count, multilabel, clusters, spans)

    @classmethod
    def of_labels(cls, counts: Weights) -> "OutcomeTable":
        """Read every label's counts."""
        label, *says = cells = np.nonzero(counts)
        codes = [2 * label + present for present in says]
        return cls.tally(2 * len(counts), *codes, weight=counts[cells], multilabel=True)

    @classmethod
    def empty(cls, n_classes: int, n_sides: int, *, multilabel: bool = False, spans: bool = False) -> "OutcomeTable":
        """Return a table without examples, for a prior alone."""
        none = np.empty(0, dtype=np.int64)
        return cls(n_classes, none, np.empty((n_sides, 0), dtype=np.int64), none, multilabel, spans=spans)

    def is_equal(self, other: "OutcomeTable") -> bool:
        """Whether the counts are the same, whatever the clusters."""
        mine, theirs = ((table.true, table.predicted, table.count) for table in (self, other))
        return all(map(np.array_equal, mine, theirs))

    @property
    def n_sides(self) -> int:
        """Number of sides, S."""
        return int(self.predicted.shape[0])

    @property
    def n_outcomes(self) -> int:
        """Predictions that are possible for an example of a given true class, for each side."""
        return 2 if self.multilabel else self.n_classes

    @property
    def n_problems(self) -> int:
        """Classification problems side by side: L, or 1."""
        return self.n_classes // self.n_outcomes

    @property
    def class_shape(self) -> tuple[int, ...]:
        """Shape of an array with a number for every class: (M,), or (L, 2)."""
        return (self.n_problems, 2) if self.multilabel else (self.n_classes,)

    @property
    def named(self) -> slice:
        """The classes that labels name: all, or the one of each pair that says "present"."""
        return slice(1, None, 2) if self.multilabel else slice(None)

    @cached_property
    def may_be_true(self) -> Bools:
        """(M,) whether the truth can be of the class."""
        possible = np.ones(self.n_classes, dtype=bool)
        possible[list(self.unsupported)] = False
        return possible

    @property
    def occurring(self) -> Bools:
        """Whether the truth can be of each class or label that has a name, (M,) or (L,)."""
        return self.may_be_true[self.named]

    @property
    def row_kinds(self) -> Codes:
        """(M,) true classes that learn from one another have the same kind: presences, absences; else all of them."""
        return np.arange(self.n_classes) % 2 if self.multilabel else np.zeros(self.n_classes, dtype=np.int64)

    @property
    def group_sizes(self) -> Counts:
        """(2^S,) outcomes that each group holds in every row: M - 1 for each side that is wrong."""
        return np.array([(self.n_outcomes - 1) ** group.bit_count() for group in range(2**self.n_sides)])

    def is_right(self, side: int, group: int) -> bool:
        """Whether a side is right in a group of outcomes."""
        return not group >> (self.n_sides - 1 - side) & 1

    def right_groups(self, side: int) -> list[int]:
        """List the groups of outcomes in which this side is right."""
        return [group for group in range(2**self.n_sides) if self.is_right(side, group)]

    def wrong_sides(self, group: int) -> list[int]:
        """List the sides that are wrong in this group."""
        return [side for side in range(self.n_sides) if not self.is_right(side, group)]

    @property
    def n_samples(self) -> int:
        """Number of examples, N; of spans the true ones."""
        if self.spans:
            return round(float(self.row_totals[self.named].sum()))
        return round(float(self.count.sum()) / self.n_problems)

    @property
    def effective_counts(self) -> Weights:
        """(K,) the counts of examples that would tell as much if they were drawn one by one."""
        if self.clusters is None:
            return self.count
        return np.asarray(np.maximum(self.count / self.design_effect, 1.0))

    @cached_property
    def design_effect(self) -> float:
        """How many examples of a cluster tell as much as one that is drawn on its own; see `ClusterContents`.

        Spans count in full beside their prior, which is small and of each type on its own: types keep to documents of
        their own, which says nothing of how a type's spans are found.
        """
        return 1.0 if self.clusters is None or self.spans else self.clusters.design_effect(self.cells_per_example)

    @property
    def is_all_right(self) -> bool:
        """Whether no side is ever wrong."""
        return bool((self.predicted == self.true).all())

    @property
    def cells_per_example(self) -> int:
        """How many cells an example is counted in: one for every label, or a single one."""
        return 1 if self.spans else self.n_problems

    @property
    def cell_numbers(self) -> Codes:
        """Give every cell of the only side's matrix a number, row by row."""
        (predicted,) = self.predicted
        return np.asarray(self.true * self.n_classes + predicted)

    @cached_property
    def shared_weights(self) -> ClusterContents | None:
        """The clusters, if any holds several examples: the weights of those of one example say no more than counts."""
        return None if self.clusters is None or self.clusters.hold_one_example else self.clusters

    @cached_property
    def row_totals(self) -> Weights:
        """(M,) examples of each true class."""
        return _sum_by(self.true, self.count, self.n_classes)

    @property
    def times_predicted(self) -> Weights:
        """(M,) examples that the only side predicts as each class."""
        return _sum_by(self.predicted[0], self.count, self.n_classes)

    @cached_property
    def group(self) -> Codes:
        """(K,) the group of each cell, by which sides are right."""
        wrong = (self.predicted != self.true).astype(np.int64)
        return np.asarray(sum(wrong[s] << (self.n_sides - 1 - s) for s in range(self.n_sides)))

    @cached_property
    def group_counts(self) -> Weights:
        """(M, 2^S) examples of each true class in each group."""
        n_groups = 2**self.n_sides
        totals = _sum_by(self.true * n_groups + self.group, self.count, self.n_classes * n_groups)
        return totals.reshape(self.n_classes, n_groups)

    @property
    def label_counts(self) -> Weights:
        """(L, 2, ...) of multi-label data, in the manner of `of_labels`."""
        counts = np.zeros((self.n_problems, *[2] * (1 + self.n_sides)), dtype=self.count.dtype)
        counts[(self.true // 2, self.true % 2, *(self.predicted % 2))] = self.count
        return counts

    def side(self, index: int) -> "OutcomeTable":
        """One side alone: its confusion matrix; without the spans that only the other side predicts."""
        if self.n_sides == 1:
            return self
        predicted = self.predicted[index]
        if not self.spans:
            return self._tallied(self.true, predicted[None], self.count, self.clusters)
        seen = (self.true % 2 == 1) | (predicted % 2 == 1)
        clusters = self.clusters and self.clusters.merged(np.where(seen, seen.cumsum() - 1, -1), int(seen.sum()))
        return self._tallied(self.true[seen], predicted[None, seen], self.count[seen], clusters)

    def pooled(self) -> "OutcomeTable":
        """Return the same spans as if all were of one type."""
        return self._tallied(self.true % 2, self.predicted % 2, self.count, self.clusters, n_classes=2)

    def at_shares(self, shares: Floats) -> "OutcomeTable":
        """Weight the examples so that the classes have these shares, (M,), and are as many in all; without clusters."""
        return replace(self, count=self.count * self.class_weights(shares)[self.true], clusters=None)

    def class_weights(self, shares: Floats) -> Floats:
        """Return what an example of each class weighs then, (M,)."""
        return _weights(shares, self.row_totals)

    def plus(self, other: "OutcomeTable") -> "OutcomeTable":
        """Add the counts of another table over the same classes and sides."""
        true, count = np.concatenate([self.true, other.true]), np.concatenate([self.count, other.count])
        predicted = np.concatenate([self.predicted, other.predicted], axis=1)
        if self.clusters is None and other.clusters is None:
            return self._tallied(true, predicted, count)
        clusters = [table.clusters or ClusterContents.of_one_example(table.count) for table in (self, other)]
        return self._tallied(true, predicted, count, clusters[0].beside(clusters[1]))

    def relabelled(self, codes: Sequence[int] | Codes, n_labels: int) -> "OutcomeTable":
        """Return the same counts over other labels; labels that are new to multi-label data are absent."""
        to = np.asarray(codes, dtype=np.int64)
        if not self.multilabel:
            return self.tally(n_labels, to[self.true], *to[self.predicted], weight=self.count, clusters=self.clusters)
        new = np.setdiff1d(np.arange(n_labels), to) if not self.spans else to[:0]
        to = np.stack([2 * to, 2 * to + 1], axis=1).ravel()
        true, *predicted = (np.concatenate([to[side], 2 * new]) for side in (self.true, *self.predicted))
        weight = np.concatenate([self.count, np.full(new.size, self.count.sum() / self.n_problems, self.count.dtype)])
        clusters = self.clusters and self.clusters.with_rows(new.size, self.clusters.sizes / self.n_problems)
        return self._tallied(true, np.stack(predicted), weight, clusters, n_classes=2 * n_labels)

    def _tallied(
        self,
        true: Codes,
        predicted: Codes,
        count: Weights,
        clusters: ClusterContents | None = None,
        n_classes: int | None = None,
    ) -> "OutcomeTable":
        """Count outcomes of the same kind, over these classes or as many others."""
        kind: dict[str, Any] = {"multilabel": self.multilabel, "clusters": clusters, "spans": self.spans}
        counted = self.tally(n_classes or self.n_classes, true, *predicted, weight=count, **kind)
        return counted if n_classes else replace(counted, unsupported=self.unsupported)


def row_keys(columns: Codes, n_codes: int) -> Codes:
    """Give every different outcome, (1 + S, N) codes, a number in their order: a single sort then finds equal ones."""
    keys, n_keys = columns[0], n_codes
    for column in columns[1:]:
        if n_keys > _LARGEST_KEY // n_codes:
            known, keys = np.unique(keys, return_inverse=True)
            n_keys = known.size
        keys, n_keys = keys * n_codes + column, n_keys * n_codes
    return np.asarray(keys)


def _sum_by(index: Codes, weight: Weights, size: int) -> Weights:
    totals: Weights = np.zeros(size, dtype=weight.dtype)
    np.add.at(totals, index, weight)
    return totals


def _weights(shares: Floats, totals: Weights) -> Floats:
    """Return what an example of each class weighs, (M,), where the classes are to have these shares."""
    weights: Floats = np.divide(shares * totals.sum(), totals, out=np.zeros(totals.size), where=totals > 0)
    return weights


@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable:
    """Different outcomes and how often each occurred, in an order that depends on the content alone.

    Attributes
    ----------
    n_classes
        Number of classes, M; 1 where examples have a value each and no class.
    true : (K,)
        True class of each outcome.
    scores : (S, K, C)
        What each side gave it: the score of the positive class, C = 1; a score of every class, C = M; or a value.
    count : (K,)
        Examples with the outcome; what they weigh, where classes are to have other shares.
    clusters
        The clusters that the examples belong to, over these outcomes; None where every example is its own.
    """

    n_classes: int
    true: Codes
    scores: Floats
    count: Weights
    clusters: ClusterContents | None = None

    def __repr__(self) -> str:
        """Sizes, not scores."""
        return f"<ScoreTable {self.n_classes} classes, {self.n_samples:,} examples>"

    @classmethod
    def tally(
        cls, n_classes: int, true: Codes, *scores: Floats, clusters: ClusterContents | None = None
    ) -> "ScoreTable":
        """Count equal outcomes.

        Examples
        --------
        >>> table = ScoreTable.tally(2, np.array([1, 0, 1]), np.array([[0.9], [0.2], [0.9]]))
        >>> table.true.tolist(), table.scores[0].ravel().tolist(), table.count.tolist()
        ([0, 1], [0.2, 0.9], [1, 2])
        """
        columns = [true, *np.concatenate(scores, axis=1).T]
        order = np.lexsort(columns[::-1])
        differs = np.zeros(true.size, dtype=bool)
        for column in columns:
            differs[1:] |= np.diff(column[order]) != 0
        outcome = np.empty_like(order)
        outcome[order] = np.cumsum(differs)
        first = order[np.concatenate([[0], np.flatnonzero(differs)])]
        count = np.bincount(outcome)
        pooled = clusters and clusters.merged(outcome, count.size)
        return cls(n_classes, true[first], np.stack([side[first] for side in scores]), count, pooled)

    def is_equal(self, other: "ScoreTable") -> bool:
        """Whether the outcomes are the same, whatever the clusters."""
        mine, theirs = ((table.true, table.scores, table.count) for table in (self, other))
        return all(map(np.array_equal, mine, theirs))

    @property
    def n_sides(self) -> int:
        """Number of sides, S."""
        return len(self.scores)

    @property
    def n_samples(self) -> int:
        """Number of examples, N."""
        return int(self.count.sum())

    @property
    def row_totals(self) -> Counts:
        """(M,) examples of each true class."""
        return np.bincount(self.true, self.count, self.n_classes).astype(np.int64)

    @property
    def are_grades(self) -> bool:
        """Whether examples have a number each and no class."""
        return self.n_classes == 1

    @property
    def are_right_or_wrong(self) -> bool:
        """Whether they are grades of 0 and 1 alone."""
        return self.are_grades and bool(np.isin(self.scores, (0, 1)).all())

    def with_ends(self, low: float, high: float) -> "ScoreTable":
        """Add two outcomes that no example has: all sides are given the lower end of a scale, or the upper one."""
        ends, none = np.broadcast_to([[low], [high]], (self.n_sides, 2, 1)), np.zeros(2, dtype=np.int64)
        true, count = np.append(self.true, none), np.append(self.count, none)
        return replace(self, true=true, scores=np.concatenate([self.scores, ends], axis=1), count=count)

    @property
    def occurring(self) -> Bools:
        """(M,) whether any example is of the class."""
        return self.row_totals > 0

    def at_shares(self, shares: Floats) -> "ScoreTable":
        """Weight the examples so that the classes have these shares, (M,), and are as many in all; without clusters."""
        return replace(self, count=self.count * _weights(shares, self.row_totals)[self.true], clusters=None)


TableT = TypeVar("TableT", OutcomeTable, ScoreTable)


@dataclass(frozen=True, eq=False)
class _Data(Generic[TableT]):
    """Tables under one of the models.

    `Model.PAIRED`
        One table of both sides on the same examples.
    `Model.SAME_SET`
        Two tables of counts with equal row totals: mu is shared, the thetas are independent.
    `Model.INDEPENDENT`
        Two tables that share nothing (Zhang et al. 2015).
    `Model.SINGLE`
        One side alone.

    Attributes
    ----------
    model
        One of these.
    tables
        The baseline's and the candidate's, or the joint one.
    population
        The class proportions that scores are about; None for those of each side's own test set.
    """

    model: Model
    tables: tuple[TableT, ...]
    population: CommonShares | None = field(default=None, kw_only=True)

    @cached_property
    def class_shares(self) -> Floats | None:
        """(M,) the proportions of the population; None where there is none."""
        return None if self.population is None else self.population.point([table.row_totals for table in self.tables])

    @property
    def clusters(self) -> tuple[ClusterContents, ...]:
        """The clusters that examples belong to, table by table; none where every example is drawn on its own."""
        return tuple(table.clusters for table in self.tables if table.clusters is not None)

    @property
    def n_samples(self) -> tuple[int, ...]:
        """Examples of each side."""
        return tuple(table.n_samples for table in self.tables for _ in range(table.n_sides))

    def without_clusters(self) -> Self:
        """Return the same data as if every example were drawn on its own."""
        return replace(self, tables=_without_clusters(self.tables))


def _without_clusters(tables: tuple[TableT, ...]) -> tuple[TableT, ...]:
    return tuple(replace(table, clusters=None) for table in tables)


@dataclass(frozen=True, eq=False)
class Experiment(_Data[OutcomeTable]):
    """Counts: of a paired comparison, class proportions mu and joint outcomes theta are shared.

    Attributes
    ----------
    earlier
        What the prior counted already, table by table; empty when it counted nothing.
    trainings
        The counts of every training of a recipe, side by side; none of a side that is one classifier.
    """

    earlier: tuple[OutcomeTable, ...] = ()
    trainings: tuple[tuple[OutcomeTable, ...], ...] = ()

    @cached_property
    def known(self) -> tuple[OutcomeTable, ...]:
        """All counts together, table by table: evidence adds up (Goutte & Gaussier 2005, section 3, Note)."""
        if not self.earlier:
            return self.tables
        return tuple(now.plus(before) for before, now in zip(self.earlier, self.tables, strict=True))

    def without_clusters(self) -> Self:
        """Return the same counts as if every example were drawn on its own, and by one classifier on each side."""
        return replace(super().without_clusters(), earlier=_without_clusters(self.earlier), trainings=())

    @property
    def unsupported(self) -> tuple[int, ...]:
        """Classes that no example is of, and that are no classes of the problem therefore."""
        return self.tables[0].unsupported

    def unsupported_predicted(self) -> dict[int, tuple[float, ...]]:
        """Count how often each side predicts such a class, by its position; where runs share an example, its share."""
        predicted = [side.times_predicted[side.named] for side in self.sides]
        positions = np.flatnonzero(~self.tables[0].occurring).tolist()
        return {position: tuple(times[position].item() for times in predicted) for position in positions}

    def without_unsupported_classes(self) -> "Experiment":
        """Set the classes apart that no example of any table is of, earlier ones included; of labels, their presence.

        Known from the prior alone, such a class would weigh as much in an average as one of a thousand examples.
        """
        codes = np.arange(self.n_classes)[self.tables[0].named]
        examples = np.sum([table.row_totals[codes] for table in self.known], axis=0)
        unsupported = tuple(codes[examples == 0].tolist())
        return self if unsupported == self.unsupported else self._with_unsupported(unsupported)

    def _with_unsupported(self, unsupported: tuple[int, ...]) -> "Experiment":
        def without(tables: tuple[OutcomeTable, ...]) -> tuple[OutcomeTable, ...]:
            return tuple(replace(table, unsupported=unsupported) for table in tables)

        return replace(self, tables=without(self.tables), trainings=tuple(map(without, self.trainings)))

    @property
    def right_or_wrong(self) -> "Experiment":
        """The same counts, of one class alone, which examples that are rightly predicted are taken for."""

        def of_one_class(table: OutcomeTable) -> OutcomeTable:
            right = (table.predicted == table.true).astype(np.int64)
            tallied = OutcomeTable.tally(2, np.ones_like(table.true), *right, weight=table.count)
            return replace(tallied, unsupported=(0,))

        return Experiment(self.model, tuple(map(of_one_class, self.tables)))

    @cached_property
    def sides(self) -> tuple[OutcomeTable, ...]:
        """Each classifier's own confusion matrix."""
        return tuple(table.side(index) for table in self.tables for index in range(table.n_sides))

    @cached_property
    def scored_sides(self) -> tuple[OutcomeTable, ...]:
        """The same as scores see them: their classes have the proportions of the population."""
        return self._scored(self.sides)

    @property
    def scored_trainings(self) -> tuple[tuple[OutcomeTable, ...], ...]:
        """The trainings, likewise."""
        return tuple(map(self._scored, self.trainings))

    def _scored(self, sides: tuple[OutcomeTable, ...]) -> tuple[OutcomeTable, ...]:
        shares = self.class_shares
        return sides if shares is None else tuple(side.at_shares(shares) for side in sides)

    @property
    def n_classes(self) -> int:
        """Number of classes, M; of multi-label data 2L."""
        return self.tables[0].n_classes

    @property
    def multilabel(self) -> bool:
        """Whether the classes are pairs, one per label."""
        return self.tables[0].multilabel

    @property
    def spans(self) -> bool:
        """Whether the labels are types of spans."""
        return self.tables[0].spans

    @classmethod
    def before_data(
        cls,
        model: Model,
        n_classes: int,
        earlier: tuple[OutcomeTable, ...] = (),
        *,
        multilabel: bool = False,
        spans: bool = False,
        unsupported: tuple[int, ...] = (),
        population: CommonShares | None = None,
    ) -> "Experiment":
        """Return the model for two sides before any data: what its prior is about."""
        paired = OutcomeTable.empty(n_classes, n_sides=2, multilabel=multilabel, spans=spans)
        alone = OutcomeTable.empty(n_classes, n_sides=1, multilabel=multilabel, spans=spans)
        tables = (paired,) if model == Model.PAIRED else (alone, alone)
        before = cls(model, tables, earlier, population=population)
        return before._with_unsupported(unsupported)


@dataclass(frozen=True, eq=False)
class ScoreExperiment(_Data[ScoreTable]):
    """Scores: in a paired comparison the examples' weights are shared."""

    @property
    def sides(self) -> tuple[tuple[ScoreTable, int], ...]:
        """Each side's table, and its number there."""
        return _numbered(self.tables)

    @property
    def scored_sides(self) -> tuple[tuple[ScoreTable, int], ...]:
        """The same as scores see them: their classes have the proportions of the population."""
        shares = self.class_shares
        return self.sides if shares is None else _numbered([table.at_shares(shares) for table in self.tables])


def _numbered(tables: Sequence[ScoreTable]) -> tuple[tuple[ScoreTable, int], ...]:
    return tuple((table, side) for table in tables for side in range(table.n_sides))
