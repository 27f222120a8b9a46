"""Pools of which few examples are labelled: does the interval hold what it promises, and how narrow is it?

From the root of the repository: ``python -m benchmarks.studies.few_labels``; ``--help`` lists the options.
benchmarks/studies/few_labels.md holds its tables.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import MappingProxyType
from zlib import crc32

import numpy as np

from benchmarks.studies.populations import Population, retrained
from benchmarks.studies.uneven import UNEVEN
from pytest_bayesf1.arrays import Codes, Counts, Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.data.pool import Strata
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.stratified import Allocation, PoolPosterior, StratifiedSampler
from pytest_bayesf1.measures.classification import Joint, Measure, Several, parse_measure
from pytest_bayesf1.priors import PRIORS
from pytest_bayesf1.stats.posterior import hdi

HDI_PROB = 0.95
DRAWS = 1_000
ACCURACY, SPREAD = 0.85, 0.05
POOLS = 50
"""Simulated pools of a line of widths."""
REPETITIONS = {2: 1_000, 5: 300, 6: 450, 10: 450, 20: 150, 100: 50}
"""Simulated pools of a line, by the number of classes."""


@dataclass(frozen=True)
class Scenario:
    """A population at the edge of the ROPE, a pool, and how much of it is labelled."""

    n_classes: int
    n_labels: int
    measure_name: str = "f1_macro"
    n_pool: int = 20_000
    agreement: float = 0.9
    imbalance: float = 10.0
    rope: float = 0.01
    batches: int = 4

    @cached_property
    def measure(self) -> Measure:
        """What is compared by."""
        return parse_measure(self.measure_name, tuple(range(self.n_classes)))

    @cached_property
    def population(self) -> Population:
        """The candidate loses as much as is tolerated."""
        given = {"accuracy": ACCURACY, "agreement": self.agreement, "imbalance": self.imbalance, "spread": SPREAD}
        return retrained(self.measure, -self.rope, self.n_classes, **given)

    def generator(self) -> np.random.Generator:
        """Start a stream of random numbers that does not depend on which other scenarios run."""
        return np.random.default_rng(crc32(repr(self).encode()))


@dataclass(frozen=True)
class SharedErrors(Scenario):
    """A population of two equally good sides that also make the same errors, which strata of agreements then hold.

    Of every class ``apart`` are examples on which a side is wrong that the other has right. Both give the same wrong
    answer in ``both`` of the examples, of the rarest class in ``rarest``: any class, or most often ``named``.
    """

    both: float = 0.05
    rarest: float = 0.05
    named: int | None = None
    apart: float = 0.1

    @cached_property
    def population(self) -> Population:
        """Both sides are equally good."""
        n, classes = self.n_classes, np.arange(self.n_classes)
        share = np.geomspace(self.imbalance, 1, n)
        share /= share.sum()
        wrong = np.ones((n, n))
        if self.named is not None:
            wrong[:, self.named] = 4 * n
        np.fill_diagonal(wrong, 0)
        wrong /= wrong.sum(axis=1, keepdims=True)
        both = np.where(classes == n - 1, self.rarest, self.both)
        joint = np.zeros((n, n, n))
        joint[classes, classes, classes] = share * (1 - both - self.apart)
        joint[:, classes, classes] += (share * both)[:, None] * wrong
        for true in classes:
            joint[true, true] += share[true] * self.apart / 2 * wrong[true]
            joint[true, :, true] += share[true] * self.apart / 2 * wrong[true]
        return Population(joint)


@dataclass(frozen=True)
class Uneven(Scenario):
    """A population whose strata are not alike, as the posterior expects them to be."""

    kind: str = ""

    @cached_property
    def population(self) -> Population:
        """The candidate loses as much as is tolerated."""
        return UNEVEN[self.kind][1](self.measure, self.rope)


@dataclass(frozen=True, eq=False)
class Pool:
    """Outcomes of a pool, whose labels are known to the simulation: (K,) each."""

    n_classes: int
    true: Codes
    baseline: Codes
    candidate: Codes
    count: Counts

    @classmethod
    def draw(cls, scenario: Scenario, rng: np.random.Generator) -> "Pool":
        """Draw a pool from the population."""
        joint = scenario.population.joint
        count = rng.multinomial(scenario.n_pool, joint.ravel()).reshape(joint.shape)
        true, baseline, candidate = np.nonzero(count)
        return cls(scenario.n_classes, true, baseline, candidate, count[true, baseline, candidate])

    @cached_property
    def pairs(self) -> tuple[Codes, Codes]:
        """The different predictions, and which every outcome has."""
        return np.unique(self.baseline * self.n_classes + self.candidate, return_inverse=True)

    @classmethod
    def of_digits(cls, rng: np.random.Generator) -> "Pool":
        """Let two readers of handwritten digits learn from 150 images, and predict the others."""
        from sklearn.datasets import load_digits
        from sklearn.linear_model import LogisticRegression
        from sklearn.neighbors import KNeighborsClassifier

        images, digits = load_digits(return_X_y=True)
        seen, rest = np.split(rng.permutation(digits.size), [150])
        models = LogisticRegression(max_iter=5_000), KNeighborsClassifier(1)
        said = [model.fit(images[seen], digits[seen]).predict(images[rest]) for model in models]
        cells, count = np.unique(np.stack([digits[rest], *said]), axis=1, return_counts=True)
        true, baseline, candidate = cells
        return cls(10, true, baseline, candidate, count)

    def scores(self, measure: Measure) -> Floats:
        """Return both sides' scores, with every label known."""
        table = OutcomeTable.tally(self.n_classes, self.true, self.baseline, self.candidate, weight=self.count)
        sides = Experiment(Model.PAIRED, (table,)).scored_sides
        return np.array([float(measure(Joint.observed(side, measure.detail))) for side in sides])

    def with_wrong_labels(self, share: float, rng: np.random.Generator) -> "Pool":
        """Return the pool as it is labelled if so many labels are wrong, evenly any other class."""
        n = self.n_classes
        said = np.full((n, n), share / (n - 1))
        np.fill_diagonal(said, 1 - share)
        found = np.zeros((n, n, n), dtype=np.int64)
        for true, baseline, candidate, count in zip(self.true, self.baseline, self.candidate, self.count, strict=True):
            found[:, baseline, candidate] += rng.multinomial(count, said[true])
        label, baseline, candidate = np.nonzero(found)
        return Pool(n, label, baseline, candidate, found[label, baseline, candidate])

    def labelled(self, taken: Counts) -> Strata:
        """Count what is known once so many examples of every outcome are labelled."""
        numbers, pair = self.pairs
        baseline, candidate = np.divmod(numbers, self.n_classes)
        seen = taken > 0
        known = self.true[seen], pair[seen], taken[seen]
        return Strata(self.n_classes, baseline, candidate, np.bincount(pair, self.count), *known)

    def more(self, taken: Counts, wanted: Counts, rng: np.random.Generator) -> Counts:
        """Label so many more examples of every stratum, by chance."""
        stratum, found = self.labelled(taken).of_pair[self.pairs[1]], taken.copy()
        for number in np.flatnonzero(wanted):
            at = np.flatnonzero(stratum == number)
            found[at] += rng.multivariate_hypergeometric(self.count[at] - taken[at], wanted[number])
        return found


