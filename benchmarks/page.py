"""Put the figures of a run into docs/explanation/performance.md."""

import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.isolation import ROOT
from benchmarks.peers import processors
from benchmarks.table import Rows, table

PAGE = ROOT / "docs" / "explanation" / "performance.md"
PICTURE = "performance.png"
_BEGIN, _END = "<!-- begin: python -m benchmarks -->", "<!-- end -->"


def write(rows: Rows, page: Path = PAGE) -> None:
    """Replace what stands between the marks."""
    before, _, rest = page.read_text("utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    measured = "\n\n".join([_BEGIN, machine(), table(rows), f"![Growth of the time]({PICTURE})", _END])
    page.write_text(before + measured + after, encoding="utf-8", newline="\n")


def machine() -> str:
    """Say in general terms where it was measured."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "pymc"))
    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    return f"{platform.system()}, {platform.machine()}, {processors()} processors; {python}, {packages}."
