"""The gate on simulated test sets, against all the test sets that there can be."""

from itertools import pairwise, product
from math import factorial

import numpy as np
import pytest

from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.data.outcomes import OutcomeTable
from pytest_bayesf1.data.paired import PairedCounts
from pytest_bayesf1.planning.plan import Simulation, Trial, unwatched
from pytest_bayesf1.results.comparison import Decision
from pytest_bayesf1.settings import Model
from tests.unit.comparison.planning.populations import assumed, population

FEW_OUTCOMES = [[[0.1, 0.6], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.3]]]
"""Right both, only the baseline, right both of the other class."""


def trial(joint=FEW_OUTCOMES, n=8, looks=1, model=Model.PAIRED, measure="accuracy"):
    options = CompareOptions.resolve(measure=measure, rope=(-0.1, 0.1, "wide"), n_draws=1_000)
    return Trial(population(joint, measure), (0, 1), options, model, n, looks)


def simulation(repetitions, workers=1):
    return Simulation(repetitions, workers, unwatched)


def decided(counts):
    """Compare what the cells of `FEW_OUTCOMES` hold, as a user does."""
    kept = np.flatnonzero(counts)
    codes = (np.array(each)[kept] for each in ([0, 0, 1], [0, 0, 1], [0, 1, 1]))
    pairs = PairedCounts(OutcomeTable.tally(2, *codes, weight=np.array(counts)[kept]), (0, 1))
    return run_comparison(pairs, measure="accuracy", rope=(0.1, "wide"), n_draws=1_000).decision


@pytest.mark.slow
def test_failures_are_as_frequent_as_all_possible_test_sets_say():
    n, probabilities, fails = 6, np.array([0.1, 0.6, 0.3]), 0.0
    for counts in product(range(n + 1), repeat=3):
        if sum(counts) == n:
            share = factorial(n) * float(np.prod(probabilities**counts / [factorial(each) for each in counts]))
            fails += share * (decided(counts) is Decision.MUCH_WORSE)
    (decisions,) = simulation(100).run([trial(n=n)])
    found = np.mean([each[0] is Decision.MUCH_WORSE for each in decisions])
    assert 0.05 < fails < 0.95
    assert found == pytest.approx(fails, abs=4 * np.sqrt(fails * (1 - fails) / 100))


@pytest.mark.slow
def test_what_is_decided_does_not_depend_on_who_computes():
    trials = [trial(model=Model.PAIRED, looks=2), trial(model=Model.INDEPENDENT)]
    alone = simulation(11).run(trials)
    assert [len(each) for each in alone] == [11, 11]
    assert {len(each) for each in alone[0]} == {2}
    assert simulation(11, workers=2).run(trials) == alone
    assert simulation(3).run(trials[:1])[0] == alone[0][:3]


def test_looks_see_the_same_examples_and_more():
    """The last look is at a test set of the full size: its batches add up."""
    assert trial(n=100, looks=3).sizes == (33, 66, 100)
    seen = []
    watched = trial(n=100, looks=3)
    object.__setattr__(watched, "_decision", lambda experiment: seen.append(experiment) or Decision.UNDECIDED)
    watched.decisions(0)
    totals = [each.tables[0].count.sum() for each in seen]
    assert totals == [33, 66, 100]
    dense = [np.bincount(each.tables[0].true, each.tables[0].count, 2) for each in seen]
    assert all((later >= earlier).all() for earlier, later in pairwise(dense))


@pytest.mark.slow
def test_batches_that_add_up_say_what_priors_say_that_saw_the_earlier_ones():
    """Looks add counts up, which costs one comparison; `Comparison.as_prior` gives the very same draws."""
    rng, found = np.random.default_rng(1), assumed("f1_macro").population
    batches = [PairedCounts(found.sample(60, rng), ("ham", "spam", "eggs")) for _ in range(2)]
    first = run_comparison(batches[0], rope=0.05, prior="uniform", n_draws=1_000)
    second = run_comparison(batches[1], rope=0.05, prior=first.as_prior(), n_draws=1_000)
    both = PairedCounts(batches[0].table.plus(batches[1].table), batches[0].labels)
    np.testing.assert_array_equal(second.delta, run_comparison(both, rope=0.05, prior="uniform", n_draws=1_000).delta)


def test_a_test_set_that_leaves_the_score_undefined_decides_nothing():
    rare = [[[0.999, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.001]]]
    assert trial(rare, n=3, measure="f1[1]").decisions(0) == [Decision.UNDECIDED]


def test_every_part_of_the_work_is_watched():
    parts = []

    def watch(answers, n_parts):
        for answer in answers:
            parts.append((len(answer), n_parts))
            yield answer

    Simulation(23, 1, watch).run([trial(n=4)])
    assert parts == [(10, 3), (10, 3), (3, 3)]
