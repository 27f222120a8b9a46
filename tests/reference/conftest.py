from pathlib import Path

import numpy as np
import pytest

MATRICES = Path(__file__).parents[2] / "examples" / "newsgroups" / "matrices"


@pytest.fixture(scope="session")
def newsgroups():
    """The confusion matrices of Zhang et al. 2015, Fig. 3, by classifier."""
    return {path.stem: np.loadtxt(path, delimiter=",", dtype=int) for path in MATRICES.glob("*.csv")}
