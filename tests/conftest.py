# pytester forgets the modules that an inner run was the first to import: numpy cannot be imported twice, one part of
# the plugin would meet another's older self, and most of an inner run's time would go into importing.
import pytest
from coverage import Coverage

pytest_plugins = ["pytester"]


@pytest.fixture
def unmeasured():
    """Leave a test out of the measuring of coverage, which takes a quarter of its time: others run the same code."""
    measuring = Coverage.current()
    if measuring is None:
        yield
        return
    measuring.stop()
    yield
    measuring.start()
