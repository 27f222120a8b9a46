"""The fixtures that tests ask for."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from pytest_bayesf1.errors import BaselineError
from pytest_bayesf1.plugin import stored_baselines

if TYPE_CHECKING:
    from pytest_bayesf1.baselines.regression import Regression
    from pytest_bayesf1.comparison.result import Comparison


@pytest.fixture
def bayes_compare() -> "Callable[..., Comparison]":
    """Compare two classifiers: `pytest_bayesf1.compare`, imported when a test asks for it."""
    from pytest_bayesf1.comparison.compare import compare

    return compare


@pytest.fixture
def bayes_regression(request: pytest.FixtureRequest) -> "Iterator[Regression]":
    """Compare with the stored baseline of the test: ``bayes_regression.check(candidate, rope=0.01)``."""
    regression = stored_baselines.regression_of(request.node)
    yield regression
    if stored_baselines.has_passed(request.node):
        try:
            regression.keep()
        except BaselineError as error:
            # without a traceback, for none of the user's code is in it
            raise pytest.fail.Exception(f"{type(error).__name__}: {error}", pytrace=False) from None
