"""What a verdict does not cover: docs/studies/limits.md against closed forms, random walks and a run of its own."""

import re

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import accuracy_score, f1_score

from docs.studies.limits import (
    IN_PRODUCTION,
    LOOKS,
    REPETITIONS,
    STUDIES,
    TESTED,
    copied,
    flipped,
    table,
    traded,
)
from docs.studies.populations import Population, retrained
from docs.studies.verdicts import F1

FEW = 30
MEANS = {"mean δ": 3.0, "mean δ of the best": 1.0}
"""Columns of sampled means, and a bound on the standard deviation of one of their terms, in points."""


@pytest.fixture(scope="module")
def documented(pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "studies" / "limits.md").read_text(encoding="utf-8")

    def rows(name):
        head = re.escape(f"| {STUDIES[name][0]} |")
        (lines,) = re.findall(rf"^{head}\n\|[-: |]+\|\n((?:\|.*\n)+)", text, flags=re.MULTILINE)
        return cells(lines.splitlines())

    return rows


def cells(lines):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def share(cell):
    return float(cell.removesuffix("%")) / 100


def accuracy_change(joint):
    true, *sides = np.indices(joint.shape).reshape(3, -1)
    baseline, candidate = (accuracy_score(true, side, sample_weight=joint.ravel()) for side in sides)
    return candidate - baseline


@pytest.mark.parametrize("wrong", [0.05, 0.3])
def test_labels_flipped_at_random_shrink_a_difference_of_accuracies(wrong):
    joint = retrained(F1, -0.03, 2).joint
    assert accuracy_change(flipped(joint, wrong)) == pytest.approx((1 - 2 * wrong) * accuracy_change(joint))


@pytest.mark.parametrize("wrong", [0.05, 0.3])
def test_labels_copied_from_the_baseline_count_every_disagreement_against_the_candidate(wrong):
    joint = retrained(F1, -0.03, 2).joint
    expected = (1 - wrong) * accuracy_change(joint) - wrong * (1 - Population(joint).agreement)
    assert accuracy_change(copied(joint, wrong)) == pytest.approx(expected)


@pytest.mark.parametrize("prevalence", [TESTED, IN_PRODUCTION])
def test_recall_and_false_alarms_stay_when_the_prevalence_changes(prevalence):
    population = traded(prevalence)
    joint, rows = population.joint, population.joint.sum(axis=(1, 2))
    assert rows == pytest.approx([1 - prevalence, prevalence])
    assert np.diag(joint.sum(axis=2)) / rows == pytest.approx([0.95, 0.80])
    assert np.diag(joint.sum(axis=1)) / rows == pytest.approx([0.93, 0.86])
    true, *sides = np.indices(joint.shape).reshape(3, -1)
    baseline, candidate = (f1_score(true, side, sample_weight=joint.ravel()) for side in sides)
    assert population.delta(F1) == pytest.approx(candidate - baseline)


def test_looks_are_those_of_a_random_walk(documented):
    """The mean over a growing test set, in standard errors, is a scaled random walk: how often does it pass 1.96?"""
    steps = np.random.default_rng(0).normal(size=(200_000, LOOKS)).cumsum(axis=1) / np.sqrt(np.arange(1, LOOKS + 1))
    ever = np.maximum.accumulate(steps < stats.norm.ppf(0.025), axis=1).mean(axis=0)
    at_the_edge = [row for row in documented("looks") if row[0] == "-1.0"]
    assert [row[1] for row in at_the_edge] == ["1", "2", "4", "8", "12"]
    for _, look, _, _, found in at_the_edge:
        expected = ever[int(look) - 1]
        error = np.sqrt(expected * (1 - expected) / REPETITIONS)
        assert share(found) == pytest.approx(expected, abs=4 * error + 0.0005)


def test_the_best_of_many_is_covered_about_as_by_independent_intervals(documented):
    """Scores on one test set are positively correlated, so that the best is covered no more rarely than (Slepian)."""
    for candidates, _, covered, *_ in documented("best-of"):
        least = 0.975 ** int(candidates) - 0.025
        error = np.sqrt(least * (1 - least) / REPETITIONS)
        assert share(covered) >= least - 4 * error


def test_the_page_tells_figures_of_the_tables(documented, pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "explanation" / "limits.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## What a verdict does not cover$(.*?)^## ", text, flags=re.MULTILINE | re.DOTALL)
    told = set(re.findall(r"\d+\.\d%", section)) - {"2.5%", "0.2%"}  # these two are arithmetic
    assert len(told) > 10
    assert told <= {cell for name in STUDIES for row in documented(name) for cell in row}


@pytest.mark.long
@pytest.mark.parametrize("name", STUDIES)
def test_the_documented_tables_come_out_again(documented, name):
    columns, found = STUDIES[name][0].split(" | "), cells(table(name, FEW))[2:]
    written = documented(name)
    assert len(found) == len(written)
    for row, other in zip(found, written, strict=True):
        for column, found, expected in zip(columns, row, other, strict=True):
            if column in MEANS:
                error = MEANS[column] * np.sqrt(1 / FEW + 1 / REPETITIONS)
                assert float(found) == pytest.approx(float(expected), abs=4.5 * error)
            elif "." in found and found.endswith("%"):
                counts = [[round(size * rate), size - round(size * rate)] for size, rate in sizes(found, expected)]
                assert stats.fisher_exact(counts).pvalue > 1e-6, (column, found, expected)
            else:
                assert found == expected


def sizes(found, expected):
    return (FEW, share(found)), (REPETITIONS, share(expected))
