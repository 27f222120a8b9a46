"""Scripts that need Node and what `npm ci` installs."""

import shutil
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def node_command(script: str, *arguments: str) -> list[str]:
    """Tell how to run a script, or skip the test where that cannot be."""
    node = shutil.which("node")
    if node is None or not (FOLDER / "node_modules").is_dir():
        pytest.skip("needs Node and tests/node_modules: npm ci --prefix tests")
    return [node, str(FOLDER / script), *arguments]


def run_node(script: str, *arguments: str, stdin: str = "") -> str:
    """Run a script to its end and give what it wrote."""
    command = node_command(script, *arguments)
    result = subprocess.run(command, input=stdin, capture_output=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout
