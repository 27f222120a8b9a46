"""The files and commands of lessons, as a reader would write and run them."""

import os
import re
import subprocess
import sys
from pathlib import Path

FIRST_GATE = Path(__file__).parent / "tutorial" / "first-gate.md"
FEW_LABELS = Path(__file__).parent / "how-to" / "few-labels.md"
_BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", flags=re.DOTALL | re.MULTILINE)
NEEDS_A_NETWORK = ("pip install ",)
_OURS_ALONE = ("randomly", "hypothesispytest", "pytest_cov", "html", "metadata")
"""Plugins of pytest that a reader need not have; they take a third of a run."""
_OF_GIT = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL")


def run(commands: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the lines of a block as in an activated environment; those that need a network are left out."""
    lines = [line for line in commands.splitlines() if not line.startswith(NEEDS_A_NETWORK)]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "CI", "GITHUB"))},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": " ".join(f"-p no:{name}" for name in _OURS_ALONE),
        **dict.fromkeys(_OF_GIT, "me"),
    }
    command = ["bash", "-euo", "pipefail", "-c", "\n".join(lines)]
    return subprocess.run(  # noqa: S603 (our own page)
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )


def write(folder: Path, title: str, text: str) -> None:
    """Write a file that the page shows."""
    path = folder / title
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def blocks(page: Path, before: str = "") -> list[tuple[str, str, str]]:
    """Read the blocks of a page, or those before a heading: kind, name of the file, text."""
    text = page.read_text("utf-8")
    return _BLOCK.findall(text.split(f"\n## {before}\n")[0] if before else text)


def follow(folder: Path, before: str) -> None:
    """Do all that the tutorial says before a heading."""
    for kind, title, text in blocks(FIRST_GATE, before):
        if title:
            write(folder, title, text)
        elif kind == "sh":
            run(text, folder)
