"""Classical tests beside the posterior: sign tests and micro/macro t-tests (Yang & Liu 1999).

All compare a system A with a system B and give the one-sided P-value in the direction of the data: how often chance
alone would favour the better of the two at least as much.
"""

from dataclasses import replace
from typing import cast

import numpy as np
from scipy.special import bdtr, ndtr, stdtr

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.choices import Model
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.measures.classification import Measure, f1_by_class, proportions
from pytest_bayesf1.results.comparison import Proportions, Significance, Symbol, TestName
from pytest_bayesf1.stats.beta import PairedOutcomes

_EXACT_SIGN_TEST_UP_TO = 12  # both limits are the paper's
_STUDENT_UP_TO = 40
_ROUNDING = 1e-12  # of differences of scores and of ranks


def significance(name: TestName, statistic: float, p_value: float, n: int, of: Proportions = "") -> Significance:
    """Put the outcome of a test down, with the symbol that its P-value earns."""
    sign = ">" if statistic > 0 else "<"
    symbol = "~" if p_value > 0.05 else sign * 2 if p_value <= 0.01 else sign
    return Significance(name, statistic, p_value, n, of, cast("Symbol", symbol))


def micro_sign_test(only_a: int, only_b: int) -> Significance:
    """Test decision by decision, over those that only one system gets right (s-test, section 4.1).

    Examples
    --------
    >>> micro_sign_test(10, 2).p_value.__round__(4)
    0.0193
    """
    return _sign_test("s-test", only_a, only_b)


def macro_sign_test(a: Floats, b: Floats) -> Significance:
    """Test class by class on which system scores higher (S-test, section 4.2)."""
    return _sign_test("S-test", int((a > b).sum()), int((a < b).sum()))


def macro_t_test(a: Floats, b: Floats) -> Significance:
    """Test the mean of the classes' score differences, over the classes that differ (T-test, section 4.3).

    Differences that are all the same have no standard error; the sign test, which needs none, then stands in.
    """
    return _t_test("T-test", a - b)


def macro_rank_test(a: Floats, b: Floats) -> Significance:
    """Do as `macro_t_test` does with the scores' ranks among all 2M scores (T'-test, section 4.4)."""
    ranks = _ranks(np.concatenate([a, b]))
    return _t_test("T'-test", ranks[: a.size] - ranks[a.size :])


def proportion_test(p_a: float, n_a: int, p_b: float, n_b: int, of: Proportions = "") -> Significance:
    """Test two proportions, such as recall, precision, accuracy or error (p-test, section 4.5)."""
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


def classical_tests(experiment: Experiment, measure: Measure) -> tuple[Significance, ...]:
    """Test the candidate (A) against the baseline (B), so that ``>`` favours the candidate.

    The null hypothesis is no difference at all; a ROPE has no part in it. The micro tests are about examples: the
    s-test about those that only one side gets right, so it needs the paired model; the p-tests about the two
    accuracies, and of `proportions` about recall and precision too. They ignore pairing, as if each side had been
    measured on examples of its own. The macro tests S, T and T' are about the F1 of the classes, which they treat as
    independent replications, however few examples a class has. There are none of spans, which are not independent of
    those of the same document. Two classes are no replications: where one gains a
    prediction the other loses it. With multi-label data the micro tests are about every decision on an example and a
    label, the macro tests about labels.

    References
    ----------
    Yang and Liu (1999), A re-examination of text categorization methods, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> from pytest_bayesf1.measures.classification import parse_measure
    >>> from pytest_bayesf1.data.outcomes import OutcomeTable
    >>> true = np.repeat([0, 1, 2], 20)
    >>> candidate = np.where(np.arange(60) % 4 == 0, (true + 1) % 3, true)
    >>> pairs = Experiment(Model.PAIRED, (OutcomeTable.tally(3, true, true, candidate),))
    >>> for test in classical_tests(pairs, parse_measure("f1[0]", range(3))):
    ...     print(test.name, test.of, test.symbol, test.n)
    s-test  << 15
    S-test  ~ 3
    T-test  ~ 3
    T'-test  ~ 3
    p-test accuracy << 120
    p-test recall < 40
    p-test precision < 40
    """
    if experiment.spans:
        return ()
    baseline, candidate = experiment.sides
    tests = []
    for table in experiment.tables:
        if table.n_sides == 2:
            _, only_baseline, only_candidate, _ = table.group_counts.sum(axis=0).tolist()
            tests.append(micro_sign_test(only_candidate, only_baseline))
    a, b = (f1_by_class(side)[side.occurring] for side in (candidate, baseline))
    if a.size > 2:
        tests += [macro_sign_test(a, b), macro_t_test(a, b), macro_rank_test(a, b)]
    for new, old in zip(proportions(candidate, measure), proportions(baseline, measure), strict=True):
        if new.trials and old.trials:
            tests.append(proportion_test(*new.share_and_trials, *old.share_and_trials, of=new.of))
    return tuple(tests)


def paired_outcomes(experiment: Experiment) -> PairedOutcomes | None:
    """Return the posterior of which side is right where the other is wrong; None unless the model is paired.

    The candidate is the first system. An example on which both are right, or both wrong, counts as the same, whatever
    the wrong predictions are. Only the data count, nothing that the comparison's prior has seen.

    References
    ----------
    Goutte and Gaussier (2005), A probabilistic interpretation of precision, recall and F-score, section 3.
    """
    if experiment.model != Model.PAIRED or experiment.spans:
        return None
    both_right, only_baseline, only_candidate, both_wrong = experiment.tables[0].group_counts.sum(axis=0).tolist()
    return PairedOutcomes.prior().updated(only_candidate, only_baseline, both_right + both_wrong)
