"""Plans and floors: whatever the order of runs and of sides, and with what is asked passed on."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_bayesf1 import Scores
from pytest_bayesf1.comparison.arguments import CompareOptions
from pytest_bayesf1.planning.floors import RunScores
from pytest_bayesf1.planning.plan import Scenarios, counted_pilot
from tests.property.kinds import KINDS

few = settings(max_examples=max(settings.default.max_examples // 6, 1))
SEEDS = st.integers(0, 2**32).map(np.random.default_rng)
SCORES = st.lists(st.integers(700, 900).map(lambda n: n / 1_000), min_size=3, max_size=8, unique=True)


@given(SCORES, st.sampled_from([0.005, 0.02, 0.1]), st.sampled_from([0.8, 0.95]), st.integers(1, 6))
def test_a_file_of_one_row_is_its_score(scores, false_alarms, hdi_prob, n_new):
    sides = {str(score): Scores.from_values([score]) for score in scores}
    found = RunScores.of(sides, false_alarms, measure="mean", hdi_prob=hdi_prob)
    assert found == RunScores.of_scores(scores, hdi_prob, false_alarms)
    assert found.to_dict(n_new)["n_runs"] == n_new


@given(SCORES, st.integers(1, 5), st.randoms(use_true_random=False))
def test_the_order_of_runs_does_not_matter(scores, n_new, random):
    values = [np.r_[np.zeros(40), np.full(60, score), 1.5 * (place == 1)] for place, score in enumerate(scores)]
    moved = random.sample(values, len(values))
    one, other = (
        RunScores.of({str(n): Scores.from_values(each) for n, each in enumerate(made)}, measure="mean")
        for made in (values, moved)
    )
    assert one.lowest == other.lowest == -np.inf
    assert vars(one.floor(n_new)) == pytest.approx(vars(other.floor(n_new)))


def scenarios(made, loss=0.08, **asked):
    options = CompareOptions.resolve(**{"rope": 0.02, "measure": "f1_macro", **asked})
    sides = KINDS["classes"].sides(made)
    return options, Scenarios.of(counted_pilot(*sides, None, options.measure, options.prevalence), options, loss)


@few
@given(SEEDS)
def test_test_sets_have_the_pilots_shares_and_scores_those_that_are_stated(rng):
    made = KINDS["classes"].draw(rng)
    _, own = scenarios(made)
    shares = own.found.population.table.row_totals
    stated = {"a": 0.1, "b": 0.6, "c": 0.3}
    _, found = scenarios(made, prevalence=stated)
    for each in found.all:
        assert each.population.table.row_totals == pytest.approx(shares)
        assert each.population.scored.row_totals == pytest.approx(list(stated.values()))
    _, same = scenarios(made, prevalence=dict(zip("abc", (shares / shares.sum()).tolist(), strict=True)))
    for one, other in zip(own.designs(), same.designs(), strict=True):  # shares that are known scatter no score
        assert 0.9 * one.needed[0].n_examples < other.needed[0].n_examples <= one.needed[0].n_examples
