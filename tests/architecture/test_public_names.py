import subprocess
import sys
from pathlib import Path

import pytest

import pytest_bayesf1

PACKAGE = Path(pytest_bayesf1.__file__).parent


def test_every_public_name_is_listed():  # the reference lists them too, see test_guides.py
    assert set(dir(pytest_bayesf1)) >= set(pytest_bayesf1.__all__)


@pytest.mark.parametrize("name", sorted(pytest_bayesf1.__all__))
def test_every_public_name_is_there_and_documented(name):
    assert getattr(pytest_bayesf1, name).__doc__


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="comparee"):
        _ = pytest_bayesf1.comparee


def test_importing_the_package_imports_nothing_heavy():
    code = "import sys, pytest_bayesf1; print({'numpy', 'scipy', 'pytest'} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
