"""The posterior of a pool of which few examples are labelled: a table for every stratum.

The size of a stratum is known, and its labelled examples are a simple random sample of it, however many there are. The
posterior is one of independent parts:

* shares of the strata ~ Dirichlet(N_s): production as the pool shows it;
* an agreement is right with a probability of its stratum's own, a disagreement is "neither right" likewise, and
  otherwise the candidate is right with another such probability. The probabilities of one kind vary over the strata as
  Beta(kappa eta, kappa (1 - eta)), with kappa and eta learned from all of them, so that strata with few labels lean on
  the others as far as these are alike, and have room of their own otherwise. Nothing tells the sides apart before the
  data. Of two classes there are too few strata to learn from: every probability then has Jeffreys' Beta(1/2, 1/2), or
  for agreements, which may hardly ever be wrong, Beta(1/2, b) with any b from 1/8 to 1/2, log b uniform;
* within these groups, outcomes weigh as often as they were labelled (Rubin 1981, The Bayesian bootstrap), beside what
  was not seen, which weighs one example and is spread as the pool's predictions are.

With every example labelled this is the posterior of `compare` up to the priors.

From it follows what more labels are worth, stratum by stratum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit, gammaln

from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.data.pool import BASELINE, CANDIDATE, N_GROUPS, NEITHER, RIGHT, WRONG, Strata
from pytest_bayesf1.engines.data_draws import gamma_rows, selector
from pytest_bayesf1.engines.protocol import BlockSampler, Seed
from pytest_bayesf1.measures.classification import (
    Joint,
    Measure,
    MeasureLike,
    Scoring,
    parse_measure,
    require_of_classes,
)
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.measures.names import parse_name
from pytest_bayesf1.results.comparison import DeltaFigures, ExamplesNeeded
from pytest_bayesf1.results.schema import Label
from pytest_bayesf1.stats.decision import Rope
from pytest_bayesf1.stats.posterior import examples_needed
from pytest_bayesf1.stats.power import slopes

_UNSEEN = 1.0
"""What the outcomes of a group that were not seen weigh, in examples."""
_JEFFREYS = 0.5
_RARER = 1 / 4
"""The least that errors of agreements weigh beforehand, as a part of that."""
_KAPPAS = 2.0 ** (np.arange(-2, 17) / 2)
"""Of the probabilities of strata, any of these as likely: they may be far more alike than classes are."""
_LOGITS, _STEP = np.linspace(-12, 12, 481, retstep=True)
"""Of eta, whose prior is uniform; a draw is anywhere within half a step of one of them."""
_FOR_A_MEAN = 400
"""Draws of the prior's parameters."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Outcomes, their part in what they stand for: a labelled cell, or what was not seen of a group.

    Attributes
    ----------
    source : (K,)
        What each stands for: its row in the matrix of `sums`.
    true, baseline, candidate : (K,)
        The outcomes.
    part : (K,)
        Those of a source sum to 1.
    n_sources
        How many sources there are.
    """

    source: Codes
    true: Codes
    baseline: Codes
    candidate: Codes
    part: Floats
    n_sources: int

    @classmethod
    def labelled(cls, strata: Strata) -> "Outcomes":
        """Take every labelled outcome for a source."""
        n, said = strata.true.size, (strata.baseline[strata.pair], strata.candidate[strata.pair])
        return cls(np.arange(n), strata.true, *said, np.ones(n), n)

    @classmethod
    def unseen(cls, strata: Strata) -> "Outcomes":
        """Spread every group as the pool's predictions are."""
        n_classes, weight = strata.n_classes, strata.n_pool.astype(np.float64)
        pair, agree = np.arange(weight.size), strata.agree[strata.of_pair]
        # of what neither side, or both, have wrong, every other class may be true
        any_pair, any_class = np.divmod(np.arange(weight.size * n_classes), n_classes)
        other = (any_class != strata.baseline[any_pair]) & (any_class != strata.candidate[any_pair])
        any_pair, any_class = any_pair[other], any_class[other]
        parts = [
            (pair, strata.baseline, np.where(agree, RIGHT, BASELINE), weight),
            (pair[~agree], strata.candidate[~agree], np.full((~agree).sum(), CANDIDATE), weight[~agree]),
            (
                any_pair,
                any_class,
                np.where(agree[any_pair], WRONG, NEITHER),
                weight[any_pair] * _shares_of_others(strata)[any_pair] * strata.popularity[any_class],
            ),
        ]
        at, true, kind, amount = map(np.concatenate, zip(*parts, strict=True))
        source, n_sources = N_GROUPS * strata.of_pair[at] + kind, N_GROUPS * strata.sizes.size
        total = np.bincount(source, amount, n_sources)
        return cls(source, true, strata.baseline[at], strata.candidate[at], amount / total[source], n_sources)

    def sums(self, n_classes: int, detail: Detail) -> csr_array:
        """Return the (width, sources) matrix that adds sources up to what a measure looks at."""
        first = np.arange(5) * n_classes
        targets = [(first[0] + self.true, None)]
        for side, said in enumerate((self.baseline, self.candidate)):
            targets.append((first[1 + side] + self.true, said == self.true))
            if detail is Detail.MATRIX:
                targets.append((first[3] + (side * n_classes + self.true) * n_classes + said, None))
            elif detail is Detail.MARGINS:
                targets.append((first[3 + side] + said, None))
        width = first[3] + {Detail.MARGINS: 2 * n_classes, Detail.MATRIX: 2 * n_classes**2}.get(detail, 0)
        rows = np.concatenate([target if kept is None else target[kept] for target, kept in targets])
        kept = [np.arange(self.true.size) if kept is None else np.flatnonzero(kept) for _, kept in targets]
        at = np.concatenate(kept)
        return csr_array((self.part[at], (rows, self.source[at])), shape=(width, self.n_sources))


