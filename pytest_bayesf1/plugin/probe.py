"""What `bayesf1 doctor` asks of a pytest run."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pytest_bayesf1.plugin.config import PluginConfig, read_config


@dataclass
class Probe:
    """A plugin that looks at the configuration and lets nothing run.

    Attributes
    ----------
    active
        Whether pytest has loaded this package's plugin.
    root, ini_file
        Where pytest looks from, and its configuration file, if any.
    config
        The settings in effect.
    problem
        What is wrong with them.
    plugins
        Names of the other plugins that are loaded, with their versions.
    """

    active: bool = False
    root: Path | None = None
    ini_file: Path | None = None
    config: PluginConfig | None = None
    problem: str = ""
    plugins: list[str] = field(default_factory=list)

    @pytest.hookimpl(tryfirst=True)
    def pytest_cmdline_main(self, config: pytest.Config) -> int:
        """Look, and end the run before it begins."""
        self.active = config.pluginmanager.hasplugin("bayesf1")
        self.root, self.ini_file = config.rootpath, config.inipath
        found = {f"{dist.project_name} {dist.version}" for _, dist in config.pluginmanager.list_plugin_distinfo()}
        self.plugins = sorted(found)
        if self.active:
            try:
                self.config = read_config(config)
            except pytest.UsageError as error:
                self.problem = str(error)
        return 0


def probe() -> Probe:
    """Ask pytest, as if it were called here."""
    found = Probe()
    code = pytest.main([], plugins=[found])
    if code != 0 and not found.problem:
        found.problem = f"pytest itself stops with exit code {int(code)}: run it to see why"
    return found
