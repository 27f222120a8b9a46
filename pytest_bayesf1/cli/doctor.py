"""``bayesf1 doctor``."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import click

from pytest_bayesf1.cli.console import Exit, say, say_json, show_pairs
from pytest_bayesf1.errors import BaselineError, GateFileError
from pytest_bayesf1.git import commit_of
from pytest_bayesf1.plugin.probe import Probe, probe
from pytest_bayesf1.project import gate_files

_PACKAGES = (
    *("pytest-bayesf1", "pytest", "numpy", "scipy", "pymc", "matplotlib", "pydantic", "narwhals"),
    *("pytest-xdist", "pyarrow", "duckdb"),
)
_INACTIVE = (
    "pytest does not load the plugin. Is pytest-bayesf1 installed for this Python? Do addopts "
    "contain -p no:bayesf1, or does the environment set PYTEST_DISABLE_PLUGIN_AUTOLOAD (then add -p bayesf1)?"
)


@click.command("doctor", epilog="Example: bayesf1 doctor --json")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
def doctor_command(as_json: bool) -> None:
    """Show installed packages, whether pytest loads the plugin here, and the settings in effect.

    Exits with 2 when the plugin is not active, or a setting or a gate file is unusable.
    """
    from pytest_bayesf1.gates.gate_file import load_all_gates

    found = probe()
    problems = [found.problem] if found.problem else [] if found.active else [_INACTIVE]
    if found.root is not None:
        try:
            load_all_gates(gate_files(found.root), found.root)
        except GateFileError as error:
            problems += error.problems
        try:
            commit_of("HEAD", found.root)
        except BaselineError as error:
            problems.append(str(error))
    facts = _facts(found)
    if as_json:
        say_json({**facts, "problems": problems})
    else:
        for title, section in facts.items():
            say(title, "bold")
            show_pairs(section)
        for problem in problems:
            say(f"Problem: {problem}", "red")
        if not problems:
            say("Everything is in order.", "green")
    sys.exit(Exit.USAGE if problems else Exit.PASSED)


def _facts(found: Probe) -> dict[str, dict[str, Any]]:
    root = found.root
    return {
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in _PACKAGES}},
        "pytest": {
            "plugin": "active" if found.active else "not active" if found.root else "unknown",
            "root": str(root or ""),
            "configuration": str(found.ini_file or "none"),
            "plugins": found.plugins,
            "gate files": [path.name for path in gate_files(root)] if root else [],
        },
        "settings": found.config.as_text() if found.config is not None else {},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
