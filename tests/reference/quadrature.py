"""The collapsed posterior of eta by numerical integration, and what follows from it in closed form."""

from functools import cache

import numpy as np
from scipy.special import gammaln, log_expit, logsumexp, roots_legendre


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


def log_simplex_integral(cells, scale, weights):
    """Log of the integral over the simplex of prod_g eta_g^(a_g - 1) prod_c Gamma(c + w) / (Gamma(c) Gamma(w) scale).

    Here w = scale eta_g. Two groups are one integral; four are nested, as the two pairs share the mass s and 1 - s.
    """
    factors = [_log_factor(*each, scale) for each in zip(cells, weights, strict=True)]
    pairs = factors if len(factors) == 2 else [_log_convolution(*factors[:2]), _log_convolution(*factors[2:])]
    return float(_log_convolution(*pairs)(np.zeros(1))[0])


def _log_factor(cells, a, scale):
    values, times = np.unique(cells, return_counts=True)

    def log_factor(log_eta):
        w = scale * np.exp(log_eta)[..., None]
        return (a - 1) * log_eta + (gammaln(values + w) - gammaln(values) - gammaln(w) - np.log(scale)) @ times

    return log_factor


def _log_convolution(first, second):
    """Log of the integral of first(x) second(s - x) over x from 0 to s, for an array of log s."""

    def log_convolution(log_s):
        def integrand(t):  # over t = logit(x / s)
            low, high = (log_s[:, None] + log_expit(sign * t) for sign in (1, -1))
            values = first(low.ravel()) + second(high.ravel())
            return values.reshape(t.shape) + low + high - log_s[:, None]

        return _log_trapezoid(integrand, log_s.size)

    return log_convolution


def _log_trapezoid(log_f, rows, n=401):
    """Log of the integral of exp(log_f(t)) over all t, row by row: decaying both ways, so the rule is very precise."""
    coarse = np.tile(np.linspace(-200, 200, 201), (rows, 1))
    values = log_f(coarse)
    near = values > values.max(axis=1, keepdims=True) - 60
    first, last = near.argmax(axis=1), 200 - near[:, ::-1].argmax(axis=1)
    t = np.linspace(coarse[0, np.maximum(first - 1, 0)], coarse[0, np.minimum(last + 1, 200)], n, axis=1)
    return logsumexp(log_f(t), axis=1) + np.log(t[:, 1] - t[:, 0])
