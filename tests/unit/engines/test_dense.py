"""The exact engine against the same models drawn cell by cell, and what it draws against what was counted."""

import numpy as np
import pytest
from scipy import stats

from pytest_bayesf1.data.outcomes import ClusterContents, CommonShares, Experiment, OutcomeTable
from pytest_bayesf1.engines.data_draws import ErrorSums, data_part
from pytest_bayesf1.engines.exact import ExactEngine
from pytest_bayesf1.engines.hyperparameters import in_rows, shared_mass
from pytest_bayesf1.measures.classification import Joint, parse_measure
from pytest_bayesf1.measures.formulas import Detail
from pytest_bayesf1.priors import JEFFREYS, SharedGroups
from pytest_bayesf1.stats.beta import f1_posterior
from tests.reference import naive
from tests.reference.prior_cases import CASES

N = 10_000
RNG = np.random.default_rng(11)
STATED, ONE, OTHER = CommonShares(shares=((2, 0.3),)), CommonShares(side=0), CommonShares(side=1)


def drawn(n, shares):
    true = RNG.choice(3, p=shares, size=n)
    baseline = np.where(RNG.random(n) < 0.7, true, RNG.integers(0, 3, n))
    return true, baseline, np.where(RNG.random(n) < 0.6, baseline, RNG.integers(0, 3, n))


MANY, FEW = drawn(60, [0.6, 0.3, 0.1]), drawn(25, [0.2, 0.3, 0.5])
"""Two test sets, in which other classes are frequent."""
SETS = {"paired": [MANY], "same-set": [MANY[:2], MANY[::2]], "independent": [MANY[:2], FEW[::2]]}


def proportions(dense, model, case, population, rng):
    """Draw the class proportions of each table."""
    totals = [counts.sum(axis=1) + naive.class_mass(counts, case.beta) for counts in dense]
    if population is None:
        found = [rng.dirichlet(each, N) for each in totals]
        return found[:1] * len(found) if model == "same-set" else found
    if population.side is not None:
        return [rng.dirichlet(totals[population.side], N)] * len(totals)
    rest = rng.dirichlet(np.sum(totals[:1] if model == "same-set" else totals, axis=0)[:2], N)
    return [np.column_stack([0.7 * rest, np.full(N, 0.3)])] * len(totals)


@pytest.mark.parametrize(
    ("model", "name", "population"),
    [
        ("paired", "nested, alpha", None),
        ("paired", "uniform", None),
        ("paired", "jeffreys, beta", None),
        ("same-set", "nested", None),
        ("same-set", "jeffreys, beta", None),
        ("independent", "nested", None),
        ("independent", "uniform", None),
        ("paired", "nested", STATED),
        ("paired", "uniform", STATED),
        ("same-set", "nested", STATED),
        ("independent", "jeffreys, beta", STATED),
        ("independent", "nested", ONE),
        ("independent", "uniform", OTHER),
    ],
)
def test_each_score_and_difference_is_that_of_cells(model, name, population):
    """78 tests at 1e-5 each: one false alarm in 400 seeds for each of three distributions."""
    case, rng = CASES[name], np.random.default_rng(5)
    dense = [naive.dense_counts(3, *each) for each in SETS[model]]
    mus = proportions(dense, model, case, population, rng)
    parts = zip(dense, SETS[model], mus, strict=True)
    sides = [p for counts, each, mu in parts for p in naive.draw_joint(counts, len(each) - 1, case.rows, N, rng, mu)]
    tables = tuple(OutcomeTable.tally(3, *each) for each in SETS[model])
    experiment = Experiment(model, tables, population=population)
    for measured in ("accuracy", "f1_macro", "matthews_corrcoef", "f1[0]", "balanced_accuracy"):
        measure = parse_measure(measured, range(3))
        one, other = (measure(Joint(p.sum(axis=2), np.einsum("njj->nj", p), p.sum(axis=1), p)) for p in sides)
        baseline, candidate = ExactEngine().sampler(experiment, case.prior, measure, 3).draw(N)
        for found, expected in ((baseline, one), (candidate, other), (candidate - baseline, other - one)):
            assert stats.ks_2samp(found, expected).pvalue > 1e-5, measured


