import pytest

try:
    from tests.unit.data.table_engines import ENGINES
except ImportError:  # the tests here need the same libraries, and are skipped
    ENGINES = {}


@pytest.fixture(params=ENGINES.values(), ids=ENGINES)
def engine(request):
    """Make a table of a dictionary of columns."""
    return request.param
