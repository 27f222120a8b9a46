from importlib import import_module

import pytest
from coverage import Coverage

# pytester forgets the modules that an inner run was the first to import: numpy cannot be imported twice, one part of
# the plugin would meet another's older self, and most of an inner run's time would go into importing.
for module in (
    *("baselines.store", "engines.exact", "gates.assertions", "gates.evaluate", "gates.gate_file", "plugin.hooks"),
    *("reports.html.page", "reports.render", "reports.terminal", "reports.writing"),
):
    import_module(f"pytest_bayesf1.{module}")

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
