"""The fixtures that tests ask for."""

from typing import TYPE_CHECKING, Any, Protocol

import pytest

from pytest_bayesf1.session import active, current_session

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison


class BayesCompare(Protocol):
    """`pytest_bayesf1.compare`, bound to a test."""

    def __call__(self, baseline: Any, candidate: Any = None, **arguments: Any) -> "Comparison":
        """Compare two classifiers."""
        ...


@pytest.fixture
def bayes_compare() -> BayesCompare:
    """Compare two classifiers: `pytest_bayesf1.compare`, reported with this test even from another thread."""
    from pytest_bayesf1.comparison.compare import compare

    session = current_session()

    def compare_in_this_test(baseline: Any, candidate: Any = None, **arguments: Any) -> "Comparison":
        with active(session):
            return compare(baseline, candidate, **arguments)

    return compare_in_this_test
