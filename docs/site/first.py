"""The report on the home page: the test that the page shows is run while the site is built."""

import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

_HOME = Path(__file__).parents[1] / "index.md"


def shown_test(page: str) -> str:
    """Find the test in the text of the home page, or of the README."""
    return page.split('```python title="test_digits.py"\n')[1].split("```", maxsplit=1)[0]


@cache  # `mkdocs serve` builds again and again
def report() -> bytes:
    """Run the test of the home page, which fails on purpose, and read its HTML report."""
    with TemporaryDirectory() as folder:
        Path(folder, "test_digits.py").write_text(shown_test(_HOME.read_text("utf-8")), "utf-8")
        subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--bayesf1-report=report"],
            cwd=folder,
            check=False,
            stdout=subprocess.DEVNULL,
        )
        return Path(folder, "report", "report.html").read_bytes()