def _shares_of_others(strata: Strata) -> Floats:
    """(P,) one over how popular all classes are that neither side predicts; 1 where there are none."""
    popularity, said = strata.popularity, (strata.baseline, strata.candidate)
    predicted = popularity[said[0]] + np.where(said[0] == said[1], 0.0, popularity[said[1]])
    rest = popularity.sum() - predicted
    found: Floats = np.divide(1.0, rest, out=np.ones_like(rest), where=rest > 0)
    return found


class _Rate:
    """A probability of every stratum of a kind, from how often it came out so and how often not: (J, 2).

    If it is not learned, the second outcome may weigh less beforehand than Jeffreys' prior says, down to the part
    `rarer` of it.
    """

    def __init__(self, counts: Floats, *, learned: bool, rarer: float = 1.0) -> None:
        self._counts, self._rarer = counts, rarer
        self._chances = _chances(counts) if learned and len(counts) else None

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw it: (n, J)."""
        yes, no = rng.standard_gamma(self._shapes(n, rng))
        return np.asarray(yes / (yes + no))

    def mean(self, rng: np.random.Generator) -> Floats:
        """Return its posterior mean: (1, J)."""
        yes, no = self._shapes(_FOR_A_MEAN, rng)
        return np.asarray((yes / (yes + no)).mean(axis=0, keepdims=True))

    def _shapes(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the two parameters of its Beta distribution: (2, n, J)."""
        if self._chances is None:
            prior = _JEFFREYS * np.stack([np.ones(n), self._rarer ** rng.random(n)])
        else:
            kappa, logit = np.divmod(rng.choice(self._chances.size, n, p=self._chances), _LOGITS.size)
            logits = _LOGITS[logit] + _STEP * (rng.random(n) - 0.5)
            prior = _KAPPAS[kappa] * expit([logits, -logits])
        return np.asarray(self._counts.T[:, None] + prior[:, :, None])


def _chances(counts: Floats) -> Floats:
    """Return how likely each kappa with each eta is, given how often the two outcomes came out, (J, 2) strata."""
    parts = [np.multiply.outer(_KAPPAS, expit(sign * _LOGITS)) for sign in (1, -1)]
    log_chance = np.broadcast_to(-np.logaddexp(0, _LOGITS) - np.logaddexp(0, -_LOGITS), parts[0].shape)
    for part, column in zip((*parts, _KAPPAS[:, None]), (*counts.T, counts.sum(axis=1)), strict=True):
        sign = -1 if part.shape[1] == 1 else 1
        for n, times in zip(*np.unique(column, return_counts=True), strict=True):
            log_chance = log_chance + sign * times * (gammaln(part + n) - gammaln(part))
    chances = np.exp(log_chance - log_chance.max()).ravel()
    return np.asarray(chances / chances.sum())