def label_more(scenario: Scenario, pool: Pool, taken: Counts, n: int, rng: np.random.Generator) -> Counts:
    """Label n more in batches, each allocated by what the ones before it say."""
    for batch in range(scenario.batches):
        n_more = (batch + 1) * n // scenario.batches - batch * n // scenario.batches
        more = Allocation.of(PoolPosterior(pool.labelled(taken)), scenario.measure).more(n_more)
        taken = pool.more(taken, more, rng)
    return taken


def labelled_in_batches(scenario: Scenario, pool: Pool, rng: np.random.Generator) -> Strata:
    """Label as many as the scenario has."""
    return pool.labelled(label_more(scenario, pool, np.zeros_like(pool.count), scenario.n_labels, rng))


def interval(strata: Strata, measure: Measure) -> Floats:
    """Return the HDI of the difference."""
    drawn = StratifiedSampler(PoolPosterior(strata), Several((measure,)), 0).draw(DRAWS)[:, :, 0]
    return hdi(drawn[1] - drawn[0], HDI_PROB)


def levels(strata: Strata, measure: Measure) -> tuple[Floats, Floats]:
    """Return both scores as they are estimated, and their HDIs."""
    posterior = PoolPosterior(strata)
    drawn = StratifiedSampler(posterior, Several((measure,)), 0).draw(DRAWS)[:, :, 0]
    estimates = np.array([measure(joint).item() for joint in posterior.expected(measure.detail)])
    return estimates, np.stack([hdi(each, HDI_PROB) for each in drawn])


