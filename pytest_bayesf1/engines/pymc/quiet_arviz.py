"""ArviZ announces its next version to whoever imports it first on a day, which should break nobody's test run."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_arviz() -> Iterator[None]:
    """Import ArviZ, or PyMC that imports it, without the announcement: it would be an error under ``-W error``."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"\s*ArviZ is undergoing", FutureWarning)
        yield