class PoolPosterior:
    """What the labelled outcomes weigh in the population, and what was not seen of every group.

    Attributes
    ----------
    labelled, unseen
        What these are.
    """

    def __init__(self, strata: Strata) -> None:
        self.strata = strata
        self.labelled, self.unseen = Outcomes.labelled(strata), Outcomes.unseen(strata)
        self._sums: dict[Detail, tuple[csr_array, Floats]] = {}
        agreements, others = strata.groups[strata.agree], strata.groups[~strata.agree]
        learned = strata.n_classes > 2
        one_right = others[:, [CANDIDATE, BASELINE]]
        neither = np.stack([others[:, NEITHER], one_right.sum(axis=1)], axis=1)
        self._right = _Rate(agreements[:, [RIGHT, WRONG]], learned=learned, rarer=_RARER)
        self._candidate = _Rate(one_right, learned=learned)
        self._neither = _Rate(neither, learned=learned) if learned else None
        self._by_group = selector(strata.group, np.arange(strata.true.size), self.unseen.n_sources, strata.true.size)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Draw what every labelled outcome, (C, n), and the unseen ones of every group, (3S, n), weigh."""
        sizes = rng.standard_gamma(self.strata.sizes, (n, self.strata.sizes.size))
        sizes /= sizes.sum(axis=1, keepdims=True)
        right, candidate = self._right.draw(n, rng), self._candidate.draw(n, rng)
        groups = self._groups(sizes, right, candidate, None if self._neither is None else self._neither.draw(n, rng))
        cells = gamma_rows(self.strata.n_labelled, n, rng)
        return self._split(groups, cells, _UNSEEN * rng.standard_exponential(groups.shape))

    def mean(self) -> tuple[Floats, Floats]:
        """Return what they weigh in the pool: labelled examples themselves, the others as expected; (C, 1), (3S, 1)."""
        rng, strata, total = np.random.default_rng(0), self.strata, self.strata.sizes.sum()
        right, candidate = self._right.mean(rng), self._candidate.mean(rng)
        others = (strata.sizes - strata.labelled)[None] / total
        groups = self._groups(others, right, candidate, None if self._neither is None else self._neither.mean(rng))
        labelled = strata.n_labelled[:, None].astype(np.float64)
        cells, unseen = self._split(groups, labelled, np.full(groups.shape, _UNSEEN))
        return cells + labelled / total, unseen

    def _groups(self, of_strata: Floats, right: Floats, candidate: Floats, neither: Floats | None) -> Floats:
        """Return what every group weighs, (3S, n), from the strata's shares and the probabilities, (n, ...) each."""
        agree, shares = self.strata.agree, np.zeros((*of_strata.shape, N_GROUPS))
        one_right = 1.0 if neither is None else 1 - neither
        shares[:, agree, RIGHT], shares[:, agree, WRONG] = right, 1 - right
        shares[:, ~agree, CANDIDATE], shares[:, ~agree, BASELINE] = one_right * candidate, one_right * (1 - candidate)
        shares[:, ~agree, NEITHER] = 1 - one_right
        shares *= of_strata[:, :, None]
        return shares.reshape(len(shares), -1).T

    def _split(self, groups: Floats, cells: Floats, unseen: Floats) -> tuple[Floats, Floats]:
        """Split what a group weighs over its labelled outcomes and what was not seen, in proportion to these."""
        factor = groups / (self._by_group @ cells + unseen)
        return cells * factor[self.strata.group], unseen * factor

    def sums(self, detail: Detail) -> tuple[csr_array, Floats]:
        """Return what adds labelled outcomes, and the unseen ones, up to what a measure looks at."""
        if detail not in self._sums:  # many classes have a million unseen outcomes
            n_classes = self.strata.n_classes
            self._sums[detail] = self.labelled.sums(n_classes, detail), self.unseen.sums(n_classes, detail).toarray()
        return self._sums[detail]

    def expected(self, detail: Detail) -> list[Joint]:
        """Return both sides' joint probabilities in the pool: what is observed once every example is labelled."""
        parts = zip(self.sums(detail), self.mean(), strict=True)
        return _joints(sum(sums @ weights for sums, weights in parts), self.strata.n_classes, detail)


class StratifiedSampler(BlockSampler):
    """Draws of both sides' scores."""

    def __init__(self, posterior: PoolPosterior, scoring: Scoring, seed: Seed) -> None:
        self._posterior, self._scoring = posterior, scoring
        self._labelled, self._unseen = posterior.sums(scoring.detail)
        super().__init__(sum(self._labelled.shape) + 2 * self._unseen.shape[1], seed)

    def _scores(self, n: int, rng: np.random.Generator) -> Floats:
        cells, unseen = self._posterior.draw(n, rng)
        sums = self._labelled @ cells + self._unseen @ unseen
        joints = _joints(sums, self._posterior.strata.n_classes, self._scoring.detail)
        return np.stack([self._scoring(joint) for joint in joints])


def _joints(sums: Floats, n_classes: int, detail: Detail) -> list[Joint]:
    """Read both sides' joint probabilities off the sums, (width, n)."""
    by_draw = np.ascontiguousarray(sums.T)
    true, *correct = (by_draw[:, first : first + n_classes] for first in range(0, 3 * n_classes, n_classes))
    rest = by_draw[:, 3 * n_classes :]
    if detail is Detail.MATRIX:
        matrices = rest.reshape(-1, 2, n_classes, n_classes)
        return [Joint(true, correct[side], matrices[:, side].sum(axis=1), matrices[:, side]) for side in (0, 1)]
    predicted = rest.reshape(-1, 2, n_classes) if detail is Detail.MARGINS else None
    return [Joint(true, correct[side], None if predicted is None else predicted[:, side]) for side in (0, 1)]


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

    To first order the difference of two scores is the mean of an influence of every example on it. An example of
    stratum s is labelled to learn its influence, which varies in the stratum with the standard deviation sigma_s; with
    n_s labels each the estimate has the variance

        sum_s w_s^2 sigma_s^2 / n_s,

    which a given number of labels makes least where n_s is proportional to w_s sigma_s (Neyman 1934, On the two
    different aspects of the representative method). An agreement has nearly no influence, whatever its truth.

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