def intervals(scenario: Scenario, n: int, rng: np.random.Generator) -> Floats:
    """Return the HDI of each of n pools: (n, 2)."""
    pools = (Pool.draw(scenario, rng) for _ in range(n))
    return np.array([interval(labelled_in_batches(scenario, pool, rng), scenario.measure) for pool in pools])


def rates(intervals: Floats, delta: float) -> tuple[float, float]:
    """Return how often intervals contain the true difference, and how often a gate fails at it."""
    low, high = intervals.T
    return float(((low <= delta) & (delta <= high)).mean()), float((high < delta).mean())


def interval_at_random(pool: Pool, taken: Counts, measure: Measure) -> Floats:
    """Return the HDI of a test set of random examples."""
    table = OutcomeTable.tally(pool.n_classes, pool.true, pool.baseline, pool.candidate, weight=taken)
    experiment = Experiment(Model.PAIRED, (table,)).without_unsupported_classes()
    prior = PRIORS["jeffreys" if pool.n_classes == 2 else "nested"]
    baseline, candidate = ExactEngine().sampler(experiment, prior, measure, 0).draw(DRAWS)
    return hdi(candidate - baseline, HDI_PROB)


def interval_of_ppi(pool: Pool, taken: Counts) -> Floats:
    """Return ppi-python's interval of the gain in accuracy from random labels, power-tuned.

    It predicts an example's gain as 1 where the two differ, and 0 elsewhere: all that is known without a label.
    """
    from ppi_py import ppi_mean_ci  # loads much

    gain = (pool.candidate == pool.true).astype(float) - (pool.baseline == pool.true)
    differ = (pool.candidate != pool.baseline).astype(float)
    parts = np.repeat(gain, taken), np.repeat(differ, taken), np.repeat(differ, pool.count - taken)
    return np.ravel(ppi_mean_ci(*parts, alpha=1 - HDI_PROB))


SCENARIOS = (
    *(Scenario(2, n, "f1[1]") for n in (100, 200, 1_000)),
    Scenario(2, 200, "accuracy"),
    *(Scenario(5, n) for n in (100, 300, 1_000)),
    Scenario(5, 300, "accuracy"),
    Scenario(5, 300, "matthews_corrcoef"),
    *(Scenario(20, n) for n in (200, 800, 2_000)),
    Scenario(20, 400, "accuracy"),
    *(Scenario(100, n) for n in (400, 2_000)),
    Scenario(100, 400, "accuracy"),
    *(Scenario(n_classes, 300, n_pool=n_pool) for n_classes in (2, 5) for n_pool in (2_000, 200_000)),
    Scenario(20, 800, n_pool=2_000),
    *(Scenario(n_classes, 300, agreement=0.8) for n_classes in (2, 5, 20)),
    *(Scenario(n_classes, 300, agreement=0.99, rope=0.002) for n_classes in (2, 5, 20)),
    *(Scenario(n_classes, 300, imbalance=100.0) for n_classes in (2, 5, 20)),
    *(Scenario(n_classes, 300, batches=1) for n_classes in (2, 5)),
)


