"""Draws are shared out among threads; nobody can tell from the results."""

import threading

import numpy as np
import pytest

from pytest_bayesf1.data.outcomes import Experiment, OutcomeTable
from pytest_bayesf1.engines import exact
from pytest_bayesf1.engines import protocol as blocks
from pytest_bayesf1.measures.classification import parse_measure
from pytest_bayesf1.priors import Prior

TRUE = np.arange(300) % 3
PAIRS = Experiment("paired", (OutcomeTable.tally(3, TRUE, (TRUE + (np.arange(300) % 5 == 0)) % 3, TRUE),))


@pytest.fixture
def threads(monkeypatch):
    monkeypatch.setattr(blocks, "_NUMBERS_PER_BLOCK", 10_000)
    return lambda number: monkeypatch.setattr(blocks, "available_threads", lambda: number)


def draw(measure, prior="nested"):
    sampler = exact.ExactEngine().sampler(PAIRS, Prior.named(prior), parse_measure(measure, (0, 1, 2)), 7)
    return np.concatenate([sampler.draw(n) for n in (500, 1, 2_000)], axis=1)


@pytest.mark.slow
@pytest.mark.parametrize("prior", ["hierarchical", "nested", "uniform"])
def test_the_number_of_threads_makes_no_difference(threads, prior):
    drawn = []
    for number in (1, 2, 3):
        threads(number)
        drawn.append(draw("f1_macro", prior))
    np.testing.assert_array_equal(drawn[0], drawn[1])
    np.testing.assert_array_equal(drawn[0], drawn[2])


def test_a_function_of_the_user_s_is_called_in_the_user_s_thread(threads):
    callers = set()

    def diagonal(p):
        callers.add(threading.get_ident())
        return np.trace(p, axis1=-2, axis2=-1)

    threads(2)
    draw(diagonal)
    assert callers == {threading.get_ident()}


def test_an_error_in_a_block_is_raised(threads, monkeypatch):
    threads(2)
    monkeypatch.setattr(exact.ExactSampler, "_joints", lambda self, n, rng: iter([None]))
    with pytest.raises(AttributeError):
        draw("f1_macro")
