"""How much a comparison depends on the share of equal predictions, where pairs are unknown.

Which predictions belong to the same example is not known from the matrices. Of a true class with N examples let b and c
be what either side makes of them, label by label. Both predict label a on at least max(0, b_a + c_a - N) and on at most
min(b_a, c_a) of the examples, and all labels can be at either bound at once.

Of the many pairings that meet an agreement one is taken that leaves chance the most room: none has more examples that
one side alone gets right, which are what a difference comes from. What both get wrong they predict alike, therefore, as
far as the counts allow. How many both get right follows from the agreement: every class goes the same part of the way
from what independent sides would have, r q / N where the two get r and q of its N examples right, to the most with
which nothing need be wrong in two ways, and only then on to min(r, q).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pytest_bayesf1.arrays import Codes, Floats, Weights
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.results.comparison import Contingency
from pytest_bayesf1.stats.attribution import CellChanges


def contingency_of(table: OutcomeTable) -> Contingency:
    """Count the outcomes of two sides on the same examples."""
    return Contingency(*(round(float(count)) for count in table.group_counts.sum(axis=0)))


@dataclass(frozen=True, eq=False)
class Pairings:
    """Two confusion matrices whose examples are the same.

    Attributes
    ----------
    baseline, candidate
        One side each, with equal row totals; whole numbers.
    """

    baseline: OutcomeTable
    candidate: OutcomeTable

    @property
    def n(self) -> int:
        """How many predictions either side made: the examples, or of labels the decisions on an example and a label."""
        return int(self.baseline.count.sum())

    @property
    def least(self) -> int:
        """On how many the two predict the same at least."""
        totals = self.baseline.row_totals[self._cells.true]
        return int(np.maximum(self._cells.counts.sum(axis=0) - totals, 0).sum())

    @property
    def most(self) -> int:
        """On how many the two predict the same at most."""
        return int(self._cells.shared.sum())

    @property
    def by_chance(self) -> float:
        """On how many they predict the same by the rule above if as many as of independent sides are right on both."""
        return self._rows.agreed_after(1)

    def agreeing_on(self, n_agreed: int) -> OutcomeTable:
        """Pair them by the rule above.

        Examples
        --------
        >>> sides = [OutcomeTable.tally(2, *np.nonzero(c), weight=c[c > 0]) for c in np.array([[[8, 2]], [[7, 3]]])]
        >>> table = Pairings(*sides).agreeing_on(7)
        >>> table.predicted.tolist(), table.count.tolist()
        ([[0, 0, 1, 1], [0, 1, 0, 1]], [6, 2, 1, 1])
        """
        cells, rows = self._cells, self._rows
        right = rows.both_right(n_agreed)
        alike = np.where(cells.wrong, self._alike_and_wrong(rows.wrong_alike(right)), right[cells.true])
        baseline, candidate = cells.counts - alike
        # what is left of a class: the baseline's right ones meet the candidate's wrong ones, and the other way round
        first = np.lexsort((cells.predicted, cells.wrong, cells.true))
        second = np.lexsort((cells.predicted, ~cells.wrong, cells.true))
        at_first, at_second, weight = _side_by_side(baseline[first], candidate[second])
        return OutcomeTable.tally(
            self.baseline.n_classes,
            np.concatenate([cells.true, cells.true[first[at_first]]]),
            np.concatenate([cells.predicted, cells.predicted[first[at_first]]]),
            np.concatenate([cells.predicted, cells.predicted[second[at_second]]]),
            weight=np.concatenate([alike, weight]),
            multilabel=self.baseline.multilabel,
        )

    def _alike_and_wrong(self, wanted: Weights) -> Weights:
        """Spread what each class has, (M,), over its cells, (K,), in proportion to what either can hold."""
        cells = self._cells
        can_hold = np.where(cells.wrong, cells.shared, 0)
        up_to = can_hold.cumsum()
        starts = np.searchsorted(cells.true, np.arange(wanted.size))
        within = up_to - np.concatenate([[0], up_to])[starts][cells.true]
        room = np.maximum(self._rows.alike, 1)[cells.true]
        ends, begins = (of * wanted[cells.true] // room for of in (within, within - can_hold))
        return np.asarray(ends - begins)

    @cached_property
    def _cells(self) -> CellChanges:
        return CellChanges.between(self.baseline, self.candidate)

    @cached_property
    def _rows(self) -> "_Rows":
        return _Rows.of(self._cells, self.baseline.row_totals)


class _Rows(NamedTuple):
    """The true classes, (M,) each.

    Attributes
    ----------
    both_wrong
        Examples that both sides get wrong, less those that both get right.
    alike
        The most that both can get wrong in the same way.
    right
        Stops on the way of the examples that both get right: the fewest, those of independent sides, the most with
        which none need be wrong in two ways, and the most.
    """

    both_wrong: Weights
    alike: Weights
    right: tuple[Floats, Floats, Floats, Floats]

    @classmethod
    def of(cls, cells: CellChanges, totals: Weights) -> "_Rows":
        right = np.zeros((2, totals.size), dtype=np.int64)
        right[:, cells.true[~cells.wrong]] = cells.counts[:, ~cells.wrong]
        alike = np.zeros(totals.size, dtype=np.int64)
        np.add.at(alike, cells.true[cells.wrong], cells.shared[cells.wrong])
        both_wrong = totals - right.sum(axis=0)
        fewest, most = np.maximum(-both_wrong, 0.0), right.min(axis=0).astype(float)
        in_one_way = np.clip(alike - both_wrong, fewest, most)
        by_chance = np.minimum(right.prod(axis=0, dtype=float) / np.maximum(totals, 1), in_one_way)
        return cls(both_wrong, alike, (fewest, by_chance, in_one_way, most))

    def both_right(self, n_agreed: int) -> Weights:
        """Return how many both get right, (M,) whole numbers, so that they agree on this many, or on one fewer."""
        wanted = self._after(self._stops_passed(n_agreed))
        found = np.floor(wanted).astype(np.int64)
        gains = self._agreed(found + 1) - self._agreed(found)
        order = np.argsort(found - wanted, kind="stable")[: np.count_nonzero(wanted > found)]
        found[order[gains[order].cumsum() <= n_agreed - self._agreed(found).sum()]] += 1
        return found

    def wrong_alike(self, right: Floats | Weights) -> Weights:
        """Return how many both get wrong in the same way, (M,), given how many both get right."""
        return np.asarray(np.minimum(self.both_wrong + right, self.alike))

    def _stops_passed(self, n_agreed: int) -> float:
        """Return how far on the way the two agree on this many, in stops."""
        last = len(self.right) - 1
        if self.agreed_after(0) >= n_agreed:
            return 0
        if self.agreed_after(last) <= n_agreed:
            return last
        from scipy.optimize import brentq  # noqa: PLC0415 (it takes a tenth of a second)

        return float(brentq(lambda passed: self.agreed_after(passed) - n_agreed, 0, last))

    def agreed_after(self, passed: float) -> float:
        """Return on how many the two agree so far on the way, in stops."""
        return float(self._agreed(self._after(passed)).sum())

    def _after(self, passed: float) -> Floats:
        at = min(int(passed), len(self.right) - 2)
        begin, end = self.right[at : at + 2]
        return np.clip(begin + (passed - at) * (end - begin), begin, end)

    def _agreed(self, right: Floats | Weights) -> Floats:
        return np.asarray(right + self.wrong_alike(right))


def _side_by_side(baseline: Weights, candidate: Weights) -> tuple[Codes, Codes, Weights]:
    """Lay two lists of counts of the same total side by side: which of either meet, and how often."""
    ends = np.unique(np.concatenate([baseline.cumsum(), candidate.cumsum()]))
    ends = ends[ends > 0]
    first, second = (np.searchsorted(counts.cumsum(), ends) for counts in (baseline, candidate))
    return first, second, np.diff(ends, prepend=0)
