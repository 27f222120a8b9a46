"""The models written down as plainly as possible, and slowly: dense Dirichlet draws, eta by importance resampling."""

from itertools import product

import numpy as np
from scipy.special import gammaln

PRIOR_WEIGHTS = {"uniform": 1.0, "jeffreys": 0.5}


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


def draw_joint(counts, n_classes, n_sides, prior, n, rng, mu=None):
    """Draw each side's joint probabilities, a list of arrays (n, M, M)."""
    weights = _weights(counts, n_classes, n_sides, prior, n, rng)
    gammas = rng.standard_gamma(counts + weights)
    theta = gammas / gammas.sum(axis=2, keepdims=True)
    p = theta * (draw_proportions(counts, prior, n, rng) if mu is None else mu)[:, :, None]
    cube = p.reshape((n, n_classes, *[n_classes] * n_sides))
    sides = range(n_sides)
    return [cube.sum(axis=tuple(2 + other for other in sides if other != side)) for side in sides]


def draw_proportions(counts, prior, n, rng):
    return rng.dirichlet(counts.sum(axis=1) + PRIOR_WEIGHTS.get(prior, 1.0), size=n)


def _weights(counts, n_classes, n_sides, prior, n, rng):
    if prior in PRIOR_WEIGHTS:
        return np.full((n, *counts.shape), PRIOR_WEIGHTS[prior])
    groups, share = group_shares(n_classes, n_sides)
    return _resample_eta(counts, groups, share, n, rng)[:, groups] * share


def group_shares(n_classes, n_sides):
    """The group of every cell (row, outcome), and one over the number of cells of its group in the row."""
    kinds = list(product((True, False), repeat=n_sides))
    groups = np.array(
        [[kinds.index(group_of(row, each)) for each in outcomes(n_classes, n_sides)] for row in range(n_classes)]
    )
    sizes = np.array([(n_classes - 1) ** kind.count(False) for kind in kinds])
    return groups, 1 / sizes[groups]


def _resample_eta(counts, groups, share, n, rng):
    n_groups = groups.max() + 1
    eta = rng.dirichlet(np.full(n_groups, 2 / n_groups), size=200_000)
    eta = eta[eta.min(axis=1) > 1e-290]  # the log weight needs every share to be a normal number
    log_weight = np.zeros(len(eta))
    for row, column in np.argwhere(counts):
        w = eta[:, groups[row, column]] * share[row, column]
        log_weight += gammaln(counts[row, column] + w) - gammaln(w)
    weight = np.exp(log_weight - log_weight.max())
    return eta[rng.choice(len(eta), size=n, p=weight / weight.sum())]
