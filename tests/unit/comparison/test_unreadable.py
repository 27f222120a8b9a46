"""Answers that could not be read: what a result says of them, and the share of the others as a measure."""

import warnings

import numpy as np
import pytest
from scipy.stats import beta

from pytest_bayesf1 import (
    ConfusionMatrix,
    InputError,
    MultilabelCounts,
    PairedCounts,
    Prior,
    assert_at_least,
    assert_better,
    compare,
)
from pytest_bayesf1.comparison.compare import run_comparison
from pytest_bayesf1.comparison.result import run_estimate
from pytest_bayesf1.errors import UNREADABLE
from pytest_bayesf1.results.comparison import UnsupportedClass

N = 1_000
TRUTH = np.arange(N) % 3


def answers(n_unreadable, answer=None):
    said = np.where(np.arange(N) % 7 == 0, 0, TRUTH).astype(object)
    said[:n_unreadable] = answer
    return said.tolist()


def pairs(baseline, candidate, **options):
    return PairedCounts.from_predictions(TRUTH, answers(baseline), answers(candidate), invalid="wrong", **options)


def side(n_unreadable):
    return ConfusionMatrix.from_predictions(TRUTH, answers(n_unreadable), invalid="wrong")


@pytest.mark.parametrize(
    ("counts", "note"),
    [
        ((24, 19), "2.4% of the baseline's answers and 1.9% of the candidate's answers could not be read"),
        ((24, 0), "2.4% of the baseline's answers could not be read"),
        ((0, 5), "0.5% of the candidate's answers could not be read"),
    ],
)
def test_the_result_tells_the_shares(counts, note):
    result = run_comparison(pairs(*counts), rope=0.05, n_draws=1_000)
    assert result.unsupported == (UnsupportedClass(UNREADABLE, counts),)
    assert result.notes()[0] == f"{note}: counted as wrong."
    assert result.to_dict()["unsupported"] == [{"label": None, "predicted": list(counts)}]


def test_of_several_runs_the_share_is_that_of_all_answers():
    """One of 5,000 answers and 37 of them, though the one is no more than a fifth of an example."""
    said = np.repeat(np.array(answers(0), dtype=object)[:, None], 5, axis=1)
    one, other = said.copy(), said.copy()
    one[:1, :1], other[:37, :1] = None, None
    sides = (ConfusionMatrix.from_predictions(TRUTH, each, runs="samples", invalid="wrong") for each in (one, other))
    result = run_comparison(*sides, rope=0.05, n_draws=1_000)
    assert result.unsupported[0].predicted == pytest.approx((0.2, 7.4))
    assert result.notes()[0].startswith("<0.1% of the baseline's answers and 0.74% of the candidate's answers")


def test_of_none_nothing_is_said():
    result = run_comparison(pairs(0, 0), rope=0.05, n_draws=1_000)
    assert not any("read" in note for note in result.notes())


def test_of_one_classifier():
    estimate = run_estimate(side(24), 0.5, n_draws=1_000)
    assert estimate.notes()[0] == "2.4% of the answers could not be read: counted as wrong."


def test_who_said_so_is_not_warned():
    unexpected = PairedCounts.from_predictions(TRUTH, answers(300, 9), answers(300, 9))
    with pytest.warns(match="classes that the truth never has: 9"):
        compare(unexpected, rope=0.05, n_draws=1_000)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(pairs(300, 300), rope=0.05, n_draws=1_000)


def test_a_stray_class_is_told_beside_them():
    said = [9, *answers(20)[1:]]
    pair = PairedCounts.from_predictions(TRUTH, said, answers(30), labels=[0, 1, 2, 9], invalid="wrong")
    first, second, *_ = run_comparison(pair, rope=0.05, n_draws=1_000).notes()
    assert first.startswith("1.9% of the baseline's answers and 3% of")
    assert second == "9: predicted 1 time by the baseline, never true: counted as wrong, in no average."


def test_answered_is_a_posterior_like_any_other():
    """Of one Dirichlet it is a beta distribution: 12 cells of 1, of which 3 are unreadable answers."""
    estimate = run_estimate(side(24), 0.9, measure="answered", prior=Prior.named("uniform", beta=4), n_draws=40_000)
    posterior = beta(N - 24 + 9, 24 + 3)
    assert estimate.score.observed == pytest.approx(0.976)
    assert estimate.score.mean == pytest.approx(posterior.mean(), abs=4 * posterior.std() / 200)
    assert estimate.score.std == pytest.approx(posterior.std(), rel=0.03)


def test_it_can_be_gated():
    assert_better(pairs(200, 10), measure="answered", rope=0.01)
    with pytest.raises(AssertionError, match=r"share of readable answers 0\.799 is below"):
        assert_at_least(side(200), 0.9, measure="answered")


def test_without_such_answers_it_is_no_measure():
    plain = ConfusionMatrix.from_predictions(TRUTH, TRUTH)
    with pytest.raises(InputError, match='unless predictions are read with invalid="wrong"'):
        compare(plain, plain, measure="answered", rope=0.01)
    labels = MultilabelCounts.from_predictions([{"a"}, set()], [{"a"}, {"a"}])
    with pytest.raises(InputError, match="do not exclude one another"):
        compare(labels, labels, measure="answered", rope=0.01)


def test_evidence_adds_up():
    first = run_comparison(pairs(20, 10), rope=0.05, measure="answered", prior="uniform", n_draws=1_000)
    second = run_comparison(pairs(30, 0), rope=0.05, measure="answered", prior=first.as_prior(), n_draws=20_000)
    assert second.baseline.mean == pytest.approx(1 - 50 / (2 * N), abs=0.01)