UNEVEN_SCENARIOS = tuple(
    Uneven(n_classes, n_labels, kind=kind) for kind, (n_classes, _) in UNEVEN.items() for n_labels in (200, 800)
)


def covered(scenario: Scenario, times: float) -> str:
    """Return the cells of a line: pools, how often the interval contains the truth, failures, and half its width."""
    n = max(round(times * REPETITIONS[scenario.n_classes]), 1)
    found = intervals(scenario, n, scenario.generator())
    held, failed = rates(found, -scenario.rope)
    half = np.median(found[:, 1] - found[:, 0]) / 2
    return f"{n:,} | {100 * held:.1f} | {100 * failed:.1f} | {half:.4f}"


def coverage_table(times: float) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| classes | pool | labels | measure | agree | skew | batches | pools | covered, % | failed, % | half width |"
    yield "| ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for each in SCENARIOS:
        yield (
            f"| {each.n_classes} | {each.n_pool:,} | {each.n_labels:,} | {each.measure_name} | {each.agreement:g} | "
            f"{each.imbalance:g} | {each.batches} | {covered(each, times)} |"
        )


def uneven_table(times: float) -> Iterator[str]:
    """Yield the lines of a Markdown table: the same for populations whose strata are not alike."""
    yield "| classes | population | labels | pools | covered, % | failed, % | half width |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    for each in UNEVEN_SCENARIOS:
        yield f"| {each.n_classes} | {each.kind} | {each.n_labels} | {covered(each, times)} |"


WIDTHS = (
    Scenario(2, 200, "accuracy"),
    Scenario(5, 300, "accuracy"),
    Scenario(20, 800, "accuracy"),
    Scenario(2, 200),
    Scenario(5, 300),
    Scenario(20, 800),
)


def width_table(times: float) -> Iterator[str]:
    """Yield the lines of a Markdown table: median half widths, and those of `ppi_py` where it has the measure."""
    yield "| classes | labels | measure | at random | ppi-python | chosen | ratio | to ppi-python |"
    yield "| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |"
    for each in WIDTHS:
        rng, widths = each.generator(), []
        for _ in range(max(round(times * POOLS), 1)):
            pool = Pool.draw(each, rng)
            taken = rng.multivariate_hypergeometric(pool.count, each.n_labels)
            found = [interval_at_random(pool, taken, each.measure)]
            found.append(interval(labelled_in_batches(each, pool, rng), each.measure))
            if each.measure_name == "accuracy":
                found.append(interval_of_ppi(pool, taken))
            widths.append([np.ptp(one) / 2 for one in found])
        random, chosen, *ppi = np.median(widths, axis=0)
        peer, to_peer = (f"{ppi[0]:.4f}", f"{chosen / ppi[0]:.2f}") if ppi else ("", "")
        yield (
            f"| {each.n_classes} | {each.n_labels:,} | {each.measure_name} | {random:.4f} | {peer} | {chosen:.4f} | "
            f"{chosen / random:.2f} | {to_peer} |"
        )


LEVELS: Mapping[str, SharedErrors | Scenario] = MappingProxyType(
    {
        **{f"2 of 5 of the rare class missed, {n}": SharedErrors(2, n, both=0.01, rarest=0.4) for n in (40, 100, 300)},
        **{
            f"the same, skew 100, {n}": SharedErrors(2, n, imbalance=100, both=0.002, rarest=0.4, apart=0.02)
            for n in (40, 100, 300)
        },
        **{f"many errors, {n}": SharedErrors(2, n, imbalance=2, both=0.2, rarest=0.3) for n in (40, 100, 300)},
        **{f"hardly any, {n}": SharedErrors(2, n, both=0.002, rarest=0.005, apart=0.03) for n in (40, 100, 300)},
        **{f"even errors, {n}": SharedErrors(5, n, both=0.1, rarest=0.1) for n in (40, 100, 300)},
        **{f"the rarest class attracts, {n}": SharedErrors(5, n, both=0.1, rarest=0.1, named=4) for n in (100, 300)},
        **{f"half of the rare class missed, {n}": SharedErrors(5, n, rarest=0.5, named=0) for n in (40, 100, 300)},
        **{f"the same, {n}": SharedErrors(20, n, imbalance=100, rarest=0.5, named=0) for n in (100, 400)},
        **{f"a class in the middle attracts, {n}": SharedErrors(20, n, both=0.15, named=10) for n in (100, 400)},
        **{f"handwritten digits, {n}": Scenario(10, n, batches=3) for n in (40, 120)},
    }
)
LEVEL_POOLS = {2: 500, 5: 200, 10: 100, 20: 100}
"""Simulated pools of a line by the number of classes."""


