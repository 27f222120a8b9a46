"""A plugin: what contributors may skip, because it is not installed, must run in CI."""

import os

import pytest


class NoSkips:
    """Make failures of skips, but for those of the mark `skipif`: what this system or this pytest cannot do at all."""

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self):
        report = yield
        return _failed(report) if report.skipped else report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item):
        report = yield
        excused = hasattr(report, "wasxfail") or item.get_closest_marker("skipif") is not None
        return _failed(report) if report.skipped and not excused else report


def _failed(report):
    report.outcome, report.longrepr = "failed", f"CI skips nothing: {report.longrepr[2]}"
    return report


def pytest_configure(config):
    if os.environ.get("CI"):
        config.pluginmanager.register(NoSkips())
