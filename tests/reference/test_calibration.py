import numpy as np
import pytest
from scipy import stats

from benchmarks.studies.few_labels import Pool, Scenario, labelled_in_batches
from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.stratified import PoolPosterior, StratifiedSampler
from pytest_bayesf1.measures.classification import Joint, Several, parse_measure
from pytest_bayesf1.priors import PRIORS
from tests.reference import naive, naive_labels
from tests.reference.prior_cases import CASES

# Simulation-based calibration (Talts et al. 2018): truths drawn from the prior rank uniformly among the draws.
N_DRAWS, N_BINS = 99, 10
LABELS = (0, 1, 2)


def calibration_draw_table(theta, row_totals, n_sides, rng):
    counts = np.array([rng.multinomial(n, row) for n, row in zip(row_totals, theta, strict=True)])
    true, outcome = np.nonzero(counts)
    predicted = np.array(naive.outcomes(3, n_sides))[outcome].T
    return OutcomeTable.tally(3, true, *predicted, weight=counts[true, outcome])


def calibration_score_of(measure, mu, theta, n_sides, side):
    cube = (mu[:, None] * theta).reshape((3, *[3] * n_sides))
    p = cube.sum(axis=tuple(1 + other for other in range(n_sides) if other != side))
    return float(measure(Joint(p.sum(axis=1), np.diagonal(p), p.sum(axis=0), p)))


def simulate(model, case, measure, n, rng):
    """Draw a truth and data from it; return the true scores and the tables."""
    n_sides = 2 if model == "paired" else 1
    scores, tables, mu, totals = [], [], None, None
    for _ in range(2 if model in ("same-set", "independent") else 1):
        if mu is None or model == "independent":
            mu = rng.dirichlet(np.broadcast_to(case.beta, 3))
            totals = rng.multinomial(n, mu)
        (theta,) = case.rows.draw(np.zeros((3, 3**n_sides), dtype=int), n_sides, 1, rng)
        scores += [calibration_score_of(measure, mu, theta, n_sides, side) for side in range(n_sides)]
        tables.append(calibration_draw_table(theta, totals, n_sides, rng))
    return np.array(scores), tuple(tables)


