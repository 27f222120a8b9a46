# pytester forgets the modules that an inner run was the first to import, and numpy cannot be imported twice.
import pytest_bayesf1.engines.exact
import pytest_bayesf1.gates.assertions
import pytest_bayesf1.reports.files  # noqa: F401

pytest_plugins = ["pytester"]
