import pytest
from hypothesis import settings

from pytest_bayesf1.comparison import prior_draws
from pytest_bayesf1.engines import blocks

settings.register_profile("steady", derandomize=True, deadline=None, max_examples=60)
settings.load_profile("steady")


@pytest.fixture(scope="package", autouse=True)
def _draws_at_once():
    """Draw no more at once than the thousand that these tests compare."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "_LARGEST_BLOCK", 1_000)
        yield
    prior_draws._named_prior_deltas.cache_clear()  # they came in blocks of another size
