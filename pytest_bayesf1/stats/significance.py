"""The frequentist companions: the significance tests of Yang & Liu (1999), section 4.

All compare a system A with a system B and give the one-sided P-value in the direction of the data: how often chance
alone would favour the better of the two at least as much.
"""

from dataclasses import replace
from typing import cast

import numpy as np
from scipy.special import bdtr, ndtr, stdtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.results.comparison import Proportions, Significance, Symbol, TestName

_EXACT_SIGN_TEST_UP_TO = 12  # both limits are the paper's
_STUDENT_UP_TO = 40
_ROUNDING = 1e-12  # of differences of scores and of ranks


def significance(name: TestName, statistic: float, p_value: float, n: int, of: Proportions = "") -> Significance:
    """Put the outcome of a test down, with the symbol that its P-value earns.

    Parameters
    ----------
    name, statistic, p_value, n, of
        The fields of a `Significance`.
    """
    sign = ">" if statistic > 0 else "<"
    symbol = "~" if p_value > 0.05 else sign * 2 if p_value <= 0.01 else sign
    return Significance(name, statistic, p_value, n, of, cast("Symbol", symbol))


def micro_sign_test(only_a: int, only_b: int) -> Significance:
    """Test decision by decision, over those that only one system gets right (s-test, section 4.1).

    Parameters
    ----------
    only_a, only_b
        Decisions that only A, and only B, gets right.

    Examples
    --------
    >>> micro_sign_test(10, 2).p_value.__round__(4)
    0.0193
    """
    return _sign_test("s-test", only_a, only_b)


def macro_sign_test(a: Floats, b: Floats) -> Significance:
    """Test class by class on which system scores higher (S-test, section 4.2).

    Parameters
    ----------
    a, b : (M,)
        The classes' scores under A and under B.
    """
    return _sign_test("S-test", int((a > b).sum()), int((a < b).sum()))


def macro_t_test(a: Floats, b: Floats) -> Significance:
    """Test the mean of the classes' score differences, over the classes that differ (T-test, section 4.3).

    Differences that are all the same have no standard error; the sign test, which needs none, then stands in.

    Parameters
    ----------
    a, b : (M,)
        The classes' scores under A and under B.
    """
    return _t_test("T-test", a - b)


def macro_rank_test(a: Floats, b: Floats) -> Significance:
    """Do as `macro_t_test` does with the scores' ranks among all 2M scores (T'-test, section 4.4).

    Parameters
    ----------
    a, b : (M,)
        The classes' scores under A and under B.
    """
    ranks = _ranks(np.concatenate([a, b]))
    return _t_test("T'-test", ranks[: a.size] - ranks[a.size :])


def proportion_test(p_a: float, n_a: int, p_b: float, n_b: int, of: Proportions = "") -> Significance:
    """Test two proportions, such as recall, precision, accuracy or error (p-test, section 4.5).

    Parameters
    ----------
    p_a, p_b
        The proportions.
    n_a, n_b
        The numbers of trials: true positives-to-be for recall, assigned positives for precision, decisions for
        accuracy and error.
    of
        What the proportions are called.
    """
    n = n_a + n_b
    pooled = (n_a * p_a + n_b * p_b) / n
    if pooled in {0, 1}:  # all trials came out alike
        return significance("p-test", 0.0, 0.5, n, of)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n_a + 1 / n_b))
    return replace(_standardised("p-test", p_a - p_b, error, n), of=of)


def _ranks(values: Floats) -> Floats:
    """Rank from 1 on; equal values share the mean of their ranks. (Importing scipy.stats takes longer than a test.)"""
    _, which, times = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(times) - (times - 1) / 2)[which])


def _sign_test(name: TestName, wins: int, losses: int) -> Significance:
    n = wins + losses
    if n > _EXACT_SIGN_TEST_UP_TO:
        return _normal(name, (wins - 0.5 * n) / (0.5 * np.sqrt(n)), n)
    if n == 0:
        return significance(name, 0.0, 0.5, 0)
    return significance(name, wins - 0.5 * n, float(bdtr(min(wins, losses), n, 0.5)), n)


def _t_test(name: TestName, differences: Floats) -> Significance:
    differing = differences[differences != 0]
    n = differing.size
    if n == 0 or np.ptp(differing) < _ROUNDING:
        return _sign_test(name, int((differing > 0).sum()), int((differing < 0).sum()))
    return _standardised(name, differing.mean(), differing.std(ddof=1) / np.sqrt(n), n)


def _standardised(name: TestName, difference: float, error: float, n: int) -> Significance:
    statistic = difference / error
    if n > _STUDENT_UP_TO:
        return _normal(name, statistic, n)
    return significance(name, float(statistic), float(stdtr(n - 1, -abs(statistic))), n)


def _normal(name: TestName, z: float, n: int) -> Significance:
    return significance(name, float(z), float(ndtr(-abs(z))), n)
