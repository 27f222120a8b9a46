"""The fixtures that tests ask for."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pytest_bayesf1.comparison.result import Comparison


@pytest.fixture
def bayes_compare() -> "Callable[..., Comparison]":
    """Compare two classifiers: `pytest_bayesf1.compare`, imported when a test asks for it."""
    from pytest_bayesf1.comparison.compare import compare

    return compare
