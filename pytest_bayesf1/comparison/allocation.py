"""What labels of a pool are worth, stratum by stratum.

To first order the difference of two scores is the mean of an influence of every example on it. An example of stratum s
is labelled to learn its influence, which varies in the stratum with the standard deviation sigma_s; with n_s labels
each the estimate has the variance

    sum_s w_s^2 sigma_s^2 / n_s,

which a given number of labels makes least where n_s is proportional to w_s sigma_s (Neyman 1934, On the two different
aspects of the representative method). An agreement has nearly no influence, whatever its truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pytest_bayesf1.arrays import Counts, Floats
from pytest_bayesf1.data.pool import N_GROUPS, Strata
from pytest_bayesf1.engines.stratified import PoolPosterior
from pytest_bayesf1.measures.classification import Joint, Measure, MeasureLike, parse_measure, require_of_classes
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import DeltaFigures, ExamplesNeeded
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.forecast import examples_needed
from pytest_bayesf1.stats.power import slopes

_LEAST_SHARE = 0.1
"""Of the mean of w_s sigma_s: what no stratum has less of, for the little that is known of it may mislead."""
_DOUBT = 16.0
"""Labels of every stratum that count as if its influence were zero on average. If the first few labels of a stratum are
alike by chance, it must still get more of them: otherwise nothing corrects the estimate."""
_FEWEST, _ENOUGH = 2, 10
"""Labels that every stratum of so many examples has."""
_FOR_EVERY_STRATUM = 0.2
"""The share of all labels that these may be."""
_TRIED = 200
"""Numbers of labels."""
_TELLING = 1 - 1e-6
"""The share of the variance that is left, above which labels tell nothing."""


def measure_of_pool(asked_for: MeasureLike, labels: Sequence[Label]) -> Measure:
    """Choose a measure of classes."""
    if isinstance(asked_for, str):
        require_of_classes(parse_name(asked_for), None, "Pools do not support scores yet.")
    return parse_measure(asked_for, labels)


@dataclass(frozen=True, eq=False)
class Allocation:
    """What labels of every stratum are worth.

    Attributes
    ----------
    strata
        The pool and its labels.
    sigma : (S,)
        The standard deviation of its examples' influence on the difference of the scores.
    cautious : (S,)
        The same, larger where few labels say that it is small.
    variance_of_pool
        The variance that is left with every example labelled.
    """

    strata: Strata
    sigma: Floats
    cautious: Floats
    variance_of_pool: float

    @classmethod
    def of(cls, posterior: PoolPosterior, measure: Measure) -> "Allocation":
        """Expect what the posterior does."""
        strata, (cells, unseen) = posterior.strata, posterior.mean()
        baseline, candidate = _influences(posterior, measure)
        share = strata.sizes / strata.sizes.sum()

        def moment(power: int) -> Floats:
            """Return the mean of a power of the influence in every stratum."""
            sums = np.zeros(share.size)
            parts = (posterior.labelled, cells, strata.group), (posterior.unseen, unseen, np.arange(unseen.size))
            for outcomes, mass, group in parts:
                gain = candidate[outcomes.true, outcomes.candidate] - baseline[outcomes.true, outcomes.baseline]
                weight = mass[outcomes.source, 0] * outcomes.part
                sums += np.bincount(group[outcomes.source] // N_GROUPS, weight * gain**power, sums.size)
            return np.asarray(sums / share)

        mean, square = moment(1), moment(2)
        between = share @ np.square(mean) - (share @ mean) ** 2
        within = (square - mean**2).clip(min=0)
        in_all = float(between + share @ within) / float(strata.sizes.sum())
        cautious = within + mean**2 * _DOUBT / (strata.labelled + _DOUBT)
        return cls(strata, np.sqrt(within), np.sqrt(cautious), in_all)

    @cached_property
    def _worth(self) -> Floats:
        """(S,) w_s sigma_s, never too little; of a pool on which labels have no influence the sizes."""
        worth = self.strata.sizes * self.cautious
        worth = worth if worth.any() else self.strata.sizes
        return np.asarray(np.maximum(worth, _LEAST_SHARE * worth.mean()))

    def more(self, n: int) -> Counts:
        """Say how many more examples of each stratum to label, n in all or as many as there are: (S,)."""
        strata, labelled = self.strata, self.strata.labelled
        total = min(labelled.sum() + n, strata.sizes.sum())
        wanted = self._wanted(total)
        whole = np.floor(wanted)
        first = np.argsort(whole - wanted, kind="stable")[: round(total - whole.sum())]
        whole[first] += 1
        return (whole - labelled).astype(np.int64)

    def _wanted(self, total: float) -> Floats:
        """Divide labels, those that there are among them: (S,), not rounded."""
        sizes, least = self.strata.sizes, np.maximum(self.strata.labelled, self._least(total))
        if least.sum() >= total:  # as many of what is lacking as are left
            have = self.strata.labelled
            return np.asarray(have + (least - have) * ((total - have.sum()) / max((least - have).sum(), 1.0)))
        low, high = 0.0, float((sizes / self._worth).max())
        for _ in range(200):
            factor = (low + high) / 2
            reached = np.clip(factor * self._worth, least, sizes).sum()
            low, high = (factor, high) if reached < total else (low, factor)
        return np.clip(high * self._worth, least, sizes)

    def _least(self, total: float) -> Floats:
        """Label some of every stratum that is not small, the largest ones first: (S,)."""
        sizes = self.strata.sizes
        least = np.where(sizes >= _ENOUGH, _FEWEST, 0)
        largest = np.argsort(-sizes, kind="stable")
        kept = np.cumsum(least[largest]) <= max(_FOR_EVERY_STRATUM * total, self.strata.labelled.sum())
        found = np.zeros(sizes.size)
        found[largest[kept]] = least[largest[kept]]
        return found

    def variance(self, total: float) -> float:
        """Return the variance of the difference with so many labels in all, allocated from now on."""
        # a stratum without labels leans on the others: it counts as having its part of the total, up to one label
        sizes, part = self.strata.sizes, np.minimum(total * self._worth / self._worth.sum(), 1.0)
        unknown = np.maximum(1 / np.maximum(self._wanted(total), part) - 1 / sizes, 0)
        return float(np.square(sizes / sizes.sum() * self.sigma) @ unknown) + self.variance_of_pool

    def needed(self, posterior: DeltaFigures, rope: Rope) -> ExamplesNeeded:
        """Estimate how many more labels would settle each question in half of the cases."""
        have, most = self.strata.labelled.sum(), self.strata.sizes.sum()
        more = np.unique(np.geomspace(1, most - have, _TRIED).round()) if have < most else np.empty(0)
        left = np.array([self.variance(have + each) for each in more]) / (self.variance(have) or 1.0)
        more, left = more[(left > 0) & (left < _TELLING)], left[(left > 0) & (left < _TELLING)]
        return examples_needed(posterior, rope, more, (1 - left) / left)


def _influences(posterior: PoolPosterior, measure: Measure) -> tuple[Floats, Floats]:
    """Return what an example of true class j predicted k changes either side's expected score by: (M, M) each."""
    n_classes = posterior.strata.n_classes
    sides = posterior.expected(max(measure.detail, Detail.MARGINS))
    parts = zip(*(vars(side).values() for side in sides), strict=True)
    joined: list[Any] = [None if part[0] is None else np.concatenate(part) for part in parts]
    true, said = np.divmod(np.arange(n_classes**2), n_classes)
    by_errors, by_right = slopes(measure, Joint(*joined), true, said)
    found = np.where(true == said, by_right[:, true], by_errors).reshape(2, n_classes, n_classes)
    return found[0], found[1]
