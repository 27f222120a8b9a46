import pytest

from pytest_bayesf1.session import Session, active


@pytest.fixture(autouse=True)
def _no_surroundings():
    """Keep the settings of the run out of the tests, and the comparisons of the tests out of its summary."""
    with active(Session()):
        yield
