"""Is the new recogniser better? By spans it seems so; by documents, which are what was drawn, nobody can tell."""

import pytest

from pytest_bayesf1 import assert_at_least, assert_better, assert_not_worse, rank

ROPE = 0.0001


def test_the_new_one_may_replace_the_old_one(old, new):
    assert_not_worse(old, new, measure="f1_micro", rope=ROPE)


@pytest.mark.xfail(raises=AssertionError, strict=True, reason="231 documents do not tell")
def test_but_nobody_can_tell_that_it_is_better(old, new):
    assert_better(old, new, measure="f1_micro", rope=ROPE)


def test_as_independent_spans_would_have_it(bayes_compare, old, new):
    comparison = bayes_compare(old, new, measure="f1_micro", rope=ROPE)
    assert comparison.hdi[0] < 0 < comparison.clusters.independent_hdi[0]
    assert 1.2 < comparison.clusters.design_effect**0.5 < 1.6


@pytest.mark.xfail(raises=AssertionError, strict=True, reason="it finds less, by any count")
def test_a_larger_one_cannot_be_given_up(system, new):
    assert_not_worse(system("v3"), new, measure="f1_micro", rope=0.001)


def test_people_are_found(new):
    assert_at_least(new, 0.85, measure="f1[PER]")


def test_all_at_once(system):
    ranking = rank({name: system(name) for name in ("v1", "v2", "v3")}, measure="f1_micro", rope=0.001)
    assert ranking["v3"].rank_hdi == (1, 1)
    assert ranking.may_be_best == ("v3",)
    assert ranking.decision("v1", "v2") == ">"
