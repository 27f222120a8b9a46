import numpy as np
import pytest

try:
    from tests.unit.data.table_engines import ENGINES
except ImportError:  # the tests here need the same libraries, and are skipped
    ENGINES = {}


@pytest.fixture(params=ENGINES.values(), ids=ENGINES)
def engine(request):
    """Make a table of a dictionary of columns."""
    return request.param


@pytest.fixture(scope="session")
def columns():
    """Predictions of two classifiers for examples in two languages."""
    rng = np.random.default_rng(7)
    truth = rng.choice(["ham", "spam", "eggs"], 400, p=[0.6, 0.3, 0.1])
    return {
        "id": rng.permutation(400).tolist(),
        "truth": truth.tolist(),
        "old": np.where(rng.random(400) < 0.8, truth, "ham").tolist(),
        "new": np.where(rng.random(400) < 0.7, truth, "spam").tolist(),
        "language": rng.choice(["fi", "en"], 400).tolist(),
    }