@pytest.mark.parametrize("n_sides", [1, 2])
def test_spans_of_a_type_and_of_all_types_together_have_the_posterior_of_two_classes(n_sides):
    """Of each side what it finds, misses and invents, whatever the other does."""
    rng = np.random.default_rng(8)
    true = 2 * rng.integers(0, 3, 90) + (rng.random(90) < 0.7)
    said = [np.where(rng.random(90) < right, true, true ^ 1) for right in (0.8, 0.6)[:n_sides]]
    known = (true % 2 == 1) | np.any([each % 2 == 1 for each in said], axis=0)
    cells = [each[known] for each in (true, *said)]
    table = OutcomeTable.tally(6, *cells, multilabel=True, spans=True)
    experiment = Experiment("paired" if n_sides == 2 else "single", (table,))
    for name, of in (("f1_micro", range(3)), ("f1[1]", [1])):
        measure = parse_measure(name, range(3), multilabel=True, spans=True)
        drawn = ExactEngine().sampler(experiment, JEFFREYS, measure, 2).draw(N)
        for scores, side in zip(drawn, cells[1:], strict=True):
            chosen = np.isin(cells[0] // 2, list(of))
            there, found = cells[0][chosen] % 2, side[chosen] % 2
            tp, fp, fn = (there & found).sum(), (found > there).sum(), (there > found).sum()
            assert stats.kstest(scores, f1_posterior(tp, fp, fn).cdf).pvalue > 1e-5, name


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("detail", [Detail.MARGINS, Detail.MATRIX])
def test_what_was_counted_is_drawn_as_often_on_average(detail, clustered):
    """By group, by class and by what each side predicts; of clusters less by the design effect."""
    rng = np.random.default_rng(2)
    true = np.repeat([0, 1, 2], [90, 45, 30])
    luck = rng.random(55).repeat(3)
    sides = [np.where(luck < right, true, (true + rng.integers(1, 3, 165)) % 3) for right in (0.6, 0.4)]
    sides[1][::3] = (true[::3] + 1) % 3
    clusters = ClusterContents.of_rows(np.arange(165) // 3) if clustered else None
    table, layout = OutcomeTable.tally(3, true, *sides, clusters=clusters), ErrorSums(3, 2, detail)
    assert (table.design_effect > 1.2) is clustered
    counts, wrong = np.zeros((4, 3)), np.zeros((2, 3, 3))
    np.add.at(counts, (2 * (sides[0] != true) + (sides[1] != true), true), 1 / table.design_effect)
    for matrix, side in zip(wrong, sides, strict=True):
        np.add.at(matrix, (true[side != true], side[side != true]), 1 / table.design_effect)
    for rescaled in (False, True):
        part, factor = data_part(table, layout, rescaled=rescaled), rng.uniform(0.5, 2, (N, 3))
        cells = part.draw(N, np.random.default_rng(3))
        held = part.group_sums(cells).mean(axis=1)
        held[0] += part.undrawn[0]
        assert held == pytest.approx(counts, rel=0.05)
        if not rescaled:
            factor = np.ones((N, 3))
        else:
            cells = part.rescaled(cells, factor)
            wrong = wrong * factor.mean(axis=0)[:, None]
        found = part.side_sums(cells).mean(axis=1)
        expected = wrong if detail is Detail.MATRIX else wrong.sum(axis=1)
        assert found.reshape(expected.shape) == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize(("multilabel", "times"), [(False, 1), (False, 2), (True, 1)])
def test_what_rows_share_is_drawn_from_its_density(multilabel, times):
    """Of one side: right and wrong, of absences and of presences apart; copies within clusters tell nothing more."""
    rng, eta = np.random.default_rng(4), (np.arange(4_000) + 0.5) / 4_000
    true = np.repeat([0, 1, 2, 3], [30, 4, 9, 17])
    other = true ^ 1 if multilabel else (true + rng.integers(1, 4, 60)) % 4
    said = np.where(rng.random(60) < np.where(true % 2, 0.5, 0.9), true, other)
    at = np.repeat(np.arange(60), times)
    clusters = ClusterContents.of_rows(at) if times > 1 else None
    table = OutcomeTable.tally(4, true[at], said[at], multilabel=multilabel, clusters=clusters)
    drawn = in_rows(shared_mass(table, SharedGroups()).draw(N, rng), table)
    for kind in range(1 + multilabel):
        log_density, of_kind = np.zeros(eta.size), (true % 2 == kind) | (not multilabel)
        for row, cell in {*zip(true[of_kind].tolist(), said[of_kind].tolist(), strict=True)}:
            n = ((true == row) & (said == cell)).sum()
            weight = eta if row == cell else (1 - eta) / (1 if multilabel else 3)
            log_density += sum(np.log(weight + before) for before in range(n))
        density = np.exp(log_density - log_density.max())
        mean, square = (np.average(eta**power, weights=density) for power in (1, 2))
        right = drawn[0, :, -kind]
        assert right.mean() == pytest.approx(mean, abs=5 * np.sqrt((square - mean**2) / N))
        assert right.std() == pytest.approx(np.sqrt(square - mean**2), rel=0.05)
