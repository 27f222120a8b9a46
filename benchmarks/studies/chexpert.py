"""Areas under the ROC curve of chest X-ray classifiers beside DeLong's variance; run it on a copy of the data.

    git clone https://github.com/rajpurkarlab/cheXpert-test-set-labels
    python -m benchmarks.studies.chexpert cheXpert-test-set-labels

The repository states no licence, so nothing of it is kept here. benchmarks/studies/scores.md holds the table.
"""

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np

from pytest_bayesf1 import Comparison, Scores, compare
from pytest_bayesf1.arrays import Codes, Floats

BASELINE, CANDIDATE = "yww211", "hieupham"
_STUDY = "Study"
_FEWEST = 20  # positives, below which nobody would compare


@dataclass(frozen=True)
class Finding:
    """A comparison of two systems on one label.

    Attributes
    ----------
    n_positive
        Studies that show it.
    delong
        Standard deviation of the difference by DeLong et al. (1988).
    """

    label: str
    n_positive: int
    comparison: Comparison
    delong: float


def findings(folder: Path, baseline: str = BASELINE, candidate: str = CANDIDATE) -> Iterator[Finding]:
    """Compare two systems on every label that both score and enough studies show."""
    truth = _columns(folder / "groundtruth.csv")
    sides = [
        _columns(folder / f"example_models/predictions/standard/{each}_predictions.csv")
        for each in (baseline, candidate)
    ]
    studies = truth[_STUDY]
    for label in truth:
        if label == _STUDY or not all(label in side for side in sides):
            continue
        true = np.array(truth[label], dtype=np.int64)
        if true.sum() < _FEWEST:
            continue
        given = [_in_order(side[_STUDY], side[label], studies) for side in sides]
        scores = [Scores.from_predictions(true, each, ids=studies) for each in given]
        comparison = compare(*scores, measure="roc_auc", rope=0.01)
        yield Finding(label, int(true.sum()), comparison, delong(true, *given))


def delong(true: Codes, baseline: Floats, candidate: Floats) -> float:
    """Return the standard deviation of the difference of two areas under ROC curves."""
    variance = 0.0
    right = [
        (side[true == 1][:, None] > side[true == 0]) + 0.5 * (side[true == 1][:, None] == side[true == 0])
        for side in (baseline, candidate)
    ]
    for axis in (0, 1):
        gained = right[1].mean(axis=axis) - right[0].mean(axis=axis)
        variance += float(gained.var(ddof=1)) / gained.size
    return sqrt(variance)


def _columns(path: Path) -> dict[str, list[str]]:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def _in_order(studies: list[str], scores: list[str], wanted: list[str]) -> Floats:
    found = dict(zip(studies, scores, strict=True))
    return np.array([found[study] for study in wanted], dtype=np.float64)


def main(folder: str) -> None:
    """Print a table in Markdown."""
    print("| label | positives | AUC | δ, 95% HDI | sd | DeLong |\n| --- | --- | --- | --- | --- | --- |")
    for each in findings(Path(folder)):
        found = each.comparison
        areas = f"{found.baseline.observed:.3f}, {found.candidate.observed:.3f}"
        delta = f"{found.mean:+.4f} [{found.hdi[0]:+.4f}, {found.hdi[1]:+.4f}] {found.decision}"
        print(f"| {each.label} | {each.n_positive} | {areas} | {delta} | {found.std:.4f} | {each.delong:.4f} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
