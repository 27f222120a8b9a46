"""What a verdict does not cover: wrong labels, chance in training, repeated looks, picking the best, prevalence.

From the root of the repository: ``python -m benchmarks.studies.limits`` prints the tables of limits.md;
``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, product
from math import sqrt
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from benchmarks.studies.populations import Population, retrained
from benchmarks.studies.verdicts import F1, ROPE, Verdicts
from pytest_bayesf1.arrays import Counts, Floats
from pytest_bayesf1.data.outcomes import CommonShares

N_EXAMPLES = 2_000
REPETITIONS = 1_000
Row: TypeAlias = tuple[str | float, ...]
"""Words, and rates from 0 to 1."""


def sample(joint: Floats, n: int, rng: np.random.Generator, size: int | tuple[int, ...]) -> Counts:
    """Draw test sets of n examples each: (size, 2, 2, 2)."""
    drawn = rng.multinomial(n, joint.ravel(), size=size)
    return drawn.reshape(*drawn.shape[:-1], *joint.shape)


def flipped(joint: Floats, share: float) -> Floats:
    """Label this share of the examples with the other class, whatever the classifiers say."""
    return np.asarray((1 - share) * joint + share * joint[::-1])


def copied(joint: Floats, share: float) -> Floats:
    """Label this share of the examples as the baseline predicts: its answers were shown to the annotators."""
    as_baseline = np.eye(2)[:, :, None] * joint.sum(axis=0)
    return np.asarray((1 - share) * joint + share * as_baseline)


WRONG_LABELS: Mapping[str, Callable[[Floats, float], Floats]] = MappingProxyType(
    {"another class, at random": flipped, "the baseline's prediction": copied}
)


def label_noise(repetitions: int) -> Iterator[Row]:
    """Label some examples wrongly."""
    cases = [("none", 0.0), *product(WRONG_LABELS, (0.05, 0.1, 0.2))]
    for delta, (name, share) in product((0.0, -3 * ROPE), cases):
        joint, rng = retrained(F1, delta, 2).joint, np.random.default_rng([1, round(100 * share)])
        noisy = Population(WRONG_LABELS[name](joint, share) if share else joint)
        verdicts = Verdicts.of(sample(noisy.joint, N_EXAMPLES, rng, repetitions), rng)
        rates = verdicts.covers(delta).mean(), verdicts.worse.mean()
        yield _points(delta), name, f"{share:.0%}", _points(noisy.delta(F1)), *map(float, rates)


def training(repetitions: int) -> Iterator[Row]:
    """Train two models by recipes that are equally good: their own scores scatter."""
    for n_examples, sd in product((N_EXAMPLES, 10 * N_EXAMPLES), (0.0, 0.0025, 0.005, 0.01)):
        rng = np.random.default_rng([2, n_examples])
        deltas = rng.normal(0, sqrt(2) * sd, repetitions)
        joints = (retrained(F1, delta, 2).joint for delta in deltas)
        verdicts = Verdicts.of((sample(joint, n_examples, rng, ()) for joint in joints), rng)
        rates = verdicts.covers(deltas), verdicts.covers(0), verdicts.worse + verdicts.better
        yield f"{n_examples:,}", f"{100 * sd:.2f}", *(float(each.mean()) for each in rates)


LOOKS, A_LOOK = 12, 500


def repeated_looks(repetitions: int) -> Iterator[Row]:
    """Judge again whenever the test set has grown, and fail at the first ≪."""
    for delta in (0.0, -ROPE):
        rng = np.random.default_rng([3, round(1_000 * -delta)])
        grown = sample(retrained(F1, delta, 2).joint, A_LOOK, rng, (repetitions, LOOKS)).cumsum(axis=1)
        worse = Verdicts.of(grown.reshape(-1, 2, 2, 2), rng).worse.reshape(repetitions, LOOKS)
        ever = np.maximum.accumulate(worse, axis=1)
        for look in (1, 2, 4, 8, LOOKS):
            rates = worse[:, look - 1].mean(), ever[:, look - 1].mean()
            yield _points(delta), str(look), f"{look * A_LOOK:,}", *map(float, rates)


def best_of_many(repetitions: int) -> Iterator[Row]:
    """Take the best of several candidates that are all as good as the baseline."""
    joint = retrained(F1, 0.0, 2).joint
    for n_candidates in (1, 3, 10, 30):
        rng = np.random.default_rng([4, n_candidates])
        best = [_best(joint, n_candidates, rng) for _ in range(repetitions)]
        here, elsewhere = (
            Verdicts.of(test_sets, rng) for test_sets in (best, sample(joint, N_EXAMPLES, rng, repetitions))
        )
        rates = here.covers(0), here.better, elsewhere.covers(0), elsewhere.better
        yield str(n_candidates), _points(float(here.mean.mean())), *(float(each.mean()) for each in rates)


def _best(joint: Floats, n_candidates: int, rng: np.random.Generator) -> Counts:
    """Let candidates predict on one test set, each on its own, and return the counts of the one with the best F1."""
    baseline = joint.sum(axis=2)
    known = sample(baseline, N_EXAMPLES, rng, ())
    tried = rng.multinomial(known, joint / baseline[:, :, None], size=(n_candidates, 2, 2))
    alone = tried.sum(axis=2)  # true class and the candidate's prediction
    observed = 2 * alone[:, 1, 1] / (alone[:, 1].sum(axis=1) + alone[:, :, 1].sum(axis=1))
    return np.asarray(tried[observed.argmax()])


TESTED, IN_PRODUCTION = 0.5, 0.05
PREVALENCES: Mapping[str, CommonShares | None] = MappingProxyType(
    {"test-set": None, f"{IN_PRODUCTION}": CommonShares(shares=((1, IN_PRODUCTION),))}
)
"""What is said of the share of positives in production."""


def traded(prevalence: float) -> Population:
    """Return a population in which the candidate finds more positives, and raises more false alarms."""
    negatives, positives = _pairs(0.95, 0.93)[::-1, ::-1], _pairs(0.80, 0.86)
    return Population(np.stack([(1 - prevalence) * negatives, prevalence * positives]))


def _pairs(baseline: float, candidate: float) -> Floats:
    """Probabilities (2, 2) of each side being wrong or right; 80% of the way from independence to full agreement."""
    both = baseline * candidate + 0.8 * (min(baseline, candidate) - baseline * candidate)
    return np.array([[1 - baseline - candidate + both, candidate - both], [baseline - both, both]])


def prevalence_shift(repetitions: int) -> Iterator[Row]:
    """Test on as many positives as negatives, and ask about a world in which positives are rare."""
    here, there = traded(TESTED), traded(IN_PRODUCTION)
    for name, scored_at in PREVALENCES.items():
        rng = np.random.default_rng(5)
        verdicts = Verdicts.of(sample(here.joint, N_EXAMPLES, rng, repetitions), rng, scored_at=scored_at)
        rates = verdicts.covers(here.delta(F1)), verdicts.covers(there.delta(F1)), verdicts.better, verdicts.worse
        yield name, _points(float(verdicts.mean.mean())), *(float(each.mean()) for each in rates)


def _points(change: float) -> str:
    return f"{100 * change:+.1f}"


Study: TypeAlias = tuple[str, Callable[[int], Iterator[Row]]]
STUDIES: Mapping[str, Study] = MappingProxyType(
    {
        "label-noise": ("true δ | labelled instead | share | δ by the labels | HDI holds true δ | ≪", label_noise),
        "training": ("N | sd of a score | HDI holds the models' δ | HDI holds the recipes' δ | ≪ or ≫", training),
        "looks": ("true δ | look | N so far | ≪ at this look | ≪ at any look so far", repeated_looks),
        "best-of": ("candidates | mean δ of the best | HDI holds 0 | ≫ | elsewhere: HDI holds 0 | ≫", best_of_many),
        "prevalence": (
            "prevalence | mean δ | HDI holds δ as tested | HDI holds δ in production | ≫ | ≪",
            prevalence_shift,
        ),
    }
)


def table(name: str, repetitions: int) -> Iterator[str]:
    """Yield the lines of a study's Markdown table."""
    head, study = STUDIES[name]
    yield f"| {head} |"
    yield "|" + " ---: |" * (1 + head.count("|"))
    for row in study(repetitions):
        yield f"| {' | '.join(cell if isinstance(cell, str) else f'{cell:.1%}' for cell in row)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)}; by default all")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="test sets per row (1,000)")
    given = parser.parse_args()
    for name in given.studies or STUDIES:
        for line in chain(("", f"### {name}", ""), table(name, given.repetitions)):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
