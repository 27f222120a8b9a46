import gc
import os
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from hypothesis import settings

import pytest_bayesf1

os.environ.pop("GITHUB_ACTIONS", None)  # the commit that the tests run on is none that they are about

os.environ.setdefault("OMP_NUM_THREADS", "1")  # each worker has a core, on which more threads wait for each other
os.environ["BAYESF1_CACHE"] = ""  # nothing that a test computes is kept for the next one

pytest_plugins = ["pytester", "tests.skips", "tests.unit.transcript"]

# a machine that does other work as well is slow at times, which fails no test
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=400)  # new examples each time, in the long session
settings.load_profile("steady")


SLOW_FOLDERS = {"action", "browser", "chaos", "cluster", "functional", "reference"}
"""They start processes or draw many times: without them, `pytest -m "not slow"` answers within a minute."""

_HERE = Path(__file__).parent
_REGENERATE = "BAYESF1_REGENERATE" in os.environ


@pytest.fixture(scope="session", autouse=True)
def _imported():
    """Import before an inner run does.

    pytester forgets the modules that an inner run was the first to import: numpy cannot be imported twice, one part of
    the plugin would meet another's older self, and most of an inner run's time would go into importing.
    """
    for module in walk_packages(pytest_bayesf1.__path__, "pytest_bayesf1."):
        if not {"chains", "pymc_model", "github"}.intersection(module.name.split(".")):  # PyMC takes five seconds
            import_module(module.name)
    engines = [f"narwhals._{name}.dataframe" for name in ("arrow", "duckdb", "pandas_like", "polars")]
    for late in ("matplotlib.figure", "matplotlib.backends.backend_agg", *engines):  # what pictures and tables load
        with suppress(ImportError):
            import_module(late)


@pytest.fixture
def generated():
    """Compare a generated file with what the code writes today; in `nox -s regenerate`, write it."""

    def generated(path, text):
        if _REGENERATE:
            path.write_text(text, "utf-8", newline="\n")
        found = path.read_text("utf-8") if path.exists() else ""
        name = path.relative_to(_HERE.parent)
        assert found == text, f"{name} is out of date: run `nox -s regenerate` and review what it changes"

    return generated


def pytest_collection_modifyitems(config, items):
    """Run only what writes files, if files are to be written."""
    if _REGENERATE:
        others = [item for item in items if "generated" not in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]


def pytest_collection_finish():
    """Let the collector go through the tests less often, a million objects that stay."""
    gc.set_threshold(10_000, 20, 50)  # gc.freeze would hide what hypothesis 6.80 looks for among them


def pytest_itemcollected(item):
    """Mark tests as long where others stand for them, and as slow in slow folders, with transcripts, and if long."""
    if item.get_closest_marker("one_of_many") and any(item.callspec.indices.values()):
        item.add_marker("long")
    folder = item.path.relative_to(_HERE).parts[0] if item.path.is_relative_to(_HERE) else ""
    types_commands = "transcript" in getattr(item, "fixturenames", ())
    if folder in SLOW_FOLDERS or types_commands or item.get_closest_marker("long"):
        item.add_marker("slow")
