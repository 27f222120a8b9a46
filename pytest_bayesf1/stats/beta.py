"""Closed forms for two classes: precision, recall and F-beta of one system (Goutte & Gaussier 2005).

With true positives TP, false positives FP, false negatives FN and a symmetric Beta(weight, weight) prior, precision and
recall are Beta distributed (section 2.1), and come from three independent gamma variables X, Y, Z with shapes
TP + weight, FP + weight, FN + weight: precision X / (X + Y), recall X / (X + Z) (eq. 10). Hence

    F_beta = (1 + beta^2) X / ((1 + beta^2) X + Y + beta^2 Z)

and, for beta = 1, where Y + Z is one gamma variable (eq. 11), F1 = 2 B / (1 + B) with B ~ Beta(TP + weight,
FP + FN + 2 weight): exact, though the paper samples it.
"""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
from scipy.special import betainc, betaincinv, digamma

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.errors import InputError
from pytest_bayesf1.results.comparison import PairedDifference

JEFFREYS_WEIGHT = 0.5
_NODES = 4_001  # quantiles: means and probabilities are off by some 1e-6


@dataclass(frozen=True)
class BetaPosterior:
    """A Beta(a, b) distribution on (0, 1), seen through F1 = 2 B / (1 + B) where ``of_f1`` is set.

    Examples
    --------
    >>> from pytest_bayesf1 import precision_posterior
    >>> posterior = precision_posterior(tp=90, fp=10)
    >>> round(posterior.mean, 3)
    0.896
    """

    a: float
    b: float
    of_f1: bool = False

    def cdf(self, x: Floats | float) -> Floats:
        """P(score <= x), of every x.

        Examples
        --------
        >>> round(float(precision_posterior(90, 10).cdf(0.85)), 3)
        0.075
        """
        x = np.asarray(x, dtype=float)
        return np.asarray(betainc(self.a, self.b, x / (2 - x) if self.of_f1 else x))

    def quantile(self, probability: Floats | float) -> Floats:
        """Score below which this probability lies.

        Examples
        --------
        >>> precision_posterior(90, 10).quantile([0.025, 0.975]).round(2).tolist()
        [0.83, 0.95]
        """
        inner = betaincinv(self.a, self.b, probability)
        return np.asarray(2 * inner / (1 + inner) if self.of_f1 else inner)

    @property
    def mean(self) -> float:
        """Expectation: eq. 9 for precision and recall, by quadrature over quantiles for F1."""
        if not self.of_f1:
            return self.a / (self.a + self.b)
        return float(self.quantile(_midpoints()).mean())

    @property
    def mode(self) -> float:
        """Where the density is highest: eq. 9 for precision and recall; for F1 the root of a quadratic.

        With a < 1 the density is infinite at 0, with b < 1 at 1: the mode is there. It is nan where the density is
        infinite at both ends, as before any data under Jeffreys' prior, or flat, as a uniform one is.

        Examples
        --------
        System 2 in section 2.2 of the paper: 3 of 5.

        >>> precision_posterior(3, 2).mode
        0.625
        """
        if self.a < 1 or self.b < 1:
            return nan if self.a < 1 and self.b < 1 else float(self.b < 1)
        if not self.of_f1:
            return nan if self.a == self.b == 1 else (self.a - 1) / (self.a + self.b - 2)
        # the derivative of x^(a-1) (1-x)^(b-1) (2-x)^-(a+b) is 0 where 2x^2 + (2a+b-5)x = 2(a-1)
        half = (2 * self.a + self.b - 5) / 4
        root = sqrt(half**2 + self.a - 1)
        return (self.a - 1) / (root + half) if half > 0 else root - half


