"""The collapsed posterior of eta by numerical integration, and what follows from it in closed form."""

from functools import cache

import numpy as np
from scipy.special import gammaln, roots_legendre


def eta_nodes(group_cells, sizes):
    """Nodes and normalised posterior weights of eta.

    ``group_cells`` holds the non-zero counts of each group, ``sizes`` the cells of a group in one row.
    """
    eta, weight = _two_groups() if len(sizes) == 2 else _four_groups()
    log_likelihood = np.zeros(len(eta))
    for group, (cells, size) in enumerate(zip(group_cells, sizes, strict=True)):
        values, times = np.unique(cells, return_counts=True)
        w = eta[:, group, None] / size
        log_likelihood += (gammaln(values + w) - gammaln(w)) @ times
    posterior = weight * np.exp(log_likelihood - log_likelihood.max())
    return eta, posterior / posterior.sum()


@cache
def _two_groups(n=4000):
    x, weight = roots_legendre(n)
    eta = (x + 1) / 2
    return np.stack([eta, 1 - eta], axis=1), weight


@cache
def _four_groups(n=64):
    """Dirichlet(1/2, ...) is the uniform distribution on the sphere, squared: no singularity at the edges."""
    x, w = roots_legendre(n)
    angle = (x + 1) * np.pi / 4
    a, b, c = np.meshgrid(angle, angle, angle, indexing="ij")
    point = [np.cos(a), np.sin(a) * np.cos(b), np.sin(a) * np.sin(b) * np.cos(c), np.sin(a) * np.sin(b) * np.sin(c)]
    weight = np.einsum("i,j,k->ijk", w, w, w) * np.sin(a) ** 2 * np.sin(b)
    return np.stack([part.ravel() ** 2 for part in point], axis=1), weight.ravel()


def cells_by_group(counts):
    """Right and wrong non-zero cells of one confusion matrix, and the sizes of the groups."""
    right = np.eye(len(counts), dtype=bool)
    return [counts[right & (counts > 0)], counts[~right & (counts > 0)]], [1, len(counts) - 1]


def accuracy_moments(counts):
    """Mean and variance of accuracy under the 2015 model: given eta, Beta(tr C + M eta, N - tr C + M (1 - eta))."""
    eta, weight = eta_nodes(*cells_by_group(counts))
    n_classes, n, right = len(counts), counts.sum(), np.trace(counts)
    a, total = right + n_classes * eta[:, 0], n + n_classes
    mean = a / total
    second = a * (a + 1) / (total * (total + 1))
    return weight @ mean, weight @ second - (weight @ mean) ** 2
