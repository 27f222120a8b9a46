"""The models written down as plainly as possible, and slowly: dense Dirichlet draws, what rows share by resampling."""

from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import digamma, gammaln

PRIOR_WEIGHTS = {"uniform": 1.0, "jeffreys": 0.5}
KAPPA = {1: 1.0, 2: 2.0}  # of the nested prior, by the number of sides
N_PROPOSALS = 1_000_000


def outcomes(n_classes, n_sides):
    """All outcomes of a row, as tuples of predictions."""
    return list(product(range(n_classes), repeat=n_sides))


def group_of(true, outcome):
    """Which sides are right."""
    return tuple(predicted == true for predicted in outcome)


def dense_counts(n_classes, true, *predicted):
    """Counts of every true class (rows) and outcome (columns)."""
    index = {outcome: column for column, outcome in enumerate(outcomes(n_classes, len(predicted)))}
    counts = np.zeros((n_classes, len(index)), dtype=int)
    for row, *outcome in zip(true, *predicted, strict=True):
        counts[row, index[tuple(outcome)]] += 1
    return counts


def draw_joint(counts, n_sides, rows, n, rng, mu):
    """Draw each side's joint probabilities, a list of arrays (n, M, M), given the class proportions (n, M)."""
    n_classes = len(counts)
    p = rows.draw(counts, n_sides, n, rng) * mu[:, :, None]
    cube = p.reshape((n, n_classes, *[n_classes] * n_sides))
    sides = range(n_sides)
    return [cube.sum(axis=tuple(2 + other for other in sides if other != side)) for side in sides]


def draw_proportions(counts, beta, n, rng):
    return rng.dirichlet(counts.sum(axis=1) + class_mass(counts, beta), size=n)


@dataclass(frozen=True)
class Cells:
    """The same pseudo-count in every cell."""

    weight: float

    def draw(self, counts, n_sides, n, rng):
        return dirichlet(np.broadcast_to(counts + self.weight, (n, *counts.shape)), rng)


@dataclass(frozen=True)
class Shared:
    """One cluster of mass per row, which its groups share in the same proportions eta in every row (2015)."""

    alpha: tuple[float, float] = (1, 1)

    def draw(self, counts, n_sides, n, rng):
        groups, sizes = groups_of_cells(len(counts), n_sides)
        eta = draw_eta(self.alpha, n_sides, n_proposals(counts, n), rng)
        log_weight = np.zeros(len(eta))
        for cell in zip(*np.nonzero(counts), strict=True):
            log_weight += log_rising(eta[:, groups[cell]] / sizes[groups[cell]], counts[cell])
        return dirichlet(counts + (resampled(eta, log_weight, n, rng) / sizes)[:, groups], rng)


@dataclass(frozen=True)
class Nested:
    """kappa examples more in every row, each group's on one cell, see `split_by`; of pairs with parts of an example."""

    alpha: tuple[float, float] = (1, 1)

    def draw(self, counts, n_sides, n, rng):
        groups, sizes = groups_of_cells(len(counts), n_sides)
        totals = np.stack([np.where(groups == group, counts, 0).sum(axis=1) for group in range(len(sizes))], axis=1)
        totals = totals + side_examples(totals)
        weights = np.array(self.alpha, float) if n_sides == 1 else np.outer(self.alpha, self.alpha).ravel()
        weights = weights * sum(self.alpha) / weights.sum()
        eta = rng.dirichlet(eta_weights(totals, KAPPA[n_sides], weights), size=n)
        theta, expected = rng.standard_gamma(np.broadcast_to(counts, (n, *counts.shape))), split_by(counts, n_sides)
        for row, group in np.ndindex(len(counts), len(sizes)):
            held = rng.standard_gamma(KAPPA[n_sides] * eta[:, group] + side_examples(totals)[row, group])
            cells = np.flatnonzero(groups[row] == group)
            chances = expected[row, cells] / expected[row, cells].sum()
            theta[np.arange(n), row, rng.choice(cells, size=n, p=chances)] += held
        return theta / theta.sum(axis=2, keepdims=True)


def side_examples(totals):
    """(rows, groups) 0.6 of an example that only one side gets right, for each side, spread as the test set is."""
    found = np.zeros(totals.shape)
    if totals.shape[1] == 4 and totals.any():
        found[:, 1:3] = 0.6 * totals.sum(axis=1, keepdims=True) / totals.sum()
    return found


def eta_weights(totals, kappa, weights):
    """Weights of eta's Dirichlet: a row counts by how many tables its examples take, one after the other."""

    def tables(mass, n):
        return mass * (digamma(mass + n) - digamma(mass))

    if len(weights) == 2:
        rows = [row for row in totals if row.any()]
        return weights + sum(tables(kappa, row.sum()) * row / row.sum() for row in rows)
    found = weights + totals.sum(axis=0)
    for _ in range(12):
        found = weights + sum(tables(kappa * found / found.sum(), row) for row in totals)
    return found


def class_mass(counts, beta):
    """Pseudo-counts of the classes; None where they are the mass of a row under the nested prior."""
    if beta is not None:
        return beta
    rows = counts.sum(axis=1)
    return KAPPA[1] if counts.shape[1] == len(counts) else KAPPA[2] + 1.2 * rows / rows.sum()


def split_by(counts, n_sides):
    """What the cells of a group weigh: for each side that errs, the class's errors in all rows and one."""
    kinds, weights = outcomes(len(counts), n_sides), np.ones(counts.shape)
    for side in range(n_sides):
        errors = [1] * len(counts)
        for (row, cell), count in np.ndenumerate(counts):
            if kinds[cell][side] != row:
                errors[kinds[cell][side]] += count
        for row, cell in np.ndindex(counts.shape):
            if kinds[cell][side] != row:
                weights[row, cell] *= errors[kinds[cell][side]]
    return weights


def groups_of_cells(n_classes, n_sides):
    """The group of every cell (row, outcome), and the number of cells of each group in a row."""
    kinds = list(product((True, False), repeat=n_sides))
    groups = np.array(
        [[kinds.index(group_of(row, each)) for each in outcomes(n_classes, n_sides)] for row in range(n_classes)]
    )
    return groups, np.array([(n_classes - 1) ** kind.count(False) for kind in kinds])


def draw_eta(alpha, n_sides, n, rng):
    """Shares of the groups: either side's share of being right is Beta(alpha), and the two are uncorrelated."""
    weights = np.array(alpha, dtype=float) if n_sides == 1 else np.outer(alpha, alpha).ravel() / sum(alpha)
    return np.maximum(rng.dirichlet(weights, size=n), 1e-290)  # a log weight needs normal numbers


def n_proposals(counts, n):
    """Draws from the prior to resample from; without data they serve as they are."""
    return N_PROPOSALS if counts.any() else n


def resampled(proposals, log_weight, n, rng):
    """Choose n proposals in proportion to their weights."""
    if len(proposals) == n:
        return proposals
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    assert 1 / (weight @ weight) > 5_000  # as many of them count
    return proposals[rng.choice(len(proposals), size=n, p=weight)]


def log_rising(x, counts):
    return gammaln(counts + x) - gammaln(x)


def dirichlet(weights, rng):
    gammas = rng.standard_gamma(weights) + 1e-300
    return gammas / gammas.sum(axis=-1, keepdims=True)