def precision_posterior(tp: float, fp: float, weight: float = JEFFREYS_WEIGHT) -> BetaPosterior:
    """Posterior of precision, Beta(TP + weight, FP + weight) (Goutte & Gaussier 2005, eq. 8).

    Parameters
    ----------
    tp, fp
        True and false positives; they need not be whole.
    weight
        Of the symmetric Beta prior: 1/2 is Jeffreys', 1 the uniform one.

    Raises
    ------
    InputError
        For a number that is negative or not finite.

    Examples
    --------
    >>> from pytest_bayesf1 import precision_posterior
    >>> round(precision_posterior(tp=90, fp=10).mean, 3)
    0.896
    """
    _require_counts(tp=tp, fp=fp, weight=weight)
    return BetaPosterior(tp + weight, fp + weight)


def recall_posterior(tp: float, fn: float, weight: float = JEFFREYS_WEIGHT) -> BetaPosterior:
    """Posterior of recall, Beta(TP + weight, FN + weight) (Goutte & Gaussier 2005, section 2.1).

    Parameters
    ----------
    tp, fn
        True positives and false negatives; they need not be whole.
    weight
        Of the symmetric Beta prior: 1/2 is Jeffreys', 1 the uniform one.

    Raises
    ------
    InputError
        For a number that is negative or not finite.

    Examples
    --------
    >>> from pytest_bayesf1 import recall_posterior
    >>> round(recall_posterior(tp=90, fn=30).mean, 3)
    0.748
    """
    _require_counts(tp=tp, fn=fn, weight=weight)
    return BetaPosterior(tp + weight, fn + weight)


def f1_posterior(tp: float, fp: float, fn: float, weight: float = JEFFREYS_WEIGHT) -> BetaPosterior:
    """Posterior of F1 in closed form (Goutte & Gaussier 2005, eq. 11).

    Parameters
    ----------
    tp, fp, fn
        True positives, false positives and false negatives; they need not be whole.
    weight
        Of the symmetric Beta prior: 1/2 is Jeffreys', 1 the uniform one.

    Raises
    ------
    InputError
        For a number that is negative or not finite.

    Examples
    --------
    >>> posterior = f1_posterior(tp=43, fp=7, fn=12)
    >>> posterior.quantile([0.025, 0.975]).round(3).tolist()
    [0.723, 0.884]
    """
    _require_counts(tp=tp, fp=fp, fn=fn, weight=weight)
    return BetaPosterior(tp + weight, fp + fn + 2 * weight, of_f1=True)


def fbeta_draws(
    tp: float,
    fp: float,
    fn: float,
    *,
    beta: float = 1.0,
    weight: float = JEFFREYS_WEIGHT,
    n_draws: int = 20_000,
    rng: np.random.Generator,
) -> Floats:
    """Draw F_beta from its posterior, by three gamma variates (Goutte & Gaussier 2005, section 2.3).

    Parameters
    ----------
    tp, fp, fn
        True positives, false positives and false negatives; they need not be whole.
    beta
        Weight of recall against precision.
    weight
        Of the symmetric Beta prior: 1/2 is Jeffreys', 1 the uniform one.
    n_draws
        How many.
    rng
        Where the randomness comes from.

    Returns
    -------
    (n_draws,)
        The draws.

    Raises
    ------
    InputError
        For a number that is negative or not finite.

    Examples
    --------
    >>> import numpy as np
    >>> from pytest_bayesf1 import fbeta_draws
    >>> draws = fbeta_draws(tp=43, fp=7, fn=12, beta=1, n_draws=10_000, rng=np.random.default_rng(0))
    >>> round(float(draws.mean()), 1)
    0.8
    """
    _require_counts(tp=tp, fp=fp, fn=fn, weight=weight, beta=beta)
    x, y, z = (rng.standard_gamma(count + weight, n_draws) for count in (tp, fp, fn))
    hit = (1 + beta**2) * x
    return np.asarray(hit / (hit + y + beta**2 * z))


