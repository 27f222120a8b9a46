"""The tutorial: its files are written, its commands run, and what they print is what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
NEEDS_A_NETWORK = ("pip install ", "git push ")


def run(commands, folder):
    """Run the lines of a block as in an activated environment; those that need a network are left out."""
    lines = [line for line in commands.splitlines() if not line.startswith(NEEDS_A_NETWORK)]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "CI", "GITHUB"))},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": "-p no:randomly",
    }
    command = ["bash", "-uo", "pipefail", "-c", "\n".join(lines)]
    return subprocess.run(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )


def without_digits(text):
    """Hide the digits: another version of scikit-learn trains another model."""
    return re.sub(r"\d+", "#", text)


@pytest.mark.long
@pytest.mark.parametrize("page", ["tutorial/first-gate.md"])
def test_every_block_in_order(tmp_path, page):
    printed = ""
    for kind, title, text in BLOCK.findall((DOCS / page).read_text("utf-8")):
        if title:
            path = tmp_path / title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        elif kind == "sh":
            done = run(text, tmp_path)
            printed = done.stdout
            fails = "1 failed" in printed
            assert done.returncode == int(fails), printed
        else:
            assert kind == "text"
            position, shown = 0, without_digits(printed)
            for line in filter(None, text.splitlines()):
                position = shown.find(without_digits(line), position)
                assert position >= 0, f"{line!r} is not in order in:\n{printed}"
    assert (tmp_path / "report" / "report.html").stat().st_size > 10_000
