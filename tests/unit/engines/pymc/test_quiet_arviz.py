import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("module", ["engines.nuts", "comparison.pymc_model"])
@pytest.mark.one_of_many
def test_the_first_import_of_a_day_is_quiet(module, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))  # where ArviZ notes on which day it has warned
    command = [sys.executable, "-W", "error::FutureWarning", "-c", f"import pytest_bayesf1.{module}"]
    done = subprocess.run(command, capture_output=True, text=True)  # noqa: PLW1510
    assert done.returncode == 0, done.stderr