def p_first_better(first: BetaPosterior, second: BetaPosterior) -> float:
    """P(first > second) for independent systems (Goutte & Gaussier 2005, eq. 12).

    By quadrature over the first one's quantiles; the paper samples it.

    Parameters
    ----------
    first, second
        Posteriors of the two systems' scores.

    Examples
    --------
    Example 2.2 of the paper: 3 of 5 against 10 of 20.

    >>> round(p_first_better(precision_posterior(3, 2), precision_posterior(10, 10)), 2)
    0.65
    """
    return float(second.cdf(first.quantile(_midpoints())).mean())


@dataclass(frozen=True)
class PairedOutcomes:
    """Posterior of two systems' outcomes on the same objects (section 3): Dirichlet(n1 + a1, n2 + a2, n3 + a3).

    Attributes
    ----------
    a1, a2
        Pseudo-count and count of the objects on which only the first, and only the second, system is right.
    a3
        Those on which both do the same.

    Examples
    --------
    >>> from pytest_bayesf1 import PairedOutcomes
    >>> round(PairedOutcomes.prior().updated(only_first=43, only_second=28).p_first_better, 2)
    0.96
    """

    a1: float
    a2: float
    a3: float

    @classmethod
    def prior(cls, alpha: tuple[float, float, float] = (0.5, 0.5, 0.5)) -> "PairedOutcomes":
        """Start from the prior's pseudo-counts.

        Parameters
        ----------
        alpha
            For the first system alone right, the second alone, and both the same; halves by default (Jeffreys).

        Raises
        ------
        InputError
            For a number that is negative or not finite.

        Examples
        --------
        >>> PairedOutcomes.prior((1, 1, 1)).p_first_better
        0.5
        """
        _require_counts(**dict(zip(("alpha_1", "alpha_2", "alpha_3"), alpha, strict=True)))
        return cls(*alpha)

    def updated(self, only_first: float, only_second: float, same: float = 0) -> "PairedOutcomes":
        """Add the counts of a test set; several test sets add up (section 3, Note).

        Parameters
        ----------
        only_first, only_second
            Objects on which the first system alone, and the second alone, is right.
        same
            Objects on which both do the same.

        Raises
        ------
        InputError
            For a number that is negative or not finite.

        Examples
        --------
        >>> round(PairedOutcomes.prior().updated(only_first=43, only_second=28, same=929).mean_difference, 3)
        0.015
        """
        _require_counts(only_first=only_first, only_second=only_second, same=same)
        return PairedOutcomes(self.a1 + only_first, self.a2 + only_second, self.a3 + same)

    @property
    def p_first_better(self) -> float:
        """P(pi_1 > pi_2), which eq. 18 leaves to sampling; pi_1 / (pi_1 + pi_2) is Beta(a1, a2), so it is exact.

        Examples
        --------
        >>> round(100 * PairedOutcomes.prior().updated(43, 28).p_first_better, 1)
        96.3
        """
        return float(betainc(self.a2, self.a1, 0.5))

    @property
    def mean_difference(self) -> float:
        """Posterior mean of the difference of the accuracies, E(pi_1 - pi_2) (eq. 20)."""
        return (self.a1 - self.a2) / (self.a1 + self.a2 + self.a3)

    @property
    def mean_log_odds(self) -> float:
        """Posterior mean of the log odds, E(ln pi_1 / pi_2) (eq. 21)."""
        return float(digamma(self.a1) - digamma(self.a2))

    def summary(self) -> PairedDifference:
        """Return what it says of the two systems.

        Examples
        --------
        >>> round(PairedOutcomes.prior().updated(43, 28, 929).summary().mean_log_odds, 2)
        0.43
        """
        return PairedDifference(self.p_first_better, self.mean_difference, self.mean_log_odds)


def _midpoints() -> Floats:
    return (np.arange(_NODES) + 0.5) / _NODES


def _require_counts(**counts: float) -> None:
    for name, value in counts.items():
        if not (np.isfinite(value) and value >= 0):
            raise InputError(name, "a finite number that is not negative", repr(value))
