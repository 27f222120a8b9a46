from pathlib import Path

import numpy as np
import pytest

from pytest_bayesf1.priors import NestedGroups, Prior

from . import naive, naive_labels

MATRICES = Path(__file__).parents[2] / "examples" / "newsgroups" / "matrices"


@pytest.fixture
def few_kappas(monkeypatch):
    """Narrow the nested prior, and the naive models of it, to the middle values of kappa: each takes 4 ms to set up."""
    for module in (naive, naive_labels):
        monkeypatch.setattr(module, "KAPPAS", 2.0 ** np.arange(1, 4.25, 0.5))
    return Prior("nested", NestedGroups(kappa=(2, 16), kappa_of_pairs=(2, naive.MOST_OF_PAIRS)))


@pytest.fixture(scope="session")
def newsgroups():
    """The confusion matrices of Zhang et al. 2015, Fig. 3, by classifier."""
    return {path.stem: np.loadtxt(path, delimiter=",", dtype=int) for path in MATRICES.glob("*.csv")}
