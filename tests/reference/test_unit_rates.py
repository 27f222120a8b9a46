"""Coverage of clustered intervals: docs/studies/clusters.md against closed forms and a run of its own."""

import re

import numpy as np
import pytest
from scipy.stats import ks_2samp
from sklearn.metrics import f1_score, roc_auc_score

from docs.studies.cluster_populations import TYPES, Answering, Drawing, Ranked, SpanPopulation, classes
from docs.studies.clusters import MACRO_F1, N_CLASSES, REPETITIONS, ROPE, STUDIES, where
from docs.studies.populations import retrained
from pytest_bayesf1 import ConfusionMatrix
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import UNIFORM
from pytest_bayesf1.settings import Model

DRAWS = 20_000
FEW = 60
"""Test sets."""


def draws(true, predicted, cluster, measure):
    table = ConfusionMatrix.from_predictions(true, predicted, clusters=cluster).table
    experiment = Experiment(Model.SINGLE, (table,))
    return ExactEngine().sampler(experiment, UNIFORM.over_clusters(table), measure, 1).draw(DRAWS)[0]


def test_two_kinds_of_units_make_the_accuracy_a_beta_variable():
    """Every cluster is an example four times: 30 clusters are right, 10 wrong, and the prior adds two of either."""
    true, is_wrong = np.tile([0, 1], 20), np.arange(40) >= 30
    four_times = [np.repeat(each, 4) for each in (true, np.where(is_wrong, 1 - true, true), np.arange(40))]
    found = draws(*four_times, parse_measure("accuracy", (0, 1)))
    # of the squares 1 (30 clusters) and 9 (10): 2 * 120^2 / (30 * 2^2 + 10 * 6^2) is 60, and more than the others' 39
    rng, together = np.random.default_rng(2), 3 / 4
    dof, variance = 39 / together, 1 + together * ((40 / 39) ** 2 - 1)
    shape = rng.chisquare(dof, DRAWS) / (dof * variance)
    right, wrong = (rng.standard_gamma(n * shape) / shape + rng.standard_gamma(2, DRAWS) for n in (30, 10))
    assert ks_2samp(found, right / (right + wrong)).pvalue > 1e-4


def test_units_of_equal_content_leave_the_prior_alone_uncertain():
    """Of clusters that are all alike none moves the score: what they hold has one weight."""
    cluster = np.repeat(np.arange(25), 4)
    true, predicted = np.tile([0, 0, 1, 1], 25), np.tile([0, 0, 1, 0], 25)
    found = draws(true, predicted, cluster, parse_measure("accuracy", (0, 1)))
    rng, together = np.random.default_rng(2), 3 / 4
    dof, variance = 24 / together, 1 + together * ((25 / 24) ** 2 - 1)
    shape = rng.chisquare(dof, DRAWS) / (dof * variance)
    weight = 4 * rng.standard_gamma(25 * shape) / shape
    right, wrong = (share * weight + rng.standard_gamma(2, DRAWS) for share in (0.75, 0.25))
    assert ks_2samp(found, right / (right + wrong)).pvalue > 1e-4


@pytest.mark.parametrize("correlation", [0.0, 0.3])
def test_examples_of_a_unit_are_as_correlated_as_they_should_be(correlation):
    counts = Drawing(correlation, 20_000, 5).counts(np.array([0.7, 0.2, 0.1]), np.random.default_rng(1))
    pairs = (counts * (counts - 1)).mean(axis=0) / 20
    shares = counts.mean(axis=0) / 5
    found = (pairs - shares**2) / (shares * (1 - shares))
    np.testing.assert_allclose(found, correlation, atol=0.02)


def test_skewed_sizes_have_the_same_mean():
    sizes = Drawing(0.1, 50_000, 10, skewed=True).counts(np.array([0.5, 0.5]), np.random.default_rng(1)).sum(axis=1)
    assert sizes.mean() == pytest.approx(10, rel=0.03)
    assert sizes.min() == 1


def test_a_sample_has_the_score_of_its_population():
    drawing, rng = Drawing(0.1, 4_000, 10), np.random.default_rng(3)
    sides = classes(retrained(MACRO_F1, -ROPE, N_CLASSES), drawing, rng)
    known = [side.predictions for side in sides]
    scores = [f1_score(side.y_true, side.y_pred, average="macro") for side in known]
    assert scores[1] - scores[0] == pytest.approx(-ROPE, abs=0.01)
    population = SpanPopulation.retrained()
    spans = population.sample(drawing, rng)
    assert spans[0].labels == TYPES
    tp, fp, fn = np.array([side.counts.sum(axis=0) for side in spans]).T
    assert np.diff(2 * tp / (2 * tp + fp + fn)) == pytest.approx(population.delta(), abs=0.01)
    ranked = [side.predictions for side in Ranked().sample(drawing, rng)]
    areas = [roc_auc_score(side.y_true, side.y_pred[:, 0]) for side in ranked]
    assert areas[1] - areas[0] == pytest.approx(Ranked().delta(), abs=0.01)
    true, answers = Answering(100_000, 2).sample((0.8, 0.7), rng)
    assert [np.mean(side == true[:, None]) for side in answers] == pytest.approx([0.8, 0.7], abs=0.01)


@pytest.fixture(scope="module")
def documented(pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "studies" / "clusters.md").read_text(encoding="utf-8")

    def rows(name):
        head = re.escape(f"| {STUDIES[name].head} |")
        (lines,) = re.findall(rf"^{head}\n\|[-: |]+\|\n((?:\|.*\n)+)", text, flags=re.MULTILINE)
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]

    return rows


@pytest.mark.parametrize("name", STUDIES)
def test_every_setting_is_documented(documented, name):
    assert len(documented(name)) == len(STUDIES[name].settings)


def test_intervals_of_units_hold_the_difference(documented):
    error = 100 * np.sqrt(0.95 * 0.05 / REPETITIONS)
    held = [float(row[6].removesuffix("%")) for row in documented("clusters")]
    assert min(held) > 95 - 4 * error
    assert np.mean(held) == pytest.approx(95, abs=1.5)


@pytest.mark.long
@pytest.mark.parametrize(
    "drawing", [Drawing(0.3, 12, 20), Drawing(0.6, 50, 10, skewed=True), Drawing(0.0, 20, 10)], ids=repr
)
def test_rates_come_out_again(documented, drawing):
    again = STUDIES["clusters"].row(drawing, FEW)
    (told,) = [row for row in documented("clusters") if tuple(row[:3]) == where(drawing)]
    for column in (3, 4, 6, 7, 9, 10):
        first, second = (float(row[column].removesuffix("%")) / 100 for row in (told, again))
        share = np.clip((first * REPETITIONS + second * FEW) / (REPETITIONS + FEW), 0.02, 0.98)
        assert abs(first - second) < 4 * np.sqrt(share * (1 - share) * (1 / REPETITIONS + 1 / FEW))
