"""How often intervals hold the truth where errors are not spread as the default prior expects.

Run ``python -m benchmarks.studies.attracting`` for the table of attracting.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from benchmarks.studies.populations import Population
from benchmarks.studies.priors import behaviour, cells, draw_scores
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.measures.classification import Several, parse_measure

PRIOR = "nested"
N_DRAWS = 2_000
_AGREE = 0.7
"""Where the baseline errs, the candidate makes the same error in this share of cases."""


def _population(shares: Floats, baseline: Floats, candidate: Floats) -> Population:
    """Couple two matrices of predictions by class, row by row, so that they agree often."""
    both = np.minimum(baseline, candidate) * np.where(np.eye(len(shares)), 1.0, _AGREE)
    rest = (baseline - both)[:, :, None] * (candidate - both)[:, None, :]
    left = (1 - both.sum(axis=1))[:, None, None]
    joint = both[:, :, None] * np.eye(len(shares)) + rest / np.maximum(left, 1e-300)
    return Population(shares[:, None, None] * joint)


def _erring(accuracy: Floats | float, to: Floats) -> Floats:
    """Let each class be right so often, and its errors go to others in these proportions: (M, M)."""
    wrong = to * (1 - np.eye(len(to)))
    right = np.broadcast_to(accuracy, len(to))
    return np.asarray(np.diag(right) + (1 - right)[:, None] * wrong / wrong.sum(axis=1, keepdims=True))


def _attracted(n_classes: int, attractor: int, share: float) -> Floats:
    """Let one class attract a share of all errors, and spread the others evenly."""
    to = np.full((n_classes, n_classes), (1 - share) / (n_classes - 2))
    to[:, attractor] = share
    return to


def attractors(n_classes: int) -> Population:
    """Each side has one class that attracts most of its errors."""
    even = np.full(n_classes, 1 / n_classes)
    baseline, candidate = (_erring(0.9, _attracted(n_classes, each, 0.8)) for each in (3, 9))
    return _population(even, baseline, candidate)


def majority(n_classes: int = 6) -> Population:
    """Let the most frequent class attract the errors of the others, which are harder the rarer they are."""
    shares = np.geomspace(10, 1, n_classes)
    accuracy = np.linspace(0.95, 0.6, n_classes)
    to = np.full((n_classes, n_classes), 0.02)
    to[:, 0] = 1.0
    return _population(shares / shares.sum(), _erring(accuracy, to), _erring(accuracy - 0.01, to))


def neighbours(n_classes: int = 20) -> Population:
    """Errors go to the two neighbours of a class."""
    near = np.roll(np.eye(n_classes), 1, axis=1) + np.roll(np.eye(n_classes), -1, axis=1)
    even = np.full(n_classes, 1 / n_classes)
    return _population(even, _erring(0.8, near), _erring(0.79, near))


def spread_evenly(n_classes: int = 20) -> Population:
    """Errors go to all other classes alike."""
    even, to = np.full(n_classes, 1 / n_classes), np.ones((n_classes, n_classes))
    return _population(even, _erring(0.8, to), _erring(0.79, to))


def skewed(n_classes: int = 20) -> Population:
    """Let class k be 1 / k times as frequent as the first, with errors as in `spread_evenly`."""
    shares, to = 1 / np.arange(1, n_classes + 1), np.ones((n_classes, n_classes))
    return _population(shares / shares.sum(), _erring(0.85, to), _erring(0.84, to))


def rarer_is_harder(n_classes: int = 30) -> Population:
    """Let classes be as in `skewed`, rarer ones harder, and errors go to the next class, or less often behind it."""
    shares = 1 / np.arange(1, n_classes + 1)
    accuracy = np.linspace(0.86, 0.71, n_classes)
    steps = (np.arange(n_classes) - np.arange(n_classes)[:, None] - 1) % n_classes
    near = np.power(0.6, steps, dtype=np.float64)
    return _population(shares / shares.sum(), _erring(accuracy, near), _erring(accuracy - 0.01, near))


@dataclass(frozen=True)
class Row:
    """A population, the size of its test sets, and classes to look at."""

    population: Callable[[], Population]
    n_examples: int
    classes: tuple[int, ...]


ROWS: Mapping[str, Row] = MappingProxyType(
    {
        "attractors, 16 classes": Row(lambda: attractors(16), 2_400, (3, 9)),
        "attractors, 20 classes": Row(lambda: attractors(20), 1_000, (3, 9)),
        "majority attracts, 6 classes": Row(majority, 300, (0, 5)),
        "two neighbours, 20 classes": Row(neighbours, 400, (0,)),
        "even errors, 20 classes": Row(spread_evenly, 200, (0,)),
        "even errors, 20 classes, more": Row(spread_evenly, 1_000, (0,)),
        "attractors, 10 classes": Row(lambda: attractors(10), 500, (3, 9)),
        "skewed, 20 classes": Row(skewed, 400, (0, 19)),
        "skewed, rarer is harder, 30 classes": Row(rarer_is_harder, 1_000, (0, 29)),
    }
)


def table(repetitions: int, seed: int = 0) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| population | N | score | one side: bias | coverage | width | δ: bias | coverage | width |"
    yield "| --- | ---: | --- |" + " ---: |" * 6
    for number, (name, row) in enumerate(ROWS.items()):
        population = row.population()
        labels = tuple(range(population.n_classes))
        measures = [parse_measure(each, labels) for each in ("f1_macro", *(f"f1[{label}]" for label in row.classes))]
        rng = np.random.default_rng([seed, number])
        singles, deltas = [], []
        for _ in range(repetitions):
            pairs = population.sample(row.n_examples, rng)
            single = Experiment(Model.SINGLE, (pairs.table.side(0),))
            paired = Experiment(Model.PAIRED, (pairs.table,))
            several = Several(tuple(measures))
            singles.append(draw_scores(single, PRIOR, several, N_DRAWS)[0])
            baseline, candidate = draw_scores(paired, PRIOR, several, N_DRAWS)
            deltas.append(candidate - baseline)
        for column, measure in enumerate(measures):
            score = behaviour(np.array(singles)[:, :, column], float(measure(population.sides[0])))
            delta = behaviour(np.array(deltas)[:, :, column], population.delta(measure))
            yield f"| {name} | {row.n_examples:,} | {measure.name} | {cells(score)} | {cells(delta)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200, help="test sets of each row (200)")
    for line in table(parser.parse_args().repetitions):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
