"""Whether a comparison on shared examples notes that the candidate fails on the new ones of a grown test set.

From the root of the repository: ``python -m benchmarks.studies.grown --repetitions 200 > table``.
"""

from argparse import ArgumentParser
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np

from pytest_bayesf1 import ConfusionMatrix, Decision
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.errors import ChangedTestSetWarning
from pytest_bayesf1.words.notes import data_warnings

ROPE, N_DRAWS = 0.02, 4_000


@dataclass(frozen=True)
class Grown:
    """Test sets to which examples were added.

    Attributes
    ----------
    n_shared, n_new
        Examples that both sides have, and that only the candidate has.
    of_baseline, of_candidate
        How often the baseline, and the candidate on shared examples, is right.
    on_new
        How often the candidate is right on new examples.
    shares
        How frequent each class is among the shared examples; among the new ones all are equally frequent.
    alike
        On what share of the shared examples the candidate repeats the baseline's prediction.
    corrected
        What share of the shared labels is another one in the candidate's test set, at random.
    lacking
        How many of the shared examples the candidate lacks.
    measure
        What is compared.
    """

    n_shared: int
    n_new: int
    on_new: float
    of_baseline: float = 0.89
    of_candidate: float = 0.89
    shares: tuple[float, ...] = (0.25,) * 4
    alike: float = 0.95
    corrected: float = 0.0
    lacking: int = 0
    measure: str = "accuracy"

    def sides(self, rng: np.random.Generator) -> tuple[ConfusionMatrix, ConfusionMatrix]:
        """Draw a test set, and another to which examples were added."""
        n_classes = len(self.shares)
        old, new = rng.choice(n_classes, self.n_shared, p=self.shares), rng.integers(n_classes, size=self.n_new)

        def said(true: np.ndarray, right: float) -> np.ndarray:
            other = (true + rng.integers(1, n_classes, true.size)) % n_classes
            return np.where(rng.random(true.size) < right, true, other)

        baseline = said(old, self.of_baseline)
        candidate = np.where(rng.random(old.size) < self.alike, baseline, said(old, self.of_candidate))
        relabelled = said(old, 1 - self.corrected)
        ids, kept = np.arange(self.n_shared + self.n_new), slice(self.lacking, None)
        true, predicted = np.append(relabelled, new), np.append(candidate, said(new, self.on_new))
        labels = range(n_classes)
        return (
            ConfusionMatrix.from_predictions(old, baseline, ids=ids[: self.n_shared], labels=labels),
            ConfusionMatrix.from_predictions(true[kept], predicted[kept], ids=ids[kept], labels=labels),
        )


SKEWED = (0.7, 0.2, 0.07, 0.03)
FAILING = {
    "500 + 500, 40% on new": Grown(500, 500, 0.4),
    "500 + 150, 60% on new": Grown(500, 150, 0.6),
    "500 + 500, 80% on new": Grown(500, 500, 0.8),
    "2,000 + 200, 40% on new": Grown(2_000, 200, 0.4),
    "2,000 + 1,000, 75% on new, macro-F1": Grown(2_000, 1_000, 0.75, measure="f1_macro"),
    "1,000 + 500, 60% on new, skewed classes, macro-F1": Grown(1_000, 500, 0.6, shares=SKEWED, measure="f1_macro"),
    "500 + 500, 60% on new, candidate better on shared": Grown(500, 500, 0.6, of_candidate=0.97, alike=0.0),
    "500 + 300, 60% on new, 5% of the labels corrected": Grown(500, 300, 0.6, corrected=0.05),
    "500 + 300, 60% on new, the candidate lacks 10": Grown(500, 300, 0.6, lacking=10),
}
ALIKE = {
    "500 + 500, 89% on new": Grown(500, 500, 0.89),
    "2,000 + 200, 89% on new": Grown(2_000, 200, 0.89),
    "1,000 + 500, 89% on new, skewed classes, macro-F1": Grown(1_000, 500, 0.89, shares=SKEWED, measure="f1_macro"),
}


@dataclass(frozen=True)
class Verdicts:
    """What was decided about one pair of test sets."""

    independent: Decision
    found: Decision
    on_shared: Decision
    warned: bool


def verdicts(population: Grown, rng: np.random.Generator, draws_seed: int = 0) -> Verdicts:
    """Compare as two samples, as the default does, and on the shared examples alone."""
    baseline, candidate = population.sides(rng)
    given: dict[str, Any] = {"measure": population.measure, "rope": ROPE, "n_draws": N_DRAWS}
    apart = run_comparison(baseline, candidate, on_new_test_set="independent", seed=draws_seed, **given)
    found = run_comparison(baseline, candidate, **given)
    assert baseline.questions is not None
    assert candidate.questions is not None
    shared = slice(population.lacking, population.n_shared), slice(population.n_shared - population.lacking)
    old, new = baseline.questions, candidate.questions
    at_old, at_new = (np.arange(side.n_samples)[cut] for side, cut in zip((baseline, candidate), shared, strict=True))
    own = baseline.of_examples(old.take(at_old)), candidate.of_examples(new.take(at_new))
    alone = run_comparison(*own, **given)
    warned = any(isinstance(each, ChangedTestSetWarning) and "own" in str(each) for each in data_warnings(found))
    return Verdicts(apart.decision, found.decision, alone.decision, warned)


def simulate(name: str, population: Grown, repetitions: int, seed: int = 0, draws_seed: int = 0) -> list[Verdicts]:
    """Draw so many pairs of test sets."""
    rng = np.random.default_rng([seed, crc32(name.encode())])
    return [verdicts(population, rng, draws_seed) for _ in range(repetitions)]


def main() -> None:
    """Print a row for every population."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=20, help="pairs of test sets of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draws-seed", type=int, default=0, help="of the independent comparison's draws")
    given = parser.parse_args()
    for name, population in (FAILING | ALIKE).items():
        found = simulate(name, population, given.repetitions, given.seed, given.draws_seed)
        failed = [each for each in found if each.independent is Decision.MUCH_WORSE]
        not_worse = (Decision.EQUIVALENT, Decision.BETTER, Decision.MUCH_BETTER)
        told = sum(each.warned or each.found is Decision.MUCH_WORSE for each in failed)
        passed = sum(each.found in not_worse for each in failed)
        before = sum(each.on_shared in not_worse for each in failed)
        warned = sum(each.warned for each in found)
        print(f"| {name} | {len(failed)} | {told} | {passed} | {before} | {warned} |", flush=True)


if __name__ == "__main__":
    main()
