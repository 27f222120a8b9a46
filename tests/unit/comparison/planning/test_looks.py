import pytest

from pytest_bayesf1.planning.plan import look_rates
from pytest_bayesf1.results.comparison import Decision

FAILS, WORSE, SAME, OPEN, BETTER = (
    Decision.MUCH_WORSE,
    Decision.WORSE,
    Decision.EQUIVALENT,
    Decision.UNDECIDED,
    Decision.MUCH_BETTER,
)


def test_each_test_set_stops_at_the_first_look_that_settles_it():
    decisions = [[FAILS, OPEN, OPEN], [OPEN, SAME, FAILS], [WORSE, OPEN, BETTER], [OPEN, WORSE, WORSE]]
    rates = look_rates("none", (10, 20, 30), decisions)
    assert (rates.failed_looking, rates.failed_once) == (0.25, 0.25)
    assert rates.stopped == (0.25, 0.25, 0.25)
    assert rates.undecided == 0.25
    assert rates.n_labelled == pytest.approx((10 + 20 + 30 + 30) / 4)


def test_one_look_is_the_only_one():
    rates = look_rates("none", (30,), [[FAILS], [OPEN]])
    assert rates.failed_once == rates.failed_looking == 0.5
    assert rates.n_labelled == 30
