"""The frequentist companions of a comparison: every test of Yang & Liu (1999) that its counts allow."""

from collections.abc import Iterator

from pytest_bayesf1.stats.arrays import Floats
from pytest_bayesf1.stats.experiment import Experiment
from pytest_bayesf1.stats.outcomes import OutcomeTable
from pytest_bayesf1.stats.rates import f1_by_class
from pytest_bayesf1.stats.significance import (
    Significance,
    macro_rank_test,
    macro_sign_test,
    macro_t_test,
    micro_sign_test,
    proportion_test,
)


def companions(experiment: Experiment) -> tuple[Significance, ...]:
    """Test the candidate (A) against the baseline (B), so that ``>`` favours the candidate.

    The null hypothesis is no difference at all; a ROPE has no part in it. The micro tests are about examples: the
    s-test about those that only one side gets right, so it needs the paired model; the p-test about the two accuracies,
    and it ignores pairing, as if each had been measured on examples of its own. The macro tests S, T and T' are about
    the F1 of the classes, which they treat as independent replications, however few examples a class has. Two classes
    are no replications: where one gains a prediction the other loses it. With multi-label data the micro tests are
    about every decision on an example and a label, the macro tests about labels.

    Returns
    -------
    tests
        s-test (paired only), S-test, T-test and T'-test (from three classes or labels on) and p-test, whatever the
        counts; P = 1/2 where nothing differs.

    References
    ----------
    Yang and Liu (1999), A re-examination of text categorization methods, section 4.

    Examples
    --------
    >>> import numpy as np
    >>> true = np.repeat([0, 1, 2], 20)
    >>> candidate = np.where(np.arange(60) % 4 == 0, (true + 1) % 3, true)
    >>> for test in companions(Experiment("paired", (OutcomeTable.tally(3, true, true, candidate),))):
    ...     print(test.name, test.symbol, test.n)
    s-test << 15
    S-test ~ 3
    T-test ~ 3
    T'-test ~ 3
    p-test << 120
    """
    baseline, candidate = experiment.sides
    return (
        *_micro_sign_tests(experiment),
        *_macro_tests(*(f1_by_class(side)[side.occurring] for side in (candidate, baseline))),
        proportion_test(*_accuracy(candidate), *_accuracy(baseline)),
    )


def _micro_sign_tests(experiment: Experiment) -> Iterator[Significance]:
    for table in experiment.tables:
        if table.n_sides == 2:
            _, only_baseline, only_candidate, _ = table.group_counts.sum(axis=0).tolist()
            yield micro_sign_test(only_candidate, only_baseline)


def _macro_tests(a: Floats, b: Floats) -> Iterator[Significance]:
    if a.size > 2:
        yield from (macro_sign_test(a, b), macro_t_test(a, b), macro_rank_test(a, b))


def _accuracy(side: OutcomeTable) -> tuple[float, int]:
    right, wrong = side.group_counts.sum(axis=0).tolist()
    return right / (right + wrong), right + wrong
