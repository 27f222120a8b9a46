"""The multi-label models written down as plainly as possible: a table for every label, one eta for each kind of row.

Counts have shape (L, 2, outcomes): the label absent or present, and an outcome for every combination of predictions,
the last side's varying fastest.
"""

from itertools import product

import numpy as np
from scipy.special import gammaln

from . import naive

ABSENT, PRESENT = 0, 1


def groups_of(truth, n_sides):
    """Group of every outcome of a row: which sides are right."""
    kinds = list(product((True, False), repeat=n_sides))
    return np.array([kinds.index(naive.group_of(truth, outcome)) for outcome in naive.outcomes(2, n_sides)])


def draw_joint(counts, n_sides, prior, n, rng, mu=None):
    """Draw each side's joint probabilities, a list of arrays (n, L, 2, 2)."""
    weights = np.stack([_weights(counts, truth, n_sides, prior, n, rng) for truth in (ABSENT, PRESENT)], 2)
    gammas = rng.standard_gamma(counts + weights)
    theta = gammas / gammas.sum(axis=3, keepdims=True)
    p = theta * (draw_proportions(counts, prior, n, rng) if mu is None else mu)[..., None]
    cube = p.reshape(*p.shape[:3], *[2] * n_sides)
    sides = range(n_sides)
    return [cube.sum(axis=tuple(3 + other for other in sides if other != side)) for side in sides]


def draw_proportions(counts, prior, n, rng):
    """Draw every label's share of absence and presence, (n, L, 2)."""
    weight = naive.PRIOR_WEIGHTS.get(prior, 1.0)
    if prior == "nested":
        weight = 1.0 if counts.shape[2] == 2 else 2.0 + 1.2 * counts.sum(axis=2) / counts.sum()
    gammas = rng.standard_gamma(counts.sum(axis=2) + weight, size=(n, len(counts), 2))
    return gammas / gammas.sum(axis=2, keepdims=True)


def _weights(counts, truth, n_sides, prior, n, rng):
    """Dirichlet weights of the outcomes of the rows of one kind, (n, L, outcomes)."""
    rows = counts[:, truth]
    if prior == "nested":
        return _nested_weights(counts, truth, n_sides, n, rng)
    if prior in naive.PRIOR_WEIGHTS:
        return np.full((n, *rows.shape), naive.PRIOR_WEIGHTS[prior])
    w = draw_group_mass(n_sides, 400_000, rng)[:, groups_of(truth, n_sides)]
    w = w[w.min(axis=1) > 1e-290]  # the log weight needs every mass to be a normal number
    total = w.sum(axis=1)
    log_weight = np.zeros(len(w))
    for row in rows:
        log_weight += np.where(row > 0, gammaln(row + w) - gammaln(w), 0).sum(axis=1)
        log_weight += gammaln(total) - gammaln(total + row.sum())
    weight = np.exp(log_weight - log_weight.max())
    chosen = w[rng.choice(len(w), size=n, p=weight / weight.sum())]
    return np.broadcast_to(chosen[:, None], (n, *rows.shape))


def draw_group_mass(n_sides, n, rng):
    """Draw eta before any data: (n, groups)."""
    return rng.dirichlet(np.full(2**n_sides, 2 / 2**n_sides), size=n)


def _nested_weights(counts, truth, n_sides, n, rng):
    by_group = [np.argsort(groups_of(each, n_sides)) for each in (ABSENT, PRESENT)]
    totals = np.concatenate([counts[:, each, order] for each, order in enumerate(by_group)])
    extra = naive.side_examples(totals)
    of_kind = slice(truth * len(counts), (truth + 1) * len(counts))
    weights = naive.eta_weights((totals + extra)[of_kind], naive.KAPPA[n_sides], np.full(2**n_sides, 2 / 2**n_sides))
    mass = naive.KAPPA[n_sides] * rng.dirichlet(weights, size=n)
    return (mass[:, None] + extra[of_kind])[:, :, groups_of(truth, n_sides)]
