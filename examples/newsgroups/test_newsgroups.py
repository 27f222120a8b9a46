"""Three comparisons of the paper, as gates. The ROPE of 0.005 stands in pytest.ini."""

import pytest

from pytest_bayesf1 import BayesF1Warning, assert_at_least, assert_better, assert_not_worse


def test_multinomial_bayes_may_replace_the_svm(svm_l2, nb_mult):
    assert_not_worse(svm_l2, nb_mult)


def test_multinomial_bayes_is_even_better(svm_l2, nb_mult):
    assert_better(svm_l2, nb_mult, measure="f1_micro")


def test_l1_penalty_is_leaning_worse(svm_l2, svm_l1):
    with pytest.warns(BayesF1Warning, match="leaning worse"):
        assert_not_worse(svm_l2, svm_l1)


@pytest.mark.xfail(raises=AssertionError, strict=True, reason="shows what a regression looks like")
def test_bernoulli_bayes_must_not_replace_the_multinomial_one(nb_mult, nb_bern):
    assert_not_worse(nb_mult, nb_bern)


def test_with_the_fixture(bayes_compare, nb_mult, svm_l2):
    comparison = bayes_compare(nb_mult, svm_l2, measure="f1[rec.sport.hockey]", rope=0.01)
    assert comparison.decision != "<<"


def test_the_svm_is_good_enough(svm_l2):
    assert_at_least(svm_l2, 0.6, measure="balanced_accuracy")
