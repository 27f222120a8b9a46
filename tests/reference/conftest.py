import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
MATRICES = ROOT / "examples" / "newsgroups" / "matrices"


@pytest.fixture(scope="session")
def newsgroups():
    """The confusion matrices of Zhang et al. 2015, Fig. 3, by classifier."""
    return {path.stem: np.loadtxt(path, delimiter=",", dtype=int) for path in MATRICES.glob("*.csv")}


@pytest.fixture
def documented():
    """Give the rows of the table of a study's page that has this head."""

    def documented(page, head):
        text = (ROOT / "benchmarks" / "studies" / page).read_text("utf-8")
        (lines,) = re.findall(rf"^{re.escape(f'| {head} |')}\n\|[-: |]+\|\n((?:\|.*\n)+)", text, flags=re.MULTILINE)
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines.splitlines()]

    return documented
