"""How far each prior can be trusted with multi-label data: bias, coverage and width of macro-F1's intervals.

Run ``python -m benchmarks.studies.labels`` for the table of labels.md; ``--help`` lists the options.
"""

import argparse
import sys
from collections.abc import Iterator
from itertools import product

import numpy as np

from benchmarks.studies.priors import Behaviour, behaviour, cells, draw_scores
from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.priors import PRIORS

N_LABELS = (5, 20)
N_EXAMPLES = (200, 1_000)
MOST_COMMON, RAREST = 0.5, 0.02
REPEATED = 0.85  # of the baseline's hits and misses, by the candidate


def population(n_labels: int) -> Floats:
    """Joint probabilities (L, 2, 2, 2) of every label's truth and both sides' decisions; the candidate is worse."""
    share = np.geomspace(MOST_COMMON, RAREST, n_labels)
    recall = np.where(np.arange(n_labels) % 2, 0.9, 0.6)
    present = share[:, None, None] * _decisions(recall, recall - 0.02)
    absent = (1 - share)[:, None, None] * _decisions(1 - 0.3 * share, 0.998 - 0.3 * share)
    return np.stack([absent[:, ::-1, ::-1], present], axis=1)


def _decisions(baseline: Floats, candidate: Floats) -> Floats:
    """Probabilities (L, 2, 2) of being wrong or right, from each side's chance of being right."""
    afresh = (candidate - REPEATED * baseline) / (1 - REPEATED)
    after_right, after_wrong = REPEATED + (1 - REPEATED) * afresh, (1 - REPEATED) * afresh
    right = np.stack([baseline * (1 - after_right), baseline * after_right], axis=-1)
    wrong = np.stack([(1 - baseline) * (1 - after_wrong), (1 - baseline) * after_wrong], axis=-1)
    return np.stack([wrong, right], axis=1)


def sample(joint: Floats, n: int, rng: np.random.Generator) -> OutcomeTable:
    """Draw a test set of n examples in which every label occurs."""
    while True:
        counts = np.array([rng.multinomial(n, each.ravel()) for each in joint]).reshape(joint.shape)
        if counts[:, 1].any(axis=(1, 2)).all():
            return OutcomeTable.of_labels(counts)


def study(n_labels: int, n_examples: int, prior: str, repetitions: int, n_draws: int) -> tuple[Behaviour, Behaviour]:
    """Return the behaviour for the baseline's score alone, and for delta of the paired model."""
    joint, rng = population(n_labels), np.random.default_rng([n_labels, n_examples])
    measure = parse_measure("f1_macro", range(n_labels), multilabel=True)

    def draw(model: Model, table: OutcomeTable) -> Floats:
        return draw_scores(Experiment(model, (table,)), prior, measure, n_draws)

    tables = [sample(joint, n_examples, rng) for _ in range(repetitions)]
    singles = np.array([draw(Model.SINGLE, table.side(0))[0] for table in tables])
    pairs = np.array([draw(Model.PAIRED, table) for table in tables])
    baseline, candidate = (float(measure(_alone(joint.sum(axis=axis)))) for axis in (3, 2))
    return behaviour(singles, baseline), behaviour(pairs[:, 1] - pairs[:, 0], candidate - baseline)


def _alone(matrices: Floats) -> Joint:
    return Joint(matrices.sum(axis=2), matrices.diagonal(axis1=1, axis2=2))


def table(repetitions: int, n_draws: int) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield "| L | N | prior | F1: bias | coverage | width | δ: bias | coverage | width |"
    yield "| ---: | ---: | --- |" + " ---: |" * 6
    for n_labels, n_examples, prior in product(N_LABELS, N_EXAMPLES, PRIORS):
        score, delta = study(n_labels, n_examples, prior, repetitions, n_draws)
        yield f"| {n_labels} | {n_examples:,} | {prior} | {cells(score)} | {cells(delta)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=200, help="test sets a setting (200)")
    parser.add_argument("--draws", type=int, default=2_000, help="posterior draws per test set (2,000)")
    given = parser.parse_args()
    for line in table(given.repetitions, given.draws):
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