def level_table(times: float) -> Iterator[str]:
    """Yield the lines of a Markdown table: how often the range of a score contains that of the whole pool."""
    yield "| classes | both sides make the same errors | labels | pools | score | off by | half width | covered, % |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, each in LEVELS.items():
        rng, found = np.random.default_rng(crc32(f"levels of {each}".encode())), []
        n = max(round(times * LEVEL_POOLS[each.n_classes]), 1)
        for _ in range(n):
            pool = Pool.draw(each, rng) if isinstance(each, SharedErrors) else Pool.of_digits(rng)
            estimates, ranges = levels(labelled_in_batches(each, pool, rng), each.measure)
            true = pool.scores(each.measure)
            inside = (ranges[:, 0] <= true) & (true <= ranges[:, 1])
            found.append([true, estimates - true, np.ptp(ranges, axis=1) / 2, inside])
        true, off, half, covered = np.mean(found, axis=(0, 2))
        yield (
            f"| {each.n_classes} | {name.rpartition(', ')[0]} | {each.n_labels} | {n} | {true:.3f} | "
            f"{off:+.3f} | {half:.3f} | {100 * covered:.1f} |"
        )


WRONG_LABELS = (
    Scenario(2, 300, rope=0.05),
    Scenario(2, 1_000, "accuracy", rope=0.05),
    Scenario(5, 300, rope=0.05),
    Scenario(5, 1_000, rope=0.05),
)
POOLS_WITH_WRONG_LABELS = 100


def wrong_label_table(times: float) -> Iterator[str]:
    """Yield the lines of a Markdown table: how often ranges contain the true change, if labels are wrong."""
    yield "| classes | measure | labels | wrong, % | covered, % | half width |"
    yield "| ---: | --- | ---: | ---: | ---: | ---: |"
    for each, share in product(WRONG_LABELS, (0.0, 0.02, 0.05, 0.1)):
        rng, found = np.random.default_rng(crc32(f"{share} wrong of {each}".encode())), []
        for _ in range(max(round(times * POOLS_WITH_WRONG_LABELS), 1)):
            pool = Pool.draw(each, rng)
            baseline, candidate = pool.scores(each.measure)
            as_labelled = pool.with_wrong_labels(share, rng)
            strata = labelled_in_batches(each, as_labelled, rng)
            low, high = interval(strata, each.measure)
            found.append([100 * (low <= candidate - baseline <= high), (high - low) / 2])
        covered, half = np.mean(found, axis=0)
        about = f"{each.n_classes} | {each.measure_name} | {each.n_labels:,} | {100 * share:g}"
        yield f"| {about} | {covered:.0f} | {half:.4f} |"


TABLES = {
    "widths": width_table,
    "coverage": coverage_table,
    "uneven": uneven_table,
    "scores": level_table,
    "wrong": wrong_label_table,
}


def main() -> None:
    """Print the tables."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", default=[*TABLES], metavar="TABLE", help=f"of {', '.join(TABLES)} (all)")
    parser.add_argument("--times", type=float, default=1.0, help="multiple of the simulated pools of each line (1)")
    given = parser.parse_args()
    for name in given.tables:
        for line in TABLES[name](given.times):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
