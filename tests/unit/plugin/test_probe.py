from pathlib import Path
from types import SimpleNamespace

import pytest

from pytest_bayesf1.plugin import probe
from tests.unit.plugin.test_config import configured


@pytest.mark.parametrize("is_active", [True, False])
@pytest.mark.parametrize("problem", ["", "--bayesf1-seed: expected a whole number"])
def test_a_run_tells_what_it_has_loaded_and_ends(monkeypatch, is_active, problem):
    made = configured()

    def read(config):
        if problem:
            raise pytest.UsageError(problem)
        return made

    monkeypatch.setattr(probe, "read_config", read)
    loaded = [(None, SimpleNamespace(project_name=name, version=f"{len(name)}.0")) for name in ("cov", "a", "cov")]
    plugins = SimpleNamespace(
        hasplugin=lambda name: is_active and name == "bayesf1", list_plugin_distinfo=lambda: loaded
    )
    found = probe.Probe()
    config = SimpleNamespace(pluginmanager=plugins, rootpath=Path("root"), inipath=Path("root/tox.ini"))
    assert found.pytest_cmdline_main(config) == 0
    assert found.plugins == ["a 1.0", "cov 3.0"]
    assert (found.active, found.root, found.ini_file) == (is_active, Path("root"), Path("root/tox.ini"))
    assert found.problem == (problem if is_active else "")
    assert found.config is (made if is_active and not problem else None)
