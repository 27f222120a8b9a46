"""Packages of tests that coverage leaves out: it slows them by a quarter, and others run the same code."""

import pytest
from coverage import Coverage


@pytest.fixture(scope="module", autouse=True)
def _unmeasured():
    measuring = Coverage.current()
    if measuring is None:
        yield
        return
    measuring.stop()
    yield
    measuring.start()
