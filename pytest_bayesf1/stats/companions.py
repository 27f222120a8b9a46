"""What stands beside the posterior: the tests of Yang & Liu (1999), and Goutte & Gaussier (2005) on pairs."""

from collections.abc import Iterator

from pytest_bayesf1.arrays import Floats
from pytest_bayesf1.data.outcomes import Experiment
from pytest_bayesf1.measures.classification import Measure, Proportion, f1_by_class, proportions
from pytest_bayesf1.results.comparison import Significance
from pytest_bayesf1.settings import Model
from pytest_bayesf1.stats.fscore import PairedOutcomes
from pytest_bayesf1.stats.significance import (
    macro_rank_test,
    macro_sign_test,
    macro_t_test,
    micro_sign_test,
    proportion_test,
)


def companions(experiment: Experiment, measure: Measure) -> tuple[Significance, ...]:
    """Test the candidate (A) against the baseline (B), so that ``>`` favours the candidate.

    The null hypothesis is no difference at all; a ROPE has no part in it. The micro tests are about examples: the
    s-test about those that only one side gets right, so it needs the paired model; the p-tests about the two
    accuracies, and of `proportions` about recall and precision too. They ignore pairing, as if each side had been
    measured on examples of its own. The macro tests S, T and T' are about the F1 of the classes, which they treat as
    independent replications, however few examples a class has. There are none of spans, which are not independent of
    those of the same document. Two classes are no replications: where one gains a
    prediction the other loses it. With multi-label data the micro tests are about every decision on an example and a
    label, the macro tests about labels.

    Parameters
    ----------
    experiment
        What was observed.
    measure
        What the comparison is about: where it is about one class, the p-tests are about that class's recall and
        precision.

    Returns
    -------
    tests
        s-test (paired only), S-test, T-test and T'-test (from three classes or labels on) and a p-test of every
        proportion that either side's counts define; P = 1/2 where nothing differs.

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
    >>> for test in companions(pairs, parse_measure("f1[0]", range(3))):
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
    return (
        *_micro_sign_tests(experiment),
        *_macro_tests(*(f1_by_class(side)[side.occurring] for side in (candidate, baseline))),
        *_proportion_tests(proportions(candidate, measure), proportions(baseline, measure)),
    )


def paired_outcomes(experiment: Experiment) -> PairedOutcomes | None:
    """Return the posterior of which side is right where the other is wrong; None unless the model is paired.

    The candidate is the first system. An example on which both are right, or both wrong, counts as the same, whatever
    the wrong predictions are. Only the data count, nothing that the comparison's prior has seen.

    Parameters
    ----------
    experiment
        What was observed.

    References
    ----------
    Goutte and Gaussier (2005), A probabilistic interpretation of precision, recall and F-score, section 3.
    """
    if experiment.model != Model.PAIRED or experiment.spans:
        return None
    both_right, only_baseline, only_candidate, both_wrong = experiment.tables[0].group_counts.sum(axis=0).tolist()
    return PairedOutcomes.prior().updated(only_candidate, only_baseline, both_right + both_wrong)


def _micro_sign_tests(experiment: Experiment) -> Iterator[Significance]:
    for table in experiment.tables:
        if table.n_sides == 2:
            _, only_baseline, only_candidate, _ = table.group_counts.sum(axis=0).tolist()
            yield micro_sign_test(only_candidate, only_baseline)


def _macro_tests(a: Floats, b: Floats) -> Iterator[Significance]:
    if a.size > 2:
        yield from (macro_sign_test(a, b), macro_t_test(a, b), macro_rank_test(a, b))


def _proportion_tests(a: list[Proportion], b: list[Proportion]) -> Iterator[Significance]:
    for proportion_a, proportion_b in zip(a, b, strict=True):
        if proportion_a.trials and proportion_b.trials:
            yield proportion_test(*proportion_a.share_and_trials, *proportion_b.share_and_trials, of=proportion_a.of)