# the nested prior learns from the data how errors are spread, and is no distribution before them
OTHERS = [name for name in CASES if not name.startswith(("hierarchical", "nested"))] + ["hierarchical, alpha, beta"]
NAMES = ["hierarchical", *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", ["single", "paired", "same-set", "independent"])
@pytest.mark.one_of_many
def test_ranks_of_the_truth_are_uniform(model, name):
    rng = np.random.default_rng(17)
    case = CASES[name]
    measure = parse_measure("f1_macro", LABELS)
    ranks = []
    for seed in range(250):
        truth, tables = simulate(model, case, measure, 40, rng)
        draws = ExactEngine().sampler(Experiment(model, tables), case.prior, measure, seed).draw(N_DRAWS)
        # of one side the score, of two the difference
        ranks.append(int((draws[-1] - draws[:-1].sum(axis=0) < truth[-1] - truth[:-1].sum()).sum()))
    histogram = np.bincount(np.array(ranks) * N_BINS // (N_DRAWS + 1), minlength=N_BINS)
    # 16 chi-square tests of uniformity: at 1e-5 each, one false alarm in six thousand seeds
    assert stats.chisquare(histogram).pvalue > 1e-5


# Simulation-based calibration of the multi-label models: truths from the prior rank uniformly among the draws.
N_LABELS, N_EXAMPLES, MULTILABEL_CALIBRATION_N_DRAWS, MULTILABEL_CALIBRATION_N_BINS = 3, 40, 99, 10
MEASURE = parse_measure("f1_macro", range(N_LABELS), multilabel=True)


def draw_theta(prior, n_sides, rng):
    """Draw the probabilities of every outcome, (L, 2, outcomes), from the prior."""
    n_outcomes = 2**n_sides
    rows = []
    for truth in (naive_labels.ABSENT, naive_labels.PRESENT):
        weights = np.full(n_outcomes, naive.PRIOR_WEIGHTS.get(prior, np.nan))
        if prior == "hierarchical":
            (mass,) = naive_labels.draw_group_mass(n_sides, 1, rng)
            weights = mass[naive_labels.groups_of(truth, n_sides)]
        gammas = rng.standard_gamma(weights, size=(N_LABELS, n_outcomes)) + 1e-300
        rows.append(gammas / gammas.sum(axis=1, keepdims=True))
    return np.stack(rows, axis=1)


def draw_table(mu, theta, totals, n_sides, rng):
    counts = [
        [rng.multinomial(n, row) for n, row in zip(*pair, strict=True)] for pair in zip(totals, theta, strict=True)
    ]
    return OutcomeTable.of_labels(np.reshape(counts, (N_LABELS, *[2] * (1 + n_sides))))


def score_of(mu, theta, n_sides, side):
    cube = (mu[:, :, None] * theta).reshape(N_LABELS, *[2] * (1 + n_sides))
    p = cube.sum(axis=tuple(2 + other for other in range(n_sides) if other != side))
    return float(MEASURE(Joint(p.sum(axis=2), np.diagonal(p, axis1=1, axis2=2))))


def multilabel_calibration_simulate(model, prior, rng):
    """Draw a truth and data from it; return delta and the experiment."""

    def test_set():
        mu = rng.dirichlet(np.full(2, naive.PRIOR_WEIGHTS.get(prior, 1.0)), size=N_LABELS)
        return mu, rng.multinomial(N_EXAMPLES, mu)

    mu, totals = test_set()
    if model == "paired":
        theta = draw_theta(prior, 2, rng)
        baseline, candidate = (score_of(mu, theta, 2, side) for side in (0, 1))
        return candidate - baseline, Experiment(model, (draw_table(mu, theta, totals, 2, rng),))
    scores, tables = [], []
    for side in range(2):
        if side and model == "independent":
            mu, totals = test_set()
        theta = draw_theta(prior, 1, rng)
        scores.append(score_of(mu, theta, 1, 0))
        tables.append(draw_table(mu, theta, totals, 1, rng))
    return scores[1] - scores[0], Experiment(model, tuple(tables))


@pytest.mark.parametrize(
    ("prior", "repetitions"),
    [
        ("uniform", 400),
        pytest.param("jeffreys", 400, marks=pytest.mark.long),
        pytest.param("hierarchical", 400, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("model", ["paired", "same-set", "independent"])
def test_multilabel_calibration_ranks_of_the_truth_are_uniform(model, prior, repetitions):
    rng = np.random.default_rng(23)
    ranks, used = [], PRIORS[prior]
    for seed in range(repetitions):
        truth, experiment = multilabel_calibration_simulate(model, prior, rng)
        baseline, candidate = (
            ExactEngine().sampler(experiment, used, MEASURE, seed).draw(MULTILABEL_CALIBRATION_N_DRAWS)
        )
        ranks.append(int((candidate - baseline < truth).sum()))
    histogram = np.bincount(
        np.array(ranks) * MULTILABEL_CALIBRATION_N_BINS // (MULTILABEL_CALIBRATION_N_DRAWS + 1),
        minlength=MULTILABEL_CALIBRATION_N_BINS,
    )
    # nine chi-square tests of uniformity: at 1e-4 each, one false alarm in 1,100 seeds
    assert stats.chisquare(histogram).pvalue > 1e-4


@pytest.mark.long
def test_pools_with_few_labels_in_a_stratum_are_as_uncertain_as_they_are_wrong():
    """Ten labels of a disagreement's stratum or fewer, of which the second half was allocated by the first."""
    scenario, n = Scenario(5, 100, agreement=0.8, batches=2), 300
    rng, errors = np.random.default_rng(23), []
    for seed in range(n):
        strata = labelled_in_batches(scenario, Pool.draw(scenario, rng), rng)
        sampler = StratifiedSampler(PoolPosterior(strata), Several((scenario.measure,)), seed)
        difference = np.subtract(*sampler.draw(400)[::-1, :, 0])
        errors.append((difference.mean() + scenario.rope) / difference.std())
    # of normal errors the mean square has the standard error (2 / n)^(1/2); 91% coverage would be one of 1.36
    assert np.mean(errors) == pytest.approx(0, abs=4 / np.sqrt(n))
    assert np.mean(np.square(errors)) == pytest.approx(1, abs=3.5 * np.sqrt(2 / n))
