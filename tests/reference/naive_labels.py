"""The multi-label models written down as plainly as possible: a table for every label, one eta for each kind of row.

Counts have shape (L, 2, outcomes): the label absent or present, and an outcome for every combination of predictions,
the last side's varying fastest.
"""

from itertools import product

import numpy as np
from scipy.special import gammaln

from . import naive

ABSENT, PRESENT = 0, 1
KAPPAS = 2.0 ** (np.arange(-2, 9) / 2)  # of the nested prior: 1/2 to 16


def groups_of(truth, n_sides):
    """Group of every outcome of a row: which sides are right."""
    kinds = list(product((True, False), repeat=n_sides))
    return np.array([kinds.index(naive.group_of(truth, outcome)) for outcome in naive.outcomes(2, n_sides)])


def draw_joint(counts, n_sides, prior, n, rng, mu=None):
    """Draw each side's joint probabilities, a list of arrays (n, L, 2, 2)."""
    weights = np.stack([_weights(counts[:, truth], truth, n_sides, prior, n, rng) for truth in (ABSENT, PRESENT)], 2)
    gammas = rng.standard_gamma(counts + weights)
    theta = gammas / gammas.sum(axis=3, keepdims=True)
    p = theta * (draw_proportions(counts, prior, n, rng) if mu is None else mu)[..., None]
    cube = p.reshape(*p.shape[:3], *[2] * n_sides)
    sides = range(n_sides)
    return [cube.sum(axis=tuple(3 + other for other in sides if other != side)) for side in sides]


def draw_proportions(counts, prior, n, rng):
    """Draw every label's share of absence and presence, (n, L, 2)."""
    gammas = rng.standard_gamma(counts.sum(axis=2) + naive.PRIOR_WEIGHTS.get(prior, 1.0), size=(n, len(counts), 2))
    return gammas / gammas.sum(axis=2, keepdims=True)


def _weights(rows, truth, n_sides, prior, n, rng):
    """Dirichlet weights of the outcomes of the rows of one kind, (n, L, outcomes)."""
    if prior in naive.PRIOR_WEIGHTS:
        return np.full((n, *rows.shape), naive.PRIOR_WEIGHTS[prior])
    w = draw_group_mass(prior, n_sides, 400_000, rng)[:, groups_of(truth, n_sides)]
    w = w[w.min(axis=1) > 1e-290]  # the log weight needs every mass to be a normal number
    total = w.sum(axis=1)
    log_weight = np.zeros(len(w))
    for row in rows:
        log_weight += np.where(row > 0, gammaln(row + w) - gammaln(w), 0).sum(axis=1)
        log_weight += gammaln(total) - gammaln(total + row.sum())
    weight = np.exp(log_weight - log_weight.max())
    chosen = w[rng.choice(len(w), size=n, p=weight / weight.sum())]
    return np.broadcast_to(chosen[:, None], (n, *rows.shape))


def draw_group_mass(prior, n_sides, n, rng):
    """Draw eta, or kappa eta, before any data: (n, groups)."""
    eta = rng.dirichlet(np.full(2**n_sides, 2 / 2**n_sides), size=n)
    kappas = KAPPAS[(naive.MOST_OF_PAIRS if n_sides == 2 else np.inf) >= KAPPAS]
    return eta * rng.choice(kappas, size=(n, 1)) if prior == "nested" else eta
