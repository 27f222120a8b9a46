"""A plugin: tests whose library or program is missing are skipped for contributors, and fail in CI."""

import os
import re
from importlib.util import find_spec

import pytest

OPTIONAL = (
    *("cmarkgfm", "duckdb", "github", "ibis", "pandas", "playwright", "polars"),
    *("pyarrow", "pyspark", "requests", "sklearn"),
)
"""Libraries that the extra `dev-core` leaves out."""


class SkipMissing:
    """Skip a test, or a whole file, that fails because it imports a library of another extra."""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector):
        report = yield
        return _skipped(report, report.call.excinfo, collector)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        return _skipped(report, call.excinfo, item)


class NoSkips:
    """Turn skips into failures, except those of the mark `skipif`: what this system or this pytest cannot do at all."""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self):
        report = yield
        return _failed(report) if report.skipped else report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        report = yield
        excused = hasattr(report, "wasxfail") or item.get_closest_marker("skipif") is not None
        return _failed(report) if report.skipped and not excused else report


def _skipped(report, excinfo, node):
    if report.failed and excinfo and (library := _missing(excinfo.value)):
        extra = "spark" if library == "pyspark" else "dev"
        reason = f'Skipped: needs {library}, which `pip install -e ".[{extra}]"` installs'
        report.outcome, report.longrepr = "skipped", (str(node.path), 0, reason)
    return report


def _missing(error):
    """Find the optional library that is not installed and led to an error, if there is one."""
    while error:
        if isinstance(error, ImportError):
            # pandas names in its message only what it would need to write Parquet
            names = [error.name.partition(".")[0]] if error.name else re.findall(r"\w+", str(error))
            for name in names:
                if name in OPTIONAL and find_spec(name) is None:
                    return name
        error = error.__cause__ or error.__context__
    return None


def _failed(report):
    report.outcome, report.longrepr = "failed", f"CI skips nothing: {report.longrepr[2]}"
    return report


def pytest_configure(config):
    config.pluginmanager.register(NoSkips() if os.environ.get("CI") else SkipMissing())
